/* share.h - requests and answers of memory on a mesh, as the models of remote,
 * home and window handle them: fields, packets, flits (docs/blocks/remote.md,
 * Packets).
 */
#ifndef NDP_GOLDEN_SHARE_H
#define NDP_GOLDEN_SHARE_H

#include "base/bits.h"
#include "config/config.h"
#include "packet/flits.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SHARE_LOAD = 0, SHARE_STORE = 1, SHARE_CAS = 11, SHARE_DATA = 256 / 64 };
enum { SHARE_KIND = 7 }; /* behind a bit of zero, in front of each packet */

/* A request, at a core or at a node. */
struct share_ask {
    uint64_t op, node, id, address, strobe, compare;
    uint64_t data[SHARE_DATA];
};

struct share_reply {
    uint64_t id, fault;
    uint64_t data[SHARE_DATA];
};

/* Bits of the fields in a configuration. */
struct share_size {
    int flit, node, id, address, sector; /* sector: bytes */
};

#define SHARE_SIZE(l)                                                          \
    (struct share_size) {                                                      \
        .flit = (l).FLIT_W, .node = (l).NODE_W, .id = (l).ID_W,                \
        .address = (l).LADDR_W, .sector = (l).SECTOR                           \
    }

/* What flits.h wants to know of them. */
static inline struct flits_size share_flits(const struct share_size *s) {
    return (struct flits_size){.flit = s->flit};
}

static inline int share_n(const struct share_size *s, int bits) {
    return (bits + s->flit - 1) / s->flit;
}

/* Who has an address, with share.place stacks: the baseline, or bits from one on
 * (docs/blocks/remote.md, Stacks). */
struct share_map {
    bool learned;
    int bit;
};

/* Where a byte is: the number of a memory, and the address there. */
struct share_where {
    uint64_t home, there;
};

enum { SHARE_NODES, SHARE_MEMORY_NODES, SHARE_STACKS };

static inline struct share_where
share_where(const struct config *c, struct share_map map, uint64_t at) {
    uint64_t homes = (uint64_t)c->share_nodes, size = (uint64_t)c->share_chunk;
    uint64_t chunk = at / size, home = chunk % homes;
    if (c->share_place == SHARE_STACKS && map.learned) {
        uint64_t below = at & ones(map.bit);
        at >>= map.bit;
        return (struct share_where){at % homes, at / homes << map.bit | below};
    }
    if (c->share_place == SHARE_STACKS)
        for (uint64_t rest = chunk / homes; rest; rest /= homes)
            home ^= rest % homes;
    return (struct share_where){home, chunk / homes * size + at % size};
}

/* The node of a memory, by its number. */
static inline uint64_t share_node(const struct config *c, uint64_t home) {
    return c->share_place ? (uint64_t)c->mesh_memory_nodes.v[home] : home;
}

/* A field of an ask or reply joins the word, or leaves it. */
static inline void share_field(uint64_t *word, int *at, int width,
                               uint64_t *field, bool put) {
    if (put)
        bits_put(word, at, width, *field);
    else
        *field = bits_take(word, at, width);
}

/* What each begins with. */
static inline void share_begin(uint64_t *word, int *at, bool put) {
    uint64_t compute = 0, kind = SHARE_KIND;
    share_field(word, at, 1, &compute, put);
    share_field(word, at, 3, &kind, put);
}

static inline void share_data(const struct share_size *s, uint64_t *word,
                              int *at, uint64_t *data, bool put) {
    for (int left = 8 * s->sector, i = 0; left > 0; left -= 64, i++)
        share_field(word, at, left < 64 ? left : 64, &data[i], put);
}

/* Bits before and behind the data. */
static inline int share_walk_ask(const struct share_size *s, uint64_t *word,
                                 struct share_ask *a, bool put, int *loads) {
    int at = 0;
    share_begin(word, &at, put);
    share_field(word, &at, 4, &a->op, put);
    share_field(word, &at, s->node, &a->node, put);
    share_field(word, &at, s->id, &a->id, put);
    share_field(word, &at, s->address, &a->address, put);
    *loads = at;
    share_field(word, &at, s->sector, &a->strobe, put);
    share_data(s, word, &at, a->data, put);
    int stores = at;
    share_field(word, &at, 32, &a->compare, put);
    return stores;
}

/* The packet of a request. */
static inline void share_pack_ask(const struct share_size *s,
                                  const struct share_ask *from,
                                  struct flits *f) {
    struct share_ask a = *from;
    int loads;
    *f = (struct flits){0};
    int stores = share_walk_ask(s, f->word, &a, true, &loads);
    f->n = share_n(s, a.op == SHARE_LOAD  ? loads
                      : a.op == SHARE_CAS ? stores + 32
                                          : stores);
}

static inline void share_unpack_ask(const struct share_size *s,
                                    const struct flits *f,
                                    struct share_ask *a) {
    struct flits word = *f;
    int loads;
    *a = (struct share_ask){0};
    share_walk_ask(s, word.word, a, false, &loads);
}

static inline int share_walk_reply(const struct share_size *s, uint64_t *word,
                                   struct share_reply *r, bool put) {
    int at = 0;
    share_begin(word, &at, put);
    share_field(word, &at, s->id, &r->id, put);
    share_field(word, &at, 1, &r->fault, put);
    int bare = at;
    share_data(s, word, &at, r->data, put);
    return bare;
}

/* The packet of an answer, with data or bare. */
static inline void share_pack_reply(const struct share_size *s,
                                    const struct share_reply *from, bool data,
                                    struct flits *f) {
    struct share_reply r = *from;
    *f = (struct flits){0};
    int bare = share_walk_reply(s, f->word, &r, true);
    f->n = share_n(s, data ? bare + 8 * s->sector : bare);
}

static inline void share_unpack_reply(const struct share_size *s,
                                      const struct flits *f,
                                      struct share_reply *r) {
    struct flits word = *f;
    *r = (struct share_reply){0};
    share_walk_reply(s, word.word, r, false);
}

/* Flits that are collected until the last one. */
struct share_come {
    struct flits flits;
    bool there;
};

static inline void share_come_take(const struct share_size *s,
                                   struct share_come *c, uint64_t last,
                                   const uint64_t *data) {
    struct flits_size size = share_flits(s);
    flits_set(&size, &c->flits, c->flits.n++, data);
    c->there = last & 1;
}

/* The first 8 * sector bits of data, zero above. */
static inline void share_copy(const struct share_size *s, uint64_t *to,
                              const uint64_t *from) {
    for (int i = 0, left = 8 * s->sector; i < SHARE_DATA; i++, left -= 64)
        to[i] = left > 0 ? from[i] & ones(left < 64 ? left : 64) : 0;
}

#endif

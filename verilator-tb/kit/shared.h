/* shared.h - packets of shared memory in stimuli, laid by hand: bit by bit, by
 * a list of widths of our own (docs/blocks/remote.md, Packets). */
#ifndef NDP_KIT_SHARED_H
#define NDP_KIT_SHARED_H

#include "base/bits.h"
#include "config/config.h"
#include "rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SHARED_BYTES = 32, SHARED_BITS = 1024, SHARED_WORDS = 256 / 64 };

/* A request, or an answer (fault and data alone). */
struct shared {
    uint64_t op, node, id, address, strobe, compare, fault;
    uint8_t bytes[SHARED_BYTES];
};

struct shared_size {
    int flit, node, id, address, sector; /* bits, bytes of a sector */
};

#define SHARED_SIZE(l)                                                         \
    (struct shared_size) {                                                     \
        .flit = (l).FLIT_W, .node = (l).NODE_W, .id = (l).ID_W,                \
        .address = (l).LADDR_W, .sector = (l).SECTOR                           \
    }

/* Where the home of that number stands (docs/blocks/remote.md). */
static inline uint64_t shared_stands(const struct config *c, uint64_t home) {
    if (c->share_place == 0)
        return home;
    return (uint64_t)c->mesh_memory_nodes.v[home];
}

/* Which home has an address, with share.place stacks. */
struct shared_map {
    bool learned;
    int bit;
};

/* Any that a machine may have. */
static inline void shared_any_map(struct rng *r, int chunk, int homes,
                                  struct shared_map *m) {
    int low = 0, high = 32;

    while (1 << low < chunk)
        low++;
    while (homes >>= 1)
        high--;
    m->learned = rng_percent(r, 60);
    m->bit = rng_percent(r, 25)   ? low
             : rng_percent(r, 25) ? high
                                  : rng_range(r, low, high);
}

/* The byte address of the whole memory that is this one at this home: from the
 * home's side back, while the note tells the way there.  Without a map (NULL) homes
 * have chunks in turn. */
static inline uint64_t shared_whole(const struct shared_map *m, int chunk,
                                    int homes, uint64_t home, uint64_t there) {
    uint64_t size = (uint64_t)chunk, n = (uint64_t)homes, turn = home;

    if (m && m->learned) {
        uint64_t below = there & ones(m->bit);
        return ((there - below) * n + (home << m->bit)) | below;
    }
    for (uint64_t c = m ? there / size : 0; c; c /= n)
        turn ^= c % n;
    return (there / size * n + turn) * size + there % size;
}

/* Bits one by one, and how many flits they are. */
struct shared_flits {
    uint8_t bit[SHARED_BITS];
    int bits, n, at; /* at: flits that have gone */
};

static inline void shared_lay(struct shared_flits *f, uint64_t v, int width) {
    for (int i = 0; i < width; i++)
        f->bit[f->bits++] = (uint8_t)(v >> i & 1);
}

static inline void shared_close(const struct shared_size *s,
                                struct shared_flits *f, int bits) {
    f->n = 1;
    while (f->n * s->flit < bits)
        f->n++;
}

/* Bit 0 and the three above it, of all packets of shared memory. */
static inline void shared_begin(struct shared_flits *f) {
    memset(f, 0, sizeof *f);
    shared_lay(f, 14, 4);
}

static inline void shared_lay_ask(const struct shared_size *s,
                                  const struct shared *a,
                                  struct shared_flits *f) {
    int needs[3];
    shared_begin(f);
    shared_lay(f, a->op, 4);
    shared_lay(f, a->node, s->node);
    shared_lay(f, a->id, s->id);
    shared_lay(f, a->address, s->address);
    needs[0] = f->bits; /* a load */
    shared_lay(f, a->strobe, s->sector);
    for (int i = 0; i < s->sector; i++)
        shared_lay(f, a->bytes[i], 8);
    needs[1] = f->bits;
    shared_lay(f, a->compare, 32);
    needs[2] = f->bits;
    shared_close(s, f, needs[a->op == 0 ? 0 : a->op == 11 ? 2 : 1]);
}

static inline void shared_lay_reply(const struct shared_size *s,
                                    const struct shared *r, bool data,
                                    struct shared_flits *f) {
    shared_begin(f);
    shared_lay(f, r->id, s->id);
    shared_lay(f, r->fault, 1);
    int bare = f->bits;
    for (int i = 0; i < s->sector; i++)
        shared_lay(f, r->bytes[i], 8);
    shared_close(s, f, data ? f->bits : bare);
}

/* The next flit. */
static inline void shared_flit(const struct shared_size *s,
                               const struct shared_flits *f, uint64_t *data) {
    memset(data, 0, SHARED_WORDS * sizeof *data);
    for (int i = 0; i < s->flit; i++) {
        int from = f->at * s->flit + i;
        if (from < f->bits && f->bit[from])
            bits_set(data, i);
    }
}

/* Bytes as a port has them, and back. */
static inline void shared_to_port(const struct shared *a, int sector,
                                  uint64_t *data) {
    memset(data, 0, SHARED_WORDS * sizeof *data);
    for (int i = 0; i < sector; i++)
        data[i / 8] |= (uint64_t)a->bytes[i] << i % 8 * 8;
}

static inline bool shared_at_port(const struct shared *a, int sector,
                                  const uint64_t *data) {
    for (int i = 0; i < sector; i++)
        if ((uint8_t)(data[i / 8] >> i % 8 * 8) != a->bytes[i])
            return false;
    return true;
}

/* Any request that a core makes; the address is the caller's. */
static inline void shared_any(struct rng *r, const struct shared_size *s,
                              struct shared *a) {
    int kind = (int)rng_below(r, 10);
    memset(a, 0, sizeof *a);
    a->op = kind < 4   ? 0
            : kind < 7 ? 1
            : kind < 8 ? 11
                       : (uint64_t)rng_range(r, 2, 15);
    a->id = rng_next(r) & ones(s->id);
    if (a->op == 0)
        return;
    a->strobe = rng_next(r) & ones(s->sector);
    for (int i = 0; i < s->sector; i++)
        a->bytes[i] = (uint8_t)rng_next(r);
    if (a->op == 11)
        a->compare = rng_next(r) & ones(32);
}

/* Any answer; without data if bare. */
static inline void shared_any_reply(struct rng *r, const struct shared_size *s,
                                    bool bare, struct shared *a) {
    memset(a, 0, sizeof *a);
    a->id = rng_next(r) & ones(s->id);
    a->fault = rng_percent(r, 10);
    for (int i = 0; i < s->sector && !bare; i++)
        a->bytes[i] = (uint8_t)rng_next(r);
}

#endif

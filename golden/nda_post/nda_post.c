/* nda_post.c - golden model of the way of packets to their ranks, and of ends
 * back.
 *
 * Written from docs/blocks/nda_post.md.  What stands at a rank is the packet as
 * it came; the ports are filled from that after each edge.
 */
#include "nda_post.h"

#include "blocks/nda_post.h"
#include "frame/model.h"

#include <string.h>

enum { RANKS = 4 };

struct end {
    uint64_t valid, rank, tag, final, cause, value;
};

struct nda_post {
    struct golden base;
    struct nda_post_local l;
    bool stands[RANKS];
    struct nda_post_in packet[RANKS]; /* packet_* of what stands there */
    int turn;
    struct end end;
    struct nda_post_out out;
};

/* --- ports by rank -------------------------------------------------------- */

#define TAKES(n)                                                               \
    case n:                                                                    \
        return in->packet##n##_ready & 1;
#define ENDED(n)                                                               \
    case n:                                                                    \
        return (struct end){in->ended##n##_valid & 1, in->ended##n##_rank,     \
                            in->ended##n##_tag,       in->ended##n##_final,    \
                            in->ended##n##_cause,     in->ended##n##_value};
#define SHOW(n)                                                                \
    case n:                                                                    \
        o->packet##n##_valid = p != NULL;                                      \
        o->packet##n##_rank = p ? p->packet_rank : 0;                          \
        o->packet##n##_op = p ? p->packet_op : 0;                              \
        o->packet##n##_length = p ? p->packet_length : 0;                      \
        o->packet##n##_tag = p ? p->packet_tag : 0;                            \
        o->packet##n##_final = p ? p->packet_final : 0;                        \
        copy(o->packet##n##_base, p ? p->packet_base : NULL);                  \
        copy(o->packet##n##_last, p ? p->packet_last : NULL);                  \
        copy(o->packet##n##_scalars, p ? p->packet_scalars : NULL);            \
        o->ended##n##_ready = ready;                                           \
        break;
#define OF_EACH(x) x(0) x(1) x(2) x(3)

static bool takes(const struct nda_post_in *in, int rank) {
    switch (rank) { OF_EACH(TAKES) }
    return false;
}

static struct end ended(const struct nda_post_in *in, int rank) {
    switch (rank) { OF_EACH(ENDED) }
    return (struct end){0};
}

/* A field of 128 bits; NULL: zero. */
static void copy(uint64_t *to, const uint64_t *from) {
    to[0] = from ? from[0] : 0;
    to[1] = from ? from[1] : 0;
}

static void show(struct nda_post *n) {
    struct nda_post_out *o = &n->out;
    const struct end *e = &n->end;

    for (int r = 0; r < n->l.RANKS; r++) {
        const struct nda_post_in *p = n->stands[r] ? &n->packet[r] : NULL;
        bool ready = !e->valid && r == n->turn;
        switch (r) { OF_EACH(SHOW) }
    }
    o->ended_valid = e->valid;
    o->ended_rank = e->rank;
    o->ended_tag = e->tag;
    o->ended_final = e->final;
    o->ended_cause = e->cause;
    o->ended_value = e->value;
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct golden *g, const struct config *c) {
    ((struct nda_post *)g)->l = nda_post_local(c);
}

static void reset(struct golden *g) {
    struct nda_post *n = (struct nda_post *)g;
    memset(n->stands, 0, sizeof n->stands);
    n->turn = 0;
    n->end = (struct end){0};
    n->out.packet_ready = 0;
    show(n);
}

static void move_packets(struct nda_post *n, const struct nda_post_in *in) {
    int rank = (int)in->packet_rank & (n->l.RANKS - 1), standing = 0;
    bool valid = in->packet_valid & 1, ready = n->out.packet_ready;
    bool full = valid && n->stands[rank];

    for (int r = 0; r < n->l.RANKS; r++)
        standing += n->stands[r];
    hit_if(n, full, NDA_POST_COV_stands);
    hit_if(n, standing == n->l.RANKS, NDA_POST_COV_all_stand);
    hit_if(n, valid && ready && standing, NDA_POST_COV_passes);
    hit_if(n, full && takes(in, rank), NDA_POST_COV_leaves);
    for (int r = 0; r < n->l.RANKS; r++)
        if (n->stands[r] && takes(in, r))
            n->stands[r] = false;
    if (valid && ready) {
        n->stands[rank] = true;
        n->packet[rank] = *in;
    }
    n->out.packet_ready = valid && !ready && !full;
}

static void move_ends(struct nda_post *n, const struct nda_post_in *in) {
    int waiting = 0;
    bool turn = ended(in, n->turn).valid;

    for (int r = 0; r < n->l.RANKS; r++)
        waiting += ended(in, r).valid != 0;
    hit_if(n, !n->end.valid && waiting && !turn, NDA_POST_COV_turn);
    hit_if(n, waiting == n->l.RANKS, NDA_POST_COV_ends_wait);
    if (n->end.valid) {
        hit_if(n, !(in->ended_ready & 1), NDA_POST_COV_refused);
        if (in->ended_ready & 1)
            n->end = (struct end){0};
        return;
    }
    if (turn)
        n->end = ended(in, n->turn);
    n->turn = (n->turn + 1) % n->l.RANKS;
}

static void edge(struct golden *g, const void *ports) {
    struct nda_post *n = (struct nda_post *)g;
    const struct nda_post_in *in = ports;

    hit_if(n,
           (in->packet_valid & 1) && n->out.packet_ready && n->end.valid &&
               (in->ended_ready & 1),
           NDA_POST_COV_both_ways);
    move_packets(n, in);
    move_ends(n, in);
    show(n);
}

const struct golden_class nda_post_golden = {
    .iface = &nda_post_iface,
    MODEL_STRUCT(struct nda_post),
    .open = open,
    .reset = reset,
    .edge = edge,
};

/* switch.h - what a router does on an edge, without its ports.
 *
 * The model of the unit (router.c) and the network of many of them
 * (mesh/net.h) step the same struct, each with its own wires.  Inputs and sides
 * are numbered as enum noc_side; a set of channels is a word with virtual
 * channel v of input or side i at bit 8 * i + v.
 */
#ifndef NDP_GOLDEN_SWITCH_H
#define NDP_GOLDEN_SWITCH_H

#include "blocks/router.h"
#include "flit.h"
#include "shared/noc.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_VCS = 8 };

/* What is on the wires into it, before an edge. */
struct router_heard {
    uint8_t any;                  /* there is something */
    uint8_t valid;                /* bit i: a flit at input i */
    struct flit *flit[NOC_SIDES]; /* is taken over */
    uint64_t credits[NOC_SIDES];  /* by side: a byte for each channel, 0 or 1 */
};

/* What is heard on the coming edge, the next one and the one behind that: at
 * these places of an array. */
enum { EDGES = 3 };
struct router_edges {
    uint8_t now, next, later;
};

static inline void edges_pass(struct router_edges *e) {
    *e = (struct router_edges){e->next, e->later, e->now};
}

/* So many edges pass on which nothing is heard. */
static inline void edges_skip(struct router_edges *e, uint64_t edges) {
    for (edges %= EDGES; edges; edges--)
        edges_pass(e);
}

/* The byte of a virtual channel, in a word for those of a side. */
static inline uint64_t switch_credit(int vc) {
    return (uint64_t)1 << 8 * vc;
}

static inline int switch_credit_vc(uint64_t credit) {
    return __builtin_ctzll(credit) / 8;
}

/* Somebody hears a flit at its input i, or a credit for its side o.  Each is
 * told one of a kind for an edge at most. */
static inline void tell_flit(struct router_heard *to, int i, struct flit *f) {
    to->any = 1;
    to->valid |= (uint8_t)(1u << i);
    to->flit[i] = f;
}

static inline void tell_credit(struct router_heard *to, int o, int vc) {
    to->any = 1;
    to->credits[o] = switch_credit(vc);
}

/* What was heard has had its effect. */
static inline void forget(struct router_heard *h) {
    h->any = 0;
    h->valid = 0;
    for (int o = 0; o < NOC_SIDES; o++)
        h->credits[o] = 0;
}

struct router_ring {
    uint8_t head, count;
};

/* What every edge reads stands in front. */
struct router_switch {
    uint64_t waiting; /* input channels with a flit */
    uint64_t owns;    /* input channels whose packet has the side's channel */
    uint64_t busy;    /* side channels that a packet has */
    struct flit **flits; /* of the rings, first places of all first; owned */
    uint64_t *covers;    /* of the unit's declaration, or NULL */
    int16_t x, y;        /* where it stands */
    uint8_t depth, order_lanes;
    int8_t order; /* of all packets, -1: by virtual channel */
    /* Round robin: the requesters above the one taken last. */
    uint8_t above_turn[NOC_SIDES]; /* by input: virtual channels */
    uint8_t above_side[NOC_SIDES]; /* by side: inputs */
    struct router_ring ring[8 * NOC_SIDES];
    uint8_t side[8 * NOC_SIDES]; /* where the oldest flit of each leaves */
    uint64_t credits[NOC_SIDES]; /* by side: a byte for each channel */
    uint8_t above_owner[8 * NOC_SIDES]; /* by side channel: inputs */
    uint64_t fresh; /* input channels that own since the last edge */
    struct router_heard heard[EDGES];
    /* Who hears what goes out of a side or back from an input: EDGES of it */
    struct router_heard *to[NOC_SIDES];
    uint64_t load[NOC_SIDES]; /* flits that have gone to each side */
};

/* The input of a neighbour that a side leads to. */
static inline int switch_opposite(int side) {
    static const uint8_t of[] = {NOC_LOCAL, NOC_SOUTH, NOC_WEST, NOC_NORTH,
                                 NOC_EAST};
    return of[side];
}

void switch_open(struct router_switch *s, const struct config *c);
void switch_close(struct router_switch *s);
void switch_reset(struct router_switch *s);

/* An edge without reset.  A flit that leaves its buffer is heard two edges
 * later, its credit on the next one. */
void switch_edge(struct router_switch *s, struct router_edges edges);

/* Nothing is heard on any of the coming edges. */
static inline bool heard_nothing(const struct router_heard h[EDGES]) {
    return !(h[0].any | h[1].any | h[2].any);
}

/* An edge would change and tell nothing. */
static inline bool switch_rests(const struct router_switch *s,
                                struct router_edges edges) {
    return !(s->waiting | s->heard[edges.now].any);
}

#endif

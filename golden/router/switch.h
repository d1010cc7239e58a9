/* switch.h - what a router does on an edge, without its ports.
 *
 * The model of the unit (router.c) and the network of many of them
 * (mesh/net.h) step the same struct, each with its own wires.  Inputs and sides
 * are numbered as enum noc_side; a set of channels is a word with virtual
 * channel v of input or side i at bit 8 * i + v.
 *
 * Outputs are kept twice, by the parity of edges, so that routers may step in
 * any order: what the others see stands in now(parity), an edge writes the
 * other one.
 */
#ifndef NDP_GOLDEN_SWITCH_H
#define NDP_GOLDEN_SWITCH_H

#include "blocks/router.h"
#include "flit.h"
#include "shared/noc.h"

#include <stdbool.h>
#include <stdint.h>

enum { MOST_VCS = 8 };

/* What is on the wires out of a router. */
struct router_shown {
    uint8_t valid;   /* bit o: a flit on side o */
    uint8_t credits; /* bit i: a credit for input i */
    uint8_t credit_vc[NOC_SIDES];
    struct flit *flit[NOC_SIDES]; /* belongs to whoever hears it */
};

/* What is on the wires into it, before an edge. */
struct router_heard {
    uint8_t valid;   /* bit i: a flit at input i */
    uint8_t credits; /* bit o: a credit for side o */
    uint8_t credit_vc[NOC_SIDES];
    struct flit *flit[NOC_SIDES]; /* is taken over */
};

struct router_ring {
    uint8_t head, count;
};

struct router_switch {
    int x, y, width; /* where it stands; columns of the mesh */
    int depth, order_lanes;
    int order;           /* of all packets, -1: by virtual channel */
    struct flit **flits; /* of the rings: (8 * i + v) * depth; owned */
    struct router_ring ring[8 * NOC_SIDES];
    uint64_t waiting;            /* input channels with a flit */
    uint8_t side[8 * NOC_SIDES]; /* where the oldest flit of each leaves */
    uint64_t owns;   /* input channels whose packet has the side's channel */
    uint64_t fresh;  /* since the last edge */
    uint64_t busy;   /* side channels that a packet has */
    uint64_t credit; /* side channels with a credit */
    uint8_t credits[8 * NOC_SIDES];
    /* Round robin: the requesters above the one taken last. */
    uint8_t above_owner[8 * NOC_SIDES]; /* by side channel: inputs */
    uint8_t above_turn[NOC_SIDES];      /* by input: virtual channels */
    uint8_t above_side[NOC_SIDES];      /* by side: inputs */
    uint8_t crossing;                   /* bit o: a flit crosses to side o */
    struct flit *from[NOC_SIDES];
    struct router_shown shown[2];
    uint64_t *covers; /* of the unit's declaration, or NULL */
};

void switch_open(struct router_switch *s, const struct config *c);
void switch_close(struct router_switch *s);
void switch_reset(struct router_switch *s);

/* An edge without reset; parity: of the outputs that are seen before it. */
void switch_edge(struct router_switch *s, const struct router_heard *in,
                 int parity);

/* An edge without inputs would change nothing. */
static inline bool switch_rests(const struct router_switch *s) {
    return !(s->waiting | s->fresh | s->crossing | s->shown[0].valid |
             s->shown[0].credits | s->shown[1].valid | s->shown[1].credits);
}

#endif

/* port.h - what a network interface does on an edge, without its ports; used
 * by the model of the unit (nic.c) and by the network (mesh/net.h). */
#ifndef NDP_GOLDEN_PORT_H
#define NDP_GOLDEN_PORT_H

#include "blocks/nic.h"
#include "frame/queue.h"
#include "router/switch.h"

enum { SEND_DEPTH = 2, TAKE_DEPTH = 3 };

/* What its node says before an edge. */
struct port_asked {
    const struct flit *send[NOC_CLASSES]; /* NULL: none; vc is the order; is
                                             copied */
    bool ready[NOC_CLASSES];
};

struct nic_port {
    int lanes, kinds, depth;
    bool both;
    /* sending */
    struct queue send[NOC_CLASSES];
    struct flit *sending[NOC_CLASSES][SEND_DEPTH + 1]; /* vc: the order */
    int lane[NOC_CLASSES];
    uint64_t credits; /* a byte for each virtual channel */
    bool ans_up;      /* answers go up first when both could */
    /* taking */
    struct router_ring ring[MOST_VCS];
    struct flit **flits;     /* of the rings; owned */
    unsigned waiting;        /* virtual channels with a flit */
    int inside[NOC_CLASSES]; /* the channel of the packet being read, or -1 */
    uint8_t above[NOC_CLASSES];
    int held[NOC_CLASSES];
    int reading; /* the class of the flit that is read, -1: none */
    struct flit *read;
    bool ans_down;
    struct queue take[NOC_CLASSES];
    struct flit *taking[NOC_CLASSES][TAKE_DEPTH + 1];
    /* As if it were its router's neighbour on the local side, and the router
     * its own; to: EDGES of it. */
    struct router_heard heard[EDGES], *to;
    struct flit_pool *pool;
    uint64_t *covers; /* of the unit's declaration, or NULL */
};

/* Flits come from the pool and go back to it. */
void port_open(struct nic_port *p, const struct config *c,
               struct flit_pool *pool);
void port_close(struct nic_port *p);
void port_reset(struct nic_port *p);
void port_edge(struct nic_port *p, const struct port_asked *in,
               struct router_edges edges);

/* Before an edge: a flit of the class can be sent; the one that can be taken,
 * NULL if there is none. */
static inline bool port_can_send(const struct nic_port *p, int class) {
    return queue_can_push(&p->send[class]);
}

static inline const struct flit *port_taken(const struct nic_port *p,
                                            int class) {
    const struct queue *q = &p->take[class];
    return q->out_valid ? p->taking[class][q->out] : NULL;
}

/* An edge on which nothing comes, also from the node, would change nothing. */
bool port_rests(const struct nic_port *p);

#endif

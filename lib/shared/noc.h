/* noc.h - why no packet of a mesh waits for ever: the channel dependency graph.
 *
 * Dally and Seitz: wormhole routing is free from deadlock if the graph whose
 * nodes are the virtual channels of all links, with an arrow from each to those
 * that a packet in it may ask for next, has no cycle.  Here the links between
 * node and router belong to it, and where a request is answered there is an
 * arrow from the channel that brings requests to those that take answers away.
 */
#ifndef NDP_NOC_H
#define NDP_NOC_H

#include "config/config.h"

enum { NOC_CLASSES = 2, NOC_REQUEST = 0, NOC_ANSWER = 1 };

/* The sides of a router: its node, and y - 1, x + 1, y + 1, x - 1. */
enum noc_side {
    NOC_LOCAL,
    NOC_NORTH,
    NOC_EAST,
    NOC_SOUTH,
    NOC_WEST,
    NOC_SIDES
};

/* The order of dimensions of a packet. */
enum noc_order { NOC_YX, NOC_XY };

/* Where a packet for node `to` leaves the router of node `at`. */
enum noc_side noc_route(int width, int at, int to, enum noc_order order);

/* The node on that side, which must be there. */
int noc_neighbour(int width, int at, enum noc_side side);

/* How a mesh uses its virtual channels. */
struct noc {
    int width, height;
    bool order[2];      /* enum noc_order: packets of it occur */
    bool apart;         /* each order has virtual channels of its own */
    bool classes_apart; /* so has each class of messages */
};

/* Whether the graph of that mesh has no cycle; else one is appended to cycle,
 * as text. */
bool noc_is_free(const struct noc *n, struct text *cycle);

/* The configuration's mesh is free from deadlock.  False after errors in d. */
bool noc_check(const struct config *c, struct diag *d);

#endif

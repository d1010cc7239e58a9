/* pairs.h - the messages of the two scenarios of opportunistic computing,
 * sections 3.1 and 3.2, each with and without offloading: four chains
 * c[i] = a[i] + b[i], one after the other, alone in the mesh.
 *
 * Every message waits for those that it follows from to have arrived, so what a
 * node sends comes of what it got.  Whoever has the mesh says what goes over
 * its wires; the four pairs of hops and flit-hops must be the paper's: 42 and
 * 126, 30 and 78, 48 and 144, 16 and 16.
 */
#ifndef NDP_STIM_MESH_PAIRS_H
#define NDP_STIM_MESH_PAIRS_H

#include "base/diag.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

enum { PAIRS = 4, PAIRS_MESSAGES = 8, PAIRS_NODES = 64 };

struct pairs_message {
    int from, to, class, flits;
    int after[2]; /* messages that must have arrived, -1: none */
    bool sent, arrived;
};

struct pairs {
    int width;
    int now; /* the chain, from 0 */
    int n;   /* its messages */
    struct pairs_message message[PAIRS_MESSAGES];
    bool counted;
    uint64_t hops[PAIRS], flit_hops[PAIRS];
    char wrong[160];
};

/* False after an error in d: the mesh lacks their nodes, or has more than
 * PAIRS_NODES. */
bool pairs_open(struct pairs *p, int width, int height, struct diag *d);

/* Begin the next one; after a reset the same one anew. */
void pairs_begin(struct pairs *p);

/* The next message that the node can send, in that class. */
bool pairs_next(struct pairs *p, int from, int class, int *to, int *flits);

/* The last flit of a message was taken. */
void pairs_arrived(struct pairs *p, int from, int to, int class);
bool pairs_all_arrived(const struct pairs *p);

/* A flit, if valid, goes from one router to the next; the packet's last one or
 * not. */
void pairs_hop(struct pairs *p, uint64_t valid, uint64_t last);

/* The chain has come to its end: NULL, or how its hops are not the paper's. */
const char *pairs_count(struct pairs *p);
bool pairs_counted(const struct pairs *p);
bool pairs_over(const struct pairs *p); /* all four */

void pairs_report(const struct pairs *p, struct text *t);

#endif

/* hops.h - what a chain costs in hops, with and without its offloading.
 *
 * The counting rule of opportunistic computing, section 3.1 (both scenarios)
 * and Figure 3, for a chain c = f(a, b) of one core:
 *
 *     without    core -> a request, a -> core data; the same for b;
 *                core -> c data, c -> core acknowledgement
 *     offloaded  core -> meet node compute request; meet node -> a request,
 *                a -> meet node data; the same for b;
 *                meet node -> c data, c -> meet node acknowledgement;
 *                meet node -> core acknowledgement
 *
 * A packet's hops are the Manhattan distance it goes; weighted, each hop counts
 * once for a request or an acknowledgement and five times for data, the flits
 * of the packet.  A chain without a store sends the result to the core, as
 * data, in place of the last two lines.  A chain without a meet node is not
 * offloaded.
 */
#ifndef NDP_GEN_EMN_HOPS_H
#define NDP_GEN_EMN_HOPS_H

#include "mesh.h"

enum { EMN_WEIGHT_CONTROL = 1, EMN_WEIGHT_DATA = 5 };

/* Nodes that a chain touches. */
struct emn_chain {
    int core, a, b; /* who computes, memory nodes of the loads */
    int c;          /* memory node of the store, -1: the result is kept */
};

struct emn_hops {
    int plain, weighted;
};

struct emn_hops emn_hops_without(const struct emn_mesh *m,
                                 const struct emn_chain *k);
/* meet is emn_meet() of the chain. */
struct emn_hops emn_hops_offloaded(const struct emn_mesh *m,
                                   const struct emn_chain *k, int meet);

#endif

/* load.h - traffic that is offered to a mesh, and how the mesh bears it: the
 * latency and the throughput of the network of golden routers (net.h).
 *
 * As is usual, sources are open: a packet is made whether or not the network
 * takes it, waits at its node in a queue without an end, and its latency counts
 * from when it was made to when its last flit is taken.  First the network
 * warms up; packets made in the cycles behind that are measured, and traffic
 * goes on until all of them have come, or for as long again: then the mesh is
 * saturated, and only what it takes is known.
 */
#ifndef NDP_GOLDEN_LOAD_H
#define NDP_GOLDEN_LOAD_H

#include "config/config.h"

enum load_pattern {
    LOAD_UNIFORM,    /* to any other node */
    LOAD_TRANSPOSE,  /* from (x, y) to (y, x); square meshes */
    LOAD_COMPLEMENT, /* to the node opposite */
    LOAD_NEIGHBOUR,  /* one column on, in a ring */
    /* From each core a request of one flit to any memory node, which answers
     * with a packet of `flits`; latency there and back. */
    LOAD_MEMORY,
    LOAD_PATTERNS
};
#define LOAD_PATTERN_NAMES "uniform|transpose|complement|neighbour|memory"

struct load_setup {
    enum load_pattern pattern;
    double load; /* flits a node and cycle, requests and answers */
    int flits;   /* of a packet */
    uint64_t warm, cycles, seed;
};

struct load_result {
    double offered, accepted; /* flits a node and cycle, while measured */
    uint64_t packets;         /* measured */
    bool saturated;           /* then what follows is of those that came */
    double latency, hops;     /* mean; hops of a packet one way */
    uint64_t median, p99, most;
};

/* Why the pattern is not for this mesh; NULL: it is. */
const char *load_refused(const struct config *c, enum load_pattern pattern);

/* c must satisfy the checks of mesh. */
struct load_result load_run(const struct config *c, const struct load_setup *s);

#endif

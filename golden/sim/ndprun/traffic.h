/* traffic.h - a golden machine on a mesh as a device that counts what crosses
 * the links between its routers.
 */
#ifndef NDP_NDPRUN_TRAFFIC_H
#define NDP_NDPRUN_TRAFFIC_H

#include "runtime/port.h"

#include <stdint.h>

enum { TRAFFIC_TO, TRAFFIC_FROM, TRAFFIC_BETWEEN, TRAFFIC_WAYS };

/* Since traffic_clear, on edges on which a core runs or has a request under
 * way: so what the host writes before and reads behind launches is not there.
 * A packet counts on each link that it crosses. */
struct traffic {
    uint64_t hops;      /* packets times links */
    uint64_t flit_hops; /* flits times links: the weighted hops of the paper */
    uint64_t edges;     /* such edges */
    /* of all nodes with a memory together */
    uint64_t memories;
    uint64_t memory_sends;    /* flits that they send */
    uint64_t memory_receives; /* flits that they receive */
    uint64_t memory_answers;  /* requests that the memories answer */
    /* flits of links to memory stacks, from them, and between them */
    bool has_links;
    uint64_t link_flits[TRAFFIC_WAYS];
    uint64_t link_blocks[TRAFFIC_WAYS]; /* of these, of blocks that leave */
};

/* The same link by link: flits that left each router to the north, east, south
 * and west.  Nodes stand in rows of width. */
enum { TRAFFIC_SIDES = 4, TRAFFIC_MOST_NODES = 1024 };
struct traffic_links {
    int n, width;
    uint64_t edges;
    uint64_t flits[TRAFFIC_MOST_NODES][TRAFFIC_SIDES];
};

/* what: as golden_port_open has it.  NULL: why says what is wrong; it has no
 * mesh, say.  Closed by its class. */
struct ndp_port *traffic_open(const char *what, struct text *why);

void traffic_clear(struct ndp_port *p);
struct traffic traffic_read(const struct ndp_port *p);
/* Lives as long as p. */
const struct traffic_links *traffic_links(struct ndp_port *p);

#endif

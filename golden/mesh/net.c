/* net.c - see net.h.
 *
 * What a router or an interface tells on an edge is written at once where it
 * will be heard, one edge later or two, and so all may step in any order.  Who
 * hears nothing and has nothing to do is passed over.
 */
#include "net.h"

#include "base/arena.h"
#include "blocks/mesh.h"
#include "nic/port.h"

#include <stdlib.h>
#include <string.h>

struct net_node {
    struct router_switch router;
    struct nic_port port;
    struct port_asked asked;
};

/* What is asked of all interfaces on every edge, close together; taken and
 * full by class. */
struct net_asked {
    uint8_t works; /* or has been told by its node to */
    uint8_t taken, full;
};

struct net {
    int nodes;
    struct router_edges edges;
    struct net_asked *asked;
    struct net_node *node;
    struct flit_pool pool;
};

static void find_neighbours(struct net *all, int n, int width, int height) {
    struct net_node *p = &all->node[n];
    int x = n % width, y = n / width;
    const bool there[] = {true, y > 0, x + 1 < width, y + 1 < height, x > 0};

    for (int s = 0; s < NOC_SIDES; s++)
        if (there[s])
            p->router.to[s] =
                all->node[noc_neighbour(width, n, (enum noc_side)s)]
                    .router.heard;
    p->router.to[NOC_LOCAL] = p->port.heard;
    p->port.to = p->router.heard;
    p->router.x = (int16_t)x;
    p->router.y = (int16_t)y;
}

struct net *net_create(const struct config *c) {
    struct mesh_local l = mesh_local(c);
    struct net *n = xcalloc(1, sizeof *n);

    n->nodes = l.NODES;
    n->edges = (struct router_edges){0, 1, 2};
    n->node = xcalloc((size_t)n->nodes, sizeof *n->node);
    n->asked = xcalloc((size_t)n->nodes, sizeof *n->asked);
    for (int i = 0; i < n->nodes; i++) {
        struct net_node *p = &n->node[i];
        switch_open(&p->router, c);
        switch_reset(&p->router);
        port_open(&p->port, c, &n->pool);
        port_reset(&p->port);
        find_neighbours(n, i, l.WIDTH, l.HEIGHT);
    }
    return n;
}

void net_free(struct net *n) {
    if (!n)
        return;
    for (int i = 0; i < n->nodes; i++) {
        switch_close(&n->node[i].router);
        port_close(&n->node[i].port);
    }
    flit_pool_free(&n->pool);
    free(n->node);
    free(n->asked);
    free(n);
}

int net_nodes(const struct net *n) {
    return n->nodes;
}

bool net_can_send(const struct net *n, int node, int class) {
    return !(n->asked[node].full >> class & 1);
}

void net_send(struct net *n, int node, int class, const struct flit *flit) {
    n->node[node].asked.send[class] = flit;
    n->asked[node].works = true;
}

const struct flit *net_taken(const struct net *n, int node, int class) {
    return n->asked[node].taken >> class & 1
               ? port_taken(&n->node[node].port, class)
               : NULL;
}

void net_take(struct net *n, int node, int class) {
    n->node[node].asked.ready[class] = true;
    n->asked[node].works = true;
}

uint64_t net_load(const struct net *n, int node, enum noc_side side) {
    return n->node[node].router.load[side];
}

/* --- an edge -------------------------------------------------------------- */

static void step_port(struct net *n, struct net_node *p, struct net_asked *a) {
    if (!(a->works | p->port.heard[n->edges.now].any))
        return;
    port_edge(&p->port, &p->asked, n->edges);
    p->asked = (struct port_asked){0};
    a->works = !port_rests(&p->port);
    a->taken = a->full = 0;
    for (int c = 0; c < NOC_CLASSES; c++) {
        a->taken |= (uint8_t)(p->port.take[c].out_valid << c);
        a->full |= (uint8_t)(!port_can_send(&p->port, c) << c);
    }
}

void net_edge(struct net *n) {
    for (int i = 0; i < n->nodes; i++) {
        struct net_node *p = &n->node[i];
        if (!switch_rests(&p->router, n->edges))
            switch_edge(&p->router, n->edges);
        step_port(n, p, &n->asked[i]);
    }
    edges_pass(&n->edges);
}

/* net.c - see net.h.
 *
 * An edge has two steps.  First what every router and interface shows, by the
 * parity of the last edge, is put to those that hear it; then whoever hears
 * something, or has anything to do, steps and shows by the other parity.
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
    struct router_heard heard; /* by the router on the next edge */
    struct port_heard to_port; /* by the interface */
    bool hears, port_hears;
    int neighbour[NOC_SIDES]; /* node, -1: none */
    uint64_t load[NOC_SIDES];
};

struct net {
    int nodes, parity;
    struct flit_pool pool;
    struct net_node *node;
};

static const int opposite[] = {NOC_LOCAL, NOC_SOUTH, NOC_WEST, NOC_NORTH,
                               NOC_EAST};

static void find_neighbours(struct net_node *p, int n, int width, int height) {
    int x = n % width, y = n / width;
    const bool there[] = {true, y > 0, x + 1 < width, y + 1 < height, x > 0};

    for (int s = 0; s < NOC_SIDES; s++)
        p->neighbour[s] =
            there[s] ? noc_neighbour(width, n, (enum noc_side)s) : -1;
    p->router.x = x;
    p->router.y = y;
}

struct net *net_create(const struct config *c) {
    struct mesh_local l = mesh_local(c);
    struct net *n = xcalloc(1, sizeof *n);

    n->nodes = l.NODES;
    n->node = xcalloc((size_t)n->nodes, sizeof *n->node);
    for (int i = 0; i < n->nodes; i++) {
        struct net_node *p = &n->node[i];
        switch_open(&p->router, c);
        switch_reset(&p->router);
        port_open(&p->port, c, &n->pool);
        port_reset(&p->port);
        find_neighbours(p, i, l.WIDTH, l.HEIGHT);
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
    free(n);
}

int net_nodes(const struct net *n) {
    return n->nodes;
}

bool net_can_send(const struct net *n, int node, int class) {
    return port_can_send(&n->node[node].port, class);
}

void net_send(struct net *n, int node, int class, const struct flit *flit) {
    n->node[node].to_port.send[class] = flit;
    n->node[node].port_hears = true;
}

const struct flit *net_taken(const struct net *n, int node, int class) {
    return port_taken(&n->node[node].port, class);
}

void net_take(struct net *n, int node, int class) {
    n->node[node].to_port.ready[class] = true;
    n->node[node].port_hears = true;
}

uint64_t net_load(const struct net *n, int node, enum noc_side side) {
    return n->node[node].load[side];
}

/* --- an edge -------------------------------------------------------------- */

/* A flit leaves p's router on side o. */
static void hand_flit(struct net *n, struct net_node *p, int o,
                      struct flit *f) {
    p->load[o]++;
    if (o == NOC_LOCAL) {
        p->to_port.down = f;
        p->port_hears = true;
        return;
    }
    struct net_node *to = &n->node[p->neighbour[o]];
    int i = opposite[o];
    to->heard.valid |= (uint8_t)(1u << i);
    to->heard.flit[i] = f;
    to->hears = true;
}

/* A credit goes back to whoever sends to input i of p's router. */
static void hand_credit(struct net *n, struct net_node *p, int i, uint8_t vc) {
    if (i == NOC_LOCAL) {
        p->to_port.credit = true;
        p->to_port.credit_vc = vc;
        p->port_hears = true;
        return;
    }
    struct net_node *to = &n->node[p->neighbour[i]];
    int o = opposite[i];
    to->heard.credits |= (uint8_t)(1u << o);
    to->heard.credit_vc[o] = vc;
    to->hears = true;
}

static void hand_on(struct net *n, struct net_node *p) {
    const struct router_shown *r = &p->router.shown[n->parity];
    const struct port_shown *s = &p->port.shown[n->parity];

    for (unsigned left = r->valid; left; left &= left - 1) {
        int o = __builtin_ctz(left);
        hand_flit(n, p, o, r->flit[o]);
    }
    for (unsigned left = r->credits; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        hand_credit(n, p, i, r->credit_vc[i]);
    }
    if (s->up) {
        p->heard.valid |= 1u << NOC_LOCAL;
        p->heard.flit[NOC_LOCAL] = s->flit;
        p->hears = true;
    }
    if (s->credit) {
        p->heard.credits |= 1u << NOC_LOCAL;
        p->heard.credit_vc[NOC_LOCAL] = s->credit_vc;
        p->hears = true;
    }
}

void net_edge(struct net *n) {
    for (int i = 0; i < n->nodes; i++)
        hand_on(n, &n->node[i]);
    for (int i = 0; i < n->nodes; i++) {
        struct net_node *p = &n->node[i];
        if (p->hears || !switch_rests(&p->router)) {
            switch_edge(&p->router, &p->heard, n->parity);
            p->heard.valid = p->heard.credits = 0;
            p->hears = false;
        }
        if (p->port_hears || !port_rests(&p->port)) {
            port_edge(&p->port, &p->to_port, n->parity);
            p->to_port = (struct port_heard){0};
            p->port_hears = false;
        }
    }
    n->parity = !n->parity;
}

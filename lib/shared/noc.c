/* noc.c - the channel dependency graph of a mesh; see noc.h.
 *
 * Lanes are left out: a packet keeps its lane, so that the graph falls into
 * equal parts, one a lane.  A class of messages is a node's set of links once,
 * an order of dimensions too.  A route's next two links depend on the signs of
 * the distances, and on whether one hop uses a distance up: destinations within
 * two hops in each dimension have all arrows that any destination has.
 */
#include "noc.h"

#include "base/arena.h"

#include <stdlib.h>

/* Links of a node: out of its router by side, NOC_LOCAL being the one to the
 * node itself, and last the one from the node. */
enum { FROM_NODE = NOC_SIDES, LINKS };

enum { MOST_NEXT = 8 }; /* arrows out of a channel */

struct channel {
    int next[MOST_NEXT];
    int n;
    enum { NEW, OPEN, DONE } state;
};

struct graph {
    const struct noc *noc;
    struct channel *channel;
    int *path, depth; /* of the search */
};

enum noc_side noc_route(int width, int at, int to, enum noc_order order) {
    int dx = to % width - at % width, dy = to / width - at / width;
    bool by_row = dy != 0 && (order == NOC_YX || dx == 0);
    if (by_row)
        return dy < 0 ? NOC_NORTH : NOC_SOUTH;
    return dx == 0 ? NOC_LOCAL : dx < 0 ? NOC_WEST : NOC_EAST;
}

int noc_neighbour(int width, int at, enum noc_side side) {
    static const int right[] = {0, 0, 1, 0, -1}, down[] = {0, -1, 0, 1, 0};
    return at + right[side] + width * down[side];
}

static int nodes_of(const struct noc *n) {
    return n->width * n->height;
}

/* Number of a channel: the set of a class and order, and the link. */
static int number(const struct graph *g, int class, int order, int node,
                  int link) {
    int set =
        (g->noc->classes_apart ? class : 0) * 2 + (g->noc->apart ? order : 0);
    return (set * nodes_of(g->noc) + node) * LINKS + link;
}

static void arrow(struct graph *g, int from, int to) {
    struct channel *c = &g->channel[from];
    for (int i = 0; i < c->n; i++)
        if (c->next[i] == to)
            return;
    if (c->n == MOST_NEXT)
        BUG("a channel of the mesh has more than %d others behind it",
            MOST_NEXT);
    c->next[c->n++] = to;
}

static void add_route(struct graph *g, int class, int order, int at, int to) {
    int width = g->noc->width;
    enum noc_side side = noc_route(width, at, to, order);
    int link = number(g, class, order, at, (int)side);
    arrow(g, number(g, class, order, at, FROM_NODE), link);
    if (side == NOC_LOCAL)
        return;
    int next = noc_neighbour(width, at, side);
    arrow(
        g, link,
        number(g, class, order, next, (int)noc_route(width, next, to, order)));
}

static void add_routes(struct graph *g, int class, int order, int at) {
    enum { NEAR = 2 }; /* hops in each dimension */
    int width = g->noc->width, height = g->noc->height;
    int x = at % width, y = at / width;
    for (int row = y - NEAR; row <= y + NEAR; row++)
        for (int column = x - NEAR; column <= x + NEAR; column++)
            if (row >= 0 && row < height && column >= 0 && column < width)
                add_route(g, class, order, at, row * width + column);
}

/* A request that has come may wait for its answer to go. */
static void add_answers(struct graph *g, int node) {
    for (int in = 0; in < 2; in++)
        for (int out = 0; out < 2; out++)
            if (g->noc->order[in] && g->noc->order[out])
                arrow(g, number(g, NOC_REQUEST, in, node, NOC_LOCAL),
                      number(g, NOC_ANSWER, out, node, FROM_NODE));
}

/* --- the search ----------------------------------------------------------- */

static void name_channel(const struct graph *g, int c, struct text *t) {
    static const char *const side[] = {"north", "east", "south", "west"};
    int node = c / LINKS % nodes_of(g->noc), link = c % LINKS;
    text_printf(t, "(%d,%d) ", node % g->noc->width, node / g->noc->width);
    if (link == FROM_NODE)
        text_add(t, "in");
    else
        text_add(t, link == NOC_LOCAL ? "out" : side[link - 1]);
}

/* The channels of the path from c on, which an arrow has come back to. */
static void name_cycle(const struct graph *g, int c, struct text *t) {
    int from = g->depth - 1;
    while (g->path[from] != c)
        from--;
    for (int i = from; i < g->depth; i++) {
        name_channel(g, g->path[i], t);
        text_add(t, " > ");
    }
    name_channel(g, c, t);
}

/* Depth first from c; false if it meets a channel of its own path. */
static bool search(struct graph *g, int c, struct text *cycle) {
    struct channel *at = &g->channel[c];
    g->path[g->depth++] = c;
    at->state = OPEN;
    for (int i = 0; i < at->n; i++) {
        struct channel *next = &g->channel[at->next[i]];
        if (next->state == OPEN) {
            name_cycle(g, at->next[i], cycle);
            return false;
        }
        if (next->state == NEW && !search(g, at->next[i], cycle))
            return false;
    }
    at->state = DONE;
    g->depth--;
    return true;
}

bool noc_is_free(const struct noc *n, struct text *cycle) {
    int channels = 4 * nodes_of(n) * LINKS;
    struct graph g = {.noc = n};
    bool is_free = true;
    g.channel = xcalloc((size_t)channels, sizeof *g.channel);
    g.path = xcalloc((size_t)channels, sizeof *g.path);
    for (int class = 0; class < NOC_CLASSES; class ++)
        for (int order = 0; order < 2; order++)
            for (int at = 0; n->order[order] && at < nodes_of(n); at++)
                add_routes(&g, class, order, at);
    for (int node = 0; node < nodes_of(n); node++)
        add_answers(&g, node);
    for (int c = 0; c < channels && is_free; c++)
        if (g.channel[c].state == NEW)
            is_free = search(&g, c, cycle);
    free(g.channel);
    free(g.path);
    return is_free;
}

bool noc_check(const struct config *c, struct diag *d) {
    struct noc n = {
        .width = c->mesh_width,
        .height = c->mesh_height,
        .order = {c->noc_routes != 1, c->noc_routes != 0},
        .apart = true,
        .classes_apart = true,
    };
    struct text cycle = {0};
    bool is_free = noc_is_free(&n, &cycle);
    if (!is_free)
        config_error(d, "packets of the mesh could wait in a circle: %s",
                     text_str(&cycle));
    text_free(&cycle);
    return is_free;
}

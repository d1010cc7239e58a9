/* router.c - golden model of a router: its ports around switch.h. */
#include "router.h"

#include "frame/model.h"
#include "switch.h"

#include <string.h>

struct router {
    struct golden base;
    struct router_switch sw;
    struct flit_pool pool;
    struct router_edges edges;
    struct router_heard told[NOC_SIDES][EDGES]; /* what its neighbours hear */
    bool stirs; /* something came or was shown on the last edge */
    struct router_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct router *n = (struct router *)g;

    switch_open(&n->sw, c);
    n->sw.covers = g->covers;
    for (int i = 0; i < NOC_SIDES; i++)
        n->sw.to[i] = n->told[i];
}

static void close(struct golden *g) {
    struct router *n = (struct router *)g;

    switch_close(&n->sw);
    flit_pool_free(&n->pool);
}

static void reset(struct golden *g) {
    struct router *n = (struct router *)g;

    switch_reset(&n->sw);
    n->edges = (struct router_edges){0, 1, 2};
    n->stirs = false;
    memset(n->told, 0, sizeof n->told);
    flit_drop_all(&n->pool);
}

#define SIDES(X)                                                               \
    X(NOC_LOCAL, l)                                                            \
    X(NOC_NORTH, n)                                                            \
    X(NOC_EAST, e)                                                             \
    X(NOC_SOUTH, s)                                                            \
    X(NOC_WEST, w)

static void edge(struct golden *g, const void *ports) {
    struct router *n = (struct router *)g;
    const struct router_in *in = ports;
    struct router_heard *heard = &n->sw.heard[n->edges.now];
    struct flit f = {0};

    n->stirs = false;
    n->sw.x = (int16_t)in->at_x;
    n->sw.y = (int16_t)in->at_y;
#define HEAR(i, s)                                                             \
    n->stirs |= (in->s##_in_valid | in->s##_out_credit_valid) & 1;             \
    if (in->s##_in_valid & 1) {                                                \
        f.vc = (uint8_t)in->s##_in_vc;                                         \
        f.last = in->s##_in_last & 1;                                          \
        f.x = (uint16_t)in->s##_in_x;                                          \
        f.y = (uint16_t)in->s##_in_y;                                          \
        memcpy(f.data, in->s##_in_data, sizeof f.data);                        \
        tell_flit(heard, i, flit_copy(&n->pool, &f));                          \
    }                                                                          \
    if (in->s##_out_credit_valid & 1)                                          \
        tell_credit(heard, i, (int)in->s##_out_credit_vc);
    SIDES(HEAR)
    switch_edge(&n->sw, n->edges);
    edges_pass(&n->edges);
    memset(&n->out, 0, sizeof n->out);
#define SHOW(i, s)                                                             \
    struct router_heard *to_##s = &n->told[i][n->edges.now];                   \
    if (to_##s->valid) {                                                       \
        struct flit *to = to_##s->flit[switch_opposite(i)];                    \
        n->out.s##_out_valid = 1;                                              \
        n->out.s##_out_vc = to->vc;                                            \
        n->out.s##_out_last = to->last;                                        \
        n->out.s##_out_x = to->x;                                              \
        n->out.s##_out_y = to->y;                                              \
        memcpy(n->out.s##_out_data, to->data, sizeof to->data);                \
        flit_drop(&n->pool, to);                                               \
    }                                                                          \
    if (to_##s->credits[switch_opposite(i)]) {                                 \
        n->out.s##_in_credit_valid = 1;                                        \
        n->out.s##_in_credit_vc =                                              \
            (unsigned)switch_credit_vc(to_##s->credits[switch_opposite(i)]);   \
    }                                                                          \
    n->stirs |= to_##s->any;                                                   \
    forget(to_##s);
    SIDES(SHOW)
}

static uint64_t rest(const struct golden *g, const void *in) {
    const struct router *n = (const struct router *)g;
    bool still = !n->stirs && !(n->sw.waiting | n->sw.owns | n->sw.fresh) &&
                 heard_nothing(n->sw.heard);

    (void)in;
    for (int i = 0; still && i < NOC_SIDES; i++)
        still = heard_nothing(n->told[i]);
    return still ? UINT64_MAX : 0;
}

static void slept(struct golden *g, uint64_t edges) {
    edges_skip(&((struct router *)g)->edges, edges);
}

const struct golden_class router_golden = {
    .iface = &router_iface,
    MODEL_STRUCT(struct router),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .rest = rest,
    .slept = slept,
};

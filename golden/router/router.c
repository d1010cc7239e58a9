/* router.c - golden model of a router: its ports around switch.h. */
#include "router.h"

#include "frame/model.h"
#include "switch.h"

#include <string.h>

struct router {
    struct golden base;
    struct router_switch sw;
    struct router_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct router *n = (struct router *)g;

    switch_open(&n->sw, c);
    n->sw.covers = g->covers;
}

static void close(struct golden *g) {
    switch_close(&((struct router *)g)->sw);
}

static void reset(struct golden *g) {
    switch_reset(&((struct router *)g)->sw);
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
    struct router_heard heard = {0};
    struct flit flit[NOC_SIDES];
    const struct router_shown *shown = &n->sw.shown[1];

    n->sw.x = (int)in->at_x;
    n->sw.y = (int)in->at_y;
#define HEAR(i, s)                                                             \
    if (in->s##_in_valid & 1) {                                                \
        heard.valid |= 1u << (i);                                              \
        heard.flit[i] = &flit[i];                                              \
        flit[i].vc = (uint8_t)in->s##_in_vc;                                   \
        flit[i].last = in->s##_in_last & 1;                                    \
        flit[i].x = (uint16_t)in->s##_in_x;                                    \
        flit[i].y = (uint16_t)in->s##_in_y;                                    \
        memcpy(flit[i].data, in->s##_in_data, sizeof flit[i].data);            \
    }                                                                          \
    heard.credits |= (uint8_t)((in->s##_out_credit_valid & 1) << (i));         \
    heard.credit_vc[i] = (uint8_t)in->s##_out_credit_vc;
    SIDES(HEAR)
    switch_edge(&n->sw, &heard, 0);
    memset(&n->out, 0, sizeof n->out);
#define SHOW(i, s)                                                             \
    if (shown->valid >> (i)&1) {                                               \
        const struct flit *f = &shown->flit[i];                                \
        n->out.s##_out_valid = 1;                                              \
        n->out.s##_out_vc = f->vc;                                             \
        n->out.s##_out_last = f->last;                                         \
        n->out.s##_out_x = f->x;                                               \
        n->out.s##_out_y = f->y;                                               \
        memcpy(n->out.s##_out_data, f->data, sizeof f->data);                  \
    }                                                                          \
    if (shown->credits >> (i)&1) {                                             \
        n->out.s##_in_credit_valid = 1;                                        \
        n->out.s##_in_credit_vc = shown->credit_vc[i];                         \
    }
    SIDES(SHOW)
}

const struct golden_class router_golden = {
    .iface = &router_iface,
    MODEL_STRUCT(struct router),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
};

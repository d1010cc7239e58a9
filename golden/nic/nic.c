/* nic.c - golden model of a network interface: its ports around port.h. */
#include "nic.h"

#include "frame/model.h"
#include "port.h"

#include <string.h>

struct nic {
    struct golden base;
    struct nic_port port;
    struct flit_pool pool;
    struct router_edges edges;
    struct router_heard told[EDGES]; /* what its router hears */
    struct nic_out out;
};

static void show(struct nic *n) {
    struct router_heard *told = &n->told[n->edges.now];
    const struct flit *f;

    memset(&n->out, 0, sizeof n->out);
    n->out.send_req_ready = port_can_send(&n->port, NOC_REQUEST);
    n->out.send_ans_ready = port_can_send(&n->port, NOC_ANSWER);
    if ((f = port_taken(&n->port, NOC_REQUEST))) {
        n->out.take_req_valid = 1;
        n->out.take_req_last = f->last;
        memcpy(n->out.take_req_data, f->data, sizeof f->data);
    }
    if ((f = port_taken(&n->port, NOC_ANSWER))) {
        n->out.take_ans_valid = 1;
        n->out.take_ans_last = f->last;
        memcpy(n->out.take_ans_data, f->data, sizeof f->data);
    }
    if (told->valid) {
        struct flit *up = told->flit[NOC_LOCAL];
        n->out.up_valid = 1;
        n->out.up_vc = up->vc;
        n->out.up_last = up->last;
        n->out.up_x = up->x;
        n->out.up_y = up->y;
        memcpy(n->out.up_data, up->data, sizeof up->data);
        flit_drop(&n->pool, up);
    }
    if (told->credits[NOC_LOCAL]) {
        n->out.down_credit_valid = 1;
        n->out.down_credit_vc =
            (unsigned)switch_credit_vc(told->credits[NOC_LOCAL]);
    }
    forget(told);
}

static void open(struct golden *g, const struct config *c) {
    struct nic *n = (struct nic *)g;

    port_open(&n->port, c, &n->pool);
    n->port.covers = g->covers;
    n->port.to = n->told;
}

static void close(struct golden *g) {
    struct nic *n = (struct nic *)g;

    port_close(&n->port);
    flit_pool_free(&n->pool);
}

static void reset(struct golden *g) {
    struct nic *n = (struct nic *)g;

    port_reset(&n->port);
    flit_drop_all(&n->pool);
    n->edges = (struct router_edges){0, 1, 2};
    memset(n->told, 0, sizeof n->told);
    show(n);
}

static struct flit flit_of(uint64_t x, uint64_t y, uint64_t vc, uint64_t last,
                           const uint64_t *data) {
    struct flit f = {.x = (uint16_t)x, .y = (uint16_t)y, .vc = (uint8_t)vc};

    f.last = last & 1;
    memcpy(f.data, data, sizeof f.data);
    return f;
}

static void edge(struct golden *g, const void *ports) {
    struct nic *n = (struct nic *)g;
    const struct nic_in *in = ports;
    struct flit req =
        flit_of(in->send_req_x, in->send_req_y, in->send_req_order & 1,
                in->send_req_last, in->send_req_data);
    struct flit ans =
        flit_of(in->send_ans_x, in->send_ans_y, in->send_ans_order & 1,
                in->send_ans_last, in->send_ans_data);
    struct flit down = flit_of(in->down_x, in->down_y, in->down_vc,
                               in->down_last, in->down_data);
    struct port_asked asked = {
        .send = {in->send_req_valid & 1 ? &req : NULL,
                 in->send_ans_valid & 1 ? &ans : NULL},
        .ready = {in->take_req_ready & 1, in->take_ans_ready & 1},
    };
    struct router_heard *heard = &n->port.heard[n->edges.now];

    if (in->up_credit_valid & 1)
        tell_credit(heard, NOC_LOCAL, (int)in->up_credit_vc);
    if (in->down_valid & 1)
        tell_flit(heard, NOC_LOCAL, flit_copy(&n->pool, &down));
    port_edge(&n->port, &asked, n->edges);
    edges_pass(&n->edges);
    show(n);
}

static uint64_t rest(const struct golden *g, const void *ports) {
    const struct nic *n = (const struct nic *)g;
    const struct nic_in *in = ports;
    bool comes = (in->send_req_valid | in->send_ans_valid |
                  in->up_credit_valid | in->down_valid) &
                 1;
    bool shows = n->out.up_valid | n->out.down_credit_valid;

    return !comes && !shows && port_rests(&n->port) && n->port.reading < 0 &&
                   heard_nothing(n->port.heard) && heard_nothing(n->told)
               ? UINT64_MAX
               : 0;
}

static void slept(struct golden *g, uint64_t edges) {
    edges_skip(&((struct nic *)g)->edges, edges);
}

const struct golden_class nic_golden = {
    .iface = &nic_iface,
    MODEL_STRUCT(struct nic),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .rest = rest,
    .slept = slept,
};

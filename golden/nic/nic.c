/* nic.c - golden model of a network interface: its ports around port.h. */
#include "nic.h"

#include "frame/model.h"
#include "port.h"

#include <string.h>

struct nic {
    struct golden base;
    struct nic_port port;
    struct flit_pool pool;
    struct nic_out out;
};

static void show(struct nic *n) {
    const struct port_shown *s = &n->port.shown[1];
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
    if (s->up) {
        n->out.up_valid = 1;
        n->out.up_vc = s->flit->vc;
        n->out.up_last = s->flit->last;
        n->out.up_x = s->flit->x;
        n->out.up_y = s->flit->y;
        memcpy(n->out.up_data, s->flit->data, sizeof s->flit->data);
        flit_drop(&n->pool, s->flit);
    }
    n->out.down_credit_valid = s->credit;
    n->out.down_credit_vc = s->credit ? s->credit_vc : 0;
}

static void open(struct golden *g, const struct config *c) {
    struct nic *n = (struct nic *)g;

    port_open(&n->port, c, &n->pool);
    n->port.covers = g->covers;
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
    struct port_heard heard = {
        .send = {in->send_req_valid & 1 ? &req : NULL,
                 in->send_ans_valid & 1 ? &ans : NULL},
        .ready = {in->take_req_ready & 1, in->take_ans_ready & 1},
        .down = in->down_valid & 1 ? flit_copy(&n->pool, &down) : NULL,
        .credit = in->up_credit_valid & 1,
        .credit_vc = (uint8_t)in->up_credit_vc,
    };

    port_edge(&n->port, &heard, 0);
    show(n);
}

const struct golden_class nic_golden = {
    .iface = &nic_iface,
    MODEL_STRUCT(struct nic),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
};

/* window.c - golden model of a host's window on the memories of all nodes.
 *
 * Written from docs/blocks/window.md.
 */
#include "window.h"

#include "blocks/window.h"
#include "frame/model.h"
#include "remote/share.h"

enum phase { IDLE, SEND, WAIT, OVER };

struct window {
    struct golden base;
    struct window_local l;
    struct config config;
    struct share_size size;
    enum phase phase;
    bool write;
    int word; /* of its sector */
    uint64_t node;
    struct flits packet;
    int sent;
    struct share_come come;
    bool was_over; /* on the edge before an access was taken */
    struct window_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct window *n = (struct window *)g;

    n->l = window_local(c);
    n->config = *c;
    n->size = SHARE_SIZE(n->l);
}

static void show(struct window *n) {
    struct flits_size size = share_flits(&n->size);
    bool goes = n->phase == SEND;
    uint64_t width = (uint64_t)n->l.WIDTH;

    n->out.win_ready = n->phase == OVER;
    n->out.take_ans_ready = !n->come.there;
    n->out.send_req_valid = goes;
    n->out.send_req_last = goes && n->sent + 1 == n->packet.n;
    n->out.send_req_x = goes ? n->node % width : 0;
    n->out.send_req_y = goes ? n->node / width : 0;
    if (goes)
        flits_get(&size, &n->packet, n->sent, n->out.send_req_data);
    else
        memset(n->out.send_req_data, 0, sizeof n->out.send_req_data);
}

static void reset(struct golden *g) {
    struct window *n = (struct window *)g;

    n->phase = IDLE;
    n->come = (struct share_come){0};
    n->was_over = false;
    show(n);
}

/* An access is seen: its packet. */
static void begin(struct window *n, const struct window_in *in) {
    uint64_t words = (uint64_t)n->l.SECTOR / 4;
    uint64_t word = in->win_address & ones(30);
    struct share_map map = {in->map_learned & 1, (int)(in->map_bit & 31)};
    struct share_where w = share_where(&n->config, map, 4 * word);
    struct share_ask a = {.node = in->at_node, .address = w.there / 4 / words};

    n->write = in->win_write & 1;
    n->word = (int)(word % words);
    n->node = share_node(&n->config, w.home);
    if (n->write) {
        a.op = SHARE_STORE;
        a.strobe = (uint64_t)15 << 4 * n->word;
        for (int i = 0; i < (int)words; i++)
            bits_set_lane(a.data, i, (uint32_t)in->win_data);
    }
    share_pack_ask(&n->size, &a, &n->packet);
    n->sent = 0;
    n->phase = SEND;
}

static void finish(struct window *n) {
    struct share_reply r;

    share_unpack_reply(&n->size, &n->come.flits, &r);
    n->come = (struct share_come){0};
    n->phase = OVER;
    hit_if(n, n->write, WINDOW_COV_write);
    if (n->write)
        return;
    hit_if(n, true, WINDOW_COV_read);
    hit_if(n, r.fault, WINDOW_COV_beyond);
    n->out.read_valid = 1;
    n->out.read_data = r.fault ? 0 : bits_lane(r.data, n->word);
}

static void edge(struct golden *g, const void *ports) {
    struct window *n = (struct window *)g;
    const struct window_in *in = ports;
    bool flit = n->out.send_req_valid && in->send_req_ready & 1;
    bool come = n->out.take_ans_ready && in->take_ans_valid & 1;
    bool over = n->phase == OVER;

    n->out.read_valid = n->out.read_data = 0;
    hit_if(n, n->out.send_req_valid && !flit, WINDOW_COV_held);
    switch (n->phase) {
    case IDLE:
        if (in->win_valid & 1) {
            hit_if(n, n->was_over, WINDOW_COV_again);
            begin(n, in);
        }
        break;
    case SEND:
        n->sent += flit;
        if (n->sent == n->packet.n)
            n->phase = WAIT;
        break;
    case WAIT:
        if (n->come.there)
            finish(n);
        break;
    case OVER:
        n->phase = IDLE;
        break;
    }
    n->was_over = over;
    if (come)
        share_come_take(&n->size, &n->come, in->take_ans_last,
                        in->take_ans_data);
    show(n);
}

static uint64_t rest(const struct golden *g, const void *ports) {
    const struct window *n = (const struct window *)g;
    const struct window_in *in = ports;
    bool idle = n->phase == IDLE && !(in->win_valid & 1) && !n->was_over;
    bool waits = n->phase == WAIT && !n->come.there;

    return (idle || waits) && !n->out.read_valid && !(in->take_ans_valid & 1)
               ? UINT64_MAX
               : 0;
}

const struct golden_class window_golden = {
    .iface = &window_iface,
    MODEL_STRUCT(struct window),
    .open = open,
    .reset = reset,
    .edge = edge,
    .rest = rest,
};

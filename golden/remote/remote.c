/* remote.c - golden model of a core's way to the memories of all nodes.
 *
 * Written from docs/blocks/remote.md.
 */
#include "remote.h"

#include "blocks/remote.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "share.h"

enum { DEPTH = 2 };

struct remote {
    struct golden base;
    struct remote_local l;
    struct config config;
    struct share_size size;
    struct queue queue;
    struct request {
        struct share_ask ask; /* node: which it goes to */
    } request[DEPTH + 1];
    uint64_t at_node;
    struct flits packet; /* of the request, if it is for another node */
    int sent;            /* of its flits */
    struct share_come come;
    bool far_turn;
    struct remote_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct remote *n = (struct remote *)g;

    n->l = remote_local(c);
    n->config = *c;
    n->size = SHARE_SIZE(n->l);
}

static const struct share_ask *shown(const struct remote *n) {
    return n->queue.out_valid ? &n->request[n->queue.out].ask : NULL;
}

static bool is_own(const struct remote *n) {
    return shown(n) && shown(n)->node == n->at_node;
}

static bool is_far(const struct remote *n) {
    return shown(n) && shown(n)->node != n->at_node;
}

static void show_own(struct remote *n) {
    static const struct share_ask none;
    const struct share_ask *a = is_own(n) ? shown(n) : &none;

    n->out.own_valid = is_own(n);
    n->out.own_op = a->op;
    n->out.own_id = a->id;
    n->out.own_address = a->address;
    n->out.own_strobe = a->strobe;
    n->out.own_compare = a->compare;
    memcpy(n->out.own_data, a->data, sizeof n->out.own_data);
}

static void show_far(struct remote *n) {
    struct flits_size size = share_flits(&n->size);
    bool far = is_far(n);
    uint64_t node = far ? shown(n)->node : 0;

    n->out.send_req_valid = far;
    n->out.send_req_last = far && n->sent + 1 == n->packet.n;
    n->out.send_req_x = node % (uint64_t)n->l.WIDTH;
    n->out.send_req_y = node / (uint64_t)n->l.WIDTH;
    if (far)
        flits_get(&size, &n->packet, n->sent, n->out.send_req_data);
    else
        memset(n->out.send_req_data, 0, sizeof n->out.send_req_data);
}

static void show_ready(struct remote *n) {
    n->out.mem_ready = queue_can_push(&n->queue);
    n->out.take_ans_ready = !n->come.there;
    n->out.back_ready = !(n->come.there && n->far_turn);
}

static void reset(struct golden *g) {
    struct remote *n = (struct remote *)g;

    queue_reset(&n->queue, DEPTH);
    n->sent = 0;
    n->come = (struct share_come){0};
    n->far_turn = false;
    show_ready(n);
}

/* A request of the core, as its node has it. */
static void enter(struct remote *n, const struct remote_in *in) {
    struct share_ask *a = &n->request[queue_push(&n->queue)].ask;
    uint64_t address = in->mem_address & ones(n->l.SADDR_W);
    struct share_map map = {in->map_learned & 1, (int)(in->map_bit & 31)};
    struct share_where w = share_where(&n->config, map, address << n->l.BYTE_W);

    *a = (struct share_ask){
        .op = in->mem_op & 15,
        .node = share_node(&n->config, w.home),
        .id = in->mem_id & ones(n->l.ID_W),
        .address = (w.there >> n->l.BYTE_W) & ones(n->l.LADDR_W),
        .strobe = in->mem_strobe & ones(n->l.SECTOR),
        .compare = in->mem_compare & ones(32),
    };
    share_copy(&n->size, a->data, in->mem_data);
}

static void answer(struct remote *n, const struct remote_in *in) {
    bool back = in->back_valid & n->out.back_ready;
    struct share_reply r = {0};

    hit_if(n, in->back_valid && n->come.there, REMOTE_COV_both);
    hit_if(n, in->back_valid && !back, REMOTE_COV_back_waits);
    hit_if(n, back && n->come.there, REMOTE_COV_come_waits);
    n->out.rsp_valid = back || n->come.there;
    if (back) {
        r.id = in->back_id & ones(n->l.ID_W);
        r.fault = in->back_fault & 1;
        share_copy(&n->size, r.data, in->back_data);
        n->far_turn = true;
    } else if (n->come.there) {
        share_unpack_reply(&n->size, &n->come.flits, &r);
        hit_if(n, r.fault, REMOTE_COV_fault);
        n->come = (struct share_come){0};
        n->far_turn = false;
    }
    n->out.rsp_id = r.id;
    n->out.rsp_fault = r.fault;
    memcpy(n->out.rsp_data, r.data, sizeof n->out.rsp_data);
}

static void cover(struct remote *n, const struct remote_in *in, bool own,
                  bool flit) {
    bool behind = false; /* the next one is for the own memory */

    if (n->queue.count > 0)
        behind = n->request[n->queue.head].ask.node == n->at_node;
    hit_if(n, own, REMOTE_COV_own);
    hit_if(n, flit, REMOTE_COV_far);
    hit_if(n, n->out.own_valid && !own, REMOTE_COV_own_held);
    hit_if(n, n->out.send_req_valid && !flit, REMOTE_COV_far_held);
    hit_if(n, behind && is_far(n), REMOTE_COV_own_behind);
    hit_if(n, in->mem_valid && !n->out.mem_ready, REMOTE_COV_refused);
}

static void edge(struct golden *g, const void *ports) {
    struct remote *n = (struct remote *)g;
    const struct remote_in *in = ports;
    bool own = n->out.own_valid && in->own_ready & 1;
    bool flit = n->out.send_req_valid && in->send_req_ready & 1;
    bool come = n->out.take_ans_ready && in->take_ans_valid & 1;

    n->at_node = in->at_node;
    cover(n, in, own, flit);
    answer(n, in);
    if (come)
        share_come_take(&n->size, &n->come, in->take_ans_last,
                        in->take_ans_data);
    if (in->mem_valid & n->out.mem_ready)
        enter(n, in);
    n->sent += flit;
    if (own || (flit && n->sent == n->packet.n)) {
        queue_pop(&n->queue);
        n->sent = 0;
    }
    if (queue_edge(&n->queue) && is_far(n)) {
        struct share_ask a = *shown(n);
        a.node = n->at_node;
        share_pack_ask(&n->size, &a, &n->packet);
    }
    show_own(n);
    show_far(n);
    show_ready(n);
}

static uint64_t rest(const struct golden *g, const void *ports) {
    const struct remote *n = (const struct remote *)g;
    const struct remote_in *in = ports;
    bool comes = (in->mem_valid | in->back_valid | in->take_ans_valid) & 1;

    return !comes && queue_is_empty(&n->queue) && !n->come.there &&
                   !n->out.rsp_valid
               ? UINT64_MAX
               : 0;
}

const struct golden_class remote_golden = {
    .iface = &remote_iface,
    MODEL_STRUCT(struct remote),
    .open = open,
    .reset = reset,
    .edge = edge,
    .rest = rest,
};

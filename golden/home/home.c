/* home.c - golden model of the memory's end of requests of all nodes.
 *
 * Written from docs/blocks/home.md.
 */
#include "home.h"

#include "blocks/home.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "remote/share.h"

enum { DEPTH = 2, MAX_PLACES = 64 };

/* An answer in a queue. */
struct answer {
    struct share_reply reply;
    uint64_t node;
    bool data;
};

struct home {
    struct golden base;
    struct home_local l;
    struct share_size size;
    struct queue asked;
    struct share_ask request[DEPTH + 1];
    struct share_come come;
    bool far_turn;
    int own_used, far_used;
    struct queue own, far;
    struct answer own_answer[MAX_PLACES + 1], far_answer[MAX_PLACES + 1];
    struct flits packet; /* of the far answer that goes */
    int sent;            /* of its flits */
    struct home_out out;
};

static const struct design_record *tag_of(const struct home *n) {
    return &n->base.design->record[HOME_REC_tag];
}

static void open(struct golden *g, const struct config *c) {
    struct home *n = (struct home *)g;

    n->l = home_local(c);
    n->size = SHARE_SIZE(n->l);
}

static void show_ready(struct home *n) {
    n->out.own_ready = queue_can_push(&n->asked);
    n->out.take_req_ready = !n->come.there;
}

static void reset(struct golden *g) {
    struct home *n = (struct home *)g;

    queue_reset(&n->asked, DEPTH);
    queue_reset(&n->own, n->l.PLACES);
    queue_reset(&n->far, n->l.PLACES);
    n->come = (struct share_come){0};
    n->far_turn = false;
    n->own_used = n->far_used = 0;
    n->sent = 0;
    show_ready(n);
}

/* --- requests ------------------------------------------------------------- */

static void enter(struct home *n, const struct home_in *in) {
    struct share_ask *a = &n->request[queue_push(&n->asked)];

    *a = (struct share_ask){
        .op = in->own_op & 15,
        .id = in->own_id & ones(n->l.ID_W),
        .address = in->own_address & ones(n->l.LADDR_W),
        .strobe = in->own_strobe & ones(n->l.SECTOR),
        .compare = in->own_compare & ones(32),
    };
    share_copy(&n->size, a->data, in->own_data);
}

static void show_mem(struct home *n, const struct share_ask *a, bool far) {
    struct home_tag_fields tag = {
        .id = a->id, .node = a->node, .far = far, .data = a->op != SHARE_STORE};

    n->out.mem_valid = 1;
    n->out.mem_op = a->op;
    record_pack(tag_of(n), &tag, &n->out.mem_id);
    n->out.mem_address = a->address;
    n->out.mem_strobe = a->strobe;
    n->out.mem_compare = a->compare;
    memcpy(n->out.mem_data, a->data, sizeof n->out.mem_data);
}

static void show_no_mem(struct home *n) {
    n->out.mem_valid = n->out.mem_op = n->out.mem_id = n->out.mem_address = 0;
    n->out.mem_strobe = n->out.mem_compare = 0;
    memset(n->out.mem_data, 0, sizeof n->out.mem_data);
}

static void cover_far(struct home *n, const struct share_ask *a) {
    hit_if(n, a->op == SHARE_LOAD, HOME_COV_load);
    hit_if(n, a->op == SHARE_STORE, HOME_COV_store);
    hit_if(n, a->op > SHARE_STORE && a->op < SHARE_CAS, HOME_COV_atomic);
    hit_if(n, a->op == SHARE_CAS, HOME_COV_cas);
}

/* Step 3 of the note. */
static void choose(struct home *n, const struct home_in *in) {
    bool own_shown = n->asked.out_valid, far_shown = n->come.there;
    bool own = own_shown && n->own_used < n->l.PLACES;
    bool far = far_shown && n->far_used < n->l.PLACES;

    hit_if(n, own_shown && !own, HOME_COV_own_full);
    hit_if(n, far_shown && !far, HOME_COV_far_full);
    if (n->out.mem_valid && !(in->mem_ready & 1)) {
        hit_if(n, true, HOME_COV_mem_held);
        return;
    }
    hit_if(n, own && far, HOME_COV_both);
    hit_if(n, (own && far_shown && !far) || (far && own_shown && !own),
           HOME_COV_passed_full);
    if (far && (n->far_turn || !own)) {
        struct share_ask a;
        share_unpack_ask(&n->size, &n->come.flits, &a);
        cover_far(n, &a);
        show_mem(n, &a, true);
        n->come = (struct share_come){0};
        n->far_used++;
        n->far_turn = false;
    } else if (own) {
        show_mem(n, &n->request[n->asked.out], false);
        queue_pop(&n->asked);
        n->own_used++;
        n->far_turn = true;
    } else {
        show_no_mem(n);
    }
}

/* --- answers -------------------------------------------------------------- */

static void answered(struct home *n, const struct home_in *in) {
    uint64_t id = in->rsp_id & ones(n->l.TAG_W);
    struct home_tag_fields tag;

    record_unpack(tag_of(n), &id, &tag);
    struct answer *a = tag.far ? &n->far_answer[queue_push(&n->far)]
                               : &n->own_answer[queue_push(&n->own)];
    a->reply.id = tag.id;
    a->reply.fault = in->rsp_fault & 1;
    share_copy(&n->size, a->reply.data, in->rsp_data);
    a->node = tag.node;
    a->data = tag.data;
    hit_if(n, tag.far && a->reply.fault, HOME_COV_fault);
}

static void show_back(struct home *n) {
    static const struct share_reply none;
    const struct share_reply *r =
        n->own.out_valid ? &n->own_answer[n->own.out].reply : &none;

    n->out.back_valid = n->own.out_valid;
    n->out.back_id = r->id;
    n->out.back_fault = r->fault;
    memcpy(n->out.back_data, r->data, sizeof n->out.back_data);
}

static void show_send(struct home *n) {
    struct flits_size size = share_flits(&n->size);
    bool valid = n->far.out_valid;
    uint64_t node = valid ? n->far_answer[n->far.out].node : 0;

    n->out.send_ans_valid = valid;
    n->out.send_ans_last = valid && n->sent + 1 == n->packet.n;
    n->out.send_ans_x = node % (uint64_t)n->l.WIDTH;
    n->out.send_ans_y = node / (uint64_t)n->l.WIDTH;
    if (valid)
        flits_get(&size, &n->packet, n->sent, n->out.send_ans_data);
    else
        memset(n->out.send_ans_data, 0, sizeof n->out.send_ans_data);
}

static void answers_go(struct home *n, const struct home_in *in) {
    bool back = n->out.back_valid && in->back_ready & 1;
    bool flit = n->out.send_ans_valid && in->send_ans_ready & 1;

    hit_if(n, n->out.back_valid && !back, HOME_COV_back_held);
    hit_if(n, n->out.send_ans_valid && !flit, HOME_COV_send_held);
    if (back) {
        queue_pop(&n->own);
        n->own_used--;
    }
    n->sent += flit;
    if (flit && n->sent == n->packet.n) {
        queue_pop(&n->far);
        n->far_used--;
        n->sent = 0;
    }
}

/* --- an edge -------------------------------------------------------------- */

static void edge(struct golden *g, const void *ports) {
    struct home *n = (struct home *)g;
    const struct home_in *in = ports;
    bool own = in->own_valid & n->out.own_ready;
    bool come = in->take_req_valid & n->out.take_req_ready;

    hit_if(n, in->own_valid && !own, HOME_COV_own_refused);
    choose(n, in); /* looks at the places before those that become free */
    answers_go(n, in);
    if (in->rsp_valid & 1)
        answered(n, in);
    if (own)
        enter(n, in);
    if (come)
        share_come_take(&n->size, &n->come, in->take_req_last,
                        in->take_req_data);
    queue_edge(&n->asked);
    queue_edge(&n->own);
    if (queue_edge(&n->far) && n->far.out_valid) {
        const struct answer *a = &n->far_answer[n->far.out];
        share_pack_reply(&n->size, &a->reply, a->data, &n->packet);
    }
    show_back(n);
    show_send(n);
    show_ready(n);
}

static uint64_t rest(const struct golden *g, const void *ports) {
    const struct home *n = (const struct home *)g;
    const struct home_in *in = ports;
    bool comes = (in->own_valid | in->take_req_valid | in->rsp_valid) & 1;
    bool empty = queue_is_empty(&n->asked) && queue_is_empty(&n->own) &&
                 queue_is_empty(&n->far);

    return !comes && empty && !n->come.there && !n->out.mem_valid ? UINT64_MAX
                                                                  : 0;
}

const struct golden_class home_golden = {
    .iface = &home_iface,
    MODEL_STRUCT(struct home),
    .open = open,
    .reset = reset,
    .edge = edge,
    .rest = rest,
};

/* broker.c - golden model of what stands between a core and its offload
 * controller.
 *
 * Written from docs/blocks/broker.md.
 */
#include "broker.h"

#include "base/bits.h"
#include "blocks/broker.h"
#include "frame/model.h"
#include "frame/queue.h"
#include "isa/isa.h"

#include <string.h>

enum { DEPTH = 2, WIDE = 1024 / 64, MOST_STACKS = 256, MOST_WARPS = 64 };

enum reader { CONDITION, PACKET };
enum read_phase { READ_IDLE, READ_LOOK, READ_WAIT };
enum write_phase { WRITE_IDLE, WRITE_PUT, WRITE_SETTLE };

struct ask {
    uint64_t warp, key, mask, address;
};

struct want {
    uint64_t warp, reg, lane;
};

struct flit {
    uint64_t stack, last, data[256 / 64];
};

struct broker {
    struct golden base;
    struct broker_local l;
    struct config config;
    struct queue asks, releases, wants[2], going, coming;
    struct ask ask[DEPTH + 1];
    struct want release[DEPTH + 1]; /* reg: pc */
    struct want want[2][DEPTH + 1];
    struct flit go[DEPTH + 1], come[DEPTH + 1];
    uint64_t away; /* warps that ask or are away */

    enum read_phase reads;
    enum reader reader; /* who reads, or read last */
    struct want read;
    int read_pass;
    uint64_t read_row[WIDE];

    enum write_phase writes;
    uint64_t write_warp, write_reg, write_mask, write_row[WIDE];
    int write_pass;

    bool held; /* a first flit waits as its stack has this core's share */
    struct flit waiting;
    uint64_t sent[MOST_STACKS];    /* blocks of each stack */
    uint64_t stack_of[MOST_WARPS]; /* of warps whose blocks were sent */
    bool inside;                   /* an acknowledgement has begun */
    struct broker_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct broker *n = (struct broker *)g;

    n->l = broker_local(c);
    n->config = *c;
}

static bool is_pred(const struct broker *n, uint64_t reg) {
    return reg >= (uint64_t)n->l.REGS;
}

/* Register, or predicate. */
static uint64_t number(const struct broker *n, uint64_t reg) {
    return is_pred(n, reg) ? reg & 7 : reg & (uint64_t)(n->l.REGS - 1);
}

/* --- outputs -------------------------------------------------------------- */

static void show_asks(struct broker *n, const struct broker_in *in) {
    const struct ask *a = &n->ask[n->asks.out];
    bool valid = n->asks.out_valid;

    n->out.offer_ready = queue_can_push(&n->asks);
    n->out.ask_valid = valid;
    n->out.ask_warp = valid ? a->warp : 0;
    n->out.ask_key = valid ? a->key : 0;
    n->out.ask_mask = valid ? a->mask : 0;
    n->out.ask_address = valid ? a->address : 0;
    n->out.ask_learned = valid && in && in->map_learned & 1;
}

static void show_reads(struct broker *n) {
    bool looks = n->reads == READ_LOOK;

    n->out.oper_ready = queue_can_push(&n->wants[CONDITION]);
    n->out.reg_read_ready = queue_can_push(&n->wants[PACKET]);
    n->out.look_valid = looks;
    n->out.look_warp = looks ? n->read.warp : 0;
    n->out.look_pred = looks && is_pred(n, n->read.reg);
    n->out.look_reg = looks ? number(n, n->read.reg) : 0;
}

static uint32_t put_value(const struct broker *n, int lane) {
    return is_pred(n, n->write_reg) ? bits_test(n->write_row, lane)
                                    : bits_lane(n->write_row, lane);
}

static void show_writes(struct broker *n) {
    bool puts = n->writes == WRITE_PUT;

    n->out.reg_write_ready = n->writes == WRITE_IDLE;
    n->out.put_valid = puts;
    n->out.put_last = puts && n->write_pass + 1 == n->l.PASSES;
    n->out.put_warp = puts ? n->write_warp : 0;
    n->out.put_pred = puts && is_pred(n, n->write_reg);
    n->out.put_d = puts ? number(n, n->write_reg) : 0;
    n->out.put_mask = puts ? n->write_mask : 0;
    memset(n->out.put_data, 0, sizeof n->out.put_data);
    for (int i = 0; puts && i < n->l.ALUS; i++)
        bits_set_lane(n->out.put_data, i,
                      put_value(n, n->write_pass * n->l.ALUS + i));
}

static void show_packets(struct broker *n) {
    static const struct flit none;
    const struct flit *go = n->going.out_valid ? &n->go[n->going.out] : &none;
    const struct flit *come =
        n->coming.out_valid ? &n->come[n->coming.out] : &none;
    uint64_t node = n->going.out_valid
                        ? (uint64_t)n->config.mesh_memory_nodes.v[go->stack]
                        : 0;

    n->out.tx_ready = !n->held && queue_can_push(&n->going);
    n->out.send_req_valid = n->going.out_valid;
    n->out.send_req_last = go->last;
    n->out.send_req_x = node % (uint64_t)n->l.WIDTH;
    n->out.send_req_y = node / (uint64_t)n->l.WIDTH;
    memcpy(n->out.send_req_data, go->data, sizeof n->out.send_req_data);
    n->out.take_ans_ready = queue_can_push(&n->coming);
    n->out.ack_valid = n->coming.out_valid;
    memset(n->out.ack_data, 0, sizeof n->out.ack_data);
    memcpy(n->out.ack_data, come->data, sizeof come->data);
}

static void show(struct broker *n, const struct broker_in *in) {
    n->out.chain_busy = n->away != 0;
    n->out.ans_ready = 1;
    n->out.inval_ready = 1;
    n->out.release_ready = queue_can_push(&n->releases);
    show_asks(n, in);
    show_reads(n);
    show_writes(n);
    show_packets(n);
}

static void reset(struct golden *g) {
    struct broker *n = (struct broker *)g;
    struct queue *all[] = {&n->asks,     &n->releases, &n->wants[0],
                           &n->wants[1], &n->going,    &n->coming};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        queue_reset(all[i], DEPTH);
    n->away = 0;
    n->reads = READ_IDLE;
    n->reader = PACKET; /* conditions come first */
    n->writes = WRITE_IDLE;
    n->held = n->inside = false;
    memset(n->sent, 0, sizeof n->sent);
    memset(n->stack_of, 0, sizeof n->stack_of);
    show(n, NULL);
}

/* --- warps ---------------------------------------------------------------- */

/* The block begins with the marked word if that is its first access. */
static bool begins_there(uint64_t code) {
    const struct isa_info *i = isa_info((int)(code & 255));

    return i && i->class == ISA_CLASS_global;
}

static bool take_offer(struct broker *n, const struct broker_in *in) {
    if (!(in->offer_valid & 1) || !n->out.offer_ready)
        return false;
    bool there = begins_there(in->offer_code);
    n->ask[queue_push(&n->asks)] = (struct ask){
        .warp = in->offer_warp & ones(n->l.WARP_W),
        .key = (in->offer_pc + !there) & ones(n->l.PC_W),
        .mask = in->offer_mask & ones(n->l.THREADS),
        .address = in->offer_a & ones(32),
    };
    hit_if(n, there, BROKER_COV_first_access);
    hit_if(n, !there, BROKER_COV_behind);
    return true;
}

static void clear_go(struct broker *n) {
    n->out.go_valid = n->out.go_moves = n->out.go_alone = 0;
    n->out.go_warp = n->out.go_pc = 0;
}

static void go(struct broker *n, uint64_t warp, uint64_t pc, bool alone) {
    n->out.go_valid = n->out.go_moves = 1;
    n->out.go_warp = warp;
    n->out.go_pc = pc;
    n->out.go_alone = alone;
}

static void move_warps(struct broker *n, const struct broker_in *in) {
    bool decided = in->ans_valid & 1, stays = decided && !(in->ans_offload & 1);
    bool may = n->releases.out_valid && n->writes == WRITE_IDLE;
    bool asks = take_offer(n, in);

    n->away -= n->out.go_valid; /* the core hears of it */
    clear_go(n);
    hit_if(n, decided && !stays, BROKER_COV_leaves);
    if (stays) {
        go(n, in->ans_warp & ones(n->l.WARP_W), 0, true);
        hit_if(n, true, BROKER_COV_stays);
        hit_if(n, may, BROKER_COV_release_waits);
    } else if (may) {
        const struct want *r = &n->release[n->releases.out];
        go(n, r->warp, r->reg, false);
        queue_pop(&n->releases);
        hit_if(n, true, BROKER_COV_released);
    }
    n->away += asks;
    if (in->release_valid & 1 && n->out.release_ready)
        n->release[queue_push(&n->releases)] =
            (struct want){.warp = in->release_warp & ones(n->l.WARP_W),
                          .reg = in->release_pc & ones(n->l.PC_W)};
    if (n->asks.out_valid && in->ask_ready & 1)
        queue_pop(&n->asks);
}

/* --- registers that are read ---------------------------------------------- */

static void begin_read(struct broker *n) {
    bool cond = n->wants[CONDITION].out_valid;
    bool packet = n->wants[PACKET].out_valid;

    if (!cond && !packet)
        return;
    hit_if(n, cond && packet, BROKER_COV_read_both);
    n->reader = cond && (!packet || n->reader == PACKET) ? CONDITION : PACKET;
    n->read = n->want[n->reader][n->wants[n->reader].out];
    queue_pop(&n->wants[n->reader]);
    n->read_pass = 0;
    memset(n->read_row, 0, sizeof n->read_row);
    n->reads = READ_LOOK;
}

static void keep_pass(struct broker *n, const struct broker_in *in) {
    int first = n->read_pass * n->l.ALUS;

    for (int i = 0; i < n->l.ALUS; i++) {
        uint32_t v = bits_lane(in->seen_data, i);
        if (!is_pred(n, n->read.reg))
            bits_set_lane(n->read_row, first + i, v);
        else if (v & 1)
            bits_set(n->read_row, first + i);
    }
    n->read_pass++;
}

static void answer(struct broker *n) {
    bool pred = is_pred(n, n->read.reg);
    int lane = (int)n->read.lane;

    n->reads = READ_IDLE;
    hit_if(n, n->reader == CONDITION, BROKER_COV_condition);
    hit_if(n, n->reader == PACKET && !pred, BROKER_COV_read_register);
    hit_if(n, n->reader == PACKET && pred, BROKER_COV_read_predicate);
    if (n->reader == CONDITION) {
        n->out.value_valid = 1;
        n->out.value_data =
            pred ? bits_test(n->read_row, lane) : bits_lane(n->read_row, lane);
    } else {
        n->out.reg_data_valid = 1;
        memcpy(n->out.reg_data_row, n->read_row, sizeof n->read_row);
    }
}

static void move_reads(struct broker *n, const struct broker_in *in) {
    n->out.value_valid = n->out.value_data = 0;
    n->out.reg_data_valid = 0;
    memset(n->out.reg_data_row, 0, sizeof n->out.reg_data_row);
    switch (n->reads) {
    case READ_IDLE:
        begin_read(n);
        break;
    case READ_LOOK:
        if (in->look_ready & 1)
            n->reads = READ_WAIT;
        break;
    case READ_WAIT:
        if (!(in->seen_valid & 1))
            break;
        keep_pass(n, in);
        if (in->seen_last & 1)
            answer(n);
        break;
    }
    if (in->oper_valid & 1 && n->out.oper_ready)
        n->want[CONDITION][queue_push(&n->wants[CONDITION])] =
            (struct want){.warp = in->oper_warp & ones(n->l.WARP_W),
                          .reg = in->oper_reg & ones(n->l.REG_W),
                          .lane = in->oper_lane & ones(n->l.THREAD_W)};
    if (in->reg_read_valid & 1 && n->out.reg_read_ready)
        n->want[PACKET][queue_push(&n->wants[PACKET])] =
            (struct want){.warp = in->reg_read_warp & ones(n->l.WARP_W),
                          .reg = in->reg_read_reg & ones(n->l.REG_W)};
}

/* --- registers that are written ------------------------------------------- */

static void take_row(struct broker *n, const struct broker_in *in) {
    if (!(in->reg_write_valid & 1))
        return;
    n->write_warp = in->reg_write_warp & ones(n->l.WARP_W);
    n->write_reg = in->reg_write_reg & ones(n->l.REG_W);
    n->write_mask = in->reg_write_mask & ones(n->l.THREADS);
    memset(n->write_row, 0, sizeof n->write_row);
    for (int i = 0; i < n->l.THREADS; i++)
        bits_set_lane(n->write_row, i, bits_lane(in->reg_write_row, i));
    n->write_pass = 0;
    n->writes = WRITE_PUT;
}

static void move_writes(struct broker *n, const struct broker_in *in) {
    bool pred = is_pred(n, n->write_reg);

    switch (n->writes) {
    case WRITE_IDLE:
        take_row(n, in);
        break;
    case WRITE_PUT:
        if (in->put_ready & 1 && ++n->write_pass == n->l.PASSES)
            n->writes = WRITE_SETTLE;
        break;
    case WRITE_SETTLE:
        if (!(in->put_ready & 1))
            break;
        n->writes = WRITE_IDLE;
        hit_if(n, !pred, BROKER_COV_wrote_register);
        hit_if(n, pred, BROKER_COV_wrote_predicate);
        break;
    }
}

/* --- packets -------------------------------------------------------------- */

static void send(struct broker *n, const struct flit *f, bool head) {
    n->go[queue_push(&n->going)] = *f;
    if (!head)
        return;
    uint64_t warp = bits_get(f->data, n->l.MARK_W, n->l.WARP_W);
    n->sent[f->stack]++;
    n->stack_of[warp % MOST_WARPS] = f->stack;
}

static void take_piece(struct broker *n, const struct broker_in *in) {
    bool head = in->tx_head & 1;
    struct flit f = {.stack = in->tx_stack & ones(n->l.STACK_W),
                     .last = in->tx_last & 1};
    int at = 0;

    bits_put(f.data, &at, n->l.MARK_W, (uint64_t)n->l.MOVE_MARK);
    for (int left = n->l.PIECE_W, i = 0; left > 0; left -= 64, i++)
        bits_put(f.data, &at, left < 64 ? left : 64, in->tx_data[i]);
    if (head)
        bits_put(f.data, &at, n->l.NODE_W, in->at_node);
    n->held = head && n->sent[f.stack] == (uint64_t)n->l.SHARE;
    if (n->held)
        n->waiting = f;
    else
        send(n, &f, head);
}

static void move_requests(struct broker *n, const struct broker_in *in) {
    bool room = queue_can_push(&n->going);

    hit_if(n, n->going.out_valid && !(in->send_req_ready & 1),
           BROKER_COV_tx_held);
    if (n->held && room && n->sent[n->waiting.stack] < (uint64_t)n->l.SHARE) {
        n->held = false;
        send(n, &n->waiting, true);
        hit_if(n, true, BROKER_COV_throttled);
    } else if (in->tx_valid & 1 && n->out.tx_ready) {
        take_piece(n, in);
    }
    if (n->going.out_valid && in->send_req_ready & 1)
        queue_pop(&n->going);
}

/* With the first flit of an acknowledgement its block's place is free; the count
 * is seen by requests from the next edge on. */
static void move_acks(struct broker *n, const struct broker_in *in,
                      uint64_t *freed) {
    struct flit f = {0};

    *freed = UINT64_MAX;
    hit_if(n, n->coming.out_valid && !(in->ack_ready & 1), BROKER_COV_ack_held);
    if (n->coming.out_valid && in->ack_ready & 1)
        queue_pop(&n->coming);
    if (!(in->take_ans_valid & 1) || !n->out.take_ans_ready)
        return;
    int at = n->l.MARK_W, to = 0;
    for (int left = n->l.PIECE_W; left > 0; left -= 64)
        bits_put(f.data, &to, left < 64 ? left : 64,
                 bits_take(in->take_ans_data, &at, left < 64 ? left : 64));
    n->come[queue_push(&n->coming)] = f;
    if (!n->inside)
        *freed = n->stack_of[(f.data[0] & ones(n->l.WARP_W)) % MOST_WARPS];
    n->inside = !(in->take_ans_last & 1);
}

static void edge(struct golden *g, const void *ports) {
    struct broker *n = (struct broker *)g;
    const struct broker_in *in = ports;
    bool inval = in->inval_valid & 1, fence = in->fenced & 1;
    uint64_t freed;

    move_warps(n, in);
    move_reads(n, in);
    move_writes(n, in);
    move_acks(n, in, &freed);
    move_requests(n, in);
    hit_if(n, n->going.push && n->coming.push, BROKER_COV_sent_back);
    if (freed != UINT64_MAX)
        n->sent[freed]--;
    queue_edge(&n->asks);
    queue_edge(&n->releases);
    queue_edge(&n->wants[0]);
    queue_edge(&n->wants[1]);
    queue_edge(&n->going);
    queue_edge(&n->coming);
    n->out.drop_valid = n->out.drop_all = inval || fence;
    hit_if(n, inval, BROKER_COV_dropped);
    hit_if(n, fence, BROKER_COV_fenced);
    show(n, in);
}

const struct golden_class broker_golden = {
    .iface = &broker_iface,
    MODEL_STRUCT(struct broker),
    .open = open,
    .reset = reset,
    .edge = edge,
    .still = true,
};

/* jobs.c - golden model of blocks of other cores on a stack's core.
 *
 * Written from docs/blocks/jobs.md.
 */
#include "jobs.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/jobs.h"
#include "frame/model.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE = 1024 / 64, SET = 128 / 64, MOST_SLOTS = 64 };

enum come {
    COME_HEAD,
    COME_LOOK,
    COME_NEXT,
    COME_ROW,
    COME_PUT,
    COME_SETTLE,
    COME_START
};
enum leave {
    LEAVE_IDLE,
    LEAVE_LOOK,
    LEAVE_HEAD,
    LEAVE_NEXT,
    LEAVE_ASK,
    LEAVE_WAIT,
    LEAVE_ROW,
    LEAVE_LINE
};

struct entry {
    uint64_t in[SET], out[SET];
    bool stores;
};

struct slot {
    bool taken;
    uint64_t node, warp, index, mask;
};

/* A register on its way, and those behind it. */
struct rows {
    uint64_t left[SET];
    int reg, pass, piece;
    uint64_t row[WIDE];
};

struct jobs {
    struct golden base;
    struct jobs_local l;
    struct entry *table;
    struct slot slot[MOST_SLOTS];

    enum come comes;
    int to; /* slot */
    uint64_t begin, end;
    struct rows in;

    enum leave leaves;
    int from; /* slot */
    bool stores;
    struct rows back;
    struct jobs_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct jobs *n = (struct jobs *)g;

    n->l = jobs_local(c);
    n->table = xcalloc((size_t)n->l.ENTRIES, sizeof *n->table);
}

static void close(struct golden *g) {
    free(((struct jobs *)g)->table);
}

static void *state(const struct golden *g, int k, size_t *size) {
    const struct jobs *n = (const struct jobs *)g;

    *size = (size_t)n->l.ENTRIES * sizeof *n->table;
    return k == 0 ? n->table : NULL;
}

/* --- registers ------------------------------------------------------------ */

static bool none_left(const struct rows *r) {
    return !(r->left[0] | r->left[1]);
}

static void next_row(struct rows *r) {
    int word = r->left[0] ? 0 : 1;

    r->reg = 64 * word + __builtin_ctzll(r->left[word]);
    bits_clear(r->left, r->reg);
    r->pass = r->piece = 0;
    memset(r->row, 0, sizeof r->row);
}

static bool is_pred(const struct jobs *n, const struct rows *r) {
    return r->reg >= n->l.REGS;
}

static uint64_t number(const struct jobs *n, const struct rows *r) {
    return (uint64_t)(is_pred(n, r) ? r->reg & 7 : r->reg);
}

/* --- outputs -------------------------------------------------------------- */

static int free_slot(const struct jobs *n) {
    for (int i = 0; i < n->l.SLOTS; i++)
        if (!n->slot[i].taken)
            return i;
    return -1;
}

static void show_put(struct jobs *n) {
    const struct rows *r = &n->in;
    bool puts = n->comes == COME_PUT, pred = puts && is_pred(n, r);

    n->out.put_valid = puts;
    n->out.put_last = puts && r->pass + 1 == n->l.PASSES;
    n->out.put_warp = puts ? (uint64_t)n->to : 0;
    n->out.put_pred = pred;
    n->out.put_d = puts ? number(n, r) : 0;
    n->out.put_mask = puts ? n->slot[n->to].mask : 0;
    memset(n->out.put_data, 0, sizeof n->out.put_data);
    for (int i = 0; puts && i < n->l.ALUS; i++) {
        int lane = r->pass * n->l.ALUS + i;
        bits_set_lane(n->out.put_data, i,
                      pred ? bits_test(r->row, lane) : bits_lane(r->row, lane));
    }
}

static void show_look(struct jobs *n) {
    bool asks = n->leaves == LEAVE_ASK;

    n->out.over_ready = n->leaves == LEAVE_IDLE;
    n->out.look_valid = asks;
    n->out.look_warp = asks ? (uint64_t)n->from : 0;
    n->out.look_pred = asks && is_pred(n, &n->back);
    n->out.look_reg = asks ? number(n, &n->back) : 0;
}

/* Bits of an acknowledgement's flit behind the mark. */
static void piece_of(const struct jobs *n, uint64_t *data, int at) {
    const struct slot *s = &n->slot[n->from];

    if (n->leaves == LEAVE_HEAD) {
        bits_put(data, &at, n->l.WARP_W, s->warp);
        bits_put(data, &at, n->l.INDEX_W, s->index);
        bits_put(data, &at, n->l.THREADS, s->mask);
        bits_put(data, &at, n->l.LINES_W, n->stores);
        return;
    }
    int from = n->back.piece * n->l.PIECE_W;
    for (int left = n->l.PIECE_W; left > 0; left -= 64) {
        int width = left < 64 ? left : 64;
        uint64_t v = n->leaves == LEAVE_LINE
                         ? ones(width)
                         : bits_take(n->back.row, &from, width);
        bits_put(data, &at, width, v);
    }
}

static void show_send(struct jobs *n) {
    bool head = n->leaves == LEAVE_HEAD, row = n->leaves == LEAVE_ROW;
    bool sends = head || row || n->leaves == LEAVE_LINE;
    bool ends = none_left(&n->back) && !n->stores &&
                (head || (row && n->back.piece + 1 == n->l.ROW_PIECES));
    uint64_t node = sends ? n->slot[n->from].node : 0;

    n->out.send_ans_valid = sends;
    n->out.send_ans_last = sends && (ends || n->leaves == LEAVE_LINE);
    n->out.send_ans_order = sends;
    n->out.send_ans_x = node % (uint64_t)n->l.WIDTH;
    n->out.send_ans_y = node / (uint64_t)n->l.WIDTH;
    memset(n->out.send_ans_data, 0, sizeof n->out.send_ans_data);
    if (!sends)
        return;
    n->out.send_ans_data[0] = (uint64_t)n->l.MOVE_MARK;
    piece_of(n, n->out.send_ans_data, n->l.MARK_W);
}

static void show(struct jobs *n) {
    bool busy = n->comes != COME_HEAD;

    for (int i = 0; i < n->l.SLOTS; i++)
        busy = busy || n->slot[i].taken;
    n->out.chain_busy = busy;
    n->out.take_req_ready =
        n->comes == COME_ROW || (n->comes == COME_HEAD && free_slot(n) >= 0);
    show_put(n);
    show_look(n);
    show_send(n);
}

static void reset(struct golden *g) {
    struct jobs *n = (struct jobs *)g;

    memset(n->slot, 0, sizeof n->slot);
    n->comes = COME_HEAD;
    n->leaves = LEAVE_IDLE;
    n->to = n->from = 0;
    n->stores = false;
    memset(&n->in, 0, sizeof n->in);
    memset(&n->back, 0, sizeof n->back);
    show(n);
}

/* --- blocks that come ----------------------------------------------------- */

static void take_head(struct jobs *n, const struct jobs_in *in) {
    int slot = free_slot(n), at = n->l.MARK_W;
    const uint64_t *data = in->take_req_data;

    hit_if(n, slot < 0 && in->take_req_valid & 1, JOBS_COV_full);
    if (slot < 0 || !(in->take_req_valid & 1))
        return;
    struct slot *s = &n->slot[slot];
    s->warp = bits_take(data, &at, n->l.WARP_W);
    s->index = bits_take(data, &at, n->l.INDEX_W);
    n->begin = bits_take(data, &at, n->l.PC_W);
    n->end = bits_take(data, &at, n->l.PC_W);
    s->mask = bits_take(data, &at, n->l.THREADS);
    at = n->l.MARK_W + n->l.PIECE_W;
    s->node = bits_take(data, &at, n->l.NODE_W);
    n->to = slot;
    n->comes = COME_LOOK;
}

static void take_piece(struct jobs *n, const struct jobs_in *in) {
    int at = n->l.MARK_W, to = n->in.piece * n->l.PIECE_W;

    if (!(in->take_req_valid & 1))
        return;
    for (int left = n->l.PIECE_W; left > 0; left -= 64)
        bits_put(n->in.row, &to, left < 64 ? left : 64,
                 bits_take(in->take_req_data, &at, left < 64 ? left : 64));
    if (++n->in.piece == n->l.ROW_PIECES)
        n->comes = COME_PUT;
}

static void start(struct jobs *n) {
    n->slot[n->to].taken = true;
    n->out.spawn_valid = n->out.drop_valid = n->out.drop_all = 1;
    n->out.spawn_warp = (uint64_t)n->to;
    n->out.spawn_pc = n->begin;
    n->out.spawn_end = n->end;
    n->out.spawn_mask = n->slot[n->to].mask;
    n->comes = COME_HEAD;
}

static void move_comes(struct jobs *n, const struct jobs_in *in) {
    const struct entry *e = &n->table[n->slot[n->to].index];
    bool pred = is_pred(n, &n->in);

    n->out.spawn_valid = 0;
    n->out.drop_valid = n->out.drop_all = in->fenced & 1;
    n->out.spawn_warp = n->out.spawn_pc = n->out.spawn_end = 0;
    n->out.spawn_mask = 0;
    switch (n->comes) {
    case COME_HEAD:
        take_head(n, in);
        break;
    case COME_LOOK:
        memcpy(n->in.left, e->in, sizeof e->in);
        hit_if(n, none_left(&n->in), JOBS_COV_no_live_in);
        n->comes = COME_NEXT;
        break;
    case COME_NEXT:
        if (none_left(&n->in)) {
            n->comes = COME_START;
        } else {
            next_row(&n->in);
            n->comes = COME_ROW;
        }
        break;
    case COME_ROW:
        take_piece(n, in);
        break;
    case COME_PUT:
        hit_if(n, !(in->put_ready & 1), JOBS_COV_put_waits);
        if (in->put_ready & 1 && ++n->in.pass == n->l.PASSES)
            n->comes = COME_SETTLE;
        break;
    case COME_SETTLE:
        hit_if(n, in->put_ready & 1 && !pred, JOBS_COV_put_register);
        hit_if(n, in->put_ready & 1 && pred, JOBS_COV_put_predicate);
        if (in->put_ready & 1)
            n->comes = COME_NEXT;
        break;
    case COME_START:
        start(n);
        break;
    }
}

/* --- blocks that are done ------------------------------------------------- */

static void keep_pass(struct jobs *n, const struct jobs_in *in) {
    struct rows *r = &n->back;

    for (int i = 0; i < n->l.ALUS; i++) {
        int lane = r->pass * n->l.ALUS + i;
        uint32_t v = bits_lane(in->seen_data, i);
        if (!is_pred(n, r))
            bits_set_lane(r->row, lane, v);
        else if (v & 1)
            bits_set(r->row, lane);
    }
    r->pass++;
}

static void next_result(struct jobs *n) {
    if (!none_left(&n->back)) {
        next_row(&n->back);
        n->leaves = LEAVE_ASK;
    } else if (n->stores) {
        n->leaves = LEAVE_LINE;
    } else {
        n->slot[n->from].taken = false;
        n->leaves = LEAVE_IDLE;
    }
}

static void move_leaves(struct jobs *n, const struct jobs_in *in) {
    const struct entry *e = &n->table[n->slot[n->from].index];
    bool sent = in->send_ans_ready & 1;

    hit_if(n, n->out.send_ans_valid && !sent, JOBS_COV_held);
    switch (n->leaves) {
    case LEAVE_IDLE:
        if (!(in->over_valid & 1))
            break;
        n->from = (int)(in->over_warp & ones(n->l.WARP_W)) % MOST_SLOTS;
        n->leaves = LEAVE_LOOK;
        hit_if(n, true, JOBS_COV_over);
        break;
    case LEAVE_LOOK:
        memcpy(n->back.left, e->out, sizeof e->out);
        n->stores = e->stores;
        hit_if(n, none_left(&n->back), JOBS_COV_no_live_out);
        hit_if(n, n->stores, JOBS_COV_stored);
        n->leaves = LEAVE_HEAD;
        break;
    case LEAVE_HEAD:
        if (sent)
            n->leaves = LEAVE_NEXT;
        break;
    case LEAVE_NEXT:
        next_result(n);
        break;
    case LEAVE_ASK:
        if (in->look_ready & 1)
            n->leaves = LEAVE_WAIT;
        break;
    case LEAVE_WAIT:
        if (!(in->seen_valid & 1))
            break;
        keep_pass(n, in);
        if (in->seen_last & 1)
            n->leaves = LEAVE_ROW;
        break;
    case LEAVE_ROW:
        if (sent && ++n->back.piece == n->l.ROW_PIECES) {
            hit_if(n, !is_pred(n, &n->back), JOBS_COV_sent_register);
            hit_if(n, is_pred(n, &n->back), JOBS_COV_sent_predicate);
            n->leaves = LEAVE_NEXT;
        }
        break;
    case LEAVE_LINE:
        if (sent) {
            n->stores = false;
            n->leaves = LEAVE_NEXT;
        }
        break;
    }
}

/* --- an edge -------------------------------------------------------------- */

static void load(struct jobs *n, const struct jobs_in *in) {
    struct entry *e = &n->table[in->load_index & ones(n->l.INDEX_W)];
    int at = n->l.ENTRY_IN;

    memset(e, 0, sizeof *e);
    for (int k = 0; k < 2; k++) {
        uint64_t *set = k ? e->out : e->in;
        for (int left = 2 * n->l.REGS, i = 0; left > 0; left -= 64, i++)
            set[i] = bits_take(in->load_entry, &at, left < 64 ? left : 64);
    }
    e->stores = in->load_stores & 1;
}

static void edge(struct golden *g, const void *ports) {
    struct jobs *n = (struct jobs *)g;
    const struct jobs_in *in = ports;

    hit_if(n, n->comes != COME_HEAD && n->leaves != LEAVE_IDLE, JOBS_COV_both);
    move_comes(n, in);
    move_leaves(n, in);
    if (in->load_valid & 1)
        load(n, in);
    show(n);
}

const struct golden_class jobs_golden = {
    .iface = &jobs_iface,
    MODEL_STRUCT(struct jobs),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .state = state,
    .still = true,
};

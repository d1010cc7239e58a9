/* nda_launch.c - golden model of the launch of operations on the accelerators
 * of all ranks.
 *
 * Written from docs/blocks/nda_launch.md.  A packet is computed from its place:
 * row, bursts of the row before it, rank; nothing runs along with these.
 */
#include "nda_launch.h"

#include "base/bits.h"
#include "blocks/nda_launch.h"
#include "frame/model.h"

#include <string.h>

enum { RANKS = 8, GEMV = 8, DOT = 5, OPERANDS = 4 };

enum state { IDLE, SEND, WAIT, TELL };

struct nda_launch {
    struct golden base;
    struct nda_launch_local l;
    enum state state;
    struct nda_launch_in op; /* that is cut */
    uint64_t row, before;    /* of this part */
    int rank;
    int unfinished[RANKS];
    struct nda_launch_out out;
};

static uint64_t part(const struct nda_launch *n) {
    uint64_t left = n->op.op_length - n->before, grain = n->op.op_grain;
    return grain == 0 || left < grain ? left : grain;
}

static uint64_t rows(const struct nda_launch *n) {
    return n->op.op_op == GEMV ? n->op.op_rows : 1;
}

/* The rank of the mask behind r, -1: none. */
static int next_rank(const struct nda_launch *n, int r) {
    for (r++; r < n->l.RANKS; r++)
        if (n->op.op_ranks >> r & 1)
            return r;
    return -1;
}

static bool any_unfinished(const struct nda_launch *n) {
    for (int r = 0; r < n->l.RANKS; r++)
        if (n->unfinished[r])
            return true;
    return false;
}

static void take(struct nda_launch *n, const struct nda_launch_in *in) {
    bool unknown = in->op_op > GEMV, nothing;

    n->op = *in;
    n->row = n->before = 0;
    n->rank = next_rank(n, -1);
    nothing = n->rank < 0 || in->op_length == 0 || rows(n) == 0;
    n->state = unknown || nothing ? TELL : SEND;
    hit_if(n, unknown, NDA_LAUNCH_COV_unknown);
    hit_if(n, !unknown && nothing, NDA_LAUNCH_COV_nothing);
    hit_if(n, n->state == SEND && any_unfinished(n), NDA_LAUNCH_COV_goes_on);
    if (n->state != SEND)
        return;
    bool all = in->op_ranks == ones(n->l.RANKS);
    hit_if(n, all, NDA_LAUNCH_COV_all_ranks);
    hit_if(n, !all, NDA_LAUNCH_COV_some_ranks);
    hit_if(n, part(n) == in->op_length, NDA_LAUNCH_COV_whole);
}

/* Operand `from` of the operation as operand `to` of the packet. */
static void give_operand(struct nda_launch *n, int from, int to,
                         uint64_t bursts) {
    int w = n->l.SPOT_W;
    uint64_t at = bits_get(n->op.op_base, from * w, w) + bursts;
    uint64_t last = bits_get(n->op.op_last, from * w, w);

    hit_if(n, at > ones(w), NDA_LAUNCH_COV_carry);
    if (at > ones(w)) {
        at = ones(w);
        last = 0;
    }
    bits_or(n->out.packet_base, to * w, w, at);
    bits_or(n->out.packet_last, to * w, w, last);
}

static void clear_packet(struct nda_launch *n) {
    struct nda_launch_out *o = &n->out;

    o->packet_valid = o->packet_rank = o->packet_op = o->packet_length = 0;
    o->packet_tag = o->packet_final = 0;
    memset(o->packet_base, 0, sizeof o->packet_base);
    memset(o->packet_last, 0, sizeof o->packet_last);
    memset(o->packet_scalars, 0, sizeof o->packet_scalars);
}

static void show_packet(struct nda_launch *n) {
    struct nda_launch_out *o = &n->out;
    bool gemv = n->op.op_op == GEMV;
    uint64_t size = part(n), rest = n->op.op_length - n->before;
    uint64_t matrix = n->row * n->op.op_length + n->before;

    clear_packet(n);
    o->packet_valid = 1;
    o->packet_rank = (uint64_t)n->rank;
    o->packet_op = gemv ? DOT : n->op.op_op;
    o->packet_length = size;
    o->packet_tag = n->op.op_tag;
    o->packet_final = size == rest && n->row + 1 == rows(n);
    give_operand(n, 0, 0, n->before);
    if (gemv) {
        give_operand(n, 2, 1, matrix);
    } else {
        for (int k = 1; k < OPERANDS; k++)
            give_operand(n, k, k, n->before);
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(o->packet_scalars, i, bits_lane(n->op.op_scalars, i));
    hit_if(n, n->before > 0, NDA_LAUNCH_COV_parts);
    hit_if(n, n->before > 0 && size < n->op.op_grain,
           NDA_LAUNCH_COV_short_part);
    hit_if(n, n->row > 0, NDA_LAUNCH_COV_rows);
    hit_if(n, gemv && n->before > 0, NDA_LAUNCH_COV_row_parts);
}

/* To the place behind the packet that is shown; false: there is none. */
static bool go_on(struct nda_launch *n) {
    int higher = next_rank(n, n->rank);

    if (higher >= 0) {
        n->rank = higher;
        return true;
    }
    n->rank = next_rank(n, -1);
    n->before += part(n);
    if (n->before == n->op.op_length) {
        n->before = 0;
        n->row++;
    }
    return n->row < rows(n);
}

/* The rank that gets a packet on this edge, -1: none does. */
static int send(struct nda_launch *n, const struct nda_launch_in *in,
                const struct nda_launch_out *before) {
    bool free = !before->packet_valid || (in->packet_ready & 1);
    bool full = n->unfinished[n->rank] == n->l.UNFINISHED;
    int rank = n->rank;

    hit_if(n, !free, NDA_LAUNCH_COV_refused);
    hit_if(n, full, NDA_LAUNCH_COV_rank_full);
    if (!free || full)
        return -1;
    show_packet(n);
    if (!go_on(n))
        n->state = n->op.op_blocking & 1 ? WAIT : IDLE;
    return rank;
}

static void show_end(struct nda_launch *n, uint64_t rank, uint64_t tag,
                     uint64_t final, uint64_t cause, uint64_t value) {
    n->out.done_valid = 1;
    n->out.done_rank = rank;
    n->out.done_tag = tag;
    n->out.done_final = final;
    n->out.done_cause = cause;
    n->out.done_value = value;
}

static void clear_end(struct nda_launch *n) {
    show_end(n, 0, 0, 0, 0, 0);
    n->out.done_valid = 0;
}

/* --- an edge -------------------------------------------------------------- */

static void show_state(struct nda_launch *n) {
    n->out.op_ready = n->state == IDLE;
    n->out.ended_ready = !n->out.done_valid && n->state != TELL;
    n->out.busy = 0;
    for (int r = 0; r < n->l.RANKS; r++)
        n->out.busy |= (uint64_t)(n->unfinished[r] > 0) << r;
}

static void open(struct golden *g, const struct config *c) {
    ((struct nda_launch *)g)->l = nda_launch_local(c);
}

static void reset(struct golden *g) {
    struct nda_launch *n = (struct nda_launch *)g;

    n->state = IDLE;
    memset(n->unfinished, 0, sizeof n->unfinished);
    clear_packet(n);
    clear_end(n);
    show_state(n);
}

static void edge(struct golden *g, const void *ports) {
    struct nda_launch *n = (struct nda_launch *)g;
    const struct nda_launch_in *in = ports;
    struct nda_launch_out before = n->out;
    int gets = -1, ends = -1;

    switch (n->state) {
    case IDLE:
        if (in->op_valid & 1)
            take(n, in);
        break;
    case SEND:
        gets = send(n, in, &before);
        break;
    case WAIT:
        hit_if(n, any_unfinished(n), NDA_LAUNCH_COV_blocks);
        if (!any_unfinished(n))
            n->state = IDLE;
        break;
    case TELL:
        hit_if(n, before.done_valid, NDA_LAUNCH_COV_tell_waits);
        if (before.done_valid)
            break;
        show_end(n, 0, n->op.op_tag, 1,
                 n->op.op_op > GEMV ? NDA_LAUNCH_OPERATION : NDA_LAUNCH_NONE,
                 0);
        n->state = IDLE;
        break;
    }
    if (before.packet_valid && (in->packet_ready & 1) && gets < 0)
        clear_packet(n);
    hit_if(n, before.done_valid && !(in->done_ready & 1),
           NDA_LAUNCH_COV_done_waits);
    if (before.done_valid && (in->done_ready & 1))
        clear_end(n);
    if ((in->ended_valid & 1) && before.ended_ready) {
        ends = (int)in->ended_rank;
        show_end(n, in->ended_rank, in->ended_tag, in->ended_final,
                 in->ended_cause, in->ended_value);
        n->unfinished[ends]--;
    }
    if (gets >= 0)
        n->unfinished[gets]++;
    hit_if(n, gets >= 0 && gets == ends, NDA_LAUNCH_COV_both);
    show_state(n);
}

const struct golden_class nda_launch_golden = {
    .iface = &nda_launch_iface,
    MODEL_STRUCT(struct nda_launch),
    .open = open,
    .reset = reset,
    .edge = edge,
};

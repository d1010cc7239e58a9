/* nda_window.c - golden model of the memory-mapped packets of a host.
 *
 * Written from docs/blocks/nda_window.md.  A packet waits as the operation that
 * the launch will see; operands are looked at one by one.
 */
#include "nda_window.h"

#include "base/bits.h"
#include "blocks/nda_window.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <string.h>

enum { OPERANDS = 4, MOST = 64, GEMV = 8, BURST = 64, COMPLETED = 4 };

/* Operands of each operation, as the table of nda_pe has them. */
static const char *const operands[] = {"xyz", "xyzw", "xy", "xy", "xyz",
                                       "xy",  "x",    "x",  "xz"};

struct end {
    uint64_t rank, tag, final, cause, value;
};

struct nda_window {
    struct golden base;
    struct nda_window_local l;
    struct queue packets, ends;
    struct nda_window_out packet[MOST + 1]; /* op_* of each */
    struct end end[MOST + 1];
    uint32_t answer;
    uint8_t completed[COMPLETED];
    bool stale; /* the packet was taken, and no setting written since */
    struct nda_window_out out;
};

/* --- a packet ------------------------------------------------------------- */

static uint32_t word(const struct nda_window *n, int setting) {
    return n->base.regs.setting[setting];
}

static bool has(uint32_t op, int operand) {
    return strchr(operands[op], "xyzw"[operand]) != NULL;
}

static uint32_t first_of(const struct nda_window *n, int operand) {
    return word(n, NDA_WINDOW_SET_x + operand);
}

static uint32_t last_of(const struct nda_window *n, int operand) {
    return word(n, NDA_WINDOW_SET_x_last + operand);
}

static uint32_t ranks_of(const struct nda_window *n, int operand) {
    return word(n, NDA_WINDOW_SET_ranks) >> 4 * operand & 15;
}

static bool is_odd(uint32_t address) {
    return address % BURST != 0;
}

static bool is_beyond(const struct nda_window *n, uint32_t address) {
    return (uint64_t)address >> n->l.PLACE_W != 0;
}

static bool operand_is_wrong(const struct nda_window *n, int k) {
    uint32_t first = first_of(n, k), last = last_of(n, k);
    return is_odd(first) || is_odd(last) || is_beyond(n, first) ||
           is_beyond(n, last) || ranks_of(n, k) != ranks_of(n, 0);
}

/* What a launch of the packet is answered. */
static uint32_t verdict(struct nda_window *n) {
    uint32_t what = word(n, NDA_WINDOW_SET_what), op = what & 15;
    uint32_t length = word(n, NDA_WINDOW_SET_length);
    uint32_t grain = word(n, NDA_WINDOW_SET_grain), x = ranks_of(n, 0);
    bool no_rows = op == GEMV && (what >> 16 & 255) == 0;
    bool odd = false, beyond = false, apart = false, passed = false;

    hit_if(n, op > GEMV, NDA_WINDOW_COV_operation);
    if (op > GEMV)
        return NDA_WINDOW_OPERATION;
    hit_if(n, length == 0, NDA_WINDOW_COV_empty);
    hit_if(n, length && no_rows, NDA_WINDOW_COV_no_rows);
    if (length == 0 || no_rows)
        return NDA_WINDOW_EMPTY;
    for (int k = 0; k < OPERANDS; k++) {
        if (!has(op, k)) {
            passed |= operand_is_wrong(n, k);
            continue;
        }
        odd |= is_odd(first_of(n, k)) || is_odd(last_of(n, k));
        beyond |= is_beyond(n, first_of(n, k)) || is_beyond(n, last_of(n, k));
        apart |= ranks_of(n, k) != x;
    }
    hit_if(n, odd, NDA_WINDOW_COV_align);
    hit_if(n, is_odd(length), NDA_WINDOW_COV_align_length);
    if (odd || is_odd(length) || is_odd(grain))
        return NDA_WINDOW_ALIGN;
    hit_if(n, beyond, NDA_WINDOW_COV_range);
    hit_if(n, is_beyond(n, length), NDA_WINDOW_COV_range_length);
    if (beyond || is_beyond(n, length) || is_beyond(n, grain))
        return NDA_WINDOW_RANGE;
    hit_if(n, x == 0, NDA_WINDOW_COV_no_ranks);
    hit_if(n, x != 0 && apart, NDA_WINDOW_COV_two_ranks);
    if (x == 0 || x >> n->l.RANKS != 0 || apart)
        return NDA_WINDOW_APART;
    hit_if(n, !queue_can_push(&n->packets), NDA_WINDOW_COV_full);
    if (!queue_can_push(&n->packets))
        return NDA_WINDOW_FULL;
    hit_if(n, passed, NDA_WINDOW_COV_passed_over);
    return NDA_WINDOW_NONE;
}

static void keep(struct nda_window *n) {
    struct nda_window_out *p = &n->packet[queue_push(&n->packets)];
    uint32_t what = word(n, NDA_WINDOW_SET_what);
    int w = n->l.SPOT_W;

    memset(p, 0, sizeof *p);
    p->op_valid = 1;
    p->op_op = what & 15;
    p->op_ranks = ranks_of(n, 0);
    p->op_length = word(n, NDA_WINDOW_SET_length) / BURST;
    p->op_grain = word(n, NDA_WINDOW_SET_grain) / BURST;
    p->op_rows = what >> 16 & 255;
    p->op_blocking = what >> 4 & 1;
    p->op_tag = what >> 8 & 255;
    for (int k = 0; k < OPERANDS; k++) {
        bits_or(p->op_base, k * w, w, first_of(n, k) / BURST & ones(w));
        bits_or(p->op_last, k * w, w, last_of(n, k) / BURST & ones(w));
    }
    for (int i = 0; i < 3; i++)
        bits_set_lane(p->op_scalars, i, word(n, NDA_WINDOW_SET_a + i));
    hit_if(n, n->stale, NDA_WINDOW_COV_again);
    hit_if(n, p->op_op == GEMV && p->op_rows > 1, NDA_WINDOW_COV_gemv);
    hit_if(n, strcmp(operands[p->op_op], "xyz") == 0, NDA_WINDOW_COV_three);
    hit_if(n, strcmp(operands[p->op_op], "xyzw") == 0, NDA_WINDOW_COV_four);
}

static void launch(struct nda_window *n) {
    bool taken;

    n->answer = verdict(n);
    taken = n->answer == NDA_WINDOW_NONE;
    hit_if(n, taken, NDA_WINDOW_COV_taken);
    event_if(&n->base, taken, NDA_WINDOW_CNT_launched);
    event_if(&n->base, !taken, NDA_WINDOW_CNT_refused);
    if (taken) {
        keep(n);
        n->stale = true;
    }
}

static void written(struct golden *g, int setting, uint32_t before) {
    (void)setting;
    (void)before;
    ((struct nda_window *)g)->stale = false;
}

/* --- ends ----------------------------------------------------------------- */

static void enter(struct nda_window *n, const struct nda_window_in *in) {
    uint8_t *completed = &n->completed[in->done_rank];

    n->end[queue_push(&n->ends)] =
        (struct end){in->done_rank, in->done_tag, in->done_final & 1,
                     in->done_cause, in->done_value};
    event_if(&n->base, true, NDA_WINDOW_CNT_told);
    if (in->done_final & 1) {
        ++*completed;
        hit_if(n, *completed == 0, NDA_WINDOW_COV_completed_around);
    }
}

static void take(struct nda_window *n) {
    hit_if(n, n->ends.out_valid, NDA_WINDOW_COV_took);
    hit_if(n, !n->ends.out_valid, NDA_WINDOW_COV_took_nothing);
    if (n->ends.out_valid)
        queue_pop(&n->ends);
}

/* --- an edge -------------------------------------------------------------- */

static void show_statuses(struct nda_window *n,
                          const struct nda_window_in *in) {
    uint32_t *status = n->base.regs.status;
    const struct end *e = &n->end[n->ends.out];
    bool waits = n->ends.out_valid;
    uint64_t end =
        1 | e->final << 1 | e->cause << 2 | e->rank << 4 | e->tag << 8;

    status[NDA_WINDOW_STA_state] =
        (uint32_t)in->busy | (uint32_t)queue_can_push(&n->packets) << 4 |
        (uint32_t)waits << 5 | (uint32_t)n->packets.out_valid << 6;
    status[NDA_WINDOW_STA_answer] = n->answer;
    status[NDA_WINDOW_STA_end] = waits ? (uint32_t)end : 0;
    status[NDA_WINDOW_STA_value] = waits ? (uint32_t)e->value : 0;
    status[NDA_WINDOW_STA_completed] = 0;
    for (int r = 0; r < COMPLETED; r++)
        status[NDA_WINDOW_STA_completed] |= (uint32_t)n->completed[r] << 8 * r;
}

static void show(struct nda_window *n) {
    struct nda_window_out *o = &n->out;
    const struct nda_window_out *p = &n->packet[n->packets.out];
    struct nda_window_out none = {0};

    if (!n->packets.out_valid)
        p = &none;
    o->op_valid = p->op_valid;
    o->op_op = p->op_op;
    o->op_ranks = p->op_ranks;
    o->op_length = p->op_length;
    o->op_grain = p->op_grain;
    o->op_rows = p->op_rows;
    o->op_blocking = p->op_blocking;
    o->op_tag = p->op_tag;
    memcpy(o->op_base, p->op_base, sizeof o->op_base);
    memcpy(o->op_last, p->op_last, sizeof o->op_last);
    memcpy(o->op_scalars, p->op_scalars, sizeof o->op_scalars);
    o->done_ready = queue_can_push(&n->ends);
    o->notice = n->ends.out_valid;
}

static void open(struct golden *g, const struct config *c) {
    ((struct nda_window *)g)->l = nda_window_local(c);
}

static void reset(struct golden *g) {
    struct nda_window *n = (struct nda_window *)g;

    queue_reset(&n->packets, n->l.SLOTS);
    queue_reset(&n->ends, n->l.ENDS);
    memset(n->completed, 0, sizeof n->completed);
    n->answer = NDA_WINDOW_NONE;
    n->stale = false;
    show(n);
}

static void edge(struct golden *g, const void *ports) {
    struct nda_window *n = (struct nda_window *)g;
    const struct nda_window_in *in = ports;
    bool stands = n->packets.out_valid, waits = in->done_valid & 1;

    show_statuses(n, in);
    if (g->regs.command == NDA_WINDOW_COM_launch)
        launch(n);
    if (g->regs.command == NDA_WINDOW_COM_take)
        take(n);
    hit_if(n, stands && !(in->op_ready & 1), NDA_WINDOW_COV_op_waits);
    if (stands && (in->op_ready & 1))
        queue_pop(&n->packets);
    hit_if(n, waits && !n->out.done_ready, NDA_WINDOW_COV_end_waits);
    if (waits && n->out.done_ready)
        enter(n, in);
    queue_edge(&n->packets);
    queue_edge(&n->ends);
    show(n);
}

const struct golden_class nda_window_golden = {
    .iface = &nda_window_iface,
    MODEL_STRUCT(struct nda_window),
    .open = open,
    .reset = reset,
    .edge = edge,
    .written = written,
};

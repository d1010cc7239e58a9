/* far_pipe.c - golden model of the pipeline of the base die.
 *
 * Written from docs/blocks/far_pipe.md.  A pass of the lanes is computed when
 * it leaves dispatch, by the arithmetic of the instruction set, and written
 * when its time has come; the desk has the operands of all lanes from
 * its first pass on, and waits until they would be there.  Shared memory, if
 * it is here, is that of near_pipe (near_pipe/shared.c).
 */
#include "far_pipe.h"

#include "base/bits.h"
#include "blocks/far_pipe.h"
#include "frame/model.h"
#include "isa/alu.h"
#include "near_pipe/shared.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_LANES = 32,
    MAX_WARPS = 64,
    MAX_UNDER_WAY = 8, /* instructions of the lanes: LANES_DEPTH, or fewer */
    DEPTH = 7,         /* edges to the write */
    LOWEST = 256       /* first byte of the memory */
};

enum operand { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS, NO_OPERAND = OPERANDS };

/* Who tells completions; the last one only if it is here. */
enum teller { LANES, DESK, ACCESSES, SHARED, TELLERS, NOBODY = TELLERS };

/* As simt numbers them. */
enum cause { FINE, ILLEGAL, MISALIGNED, UNMAPPED, MEMORY = 8 };

struct row {
    uint32_t lane[MAX_LANES];
};

struct instr {
    uint64_t warp, tag, ticket, mask;
    bool has[OPERANDS];
    uint64_t reg[OPERANDS];
    struct isa_word word; /* from the collector on */
    bool to_reg, to_pred; /* the lanes compute it, */
    bool to_shared;       /* shared memory does it; else it is the desk's */
};

/* An instruction with those operands that have been read. */
struct gathered {
    bool valid;
    struct instr instr;
    struct row operand[OPERANDS];
};

/* A pass on its way. */
struct result {
    bool valid, last;
    int first;       /* lane */
    uint64_t active; /* of the pass */
    uint64_t keep;   /* bits of the others */
    uint32_t lane[MAX_LANES];
};

/* Instructions from their first pass to 'done', the oldest first. */
struct lanes {
    struct instr instr[MAX_UNDER_WAY];
    int many, ended;           /* the first ones have ended */
    struct result pipe[DEPTH]; /* [0] left on the last edge */
    uint64_t bits;             /* of a predicate */
};

struct desk {
    bool busy, ended;
    int age; /* edges since the first pass left, that one included */
    struct instr instr;
    uint64_t active;
    uint32_t a[MAX_LANES], b[MAX_LANES], c[MAX_LANES];
    uint64_t holds; /* predicate c, inverted as the word says */
    uint32_t value; /* special value or parameter */
    int pass;       /* that is put next */
};

/* Accesses under way, and the end that is told. */
struct opens {
    bool open[MAX_WARPS], over[MAX_WARPS], bad[MAX_WARPS];
    struct instr instr[MAX_WARPS];
    uint64_t chosen;  /* warp chosen last */
    struct instr end; /* of the told one */
    bool told, fresh, fault;
};

/* A request for a row. */
struct request {
    bool valid;
    uint64_t warp, reg;
};

struct far_pipe {
    struct golden base;
    struct far_pipe_local l;
    uint64_t *code;
    uint32_t *params, *values; /* by warp and number */
    struct row *file;          /* rows by warp and register */
    bool entry_valid;
    struct instr entry;
    uint64_t entry_word;
    struct gathered collector;
    bool left[OPERANDS]; /* of the collector, to read */
    struct gathered dispatch;
    int pass; /* of dispatch, that leaves next */
    struct lanes lanes;
    struct desk desk;
    struct opens opens;
    struct smem shared;
    struct instr access; /* of shared memory */
    struct request read;
    bool init_turn;
    bool words_turn; /* rows leave them an edge without a pass of the lanes */
    int chosen;      /* who told last */
    struct far_pipe_out out;
};

static const struct smem_points points = {
    .load = FAR_PIPE_COV_shared_load,
    .store = FAR_PIPE_COV_shared_store,
    .atomic = FAR_PIPE_COV_shared_atomic,
    .kept = FAR_PIPE_COV_shared_kept,
    .part = FAR_PIPE_COV_shared_part,
    .conflict = FAR_PIPE_COV_shared_conflict,
    .same = FAR_PIPE_COV_shared_same,
    .empty = FAR_PIPE_COV_shared_empty,
    .still = FAR_PIPE_COV_shared_still,
    .odd = FAR_PIPE_COV_shared_odd,
    .off = FAR_PIPE_COV_shared_off,
};

static bool has_shared(const struct far_pipe *n) {
    return n->l.SHARED > 0;
}

static int tellers(const struct far_pipe *n) {
    return has_shared(n) ? TELLERS : SHARED;
}

static void open(struct golden *g, const struct config *c) {
    struct far_pipe *n = (struct far_pipe *)g;

    n->l = far_pipe_local(c);
    n->code = calloc((size_t)n->l.CODE, sizeof *n->code);
    n->params = calloc((size_t)n->l.PARAMS, sizeof *n->params);
    n->values = calloc((size_t)(bit(n->l.WARP_W) * (uint64_t)n->l.SPECIALS),
                       sizeof *n->values);
    n->file = calloc((size_t)bit(n->l.PLACE_W), sizeof *n->file);
    smem_open(
        &n->shared,
        (struct smem_size){n->l.LANES, n->l.ALUS, n->l.PASSES, n->l.SHARED},
        bit(n->l.WARP_W), &points, g->covers);
}

static void close(struct golden *g) {
    struct far_pipe *n = (struct far_pipe *)g;

    free(n->code);
    free(n->params);
    free(n->values);
    free(n->file);
    smem_close(&n->shared);
}

static void reset(struct golden *g) {
    struct far_pipe *n = (struct far_pipe *)g;

    n->entry_valid = n->collector.valid = n->dispatch.valid = false;
    n->read.valid = n->init_turn = n->words_turn = false;
    n->pass = 0;
    memset(&n->lanes, 0, sizeof n->lanes);
    memset(&n->desk, 0, sizeof n->desk);
    memset(&n->opens, 0, sizeof n->opens);
    n->opens.chosen = (uint64_t)n->l.WARPS - 1;
    n->chosen = tellers(n) - 1;
    smem_reset(&n->shared);
    n->out.exec_ready = n->out.read_ready = n->out.carried_ready = 1;
}

static struct row *row_of(struct far_pipe *n, uint64_t warp, uint64_t reg) {
    return &n->file[warp * (uint64_t)n->l.REGS + reg];
}

static uint64_t row_bits(const struct row *r) {
    return r->lane[0];
}

/* --- what an instruction computes ----------------------------------------- */

static bool is_memory(int op) {
    return op == ISA_ldg_b32 || op == ISA_stg_b32;
}

static bool is_atomic(int op) {
    return op >= ISA_atg_add && op <= ISA_atg_cas;
}

/* An access for 'ask'. */
static bool is_part(int op) {
    return is_atomic(op) ||
           (isa_info(op)->class == ISA_CLASS_global && !is_memory(op));
}

static void read_word(struct far_pipe *n) {
    struct instr *i = &n->entry;

    if (isa_decode(n->entry_word, ISA_REGISTERS, &i->word) != ISA_LEGAL)
        memset(&i->word, 0, sizeof i->word); /* the contract is broken */
    i->to_reg = alu_is_value(i->word.op);
    i->to_pred = alu_is_test(i->word.op);
    i->to_shared = has_shared(n) && smem_is(i->word.op);
}

static bool is_logic(const struct isa_word *w) {
    return isa_info(w->op)->class == ISA_CLASS_pred;
}

/* A predicate as a source: true where there is none. */
static bool holds(const struct far_pipe *n, enum operand o, int lane,
                  bool invert) {
    bool is = !n->dispatch.instr.has[o] ||
              row_bits(&n->dispatch.operand[o]) >> lane & 1;
    return is != invert;
}

static uint32_t value_of(const struct far_pipe *n, enum operand o, int lane) {
    return n->dispatch.instr.has[o] ? n->dispatch.operand[o].lane[lane] : 0;
}

static bool has_number(const struct isa_word *w) {
    return w->imm || isa_has(w->op, 'w');
}

static uint32_t compute(const struct far_pipe *n, int lane) {
    const struct isa_word *w = &n->dispatch.instr.word;
    uint32_t a = value_of(n, SRC0, lane), b = value_of(n, SRC1, lane);

    if (is_logic(w)) {
        a = holds(n, SRC0, lane, w->a & ISA_INVERT);
        b = holds(n, SRC1, lane, w->b & ISA_INVERT);
    }
    if (has_number(w))
        b = w->value;
    if (n->dispatch.instr.to_pred)
        return alu_test(w, a, b);
    return alu_value(w, a, b, value_of(n, SRC2, lane),
                     holds(n, SRC2, lane, w->c & ISA_INVERT));
}

/* Mask and guard. */
static bool is_active(const struct far_pipe *n, int lane) {
    const struct instr *i = &n->dispatch.instr;

    return (i->mask >> lane & 1) &&
           (!i->has[GUARD] || holds(n, GUARD, lane, i->word.unless));
}

static void compute_pass(struct far_pipe *n, struct result *r) {
    const struct instr *i = &n->dispatch.instr;

    *r = (struct result){.valid = true,
                         .last = n->pass == n->l.PASSES - 1,
                         .first = n->pass * n->l.ALUS};
    for (int k = 0; k < n->l.ALUS; k++) {
        int lane = r->first + k;
        bool on = is_active(n, lane);
        if (on)
            r->lane[k] = compute(n, lane);
        r->active |= (uint64_t)on << k;
        if (i->has[DST] && i->to_pred)
            r->keep |= (row_bits(&n->dispatch.operand[DST]) >> lane & 1) << k;
    }
}

static void cover_pass(struct far_pipe *n, const struct result *r) {
    const struct instr *i = &n->dispatch.instr;
    uint64_t mask = i->mask >> r->first & ones(n->l.ALUS);

    hit_if(n, is_logic(&i->word), FAR_PIPE_COV_logic);
    hit_if(n, i->word.op == ISA_sel, FAR_PIPE_COV_select);
    hit_if(n, has_number(&i->word), FAR_PIPE_COV_number);
    hit_if(n, r->active != mask, FAR_PIPE_COV_guarded);
    hit_if(n, i->has[GUARD] && i->word.unless, FAR_PIPE_COV_guard_not);
    hit_if(n, i->mask == 0, FAR_PIPE_COV_nobody);
    hit_if(n, !i->has[DST], FAR_PIPE_COV_lost);
    hit_if(n, i->to_pred && i->has[DST] && r->keep & ~r->active,
           FAR_PIPE_COV_old_bits);
}

/* --- lanes ---------------------------------------------------------------- */

/* A pass of the oldest one that has not ended. */
static void write_result(struct far_pipe *n, const struct result *r) {
    struct lanes *s = &n->lanes;
    const struct instr *i = &s->instr[s->ended];
    struct row *row = row_of(n, i->warp, i->reg[DST]);

    for (int k = 0; k < n->l.ALUS; k++) {
        bool on = r->active >> k & 1;
        uint64_t b = on ? r->lane[k] & 1 : r->keep >> k & 1;
        if (i->to_reg && i->has[DST] && on)
            row->lane[r->first + k] = r->lane[k];
        s->bits |= b << (r->first + k);
    }
    if (!r->last)
        return;
    if (i->to_pred && i->has[DST]) {
        memset(row, 0, sizeof *row);
        row->lane[0] = (uint32_t)s->bits;
    }
    hit_if(n, i->to_reg && i->has[DST], FAR_PIPE_COV_value);
    hit_if(n, i->to_pred && i->has[DST], FAR_PIPE_COV_truth);
    s->bits = 0;
    s->ended++;
}

/* A pass leaves for them, or none: *out is not valid then. */
static void edge_lanes(struct far_pipe *n, const struct result *out) {
    struct lanes *s = &n->lanes;

    if (out->valid && n->pass == 0)
        s->instr[s->many++] = n->dispatch.instr;
    hit_if(n, s->many == 2, FAR_PIPE_COV_lanes_two);
    hit_if(n, s->many == n->l.LANES_DEPTH, FAR_PIPE_COV_lanes_full);
    if (s->pipe[DEPTH - 1].valid)
        write_result(n, &s->pipe[DEPTH - 1]);
    hit_if(n, s->ended > 1, FAR_PIPE_COV_lanes_ended);
    memmove(s->pipe + 1, s->pipe, (DEPTH - 1) * sizeof s->pipe[0]);
    s->pipe[0] = *out;
}

/* The oldest one goes to 'done'. */
static void lanes_told(struct far_pipe *n) {
    struct lanes *s = &n->lanes;

    s->many--;
    s->ended--;
    memmove(s->instr, s->instr + 1, (size_t)s->many * sizeof s->instr[0]);
}

/* --- collector and dispatch ----------------------------------------------- */

static bool of_lanes(const struct instr *i) {
    return i->to_reg || i->to_pred;
}

static bool of_desk(const struct instr *i) {
    return !of_lanes(i) && !i->to_shared;
}

static void take(struct far_pipe *n) {
    struct instr *i = &n->collector.instr;

    read_word(n);
    *i = n->entry;
    n->collector.valid = true;
    for (int o = 0; o < OPERANDS; o++)
        n->left[o] = i->has[o] && (o != DST || i->to_pred) &&
                     (o != SRC1 || !is_memory(i->word.op));
}

static enum operand next_operand(const struct far_pipe *n) {
    int o = 0;

    while (o < OPERANDS && !(n->collector.valid && n->left[o]))
        o++;
    return (enum operand)o;
}

static void read_operand(struct far_pipe *n, enum operand o) {
    const struct instr *i = &n->collector.instr;

    n->collector.operand[o] = *row_of(n, i->warp, i->reg[o]);
    n->left[o] = false;
}

/* What is in the collector moves on, as dispatch is empty after this edge
 * without it. */
static bool moves_on(const struct far_pipe *n, bool empties) {
    return n->collector.valid && next_operand(n) == NO_OPERAND &&
           (!n->dispatch.valid || empties);
}

/* Who waits to write into the file, from the state before an edge. */
struct waiting {
    bool write, init, desk, shared;
};

/* A pass could leave for the lanes, if nobody waited. */
static bool may_leave(const struct far_pipe *n) {
    bool room = n->pass > 0 || n->lanes.many < n->l.LANES_DEPTH;

    return n->dispatch.valid && of_lanes(&n->dispatch.instr) && room;
}

/* Every second edge is left to those who wait. */
static bool leaves(const struct far_pipe *n, const struct waiting *w) {
    bool waits = w->write || w->init || w->desk || w->shared;

    return may_leave(n) && !(waits && n->lanes.pipe[0].valid);
}

static void cover_leaving(struct far_pipe *n, const struct waiting *w) {
    bool next = may_leave(n) && n->lanes.pipe[0].valid;
    bool full = n->lanes.many == n->l.LANES_DEPTH;
    const struct instr *i = &n->dispatch.instr;

    hit_if(n, n->dispatch.valid && of_lanes(i) && n->pass == 0 && full,
           FAR_PIPE_COV_lanes_held);
    hit_if(n, next && w->write, FAR_PIPE_COV_left_write);
    hit_if(n, next && w->init, FAR_PIPE_COV_left_init);
    hit_if(n, next && w->desk, FAR_PIPE_COV_left_desk);
    hit_if(n, next && w->shared, FAR_PIPE_COV_left_shared);
}

/* --- desk ----------------------------------------------------------------- */

static uint64_t number_of(const struct far_pipe *n, const struct instr *i) {
    uint64_t all = i->word.op == ISA_ldp ? (uint64_t)n->l.PARAM_W
                                         : (uint64_t)n->l.SPECIAL_W;
    return i->word.value & ones((int)all);
}

static void begin_desk(struct far_pipe *n, const struct far_pipe_in *in) {
    struct desk *d = &n->desk;
    const struct isa_word *w = &n->dispatch.instr.word;
    uint64_t number = number_of(n, &n->dispatch.instr);

    *d = (struct desk){.busy = true, .instr = n->dispatch.instr};
    for (int l = 0; l < n->l.LANES; l++) {
        d->a[l] = value_of(n, SRC0, l);
        d->b[l] = has_number(w) ? w->value : value_of(n, SRC1, l);
        d->c[l] = value_of(n, SRC2, l);
        d->active |= (uint64_t)is_active(n, l) << l;
        d->holds |= (uint64_t)holds(n, SRC2, l, w->c & ISA_INVERT) << l;
    }
    if (w->op == ISA_ldp)
        d->value = n->params[number];
    else if (number == ISA_SPECIAL_clock)
        d->value = (uint32_t)in->launch_now;
    else if (number == ISA_SPECIAL_laneid)
        d->value = 0;
    else
        d->value = n->values[n->dispatch.instr.warp * (uint64_t)n->l.SPECIALS +
                             number];
}

static bool is_shuffle(int op) {
    return op == ISA_shfl_idx || op == ISA_shfl_up || op == ISA_shfl_down ||
           op == ISA_shfl_bfly;
}

static bool puts_words(int op) {
    return op == ISA_s2r || op == ISA_ldp || op == ISA_vote || is_shuffle(op);
}

/* The desk has passes of words to be put. */
static bool has_words(const struct far_pipe *n) {
    const struct desk *d = &n->desk;

    return d->busy && !d->ended && d->age >= n->l.PASSES + 2 &&
           puts_words(d->instr.word.op);
}

static uint32_t shuffled(struct far_pipe *n, int lane) {
    const struct desk *d = &n->desk;
    int bits = n->l.LANES - 1, op = d->instr.word.op;
    int b = (int)d->b[lane] & bits, clamp = (int)d->c[lane] & bits;
    int segment = (int)(d->c[lane] >> 8) & bits;
    int low = lane & segment, limit = low | (clamp & ~segment);
    int from = op == ISA_shfl_up     ? lane - b
               : op == ISA_shfl_down ? lane + b
               : op == ISA_shfl_bfly ? lane ^ b
                                     : low | (b & ~segment);
    bool within = op == ISA_shfl_up ? from >= limit : from <= limit;

    from = within ? from : lane;
    bool on = d->active >> from & 1;
    hit_if(n, !within, FAR_PIPE_COV_shuffle_own);
    hit_if(n, from != lane && on, FAR_PIPE_COV_shuffle);
    hit_if(n, !on, FAR_PIPE_COV_shuffle_off);
    return on ? d->a[from] : 0;
}

static uint32_t word_of(struct far_pipe *n, int lane) {
    const struct desk *d = &n->desk;
    uint64_t number = number_of(n, &d->instr);

    if (is_shuffle(d->instr.word.op))
        return shuffled(n, lane);
    if (d->instr.word.op == ISA_vote)
        return (uint32_t)(d->active & d->holds);
    if (d->instr.word.op == ISA_s2r &&
        (number == ISA_SPECIAL_laneid || number == ISA_SPECIAL_slot))
        return (d->value & ~(uint32_t)(n->l.LANES - 1)) | (uint32_t)lane;
    return d->value;
}

static void put_pass(struct far_pipe *n) {
    struct desk *d = &n->desk;
    struct row *row = row_of(n, d->instr.warp, d->instr.reg[DST]);
    int op = d->instr.word.op;
    uint64_t number = number_of(n, &d->instr);

    for (int k = 0; k < n->l.ALUS; k++) {
        int lane = d->pass * n->l.ALUS + k;
        if ((d->active >> lane & 1) && d->instr.has[DST])
            row->lane[lane] = word_of(n, lane);
    }
    hit_if(n, op == ISA_s2r, FAR_PIPE_COV_special);
    hit_if(n, op == ISA_s2r && number == ISA_SPECIAL_slot,
           FAR_PIPE_COV_special_lane);
    hit_if(n, op == ISA_s2r && number == ISA_SPECIAL_clock,
           FAR_PIPE_COV_special_clock);
    hit_if(n, op == ISA_ldp, FAR_PIPE_COV_param);
    hit_if(n, op == ISA_vote, FAR_PIPE_COV_vote);
    d->ended = ++d->pass == n->l.PASSES;
}

static uint32_t address_of(const struct desk *d, int lane) {
    return d->a[lane] + (is_atomic(d->instr.word.op) ? 0 : d->b[lane]);
}

/* Bytes that a lane accesses. */
static uint32_t size_of(int op) {
    switch (op) {
    case ISA_ldg_u8:
    case ISA_ldg_s8:
    case ISA_stg_b8:
        return 1;
    case ISA_ldg_u16:
    case ISA_ldg_s16:
    case ISA_stg_b16:
        return 2;
    default:
        return 4;
    }
}

static enum cause wrong(uint32_t at, uint32_t size, uint64_t bound) {
    if (at % size != 0)
        return MISALIGNED;
    if (at < LOWEST || (bound != 0 && at >= bound))
        return UNMAPPED;
    return FINE;
}

static void show_fault(struct far_pipe *n, const struct instr *i,
                       enum cause cause, uint32_t address) {
    n->out.fault_valid = 1;
    n->out.fault_cause = cause;
    n->out.fault_warp = i->warp;
    n->out.fault_tag = i->tag;
    n->out.fault_address = address;
}

static void show_access(struct far_pipe *n) {
    const struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;
    bool store = d->instr.word.op == ISA_stg_b32;

    o->access_valid = 1;
    o->access_store = store;
    o->access_warp = d->instr.warp;
    o->access_reg = d->instr.reg[store ? SRC1 : DST];
    o->access_mask = d->active;
    for (int l = 0; l < n->l.LANES; l++)
        bits_or(o->access_address, 30 * l, 30, address_of(d, l) / 4);
    hit_if(n, store, FAR_PIPE_COV_store);
    hit_if(n, !store, FAR_PIPE_COV_load);
    hit_if(n, d->active == 0, FAR_PIPE_COV_access_empty);
}

/* It is under way, and the desk is free. */
static void leaves_desk(struct far_pipe *n) {
    struct desk *d = &n->desk;
    uint64_t w = d->instr.warp;

    n->opens.open[w] = true;
    n->opens.instr[w] = d->instr;
    d->busy = false;
}

/* Of 'ask': what it shows is taken. */
static void hand_part(struct far_pipe *n, bool ready) {
    struct desk *d = &n->desk;
    int op = d->instr.word.op;
    bool shown = n->out.ask_valid;

    hit_if(n, shown && !ready, FAR_PIPE_COV_ask_held);
    hit_if(n, !shown, FAR_PIPE_COV_access_open);
    if (!shown || !ready)
        return;
    hit_if(n, isa_info(op)->class == ISA_CLASS_global && isa_has(op, 'd'),
           FAR_PIPE_COV_ask_load);
    hit_if(n, !isa_has(op, 'd'), FAR_PIPE_COV_ask_store);
    hit_if(n, is_atomic(op), FAR_PIPE_COV_ask_atomic);
    hit_if(n, is_atomic(op) && !d->instr.has[DST], FAR_PIPE_COV_ask_lost);
    hit_if(n, d->active == 0, FAR_PIPE_COV_access_empty);
    leaves_desk(n);
}

/* With all lanes right. */
static void hand_over(struct far_pipe *n, bool room) {
    struct desk *d = &n->desk;
    uint64_t w = d->instr.warp;

    hit_if(n, !room, FAR_PIPE_COV_access_held);
    hit_if(n, n->opens.open[w], FAR_PIPE_COV_access_open);
    if (!room || n->opens.open[w])
        return;
    show_access(n);
    leaves_desk(n);
}

static bool goes_wrong(const struct far_pipe *n, uint64_t bound) {
    const struct desk *d = &n->desk;

    for (int l = 0; l < n->l.LANES; l++)
        if ((d->active >> l & 1) &&
            wrong(address_of(d, l), size_of(d->instr.word.op), bound) != FINE)
            return true;
    return false;
}

/* ready: of 'ask'. */
static void act_memory(struct far_pipe *n, uint64_t bound, bool room,
                       bool ready, bool late) {
    struct desk *d = &n->desk;

    for (int l = 0; l < n->l.LANES; l++) {
        uint32_t at = address_of(d, l);
        enum cause cause = wrong(at, size_of(d->instr.word.op), bound);
        if (!(d->active >> l & 1) || cause == FINE)
            continue;
        hit_if(n, late, FAR_PIPE_COV_fault_meet);
        if (late)
            return;
        show_fault(n, &d->instr, cause, at);
        hit_if(n, cause == MISALIGNED, FAR_PIPE_COV_fault_odd);
        hit_if(n, cause == UNMAPPED && at < LOWEST, FAR_PIPE_COV_fault_low);
        hit_if(n, cause == UNMAPPED && at >= LOWEST, FAR_PIPE_COV_fault_off);
        d->ended = true;
        return;
    }
    if (is_part(d->instr.word.op))
        hand_part(n, ready);
    else
        hand_over(n, room);
}

/* What 'ask' shows after the edge: an access to which nothing is left. */
static void show_ask(struct far_pipe *n, uint64_t bound) {
    const struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;
    const struct instr *i = &d->instr;
    int op = i->word.op;
    bool atomic = is_atomic(op), store = !isa_has(op, 'd');

    if (o->ask_valid) {
        o->ask_valid = o->ask_op = o->ask_size = o->ask_signed = 0;
        o->ask_warp = o->ask_reg = o->ask_result = o->ask_mask = 0;
        memset(o->ask_address, 0, sizeof o->ask_address);
        memset(o->ask_data, 0, sizeof o->ask_data);
        memset(o->ask_compare, 0, sizeof o->ask_compare);
    }
    if (!d->busy || d->ended || d->age < n->l.PASSES + 2 || !is_part(op) ||
        n->opens.open[i->warp] || goes_wrong(n, bound))
        return;
    o->ask_valid = 1;
    o->ask_op = atomic ? (uint64_t)(op - ISA_atg_add) + 2 : store;
    o->ask_size = size_of(op) / 2; /* 1, 2, 4: 0, 1, 2 */
    o->ask_signed = op == ISA_ldg_s8 || op == ISA_ldg_s16;
    o->ask_warp = i->warp;
    o->ask_reg = i->reg[DST];
    o->ask_result = i->has[DST] && !store;
    o->ask_mask = d->active;
    for (int l = 0; l < n->l.LANES; l++) {
        bits_set_lane(o->ask_address, l, address_of(d, l));
        bits_set_lane(o->ask_data, l, store || atomic ? d->c[l] : 0);
        bits_set_lane(o->ask_compare, l, op == ISA_atg_cas ? d->b[l] : 0);
    }
}

static void resolve(struct far_pipe *n) {
    struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;

    o->resolve_valid = 1;
    o->resolve_warp = d->instr.warp;
    o->resolve_tag = d->instr.tag;
    o->resolve_lanes = d->active;
    d->ended = true;
    hit_if(n, true, FAR_PIPE_COV_control);
    hit_if(n, d->active != 0 && d->active != d->instr.mask,
           FAR_PIPE_COV_taken_some);
}

/* begins: its first pass leaves.  file_taken: lanes or a row that comes are
 * written.  late: the fault of an access is shown.  Returns whether words of
 * it go into the file. */
static bool edge_desk(struct far_pipe *n, const struct far_pipe_in *in,
                      bool begins, bool file_taken, bool late) {
    struct desk *d = &n->desk;
    struct far_pipe_out *o = &n->out;
    int op = d->instr.word.op;
    bool room = !o->access_valid || (in->access_ready & 1);

    o->resolve_valid = o->resolve_warp = o->resolve_tag = o->resolve_lanes = 0;
    o->fault_valid = o->fault_cause = o->fault_warp = o->fault_tag = 0;
    o->fault_address = 0;
    if (room) {
        o->access_valid = o->access_store = o->access_warp = 0;
        o->access_reg = o->access_mask = 0;
        memset(o->access_address, 0, sizeof o->access_address);
    }
    if (late) {
        show_fault(n, &n->opens.end, MEMORY, 0);
        hit_if(n, true, FAR_PIPE_COV_fault_memory);
    }
    if (begins)
        begin_desk(n, in);
    if (!d->busy || d->ended || d->age++ < n->l.PASSES + 2)
        return false;
    if (isa_info(op)->text && isa_info(op)->class == ISA_CLASS_control) {
        resolve(n);
    } else if (puts_words(op)) {
        hit_if(n, file_taken, FAR_PIPE_COV_desk_behind);
        if (!file_taken)
            put_pass(n);
        return !file_taken && d->instr.has[DST];
    } else if (is_memory(op) || is_part(op)) {
        act_memory(n, in->launch_bound, room, in->ask_ready & 1, late);
    } else {
        hit_if(n, late, FAR_PIPE_COV_fault_meet);
        if (late)
            return false;
        show_fault(n, &d->instr, ILLEGAL, 0);
        hit_if(n, true, FAR_PIPE_COV_fault_illegal);
        d->ended = true;
    }
    return false;
}

/* --- shared memory -------------------------------------------------------- */

static void begin_access(struct far_pipe *n) {
    const struct instr *i = &n->dispatch.instr;
    struct smem_access a = {.warp = i->warp, .op = i->word.op};

    n->access = *i;
    for (int l = 0; l < n->l.LANES; l++) {
        a.at[l] = value_of(n, SRC0, l);
        a.compare[l] = value_of(n, SRC1, l);
        a.data[l] = value_of(n, SRC2, l);
        a.active |= (uint64_t)is_active(n, l) << l;
    }
    smem_begin(&n->shared, &a, i->word.value);
}

/* begins: its first pass leaves.  file_taken: lanes or a row that comes are
 * written; by_desk: the desk's words are. */
static void edge_shared(struct far_pipe *n, bool begins, bool file_taken,
                        bool by_desk) {
    struct far_pipe_out *o = &n->out;
    const struct instr *i = &n->access;

    if (begins)
        begin_access(n);
    hit_if(n, n->shared.puts && by_desk, FAR_PIPE_COV_shared_behind);
    struct smem_fault f = smem_edge(
        &n->shared, i->has[DST] ? row_of(n, i->warp, i->reg[DST])->lane : NULL,
        file_taken || by_desk);
    o->shared_fault_valid = f.valid;
    o->shared_fault_warp = f.valid ? i->warp : 0;
    o->shared_fault_tag = f.valid ? i->tag : 0;
    o->shared_fault_odd = f.odd;
    o->shared_fault_address = f.address;
}

/* --- ends of accesses ----------------------------------------------------- */

/* goes: the told one goes to 'done'. */
static void edge_opens(struct far_pipe *n, const struct far_pipe_in *in,
                       const bool *over, bool goes) {
    struct opens *s = &n->opens;
    bool ended = (in->ended_valid & 1) && !(in->ended_near & 1);
    bool carried = in->carried_valid & 1;
    uint64_t warps = (uint64_t)n->l.WARPS;

    s->fresh = false;
    if (goes)
        s->told = false;
    for (uint64_t k = 1; k <= warps && !s->told; k++) {
        uint64_t w = (s->chosen + k) % warps;
        if (!over[w])
            continue;
        s->chosen = w;
        s->end = s->instr[w];
        s->told = s->fresh = true;
        s->fault = s->bad[w];
        s->open[w] = s->over[w] = false;
        break;
    }
    if (ended) {
        s->over[in->ended_warp % warps] = true;
        s->bad[in->ended_warp % warps] = in->ended_fault & 1;
    }
    if (carried) {
        s->over[in->carried_warp % warps] = true;
        s->bad[in->carried_warp % warps] = in->carried_fault & 1;
    }
    hit_if(n, ended && carried, FAR_PIPE_COV_ends_meet);
}

/* --- rows of others ------------------------------------------------------- */

/* Whether the row may be written on the next edge; covers say why not. */
static bool may_write(struct far_pipe *n, uint64_t warp, uint64_t reg,
                      bool valid, int behind, int unread) {
    bool waits = false, soon = n->lanes.pipe[DEPTH - 2].valid;
    bool turn = n->words_turn && n->lanes.pipe[DEPTH - 1].valid;

    for (int o = 0; o < OPERANDS; o++) {
        waits |= n->entry_valid && n->entry.warp == warp && n->entry.has[o] &&
                 n->entry.reg[o] == reg;
        waits |= n->collector.valid && n->collector.instr.warp == warp &&
                 n->left[o] && n->collector.instr.reg[o] == reg;
    }
    hit_if(n, valid && soon, behind);
    hit_if(n, valid && waits, unread);
    hit_if(n, valid && !soon && !waits && turn, FAR_PIPE_COV_words_turn);
    return valid && !soon && !waits && !turn;
}

static struct waiting who_waits(const struct far_pipe *n,
                                const struct far_pipe_in *in) {
    return (struct waiting){
        .write = (in->write_valid & 1) && !n->out.write_ready,
        .init = (in->init_valid & 1) && !n->out.init_ready,
        .desk = has_words(n),
        .shared = n->shared.puts != 0,
    };
}

/* written: a row is, on this edge.  It leaves the next edge on which the lanes
 * write no pass to words that wait. */
static void edge_turn(struct far_pipe *n, bool written,
                      const struct waiting *w) {
    if (written)
        n->words_turn = w->desk || w->shared;
    else if (!n->lanes.pipe[DEPTH - 1].valid)
        n->words_turn = false;
}

static void write_row(struct far_pipe *n, uint64_t warp, uint64_t reg,
                      uint64_t mask, const uint64_t *data) {
    struct row *row = row_of(n, warp, reg);

    for (int i = 0; i < n->l.LANES; i++)
        if (mask >> i & 1)
            row->lane[i] = bits_lane(data, i);
}

/* --- an edge, part by part ------------------------------------------------ */

/* What is read on this edge is what stood before it, so this comes first.
 * Returns whether a row was, so that no operand can be. */
static bool edge_reads(struct far_pipe *n, const struct far_pipe_in *in) {
    struct far_pipe_out *o = &n->out;
    bool reads = !o->data_valid && n->read.valid;

    o->data_valid = reads;
    memset(o->data_row, 0, sizeof o->data_row);
    if (reads) {
        const struct row *row = row_of(n, n->read.warp, n->read.reg);
        for (int i = 0; i < n->l.LANES; i++)
            bits_set_lane(o->data_row, i, row->lane[i]);
        n->read.valid = false;
        hit_if(n, next_operand(n) != NO_OPERAND, FAR_PIPE_COV_read_first);
    }
    if (o->read_ready && in->read_valid & 1)
        n->read = (struct request){true, in->read_warp & ones(n->l.WARP_W),
                                   in->read_reg & ones(n->l.REG_W)};
    o->read_ready = !n->read.valid;
    return reads;
}

/* What an edge does with instructions on their way to who gets them. */
struct moving {
    bool goes;  /* a pass leaves for the lanes */
    bool gives; /* ... for the desk, or for shared memory */
    bool last;  /* it is the last one */
    bool on;    /* from the collector to dispatch */
    bool in;    /* from the entry to the collector */
};

/* From the state before the edge. */
static struct moving what_moves(const struct far_pipe *n,
                                const struct waiting *w, bool gives) {
    struct moving m = {.goes = leaves(n, w), .gives = gives};

    m.last = (m.goes || gives) && n->pass == n->l.PASSES - 1;
    m.on = moves_on(n, m.last);
    m.in = n->entry_valid && (!n->collector.valid || m.on);
    return m;
}

static void cover_moving(struct far_pipe *n, const struct moving *m,
                         bool reads) {
    const struct instr *i = &n->dispatch.instr;
    bool first = n->dispatch.valid && n->pass == 0;
    bool whole = n->collector.valid && next_operand(n) == NO_OPERAND;

    hit_if(n, first && !m->gives && of_desk(i), FAR_PIPE_COV_desk_held);
    hit_if(n, first && !m->gives && i->to_shared, FAR_PIPE_COV_shared_held);
    hit_if(n, whole && !m->on, FAR_PIPE_COV_dispatch_held);
    hit_if(n, m->on && n->dispatch.valid, FAR_PIPE_COV_dispatch_next);
    hit_if(n, reads && (m->goes || m->gives), FAR_PIPE_COV_read_ahead);
    hit_if(n, n->entry_valid && !m->in, FAR_PIPE_COV_collector_held);
}

/* Collector, dispatch and lanes. */
static void edge_unit(struct far_pipe *n, const struct moving *m,
                      bool port_taken) {
    enum operand o = next_operand(n);
    bool reads = o != NO_OPERAND && !port_taken;
    struct result out = {0};

    cover_moving(n, m, reads);
    if (m->goes) {
        compute_pass(n, &out);
        cover_pass(n, &out);
    }
    /* before results are written: what is read stood before the edge */
    if (reads)
        read_operand(n, o);
    edge_lanes(n, &out);
    if (m->goes || m->gives)
        n->pass = m->last ? 0 : n->pass + 1;
    if (m->last)
        n->dispatch.valid = false;
    if (m->on) {
        n->dispatch = n->collector;
        n->collector.valid = false;
    }
}

/* Who tells a completion on this edge. */
static enum teller next_teller(struct far_pipe *n,
                               const struct far_pipe_in *in) {
    const bool has[TELLERS] = {n->lanes.ended > 0, n->desk.ended, n->opens.told,
                               n->shared.ended};
    int many = tellers(n);
    bool refused = n->out.done_valid && !(in->done_ready & 1);

    hit_if(n, has[0] + has[1] + has[2] + has[3] > 1, FAR_PIPE_COV_done_meet);
    hit_if(n, refused, FAR_PIPE_COV_done_held);
    for (int k = 1; k <= many && !refused; k++)
        if (has[(n->chosen + k) % many])
            return (enum teller)((n->chosen + k) % many);
    return NOBODY;
}

static void edge_done(struct far_pipe *n, const struct far_pipe_in *in,
                      enum teller t, const struct instr *i) {
    struct far_pipe_out *o = &n->out;

    if (o->done_valid && !(in->done_ready & 1))
        return;
    o->done_valid = o->done_warp = o->done_tag = o->done_ticket = 0;
    if (t == NOBODY)
        return;
    n->chosen = t;
    if (t == LANES)
        lanes_told(n);
    if (t == DESK)
        n->desk.ended = n->desk.busy = false;
    if (t == SHARED)
        smem_told(&n->shared);
    o->done_valid = 1;
    o->done_warp = i->warp;
    o->done_tag = i->tag;
    o->done_ticket = i->ticket;
}

static void edge_entry(struct far_pipe *n, const struct far_pipe_in *in,
                       bool goes) {
    const uint64_t operand[OPERANDS] = {in->exec_src0, in->exec_src1,
                                        in->exec_src2, in->exec_guard,
                                        in->exec_dst};
    struct instr *e = &n->entry;

    if (goes) {
        take(n);
        n->entry_valid = false;
    }
    if (!n->out.exec_ready || !(in->exec_valid & 1))
        return;
    memset(e, 0, sizeof *e);
    e->warp = in->exec_warp & ones(n->l.WARP_W);
    e->tag = in->exec_tag & ones(n->l.TAG_W);
    e->ticket = in->exec_ticket & ones(n->l.TICKET_W);
    e->mask = in->exec_mask & ones(n->l.LANES);
    for (int o = 0; o < OPERANDS; o++) {
        e->has[o] = operand[o] >> (n->l.OPERAND_W - 1) & 1;
        e->reg[o] = operand[o] & ones(n->l.REG_W);
    }
    n->entry_word = n->code[e->tag];
    n->entry_valid = true;
}

static void edge_tables(struct far_pipe *n, const struct far_pipe_in *in) {
    if (in->code_valid & 1)
        n->code[in->code_tag & ones(n->l.TAG_W)] = in->code_word;
    if (in->param_valid & 1)
        n->params[in->param_index & ones(n->l.PARAM_W)] =
            (uint32_t)in->param_word;
    if (in->value_valid & 1)
        n->values[(in->value_warp & ones(n->l.WARP_W)) *
                      (uint64_t)n->l.SPECIALS +
                  (in->value_index & ones(n->l.SPECIAL_W))] =
            (uint32_t)in->value_word;
    if (has_shared(n) && (in->window_valid & 1))
        smem_window(
            &n->shared, in->window_warp & ones(n->l.WARP_W),
            (struct smem_window){in->window_base & ones(n->l.BANK_W),
                                 in->window_rows & ones(n->l.BANK_W + 1)});
}

static void edge(struct golden *g, const void *ports) {
    struct far_pipe *n = (struct far_pipe *)g;
    const struct far_pipe_in *in = ports;
    struct far_pipe_out *o = &n->out;
    bool put_write = o->write_ready, put_init = o->init_ready;
    uint64_t ww = in->write_warp & ones(n->l.WARP_W);
    uint64_t wr = in->write_reg & ones(n->l.REG_W);
    uint64_t iw = in->init_warp & ones(n->l.WARP_W);
    uint64_t ir = in->init_reg & ones(n->l.REG_W);

    bool idle = !put_write && !put_init;
    bool may_w =
        may_write(n, ww, wr, idle && in->write_valid & 1,
                  FAR_PIPE_COV_write_behind, FAR_PIPE_COV_write_unread);
    bool may_i = may_write(n, iw, ir, idle && in->init_valid & 1,
                           FAR_PIPE_COV_init_behind, FAR_PIPE_COV_init_unread);
    hit_if(n, may_w && may_i, FAR_PIPE_COV_both_writes);

    /* what stands before the edge */
    bool file_taken = n->lanes.pipe[DEPTH - 1].valid || put_write || put_init;
    bool late = n->opens.fresh && n->opens.fault;
    const struct instr *first = n->dispatch.valid ? &n->dispatch.instr : NULL;
    bool begins = first && of_desk(first) && !n->desk.busy;
    bool more = n->desk.busy && n->desk.age < n->l.PASSES;
    bool shares = first && first->to_shared && smem_free(&n->shared);
    bool shares_more = smem_more(&n->shared);
    struct waiting waits = who_waits(n, in);
    struct moving moves =
        what_moves(n, &waits, begins || more || shares || shares_more);
    bool over[MAX_WARPS];
    enum teller t = next_teller(n, in);
    struct instr tells = t == LANES    ? n->lanes.instr[0]
                         : t == DESK   ? n->desk.instr
                         : t == SHARED ? n->access
                                       : n->opens.end;
    memcpy(over, n->opens.over, sizeof over);
    cover_leaving(n, &waits);
    edge_turn(n, put_write || put_init, &waits);

    bool reads = edge_reads(n, in);
    bool by_desk = edge_desk(n, in, begins, file_taken, late);
    edge_opens(n, in, over, t == ACCESSES);
    edge_shared(n, shares, file_taken, by_desk);
    edge_unit(n, &moves, reads);
    if (put_write)
        write_row(n, ww, wr, ones(n->l.LANES), in->write_row);
    if (put_init)
        write_row(n, iw, ir, in->init_mask, in->init_row);
    edge_done(n, in, t, &tells);
    edge_entry(n, in, moves.in);
    edge_tables(n, in);
    show_ask(n, in->launch_bound);

    bool init = may_i && (!may_w || n->init_turn);
    o->write_ready = may_w && !init;
    o->init_ready = init;
    if (may_w || may_i)
        n->init_turn = !init;
    o->exec_ready = !n->entry_valid || !n->collector.valid;
}

const struct golden_class far_pipe_golden = {
    .iface = &far_pipe_iface,
    MODEL_STRUCT(struct far_pipe),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
};

/* subcore.c - golden model of a subcore of the base die's pipeline.
 *
 * Written from docs/blocks/far_pipe.md.  A pass of the lanes is computed when
 * it leaves dispatch, by the arithmetic of the instruction set, and written
 * when its time has come.  The desk is desk.c; shared memory, which all
 * subcores share, is near_pipe/shared.c, and far_pipe.c steps it.
 */
#include "base/arena.h"
#include "base/bits.h"
#include "isa/alu.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

static bool has_shared(const struct subcore *n) {
    return n->l.SHARED > 0;
}

struct subcore *subcore_open(const struct far_pipe_local *l, uint64_t *covers) {
    struct subcore *n = xcalloc(1, sizeof *n);

    n->l = *l;
    n->base.covers = covers;
    n->code = xcalloc((size_t)l->CODE, sizeof *n->code);
    n->params = xcalloc((size_t)l->PARAMS, sizeof *n->params);
    n->values = xcalloc((size_t)(bit(l->WARP_W) * (uint64_t)l->SPECIALS),
                        sizeof *n->values);
    n->file = xcalloc((size_t)bit(l->PLACE_W), sizeof *n->file);
    return n;
}

void subcore_close(struct subcore *n) {
    if (n == NULL)
        return;
    free(n->code);
    free(n->params);
    free(n->values);
    free(n->file);
    free(n);
}

void subcore_reset(struct subcore *n) {
    n->entry_valid = n->collector.valid = n->dispatch.valid = false;
    n->read.valid = n->init_turn = n->words_turn = false;
    n->pass = 0;
    memset(&n->lanes, 0, sizeof n->lanes);
    memset(&n->desk, 0, sizeof n->desk);
    memset(&n->opens, 0, sizeof n->opens);
    memset(&n->out, 0, sizeof n->out);
    n->opens.chosen = (uint64_t)n->l.WARPS - 1;
    n->chosen = TELLERS - 1;
    n->out.exec_ready = n->out.read_ready = n->out.carried_ready = 1;
}

const uint32_t *subcore_row(const struct subcore *n, uint64_t warp,
                            uint64_t reg) {
    return n->file[warp * (uint64_t)n->l.REGS + reg].lane;
}

const struct far_pipe_out *subcore_out(const struct subcore *n) {
    return &n->out;
}

size_t subcore_size(void) {
    return sizeof(struct subcore);
}

bool subcore_rests(const struct subcore *n) {
    static const bool none[MAX_WARPS];
    const struct far_pipe_out *o = &n->out;
    bool held = n->entry_valid | n->collector.valid | n->dispatch.valid |
                n->desk.busy | n->read.valid;
    bool shows = o->data_valid | o->access_valid | o->ask_valid |
                 o->resolve_valid | o->fault_valid | o->done_valid |
                 o->write_ready | o->init_ready;

    return !held && !shows && !n->lanes.many && !n->opens.told &&
           !n->opens.fresh && !n->words_turn &&
           memcmp(n->opens.over, none, sizeof none) == 0;
}

/* --- what an instruction computes ----------------------------------------- */

static void read_word(struct subcore *n) {
    struct instr *i = &n->entry;

    if (isa_decode(n->entry_word, ISA_REGISTERS, &i->word) != ISA_LEGAL)
        memset(&i->word, 0, sizeof i->word); /* the contract is broken */
    i->to_reg = alu_is_value(i->word.op);
    i->to_pred = alu_is_test(i->word.op);
    i->to_shared = has_shared(n) && nsm_is(i->word.op);
}

static bool is_logic(const struct isa_word *w) {
    return isa_info(w->op)->class == ISA_CLASS_pred;
}

static uint32_t compute(const struct subcore *n, int lane) {
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

static void compute_pass(struct subcore *n, struct result *r) {
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

static void cover_pass(struct subcore *n, const struct result *r) {
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
static void write_result(struct subcore *n, const struct result *r) {
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
static void edge_lanes(struct subcore *n, const struct result *out) {
    struct lanes *s = &n->lanes;

    if (out->valid && n->pass == 0)
        s->instr[s->many++] = n->dispatch.instr;
    hit_if(n, s->many == 2, FAR_PIPE_COV_lanes_two);
    hit_if(n, s->many == n->l.LANES_DEPTH, FAR_PIPE_COV_lanes_full);
    if (!s->many) /* nothing is in the pipe */
        return;
    if (s->pipe[DEPTH - 1].valid)
        write_result(n, &s->pipe[DEPTH - 1]);
    hit_if(n, s->ended > 1, FAR_PIPE_COV_lanes_ended);
    memmove(s->pipe + 1, s->pipe, (DEPTH - 1) * sizeof s->pipe[0]);
    s->pipe[0] = *out;
}

/* The oldest one goes to 'done'. */
static void lanes_told(struct subcore *n) {
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

static void take(struct subcore *n) {
    struct instr *i = &n->collector.instr;

    read_word(n);
    *i = n->entry;
    n->collector.valid = true;
    for (int o = 0; o < OPERANDS; o++)
        n->left[o] = i->has[o] && (o != DST || i->to_pred) &&
                     (o != SRC1 || !is_memory(i->word.op));
}

static enum operand next_operand(const struct subcore *n) {
    int o = 0;

    while (o < OPERANDS && !(n->collector.valid && n->left[o]))
        o++;
    return (enum operand)o;
}

static void read_operand(struct subcore *n, enum operand o) {
    const struct instr *i = &n->collector.instr;

    n->collector.operand[o] = *row_of(n, i->warp, i->reg[o]);
    n->left[o] = false;
}

/* What is in the collector moves on, as dispatch is empty after this edge
 * without it. */
static bool moves_on(const struct subcore *n, bool empties) {
    return n->collector.valid && next_operand(n) == NO_OPERAND &&
           (!n->dispatch.valid || empties);
}

/* Who waits to write into the file, from the state before an edge. */
struct waiting {
    bool write, init, desk, shared;
};

/* A pass could leave for the lanes, if nobody waited. */
static bool may_leave(const struct subcore *n) {
    bool room = n->pass > 0 || n->lanes.many < n->l.LANES_DEPTH;

    return n->dispatch.valid && of_lanes(&n->dispatch.instr) && room;
}

/* Every second edge is left to those who wait. */
static bool leaves(const struct subcore *n, const struct waiting *w) {
    bool waits = w->write || w->init || w->desk || w->shared;

    return may_leave(n) && !(waits && n->lanes.pipe[0].valid);
}

static void cover_leaving(struct subcore *n, const struct waiting *w) {
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

/* --- shared memory -------------------------------------------------------- */

bool subcore_wants_shared(const struct subcore *n) {
    return n->dispatch.valid && n->dispatch.instr.to_shared;
}

struct nsm_access subcore_access(struct subcore *n) {
    const struct instr *i = &n->dispatch.instr;
    struct nsm_access a = {.warp = i->warp,
                           .tag = i->tag,
                           .ticket = i->ticket,
                           .op = i->word.op,
                           .number = i->word.value};

    if (i->has[DST])
        a.row = row_of(n, i->warp, i->reg[DST])->lane;
    for (int l = 0; l < n->l.LANES; l++) {
        a.at[l] = value_of(n, SRC0, l);
        a.compare[l] = value_of(n, SRC1, l);
        a.data[l] = value_of(n, SRC2, l);
        a.active |= (uint64_t)is_active(n, l) << l;
    }
    return a;
}

static bool is_file_taken(const struct subcore *n) {
    return n->lanes.pipe[DEPTH - 1].valid || n->out.write_ready ||
           n->out.init_ready;
}

bool subcore_writes(const struct subcore *n) {
    return is_file_taken(n) || (desk_has_words(n) && n->desk.instr.has[DST]);
}

/* --- ends of accesses ----------------------------------------------------- */

/* goes: the told one goes to 'done'. */
static void edge_opens(struct subcore *n, const struct far_pipe_in *in,
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
static bool may_write(struct subcore *n, uint64_t warp, uint64_t reg,
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

static struct waiting who_waits(const struct subcore *n,
                                const struct far_pipe_in *in, bool puts) {
    return (struct waiting){
        .write = (in->write_valid & 1) && !n->out.write_ready,
        .init = (in->init_valid & 1) && !n->out.init_ready,
        .desk = desk_has_words(n),
        .shared = puts,
    };
}

/* written: a row is, on this edge.  It leaves the next edge on which the lanes
 * write no pass to words that wait. */
static void edge_turn(struct subcore *n, bool written,
                      const struct waiting *w) {
    if (written)
        n->words_turn = w->desk || w->shared;
    else if (!n->lanes.pipe[DEPTH - 1].valid)
        n->words_turn = false;
}

static void write_row(struct subcore *n, uint64_t warp, uint64_t reg,
                      uint64_t mask, const uint64_t *data) {
    struct row *row = row_of(n, warp, reg);

    for (int i = 0; i < n->l.LANES; i++)
        if (mask >> i & 1)
            row->lane[i] = bits_lane(data, i);
}

/* --- an edge, part by part ------------------------------------------------ */

/* What is read on this edge is what stood before it, so this comes first.
 * Returns whether a row was, so that no operand can be. */
static bool edge_reads(struct subcore *n, const struct far_pipe_in *in) {
    struct far_pipe_out *o = &n->out;
    bool reads = !o->data_valid && n->read.valid;

    if (o->data_valid)
        memset(o->data_row, 0, sizeof o->data_row);
    o->data_valid = reads;
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
    bool gives; /* ... for the desk */
    bool whole; /* an access does, for shared memory */
    bool last;  /* it is the last one */
    bool on;    /* from the collector to dispatch */
    bool in;    /* from the entry to the collector */
};

/* From the state before the edge. */
static struct moving what_moves(const struct subcore *n,
                                const struct waiting *w, bool gives,
                                bool whole) {
    struct moving m = {.goes = leaves(n, w), .gives = gives, .whole = whole};

    m.last = whole || ((m.goes || gives) && n->pass == n->l.PASSES - 1);
    m.on = moves_on(n, m.last);
    m.in = n->entry_valid && (!n->collector.valid || m.on);
    return m;
}

static void cover_moving(struct subcore *n, const struct moving *m,
                         bool reads) {
    const struct instr *i = &n->dispatch.instr;
    bool first = n->dispatch.valid && n->pass == 0;
    bool whole = n->collector.valid && next_operand(n) == NO_OPERAND;

    hit_if(n, first && !m->gives && of_desk(i), FAR_PIPE_COV_desk_held);
    hit_if(n, first && !m->whole && i->to_shared, FAR_PIPE_COV_shared_held);
    hit_if(n, whole && !m->on, FAR_PIPE_COV_dispatch_held);
    hit_if(n, m->on && n->dispatch.valid, FAR_PIPE_COV_dispatch_next);
    hit_if(n, reads && (m->goes || m->gives || m->whole),
           FAR_PIPE_COV_read_ahead);
    hit_if(n, n->entry_valid && !m->in, FAR_PIPE_COV_collector_held);
}

/* Collector, dispatch and lanes. */
static void edge_unit(struct subcore *n, const struct moving *m,
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
static enum teller next_teller(struct subcore *n,
                               const struct far_pipe_in *in) {
    const bool has[TELLERS] = {n->lanes.ended > 0, n->desk.ended,
                               n->opens.told};
    bool refused = n->out.done_valid && !(in->done_ready & 1);

    hit_if(n, has[0] + has[1] + has[2] > 1, FAR_PIPE_COV_done_meet);
    hit_if(n, refused, FAR_PIPE_COV_done_held);
    for (int k = 1; k <= TELLERS && !refused; k++)
        if (has[(n->chosen + k) % TELLERS])
            return (enum teller)((n->chosen + k) % TELLERS);
    return NOBODY;
}

static void edge_done(struct subcore *n, const struct far_pipe_in *in,
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
    o->done_valid = 1;
    o->done_warp = i->warp;
    o->done_tag = i->tag;
    o->done_ticket = i->ticket;
}

static void edge_entry(struct subcore *n, const struct far_pipe_in *in,
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

static void edge_tables(struct subcore *n, const struct far_pipe_in *in) {
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
}

void subcore_edge(struct subcore *n, const struct far_pipe_in *in,
                  struct subcore_shared shared) {
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
    bool file_taken = is_file_taken(n);
    bool late = n->opens.fresh && n->opens.fault;
    const struct instr *first = n->dispatch.valid ? &n->dispatch.instr : NULL;
    bool begins = first && of_desk(first) && !n->desk.busy;
    bool more = n->desk.busy && n->desk.age < n->l.PASSES;
    struct waiting waits = who_waits(n, in, shared.puts);
    struct moving moves = what_moves(n, &waits, begins || more, shared.takes);
    bool over[MAX_WARPS];
    enum teller t = next_teller(n, in);
    struct instr tells;
    if (t != NOBODY)
        tells = t == LANES  ? n->lanes.instr[0]
                : t == DESK ? n->desk.instr
                            : n->opens.end;
    memcpy(over, n->opens.over, sizeof over);
    cover_leaving(n, &waits);
    edge_turn(n, put_write || put_init, &waits);

    bool reads = edge_reads(n, in);
    desk_edge(n, in, begins, file_taken, late);
    edge_opens(n, in, over, t == ACCESSES);
    edge_unit(n, &moves, reads);
    if (put_write)
        write_row(n, ww, wr, ones(n->l.LANES), in->write_row);
    if (put_init)
        write_row(n, iw, ir, in->init_mask, in->init_row);
    edge_done(n, in, t, &tells);
    edge_entry(n, in, moves.in);
    edge_tables(n, in);
    desk_show_ask(n, in->launch_bound);

    bool init = may_i && (!may_w || n->init_turn);
    o->write_ready = may_w && !init;
    o->init_ready = init;
    if (may_w || may_i)
        n->init_turn = !init;
    o->exec_ready = !n->entry_valid || !n->collector.valid;
}

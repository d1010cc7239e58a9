/* near_pipe.c - golden model of the near-bank pipelines.
 *
 * Written from docs/blocks/near_pipe.md.  A pass is computed when it leaves the
 * collector, by the arithmetic of the instruction set, and written when its
 * time has come.  Shared memory is in shared.c.
 */
#include "near_pipe.h"

#include "base/bits.h"
#include "blocks/near_pipe.h"
#include "frame/model.h"
#include "isa/alu.h"
#include "shared.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LANES = 32, MAX_UNITS = 16, DEPTH = 7 /* edges to the write */ };

enum operand { SRC0, SRC1, SRC2, GUARD, DST, OPERANDS, NO_OPERAND = OPERANDS };

struct row {
    uint32_t lane[MAX_LANES];
};

struct instr {
    uint64_t warp, tag, ticket, mask;
    bool has[OPERANDS];
    uint64_t reg[OPERANDS];
    struct isa_word word; /* from the collector on */
    bool to_reg, to_pred; /* there is a destination, too */
    bool to_shared;       /* it accesses shared memory */
};

/* A pass on its way. */
struct result {
    bool valid, last;
    int first;       /* lane */
    uint64_t active; /* of the pass */
    uint64_t keep;   /* bits of the others */
    uint32_t lane[MAX_LANES];
};

struct unit {
    struct row *file; /* rows by warp / units and register */
    bool held;
    struct instr instr;
    bool left[OPERANDS];
    enum operand asked;
    struct row operand[OPERANDS];
    int pass;
    bool busy, ended;
    struct instr work;         /* in the lanes */
    struct result pipe[DEPTH]; /* [0] left on the last edge */
    uint64_t bits;             /* of a predicate */
};

/* A request for a row. */
struct request {
    bool valid;
    uint64_t warp, reg;
};

struct near_pipe {
    struct golden base;
    struct near_pipe_local l;
    uint64_t *code;
    struct unit unit[MAX_UNITS];
    bool entry_valid;
    struct instr entry;
    uint64_t entry_word;
    struct request read, fetch;
    bool load_turn, fetch_turn;
    int chosen; /* unit that told last */
    struct smem shared;
    int access_unit; /* that the last access was of */
    struct instr access;
    struct near_pipe_out out;
};

static const struct smem_points points = {
    .load = NEAR_PIPE_COV_shared_load,
    .store = NEAR_PIPE_COV_shared_store,
    .atomic = NEAR_PIPE_COV_shared_atomic,
    .kept = NEAR_PIPE_COV_shared_kept,
    .part = NEAR_PIPE_COV_shared_part,
    .conflict = NEAR_PIPE_COV_shared_conflict,
    .same = NEAR_PIPE_COV_shared_same,
    .empty = NEAR_PIPE_COV_shared_empty,
    .still = NEAR_PIPE_COV_shared_still,
    .odd = NEAR_PIPE_COV_fault_odd,
    .off = NEAR_PIPE_COV_fault_off,
};

static void open(struct golden *g, const struct config *c) {
    struct near_pipe *n = (struct near_pipe *)g;

    n->l = near_pipe_local(c);
    n->code = xcalloc((size_t)n->l.CODE, sizeof *n->code);
    for (int u = 0; u < n->l.UNITS; u++)
        n->unit[u].file =
            xcalloc((size_t)bit(n->l.PLACE_W), sizeof *n->unit[u].file);
    smem_open(
        &n->shared,
        (struct smem_size){n->l.LANES, n->l.ALUS, n->l.PASSES, n->l.SHARED},
        bit(n->l.WARP_W), &points, g->covers);
}

static void close(struct golden *g) {
    struct near_pipe *n = (struct near_pipe *)g;

    free(n->code);
    smem_close(&n->shared);
    for (int u = 0; u < n->l.UNITS; u++)
        free(n->unit[u].file);
}

static void reset(struct golden *g) {
    struct near_pipe *n = (struct near_pipe *)g;

    for (int u = 0; u < n->l.UNITS; u++) {
        struct row *file = n->unit[u].file;
        memset(&n->unit[u], 0, sizeof n->unit[u]);
        n->unit[u].file = file;
        n->unit[u].asked = NO_OPERAND;
    }
    n->entry_valid = n->read.valid = n->fetch.valid = false;
    n->load_turn = n->fetch_turn = false;
    n->chosen = n->l.SHARED > 0 ? n->l.UNITS : n->l.UNITS - 1;
    n->access_unit = n->l.UNITS - 1;
    smem_reset(&n->shared);
    n->out.exec_ready = n->out.read_ready = n->out.fetch_ready = 1;
}

/* --- where things are ----------------------------------------------------- */

static struct unit *unit_of(struct near_pipe *n, uint64_t warp) {
    return &n->unit[warp % (uint64_t)n->l.UNITS];
}

static struct row *row_of(struct near_pipe *n, uint64_t warp, uint64_t reg) {
    uint64_t at = warp / (uint64_t)n->l.UNITS * (uint64_t)n->l.REGS + reg;

    return &unit_of(n, warp)->file[at];
}

static uint64_t row_bits(const struct row *r) {
    return r->lane[0];
}

/* --- what an instruction computes ----------------------------------------- */

static void read_word(struct near_pipe *n) {
    struct instr *i = &n->entry;

    if (isa_decode(n->entry_word, ISA_REGISTERS, &i->word) != ISA_LEGAL)
        memset(&i->word, 0, sizeof i->word); /* the contract is broken */
    i->to_reg = alu_is_value(i->word.op);
    i->to_pred = alu_is_test(i->word.op);
    i->to_shared = n->l.SHARED > 0 && smem_is(i->word.op);
}

static bool is_logic(const struct isa_word *w) {
    return isa_info(w->op)->class == ISA_CLASS_pred;
}

/* A predicate as a source: true where there is none. */
static bool holds(const struct unit *u, enum operand o, int lane, bool invert) {
    bool is = !u->instr.has[o] || row_bits(&u->operand[o]) >> lane & 1;
    return is != invert;
}

static uint32_t value_of(const struct unit *u, enum operand o, int lane) {
    return u->instr.has[o] ? u->operand[o].lane[lane] : 0;
}

static bool has_number(const struct isa_word *w) {
    return w->imm || isa_has(w->op, 'w');
}

static uint32_t compute(const struct unit *u, int lane) {
    const struct isa_word *w = &u->instr.word;
    uint32_t a = value_of(u, SRC0, lane), b = value_of(u, SRC1, lane);

    if (is_logic(w)) {
        a = holds(u, SRC0, lane, w->a & ISA_INVERT);
        b = holds(u, SRC1, lane, w->b & ISA_INVERT);
    }
    if (has_number(w))
        b = w->value;
    if (u->instr.to_pred)
        return alu_test(w, a, b);
    return alu_value(w, a, b, value_of(u, SRC2, lane),
                     holds(u, SRC2, lane, w->c & ISA_INVERT));
}

/* Mask and guard. */
static bool is_active(const struct unit *u, int lane) {
    const struct instr *i = &u->instr;

    return (i->mask >> lane & 1) &&
           (!i->has[GUARD] || holds(u, GUARD, lane, i->word.unless));
}

static void compute_pass(struct near_pipe *n, struct unit *u,
                         struct result *r) {
    const struct instr *i = &u->instr;
    bool computed = i->to_reg || i->to_pred;

    *r = (struct result){.valid = true,
                         .last = u->pass == n->l.PASSES - 1,
                         .first = u->pass * n->l.ALUS};
    for (int k = 0; k < n->l.ALUS; k++) {
        int lane = r->first + k;
        bool on = computed ? is_active(u, lane) : i->mask >> lane & 1;
        if (computed && on)
            r->lane[k] = compute(u, lane);
        r->active |= (uint64_t)on << k;
        if (i->has[DST] && i->to_pred)
            r->keep |= (row_bits(&u->operand[DST]) >> lane & 1) << k;
    }
}

static void cover_pass(struct near_pipe *n, const struct unit *u,
                       const struct result *r) {
    const struct instr *i = &u->instr;
    bool computed = i->to_reg || i->to_pred;
    uint64_t mask = i->mask >> r->first & ones(n->l.ALUS);

    hit_if(n, computed && is_logic(&i->word), NEAR_PIPE_COV_logic);
    hit_if(n, computed && i->word.op == ISA_sel, NEAR_PIPE_COV_select);
    hit_if(n, computed && has_number(&i->word), NEAR_PIPE_COV_number);
    hit_if(n, computed && r->active != mask, NEAR_PIPE_COV_guarded);
    hit_if(n, computed && i->has[GUARD] && i->word.unless,
           NEAR_PIPE_COV_guard_not);
    hit_if(n, i->mask == 0, NEAR_PIPE_COV_nobody);
    hit_if(n, computed && !i->has[DST], NEAR_PIPE_COV_lost);
    hit_if(n, !computed, NEAR_PIPE_COV_other);
    hit_if(n, i->to_pred && i->has[DST] && r->keep & ~r->active,
           NEAR_PIPE_COV_old_bits);
}

/* --- lanes ---------------------------------------------------------------- */

static void write_result(struct near_pipe *n, struct unit *u,
                         const struct result *r) {
    const struct instr *i = &u->work;
    struct row *row = row_of(n, i->warp, i->reg[DST]);

    for (int k = 0; k < n->l.ALUS; k++) {
        bool on = r->active >> k & 1;
        uint64_t b = on ? r->lane[k] & 1 : r->keep >> k & 1;
        if (i->to_reg && i->has[DST] && on)
            row->lane[r->first + k] = r->lane[k];
        u->bits |= b << (r->first + k);
    }
    if (!r->last)
        return;
    if (i->to_pred && i->has[DST]) {
        memset(row, 0, sizeof *row);
        row->lane[0] = (uint32_t)u->bits;
    }
    hit_if(n, i->to_reg && i->has[DST], NEAR_PIPE_COV_value);
    hit_if(n, i->to_pred && i->has[DST], NEAR_PIPE_COV_truth);
    u->bits = 0;
    u->ended = true;
}

/* --- collector ------------------------------------------------------------ */

static void take(struct near_pipe *n, struct unit *u) {
    struct instr *i = &u->instr;

    read_word(n);
    *i = n->entry;
    u->held = true;
    u->pass = 0;
    for (int o = 0; o < OPERANDS; o++)
        u->left[o] = (i->to_reg || i->to_pred || i->to_shared) && i->has[o] &&
                     (o != DST || i->to_pred);
}

static enum operand next_operand(const struct unit *u) {
    int o = 0;

    while (o < OPERANDS && !(u->held && u->left[o]))
        o++;
    return (enum operand)o;
}

static bool is_collected(const struct unit *u) {
    return u->held && next_operand(u) == NO_OPERAND && u->asked == NO_OPERAND;
}

/* Whether passes leave, before anything of this edge has happened. */
static bool leaves(const struct unit *u) {
    return is_collected(u) && !u->instr.to_shared && (!u->busy || u->pass > 0);
}

/* --- shared memory -------------------------------------------------------- */

/* The unit whose access is begun on this edge, -1: none. */
static int next_access(struct near_pipe *n) {
    int units = n->l.UNITS, first = -1, many = 0;
    bool room = smem_free(&n->shared);

    for (int k = 1; k <= units; k++) {
        int at = (n->access_unit + k) % units;
        if (!is_collected(&n->unit[at]) || !n->unit[at].instr.to_shared ||
            n->unit[at].pass > 0)
            continue;
        first = first < 0 ? at : first;
        many++;
    }
    hit_if(n, many > 1, NEAR_PIPE_COV_shared_meet);
    hit_if(n, many > 0 && !room, NEAR_PIPE_COV_shared_held);
    return room ? first : -1;
}

static void begin_access(struct near_pipe *n, int unit) {
    const struct unit *u = &n->unit[unit];
    struct smem_access a = {.warp = u->instr.warp, .op = u->instr.word.op};

    n->access_unit = unit;
    n->access = u->instr;
    for (int l = 0; l < n->l.LANES; l++) {
        a.at[l] = value_of(u, SRC0, l);
        a.compare[l] = value_of(u, SRC1, l);
        a.data[l] = value_of(u, SRC2, l);
        a.active |= (uint64_t)is_active(u, l) << l;
    }
    smem_begin(&n->shared, &a, u->instr.word.value);
}

/* begins: the unit whose access begins, -1: none.  taken: by unit, its file is
 * written by somebody else. */
static void edge_shared(struct near_pipe *n, int begins, const bool *taken) {
    struct near_pipe_out *o = &n->out;
    const struct instr *i = &n->access;

    if (begins >= 0)
        begin_access(n, begins);
    struct smem_fault f = smem_edge(
        &n->shared, i->has[DST] ? row_of(n, i->warp, i->reg[DST])->lane : NULL,
        taken[n->access_unit]);
    o->fault_valid = f.valid;
    o->fault_warp = f.valid ? i->warp : 0;
    o->fault_tag = f.valid ? i->tag : 0;
    o->fault_odd = f.odd;
    o->fault_address = f.address;
}

/* --- rows of others ------------------------------------------------------- */

/* Whether the row may be written on the next edge; covers say why not. */
static bool may_write(struct near_pipe *n, uint64_t warp, uint64_t reg,
                      bool valid, int behind, int unread) {
    const struct unit *u = unit_of(n, warp);
    bool waits = false, soon = u->pipe[DEPTH - 2].valid;

    for (int o = 0; o < OPERANDS; o++) {
        waits |= n->entry_valid && n->entry.warp == warp && n->entry.has[o] &&
                 n->entry.reg[o] == reg;
        waits |= u->held && u->instr.warp == warp && u->left[o] &&
                 u->instr.reg[o] == reg;
    }
    hit_if(n, valid && soon, behind);
    hit_if(n, valid && waits, unread);
    return valid && !soon && !waits;
}

static void write_row(struct near_pipe *n, uint64_t warp, uint64_t reg,
                      uint64_t mask, const uint64_t *data) {
    struct row *row = row_of(n, warp, reg);

    for (int i = 0; i < n->l.LANES; i++)
        if (mask >> i & 1)
            row->lane[i] = bits_lane(data, i);
}

static void show_row(struct near_pipe *n, const struct request *r,
                     uint64_t *data) {
    const struct row *row = row_of(n, r->warp, r->reg);

    for (int i = 0; i < n->l.LANES; i++)
        bits_set_lane(data, i, row->lane[i]);
}

/* --- an edge, part by part ------------------------------------------------ */

/* What is read on this edge is what stood before it, so this comes first.
 * Returns the unit of which no operand can be read, NULL: none. */
static struct unit *edge_reads(struct near_pipe *n,
                               const struct near_pipe_in *in) {
    struct near_pipe_out *o = &n->out;
    struct unit *taken = NULL;
    bool rests = o->data_valid || o->fetched_valid;
    bool both = n->read.valid && n->fetch.valid;
    bool fetches = !rests && n->fetch.valid && (!both || n->fetch_turn);
    bool reads = !rests && n->read.valid && !fetches;

    if (o->data_valid)
        memset(o->data_row, 0, sizeof o->data_row);
    if (o->fetched_valid)
        memset(o->fetched_data, 0, sizeof o->fetched_data);
    o->data_valid = o->fetched_valid = 0;
    hit_if(n, both, NEAR_PIPE_COV_both_reads);
    if (reads || fetches)
        n->fetch_turn = reads;
    if (reads) {
        taken = unit_of(n, n->read.warp);
        show_row(n, &n->read, o->data_row);
        o->data_valid = 1;
        n->read.valid = false;
        hit_if(n, next_operand(taken) != NO_OPERAND, NEAR_PIPE_COV_read_first);
    } else if (fetches) {
        taken = unit_of(n, n->fetch.warp);
        show_row(n, &n->fetch, o->fetched_data);
        o->fetched_valid = 1;
        n->fetch.valid = false;
        hit_if(n, next_operand(taken) != NO_OPERAND, NEAR_PIPE_COV_fetch_first);
    }
    if (o->read_ready && in->read_valid & 1)
        n->read = (struct request){true, in->read_warp & ones(n->l.WARP_W),
                                   in->read_reg & ones(n->l.REG_W)};
    if (o->fetch_ready && in->fetch_valid & 1)
        n->fetch = (struct request){true, in->fetch_warp & ones(n->l.WARP_W),
                                    in->fetch_reg & ones(n->l.REG_W)};
    o->read_ready = !n->read.valid;
    o->fetch_ready = !n->fetch.valid;
    return taken;
}

static void edge_unit(struct near_pipe *n, struct unit *u, bool port_taken,
                      bool gives) {
    bool goes = leaves(u);
    enum operand o = next_operand(u), asked = u->asked;
    struct result out = {0};

    if (!u->held && !u->busy && o == NO_OPERAND && asked == NO_OPERAND)
        return; /* nothing is in it */
    if (goes) {
        compute_pass(n, u, &out);
        cover_pass(n, u, &out);
        if (u->pass == 0)
            u->work = u->instr;
        u->busy = true;
        u->pass++;
        u->held = !out.last;
        if (out.last)
            u->pass = 0;
    }
    hit_if(n,
           u->held && o == NO_OPERAND && asked == NO_OPERAND && !goes &&
               !u->instr.to_shared,
           NEAR_PIPE_COV_lanes_held);
    if (gives && ++u->pass == n->l.PASSES) {
        u->held = false;
        u->pass = 0;
    }
    u->asked = NO_OPERAND;
    if (o != NO_OPERAND && !port_taken) {
        u->operand[o] = *row_of(n, u->instr.warp, u->instr.reg[o]);
        u->left[o] = false;
        u->asked = o; /* it is collected on the next edge */
    }
    if (u->pipe[DEPTH - 1].valid)
        write_result(n, u, &u->pipe[DEPTH - 1]);
    memmove(u->pipe + 1, u->pipe, (DEPTH - 1) * sizeof u->pipe[0]);
    u->pipe[0] = out;
}

static void edge_done(struct near_pipe *n, const bool *ended,
                      const struct near_pipe_in *in) {
    struct near_pipe_out *o = &n->out;
    int tellers = n->l.UNITS + (n->l.SHARED > 0), many = 0;

    for (int k = 0; k < tellers; k++)
        many += ended[k];
    hit_if(n, many > 1, NEAR_PIPE_COV_done_meet);
    hit_if(n, o->done_valid && !(in->done_ready & 1), NEAR_PIPE_COV_done_held);
    if (o->done_valid && !(in->done_ready & 1))
        return;
    o->done_valid = o->done_warp = o->done_tag = o->done_ticket = 0;
    for (int k = 1; k <= tellers; k++) {
        int at = (n->chosen + k) % tellers;
        bool shared = at == n->l.UNITS;
        const struct instr *i = shared ? &n->access : &n->unit[at].work;
        if (!ended[at])
            continue;
        n->chosen = at;
        if (shared)
            smem_told(&n->shared);
        else
            n->unit[at].ended = n->unit[at].busy = false;
        o->done_valid = 1;
        o->done_warp = i->warp;
        o->done_tag = i->tag;
        o->done_ticket = i->ticket;
        return;
    }
}

static void edge_entry(struct near_pipe *n, const struct near_pipe_in *in,
                       bool goes) {
    const uint64_t operand[OPERANDS] = {in->exec_src0, in->exec_src1,
                                        in->exec_src2, in->exec_guard,
                                        in->exec_dst};
    struct instr *e = &n->entry;

    if (goes) {
        take(n, unit_of(n, e->warp));
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

static void edge(struct golden *g, const void *ports) {
    struct near_pipe *n = (struct near_pipe *)g;
    const struct near_pipe_in *in = ports;
    struct near_pipe_out *o = &n->out;
    bool put_write = o->write_ready, put_load = o->load_ready, free_turn;
    bool ended[MAX_UNITS + 1], file_taken[MAX_UNITS], all = true;
    bool goes = n->entry_valid && !unit_of(n, n->entry.warp)->held;
    uint64_t ww = in->write_warp & ones(n->l.WARP_W);
    uint64_t wr = in->write_reg & ones(n->l.REG_W);
    uint64_t lw = in->load_warp & ones(n->l.WARP_W);
    uint64_t lr = in->load_reg & ones(n->l.REG_W);

    hit_if(n, n->entry_valid && !goes, NEAR_PIPE_COV_collector_held);
    free_turn = !put_write && !put_load;
    bool may_w =
        may_write(n, ww, wr, free_turn && in->write_valid & 1,
                  NEAR_PIPE_COV_write_behind, NEAR_PIPE_COV_write_unread);
    bool may_l =
        may_write(n, lw, lr, free_turn && in->load_valid & 1,
                  NEAR_PIPE_COV_load_behind, NEAR_PIPE_COV_load_unread);
    hit_if(n, may_w && may_l, NEAR_PIPE_COV_both_writes);

    for (int u = 0; u < n->l.UNITS; u++) {
        ended[u] = n->unit[u].ended;
        all &= n->unit[u].busy && !ended[u];
        file_taken[u] = n->unit[u].pipe[DEPTH - 1].valid ||
                        (put_write && unit_of(n, ww) == &n->unit[u]) ||
                        (put_load && unit_of(n, lw) == &n->unit[u]);
    }
    ended[n->l.UNITS] = n->shared.ended;
    hit_if(n, all, NEAR_PIPE_COV_all_units);

    int begins = next_access(n);
    int gives = smem_more(&n->shared) ? n->access_unit : begins;

    struct unit *taken = edge_reads(n, in);
    edge_shared(n, begins, file_taken);
    for (int u = 0; u < n->l.UNITS; u++)
        edge_unit(n, &n->unit[u], taken == &n->unit[u], gives == u);
    if (put_write)
        write_row(n, ww, wr, ones(n->l.LANES), in->write_row);
    if (put_load)
        write_row(n, lw, lr, in->load_mask, in->load_data);
    edge_done(n, ended, in);
    edge_entry(n, in, goes);
    if (in->code_valid & 1)
        n->code[in->code_tag & ones(n->l.TAG_W)] = in->code_word;
    if (in->window_valid & 1)
        smem_window(
            &n->shared, in->window_warp & ones(n->l.WARP_W),
            (struct smem_window){in->window_base & ones(n->l.BANK_W),
                                 in->window_rows & ones(n->l.BANK_W + 1)});

    bool load = may_l && (!may_w || n->load_turn);
    o->write_ready = may_w && !load;
    o->load_ready = load;
    if (may_w || may_l)
        n->load_turn = !load;
    o->exec_ready = !n->entry_valid || !unit_of(n, n->entry.warp)->held;
}

const struct golden_class near_pipe_golden = {
    .iface = &near_pipe_iface,
    MODEL_STRUCT(struct near_pipe),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .still = true,
};

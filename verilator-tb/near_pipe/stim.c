/* stim.c - stimulus of the near-bank pipelines: a near-bank unit that sends
 * instructions, asks for rows and brings some, and a load-store unit that does.
 *
 * The environment has all near registers by itself.  It executes an instruction
 * when it is taken, by the arithmetic of the instruction set, and knows from
 * then on what the destination holds; it asks for each destination after the
 * completion, and for other rows, and compares.  Accesses to shared memory it
 * executes in the order of their completions, a lane after the other, with the
 * operands that they had when they were taken.
 *
 * random    phases with other rates, operations and patience
 * directed  operation after operation, each with numbers, guards and masks
 */
#include "stim.h"

#include "base/arena.h"
#include "base/array.h"
#include "env.h"
#include "isa/alu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- registers ------------------------------------------------------------ */

/* The upper quarter of the registers are predicates. */
static bool is_pred(const struct near_pipe_stim *s, uint64_t reg) {
    return reg >= (uint64_t)s->size.REGS * 3 / 4;
}

static uint64_t some_reg(struct near_pipe_stim *s, bool pred) {
    uint64_t preds = (uint64_t)s->size.REGS / 4;
    uint64_t first = (uint64_t)s->size.REGS - preds;
    uint32_t n = (uint32_t)(pred ? preds : first);
    return (pred ? first : 0) + rng_below(&s->base.rng, n);
}

/* Every third row has addresses of shared memory, mostly. */
static bool is_address(const struct near_pipe_stim *s, uint64_t reg) {
    return s->size.SHARED > 0 && !is_pred(s, reg) && reg % 3 == 0;
}

static bool is_row(const struct row *r, uint64_t warp, uint64_t reg) {
    return (r->offered || r->due) && r->warp == warp && r->reg == reg;
}

static bool offer_uses(const struct near_pipe_stim *s, uint64_t warp,
                       uint64_t reg) {
    for (int o = 0; o < OPERANDS; o++)
        if (s->offered && s->offer.warp == warp && s->offer.has[o] &&
            s->offer.reg[o] == reg)
            return true;
    return false;
}

/* It may be read for others. */
static bool may_ask(struct near_pipe_stim *s, uint64_t warp, uint64_t reg) {
    const struct cell *c = cell_of(s, warp, reg);
    return c->whole && !c->pending && !is_row(&s->write, warp, reg) &&
           !is_row(&s->load, warp, reg);
}

/* It may be read by an instruction. */
static bool may_read(struct near_pipe_stim *s, uint64_t warp, uint64_t reg) {
    return may_ask(s, warp, reg) && !cell_of(s, warp, reg)->vague;
}

/* It may be written by an instruction or a row. */
static bool may_write(struct near_pipe_stim *s, uint64_t warp, uint64_t reg) {
    return !cell_of(s, warp, reg)->pending && !is_row(&s->read, warp, reg) &&
           !is_row(&s->fetch, warp, reg) && !is_row(&s->write, warp, reg) &&
           !is_row(&s->load, warp, reg);
}

static uint64_t some_warp(struct near_pipe_stim *s) {
    uint32_t n = (uint32_t)s->size.WARPS;
    if (s->tune.few && (uint32_t)s->tune.few < n)
        n = (uint32_t)s->tune.few;
    return rng_below(&s->base.rng, n);
}

/* --- words ---------------------------------------------------------------- */

static uint32_t some_value(struct near_pipe_stim *s) {
    static const uint32_t odd[] = {
        0,          1,          0x80000000, 0xffffffff, 0x7fffffff, 0x7f800000,
        0xff800000, 0x3f800000, 0xbf800000, 0x00000001, 0x807fffff, 0x7f800001,
        0x4f000000, 0xcf000000, 31,         32};
    struct rng *r = &s->base.rng;
    if (rng_percent(r, 30))
        return odd[rng_below(r, 16)];
    if (rng_percent(r, 20)) /* f32 about one */
        return 0x3f000000 + (uint32_t)rng_next(r) % 0x01000000;
    return (uint32_t)rng_next(r);
}

static bool is_computed(int op) {
    return alu_is_value(op) || alu_is_test(op);
}

static bool is_executed(const struct near_pipe_stim *s, int op) {
    return is_computed(op) || scratch_is(&s->scratch, op);
}

static int some_access(struct near_pipe_stim *s) {
    int op = 0;
    while (op == 0 || !isa_info(op)->text || !scratch_is(&s->scratch, op))
        op = 1 + (int)rng_below(&s->base.rng, ISA_OPS - 1);
    return op;
}

static int some_op(struct near_pipe_stim *s) {
    struct rng *r = &s->base.rng;
    if (s->size.SHARED > 0 && rng_percent(r, s->tune.shared))
        return rng_percent(r, 30) ? ISA_sts_b32 : some_access(s);
    bool other = rng_percent(&s->base.rng, s->tune.others);
    int op = s->tune.op;
    while (op == 0 || !isa_info(op)->text || is_executed(s, op) == other ||
           (!s->tune.op && scratch_is(&s->scratch, op))) {
        op = 1 + (int)rng_below(&s->base.rng, ISA_OPS - 1);
        if (!other && s->tune.op)
            return s->tune.op;
    }
    return op;
}

/* A legal word of the operation. */
static uint64_t some_word(struct near_pipe_stim *s) {
    struct rng *r = &s->base.rng;
    int op = some_op(s);
    struct isa_word w = {.op = (uint8_t)op, .guard = ISA_TRUE};
    uint64_t word = 0;
    bool number = rng_percent(r, 40);
    if (!isa_has(op, 'U')) {
        w.guard = (uint8_t)rng_below(r, 8);
        w.unless = rng_percent(r, 50);
    }
    if (isa_has(op, 'd') || isa_has(op, 'D'))
        w.d = (uint8_t)rng_below(r, isa_has(op, 'd') ? 64 : 8);
    if (isa_has(op, 'a') || isa_has(op, 'm') || isa_has(op, 'n'))
        w.a = (uint8_t)rng_below(r, 64);
    if (isa_has(op, 'A'))
        w.a = (uint8_t)rng_below(r, 16);
    if (isa_has(op, 'b'))
        w.b = (uint8_t)rng_below(r, 64);
    if (isa_has(op, 'B'))
        w.b = (uint8_t)rng_below(r, 16);
    if (isa_has(op, 'c'))
        w.c = (uint8_t)rng_below(r, 64);
    if (isa_has(op, 'C'))
        w.c = (uint8_t)rng_below(r, 16);
    if (isa_has(op, 'i') || isa_has(op, 'f')) {
        w.imm = number;
        if (!number)
            w.b = (uint8_t)rng_below(r, 64);
        else if (isa_has(op, 'f'))
            w.value = some_value(s) & ~(uint32_t)0xff;
        else
            w.value = (uint32_t)bits_signed(
                rng_percent(r, 50) ? rng_below(r, 40) : rng_next(r) & ones(24),
                24);
    }
    if (isa_has(op, 'm') || isa_has(op, 's') || isa_has(op, 'p')) {
        w.imm = true;
        w.value = rng_below(r, 4);
    }
    if (isa_has(op, 'm'))
        w.value = (uint32_t)(rng_percent(r, 80) ? 4 * rng_range(r, -2, 5)
                                                : rng_range(r, -3, 3));
    if (isa_has(op, 'w'))
        w.value = some_value(s);
    if (isa_has(op, 't'))
        w.target = w.join = (uint16_t)rng_below(r, 64);
    if (isa_has(op, 'R'))
        w.round = (uint8_t)rng_below(r, 4);
    if (!w.imm) {
        w.ftz = isa_has(op, 'Z') && rng_percent(r, 40);
        w.sat = isa_has(op, 'S') && rng_percent(r, 30);
    }
    /* hints and marks, which mean nothing here */
    w.place = (uint8_t)rng_below(r, 4);
    w.chain = (uint8_t)rng_below(r, 16);
    w.mark = rng_percent(r, 50);
    if (isa_encode(&w, &word) != ISA_LEGAL)
        BUG("a word of operation 0x%02x is not legal", op);
    return word;
}

/* --- instructions --------------------------------------------------------- */

static void pick_source(struct near_pipe_stim *s, enum operand o, bool pred) {
    struct instr *i = &s->offer;
    for (int n = 0; n < TRIES && !i->has[o]; n++) {
        i->reg[o] = some_reg(s, pred);
        if (o == SRC0 && i->shared && n < TRIES - 1)
            i->reg[o] -= i->reg[o] % 3;
        i->has[o] = may_read(s, i->warp, i->reg[o]);
    }
}

static void pick_destination(struct near_pipe_stim *s, bool pred) {
    struct instr *i = &s->offer;
    bool partial = i->mask != ones(s->size.LANES) || i->has[GUARD];
    for (int n = 0; n < TRIES && !i->has[DST]; n++) {
        i->reg[DST] = some_reg(s, pred);
        if (is_address(s, i->reg[DST]) && rng_percent(&s->base.rng, 90))
            continue;
        i->has[DST] = may_write(s, i->warp, i->reg[DST]) &&
                      (!partial || may_read(s, i->warp, i->reg[DST]));
    }
}

static bool has_ticket(const struct near_pipe_stim *s, uint64_t unit,
                       uint64_t ticket) {
    for (int n = 0; n < s->flights[unit]; n++)
        if (s->flight[unit][n].ticket == ticket)
            return true;
    return false;
}

static void offer_instr(struct near_pipe_stim *s) {
    struct rng *r = &s->base.rng;
    struct instr *i = &s->offer;
    memset(i, 0, sizeof *i);
    i->warp = some_warp(s);
    i->tag = rng_next(r) & ones(s->size.TAG_W);
    if (s->code[i->tag] == 0 ||
        s->flights[i->warp % (uint64_t)s->size.UNITS] == FLIGHT)
        return;
    if (isa_decode(s->code[i->tag], ISA_REGISTERS, &i->word) != ISA_LEGAL)
        BUG("a word is not legal");
    int op = i->word.op;
    i->shared = scratch_is(&s->scratch, op);
    if (i->shared && s->scratch.window[i->warp].rows == 0)
        return;
    i->op = rng_next(r) & ones(s->size.OP_W);
    do
        i->ticket = rng_next(r) & ones(s->size.TICKET_W);
    while (has_ticket(s, i->warp % (uint64_t)s->size.UNITS, i->ticket));
    i->mask = rng_percent(r, 60) ? ones(s->size.LANES)
                                 : rng_next(r) & ones(s->size.LANES);
    if (rng_percent(r, 3))
        i->mask = 0;
    bool ab_pred = isa_has(op, 'A');
    bool address = isa_has(op, 'm') || isa_has(op, 'n');
    if (rng_percent(r, 95) && (isa_has(op, 'a') || ab_pred || address))
        pick_source(s, SRC0, ab_pred);
    if (rng_percent(r, 95) && !i->word.imm && !isa_has(op, 'w'))
        pick_source(s, SRC1, ab_pred);
    if (rng_percent(r, 90) && (isa_has(op, 'c') || isa_has(op, 'C')))
        pick_source(s, SRC2, isa_has(op, 'C'));
    if (rng_percent(r, 35))
        pick_source(s, GUARD, true);
    if (rng_percent(r, 95) && !(i->shared && !isa_has(op, 'd')))
        pick_destination(s, alu_is_test(op));
    for (int o = 0; o < OPERANDS; o++) /* nobody looks at these */
        i->kind[o] = rng_below(r, 4);
    s->offered = !i->shared || access_prepare(s);
}

/* What it leaves in its destination. */
static void execute(struct near_pipe_stim *s, const struct instr *i) {
    const struct isa_word *w = &i->word;
    struct cell *d = cell_of(s, i->warp, i->reg[DST]);
    struct cell was = *d;
    uint32_t bits = was.whole ? was.lane[0] : 0;
    if (!is_computed(w->op) || !i->has[DST])
        return;
    for (int l = 0; l < s->size.LANES; l++) {
        uint32_t a = value_of(s, i, SRC0, l), b = value_of(s, i, SRC1, l);
        if (!(i->mask >> l & 1) ||
            (i->has[GUARD] && holds(s, i, GUARD, l) == w->unless))
            continue;
        if (isa_has(w->op, 'A')) {
            a = holds(s, i, SRC0, l) != ((w->a & ISA_INVERT) != 0);
            b = holds(s, i, SRC1, l) != ((w->b & ISA_INVERT) != 0);
        }
        if (w->imm || w->op == ISA_movi)
            b = w->value;
        bool p = holds(s, i, SRC2, l) != ((w->c & ISA_INVERT) != 0);
        if (alu_is_test(w->op))
            bits = (bits & ~(UINT32_C(1) << l)) | (uint32_t)alu_test(w, a, b)
                                                      << l;
        else
            was.lane[l] = alu_value(w, a, b, value_of(s, i, SRC2, l), p);
    }
    if (alu_is_test(w->op)) {
        memset(was.lane, 0, sizeof was.lane);
        was.lane[0] = bits;
    }
    was.whole = was.pending = true;
    was.vague = false;
    *d = was;
}

/* --- rows ----------------------------------------------------------------- */

static void ask(struct near_pipe_stim *s, struct row *r) {
    r->warp = some_warp(s);
    r->reg = some_reg(s, rng_percent(&s->base.rng, 25));
    if (s->checks > 0) {
        uint64_t at = s->check[0];
        r->warp = at / (uint64_t)s->size.REGS;
        r->reg = at % (uint64_t)s->size.REGS;
        memmove(s->check, s->check + 1,
                (size_t)(--s->checks) * sizeof s->check[0]);
    }
    if (offer_uses(s, r->warp, r->reg) && s->offer.has[DST] &&
        s->offer.reg[DST] == r->reg)
        return;
    r->offered = may_ask(s, r->warp, r->reg);
    r->waits = 0;
}

static void bring(struct near_pipe_stim *s, struct row *r, bool masked) {
    struct rng *g = &s->base.rng;
    r->warp = some_warp(s);
    bool pred = rng_percent(g, 25);
    r->reg = some_reg(s, pred);
    for (int i = 0; i < s->size.LANES; i++)
        r->lane[i] = pred ? 0 : some_value(s);
    if (pred)
        r->lane[0] = (uint32_t)(rng_next(g) & ones(s->size.LANES));
    if (is_address(s, r->reg) && rng_percent(g, 95))
        scratch_addresses(&s->scratch, g, r->warp, r->lane);
    r->mask = ones(s->size.LANES);
    const struct cell *c = cell_of(s, r->warp, r->reg);
    if (masked && !pred && c->whole && !c->vague)
        r->mask = rng_next(g) & ones(s->size.LANES);
    r->offered =
        may_write(s, r->warp, r->reg) && !offer_uses(s, r->warp, r->reg);
    r->waits = 0;
}

static void came(struct near_pipe_stim *s, struct row *r) {
    struct cell *c = cell_of(s, r->warp, r->reg);
    for (int i = 0; i < s->size.LANES; i++)
        if (r->mask >> i & 1)
            c->lane[i] = r->lane[i];
    c->whole = true;
    c->vague = false;
    r->offered = false;
    s->rows++;
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    struct near_pipe_stim *s = (struct near_pipe_stim *)base;
    if (s->left-- > 0)
        return;
    do
        s->turn = s->turn % (ISA_OPS - 1) + 1;
    while (!isa_info(s->turn)->text || !is_executed(s, s->turn));
    s->tune = (struct tune){
        .instrs = 100,
        .codes = 100,
        .reads = 60,
        .writes = 40,
        .fetches = 20,
        .loads = 20,
        .op = s->turn,
        .shared = scratch_is(&s->scratch, s->turn) ? 30 : 0,
        .others = 5,
        .high = 3,
        .low = s->turn % 8 == 0 ? 40 : s->turn % 3,
    };
    s->left = 90;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 30, 10, 3};
    struct near_pipe_stim *s = (struct near_pipe_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){
        .instrs = rates[rng_below(r, 4)],
        .codes = rates[rng_below(r, 5)],
        .reads = rates[rng_below(r, 5)],
        .writes = rates[rng_below(r, 5)],
        .fetches = rates[rng_below(r, 5)],
        .loads = rates[rng_below(r, 5)],
        .few = rng_percent(r, 50) ? 0 : rng_range(r, 1, 4),
        .others = rng_percent(r, 50) ? 0 : 10,
        .shared = rng_percent(r, 30) ? 0 : rng_range(r, 10, 90),
        .high = rng_range(r, 1, 6),
        .low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 30),
    };
    s->left = rng_range(r, 60, 600);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct near_pipe_stim *s = (struct near_pipe_stim *)base;
    s->size = near_pipe_local(c);
    s->code = xcalloc((size_t)s->size.CODE, sizeof *s->code);
    s->cell = xcalloc((size_t)(s->size.WARPS * s->size.REGS), sizeof *s->cell);
    scratch_open(&s->scratch, s->size.LANES, s->size.ALUS, s->size.SHARED,
                 s->size.WARPS);
    base->reset_every = 4000;
}

static void close(struct stim *base) {
    struct near_pipe_stim *s = (struct near_pipe_stim *)base;
    free(s->code);
    free(s->cell);
    scratch_close(&s->scratch);
}

/* How much of a result has been written is not known to the environment. */
static void reset(struct stim *base) {
    struct near_pipe_stim *s = (struct near_pipe_stim *)base;
    for (int i = 0; i < s->size.WARPS * s->size.REGS; i++) {
        struct cell *c = &s->cell[i];
        if (c->pending) {
            c->whole = c->stood;
            c->vague = true;
        }
        c->pending = false;
    }
    access_forget(s);
    s->write.offered = s->load.offered = s->offered = false;
    s->scratch.next_there = false;
    s->read.offered = s->read.due = s->fetch.offered = s->fetch.due = false;
    memset(s->flights, 0, sizeof s->flights);
    s->checks = s->quiet = s->instr_waits = 0;
}

static uint64_t pack(const struct near_pipe_stim *s, const struct instr *i,
                     enum operand o) {
    return (uint64_t)i->has[o] << (s->size.REG_W + 2) |
           i->kind[o] << s->size.REG_W | i->reg[o];
}

static void drive_exec(struct near_pipe_stim *s, struct near_pipe_in *in) {
    const struct instr *i = &s->offer;
    if (!s->offered && rng_percent(&s->base.rng, s->tune.instrs))
        offer_instr(s);
    in->exec_valid = s->offered;
    in->exec_warp = i->warp;
    in->exec_tag = i->tag;
    in->exec_op = i->op;
    in->exec_mask = i->mask;
    in->exec_src0 = pack(s, i, SRC0);
    in->exec_src1 = pack(s, i, SRC1);
    in->exec_src2 = pack(s, i, SRC2);
    in->exec_guard = pack(s, i, GUARD);
    in->exec_dst = pack(s, i, DST);
    in->exec_ticket = i->ticket;
}

static void drive_code(struct near_pipe_stim *s, struct near_pipe_in *in) {
    struct rng *r = &s->base.rng;
    in->code_tag = rng_next(r) & ones(s->size.TAG_W);
    in->code_word = rng_next(r);
    in->code_valid = rng_percent(r, s->tune.codes) &&
                     !(s->offered && s->offer.tag == in->code_tag);
    if (in->code_valid)
        s->code[in->code_tag] = in->code_word = some_word(s);
}

/* In reset nothing is taken and nothing written, whatever comes. */
static void drive_noise(struct near_pipe_stim *s, struct near_pipe_in *in) {
    struct rng *r = &s->base.rng;
    in->code_valid = rng_percent(r, 50);
    in->code_tag = rng_next(r) & ones(s->size.TAG_W);
    in->code_word = rng_next(r);
    access_drive_noise(s, in);
    in->write_valid = rng_percent(r, 50);
    in->write_warp = some_warp(s);
    in->write_reg = some_reg(s, false);
    in->write_pred = 0;
    in->load_valid = rng_percent(r, 50);
    in->load_warp = some_warp(s);
    in->load_reg = some_reg(s, false);
    in->load_mask = rng_next(r) & ones(s->size.LANES);
    for (int i = 0; i < s->size.LANES; i++) {
        bits_set_lane(in->write_row, i, (uint32_t)rng_next(r));
        bits_set_lane(in->load_data, i, (uint32_t)rng_next(r));
    }
}

static void drive(struct stim *base, void *ports) {
    struct near_pipe_stim *s = (struct near_pipe_stim *)base;
    struct near_pipe_in *in = ports;
    struct rng *r = &base->rng;
    struct tune *t = &s->tune;
    in->done_ready = toggle_step(&s->done, r, t->high, t->low);
    in->code_valid = in->exec_valid = in->window_valid = 0;
    in->read_valid = in->fetch_valid = in->write_valid = in->load_valid = 0;
    if (base->rst_left > 0) {
        drive_noise(s, in);
        return;
    }
    if (!s->read.offered && !s->read.due && rng_percent(r, t->reads))
        ask(s, &s->read);
    if (!s->fetch.offered && !s->fetch.due && rng_percent(r, t->fetches))
        ask(s, &s->fetch);
    if (!s->write.offered && rng_percent(r, t->writes))
        bring(s, &s->write, false);
    if (!s->load.offered && rng_percent(r, t->loads))
        bring(s, &s->load, true);
    drive_exec(s, in);
    access_drive_window(s, in);
    drive_code(s, in);
    in->read_valid = s->read.offered;
    in->read_warp = s->read.warp;
    in->read_reg = s->read.reg;
    in->fetch_valid = s->fetch.offered;
    in->fetch_warp = s->fetch.warp;
    in->fetch_reg = s->fetch.reg;
    in->write_valid = s->write.offered;
    in->write_warp = s->write.warp;
    in->write_reg = s->write.reg;
    in->write_pred = is_pred(s, s->write.reg);
    in->load_valid = s->load.offered;
    in->load_warp = s->load.warp;
    in->load_reg = s->load.reg;
    in->load_mask = s->load.mask;
    for (int i = 0; i < s->size.LANES; i++) {
        bits_set_lane(in->write_row, i, s->write.lane[i]);
        bits_set_lane(in->load_data, i, s->load.lane[i]);
    }
}

/* --- what must come out --------------------------------------------------- */

static void check_row(struct near_pipe_stim *s, struct row *r, bool valid,
                      const uint64_t *data, int limit, const char *what) {
    if (!valid) {
        if (r->due && ++r->waits > limit)
            stim_complain(&s->base, "a row for '%s' does not come", what);
        return;
    }
    if (!r->due) {
        stim_complain(&s->base, "a row at '%s' that nobody asked for", what);
        return;
    }
    const struct cell *c = cell_of(s, r->warp, r->reg);
    for (int i = 0; i < s->size.LANES; i++)
        if (!c->vague && bits_lane(data, i) != c->lane[i])
            stim_complain(&s->base,
                          "lane %d of register %" PRIu64 " of warp %" PRIu64
                          " is %08" PRIx32 " at '%s', expected %08" PRIx32,
                          i, r->reg, r->warp, bits_lane(data, i), what,
                          c->lane[i]);
    r->due = false;
    s->compared++;
}

static void asked(struct row *r, bool taken) {
    if (!taken)
        return;
    r->offered = false;
    r->due = true;
    r->waits = 0;
}

/* Place of the instruction among those of its unit: the oldest one of the
 * lanes, or of shared memory; -1: it is neither. */
static int ended(const struct near_pipe_stim *s,
                 const struct near_pipe_out *o) {
    uint64_t u = o->done_warp % (uint64_t)s->size.UNITS;
    bool seen[2] = {false, false};
    for (int n = 0; n < s->flights[u]; n++) {
        const struct instr *i = &s->flight[u][n];
        if (!seen[i->shared] && i->warp == o->done_warp &&
            i->tag == o->done_tag && i->ticket == o->done_ticket)
            return n;
        seen[i->shared] = true;
    }
    return -1;
}

/* It is of the oldest access of its unit that is not at 'done' already. */
static void check_fault(struct near_pipe_stim *s,
                        const struct near_pipe_out *o) {
    if (!o->fault_valid)
        return;
    uint64_t u = o->fault_warp % (uint64_t)s->size.UNITS;
    for (int n = 0; n < s->flights[u]; n++) {
        struct instr *i = &s->flight[u][n];
        if (i->shared && !i->faulted && i->access.wrong >= 0 &&
            i->warp == o->fault_warp && i->tag == o->fault_tag &&
            i->access.odd == (o->fault_odd & 1) &&
            i->access.at[i->access.wrong] == o->fault_address) {
            i->faulted = true;
            s->faults++;
            return;
        }
        if (i->shared && !(o->done_valid && ended(s, o) == n))
            break;
    }
    stim_complain(&s->base, "a fault that no access to shared memory has");
}

static void check_done(struct near_pipe_stim *s,
                       const struct near_pipe_out *o) {
    if (!o->done_valid)
        return;
    if (s->flights[o->done_warp % (uint64_t)s->size.UNITS] == 0)
        stim_complain(&s->base, "a completion that nobody waits for");
    else if (ended(s, o) < 0)
        stim_complain(&s->base, "a completion of another instruction than the "
                                "oldest of its unit");
}

static void completed(struct near_pipe_stim *s, const struct near_pipe_out *o) {
    uint64_t u = o->done_warp % (uint64_t)s->size.UNITS;
    int n = ended(s, o);
    if (n < 0)
        return;
    struct instr i = s->flight[u][n];
    memmove(s->flight[u] + n, s->flight[u] + n + 1,
            (size_t)(--s->flights[u] - n) * sizeof i);
    struct cell *d = cell_of(s, i.warp, i.reg[DST]);
    if (i.shared)
        access_end(s, &i);
    if (!i.has[DST] || !(is_computed(i.word.op) || i.shared))
        return;
    d->pending = false;
    if (s->checks < CHECKS && d->whole)
        s->check[s->checks++] = i.warp * (uint64_t)s->size.REGS + i.reg[DST];
}

static void began(struct near_pipe_stim *s) {
    uint64_t u = s->offer.warp % (uint64_t)s->size.UNITS;
    struct cell *d = cell_of(s, s->offer.warp, s->offer.reg[DST]);
    d->stood = d->whole;
    execute(s, &s->offer);
    if (s->offer.shared && s->offer.has[DST])
        d->pending = true;
    if (s->flights[u] == FLIGHT)
        stim_complain(&s->base, "a unit has too many instructions");
    else
        s->flight[u][s->flights[u]++] = s->offer;
    s->offered = false;
    s->instrs++;
}

/* How long things wait, but for completions that are refused. */
static void check_haste(struct near_pipe_stim *s, bool refused, bool took,
                        bool told) {
    int limit = 60 + 4 * s->size.PASSES, flights = 0;
    int access = s->size.SHARED > 0 ? 4 * s->size.LANES + 20 : 0;
    for (int u = 0; u < s->size.UNITS; u++)
        flights += s->flights[u];
    if (refused)
        return;
    s->quiet = flights > 0 && !told ? s->quiet + 1 : 0;
    s->instr_waits = s->offered && !took ? s->instr_waits + 1 : 0;
    s->write.waits = s->write.offered ? s->write.waits + 1 : 0;
    s->load.waits = s->load.offered ? s->load.waits + 1 : 0;
    if (s->quiet > limit + access)
        stim_complain(&s->base, "no instruction completes");
    limit += access * (s->size.UNITS + 2);
    if (s->instr_waits > limit)
        stim_complain(&s->base, "an instruction is not taken");
    if (s->write.waits > limit || s->load.waits > limit)
        stim_complain(&s->base, "a row is not taken");
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct near_pipe_stim *s = (struct near_pipe_stim *)base;
    const struct near_pipe_in *in = in_ports;
    const struct near_pipe_out *before = before_ports, *after = after_ports;
    bool took = before->exec_ready && in->exec_valid;
    bool told = before->done_valid && in->done_ready;
    scratch_moves(&s->scratch);
    if (told)
        completed(s, before);
    if (before->write_ready && in->write_valid)
        came(s, &s->write);
    if (before->load_ready && in->load_valid)
        came(s, &s->load);
    asked(&s->read, before->read_ready && in->read_valid);
    asked(&s->fetch, before->fetch_ready && in->fetch_valid);
    if (took)
        began(s);
    check_row(s, &s->read, after->data_valid, after->data_row, 3, "data");
    check_row(s, &s->fetch, after->fetched_valid, after->fetched_data, 3,
              "fetched");
    check_fault(s, after);
    check_done(s, after);
    check_haste(s, before->done_valid && !in->done_ready, took, told);
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct near_pipe_stim *s = (const struct near_pipe_stim *)base;
    text_printf(t, "instructions\t%" PRIu64 "\n", s->instrs);
    text_printf(t, "rows_written\t%" PRIu64 "\n", s->rows);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->accesses);
    text_printf(t, "faults\t%" PRIu64 "\n", s->faults);
    text_printf(t, "rows_compared\t%" PRIu64 "\n", s->compared);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class near_pipe_stim = {
    .size = sizeof(struct near_pipe_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

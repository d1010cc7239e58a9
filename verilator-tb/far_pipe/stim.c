/* stim.c - stimulus of the pipeline of the base die: a near-bank unit that
 * sends instructions, asks for rows and brings some, a front end and a
 * load-store unit.
 *
 * The environment has all far registers by itself.  It executes an instruction
 * when it is taken, by the arithmetic of the instruction set, and knows from
 * then on what the destination holds; it asks for each destination after the
 * completion, and for other rows, and compares.  What the lanes do not compute
 * is in desk.c.  Accesses to shared memory, in sharing.c, it executes in the
 * order of their completions, with the operands that they had when they were
 * taken.
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
static bool is_pred(const struct far_pipe_stim *s, uint64_t reg) {
    return reg >= (uint64_t)s->size.REGS * 3 / 4;
}

static uint64_t some_reg(struct far_pipe_stim *s, bool pred) {
    uint64_t preds = (uint64_t)s->size.REGS / 4;
    uint64_t first = (uint64_t)s->size.REGS - preds;
    uint32_t n = (uint32_t)(pred ? preds : first);
    return (pred ? first : 0) + rng_below(&s->base.rng, n);
}

/* Every third row has addresses, mostly. */
static bool is_address(const struct far_pipe_stim *s, uint64_t reg) {
    return !is_pred(s, reg) && reg % 3 == 0;
}

/* ... with shared memory every second one of these for that. */
static bool is_shared_address(const struct far_pipe_stim *s, uint64_t reg) {
    return s->size.SHARED > 0 && is_address(s, reg) && reg % 6 == 3;
}

static bool is_row(const struct row *r, uint64_t warp, uint64_t reg) {
    return (r->offered || r->due) && r->warp == warp && r->reg == reg;
}

static bool offer_uses(const struct far_pipe_stim *s, uint64_t warp,
                       uint64_t reg) {
    for (int o = 0; o < OPERANDS; o++)
        if (s->offered && s->offer.warp == warp && s->offer.has[o] &&
            s->offer.reg[o] == reg)
            return true;
    return false;
}

/* It may be read for others. */
static bool may_ask(struct far_pipe_stim *s, uint64_t warp, uint64_t reg) {
    const struct cell *c = cell_of(s, warp, reg);
    return c->whole && !c->pending && !is_row(&s->write, warp, reg) &&
           !is_row(&s->init, warp, reg);
}

/* It may be read by an instruction. */
static bool may_read(struct far_pipe_stim *s, uint64_t warp, uint64_t reg) {
    return may_ask(s, warp, reg) && !cell_of(s, warp, reg)->vague;
}

/* It may be written by an instruction or a row. */
static bool may_write(struct far_pipe_stim *s, uint64_t warp, uint64_t reg) {
    return !cell_of(s, warp, reg)->pending && !is_row(&s->read, warp, reg) &&
           !is_row(&s->write, warp, reg) && !is_row(&s->init, warp, reg);
}

static uint64_t some_warp(struct far_pipe_stim *s) {
    uint32_t n = (uint32_t)s->size.CORE_WARPS;
    if (s->tune.few && (uint32_t)s->tune.few < n)
        n = (uint32_t)s->tune.few;
    return rng_below(&s->base.rng, n);
}

/* --- words ---------------------------------------------------------------- */

static uint32_t some_value(struct far_pipe_stim *s) {
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

static enum kind kind_of(const struct far_pipe_stim *s, int op) {
    return is_computed(op)               ? COMPUTED
           : scratch_is(&s->scratch, op) ? SHARED
           : isa_info(op)->text          ? desk_kind(op)
                                         : FAULT;
}

static int some_access(struct far_pipe_stim *s) {
    int op = 0;
    while (!scratch_is(&s->scratch, op))
        op = 1 + (int)rng_below(&s->base.rng, ISA_OPS - 1);
    return op;
}

/* Words that nobody carries out are the rarest: those of shared memory; if that
 * is here, words of no operation, 0. */
static int some_op(struct far_pipe_stim *s) {
    struct rng *r = &s->base.rng;
    if (s->size.SHARED > 0 && rng_percent(r, s->tune.shared))
        return rng_percent(r, 30) ? ISA_sts_b32 : some_access(s);
    if (s->tune.op && !rng_percent(r, 20))
        return s->tune.op;
    bool desk = rng_percent(r, s->tune.desk);
    enum kind kind = rng_percent(r, s->tune.faults) ? FAULT
                     : rng_percent(r, 40)           ? ACCESS
                     : rng_percent(r, 60)           ? WORDS
                                                    : CONTROL;
    bool part = rng_percent(r, 40);
    int op = 0;
    if (desk && kind == FAULT && s->size.SHARED > 0)
        return op;
    while (op == 0 || !isa_info(op)->text || is_computed(op) == desk ||
           (desk && (desk_kind(op) != kind ||
                     (kind == ACCESS && desk_part(op) != part))))
        op = 1 + (int)rng_below(r, ISA_OPS - 1);
    return op;
}

static uint64_t word_of_none(struct far_pipe_stim *s) {
    uint64_t word;
    do
        word = rng_next(&s->base.rng);
    while (isa_info((int)(word & ones(8)))->text || word == 0);
    return word;
}

/* A legal word of the operation, mostly. */
static uint64_t some_word(struct far_pipe_stim *s) {
    struct rng *r = &s->base.rng;
    int op = some_op(s);
    if (op == 0)
        return word_of_none(s);
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
        w.value = isa_has(op, 'p') ? rng_below(r, (uint32_t)s->size.PARAMS)
                                   : rng_below(r, ISA_SPECIAL_shared + 1);
        if (isa_has(op, 's') && rng_percent(r, 30))
            w.value = rng_percent(r, 50) ? ISA_SPECIAL_clock : ISA_SPECIAL_slot;
    }
    if (isa_has(op, 'm'))
        w.value =
            (uint32_t)(rng_percent(r, 80) ? desk_bytes(op) * rng_range(r, -2, 5)
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

/* A register beside it that mostly has addresses, if it wants some. */
static uint64_t for_addresses(const struct far_pipe_stim *s,
                              const struct instr *i, uint64_t reg) {
    uint64_t shared = reg - reg % 6 + 3;
    if (i->kind == SHARED)
        return is_shared_address(s, shared) ? shared : reg;
    if (!isa_has(i->word.op, 'm'))
        return reg;
    return reg - reg % (s->size.SHARED > 0 ? 6 : 3);
}

static void pick_source(struct far_pipe_stim *s, enum operand o, bool pred) {
    struct instr *i = &s->offer;
    for (int n = 0; n < TRIES && !i->has[o]; n++) {
        i->reg[o] = some_reg(s, pred);
        if (o == SRC0 && n < TRIES - 1)
            i->reg[o] = for_addresses(s, i, i->reg[o]);
        i->has[o] = may_read(s, i->warp, i->reg[o]);
    }
}

static void pick_destination(struct far_pipe_stim *s, bool pred) {
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

static bool has_ticket(const struct far_pipe_stim *s, uint64_t ticket) {
    for (int n = 0; n < s->flights; n++)
        if (s->flight[n].ticket == ticket)
            return true;
    return false;
}

/* Registers of an access that are near: any. */
static void pick_near(struct far_pipe_stim *s, enum operand o, int percent) {
    struct instr *i = &s->offer;
    i->has[o] = rng_percent(&s->base.rng, percent);
    i->reg[o] = rng_below(&s->base.rng, (uint32_t)s->size.REGS);
}

static bool writes(const struct instr *i) {
    return i->kind == COMPUTED || i->kind == WORDS || i->kind == SHARED;
}

static void offer_instr(struct far_pipe_stim *s) {
    struct rng *r = &s->base.rng;
    struct instr *i = &s->offer;
    memset(i, 0, sizeof *i);
    i->warp = some_warp(s);
    i->tag = rng_next(r) & ones(s->size.TAG_W);
    if (s->code[i->tag] == 0 ||
        (uint64_t)s->flights >= bit(s->size.TICKET_W)) /* no ticket is left */
        return;
    enum isa_fault f = isa_decode(s->code[i->tag], ISA_REGISTERS, &i->word);
    if (f != ISA_LEGAL && f != ISA_NO_OP)
        BUG("a word is not legal");
    int op = i->word.op;
    i->kind = kind_of(s, op);
    if (i->kind == SHARED && s->scratch.window[i->warp].rows == 0)
        return;
    i->part = i->kind == ACCESS && desk_part(op);
    bool memory = i->kind == ACCESS && !i->part;
    i->op = rng_next(r) & ones(s->size.OP_W);
    do
        i->ticket = rng_next(r) & ones(s->size.TICKET_W);
    while (has_ticket(s, i->ticket));
    i->mask = rng_percent(r, 60) ? ones(s->size.LANES)
                                 : rng_next(r) & ones(s->size.LANES);
    if (rng_percent(r, 3))
        i->mask = 0;
    bool ab_pred = isa_has(op, 'A');
    bool address = isa_has(op, 'm') || isa_has(op, 'n');
    if (rng_percent(r, 95) && (isa_has(op, 'a') || ab_pred || address))
        pick_source(s, SRC0, ab_pred);
    if (memory)
        pick_near(s, SRC1, isa_has(op, 'd') ? 10 : 100);
    else if (rng_percent(r, 95) && !i->word.imm && !isa_has(op, 'w'))
        pick_source(s, SRC1, ab_pred);
    if (rng_percent(r, 90) && !memory && (isa_has(op, 'c') || isa_has(op, 'C')))
        pick_source(s, SRC2, isa_has(op, 'C'));
    if (rng_percent(r, 35))
        pick_source(s, GUARD, true);
    if (i->kind == ACCESS)
        pick_near(s, DST, isa_has(op, 'd') ? (i->part ? 90 : 100) : 10);
    else if ((i->kind != SHARED || isa_has(op, 'd')) && rng_percent(r, 95))
        pick_destination(s, alu_is_test(op));
    for (int o = 0; o < OPERANDS; o++) /* nobody looks at these */
        i->kinds[o] = rng_below(r, 4);
    s->offered = i->kind == COMPUTED ||
                 (i->kind == SHARED ? sharing_prepare(s) : desk_prepare(s));
}

/* What it leaves in its destination. */
static void execute(struct far_pipe_stim *s, const struct instr *i) {
    const struct isa_word *w = &i->word;
    struct cell *d = cell_of(s, i->warp, i->reg[DST]);
    struct cell was = *d;
    uint32_t bits = was.whole ? was.lane[0] : 0;
    if (!writes(i) || !i->has[DST])
        return;
    if (i->kind == SHARED) {
        d->stood = d->whole;
        d->pending = true; /* what it loads is known when it has completed */
        return;
    }
    for (int l = 0; l < s->size.LANES; l++) {
        uint32_t a = value_of(s, i, SRC0, l), b = value_of(s, i, SRC1, l);
        if (i->kind == WORDS) {
            if (i->active >> l & 1)
                was.lane[l] = desk_word(s, i, l);
            continue;
        }
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
    was.stood = was.whole;
    was.whole = was.pending = true;
    was.vague = i->loose;
    *d = was;
}

/* --- rows ----------------------------------------------------------------- */

static void ask(struct far_pipe_stim *s, struct row *r) {
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

static void bring(struct far_pipe_stim *s, struct row *r, bool masked) {
    struct rng *g = &s->base.rng;
    r->warp = some_warp(s);
    bool pred = rng_percent(g, 25);
    r->reg = some_reg(s, pred);
    for (int i = 0; i < s->size.LANES; i++)
        r->lane[i] = pred ? 0 : some_value(s);
    if (pred)
        r->lane[0] = (uint32_t)(rng_next(g) & ones(s->size.LANES));
    if (is_address(s, r->reg) && rng_percent(g, 95)) {
        if (is_shared_address(s, r->reg))
            scratch_addresses(&s->scratch, g, r->warp, r->lane);
        else
            desk_addresses(s, r);
    }
    r->mask = ones(s->size.LANES);
    const struct cell *c = cell_of(s, r->warp, r->reg);
    if (masked && !pred && c->whole && !c->vague)
        r->mask = rng_next(g) & ones(s->size.LANES);
    r->offered =
        may_write(s, r->warp, r->reg) && !offer_uses(s, r->warp, r->reg);
    r->waits = 0;
}

static void came(struct far_pipe_stim *s, struct row *r) {
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
    struct far_pipe_stim *s = (struct far_pipe_stim *)base;
    if (s->left-- > 0)
        return;
    do
        s->turn = s->turn % (ISA_OPS - 1) + 1;
    while (!isa_info(s->turn)->text);
    s->tune = (struct tune){
        .instrs = 100,
        .codes = 100,
        .reads = 60,
        .writes = 40,
        .inits = 20,
        .op = s->turn,
        .desk = 30,
        .high = 3,
        .low = s->turn % 3,
        .slow = s->turn % 5 * 6,
        .late = 1 + s->turn % 7 * 8,
        .few = s->turn % 4 ? 0 : 2,
        .pairs = s->turn % 3 == 0,
        .wrong = 50,
        .bad = 20,
        .faults = 5,
        .shared = scratch_is(&s->scratch, s->turn) ? 30 : 0,
    };
    s->left = 90;
}

/* Lanes that are hardly ever without a pass, rows without end, and some who
 * have words: nobody may wait for ever. */
static void crowd(struct far_pipe_stim *s) {
    struct tune *t = &s->tune;
    t->instrs = t->writes = t->inits = 100;
    t->few = t->low = t->slow = 0;
    t->desk = t->shared = 2;
    t->late = 1;
    s->left = 800;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 30, 10, 3};
    struct far_pipe_stim *s = (struct far_pipe_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){
        .instrs = rates[rng_below(r, 4)],
        .codes = rates[rng_below(r, 5)],
        .reads = rates[rng_below(r, 5)],
        .writes = rates[rng_below(r, 5)],
        .inits = rates[rng_below(r, 5)],
        .few = rng_percent(r, 50) ? 0 : rng_range(r, 1, 4),
        .desk = rng_percent(r, 20) ? 0 : rng_range(r, 10, 100),
        .high = rng_range(r, 1, 6),
        .low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 30),
        .slow = rng_percent(r, 50) ? 0 : rng_range(r, 1, 20),
        .late = rng_range(r, 1, 60),
        .pairs = rng_percent(r, 50),
        .wrong = 10,
        .bad = 5,
        .faults = 5,
    };
    if (rng_percent(r, 25)) {
        s->tune.wrong = s->tune.bad = 100;
        s->tune.faults = 40;
    }
    if (s->size.SHARED > 0)
        s->tune.shared = rng_percent(r, 30) ? 0 : rng_range(r, 10, 90);
    s->left = rng_range(r, 60, 600);
    if (rng_percent(r, 5))
        crowd(s);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct far_pipe_stim *s = (struct far_pipe_stim *)base;
    s->size = far_pipe_local(c);
    s->code = xcalloc((size_t)s->size.CODE, sizeof *s->code);
    s->cell =
        xcalloc((size_t)(s->size.CORE_WARPS * s->size.REGS), sizeof *s->cell);
    s->param = xcalloc((size_t)s->size.PARAMS, sizeof *s->param);
    s->has_param = xcalloc((size_t)s->size.PARAMS, sizeof *s->has_param);
    scratch_open(&s->scratch, s->size.LANES, s->size.ALUS, s->size.SHARED,
                 s->size.CORE_WARPS);
    base->reset_every = 4000;
}

static void close(struct stim *base) {
    struct far_pipe_stim *s = (struct far_pipe_stim *)base;
    free(s->code);
    free(s->cell);
    free(s->param);
    free(s->has_param);
    scratch_close(&s->scratch);
}

/* How much of a result has been written is not known to the environment. */
static void reset(struct stim *base) {
    struct far_pipe_stim *s = (struct far_pipe_stim *)base;
    for (int i = 0; i < s->size.CORE_WARPS * s->size.REGS; i++) {
        struct cell *c = &s->cell[i];
        if (c->pending) {
            c->whole = c->stood;
            c->vague = true;
        }
        c->pending = false;
    }
    sharing_forget(s);
    s->scratch.next_there = false;
    s->write.offered = s->init.offered = s->offered = false;
    s->read.offered = s->read.due = false;
    s->flights = 0;
    s->checks = s->quiet = s->instr_waits = 0;
}

static uint64_t pack(const struct far_pipe_stim *s, const struct instr *i,
                     enum operand o) {
    return (uint64_t)i->has[o] << (s->size.REG_W + 2) |
           i->kinds[o] << s->size.REG_W | i->reg[o];
}

static void drive_exec(struct far_pipe_stim *s, struct far_pipe_in *in) {
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

static bool is_under_way(const struct far_pipe_stim *s, uint64_t tag) {
    for (int n = 0; n < s->flights; n++)
        if (s->flight[n].tag == tag)
            return true;
    return false;
}

static void drive_code(struct far_pipe_stim *s, struct far_pipe_in *in) {
    struct rng *r = &s->base.rng;
    in->code_tag = rng_next(r) & ones(s->size.TAG_W);
    in->code_word = rng_next(r);
    in->code_valid = rng_percent(r, s->tune.codes) &&
                     !(s->offered && s->offer.tag == in->code_tag) &&
                     !(shares_ports(s) && is_under_way(s, in->code_tag));
    if (in->code_valid)
        s->code[in->code_tag] = in->code_word = some_word(s);
}

/* In reset nothing is taken and nothing written, whatever comes. */
static void drive_noise(struct far_pipe_stim *s, struct far_pipe_in *in) {
    struct rng *r = &s->base.rng;
    in->code_valid = rng_percent(r, 50);
    in->code_tag = rng_next(r) & ones(s->size.TAG_W);
    in->code_word = rng_next(r);
    in->param_valid = rng_percent(r, 50);
    in->param_index = rng_next(r) & ones(s->size.PARAM_W);
    in->param_word = rng_next(r) & ones(32);
    in->value_valid = rng_percent(r, 90);
    in->value_warp = some_warp(s);
    in->value_index = rng_below(r, (uint32_t)s->size.SPECIALS);
    in->value_word = rng_next(r) & ones(32);
    sharing_drive_noise(s, in);
    in->write_valid = rng_percent(r, 50);
    in->write_warp = some_warp(s);
    in->write_reg = some_reg(s, false);
    in->write_pred = 0;
    in->init_valid = rng_percent(r, 50);
    in->init_warp = some_warp(s);
    in->init_reg = some_reg(s, false);
    in->init_mask = rng_next(r) & ones(s->size.LANES);
    for (int i = 0; i < s->size.LANES; i++) {
        bits_set_lane(in->write_row, i, (uint32_t)rng_next(r));
        bits_set_lane(in->init_row, i, (uint32_t)rng_next(r));
    }
}

static void drive(struct stim *base, void *ports) {
    struct far_pipe_stim *s = (struct far_pipe_stim *)base;
    struct far_pipe_in *in = ports;
    struct rng *r = &base->rng;
    struct tune *t = &s->tune;
    in->done_ready = toggle_step(&s->done, r, t->high, t->low);
    in->access_ready = toggle_step(&s->access, r, t->high, t->slow);
    in->ask_ready = toggle_step(&s->ask, r, t->high, t->slow);
    in->code_valid = in->exec_valid = in->param_valid = in->value_valid = 0;
    in->read_valid = in->write_valid = in->init_valid = 0;
    in->ended_valid = in->carried_valid = in->window_valid = 0;
    if (base->rst_left > 0) {
        drive_noise(s, in);
        return;
    }
    if (!s->read.offered && !s->read.due && rng_percent(r, t->reads))
        ask(s, &s->read);
    if (!s->write.offered && rng_percent(r, t->writes))
        bring(s, &s->write, false);
    if (!s->init.offered && rng_percent(r, t->inits))
        bring(s, &s->init, true);
    drive_exec(s, in);
    desk_drive(s, in);
    sharing_drive_window(s, in);
    in->launch_now = s->now;
    in->launch_bound = s->bound;
    drive_code(s, in);
    in->read_valid = s->read.offered;
    in->read_warp = s->read.warp;
    in->read_reg = s->read.reg;
    in->write_valid = s->write.offered;
    in->write_warp = s->write.warp;
    in->write_reg = s->write.reg;
    in->write_pred = is_pred(s, s->write.reg);
    in->init_valid = s->init.offered;
    in->init_warp = s->init.warp;
    in->init_reg = s->init.reg;
    in->init_mask = s->init.mask;
    for (int i = 0; i < s->size.LANES; i++) {
        bits_set_lane(in->write_row, i, s->write.lane[i]);
        bits_set_lane(in->init_row, i, s->init.lane[i]);
    }
}

/* --- what must come out --------------------------------------------------- */

static void check_row(struct far_pipe_stim *s, struct row *r, bool valid,
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

/* Place of the instruction at 'done' among those under way: of its subcore the
 * oldest one of the lanes, the desk or shared memory, or an access that is
 * over; -1: it is none. */
static int ended(const struct far_pipe_stim *s, const struct far_pipe_out *o) {
    bool seen[3] = {false, false, false};
    for (int n = 0; n < s->flights; n++) {
        const struct instr *i = &s->flight[n];
        bool access = i->kind == ACCESS;
        if (subcore_of(s, i->warp) != subcore_of(s, o->done_warp))
            continue;
        int place = i->kind == COMPUTED ? 0 : i->kind == SHARED ? 1 : 2;
        bool left = desk_left(i) || (shares_ports(s) && !i->part);
        bool named = i->warp == o->done_warp && i->tag == o->done_tag &&
                     i->ticket == o->done_ticket;
        if (named && (access ? i->over : !seen[place]))
            return n;
        seen[place] |= !access || !left;
    }
    return -1;
}

static void check_done(struct far_pipe_stim *s, const struct far_pipe_out *o) {
    if (!o->done_valid)
        return;
    int n = ended(s, o);
    if (s->flights == 0) {
        stim_complain(&s->base, "a completion that nobody waits for");
    } else if (n < 0) {
        stim_complain(&s->base, "a completion of another instruction than the "
                                "oldest one, or of an access under way");
    } else {
        const struct instr *i = &s->flight[n];
        bool shows = i->kind == CONTROL || i->kind == FAULT;
        if (shows && !i->shown)
            stim_complain(&s->base, "a control word or a fault completes "
                                    "without being shown");
    }
}

static void completed(struct far_pipe_stim *s, const struct far_pipe_out *o) {
    int n = ended(s, o);
    if (n < 0)
        return;
    struct instr i = s->flight[n];
    memmove(s->flight + n, s->flight + n + 1,
            (size_t)(--s->flights - n) * sizeof i);
    if (i.bad && !i.faulted)
        stim_complain(&s->base, "an access that had a fault completes "
                                "without it");
    if (i.kind == SHARED)
        sharing_end(s, &i);
    if (!i.has[DST] || !writes(&i))
        return;
    struct cell *d = cell_of(s, i.warp, i.reg[DST]);
    d->pending = false;
    if (s->checks < CHECKS && d->whole)
        s->check[s->checks++] = i.warp * (uint64_t)s->size.REGS + i.reg[DST];
}

static void began(struct far_pipe_stim *s) {
    execute(s, &s->offer);
    if (s->flights == FLIGHT)
        stim_complain(&s->base, "too many instructions are under way");
    else
        s->flight[s->flights++] = s->offer;
    s->offered = false;
    s->instrs++;
}

/* Entry, collector, dispatch and 'done' have one of whatever kind; where there
 * are several subcores each has a queue, too, and 'done' comes behind its. */
static void check_subcore(struct far_pipe_stim *s, int subcore) {
    int any = shares_ports(s) ? 5 + s->size.SUBCORE_QUEUE : 4;
    int all = 0, lanes = 0, left = 0;
    int places = any + s->size.LANES_DEPTH + 1 + (s->size.SHARED > 0);
    if (shares_ports(s))
        places++; /* an access that is not the port's */
    for (int n = 0; n < s->flights; n++) {
        if (subcore_of(s, s->flight[n].warp) != subcore)
            continue;
        all++;
        lanes += s->flight[n].kind == COMPUTED;
        left += desk_left(&s->flight[n]);
    }
    if (lanes > any + s->size.LANES_DEPTH)
        stim_complain(&s->base, "the lanes have more instructions than there "
                                "is room for");
    if (all - left > places)
        stim_complain(&s->base, "more instructions are under way than there "
                                "is room for");
}

static void check_room(struct far_pipe_stim *s) {
    for (int i = 0; i < s->size.SUBCORES; i++)
        check_subcore(s, i);
}

/* How long things wait, but for what the environment refuses or has to end. */
static void check_haste(struct far_pipe_stim *s, bool held, bool took,
                        bool told) {
    int limit = 60 + 4 * s->size.PASSES;
    int access = s->size.SHARED > 0 ? 4 * s->size.LANES + 20 : 0;
    int queue = shares_ports(s) ? s->size.SUBCORE_QUEUE : 0;
    if (told || s->flights == 0)
        s->quiet = 0;
    if (took || !s->offered)
        s->instr_waits = 0;
    if (held)
        return;
    s->quiet += s->flights > 0 && !told;
    s->instr_waits += s->offered && !took;
    s->write.waits = s->write.offered ? s->write.waits + 1 : 0;
    s->init.waits = s->init.offered ? s->init.waits + 1 : 0;
    if (s->quiet > limit + access)
        stim_complain(&s->base, "no instruction completes");
    /* behind an access in the collector, and one that is carried out */
    if (s->instr_waits > 2 * (limit + access))
        stim_complain(&s->base, "an instruction is not taken");
    /* in each of four places; words have one of four edges at least */
    for (int n = 0; n < s->flights; n++)
        if (++s->flight[n].waits >
            60 + 16 * s->size.PASSES + 2 * access +
                queue * (4 * s->size.PASSES + s->size.SUBCORES))
            stim_complain(&s->base, "an instruction does not complete");
    limit += 2 * access + queue * (4 * s->size.PASSES + s->size.SUBCORES);
    if (s->write.waits > limit || s->init.waits > limit)
        stim_complain(&s->base, "a row is not taken");
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct far_pipe_stim *s = (struct far_pipe_stim *)base;
    const struct far_pipe_in *in = in_ports;
    const struct far_pipe_out *before = before_ports, *after = after_ports;
    bool took = before->exec_ready && in->exec_valid;
    bool told = before->done_valid && in->done_ready;
    bool held =
        (before->done_valid && !in->done_ready) || desk_waits(s, in, before);
    scratch_moves(&s->scratch);
    if (told)
        completed(s, before);
    if (before->write_ready && in->write_valid)
        came(s, &s->write);
    if (before->init_ready && in->init_valid)
        came(s, &s->init);
    asked(&s->read, before->read_ready && in->read_valid);
    desk_took(s, in, before);
    if (took)
        began(s);
    check_row(s, &s->read, after->data_valid, after->data_row, 3, "data");
    int at_done = after->done_valid ? ended(s, after) : -1;
    desk_check(s, in, before, after, at_done);
    sharing_check(s, after, at_done);
    check_done(s, after);
    check_room(s);
    check_haste(s, held, took, told);
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct far_pipe_stim *s = (const struct far_pipe_stim *)base;
    text_printf(t, "instructions\t%" PRIu64 "\n", s->instrs);
    text_printf(t, "rows_written\t%" PRIu64 "\n", s->rows);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->accesses);
    text_printf(t, "resolved\t%" PRIu64 "\n", s->resolved);
    text_printf(t, "faults\t%" PRIu64 "\n", s->faults);
    text_printf(t, "shared_accesses\t%" PRIu64 "\n", s->shared_accesses);
    text_printf(t, "shared_faults\t%" PRIu64 "\n", s->shared_faults);
    text_printf(t, "rows_compared\t%" PRIu64 "\n", s->compared);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class far_pipe_stim = {
    .size = sizeof(struct far_pipe_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

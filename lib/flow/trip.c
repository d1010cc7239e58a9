/* trip.c - trip counts of the loops that compilers make of counting loops.
 *
 * Understood: one way out, by a guarded branch that every iteration passes; its
 * predicate from one setp in the loop that compares an induction variable (its
 * value at the loop's header plus a constant, advancing each iteration by a
 * constant, or by a multiple of one register that the loop does not change,
 * through add, sub and mov) with something the loop does not change.  If start,
 * step and bound are constants the count is static, else known at entry.
 */
#include "loops.h"

#include "base/bits.h"

#include <stdlib.h>

/* Steps back from one value to another; blocks looked at for one question, and
 * for all of a function: a constant and a multiple of its size. */
enum { MAX_STEPS = 32, MAX_BLOCKS = 4096, MIN_BUDGET = 1 << 16, BUDGET = 64 };

/* Values beyond this are left alone, so that no sum overflows. */
#define FAR_AWAY ((int64_t)1 << 61)

struct trips {
    const struct ptx_function *f;
    const struct ptx_cfg *cfg;
    const struct ptx_dom *dom;
    struct ptx_loops *loops;
    struct ptx_reach reach;
    int loop;       /* the loop in question */
    int64_t budget; /* blocks that may still be looked at */
};

static bool small(int64_t v) {
    return v > -FAR_AWAY && v < FAR_AWAY;
}

static bool constant(const struct ptx_operand *o, int64_t *v) {
    if (o->kind != PTX_OPND_VALUE || o->value.kind != PTX_VALUE_INT)
        return false;
    *v = (int64_t)o->value.bits;
    return small(*v);
}

/* Definition of reg that reaches pc, within the budget. */
static struct ptx_reached ask(struct trips *t, int reg, int pc, int stop,
                              int *def) {
    struct ptx_reached out = {.gave_up = true};
    if (t->budget > 0)
        out = ptx_reaching(&t->reach, reg, pc, stop, MAX_BLOCKS, def, 1);
    t->budget -= out.passed;
    return out;
}

static bool in_loop(const struct trips *t, int pc) {
    return ptx_loop_has(t->loops, t->loop, t->cfg->block_of[pc]);
}

/* Whether no instruction of the loop writes reg. */
static bool invariant(const struct trips *t, int reg) {
    const struct ptx_defs *d = t->reach.defs;
    for (int i = d->at[reg]; i < d->at[reg + 1]; i++)
        if (in_loop(t, d->pcs[i]))
            return false;
    return true;
}

/* What was added on the way: a constant, and so many times a register that
 * the loop does not change; by: -1, none yet. */
struct way {
    int64_t plus, times;
    int by;
};

static bool add_times(struct way *w, int reg, int64_t times) {
    if (w->by >= 0 && w->by != reg)
        return false;
    w->by = reg;
    w->times += times;
    return small(w->times);
}

static bool is_register(const struct ptx_operand *o) {
    return o->kind == PTX_OPND_REGISTER && !o->suffix;
}

/* Operand o, with its sign, as part of the sum; a register only if the loop
 * leaves it alone. */
static bool take(struct trips *t, const struct ptx_operand *o, int sign,
                 struct way *w) {
    int64_t v;
    if (is_register(o)) {
        const struct ptx_defs *d = t->reach.defs;
        t->budget -= d->at[o->reg->index + 1] - d->at[o->reg->index];
        return invariant(t, o->reg->index) && add_times(w, o->reg->index, sign);
    }
    if (!constant(o, &v))
        return false;
    w->plus += sign * v;
    return small(w->plus);
}

/* dst = src + something that a way can hold, as add, sub or mov: src's
 * register, and the rest on the way. */
static bool linear(struct trips *t, const struct ptx_instruction *in, int *src,
                   struct way *w) {
    enum ptx_opcode op = in->form->op;
    const struct ptx_operand *a, *b;
    if (in->guard || in->n_defs != 1 ||
        (op != PTX_OP_ADD && op != PTX_OP_SUB && op != PTX_OP_MOV) ||
        in->form->opc == OPC_fp || in->n_operands < 2)
        return false;
    a = in->operands[1];
    if (op != PTX_OP_MOV) {
        b = in->operands[2];
        /* what the loop changes is the counter; the other side is added */
        if (op == PTX_OP_ADD &&
            (a->kind == PTX_OPND_VALUE || (is_register(a) && is_register(b) &&
                                           invariant(t, a->reg->index)))) {
            const struct ptx_operand *swap = a;
            a = b;
            b = swap;
        }
        if (!take(t, b, op == PTX_OP_SUB ? -1 : 1, w))
            return false;
    }
    if (!is_register(a))
        return false;
    *src = a->reg->index;
    return true;
}

/* Follow reg back from pc to the header: its value there is that of *base at
 * the header plus what is added to the way. */
static bool at_header(struct trips *t, int reg, int pc, int *base,
                      struct way *w) {
    int header = t->loops->loops[t->loop].header, def;
    for (int i = 0; i < MAX_STEPS; i++) {
        struct ptx_reached got = ask(t, reg, pc, header, &def);
        *base = reg;
        if (got.gave_up)
            return false;
        if (got.n == 0 && got.start)
            return true;
        if (got.n != 1 || got.start ||
            !linear(t, &t->f->instructions[def], &reg, w))
            return false;
        pc = def;
    }
    return false;
}

/* Whether reg is a known constant just before pc, by movs alone. */
static bool constant_at(struct trips *t, int reg, int pc, int64_t *v) {
    int def;
    for (int i = 0; i < MAX_STEPS; i++) {
        struct ptx_reached got = ask(t, reg, pc, -1, &def);
        if (got.n != 1 || got.start || got.gave_up)
            return false;
        const struct ptx_instruction *in = &t->f->instructions[def];
        if (in->form->op != PTX_OP_MOV || in->guard || in->n_operands != 2)
            return false;
        if (constant(in->operands[1], v))
            return true;
        if (in->operands[1]->kind != PTX_OPND_REGISTER)
            return false;
        reg = in->operands[1]->reg->index;
        pc = def;
    }
    return false;
}

/* Whether reg is a known constant behind the last instruction of a block. */
static bool constant_behind(struct trips *t, int reg, int block, int64_t *v) {
    /* asked from that instruction, which may write the register itself */
    int last = t->cfg->blocks[block].end - 1;
    const struct ptx_instruction *in = &t->f->instructions[last];
    if (in->n_defs != 1 || in->defs[0] != reg)
        return constant_at(t, reg, last, v);
    if (in->form->op != PTX_OP_MOV || in->guard)
        return false;
    return constant(in->operands[1], v) ||
           (is_register(in->operands[1]) &&
            constant_at(t, in->operands[1]->reg->index, last, v));
}

/* The same constant on every way into the loop. */
static bool constant_at_entry(struct trips *t, int reg, int64_t *v) {
    const struct ptx_block *h =
        &t->cfg->blocks[t->loops->loops[t->loop].header];
    bool found = false;
    for (int i = 0; i < h->n_pred; i++) {
        int64_t here;
        int p = h->pred[i];
        if (ptx_loop_has(t->loops, t->loop, p))
            continue;
        if (!constant_behind(t, reg, p, &here))
            return false;
        if (found && here != *v)
            return false;
        *v = here;
        found = true;
    }
    return found;
}

/* The block that leaves the loop, if it is one and every iteration passes it
 * and decides by a guarded branch; else -1. */
static int single_exit(struct trips *t) {
    const struct ptx_loop *l = &t->loops->loops[t->loop];
    int exit = -1;
    t->budget -= l->n_blocks;
    if (l->n_blocks > MAX_BLOCKS || t->budget < 0)
        return -1;
    for (int i = 0; i < l->n_blocks; i++) {
        int b = t->loops->order[l->first + i];
        const struct ptx_block *block = &t->cfg->blocks[b];
        bool leaves = block->exits;
        for (int s = 0; s < block->n_succ; s++)
            leaves |= !ptx_loop_has(t->loops, t->loop, block->succ[s]);
        if (leaves && exit >= 0)
            return -1;
        if (leaves)
            exit = b;
    }
    if (exit < 0 || t->cfg->blocks[exit].exits)
        return -1;
    for (int i = 0; i < l->n_latches; i++)
        if (!ptx_dominates(t->dom, exit, l->latches[i]))
            return -1;
    const struct ptx_instruction *last =
        &t->f->instructions[t->cfg->blocks[exit].end - 1];
    return last->form->op == PTX_OP_BRA && last->guard ? exit : -1;
}

static enum ptx_relation relation_of(enum ptx_modifier m) {
    switch (m) {
    case PTX_MOD_EQ:
        return PTX_REL_EQ;
    case PTX_MOD_NE:
        return PTX_REL_NE;
    case PTX_MOD_LT:
    case PTX_MOD_LO:
        return PTX_REL_LT;
    case PTX_MOD_LE:
    case PTX_MOD_LS:
        return PTX_REL_LE;
    case PTX_MOD_GT:
    case PTX_MOD_HI:
        return PTX_REL_GT;
    case PTX_MOD_GE:
    case PTX_MOD_HS:
        return PTX_REL_GE;
    default:
        return PTX_REL_NONE;
    }
}

static enum ptx_relation negate(enum ptx_relation r) {
    static const enum ptx_relation not [] = {
        PTX_REL_NONE, PTX_REL_NE, PTX_REL_EQ, PTX_REL_GE,
        PTX_REL_GT,   PTX_REL_LE, PTX_REL_LT};
    return not [r];
}

static enum ptx_relation mirror(enum ptx_relation r) {
    static const enum ptx_relation swapped[] = {
        PTX_REL_NONE, PTX_REL_EQ, PTX_REL_NE, PTX_REL_GT,
        PTX_REL_GE,   PTX_REL_LT, PTX_REL_LE};
    return swapped[r];
}

/* How often x, x + step, x + 2 step, ... stands in the relation before it does
 * not for the first time; -1 if it would have to wrap round. */
static int64_t times(enum ptx_relation r, int64_t x, int64_t step,
                     int64_t bound) {
    int64_t d = bound - x;
    if (r == PTX_REL_LE || r == PTX_REL_GE)
        d += r == PTX_REL_LE ? 1 : -1;
    switch (r) {
    case PTX_REL_EQ:
        return d != 0 ? 0 : step != 0 ? 1 : -1;
    case PTX_REL_NE:
        if (d == 0)
            return 0;
        return step != 0 && d % step == 0 && d / step > 0 ? d / step : -1;
    case PTX_REL_LT:
    case PTX_REL_LE:
        if (d <= 0)
            return 0;
        return step > 0 ? (d + step - 1) / step : -1;
    case PTX_REL_GT:
    case PTX_REL_GE:
        if (d >= 0)
            return 0;
        return step < 0 ? (d + step + 1) / step : -1;
    default:
        return -1;
    }
}

/* An integer as the comparison sees it. */
static int64_t as_type(enum ptx_type type, int64_t v) {
    int bits = ptx_type_bits(type);
    if (bits >= 64 || bits == 0)
        return v;
    return ptx_type_kind(type) == 'u' ? (int64_t)((uint64_t)v & ones(bits))
                                      : bits_signed((uint64_t)v, bits);
}

/* The setp that makes the predicate of the exit branch. */
static bool find_test(struct trips *t, int branch, int *pc) {
    const struct ptx_register *p = t->f->instructions[branch].guard;
    int header = t->loops->loops[t->loop].header;
    struct ptx_reached got = ask(t, p->index, branch, header, pc);
    if (got.n != 1 || got.start || got.gave_up)
        return false;
    const struct ptx_instruction *in = &t->f->instructions[*pc];
    return !(in->form->op != PTX_OP_SETP || in->guard || in->n_operands != 3 ||
             in->operands[0]->reg != p || in->form->n_types == 0 ||
             ptx_type_kind(in->form->types[0]) == 'f');
}

/* Register c advances by this from one header to the next: a constant, or a
 * multiple of a register. */
static bool induction(struct trips *t, int c, struct way *step) {
    const struct ptx_loop *l = &t->loops->loops[t->loop];
    for (int i = 0; i < l->n_latches; i++) {
        int last = t->cfg->blocks[l->latches[i]].end - 1, base;
        const struct ptx_instruction *in = &t->f->instructions[last];
        struct way w = {.by = -1};
        int reg = c;
        for (int d = 0; d < in->n_defs; d++)
            if (in->defs[d] == c && !linear(t, in, &reg, &w))
                return false;
        if (!at_header(t, reg, last, &base, &w) || base != c)
            return false;
        if (i > 0 && (w.plus != step->plus || w.times != step->times ||
                      w.by != step->by))
            return false;
        *step = w;
    }
    return step->by < 0 ? step->plus != 0 : step->plus == 0 && step->times != 0;
}

/* One side of the comparison as an induction variable. */
static bool match_counter(struct trips *t, const struct ptx_operand *o, int pc,
                          struct ptx_trip *trip) {
    int base;
    struct way to_test = {.by = -1}, step = {.by = -1};
    if (o->kind != PTX_OPND_REGISTER ||
        !at_header(t, o->reg->index, pc, &base, &to_test) ||
        !induction(t, base, &step) ||
        (to_test.by >= 0 && to_test.by != step.by))
        return false;
    trip->counter = base;
    trip->step = step.by < 0 ? step.plus : step.times;
    trip->step_reg = step.by;
    trip->plus = to_test.plus;
    trip->plus_times = to_test.times;
    return true;
}

/* The bound: a constant, perhaps by a mov, or not changed in the loop (then
 * *known is false). */
static bool match_bound(struct trips *t, const struct ptx_operand *o, int pc,
                        struct ptx_trip *trip) {
    trip->bound_reg = -1;
    trip->bound_known = constant(o, &trip->bound);
    if (trip->bound_known)
        return true;
    if (o->kind == PTX_OPND_SPECIAL)
        return true;
    if (o->kind != PTX_OPND_REGISTER)
        return false;
    trip->bound_known = constant_at(t, o->reg->index, pc, &trip->bound);
    if (!trip->bound_known)
        trip->bound_reg = o->reg->index;
    return trip->bound_known || invariant(t, o->reg->index);
}

/* Whether the setp compares without a sign. */
static bool compares_unsigned(const struct ptx_form *form) {
    enum ptx_modifier m = ptx_modifier_of(form, PTX_GROUP_COMPARE);
    return ptx_type_kind(form->types[0]) == 'u' || m == PTX_MOD_LO ||
           m == PTX_MOD_LS || m == PTX_MOD_HI || m == PTX_MOD_HS;
}

/* Take the setp at pc apart; false if it is no test of a counter. */
static bool match_test(struct trips *t, int pc, struct ptx_trip *trip) {
    const struct ptx_instruction *in = &t->f->instructions[pc];
    const struct ptx_operand *x = in->operands[1], *y = in->operands[2];
    trip->relation = relation_of(ptx_modifier_of(in->form, PTX_GROUP_COMPARE));
    trip->type = in->form->types[0];
    trip->is_unsigned = compares_unsigned(in->form);
    if (trip->relation == PTX_REL_NONE)
        return false;
    if (match_counter(t, x, pc, trip))
        return match_bound(t, y, pc, trip);
    trip->relation = mirror(trip->relation);
    return match_counter(t, y, pc, trip) && match_bound(t, x, pc, trip);
}

/* Whether the branch, when taken, stays in the loop. */
static bool stays(const struct trips *t, const struct ptx_instruction *bra) {
    const struct ptx_operand *o = bra->operands[0];
    return o->kind == PTX_OPND_LABEL && o->pc < t->f->n_instructions &&
           in_loop(t, o->pc);
}

/* Whether the test in block exit comes before the work: it is in the header and
 * the other blocks do more than branch back. */
static bool tests_first(const struct trips *t, int exit) {
    const struct ptx_loop *l = &t->loops->loops[t->loop];
    for (int i = 0; exit == l->header && i < l->n_blocks; i++) {
        int b = t->loops->order[l->first + i];
        const struct ptx_block *block = &t->cfg->blocks[b];
        if (b != exit &&
            (block->end - block->begin > 1 ||
             t->f->instructions[block->begin].form->op != PTX_OP_BRA))
            return true;
    }
    return false;
}

/* Iterations, by numbers. */
static void count_trips(struct trips *t, struct ptx_trip *trip) {
    trip->start_known = constant_at_entry(t, trip->counter, &trip->start);
    if (!trip->bound_known || !trip->start_known || trip->step_reg >= 0)
        return;
    int64_t start = as_type(trip->type, trip->start + trip->plus);
    int64_t bound = as_type(trip->type, trip->bound);
    bool wide = trip->type == PTX_U64; /* beyond the numbers used here */
    int64_t n = wide && (start < 0 || bound < 0)
                    ? -1
                    : times(trip->relation, start, trip->step, bound);
    trip->kind = n < 0 ? PTX_TRIP_UNKNOWN : PTX_TRIP_STATIC;
    trip->count = n < 0 ? 0 : trip->tests_first ? n : n + 1;
}

static void find_trip(struct trips *t) {
    struct ptx_loop *l = &t->loops->loops[t->loop];
    struct ptx_trip trip = {.counter = -1, .step_reg = -1, .test = -1};
    int exit = single_exit(t), pc;
    if (exit < 0)
        return;
    int branch = t->cfg->blocks[exit].end - 1;
    if (!find_test(t, branch, &pc) || !match_test(t, pc, &trip))
        return;
    const struct ptx_instruction *bra = &t->f->instructions[branch];
    if (stays(t, bra) == bra->guard_negated)
        trip.relation = negate(trip.relation);
    trip.test = pc;
    trip.kind = PTX_TRIP_ENTRY;
    trip.tests_first = tests_first(t, exit);
    count_trips(t, &trip);
    l->trip = trip;
}

void ptx_trips_find(const struct ptx_function *f, const struct ptx_cfg *cfg,
                    const struct ptx_dom *dom, const struct ptx_defs *defs,
                    struct ptx_loops *loops) {
    struct trips t = {.f = f, .cfg = cfg, .dom = dom, .loops = loops};
    t.budget = MIN_BUDGET + (int64_t)BUDGET * cfg->n_blocks;
    ptx_reach_init(&t.reach, f, cfg, defs);
    for (t.loop = 0; t.loop < loops->n_loops; t.loop++)
        find_trip(&t);
    ptx_reach_free(&t.reach);
}

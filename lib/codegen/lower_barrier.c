/* lower_barrier.c - barriers.
 *
 * Barrier 0 of all threads, unguarded, is the hardware's.  The others are made
 * of two words of shared memory each: how many threads have come, 32 a warp as
 * in PTX, and how often the barrier has opened.  A warp counts itself by one
 * lane; the last one clears the count and opens; the others wait in a loop.
 * The words are cleared where the kernel starts.
 *
 * bar.red counts the threads with a true predicate in one word of shared
 * memory: one barrier before it is cleared, for those who still read the last
 * count; one before threads add to it, and one before it is read.
 */
#include "lower.h"

enum { COUNT = 4, NAMED = 8, BARRIERS = 16, WARP = 32 };

static bool is_count(const struct ptx_form *f) {
    return f->op == PTX_OP_BAR_RED || f->op == PTX_OP_BAR_CTA_RED ||
           f->op == PTX_OP_BARRIER_RED || f->op == PTX_OP_BARRIER_CTA_RED;
}

static bool is_barrier(const struct ptx_form *f) {
    return (f->op == PTX_OP_BAR || f->op == PTX_OP_BARRIER) &&
           !ptx_has(f, PTX_MOD_WARP);
}

/* Which barrier an operand names; BARRIERS: known when it runs. */
static int number_of(const struct ptx_operand *o) {
    return o->kind == PTX_OPND_VALUE && o->value.bits < BARRIERS
               ? (int)o->value.bits
               : BARRIERS;
}

/* The hardware's: of all threads, which all come. */
static bool is_plain(const struct ptx_instruction *in) {
    return !in->guard && !ptx_has(in->form, PTX_MOD_ARRIVE) &&
           (in->n_operands == 0 ||
            (in->n_operands == 1 && number_of(in->operands[0]) == 0));
}

/* How many barriers have words: one more than the highest. */
static int n_named(const struct ptx_function *f) {
    int n = 0;
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        if (!is_barrier(in->form) || is_plain(in) || in->n_operands == 0)
            continue;
        int one = number_of(in->operands[0]);
        if (one >= n)
            n = one < BARRIERS ? one + 1 : BARRIERS;
    }
    return n;
}

static bool has_count(const struct ptx_function *f) {
    for (int pc = 0; pc < f->n_instructions; pc++)
        if (is_count(f->instructions[pc].form))
            return true;
    return false;
}

uint32_t lower_barrier_bytes(const struct ptx_function *f) {
    return (has_count(f) ? COUNT : 0) + NAMED * (uint32_t)n_named(f);
}

static struct mc_insn *shared(struct lower *l, int op, mc_value at) {
    struct mc_insn *i = lower_emit(l, op);
    i->a = at;
    i->imm = op != ISA_ats_add;
    i->whole = true;
    return i;
}

static mc_value load(struct lower *l, mc_value at, uint32_t offset) {
    mc_value d = mc_new(l->m, MC_REGISTER);
    struct mc_insn *i = shared(l, ISA_lds_b32, at);
    i->d = d;
    i->value = offset;
    return d;
}

static mc_value add(struct lower *l, mc_value at, mc_value by) {
    mc_value old = mc_new(l->m, MC_REGISTER);
    struct mc_insn *i = shared(l, ISA_ats_add, at);
    i->d = old;
    i->b = MC_NONE;
    i->c = by;
    return old;
}

/* --- named barriers ------------------------------------------------------- */

static uint32_t first_named(const struct lower *l) {
    return l->barriers + (has_count(l->f) ? COUNT : 0);
}

void lower_barrier_start(struct lower *l) {
    int n = n_named(l->f);
    mc_value zero = n ? lower_number(l, 0) : MC_NONE;
    for (int i = 0; i < 2 * n; i++)
        shared(l, ISA_sts_b32,
               lower_number(l, first_named(l) + 4 * (uint32_t)i))
            ->c = zero;
    if (n)
        lower_emit(l, ISA_bar);
}

/* Threads that the barrier waits for: all, in whole warps, if none are named. */
static mc_value threads(struct lower *l) {
    if (l->in->n_operands > 1)
        return lower_source(l, 1, PTX_B32).lo;
    mc_value n = lower_op2(l, ISA_mul, lower_special(l, ISA_SPECIAL_ntid_x),
                           lower_special(l, ISA_SPECIAL_ntid_y));
    n = lower_op2(l, ISA_mul, n, lower_special(l, ISA_SPECIAL_ntid_z));
    return lower_opn(l, ISA_and, lower_opn(l, ISA_add, n, WARP - 1),
                     ~(uint32_t)(WARP - 1));
}

/* One of the active lanes. */
static mc_value leader(struct lower *l) {
    mc_value all = lower_op(l, ISA_vote, MC_NONE, MC_NONE, MC_TRUE);
    mc_value lowest =
        lower_op2(l, ISA_and, all, lower_opn(l, ISA_rsub, all, 0));
    mc_value own = lower_op2(l, ISA_shl, lower_number(l, 1),
                             lower_special(l, ISA_SPECIAL_laneid));
    return lower_op2(l, ISA_seteq, own, lowest);
}

static void named(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    int skip = mc_label(l->m), rest = mc_label(l->m), wait = mc_label(l->m);
    mc_value n = threads(l), zero = lower_number(l, 0);
    mc_value which = lower_source(l, 0, PTX_B32).lo;
    mc_value at =
        lower_opn(l, ISA_add, lower_opn(l, ISA_shl, which, 3), first_named(l));
    if (in->guard)
        lower_branch(l, skip, l->guard, !l->unless);
    lower_emit(l, ISA_membar);
    mc_value opened = load(l, at, 4);
    lower_emit(l, ISA_membar);
    lower_branch(l, rest, leader(l), true);
    mc_value old = add(l, at, lower_number(l, WARP));
    mc_value last =
        lower_op2(l, ISA_seteq, lower_opn(l, ISA_add, old, WARP), n);
    lower_branch(l, rest, last, true);
    shared(l, ISA_sts_b32, at)->c = zero;
    lower_emit(l, ISA_membar);
    add(l, lower_opn(l, ISA_add, at, 4), lower_number(l, 1));
    lower_label(l, rest);
    if (!ptx_has(in->form, PTX_MOD_ARRIVE)) {
        lower_label(l, wait);
        mc_value now = load(l, at, 4);
        lower_branch(l, wait, lower_op2(l, ISA_seteq, now, opened), false);
    }
    lower_label(l, skip);
}

/* --- bar.red -------------------------------------------------------------- */

static bool lower_count(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_form *f = in->form;
    if (in->guard || in->n_operands != 3 ||
        in->operands[0]->kind != PTX_OPND_REGISTER ||
        number_of(in->operands[1]) != 0) {
        lower_refuse(l, "only barrier 0, of all threads and unguarded");
        return true;
    }
    bool all = ptx_has(f, PTX_MOD_AND), count = ptx_has(f, PTX_MOD_POPC);
    bool inverted;
    mc_value p = lower_pred_source(l, in->operands[2], &inverted);
    mc_value at = lower_number(l, l->barriers), zero = lower_number(l, 0);
    mc_value one = lower_sel(l, lower_number(l, 1), zero, p, inverted != all);
    lower_emit(l, ISA_bar);
    shared(l, ISA_sts_b32, at)->c = zero;
    lower_emit(l, ISA_bar);
    add(l, at, one);
    lower_emit(l, ISA_bar);
    mc_value n = load(l, at, 0);
    if (count)
        lower_result(l, in->operands[0], PTX_B32, (struct wide){n, MC_NONE});
    else
        lower_pred_result(l, in->operands[0]->reg,
                          lower_opn(l, all ? ISA_seteq : ISA_setne, n, 0),
                          false);
    return true;
}

bool lower_barrier(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    if (is_count(in->form))
        return lower_count(l);
    if (in->form->op != PTX_OP_BAR && in->form->op != PTX_OP_BARRIER)
        return false;
    if (!is_barrier(in->form))
        return true; /* the lanes of a warp go together */
    if (is_plain(in))
        lower_emit(l, ISA_bar);
    else
        named(l);
    return true;
}

/* lower_barrier.c - bar.red: how many threads of the CTA come with a true
 * predicate, counted in a word of shared memory.
 *
 * One barrier before it is cleared, for those who still read the last count;
 * one before threads add to it, and one before it is read.
 */
#include "lower.h"

bool lower_is_count(const struct ptx_form *f) {
    return f->op == PTX_OP_BAR_RED || f->op == PTX_OP_BAR_CTA_RED ||
           f->op == PTX_OP_BARRIER_RED || f->op == PTX_OP_BARRIER_CTA_RED;
}

static struct mc_insn *shared(struct lower *l, int op, mc_value at) {
    struct mc_insn *i = lower_emit(l, op);
    i->a = at;
    i->imm = op != ISA_ats_add;
    i->whole = true;
    return i;
}

bool lower_barrier_count(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_form *f = in->form;
    if (!lower_is_count(f))
        return false;
    if (in->guard || in->n_operands != 3 ||
        in->operands[0]->kind != PTX_OPND_REGISTER ||
        in->operands[1]->kind != PTX_OPND_VALUE ||
        in->operands[1]->value.bits != 0) {
        lower_refuse(l, "only barrier 0, of all threads and unguarded");
        return true;
    }
    bool all = ptx_has(f, PTX_MOD_AND), count = ptx_has(f, PTX_MOD_POPC);
    bool inverted;
    mc_value p = lower_pred_source(l, in->operands[2], &inverted);
    mc_value at = lower_number(l, l->counter), zero = lower_number(l, 0);
    mc_value one = lower_sel(l, lower_number(l, 1), zero, p, inverted != all);
    lower_emit(l, ISA_bar);
    shared(l, ISA_sts_b32, at)->c = zero;
    lower_emit(l, ISA_bar);
    mc_value old = mc_new(l->m, MC_REGISTER), n = mc_new(l->m, MC_REGISTER);
    struct mc_insn *add = shared(l, ISA_ats_add, at);
    add->d = old;
    add->b = MC_NONE;
    add->c = one;
    lower_emit(l, ISA_bar);
    shared(l, ISA_lds_b32, at)->d = n;
    if (count)
        lower_result(l, in->operands[0], PTX_B32, (struct wide){n, MC_NONE});
    else
        lower_pred_result(l, in->operands[0]->reg,
                          lower_opn(l, all ? ISA_seteq : ISA_setne, n, 0),
                          false);
    return true;
}

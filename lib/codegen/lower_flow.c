/* lower_flow.c - branches, barriers, and what the lanes of a warp tell each
 * other. */
#include "lower.h"

#include "base/bits.h"

static struct mc_insn *guarded(struct lower *l, int op) {
    struct mc_insn *i = lower_emit(l, op);
    i->guard = l->guard;
    i->unless = l->unless;
    return i;
}

static bool lower_bra(struct lower *l) {
    const struct ptx_operand *o = l->in->operands[0];
    if (o->kind != PTX_OPND_LABEL || o->table)
        return false;
    guarded(l, ISA_bra)->target = l->labels[o->pc];
    return true;
}

/* brx.idx: a comparison and a branch for each target; no index beyond them. */
static bool lower_brx(struct lower *l) {
    const struct ptx_operand *o = l->in->operands[1];
    mc_value index = lower_source(l, 0, PTX_B32).lo;
    if (o->kind != PTX_OPND_LABEL || !o->table)
        return false;
    for (int i = 0; i < o->table->n_targets; i++) {
        mc_value p = lower_opn(l, ISA_seteq, index, (uint32_t)i);
        if (l->guard != MC_NONE)
            p = lower_pred(l, ISA_pand, p, false, l->guard, l->unless);
        lower_branch(l, l->labels[o->table->targets[i]->pc], p, false);
    }
    guarded(l, ISA_trap);
    return true;
}

static void result(struct lower *l, mc_value v) {
    lower_result(l, l->in->operands[0], PTX_B32, (struct wide){v, MC_NONE});
}

/* The lanes of a mask that is all of them, or a value to and with. */
static mc_value members(struct lower *l, int operand) {
    const struct ptx_operand *o = l->in->operands[operand];
    if (operand >= l->in->n_operands ||
        (o->kind == PTX_OPND_VALUE && (uint32_t)o->value.bits == UINT32_MAX))
        return MC_NONE;
    return lower_source(l, operand, PTX_B32).lo;
}

static mc_value ballot(struct lower *l, mc_value p, bool inverted,
                       mc_value mask) {
    mc_value d = lower_op(l, ISA_vote, MC_NONE, MC_NONE, p);
    struct mc_insn *i = &l->m->list.v[l->m->list.n - 1];
    i->not_c = inverted;
    i->guard = l->guard;
    i->unless = l->unless;
    i->whole = true;
    return mask == MC_NONE ? d : lower_op2(l, ISA_and, d, mask);
}

static bool lower_vote(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_form *f = in->form;
    bool inverted;
    mc_value p = lower_pred_source(l, in->operands[1], &inverted);
    mc_value mask = in->n_operands > 2 ? members(l, 2) : MC_NONE, d;
    if (ptx_has(f, PTX_MOD_BALLOT)) {
        result(l, ballot(l, p, inverted, mask));
        return true;
    }
    mc_value some = lower_opn(l, ISA_setne, ballot(l, p, inverted, mask), 0);
    mc_value none = lower_opn(l, ISA_seteq, ballot(l, p, !inverted, mask), 0);
    if (ptx_has(f, PTX_MOD_ANY))
        d = some;
    else if (ptx_has(f, PTX_MOD_ALL))
        d = none;
    else /* all of one mind */
        d = lower_pred(l, ISA_por, some, true, none, false);
    if (in->operands[0]->kind != PTX_OPND_REGISTER)
        return false;
    lower_pred_result(l, in->operands[0]->reg, d, false);
    return true;
}

/* Whether shfl found its lane inside the segment: PTX's rule, computed. */
static mc_value inside(struct lower *l, int op, mc_value b, mc_value c) {
    mc_value lane = lower_special(l, ISA_SPECIAL_laneid);
    mc_value delta = lower_opn(l, ISA_and, b, 31);
    mc_value segment = lower_opn(l, ISA_and, lower_opn(l, ISA_shr, c, 8), 31);
    mc_value low = lower_op2(l, ISA_and, lane, segment);
    mc_value clamp =
        lower_op2(l, ISA_andn, lower_opn(l, ISA_and, c, 31), segment);
    mc_value last = lower_op2(l, ISA_or, low, clamp), from;
    if (op == ISA_shfl_up) {
        from = lower_op2(l, ISA_sub, lane, delta);
        return lower_op2(l, ISA_setges, from, last);
    }
    if (op == ISA_shfl_down)
        from = lower_op2(l, ISA_add, lane, delta);
    else if (op == ISA_shfl_bfly)
        from = lower_op2(l, ISA_xor, lane, delta);
    else
        from =
            lower_op2(l, ISA_or, low, lower_op2(l, ISA_andn, delta, segment));
    return lower_op2(l, ISA_setles, from, last);
}

static bool lower_shfl(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_form *f = in->form;
    const struct ptx_operand *o = in->operands[0];
    int op = ptx_has(f, PTX_MOD_UP)     ? ISA_shfl_up
             : ptx_has(f, PTX_MOD_DOWN) ? ISA_shfl_down
             : ptx_has(f, PTX_MOD_BFLY) ? ISA_shfl_bfly
                                        : ISA_shfl_idx;
    mc_value a = lower_source(l, 1, PTX_B32).lo;
    mc_value b = lower_source(l, 2, PTX_B32).lo;
    mc_value c = lower_source(l, 3, PTX_B32).lo;
    mc_value d = lower_op(l, op, a, b, c), p = MC_NONE;
    struct mc_insn *i = &l->m->list.v[l->m->list.n - 1];
    i->guard = l->guard;
    i->unless = l->unless;
    i->whole = true;
    if (o->kind == PTX_OPND_REGISTER && o->second)
        p = inside(l, op, b, c);
    struct ptx_operand first = *o;
    first.second = NULL;
    lower_result(l, &first, PTX_B32, (struct wide){d, MC_NONE});
    if (p != MC_NONE)
        lower_pred_result(l, o->second, p, false);
    return true;
}

bool lower_flow(struct lower *l) {
    switch (l->in->form->op) {
    case PTX_OP_BRA:
        return lower_bra(l);
    case PTX_OP_BRX:
        return lower_brx(l);
    case PTX_OP_RET:
    case PTX_OP_EXIT:
        guarded(l, ISA_exit);
        return true;
    case PTX_OP_TRAP:
        guarded(l, ISA_trap);
        return true;
    case PTX_OP_MEMBAR:
    case PTX_OP_FENCE:
        lower_emit(l, ISA_membar);
        return true;
    case PTX_OP_VOTE:
        return l->in->n_operands >= 2 && lower_vote(l);
    case PTX_OP_SHFL:
        return l->in->n_operands >= 4 && lower_shfl(l);
    case PTX_OP_ACTIVEMASK:
        result(l, ballot(l, MC_TRUE, false, MC_NONE));
        return true;
    case PTX_OP_NANOSLEEP:
    case PTX_OP_PMEVENT:
        return true; /* hints */
    default:
        return false;
    }
}

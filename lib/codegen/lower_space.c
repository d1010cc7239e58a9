/* lower_space.c - generic addresses: those of global memory, where local memory
 * lies too, are what they are; those of shared memory have SHARED_BIT set.
 */
#include "lower.h"

enum { SHARED_BIT_AT = 31 };

static const uint32_t shared_bit = (uint32_t)1 << SHARED_BIT_AT;

mc_value lower_is_global(struct lower *l, mc_value generic) {
    return lower_opn(l, ISA_setges, generic, 0);
}

mc_value lower_to_shared(struct lower *l, mc_value generic) {
    return lower_opn(l, ISA_and, generic, shared_bit - 1);
}

static bool lower_cvta(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = f->n_types ? f->types[0] : PTX_B64;
    if (f->space == PTX_SPACE_PARAM) {
        lower_refuse(l, "the address of a parameter");
        return true;
    }
    struct wide a = lower_source(l, 1, t);
    if (f->space == PTX_SPACE_SHARED)
        a.lo = ptx_has(f, PTX_MOD_TO) ? lower_to_shared(l, a.lo)
                                      : lower_opn(l, ISA_or, a.lo, shared_bit);
    lower_result(l, l->in->operands[0], t, a);
    return true;
}

/* Whether a lies in the thread's own local memory. */
static mc_value is_local(struct lower *l, mc_value a) {
    mc_value at = lower_op2(l, ISA_sub, a, lower_frame(l));
    return lower_op2(l, ISA_setltu, at, lower_param(l, ISA_WORD_LOCAL_BYTES));
}

static bool lower_isspacep(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    mc_value a = lower_source(l, 1, PTX_B32).lo, p;
    bool inverted = false;
    switch (in->form->space) {
    case PTX_SPACE_SHARED:
        p = lower_is_global(l, a);
        inverted = true;
        break;
    case PTX_SPACE_GLOBAL:
        p = lower_pred(l, ISA_pand, lower_is_global(l, a), false,
                       is_local(l, a), true);
        break;
    case PTX_SPACE_LOCAL:
        p = is_local(l, a);
        break;
    default:
        return false;
    }
    if (in->operands[0]->kind != PTX_OPND_REGISTER)
        return false;
    lower_pred_result(l, in->operands[0]->reg, p, inverted);
    return true;
}

bool lower_space(struct lower *l) {
    switch (l->in->form->op) {
    case PTX_OP_CVTA:
        return lower_cvta(l);
    case PTX_OP_ISSPACEP:
        return lower_isspacep(l);
    default:
        return false;
    }
}

/* lower_fields.c - szext, bmsk, fns: masks whose places are values. */
#include "lower.h"

static mc_value word(struct lower *l, int operand) {
    return lower_source(l, operand, PTX_B32).lo;
}

static void result(struct lower *l, mc_value v) {
    lower_result(l, l->in->operands[0], PTX_B32, (struct wide){v, MC_NONE});
}

/* The low n bits of a, extended; a itself from 32 on, 0 of none. */
static bool lower_szext(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    mc_value a = word(l, 1), n = word(l, 2);
    bool sign = f->n_types && ptx_type_kind(f->types[0]) == 's';
    if (ptx_has(f, PTX_MOD_WRAP))
        n = lower_opn(l, ISA_and, n, 31);
    else
        n = lower_opn(l, ISA_minu, n, 32);
    mc_value up = lower_opn(l, ISA_rsub, n, 32);
    mc_value d = lower_op2(l, ISA_shl, a, up);
    mc_value none = lower_opn(l, ISA_seteq, n, 0);
    d = lower_op2(l, sign ? ISA_sar : ISA_shr, d, up);
    result(l, lower_sel(l, lower_number(l, 0), d, none, false));
    return true;
}

/* n ones from bit a on. */
static bool lower_bmsk(struct lower *l) {
    mc_value a = word(l, 1), n = word(l, 2);
    if (ptx_has(l->in->form, PTX_MOD_WRAP)) {
        a = lower_opn(l, ISA_and, a, 31);
        n = lower_opn(l, ISA_and, n, 31);
    }
    mc_value top = lower_op2(l, ISA_shl, lower_number(l, 1), n);
    mc_value ones = lower_opn(l, ISA_sub, top, 1);
    result(l, lower_op2(l, ISA_shl, ones, a));
    return true;
}

/* The lowest ones of m away, n - 1 of them: a loop, which ends when none are
 * left. */
static void drop(struct lower *l, mc_value m, mc_value n) {
    int again = mc_label(l->m), end = mc_label(l->m);
    lower_label(l, again);
    mc_value more = lower_pred(l, ISA_pand, lower_opn(l, ISA_setgtu, n, 1),
                               false, lower_opn(l, ISA_setne, m, 0), false);
    lower_branch(l, end, more, true);
    mc_value rest = lower_op2(l, ISA_and, m, lower_opn(l, ISA_sub, m, 1));
    lower_move(l, m, rest, MC_NONE, false);
    lower_move(l, n, lower_opn(l, ISA_sub, n, 1), MC_NONE, false);
    lower_branch(l, again, MC_NONE, false);
    lower_label(l, end);
}

static mc_value copy(struct lower *l, mc_value v) {
    mc_value d = mc_new(l->m, MC_REGISTER);
    lower_move(l, d, v, MC_NONE, false);
    return d;
}

/* The n-th one of a mask from a bit on; upwards in the mask turned round where
 * n is negative; the bit itself where n is 0. */
static bool lower_fns(struct lower *l) {
    mc_value mask = word(l, 1), from = word(l, 2), n = word(l, 3);
    mc_value down = lower_opn(l, ISA_setlts, n, 0);
    mc_value zero = lower_opn(l, ISA_seteq, n, 0);
    mc_value turned = lower_op(l, ISA_brev, mask, MC_NONE, MC_NONE);
    mc_value m = lower_sel(l, turned, mask, down, false);
    mc_value at =
        lower_sel(l, lower_opn(l, ISA_rsub, from, 31), from, down, false);
    mc_value above = lower_op2(l, ISA_shl, lower_number(l, UINT32_MAX), at);
    mc_value own = lower_op2(l, ISA_shl, lower_number(l, 1), at);
    m = lower_op2(l, ISA_and, m, lower_sel(l, own, above, zero, false));
    mc_value outside = lower_opn(l, ISA_setgtu, from, 31);
    m = copy(l, lower_sel(l, lower_number(l, 0), m, outside, false));
    mc_value minus = lower_opn(l, ISA_rsub, n, 0);
    mc_value left = copy(l, lower_sel(l, minus, n, down, false));
    drop(l, m, left);
    mc_value lowest = lower_op2(l, ISA_and, m, lower_opn(l, ISA_rsub, m, 0));
    mc_value place = lower_opn(
        l, ISA_rsub, lower_op(l, ISA_clz, lowest, MC_NONE, MC_NONE), 31);
    mc_value back = lower_opn(l, ISA_rsub, place, 31);
    place = lower_sel(l, back, place, down, false);
    mc_value none = lower_opn(l, ISA_seteq, m, 0);
    result(l, lower_sel(l, lower_number(l, UINT32_MAX), place, none, false));
    return true;
}

bool lower_fields(struct lower *l) {
    switch (l->in->form->op) {
    case PTX_OP_SZEXT:
        return lower_szext(l);
    case PTX_OP_BMSK:
        return lower_bmsk(l);
    case PTX_OP_FNS:
        return lower_fns(l);
    default:
        return false;
    }
}

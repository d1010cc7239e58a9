/* lower_carry.c - additions and subtractions that read or write the carry of a
 * thread: add.cc, addc, sub.cc, subc, mad.cc, madc.
 *
 * The carry is a register, 0 or 1; of a subtraction it holds the borrow.
 */
#include "pair.h"

/* The carry of the function; what it is at first is not defined. */
static mc_value carry_register(struct lower *l) {
    if (!l->has_carry) {
        l->carry = mc_new(l->m, MC_REGISTER);
        l->has_carry = true;
    }
    return l->carry;
}

/* a + b + in or a - b - in: a word, and what it carries. */
static mc_value word(struct lower *l, bool sub, mc_value a, mc_value b,
                     mc_value in, mc_value *out) {
    int op = sub ? ISA_sub : ISA_add, carry = sub ? ISA_borrow : ISA_carry;
    mc_value d = lower_op2(l, op, a, b);
    *out = lower_op2(l, carry, a, b);
    if (in == MC_NONE)
        return d;
    *out = lower_op2(l, ISA_or, *out, lower_op2(l, carry, d, in));
    return lower_op2(l, op, d, in);
}

/* What mad adds to: a product, low or high. */
static struct wide product(struct lower *l, enum ptx_type t) {
    struct wide a = lower_source(l, 1, t), b = lower_source(l, 2, t);
    bool high = ptx_has(l->in->form, PTX_MOD_HI);
    bool s = ptx_type_kind(t) == 's';
    if (ptx_type_bits(t) == 64)
        return high ? seq_multiply_high(l, a, b, s)
                    : lower_pair_mul(l, a, b, true);
    int op = !high ? ISA_mul : s ? ISA_mulhs : ISA_mulhu;
    return (struct wide){lower_op2(l, op, a.lo, b.lo), MC_NONE};
}

bool lower_carry(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    bool in =
        f->op == PTX_OP_ADDC || f->op == PTX_OP_SUBC || f->op == PTX_OP_MADC;
    bool out = ptx_has(f, PTX_MOD_CC), mad = false;
    bool sub = f->op == PTX_OP_SUB || f->op == PTX_OP_SUBC;
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    if (f->op == PTX_OP_MAD || f->op == PTX_OP_MADC)
        mad = true;
    else if (f->op != PTX_OP_ADD && f->op != PTX_OP_ADDC && !sub)
        return false;
    if ((!in && !out) || (ptx_type_bits(t) != 32 && ptx_type_bits(t) != 64))
        return false;
    struct wide a = mad ? product(l, t) : lower_source(l, 1, t);
    struct wide b = lower_source(l, mad ? 3 : 2, t), d = {MC_NONE, MC_NONE};
    mc_value carry = carry_register(l), over;
    d.lo = word(l, sub, a.lo, b.lo, in ? carry : MC_NONE, &over);
    if (ptx_type_bits(t) == 64)
        d.hi = word(l, sub, a.hi, b.hi, over, &over);
    lower_result(l, l->in->operands[0], t, d);
    if (out)
        lower_move(l, carry, over, l->guard, l->unless);
    return true;
}

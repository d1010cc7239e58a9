/* lower_int.c - integer arithmetic and logic of up to 32 bits.
 *
 * A 16-bit register holds its number in the low bits of a word; what stands
 * above is anything, and is put right where it matters (lower_extend).
 */
#include "lower.h"

static enum ptx_type type_of(const struct lower *l) {
    const struct ptx_form *f = l->in->form;
    return f->n_types ? f->types[0] : PTX_B32;
}

static bool is_signed(enum ptx_type t) {
    return ptx_type_kind(t) == 's';
}

static mc_value source(struct lower *l, int operand) {
    return lower_source(l, operand, type_of(l)).lo;
}

/* With all its bits meaning something. */
static mc_value full(struct lower *l, int operand) {
    return lower_extend(l, source(l, operand), type_of(l));
}

static void result(struct lower *l, mc_value v) {
    lower_result(l, l->in->operands[0], type_of(l), (struct wide){v, MC_NONE});
}

static int plain_op(const struct lower *l) {
    switch (l->in->form->op) {
    case PTX_OP_ADD:
        return ISA_add;
    case PTX_OP_SUB:
        return ISA_sub;
    case PTX_OP_AND:
        return ISA_and;
    case PTX_OP_OR:
        return ISA_or;
    case PTX_OP_XOR:
        return ISA_xor;
    case PTX_OP_SHL:
        return ISA_shl;
    default:
        return ISA_ILLEGAL;
    }
}

/* Logic on predicates. */
static bool lower_logic(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    int op = plain_op(l) == ISA_and  ? ISA_pand
             : plain_op(l) == ISA_or ? ISA_por
                                     : ISA_pxor;
    bool not_a, not_b = false;
    mc_value a = lower_pred_source(l, in->operands[1], &not_a);
    mc_value b = MC_TRUE, d;
    if (in->form->op == PTX_OP_NOT) {
        d = lower_pred(l, ISA_pand, a, !not_a, MC_TRUE, false);
    } else if (in->form->op == PTX_OP_MOV) {
        d = lower_pred(l, ISA_pand, a, not_a, MC_TRUE, false);
    } else {
        b = lower_pred_source(l, in->operands[2], &not_b);
        d = lower_pred(l, op, a, not_a, b, not_b);
    }
    if (in->operands[0]->kind != PTX_OPND_REGISTER)
        return false;
    lower_pred_result(l, in->operands[0]->reg, d, false);
    return true;
}

/* add.sat.s32 and sub.sat.s32: beyond the range, its end on that side. */
static mc_value saturated(struct lower *l, mc_value a, mc_value b, bool minus) {
    mc_value d = lower_op2(l, minus ? ISA_sub : ISA_add, a, b);
    /* over if a and the result differ in sign, and a and b (not) */
    mc_value x = lower_op2(l, ISA_xor, a, d);
    mc_value y = lower_op2(l, ISA_xor, minus ? a : d, b);
    mc_value over = lower_op2(l, ISA_and, x, y);
    mc_value p = lower_opn(l, ISA_setlts, over, 0);
    mc_value end =
        lower_opn(l, ISA_xor, lower_opn(l, ISA_sar, a, 31), 0x7fffffff);
    return lower_sel(l, end, d, p, false);
}

static bool lower_plain(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = type_of(l);
    mc_value a = source(l, 1);
    if (f->op == PTX_OP_SHL) {
        mc_value b = lower_source(l, 2, PTX_U32).lo;
        result(l, lower_op2(l, ISA_shl, a, b));
        return true;
    }
    mc_value b = source(l, 2);
    if (ptx_has(f, PTX_MOD_CC) || (ptx_has(f, PTX_MOD_SAT) && t != PTX_S32))
        return false;
    if (ptx_has(f, PTX_MOD_SAT))
        result(l, saturated(l, a, b, f->op == PTX_OP_SUB));
    else
        result(l, lower_op2(l, plain_op(l), a, b));
    return true;
}

static bool lower_shift_right(struct lower *l) {
    enum ptx_type t = type_of(l);
    mc_value a = full(l, 1), b = lower_source(l, 2, PTX_U32).lo;
    result(l, lower_op2(l, is_signed(t) ? ISA_sar : ISA_shr, a, b));
    return true;
}

/* The product of two words, or its upper half; of 16 bits, one word. */
static bool lower_multiply(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = type_of(l);
    bool mad = f->op == PTX_OP_MAD, small = ptx_type_bits(t) < 32;
    if (ptx_has(f, PTX_MOD_CC) || ptx_has(f, PTX_MOD_SAT))
        return false;
    if (ptx_has(f, PTX_MOD_WIDE) && !small)
        return false;
    mc_value a, b, d;
    if (ptx_has(f, PTX_MOD_LO)) {
        a = source(l, 1);
        b = source(l, 2);
        result(l, mad ? lower_op(l, ISA_mad, a, b, source(l, 3))
                      : lower_op2(l, ISA_mul, a, b));
        return true;
    }
    a = full(l, 1);
    b = full(l, 2);
    if (!small)
        d = lower_op2(l, is_signed(t) ? ISA_mulhs : ISA_mulhu, a, b);
    else
        d = lower_op2(l, ISA_mul, a, b);
    if (small && ptx_has(f, PTX_MOD_HI))
        d = lower_opn(l, is_signed(t) ? ISA_sar : ISA_shr, d, 16);
    if (mad) {
        enum ptx_type sum = ptx_has(f, PTX_MOD_WIDE) ? PTX_U32 : t;
        d = lower_op2(l, ISA_add, d, lower_source(l, 3, sum).lo);
    }
    result(l, d);
    return true;
}

/* mul24: the low 24 bits of the sources; .hi bits 47 to 16 of the product. */
static bool lower_multiply24(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    int right = is_signed(type_of(l)) ? ISA_sar : ISA_shr;
    mc_value x[2];
    for (int i = 0; i < 2; i++)
        x[i] =
            lower_opn(l, right, lower_opn(l, ISA_shl, source(l, i + 1), 8), 8);
    mc_value d = lower_op2(l, ISA_mul, x[0], x[1]);
    if (ptx_has(f, PTX_MOD_HI)) {
        mc_value high = lower_op2(
            l, is_signed(type_of(l)) ? ISA_mulhs : ISA_mulhu, x[0], x[1]);
        d = lower_op2(l, ISA_or, lower_opn(l, ISA_shr, d, 16),
                      lower_opn(l, ISA_shl, high, 16));
    }
    if (f->op == PTX_OP_MAD24)
        d = lower_op2(l, ISA_add, d, source(l, 3));
    result(l, d);
    return !ptx_has(f, PTX_MOD_SAT);
}

static bool lower_divide(struct lower *l) {
    enum ptx_type t = type_of(l);
    mc_value n = full(l, 1), d = full(l, 2), rest, q;
    q = is_signed(t) ? seq_divide_signed(l, n, d, &rest)
                     : seq_divide_unsigned(l, n, d, &rest);
    result(l, l->in->form->op == PTX_OP_DIV ? q : rest);
    return true;
}

static bool lower_extreme(struct lower *l) {
    bool most = l->in->form->op == PTX_OP_MAX, s = is_signed(type_of(l));
    int op = most ? s ? ISA_maxs : ISA_maxu : s ? ISA_mins : ISA_minu;
    if (l->in->n_operands != 3)
        return false;
    mc_value d = lower_op2(l, op, full(l, 1), full(l, 2));
    if (ptx_has(l->in->form, PTX_MOD_RELU))
        d = lower_opn(l, ISA_maxs, d, 0);
    result(l, d);
    return true;
}

static bool lower_unary(struct lower *l) {
    mc_value a = source(l, 1);
    switch (l->in->form->op) {
    case PTX_OP_NOT:
        result(l, lower_opn(l, ISA_xor, a, UINT32_MAX));
        return true;
    case PTX_OP_NEG:
        result(l, lower_opn(l, ISA_rsub, a, 0));
        return true;
    case PTX_OP_ABS:
        a = full(l, 1);
        result(l, lower_op2(l, ISA_maxs, a, lower_opn(l, ISA_rsub, a, 0)));
        return true;
    default: { /* cnot */
        mc_value p = lower_opn(l, ISA_seteq, full(l, 1), 0);
        result(l,
               lower_sel(l, lower_number(l, 1), lower_number(l, 0), p, false));
        return true;
    }
    }
}

/* |a - b| + c */
static bool lower_sad(struct lower *l) {
    bool s = is_signed(type_of(l));
    mc_value a = full(l, 1), b = full(l, 2);
    mc_value most = lower_op2(l, s ? ISA_maxs : ISA_maxu, a, b);
    mc_value least = lower_op2(l, s ? ISA_mins : ISA_minu, a, b);
    result(l, lower_op2(l, ISA_add, lower_op2(l, ISA_sub, most, least),
                        source(l, 3)));
    return true;
}

bool lower_integer(struct lower *l) {
    enum ptx_opcode op = l->in->form->op;
    bool pred = type_of(l) == PTX_PRED;
    if (ptx_type_bits(type_of(l)) > 32)
        return false; /* lower_wide has those that there are */
    switch (op) {
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_NOT:
        if (pred)
            return lower_logic(l);
        return op == PTX_OP_NOT ? lower_unary(l) : lower_plain(l);
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_SHL:
        return lower_plain(l);
    case PTX_OP_SHR:
        return lower_shift_right(l);
    case PTX_OP_MUL:
    case PTX_OP_MAD:
        return lower_multiply(l);
    case PTX_OP_MUL24:
    case PTX_OP_MAD24:
        return lower_multiply24(l);
    case PTX_OP_DIV:
    case PTX_OP_REM:
        return lower_divide(l);
    case PTX_OP_MIN:
    case PTX_OP_MAX:
        return lower_extreme(l);
    case PTX_OP_NEG:
    case PTX_OP_ABS:
    case PTX_OP_CNOT:
        return lower_unary(l);
    case PTX_OP_SAD:
        return lower_sad(l);
    case PTX_OP_MOV:
        return pred && lower_logic(l);
    default:
        return false;
    }
}

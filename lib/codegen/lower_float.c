/* lower_float.c - f32 arithmetic; what the machine has no operation for comes
 * from seq_*.c. */
#include "lower.h"

static mc_value source(struct lower *l, int operand) {
    return lower_source(l, operand, PTX_F32).lo;
}

static void result(struct lower *l, mc_value v) {
    lower_result(l, l->in->operands[0], PTX_F32, (struct wide){v, MC_NONE});
}

static bool has_ftz(const struct lower *l) {
    return ptx_has(l->in->form, PTX_MOD_FTZ);
}

static uint8_t rounding(const struct lower *l) {
    switch (ptx_modifier_of(l->in->form, PTX_GROUP_ROUND)) {
    case PTX_MOD_RZ:
    case PTX_MOD_RZI:
        return ISA_RZ;
    case PTX_MOD_RM:
    case PTX_MOD_RMI:
        return ISA_RM;
    case PTX_MOD_RP:
    case PTX_MOD_RPI:
        return ISA_RP;
    default:
        return ISA_RN;
    }
}

mc_value seq_f32(struct lower *l, int op, mc_value a, mc_value b, mc_value c,
                 bool ftz) {
    mc_value d = lower_op(l, op, a, b, c);
    l->m->list.v[l->m->list.n - 1].ftz = ftz;
    return d;
}

static mc_value negated(struct lower *l, mc_value a) {
    return lower_opn(l, ISA_xor, a, 0x80000000);
}

/* With the modifiers of the instruction. */
static mc_value arithmetic(struct lower *l, int op, mc_value a, mc_value b,
                           mc_value c) {
    mc_value d = seq_f32(l, op, a, b, c, has_ftz(l));
    struct mc_insn *i = &l->m->list.v[l->m->list.n - 1];
    i->round = rounding(l);
    i->sat = ptx_has(l->in->form, PTX_MOD_SAT);
    return d;
}

static bool lower_arithmetic(struct lower *l) {
    mc_value a = source(l, 1), b = source(l, 2);
    switch (l->in->form->op) {
    case PTX_OP_ADD:
        result(l, arithmetic(l, ISA_fadd, a, b, MC_NONE));
        return true;
    case PTX_OP_SUB:
        /* a number as b: its negative; else b * -1 + a, exact but for the one
         * rounding that a - b has, unless a modifier stands in the way of the
         * immediate */
        if (l->in->operands[2]->kind == PTX_OPND_VALUE || has_ftz(l) ||
            ptx_has(l->in->form, PTX_MOD_SAT))
            result(l, arithmetic(l, ISA_fadd, a, negated(l, b), MC_NONE));
        else
            result(l, arithmetic(l, ISA_ffma, b, lower_f32(l, -1), a));
        return true;
    case PTX_OP_MUL:
        result(l, arithmetic(l, ISA_fmul, a, b, MC_NONE));
        return true;
    default:
        result(l, arithmetic(l, ISA_ffma, a, b, source(l, 3)));
        return true;
    }
}

/* .NaN: either operand's wins. */
static bool lower_extreme(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    int op = f->op == PTX_OP_MIN ? ISA_fmin : ISA_fmax;
    if (l->in->n_operands != 3 || ptx_has(f, PTX_MOD_XORSIGN))
        return false;
    mc_value a = source(l, 1), b = source(l, 2);
    mc_value d = seq_f32(l, op, a, b, MC_NONE, has_ftz(l));
    if (ptx_has(f, PTX_MOD_CAP_NAN)) {
        mc_value p = lower_op2(l, ISA_fsetnan, a, b);
        d = lower_sel(l, lower_number(l, 0x7fffffff), d, p, false);
    }
    result(l, d);
    return true;
}

/* A subnormal as zero. */
static mc_value flushed(struct lower *l, mc_value a) {
    return seq_f32(l, ISA_fmul, a, lower_f32(l, 1), MC_NONE, true);
}

static bool lower_sign(struct lower *l) {
    bool ftz = has_ftz(l);
    mc_value a = source(l, 1);
    if (l->in->form->op == PTX_OP_NEG)
        a = ftz ? seq_f32(l, ISA_fmul, a, lower_f32(l, -1), MC_NONE, true)
                : negated(l, a);
    else
        a = lower_opn(l, ISA_and, ftz ? flushed(l, a) : a, 0x7fffffff);
    result(l, a);
    return true;
}

/* The sign of a with the rest of b. */
static bool lower_copysign(struct lower *l) {
    mc_value sign = lower_opn(l, ISA_and, source(l, 1), 0x80000000);
    mc_value rest = lower_opn(l, ISA_and, source(l, 2), 0x7fffffff);
    result(l, lower_op2(l, ISA_or, sign, rest));
    return true;
}

/* Correctly rounded, so within what .approx and .full ask, too. */
static bool lower_divide(struct lower *l) {
    enum ptx_opcode op = l->in->form->op;
    mc_value a = op == PTX_OP_RCP ? lower_f32(l, 1) : source(l, 1);
    mc_value b = source(l, op == PTX_OP_RCP ? 1 : 2);
    bool ftz = has_ftz(l);
    if (rounding(l) == ISA_RN)
        result(l, seq_divide_f32(l, a, b, ftz));
    else
        result(l, seq_divide_rounded(l, a, b, ftz, rounding(l)));
    return true;
}

static bool lower_function_of(struct lower *l) {
    mc_value a = source(l, 1);
    bool ftz = has_ftz(l), nearest = rounding(l) == ISA_RN;
    if (!nearest && l->in->form->op != PTX_OP_SQRT)
        return false;
    switch (l->in->form->op) {
    case PTX_OP_SQRT:
        result(l, nearest ? seq_sqrt(l, a, ftz)
                          : seq_sqrt_rounded(l, a, ftz, rounding(l)));
        return true;
    case PTX_OP_RSQRT:
        result(l, seq_rsqrt(l, a, ftz));
        return true;
    case PTX_OP_EX2:
        result(l, seq_ex2(l, a, ftz));
        return true;
    case PTX_OP_TANH:
        result(l, seq_tanh(l, a));
        return true;
    case PTX_OP_LG2:
        result(l, seq_lg2(l, a, ftz));
        return true;
    default:
        result(l, seq_sin(l, ftz ? flushed(l, a) : a,
                          l->in->form->op == PTX_OP_COS));
        return true;
    }
}

/* testp: on the bits without the sign. */
static bool lower_test(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    mc_value a = lower_opn(l, ISA_and, source(l, 1), 0x7fffffff), p;
    mc_value inf = lower_number(l, 0x7f800000);
    if (ptx_has(f, PTX_MOD_FINITE))
        p = lower_op2(l, ISA_setltu, a, inf);
    else if (ptx_has(f, PTX_MOD_INFINITE))
        p = lower_op2(l, ISA_seteq, a, inf);
    else if (ptx_has(f, PTX_MOD_NUMBER))
        p = lower_op2(l, ISA_setleu, a, inf);
    else if (ptx_has(f, PTX_MOD_NOTANUMBER))
        p = lower_op2(l, ISA_setgtu, a, inf);
    else { /* zero is normal; one below it is beyond all subnormal ones */
        mc_value less = lower_opn(l, ISA_sub, a, 1);
        mc_value few = lower_number(l, 0x007fffff);
        p = ptx_has(f, PTX_MOD_NORMAL)
                ? lower_pred(l, ISA_pand, lower_op2(l, ISA_setltu, a, inf),
                             false, lower_op2(l, ISA_setgeu, less, few), false)
                : lower_op2(l, ISA_setltu, less, few);
    }
    if (l->in->operands[0]->kind != PTX_OPND_REGISTER)
        return false;
    lower_pred_result(l, l->in->operands[0]->reg, p, false);
    return true;
}

bool lower_float(struct lower *l) {
    switch (l->in->form->op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_MUL:
    case PTX_OP_MAD:
    case PTX_OP_FMA:
        return lower_arithmetic(l);
    case PTX_OP_MIN:
    case PTX_OP_MAX:
        return lower_extreme(l);
    case PTX_OP_ABS:
    case PTX_OP_NEG:
        return lower_sign(l);
    case PTX_OP_COPYSIGN:
        return lower_copysign(l);
    case PTX_OP_DIV:
    case PTX_OP_RCP:
        return lower_divide(l);
    case PTX_OP_SQRT:
    case PTX_OP_RSQRT:
    case PTX_OP_TANH:
    case PTX_OP_EX2:
    case PTX_OP_LG2:
    case PTX_OP_SIN:
    case PTX_OP_COS:
        return lower_function_of(l);
    case PTX_OP_TESTP:
        return lower_test(l);
    default:
        return false;
    }
}

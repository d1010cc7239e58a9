/* seq_int.c - integer division.
 *
 * The quotient comes from an estimate of 2^32 / d: the f32 reciprocal, taken a
 * little too small, as an integer, and improved once by its own error modulo
 * 2^32.  What n times it gives is at most two too small.
 */
#include "lower.h"

/* 1 / b for a positive or negative normal f32 b: a guess from the bits, made
 * better by Newton's step x += x (1 - b x), which squares the error.  minus is
 * -b. */
mc_value seq_reciprocal(struct lower *l, mc_value b, mc_value minus,
                        int steps) {
    mc_value one = lower_f32(l, 1);
    mc_value x = lower_op2(l, ISA_sub, lower_number(l, 0x7ef311c7), b);
    for (int i = 0; i < steps; i++) {
        mc_value e = lower_op(l, ISA_ffma, minus, x, one);
        x = lower_op(l, ISA_ffma, x, e, x);
    }
    return x;
}

mc_value seq_divide_unsigned(struct lower *l, mc_value n, mc_value d,
                             mc_value *rest) {
    mc_value f = lower_op(l, ISA_cvtfu, d, MC_NONE, MC_NONE);
    mc_value minus = lower_op2(l, ISA_fmul, f, lower_f32(l, -1));
    mc_value x = seq_reciprocal(l, f, minus, 3);
    x = lower_op2(l, ISA_fmul, x, lower_number(l, 0x4f7ffff8));
    mc_value z = lower_op(l, ISA_cvtuf, x, MC_NONE, MC_NONE);
    l->m->list.v[l->m->list.n - 1].round = ISA_RZ;
    mc_value error = lower_op2(l, ISA_mul, lower_opn(l, ISA_rsub, d, 0), z);
    z = lower_op2(l, ISA_add, z, lower_op2(l, ISA_mulhu, z, error));
    mc_value q = lower_op2(l, ISA_mulhu, n, z);
    mc_value r = lower_op2(l, ISA_sub, n, lower_op2(l, ISA_mul, q, d));
    mc_value one = lower_number(l, 1);
    for (int i = 0; i < 2; i++) {
        mc_value p = lower_op2(l, ISA_setgeu, r, d);
        lower_into(l, q, ISA_add, q, one, p);
        lower_into(l, r, ISA_sub, r, d, p);
    }
    *rest = r;
    return q;
}

static mc_value magnitude(struct lower *l, mc_value v) {
    return lower_op2(l, ISA_maxs, v, lower_opn(l, ISA_rsub, v, 0));
}

/* v, or -v where sign is negative. */
static mc_value with_sign(struct lower *l, mc_value v, mc_value sign) {
    mc_value all = lower_opn(l, ISA_sar, sign, 31);
    return lower_op2(l, ISA_sub, lower_op2(l, ISA_xor, v, all), all);
}

mc_value seq_divide_signed(struct lower *l, mc_value n, mc_value d,
                           mc_value *rest) {
    mc_value q = seq_divide_unsigned(l, magnitude(l, n), magnitude(l, d), rest);
    *rest = with_sign(l, *rest, n);
    return with_sign(l, q, lower_op2(l, ISA_xor, n, d));
}

/* seq_div.c - f32 division, correctly rounded to nearest.
 *
 * Where both exponents are moderate, so that nothing on the way overflows or
 * becomes subnormal: q = a x with x = 1 / b, then twice q += (a - b q) x, whose
 * remainder is exact; with x within half a unit of its last place q is the
 * nearest (Markstein, "Computation of elementary functions on the IBM RISC
 * System/6000 processor", 1990).  Otherwise the same is done with the
 * significands, and exponent, overflow and subnormal results by integers.
 */
#include "lower.h"

static mc_value fma3(struct lower *l, mc_value a, mc_value b, mc_value c) {
    return lower_op(l, ISA_ffma, a, b, c);
}

/* a / b, and -b for the remainder. */
static mc_value core(struct lower *l, mc_value a, mc_value b, mc_value *minus) {
    *minus = lower_op2(l, ISA_fmul, b, lower_f32(l, -1));
    mc_value x = seq_reciprocal(l, b, *minus, 4);
    /* of a significand of ones the nearest reciprocal is one unit more: the
     * steps stop at the power of two, half a unit below */
    mc_value all = lower_opn(l, ISA_and, b, 0x007fffff);
    mc_value p = lower_opn(l, ISA_seteq, all, 0x007fffff);
    lower_into(l, x, ISA_add, x, lower_number(l, 1), p);
    mc_value q = lower_op2(l, ISA_fmul, a, x);
    for (int i = 0; i < 2; i++)
        q = fma3(l, fma3(l, *minus, q, a), x, q);
    return q;
}

/* The exponent of a, less 67: below 120 if moderate. */
static mc_value distance(struct lower *l, mc_value a) {
    mc_value e = lower_opn(l, ISA_shr, lower_opn(l, ISA_shl, a, 1), 24);
    return lower_opn(l, ISA_sub, e, 67);
}

/* A positive finite number as significand in [1, 2) and biased exponent. */
static mc_value normal(struct lower *l, mc_value a, mc_value *exponent) {
    mc_value tiny = lower_op2(l, ISA_setltu, a, lower_number(l, 0x00800000));
    mc_value up = lower_op2(l, ISA_fmul, a, lower_f32(l, 0x1p24f));
    a = lower_sel(l, up, a, tiny, false);
    mc_value less =
        lower_sel(l, lower_number(l, 24), lower_number(l, 0), tiny, false);
    *exponent = lower_op2(l, ISA_sub, lower_opn(l, ISA_shr, a, 23), less);
    return lower_op2(l, ISA_or, lower_opn(l, ISA_and, a, 0x007fffff),
                     lower_number(l, 0x3f800000));
}

/* Zeros, infinities and NaNs: a times what 1 / b then is. */
static mc_value special(struct lower *l, mc_value a, mc_value b, mc_value sign,
                        mc_value whole) {
    mc_value inf = lower_number(l, 0x7f800000);
    mc_value zero = lower_number(l, 0);
    mc_value r = lower_f32(l, 1);
    r = lower_sel(l, zero, r, lower_op2(l, ISA_seteq, b, inf), false);
    r = lower_sel(l, inf, r, lower_op2(l, ISA_seteq, b, zero), false);
    r = lower_op2(l, ISA_or, r, sign);
    r = lower_sel(l, whole, r, lower_op2(l, ISA_setgtu, b, inf), false);
    return lower_op2(l, ISA_fmul, a, r);
}

/* A quotient q of significands, whose remainder is rest, times 2^e, with an
 * exponent field of 0 or less: cut off below, shifted down and rounded half to
 * even. */
static mc_value subnormal(struct lower *l, mc_value q, mc_value rest,
                          mc_value e) {
    mc_value zero = lower_number(l, 0), one = lower_number(l, 1);
    mc_value above = lower_op2(l, ISA_fsetlt, rest, zero);
    mc_value inexact = lower_op2(l, ISA_fsetne, rest, zero);
    q = lower_op2(l, ISA_sub, q, lower_sel(l, one, zero, above, false));
    e = lower_op2(l, ISA_add, e, lower_opn(l, ISA_shr, q, 23));
    mc_value m = lower_op2(l, ISA_or, lower_opn(l, ISA_and, q, 0x007fffff),
                           lower_number(l, 0x00800000));
    m = lower_op2(l, ISA_or, lower_opn(l, ISA_shl, m, 1),
                  lower_sel(l, one, zero, inexact, false));
    mc_value down = lower_opn(l, ISA_mins, lower_opn(l, ISA_rsub, e, 2), 31);
    mc_value even = lower_opn(l, ISA_and, lower_op2(l, ISA_shr, m, down), 1);
    mc_value half = lower_op2(l, ISA_shl, one, lower_opn(l, ISA_sub, down, 1));
    half = lower_opn(l, ISA_sub, half, 1);
    return lower_op2(l, ISA_shr, lower_op(l, ISA_add3, m, half, even), down);
}

static mc_value general(struct lower *l, mc_value a, mc_value b) {
    mc_value low = lower_number(l, 0x7fffffff);
    mc_value top = lower_number(l, 0x80000000);
    mc_value aa = lower_op2(l, ISA_and, a, low);
    mc_value bb = lower_op2(l, ISA_and, b, low);
    mc_value ea, eb, minus;
    mc_value ma = normal(l, aa, &ea), mb = normal(l, bb, &eb);
    mc_value q = core(l, ma, mb, &minus);
    mc_value rest = fma3(l, minus, q, ma);
    mc_value e = lower_op2(l, ISA_sub, ea, eb);
    mc_value d = lower_op2(l, ISA_add, q, lower_opn(l, ISA_shl, e, 23));
    mc_value field = lower_op2(l, ISA_add, e, lower_opn(l, ISA_shr, q, 23));
    mc_value inf = lower_number(l, 0x7f800000);
    d = lower_sel(l, inf, d, lower_opn(l, ISA_setgts, field, 254), false);
    d = lower_sel(l, subnormal(l, q, rest, e), d,
                  lower_opn(l, ISA_setles, field, 0), false);
    mc_value sign = lower_op2(l, ISA_and, lower_op2(l, ISA_xor, a, b), top);
    d = lower_op2(l, ISA_or, d, sign);
    mc_value s = special(l, a, bb, lower_op2(l, ISA_and, b, top), b);
    /* neither is zero, infinite or NaN: its bits less 1 are below this */
    mc_value end = lower_number(l, 0x7f7fffff);
    mc_value la = lower_opn(l, ISA_sub, aa, 1),
             lb = lower_opn(l, ISA_sub, bb, 1);
    mc_value p = lower_op2(l, ISA_setgeu, lower_op2(l, ISA_maxu, la, lb), end);
    return lower_sel(l, s, d, p, false);
}

static mc_value flushed(struct lower *l, mc_value a) {
    return seq_f32(l, ISA_fmul, a, lower_f32(l, 1), MC_NONE, true);
}

mc_value seq_divide_f32(struct lower *l, mc_value a, mc_value b, bool ftz) {
    mc_value minus, d = mc_new(l->m, MC_REGISTER);
    int done = mc_label(l->m);
    if (ftz) {
        a = flushed(l, a);
        b = flushed(l, b);
    }
    mc_value far = lower_op2(l, ISA_maxu, distance(l, a), distance(l, b));
    mc_value p = lower_opn(l, ISA_setltu, far, 120);
    lower_move(l, d, core(l, a, b, &minus), MC_NONE, false);
    lower_branch(l, done, p, false);
    lower_move(l, d, general(l, a, b), MC_NONE, false);
    lower_label(l, done);
    return ftz ? flushed(l, d) : d;
}

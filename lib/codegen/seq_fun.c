/* seq_fun.c - 2^x, log2, sine and cosine, within PTX's bounds for .approx.
 *
 * The argument is brought near 0, a polynomial does the rest.  Coefficients
 * interpolate the function at Chebyshev's points.
 */
#include "lower.h"

static mc_value fma3(struct lower *l, mc_value a, mc_value b, mc_value c) {
    return lower_op(l, ISA_ffma, a, b, c);
}

static mc_value times(struct lower *l, mc_value a, float x) {
    return lower_op2(l, ISA_fmul, a, lower_f32(l, x));
}

/* c[0] + c[1] x + ... */
static mc_value polynomial(struct lower *l, mc_value x, const float *c, int n) {
    mc_value d = lower_f32(l, c[n - 1]);
    for (int i = n - 2; i >= 0; i--)
        d = fma3(l, d, x, lower_f32(l, c[i]));
    return d;
}

static mc_value nearest(struct lower *l, mc_value a) {
    return lower_op(l, ISA_frnd, a, MC_NONE, MC_NONE);
}

static mc_value integer(struct lower *l, mc_value a) {
    return lower_op(l, ISA_cvtsf, a, MC_NONE, MC_NONE);
}

/* 2^n of an integer n in the range of normal numbers. */
static mc_value power(struct lower *l, mc_value n) {
    return lower_op2(l, ISA_add, lower_opn(l, ISA_shl, n, 23),
                     lower_number(l, 0x3f800000));
}

mc_value seq_ex2(struct lower *l, mc_value a, bool ftz) {
    static const float c[] = {0x1p+0f,        0x1.62e43p-1f,  0x1.ebfbep-3f,
                              0x1.c6aeccp-5f, 0x1.3b2a1cp-7f, 0x1.5f48cp-10f,
                              0x1.444p-13f};
    /* beyond these ends all is 0 or infinity; a NaN stays one */
    mc_value high = lower_f32(l, 130), low = lower_f32(l, -160);
    mc_value x =
        lower_sel(l, high, a, lower_op2(l, ISA_fsetgt, a, high), false);
    x = lower_sel(l, low, x, lower_op2(l, ISA_fsetlt, a, low), false);
    mc_value n = nearest(l, x);
    mc_value f = fma3(l, n, lower_f32(l, -1), x);
    mc_value d = polynomial(l, f, c, 7);
    /* 2^n in two steps: the result may be subnormal */
    mc_value i = integer(l, n);
    mc_value first = lower_opn(l, ISA_sar, i, 1);
    d = lower_op2(l, ISA_fmul, d, power(l, first));
    return seq_f32(l, ISA_fmul, d, power(l, lower_op2(l, ISA_sub, i, first)),
                   MC_NONE, ftz);
}

mc_value seq_lg2(struct lower *l, mc_value a, bool ftz) {
    static const float c[] = {0x1.715476p+0f,  -0x1.715476p-1f, 0x1.ec708p-2f,
                              -0x1.7154b2p-2f, 0x1.27805cp-2f,  -0x1.ec6fc6p-3f,
                              0x1.a3ec06p-3f,  -0x1.6efd9p-3f,  0x1.60f528p-3f,
                              -0x1.575928p-3f, 0x1.84608cp-4f};
    if (ftz)
        a = seq_f32(l, ISA_fmul, a, lower_f32(l, 1), MC_NONE, true);
    mc_value p = lower_op2(l, ISA_fsetlt, a, lower_f32(l, 0x1p-126f));
    mc_value x = lower_sel(l, times(l, a, 0x1p24f), a, p, false);
    mc_value less = lower_sel(l, lower_f32(l, -24), lower_f32(l, 0), p, false);
    /* x = 2^e m, m from sqrt(1/2) to sqrt(2) */
    mc_value over = lower_op2(l, ISA_sub, x, lower_number(l, 0x3f3504f3));
    mc_value e = lower_opn(l, ISA_sar, over, 23);
    mc_value m = lower_op2(l, ISA_sub, x, lower_opn(l, ISA_shl, e, 23));
    mc_value f = lower_op2(l, ISA_fadd, m, lower_f32(l, -1));
    mc_value whole = lower_op2(
        l, ISA_fadd, lower_op(l, ISA_cvtfs, e, MC_NONE, MC_NONE), less);
    mc_value d = fma3(l, polynomial(l, f, c, 11), f, whole);
    /* of infinity and NaN itself, of 0 -infinity, below 0 NaN */
    mc_value inf = lower_number(l, 0x7f800000), zero = lower_f32(l, 0);
    d = lower_sel(l, a, d, lower_op2(l, ISA_fsetgeu, a, inf), false);
    d = lower_sel(l, lower_number(l, 0xff800000), d,
                  lower_op2(l, ISA_fseteq, a, zero), false);
    return lower_sel(l, lower_number(l, 0x7fffffff), d,
                     lower_op2(l, ISA_fsetltu, a, zero), false);
}

mc_value seq_sin(struct lower *l, mc_value a, bool cosine) {
    static const float sine[] = {-0x1.555556p-3f, 0x1.11110ep-7f,
                                 -0x1.a01366p-13f, 0x1.6da906p-19f};
    static const float cosines[] = {0x1.555554p-5f, -0x1.6c12aap-10f,
                                    0x1.9bc2fp-16f};
    mc_value n = nearest(l, times(l, a, 0x1.45f306p-1f)); /* 2 / pi */
    /* a - n pi / 2, with pi / 2 in three parts */
    mc_value x = fma3(l, n, lower_f32(l, -0x1.92p+0f), a);
    x = fma3(l, n, lower_f32(l, -0x1.fb4p-12f), x);
    x = fma3(l, n, lower_f32(l, -0x1.4442d2p-24f), x);
    mc_value t = lower_op2(l, ISA_fmul, x, x);
    mc_value s = lower_op2(l, ISA_fmul, polynomial(l, t, sine, 4), t);
    s = fma3(l, s, x, x);
    mc_value c = fma3(l, polynomial(l, t, cosines, 3), t, lower_f32(l, -0.5f));
    c = fma3(l, c, t, lower_f32(l, 1));
    mc_value quarter = integer(l, n);
    if (cosine)
        quarter = lower_opn(l, ISA_add, quarter, 1);
    mc_value odd =
        lower_opn(l, ISA_setne, lower_opn(l, ISA_and, quarter, 1), 0);
    mc_value d = lower_sel(l, c, s, odd, false);
    mc_value sign =
        lower_opn(l, ISA_shl, lower_opn(l, ISA_shr, quarter, 1), 31);
    mc_value nan = lower_op2(l, ISA_fsetnan, d, d);
    d = lower_op2(l, ISA_xor, d, sign);
    return lower_sel(l, lower_number(l, 0x7fffffff), d, nan, false);
}

/* From e^2|x|; near 0 the first terms of its series. */
mc_value seq_tanh(struct lower *l, mc_value a) {
    mc_value size = lower_opn(l, ISA_and, a, 0x7fffffff);
    mc_value sign = lower_opn(l, ISA_and, a, 0x80000000u);
    mc_value one = lower_f32(l, 1), two = lower_f32(l, 2);
    mc_value x = lower_op2(l, ISA_fmin, size, lower_f32(l, 16));
    mc_value e = seq_ex2(l, times(l, x, 0x1.715476p+1f), false);
    mc_value sum = lower_op2(l, ISA_fadd, e, one);
    mc_value r = seq_divide_f32(l, two, sum, false);
    mc_value d = lower_op2(l, ISA_fadd, one, times(l, r, -1));
    mc_value square = lower_op2(l, ISA_fmul, size, size);
    mc_value c = fma3(l, square, lower_f32(l, 0x1.111112p-3f),
                      lower_f32(l, -0x1.555556p-2f));
    c = lower_op2(l, ISA_fmul, c, square);
    c = fma3(l, c, size, size);
    mc_value near = lower_op2(l, ISA_fsetlt, size, lower_f32(l, 0.125f));
    d = lower_op2(l, ISA_or, lower_sel(l, c, d, near, false), sign);
    mc_value nan = lower_op2(l, ISA_fsetnan, a, a);
    return lower_sel(l, lower_number(l, 0x7fffffff), d, nan, false);
}

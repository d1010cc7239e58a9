/* seq_root.c - square root, correctly rounded, and its reciprocal.
 *
 * A guess of 1 / sqrt(a) from the bits, two of Newton's steps
 * y *= 1.5 - a y y / 2, a last one that loses nothing to rounding; then, for
 * the root, s = a y and twice s += (a - s s) y / 2, whose remainder is exact.
 * Small arguments are scaled by an even power of two.
 */
#include "lower.h"

static mc_value fma3(struct lower *l, mc_value a, mc_value b, mc_value c) {
    return lower_op(l, ISA_ffma, a, b, c);
}

static mc_value times(struct lower *l, mc_value a, float x) {
    return lower_op2(l, ISA_fmul, a, lower_f32(l, x));
}

/* 1 / sqrt(a) of a normal a within about half a unit, and half of it. */
static mc_value inverse(struct lower *l, mc_value a, mc_value *half) {
    mc_value y = lower_op2(l, ISA_sub, lower_number(l, 0x5f3759df),
                           lower_opn(l, ISA_shr, a, 1));
    mc_value minus = times(l, a, -0.5f);
    mc_value more = lower_f32(l, 1.5f);
    for (int i = 0; i < 2; i++) {
        mc_value t = lower_op2(l, ISA_fmul, y, y);
        y = lower_op2(l, ISA_fmul, y, fma3(l, minus, t, more));
    }
    *half = times(l, y, 0.5f);
    mc_value t = lower_op2(l, ISA_fmul, times(l, a, -1), y);
    mc_value e = fma3(l, t, y, lower_f32(l, 1));
    y = fma3(l, *half, e, y);
    *half = times(l, y, 0.5f);
    return y;
}

/* a, times 2^64 if small; *p: it is. */
static mc_value scaled(struct lower *l, mc_value a, mc_value *p) {
    *p = lower_op2(l, ISA_fsetlt, a, lower_f32(l, 0x1p-60f));
    return lower_sel(l, times(l, a, 0x1p64f), a, *p, false);
}

/* d for a positive finite a, s for the others, a NaN for those below 0. */
static mc_value choose(struct lower *l, mc_value a, mc_value s, mc_value d) {
    mc_value below = lower_op2(l, ISA_fsetltu, a, lower_f32(l, 0));
    mc_value end = lower_number(l, 0x7f7fffff);
    mc_value other = lower_op2(l, ISA_setgeu, lower_opn(l, ISA_sub, a, 1), end);
    d = lower_sel(l, s, d, other, false);
    return lower_sel(l, lower_number(l, 0x7fffffff), d, below, false);
}

static mc_value flushed(struct lower *l, mc_value a) {
    return seq_f32(l, ISA_fmul, a, lower_f32(l, 1), MC_NONE, true);
}

mc_value seq_sqrt(struct lower *l, mc_value a, bool ftz) {
    mc_value half, p;
    a = ftz ? flushed(l, a) : a;
    mc_value x = scaled(l, a, &p);
    mc_value y = inverse(l, x, &half);
    mc_value s = lower_op2(l, ISA_fmul, x, y);
    for (int i = 0; i < 2; i++)
        s = fma3(l, fma3(l, times(l, s, -1), s, x), half, s);
    s = lower_sel(l, times(l, s, 0x1p-32f), s, p, false);
    return choose(l, a, a, s);
}

mc_value seq_rsqrt(struct lower *l, mc_value a, bool ftz) {
    mc_value half, p;
    a = ftz ? flushed(l, a) : a;
    mc_value x = scaled(l, a, &p);
    mc_value y = inverse(l, x, &half);
    y = lower_sel(l, times(l, y, 0x1p32f), y, p, false);
    /* of infinity 0, of a zero infinity with its sign */
    mc_value sign = lower_opn(l, ISA_and, a, 0x80000000);
    mc_value inf = lower_op2(l, ISA_or, sign, lower_number(l, 0x7f800000));
    mc_value zero = lower_op2(l, ISA_fseteq, a, lower_f32(l, 0));
    mc_value s = lower_sel(l, inf, lower_number(l, 0), zero, false);
    return choose(l, a, s, y);
}

/* arith.c - f32 fused multiply-add, product and sum with the host's arithmetic.
 *
 * Operands are flushed, the host computes in the rounding mode asked for, and
 * the result is made canonical, clamped and flushed, in that order, as the
 * executor does (golden/sim/exec/exec_float.c).
 *
 * The classes are told with doubles: a product of two floats is exact there,
 * and a sum comes with what it lost.
 */
#include "arith.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

static float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static bool is_subnormal(uint32_t x) {
    return !(x & 0x7f800000) && x & 0x007fffff;
}

static uint32_t flush(uint32_t x) {
    return is_subnormal(x) ? x & 0x80000000 : x;
}

/* --- the value ------------------------------------------------------------ */

/* The operands are volatile, so that nothing is computed before the mode is
 * set or after it is set back. */
static float compute(const struct fma_op *op, uint32_t a, uint32_t b,
                     uint32_t c) {
    volatile float x = float_of(a), y = float_of(b), z = float_of(c), r;

    switch (op->kind) {
    case FMA_MUL:
        r = x * y;
        break;
    case FMA_ADD:
        r = x + z;
        break;
    default:
        r = fmaf(x, y, z);
    }
    return r;
}

uint32_t fma_value(const struct fma_op *op) {
    static const int mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                               FE_UPWARD};
    uint32_t a = op->a, b = op->b, c = op->c, value;
    float r;

    if (op->ftz) {
        a = flush(a);
        b = flush(b);
        c = flush(c);
    }
    if (op->rounding != FMA_RN)
        fesetround(mode[op->rounding & 3]);
    r = compute(op, a, b, c);
    if (op->rounding != FMA_RN)
        fesetround(FE_TONEAREST);
    if (op->sat)
        r = r > 0 ? fminf(r, 1) : 0; /* also of NaN and -0 */
    value = isnan(r) ? 0x7fffffff : bits_of(r);
    return op->ftz ? flush(value) : value;
}

/* --- classes -------------------------------------------------------------- */

#define WHEN(happens, name)                                                    \
    ((uint32_t)((happens) ? 1 : 0) << (FMA_COV_##name - FMA_COV_back_to_back))

/* product and addend are exact, sum is their sum in double, lost what that
 * lacks: zero where the sum is exact. */
struct sum {
    double product, addend, sum, lost;
};

static struct sum sum_of(const struct fma_op *op, float a, float b, float c) {
    struct sum s;
    double back;

    s.product = op->kind == FMA_ADD ? (double)a : (double)a * (double)b;
    s.addend = op->kind == FMA_MUL ? 0 : (double)c;
    s.sum = s.product + s.addend;
    back = s.sum - s.product;
    s.lost = (s.product - (s.sum - back)) + (s.addend - back);
    return s;
}

/* The magnitude m of the exact sum lies half way between two floats: is the one
 * below odd?  1 or 0; -1: it does not lie there. */
static int tie(const struct sum *s) {
    double m = fabs(s->sum), below, above;
    float f = (float)m, g;

    if (s->lost != 0 || m == 0 || (double)f == m || m >= FLT_MAX)
        return -1;
    g = nextafterf(f, (double)f > m ? 0 : INFINITY);
    below = f < g ? f : g;
    above = f < g ? g : f;
    if (m - below != above - m)
        return -1;
    return bits_of((float)below) & 1;
}

static uint32_t of_finite(const struct fma_op *op, const struct sum *s,
                          uint32_t value) {
    double p = fabs(s->product), c = fabs(s->addend), m = fabs(s->sum);
    bool inexact = s->lost != 0 || (double)float_of(value) != s->sum;
    bool below_normal = m < FLT_MIN || (m == FLT_MIN && s->lost * s->sum < 0);
    uint32_t size = value & 0x7fffffff, fraction = value & 0x007fffff;
    bool plain = !op->sat, negative = s->sum < 0;
    bool opposite = (s->product < 0) != (s->addend < 0);
    int half = tie(s);
    uint32_t r = 0;

    r |= WHEN(plain && size == 0x7f800000, overflow_infinite);
    r |= WHEN(plain && size == 0x7f7fffff && m > FLT_MAX, overflow_finite);
    r |= WHEN(is_subnormal(value), subnormal_result);
    r |= WHEN(op->ftz && size == 0 && m != 0, flushed_result);
    r |= WHEN(plain && size == 0x00800000 && below_normal, becomes_normal);
    r |= WHEN(plain && !op->ftz && size == 0 && m != 0, underflow_zero);
    r |= WHEN(size == 1 && m < 0x1p-149, underflow_least);
    r |= WHEN(plain && half == 0 && op->rounding == FMA_RN, tie_even);
    r |= WHEN(plain && half == 1 && op->rounding == FMA_RN, tie_odd);
    r |= WHEN(plain && inexact && fraction == 0 && size > 0x00800000 &&
                  (double)float_of(size) > m,
              carry);
    r |= WHEN(m == 0 && p != 0 && !op->sat && !(value >> 31), cancelled);
    r |= WHEN(m == 0 && p != 0 && value >> 31, cancelled_down);
    r |= WHEN(opposite && m != 0 && m < c * 0x1p-20, close);
    r |= WHEN(p != 0 && p < c * 0x1p-26, product_lost);
    r |= WHEN(c != 0 && c < p * 0x1p-50, addend_lost);
    r |= WHEN(op->sat && m > 1 && !negative, saturated_one);
    r |= WHEN(op->sat && m != 0 && negative, saturated_zero);
    return r;
}

uint32_t fma_classes(const struct fma_op *op, uint32_t value) {
    uint32_t bits[3] = {op->a, op->kind == FMA_ADD ? 0x3f800000 : op->b,
                        op->kind == FMA_MUL ? 0 : op->c};
    bool nan = false, infinite = false;
    uint32_t r = 0;
    float x[3];
    struct sum s;

    for (int i = 0; i < 3; i++) {
        r |= WHEN(is_subnormal(bits[i]) && !op->ftz, subnormal_operand);
        r |= WHEN(is_subnormal(bits[i]) && op->ftz, flushed_operand);
        x[i] = float_of(op->ftz ? flush(bits[i]) : bits[i]);
        nan |= isnan(x[i]);
        infinite |= isinf(x[i]);
    }
    s = sum_of(op, x[0], x[1], x[2]);
    r |= WHEN(nan, nan_operand);
    r |= WHEN(!nan && isnan(s.sum), nan_invalid);
    r |= WHEN(infinite && isinf(s.sum) && !op->sat, infinite);
    r |= WHEN(op->sat && isnan(s.sum), saturated_nan);
    return nan || infinite ? r : r | of_finite(op, &s, value);
}

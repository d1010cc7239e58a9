/* hard.h - operations that are hard for a fused multiply-add.
 *
 * Where such units are wrong: at every distance of the exponents, half way
 * between two numbers and beside it, where sums cancel, about the least normal
 * and subnormal numbers and the greatest one, and with what is not a number.
 * So operands are made one of the other: a factor with few bits or near a power
 * of two, an addend near the product, half of its last place away from it, or
 * at a chosen distance.
 */
#ifndef NDP_TB_FMA_HARD_H
#define NDP_TB_FMA_HARD_H

#include "fma/arith.h"
#include "kit/rng.h"

/* Few bits, in a run, near zero or near one, or any. */
static inline uint32_t fma_hard_fraction(struct rng *r) {
    uint32_t x = (uint32_t)(rng_next(r) >> 41);
    switch (rng_below(r, 8)) {
    case 0:
        return 0;
    case 1:
        return 0x7fffff;
    case 2:
        return 1u << rng_below(r, 23);
    case 3:
        return 0x7fffff ^ 1u << rng_below(r, 23);
    case 4:
        return 0x7fffff << rng_below(r, 23) & 0x7fffff;
    case 5:
        return x >> rng_below(r, 23);
    default:
        return x;
    }
}

static inline uint32_t fma_hard_pack(struct rng *r, int exponent) {
    exponent = exponent < 0 ? 0 : exponent > 254 ? 254 : exponent;
    return (uint32_t)(rng_next(r) >> 63) << 31 | (uint32_t)exponent << 23 |
           fma_hard_fraction(r);
}

/* Zero, subnormal, least normal, one, greatest, infinity, NaN. */
static inline uint32_t fma_hard_special(struct rng *r) {
    static const uint32_t edge[] = {
        0x00000000, 0x00000001, 0x00000002, 0x007fffff, 0x00800000,
        0x00800001, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x7f7fffff,
        0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff, 0x34000000};
    uint32_t n = rng_below(r, 15);
    return (uint32_t)(rng_next(r) >> 63) << 31 | edge[n];
}

static inline uint32_t fma_hard_any(struct rng *r) {
    uint32_t n = rng_below(r, 16);
    if (n == 0)
        return fma_hard_special(r);
    if (n == 1)
        return (uint32_t)rng_next(r);
    if (n < 4)
        return fma_hard_pack(r, rng_range(r, 0, 3));
    if (n < 6)
        return fma_hard_pack(r, rng_range(r, 251, 254));
    if (n < 11)
        return fma_hard_pack(r, rng_range(r, 120, 134));
    return fma_hard_pack(r, rng_range(r, 0, 254));
}

static inline uint32_t fma_hard_bits(double x) {
    union {
        float f;
        uint32_t u;
    } v = {.f = (float)x};
    return v.u;
}

static inline double fma_hard_number(uint32_t x) {
    union {
        uint32_t u;
        float f;
    } v = {.u = x};
    return (double)v.f;
}

/* An addend near -product or product, or a few units away from it. */
static inline uint32_t fma_hard_near(struct rng *r, double product) {
    uint32_t c = fma_hard_bits(product);
    if (rng_percent(r, 60))
        c ^= 0x80000000;
    if (rng_percent(r, 50))
        c += (uint32_t)rng_range(r, -2, 2);
    if (rng_percent(r, 20))
        c ^= 1u << rng_below(r, 31);
    return c;
}

/* An addend whose exponent is chosen from that of the product. */
static inline uint32_t fma_hard_far(struct rng *r, uint32_t a, uint32_t b) {
    int e = (int)(a >> 23 & 255) + (int)(b >> 23 & 255) - 127;
    return fma_hard_pack(r, e + rng_range(r, -80, 60));
}

static inline struct fma_op fma_hard(struct rng *r) {
    struct fma_op op = {.a = fma_hard_any(r), .b = fma_hard_any(r)};
    uint64_t how = rng_next(r);
    op.rounding = how & 3;
    op.kind = (how >> 2 & 15) < 4 ? how >> 2 & 3 : FMA_FMA;
    op.ftz = (how >> 8 & 3) == 0;
    op.sat = (how >> 10 & 7) == 0;
    /* factors whose product is near an end of the range */
    if ((how >> 16 & 7) == 0) {
        int e = (how >> 20 & 1 ? 127 : 381) - (int)(op.a >> 23 & 255);
        op.b = fma_hard_pack(r, e + rng_range(r, -30, 30));
    } else if ((how >> 16 & 7) == 1) { /* or one */
        op.b = fma_hard_pack(r, 254 - (int)(op.a >> 23 & 255) +
                                    rng_range(r, -2, 2));
    }
    if (op.kind == FMA_ADD)
        op.c = how >> 24 & 1 ? fma_hard_near(r, fma_hard_number(op.a))
                             : fma_hard_far(r, op.a, 0x3f800000);
    else if ((how >> 24 & 3) == 0)
        op.c = fma_hard_near(r, fma_hard_number(op.a) * fma_hard_number(op.b));
    else if ((how >> 24 & 3) == 1)
        op.c = fma_hard_any(r);
    else
        op.c = fma_hard_far(r, op.a, op.b);
    return op;
}

#endif

/* oracle.h - f32 fused multiply-add, product and sum in whole numbers.
 *
 * Written from IEEE 754 and what PTX says of its modifiers: an exact sum as a
 * whole number times a power of two, with one last bit for all that is far
 * below it, then rounded to 24 bits or to the least exponent.  Neither the
 * host's arithmetic (golden/fma/arith.c) nor the steps of the RTL are in it.
 */
#ifndef NDP_TB_FMA_ORACLE_H
#define NDP_TB_FMA_ORACLE_H

#include "fma/arith.h"

__extension__ typedef unsigned __int128 fma_wide;

/* (neg ? -1 : 1) * m * 2^e */
struct fma_exact {
    bool neg;
    fma_wide m;
    int e;
};

static inline int fma_length(fma_wide m) {
    uint64_t high = (uint64_t)(m >> 64), low = (uint64_t)m;
    return high  ? 128 - __builtin_clzll(high)
           : low ? 64 - __builtin_clzll(low)
                 : 0;
}

/* m >> n, its last bit set if a bit was lost. */
static inline fma_wide fma_jam(fma_wide m, int n) {
    if (n >= 128)
        return m != 0;
    return m >> n | (n > 0 && m << (128 - n) != 0);
}

/* Its highest bit at place 100. */
static inline struct fma_exact fma_high(struct fma_exact x) {
    int n = 101 - fma_length(x.m);
    x.m <<= n;
    x.e -= n;
    return x;
}

/* p + c; neither is zero.  Both have at most 48 bits, so nothing is lost of two
 * that are near enough to cancel more than one. */
static inline struct fma_exact fma_sum(struct fma_exact p, struct fma_exact c) {
    struct fma_exact x = fma_high(p), y = fma_high(c);
    if (x.e < y.e || (x.e == y.e && x.m < y.m)) {
        struct fma_exact t = x;
        x = y;
        y = t;
    }
    fma_wide m = fma_jam(y.m, x.e - y.e);
    x.m = x.neg == y.neg ? x.m + m : x.m - m;
    return x;
}

/* Bits of the float that x is rounded to. */
static inline uint32_t fma_rounded(struct fma_exact x, int rounding) {
    uint32_t sign = (uint32_t)x.neg << 31;
    int quantum = x.e + fma_length(x.m) - 24; /* exponent of the last bit */
    if (quantum < -149)
        quantum = -149;
    int n = quantum - x.e;
    /* two bits more: the next one, and one for all that follow */
    fma_wide m = n - 2 >= 0 ? fma_jam(x.m, n - 2) : x.m << (2 - n);
    uint32_t whole = (uint32_t)(m >> 2), rest = (uint32_t)m & 3;
    bool up = rounding == FMA_RN   ? rest + (whole & 1) > 2
              : rounding == FMA_RM ? rest && x.neg
              : rounding == FMA_RP ? rest && !x.neg
                                   : false;
    whole += up;
    if (whole >> 24) {
        whole >>= 1;
        quantum++;
    }
    if (quantum > 104) {
        bool to_infinity = rounding == FMA_RN ||
                           (rounding == FMA_RM && x.neg) ||
                           (rounding == FMA_RP && !x.neg);
        return sign | (to_infinity ? 0x7f800000 : 0x7f7fffff);
    }
    if (whole < 1u << 23)
        return sign | whole;
    return sign | (uint32_t)(quantum + 150) << 23 | (whole & 0x7fffff);
}

static inline struct fma_exact fma_number(uint32_t x) {
    int e = (int)(x >> 23 & 255);
    return (struct fma_exact){.neg = x >> 31,
                              .m = (x & 0x7fffff) | (e ? 0x800000 : 0),
                              .e = (e ? e : 1) - 150};
}

static inline bool fma_is_nan(uint32_t x) {
    return (x & 0x7fffffff) > 0x7f800000;
}
static inline bool fma_is_inf(uint32_t x) {
    return (x & 0x7fffffff) == 0x7f800000;
}
static inline uint32_t fma_flushed(uint32_t x) {
    return x & 0x7f800000 ? x : x & 0x80000000;
}

/* The value before .sat and .ftz; operands are flushed. */
static inline uint32_t fma_ieee(uint32_t a, uint32_t b, uint32_t c,
                                bool has_addend, int rounding) {
    uint32_t nan = 0x7fffffff, minus = (a ^ b) & 0x80000000;
    bool p_inf = fma_is_inf(a) || fma_is_inf(b);
    bool p_zero = !(a << 1) || !(b << 1);
    if (fma_is_nan(a) || fma_is_nan(b) || (p_inf && p_zero))
        return nan;
    if (has_addend &&
        (fma_is_nan(c) || (p_inf && fma_is_inf(c) && (minus ^ c) >> 31)))
        return nan;
    if (p_inf)
        return minus | 0x7f800000;
    if (has_addend && fma_is_inf(c))
        return c;
    struct fma_exact x = fma_number(a), y = fma_number(b), z = fma_number(c);
    x = (struct fma_exact){
        .neg = x.neg != y.neg, .m = x.m * y.m, .e = x.e + y.e};
    if (!has_addend)
        return x.m ? fma_rounded(x, rounding) : minus;
    if (!z.m && !x.m && x.neg == z.neg)
        return minus;
    if (!x.m && z.m)
        return c;
    if (z.m)
        x = fma_sum(x, z);
    if (!x.m)
        return rounding == FMA_RM ? 0x80000000 : 0;
    return fma_rounded(x, rounding);
}

static inline uint32_t fma_oracle(const struct fma_op *op) {
    uint32_t a = op->a, b = op->kind == FMA_ADD ? 0x3f800000 : op->b, c = op->c;
    if (op->ftz) {
        a = fma_flushed(a);
        b = fma_flushed(b);
        c = fma_flushed(c);
    }
    uint32_t r = fma_ieee(a, b, c, op->kind != FMA_MUL, op->rounding);
    if (op->sat && (fma_is_nan(r) || r >> 31))
        r = 0;
    else if (op->sat && r > 0x3f800000)
        r = 0x3f800000;
    return op->ftz ? fma_flushed(r) : r;
}

#endif

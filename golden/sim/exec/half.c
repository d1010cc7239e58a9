/* half.c - conversion between double and the short formats. */
#include "half.h"

#include <math.h>

static const struct {
    int man;  /* bits of the fraction */
    int emin; /* exponent of the smallest normal value */
    u32 inf;
    u32 nan;
} formats[] = {
    [FORMAT_F16] = {10, -14, 0x7c00, 0x7fff},
    [FORMAT_BF16] = {7, -126, 0x7f80, 0x7fff},
    [FORMAT_TF32] = {10, -126, 255u << 10, 0x3ffff},
};

enum short_rounding short_rounding(const struct ptx_form *f) {
    switch (ptx_modifier_of(f, PTX_GROUP_ROUND)) {
    case PTX_MOD_RZ:
        return ROUND_RZ;
    case PTX_MOD_RM:
        return ROUND_RM;
    case PTX_MOD_RP:
        return ROUND_RP;
    case PTX_MOD_RNA:
        return ROUND_RNA;
    default:
        return ROUND_RN;
    }
}

/* m / 2^shift as an integer, rounded; of a negative value the magnitude. */
static u64 round_shift(u64 m, int shift, enum short_rounding mode, bool neg) {
    if (shift <= 0)
        return m << -shift;
    u64 whole = shift > 63 ? 0 : m >> shift;
    u64 rest = shift > 63 ? m : m & (((u64)1 << shift) - 1);
    u64 half = shift > 63 ? UINT64_MAX : (u64)1 << (shift - 1);
    switch (mode) {
    case ROUND_RN:
        return whole + (rest > half || (rest == half && (whole & 1)));
    case ROUND_RNA:
        return whole + (rest >= half);
    case ROUND_RM:
        return whole + (neg && rest);
    case ROUND_RP:
        return whole + (!neg && rest);
    default:
        return whole;
    }
}

u32 short_round(f64 x, enum short_format format, enum short_rounding mode,
                bool finite) {
    int man = formats[format].man, emin = formats[format].emin;
    int width = format == FORMAT_TF32 ? 18 : 15;
    u32 inf = formats[format].inf;
    u64 b = f64_bits(x);
    bool neg = b >> 63;
    u32 sign = (u32)neg << width;
    int e = (int)(b >> 52 & 2047);
    u64 m = b & (((u64)1 << 52) - 1);
    if (e == 2047 && m)
        return formats[format].nan;
    if (e == 2047)
        return sign | (finite ? inf - 1 : inf);
    m |= (u64)(e != 0) << 52;
    e = (e ? e : 1) - 1023;
    int top = e > emin ? e : emin;
    u64 n = round_shift(m, top - man - (e - 52), mode, neg);
    u64 code = ((u64)(top - emin) << man) + n;
    if (code < inf)
        return sign | (u32)code;
    bool to_max = finite || mode == ROUND_RZ || (mode == ROUND_RM && !neg) ||
                  (mode == ROUND_RP && neg);
    return sign | (to_max ? inf - 1 : inf);
}

f64 short_value(u32 bits, enum short_format format) {
    if (format == FORMAT_BF16)
        return f32_of(bits << 16);
    if (format == FORMAT_TF32)
        return f32_of(bits << 13);
    u32 e = bits >> 10 & 31, m = bits & 1023;
    f64 v = e == 31  ? (m ? NAN : INFINITY)
            : e == 0 ? ldexp(m, -24)
                     : ldexp(m + 1024, (int)e - 25);
    return bits & 0x8000 ? -v : v;
}

f64 fma_odd(f64 a, f64 b, f64 c) {
    f64 p = a * b, s = p + c;
    if (!isfinite(s))
        return s;
    f64 t = s - p, error = (p - (s - t)) + (c - t);
    u64 bits = f64_bits(s);
    if (error != 0 && !(bits & 1))
        bits += (error > 0) == (s > 0) ? 1 : UINT64_MAX;
    return f64_of(bits);
}

f64 odd_of_u64(u64 x) {
    int drop = x >> 53 ? 64 - 53 - __builtin_clzll(x) : 0;
    u64 low = drop ? x & (((u64)1 << drop) - 1) : 0;
    return ldexp((f64)(x >> drop | (low != 0)), drop);
}

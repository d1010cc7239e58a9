/* exec_float.h - what the floating-point handlers share; private to them.
 *
 * Results that are not a number are the canonical NaN of PTX, so that they do
 * not depend on the host.  .ftz takes subnormal operands and results as zeros
 * of their sign.
 */
#ifndef NDP_EXEC_FLOAT_H
#define NDP_EXEC_FLOAT_H

#include "handlers.h"

/* The compiler must not fuse a * b + c by itself. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#define NAN_F32 0x7fffffffu
#define NAN_F64 0x7ff8000000000000u

enum float_flags {
    FLOAT_FTZ = 1,
    FLOAT_SAT = 2,
    FLOAT_NAN = 4, /* min, max: NaN if one operand is */
    FLOAT_XORSIGN = 8,
    FLOAT_ABS = 16,
    FLOAT_RELU = 32
};

/* Rounding of an instruction, as the host's fenv; nearest if not given. */
int host_rounding(const struct ptx_form *f);

static inline f32 canon32(f32 x) {
    return x != x ? f32_of(NAN_F32) : x;
}
static inline f64 canon64(f64 x) {
    return x != x ? f64_of(NAN_F64) : x;
}

static inline f32 flush32(f32 x) {
    u32 b = f32_bits(x);
    return f32_of((b & 0x7f800000u) == 0 ? b & 0x80000000u : b);
}

/* Into [0, 1]; NaN becomes 0. */
static inline f32 saturate_f32(f32 x) {
    return x > 0 ? x < 1 ? x : 1 : 0;
}
static inline f64 saturate_f64(f64 x) {
    return x > 0 ? x < 1 ? x : 1 : 0;
}

/* IEEE minimumNumber and maximumNumber, -0 less than +0. */
static inline f32 min_f32(f32 x, f32 y) {
    f32 r = x < y ? x : y;
    r = x == y ? f32_of(f32_bits(x) | f32_bits(y)) : r;
    r = x != x ? y : r;
    r = y != y ? x : r;
    return canon32(r);
}
static inline f32 max_f32(f32 x, f32 y) {
    f32 r = x > y ? x : y;
    r = x == y ? f32_of(f32_bits(x) & f32_bits(y)) : r;
    r = x != x ? y : r;
    r = y != y ? x : r;
    return canon32(r);
}
static inline f64 min_f64(f64 x, f64 y) {
    f64 r = x < y ? x : y;
    r = x == y ? f64_of(f64_bits(x) | f64_bits(y)) : r;
    r = x != x ? y : r;
    r = y != y ? x : r;
    return canon64(r);
}
static inline f64 max_f64(f64 x, f64 y) {
    f64 r = x > y ? x : y;
    r = x == y ? f64_of(f64_bits(x) & f64_bits(y)) : r;
    r = x != x ? y : r;
    r = y != y ? x : r;
    return canon64(r);
}

#endif

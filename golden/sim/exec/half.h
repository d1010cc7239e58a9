/* half.h - the short floating-point formats; private to the executor.
 *
 * Values are held in double, which holds each of them exactly; results are
 * rounded once.  Where a double cannot hold an exact sum, it is rounded to odd
 * first (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums",
 * 2008), after which rounding to a format at least two bits shorter is right.
 */
#ifndef NDP_EXEC_HALF_H
#define NDP_EXEC_HALF_H

#include "exec_float.h"

enum short_format { FORMAT_F16, FORMAT_BF16, FORMAT_TF32 };

enum short_rounding { ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNA };

enum short_rounding short_rounding(const struct ptx_form *f);

/* Bits of x in the format; NaN is canonical.  finite: what overflows becomes
 * the largest finite value. */
u32 short_round(f64 x, enum short_format format, enum short_rounding mode,
                bool finite);

/* The value of bits. */
f64 short_value(u32 bits, enum short_format format);

/* a * b + c rounded to odd; exact if a double can hold it.  a * b must be
 * exact: true of short formats. */
f64 fma_odd(f64 a, f64 b, f64 c);

/* An integer rounded to odd. */
f64 odd_of_u64(u64 x);

#endif

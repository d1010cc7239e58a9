/* arith.h - the arithmetic of the fused multiply-add unit, by the host's own.
 *
 * What PTX says of fma, mul and add on f32: IEEE 754 with four rounding modes,
 * .ftz and .sat; a NaN is 0x7fffffff.  The host's fmaf and its rounding mode do
 * the work, so nothing here knows the steps of the RTL.
 */
#ifndef NDP_GOLDEN_FMA_ARITH_H
#define NDP_GOLDEN_FMA_ARITH_H

#include "blocks/fma.h"

#include <stdbool.h>
#include <stdint.h>

struct fma_op {
    uint32_t a, b, c;       /* bits of floats */
    uint8_t kind, rounding; /* enum fma_kind, 3 as FMA_FMA; enum fma_rounding */
    bool ftz, sat;
};

/* Bits of the result.  The host's rounding mode is changed while this runs, and
 * must be to nearest when it is called. */
uint32_t fma_value(const struct fma_op *op);

/* What is special about an operation with that result, for cover points: bit i
 * is cover point i of blocks/fma.def. */
uint32_t fma_classes(const struct fma_op *op, uint32_t value);

#endif

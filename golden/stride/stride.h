/* stride.h - golden model of the per-warp stride prefetcher
 * (docs/blocks/stride.md). */
#ifndef NDP_GOLDEN_STRIDE_H
#define NDP_GOLDEN_STRIDE_H

#include "frame/golden.h"

extern const struct golden_class stride_golden;

#endif

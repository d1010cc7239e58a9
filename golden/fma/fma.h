/* fma.h - golden model of the fused multiply-add unit (docs/blocks/fma.md). */
#ifndef NDP_GOLDEN_FMA_H
#define NDP_GOLDEN_FMA_H

#include "frame/golden.h"

extern const struct golden_class fma_golden;

#endif

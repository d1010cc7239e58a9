/* lsu_hybrid.h - golden model of the hybrid load-store unit
 * (docs/blocks/lsu_hybrid.md). */
#ifndef NDP_GOLDEN_LSU_HYBRID_H
#define NDP_GOLDEN_LSU_HYBRID_H

#include "frame/golden.h"

extern const struct golden_class lsu_hybrid_golden;

#endif

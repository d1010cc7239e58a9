/* lsu_rmw.h - golden model of the read-modify-write unit of the base die
 * (docs/blocks/lsu_rmw.md). */
#ifndef NDP_GOLDEN_LSU_RMW_H
#define NDP_GOLDEN_LSU_RMW_H

#include "frame/golden.h"

extern const struct golden_class lsu_rmw_golden;

#endif

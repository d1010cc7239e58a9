/* lsu_ext.h - golden model of the load-store extension of a core's near-bank
 * units (docs/blocks/lsu_ext.md; MPU, section IV-B2). */
#ifndef NDP_GOLDEN_LSU_EXT_H
#define NDP_GOLDEN_LSU_EXT_H

#include "frame/golden.h"

extern const struct golden_class lsu_ext_golden;

#endif

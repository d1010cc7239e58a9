/* lsu_link.h - golden model of the load-store traffic between the dies
 * (docs/blocks/lsu_link.md; MPU, section IV-B2). */
#ifndef NDP_GOLDEN_LSU_LINK_H
#define NDP_GOLDEN_LSU_LINK_H

#include "frame/golden.h"

extern const struct golden_class lsu_link_golden;

#endif

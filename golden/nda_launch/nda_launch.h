/* nda_launch.h - golden model of the launch of operations on the accelerators
 * of all ranks (docs/blocks/nda_launch.md). */
#ifndef NDP_GOLDEN_NDA_LAUNCH_H
#define NDP_GOLDEN_NDA_LAUNCH_H

#include "frame/golden.h"

extern const struct golden_class nda_launch_golden;

#endif

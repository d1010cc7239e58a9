/* cut.h - golden model of the registered cut between the dies
 * (docs/blocks/cut.md). */
#ifndef NDP_GOLDEN_CUT_H
#define NDP_GOLDEN_CUT_H

#include "frame/golden.h"

extern const struct golden_class cut_golden;

#endif

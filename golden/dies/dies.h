/* dies.h - golden model of the near-bank unit over the cut between the dies
 * (docs/blocks/dies.md). */
#ifndef NDP_GOLDEN_DIES_H
#define NDP_GOLDEN_DIES_H

#include "frame/golden.h"

extern const struct golden_class dies_golden;

#endif

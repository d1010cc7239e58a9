/* junction.h - golden model of a network interface for two users
 * (docs/blocks/junction.md). */
#ifndef NDP_GOLDEN_JUNCTION_H
#define NDP_GOLDEN_JUNCTION_H

#include "frame/golden.h"

extern const struct golden_class junction_golden;

#endif

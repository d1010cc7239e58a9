/* analyzer.h - golden model of the memory map analyzer
 * (docs/blocks/analyzer.md).
 *
 * Driven through golden.h; what stands here beyond the class lets tests state
 * properties of state that no output shows.
 */
#ifndef NDP_GOLDEN_ANALYZER_H
#define NDP_GOLDEN_ANALYZER_H

#include "frame/golden.h"

extern const struct golden_class analyzer_golden;

/* Stacks that a warp's bitmap names under a mapping, bit s: stack s.  Zero for
 * a warp or mapping that does not exist. */
uint32_t analyzer_bitmap(const struct golden *g, int warp, int map);

/* Instances scored since learning began. */
uint64_t analyzer_instances(const struct golden *g);

#endif

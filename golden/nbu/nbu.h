/* nbu.h - golden model of the near-bank unit (docs/blocks/nbu.md).
 *
 * Driven through golden.h; what stands here beyond the class lets tests state
 * properties of the register tracking that no output shows.
 */
#ifndef NDP_GOLDEN_NBU_H
#define NDP_GOLDEN_NBU_H

#include "frame/golden.h"

extern const struct golden_class nbu_golden;

/* Which copies of a register the track table holds valid.  False for a warp or
 * register that the configuration does not have. */
bool nbu_track_valid(const struct golden *g, int warp, int reg, bool *far,
                     bool *near);

#endif

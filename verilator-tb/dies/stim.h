/* stim.h - the surroundings of the near-bank unit over the cut, for the bench.
 */
#ifndef NDP_STIM_DIES_H
#define NDP_STIM_DIES_H

#include "kit/stim.h"

extern const struct stim_class dies_stim;

#endif

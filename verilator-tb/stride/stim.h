/* stim.h - the surroundings of a per-warp stride prefetcher. */
#ifndef NDP_STIM_STRIDE_H
#define NDP_STIM_STRIDE_H

#include "kit/stim.h"

extern const struct stim_class stride_stim;

#endif

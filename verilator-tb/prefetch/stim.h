/* stim.h - the surroundings of the pattern-aware prefetcher. */
#ifndef NDP_STIM_PREFETCH_H
#define NDP_STIM_PREFETCH_H

#include "kit/stim.h"

extern const struct stim_class prefetch_stim;

#endif

/* stim.h - the surroundings of a prefetcher's place beside a cache. */
#ifndef NDP_STIM_SPLICE_H
#define NDP_STIM_SPLICE_H

#include "kit/stim.h"

extern const struct stim_class splice_stim;

#endif

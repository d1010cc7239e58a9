/* stim.h - the surroundings of a channel with an accelerator in each rank. */
#ifndef NDP_STIM_CONCURRENT_H
#define NDP_STIM_CONCURRENT_H

#include "kit/stim.h"

extern const struct stim_class concurrent_stim;

#endif

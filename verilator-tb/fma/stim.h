/* stim.h - the surroundings of the fused multiply-add unit. */
#ifndef NDP_STIM_FMA_H
#define NDP_STIM_FMA_H

#include "kit/stim.h"

extern const struct stim_class fma_stim;

#endif

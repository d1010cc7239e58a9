/* stim.h - the surroundings of the near-bank unit, for the bench. */
#ifndef NDP_STIM_NBU_H
#define NDP_STIM_NBU_H

#include "kit/stim.h"

extern const struct stim_class nbu_stim;

#endif

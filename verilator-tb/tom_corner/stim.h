/* stim.h - the surroundings of offload controller and map analyzer, joined. */
#ifndef NDP_STIM_TOM_CORNER_H
#define NDP_STIM_TOM_CORNER_H

#include "kit/stim.h"

extern const struct stim_class tom_corner_stim;

#endif

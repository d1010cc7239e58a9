/* stim.h - the surroundings of a network interface for two users. */
#ifndef NDP_STIM_JUNCTION_H
#define NDP_STIM_JUNCTION_H

#include "kit/stim.h"

extern const struct stim_class junction_stim;

#endif

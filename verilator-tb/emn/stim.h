/* stim.h - the surroundings of the earliest-meet-node block. */
#ifndef NDP_STIM_EMN_H
#define NDP_STIM_EMN_H

#include "kit/stim.h"

extern const struct stim_class emn_stim;

#endif

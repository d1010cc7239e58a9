/* stim.h - the surroundings of the registered cut between the dies. */
#ifndef NDP_STIM_CUT_H
#define NDP_STIM_CUT_H

#include "kit/stim.h"

extern const struct stim_class cut_stim;

#endif

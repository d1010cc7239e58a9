/* stim.h - the surroundings of the memory's end of requests of all nodes. */
#ifndef NDP_STIM_HOME_H
#define NDP_STIM_HOME_H

#include "kit/stim.h"

extern const struct stim_class home_stim;

#endif

/* stim.h - the surroundings of a relay of a host's commands. */
#ifndef NDP_STIM_RELAY_H
#define NDP_STIM_RELAY_H

#include "kit/stim.h"

extern const struct stim_class relay_stim;

#endif

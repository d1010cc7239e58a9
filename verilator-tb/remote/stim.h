/* stim.h - the surroundings of a core's way to the memories of all nodes. */
#ifndef NDP_STIM_REMOTE_H
#define NDP_STIM_REMOTE_H

#include "kit/stim.h"

extern const struct stim_class remote_stim;

#endif

/* stim.h - the surroundings of the offload queue of a core. */
#ifndef NDP_STIM_OQUEUE_H
#define NDP_STIM_OQUEUE_H

#include "kit/stim.h"

extern const struct stim_class oqueue_stim;

#endif

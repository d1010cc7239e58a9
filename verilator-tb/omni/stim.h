/* stim.h - the surroundings of the queues of a node, joined. */
#ifndef NDP_STIM_OMNI_H
#define NDP_STIM_OMNI_H

#include "kit/stim.h"

extern const struct stim_class omni_stim;

#endif

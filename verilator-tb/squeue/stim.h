/* stim.h - the surroundings of the service queue of a node. */
#ifndef NDP_STIM_SQUEUE_H
#define NDP_STIM_SQUEUE_H

#include "kit/stim.h"

extern const struct stim_class squeue_stim;

#endif

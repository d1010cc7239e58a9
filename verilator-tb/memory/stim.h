/* stim.h - the surroundings of the memory with a latency and a bandwidth. */
#ifndef NDP_STIM_MEMORY_H
#define NDP_STIM_MEMORY_H

#include "kit/stim.h"

extern const struct stim_class memory_stim;

#endif

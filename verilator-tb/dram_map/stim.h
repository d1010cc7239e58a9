/* stim.h - what asks the map of addresses into DRAM. */
#ifndef NDP_STIM_DRAM_MAP_H
#define NDP_STIM_DRAM_MAP_H

#include "kit/stim.h"

extern const struct stim_class dram_map_stim;

#endif

/* stim.h - the surroundings of what loads tables of blocks: software, and cores that
 * run or do not. */
#ifndef NDP_STIM_LOADER_H
#define NDP_STIM_LOADER_H

#include "kit/stim.h"

extern const struct stim_class loader_stim;

#endif

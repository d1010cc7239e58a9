/* stim.h - stimulus of the write-through data cache (docs/blocks/cache.md). */
#ifndef NDP_STIM_CACHE_H
#define NDP_STIM_CACHE_H

#include "kit/stim.h"

extern const struct stim_class cache_stim;

#endif

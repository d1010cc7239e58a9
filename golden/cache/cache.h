/* cache.h - golden model of the write-through data cache
 * (docs/blocks/cache.md). */
#ifndef NDP_GOLDEN_CACHE_H
#define NDP_GOLDEN_CACHE_H

#include "frame/golden.h"

extern const struct golden_class cache_golden;

#endif

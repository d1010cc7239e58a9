/* memory.h - golden model of the memory with a latency and a bandwidth
 * (docs/blocks/memory.md). */
#ifndef NDP_GOLDEN_MEMORY_H
#define NDP_GOLDEN_MEMORY_H

#include "frame/golden.h"

extern const struct golden_class memory_golden;

#endif

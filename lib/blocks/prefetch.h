/* prefetch.h - C types of the pattern-aware prefetcher's ports, out of
 * prefetch.def. */
#ifndef NDP_BLOCKS_PREFETCH_H
#define NDP_BLOCKS_PREFETCH_H

#include "iface/iface.h"

#define BLOCK prefetch
#define BLOCK_UPPER PREFETCH
#define BLOCK_DEF "blocks/prefetch.def"
#include "iface/block_types.h"

#endif

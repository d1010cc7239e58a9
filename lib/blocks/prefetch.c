/* prefetch.c - tables of the pattern-aware prefetcher's interface, out of
 * prefetch.def. */
#include "prefetch.h"

#define BLOCK prefetch
#define BLOCK_DEF "blocks/prefetch.def"
#define BLOCK_TITLE "pattern-aware prefetcher"
#define BLOCK_PAPER "IP-NDP, section 3.3"
#define BLOCK_PRESET "image"
#include "iface/block_table.h"

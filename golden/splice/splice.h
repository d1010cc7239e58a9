/* splice.h - golden model of the prefetcher's place beside a cache
 * (docs/blocks/splice.md). */
#ifndef NDP_GOLDEN_SPLICE_H
#define NDP_GOLDEN_SPLICE_H

#include "frame/golden.h"

extern const struct golden_class splice_golden;

#endif

/* prefetch.h - golden model of the pattern-aware prefetcher
 * (docs/blocks/prefetch.md; IP-NDP section 3.3), driven through golden.h. */
#ifndef NDP_GOLDEN_PREFETCH_H
#define NDP_GOLDEN_PREFETCH_H

#include "blocks/prefetch.h"
#include "frame/golden.h"
#include "papers/image/entry.h"

extern const struct golden_class prefetch_golden;

/* Whether anything but demands on their way is in there: analyses, prefetches
 * in the queue or at the output.  When not, and with no inputs, the outputs and
 * counters stay as they are. */
bool prefetch_is_idle(const struct golden *g);

#endif

/* prefetch.h - golden model of the pattern-aware prefetcher
 * (docs/blocks/prefetch.md; IP-NDP section 3.3).
 *
 * Driven through golden.h; what the driver computes at a kernel's launch stands
 * here too, for compositions and tests that have a walk and need its entry of
 * the information table.
 */
#ifndef NDP_GOLDEN_PREFETCH_H
#define NDP_GOLDEN_PREFETCH_H

#include "blocks/prefetch.h"
#include "frame/golden.h"

extern const struct golden_class prefetch_golden;

/* A walk of blocks over a core's part of an image; lengths along x in bytes,
 * along y in rows.  Along x, blocks of 0 rows stay in their rows and begin
 * again at x_lo. */
struct prefetch_walk {
    uint64_t start, size; /* of the image */
    uint64_t pitch;       /* from one row to the next */
    bool along_y;         /* axis 1 */
    bool printed;         /* modified stride as the paper prints it */
    uint64_t block_x, block_y;
    uint64_t x_lo, x_hi, y_lo, y_hi; /* the part, upper bounds outside it */
};

enum { PREFETCH_ENTRY_WORDS = 16 }; /* those of load_entry */

/* The entry of the information table for a walk, of prefetcher d.  NULL, or
 * what of it the configuration cannot hold, as the end of "... cannot be held:
 * ". */
const char *prefetch_entry(const struct design *d,
                           const struct prefetch_walk *w,
                           uint64_t entry[PREFETCH_ENTRY_WORDS]);

/* Whether anything but demands on their way is in there: analyses, prefetches
 * in the queue or at the output.  When not, and with no inputs, the outputs and
 * counters stay as they are. */
bool prefetch_is_idle(const struct golden *g);

#endif

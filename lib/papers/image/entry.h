/* entry.h - what a driver computes at a kernel's launch for the pattern-aware
 * prefetcher: from the walk over an image to its entry of the information table
 * (docs/blocks/prefetch.md; IP-NDP section 3.3).
 */
#ifndef NDP_PAPERS_IMAGE_ENTRY_H
#define NDP_PAPERS_IMAGE_ENTRY_H

#include "iface/design.h"

#include <stdbool.h>
#include <stdint.h>

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

#endif

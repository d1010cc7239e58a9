/* walk.h - a walk over part of an image, in plain numbers: what the driver
 * of the prefetcher knows at kernel launch (docs/blocks/prefetch.md).
 *
 * Two things are made from it, by different reasoning: the entry of the
 * information table, by the note's formulas, and where a thread goes next, by
 * following the thread.
 */
#ifndef NDP_STIM_WALK_H
#define NDP_STIM_WALK_H

#include "blocks/prefetch.h"
#include "iface/design.h"
#include "kit/rng.h"

struct walk {
    bool valid;
    bool along_y; /* axis 1 */
    bool printed; /* modified stride as the paper prints it */
    uint64_t start;
    int64_t pitch, rows; /* bytes, rows of the image */
    int64_t element;     /* bytes */
    int64_t bw, bh;      /* threads of a block; bh 0: the same rows again */
    int64_t x_lo, x_hi;  /* the part: bytes */
    int64_t y_lo, y_hi;  /* rows */
};

/* The entry, as the block with these sizes wants it; all zero if not valid. */
void walk_entry(const struct walk *w, const struct prefetch_local *size,
                const struct design_record *record, uint64_t *entry);

/* Does the image hold this address? */
bool walk_holds(const struct walk *w, uint64_t address);

/* Where the thread that accesses address goes next: false if that is not in
 * the part, or the address is not. */
bool walk_next(const struct walk *w, uint64_t address, uint64_t *next);

/* A walk of any kind that fits the block. */
void walk_draw(struct walk *w, const struct prefetch_local *size, bool pow2,
               struct rng *r);

#endif

/* rows.h - the few rows of a bank that a stimulus uses for a while.
 *
 * Few, so that requests meet open rows; other ones in each phase, so that no
 * bit of a row's number stays as it is.
 */
#ifndef NDP_KIT_ROWS_H
#define NDP_KIT_ROWS_H

#include "base/bits.h"
#include "rng.h"

struct rows {
    uint64_t first, step, mask;
};

static inline void rows_draw(struct rows *w, struct rng *r, int bits) {
    w->mask = ones(bits);
    w->first = rng_next(r);
    w->step = rng_next(r) | 1; /* so that they all differ */
}

static inline uint64_t rows_at(const struct rows *w, int n) {
    return (w->first + (uint64_t)n * w->step) & w->mask;
}

#endif

/* toggle.h - signals that come and go. */
#ifndef NDP_KIT_TOGGLE_H
#define NDP_KIT_TOGGLE_H

#include "rng.h"

#include <stdbool.h>
#include <stdint.h>

struct toggle {
    bool level;
    int left; /* cycles that it stays */
};

/* The level in this cycle, with high and low the longest times it stays; low 0:
 * always high, high 0: never.  Call it once a cycle. */
static inline bool toggle_step(struct toggle *t, struct rng *r, int high,
                               int low) {
    if (t->left-- > 0)
        return t->level;
    t->level = low == 0 || (high != 0 && !t->level);
    int longest = t->level ? high : low;
    t->left = longest > 0 ? (int)rng_below(r, (uint32_t)longest) : 0;
    return t->level;
}

#endif

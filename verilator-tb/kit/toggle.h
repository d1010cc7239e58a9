/* toggle.h - small parts of stimuli: signals that come and go, lanes of wide
 * ports. */
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

/* The low bits of a word; width 0 to 64. */
static inline uint64_t low_bits(int width) {
    return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}

/* 32-bit lane i of a wide port. */
static inline uint32_t lane_of(const uint64_t *w, int i) {
    return (uint32_t)(w[i / 2] >> (i % 2 * 32));
}

static inline void set_lane(uint64_t *w, int i, uint32_t value) {
    int shift = i % 2 * 32;
    w[i / 2] = (w[i / 2] & ~((uint64_t)0xffffffffu << shift)) | (uint64_t)value
                                                                    << shift;
}

#endif

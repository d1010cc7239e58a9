/* env.h - state shared by the parts of the prefetcher's
 * stimulus. */
#ifndef NDP_STIM_PREFETCH_ENV_H
#define NDP_STIM_PREFETCH_ENV_H

#include "base/bits.h"
#include "kit/stim.h"
#include "kit/toggle.h"
#include "walk.h"

enum { MOST_FILLS = 1 << 10, MOST_NEXT = 1 << 16, MOST_WAITING = 64 };

struct tune;
struct prefetch_stim;

struct demand {
    uint64_t id, address;
};

/* Where demands come from. */
struct prefetch_mode {
    struct stim_mode base;
    bool (*next)(struct prefetch_stim *s, uint64_t *address);
    bool scripted; /* the walks of 'directed' first, then at random */
};

struct prefetch_stim {
    struct stim base;
    struct prefetch_local size;
    bool pow2; /* pitches have to be powers of two */
    const struct tune *tune;
    uint64_t tune_left;

    /* The core */
    bool offered; /* a demand is on the wires */
    bool follows; /* the last demand has a next step: */
    uint64_t follow;
    int script;     /* walk of 'directed' that is gone through */
    int64_t step;   /* in it */
    uint64_t quiet; /* edges since a demand was taken */

    /* The driver */
    struct walk walk[8]; /* what the table holds, or is to hold */
    bool reload;
    int loading; /* entry that is next, counted from: */
    int loads_from;

    /* The cache: prefetches it has taken, in order */
    struct {
        uint64_t line, due;
    } fill[MOST_FILLS];
    int fill_head, n_fills;
    bool filled; /* the fill on the wires is the first of these */

    /* The oracle */
    struct demand waiting[MOST_WAITING]; /* accepted, not yet at the cache */
    uint64_t waiting_head, waiting_tail;
    uint64_t next[MOST_NEXT]; /* where threads go, in order of their demands */
    uint64_t next_head, next_tail;

    uint64_t demands, prefetches, loads;
};

extern const struct prefetch_mode prefetch_run;

#endif

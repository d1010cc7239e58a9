/* tom_map.h - which stack an address belongs to, and which mapping candidates
 * would have liked; TOM, sections 3.2, 4.3 and 5.1.
 *
 * The baseline mapping spreads consecutive lines over the stacks and folds in
 * the higher bits; a learned one takes two address bits, and holds for the
 * allocations that candidates touch (docs/blocks/offload.md, "Stack of an
 * address").  Four stacks.
 *
 * Of every instance the stacks that it touches under each mapping are kept, so
 * the choice after any number of instances can be told afterwards.  What the
 * composition runs with is chosen by the golden analyzer itself
 * (tom_map_learn).
 */
#ifndef NDP_SYSTEM_TOM_MAP_H
#define NDP_SYSTEM_TOM_MAP_H

#include "sim/run/run.h"
#include "tom_plan.h"

enum {
    TOM_STACKS = 4,
    TOM_FIRST_BIT = 7, /* of the first mapping; 16: of the last (3.2.1) */
    TOM_MAPS = 10,
    TOM_MAX_RANGES = 100 /* of the allocation table (6.6) */
};

/* Stacks touched: four bits a mapping, the baseline's behind the last. */
typedef uint64_t tom_touched;

struct tom_range {
    uint64_t start, length;
    bool learned; /* placed by the learned mapping */
};

struct tom_map {
    uint32_t bit; /* lowest of the learned mapping; 0: none */
    int n;
    struct tom_range ranges[TOM_MAX_RANGES]; /* ascending, disjoint */
    int left_out;                            /* allocations beyond the table */
    /* Instances seen. */
    ARRAY(tom_touched) seen;
    /* Lines that instances access, and those of them on the stack of the
     * instance's first, under each mapping and the baseline. */
    uint64_t lines, home[TOM_MAPS + 1];
};

void tom_map_free(struct tom_map *m);

/* The run's buffers become the allocation table; run == NULL: none. */
void tom_map_ranges(struct tom_map *m, const struct run *run);

/* Range of an address, or NULL. */
const struct tom_range *tom_map_range(const struct tom_map *m,
                                      uint64_t address);

/* Whether the address lies where the learned mapping holds. */
bool tom_map_learned(const struct tom_map *m, uint64_t address);

/* Stack of an address, 0 .. 3. */
uint32_t tom_map_stack(const struct tom_map *m, uint64_t address);
uint32_t tom_map_baseline(uint64_t address);

/* Number of an address's line among those of its stack. */
uint64_t tom_map_line(const struct tom_map *m, uint64_t address);

/* What an instance of the warp's list touches. */
tom_touched tom_map_touches(const struct cta_warp *w,
                            const struct tom_instance *x);

/* Remember an instance. */
void tom_map_note(struct tom_map *m, const struct cta_warp *w,
                  const struct tom_instance *x);

/* Instances with any access, and those of them that touch a single stack under
 * mapping i; i == TOM_MAPS: the baseline.  Of the first n. */
uint64_t tom_map_any(const struct tom_map *m, uint64_t n);
uint64_t tom_map_single(const struct tom_map *m, uint64_t n, int i);

/* Lowest bit of the best mapping of the first n: most single ones, then fewest
 * stacks, then the lowest. */
uint32_t tom_map_best(const struct tom_map *m, uint64_t n);

/* How many instances it has seen. */
static inline uint64_t tom_map_seen(const struct tom_map *m) {
    return (uint64_t)m->seen.n;
}

/* How many instances a share of all makes, at least one if there are any. */
uint64_t tom_map_share(const struct tom_map *m, double percent);

/* One instance that the analyzer is to learn from. */
struct tom_lesson {
    const struct cta_warp *warp;
    struct tom_instance instance;
};

/* Feed the golden analyzer with the first n lessons; the mapping that its
 * interrupt names becomes m->bit, and the ranges that it found touched are
 * placed by it.  n > 0. */
void tom_map_learn(struct tom_map *m, const struct tom_lesson *lessons,
                   uint64_t n);

#endif

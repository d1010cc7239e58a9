/* image_prefetch.h - what stands beside an SM's L1 and asks for lines ahead:
 * nothing, per-warp strides, or the pattern-aware prefetcher.
 *
 * Per-warp strides watch the load-store unit: prefetch_unit_demand tells of
 * each line that a load asks the cache for, and requests wait in a queue until
 * the cache's port is free.  A request for a line that is queued already is
 * dropped, and so is one that finds the queue full.
 *
 * The pattern-aware prefetcher (the golden block itself) stands in the path:
 * the lines of loads go into it by prefetch_unit_offer and come out again at
 * the cache two cycles later, and its prefetches behind them, by
 * prefetch_unit_at_cache.
 */
#ifndef NDP_SYSTEM_IMAGE_PREFETCH_H
#define NDP_SYSTEM_IMAGE_PREFETCH_H

#include "prefetch/image_driver.h"

#include <stdbool.h>
#include <stdint.h>

enum prefetch_kind { PREFETCH_NONE, PREFETCH_PWS, PREFETCH_PATTERN };

struct prefetch_unit_config {
    enum prefetch_kind kind;
    uint32_t queue;   /* PWS: requests that wait for the cache, up to 64 */
    uint32_t entries; /* PWS: of the table, a power of two */
};

struct prefetch_unit_stats {
    uint64_t demands;   /* lines seen */
    uint64_t known;     /* of these, in an image of the table (pattern) */
    uint64_t requests;  /* asked for, before any is dropped */
    uint64_t duplicate; /* dropped: queued, or on its way (pattern) */
    uint64_t full;      /* dropped: no place in the queue */
    uint64_t outside;   /* not asked for: the demand is not in the SM's part */
    uint64_t ended;     /* not asked for: the walk ends there */
    uint64_t over;      /* of which the block was told that they are over */
};

struct prefetch_unit; /* one SM's; freed by prefetch_unit_free */

struct prefetch_unit *
prefetch_unit_create(const struct prefetch_unit_config *config);
void prefetch_unit_free(struct prefetch_unit *u);

/* One cycle, once each, after everything else of the cycle. */
void prefetch_unit_step(struct prefetch_unit *u);

/* Nothing queued and nothing under way: a step changes nothing. */
bool prefetch_unit_idle(const struct prefetch_unit *u);

/* Forget requests and history, at a kernel's start; load the table (NULL: as it
 * is).  The unit must be idle. */
void prefetch_unit_reset(struct prefetch_unit *u,
                         const struct image_table *table);

/* Counts so far. */
struct prefetch_unit_stats prefetch_unit_statistics(struct prefetch_unit *u);

/* ------------------------------------------------------------ beside: PWS */

/* A warp's demand load of a line.  pc tells loads apart; first: the first line
 * of its instruction. */
void prefetch_unit_demand(struct prefetch_unit *u, uint32_t warp, uint64_t pc,
                          uint64_t address, bool first);

/* The oldest request; false: none. */
bool prefetch_unit_request(const struct prefetch_unit *u, uint64_t *address);
void prefetch_unit_pop(struct prefetch_unit *u);

/* ------------------------------------------------------ in the path: pattern
 */

bool prefetch_unit_in_path(const struct prefetch_unit *u);

/* Offer a load's line in this cycle; true: taken. */
bool prefetch_unit_offer(struct prefetch_unit *u, uint32_t id,
                         uint64_t address);

/* What stands before the cache in this cycle; false: nothing. */
bool prefetch_unit_at_cache(const struct prefetch_unit *u, bool *prefetch,
                            uint32_t *id, uint64_t *address);

/* The cache takes it in this cycle. */
void prefetch_unit_take(struct prefetch_unit *u);

/* A prefetch is over: its line has come, or the cache did not need it. */
void prefetch_unit_over(struct prefetch_unit *u, uint64_t address);

#endif

/* cache.h - a set-associative L1 data cache with MSHRs, as a model of timing.
 *
 * It holds tags and no data: the functional executor has already computed what
 * the kernel loads.  Write-through, no write-allocate, LRU; a line enters its
 * set when memory answers (allocate on fill).  A miss occupies a miss status
 * holding register (MSHR); later accesses to the line join its targets until
 * the answer comes.  IP-NDP section 3.3: 8 KB of 128-byte lines, no L2.
 *
 *     switch (cache_access(c, cycle, address, CACHE_LOAD, token)) {
 *     case CACHE_HIT: ...          data is there
 *     case CACHE_MISS: ...         ask memory for the line
 *     case CACHE_MERGED: ...       memory has been asked already; wait
 *     case CACHE_BLOCKED: ...      no MSHR, or no target: try again
 *     case CACHE_WRITTEN: ...      a store: write it to memory
 *     }
 *     n = cache_fill(c, cycle, address, tokens);   memory has answered
 *
 * There is no clock in here.  The owner steps, gives the cycle with every call
 * (never less than with the call before) and decides how many accesses a cycle
 * takes; cycles are only used to say how early or late a prefetch was.
 *
 * An address is any byte of the line.  A token is the owner's name for who
 * waits: any value; it comes back from the fill of the line.
 *
 * Prefetches are marked.  The mark of a line tells at its first demand load
 * that the prefetch was used; a demand load that finds the prefetch still on
 * its way takes it over, and then it counts as used and late.
 */
#ifndef NDP_SYSTEM_CACHE_H
#define NDP_SYSTEM_CACHE_H

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_LINE = 128 }; /* bytes */

struct cache_config {
    uint32_t size;    /* bytes: a multiple of ways * CACHE_LINE */
    uint32_t ways;    /* lines of a set; sets may be any number */
    uint32_t mshrs;   /* lines on their way */
    uint32_t targets; /* accesses that wait for one of them */
    uint32_t reserve; /* MSHRs that a prefetch has to leave free; 0: none */
    /* Fold the line number's upper bits into the set by XOR.  Without it the
     * rows of an image whose pitch is a power of two meet in one set. */
    bool hashed;
};

enum cache_kind {
    CACHE_LOAD,
    CACHE_STORE,   /* always CACHE_WRITTEN */
    CACHE_ATOMIC,  /* done in memory: the line is thrown out, CACHE_WRITTEN */
    CACHE_PREFETCH /* as a load for which nobody waits; the token is ignored */
};

enum cache_result {
    CACHE_HIT,
    CACHE_MISS,   /* an MSHR was taken: send the request */
    CACHE_MERGED, /* the line is on its way; of a prefetch: nothing to do */
    CACHE_BLOCKED,
    CACHE_WRITTEN
};

struct cache_stats {
    /* Demand loads, one a line and access.  A blocked access is tried again by
     * its owner and counts here when it gets through. */
    uint64_t loads, load_hits;
    uint64_t load_misses; /* took an MSHR: demand traffic to memory */
    uint64_t load_merged; /* joined one, of a load or of a prefetch */
    uint64_t blocked;     /* refused tries of loads */
    uint64_t stores, store_hits, atomics;
    uint64_t fills, evictions, invalidations;
    /* Prefetches */
    uint64_t issued;       /* took an MSHR: prefetch traffic to memory */
    uint64_t present;      /* dropped: the line is in the cache */
    uint64_t in_flight;    /* dropped: the line is on its way */
    uint64_t refused;      /* no MSHR to be had (tries) */
    uint64_t used;         /* issued, and a demand load asked for the line */
    uint64_t late;         /* of these: while the line was on its way */
    uint64_t unused;       /* evicted or invalidated before any did */
    uint64_t early_cycles; /* fill to first use, summed over used - late */
    uint64_t late_cycles;  /* first use to fill, summed over late */
};

struct cache; /* one cache; freed by cache_free */

/* NULL if the configuration makes no cache: a zero, or size that is not a
 * multiple of ways lines. */
struct cache *cache_create(const struct cache_config *config);
void cache_free(struct cache *c);

enum cache_result cache_access(struct cache *c, uint64_t cycle,
                               uint64_t address, enum cache_kind kind,
                               uint64_t token);

/* Memory has answered for a line with an MSHR.  The line enters its set, and
 * the tokens that waited for it, oldest first, go to tokens (config.targets
 * of them at most).  Returns how many. */
uint32_t cache_fill(struct cache *c, uint64_t cycle, uint64_t address,
                    uint64_t *tokens);

/* Throw a line out; true if it was there.  One on its way still fills. */
bool cache_invalidate(struct cache *c, uint64_t address);
void cache_invalidate_all(struct cache *c); /* at a kernel's start */

/* Look without touching. */
bool cache_has(const struct cache *c, uint64_t address);
bool cache_in_flight(const struct cache *c, uint64_t address);
uint32_t cache_outstanding(const struct cache *c); /* MSHRs in use */

const struct cache_stats *cache_statistics(const struct cache *c);

/* into += from, member by member: several caches as one. */
void cache_stats_add(struct cache_stats *into, const struct cache_stats *from);

/* Ratios from 0 to 1; 0 where there is nothing to divide by.
 * miss: load_misses / loads, as GPGPU-Sim counts (a load that joins a line on
 * its way is no miss).  stall: (load_misses + load_merged) / loads: the loads
 * that had to wait.  accuracy: used / issued.  coverage: used prefetches over
 * used ones and remaining misses.  timeliness: used and not late / used. */
double cache_miss_rate(const struct cache_stats *s);
double cache_stall_rate(const struct cache_stats *s);
double cache_accuracy(const struct cache_stats *s);
double cache_coverage(const struct cache_stats *s);
double cache_timeliness(const struct cache_stats *s);

#endif

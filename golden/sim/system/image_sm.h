/* image_sm.h - a streaming multiprocessor of IP-NDP (section 3.3): a core
 * (core.h), and what prefetches for its L1.
 *
 * The pattern-aware prefetcher stands in the path of the loads, per-warp
 * strides beside it: hooks of the core.  Demands have the L1's port before
 * prefetches.  What memory answers is handed in before the step, by sm_answer;
 * a store is done when the memory has taken it.  A CTA leaves when all its
 * warps have ended and the load-store unit has nothing of them.
 */
#ifndef NDP_SYSTEM_IMAGE_SM_H
#define NDP_SYSTEM_IMAGE_SM_H

#include "core.h"
#include "image_memory.h"
#include "image_prefetch.h"

struct sm_config {
    uint32_t warps; /* resident */
    struct core_latencies latency;
    struct cache_config cache;
    struct prefetch_unit_config prefetch;
};

struct sm; /* one SM; freed by sm_free */

/* index: its number.  memory and reader are shared and must outlive it.  NULL:
 * no such cache. */
struct sm *sm_create(const struct sm_config *config, uint32_t index,
                     struct image_memory *memory,
                     const struct cta_reader *reader);
void sm_free(struct sm *s);

/* Room for a CTA of so many warps now. */
bool sm_fits(const struct sm *s, uint32_t warps);

/* Takes the CTA over and frees it when it is done. */
void sm_launch(struct sm *s, struct cta *c);

/* Before a kernel: the L1 is emptied, the prefetcher forgets and gets its table
 * (NULL: none).  The SM must be idle. */
void sm_kernel(struct sm *s, const struct image_table *table);

/* One cycle. */
void sm_step(struct sm *s, uint64_t cycle);

/* An answer of the memory whose token has this SM's index in sm_token_index. */
void sm_answer(struct sm *s, uint64_t cycle, uint64_t token);
uint32_t sm_token_index(uint64_t token);

/* Nothing resident, nothing on its way to the cache. */
bool sm_idle(const struct sm *s);

/* The first cycle in which a step may change anything, if no answer comes
 * before; CORE_NEVER: only an answer helps. */
uint64_t sm_wakes(const struct sm *s);

const struct core_stats *sm_statistics(const struct sm *s);
const struct cache_stats *sm_cache(const struct sm *s);
struct prefetch_unit *sm_prefetch(struct sm *s);

#endif

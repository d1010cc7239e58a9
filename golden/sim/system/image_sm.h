/* image_sm.h - a streaming multiprocessor with its L1: in-order warps, loose
 * round robin, a scoreboard, a load-store unit, a prefetch port.
 *
 * One step a cycle, in this order:
 *   1. one warp issues its next instruction: the first, from the one after the
 *      last that issued, whose registers are there (loose round robin)
 *   2. the load-store unit offers one line of its oldest instruction to the
 *      cache, a load by way of a prefetcher that stands in the path: demand
 *   3. when the cache's port was not wanted, the prefetcher's oldest request
 *      goes there: demands go before prefetches
 * What memory answers is handed in before the step, by sm_answer.
 *
 * A load's registers are there when all its lines are; a store is done when
 * the cache and the memory have taken it.  A barrier holds a warp until every
 * warp of its CTA that has not ended is at one.  IP-NDP section 3.3.
 */
#ifndef NDP_SYSTEM_IMAGE_SM_H
#define NDP_SYSTEM_IMAGE_SM_H

#include "cache.h"
#include "cta.h"
#include "image_prefetch.h"
#include "pipe.h"

#include <stdbool.h>
#include <stdint.h>

/* Cycles from issue to the result; round figures of GPUs of the paper's time,
 * which does not print any. */
enum {
    SM_LATENCY_ALU = 8,
    SM_LATENCY_SFU = 20,
    SM_LATENCY_SHARED = 24, /* shared, constant, parameter */
    SM_LATENCY_HIT = 24,    /* L1 */
    SM_LATENCY_FILL = 2,    /* memory's answer to the register */
    SM_LSU_DEPTH = 8        /* instructions waiting for the cache */
};

struct sm_config {
    uint32_t warps; /* resident */
    struct cache_config cache;
    struct prefetch_unit_config prefetch;
};

struct sm_stats {
    uint64_t warp_instructions, ctas;
};

/* What the memory moves bytes for: kinds of its packets. */
enum image_traffic { IMAGE_DEMAND, IMAGE_PREFETCH, IMAGE_STORE, IMAGE_ATOMIC };

struct sm; /* one SM; freed by sm_free */

/* index: its number.  memory and reader are shared and must outlive it.  NULL:
 * no such cache. */
struct sm *sm_create(const struct sm_config *config, uint32_t index,
                     struct pipe *memory, const struct cta_reader *reader);
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

/* The first cycle from now in which a step may change anything, if no answer
 * comes before; UINT64_MAX: only an answer helps. */
uint64_t sm_wakes(const struct sm *s);

const struct sm_stats *sm_statistics(const struct sm *s);
const struct cache_stats *sm_cache(const struct sm *s);
struct prefetch_unit *sm_prefetch(struct sm *s);

#endif

/* image_memory.h - what stands behind the L1s of IP-NDP's SMs: the stack's
 * memory, and before it, if wanted, an L2 that all SMs share.
 *
 * IP-NDP's own SMs have no L2 (section 3.3); the conventional ones that it is
 * held against, Base-8, have one on the logic die (section 4), and a perfect
 * one has every line (Base-8-PL, section 5.2).  The paper prints of it neither
 * size nor time.
 *
 * Requests come through the L2's port in their order, each for its bytes of the
 * port's bandwidth, and are looked up `latency` cycles later.  A load that hits
 * is answered there; one that misses goes to memory, whose latency it then has
 * on top, and others for its line wait with it.  Stores and atomics go through
 * to memory; stores leave lines as they are, with new data, atomics throw them
 * out (cache.h).  While memory has no room nobody gets past the port.
 *
 * No clock in here, as in pipe.h: the owner gives the cycle.
 */
#ifndef NDP_SYSTEM_IMAGE_MEMORY_H
#define NDP_SYSTEM_IMAGE_MEMORY_H

#include "cache.h"
#include "pipe.h"

/* What is moved for what: kinds of the pipes' packets. */
enum image_traffic { IMAGE_DEMAND, IMAGE_PREFETCH, IMAGE_STORE, IMAGE_ATOMIC };

enum image_l2 { IMAGE_L2_NONE, IMAGE_L2_REAL, IMAGE_L2_PERFECT };

struct image_memory_config {
    struct pipe_config memory;
    enum image_l2 l2;
    struct pipe_config port;   /* with an L2; of a depth */
    struct cache_config cache; /* of a real L2; never blocks: enough MSHRs and
                                  targets for all that the L1s can ask for */
};

/* A request.  Tokens have bit 63 clear. */
struct image_request {
    enum image_traffic kind;
    uint64_t address; /* any byte of its line */
    uint32_t bytes;   /* that memory moves for it */
    uint64_t token;   /* comes back with the answer, of a store too */
};

struct image_memory; /* freed by image_memory_free */

/* NULL: no such pipe or cache. */
struct image_memory *image_memory_create(const struct image_memory_config *c);
void image_memory_free(struct image_memory *m);

bool image_memory_ready(const struct image_memory *m, uint64_t cycle);
void image_memory_send(struct image_memory *m, uint64_t cycle,
                       const struct image_request *r);

/* The next answer that has come; false: none. */
bool image_memory_receive(struct image_memory *m, uint64_t cycle,
                          uint64_t *token);

/* Cycle in which something may come; UINT64_MAX: nothing is under way. */
uint64_t image_memory_next(const struct image_memory *m);

/* Nothing waits to be looked up. */
bool image_memory_idle(const struct image_memory *m);

/* Moved between memory and what is before it; between the SMs and the L2, and
 * what that held (both NULL without one, the latter without a real one). */
const struct pipe_stats *image_memory_traffic(const struct image_memory *m);
const struct pipe_stats *image_memory_l2_traffic(const struct image_memory *m);
const struct cache_stats *image_memory_l2(const struct image_memory *m);

#endif

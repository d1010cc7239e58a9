/* image_sm_state.h - an SM's inside; private to image_sm.c (warps, scoreboard,
 * issue) and image_lsu.c (load-store unit, the ports of cache and memory).
 */
#ifndef NDP_SYSTEM_IMAGE_SM_STATE_H
#define NDP_SYSTEM_IMAGE_SM_STATE_H

#include "image_sm.h"

#define NEVER UINT64_MAX

enum { MAX_LOADS = 64 }; /* with registers to come */

struct slot {
    struct cta *cta; /* NULL: free */
    const struct cta_warp *code;
    uint32_t next;   /* op */
    uint32_t warp;   /* in the CTA */
    uint32_t in_lsu; /* instructions in the load-store unit */
    bool at_barrier;
    bool ended;
    uint64_t blocked; /* until then it cannot issue */
    uint64_t *ready;  /* by register */
    uint32_t n_ready;
};

/* A load or atomic whose result is awaited. */
struct load {
    const struct stream_insn *insn; /* NULL: free */
    uint32_t slot;
    uint32_t waiting; /* lines that memory has to bring */
    bool offered;     /* all lines have been to the cache */
    uint64_t latest;  /* cycle of the last line so far */
};

struct lsu_entry {
    uint32_t slot, op, line;
    uint32_t load; /* MAX_LOADS: nobody waits */
};

struct sm {
    struct sm_config config;
    struct sm_stats stats;
    uint32_t index;
    struct pipe *memory;
    const struct cta_reader *reader;
    struct cache *cache;
    struct prefetch_unit *prefetch;
    struct slot *slots;
    uint32_t n_used, last; /* slots in use; the last to issue */
    struct load loads[MAX_LOADS];
    uint32_t n_loads;
    struct lsu_entry lsu[SM_LSU_DEPTH];
    uint32_t lsu_head, lsu_n;
    uint64_t *tokens; /* of a fill */
    bool acted;       /* the last step issued, or a CTA has left */
};

/* image_sm.c: an instruction's registers are there from that cycle on; a CTA
 * leaves if nothing holds it. */
void sm_set_results(struct slot *t, const struct stream_insn *insn,
                    uint64_t cycle);
void sm_leave(struct sm *s, struct cta *c);

/* image_lsu.c: whether another memory instruction has to wait; take one in; the
 * rest of the cycle after the issue. */
bool lsu_full(const struct sm *s);
void lsu_take(struct sm *s, uint32_t slot, const struct stream_insn *insn);
void lsu_cycle(struct sm *s, uint64_t cycle);

#endif

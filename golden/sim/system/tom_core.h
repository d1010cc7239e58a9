/* tom_core.h - warps, scoreboard, load-store unit and L1 of a core, whether it
 * stands on the GPU or on a stack's logic die.
 *
 * One instruction issues a cycle (or less often), loose round robin, in order
 * within a warp, when all its registers are there.  Each cycle one line of a
 * memory instruction goes to the L1.  What a warp is and what it does when it
 * comes to a stop is its owner's: a slot runs ops until `end`, is then held,
 * and its owner is told.  At most 64 slots.
 *
 * Time: the owner steps the core with every cycle in which it may do something
 * (tom_core_wakes), and gives the cycle with every call.
 */
#ifndef NDP_SYSTEM_TOM_CORE_H
#define NDP_SYSTEM_TOM_CORE_H

#include "cache.h"
#include "cta.h"

enum {
    TOM_LATENCY_ALU = 8,
    TOM_LATENCY_SFU = 20,
    TOM_LATENCY_SHARED = 24, /* shared, constant, parameter */
    TOM_LATENCY_HIT = 24,    /* L1 */
    TOM_LATENCY_FILL = 2,    /* an answer to the register */
    TOM_LSU_DEPTH = 8,       /* memory instructions in the load-store unit */
};

enum { TOM_UNIT = 1 << 16 }; /* units of time that a cycle has */

#define TOM_NEVER UINT64_MAX

/* What stands around a core. */
struct tom_port {
    void *ctx;
    /* Whether an access can leave the L1 now. */
    bool (*ready)(void *ctx, enum stream_access what, uint64_t address);
    /* It leaves.  number: of a load, its line (tom_core_line brings it); of an
     * atomic, what tom_core_atomic wants; of a store, the slot, for
     * tom_core_stored if the owner cares. */
    void (*send)(void *ctx, enum stream_access what, uint64_t address,
                 uint32_t sectors, uint64_t number);
    /* A slot has issued its last op before `end` and is held. */
    void (*stop)(void *ctx, uint32_t slot);
    /* A slot has issued a barrier and is held. */
    void (*barrier)(void *ctx, uint32_t slot);
};

struct tom_core_config {
    uint32_t slots;
    uint64_t interval; /* units of TOM_UNIT between two issues */
    struct cache_config cache;
};

struct tom_slot {
    const struct cta_warp *code;
    uint32_t next, end;     /* ops */
    uint64_t blocked;       /* until then it cannot issue */
    uint32_t in_lsu, loads; /* instructions under way */
    uint32_t stores;        /* lines sent and not acknowledged */
    uint64_t *ready;        /* by register: when it is there */
    uint32_t n_ready;
};

struct tom_core_stats {
    uint64_t instructions;
};

struct tom_core; /* freed by tom_core_free */

/* NULL: no such cache.  reader must outlive the core. */
struct tom_core *tom_core_create(const struct tom_core_config *config,
                                 const struct tom_port *port,
                                 const struct cta_reader *reader);
void tom_core_free(struct tom_core *c);

struct tom_slot *tom_core_slot(struct tom_core *c, uint32_t slot);
struct cache *tom_core_cache(struct tom_core *c);
const struct tom_core_stats *tom_core_statistics(const struct tom_core *c);

/* A free slot takes ops [next, end); all registers are there. */
void tom_core_start(struct tom_core *c, uint32_t slot,
                    const struct cta_warp *code, uint32_t next, uint32_t end);

/* A held slot goes on, up to end. */
void tom_core_resume(struct tom_core *c, uint32_t slot, uint32_t end);

/* All its registers are there. */
void tom_core_settle(struct tom_core *c, uint32_t slot);

/* When all of these registers are there. */
uint64_t tom_core_registers(struct tom_core *c, uint32_t slot,
                            const uint32_t *regs, uint32_t n);

void tom_core_step(struct tom_core *c, uint64_t cycle);

/* Answers. */
void tom_core_line(struct tom_core *c, uint64_t cycle, uint64_t number);
void tom_core_atomic(struct tom_core *c, uint64_t cycle, uint64_t number);
void tom_core_stored(struct tom_core *c, uint32_t slot);

/* Nothing of the slot is under way. */
bool tom_core_quiet(const struct tom_core *c, uint32_t slot);

/* First cycle in which a step may change anything if no answer comes before;
 * TOM_NEVER: only an answer or the owner helps. */
uint64_t tom_core_wakes(const struct tom_core *c);

#endif

/* core.h - the core of the compositions: in-order warps, a scoreboard, a
 * load-store unit and an L1.  TOM's main cores and the cores of its stacks
 * (TOM, section 5.1), and IP-NDP's SMs (section 3.3).
 *
 * Warps stand in slots, at most 64.  A slot runs its warp's ops up to an end
 * that its owner sets, and stops there.  Slots of one group (a CTA, or a block
 * that was sent here) have their barriers together, and leave together.
 *
 * A cycle is core_step:
 *   1. Issue.  Of the slots, from the one behind that which issued last (loose
 *      round robin; at first slot 1), the first that can issues an instruction:
 *      its registers are there, those that it writes too; one of memory has a
 *      place in the load-store unit; and `interval` has passed since the last
 *      issue.  With less than a cycle of it this is done again.  Slots that
 *      are passed on the way and have come to their end stop (hook stop).  One
 *      that is resumed or let go by a barrier meanwhile has its turn in the
 *      next cycle.
 *   2. What has come through the path of loads goes to the L1 (hook deliver).
 *   3. The load-store unit, in order, offers a line of its oldest instruction:
 *      a load's to the path (hook offer) or, where there is none, to the L1
 *      (hooks ready, send, watch); that of a store or an atomic to the L1
 *      (ready, send), unless its port was wanted in 2.
 *   4. The port that neither 2 nor 3 has wanted is to spare (hook spare).
 * Before the step the owner hands in answers (core_line, core_atomic,
 * core_stored); after it, it takes out what leaves (core_leave) and steps what
 * stands around.
 *
 * A load's registers are there latency.hit after its last line was in the L1,
 * or CORE_LATENCY_FILL after the last that was not has come; an atomic's
 * likewise.  The L1 is written through, without allocation (cache.h).
 *
 * The owner gives the cycle with every call, never less than before.  Steps in
 * which nothing can happen may be left out (core_wakes).
 */
#ifndef NDP_SYSTEM_CORE_H
#define NDP_SYSTEM_CORE_H

#include "cache.h"
#include "cta.h"

/* Cycles from issue to the result. */
struct core_latencies {
    uint32_t alu, sfu;
    uint32_t shared; /* shared, constant, parameter */
    uint32_t hit;    /* L1 */
};

/* Round figures of GPUs of the papers' time, which print none. */
enum {
    CORE_LATENCY_ALU = 8,
    CORE_LATENCY_SFU = 20,
    CORE_LATENCY_SHARED = 24,
    CORE_LATENCY_HIT = 24,
    CORE_LATENCY_FILL = 2, /* an answer to the register, of every core */
    CORE_LSU_DEPTH = 8,    /* memory instructions in the load-store unit */
    CORE_MAX_LOADS = 64,   /* loads and atomics with registers to come */
    CORE_MAX_SLOTS = 64,
    CORE_CYCLE = 1 << 16, /* units of core_config.interval */
};

#define CORE_LATENCIES                                                         \
    {                                                                          \
        .alu = CORE_LATENCY_ALU, .sfu = CORE_LATENCY_SFU,                      \
        .shared = CORE_LATENCY_SHARED, .hit = CORE_LATENCY_HIT                 \
    }

#define CORE_NEVER UINT64_MAX

/* What stands around a core: called with ctx, from within core_step.
 *
 * Every part behind these hooks can be a golden block.  A hook is then a
 * channel of the block: what the hook is told goes into the inputs of this
 * cycle, what it says is what the outputs show since the last edge, and the
 * owner gives the block its edge after core_step.
 *
 *     stop, core_resume, core_jump     offload (tom_control.c): ask and ans,
 *                                      probe and first, release
 *     offer, deliver, spare            prefetch (image_prefetch.c): demand, mem
 *                                      without and with mem_prefetch, fill
 *     ready, send, core_line, ...      a cache, a link, a memory (pipe.h)
 */
struct core_hooks {
    void *ctx;

    /* Towards memory.  ready: whether an access may have the L1, and can go on
     * from there; asked before the L1 is, so that a load for which core_holds
     * needs no more than that.  send: it goes on; the owner answers all but
     * stores without fail.  number: of a load its line, for core_line; of an
     * atomic for core_atomic; of a store its slot, for core_stored. */
    bool (*ready)(void *ctx, enum stream_access what, uint64_t address);
    void (*send)(void *ctx, enum stream_access what, uint64_t address,
                 uint32_t sectors, uint64_t number);

    /* A slot has issued its last op before its end.  True: it is held until
     * core_resume.  False, or NULL: its warp has ended. */
    bool (*stop)(void *ctx, uint32_t slot);

    /* What stands in the path of loads, between load-store unit and L1; both or
     * neither NULL.  offer: a load's line enters; true: it is taken, and comes
     * back by core_load.  deliver: the oldest that has come through goes to the
     * L1 by core_load; true: there was one, whether it was taken or not. */
    bool (*offer)(void *ctx, uint32_t load, uint64_t address);
    bool (*deliver)(void *ctx);

    /* What stands beside; each may be NULL.  watch: the L1 has taken a load's
     * line from the load-store unit; first: of the instruction.  spare: the
     * owner may ask the L1 for one prefetch (cache_access). */
    void (*watch)(void *ctx, uint32_t slot, const struct stream_insn *insn,
                  uint64_t address, bool first);
    void (*spare)(void *ctx);
};

struct core_config {
    uint32_t slots; /* 1 to CORE_MAX_SLOTS */
    /* Between two issues; CORE_CYCLE: one a cycle, half of it: two, of any
     * slots, also of one twice. */
    uint64_t interval;
    struct core_latencies latency;
    struct cache_config cache;
    /* The slot that issued last, then the one that was launched first, lowest
     * first; else slots take turns. */
    bool greedy;
    /* A group leaves only when all that it has sent is answered, stores too;
     * else as soon as the load-store unit has nothing of it, and what is
     * answered later is nobody's. */
    bool drain;
};

struct core_stats {
    uint64_t instructions; /* of warps */
    uint64_t groups;       /* that have left */
};

struct core; /* freed by core_free */

/* NULL: no such cache, or no such number of slots.  reader must outlive the
 * core. */
struct core *core_create(const struct core_config *config,
                         const struct core_hooks *hooks,
                         const struct cta_reader *reader);
void core_free(struct core *c);

struct cache *core_cache(struct core *c);
const struct core_stats *core_statistics(const struct core *c);

/* ------------------------------------------------------------------ groups */

bool core_empty(const struct core *c);    /* no group is there */
uint32_t core_room(const struct core *c); /* free slots */

/* n warps take the lowest free slots in their order, each with all of its ops
 * to run and all registers there; n is at most the room, code and group must
 * outlive them.  Returns the slots as a set. */
uint64_t core_launch(struct core *c, void *group, const struct cta_warp *code,
                     uint32_t n);

void *core_group(const struct core *c, uint32_t slot);

/* A group of which all warps have ended and nothing is under way (see drain)
 * leaves and frees its slots; NULL: none. */
void *core_leave(struct core *c);

/* Any group, whatever it does; NULL: none.  Only before core_free. */
void *core_evict(struct core *c);

/* ------------------------------------------------------------------- slots */

/* Run up to op `end`: a slot that is held, or has just been launched. */
void core_resume(struct core *c, uint32_t slot, uint32_t end);

/* A held slot is to go on from op `next`, behind what was done elsewhere; all
 * its registers are there. */
void core_jump(struct core *c, uint32_t slot, uint32_t next);

/* When all of these registers of the slot are there. */
uint64_t core_registers(struct core *c, uint32_t slot, const uint32_t *regs,
                        uint32_t n);

/* Its instructions that the load-store unit has. */
uint32_t core_in_lsu(const struct core *c, uint32_t slot);

/* -------------------------------------------------------------------- time */

/* First cycle in which a step may change anything if no answer comes before;
 * CORE_NEVER: only an answer or the owner helps. */
uint64_t core_wakes(const struct core *c);

void core_step(struct core *c, uint64_t cycle);

/* A load of the line would go no further than the L1: it is there or on its
 * way. */
bool core_holds(const struct core *c, uint64_t address);

/* A line of a load that offer has taken is at the L1; false: not now, come
 * again.  Only from within deliver. */
bool core_load(struct core *c, uint64_t cycle, uint32_t load, uint64_t address);

/* Answers to what was sent: a line, for loads and prefetches; an atomic's
 * result; a store's acknowledgement, which only a core that drains needs. */
void core_line(struct core *c, uint64_t cycle, uint64_t number);
void core_atomic(struct core *c, uint64_t cycle, uint64_t number);
void core_stored(struct core *c, uint32_t slot);

#endif

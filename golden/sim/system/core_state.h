/* core_state.h - a core's inside; private to core.c (slots, groups, scoreboard,
 * issue) and core_lsu.c (load-store unit, port of the L1).
 */
#ifndef NDP_SYSTEM_CORE_STATE_H
#define NDP_SYSTEM_CORE_STATE_H

#include "core.h"

struct core_slot {
    const struct cta_warp *code;
    uint32_t next, end;     /* ops */
    uint64_t *ready;        /* by register: when it is there */
    uint32_t n_ready;       /* registers that ready has */
    uint32_t in_lsu, loads; /* instructions under way */
    uint32_t stores;        /* lines sent and not acknowledged */
    uint64_t mates;         /* slots of the group, this one too */
    void *group;
};

/* A load or an atomic whose result is awaited. */
struct core_load {
    const struct stream_insn *insn; /* NULL: free */
    uint32_t slot;                  /* CORE_MAX_SLOTS: its group has left */
    uint32_t waiting;               /* lines that have to come */
    bool offered;                   /* the load-store unit has done all lines */
    uint64_t latest;                /* cycle of the last line so far */
};

struct core_lsu_entry {
    const struct stream_insn *insn;
    uint32_t slot, op, line;
    uint32_t load; /* CORE_MAX_LOADS: nobody waits */
};

/* What every cycle looks at stands in front, in a few lines of the host's
 * cache: there are many cores. */
struct core {
    /* Sets of slots.  used: not free.  live, of these: neither held, at a
     * barrier nor ended.  Of the live, asleep: a load's answer has to come
     * first; needs_lsu: came to a memory instruction for which there was no
     * room. */
    uint64_t used, live, at_barrier, ended, asleep, needs_lsu;
    uint64_t issue_at; /* in CORE_CYCLE a cycle: the next issue */
    uint64_t wakes;
    uint32_t last; /* slot that issued last */
    uint32_t room; /* slots that are not used */
    uint32_t n_loads, lsu_head, lsu_n;
    bool acted;   /* the last step did something */
    bool leaving; /* some warp has ended: look for whole groups */
    bool stuck;   /* the load at the L1 waits for a fill */
    struct core_slot *slots;
    const struct cta_reader *reader;
    struct cache *cache;
    struct core_hooks hooks;
    struct core_stats stats;
    struct core_config config;
    uint64_t *tokens;                 /* of a fill */
    uint64_t blocked[CORE_MAX_SLOTS]; /* until then the slot cannot issue */
    uint32_t oldest[CORE_MAX_SLOTS];  /* used slots, as launched */
    uint32_t n_oldest;
    struct core_lsu_entry lsu[CORE_LSU_DEPTH]; /* a ring */
    struct core_load loads[CORE_MAX_LOADS];
};

static inline uint64_t core_bit(uint32_t slot) {
    return UINT64_C(1) << slot;
}

/* Something has changed: the next cycle may be one for a step. */
static inline void core_stir(struct core *c) {
    c->acted = true;
    c->wakes = 0;
}

/* core.c: an instruction's registers are there from that cycle on; of its slot,
 * asleep, that it can look again. */
void core_set_results(struct core_slot *t, const struct stream_insn *insn,
                      uint64_t cycle);
void core_rouse(struct core *c, uint32_t slot);

/* core_lsu.c: whether another memory instruction has to wait; take in the one
 * that a slot has next; what a slot's loads still bring is nobody's; steps 2 to
 * 4 of a cycle. */
static inline bool lsu_full(const struct core *c) {
    return c->lsu_n == CORE_LSU_DEPTH || c->n_loads == CORE_MAX_LOADS;
}
void lsu_take(struct core *c, uint32_t slot, const struct stream_insn *insn);
void lsu_disown(struct core *c, uint32_t slot);
void lsu_step(struct core *c, uint64_t cycle);

#endif

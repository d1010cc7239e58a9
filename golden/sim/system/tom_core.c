/* tom_core.c - issue and load-store unit.
 *
 * The scoreboard is a table of cycles: when each register of a warp is there,
 * TOM_NEVER while a load is on its way.  A warp that cannot issue remembers
 * until when; an answer clears that.
 */
#include "tom_core.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LOADS = 64 }; /* loads and atomics with registers to come */

struct load {
    const struct stream_insn *insn; /* NULL: free */
    uint32_t slot;
    uint32_t waiting; /* lines that have to come */
    bool offered;     /* all lines have been to the cache */
    uint64_t latest;  /* cycle of the last line so far */
};

struct lsu_entry {
    uint32_t slot, op, line;
    uint32_t load; /* MAX_LOADS: nobody waits */
    const struct cta_warp *code;
};

struct tom_core {
    struct tom_core_config config;
    struct tom_port port;
    const struct cta_reader *reader;
    struct tom_core_stats stats;
    struct cache *cache;
    struct tom_slot *slots;
    uint32_t last;     /* slot that issued last */
    uint64_t issue_at; /* units of time: the next issue */
    struct load loads[MAX_LOADS];
    uint32_t n_loads;
    struct lsu_entry lsu[TOM_LSU_DEPTH];
    uint32_t lsu_head, lsu_n;
    uint64_t *tokens; /* of a fill */
    bool acted;       /* the last step did something */
    bool stuck;       /* the load in front waits for a fill of the L1 */
    /* Sets of slots.  live: neither free nor held; asleep, of these: a load's
     * answer has to come first; needs_lsu: came to a memory instruction for
     * which there was no room. */
    uint64_t live, asleep, needs_lsu;
};

struct tom_core *tom_core_create(const struct tom_core_config *config,
                                 const struct tom_port *port,
                                 const struct cta_reader *reader) {
    struct cache *cache = cache_create(&config->cache);
    if (!cache)
        return NULL;
    struct tom_core *c = xcalloc(1, sizeof *c);
    c->config = *config;
    c->port = *port;
    c->reader = reader;
    c->cache = cache;
    c->slots = xcalloc(config->slots, sizeof *c->slots);
    c->tokens = xcalloc(config->cache.targets, sizeof *c->tokens);
    return c;
}

void tom_core_free(struct tom_core *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < c->config.slots; i++)
        free(c->slots[i].ready);
    cache_free(c->cache);
    free(c->slots);
    free(c->tokens);
    free(c);
}

static uint64_t bit(uint32_t slot) {
    return UINT64_C(1) << slot;
}

struct tom_slot *tom_core_slot(struct tom_core *c, uint32_t slot) {
    return &c->slots[slot];
}

struct cache *tom_core_cache(struct tom_core *c) {
    return c->cache;
}

const struct tom_core_stats *tom_core_statistics(const struct tom_core *c) {
    return &c->stats;
}

/* ------------------------------------------------------------------- slots */

void tom_core_settle(struct tom_core *c, uint32_t slot) {
    struct tom_slot *t = &c->slots[slot];
    if (t->n_ready)
        memset(t->ready, 0, t->n_ready * sizeof *t->ready);
}

void tom_core_resume(struct tom_core *c, uint32_t slot, uint32_t end) {
    struct tom_slot *t = &c->slots[slot];
    t->end = end;
    t->blocked = 0;
    c->live |= bit(slot);
    c->asleep &= ~bit(slot);
    c->needs_lsu &= ~bit(slot);
    c->acted = true;
}

static void hold(struct tom_core *c, uint32_t slot) {
    c->live &= ~bit(slot);
    c->acted = true;
}

void tom_core_start(struct tom_core *c, uint32_t slot,
                    const struct cta_warp *code, uint32_t next, uint32_t end) {
    struct tom_slot *t = &c->slots[slot];
    t->code = code;
    t->next = next;
    tom_core_settle(c, slot);
    tom_core_resume(c, slot, end);
}

bool tom_core_quiet(const struct tom_core *c, uint32_t slot) {
    const struct tom_slot *t = &c->slots[slot];
    return !t->in_lsu && !t->loads && !t->stores;
}

/* -------------------------------------------------------------- scoreboard */

static uint64_t *register_of(struct tom_slot *t, uint32_t number) {
    if (number >= t->n_ready) {
        uint32_t n = t->n_ready ? t->n_ready : 64;
        while (n <= number)
            n *= 2;
        t->ready = xrealloc(t->ready, n * sizeof *t->ready);
        memset(t->ready + t->n_ready, 0, (n - t->n_ready) * sizeof *t->ready);
        t->n_ready = n;
    }
    return &t->ready[number];
}

uint64_t tom_core_registers(struct tom_core *c, uint32_t slot,
                            const uint32_t *regs, uint32_t n) {
    struct tom_slot *t = &c->slots[slot];
    uint64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t r = *register_of(t, regs[i]);
        at = r > at ? r : at;
    }
    return at;
}

static void set_results(struct tom_slot *t, const struct stream_insn *insn,
                        uint64_t cycle) {
    for (uint32_t i = 0; i < insn->n_dst; i++)
        *register_of(t, insn->regs[i]) = cycle;
}

static uint64_t latency_of(const struct stream_insn *insn) {
    switch (insn->opc) {
    case OPC_sfu:
        return TOM_LATENCY_SFU;
    case OPC_ld_shared:
    case OPC_ld_const:
    case OPC_shfl:
        return TOM_LATENCY_SHARED;
    default:
        return TOM_LATENCY_ALU;
    }
}

/* ------------------------------------------------------------------- issue */

static uint32_t take_load(struct tom_core *c, uint32_t slot,
                          const struct stream_insn *insn) {
    uint32_t i = 0;
    while (c->loads[i].insn)
        i++;
    c->loads[i] = (struct load){.insn = insn, .slot = slot};
    c->n_loads++;
    c->slots[slot].loads++;
    return i;
}

static void to_lsu(struct tom_core *c, uint32_t slot,
                   const struct stream_insn *insn) {
    struct tom_slot *t = &c->slots[slot];
    struct lsu_entry *e = &c->lsu[(c->lsu_head + c->lsu_n++) % TOM_LSU_DEPTH];
    *e = (struct lsu_entry){.slot = slot,
                            .op = t->next,
                            .line = t->code->ops[t->next].lines,
                            .load = MAX_LOADS,
                            .code = t->code};
    t->in_lsu++;
    if (insn->access == STREAM_STORE)
        return;
    e->load = take_load(c, slot, insn);
    set_results(t, insn, TOM_NEVER);
}

static bool lsu_full(const struct tom_core *c) {
    return c->lsu_n == TOM_LSU_DEPTH || c->n_loads == MAX_LOADS;
}

static bool try_issue(struct tom_core *c, uint32_t slot, uint64_t cycle) {
    struct tom_slot *t = &c->slots[slot];
    const struct cta_op *op = &t->code->ops[t->next];
    const struct stream_insn *insn = cta_insn(c->reader, op->insn);
    bool memory = cta_op_lines(op) > 0;
    uint64_t at = tom_core_registers(c, slot, insn->regs,
                                     (uint32_t)insn->n_dst + insn->n_src);
    if (at > cycle) {
        t->blocked = at;
        if (at == TOM_NEVER)
            c->asleep |= bit(slot);
        return false;
    }
    if (memory && lsu_full(c)) {
        c->needs_lsu |= bit(slot);
        return false;
    }
    c->needs_lsu &= ~bit(slot);
    if (memory)
        to_lsu(c, slot, insn);
    else
        set_results(t, insn, cycle + latency_of(insn));
    t->next++;
    c->stats.instructions++;
    if (insn->opc == OPC_barrier) {
        hold(c, slot);
        c->port.barrier(c->port.ctx, slot);
    }
    return true;
}

/* A slot's turn; true: it has issued. */
static bool turn(struct tom_core *c, uint32_t slot, uint64_t cycle) {
    struct tom_slot *t = &c->slots[slot];
    if (t->blocked > cycle)
        return false;
    if (t->next == t->end) {
        hold(c, slot);
        c->port.stop(c->port.ctx, slot);
        return false;
    }
    if (c->issue_at >= (cycle + 1) * TOM_UNIT || !try_issue(c, slot, cycle))
        return false;
    uint64_t now = cycle * TOM_UNIT;
    c->issue_at = (c->issue_at > now ? c->issue_at : now) + c->config.interval;
    c->acted = true;
    c->last = slot;
    return true;
}

/* One instruction of the next warp that can; those that have come to their
 * stop on the way are held.  What a turn wakes has its own in the next cycle.
 */
static void issue(struct tom_core *c, uint64_t cycle) {
    uint64_t may = c->live & ~c->asleep;
    if (lsu_full(c))
        may &= ~c->needs_lsu;
    uint64_t behind = may & ~((bit(c->last) << 1) - 1);
    for (uint64_t set = behind; set; set &= set - 1)
        if (turn(c, (uint32_t)__builtin_ctzll(set), cycle))
            return;
    for (uint64_t set = may & ~behind; set; set &= set - 1)
        if (turn(c, (uint32_t)__builtin_ctzll(set), cycle))
            return;
}

/* --------------------------------------------------------- load-store unit */

static void finish_load(struct tom_core *c, struct load *l) {
    struct tom_slot *t = &c->slots[l->slot];
    set_results(t, l->insn, l->latest);
    if (c->asleep & bit(l->slot)) {
        c->asleep &= ~bit(l->slot);
        t->blocked = 0;
    }
    t->loads--;
    l->insn = NULL;
    c->n_loads--;
    c->acted = true;
}

static void line_came(struct tom_core *c, uint64_t load, uint64_t cycle) {
    struct load *l = &c->loads[load];
    if (cycle > l->latest)
        l->latest = cycle;
    if (l->offered && l->waiting == 0)
        finish_load(c, l);
}

static bool offer_load(struct tom_core *c, const struct lsu_entry *e,
                       uint64_t address, uint64_t cycle) {
    struct load *l = &c->loads[e->load];
    /* A merge or a hit needs no room outside, but the order of the two looks
     * must not let a miss take an MSHR for nothing. */
    if (!cache_has(c->cache, address) && !cache_in_flight(c->cache, address) &&
        !c->port.ready(c->port.ctx, STREAM_LOAD, address))
        return false;
    enum cache_result r =
        cache_access(c->cache, cycle, address, CACHE_LOAD, e->load);
    c->stuck = r == CACHE_BLOCKED;
    if (c->stuck)
        return false;
    if (r == CACHE_MISS)
        c->port.send(c->port.ctx, STREAM_LOAD, address, 0xf,
                     address / CACHE_LINE);
    if (r != CACHE_HIT)
        l->waiting++;
    else if (cycle + TOM_LATENCY_HIT > l->latest)
        l->latest = cycle + TOM_LATENCY_HIT;
    return true;
}

static bool offer_write(struct tom_core *c, const struct lsu_entry *e,
                        const struct cta_line *line, uint64_t cycle,
                        bool atomic) {
    enum stream_access what = atomic ? STREAM_ATOMIC : STREAM_STORE;
    if (!c->port.ready(c->port.ctx, what, line->address))
        return false;
    cache_access(c->cache, cycle, line->address,
                 atomic ? CACHE_ATOMIC : CACHE_STORE, 0);
    if (atomic)
        c->loads[e->load].waiting++;
    else
        c->slots[e->slot].stores++;
    c->port.send(c->port.ctx, what, line->address, line->sectors,
                 atomic ? e->load : e->slot);
    return true;
}

static void lsu_pop(struct tom_core *c) {
    struct lsu_entry e = c->lsu[c->lsu_head];
    c->lsu_head = (c->lsu_head + 1) % TOM_LSU_DEPTH;
    c->lsu_n--;
    c->slots[e.slot].in_lsu--;
    if (e.load < MAX_LOADS) {
        c->loads[e.load].offered = true;
        line_came(c, e.load, 0);
    }
}

static void lsu_step(struct tom_core *c, uint64_t cycle) {
    if (c->lsu_n == 0 || c->stuck)
        return;
    struct lsu_entry *e = &c->lsu[c->lsu_head];
    const struct cta_op *op = &e->code->ops[e->op];
    const struct stream_insn *insn = cta_insn(c->reader, op->insn);
    const struct cta_line *line = &e->code->lines[e->line];
    bool done =
        insn->access == STREAM_LOAD
            ? offer_load(c, e, line->address, cycle)
            : offer_write(c, e, line, cycle, insn->access == STREAM_ATOMIC);
    if (done && ++e->line == op[1].lines)
        lsu_pop(c);
}

/* ------------------------------------------------------------------- steps */

void tom_core_line(struct tom_core *c, uint64_t cycle, uint64_t number) {
    uint32_t n = cache_fill(c->cache, cycle, number * CACHE_LINE, c->tokens);
    c->stuck = false;
    for (uint32_t i = 0; i < n; i++) {
        c->loads[c->tokens[i]].waiting--;
        line_came(c, c->tokens[i], cycle + TOM_LATENCY_FILL);
    }
}

void tom_core_atomic(struct tom_core *c, uint64_t cycle, uint64_t number) {
    c->loads[number].waiting--;
    line_came(c, number, cycle + TOM_LATENCY_FILL);
}

void tom_core_stored(struct tom_core *c, uint32_t slot) {
    c->slots[slot].stores--;
}

void tom_core_step(struct tom_core *c, uint64_t cycle) {
    c->acted = false;
    issue(c, cycle);
    lsu_step(c, cycle);
}

uint64_t tom_core_wakes(const struct tom_core *c) {
    uint64_t first = TOM_NEVER, issue_at = c->issue_at / TOM_UNIT;
    uint64_t may = c->live & ~c->asleep;
    if (c->acted || (c->lsu_n && !c->stuck))
        return 0;
    if (lsu_full(c))
        may &= ~c->needs_lsu;
    for (; may; may &= may - 1) {
        uint64_t at = c->slots[__builtin_ctzll(may)].blocked;
        first = at < first ? at : first;
    }
    return first < issue_at ? issue_at : first;
}

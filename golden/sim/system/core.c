/* core.c - slots, groups, scoreboard and issue.
 *
 * The scoreboard is a table of cycles: when each register of a warp is there,
 * CORE_NEVER while a load is on its way.  A warp that cannot issue remembers
 * until when; an answer clears that.
 */
#include "core_state.h"

#include "base/arena.h"
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

struct core *core_create(const struct core_config *config,
                         const struct core_hooks *hooks,
                         const struct cta_reader *reader) {
    struct cache *cache = cache_create(&config->cache);
    if (!cache || !config->slots || config->slots > CORE_MAX_SLOTS) {
        cache_free(cache);
        return NULL;
    }
    struct core *c = xcalloc(1, sizeof *c);
    c->config = *config;
    c->hooks = *hooks;
    c->reader = reader;
    c->cache = cache;
    c->room = config->slots;
    c->slots = xcalloc(config->slots, sizeof *c->slots);
    c->tokens = xcalloc(config->cache.targets, sizeof *c->tokens);
    return c;
}

void core_free(struct core *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < c->config.slots; i++)
        free(c->slots[i].ready);
    cache_free(c->cache);
    free(c->slots);
    free(c->tokens);
    free(c);
}

struct cache *core_cache(struct core *c) {
    return c->cache;
}

const struct core_stats *core_statistics(const struct core *c) {
    return &c->stats;
}

/* ------------------------------------------------------------------- slots */

void core_resume(struct core *c, uint32_t slot, uint32_t end) {
    c->slots[slot].end = end;
    c->blocked[slot] = 0;
    c->live |= core_bit(slot);
    c->asleep &= ~core_bit(slot);
    c->needs_lsu &= ~core_bit(slot);
    core_stir(c);
}

void core_jump(struct core *c, uint32_t slot, uint32_t next) {
    struct core_slot *t = &c->slots[slot];
    t->next = next;
    if (t->n_ready)
        memset(t->ready, 0, t->n_ready * sizeof *t->ready);
}

static void hold(struct core *c, uint32_t slot) {
    c->live &= ~core_bit(slot);
    core_stir(c);
}

void core_rouse(struct core *c, uint32_t slot) {
    if (c->asleep & core_bit(slot)) {
        c->asleep &= ~core_bit(slot);
        c->blocked[slot] = 0;
    }
}

uint32_t core_in_lsu(const struct core *c, uint32_t slot) {
    return c->slots[slot].in_lsu;
}

/* ------------------------------------------------------------------ groups */

bool core_empty(const struct core *c) {
    return !c->used;
}

uint32_t core_room(const struct core *c) {
    return c->room;
}

static uint64_t lowest_free(const struct core *c, uint32_t n) {
    uint64_t set = 0;
    while (n--)
        set |= ~(c->used | set) & ((c->used | set) + 1);
    return set;
}

uint64_t core_launch(struct core *c, void *group, const struct cta_warp *code,
                     uint32_t n) {
    if (n > core_room(c))
        BUG("%u warps, and %u slots are free", n, core_room(c));
    uint64_t mates = lowest_free(c, n);
    c->used |= mates;
    c->room -= n;
    for (uint64_t set = mates; set; set &= set - 1, code++) {
        uint32_t slot = (uint32_t)__builtin_ctzll(set);
        struct core_slot *t = &c->slots[slot];
        lsu_disown(c, slot);
        t->group = group;
        t->mates = mates;
        t->code = code;
        c->oldest[c->n_oldest++] = slot;
        core_jump(c, slot, 0);
        core_resume(c, slot, code->n);
    }
    return mates;
}

void *core_group(const struct core *c, uint32_t slot) {
    return c->slots[slot].group;
}

/* Once all warps of a group that have not ended are at its barrier, they go
 * on. */
static void check_barrier(struct core *c, uint64_t mates) {
    if (mates & ~c->ended & ~c->at_barrier)
        return;
    uint64_t waiting = mates & c->at_barrier;
    c->at_barrier &= ~mates;
    for (; waiting; waiting &= waiting - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(waiting);
        core_resume(c, slot, c->slots[slot].end);
    }
}

static bool is_quiet(const struct core *c, uint64_t set) {
    for (; set; set &= set - 1) {
        const struct core_slot *t = &c->slots[__builtin_ctzll(set)];
        if (t->in_lsu || (c->config.drain && (t->loads || t->stores)))
            return false;
    }
    return true;
}

static void *remove_group(struct core *c, uint32_t slot) {
    uint64_t mates = c->slots[slot].mates;
    c->used &= ~mates;
    c->ended &= ~mates;
    uint32_t n = c->n_oldest;
    c->n_oldest = 0;
    for (uint32_t i = 0; i < n; i++)
        if (!(mates & core_bit(c->oldest[i])))
            c->oldest[c->n_oldest++] = c->oldest[i];
    c->room += (uint32_t)__builtin_popcountll(mates);
    return c->slots[slot].group;
}

/* A group with a warp that runs is looked at again when one ends. */
void *core_leave(struct core *c) {
    if (!c->leaving)
        return NULL;
    c->leaving = false;
    for (uint64_t set = c->ended; set;) {
        uint32_t slot = (uint32_t)__builtin_ctzll(set);
        uint64_t mates = c->slots[slot].mates;
        set &= ~mates;
        if (mates & ~c->ended)
            continue;
        c->leaving = true;
        if (!is_quiet(c, mates))
            continue;
        c->stats.groups++;
        core_stir(c);
        return remove_group(c, slot);
    }
    return NULL;
}

void *core_evict(struct core *c) {
    return c->used ? remove_group(c, (uint32_t)__builtin_ctzll(c->used)) : NULL;
}

/* -------------------------------------------------------------- scoreboard */

static uint64_t *register_of(struct core_slot *t, uint32_t number) {
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

static uint64_t registers_at(struct core_slot *t, const uint32_t *regs,
                             uint32_t n) {
    uint64_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t r = *register_of(t, regs[i]);
        at = r > at ? r : at;
    }
    return at;
}

uint64_t core_registers(struct core *c, uint32_t slot, const uint32_t *regs,
                        uint32_t n) {
    return registers_at(&c->slots[slot], regs, n);
}

void core_set_results(struct core_slot *t, const struct stream_insn *insn,
                      uint64_t cycle) {
    for (uint32_t i = 0; i < insn->n_dst; i++)
        *register_of(t, insn->regs[i]) = cycle;
}

static uint64_t latency_of(const struct core_latencies *l,
                           const struct stream_insn *insn) {
    switch (insn->opc) {
    case OPC_sfu:
        return l->sfu;
    case OPC_ld_shared:
    case OPC_ld_const:
    case OPC_shfl:
        return l->shared;
    default:
        return l->alu;
    }
}

/* ------------------------------------------------------------------- issue */

static bool try_issue(struct core *c, uint32_t slot, uint64_t cycle) {
    struct core_slot *t = &c->slots[slot];
    const struct cta_op *op = &t->code->ops[t->next];
    const struct stream_insn *insn = cta_insn(c->reader, op->insn);
    bool memory = cta_op_lines(op) > 0;
    uint64_t at =
        registers_at(t, insn->regs, (uint32_t)insn->n_dst + insn->n_src);
    if (at > cycle) {
        c->blocked[slot] = at;
        if (at == CORE_NEVER)
            c->asleep |= core_bit(slot);
        return false;
    }
    if (memory && lsu_full(c)) {
        c->needs_lsu |= core_bit(slot);
        return false;
    }
    c->needs_lsu &= ~core_bit(slot);
    if (memory)
        lsu_take(c, slot, insn);
    else
        core_set_results(t, insn, cycle + latency_of(&c->config.latency, insn));
    t->next++;
    c->stats.instructions++;
    if (insn->opc == OPC_barrier) {
        hold(c, slot);
        c->at_barrier |= core_bit(slot);
        check_barrier(c, t->mates);
    }
    return true;
}

static void stop(struct core *c, uint32_t slot) {
    hold(c, slot);
    if (c->hooks.stop && c->hooks.stop(c->hooks.ctx, slot))
        return;
    c->ended |= core_bit(slot);
    c->leaving = true;
    check_barrier(c, c->slots[slot].mates);
}

/* The turn of a slot that is not blocked; true: it has issued. */
static bool turn(struct core *c, uint32_t slot, uint64_t cycle) {
    struct core_slot *t = &c->slots[slot];
    if (t->next == t->end) {
        stop(c, slot);
        return false;
    }
    if (c->issue_at >= (cycle + 1) * CORE_CYCLE || !try_issue(c, slot, cycle))
        return false;
    uint64_t now = cycle * CORE_CYCLE;
    c->issue_at = (c->issue_at > now ? c->issue_at : now) + c->config.interval;
    c->acted = true;
    c->last = slot;
    return true;
}

/* Slots of a set, lowest first; true: one has issued. */
static bool turns(struct core *c, uint64_t set, uint64_t cycle) {
    for (; set; set &= set - 1) {
        uint32_t slot = (uint32_t)__builtin_ctzll(set);
        if (c->blocked[slot] <= cycle && turn(c, slot, cycle))
            return true;
    }
    return false;
}

/* Greedy, then oldest. */
static bool issue_oldest(struct core *c, uint64_t may, uint64_t cycle) {
    if (turns(c, may & core_bit(c->last), cycle))
        return true;
    for (uint32_t i = 0; i < c->n_oldest; i++)
        if (turns(c, may & core_bit(c->oldest[i]), cycle))
            return true;
    return false;
}

static bool issue_one(struct core *c, uint64_t cycle) {
    uint64_t may = c->live & ~c->asleep;
    if (lsu_full(c))
        may &= ~c->needs_lsu;
    if (c->config.greedy)
        return issue_oldest(c, may, cycle);
    uint64_t behind = may & ~((core_bit(c->last) << 1) - 1);
    return turns(c, behind, cycle) || turns(c, may & ~behind, cycle);
}

static void issue(struct core *c, uint64_t cycle) {
    while (issue_one(c, cycle) && c->issue_at < (cycle + 1) * CORE_CYCLE)
        ;
}

/* -------------------------------------------------------------------- time */

uint64_t core_wakes(const struct core *c) {
    return c->wakes;
}

static uint64_t next_step(const struct core *c) {
    uint64_t first = CORE_NEVER, issue_at = c->issue_at / CORE_CYCLE;
    uint64_t may = c->live & ~c->asleep;
    if (c->acted || (c->lsu_n && !c->stuck))
        return 0;
    if (lsu_full(c))
        may &= ~c->needs_lsu;
    for (; may; may &= may - 1) {
        uint64_t at = c->blocked[__builtin_ctzll(may)];
        first = at < first ? at : first;
    }
    return first < issue_at ? issue_at : first;
}

void core_step(struct core *c, uint64_t cycle) {
    c->acted = false;
    issue(c, cycle);
    lsu_step(c, cycle);
    c->wakes = next_step(c);
}

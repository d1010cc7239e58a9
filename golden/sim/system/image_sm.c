/* image_sm.c - warps, scoreboard and issue of an SM.
 *
 * The scoreboard is a table of cycles: when each register of a warp is there,
 * NEVER while a load is on its way.  A warp that cannot issue remembers until
 * when (or, waiting for memory, until an answer clears that), so that a cycle
 * in which nothing can happen costs a look at each warp, and sm_wakes can say
 * how long that lasts.
 */
#include "image_sm_state.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct sm *sm_create(const struct sm_config *config, uint32_t index,
                     struct pipe *memory, const struct cta_reader *reader) {
    struct cache *cache = cache_create(&config->cache);
    if (!cache || !config->warps) {
        cache_free(cache);
        return NULL;
    }
    struct sm *s = xcalloc(1, sizeof *s);
    s->config = *config;
    s->index = index;
    s->memory = memory;
    s->reader = reader;
    s->cache = cache;
    s->prefetch = prefetch_unit_create(&config->prefetch);
    s->slots = xcalloc(config->warps, sizeof *s->slots);
    s->tokens = xcalloc(config->cache.targets, sizeof *s->tokens);
    return s;
}

void sm_free(struct sm *s) {
    if (!s)
        return;
    for (uint32_t i = 0; i < s->config.warps; i++) {
        if (s->slots[i].cta && s->slots[i].warp == 0)
            cta_free(s->slots[i].cta);
        free(s->slots[i].ready);
    }
    cache_free(s->cache);
    prefetch_unit_free(s->prefetch);
    free(s->slots);
    free(s->tokens);
    free(s);
}

const struct sm_stats *sm_statistics(const struct sm *s) {
    return &s->stats;
}

const struct cache_stats *sm_cache(const struct sm *s) {
    return cache_statistics(s->cache);
}

struct prefetch_unit *sm_prefetch(struct sm *s) {
    return s->prefetch;
}

/* ------------------------------------------------------------------- CTAs */

bool sm_fits(const struct sm *s, uint32_t warps) {
    return s->n_used + warps <= s->config.warps;
}

void sm_launch(struct sm *s, struct cta *c) {
    uint32_t at = 0;
    for (uint32_t w = 0; w < c->n_warps; w++, at++) {
        while (s->slots[at].cta)
            at++;
        struct slot *t = &s->slots[at];
        t->cta = c;
        t->code = &c->warps[w];
        t->warp = w;
        t->next = t->in_lsu = 0;
        t->at_barrier = t->ended = false;
        t->blocked = 0;
        if (t->n_ready)
            memset(t->ready, 0, t->n_ready * sizeof *t->ready);
    }
    s->n_used += c->n_warps;
}

/* The CTA leaves once all its warps have ended and nothing of theirs is in the
 * load-store unit. */
void sm_leave(struct sm *s, struct cta *c) {
    for (uint32_t i = 0; i < s->config.warps; i++)
        if (s->slots[i].cta == c && (!s->slots[i].ended || s->slots[i].in_lsu))
            return;
    for (uint32_t i = 0; i < s->config.warps; i++)
        if (s->slots[i].cta == c)
            s->slots[i].cta = NULL;
    s->n_used -= c->n_warps;
    s->stats.ctas++;
    s->acted = true;
    cta_free(c);
}

void sm_kernel(struct sm *s, const struct image_table *table) {
    cache_invalidate_all(s->cache);
    prefetch_unit_reset(s->prefetch, table);
}

bool sm_idle(const struct sm *s) {
    return s->n_used == 0 && cache_outstanding(s->cache) == 0 &&
           prefetch_unit_idle(s->prefetch);
}

/* -------------------------------------------------------------- scoreboard */

static uint64_t *register_of(struct slot *t, uint32_t number) {
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

/* When all registers of an instruction are there. */
static uint64_t operands_at(struct slot *t, const struct stream_insn *insn) {
    uint64_t at = 0;
    for (uint32_t i = 0; i < (uint32_t)insn->n_dst + insn->n_src; i++) {
        uint64_t r = *register_of(t, insn->regs[i]);
        at = r > at ? r : at;
    }
    return at;
}

void sm_set_results(struct slot *t, const struct stream_insn *insn,
                    uint64_t cycle) {
    for (uint32_t i = 0; i < insn->n_dst; i++)
        *register_of(t, insn->regs[i]) = cycle;
}

static uint64_t latency_of(const struct stream_insn *insn) {
    switch (insn->opc) {
    case OPC_sfu:
        return SM_LATENCY_SFU;
    case OPC_ld_shared:
    case OPC_ld_const:
    case OPC_shfl:
        return SM_LATENCY_SHARED;
    default:
        return SM_LATENCY_ALU;
    }
}

/* ------------------------------------------------------------------ issue */

static void barrier(struct sm *s, const struct cta *c, uint64_t cycle) {
    for (uint32_t i = 0; i < s->config.warps; i++)
        if (s->slots[i].cta == c && !s->slots[i].ended &&
            !s->slots[i].at_barrier)
            return;
    for (uint32_t i = 0; i < s->config.warps; i++)
        if (s->slots[i].cta == c) {
            s->slots[i].at_barrier = false;
            s->slots[i].blocked = cycle + 1;
        }
}

/* The warp issues its next instruction if it can. */
static bool try_issue(struct sm *s, uint32_t slot, uint64_t cycle) {
    struct slot *t = &s->slots[slot];
    const struct cta_op *op = &t->code->ops[t->next];
    const struct stream_insn *insn = cta_insn(s->reader, op->insn);
    uint64_t at = operands_at(t, insn);
    bool memory = cta_op_lines(op) > 0;
    if (at > cycle) {
        t->blocked = at;
        return false;
    }
    if (memory && lsu_full(s))
        return false;
    if (memory)
        lsu_take(s, slot, insn);
    else
        sm_set_results(t, insn, cycle + latency_of(insn));
    t->next++;
    s->stats.warp_instructions++;
    if (insn->opc == OPC_barrier) {
        t->at_barrier = true;
        t->blocked = NEVER;
    }
    return true;
}

/* A warp whose list is empty or through. */
static void end_warp(struct sm *s, uint32_t slot, uint64_t cycle) {
    struct slot *t = &s->slots[slot];
    t->ended = true;
    t->at_barrier = false;
    t->blocked = NEVER;
    barrier(s, t->cta, cycle);
    sm_leave(s, t->cta);
}

static void issue(struct sm *s, uint64_t cycle) {
    uint32_t n = s->config.warps, at = s->last;
    s->acted = false;
    for (uint32_t k = 0; k < n && s->n_used; k++) {
        at = at + 1 < n ? at + 1 : 0;
        struct slot *t = &s->slots[at];
        if (!t->cta || t->blocked > cycle)
            continue;
        if (t->next == t->code->n) {
            end_warp(s, at, cycle);
            continue;
        }
        if (!try_issue(s, at, cycle))
            continue;
        s->acted = true;
        s->last = at;
        if (t->at_barrier)
            barrier(s, t->cta, cycle);
        return;
    }
}

/* ------------------------------------------------------------------- steps */

void sm_step(struct sm *s, uint64_t cycle) {
    issue(s, cycle);
    lsu_cycle(s, cycle);
}

uint64_t sm_wakes(const struct sm *s) {
    uint64_t first = NEVER;
    if (s->acted || s->lsu_n || !prefetch_unit_idle(s->prefetch))
        return 0;
    for (uint32_t i = 0; i < s->config.warps; i++)
        if (s->slots[i].cta && s->slots[i].blocked < first)
            first = s->slots[i].blocked;
    return first;
}

/* image_lsu.c - an SM's load-store unit, and its ports to cache and memory.
 *
 * Memory instructions wait in order; the oldest offers a line a cycle.  A load
 * is done when its last line is there: those that hit after the cache's
 * latency, the others when memory has answered.  The cache has one port a
 * cycle: for a load that has come through the prefetcher in the path, else for
 * the load-store unit, else for a prefetch.
 */
#include "image_sm_state.h"

/* What an answer of the memory is for. */
enum sm_answer_for {
    TO_LINE = 0, /* a line of the cache */
    TO_ATOMIC = 1,
    TO_NOBODY = 2,
    TO_PREFETCH = 3 /* a line that the prefetcher in the path asked for */
};

/* -------------------------------------------------------------- instructions
 */

static uint32_t take_load(struct sm *s, uint32_t slot,
                          const struct stream_insn *insn) {
    uint32_t i = 0;
    while (s->loads[i].insn)
        i++;
    s->loads[i] = (struct load){.insn = insn, .slot = slot};
    s->n_loads++;
    return i;
}

/* Into the load-store unit; there is room. */
void lsu_take(struct sm *s, uint32_t slot, const struct stream_insn *insn) {
    struct slot *t = &s->slots[slot];
    struct lsu_entry *e = &s->lsu[(s->lsu_head + s->lsu_n++) % SM_LSU_DEPTH];
    *e = (struct lsu_entry){.slot = slot,
                            .op = t->next,
                            .line = t->code->ops[t->next].lines,
                            .load = MAX_LOADS};
    t->in_lsu++;
    if (insn->access == STREAM_STORE)
        return;
    e->load = take_load(s, slot, insn);
    sm_set_results(t, insn, NEVER);
}

bool lsu_full(const struct sm *s) {
    return s->lsu_n == SM_LSU_DEPTH || s->n_loads == MAX_LOADS;
}

static uint64_t token_of(const struct sm *s, uint64_t address,
                         enum sm_answer_for what) {
    return (uint64_t)s->index << 48 | (uint64_t)what << 46 |
           address / CACHE_LINE;
}

static void to_memory(struct sm *s, uint64_t cycle, enum image_traffic kind,
                      uint32_t bytes, uint64_t token) {
    struct pipe_packet p = {.kind = kind, .amount = bytes, .token = token};
    pipe_send(s->memory, cycle, &p);
}

uint32_t sm_token_index(uint64_t token) {
    return (uint32_t)(token >> 48);
}

static void finish_load(struct sm *s, struct load *l) {
    struct slot *t = &s->slots[l->slot];
    sm_set_results(t, l->insn, l->latest);
    if (t->blocked == NEVER && !t->at_barrier && !t->ended)
        t->blocked = 0;
    l->insn = NULL;
    s->n_loads--;
}

static void line_came(struct sm *s, uint32_t load, uint64_t cycle) {
    struct load *l = &s->loads[load];
    if (cycle > l->latest)
        l->latest = cycle;
    if (l->offered && l->waiting == 0)
        finish_load(s, l);
}

/* A load's line is at the cache; false: not now. */
static bool load_line(struct sm *s, uint32_t load, uint64_t address,
                      uint64_t cycle) {
    struct load *l = &s->loads[load];
    if (!pipe_ready(s->memory, cycle))
        return false;
    enum cache_result r =
        cache_access(s->cache, cycle, address, CACHE_LOAD, load);
    if (r == CACHE_BLOCKED)
        return false;
    if (r == CACHE_MISS)
        to_memory(s, cycle, IMAGE_DEMAND, CACHE_LINE,
                  token_of(s, address, TO_LINE));
    if (r != CACHE_HIT)
        l->waiting++;
    else if (cycle + SM_LATENCY_HIT > l->latest)
        l->latest = cycle + SM_LATENCY_HIT;
    return true;
}

/* The load-store unit offers a load's line; false: not now.  On its way through
 * the prefetcher it counts as waiting. */
static bool offer_load(struct sm *s, const struct lsu_entry *e,
                       const struct cta_line *line, uint64_t cycle) {
    const struct slot *t = &s->slots[e->slot];
    struct load *l = &s->loads[e->load];
    if (prefetch_unit_in_path(s->prefetch)) {
        if (!prefetch_unit_offer(s->prefetch, e->load, line->address))
            return false;
        l->waiting++;
        return true;
    }
    if (!load_line(s, e->load, line->address, cycle))
        return false;
    prefetch_unit_demand(s->prefetch, e->slot,
                         (uint64_t)l->insn->function << 32 ^ l->insn->pc,
                         line->address, e->line == t->code->ops[e->op].lines);
    return true;
}

static bool offer_write(struct sm *s, const struct lsu_entry *e,
                        const struct cta_line *line, uint64_t cycle,
                        bool atomic) {
    uint32_t bytes = 32 * (uint32_t)__builtin_popcount(line->sectors);
    if (!pipe_ready(s->memory, cycle))
        return false;
    cache_access(s->cache, cycle, line->address,
                 atomic ? CACHE_ATOMIC : CACHE_STORE, 0);
    if (!atomic) {
        to_memory(s, cycle, IMAGE_STORE, bytes, token_of(s, 0, TO_NOBODY));
        return true;
    }
    s->loads[e->load].waiting++;
    to_memory(s, cycle, IMAGE_ATOMIC, 2 * bytes, /* there and back */
              token_of(s, (uint64_t)e->load * CACHE_LINE, TO_ATOMIC));
    return true;
}

/* All lines of the oldest instruction have been offered. */
static void lsu_pop(struct sm *s) {
    struct lsu_entry e = s->lsu[s->lsu_head];
    struct slot *t = &s->slots[e.slot];
    s->lsu_head = (s->lsu_head + 1) % SM_LSU_DEPTH;
    s->lsu_n--;
    t->in_lsu--;
    if (e.load < MAX_LOADS) {
        s->loads[e.load].offered = true;
        line_came(s, e.load, 0);
    }
    if (t->ended && t->in_lsu == 0)
        sm_leave(s, t->cta);
}

/* True when a demand wants the cache's port; port: it is free before. */
static bool lsu_step(struct sm *s, uint64_t cycle, bool port) {
    if (s->lsu_n == 0)
        return false;
    struct lsu_entry *e = &s->lsu[s->lsu_head];
    const struct cta_warp *code = s->slots[e->slot].code;
    const struct stream_insn *insn = cta_insn(s->reader, code->ops[e->op].insn);
    const struct cta_line *line = &code->lines[e->line];
    bool is_load = insn->access == STREAM_LOAD;
    bool done = is_load ? offer_load(s, e, line, cycle)
                        : port && offer_write(s, e, line, cycle,
                                              insn->access == STREAM_ATOMIC);
    if (done && ++e->line == code->ops[e->op + 1].lines)
        lsu_pop(s);
    return !is_load || !prefetch_unit_in_path(s->prefetch);
}

/* A prefetch to the cache; what became of it. */
static enum cache_result prefetch_line(struct sm *s, uint64_t address,
                                       enum sm_answer_for what,
                                       uint64_t cycle) {
    if (!pipe_ready(s->memory, cycle))
        return CACHE_BLOCKED;
    enum cache_result r =
        cache_access(s->cache, cycle, address, CACHE_PREFETCH, 0);
    if (r == CACHE_MISS)
        to_memory(s, cycle, IMAGE_PREFETCH, CACHE_LINE,
                  token_of(s, address, what));
    return r;
}

/* From the queue of a prefetcher beside the path. */
static void prefetch_step(struct sm *s, uint64_t cycle) {
    uint64_t address;
    if (prefetch_unit_request(s->prefetch, &address) &&
        prefetch_line(s, address, TO_LINE, cycle) != CACHE_BLOCKED)
        prefetch_unit_pop(s->prefetch);
}

/* The load's line has come through the path; true: the port was wanted. */
static bool path_demand(struct sm *s, uint64_t cycle) {
    bool prefetch;
    uint32_t load;
    uint64_t address;
    if (!prefetch_unit_at_cache(s->prefetch, &prefetch, &load, &address) ||
        prefetch)
        return false;
    if (!load_line(s, load, address, cycle))
        return true;
    prefetch_unit_take(s->prefetch);
    s->loads[load].waiting--;
    line_came(s, load, 0);
    return true;
}

/* A prefetch at the path's end goes to the cache at once or not at all: it must
 * not hold the demands behind it. */
static void path_prefetch(struct sm *s, uint64_t cycle) {
    bool prefetch;
    uint32_t load;
    uint64_t address;
    if (!prefetch_unit_at_cache(s->prefetch, &prefetch, &load, &address) ||
        !prefetch)
        return;
    prefetch_unit_take(s->prefetch);
    if (prefetch_line(s, address, TO_PREFETCH, cycle) != CACHE_MISS)
        prefetch_unit_over(s->prefetch, address);
}

/* ------------------------------------------------------------------- cycle */

void lsu_cycle(struct sm *s, uint64_t cycle) {
    bool in_path = prefetch_unit_in_path(s->prefetch);
    bool wanted = in_path && path_demand(s, cycle);
    wanted |= lsu_step(s, cycle, !wanted);
    if (!wanted && in_path)
        path_prefetch(s, cycle);
    else if (!wanted)
        prefetch_step(s, cycle);
    prefetch_unit_step(s->prefetch);
}

void sm_answer(struct sm *s, uint64_t cycle, uint64_t token) {
    uint32_t flags = token >> 46 & 3;
    uint64_t number = token & ((UINT64_C(1) << 46) - 1);
    uint64_t at = cycle + SM_LATENCY_FILL;
    if (flags == TO_NOBODY)
        return;
    if (flags == TO_ATOMIC) {
        s->loads[number].waiting--;
        line_came(s, (uint32_t)number, at);
        return;
    }
    if (flags == TO_PREFETCH)
        prefetch_unit_over(s->prefetch, number * CACHE_LINE);
    uint32_t n = cache_fill(s->cache, cycle, number * CACHE_LINE, s->tokens);
    for (uint32_t i = 0; i < n; i++) {
        s->loads[s->tokens[i]].waiting--;
        line_came(s, (uint32_t)s->tokens[i], at);
    }
}

/* core_lsu.c - a core's load-store unit and the port of its L1.
 *
 * Memory instructions wait in order; the oldest offers a line a cycle.  A load
 * is done when its last line is there: those that hit after the cache's
 * latency, the others when memory has answered.  On its way through what stands
 * in the path a line counts as one that has to come.
 */
#include "core_state.h"

/* -------------------------------------------------------------- instructions
 */

static uint32_t take_load(struct core *c, uint32_t slot,
                          const struct stream_insn *insn) {
    uint32_t i = 0;
    while (c->loads[i].insn)
        i++;
    c->loads[i] = (struct core_load){.insn = insn, .slot = slot};
    c->n_loads++;
    c->slots[slot].loads++;
    return i;
}

void lsu_take(struct core *c, uint32_t slot, const struct stream_insn *insn) {
    struct core_slot *t = &c->slots[slot];
    struct core_lsu_entry *e =
        &c->lsu[(c->lsu_head + c->lsu_n++) % CORE_LSU_DEPTH];
    *e = (struct core_lsu_entry){.insn = insn,
                                 .slot = slot,
                                 .op = t->next,
                                 .line = t->code->ops[t->next].lines,
                                 .load = CORE_MAX_LOADS};
    t->in_lsu++;
    if (insn->access == STREAM_STORE)
        return;
    e->load = take_load(c, slot, insn);
    core_set_results(t, insn, CORE_NEVER);
}

void lsu_disown(struct core *c, uint32_t slot) {
    for (uint32_t i = 0; i < CORE_MAX_LOADS && c->slots[slot].loads; i++)
        if (c->loads[i].insn && c->loads[i].slot == slot) {
            c->loads[i].slot = CORE_MAX_SLOTS;
            c->slots[slot].loads--;
        }
}

static void finish_load(struct core *c, struct core_load *l) {
    if (l->slot < CORE_MAX_SLOTS) {
        core_set_results(&c->slots[l->slot], l->insn, l->latest);
        core_rouse(c, l->slot);
        c->slots[l->slot].loads--;
    }
    l->insn = NULL;
    c->n_loads--;
    core_stir(c);
}

static void line_came(struct core *c, uint64_t load, uint64_t cycle) {
    struct core_load *l = &c->loads[load];
    if (cycle > l->latest)
        l->latest = cycle;
    if (l->offered && l->waiting == 0)
        finish_load(c, l);
}

static void answered(struct core *c, uint64_t load, uint64_t cycle) {
    c->loads[load].waiting--;
    line_came(c, load, cycle);
}

/* ------------------------------------------------------------------ the L1 */

bool core_holds(const struct core *c, uint64_t address) {
    return cache_has(c->cache, address) || cache_in_flight(c->cache, address);
}

/* A line of a load has the port of the L1; false: not now. */
static bool load_line(struct core *c, uint32_t load, uint64_t address,
                      uint64_t cycle) {
    struct core_load *l = &c->loads[load];
    if (c->stuck || !c->hooks.ready(c->hooks.ctx, STREAM_LOAD, address))
        return false;
    enum cache_result r =
        cache_access(c->cache, cycle, address, CACHE_LOAD, load);
    c->stuck = r == CACHE_BLOCKED;
    if (c->stuck)
        return false;
    if (r == CACHE_MISS)
        c->hooks.send(c->hooks.ctx, STREAM_LOAD, address, 0xf,
                      address / CACHE_LINE);
    if (r != CACHE_HIT)
        l->waiting++;
    else if (cycle + c->config.latency.hit > l->latest)
        l->latest = cycle + c->config.latency.hit;
    return true;
}

static bool write_line(struct core *c, const struct core_lsu_entry *e,
                       const struct cta_line *line, uint64_t cycle) {
    enum stream_access what = e->insn->access;
    bool atomic = what == STREAM_ATOMIC;
    if (!c->hooks.ready(c->hooks.ctx, what, line->address))
        return false;
    cache_access(c->cache, cycle, line->address,
                 atomic ? CACHE_ATOMIC : CACHE_STORE, 0);
    if (atomic)
        c->loads[e->load].waiting++;
    else
        c->slots[e->slot].stores++;
    c->hooks.send(c->hooks.ctx, what, line->address, line->sectors,
                  atomic ? e->load : e->slot);
    return true;
}

bool core_load(struct core *c, uint64_t cycle, uint32_t load,
               uint64_t address) {
    if (!load_line(c, load, address, cycle))
        return false;
    answered(c, load, 0);
    return true;
}

/* ------------------------------------------------------------------- cycle */

static bool offer_load(struct core *c, const struct core_lsu_entry *e,
                       uint64_t address, uint64_t cycle) {
    if (c->hooks.offer) {
        bool taken = c->hooks.offer(c->hooks.ctx, e->load, address);
        c->loads[e->load].waiting += taken;
        return taken;
    }
    if (!load_line(c, e->load, address, cycle))
        return false;
    if (c->hooks.watch)
        c->hooks.watch(c->hooks.ctx, e->slot, e->insn, address,
                       e->line == c->slots[e->slot].code->ops[e->op].lines);
    return true;
}

/* All lines of the oldest instruction have gone. */
static void pop(struct core *c) {
    struct core_lsu_entry e = c->lsu[c->lsu_head];
    c->lsu_head = (c->lsu_head + 1) % CORE_LSU_DEPTH;
    c->lsu_n--;
    c->slots[e.slot].in_lsu--;
    if (e.load < CORE_MAX_LOADS) {
        c->loads[e.load].offered = true;
        line_came(c, e.load, 0);
    }
}

/* True: it wants the L1's port, which it may have. */
static bool oldest(struct core *c, uint64_t cycle, bool port) {
    if (c->lsu_n == 0)
        return false;
    struct core_lsu_entry *e = &c->lsu[c->lsu_head];
    const struct cta_warp *code = c->slots[e->slot].code;
    const struct cta_line *line = &code->lines[e->line];
    bool is_load = e->insn->access == STREAM_LOAD;
    bool done = is_load ? offer_load(c, e, line->address, cycle)
                        : port && write_line(c, e, line, cycle);
    if (done && ++e->line == code->ops[e->op + 1].lines)
        pop(c);
    return !is_load || !c->hooks.offer;
}

void lsu_step(struct core *c, uint64_t cycle) {
    bool wanted = c->hooks.deliver && c->hooks.deliver(c->hooks.ctx);
    wanted |= oldest(c, cycle, !wanted);
    if (!wanted && c->hooks.spare)
        c->hooks.spare(c->hooks.ctx);
}

/* ----------------------------------------------------------------- answers */

void core_line(struct core *c, uint64_t cycle, uint64_t number) {
    uint32_t n = cache_fill(c->cache, cycle, number * CACHE_LINE, c->tokens);
    c->stuck = false;
    c->wakes = 0;
    for (uint32_t i = 0; i < n; i++)
        answered(c, c->tokens[i], cycle + CORE_LATENCY_FILL);
}

void core_atomic(struct core *c, uint64_t cycle, uint64_t number) {
    answered(c, number, cycle + CORE_LATENCY_FILL);
}

void core_stored(struct core *c, uint32_t slot) {
    c->slots[slot].stores--;
    c->wakes = 0; /* the last one lets its group leave */
}

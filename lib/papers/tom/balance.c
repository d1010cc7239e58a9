/* balance.c - what offloading a region changes on either channel
 * (TOM, equations 3 and 4), from how many iterations on it pays (3.1.3), and
 * the candidate that comes of it.
 */
#include "parts.h"

#include <stdlib.h>

static int64_t channel(int64_t registers, struct ptx_traffic t, int64_t reg,
                       int64_t load, int64_t store) {
    int64_t saved = ptx_add_clamped(ptx_mul_clamped(t.loads, load),
                                    ptx_mul_clamped(t.stores, store));
    return ptx_add_clamped(registers * reg, -saved);
}

static int64_t tx(const struct ptx_scan *s, struct ptx_traffic t) {
    return channel(s->words_in, t, s->w.reg, s->w.load_tx, s->w.store_tx);
}

static int64_t rx(const struct ptx_scan *s, struct ptx_traffic t) {
    return channel(s->words_out, t, s->w.reg, s->w.load_rx, s->w.store_rx);
}

static int64_t total(const struct ptx_scan *s, struct ptx_traffic t) {
    return ptx_add_clamped(tx(s, t), rx(s, t));
}

static struct ptx_traffic at_count(const struct ptx_scan *s,
                                   const struct ptx_deciding *d,
                                   int64_t count) {
    struct ptx_traffic t = s->traffic;
    ptx_traffic_add(&t, ptx_traffic_times(d->each, count - 1));
    return t;
}

/* Whether nothing in [begin, until) writes the register. */
static bool stays(const struct ptx_scan *s, int reg, int until) {
    const struct ptx_defs *defs = &s->a->defs;
    for (int i = defs->at[reg]; i < defs->at[reg + 1]; i++)
        if (defs->pcs[i] >= s->begin && defs->pcs[i] < until)
            return false;
    return true;
}

/* Whether the registers that decide stand at the begin as they do at the
 * loop. */
static bool stands(const struct ptx_scan *s, const struct ptx_deciding *d) {
    const struct ptx_trip *trip = &s->a->loops.loops[d->loop].trip;
    if (!trip->start_known &&
        (d->repeated || !stays(s, trip->counter, s->nest.loops[d->loop].lo)))
        return false;
    return (trip->bound_known || stays(s, trip->bound_reg, s->end)) &&
           (trip->step_reg < 0 || stays(s, trip->step_reg, s->end));
}

/* Whether whoever enters the region comes from the instruction before it. */
static bool entered_from_before(const struct ptx_scan *s) {
    const struct ptx_cfg *cfg = &s->a->cfg;
    const struct ptx_block *b = &cfg->blocks[cfg->block_of[s->begin]];
    if (b->begin < s->begin)
        return true;
    for (int i = 0; i < b->n_pred; i++) {
        const struct ptx_block *from = &cfg->blocks[b->pred[i]];
        bool inside = from->begin >= s->begin && from->begin < s->end;
        if (!inside && from->end != s->begin)
            return false;
    }
    return s->begin > 0;
}

/* The least count that a condition on a value of several registers can be
 * for: a value that is made in front of the region, or one that can be. */
static int64_t several_count(const struct ptx_scan *s,
                             const struct ptx_deciding *d, int64_t count,
                             struct ptx_condition *condition) {
    const struct ptx_trip *trip = &s->a->loops.loops[d->loop].trip;
    struct ptx_sum sum;
    int reg;
    if (!ptx_trip_sum(trip, count, condition))
        return -1;
    if (condition->reg >= 0) /* one register says it */
        return count;
    if (ptx_made_before(s->a, s->begin, &reg, &sum) && entered_from_before(s)) {
        int64_t found = ptx_trip_of_sum(trip, &sum, count);
        if (found > 0 && ptx_trip_sum(trip, found, condition)) {
            condition->reg = reg;
            return found;
        }
    }
    return s->to_place && ptx_place_way(s->a, s->begin, s->end) ? count : -1;
}

/* The smallest count of the loop with which the region pays; 0: it always
 * does, -1: it never does, or no condition can say so. */
static int64_t paying_count(const struct ptx_scan *s,
                            const struct ptx_deciding *d,
                            struct ptx_condition *condition) {
    const struct ptx_nest_loop *n = &s->nest.loops[d->loop];
    const struct ptx_trip *trip = &s->a->loops.loops[d->loop].trip;
    int64_t once = total(s, s->traffic), count = 1;
    int64_t each = d->each.loads * (s->w.load_tx + s->w.load_rx) +
                   d->each.stores * (s->w.store_tx + s->w.store_rx);
    if (once < 0 && (!trip->tests_first || once + each < 0))
        return 0;
    if (each <= 0 || !stands(s, d))
        return -1;
    if (once >= 0)
        count = once / each + 2;
    if (n->reg < 0)
        return several_count(s, d, count, condition);
    return ptx_trip_condition(trip, n->reg, count, condition) ? count : -1;
}

/* The deciding loop that asks for the fewest iterations. */
static int64_t find_condition(const struct ptx_scan *s, int *which,
                              struct ptx_condition *condition) {
    int64_t best = -1;
    for (int i = 0; i < s->n_deciding; i++) {
        struct ptx_condition c;
        int64_t count = paying_count(s, &s->deciding[i], &c);
        if (count > 0 && (best < 0 || count < best)) {
            best = count;
            *which = i;
            *condition = c;
        }
    }
    return best;
}

bool ptx_scan_pays(const struct ptx_scan *s) {
    struct ptx_condition condition;
    int which;
    return total(s, s->traffic) < 0 ||
           (s->n_deciding > 0 && find_condition(s, &which, &condition) > 0);
}

int64_t ptx_scan_change(const struct ptx_scan *s) {
    if (s->n_deciding == 0)
        return tx(s, s->traffic) + rx(s, s->traffic);
    struct ptx_balance b = ptx_scan_balance(s);
    return b.tx + b.rx;
}

struct ptx_balance ptx_scan_balance(const struct ptx_scan *s) {
    struct ptx_balance b = {.loop = s->top, .count = 1};
    struct ptx_traffic t = s->traffic, once = t;
    int which = 0;
    b.pays = total(s, t) < 0;
    b.condition = (struct ptx_condition){PTX_ALWAYS, {-1, -1, -1, 0}, 0, 0, 0};
    int64_t count = find_condition(s, &which, &b.condition);
    if (count > 0) {
        t = at_count(s, &s->deciding[which], count);
        b.loop = s->deciding[which].loop;
        b.count = count;
        b.pays = true;
    }
    if (b.condition.reg < 0 && b.loop >= 0 &&
        s->a->loops.loops[b.loop].trip.kind == PTX_TRIP_STATIC) {
        b.count = s->a->loops.loops[b.loop].trip.count;
        ptx_traffic_add(
            &once, ptx_traffic_times(s->nest.loops[b.loop].once, 1 - b.count));
    }
    b.loads = t.loads;
    b.stores = t.stores;
    b.tx = tx(s, t);
    b.rx = rx(s, t);
    b.once_tx = tx(s, once);
    b.once_rx = rx(s, once);
    return b;
}

struct ptx_polynomial ptx_scan_saving(const struct ptx_scan *s) {
    struct ptx_polynomial p = s->poly;
    p.c[0] = ptx_add_clamped(p.c[0], -(s->words_in + s->words_out) * s->w.reg);
    return ptx_nest_out(&s->a->loops, s->around, p);
}

/* ----------------------------------------------------------------- result */

static int ascending(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Registers touched (written) in the region that are live at position. */
static const int *list(const struct ptx_scan *s, struct arena *arena,
                       bool written, int position, int *n) {
    int *stamps = xcalloc((size_t)s->a->function->n_registers + 1, sizeof(int));
    int *out = NULL;
    for (int pass = 1; pass <= 2; pass++) {
        *n = 0;
        for (int pc = s->begin; pc < s->end; pc++) {
            const struct ptx_instruction *in =
                &s->a->function->instructions[pc];
            for (int i = written ? in->n_uses : 0; i < in->n_uses + in->n_defs;
                 i++) {
                int r = i < in->n_uses ? in->uses[i] : in->defs[i - in->n_uses];
                if (stamps[r] == pass || !ptx_live_at(&s->a->live, r, position))
                    continue;
                stamps[r] = pass;
                if (out)
                    out[*n] = r;
                ++*n;
            }
        }
        if (!out)
            out = arena_array(arena, (size_t)*n + 1, sizeof *out);
    }
    free(stamps);
    qsort(out, (size_t)*n, sizeof *out, ascending);
    return out;
}

static int first_memory(const struct ptx_scan *s) {
    int pc = s->begin;
    while (pc < s->end && !ptx_load_words(&s->a->function->instructions[pc]) &&
           !ptx_store_words(&s->a->function->instructions[pc]))
        pc++;
    return pc;
}

struct ptx_candidate ptx_scan_candidate(const struct ptx_scan *s,
                                        struct arena *arena) {
    struct ptx_balance b = ptx_scan_balance(s);
    struct ptx_candidate c = {.begin_pc = s->begin,
                              .end_pc = s->end,
                              .words_in = s->words_in,
                              .words_out = s->words_out,
                              .loads = b.loads,
                              .stores = b.stores,
                              .bw_tx = b.tx,
                              .bw_rx = b.rx,
                              .once_tx = b.once_tx,
                              .once_rx = b.once_rx,
                              .saving = -(b.tx + b.rx),
                              .loop = b.loop,
                              .trip_count = b.count,
                              .condition = b.condition};
    c.in = list(s, arena, false, 2 * s->begin, &c.n_in);
    c.out = list(s, arena, true, 2 * s->end, &c.n_out);
    c.tag = (b.tx < 0 ? PTX_TAG_TX : 0) | (b.rx < 0 ? PTX_TAG_RX : 0);
    if (b.loop >= 0)
        c.trip_kind = s->a->loops.loops[b.loop].trip.kind;
    c.first_memory_pc = first_memory(s);
    c.starts_with_memory = c.first_memory_pc == s->begin;
    return c;
}

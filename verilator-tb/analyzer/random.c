/* random.c - constrained random instances and tables.
 *
 * A phase has a tune: how dense events are, how long instances, how regular
 * their addresses.  Now and then software starts learning again, with another
 * number of instances, the driver loads another table, or the unit is reset in
 * the middle of everything.  At times nothing of that happens until as many
 * instances have ended as fill all bits of a score, or twelve of them.
 */
#include "env.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct ana_tune tunes[] = {
    {"calm", 20, 6, 30, 2, 30, 40, 5, 20, 0, 10},
    {"dense", 100, 8, 20, 1, 20, 50, 10, 10, 0, 10},
    {"one warp", 100, 20, 100, 1, 20, 60, 10, 10, 1, 20},
    {"long", 100, 60, 90, 0, 30, 80, 10, 10, 0, 5},
    {"short", 100, 1, 20, 0, 20, 50, 20, 10, 0, 30},
    {"edges", 80, 6, 40, 5, 100, 0, 30, 20, 0, 10},
    {"wild", 90, 4, 30, 60, 40, 30, 30, 30, 4, 40},
    {"silent", 3, 3, 10, 10, 50, 50, 50, 50, 0, 20},
};

enum { N_TUNES = sizeof tunes / sizeof tunes[0] };

enum stage { LEARNING, STOPPING, LOADING };
enum { WHOLE_BITS = 12, WHOLE_CYCLES = 80000 };

struct instance {
    bool open;
    int left; /* accesses */
    uint64_t last, stride;
};

struct phases {
    enum stage stage;
    int left;        /* cycles of this phase */
    bool rash;       /* events before the unit is ready */
    bool idle;       /* events while learning is off */
    bool whole;      /* learning goes on until it has ended */
    int reset_every; /* otherwise */
    struct instance instance[ANA_WARPS];
    int warp; /* of the last event */
    uint64_t count, tables;
};

/* --- tables --------------------------------------------------------------- */

static uint64_t random_address(struct ana_stim *s) {
    return rng_next(&s->base.rng) & ones(s->env.size.ADDR_W);
}

/* All places, all that software may load, one, or any number. */
static int random_size(struct ana_stim *s) {
    int most = s->env.size.SLOTS - 1;
    switch (rng_below(&s->base.rng, 6)) {
    case 0:
        return s->env.size.RANGES;
    case 1:
        return most;
    case 2:
        return 1;
    case 3:
        return 0;
    default:
        return rng_range(&s->base.rng, 0, most);
    }
}

/* --- events --------------------------------------------------------------- */

static uint64_t next_address(struct ana_stim *s, struct instance *i) {
    if (rng_percent(&s->base.rng, s->tune.edges))
        i->last = ana_edge_address(&s->env);
    else if (rng_percent(&s->base.rng, s->tune.stride))
        i->last += i->stride;
    else
        i->last = random_address(s);
    i->last &= ones(s->env.size.ADDR_W);
    return i->last;
}

static void begin(struct ana_stim *s, struct instance *i) {
    i->open = true;
    i->left = (int)rng_below(&s->base.rng, (uint32_t)s->tune.accesses + 1);
    i->last = ana_edge_address(&s->env);
    i->stride = (uint64_t)rng_range(&s->base.rng, 0, 3)
                << rng_range(&s->base.rng, 4,
                             s->env.size.FIRST_BIT + s->env.size.MAPS + 2);
}

static bool next(struct ana_stim *s, struct ana_event *e) {
    struct phases *p = s->base.script;
    int warps = s->tune.warps && s->tune.warps < s->env.size.WARPS
                    ? s->tune.warps
                    : s->env.size.WARPS;
    if ((!s->env.ready && !p->rash) || (p->stage != LEARNING && !p->idle))
        return false;
    if (!rng_percent(&s->base.rng, s->tune.stay) || p->warp >= warps)
        p->warp = (int)rng_below(&s->base.rng, (uint32_t)warps);
    struct instance *i = &p->instance[p->warp];
    e->warp = p->warp;
    e->address = random_address(s);
    e->op = !i->open ? OP_BEGIN : i->left > 0 ? OP_ACCESS : OP_END;
    if (rng_percent(&s->base.rng, s->tune.wild))
        e->op = rng_below(&s->base.rng, 4);
    if (e->op == OP_BEGIN)
        begin(s, i);
    if (e->op == OP_ACCESS) {
        e->address = next_address(s, i);
        i->left--;
    }
    if (e->op == OP_END)
        i->open = false;
    return true;
}

/* --- phases --------------------------------------------------------------- */

static void stop(struct ana_stim *s, struct phases *p) {
    master_set(&s->base.master, ANALYZER_SET_enable, 0);
    /* no matter meanwhile; reads show whether all bits are kept */
    if (rng_percent(&s->base.rng, 50))
        master_set(
            &s->base.master, ANALYZER_SET_learn_instances,
            (uint32_t)(rng_next(&s->base.rng) & ones(s->env.size.LEARN_W)));
    p->stage = STOPPING;
    p->idle = rng_percent(&s->base.rng, 50);
    p->left = p->idle ? rng_range(&s->base.rng, 0, 30) : 0;
}

/* The number of instances; they end as fast as the unit takes events. */
static uint32_t start_whole(struct ana_stim *s, struct phases *p) {
    int bits =
        s->env.size.LEARN_W < WHOLE_BITS ? s->env.size.LEARN_W : WHOLE_BITS;
    uint32_t most = (uint32_t)ones(bits);
    s->tune = tunes[1];
    s->tune.accesses = rng_range(&s->base.rng, 1, 12);
    s->tune.wild = 0;
    p->left = WHOLE_CYCLES;
    return rng_percent(&s->base.rng, 50) ? most
                                         : 1 + rng_below(&s->base.rng, most);
}

static void start(struct ana_stim *s, struct phases *p) {
    uint32_t most = s->env.size.LEARN_W > 8 ? 200 : 12, n;
    n = rng_percent(&s->base.rng, 50) ? rng_below(&s->base.rng, 5)
                                      : rng_below(&s->base.rng, most);
    p->whole = rng_percent(&s->base.rng, 4);
    if (p->whole)
        n = start_whole(s, p);
    master_set(&s->base.master, ANALYZER_SET_learn_instances, n);
    master_set(&s->base.master, ANALYZER_SET_enable, 1);
    p->stage = LEARNING;
    s->restarts++;
}

/* Learning is off: let the pipes run dry, load a table, learn again. */
static void off_step(struct ana_stim *s, struct phases *p) {
    if (p->stage == LOADING) {
        if (!ana_loading(&s->env))
            start(s, p);
        return;
    }
    if (p->left-- > 0)
        return;
    p->idle = false;
    if (!ana_settled(&s->env) || s->offering)
        return;
    p->stage = LOADING;
    if (s->env.n_ranges > 0 && rng_percent(&s->base.rng, 40))
        return;
    int n = random_size(s);
    ana_random_table(&s->env, n);
    if (n > 0 || s->env.n_ranges > 0)
        ana_load(&s->env, n);
    p->tables++;
}

static void next_phase(struct ana_stim *s, struct phases *p) {
    s->tune = tunes[rng_below(&s->base.rng, N_TUNES)];
    if (rng_percent(&s->base.rng, 30)) {
        s->tune.event = rng_range(&s->base.rng, 5, 100);
        s->tune.stay = rng_range(&s->base.rng, 0, 100);
        s->tune.edges = rng_range(&s->base.rng, 0, 100);
        s->tune.accesses = rng_range(&s->base.rng, 0, 30);
    }
    p->left = rng_range(&s->base.rng, 100, 2500);
    p->count++;
    p->rash = false;
    if (rng_percent(&s->base.rng, 10))
        master_clear(&s->base.master);
    if (rng_percent(&s->base.rng, 60))
        stop(s, p);
}

static void step(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    struct phases *p = base->script;
    if (base->rst_left > 0)
        return;
    base->reset_every = p->whole ? 0 : p->reset_every;
    if (p->stage != LEARNING)
        off_step(s, p);
    else if (p->whole && !s->env.done && p->left-- > 0)
        return;
    else if (p->whole) {
        p->whole = false;
        p->left = rng_range(&s->base.rng, 50, 500);
    } else if ((int)rng_below(&s->base.rng, 10000) < s->tune.restart)
        stop(s, p);
    else if (p->left-- <= 0)
        next_phase(s, p);
}

static void reset(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    struct phases *p = base->script;
    memset(p->instance, 0, sizeof p->instance);
    p->stage = STOPPING;
    p->left = 0;
    p->whole = false;
    p->rash = p->idle = rng_percent(&s->base.rng, 60);
    if (p->rash)
        p->left = rng_range(&s->base.rng, 1, 2 * s->env.size.SLOTS);
}

static void report(struct stim *base, struct text *t) {
    const struct ana_stim *s = (const struct ana_stim *)base;
    const struct phases *p = base->script;
    text_printf(t, "phases\t%" PRIu64 "\n", p->count);
    text_printf(t, "tables_loaded\t%" PRIu64 "\n", p->tables);
    text_printf(t, "restarts\t%" PRIu64 "\n", s->restarts);
}

static void close(struct stim *base) {
    free(base->script);
}

static bool open(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    base->script = xcalloc(1, sizeof(struct phases));
    ((struct phases *)base->script)->reset_every = base->reset_every;
    s->tune = tunes[0];
    return true;
}

const struct ana_mode ana_random = {
    .base = {.name = "random",
             .resets = true,
             .open = open,
             .close = close,
             .step = step,
             .reset = reset,
             .report = report},
    .next = next,
};

/* random.c - constrained random requests in phases.
 *
 * A phase has a tune: how busy the warps are, how slow every port, which
 * entries, keys, masks and fates are drawn.  Between two phases the warps drain
 * at times, and the driver loads other entries; now and then the unit is reset
 * in the middle of everything, and asked before it is ready.
 */
#include "env.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

#define ALWAYS                                                                 \
    { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }
#define NEVER_LOW                                                              \
    { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }
#define SHORT                                                                  \
    { 8, 8, 8, 8, 8, 8, 8, 8, 8, 8 }

const struct off_tune off_light = {.name = "light",
                                   .ask = 100,
                                   .high = ALWAYS,
                                   .low = NEVER_LOW,
                                   .work = 20,
                                   .lines = 4};

static const struct off_tune tunes[] = {
    {.name = "calm",
     .ask = 15,
     .high = ALWAYS,
     .low = NEVER_LOW,
     .run = 10,
     .work = 40,
     .lines = 3,
     .stray = 2,
     .wishbone = 30,
     .settings = 5,
     .full = 10,
     .unknown = 5,
     .partial = 30,
     .learned = 50,
     .none = 20,
     .valid = 95,
     .cond = 40,
     .mem_first = 70,
     .saver = 50,
     .regs = 6},
    {.name = "streaks", /* nothing in the way */
     .ask = 100,
     .high = ALWAYS,
     .low = NEVER_LOW,
     .run = 3,
     .work = 10,
     .lines = 2,
     .wishbone = 10,
     .settings = 2,
     .full = 5,
     .unknown = 20,
     .partial = 20,
     .learned = 30,
     .none = 20,
     .valid = 70,
     .cond = 50,
     .mem_first = 90,
     .saver = 40,
     .regs = 2},
    {.name = "empty packets", /* stacks turn over quickly */
     .ask = 100,
     .high = ALWAYS,
     .low = NEVER_LOW,
     .work = 2,
     .lines = 1,
     .wishbone = 5,
     .partial = 20,
     .learned = 50,
     .valid = 100,
     .mem_first = 98,
     .saver = 100,
     .regs = 0},
    {.name = "storm",
     .ask = 60,
     .high = SHORT,
     .low = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
     .value_latency = 4,
     .row_latency = 4,
     .run = 30,
     .work = 100,
     .lines = 6,
     .stray = 10,
     .wishbone = 40,
     .settings = 20,
     .full = 20,
     .unknown = 5,
     .partial = 50,
     .learned = 50,
     .none = 25,
     .valid = 90,
     .cond = 40,
     .mem_first = 60,
     .saver = 40,
     .regs = 5},
    {.name = "walls",
     .ask = 80,
     .high = {30, 30, 5, 2, 20, 40, 40, 20, 20, 20},
     .low = {200, 60, 60, 60, 20, 30, 40, 60, 60, 60},
     .value_latency = 30,
     .row_latency = 12,
     .run = 60,
     .work = 200,
     .lines = 5,
     .stray = 5,
     .wishbone = 20,
     .settings = 5,
     .full = 10,
     .unknown = 5,
     .partial = 30,
     .learned = 50,
     .none = 20,
     .valid = 95,
     .cond = 40,
     .mem_first = 70,
     .saver = 50,
     .regs = 5},
    {.name = "probes",
     .ask = 40,
     .high = SHORT,
     .low = {0, 0, 3, 3, 2, 2, 0, 0, 0, 0},
     .row_latency = 2,
     .run = 20,
     .work = 30,
     .lines = 2,
     .stray = 5,
     .wishbone = 10,
     .settings = 5,
     .full = 15,
     .warps = 6,
     .partial = 30,
     .learned = 50,
     .none = 30,
     .valid = 100,
     .cond = 20,
     .mem_first = 15,
     .saver = 20,
     .regs = 6},
    {.name = "conditions",
     .ask = 70,
     .high = SHORT,
     .low = {0, 3, 0, 0, 0, 0, 0, 0, 0, 0},
     .value_latency = 2,
     .run = 5,
     .work = 30,
     .lines = 2,
     .wishbone = 10,
     .settings = 5,
     .partial = 70,
     .learned = 50,
     .none = 20,
     .valid = 100,
     .cond = 100,
     .mem_first = 85,
     .saver = 50,
     .regs = 3},
    {.name = "busy links",
     .ask = 40,
     .high = SHORT,
     .low = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
     .run = 8,
     .work = 60,
     .lines = 3,
     .wishbone = 10,
     .settings = 30,
     .full = 20,
     .learned = 50,
     .none = 5,
     .valid = 100,
     .cond = 10,
     .mem_first = 70,
     .saver = 50,
     .regs = 3},
    {.name = "large packets",
     .ask = 20,
     .high = SHORT,
     .low = {0, 0, 0, 0, 3, 3, 3, 3, 3, 3},
     .row_latency = 1,
     .run = 10,
     .work = 60,
     .lines = 40,
     .stray = 3,
     .wishbone = 10,
     .settings = 3,
     .learned = 50,
     .none = 10,
     .valid = 100,
     .cond = 20,
     .mem_first = 70,
     .saver = 80,
     .regs = 64},
};

enum { N_TUNES = sizeof tunes / sizeof tunes[0] };

enum stage { RUNNING, DRAINING, LOADING };

struct phases {
    enum stage stage;
    int left;  /* cycles of this phase */
    int next;  /* entry to load */
    bool rash; /* asks before the unit is ready */
    uint64_t count, loads;
};

/* --- entries -------------------------------------------------------------- */

static struct off_set random_set(struct off_stim *s, int most) {
    struct off_set set = {{0}};
    int kind = (int)rng_below(&s->base.rng, 20), regs = s->size.REGS;
    int n =
        (int)rng_below(&s->base.rng, (uint32_t)(most < regs ? most : regs) + 1);
    if (kind < 3)
        return set;
    if (kind == 3 && most >= 5) { /* all that can be saved, and one more */
        n = s->size.SAVE_ROWS + (int)rng_below(&s->base.rng, 2);
        n = n < regs ? n : regs;
    }
    if ((kind == 4 || kind == 5) && most >= regs / 2)
        n = regs;
    while (off_count(&set) < n)
        off_add(&set, n == regs ? off_count(&set)
                                : (int)rng_below(&s->base.rng, (uint32_t)regs));
    return set;
}

static uint32_t corner(struct off_stim *s, uint32_t near) {
    static const uint32_t corners[] = {0,          1,          0xffffffffu,
                                       0x7fffffff, 0x80000000, 0x80000001};
    switch (rng_below(&s->base.rng, 4)) {
    case 0:
        return corners[rng_below(&s->base.rng, 6)];
    case 1:
        return (uint32_t)rng_next(&s->base.rng);
    default:
        return near + rng_below(&s->base.rng, 3) - 1;
    }
}

/* Few begin pcs, so that entries share them at times. */
void off_random_entry(struct off_stim *s, struct off_entry *e) {
    const struct off_tune *t = &s->tune;
    uint64_t r = rng_next(&s->base.rng);
    *e =
        (struct off_entry){.valid = rng_percent(&s->base.rng, t->valid),
                           .tag_tx = rng_percent(&s->base.rng, t->saver),
                           .tag_rx = rng_percent(&s->base.rng, t->saver),
                           .mem_first = rng_percent(&s->base.rng, t->mem_first),
                           .cond = rng_percent(&s->base.rng, t->cond)};
    e->cond_reg = (int)rng_below(&s->base.rng, (uint32_t)s->size.REGS);
    e->compare = (int)rng_below(&s->base.rng, 20);
    e->compare = e->compare < 18 ? e->compare % 6 : e->compare - 12;
    e->is_signed = r & 1;
    e->threshold = corner(s, (uint32_t)(r >> 1 & 31));
    e->begin_pc = (uint32_t)((r >> 8 & 63) * 3 & ones(s->size.PC_W));
    if (r >> 16 & 1)
        e->begin_pc |= (uint32_t)(r >> 32 & ones(s->size.PC_W));
    e->end_pc = (uint32_t)(rng_next(&s->base.rng) & ones(s->size.PC_W));
    e->live_in = random_set(s, t->regs);
    e->live_out = random_set(s, t->regs);
}

/* --- requests ------------------------------------------------------------- */

static uint64_t random_address(struct off_stim *s) {
    uint64_t a = rng_next(&s->base.rng) & ones(s->size.ADDR_W);
    return rng_percent(&s->base.rng, 30) ? a & 0xffff : a;
}

void off_fate(struct off_stim *s, struct off_ask *a) {
    const struct off_tune *t = &s->tune;
    a->none = rng_percent(&s->base.rng, t->none);
    a->first = random_address(s);
    a->first_learned = rng_percent(&s->base.rng, t->learned);
    a->run = (int)rng_below(&s->base.rng, (uint32_t)t->run + 1);
    a->work = (int)rng_below(&s->base.rng, (uint32_t)t->work + 1);
    a->lines = rng_percent(&s->base.rng, 30)
                   ? 0
                   : (int)rng_below(&s->base.rng, (uint32_t)t->lines + 1);
    a->all_lanes = rng_percent(&s->base.rng, 70);
    if (t->lines > 20 && rng_percent(&s->base.rng, 1))
        a->lines = 255;
}

static uint32_t random_mask(struct off_stim *s) {
    uint32_t all = off_lane_mask(s), r = (uint32_t)rng_next(&s->base.rng);
    if (!rng_percent(&s->base.rng, s->tune.partial))
        return all;
    switch (r % 16) {
    case 0:
        return 0;
    case 1:
    case 2:
    case 3:
        return 1u << (r >> 8) % (unsigned)s->size.LANES;
    default:
        return all & (r >> 4 ^ r << 13);
    }
}

static bool choose_warp(struct off_stim *s, int *warp) {
    int all = s->size.WARPS;
    if (s->tune.warps && s->tune.warps < all)
        all = s->tune.warps;
    int n = (int)rng_below(&s->base.rng, (uint32_t)all);
    for (int tries = 0; tries < all; tries++, n = n + 1 < all ? n + 1 : 0)
        if (off_can_ask(s, n)) {
            *warp = n;
            return true;
        }
    return false;
}

static uint32_t random_key(struct off_stim *s) {
    uint32_t n = rng_below(&s->base.rng, (uint32_t)s->size.ENTRIES);
    if (!s->size.BY_PC)
        return n;
    return rng_percent(&s->base.rng, s->tune.unknown)
               ? (uint32_t)(rng_next(&s->base.rng) & ones(s->size.PC_W))
               : s->entry[n].begin_pc;
}

static bool next(struct off_stim *s, struct off_ask *a) {
    struct phases *p = s->base.script;
    int index;
    if (p->stage != RUNNING || (!s->ready && !p->rash) ||
        !choose_warp(s, &a->warp))
        return false;
    a->key = random_key(s);
    a->mask = random_mask(s);
    a->address = random_address(s);
    a->learned = rng_percent(&s->base.rng, s->tune.learned);
    const struct off_entry *e = off_lookup(s, a->key, &index);
    a->has_value = e && rng_percent(&s->base.rng, 80);
    a->value = e ? corner(s, e->threshold) : 0;
    off_fate(s, a);
    return true;
}

/* --- phases --------------------------------------------------------------- */

/* A tune of no name, to meet what the named ones leave out. */
static void mix_tune(struct off_stim *s) {
    struct off_tune *t = &s->tune;
    *t = tunes[rng_below(&s->base.rng, N_TUNES)];
    t->name = "mixed";
    t->ask = rng_range(&s->base.rng, 5, 100);
    for (int p = 0; p < N_PORTS; p++) {
        t->high[p] = rng_range(&s->base.rng, 1, 12);
        t->low[p] =
            rng_percent(&s->base.rng, 30) ? rng_range(&s->base.rng, 0, 40) : 0;
    }
    t->value_latency = rng_range(&s->base.rng, 0, 6);
    t->row_latency = rng_range(&s->base.rng, 0, 6);
    t->work = rng_range(&s->base.rng, 0, 150);
    t->stray =
        rng_percent(&s->base.rng, 30) ? rng_range(&s->base.rng, 0, 40) : 0;
    t->mem_first = rng_range(&s->base.rng, 0, 100);
    t->cond = rng_range(&s->base.rng, 0, 100);
    t->saver = rng_range(&s->base.rng, 0, 100);
    t->regs = rng_range(&s->base.rng, 0, 8);
}

/* A shorter window, mostly with thresholds that it can reach; at times of any
 * length, none and more than there is among them. */
static void random_window(struct off_stim *s) {
    struct master *m = s->master;
    uint32_t most = (uint32_t)s->size.WINDOW,
             r = rng_below(&s->base.rng, 1 << 16);
    uint32_t window = most >> r % 4;
    if (r >> 2 & 3)
        window -= (r >> 4) % (window / 4 + 1);
    if ((r >> 2) % 8 == 0)
        window = rng_below(&s->base.rng, 2 * most);
    master_set(m, OFFLOAD_SET_window, window);
    window = window < most ? window : most;
    if (rng_percent(&s->base.rng, 20))
        return;
    master_set(m, OFFLOAD_SET_busy_on,
               window / 4 + (r >> 4) % (window / 2 + 1));
    master_set(m, OFFLOAD_SET_busy_off, (r >> 8) % (window / 2 + 1));
}

/* Pages' addresses end below the highest bits: what is selected there is
 * nothing. */
static uint32_t random_map_bit(uint32_t r) {
    if (r % 4)
        return 5 + r % 12;
    return r % 8 ? r / 8 % 32 : 31;
}

static void random_setting(struct off_stim *s) {
    struct master *m = s->master;
    uint32_t window = m->setting[OFFLOAD_SET_window];
    uint32_t most = (uint32_t)s->size.WINDOW,
             r = rng_below(&s->base.rng, 1 << 16);
    if (window < 4 || window > most)
        window = most;
    switch (rng_below(&s->base.rng, 6)) {
    case 0:
        master_set(m, OFFLOAD_SET_mode,
                   r % 8 < 5 ? MODE_CONTROLLED : r % 8 - 4);
        break;
    case 1:
        master_set(m, OFFLOAD_SET_map_bit, random_map_bit(r));
        break;
    case 2:
        master_set(m, OFFLOAD_SET_limit,
                   r % 4 ? 1 + r % 5 : r % (uint32_t)(s->size.WARPS + 1));
        break;
    case 3:
        master_set(m, OFFLOAD_SET_busy_on,
                   r % 8 ? window / 4 + r % (window / 2) : r % (window + 1));
        break;
    case 4:
        master_set(m, OFFLOAD_SET_busy_off,
                   r % 8 ? r % (window / 2) : r % (window + 1));
        break;
    default:
        random_window(s);
    }
}

/* Back to what the paper has, so that nothing stays odd for long. */
static void usual_settings(struct off_stim *s) {
    for (int n = 0; n < OFFLOAD_N_SETTINGS; n++)
        if (s->master->setting[n] != s->master->reset[n])
            master_set(s->master, n, s->master->reset[n]);
}

static void next_phase(struct off_stim *s) {
    struct phases *p = s->base.script;
    int pick = (int)rng_below(&s->base.rng, N_TUNES + 3);
    if (pick < N_TUNES)
        s->tune = tunes[pick];
    else
        mix_tune(s);
    p->left = rng_range(&s->base.rng, 200, 3000);
    p->stage = RUNNING;
    p->rash = false;
    p->count++;
    if (rng_percent(&s->base.rng, 25))
        usual_settings(s);
    if (rng_percent(&s->base.rng, 50))
        random_setting(s);
    if (rng_percent(&s->base.rng, 10))
        master_clear(s->master);
}

/* All entries, or some. */
static void load_step(struct off_stim *s, struct phases *p) {
    struct off_entry e;
    if (s->load_at >= 0)
        return;
    if (p->next >= s->size.ENTRIES) {
        p->stage = RUNNING;
        s->still = false;
        return;
    }
    off_random_entry(s, &e);
    off_load(s, p->next, &e);
    p->next +=
        rng_percent(&s->base.rng, 80) ? 1 : rng_range(&s->base.rng, 1, 4);
    p->loads++;
}

static void step(struct stim *base) {
    struct off_stim *s = (struct off_stim *)base;
    struct phases *p = base->script;
    if ((int)rng_below(&s->base.rng, 10000) < s->tune.settings)
        random_setting(s);
    if (p->stage == LOADING) {
        load_step(s, p);
    } else if (p->stage == DRAINING) {
        if (!off_idle(s))
            return;
        p->stage = LOADING;
        p->next = 0;
        s->still = true;
    } else if (p->left-- <= 0) {
        bool empty = p->rash; /* the table, after a reset */
        next_phase(s);
        if (empty || rng_percent(&s->base.rng, 60))
            p->stage = DRAINING;
    }
}

/* The table is empty now. */
static void reset(struct stim *base) {
    struct phases *p = base->script;
    p->rash = rng_percent(&base->rng, 70);
    p->stage = p->rash ? RUNNING : DRAINING;
    p->left = p->rash ? rng_range(&base->rng, 1, 60) : 0;
}

static void report(struct stim *base, struct text *t) {
    const struct phases *p = base->script;
    text_printf(t, "phases\t%" PRIu64 "\n", p->count);
    text_printf(t, "entries_loaded\t%" PRIu64 "\n", p->loads);
}

static void close(struct stim *base) {
    free(base->script);
}

static bool open(struct stim *base) {
    base->script = xcalloc(1, sizeof(struct phases));
    next_phase((struct off_stim *)base);
    return true;
}

const struct off_mode off_random = {
    .base = {.name = "random",
             .resets = true,
             .open = open,
             .close = close,
             .step = step,
             .reset = reset,
             .report = report},
    .next = next,
};

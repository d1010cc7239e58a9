/* random.c - constrained random instructions in phases.
 *
 * A phase of some hundred to thousand cycles has a tune: how busy the front end
 * is, how slow every port, which registers, kinds, masks, hints and classes are
 * drawn.  Now and then a phase starts with a change of policy, a clear of the
 * counters or a reset in the middle of everything.
 */
#include "env.h"

#include "base/arena.h"

#include <stdlib.h>

#define FAST                                                                   \
    { [FAR_EXEC] = 8, 8, 8, 8, 8, 8 }
#define NEVER_LOW                                                              \
    { 0, 0, 0, 0, 0, 0 }

static const struct tune tunes[] = {
    {.name = "calm",
     .issue = 12,
     .high = FAST,
     .row_latency = 1,
     .exec_latency = {3, 3},
     .lsu = {1, 1},
     .lsu_length = 4,
     .wishbone = 5,
     .dst = 80,
     .src = 60,
     .guard = 15,
     .pair = 15,
     .pred = 10,
     .partial = 15,
     .repeat = 10,
     .hint = {40, 30, 25},
     .far_class = 20},
    {.name = "storm",
     .issue = 100,
     .blind = 5,
     .high = FAST,
     .low = {1, 1, 1, 1, 1, 1},
     .exec_latency = {2, 2},
     .lsu = {5, 5},
     .lsu_length = 8,
     .wishbone = 20,
     .dst = 80,
     .src = 50,
     .guard = 20,
     .pair = 15,
     .pred = 20,
     .partial = 20,
     .repeat = 15,
     .hint = {40, 30, 25},
     .far_class = 20},
    {.name = "walls",
     .issue = 60,
     .blind = 20,
     .high = {3, 3, 2, 2, 2, 2, 40, 40},
     .low = {40, 40, 30, 30, 30, 30, 300, 300},
     .row_latency = 20,
     .exec_latency = {60, 60},
     .lsu = {10, 10},
     .lsu_length = 40,
     .lsu_gap = 10,
     .wishbone = 5,
     .dst = 80,
     .src = 60,
     .guard = 20,
     .pair = 20,
     .pred = 20,
     .partial = 20,
     .repeat = 10,
     .hint = {40, 30, 30},
     .far_class = 15},
    {.name = "hazards",
     .issue = 80,
     .blind = 5,
     .high = FAST,
     .low = {2, 2, 2, 2, 2, 2},
     .row_latency = 2,
     .exec_latency = {12, 12},
     .lsu_length = 4,
     .wishbone = 5,
     .warps = 3,
     .hot = 2,
     .dst = 95,
     .src = 70,
     .guard = 40,
     .pair = 25,
     .pred = 30,
     .partial = 25,
     .repeat = 25,
     .hint = {34, 33, 33},
     .far_class = 15},
    {.name = "pairs",
     .issue = 50,
     .high = FAST,
     .low = {3, 3, 3, 3, 3, 3},
     .row_latency = 3,
     .exec_latency = {5, 5},
     .lsu = {2, 2},
     .lsu_length = 6,
     .hot = 4,
     .dst = 80,
     .src = 70,
     .guard = 10,
     .pair = 80,
     .pred = 10,
     .partial = 30,
     .repeat = 10,
     .hint = {30, 35, 35},
     .far_class = 20},
    {.name = "predicates",
     .issue = 60,
     .blind = 10,
     .high = FAST,
     .low = {3, 3, 3, 3, 3, 3},
     .row_latency = 1,
     .exec_latency = {5, 5},
     .lsu = {2, 2},
     .lsu_length = 4,
     .wishbone = 5,
     .hot = 3,
     .dst = 85,
     .src = 50,
     .guard = 70,
     .pair = 5,
     .pred = 70,
     .partial = 20,
     .repeat = 10,
     .hint = {34, 33, 33},
     .far_class = 15},
    {.name = "messages",
     .issue = 30,
     .high = FAST,
     .low = {4, 4, 4, 4, 4, 4},
     .row_latency = 2,
     .exec_latency = {8, 8},
     .lsu = {60, 60},
     .lsu_length = 60,
     .lsu_gap = 4,
     .wishbone = 5,
     .dst = 80,
     .src = 60,
     .guard = 20,
     .pair = 15,
     .pred = 15,
     .partial = 20,
     .repeat = 10,
     .hint = {40, 30, 30},
     .far_class = 20},
    {.name = "jams",
     .issue = 100,
     .blind = 10,
     .high = {8, 20, 8, 20, 8, 20, 40, 40},
     .low = {0, 300, 0, 300, 0, 0, 300, 300},
     .lsu = {3, 3},
     .lsu_length = 60,
     .wishbone = 5,
     .dst = 80,
     .src = 25,
     .guard = 5,
     .pair = 10,
     .pred = 10,
     .partial = 10,
     .repeat = 10,
     .hint = {10, 30, 60},
     .far_class = 5},
    {.name = "dense",
     .issue = 100,
     .blind = 30,
     .high = FAST,
     .low = NEVER_LOW,
     .hot = 6,
     .lsu_length = 1,
     .dst = 60,
     .src = 40,
     .guard = 10,
     .pair = 5,
     .pred = 30,
     .partial = 5,
     .repeat = 20,
     .hint = {20, 40, 40},
     .far_class = 10},
};

enum { N_TUNES = sizeof tunes / sizeof tunes[0] };

struct phases {
    int left;     /* cycles of this phase */
    int unlawful; /* cycles to a reset that an unlawful offer waits for */
    uint64_t count;
};

int random_warp(struct nbu_stim *s, uint64_t mask) {
    int turn = (int)rng_below(&s->base.rng, 64);
    uint64_t turned = turn ? mask >> turn | mask << (64 - turn) : mask;
    return (__builtin_ctzll(turned) + turn) % 64;
}

static struct operand random_operand(struct nbu_stim *s, bool guard) {
    struct operand o = {.valid = true};
    int draw = (int)rng_below(&s->base.rng, 100);
    if (guard || draw < s->tune.pred)
        o.kind = NBU_PRED;
    else if (draw < s->tune.pred + s->tune.pair)
        o.kind = NBU_PAIR;
    int n = s->n_kind[o.kind];
    if (s->tune.hot && s->tune.hot < n)
        n = s->tune.hot;
    o.reg = s->by_kind[o.kind][rng_below(&s->base.rng, (uint32_t)n)];
    if (o.kind == NBU_ROW && rng_percent(&s->base.rng, 5))
        o.kind = 3; /* counts as row */
    return o;
}

static uint32_t random_mask(struct nbu_stim *s) {
    uint32_t r = (uint32_t)rng_next(&s->base.rng);
    if (!rng_percent(&s->base.rng, s->tune.partial))
        return s->lane_mask;
    switch (r % 4) {
    case 0:
        return 0;
    case 1:
        return 1u << (r >> 8) % (unsigned)s->size.LANES;
    case 2:
        return s->lane_mask & ~(1u << (r >> 8) % (unsigned)s->size.LANES);
    default:
        return s->lane_mask & (r >> 4 ^ r << 13);
    }
}

static uint8_t random_class(struct nbu_stim *s) {
    bool far = rng_percent(&s->base.rng, s->tune.far_class);
    int op;
    for (int tries = 0; tries < 16; tries++) {
        op = (int)rng_below(&s->base.rng, OPC_COUNT);
        if ((s->far_set >> op & 1) == far)
            break;
    }
    return (uint8_t)op;
}

static uint8_t random_hint(struct nbu_stim *s) {
    int draw = (int)rng_below(&s->base.rng, 100);
    for (int hint = 0; hint < 3; hint++)
        if ((draw -= s->tune.hint[hint]) < 0)
            return (uint8_t)hint;
    return 3;
}

/* A warp to offer to: ready, or any when the offer may wait. */
static bool choose_warp(struct nbu_stim *s, int *warp) {
    uint64_t mask = s->room;
    if (s->tune.warps)
        mask &= ones(s->tune.warps);
    if (mask & s->ready && !rng_percent(&s->base.rng, s->tune.blind))
        mask &= s->ready;
    else if (!s->tune.blind)
        return false;
    if (!mask)
        return false;
    *warp = random_warp(s, mask);
    return true;
}

bool random_instr(struct nbu_stim *s, struct instr *i) {
    const int often[N_SLOTS] = {s->tune.dst, s->tune.src, s->tune.src,
                                s->tune.src, s->tune.guard};
    if (!choose_warp(s, &i->warp))
        return false;
    i->op = random_class(s);
    i->hint = random_hint(s);
    i->mask = random_mask(s);
    for (int slot = DST; slot < N_SLOTS; slot++) {
        i->operand[slot] = (struct operand){0};
        if (!rng_percent(&s->base.rng, often[slot]))
            continue;
        const struct operand *other =
            &i->operand[rng_below(&s->base.rng, (uint32_t)slot + 1)];
        if (slot < GUARD && other->valid &&
            rng_percent(&s->base.rng, s->tune.repeat))
            i->operand[slot] = *other;
        else
            i->operand[slot] = random_operand(s, slot == GUARD);
    }
    return true;
}

/* A tune of no name, to meet what the named ones leave out. */
static void mix_tune(struct nbu_stim *s) {
    struct tune *t = &s->tune;
    *t = tunes[rng_below(&s->base.rng, N_TUNES)];
    t->name = "mixed";
    t->issue = rng_range(&s->base.rng, 5, 100);
    t->blind = rng_range(&s->base.rng, 0, 30);
    for (int p = 0; p < N_READY; p++) {
        t->high[p] = rng_range(&s->base.rng, 1, 12);
        t->low[p] =
            rng_percent(&s->base.rng, 30) ? rng_range(&s->base.rng, 0, 60) : 0;
    }
    for (int p = FAR_DONE; p <= NEAR_DONE; p++) { /* crowds */
        t->high[p] = rng_range(&s->base.rng, 1, 80);
        t->low[p] =
            rng_percent(&s->base.rng, 40) ? rng_range(&s->base.rng, 0, 600) : 0;
    }
    t->row_latency = rng_range(&s->base.rng, 0, 8);
    t->exec_latency[FAR] = rng_range(&s->base.rng, 0, 40);
    t->exec_latency[NEAR] = rng_range(&s->base.rng, 0, 40);
    t->lsu[FAR] =
        rng_percent(&s->base.rng, 50) ? rng_range(&s->base.rng, 0, 20) : 0;
    t->lsu[NEAR] =
        rng_percent(&s->base.rng, 50) ? rng_range(&s->base.rng, 0, 20) : 0;
    t->hot = rng_percent(&s->base.rng, 50) ? rng_range(&s->base.rng, 1, 8) : 0;
    t->warps = rng_percent(&s->base.rng, 30)
                   ? rng_range(&s->base.rng, 1, s->size.WARPS)
                   : 0;
    if (t->warps == 64)
        t->warps = 0;
    t->pair = rng_range(&s->base.rng, 0, 40);
    t->pred = rng_range(&s->base.rng, 0, 40);
    t->partial = rng_range(&s->base.rng, 0, 60);
}

static void next_phase(struct nbu_stim *s) {
    struct phases *p = s->base.script;
    int pick = (int)rng_below(&s->base.rng, N_TUNES + 3);
    if (pick < N_TUNES)
        s->tune = tunes[pick];
    else
        mix_tune(s);
    if (s->tune.warps > s->size.WARPS)
        s->tune.warps = s->size.WARPS;
    p->left = rng_range(&s->base.rng, 200, 3000);
    p->count++;
    if (rng_percent(&s->base.rng, 60))
        master_set(&s->base.master, NBU_SET_policy, rng_below(&s->base.rng, 4));
    if (rng_percent(&s->base.rng, 10))
        master_clear(&s->base.master);
    if (rng_percent(&s->base.rng, 4))
        p->unlawful = rng_range(&s->base.rng, 1, 60);
}

/* Towards a reset: an offer to a warp that does not exist, then the reset. */
static void step(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    struct phases *p = base->script;
    if (p->left-- <= 0)
        next_phase(s);
    if (p->unlawful > 0) {
        s->unlawful = true;
        if (--p->unlawful == 0)
            stim_reset(base, rng_range(&base->rng, 1, 4));
    }
}

static void report(struct stim *base, struct text *t) {
    const struct phases *p = base->script;
    text_printf(t, "phases\t%llu\n", (unsigned long long)p->count);
}

static void close(struct stim *base) {
    free(base->script);
}

static bool open(struct stim *base) {
    base->script = xcalloc(1, sizeof(struct phases));
    next_phase((struct nbu_stim *)base);
    return true;
}

const struct nbu_mode nbu_random = {
    .base = {.name = "random",
             .resets = true,
             .open = open,
             .close = close,
             .step = step,
             .report = report},
    .next = random_instr,
};

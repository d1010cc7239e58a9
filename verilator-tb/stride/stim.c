/* stim.c - stimulus of a per-warp stride prefetcher: a core whose warps go
 * through memory by strides, the cache that takes its requests and its
 * prefetches, and another prefetcher.
 *
 * What must be at pre follows from a history of its own, by entry.
 *
 * random    phases with other strides, rates and patience
 * directed  few loads with one stride each, then many, each side slow in turn
 */
#include "stim.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/stride.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD = 0, RUNNING = 1, MOST = 128, LOADS = 24, HALF = LOADS / 2 };

/* What the surroundings are like for a while. */
struct tune {
    int offers, requests, given; /* percent of edges */
    int loads;                   /* load instructions of a warp */
    int strays;                  /* percent of addresses that are no stride */
    int pre_low;                 /* longest time that the cache is not ready */
};

/* An entry, as the last load left it. */
struct seen_load {
    bool known;
    uint64_t pc, warp;
    uint32_t at, step;
};

struct stride_stim {
    struct stim base;
    struct stride_local size;
    struct tune tune;
    int left; /* edges of this phase */
    struct toggle pre;
    uint32_t next[LOADS], step[LOADS]; /* where each instruction goes */
    bool offers, gives;
    struct seen_load *history;

    /* the block, as it must be before the edge */
    bool looks, was_running;
    struct seen_load look;
    uint32_t stride;
    bool one, two;
    uint64_t one_line, two_line;
    int waiting; /* own lines that are not at the output */
    bool shows;
    uint64_t line[MOST], head, tail; /* own, oldest first */
    uint64_t prefetches, passed;
};

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {100, 60, 0, 2, 0, 0},   {100, 100, 30, 3, 0, 3},
        {40, 60, 100, 24, 5, 0}, {100, 100, 0, 2, 0, 20},
        {60, 60, 60, 24, 30, 1},
    };
    struct stride_stim *s = (struct stride_stim *)base;
    s->tune = script[base->now / 200 % (sizeof script / sizeof *script)];
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 80, 40, 5, 0};
    struct stride_stim *s = (struct stride_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.offers = rates[rng_below(r, 4)],
                            .requests = rates[rng_below(r, 5)],
                            .given = rates[rng_below(r, 5)],
                            .loads = rng_range(r, 1, LOADS),
                            .strays = rng_percent(r, 60) ? 2 : 40,
                            .pre_low = rng_range(r, 0, 20)};
    s->left = rng_range(r, 50, 400);
}

/* --- driving -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct stride_stim *s = (struct stride_stim *)base;
    s->size = stride_local(c);
    s->history = xcalloc((size_t)s->size.ENTRIES, sizeof *s->history);
    base->reset_every = 4000;
    base->wishbone = 100;
}

static void close(struct stim *base) {
    free(((struct stride_stim *)base)->history);
}

static void forget(struct stride_stim *s) {
    memset(s->history, 0, (size_t)s->size.ENTRIES * sizeof *s->history);
}

static void reset(struct stim *base) {
    struct stride_stim *s = (struct stride_stim *)base;
    forget(s);
    s->looks = s->was_running = s->one = s->two = s->shows = false;
    s->offers = s->gives = false;
    s->stride = 0;
    s->waiting = 0;
    s->head = s->tail;
}

static uint32_t draw_step(struct stride_stim *s) {
    struct rng *r = &s->base.rng;
    uint32_t n = rng_below(r, 2000), line = (uint32_t)s->size.LINE;
    return rng_percent(r, 20)   ? 0
           : rng_percent(r, 30) ? 0u - n
           : rng_percent(r, 30) ? rng_below(r, line)
                                : n;
}

static void drive_offer(struct stride_stim *s, struct stride_in *in) {
    struct rng *r = &s->base.rng;
    if (s->offers)
        return;
    s->offers = s->base.rst_left == 0 && rng_percent(r, s->tune.offers);
    in->offer_valid = s->offers;
    in->offer_warp = in->offer_pc = in->offer_a = 0;
    if (!s->offers)
        return;
    uint32_t n = rng_below(r, (uint32_t)s->tune.loads);
    if (rng_percent(r, s->tune.strays))
        s->step[n] = draw_step(s);
    s->next[n] += s->step[n];
    in->offer_warp = n & 1;
    in->offer_pc = (n % HALF * 37) & ones(s->size.PC_W);
    if (n >= HALF && s->size.KEY_W > s->size.INDEX_W &&
        s->size.INDEX_W >= s->size.WARP_W) { /* the same entry */
        in->offer_warp ^= 1;
        in->offer_pc ^= bit(s->size.INDEX_W - s->size.WARP_W);
    }
    in->offer_a = s->next[n];
}

static void drive(struct stim *base, void *ports) {
    struct stride_stim *s = (struct stride_stim *)base;
    struct stride_in *in = ports;
    struct rng *r = &base->rng;
    struct master *m = &base->master;
    drive_offer(s, in);
    in->seen_valid = rng_percent(r, s->tune.requests);
    in->seen_taken = rng_percent(r, 80);
    in->seen_op = rng_percent(r, 80) ? LOAD : rng_below(r, 12);
    in->seen_address = rng_next(r) & ones(s->size.SADDR_W);
    if (rng_below(r, 200) == 0)
        in->core_state = rng_below(r, 4);
    if (!s->gives) {
        s->gives = base->rst_left == 0 && rng_percent(r, s->tune.given);
        in->given_valid = s->gives;
        in->given_line = s->gives ? rng_next(r) & ones(s->size.SADDR_W) : 0;
    }
    in->pre_ready = toggle_step(&s->pre, r, 8, s->tune.pre_low);
    if (master_idle(m) && rng_below(r, 300) == 0)
        master_set(m, STRIDE_SET_enable, rng_percent(r, 80));
    if (rng_below(r, 3000) == 0)
        master_clear(m);
}

/* --- watching ------------------------------------------------------------- */

static struct seen_load *entry_of(struct stride_stim *s) {
    uint64_t key = s->look.pc * bit(s->size.WARP_W) + s->look.warp;
    uint64_t n = 0, entries = (uint64_t)s->size.ENTRIES;
    for (; key; key /= entries)
        n ^= key % entries;
    return &s->history[n];
}

static void watch_history(struct stride_stim *s, const struct stride_in *in,
                          const struct stride_out *before) {
    uint64_t *count = s->base.master.count;
    bool running = in->core_state == RUNNING;
    if (s->looks) {
        struct seen_load *e = entry_of(s);
        bool same = e->known && e->pc == s->look.pc && e->warp == s->look.warp;
        s->look.step = same ? s->look.at - e->at : 0;
        bool again = same && s->look.step != 0 && s->look.step == e->step;
        count[STRIDE_CNT_loads]++;
        count[STRIDE_CNT_predicted] += again;
        count[STRIDE_CNT_replaced] += e->known && !same;
        *e = s->look;
        s->stride = again ? s->look.step : 0;
    }
    s->looks = in->offer_valid && before->offer_ready;
    if (s->looks)
        s->look = (struct seen_load){true, in->offer_pc, in->offer_warp,
                                     (uint32_t)in->offer_a, 0};
    s->offers &= !s->looks;
    if (running && !s->was_running)
        forget(s);
    s->was_running = running;
}

/* Whether a prefetch enters the queue, by the stride before the edge. */
static bool watch_request(struct stride_stim *s, uint32_t stride) {
    uint64_t *count = s->base.master.count;
    uint64_t line = s->two_line * (uint64_t)s->size.LINE + stride;
    line = (uint32_t)line / (uint32_t)s->size.LINE;
    bool wants = s->two && stride && line != s->two_line &&
                 s->base.master.setting[STRIDE_SET_enable];
    bool room = s->waiting < s->size.QUEUE;
    count[STRIDE_CNT_issued] += wants && room;
    count[STRIDE_CNT_dropped] += wants && !room;
    if (wants && room)
        s->line[s->tail++ % MOST] = line;
    return wants && room;
}

static const char *watch_pre(struct stride_stim *s, const struct stride_in *in,
                             const struct stride_out *before,
                             const struct stride_out *after, bool enters) {
    bool given = in->given_valid && before->given_ready;
    bool free = !before->pre_valid || in->pre_ready;
    bool own = free && !given && s->shows;
    uint64_t line = given  ? in->given_line
                    : own  ? s->line[s->head % MOST]
                    : free ? 0
                           : before->pre_line;
    bool loads = s->waiting && (!s->shows || own);
    s->shows = loads || (s->shows && !own);
    s->waiting += enters - loads;
    s->head += own;
    s->prefetches += own;
    s->passed += given;
    s->gives &= !given;
    if (after->pre_valid != (given || own || !free) || after->pre_line != line)
        return stim_complain(
            &s->base, "line %#" PRIx64 " is prefetched, expected %#" PRIx64,
            after->pre_line, line);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before, const void *after) {
    struct stride_stim *s = (struct stride_stim *)base;
    const struct stride_in *in = in_ports;
    uint32_t stride = s->stride;
    watch_history(s, in, before);
    bool enters = watch_request(s, stride);
    s->two = s->one;
    s->two_line = s->one_line;
    s->one = in->seen_valid && in->seen_taken && in->seen_op == LOAD;
    s->one_line = in->seen_address;
    return watch_pre(s, in, before, after, enters);
}

static void report(struct stim *base, struct text *t) {
    const struct stride_stim *s = (const struct stride_stim *)base;
    text_printf(t, "prefetches\t%" PRIu64 "\nothers\t%" PRIu64 "\n",
                s->prefetches, s->passed);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class stride_stim = {
    .size = sizeof(struct stride_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

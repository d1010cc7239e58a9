/* stim.c - stimulus of rows of two: both sources, and a register file that takes a
 * row when it can.
 *
 * Every row has a number that all its bits depend on, and one of its source.  It must
 * come out as it came, before the next one of its source, and its source must be told on
 * the edge after it was taken.
 *
 * random    phases with other rates of both sources and of the file
 * directed  one source alone, both at once, and a file that seldom takes
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/row_merge.h"

#include <inttypes.h>
#include <string.h>

enum { SOURCES = 2, ROW_WORDS = 1024 / 64 };

/* Percent of the cycles on which each source without a row gets one, and on which a
 * row that is shown is taken. */
struct tune {
    int give[SOURCES], take;
};

/* The row that a source shows. */
struct row {
    bool valid;
    uint64_t number, warp, reg, mask;
    uint64_t data[ROW_WORDS];
};

struct row_merge_stim {
    struct stim base;
    struct row_merge_local size;
    struct tune tune;
    int left; /* edges of this phase */
    struct row row[SOURCES];
    int shown;      /* whose row stands at the output, -1: none */
    int last;       /* whose it was before */
    int told;       /* who is told after this edge, -1: nobody */
    uint64_t given; /* rows */
};

static void make_row(struct row_merge_stim *s, int source) {
    struct row *r = &s->row[source];
    uint64_t seed = s->given++ * SOURCES + (uint64_t)source;

    r->valid = true;
    r->number = seed;
    r->warp = rng_mix(seed) % (uint64_t)s->size.WARPS;
    r->reg = rng_mix(seed + 1) % (uint64_t)s->size.REGS;
    r->mask = rng_mix(seed + 2) & ones(s->size.LANES);
    memset(r->data, 0, sizeof r->data);
    for (int i = 0; i < s->size.LANES; i++)
        bits_set_lane(r->data, i, (uint32_t)rng_mix(64 * seed + (uint64_t)i));
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        {{100, 0}, 100},  {{0, 100}, 100}, {{100, 100}, 100},
        {{100, 100}, 10}, {{5, 100}, 50},  {{100, 5}, 50},
    };
    struct row_merge_stim *s = (struct row_merge_stim *)base;

    if (s->left-- > 0)
        return;
    s->tune = script[base->now / 60 % (sizeof script / sizeof *script)];
    s->left = 59;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 50, 10, 0};
    struct row_merge_stim *s = (struct row_merge_stim *)base;
    struct rng *r = &base->rng;

    if (s->left-- > 0)
        return;
    for (int i = 0; i < SOURCES; i++)
        s->tune.give[i] = rates[rng_below(r, 5)];
    s->tune.take = rng_percent(r, 30) ? 100 : rng_range(r, 5, 90);
    s->left = rng_range(r, 20, 200);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct row_merge_stim *)base)->size = row_merge_local(c);
    base->reset_every = 2000;
}

static void reset(struct stim *base) {
    struct row_merge_stim *s = (struct row_merge_stim *)base;

    for (int i = 0; i < SOURCES; i++)
        s->row[i].valid = false;
    s->shown = s->told = -1;
    s->last = 1;
}

static void drive(struct stim *base, void *ports) {
    struct row_merge_stim *s = (struct row_merge_stim *)base;
    struct row_merge_in *in = ports;
    bool resets = base->rst_left != 0;

    for (int i = 0; i < SOURCES && !resets; i++)
        if (!s->row[i].valid && rng_percent(&base->rng, s->tune.give[i]))
            make_row(s, i);
    const struct row *a = &s->row[0], *b = &s->row[1];
    in->init_valid = a->valid;
    in->init_warp = a->warp;
    in->init_reg = a->reg;
    in->init_mask = a->mask;
    memcpy(in->init_row, a->data, sizeof in->init_row);
    in->load_valid = b->valid;
    in->load_warp = b->warp;
    in->load_reg = b->reg;
    in->load_mask = b->mask;
    memcpy(in->load_data, b->data, sizeof in->load_data);
    in->row_ready = rng_percent(&base->rng, s->tune.take);
}

static bool is_row(const struct row *r, const struct row_merge_out *o) {
    return r->valid && r->warp == o->row_warp && r->reg == o->row_reg &&
           r->mask == o->row_mask &&
           memcmp(r->data, o->row_row, sizeof r->data) == 0;
}

/* A row has come to the output: whose it must be. */
static const char *check_new(struct row_merge_stim *s,
                             const struct row_merge_out *o, bool both) {
    int other = 1 - s->last;

    s->shown = is_row(&s->row[other], o)     ? other
               : is_row(&s->row[s->last], o) ? s->last
                                             : -1;
    if (s->shown < 0)
        return stim_complain(&s->base, "a row that neither source has");
    if (both && s->shown == s->last)
        return stim_complain(&s->base, "a source has its turn twice");
    s->last = s->shown;
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct row_merge_stim *s = (struct row_merge_stim *)base;
    const struct row_merge_in *in = in_ports;
    const struct row_merge_out *before = before_ports, *after = after_ports;
    bool taken = before->row_valid && in->row_ready;
    bool waits[SOURCES] = {in->init_valid && !before->init_ready,
                           in->load_valid && !before->load_ready};
    const char *wrong = NULL;

    if (before->init_ready)
        s->row[0].valid = false;
    if (before->load_ready)
        s->row[1].valid = false;
    s->told = taken ? s->shown : -1;
    if (taken)
        s->shown = -1;
    if (after->init_ready != (s->told == 0) ||
        after->load_ready != (s->told == 1))
        return stim_complain(base, "a source is told at the wrong time");
    if (before->row_valid && !taken) {
        if (!after->row_valid || !is_row(&s->row[s->shown], after))
            wrong = stim_complain(base, "a row changes before it is taken");
    } else if (!before->row_valid && (waits[0] || waits[1])) {
        wrong = after->row_valid ? check_new(s, after, waits[0] && waits[1])
                                 : stim_complain(base, "no row is shown");
    } else if (after->row_valid) {
        wrong = stim_complain(base, "a row that nobody gives");
    }
    return wrong;
}

static void report(struct stim *base, struct text *t) {
    const struct row_merge_stim *s = (const struct row_merge_stim *)base;

    text_printf(t, "rows\t%" PRIu64 "\n", s->given);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class row_merge_stim = {
    .size = sizeof(struct row_merge_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

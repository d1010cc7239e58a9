/* directed.c - a script that brings about each cover point on
 * purpose.
 *
 * Each scene says in a line what it wants to see.  Addresses are named by range
 * and place in it, or by stack; the table is full, its ranges are SPACE bytes
 * apart and LENGTH long, and the first one does not begin at zero.  The script
 * starts again at its end, after a reset, and then offers an event before the
 * unit is ready.
 */
#include "env.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SPACE = 4096, LENGTH = 1024 };

enum verb {
    LEARN, /* b instances, from now on */
    BEGIN, /* warp a */
    AT,    /* an access of warp a to range b, byte c of it */
    STACK, /* an access of warp a to stack b of mapping c; -1: all bits from
            * there up are set */
    LINES, /* a accesses of warp 0 to lines in a row */
    END,   /* warp a */
    OFF,   /* stop learning */
    IDLE,  /* let a cycles pass without an event */
    QUERY, /* mapping and range a */
    CLEAR, /* the counters */
    RESET
};

struct step {
    enum verb verb;
    int a, b, c;
};

enum { FIRST = 0, LAST = -1, BELOW = -2, ABOVE = -3 };

#define DO(verb, a, b, c)                                                      \
    { verb, a, b, c }

static const struct step script[] = {
    /* nothing is learned while learning is off */
    DO(BEGIN, 0, 0, 0),
    DO(END, 0, 0, 0),
    DO(CLEAR, 0, 0, 0),

    /* ranges: ends, gaps, below and above all; all stacks */
    DO(LEARN, 0, 1000, 0),
    DO(BEGIN, 0, 0, 0),
    DO(AT, 0, FIRST, 0),
    DO(AT, 0, FIRST, LENGTH - 1),
    DO(AT, 0, FIRST, LENGTH),
    DO(AT, 0, LAST, 0),
    DO(AT, 0, LAST, LENGTH / 2),
    DO(AT, 0, BELOW, 0),
    DO(AT, 0, ABOVE, 0),
    DO(LINES, 40, 0, 0),
    DO(END, 0, 0, 0),
    DO(IDLE, 40, 0, 0),
    DO(QUERY, 0, 0, 0),
    DO(QUERY, 1, 0, 0),
    DO(OFF, 0, 0, 0),

    /* two lines that the second mapping keeps together: it wins by score, and
     * the higher ones are no better */
    DO(LEARN, 0, 1, 0),
    DO(BEGIN, 0, 0, 0),
    DO(STACK, 0, 0, 0),
    DO(STACK, 0, 1, 0),
    DO(END, 0, 0, 0),
    DO(IDLE, 20, 0, 0),
    DO(QUERY, 1, 0, 0),
    DO(BEGIN, 0, 0, 0),
    DO(OFF, 0, 0, 0),

    /* an instance without an access, ends in a row: all mappings alike */
    DO(LEARN, 0, 2, 0),
    DO(BEGIN, 0, 0, 0),
    DO(BEGIN, 1, 0, 0),
    DO(END, 0, 0, 0),
    DO(END, 1, 0, 0),
    DO(END, 0, 0, 0),
    DO(END, 1, 0, 0),
    DO(IDLE, 20, 0, 0),
    DO(OFF, 0, 0, 0),

    /* one instance on one stack under every mapping, one on two stacks, but on
     * three under the first: sums decide */
    DO(LEARN, 0, 2, 0),
    DO(BEGIN, 0, 0, 0),
    DO(STACK, 0, 0, 0),
    DO(END, 0, 0, 0),
    DO(BEGIN, 1, 0, 0),
    DO(STACK, 1, 0, 0),
    DO(STACK, 1, -1, 0),
    DO(STACK, 1, 1, 0),
    DO(END, 1, 0, 0),
    DO(IDLE, 20, 0, 0),
    DO(OFF, 0, 0, 0),
    DO(RESET, 0, 0, 0),
};

enum { N_STEPS = sizeof script / sizeof script[0] };

struct directed {
    int at, left; /* step, cycles or accesses that are left of it; -1: new */
    bool loaded;
    uint64_t passes;
};

static int places(const struct ana_stim *s) {
    return s->env.size.RANGES;
}

/* Ranges fit below the lowest address that any configuration lacks. */
static uint64_t space(const struct ana_stim *s) {
    return s->env.size.ADDR_W < 24 ? LENGTH / 4 : SPACE;
}

static uint64_t length(const struct ana_stim *s) {
    return space(s) / (SPACE / LENGTH);
}

static uint64_t range_address(const struct ana_stim *s, int range, int byte) {
    int n = places(s);
    uint64_t part = (uint64_t)byte * length(s) / LENGTH;
    if (byte == LENGTH - 1)
        part = length(s) - 1;
    if (range == BELOW)
        return space(s) / 2;
    if (range == ABOVE)
        return (uint64_t)(n + 2) * space(s);
    if (range == LAST)
        range = n - 1;
    return (uint64_t)(range + 1) * space(s) + part;
}

static void load_table(struct ana_stim *s, struct directed *d) {
    for (int n = 0; n < places(s); n++)
        s->env.fresh[n] =
            (struct ana_range){(uint64_t)(n + 1) * space(s), length(s), false};
    ana_load(&s->env, places(s));
    d->loaded = true;
}

static bool is_event(enum verb v) {
    return v == BEGIN || v == AT || v == STACK || v == LINES || v == END;
}

static void start_over(struct ana_stim *s, struct directed *d) {
    d->passes++;
    d->at = 0;
    d->left = -1;
    d->loaded = false;
    stim_reset(&s->base, 1);
}

/* Steps that are no events.  False: it goes on in the next cycle. */
static bool do_step(struct ana_stim *s, struct directed *d) {
    const struct step *p = &script[d->at];
    switch (p->verb) {
    case LEARN:
        master_set(&s->base.master, ANALYZER_SET_learn_instances,
                   (uint32_t)p->b);
        master_set(&s->base.master, ANALYZER_SET_enable, 1);
        return true;
    case OFF:
        master_set(&s->base.master, ANALYZER_SET_enable, 0);
        return true;
    case IDLE:
        if (d->left < 0)
            d->left = p->a;
        return d->left-- == 0;
    case QUERY:
        s->env.wanted_query = p->a;
        return true;
    case CLEAR:
        master_clear(&s->base.master);
        return true;
    default:
        start_over(s, d);
        return false;
    }
}

static void step(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    struct directed *d = base->script;
    if (s->base.rst_left > 0 || !s->env.ready || s->offering ||
        ana_loading(&s->env) || !master_idle(&s->base.master))
        return;
    if (!d->loaded) {
        if (ana_settled(&s->env))
            load_table(s, d);
        return;
    }
    if (is_event(script[d->at].verb) || !do_step(s, d))
        return;
    d->left = -1;
    d->at++;
}

static bool rash(const struct directed *d, struct ana_event *e) {
    *e = (struct ana_event){OP_NOTHING, 0, 0};
    return d->passes > 0;
}

static bool next(struct ana_stim *s, struct ana_event *e) {
    struct directed *d = s->base.script;
    const struct step *p = &script[d->at];
    if (s->base.rst_left == 0 && !s->env.ready && !d->loaded)
        return rash(d, e);
    if (!d->loaded || !is_event(p->verb) || !master_idle(&s->base.master))
        return false;
    *e = (struct ana_event){OP_ACCESS, p->a % s->env.size.WARPS, 0};
    if (p->verb == BEGIN || p->verb == END)
        e->op = p->verb == BEGIN ? OP_BEGIN : OP_END;
    else if (p->verb == AT)
        e->address = range_address(s, p->b, p->c);
    else if (p->verb == STACK)
        e->address = (uint64_t)(int64_t)p->b << (s->env.size.FIRST_BIT + p->c) &
                     ones(s->env.size.ADDR_W);
    if (p->verb != LINES) {
        d->at++;
        return true;
    }
    if (d->left < 0)
        d->left = p->a;
    e->warp = 0;
    e->address = (uint64_t)(p->a - d->left) << s->env.size.FIRST_BIT;
    if (--d->left > 0)
        return true;
    d->left = -1;
    d->at++;
    return true;
}

static void reset(struct stim *base) {
    struct directed *d = base->script;
    d->loaded = false;
    d->at = 0;
    d->left = -1;
}

static void report(struct stim *base, struct text *t) {
    const struct directed *d = base->script;
    text_printf(t, "passes\t%" PRIu64 "\n", d->passes);
}

static void close(struct stim *base) {
    free(base->script);
}

static bool open(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    base->script = xcalloc(1, sizeof(struct directed));
    s->tune = (struct ana_tune){.name = "script", .event = 100, .wishbone = 5};
    return true;
}

const struct ana_mode ana_directed = {
    .base = {.name = "directed",
             .open = open,
             .close = close,
             .step = step,
             .reset = reset,
             .report = report},
    .next = next,
};

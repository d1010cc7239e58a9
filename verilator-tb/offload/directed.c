/* directed.c - a script that brings about each cover point on
 * purpose.
 *
 * Eight entries are loaded, then each scene says in a line what it wants to
 * see.  A step asks, waits, changes a setting, holds a port or sets how the
 * surroundings go on.  The script starts again at its end, after a reset.
 */
#include "env.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>

enum verb {
    SCENE,   /* a new scene begins: all at rest, everything back to normal */
    ASK,     /* warp a, modulo how many, at entry b, address 128 * c */
    LEARNED, /* the same, on a page of the learned mapping */
    VALUE,   /* warp a at entry b, its condition register holds c */
    BURST,   /* all warps in turn at entry b for a cycles */
    IDLE,    /* wait until nothing is under way */
    CYCLES,  /* let a cycles pass */
    PARTS,   /* let a sub-windows pass */
    SET,     /* setting a to b */
    WINDOW,  /* setting a to b eighths of a window */
    CLEAR,   /* the counters */
    HOLD,    /* port a is not ready */
    LET,     /* port a is ready again */
    LINKS,   /* links of all stacks: TX used in a, RX in b percent of cycles */
    FULL,    /* all stacks say that they are full: a */
    RUN,     /* the way to a first access takes a cycles; b: there is none */
    ACK,     /* stacks work a cycles; acknowledgements have b lines */
    STRAY,   /* an acknowledgement that nobody waits for */
    MARK,    /* a loop begins */
    DELAY,   /* let as many cycles pass as the loop has run, and a more */
    LOOP,    /* go back to the mark, a times in all */
    RESET    /* and ask before the unit is ready */
};

struct step {
    enum verb verb;
    int a, b, c;
};

enum { EMPTY, PLAIN, COND, LATE, LATE_LARGE, LARGE, SAVES_TX, NO_ENTRY };

#define DO(verb, a, b, c)                                                      \
    { verb, a, b, c }

static const struct step script[] = {
    /* the rules, one by one */
    DO(SCENE, 0, 0, 0),
    DO(CLEAR, 0, 0, 0),
    DO(SET, OFFLOAD_SET_mode, MODE_OFF, 0),
    DO(ASK, 0, PLAIN, 1),
    DO(IDLE, 0, 0, 0),
    DO(SET, OFFLOAD_SET_mode, MODE_CONTROLLED, 0),
    DO(ASK, 0, NO_ENTRY, 1),
    DO(VALUE, 0, COND, 7),
    DO(VALUE, 1, COND, -1),
    DO(ASK, 1, PLAIN, 2),
    DO(LEARNED, 2, PLAIN, 2),
    DO(IDLE, 0, 0, 0),

    /* no live-ins, every register; no lines, many; nobody waits for it */
    DO(SCENE, 0, 0, 0),
    DO(ASK, 0, EMPTY, 3),
    DO(IDLE, 0, 0, 0),
    DO(ACK, 5, 3, 0),
    DO(ASK, 0, LARGE, 3),
    DO(CYCLES, 60, 0, 0),
    DO(STRAY, 0, 0, 0),
    DO(IDLE, 0, 0, 0),

    /* the way to the first access: found, refused, none, taken, too much */
    DO(SCENE, 0, 0, 0),
    DO(RUN, 30, 0, 0),
    DO(ASK, 0, LATE, 0),
    DO(ASK, 1, LATE, 0),
    DO(ASK, 2, LATE_LARGE, 0),
    DO(IDLE, 0, 0, 0),
    DO(SET, OFFLOAD_SET_limit, 0, 0),
    DO(ASK, 0, LATE, 0),
    DO(IDLE, 0, 0, 0),
    DO(RUN, 3, 1, 0),
    DO(ASK, 0, LATE, 0),
    DO(IDLE, 0, 0, 0),

    /* limits */
    DO(SCENE, 0, 0, 0),
    DO(SET, OFFLOAD_SET_limit, 1, 0),
    DO(ACK, 200, 1, 0),
    DO(ASK, 0, EMPTY, 4),
    DO(ASK, 1, EMPTY, 4),
    DO(CYCLES, 20, 0, 0),
    DO(SET, OFFLOAD_SET_mode, MODE_UNCONTROLLED, 0),
    DO(ASK, 2, EMPTY, 4),
    DO(IDLE, 0, 0, 0),

    DO(SCENE, 0, 0, 0),
    DO(FULL, 1, 0, 0),
    DO(ASK, 0, EMPTY, 4),
    DO(IDLE, 0, 0, 0),

    /* a release on the very edge of a decision, for the same stack; both
     * engines at the metadata */
    DO(SCENE, 0, 0, 0),
    DO(ACK, 3, 0, 0),
    DO(MARK, 0, 0, 0),
    DO(ASK, 0, EMPTY, 5),
    DO(DELAY, 0, 0, 0),
    DO(ASK, 1, EMPTY, 5),
    DO(IDLE, 0, 0, 0),
    DO(LOOP, 28, 0, 0),

    /* streaks; a row of requests while answers wait */
    DO(SCENE, 0, 0, 0),
    DO(BURST, 24, NO_ENTRY, 0),
    DO(IDLE, 0, 0, 0),
    DO(HOLD, PORT_ANS, 0, 0),
    DO(BURST, 60, NO_ENTRY, 0),
    DO(LET, PORT_ANS, 0, 0),
    DO(IDLE, 0, 0, 0),

    /* ports that hold everything up */
    DO(SCENE, 0, 0, 0),
    DO(ACK, 0, 2, 0),
    DO(HOLD, PORT_FLUSH, 0, 0),
    DO(HOLD, PORT_TX, 0, 0),
    DO(HOLD, PORT_WRITE, 0, 0),
    DO(HOLD, PORT_INVAL, 0, 0),
    DO(HOLD, PORT_RELEASE, 0, 0),
    DO(ASK, 0, PLAIN, 6),
    DO(CYCLES, 30, 0, 0),
    DO(LET, PORT_FLUSH, 0, 0),
    DO(CYCLES, 20, 0, 0),
    DO(LET, PORT_TX, 0, 0),
    DO(CYCLES, 120, 0, 0),
    DO(LET, PORT_WRITE, 0, 0),
    DO(CYCLES, 20, 0, 0),
    DO(LET, PORT_INVAL, 0, 0),
    DO(CYCLES, 20, 0, 0),
    DO(LET, PORT_RELEASE, 0, 0),
    DO(IDLE, 0, 0, 0),

    /* busy links: refused, saved, not asked; then they calm down slowly */
    DO(SCENE, 0, 0, 0),
    DO(WINDOW, OFFLOAD_SET_busy_on, 4, 0),
    DO(SET, OFFLOAD_SET_busy_off, 1, 0),
    DO(LINKS, 100, 0, 0),
    DO(PARTS, 9, 0, 0),
    DO(ASK, 0, PLAIN, 1),
    DO(ASK, 1, SAVES_TX, 1),
    DO(IDLE, 0, 0, 0),
    DO(SET, OFFLOAD_SET_mode, MODE_UNCONTROLLED, 0),
    DO(ASK, 0, PLAIN, 1),
    DO(CYCLES, 8, 0, 0),
    DO(SET, OFFLOAD_SET_mode, MODE_CONTROLLED, 0),
    DO(LINKS, 0, 100, 0),
    DO(PARTS, 9, 0, 0),
    DO(ASK, 0, PLAIN, 1),
    DO(ASK, 1, EMPTY, 1),
    DO(ASK, 2, SAVES_TX, 1),
    DO(IDLE, 0, 0, 0),
    DO(LINKS, 0, 0, 0),
    DO(PARTS, 11, 0, 0),

    /* a window of a quarter is full sooner and empty sooner; the same use is
     * too little for it by the old threshold; shorter still, in the middle of
     * it, until every cycle is one */
    DO(SCENE, 0, 0, 0),
    DO(WINDOW, OFFLOAD_SET_window, 2, 0),
    DO(LINKS, 100, 0, 0),
    DO(PARTS, 4, 0, 0),
    DO(ASK, 0, PLAIN, 1),
    DO(IDLE, 0, 0, 0),
    DO(WINDOW, OFFLOAD_SET_busy_on, 1, 0),
    DO(SET, OFFLOAD_SET_busy_off, 1, 0),
    DO(ASK, 0, PLAIN, 1),
    DO(LINKS, 0, 0, 0),
    DO(PARTS, 4, 0, 0),
    DO(ASK, 0, PLAIN, 1),
    DO(IDLE, 0, 0, 0),
    DO(LINKS, 50, 50, 0),
    DO(SET, OFFLOAD_SET_busy_on, 1, 0),
    DO(WINDOW, OFFLOAD_SET_window, 1, 0),
    DO(CYCLES, 5, 0, 0),
    DO(SET, OFFLOAD_SET_window, 0, 0),
    DO(PARTS, 1, 0, 0),
    DO(WINDOW, OFFLOAD_SET_window, 15, 0), /* more than there is */
    DO(PARTS, 2, 0, 0),

    DO(RESET, 0, 0, 0),
};

enum { N_STEPS = sizeof script / sizeof script[0] };

struct directed {
    int at;   /* step */
    int left; /* cycles of the present one; -1: it has not begun */
    int mark, loops;
    int entry; /* to be loaded next */
    int run, work, lines;
    bool none;
    int turn; /* of a burst */
    uint64_t passes;
};

/* --- entries -------------------------------------------------------------- */

static struct off_set registers(const struct off_stim *s, int first, int n) {
    struct off_set set = {{0}};
    for (int r = first; r < first + n && r < s->size.REGS; r++)
        off_add(&set, r);
    return set;
}

static void make_entry(const struct off_stim *s, int n, struct off_entry *e) {
    *e = (struct off_entry){.valid = n != NO_ENTRY,
                            .tag_tx = n == EMPTY || n == LARGE,
                            .mem_first = n != LATE && n != LATE_LARGE};
    e->tag_tx |= n == COND || n == SAVES_TX;
    e->tag_rx = n == EMPTY || n == LARGE || n == COND;
    e->cond = n == COND;
    e->is_signed = n == COND;
    e->cond_reg = 2;
    e->compare = 2;
    e->threshold = 5;
    e->begin_pc = (uint32_t)n + 1;
    e->end_pc = (uint32_t)n + 9;
    if (n == LARGE || n == LATE_LARGE)
        e->live_in = e->live_out = registers(s, 0, s->size.REGS);
    else if (n != EMPTY)
        e->live_in = registers(s, n % 2, 2);
    if (n == PLAIN || n == LATE)
        e->live_out = registers(s, 1, 2);
}

/* False: some are still to come. */
static bool load_entries(struct off_stim *s, struct directed *d) {
    struct off_entry e;
    if (d->entry == NO_ENTRY + 1 && s->load_at < 0) {
        s->still = false;
        return true;
    }
    if (s->load_at >= 0 || (!s->still && !off_idle(s)))
        return false;
    s->still = true;
    make_entry(s, d->entry, &e);
    if (d->entry < s->size.ENTRIES)
        off_load(s, d->entry, &e);
    d->entry++;
    return false;
}

/* --- steps ---------------------------------------------------------------- */

static void hold(struct off_stim *s, int port, bool ready) {
    s->tune.high[port] = ready;
    s->tune.low[port] = !ready;
    s->toggle[port].left = 0;
}

static void usual(struct off_stim *s, struct directed *d) {
    s->tune = off_light;
    s->tune.wishbone = 20;
    for (int p = 0; p < N_PORTS; p++)
        hold(s, p, true);
    for (int n = 0; n < OFF_STACKS; n++)
        s->monitor[0][n].percent = s->monitor[1][n].percent = 0;
    s->full = 0;
    d->run = d->work = 2;
    d->lines = 1;
    d->none = false;
    for (int n = 0; n < OFFLOAD_N_SETTINGS; n++)
        if (s->master->setting[n] != s->master->reset[n])
            master_set(s->master, n, s->master->reset[n]);
}

static void start_over(struct off_stim *s, struct directed *d) {
    d->passes++;
    d->at = 0;
    stim_reset(&s->base, 1);
}

/* Steps that take no time. */
static void at_once(struct off_stim *s, struct directed *d,
                    const struct step *p) {
    switch (p->verb) {
    case SET:
        master_set(s->master, p->a, (uint32_t)p->b);
        break;
    case WINDOW:
        master_set(s->master, p->a, (uint32_t)(s->size.WINDOW * p->b / 8));
        break;
    case CLEAR:
        master_clear(s->master);
        break;
    case HOLD:
    case LET:
        hold(s, p->a, p->verb == LET);
        break;
    case LINKS:
        for (int n = 0; n < OFF_STACKS; n++) {
            s->monitor[0][n].percent = p->a;
            s->monitor[1][n].percent = p->b;
        }
        break;
    case FULL:
        s->full = p->a ? ones(s->size.STACKS) : 0;
        break;
    case RUN:
        d->run = p->a;
        d->none = p->b;
        break;
    case ACK:
        d->work = p->a;
        d->lines = p->b;
        break;
    case STRAY:
        s->wanted_stray++;
        break;
    case MARK:
        d->mark = d->at;
        d->loops = 0;
        s->tune.wishbone = 0; /* every cycle counts */
        break;
    case LOOP:
        if (++d->loops < p->a)
            d->at = d->mark;
        break;
    default:
        break;
    }
}

static int cycles_of(const struct off_stim *s, const struct directed *d,
                     const struct step *p) {
    switch (p->verb) {
    case PARTS: /* of eight, whatever the monitor has */
        return p->a * s->size.WINDOW / 8;
    case DELAY:
        return p->a + d->loops;
    default:
        return p->a;
    }
}

/* True: the step is done with, and the next one may begin in this cycle. */
static bool do_step(struct off_stim *s, struct directed *d) {
    const struct step *p = &script[d->at];
    switch (p->verb) {
    case ASK:
    case LEARNED:
    case VALUE:
        return false; /* next goes on */
    case BURST:
    case CYCLES:
    case PARTS:
    case DELAY:
        if (d->left < 0)
            d->left = cycles_of(s, d, p);
        return d->left-- == 0;
    case SCENE:
        if (!off_idle(s) || !master_idle(s->master))
            return false;
        usual(s, d);
        return true;
    case IDLE:
        return off_idle(s) && master_idle(s->master);
    case RESET:
        start_over(s, d);
        return false;
    default:
        at_once(s, d, p);
        return master_idle(s->master);
    }
}

/* A setting is written before the script goes on. */
static void step(struct stim *base) {
    struct off_stim *s = (struct off_stim *)base;
    struct directed *d = base->script;
    if (s->base.rst_left > 0 || !s->ready || !master_idle(s->master) ||
        !load_entries(s, d))
        return;
    for (;;) {
        int at = d->at;
        enum verb verb = script[at].verb;
        bool done = do_step(s, d);
        if (verb == ASK || verb == LEARNED || verb == VALUE || d->left >= 0)
            return;
        if (!done && (verb == SCENE || verb == IDLE || verb == RESET))
            return;
        d->left = -1;
        d->at++;
        if (!done)
            return;
    }
}

/* --- requests ------------------------------------------------------------- */

static void fill(struct off_stim *s, struct directed *d, struct off_ask *a,
                 int entry) {
    struct off_entry e;
    make_entry(s, entry, &e);
    a->key = s->size.BY_PC
                 ? e.begin_pc
                 : (uint32_t)(entry < s->size.ENTRIES ? entry : EMPTY);
    a->mask = off_lane_mask(s);
    a->run = d->run;
    a->none = d->none;
    a->first = 0x380;
    a->work = d->work;
    a->lines = d->lines;
    a->all_lanes = true;
}

/* After a reset somebody asks before the unit is ready, and waits. */
static bool rash(struct off_stim *s, struct directed *d, struct off_ask *a) {
    if (d->entry != 0 || s->ready || d->passes == 0)
        return false;
    fill(s, d, a, NO_ENTRY);
    return true;
}

static bool next(struct off_stim *s, struct off_ask *a) {
    struct directed *d = s->base.script;
    const struct step *p = &script[d->at];
    /* with fewer warps one asks again when it is done */
    int warp = p->a % s->size.WARPS;
    *a = (struct off_ask){.warp = warp};
    if (s->base.rst_left > 0)
        return false;
    if (!s->ready) {
        a->warp = 0;
        return rash(s, d, a);
    }
    if (p->verb == BURST && d->left > 0) {
        a->warp = d->turn++ % s->size.WARPS;
        fill(s, d, a, p->b);
        return off_can_ask(s, a->warp);
    }
    if ((p->verb != ASK && p->verb != LEARNED && p->verb != VALUE) ||
        d->entry <= NO_ENTRY || !master_idle(s->master) ||
        !off_can_ask(s, warp))
        return false;
    fill(s, d, a, p->b);
    a->address = p->verb == VALUE ? 0 : 128 * (uint64_t)p->c;
    a->learned = p->verb == LEARNED;
    a->has_value = p->verb == VALUE;
    a->value = (uint32_t)p->c;
    d->at++;
    return true;
}

static void reset(struct stim *base) {
    struct directed *d = base->script;
    d->entry = 0;
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
    struct off_stim *s = (struct off_stim *)base;
    base->script = xcalloc(1, sizeof(struct directed));
    s->tune = off_light;
    s->fixed_links = true;
    return true;
}

const struct off_mode off_directed = {
    .base = {.name = "directed",
             .open = open,
             .close = close,
             .step = step,
             .reset = reset,
             .report = report},
    .next = next,
};

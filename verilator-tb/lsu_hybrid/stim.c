/* stim.c - stimulus of the hybrid load-store unit: a core with accesses of many
 * shapes, a near register file, and memories that answer in any order.
 *
 * The environment works in bytes: it finds by itself where each lane's word
 * lies, what the access must become, which lanes each transaction serves, and
 * what has to be written of the answers that it gave.  Many accesses may be
 * under way: it keeps for each id whose lanes wait for it, gives out places as
 * they become free, and so knows which row and which end has to come next.
 *
 * random    phases with other shapes, rates and patience
 * directed  shape after shape, loads and stores, with and without haste
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/lsu_hybrid.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum {
    LANES = 32,
    WORDS = 8,
    PLACES = 8,
    QUIET = 3 /* edges at most without a reason */
};

enum shape {
    ROW,        /* a whole row of the warp's unit: all conditions hold */
    LANE_OFF,   /* one lane of it is not active */
    OTHERS_ROW, /* it is another core's */
    ANY_ORDER,  /* words of one line, in any order */
    OTHER_UNIT, /* a row of another unit */
    CROSSING,   /* words in a row, over the end of a line */
    BORDER,     /* about the border of a chunk, and so of two cores */
    ANYWHERE,
    ONE_WORD, /* the same for all */
    NOBODY,   /* no active lane */
    WRAPS,    /* in a row over the end of all addresses */
    STEPS,    /* own words, a step apart */
    NEARLY,   /* the same but for one thing */
    SHAPES
};

/* What keeps words from being a step apart. */
enum flaw { LONG_STEP, OTHER_WORD, GAP, REMOTE_LANE, STORED, FLAWS, NO_FLAW };

struct tune {
    int shape;      /* SHAPES: any of them */
    int stores;     /* percent */
    int asks;       /* percent of the edges with an access to offer */
    int answers;    /* percent of the edges, if there is one to give */
    int faults;     /* percent of the answers */
    int high, low;  /* longest times that outputs are taken, and not */
    int rows_low;   /* ... rows not */
    bool any_order; /* answers, else the oldest first */
};

struct access {
    bool store, near, strided;
    uint64_t step; /* of a strided message */
    uint64_t warp, reg, mask;
    uint64_t byte[LANES]; /* addresses */
};

/* An access that has been taken, until its end. */
struct work {
    bool busy;
    struct access a;
    uint64_t served;      /* lanes whose transaction has been taken */
    uint64_t waiting;     /* of them: without an answer */
    bool cut;             /* all of them */
    bool row_due, row_in; /* a row was asked for; has come */
    uint32_t row[LANES];  /* of a store, or what a load has to write */
    bool wrote, faulted;
};

/* What an id stands for from its request to its answer. */
struct flight {
    bool busy;
    int place;
    uint64_t lanes;
};

struct lsu_hybrid_stim {
    struct stim base;
    struct lsu_hybrid_local size;
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* of the directed shapes */
    uint64_t core;
    struct toggle down, away, fetch, write, strided;
    struct access offer;
    bool offered;

    struct work first; /* the access that is checked, until it has a place */
    bool fronted;      /* one is checked or cut */
    bool weighed;      /* it has a place if there is one, else its message */
    int here;          /* its place, -1: none */
    struct work place[PLACES];
    int shown; /* place whose row was written last */
    struct flight flight[LANES];
    uint64_t out[LANES]; /* ids that wait for an answer, the oldest first */
    int outs;
    int quiet; /* edges in which nothing held the front up */
    uint64_t accesses, messages, strideds, transactions;
    bool sends, sends_strided; /* what may cross as a message */
};

/* What the state before an edge makes of it. */
struct must {
    int id;      /* of a transaction that begins; LANES: none can */
    int ends;    /* place whose access ends, if the front ends none; -1 */
    int writes;  /* place whose row is shown; -1 */
    bool nobody; /* the front ends an access without a lane */
};

/* --- where a byte lies ---------------------------------------------------- */

static uint64_t core_of(const struct lsu_hybrid_stim *s, uint64_t byte) {
    return byte / (uint64_t)s->size.CHUNK % (uint64_t)s->size.CORES;
}

static uint64_t unit_of(const struct lsu_hybrid_stim *s, uint64_t byte) {
    uint64_t in_chunk = byte % (uint64_t)s->size.CHUNK;
    return in_chunk / (uint64_t)s->size.LINE % (uint64_t)s->size.UNITS;
}

static uint64_t at_core(const struct lsu_hybrid_stim *s, uint64_t byte) {
    uint64_t chunk = (uint64_t)s->size.CHUNK;
    uint64_t round = chunk * (uint64_t)s->size.CORES;
    return byte / round * chunk + byte % chunk;
}

static uint64_t sector_of(const struct lsu_hybrid_stim *s, uint64_t byte) {
    return byte / (uint64_t)s->size.SECTOR;
}

static int word_of(const struct lsu_hybrid_stim *s, uint64_t byte) {
    return (int)(byte % (uint64_t)s->size.SECTOR / 4);
}

/* What it has to become. */
static bool must_go_near(const struct lsu_hybrid_stim *s,
                         const struct access *a) {
    uint64_t last = (uint64_t)s->size.LANES - 1;
    if (!s->sends || a->mask != ones(s->size.LANES))
        return false;
    for (int i = 0; i < s->size.LANES; i++)
        if (a->byte[i] != ((a->byte[0] + 4 * (uint64_t)i) & ones(32)) ||
            core_of(s, a->byte[i]) != s->core)
            return false;
    /* a row that begins and ends in a unit is nowhere else */
    uint64_t home = a->warp % (uint64_t)s->size.UNITS;
    return unit_of(s, a->byte[0]) == home && unit_of(s, a->byte[last]) == home;
}

static uint64_t word_at_core(const struct lsu_hybrid_stim *s, uint64_t byte) {
    return at_core(s, byte) / 4;
}

static int lead_of(uint64_t mask) {
    int lead = 0;
    while (mask && !(mask >> lead & 1))
        lead++;
    return lead;
}

/* The step that leads from each active lane's word to the next one's, if there
 * is one. */
static bool must_go_strided(const struct lsu_hybrid_stim *s,
                            const struct access *a, uint64_t *step) {
    int64_t half = (int64_t)bit(s->size.STEP_W - 1), by = 0;
    int lead = lead_of(a->mask), before = -1;
    bool same = true, even = true;
    if (!s->sends_strided || a->store || a->mask == 0)
        return false;
    for (int i = lead; i < s->size.LANES; i++) {
        if (!(a->mask >> i & 1))
            continue;
        if (core_of(s, a->byte[i]) != s->core)
            return false;
        same &= a->byte[i] == a->byte[lead];
        if (before >= 0) {
            int64_t d = (int64_t)((word_at_core(s, a->byte[i]) -
                                   word_at_core(s, a->byte[before])) &
                                  ones(s->size.AT_W));
            if (d >= (int64_t)bit(s->size.AT_W - 1))
                d -= (int64_t)bit(s->size.AT_W);
            if (before == lead)
                by = d;
            even &= d == by && before == i - 1;
        }
        before = i;
    }
    *step = same ? 0 : (uint64_t)by & ones(s->size.STEP_W);
    return same || (even && by >= -half && by < half);
}

/* --- whose turn it is ----------------------------------------------------- */

/* The access that is checked or cut; not busy if there is none. */
static struct work *front(struct lsu_hybrid_stim *s) {
    static struct work none;
    memset(&none, 0, sizeof none);
    if (!s->fronted)
        return &none;
    return s->here < 0 ? &s->first : &s->place[s->here];
}

static bool needs_place(const struct access *a) {
    return a->mask && !a->near && !a->strided;
}

static bool complete(const struct work *w) {
    return w->busy && w->cut && w->waiting == 0;
}

static int lowest_id(const struct lsu_hybrid_stim *s) {
    int id = 0;
    while (id < s->size.LANES && s->flight[id].busy)
        id++;
    return id < s->size.LANES ? id : LANES;
}

static struct must look_ahead(const struct lsu_hybrid_stim *s) {
    struct must m = {.id = lowest_id(s), .ends = -1, .writes = -1};
    for (int k = s->size.ACCESSES - 1; k >= 0; k--)
        if (complete(&s->place[k]) &&
            (s->place[k].a.store || s->place[k].wrote))
            m.ends = k;
    for (int i = s->size.ACCESSES; i > 0; i--) {
        int k = (s->shown + i) % s->size.ACCESSES;
        const struct work *w = &s->place[k];
        if (complete(w) && !w->a.store && !w->wrote)
            m.writes = k;
    }
    m.nobody = s->fronted && s->first.a.mask == 0;
    return m;
}

/* The lowest free place is that of the access that waits for one: a load has
 * been weighed before. */
static void give_place(struct lsu_hybrid_stim *s) {
    if (!s->fronted || s->here >= 0 || !needs_place(&s->first.a))
        return;
    if (s->sends_strided && !s->weighed && !s->first.a.store) {
        s->weighed = true;
        return;
    }
    for (int k = s->size.ACCESSES - 1; k >= 0; k--)
        if (!s->place[k].busy)
            s->here = k;
    if (s->here >= 0)
        s->place[s->here] = s->first;
}

static bool all_taken(const struct lsu_hybrid_stim *s) {
    bool all = true;
    for (int k = 0; k < s->size.ACCESSES; k++)
        all &= s->place[k].busy;
    return all;
}

/* --- accesses ------------------------------------------------------------- */

/* A byte where a line of a unit of a core begins. */
static uint64_t some_line(struct lsu_hybrid_stim *s, uint64_t core,
                          uint64_t unit) {
    struct rng *r = &s->base.rng;
    uint64_t chunk = (uint64_t)s->size.CHUNK, line = (uint64_t)s->size.LINE;
    uint64_t cores = (uint64_t)s->size.CORES, units = (uint64_t)s->size.UNITS;
    uint64_t rounds = bit(32) / (chunk * cores);
    uint64_t turns = chunk / (line * units);
    uint64_t round = rng_percent(r, 20) ? rounds - 1 : rng_next(r) % rounds;
    return (round * cores + core) * chunk +
           (rng_next(r) % turns * units + unit) * line;
}

static uint64_t other(struct rng *r, uint64_t me, uint64_t n) {
    return (me + 1 + rng_next(r) % (n - 1)) % n;
}

/* Bytes from the begin of a line to that of a row within it. */
static uint64_t into_line(struct lsu_hybrid_stim *s) {
    uint64_t room = (uint64_t)(s->size.LINE / 4 - s->size.LANES);
    return 4 * (rng_next(&s->base.rng) % (room + 1));
}

/* The byte of a word of a core. */
static uint64_t byte_of(const struct lsu_hybrid_stim *s, uint64_t core,
                        uint64_t word) {
    uint64_t chunk = (uint64_t)s->size.CHUNK / 4;
    word &= ones(s->size.AT_W);
    return ((word / chunk * (uint64_t)s->size.CORES + core) * chunk +
            word % chunk) *
           4;
}

static int64_t some_step(struct lsu_hybrid_stim *s, bool is_long) {
    struct rng *r = &s->base.rng;
    int64_t half = (int64_t)bit(s->size.STEP_W - 1);
    int64_t step = (int64_t)rng_below(r, 9);
    int how = (int)rng_below(r, 4);
    bool back = rng_percent(r, 50);
    if (is_long)
        return back ? -half - 1 : half;
    if (how == 0) /* the longest */
        return back ? -half : half - 1;
    if (how == 1)
        step = (int64_t)(rng_next(r) % (uint64_t)half);
    if (how == 2)
        step = s->size.LINE / 4 < half ? s->size.LINE / 4 : 1;
    return back ? -step : step;
}

/* Lanes in a row. */
static uint64_t some_lanes(struct lsu_hybrid_stim *s) {
    struct rng *r = &s->base.rng;
    uint32_t from = rng_below(r, (uint32_t)s->size.LANES);
    uint32_t n = 1 + rng_below(r, (uint32_t)s->size.LANES - from);
    return rng_percent(r, 50) ? ones(s->size.LANES) : ones((int)n) << from;
}

static void lay_steps(struct lsu_hybrid_stim *s, struct access *a,
                      enum flaw flaw) {
    struct rng *r = &s->base.rng;
    int64_t step = some_step(s, flaw == LONG_STEP);
    uint64_t first = word_at_core(s, some_line(s, s->core, 0)) +
                     rng_next(r) % (uint64_t)(s->size.LINE / 4 * s->size.UNITS);
    int which = (int)rng_below(r, (uint32_t)s->size.LANES);
    bool noise = rng_percent(r, 50);
    a->mask = some_lanes(s);
    for (int i = 0; i < s->size.LANES; i++) {
        uint64_t word = first + (uint64_t)(step * i), core = s->core;
        if (i == which && flaw == OTHER_WORD)
            word += rng_percent(r, 70) ? 1 : rng_next(r);
        if (i == which && flaw == REMOTE_LANE)
            core = other(r, core, (uint64_t)s->size.CORES);
        if (noise && !(a->mask >> i & 1))
            word = rng_next(r);
        a->byte[i] = byte_of(s, core, word);
    }
    if (flaw == GAP)
        a->mask &= ~bit(which);
    if (flaw < STORED)
        a->store = false;
    if (flaw == STORED)
        a->store = true;
}

static void lay(struct lsu_hybrid_stim *s, struct access *a, enum shape shape) {
    struct rng *r = &s->base.rng;
    uint64_t units = (uint64_t)s->size.UNITS, cores = (uint64_t)s->size.CORES;
    uint64_t home = a->warp % units, line = (uint64_t)s->size.LINE;
    uint64_t n = (uint64_t)s->size.LANES;
    uint64_t begin = some_line(s, s->core, home) + into_line(s);

    if (shape >= STEPS) {
        lay_steps(s, a,
                  shape == STEPS ? NO_FLAW : (enum flaw)rng_below(r, FLAWS));
        return;
    }
    a->mask = ones(s->size.LANES);
    if (shape == OTHERS_ROW)
        begin = some_line(s, other(r, s->core, cores), home) + into_line(s);
    if (shape == OTHER_UNIT)
        begin = some_line(s, s->core, other(r, home, units)) + into_line(s);
    if (shape == CROSSING)
        begin = some_line(s, s->core, home) + line - 4 * (1 + rng_next(r) % n);
    if (shape == WRAPS)
        begin = bit(32) - 4 * (1 + rng_next(r) % n);
    for (uint64_t i = 0; i < n; i++)
        a->byte[i] = begin + 4 * i;
    if (shape == LANE_OFF)
        a->mask &= ~bit((int)(rng_next(r) % n));
    if (shape == NOBODY)
        a->mask = 0;
    uint64_t base = some_line(s, s->core, home);
    uint64_t border = some_line(s, s->core, 0);
    for (uint64_t i = 0; i < n; i++) {
        if (shape == ANY_ORDER)
            a->byte[i] = base + 4 * (rng_next(r) % (line / 4));
        if (shape == BORDER)
            a->byte[i] = border - 2 * line + 4 * (rng_next(r) % line);
        if (shape == ANYWHERE)
            a->byte[i] = rng_next(r) & ~(uint64_t)3;
        if (shape == ONE_WORD)
            a->byte[i] = begin;
        a->byte[i] &= ones(32);
    }
    if (shape >= ANY_ORDER && shape != OTHER_UNIT && shape != CROSSING &&
        rng_percent(r, 30))
        a->mask &= rng_next(r);
}

static void offer(struct lsu_hybrid_stim *s) {
    struct rng *r = &s->base.rng;
    struct access *a = &s->offer;
    int shape = s->tune.shape;
    if (shape == SHAPES)
        shape = (int)rng_below(r, SHAPES);
    memset(a, 0, sizeof *a);
    a->store = rng_percent(r, s->tune.stores);
    a->warp = rng_below(r, (uint32_t)s->size.WARPS);
    a->reg = rng_below(r, (uint32_t)s->size.REGS);
    lay(s, a, (enum shape)shape);
    a->near = must_go_near(s, a);
    a->strided = !a->near && must_go_strided(s, a, &a->step);
    s->offered = true;
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    struct lsu_hybrid_stim *s = (struct lsu_hybrid_stim *)base;
    if (s->left-- > 0)
        return;
    int pace = s->turn / SHAPES % 3;
    bool slow = pace > 0; /* and then so slow that no id is left */
    s->tune = (struct tune){
        .shape = s->turn % SHAPES,
        .stores = s->turn / SHAPES / 3 % 2 ? 100 : 0,
        .asks = 100,
        .answers = pace == 0   ? 100
                   : pace == 1 ? 40
                               : 5,
        .faults = slow ? 20 : 0,
        .high = 2,
        .low = slow ? 3 : 0,
        .rows_low = slow ? 3 : 0,
        .any_order = slow,
    };
    s->turn++;
    s->left = 60;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 5};
    struct lsu_hybrid_stim *s = (struct lsu_hybrid_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.shape = rng_percent(r, 60) ? SHAPES : (int)rng_below(r, SHAPES);
    s->tune.stores = rng_range(r, 0, 2) * 50;
    s->tune.asks = rates[rng_below(r, 4)];
    s->tune.answers = rates[rng_below(r, 5)];
    s->tune.faults = rng_percent(r, 70) ? 0 : 30;
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 10);
    s->tune.rows_low = rng_percent(r, 60) ? s->tune.low : 60;
    s->tune.any_order = rng_percent(r, 60);
    s->left = rng_range(r, 40, 400);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct lsu_hybrid_stim *s = (struct lsu_hybrid_stim *)base;
    s->size = lsu_hybrid_local(c);
    s->sends = c->lsu_hybrid_messages != 2;
    s->sends_strided = c->lsu_hybrid_messages == 0;
    base->reset_every = 3000;
}

static void reset(struct stim *base) {
    struct lsu_hybrid_stim *s = (struct lsu_hybrid_stim *)base;
    s->fronted = s->weighed = false;
    s->here = -1;
    s->outs = s->quiet = 0;
    s->shown = s->size.ACCESSES - 1;
    memset(s->place, 0, sizeof s->place);
    memset(s->flight, 0, sizeof s->flight);
}

static void drive_access(struct lsu_hybrid_stim *s, struct lsu_hybrid_in *in) {
    const struct access *a = &s->offer;
    if (!s->offered && s->base.rst_left == 0 &&
        rng_percent(&s->base.rng, s->tune.asks))
        offer(s);
    in->access_valid = s->offered;
    in->access_store = a->store;
    in->access_warp = a->warp;
    in->access_reg = a->reg;
    in->access_mask = a->mask;
    memset(in->access_address, 0, sizeof in->access_address);
    for (int i = 0; i < s->size.LANES; i++)
        bits_or(in->access_address, 30 * i, 30, a->byte[i] / 4);
}

static void drive_answer(struct lsu_hybrid_stim *s, struct lsu_hybrid_in *in) {
    struct rng *r = &s->base.rng;
    int which = 0;
    in->answer_valid = in->answer_fault = in->answer_id = 0;
    for (int i = 0; i < s->size.WORDS; i++) /* noise, or the sector */
        bits_set_lane(in->answer_data, i, (uint32_t)rng_next(r));
    if (s->outs == 0 || s->base.rst_left > 0 ||
        !rng_percent(r, s->tune.answers))
        return;
    if (s->tune.any_order)
        which = (int)rng_below(r, (uint32_t)s->outs);
    in->answer_valid = 1;
    in->answer_id = s->out[which];
    in->answer_fault = rng_percent(r, s->tune.faults);
    memmove(s->out + which, s->out + which + 1,
            (size_t)(s->outs - which - 1) * sizeof s->out[0]);
    s->outs--;
}

static void drive_row(struct lsu_hybrid_stim *s, struct lsu_hybrid_in *in) {
    struct rng *r = &s->base.rng;
    in->fetched_valid = front(s)->row_due && s->base.rst_left == 0 &&
                        rng_percent(r, s->tune.answers);
    for (int i = 0; i < s->size.LANES; i++)
        bits_set_lane(in->fetched_data, i, (uint32_t)rng_next(r));
}

static void drive(struct stim *base, void *ports) {
    struct lsu_hybrid_stim *s = (struct lsu_hybrid_stim *)base;
    struct lsu_hybrid_in *in = ports;
    struct rng *r = &base->rng;
    int high = s->tune.high, low = s->tune.low;
    if (base->now == 0 || base->rst_left > 0) { /* another core */
        s->core = rng_below(r, (uint32_t)s->size.CORES);
        in->at_core = s->core;
        s->offered = false;
    }
    drive_access(s, in);
    drive_answer(s, in);
    drive_row(s, in);
    in->down_ready = toggle_step(&s->down, r, high, low);
    in->away_ready = toggle_step(&s->away, r, high, low);
    in->strided_ready = toggle_step(&s->strided, r, high, low);
    in->fetch_ready = toggle_step(&s->fetch, r, high, low);
    in->write_ready = toggle_step(&s->write, r, high, s->tune.rows_low);
}

/* --- requests ------------------------------------------------------------- */

static const char *check_message(struct lsu_hybrid_stim *s,
                                 const struct lsu_hybrid_out *o) {
    const struct work *w = front(s);
    const struct access *a = &w->a;
    if (!w->busy || !a->near)
        return stim_complain(&s->base, "a message%s",
                             w->busy ? " for an access that must not go near"
                                     : " that nobody wants");
    if (o->down_store != a->store || o->down_warp != a->warp ||
        o->down_reg != a->reg ||
        o->down_unit != a->warp % (uint64_t)s->size.UNITS)
        return stim_complain(&s->base, "a message names another register, "
                                       "unit or direction");
    if (o->down_address != at_core(s, a->byte[0]) / 4)
        return stim_complain(
            &s->base, "a message begins at word %" PRIx64 ", expected %" PRIx64,
            o->down_address, at_core(s, a->byte[0]) / 4);
    return NULL;
}

static const char *check_strided(struct lsu_hybrid_stim *s,
                                 const struct lsu_hybrid_out *o) {
    const struct work *w = front(s);
    const struct access *a = &w->a;
    if (!w->busy || !a->strided)
        return stim_complain(&s->base, "a strided message%s",
                             w->busy ? " for an access that must not be one"
                                     : " that nobody wants");
    if (o->strided_warp != a->warp || o->strided_reg != a->reg ||
        o->strided_mask != a->mask)
        return stim_complain(&s->base, "a strided message names another "
                                       "register or other lanes");
    uint64_t word = word_at_core(s, a->byte[lead_of(a->mask)]);
    if (o->strided_address != word || o->strided_step != a->step)
        return stim_complain(
            &s->base,
            "a strided message begins at word %" PRIx64 " by %" PRIx64
            ", expected %" PRIx64 " by %" PRIx64,
            o->strided_address, o->strided_step, word, a->step);
    return NULL;
}

/* Lanes of the transaction that has to come next; the lowest, -1: none. */
static int next_lead(const struct lsu_hybrid_stim *s, const struct work *w,
                     uint64_t *lanes) {
    uint64_t left = w->a.mask & ~w->served;
    int lead = 0;
    *lanes = 0;
    if (!w->busy || left == 0)
        return -1;
    while (!(left >> lead & 1))
        lead++;
    for (int i = lead; i < s->size.LANES; i++)
        if (left >> i & 1 &&
            sector_of(s, w->a.byte[i]) == sector_of(s, w->a.byte[lead]))
            *lanes |= bit(i);
    return lead;
}

static const char *check_data(struct lsu_hybrid_stim *s, const struct work *w,
                              uint64_t lanes, uint64_t strobe,
                              const uint64_t *data) {
    uint32_t word[WORDS] = {0};
    uint64_t has = 0;
    if (w->a.store && !w->row_in)
        return stim_complain(&s->base, "a store goes without its row");
    for (int i = 0; i < s->size.LANES && w->a.store; i++)
        if (lanes >> i & 1) {
            has |= bit(word_of(s, w->a.byte[i]));
            word[word_of(s, w->a.byte[i])] = w->row[i];
        }
    if (strobe != has)
        return stim_complain(&s->base,
                             "a transaction writes words %" PRIx64
                             ", expected %" PRIx64,
                             strobe, has);
    for (int i = 0; i < s->size.WORDS; i++)
        if (bits_lane(data, i) != word[i])
            return stim_complain(&s->base,
                                 "word %d of a transaction is %08" PRIx32
                                 ", expected %08" PRIx32,
                                 i, bits_lane(data, i), word[i]);
    return NULL;
}

/* begins: it was not there before this edge; then its id is the lowest that
 * was free then. */
static const char *check_transaction(struct lsu_hybrid_stim *s,
                                     const struct lsu_hybrid_out *o,
                                     bool begins, int free) {
    const struct work *w = front(s);
    uint64_t lanes;
    int lead = next_lead(s, w, &lanes);
    bool away = o->away_valid;
    uint64_t id = away ? o->away_id : o->down_id;
    if (lead < 0 || w->a.near || w->a.strided)
        return stim_complain(&s->base, "a transaction%s",
                             lead < 0 ? " that nobody wants"
                             : w->a.near
                                 ? " of an access that must go near"
                                 : " of an access that must be strided");
    if (s->here < 0)
        return stim_complain(&s->base, "a transaction of an access that has "
                                       "no place");
    uint64_t byte = sector_of(s, w->a.byte[lead]) * (uint64_t)s->size.SECTOR;
    if (begins && free == LANES)
        return stim_complain(&s->base, "a transaction while no id is free");
    if (begins && id != (uint64_t)free)
        return stim_complain(&s->base,
                             "a transaction has id %" PRIu64 ", expected %d",
                             id, free);
    if (begins)
        s->flight[id] =
            (struct flight){.busy = true, .place = s->here, .lanes = lanes};
    if (away != (core_of(s, byte) != s->core))
        return stim_complain(&s->base, "a sector is asked %s",
                             away ? "of another core, expected of the own banks"
                                  : "of the own banks, expected of another "
                                    "core");
    bool right = away ? o->away_core == core_of(s, byte) &&
                            o->away_address * (uint64_t)s->size.SECTOR ==
                                at_core(s, byte) &&
                            o->away_store == w->a.store
                      : o->down_unit == unit_of(s, byte) &&
                            o->down_address * 4 == at_core(s, byte) &&
                            o->down_store == w->a.store && o->down_warp == 0 &&
                            o->down_reg == 0;
    if (!right)
        return stim_complain(&s->base,
                             "the transaction of lane %d is for another "
                             "sector, place or direction",
                             lead);
    return check_data(s, w, lanes, away ? o->away_strobe : o->down_strobe,
                      away ? o->away_data : o->down_data);
}

static const char *check_requests(struct lsu_hybrid_stim *s,
                                  const struct lsu_hybrid_out *o, bool begins,
                                  int free) {
    if (o->down_valid + o->away_valid + o->strided_valid > 1)
        return stim_complain(&s->base, "requests at two ways together");
    if (o->down_valid && o->down_near)
        return check_message(s, o);
    if (o->strided_valid)
        return check_strided(s, o);
    if (o->down_valid || o->away_valid)
        return check_transaction(s, o, begins, free);
    return NULL;
}

/* A request has been taken. */
static void went(struct lsu_hybrid_stim *s, const struct lsu_hybrid_out *o) {
    struct work *w = front(s);
    uint64_t lanes;
    if (o->down_valid && o->down_near) {
        s->messages++;
        return;
    }
    if (next_lead(s, w, &lanes) < 0)
        return;
    w->served |= lanes;
    w->waiting |= lanes;
    w->cut = w->served == w->a.mask;
    s->out[s->outs++] = o->away_valid ? o->away_id : o->down_id;
    s->transactions++;
    if (w->cut) { /* the next access may come */
        s->fronted = false;
        s->here = -1;
    }
}

static void answered(struct lsu_hybrid_stim *s,
                     const struct lsu_hybrid_in *in) {
    struct flight *f = &s->flight[in->answer_id];
    struct work *w = &s->place[f->place];
    f->busy = false;
    w->waiting &= ~f->lanes;
    w->faulted |= in->answer_fault;
    for (int i = 0; i < s->size.LANES && !w->a.store; i++)
        if (f->lanes >> i & 1)
            w->row[i] = bits_lane(in->answer_data, word_of(s, w->a.byte[i]));
}

/* --- rows and ends -------------------------------------------------------- */

static const char *check_fetch(struct lsu_hybrid_stim *s,
                               const struct lsu_hybrid_out *o) {
    const struct work *w = front(s);
    if (!o->fetch_valid)
        return NULL;
    if (!w->busy || !w->a.store || s->here < 0 || w->row_due || w->row_in)
        return stim_complain(&s->base, "a row is asked for without need");
    if (o->fetch_warp != w->a.warp || o->fetch_reg != w->a.reg)
        return stim_complain(&s->base, "another register is asked for");
    return NULL;
}

/* held: a row was there before this edge; writes: whose turn it was. */
static const char *check_write(struct lsu_hybrid_stim *s,
                               const struct lsu_hybrid_out *o, bool held,
                               int writes) {
    if (!o->write_valid)
        return !held && writes >= 0
                   ? stim_complain(&s->base, "a row that is gathered is not "
                                             "written")
                   : NULL;
    if (!held && writes >= 0)
        s->shown = writes;
    const struct work *w = &s->place[s->shown];
    if ((!held && writes < 0) || w->wrote)
        return stim_complain(&s->base, "a row is written out of its turn");
    if (o->write_warp != w->a.warp || o->write_reg != w->a.reg ||
        o->write_mask != w->a.mask)
        return stim_complain(&s->base, "another row is written");
    for (int i = 0; i < s->size.LANES; i++)
        if (bits_lane(o->write_data, i) != w->row[i])
            return stim_complain(&s->base,
                                 "lane %d is written with %08" PRIx32
                                 ", expected %08" PRIx32,
                                 i, bits_lane(o->write_data, i), w->row[i]);
    return NULL;
}

/* ended: whose end this edge has to tell; NULL: nobody's. */
static const char *check_done(struct lsu_hybrid_stim *s,
                              const struct lsu_hybrid_out *o,
                              const struct work *ended) {
    if (!o->done_valid)
        return ended ? stim_complain(&s->base, "an access does not end") : NULL;
    if (!ended)
        return stim_complain(&s->base, "an access ends before its work");
    if (o->done_warp != ended->a.warp ||
        o->done_near != (ended->a.near || ended->a.strided) ||
        o->done_fault != ended->faulted)
        return stim_complain(&s->base, "an access ends as another one");
    return NULL;
}

/* The front may not rest while nobody holds it up; what waits in places has
 * its edges exactly. */
static const char *check_haste(struct lsu_hybrid_stim *s,
                               const struct lsu_hybrid_out *o) {
    const struct work *w = front(s);
    bool held = o->down_valid || o->away_valid || o->strided_valid ||
                o->fetch_valid || w->row_due ||
                (s->here < 0 && needs_place(&w->a) && all_taken(s)) ||
                (s->here >= 0 && lowest_id(s) == LANES);
    s->quiet = w->busy && !held ? s->quiet + 1 : 0;
    if (s->quiet > QUIET)
        return stim_complain(&s->base, "an access stands still");
    if (o->access_ready == s->fronted)
        return stim_complain(&s->base,
                             "'access_ready' is %d while an access "
                             "is %schecked or cut",
                             (int)o->access_ready, s->fronted ? "" : "not ");
    return NULL;
}

static void begin(struct lsu_hybrid_stim *s) {
    s->first = (struct work){.busy = true, .a = s->offer};
    s->fronted = true;
    s->weighed = false;
    s->here = -1;
    s->offered = false;
    s->accesses++;
}

/* The access that ends on this edge: the front's comes first. */
static const struct work *end_one(struct lsu_hybrid_stim *s, bool sent,
                                  const struct must *m) {
    if (sent || m->nobody) {
        s->fronted = false;
        return &s->first;
    }
    if (m->ends < 0)
        return NULL;
    s->place[m->ends].busy = false;
    return &s->place[m->ends];
}

static void fetched(struct lsu_hybrid_stim *s, const struct lsu_hybrid_in *in) {
    struct work *w = front(s);
    for (int i = 0; i < s->size.LANES; i++)
        w->row[i] = bits_lane(in->fetched_data, i);
    w->row_due = false;
    w->row_in = true;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct lsu_hybrid_stim *s = (struct lsu_hybrid_stim *)base;
    const struct lsu_hybrid_in *in = in_ports;
    const struct lsu_hybrid_out *before = before_ports, *after = after_ports;
    bool asked = before->down_valid || before->away_valid;
    bool taken = (before->down_valid && in->down_ready) ||
                 (before->away_valid && in->away_ready);
    bool strided = before->strided_valid && in->strided_ready;
    bool sent = strided || (taken && before->down_valid && before->down_near);
    struct must m = look_ahead(s);
    give_place(s);
    if (in->answer_valid)
        answered(s, in);
    if (taken)
        went(s, before);
    s->strideds += strided;
    if (in->fetched_valid)
        fetched(s, in);
    if (before->fetch_valid && in->fetch_ready)
        front(s)->row_due = true;
    if (before->write_valid && in->write_ready)
        s->place[s->shown].wrote = true;
    check_done(s, after, end_one(s, sent, &m));
    if (before->access_ready && in->access_valid)
        begin(s);
    check_requests(s, after, !asked || taken, m.id);
    check_fetch(s, after);
    check_write(s, after, before->write_valid, m.writes);
    check_haste(s, after);
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct lsu_hybrid_stim *s = (const struct lsu_hybrid_stim *)base;
    text_printf(t, "accesses\t%" PRIu64 "\n", s->accesses);
    text_printf(t, "messages\t%" PRIu64 "\n", s->messages);
    text_printf(t, "strided messages\t%" PRIu64 "\n", s->strideds);
    text_printf(t, "transactions\t%" PRIu64 "\n", s->transactions);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class lsu_hybrid_stim = {
    .size = sizeof(struct lsu_hybrid_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

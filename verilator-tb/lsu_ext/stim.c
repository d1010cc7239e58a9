/* stim.c - stimulus of the load-store extension: a load-store unit that sends
 * messages and transactions, a near register file, and a memory behind each
 * unit that answers late and in any order.
 *
 * The environment carries out each request when it goes down, in the bytes of
 * a memory of its own: what each request to a unit's memory has to be, what
 * each answer and each row has to hold is known from then on.  The memories
 * behind the units do what they are asked, when they are asked; whenever
 * nothing is under way they have to hold the same.
 *
 * A strided message is known by the tags of its sectors: they may pass
 * transactions and messages of their units, so that its lanes have to hold what
 * the memories answered, when they did.  Its words may lie anywhere.
 *
 * random    phases with other kinds, rates and patience
 * directed  kind after kind, with and without haste
 */
#include "stim.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/lsu_ext.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    WORDS = 8,
    UNITS = 16,
    SPAN = 17,
    POOL = 48,   /* lines that are used for a while, three for each unit */
    FLIGHT = 48, /* requests of a unit under way: answers, rows, work, entry */
    ASKED = 240, /* sectors of a unit under way */
    GATHERS = 8,
    GATHERED =
        GATHERS + 3,      /* strided messages under way: in front, entry, end */
    QUIET = 3,            /* edges at most without a reason */
    QUIET_GATHER = 8,     /* ... of strided messages */
    STRIDED_ENTRY = 1000, /* what was taken last is a strided message */
    DATA64 = 4            /* 64-bit words of a sector */
};

enum kind { LOAD, STORE, NEAR_LOAD, NEAR_STORE, STRIDED, KINDS };

struct tune {
    int kind;        /* KINDS: any of them */
    int asks;        /* percent of the edges with something to send */
    int responses;   /* percent of the edges, if there is one to give */
    int rows;        /* likewise */
    int faults;      /* percent of the sectors that are not there */
    int one;         /* percent of the requests that go to the same unit */
    int high, low;   /* longest times that outputs are taken, and not */
    int rests;       /* longest time that no memory answers */
    bool any_order;  /* responses, else the oldest first */
    bool from_lines; /* rows begin with their line */
    int lines;       /* of each unit that are used */
};

/* A line of the memory, as it is to be (done) and as it is (there). */
struct line {
    uint64_t number; /* at its core */
    uint32_t *done, *there;
    bool *gone; /* sectors that are not there */
};

/* A request that went down. */
struct request {
    enum kind kind;
    uint64_t warp, reg, id;
    uint64_t word; /* at its core */
    int sectors;   /* that it wants */
    int asked;     /* that its memory was asked for */
    int come;      /* and has answered */
    bool fault, fetched;
    bool written;                 /* of a load: the row */
    uint32_t lane[LANES];         /* row, as it has to be */
    uint32_t data[WORDS];         /* of a transaction, likewise */
    uint64_t strobe[SPAN];        /* of a store, by sector */
    uint32_t stored[SPAN][WORDS]; /* likewise */
    uint64_t mask, step;          /* of a strided message */
};

/* A sector of a strided message: the words of its lanes. */
struct part {
    int unit;
    uint64_t first; /* its first word, at the core */
    int lead;       /* its lowest lane */
    bool asked, come;
};

/* A strided message that went down. */
struct gather {
    uint64_t warp, reg, mask;
    uint64_t word[LANES]; /* at the core */
    struct part part[LANES];
    int parts, asked, come;
    int place; /* -1: none of its sectors has been asked for */
    bool fault, written;
    uint32_t lane[LANES]; /* what the memories answered, zero where none */
};

/* A request at a unit's memory. */
struct asked {
    uint64_t tag;
    uint64_t sector; /* of the unit */
    bool store;
    uint64_t strobe;
    uint32_t data[WORDS];
    int of;   /* the request that went down: its place in the unit's flight */
    int part; /* of a strided message, and of: its place among these; else -1 */
};

struct unit {
    struct request flight[FLIGHT]; /* the oldest first */
    int flights;
    struct asked asked[ASKED];
    int askeds;
    int quiet; /* edges on which nothing held it up */
};

struct near {
    uint32_t lane[LANES]; /* as it is */
    uint32_t will[LANES]; /* when all that went down is done */
    int loads, stores;    /* messages under way */
};

struct lsu_ext_stim {
    struct stim base;
    struct lsu_ext_local size;
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* of the directed kinds */
    struct toggle answer, fetch, load, done, mem[UNITS];
    struct toggle rests; /* all memories, so that they answer together then */
    struct line line[POOL];
    int lines;
    struct near *near; /* by warp and register */
    struct request offer;
    bool offered, fresh; /* fresh: the lines are to be drawn anew */
    struct unit unit[UNITS];
    struct gather gather[GATHERED]; /* the oldest first */
    int gathers;
    int settling; /* answers for them that may still be queued */
    int entry;    /* unit of the request that was taken last, -1 */
    uint64_t ids; /* of transactions under way */
    bool fetching;
    struct near *row; /* that was asked for */
    int row_unit;
    int quiet_answer, quiet_end, quiet_fetch, quiet_gather;
    uint64_t messages, strided, transactions, sectors, compared;
};

/* --- where a word lies ---------------------------------------------------- */

static uint64_t line_words(const struct lsu_ext_stim *s) {
    return (uint64_t)s->size.LINE / 4;
}

static struct line *line_of(struct lsu_ext_stim *s, uint64_t word) {
    for (int i = 0; i < s->lines; i++)
        if (s->line[i].number == word / line_words(s))
            return &s->line[i];
    return NULL;
}

/* The word at the core that a unit's sector begins with. */
static uint64_t word_of(const struct lsu_ext_stim *s, int unit,
                        uint64_t sector) {
    uint64_t word = sector * (uint64_t)s->size.WORDS;
    uint64_t line =
        word / line_words(s) * (uint64_t)s->size.UNITS + (uint64_t)unit;
    return line * line_words(s) + word % line_words(s);
}

static int unit_of(const struct lsu_ext_stim *s, uint64_t word) {
    return (int)(word / line_words(s) % (uint64_t)s->size.UNITS);
}

/* What nobody stores to: words of lines that are not used. */
static uint32_t far_word(uint64_t word) {
    return (uint32_t)(word * 0x9e3779b97f4a7c15 >> 29);
}

/* Whether it is not there, of sixteen lines one if any. */
static bool far_gone(const struct lsu_ext_stim *s, uint64_t word) {
    return s->tune.faults > 0 && far_word(word / line_words(s)) % 16 == 0;
}

static bool is_gone(const struct lsu_ext_stim *s, const struct line *l,
                    uint64_t word) {
    return l->gone[word % line_words(s) / (uint64_t)s->size.WORDS];
}

static struct near *near_of(struct lsu_ext_stim *s, uint64_t warp,
                            uint64_t reg) {
    return &s->near[warp * (uint64_t)s->size.REGS + reg];
}

/* --- lines ---------------------------------------------------------------- */

/* Other lines, with other words; nothing is under way. */
static void draw_lines(struct lsu_ext_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t units = (uint64_t)s->size.UNITS;
    uint64_t rounds = bit(s->size.AT_W) / line_words(s) / units;
    s->lines = 3 * s->size.UNITS;
    for (int i = 0; i < s->lines; i++) {
        struct line *l = &s->line[i];
        uint64_t unit = (uint64_t)i % units, round;
        bool used = true;
        while (used) {
            /* the last of all, two behind each other, any */
            round = i / s->size.UNITS == 0 && rng_percent(r, 30)
                        ? rounds - 1
                        : rng_next(r) % rounds;
            if (i / s->size.UNITS == 1 && rng_percent(r, 50))
                round =
                    (s->line[i - s->size.UNITS].number / units + 1) % rounds;
            used = false;
            for (int k = 0; k < i; k++)
                used |= s->line[k].number == round * units + unit;
        }
        l->number = round * units + unit;
        for (uint64_t w = 0; w < line_words(s); w++) {
            bool gone = w % (uint64_t)s->size.WORDS == 0
                            ? rng_percent(r, s->tune.faults)
                            : is_gone(s, l, w);
            l->gone[w / (uint64_t)s->size.WORDS] = gone;
            l->done[w] = l->there[w] = gone ? 0 : (uint32_t)rng_next(r);
        }
    }
}

/* --- requests ------------------------------------------------------------- */

static struct gather *gather_of(struct lsu_ext_stim *s, uint64_t warp,
                                uint64_t reg) {
    for (int i = 0; i < s->gathers; i++)
        if (s->gather[i].warp == warp && s->gather[i].reg == reg)
            return &s->gather[i];
    return NULL;
}

static bool is_near(enum kind k) {
    return k == NEAR_LOAD || k == NEAR_STORE;
}

static bool is_store(enum kind k) {
    return k == STORE || k == NEAR_STORE;
}

static bool offer_near(struct lsu_ext_stim *s, struct request *q, int unit) {
    struct rng *r = &s->base.rng;
    uint64_t room = line_words(s) - (uint64_t)s->size.LANES;
    int home =
        s->size.WARPS > unit ? (s->size.WARPS - unit - 1) / s->size.UNITS : -1;
    if (home < 0)
        return false; /* no warp is at home there */
    q->warp = rng_below(r, (uint32_t)home + 1) * (uint64_t)s->size.UNITS +
              (uint64_t)unit;
    q->reg = rng_below(r, (uint32_t)s->size.REGS);
    struct near *n = near_of(s, q->warp, q->reg);
    if (n->loads > 0) /* its row is still to come */
        return false;
    q->id = 0;
    if (!s->tune.from_lines)
        q->word += rng_next(r) % (room + 1);
    return true;
}

static bool offer_far(struct lsu_ext_stim *s, struct request *q) {
    struct rng *r = &s->base.rng;
    uint64_t words = (uint64_t)s->size.WORDS;
    q->warp = q->reg = 0;
    q->id = rng_below(r, (uint32_t)s->size.LANES);
    if (s->ids >> q->id & 1)
        return false;
    q->word += rng_next(r) % (line_words(s) / words) * words;
    if (q->kind != STORE)
        return true;
    q->strobe[0] = rng_percent(r, 30) ? ones(s->size.WORDS)
                                      : rng_next(r) & ones(s->size.WORDS);
    for (int i = 0; i < s->size.WORDS; i++)
        q->stored[0][i] = q->strobe[0] >> i & 1 ? (uint32_t)rng_next(r) : 0;
    return true;
}

static uint64_t some_mask(struct lsu_ext_stim *s) {
    struct rng *r = &s->base.rng;
    int lanes = s->size.LANES, from = (int)rng_below(r, (uint32_t)lanes);
    uint64_t mask = ones(lanes);
    int shape = (int)rng_below(r, 5);
    if (shape == 0) /* lanes in a row */
        mask = ones((int)rng_below(r, (uint32_t)(lanes - from)) + 1) << from;
    if (shape == 1) /* one */
        mask = bit(from);
    if (shape == 2)
        mask = rng_next(r) & ones(lanes);
    return mask ? mask : bit(from);
}

/* Steps within a sector, over sectors, units and rounds, and any. */
static uint64_t some_step(struct lsu_ext_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t line = line_words(s), step = rng_below(r, 10);
    switch (rng_below(r, 8)) {
    case 0:
        step = 0;
        break;
    case 1:
        step = 1;
        break;
    case 2:
        step = (uint64_t)s->size.WORDS;
        break;
    case 3:
        step = line * (rng_next(r) % 3 + 1);
        break;
    case 4:
        step = line * (uint64_t)s->size.UNITS;
        break;
    case 5:
        step = rng_next(r);
        break;
    case 6: /* the longest of either sign */
        step = bit(s->size.STEP_W - 1) - rng_below(r, 2);
        break;
    default:
        break;
    }
    if (rng_percent(r, 40))
        step = 0 - step;
    return step & ones(s->size.STEP_W);
}

static bool offer_strided(struct lsu_ext_stim *s, struct request *q) {
    struct rng *r = &s->base.rng;
    q->warp = rng_below(r, (uint32_t)s->size.WARPS);
    q->reg = rng_below(r, (uint32_t)s->size.REGS);
    struct near *n = near_of(s, q->warp, q->reg);
    if (n->loads > 0 || n->stores > 0)
        return false;
    q->mask = some_mask(s);
    q->step = some_step(s);
    q->word += rng_next(r) % line_words(s);
    if (rng_percent(r, 10))
        q->word = rng_next(r) & ones(s->size.AT_W);
    if (rng_percent(r, 5)) /* over the end of all words */
        q->word = (0 - rng_below(r, (uint32_t)s->size.LANES * 2)) &
                  ones(s->size.AT_W);
    return true;
}

static void offer(struct lsu_ext_stim *s) {
    struct rng *r = &s->base.rng;
    struct request *q = &s->offer;
    int unit = rng_percent(r, s->tune.one)
                   ? s->turn % s->size.UNITS
                   : (int)rng_below(r, (uint32_t)s->size.UNITS);
    int line =
        (int)rng_below(r, (uint32_t)s->tune.lines) * s->size.UNITS + unit;
    memset(q, 0, sizeof *q);
    q->kind = s->tune.kind == KINDS ? (enum kind)rng_below(r, KINDS)
                                    : (enum kind)s->tune.kind;
    q->word = s->line[line].number * line_words(s);
    s->offered = q->kind == STRIDED ? offer_strided(s, q)
                 : is_near(q->kind) ? offer_near(s, q, unit)
                                    : offer_far(s, q);
}

/* Where its words lie, and which sectors it needs: those of its lanes from the
 * lowest on. */
static void spread(struct lsu_ext_stim *s, const struct request *q) {
    struct gather *g = &s->gather[s->gathers++];
    int64_t step = (int64_t)q->step;
    int lead = -1;
    if (q->step >> (s->size.STEP_W - 1) & 1)
        step -= (int64_t)bit(s->size.STEP_W);
    *g = (struct gather){
        .warp = q->warp, .reg = q->reg, .mask = q->mask, .place = -1};
    for (int i = 0; i < s->size.LANES; i++) {
        if (!(q->mask >> i & 1))
            continue;
        lead = lead < 0 ? i : lead;
        g->word[i] =
            (q->word + (uint64_t)(step * (i - lead))) & ones(s->size.AT_W);
        uint64_t first = g->word[i] - g->word[i] % (uint64_t)s->size.WORDS;
        bool known = false;
        for (int k = 0; k < g->parts; k++)
            known |= g->part[k].first == first;
        if (!known)
            g->part[g->parts++] = (struct part){
                .unit = unit_of(s, first), .first = first, .lead = i};
    }
    near_of(s, q->warp, q->reg)->loads++;
}

/* Carry it out: what it loads, and what is there from now on. */
static void carry_out(struct lsu_ext_stim *s, struct request *q) {
    struct line *l = line_of(s, q->word);
    uint64_t at = q->word % line_words(s);
    int words = s->size.WORDS, first = (int)(q->word % (uint64_t)words);
    if (!is_near(q->kind)) {
        q->sectors = 1;
        q->fault = is_gone(s, l, q->word);
        for (int i = 0; i < words; i++) {
            if (q->kind == LOAD)
                q->data[i] = l->done[at + (uint64_t)i];
            else if (q->strobe[0] >> i & 1 && !q->fault)
                l->done[at + (uint64_t)i] = q->stored[0][i];
        }
        return;
    }
    struct near *n = near_of(s, q->warp, q->reg);
    for (int i = 0; i < s->size.LANES; i++) {
        int k = (first + i) / words, w = (first + i) % words;
        bool gone = is_gone(s, l, q->word + (uint64_t)i);
        uint32_t *word = &l->done[at + (uint64_t)i];
        q->sectors = k + 1;
        q->fault |= gone;
        if (q->kind == NEAR_LOAD) {
            q->lane[i] = n->will[i] = *word;
            continue;
        }
        q->lane[i] = n->will[i];
        q->strobe[k] |= bit(w);
        q->stored[k][w] = n->will[i];
        if (!gone)
            *word = n->will[i];
    }
    n->loads += q->kind == NEAR_LOAD;
    n->stores += q->kind == NEAR_STORE;
}

/* --- phases --------------------------------------------------------------- */

static bool is_idle(const struct lsu_ext_stim *s) {
    bool idle = !s->offered && s->gathers == 0;
    for (int u = 0; u < s->size.UNITS; u++)
        idle &= s->unit[u].flights == 0;
    return idle;
}

static void step_directed(struct stim *base) {
    struct lsu_ext_stim *s = (struct lsu_ext_stim *)base;
    if (s->left-- > 0)
        return;
    int n = s->turn / (KINDS + 1);
    s->tune = (struct tune){
        .kind = s->turn % (KINDS + 1),
        .asks = 100,
        .responses = n & 1 ? 30 : 100,
        .rows = n & 1 ? 30 : 100,
        .faults = n & 1 ? 10 : 0,
        .one = n & 2 ? 100 : 0,
        .high = 2,
        .low = n & 1 ? 3 : 0,
        .rests = n & 2 ? 0 : 10,
        .any_order = n & 1,
        .from_lines = n & 4,
        .lines = 2,
    };
    s->fresh = true;
    s->turn++;
    s->left = 120;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 5};
    struct lsu_ext_stim *s = (struct lsu_ext_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.kind = rng_percent(r, 60) ? KINDS : (int)rng_below(r, KINDS);
    s->tune.asks = rates[rng_below(r, 4)];
    s->tune.responses = rates[rng_below(r, 5)];
    s->tune.rows = rates[rng_below(r, 5)];
    s->tune.faults = rng_percent(r, 50) ? 0 : 15;
    s->tune.one = rng_percent(r, 50) ? 0 : rng_range(r, 0, 2) * 50;
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 10);
    s->tune.rests = rng_percent(r, 50) ? 0 : rng_range(r, 4, 30);
    s->tune.any_order = rng_percent(r, 60);
    s->tune.from_lines = rng_percent(r, 30);
    s->tune.lines = rng_range(r, 1, 3);
    s->fresh |= rng_percent(r, 60);
    s->turn = (int)rng_below(r, UNITS);
    s->left = rng_range(r, 40, 400);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct lsu_ext_stim *s = (struct lsu_ext_stim *)base;
    s->size = lsu_ext_local(c);
    s->near = xcalloc((size_t)(s->size.WARPS * s->size.REGS), sizeof *s->near);
    for (int i = 0; i < POOL; i++) {
        s->line[i].done = xcalloc(line_words(s), sizeof(uint32_t));
        s->line[i].there = xcalloc(line_words(s), sizeof(uint32_t));
        s->line[i].gone = xcalloc(line_words(s), sizeof(bool));
    }
    s->fresh = true;
    base->reset_every = 4000;
}

static void close(struct stim *base) {
    struct lsu_ext_stim *s = (struct lsu_ext_stim *)base;
    free(s->near);
    for (int i = 0; i < POOL; i++) {
        free(s->line[i].done);
        free(s->line[i].there);
        free(s->line[i].gone);
    }
}

/* All that was under way is gone, wherever it was: memory and registers are as
 * they are. */
static void reset(struct stim *base) {
    struct lsu_ext_stim *s = (struct lsu_ext_stim *)base;
    memset(s->unit, 0, sizeof s->unit);
    s->offered = s->fetching = false;
    s->entry = -1;
    s->ids = 0;
    s->quiet_answer = s->quiet_end = s->quiet_fetch = s->quiet_gather = 0;
    s->gathers = s->settling = 0;
    for (int i = 0; i < s->size.WARPS * s->size.REGS; i++) {
        struct near *n = &s->near[i];
        n->loads = n->stores = 0;
        memcpy(n->will, n->lane, sizeof n->will);
    }
    for (int i = 0; i < s->lines; i++)
        memcpy(s->line[i].done, s->line[i].there,
               line_words(s) * sizeof(uint32_t));
}

static void drive_down(struct lsu_ext_stim *s, struct lsu_ext_in *in) {
    const struct request *q = &s->offer;
    if (!s->offered && s->fresh && is_idle(s)) {
        draw_lines(s);
        s->fresh = false;
    }
    if (!s->offered && !s->fresh && s->base.rst_left == 0 &&
        rng_percent(&s->base.rng, s->tune.asks))
        offer(s);
    memset(in->down_data, 0, sizeof in->down_data);
    in->down_valid = s->offered;
    in->down_near = is_near(q->kind);
    in->down_store = is_store(q->kind);
    in->down_unit = (uint64_t)unit_of(s, q->word);
    in->down_near |= q->kind == STRIDED;
    in->down_warp = q->warp;
    in->down_reg = q->reg;
    in->down_id = q->id;
    in->down_address = q->word;
    in->down_strobe = q->strobe[0];
    in->down_strided = q->kind == STRIDED;
    in->down_mask = q->mask;
    in->down_step = q->step;
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(in->down_data, i, q->stored[0][i]);
}

/* The memory does it now. */
static void do_asked(struct lsu_ext_stim *s, int unit, struct asked *a,
                     uint32_t *out, bool *fault) {
    uint64_t word = word_of(s, unit, a->sector);
    struct line *l = line_of(s, word);
    uint64_t at = word % line_words(s);
    *fault = l ? is_gone(s, l, word) : far_gone(s, word);
    for (int i = 0; i < s->size.WORDS; i++) {
        if (!l) {
            out[i] = far_word(word + (uint64_t)i);
            continue;
        }
        out[i] = a->store ? 0 : l->there[at + (uint64_t)i];
        if (a->store && a->strobe >> i & 1 && !*fault)
            l->there[at + (uint64_t)i] = a->data[i];
    }
}

/* A sector of a strided message has come: its lanes hold that from now on. */
static void part_comes(struct lsu_ext_stim *s, const struct asked *a,
                       const uint32_t *data, bool fault) {
    struct gather *g = &s->gather[a->of];
    struct part *p = &g->part[a->part];
    struct near *n = near_of(s, g->warp, g->reg);
    p->come = true;
    g->come++;
    g->fault |= fault;
    s->settling++;
    for (int i = 0; i < s->size.LANES; i++) {
        uint64_t at = g->word[i] - p->first;
        if (g->mask >> i & 1 && at < (uint64_t)s->size.WORDS)
            g->lane[i] = n->will[i] = data[at];
    }
}

/* One that no older request for its sector waits in front of. */
static int some_asked(struct lsu_ext_stim *s, struct unit *u) {
    int which = 0;
    if (s->tune.any_order)
        which = (int)rng_below(&s->base.rng, (uint32_t)u->askeds);
    for (int i = 0; i < which; i++)
        if (u->asked[i].sector == u->asked[which].sector)
            which = i;
    return which;
}

static void drive_responses(struct lsu_ext_stim *s, struct lsu_ext_in *in) {
    struct rng *r = &s->base.rng;
    bool may = toggle_step(&s->rests, r, 8, s->tune.rests);
    in->rsp_valid = in->rsp_fault = 0;
    memset(in->rsp_id, 0, sizeof in->rsp_id);
    for (int n = 0; n < s->size.UNITS; n++) {
        struct unit *u = &s->unit[n];
        uint32_t data[WORDS];
        bool fault = false;
        for (int i = 0; i < s->size.WORDS; i++) /* noise, or the sector */
            data[i] = (uint32_t)rng_next(r);
        if (u->askeds > 0 && may && s->base.rst_left == 0 &&
            rng_percent(r, s->tune.responses)) {
            int which = some_asked(s, u);
            struct asked a = u->asked[which];
            do_asked(s, n, &a, data, &fault);
            in->rsp_valid |= bit(n);
            in->rsp_fault |= (uint64_t)fault << n;
            bits_or(in->rsp_id, n * s->size.TAG_W, s->size.TAG_W, a.tag);
            if (a.part >= 0)
                part_comes(s, &a, data, fault);
            else
                u->flight[a.of].come++;
            memmove(u->asked + which, u->asked + which + 1,
                    (size_t)(u->askeds - which - 1) * sizeof u->asked[0]);
            u->askeds--;
        }
        for (int i = 0; i < s->size.WORDS; i++)
            bits_set_lane(in->rsp_data, n * s->size.WORDS + i, data[i]);
    }
}

static void drive_row(struct lsu_ext_stim *s, struct lsu_ext_in *in) {
    struct rng *r = &s->base.rng;
    in->fetched_valid =
        s->fetching && s->base.rst_left == 0 && rng_percent(r, s->tune.rows);
    for (int i = 0; i < s->size.LANES; i++)
        bits_set_lane(in->fetched_data, i,
                      in->fetched_valid ? s->row->lane[i]
                                        : (uint32_t)rng_next(r));
}

static void drive(struct stim *base, void *ports) {
    struct lsu_ext_stim *s = (struct lsu_ext_stim *)base;
    struct lsu_ext_in *in = ports;
    struct rng *r = &base->rng;
    int high = s->tune.high, low = s->tune.low;
    if (base->rst_left > 0)
        s->offered = false;
    drive_down(s, in);
    drive_responses(s, in);
    drive_row(s, in);
    in->answer_ready = toggle_step(&s->answer, r, high, low);
    in->fetch_ready = toggle_step(&s->fetch, r, high, low);
    in->load_ready = toggle_step(&s->load, r, high, low);
    in->done_ready = toggle_step(&s->done, r, high, low);
    in->mem_ready = 0;
    for (int u = 0; u < s->size.UNITS; u++)
        in->mem_ready |= (uint64_t)toggle_step(&s->mem[u], r, high, low) << u;
}

/* --- requests to the memories --------------------------------------------- */

/* The request that a unit has to ask its memory for, NULL: none. */
static struct request *asks_next(struct unit *u) {
    for (int i = 0; i < u->flights; i++)
        if (u->flight[i].asked < u->flight[i].sectors)
            return &u->flight[i];
    return NULL;
}

static int waiting(const struct unit *u) {
    int n = 0;
    for (int i = 0; i < u->flights; i++)
        n += u->flight[i].asked < u->flight[i].sectors;
    return n;
}

/* The strided message whose next sector a unit has to ask for, and which one;
 * NULL: none. */
static struct gather *gathers_next(struct lsu_ext_stim *s, int unit, int *at) {
    for (int i = 0; i < s->gathers; i++)
        for (int k = 0; k < s->gather[i].parts; k++)
            if (s->gather[i].part[k].unit == unit &&
                !s->gather[i].part[k].asked) {
                *at = k;
                return &s->gather[i];
            }
    return NULL;
}

static bool gathers_from(struct lsu_ext_stim *s, int unit) {
    int at;
    return gathers_next(s, unit, &at) != NULL;
}

/* Whose answer it is; NULL: nobody's. */
static struct request *by_id(struct lsu_ext_stim *s, uint64_t id,
                             struct unit **unit) {
    for (int n = 0; n < s->size.UNITS; n++)
        for (int i = 0; i < s->unit[n].flights; i++) {
            struct request *q = &s->unit[n].flight[i];
            *unit = &s->unit[n];
            if (!is_near(q->kind) && q->id == id)
                return q;
        }
    *unit = NULL;
    return NULL;
}

/* What shows is of a strided message. */
static bool loads_strided(struct lsu_ext_stim *s, const struct lsu_ext_out *o) {
    const struct gather *g = gather_of(s, o->load_warp, o->load_reg);
    return o->load_valid && g && !g->written;
}

static bool ends_strided(struct lsu_ext_stim *s, const struct lsu_ext_out *o) {
    const struct gather *g = gather_of(s, o->done_warp, o->done_reg);
    return o->done_valid && !o->done_store && g && g->written;
}

/* Messages of a unit with places: those whose end is not shown yet. */
static bool rows_full(struct lsu_ext_stim *s, int unit,
                      const struct lsu_ext_out *o) {
    struct unit *u = &s->unit[unit];
    uint64_t units = (uint64_t)s->size.UNITS;
    int n = 0;
    for (int i = 0; i < u->flights; i++)
        n += is_near(u->flight[i].kind) &&
             u->flight[i].asked == u->flight[i].sectors;
    n -= o->load_valid && !loads_strided(s, o) &&
         o->load_warp % units == (uint64_t)unit;
    n -= o->done_valid && !ends_strided(s, o) &&
         o->done_warp % units == (uint64_t)unit;
    return n >= s->size.ROWS;
}

/* What is open: transactions whose answer is not shown yet, sectors of strided
 * messages until they have left the queue, which is seldom seen: counted are
 * those without a response, and may be those that settle. */
static bool answers_full(struct lsu_ext_stim *s, int unit, bool settling,
                         const struct lsu_ext_out *o) {
    struct unit *u = &s->unit[unit], *shown;
    int n = settling ? s->settling : 0;
    for (int i = 0; i < u->flights; i++)
        n += !is_near(u->flight[i].kind) && u->flight[i].asked;
    for (int i = 0; i < u->askeds; i++)
        n += u->asked[i].part >= 0;
    if (o->answer_valid && by_id(s, o->answer_id, &shown) && shown == u)
        n--;
    return n >= s->size.ANSWERS;
}

static bool no_room(struct lsu_ext_stim *s, int unit, bool near, bool settling,
                    const struct lsu_ext_out *o) {
    return near ? rows_full(s, unit, o) : answers_full(s, unit, settling, o);
}

static void read_mem(const struct lsu_ext_stim *s, const struct lsu_ext_out *o,
                     int unit, struct asked *a) {
    a->tag = bits_get(o->mem_id, unit * s->size.TAG_W, s->size.TAG_W);
    a->part = -1;
    a->sector = bits_get(o->mem_address, unit * s->size.OWN_W, s->size.OWN_W);
    a->store = o->mem_store >> unit & 1;
    a->strobe = bits_get(o->mem_strobe, unit * s->size.WORDS, s->size.WORDS);
    for (int i = 0; i < s->size.WORDS; i++)
        a->data[i] = bits_lane(o->mem_data, unit * s->size.WORDS + i);
}

/* --- tags: part, place, near, strided ------------------------------------- */

static bool is_strided(const struct lsu_ext_stim *s, uint64_t tag) {
    return tag >> (s->size.TAG_W - 1) & 1;
}

static int place_of(const struct lsu_ext_stim *s, uint64_t tag) {
    return (int)(tag >> s->size.PART_W & ones(s->size.SPOT_W));
}

/* A place is its message's alone, from its first sector until its row. */
static const char *check_place(struct lsu_ext_stim *s, const struct gather *g,
                               int place) {
    bool wrong =
        place >= s->size.GATHERS || (g->place >= 0 && g->place != place);
    for (int i = 0; i < s->gathers; i++)
        wrong |= &s->gather[i] != g && s->gather[i].place == place &&
                 !s->gather[i].written;
    return wrong ? stim_complain(&s->base,
                                 "a strided message has the place of another")
                 : NULL;
}

static const char *check_strided(struct lsu_ext_stim *s, int unit,
                                 const struct asked *a) {
    int at;
    const struct gather *g = gathers_next(s, unit, &at);
    uint64_t word = word_of(s, unit, a->sector);
    if (!g)
        return stim_complain(&s->base,
                             "unit %d asks for a sector that no strided "
                             "message wants of it",
                             unit);
    if (word != g->part[at].first)
        return stim_complain(&s->base,
                             "unit %d asks for word %" PRIx64
                             " of a strided message, expected %" PRIx64,
                             unit, word, g->part[at].first);
    uint64_t rest = a->strobe;
    for (int i = 0; i < s->size.WORDS; i++)
        rest |= a->data[i];
    if (a->store || rest)
        return stim_complain(&s->base, "unit %d stores for a strided message",
                             unit);
    uint64_t part = a->tag & ones(s->size.PART_W);
    if (part != (uint64_t)g->part[at].lead || a->tag >> (s->size.TAG_W - 2) & 1)
        return stim_complain(&s->base,
                             "unit %d asks for lane %" PRIu64
                             " of a strided message, expected %d",
                             unit, part, g->part[at].lead);
    return check_place(s, g, place_of(s, a->tag));
}

static const char *check_own(struct lsu_ext_stim *s, int unit,
                             const struct asked *a) {
    struct request *q = asks_next(&s->unit[unit]);
    if (!q)
        return stim_complain(
            &s->base, "unit %d asks for a sector that nobody wants", unit);
    uint64_t first = q->word - q->word % (uint64_t)s->size.WORDS +
                     (uint64_t)(q->asked * s->size.WORDS);
    if (word_of(s, unit, a->sector) != first)
        return stim_complain(
            &s->base, "unit %d asks for word %" PRIx64 ", expected %" PRIx64,
            unit, word_of(s, unit, a->sector), first);
    if (a->store != is_store(q->kind))
        return stim_complain(&s->base, "unit %d %s", unit,
                             a->store ? "stores what is to be loaded"
                                      : "loads what is to be stored");
    if (q->kind == NEAR_STORE && !q->fetched)
        return stim_complain(&s->base, "unit %d stores without its row", unit);
    if (a->strobe != q->strobe[q->asked])
        return stim_complain(
            &s->base, "unit %d writes words %" PRIx64 ", expected %" PRIx64,
            unit, a->strobe, q->strobe[q->asked]);
    for (int i = 0; i < s->size.WORDS; i++)
        if (a->data[i] != q->stored[q->asked][i])
            return stim_complain(&s->base,
                                 "unit %d stores %08" PRIx32
                                 " as word %d, expected %08" PRIx32,
                                 unit, a->data[i], i, q->stored[q->asked][i]);
    return NULL;
}

static const char *check_asked(struct lsu_ext_stim *s, int unit,
                               const struct lsu_ext_out *o) {
    struct unit *u = &s->unit[unit];
    struct request *q = asks_next(u);
    struct asked a;
    read_mem(s, o, unit, &a);
    bool strided = is_strided(s, a.tag);
    if (strided ? check_strided(s, unit, &a) : check_own(s, unit, &a))
        return s->base.message;
    for (int i = 0; i < u->askeds; i++)
        if (u->asked[i].tag == a.tag)
            return stim_complain(
                &s->base, "unit %d gives tag %" PRIx64 " twice", unit, a.tag);
    if (no_room(s, unit, !strided && is_near(q->kind), false, o))
        return stim_complain(&s->base,
                             "unit %d asks for what it has no place for", unit);
    return NULL;
}

/* The channel rules, which the frame cannot know of packed channels. */
static const char *check_still(struct lsu_ext_stim *s, int unit,
                               const struct lsu_ext_in *in,
                               const struct lsu_ext_out *before,
                               const struct lsu_ext_out *after) {
    struct asked was, is;
    bool valid = after->mem_valid >> unit & 1;
    memset(&was, 0, sizeof was);
    memset(&is, 0, sizeof is);
    read_mem(s, before, unit, &was);
    read_mem(s, after, unit, &is);
    if (before->mem_valid >> unit & 1 && !(in->mem_ready >> unit & 1) &&
        (!valid || memcmp(&was, &is, sizeof is) != 0))
        return stim_complain(
            &s->base, "unit %d changes a request that was not taken", unit);
    was = (struct asked){.part = -1};
    if (!valid && memcmp(&was, &is, sizeof is) != 0)
        return stim_complain(&s->base,
                             "unit %d shows something without a request", unit);
    return NULL;
}

/* Requests have been taken. */
static void went(struct lsu_ext_stim *s, int unit,
                 const struct lsu_ext_out *o) {
    struct unit *u = &s->unit[unit];
    struct request *q = asks_next(u);
    struct asked a;
    read_mem(s, o, unit, &a);
    struct gather *g = NULL;
    if (is_strided(s, a.tag))
        g = gathers_next(s, unit, &a.part);
    else if (!q)
        return;
    if (u->askeds == ASKED || (is_strided(s, a.tag) && !g))
        return;
    a.of = g ? (int)(g - s->gather) : (int)(q - u->flight);
    if (g) {
        g->part[a.part].asked = true;
        g->asked++;
        g->place = place_of(s, a.tag);
    } else {
        q->asked++;
    }
    u->asked[u->askeds++] = a;
    s->sectors++;
}

/* --- ends ----------------------------------------------------------------- */

static void forget(struct unit *u, struct request *q) {
    int n = (int)(q - u->flight);
    memmove(q, q + 1, (size_t)(u->flights - n - 1) * sizeof *q);
    u->flights--;
    for (int i = 0; i < u->askeds; i++)
        u->asked[i].of -= u->asked[i].part < 0 && u->asked[i].of > n;
}

static void forget_gather(struct lsu_ext_stim *s, struct gather *g) {
    int n = (int)(g - s->gather);
    memmove(g, g + 1, (size_t)(s->gathers - n - 1) * sizeof *g);
    s->gathers--;
    for (int k = 0; k < s->size.UNITS; k++)
        for (int i = 0; i < s->unit[k].askeds; i++)
            s->unit[k].asked[i].of -=
                s->unit[k].asked[i].part >= 0 && s->unit[k].asked[i].of > n;
}

static const char *check_answer(struct lsu_ext_stim *s,
                                const struct lsu_ext_out *o) {
    struct unit *unit;
    if (!o->answer_valid)
        return NULL;
    const struct request *q = by_id(s, o->answer_id, &unit);
    if (!q || q->come < 1)
        return stim_complain(
            &s->base, "an answer to id %" PRIu64 " %s", o->answer_id,
            q ? "before its memory has answered" : "that nobody waits for");
    if (o->answer_fault != q->fault)
        return stim_complain(&s->base, "an answer with%s a fault",
                             q->fault ? "out" : "");
    for (int i = 0; i < s->size.WORDS; i++)
        if (bits_lane(o->answer_data, i) != q->data[i])
            return stim_complain(&s->base,
                                 "word %d of an answer is %08" PRIx32
                                 ", expected %08" PRIx32,
                                 i, bits_lane(o->answer_data, i), q->data[i]);
    return NULL;
}

static void answered(struct lsu_ext_stim *s, uint64_t id) {
    struct unit *unit;
    struct request *q = by_id(s, id, &unit);
    s->ids &= ~bit((int)id);
    if (q)
        forget(unit, q);
}

/* The oldest message of a warp's unit. */
static struct request *oldest(struct lsu_ext_stim *s, uint64_t warp) {
    struct unit *u = &s->unit[warp % (uint64_t)s->size.UNITS];
    for (int i = 0; i < u->flights; i++)
        if (is_near(u->flight[i].kind))
            return &u->flight[i];
    return NULL;
}

static const char *check_row(struct lsu_ext_stim *s,
                             const struct lsu_ext_out *o, bool whole,
                             uint64_t mask, const uint32_t *lane) {
    if (!whole)
        return stim_complain(&s->base, "a row is written before it is whole");
    if (o->load_mask != mask)
        return stim_complain(&s->base,
                             "lanes %" PRIx64 " of a row are written, "
                             "expected %" PRIx64,
                             o->load_mask, mask);
    for (int i = 0; i < s->size.LANES; i++)
        if (bits_lane(o->load_data, i) != lane[i])
            return stim_complain(&s->base,
                                 "lane %d is loaded with %08" PRIx32
                                 ", expected %08" PRIx32,
                                 i, bits_lane(o->load_data, i), lane[i]);
    return NULL;
}

static const char *check_load(struct lsu_ext_stim *s,
                              const struct lsu_ext_out *o) {
    if (!o->load_valid)
        return NULL;
    const struct request *q = oldest(s, o->load_warp);
    const struct gather *g = gather_of(s, o->load_warp, o->load_reg);
    if (loads_strided(s, o))
        return check_row(s, o, g->come == g->parts, g->mask, g->lane);
    if (!q || q->kind != NEAR_LOAD || q->written || q->warp != o->load_warp ||
        q->reg != o->load_reg)
        return stim_complain(&s->base, "a row is written out of its turn");
    return check_row(s, o, q->come == q->sectors, ones(s->size.LANES), q->lane);
}

static const char *check_done(struct lsu_ext_stim *s,
                              const struct lsu_ext_out *o) {
    if (!o->done_valid)
        return NULL;
    const struct request *q = oldest(s, o->done_warp);
    const struct gather *g = gather_of(s, o->done_warp, o->done_reg);
    if (ends_strided(s, o))
        return o->done_fault != g->fault
                   ? stim_complain(&s->base,
                                   "a strided message ends with%s a "
                                   "fault",
                                   g->fault ? "out" : "")
                   : NULL;
    if (!q || q->come != q->sectors || q->written != (q->kind == NEAR_LOAD))
        return stim_complain(&s->base, "a message ends before its work");
    if (q->warp != o->done_warp || q->reg != o->done_reg ||
        o->done_store != (q->kind == NEAR_STORE) || o->done_fault != q->fault)
        return stim_complain(&s->base, "a message ends as another one");
    return NULL;
}

static void wrote(struct lsu_ext_stim *s, const struct lsu_ext_out *o) {
    struct request *q = oldest(s, o->load_warp);
    struct near *n = near_of(s, o->load_warp, o->load_reg);
    for (int i = 0; i < s->size.LANES; i++)
        if (o->load_mask >> i & 1)
            n->lane[i] = bits_lane(o->load_data, i);
    if (loads_strided(s, o))
        gather_of(s, o->load_warp, o->load_reg)->written = true;
    else if (q)
        q->written = true;
}

static void ended(struct lsu_ext_stim *s, const struct lsu_ext_out *o) {
    struct request *q = oldest(s, o->done_warp);
    struct near *n = near_of(s, o->done_warp, o->done_reg);
    if (ends_strided(s, o)) {
        n->loads--;
        forget_gather(s, gather_of(s, o->done_warp, o->done_reg));
        s->strided++;
        return;
    }
    if (!q)
        return;
    n->loads -= q->kind == NEAR_LOAD;
    n->stores -= q->kind == NEAR_STORE;
    forget(&s->unit[o->done_warp % (uint64_t)s->size.UNITS], q);
    s->messages++;
}

/* --- rows of stores ------------------------------------------------------- */

/* The message whose row is asked for: the next one of its unit. */
static struct request *wants_row(struct lsu_ext_stim *s, int unit) {
    struct request *q = asks_next(&s->unit[unit]);
    return q && q->kind == NEAR_STORE && !q->fetched ? q : NULL;
}

static const char *check_fetch(struct lsu_ext_stim *s,
                               const struct lsu_ext_out *o) {
    if (!o->fetch_valid)
        return NULL;
    struct request *q =
        wants_row(s, (int)(o->fetch_warp % (uint64_t)s->size.UNITS));
    if (!q || s->fetching)
        return stim_complain(&s->base, "a row is asked for without need");
    if (o->fetch_warp != q->warp || o->fetch_reg != q->reg)
        return stim_complain(&s->base, "another register is asked for");
    return NULL;
}

static void fetched(struct lsu_ext_stim *s) {
    struct request *q = wants_row(s, s->row_unit);
    s->fetching = false;
    if (q) /* what it is stored with is what program order left there */
        q->fetched = memcmp(q->lane, s->row->lane, sizeof q->lane) == 0;
    if (q && !q->fetched)
        stim_complain(&s->base, "a row is fetched that was changed before");
}

/* --- haste ---------------------------------------------------------------- */

/* A sector of a strided message may stand in a unit, until its memory takes it
 * or there is a place for its answer. */
static bool in_front(struct lsu_ext_stim *s, int unit,
                     const struct lsu_ext_out *o) {
    return gathers_from(s, unit) &&
           (o->mem_valid >> unit & 1 || answers_full(s, unit, true, o));
}

/* What a unit has to ask for waits: for its row, a place, or something else
 * that stands there. */
static bool is_held(struct lsu_ext_stim *s, int unit,
                    const struct lsu_ext_out *o) {
    const struct request *q = asks_next(&s->unit[unit]);
    bool held = o->mem_valid >> unit & 1 || in_front(s, unit, o);
    if (q)
        held |= (q->kind == NEAR_STORE && !q->fetched) ||
                no_room(s, unit, is_near(q->kind), true, o);
    return held;
}

/* The first sector of strided messages that has not been asked for is in front
 * of all others, and wants its unit, and its message a place. */
static const char *haste_gather(struct lsu_ext_stim *s,
                                const struct lsu_ext_out *o) {
    const struct gather *front = NULL;
    int unit = 0, places = 0;
    for (int i = 0; i < s->gathers && !front; i++) {
        const struct gather *g = &s->gather[i];
        places += !g->written;
        for (int k = g->parts - 1; k >= 0; k--)
            if (!g->part[k].asked) {
                front = g;
                unit = g->part[k].unit;
            }
    }
    bool held = !front || is_held(s, unit, o) ||
                (front->asked == 0 && places > s->size.GATHERS);
    s->quiet_gather = held ? 0 : s->quiet_gather + 1;
    return s->quiet_gather > QUIET_GATHER
               ? stim_complain(&s->base, "a strided message stands still")
               : NULL;
}

/* Whether what was taken last may still be in the entry. */
static bool entry_waits(struct lsu_ext_stim *s) {
    if (s->entry < 0)
        return false;
    if (s->entry == STRIDED_ENTRY) {
        for (int i = 0; i + 1 < s->gathers; i++)
            if (s->gather[i].asked < s->gather[i].parts)
                return true;
        return false;
    }
    int n = waiting(&s->unit[s->entry]);
    return n >= 2 || (n == 1 && gathers_from(s, s->entry));
}

static const char *check_haste(struct lsu_ext_stim *s,
                               const struct lsu_ext_out *o) {
    bool rows = false, answers = false, ends = false;
    for (int n = 0; n < s->size.UNITS; n++) {
        struct unit *u = &s->unit[n];
        const struct request *q = asks_next(u), *old = NULL;
        rows |= q && q->kind == NEAR_STORE && !q->fetched && !in_front(s, n, o);
        u->quiet = !q || is_held(s, n, o) ? 0 : u->quiet + 1;
        if (u->quiet > QUIET)
            return stim_complain(&s->base, "unit %d stands still", n);
        for (int i = 0; i < u->flights; i++) {
            q = &u->flight[i];
            if (!is_near(q->kind))
                answers |= q->come > 0;
            else if (!old)
                old = q;
        }
        ends |= old && old->come == old->sectors;
    }
    /* answers of both kinds wait for each other in the queues */
    s->settling -= s->settling > 0 && !answers;
    for (int i = 0; i < s->gathers; i++)
        ends |= s->gather[i].come == s->gather[i].parts && !answers &&
                s->settling == 0;
    int behind = s->settling > 0 ? s->size.UNITS * s->size.ANSWERS : 0;
    s->quiet_fetch =
        rows && !o->fetch_valid && !s->fetching ? s->quiet_fetch + 1 : 0;
    s->quiet_answer = answers && !o->answer_valid ? s->quiet_answer + 1 : 0;
    s->quiet_end =
        ends && !o->load_valid && !o->done_valid ? s->quiet_end + 1 : 0;
    if (s->quiet_fetch > QUIET || s->quiet_answer > QUIET + behind ||
        s->quiet_end > QUIET)
        return stim_complain(&s->base, "%s waits for nothing",
                             s->quiet_fetch > QUIET ? "a row"
                             : s->quiet_end > QUIET ? "an end"
                                                    : "an answer");
    if (!o->down_ready && !entry_waits(s))
        return stim_complain(&s->base,
                             "a request is refused while nobody waits");
    return haste_gather(s, o);
}

/* What is there when nothing is under way. */
static const char *check_memory(struct lsu_ext_stim *s) {
    for (int i = 0; i < s->lines; i++)
        for (uint64_t w = 0; w < line_words(s); w++)
            if (s->line[i].done[w] != s->line[i].there[w])
                return stim_complain(&s->base,
                                     "word %" PRIx64
                                     " of the memory is %08" PRIx32
                                     ", expected %08" PRIx32,
                                     s->line[i].number * line_words(s) + w,
                                     s->line[i].there[w], s->line[i].done[w]);
    for (int i = 0; i < s->size.WARPS * s->size.REGS; i++)
        if (memcmp(s->near[i].lane, s->near[i].will, sizeof s->near[i].lane) !=
            0)
            return stim_complain(&s->base, "register %d of warp %d is another",
                                 i % s->size.REGS, i / s->size.REGS);
    s->compared++;
    return NULL;
}

static void begin(struct lsu_ext_stim *s) {
    struct request *q = &s->offer;
    int unit = unit_of(s, q->word);
    struct unit *u = &s->unit[unit];
    s->offered = false;
    if (q->kind == STRIDED) {
        s->entry = STRIDED_ENTRY;
        if (s->gathers < s->size.GATHERS + 3)
            spread(s, q);
        else
            stim_complain(&s->base,
                          "more strided messages are taken than there are "
                          "places for");
        return;
    }
    s->entry = unit;
    if (u->flights == FLIGHT) {
        stim_complain(&s->base, "unit %d takes more than it has places for",
                      unit);
        return;
    }
    carry_out(s, q);
    u->flight[u->flights++] = *q;
    if (!is_near(q->kind)) {
        s->ids |= bit((int)q->id);
        s->transactions++;
    }
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct lsu_ext_stim *s = (struct lsu_ext_stim *)base;
    const struct lsu_ext_in *in = in_ports;
    const struct lsu_ext_out *before = before_ports, *after = after_ports;
    bool was_busy = !is_idle(s);
    for (int n = 0; n < s->size.UNITS; n++)
        if (before->mem_valid & in->mem_ready & bit(n))
            went(s, n, before);
    if (before->answer_valid && in->answer_ready)
        answered(s, before->answer_id);
    if (before->load_valid && in->load_ready)
        wrote(s, before);
    if (before->done_valid && in->done_ready)
        ended(s, before);
    if (in->fetched_valid)
        fetched(s);
    if (before->fetch_valid && in->fetch_ready) {
        s->fetching = true;
        s->row = near_of(s, before->fetch_warp, before->fetch_reg);
        s->row_unit = (int)(before->fetch_warp % (uint64_t)s->size.UNITS);
    }
    if (before->down_ready && in->down_valid)
        begin(s);
    for (int n = 0; n < s->size.UNITS; n++) {
        check_still(s, n, in, before, after);
        if (after->mem_valid >> n & 1)
            check_asked(s, n, after);
    }
    check_answer(s, after);
    check_fetch(s, after);
    check_load(s, after);
    check_done(s, after);
    check_haste(s, after);
    if (was_busy && is_idle(s))
        check_memory(s);
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct lsu_ext_stim *s = (const struct lsu_ext_stim *)base;
    text_printf(t, "messages\t%" PRIu64 "\n", s->messages);
    text_printf(t, "strided messages\t%" PRIu64 "\n", s->strided);
    text_printf(t, "transactions\t%" PRIu64 "\n", s->transactions);
    text_printf(t, "sectors\t%" PRIu64 "\n", s->sectors);
    text_printf(t, "memories compared\t%" PRIu64 "\n", s->compared);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class lsu_ext_stim = {
    .size = sizeof(struct lsu_ext_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

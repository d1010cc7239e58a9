/* stim.c - stimulus of the load-store traffic between the dies: on the base die
 * a load-store unit with requests of every kind and answers of other cores; a
 * bus that carries the beats, late and in pieces; on the DRAM die an extension
 * and near register files.
 *
 * The environment knows in which order packets went down, and lets nothing be
 * carried out but the oldest.  It has the rows of all near registers twice, as
 * they are and as they will be when all that went down is done: a row that is
 * asked for has to be the latter.  Whatever comes back has to be what the other
 * die has said, once and in its order.
 *
 * random    phases with other kinds, rates and patience
 * directed  kind after kind, with and without haste
 */
#include "stim.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/lsu_link.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LANES = 32,
    WORDS = 8,
    BEAT_WORDS = 1024 / 64,
    BEATS = 24,   /* on the bus, each way */
    UNDER = 80,   /* packets under way, with those that are offered */
    QUIET = 4,    /* edges at most without a reason */
    REGISTERS = 6 /* that are used for a while, so that traffic meets */
};

enum kind { LOAD, STORE, NEAR_LOAD, NEAR_STORE, STRIDED, FETCH, WRITE, KINDS };
enum who { NOBODY, OWN, EXTENSION };

static const char *const name_of[KINDS] = {"load",
                                           "store",
                                           "message to load",
                                           "message to store",
                                           "strided message",
                                           "row wanted",
                                           "row written"};

struct tune {
    bool does[KINDS]; /* at least one */
    int asks;         /* percent of the edges, of each source */
    int others;       /* likewise, of answers of other cores */
    int arrives;      /* likewise, of beats on the bus */
    int answers;      /* likewise, of what the extension has to say */
    int rows;         /* likewise, of rows that were asked for */
    int faults;       /* percent */
    int high, low;    /* longest times that outputs are taken, and not */
    int bus_high, bus_low;
    int up_low;   /* on the way up */
    bool stuck;   /* the extension takes nothing */
    bool crowded; /* requests are of few registers */
};

/* A packet down, and what has to become of it. */
struct packet {
    enum kind kind;
    uint64_t unit, warp, reg, id, address, strobe;
    uint64_t mask; /* of a row to write, and of a message to load */
    uint64_t step; /* of a strided message */
    bool fault;
    uint32_t data[WORDS]; /* stored, or to be answered */
    uint32_t lane[LANES]; /* row, as it has to be */
};

/* In order, the oldest first. */
struct line {
    struct packet v[UNDER];
    int n;
};

struct beat {
    uint64_t data[BEAT_WORDS];
    bool last;
};

struct bus {
    struct beat beat[BEATS];
    int n;
    int inside; /* beats of the packet under way that have been taken */
};

/* A message that the extension has to carry out. */
enum step { FRESH, BUSY, OFFERED, CARRIED };
struct message {
    struct packet p;
    enum step step;
};

/* A transaction, or an answer of another core, by its id. */
struct transaction {
    enum who who;
    bool is_store, there, told; /* at the extension; it has answered */
    bool fault;
    uint32_t data[WORDS];
};

/* A row at the near registers' port, and whose. */
struct job {
    enum who who;
    bool taken;
    uint64_t warp, reg;
};

struct near {
    uint32_t lane[LANES]; /* as it is */
    uint32_t will[LANES]; /* when all that went down is done */
    int loads, stores, fetches;
};

struct lsu_link_stim {
    struct stim base;
    struct lsu_link_local size;
    struct tune tune;
    int left; /* edges of this phase */
    int turn; /* of the directed kinds */
    struct toggle down_bus, up_bus, ext_down, pipe_fetch, pipe_load;
    uint64_t few[REGISTERS]; /* registers that are used */
    struct near *near;       /* by warp and register */

    /* the base die */
    struct packet down, fetch, write, strided; /* that are offered */
    bool has_down, has_fetch, has_write, has_strided;
    bool sent;      /* the row to write is under way */
    bool written;   /* it is in its register */
    uint64_t other; /* id of the answer that is offered */
    bool has_other; /* an answer of another core is */
    int others;     /* they that were taken and not shown */
    int under;      /* packets */
    int follows;    /* of those that went down: not begun */
    uint64_t ids;   /* used */
    struct transaction transaction[LANES];
    struct line rows; /* asked for, on their way up */

    struct bus falls, rises;

    /* the DRAM die */
    struct line line; /* packets that are to be carried out */
    int delivered;    /* of them, whole on the DRAM die */
    struct line told; /* answers and ends that are on their way up */
    struct message message[UNDER];
    int messages;
    int answering, ending, loading, fetching; /* what is offered, or -1 */
    bool fetch_kept; /* the extension's request was taken */
    bool load_done;  /* the extension's row is in its register */
    struct job asked, put;
    bool row_up;     /* a row has been given that is to go up */
    bool row_now;    /* the extension's is due after this edge */
    int written_up;  /* rows that were written and are to be told */
    enum kind up;    /* what goes up is for */
    bool up_follows; /* a packet was told and has not begun, for this: */
    enum kind up_next;

    int quiet_down, quiet_head, quiet_up, quiet_fetch, quiet_load;
    int quiet_other;
    uint64_t went[KINDS], beats, compared;
};

/* --- registers and lists -------------------------------------------------- */

static struct near *near_of(struct lsu_link_stim *s, uint64_t warp,
                            uint64_t reg) {
    return &s->near[warp * (uint64_t)s->size.REGS + reg];
}

static void line_put(struct line *l, const struct packet *p) {
    if (l->n < UNDER)
        l->v[l->n++] = *p;
}

static void line_drop(struct line *l) {
    memmove(l->v, l->v + 1, (size_t)--l->n * sizeof l->v[0]);
}

static void noise(struct lsu_link_stim *s, uint64_t *data, int width) {
    for (int at = 0; at < width; at += 64)
        data[at / 64] =
            rng_next(&s->base.rng) & ones(width - at < 64 ? width - at : 64);
}

static void lay_row(struct lsu_link_stim *s, uint64_t *data,
                    const uint32_t *lane) {
    memset(data, 0, (size_t)ceil_div(s->size.ROW_W, 64) * sizeof *data);
    for (int i = 0; i < s->size.LANES; i++)
        bits_set_lane(data, i, lane[i]);
}

static void lay_sector(struct lsu_link_stim *s, uint64_t *data,
                       const uint32_t *word) {
    memset(data, 0, (size_t)ceil_div(s->size.DATA_W, 64) * sizeof *data);
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(data, i, word[i]);
}

static bool is_row(struct lsu_link_stim *s, const uint64_t *data,
                   const uint32_t *lane) {
    for (int i = 0; i < s->size.LANES; i++)
        if (bits_lane(data, i) != lane[i])
            return false;
    return true;
}

static bool is_sector(struct lsu_link_stim *s, const uint64_t *data,
                      const uint32_t *word) {
    for (int i = 0; i < s->size.WORDS; i++)
        if (bits_lane(data, i) != word[i])
            return false;
    return true;
}

static void merge(struct lsu_link_stim *s, uint32_t *to, const uint32_t *from,
                  uint64_t mask) {
    for (int i = 0; i < s->size.LANES; i++)
        if (mask >> i & 1)
            to[i] = from[i];
}

/* --- what the base die offers --------------------------------------------- */

static void any_register(struct lsu_link_stim *s, struct packet *p) {
    struct rng *r = &s->base.rng;
    uint64_t all = (uint64_t)(s->size.WARPS * s->size.REGS);
    uint64_t which =
        s->tune.crowded ? s->few[rng_below(r, REGISTERS)] : rng_next(r) % all;
    p->warp = which / (uint64_t)s->size.REGS;
    p->reg = which % (uint64_t)s->size.REGS;
}

static uint64_t any_mask(struct lsu_link_stim *s) {
    return rng_percent(&s->base.rng, 40)
               ? ones(s->size.LANES)
               : rng_next(&s->base.rng) & ones(s->size.LANES);
}

/* A row to write stands at the port, of that register, and has not gone. */
static bool waits_write(const struct lsu_link_stim *s, const struct packet *p) {
    return s->has_write && !s->sent && s->write.warp == p->warp &&
           s->write.reg == p->reg;
}

static bool is_load(enum kind k) {
    return k == NEAR_LOAD || k == STRIDED;
}

static bool offer_message(struct lsu_link_stim *s, struct packet *p) {
    struct near *n;
    any_register(s, p);
    n = near_of(s, p->warp, p->reg);
    /* of rows that are asked for it has to be clear whose they are */
    if (n->loads > 0 || n->fetches > 0 || waits_write(s, p))
        return false;
    if (p->kind == NEAR_STORE) {
        n->stores++;
        return true;
    }
    if (n->stores > 0)
        return false;
    n->loads++;
    p->mask = any_mask(s);
    for (int i = 0; i < s->size.LANES; i++)
        p->lane[i] = (uint32_t)rng_next(&s->base.rng);
    return true;
}

static bool offer_transaction(struct lsu_link_stim *s, struct packet *p) {
    struct rng *r = &s->base.rng;
    p->id = rng_below(r, (uint32_t)s->size.LANES);
    if (s->ids >> p->id & 1)
        return false;
    s->ids |= bit((int)p->id);
    p->strobe = p->kind == STORE ? rng_next(r) & ones(s->size.WORDS) : 0;
    for (int i = 0; i < s->size.WORDS; i++)
        p->data[i] = (uint32_t)rng_next(r);
    return true;
}

static void offer_down(struct lsu_link_stim *s) {
    struct rng *r = &s->base.rng;
    struct packet p = {.kind = (enum kind)rng_below(r, STRIDED)};
    if (!s->tune.does[p.kind])
        return;
    p.unit = rng_next(r) & ones(s->size.UNIT_W);
    p.address = rng_next(r) & ones(s->size.AT_W);
    p.fault = rng_percent(r, s->tune.faults);
    s->has_down =
        p.kind >= NEAR_LOAD ? offer_message(s, &p) : offer_transaction(s, &p);
    if (s->has_down)
        s->down = p;
}

static void offer_strided(struct lsu_link_stim *s) {
    struct rng *r = &s->base.rng;
    struct packet p = {.kind = STRIDED};
    if (!offer_message(s, &p))
        return;
    p.mask |= bit((int)rng_below(r, (uint32_t)s->size.LANES));
    p.step = rng_next(r) & ones(s->size.STEP_W);
    p.address = rng_next(r) & ones(s->size.AT_W);
    p.fault = rng_percent(r, s->tune.faults);
    s->has_strided = true;
    s->strided = p;
}

static void offer_fetch(struct lsu_link_stim *s) {
    struct packet p = {.kind = FETCH};
    any_register(s, &p);
    struct near *n = near_of(s, p.warp, p.reg);
    if (n->loads > 0 || n->stores > 0 || waits_write(s, &p))
        return;
    n->fetches++;
    s->has_fetch = true;
    s->fetch = p;
}

static void offer_write(struct lsu_link_stim *s) {
    struct packet p = {.kind = WRITE};
    any_register(s, &p);
    struct near *n = near_of(s, p.warp, p.reg);
    if (n->loads > 0 || n->stores > 0 || n->fetches > 0)
        return;
    p.mask = any_mask(s);
    for (int i = 0; i < s->size.LANES; i++)
        p.lane[i] = (uint32_t)rng_next(&s->base.rng);
    s->has_write = true;
    s->sent = s->written = false;
    s->write = p;
}

static void offer_other(struct lsu_link_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t id = rng_below(r, (uint32_t)s->size.LANES);
    struct transaction *t = &s->transaction[id];
    if (s->ids >> id & 1)
        return;
    s->ids |= bit((int)id);
    s->has_other = true;
    s->other = id;
    *t = (struct transaction){.who = NOBODY,
                              .fault = rng_percent(r, s->tune.faults)};
    for (int i = 0; i < s->size.WORDS; i++)
        t->data[i] = (uint32_t)rng_next(r);
}

/* --- phases --------------------------------------------------------------- */

/* Rows of both, to a register file that is slow. */
static void tune_writes(struct tune *t) {
    for (int i = 0; i < KINDS; i++)
        t->does[i] = i == NEAR_LOAD || i == WRITE;
    t->asks = t->arrives = t->answers = 100;
    t->bus_low = t->up_low = 0;
    t->high = 1;
    t->low = 12;
    t->crowded = false;
}

/* All that can go up, while nothing does for a while. */
static void tune_stalls(struct tune *t) {
    for (int i = 0; i < KINDS; i++)
        t->does[i] = i != STRIDED; /* its end is a message's */
    t->asks = t->arrives = t->answers = t->rows = 100;
    t->low = t->bus_low = 0;
    t->up_low = 100;
    t->stuck = t->crowded = false;
}

static void step_directed(struct stim *base) {
    struct lsu_link_stim *s = (struct lsu_link_stim *)base;
    int kinds = KINDS + 4;
    if (s->left-- > 0)
        return;
    int n = s->turn / kinds, kind = s->turn % kinds;
    s->tune = (struct tune){
        .asks = 100,
        .others = n & 1 ? 60 : 0,
        .arrives = n & 1 ? 60 : 100,
        .answers = n & 1 ? 30 : 100,
        .rows = n & 1 ? 30 : 100,
        .faults = n & 1 ? 20 : 0,
        .high = 2,
        .low = n & 1 ? 3 : 0,
        .bus_high = n & 2 ? 4 : 2,
        .bus_low = n & 2 ? 20 : 0,
        .up_low = n & 2 ? 20 : 0,
        .stuck = kind == KINDS,
        .crowded = n & 1,
    };
    for (int i = 0; i < KINDS; i++)
        s->tune.does[i] = kind >= KINDS || i == kind;
    if (kind == KINDS + 2)
        tune_writes(&s->tune);
    if (kind == KINDS + 3)
        tune_stalls(&s->tune);
    s->turn++;
    s->left = kind == KINDS || kind == KINDS + 3 ? 400 : 160;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 5};
    struct lsu_link_stim *s = (struct lsu_link_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    int one = rng_percent(r, 40) ? (int)rng_below(r, KINDS) : KINDS;
    for (int i = 0; i < KINDS; i++)
        s->tune.does[i] = one == KINDS ? rng_percent(r, 80) : i == one;
    s->tune.asks = rates[rng_below(r, 5)];
    s->tune.others = rng_percent(r, 50) ? 0 : rates[rng_below(r, 5)];
    s->tune.arrives = rates[rng_below(r, 4)];
    s->tune.answers = rates[rng_below(r, 5)];
    s->tune.rows = rates[rng_below(r, 5)];
    s->tune.faults = rng_percent(r, 50) ? 0 : 25;
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12);
    s->tune.bus_high = rng_range(r, 1, 16);
    s->tune.bus_low = rng_percent(r, 40) ? 0 : rng_range(r, 1, 40);
    s->tune.up_low = s->tune.bus_low;
    s->tune.stuck = rng_percent(r, 10);
    s->tune.crowded = rng_percent(r, 60);
    int special = (int)rng_below(r, 8);
    if (special == 0)
        tune_writes(&s->tune);
    if (special == 1)
        tune_stalls(&s->tune);
    for (int i = 0; i < REGISTERS; i++)
        s->few[i] = rng_next(r) % (uint64_t)(s->size.WARPS * s->size.REGS);
    s->left = rng_range(r, 60, 500);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct lsu_link_stim *s = (struct lsu_link_stim *)base;
    s->size = lsu_link_local(c);
    s->near = xcalloc((size_t)(s->size.WARPS * s->size.REGS), sizeof *s->near);
    base->reset_every = 4000;
}

static void close(struct stim *base) {
    free(((struct lsu_link_stim *)base)->near);
}

/* All that was under way is gone; registers are as they are. */
static void reset(struct stim *base) {
    struct lsu_link_stim *s = (struct lsu_link_stim *)base;
    s->has_down = s->has_fetch = s->has_write = s->has_other = false;
    s->has_strided = false;
    s->sent = s->written = s->fetch_kept = s->load_done = false;
    s->row_up = s->row_now = false;
    s->up_follows = false;
    s->follows = 0;
    s->under = s->others = s->delivered = s->messages = s->written_up = 0;
    s->ids = 0;
    memset(s->transaction, 0, sizeof s->transaction);
    s->rows.n = s->line.n = s->told.n = 0;
    s->falls.n = s->falls.inside = s->rises.n = s->rises.inside = 0;
    s->answering = s->ending = s->loading = s->fetching = -1;
    s->asked = s->put = (struct job){0};
    s->quiet_down = s->quiet_head = s->quiet_up = 0;
    s->quiet_fetch = s->quiet_load = s->quiet_other = 0;
    for (int i = 0; i < s->size.WARPS * s->size.REGS; i++) {
        struct near *n = &s->near[i];
        n->loads = n->stores = n->fetches = 0;
        memcpy(n->will, n->lane, sizeof n->will);
    }
}

static void drive_base(struct lsu_link_stim *s, struct lsu_link_in *in) {
    struct rng *r = &s->base.rng;
    int asks = s->base.rst_left > 0 ? 0 : s->tune.asks;
    int others = s->base.rst_left > 0 ? 0 : s->tune.others;
    uint64_t stored[WORDS / 2];
    if (!s->has_down && rng_percent(r, asks))
        offer_down(s);
    if (!s->has_fetch && s->tune.does[FETCH] && rng_percent(r, asks))
        offer_fetch(s);
    if (!s->has_write && s->tune.does[WRITE] && rng_percent(r, asks))
        offer_write(s);
    if (!s->has_strided && s->tune.does[STRIDED] && rng_percent(r, asks))
        offer_strided(s);
    if (!s->has_other && rng_percent(r, others))
        offer_other(s);
    const struct packet *p = &s->down;
    in->down_valid = s->has_down;
    in->down_near = p->kind >= NEAR_LOAD;
    in->down_store = p->kind == STORE || p->kind == NEAR_STORE;
    in->down_unit = p->unit;
    in->down_warp = p->warp;
    in->down_reg = p->reg;
    in->down_id = p->id;
    in->down_address = p->address;
    in->down_strobe = p->strobe;
    lay_sector(s, stored, p->data);
    memset(in->down_data, 0, sizeof in->down_data);
    if (p->kind == STORE)
        memcpy(in->down_data, stored,
               (size_t)ceil_div(s->size.DATA_W, 64) * sizeof stored[0]);
    in->strided_valid = s->has_strided;
    in->strided_warp = s->strided.warp;
    in->strided_reg = s->strided.reg;
    in->strided_mask = s->strided.mask;
    in->strided_step = s->strided.step;
    in->strided_address = s->strided.address;
    in->fetch_valid = s->has_fetch;
    in->fetch_warp = s->fetch.warp;
    in->fetch_reg = s->fetch.reg;
    in->write_valid = s->has_write;
    in->write_warp = s->write.warp;
    in->write_reg = s->write.reg;
    in->write_mask = s->write.mask;
    lay_row(s, in->write_data, s->write.lane);
    in->other_valid = s->has_other;
    in->other_id = s->other;
    in->other_fault = s->transaction[s->other].fault;
    lay_sector(s, in->other_data, s->transaction[s->other].data);
}

/* What the bus brings: a beat, or noise. */
static bool drive_bus(struct lsu_link_stim *s, struct bus *b, uint64_t *last,
                      uint64_t *data) {
    struct rng *r = &s->base.rng;
    *last = rng_next(r) & 1;
    noise(s, data, s->size.TSV_W);
    if (b->n == 0 || s->base.rst_left > 0 || !rng_percent(r, s->tune.arrives))
        return false;
    *last = b->beat[0].last;
    memcpy(data, b->beat[0].data,
           (size_t)ceil_div(s->size.TSV_W, 64) * sizeof *data);
    memmove(b->beat, b->beat + 1, (size_t)--b->n * sizeof b->beat[0]);
    return true;
}

/* A message at that step, drawn; -1. */
static int some_message(struct lsu_link_stim *s, enum kind kind,
                        enum step step) {
    int from =
        s->messages ? (int)rng_below(&s->base.rng, (uint32_t)s->messages) : 0;
    for (int i = 0; i < s->messages; i++) {
        int at = (from + i) % s->messages;
        const struct message *m = &s->message[at];
        if (m->step == step && (kind == KINDS || m->p.kind == kind ||
                                (is_load(kind) && is_load(m->p.kind))))
            return at;
    }
    return -1;
}

static int some_transaction(struct lsu_link_stim *s) {
    int lanes = s->size.LANES;
    int from = (int)rng_below(&s->base.rng, (uint32_t)lanes);
    for (int i = 0; i < lanes; i++) {
        const struct transaction *t = &s->transaction[(from + i) % lanes];
        if (t->who == OWN && t->there && !t->told)
            return (from + i) % lanes;
    }
    return -1;
}

static void choose_extension(struct lsu_link_stim *s) {
    struct rng *r = &s->base.rng;
    if (s->base.rst_left > 0)
        return;
    if (s->answering < 0 && rng_percent(r, s->tune.answers))
        s->answering = some_transaction(s);
    if (s->ending < 0 && rng_percent(r, s->tune.answers)) {
        s->ending = some_message(s, KINDS, CARRIED);
        if (s->ending >= 0)
            s->message[s->ending].step = OFFERED;
    }
    if (s->loading < 0 && rng_percent(r, s->tune.answers)) {
        s->loading = some_message(s, NEAR_LOAD, FRESH);
        if (s->loading >= 0)
            s->message[s->loading].step = BUSY;
    }
    if (s->fetching < 0 && rng_percent(r, s->tune.answers)) {
        s->fetching = some_message(s, NEAR_STORE, FRESH);
        if (s->fetching >= 0)
            s->message[s->fetching].step = BUSY;
        s->fetch_kept = false;
    }
}

static void drive_extension(struct lsu_link_stim *s, struct lsu_link_in *in) {
    choose_extension(s);
    in->ext_answer_valid = s->answering >= 0;
    if (s->answering >= 0) {
        const struct transaction *t = &s->transaction[s->answering];
        in->ext_answer_id = (uint64_t)s->answering;
        in->ext_answer_fault = t->fault;
        lay_sector(s, in->ext_answer_data, t->data);
    }
    in->ext_done_valid = s->ending >= 0;
    if (s->ending >= 0) {
        const struct packet *p = &s->message[s->ending].p;
        in->ext_done_warp = p->warp;
        in->ext_done_reg = p->reg;
        in->ext_done_store = p->kind == NEAR_STORE;
        in->ext_done_fault = p->fault;
    }
    in->ext_load_valid = s->loading >= 0;
    if (s->loading >= 0) {
        const struct packet *p = &s->message[s->loading].p;
        in->ext_load_warp = p->warp;
        in->ext_load_reg = p->reg;
        in->ext_load_mask = p->mask;
        lay_row(s, in->ext_load_data, p->lane);
    }
    in->ext_fetch_valid = s->fetching >= 0 && !s->fetch_kept;
    if (in->ext_fetch_valid) {
        in->ext_fetch_warp = s->message[s->fetching].p.warp;
        in->ext_fetch_reg = s->message[s->fetching].p.reg;
    }
}

static void drive_registers(struct lsu_link_stim *s, struct lsu_link_in *in) {
    struct rng *r = &s->base.rng;
    in->pipe_fetched_valid =
        s->asked.taken && s->base.rst_left == 0 && rng_percent(r, s->tune.rows);
    if (in->pipe_fetched_valid)
        lay_row(s, in->pipe_fetched_data,
                near_of(s, s->asked.warp, s->asked.reg)->lane);
    else
        noise(s, in->pipe_fetched_data, s->size.ROW_W);
}

static void drive(struct stim *base, void *ports) {
    struct lsu_link_stim *s = (struct lsu_link_stim *)base;
    struct lsu_link_in *in = ports;
    struct rng *r = &base->rng;
    int high = s->tune.high, low = s->tune.low;
    if (base->rst_left > 0)
        reset(base);
    drive_base(s, in);
    in->lsu_near_valid =
        drive_bus(s, &s->falls, &in->lsu_near_last, in->lsu_near_data);
    in->lsu_far_valid =
        drive_bus(s, &s->rises, &in->lsu_far_last, in->lsu_far_data);
    drive_extension(s, in);
    drive_registers(s, in);
    in->lsu_down_ready =
        toggle_step(&s->down_bus, r, s->tune.bus_high, s->tune.bus_low) &&
        s->falls.n < BEATS;
    in->lsu_up_ready =
        toggle_step(&s->up_bus, r, s->tune.bus_high, s->tune.up_low) &&
        s->rises.n < BEATS;
    in->ext_down_ready =
        toggle_step(&s->ext_down, r, high, low) && !s->tune.stuck;
    in->pipe_fetch_ready = toggle_step(&s->pipe_fetch, r, high, low);
    in->pipe_load_ready = toggle_step(&s->pipe_load, r, high, low);
}

/* --- packets down --------------------------------------------------------- */

static int beats_down(const struct lsu_link_stim *s, enum kind k) {
    return s->size.HEAD_BEATS + (k == STORE     ? s->size.SECTOR_BEATS
                                 : k == STRIDED ? s->size.MASK_BEATS
                                 : k == WRITE   ? s->size.ROW_BEATS
                                                : 0);
}

/* The base die has taken p: it will be done after all that went before. */
static void goes_down(struct lsu_link_stim *s, struct packet *p) {
    struct near *n = near_of(s, p->warp, p->reg);
    s->under++;
    s->went[p->kind]++;
    if (p->kind == LOAD || p->kind == STORE) {
        struct transaction *t = &s->transaction[p->id];
        *t = (struct transaction){
            .who = OWN, .is_store = p->kind == STORE, .fault = p->fault};
        for (int i = 0; i < s->size.WORDS; i++)
            t->data[i] =
                p->kind == LOAD ? p->data[i] : (uint32_t)rng_next(&s->base.rng);
    }
    if (is_load(p->kind) || p->kind == WRITE)
        merge(s, n->will, p->lane, p->mask);
    if (p->kind == NEAR_STORE || p->kind == FETCH)
        memcpy(p->lane, n->will, sizeof p->lane);
    line_put(&s->line, p);
}

static const char *watch_down(struct lsu_link_stim *s,
                              const struct lsu_link_in *in,
                              const struct lsu_link_out *before,
                              const struct lsu_link_out *after) {
    bool down = in->down_valid & before->down_ready & 1;
    bool fetch = in->fetch_valid & before->fetch_ready & 1;
    bool strided = in->strided_valid & before->strided_ready & 1;
    bool left =
        before->lsu_down_valid & before->lsu_down_last & in->lsu_down_ready & 1;
    bool begins = after->lsu_down_valid && (left || !before->lsu_down_valid);
    if (down + fetch + strided > 1)
        return stim_complain(&s->base, "two requests are taken on one edge");
    if (down) {
        goes_down(s, &s->down);
        s->has_down = false;
    } else if (fetch) {
        goes_down(s, &s->fetch);
        s->has_fetch = false;
    } else if (strided) {
        goes_down(s, &s->strided);
        s->has_strided = false;
    }
    s->follows += down || fetch || strided;
    if (begins) {
        s->falls.inside = 0;
        if (s->follows > 0) {
            s->follows--;
        } else if (s->has_write && !s->sent) {
            s->sent = true;
            goes_down(s, &s->write);
        } else {
            return stim_complain(&s->base,
                                 "a packet goes down that nobody sent");
        }
    }
    if (s->follows > (int)after->lsu_down_valid)
        return stim_complain(&s->base, "a request is taken and not sent");
    if (s->under > s->size.PLACES)
        return stim_complain(&s->base,
                             "%d packets are under way, places are %d",
                             s->under, s->size.PLACES);
    return NULL;
}

static void bus_takes(struct lsu_link_stim *s, struct bus *b,
                      const uint64_t *data, bool last) {
    struct beat *beat = &b->beat[b->n++];
    memset(beat, 0, sizeof *beat);
    memcpy(beat->data, data,
           (size_t)ceil_div(s->size.TSV_W, 64) * sizeof *data);
    beat->last = last;
    b->inside++;
    s->beats++;
}

/* The packet that is being sent is the last one but for one that follows. */
static const char *check_beats_down(struct lsu_link_stim *s,
                                    const struct lsu_link_out *o) {
    if (!o->lsu_down_valid || s->line.n <= s->follows)
        return NULL;
    const struct packet *p = &s->line.v[s->line.n - 1 - s->follows];
    if (o->lsu_down_last != (s->falls.inside + 1 == beats_down(s, p->kind)))
        return stim_complain(&s->base, "%s does not end with its last beat",
                             name_of[p->kind]);
    return NULL;
}

/* --- what is carried out -------------------------------------------------- */

/* The packet that has to be carried out next, NULL: none is there. */
static const struct packet *front(const struct lsu_link_stim *s) {
    return s->delivered > 0 && s->line.n > 0 ? &s->line.v[0] : NULL;
}

static void drop_front(struct lsu_link_stim *s) {
    line_drop(&s->line);
    s->delivered--;
    s->quiet_head = 0;
}

static const char *check_ext_down(struct lsu_link_stim *s,
                                  const struct lsu_link_out *o) {
    const struct packet *p = front(s);
    static const uint32_t none[WORDS];
    if (!o->ext_down_valid)
        return NULL;
    if (!p || p->kind >= FETCH)
        return stim_complain(&s->base,
                             "the extension gets a request out of its turn");
    if (o->ext_down_near != (p->kind >= NEAR_LOAD) ||
        o->ext_down_store != (p->kind == STORE || p->kind == NEAR_STORE) ||
        o->ext_down_unit != p->unit || o->ext_down_warp != p->warp ||
        o->ext_down_reg != p->reg || o->ext_down_id != p->id ||
        o->ext_down_address != p->address || o->ext_down_strobe != p->strobe ||
        o->ext_down_strided != (p->kind == STRIDED))
        return stim_complain(&s->base, "%s goes down as another one",
                             name_of[p->kind]);
    if (o->ext_down_mask != (p->kind == STRIDED ? p->mask : 0) ||
        o->ext_down_step != p->step)
        return stim_complain(&s->base,
                             "%s has lanes %" PRIx64 " by %" PRIx64
                             ", expected %" PRIx64 " by %" PRIx64,
                             name_of[p->kind], o->ext_down_mask,
                             o->ext_down_step, p->kind == STRIDED ? p->mask : 0,
                             p->step);
    if (!is_sector(s, o->ext_down_data, p->kind == STORE ? p->data : none))
        return stim_complain(&s->base, "%s has other data", name_of[p->kind]);
    return NULL;
}

static void extension_takes(struct lsu_link_stim *s) {
    struct packet p = s->line.v[0];
    drop_front(s);
    if (p.kind >= NEAR_LOAD) {
        if (s->messages < UNDER)
            s->message[s->messages++] = (struct message){.p = p};
    } else {
        s->transaction[p.id].there = true;
    }
}

/* Whose row it is that is asked for from now on. */
static const char *begin_fetch(struct lsu_link_stim *s,
                               const struct lsu_link_out *o) {
    const struct packet *p = front(s), *e = NULL;
    struct job j = {.warp = o->pipe_fetch_warp, .reg = o->pipe_fetch_reg};
    if (s->fetching >= 0 && s->fetch_kept)
        e = &s->message[s->fetching].p;
    if (s->row_up)
        return stim_complain(&s->base, "a row is asked for before there is "
                                       "room for it");
    if (p && p->kind == FETCH && p->warp == j.warp && p->reg == j.reg) {
        j.who = OWN;
        line_put(&s->rows, p);
        drop_front(s);
    } else if (e && e->warp == j.warp && e->reg == j.reg) {
        j.who = EXTENSION;
    } else {
        return stim_complain(&s->base, "a row is asked for that nobody wants");
    }
    s->asked = j;
    return NULL;
}

static const char *give_row(struct lsu_link_stim *s) {
    const struct near *n = near_of(s, s->asked.warp, s->asked.reg);
    const struct packet *p = s->asked.who == OWN ? &s->rows.v[s->rows.n - 1]
                                                 : &s->message[s->fetching].p;
    bool right = memcmp(p->lane, n->lane,
                        (size_t)s->size.LANES * sizeof n->lane[0]) == 0;
    s->row_up = s->asked.who == OWN;
    s->row_now = s->asked.who == EXTENSION;
    s->asked = (struct job){0};
    if (!right)
        return stim_complain(&s->base, "a row is fetched that was changed, or "
                                       "was not yet");
    return NULL;
}

static const char *begin_load(struct lsu_link_stim *s,
                              const struct lsu_link_out *o) {
    const struct packet *p = front(s), *e = NULL;
    struct job j = {.warp = o->pipe_load_warp, .reg = o->pipe_load_reg};
    if (s->loading >= 0 && !s->load_done)
        e = &s->message[s->loading].p;
    if (p && p->kind == WRITE && p->warp == j.warp && p->reg == j.reg)
        j.who = OWN;
    else if (e && e->warp == j.warp && e->reg == j.reg)
        j.who = EXTENSION;
    else
        return stim_complain(&s->base, "a row is written that nobody has");
    const struct packet *q = j.who == OWN ? p : e;
    if (o->pipe_load_mask != q->mask || !is_row(s, o->pipe_load_data, q->lane))
        return stim_complain(&s->base, "another row is written");
    s->put = j;
    return NULL;
}

static void put_row(struct lsu_link_stim *s, const struct lsu_link_out *o) {
    struct near *n = near_of(s, s->put.warp, s->put.reg);
    for (int i = 0; i < s->size.LANES; i++)
        if (o->pipe_load_mask >> i & 1)
            n->lane[i] = bits_lane(o->pipe_load_data, i);
    if (s->put.who == OWN) {
        drop_front(s);
        s->written = true;
        s->written_up++;
    } else {
        s->load_done = true;
    }
    s->put = (struct job){0};
}

/* --- what the extension says ---------------------------------------------- */

static void tell_answer(struct lsu_link_stim *s) {
    struct packet p = {.kind = LOAD, .id = (uint64_t)s->answering};
    s->transaction[s->answering].told = true;
    if (s->transaction[s->answering].is_store)
        p.kind = STORE;
    line_put(&s->told, &p);
    s->answering = -1;
}

static void forget(struct lsu_link_stim *s, int which) {
    memmove(s->message + which, s->message + which + 1,
            (size_t)(s->messages - which - 1) * sizeof s->message[0]);
    s->messages--;
    s->ending -= s->ending > which;
    s->loading -= s->loading > which;
    s->fetching -= s->fetching > which;
}

static void tell_end(struct lsu_link_stim *s) {
    int which = s->ending;
    line_put(&s->told, &s->message[which].p);
    s->ending = -1;
    forget(s, which);
}

static const char *check_ext_rows(struct lsu_link_stim *s,
                                  const struct lsu_link_out *o) {
    if (o->ext_fetched_valid != s->row_now)
        return stim_complain(&s->base, s->row_now
                                           ? "the extension's row is lost"
                                           : "the extension gets a row that "
                                             "it did not ask for");
    if (s->row_now) {
        struct message *m = &s->message[s->fetching];
        if (!is_row(s, o->ext_fetched_data, m->p.lane))
            return stim_complain(&s->base, "the extension gets another row");
        m->step = CARRIED;
        s->fetching = -1;
        s->row_now = false;
    }
    if (o->ext_load_ready && (s->loading < 0 || !s->load_done))
        return stim_complain(&s->base, "the extension's row is taken before "
                                       "it is written");
    return NULL;
}

/* --- what comes up -------------------------------------------------------- */

/* An answer or an end that shows has to be the oldest of both. */
static const char *check_told(struct lsu_link_stim *s, bool answer,
                              uint64_t id) {
    const struct packet *p = &s->told.v[0];
    if (s->told.n == 0 || (p->kind <= STORE) != answer ||
        (answer && p->id != id))
        return stim_complain(&s->base, "%s comes up that was not told next",
                             answer ? "an answer" : "an end");
    return NULL;
}

static const char *watch_answer(struct lsu_link_stim *s,
                                const struct lsu_link_out *o) {
    struct transaction *t = &s->transaction[o->answer_id];
    static const uint32_t none[WORDS];
    if (!o->answer_valid)
        return NULL;
    if (t->who == NOBODY)
        return stim_complain(&s->base,
                             "an answer to id %" PRIu64 " that nobody waits "
                             "for",
                             o->answer_id);
    if (o->answer_fault != t->fault ||
        !is_sector(s, o->answer_data,
                   t->who == OWN && t->is_store ? none : t->data))
        return stim_complain(&s->base, "another answer to id %" PRIu64,
                             o->answer_id);
    if (t->who == OWN) {
        if (check_told(s, true, o->answer_id))
            return s->base.message;
        line_drop(&s->told);
        s->under--;
    } else {
        s->others--;
    }
    s->ids &= ~bit((int)o->answer_id);
    *t = (struct transaction){0};
    return NULL;
}

static const char *watch_done(struct lsu_link_stim *s,
                              const struct lsu_link_out *o) {
    if (!o->done_valid)
        return NULL;
    if (check_told(s, false, 0))
        return s->base.message;
    const struct packet *p = &s->told.v[0];
    if (o->done_warp != p->warp || o->done_reg != p->reg ||
        o->done_store != (p->kind == NEAR_STORE) || o->done_fault != p->fault)
        return stim_complain(&s->base, "a message ends as another one");
    struct near *n = near_of(s, p->warp, p->reg);
    n->loads -= is_load(p->kind);
    n->stores -= p->kind == NEAR_STORE;
    s->under--;
    line_drop(&s->told);
    return NULL;
}

static const char *watch_rows(struct lsu_link_stim *s,
                              const struct lsu_link_out *o) {
    if (o->fetched_valid) {
        const struct packet *p = &s->rows.v[0];
        if (s->rows.n == 0 || (s->rows.n == 1 && s->asked.who == OWN))
            return stim_complain(&s->base, "a row comes up that nobody gave");
        if (!is_row(s, o->fetched_data, p->lane))
            return stim_complain(&s->base, "another row comes up");
        near_of(s, p->warp, p->reg)->fetches--;
        s->under--;
        line_drop(&s->rows);
    }
    if (o->write_ready && (!s->has_write || !s->written))
        return stim_complain(&s->base, "a row is told as written before it is");
    s->under -= o->write_ready;
    return NULL;
}

/* --- haste ---------------------------------------------------------------- */

static const char *check_quiet(struct lsu_link_stim *s, int *quiet, bool waits,
                               const char *what) {
    *quiet = waits ? *quiet + 1 : 0;
    return *quiet > QUIET
               ? stim_complain(&s->base, "%s waits for nothing", what)
               : NULL;
}

static const char *check_haste(struct lsu_link_stim *s,
                               const struct lsu_link_out *o) {
    const struct packet *p = front(s);
    bool offers = s->has_down || s->has_fetch || s->has_strided ||
                  (s->has_write && !s->sent);
    bool shown = o->ext_down_valid;
    if (p && p->kind == FETCH)
        shown = s->asked.who != NOBODY || s->row_up;
    if (p && p->kind == WRITE)
        shown = s->put.who != NOBODY;
    bool wanted = s->fetching >= 0 && s->fetch_kept && !s->row_now;
    bool up =
        s->answering >= 0 || s->ending >= 0 || s->row_up || s->written_up > 0;
    check_quiet(s, &s->quiet_down,
                offers && !o->lsu_down_valid && s->under < s->size.PLACES,
                "a request");
    check_quiet(s, &s->quiet_head, p && !shown, p ? name_of[p->kind] : "");
    check_quiet(s, &s->quiet_up, up && !o->lsu_up_valid, "what is to go up");
    check_quiet(s, &s->quiet_fetch,
                wanted && s->asked.who == NOBODY && !s->row_up,
                "the extension's request for a row");
    check_quiet(s, &s->quiet_load,
                s->loading >= 0 && !s->load_done && s->put.who == NOBODY,
                "the extension's row");
    check_quiet(s, &s->quiet_other, s->others > 0 && !o->answer_valid,
                "an answer of another core");
    return NULL;
}

/* What the registers hold when nothing is under way. */
static const char *check_registers(struct lsu_link_stim *s) {
    for (int i = 0; i < s->size.WARPS * s->size.REGS; i++)
        if (memcmp(s->near[i].lane, s->near[i].will, sizeof s->near[i].lane) !=
            0)
            return stim_complain(&s->base, "register %d of warp %d is another",
                                 i % s->size.REGS, i / s->size.REGS);
    s->compared++;
    return NULL;
}

/* --- both dies ------------------------------------------------------------ */

static void watch_handshakes(struct lsu_link_stim *s,
                             const struct lsu_link_in *in,
                             const struct lsu_link_out *o) {
    if (in->ext_answer_valid & o->ext_answer_ready & 1)
        tell_answer(s);
    if (in->ext_done_valid & o->ext_done_ready & 1)
        tell_end(s);
    if (in->ext_fetch_valid & o->ext_fetch_ready & 1)
        s->fetch_kept = true;
    if (in->ext_load_valid & o->ext_load_ready & 1) {
        s->message[s->loading].step = CARRIED;
        s->loading = -1;
        s->load_done = false;
    }
    if (in->write_valid & o->write_ready & 1)
        s->has_write = s->sent = s->written = false;
    if (in->other_valid & o->other_ready & 1) {
        s->has_other = false;
        s->others++;
        s->transaction[s->other].who = EXTENSION;
    }
    if (o->ext_down_valid & in->ext_down_ready & 1 && front(s))
        extension_takes(s);
    if (in->pipe_fetched_valid & 1)
        give_row(s);
    if (o->pipe_fetch_valid & in->pipe_fetch_ready & 1)
        s->asked.taken = true;
    if (o->pipe_load_valid & in->pipe_load_ready & 1 && s->put.who != NOBODY)
        put_row(s, o);
    s->delivered += in->lsu_near_valid & in->lsu_near_last & 1;
}

/* Whose packet it is that begins to go up: one that was told, or, as its kind
 * says, the lowest bits of its header, a row, or that one was written. */
static const char *begin_up(struct lsu_link_stim *s,
                            const struct lsu_link_out *o) {
    uint64_t kind = o->lsu_up_data[0] & 3;
    s->rises.inside = 0;
    if (s->up_follows) {
        s->up_follows = false;
        s->up = s->up_next;
    } else if (kind == 2 && s->row_up) {
        s->up = FETCH;
    } else if (kind == 3 && s->written_up > 0) {
        s->written_up--;
        s->up = WRITE;
    } else {
        return stim_complain(&s->base, "a packet goes up that nobody sent");
    }
    return NULL;
}

static int beats_up(const struct lsu_link_stim *s, enum kind k) {
    return s->size.BACK_BEATS + (k == LOAD    ? s->size.SECTOR_BEATS
                                 : k == FETCH ? s->size.ROW_BEATS
                                              : 0);
}

static const char *watch_up(struct lsu_link_stim *s,
                            const struct lsu_link_in *in,
                            const struct lsu_link_out *before,
                            const struct lsu_link_out *after) {
    bool answer = in->ext_answer_valid & before->ext_answer_ready & 1;
    bool end = in->ext_done_valid & before->ext_done_ready & 1;
    if (answer && end)
        return stim_complain(&s->base, "an answer and an end are taken on one "
                                       "edge");
    bool left =
        before->lsu_up_valid & before->lsu_up_last & in->lsu_up_ready & 1;
    if ((answer || end) && s->up_follows)
        return stim_complain(&s->base, "two packets wait behind one");
    if (answer || end) {
        s->up_follows = true;
        s->up_next = answer ? s->told.v[s->told.n - 1].kind : NEAR_LOAD;
    }
    if (after->lsu_up_valid && (left || !before->lsu_up_valid))
        begin_up(s, after);
    if (s->up_follows && !after->lsu_up_valid)
        return stim_complain(&s->base, "%s is taken and not sent",
                             answer ? "an answer" : "an end");
    if (after->lsu_up_valid &&
        after->lsu_up_last != (s->rises.inside + 1 == beats_up(s, s->up)))
        return stim_complain(&s->base,
                             "what goes up for a %s does not end "
                             "with its last beat",
                             name_of[s->up]);
    return NULL;
}

static void watch_bus(struct lsu_link_stim *s, const struct lsu_link_in *in,
                      const struct lsu_link_out *o) {
    if (o->lsu_down_valid & in->lsu_down_ready & 1)
        bus_takes(s, &s->falls, o->lsu_down_data, o->lsu_down_last);
    if (o->lsu_up_valid & in->lsu_up_ready & 1) {
        bus_takes(s, &s->rises, o->lsu_up_data, o->lsu_up_last);
        if (o->lsu_up_last && s->up == FETCH)
            s->row_up = false;
    }
}

static bool is_idle(const struct lsu_link_stim *s) {
    return s->under == 0 && s->line.n == 0 && s->messages == 0;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct lsu_link_stim *s = (struct lsu_link_stim *)base;
    const struct lsu_link_in *in = in_ports;
    const struct lsu_link_out *before = before_ports, *after = after_ports;
    bool was_busy = !is_idle(s);
    watch_handshakes(s, in, before);
    watch_bus(s, in, before);
    watch_down(s, in, before, after);
    watch_up(s, in, before, after);
    check_beats_down(s, after);
    if (after->pipe_fetch_valid && s->asked.taken)
        stim_complain(base, "a second row is asked for");
    else if (after->pipe_fetch_valid && s->asked.who == NOBODY)
        begin_fetch(s, after);
    if (after->pipe_load_valid && s->put.who == NOBODY)
        begin_load(s, after);
    check_ext_down(s, after); /* behind a request for a row that has left */
    check_ext_rows(s, after);
    watch_answer(s, after);
    watch_done(s, after);
    watch_rows(s, after);
    check_haste(s, after);
    if (was_busy && is_idle(s))
        check_registers(s);
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct lsu_link_stim *s = (const struct lsu_link_stim *)base;
    text_printf(t, "transactions\t%" PRIu64 "\n",
                s->went[LOAD] + s->went[STORE]);
    text_printf(t, "messages\t%" PRIu64 "\n",
                s->went[NEAR_LOAD] + s->went[NEAR_STORE]);
    text_printf(t, "strided messages\t%" PRIu64 "\n", s->went[STRIDED]);
    text_printf(t, "rows wanted\t%" PRIu64 "\n", s->went[FETCH]);
    text_printf(t, "rows written\t%" PRIu64 "\n", s->went[WRITE]);
    text_printf(t, "beats\t%" PRIu64 "\n", s->beats);
    text_printf(t, "registers compared\t%" PRIu64 "\n", s->compared);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class lsu_link_stim = {
    .size = sizeof(struct lsu_link_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

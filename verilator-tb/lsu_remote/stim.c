/* stim.c - stimulus of LSU-Remote: banks that answer at any time, in any order;
 * the own core, with messages, transactions and a unit that holds a sector
 * between load and store; other cores that want loads, stores and atomics of a
 * few sectors, and answer what is sent to them.
 *
 * The environment keeps the memory byte by byte and carries out each request
 * when it goes down (oracle.c); it knows who each request down is for, each
 * answer that has to come, and on which edge (judge.c).
 *
 * random    phases with other requests, rates and patience
 * directed  kind after kind and atomic after atomic
 */
#include "stim.h"

#include "env.h"

#include <inttypes.h>
#include <string.h>

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    static const int kinds[] = {ANY, LOADS, WHOLE_WORDS, PARTS, CLOG};
    enum { N = sizeof kinds / sizeof kinds[0], ALL = N + OP_CAS + 1 - OP_ADD };
    struct lsu_remote_stim *s = (struct lsu_remote_stim *)base;
    if (s->left-- > 0)
        return;
    int n = s->turn % ALL, form = s->turn / ALL % 4;
    bool slow = form >= 2;
    s->tune = (struct tune){
        .kind = n < N ? kinds[n] : ATOMICS,
        .op = n < N ? 0 : OP_ADD + n - N,
        .few = form + 1,
        .own = form == 0 ? 0 : 80,
        .holds = form == 1 ? 60 : 20,
        .messages = 20,
        .reqs = form == 1 ? 50 : 100,
        .far = 60,
        .answers = slow ? 40 : 100,
        .gots = slow ? 30 : 100,
        .faults = form == 3 ? 20 : 0,
        .high = 2,
        .low = slow ? 3 : 0,
        .send_high = 2,
        .send_low = slow ? 4 : 0,
    };
    s->left = 60;
    if (s->tune.kind == CLOG) {
        s->tune.answers = 4;
        s->tune.own = 100;
        s->tune.holds = 0;
        s->left = 8 * s->size.LANES;
    }
    s->first = (int)rng_below(&base->rng, SECTORS);
    s->turn++;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 3, 0};
    struct lsu_remote_stim *s = (struct lsu_remote_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.kind = rng_percent(r, 50) ? ANY : (int)rng_below(r, KINDS);
    s->tune.op = rng_percent(r, 70) ? 0 : rng_range(r, OP_ADD, OP_CAS);
    s->tune.few = rng_percent(r, 70) ? rng_range(r, 1, 3) : SECTORS;
    s->tune.own = rates[rng_below(r, 6)];
    s->tune.holds = rates[rng_below(r, 6)];
    s->tune.messages = rng_percent(r, 20) ? 100 : 20;
    s->tune.reqs = rates[rng_below(r, 6)];
    s->tune.far = rates[rng_below(r, 6)];
    s->tune.answers = rates[rng_below(r, 5)];
    s->tune.gots = rates[rng_below(r, 5)];
    s->tune.faults = rng_percent(r, 70) ? 0 : 20;
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 10);
    s->tune.send_high = rng_range(r, 1, 6);
    s->tune.send_low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 10);
    s->first = (int)rng_below(r, SECTORS);
    s->left = rng_range(r, 40, 400);
}

/* --- what is wanted ------------------------------------------------------- */

static int some_sector(struct lsu_remote_stim *s) {
    int n = (int)rng_below(&s->base.rng, (uint32_t)s->tune.few);
    return (s->first + n) % SECTORS;
}

/* An id of the own core that is not under way; -1: none. */
static int some_id(struct lsu_remote_stim *s) {
    int at = (int)rng_below(&s->base.rng, (uint32_t)s->size.LANES);
    for (int i = 0; i < s->size.LANES; i++) {
        int id = (at + i) % s->size.LANES;
        if (!(s->ids >> id & 1))
            return id;
    }
    return -1;
}

static struct down transaction(struct lsu_remote_stim *s, int sector, int id) {
    s->ids |= bit(id);
    return (struct down){
        .unit = lsur_unit_of(s, sector),
        .address = s->memory[sector].at * (uint64_t)s->size.WORDS,
        .id = (uint64_t)id,
        .sector = sector,
    };
}

static void offer_plain(struct lsu_remote_stim *s) {
    struct rng *r = &s->base.rng;
    struct down d = {.near = rng_percent(r, s->tune.messages), .sector = -1};
    if (d.near) {
        d.store = rng_percent(r, 50);
        d.unit = rng_below(r, (uint32_t)s->size.UNITS);
        d.warp = rng_below(r, (uint32_t)s->size.WARPS);
        d.reg = rng_below(r, (uint32_t)s->size.REGS);
        d.address = rng_next(r) & ones(s->size.AT_W);
    } else {
        int id = some_id(s);
        if (id < 0)
            return;
        d = transaction(s, some_sector(s), id);
        d.store = s->tune.kind != CLOG && rng_percent(r, 50);
    }
    if (d.store)
        d.strobe = rng_next(r) & ones(s->size.WORDS);
    for (int i = 0; i < s->size.WORDS; i++)
        if (d.strobe >> i & 1)
            d.data[i] = (uint32_t)rng_next(r);
    s->offer = d;
    s->offered = true;
    s->offer_holds = false;
}

/* The read-modify-write unit wants a sector, if nothing of the own core is on
 * its way to tx. */
static void want_hold(struct lsu_remote_stim *s) {
    int id = some_id(s);
    if (id < 0)
        return;
    s->holder = (struct holder){
        .step = HOLD_LOAD, .sector = some_sector(s), .id = (uint64_t)id};
    s->offer = transaction(s, s->holder.sector, id);
    s->offered = s->offer_holds = true;
    s->holds++;
}

/* It has its sector: it stores words of it, or changes none. */
static void think(struct lsu_remote_stim *s) {
    struct rng *r = &s->base.rng;
    struct holder *h = &s->holder;
    if (!rng_percent(r, 40))
        return;
    int id = some_id(s);
    if (h->fault || rng_percent(r, 15)) {
        h->step = FREE;
        h->down = false;
        return;
    }
    if (id < 0)
        return;
    h->step = HOLD_STORE;
    h->id = (uint64_t)id;
    s->offer = transaction(s, h->sector, id);
    s->offer.store = true;
    s->offer.strobe =
        (rng_next(r) & ones(s->size.WORDS)) | bit(rng_below(r, 2));
    for (int i = 0; i < s->size.WORDS; i++)
        if (s->offer.strobe >> i & 1)
            s->offer.data[i] = h->loaded[i] + 1;
    s->offered = s->offer_holds = true;
}

static void ask_bytes(struct lsu_remote_stim *s, struct request *q) {
    struct rng *r = &s->base.rng;
    for (int i = 0; i < s->size.SECTOR; i++)
        q->byte[i] = (uint8_t)rng_next(r);
    for (int i = 0; i < s->size.WORDS; i++)
        if (rng_percent(r, 60))
            q->strobe |= (uint64_t)15 << 4 * i;
}

/* Operands that make a difference: near what the word is, or anything. */
static uint32_t operand(struct lsu_remote_stim *s, int sector, int word) {
    struct rng *r = &s->base.rng;
    if (rng_percent(r, 50))
        return (uint32_t)rng_next(r);
    return lsur_word(s->memory[sector].is + 4 * word) + rng_below(r, 3) - 1;
}

static void ask_atomic(struct lsu_remote_stim *s, struct request *q) {
    struct rng *r = &s->base.rng;
    int word = (int)rng_below(r, (uint32_t)s->size.WORDS);
    q->op = s->tune.op ? s->tune.op : rng_range(r, OP_ADD, OP_CAS);
    q->strobe = (uint64_t)15 << 4 * word;
    uint32_t data = operand(s, q->sector, word);
    for (int b = 0; b < s->size.SECTOR; b++) /* of other words any */
        q->byte[b] = (uint8_t)(b / 4 == word ? data >> b % 4 * 8 : rng_next(r));
    if (q->op == OP_CAS)
        q->compare = operand(s, q->sector, word);
}

static bool is_full(const struct lsu_remote_stim *s) {
    for (int i = 0; i < s->size.LANES; i++)
        if (s->slot[i].who == NOBODY)
            return false;
    return true;
}

static void ask(struct lsu_remote_stim *s) {
    struct rng *r = &s->base.rng;
    struct request *q = &s->asks;
    int kind = s->tune.kind;
    if (kind == CLOG) /* changes when there is no slot for them */
        kind = is_full(s) ? ATOMICS : LOADS;
    if (kind == ANY)
        kind = rng_range(r, LOADS, ATOMICS);
    *q = (struct request){.id = rng_next(r) & ones(s->size.TAG_W),
                          .sector = some_sector(s)};
    if (kind == ATOMICS) {
        ask_atomic(s, q);
    } else if (kind != LOADS) {
        q->op = OP_STORE;
        ask_bytes(s, q);
    }
    if (kind == PARTS)
        q->strobe ^= rng_next(r) & ones(s->size.SECTOR);
    s->asked = true;
}

static void want_far(struct lsu_remote_stim *s) {
    struct rng *r = &s->base.rng;
    struct far *f = &s->away;
    int id = some_id(s);
    if (id < 0)
        return;
    *f = (struct far){.part = rng_percent(r, 50), .id = (uint64_t)id};
    f->core = rng_below(r, (uint32_t)s->size.CORES);
    f->at = rng_next(r) & ones(s->size.SECTOR_W);
    f->op = (int)rng_below(r, f->part ? OP_CAS + 1 : OP_STORE + 1);
    if (f->op != OP_LOAD)
        f->strobe = rng_next(r) & ones(s->size.SECTOR);
    for (int i = 0; i < s->size.WORDS && !f->part; i++)
        f->strobe =
            (f->strobe >> 4 * i & 1 ? f->strobe | (uint64_t)15 << 4 * i
                                    : f->strobe & ~((uint64_t)15 << 4 * i));
    if (f->op == OP_CAS)
        f->compare = (uint32_t)rng_next(r);
    for (int i = 0; i < s->size.WORDS && f->op != OP_LOAD; i++)
        f->data[i] = (uint32_t)rng_next(r);
    s->ids |= bit(id);
    s->wants_away = true;
}

/* --- what goes in --------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct lsu_remote_stim *)base)->size = lsu_remote_local(c);
    base->reset_every = 3000;
}

static void reset(struct stim *base) {
    struct lsu_remote_stim *s = (struct lsu_remote_stim *)base;
    s->ids = s->sents = 0;
    s->offered = s->asked = s->wants_away = false;
    s->own.has = s->other.has = false;
    s->holder = (struct holder){.step = FREE};
    memset(s->slot, 0, sizeof s->slot);
    s->given = -1;
    s->owed = s->cames = 0;
    s->was_full = false;
    s->overtaken_own = s->overtaken_other = s->quiet = 0;
}

static void lay(const struct lsu_remote_stim *s, uint64_t *wide,
                const uint32_t *word) {
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(wide, i, word[i]);
}

static void drive_own(struct lsu_remote_stim *s, struct lsu_remote_in *in) {
    struct rng *r = &s->base.rng;
    enum hold step = s->holder.step;
    const struct down *d = &s->offer;
    if (step == HOLD_THINK)
        think(s);
    else if (step == FREE && !s->offered && rng_percent(r, s->tune.holds))
        want_hold(s);
    else if ((step == FREE || step == HOLD_KEPT) && !s->offered &&
             rng_percent(r, s->tune.own))
        offer_plain(s);
    in->hold_stores =
        s->holder.step >= HOLD_LOAD && s->holder.step <= HOLD_STORE;
    in->tx_valid = s->offered;
    in->tx_near = d->near;
    in->tx_store = d->store;
    in->tx_unit = d->unit;
    in->tx_warp = d->warp;
    in->tx_reg = d->reg;
    in->tx_id = d->id;
    in->tx_address = d->address;
    in->tx_strobe = d->strobe;
    lay(s, in->tx_data, d->data);
}

static void drive_req(struct lsu_remote_stim *s, struct lsu_remote_in *in) {
    const struct request *q = &s->asks;
    if (!s->asked && rng_percent(&s->base.rng, s->tune.reqs))
        ask(s);
    in->req_valid = s->asked;
    in->req_op = (uint64_t)q->op;
    in->req_id = q->id;
    in->req_address = s->memory[q->sector].at;
    in->req_strobe = q->strobe;
    in->req_compare = q->compare;
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(in->req_data, i, lsur_word(q->byte + 4 * i));
}

static void drive_far(struct lsu_remote_stim *s, struct lsu_remote_in *in) {
    struct rng *r = &s->base.rng;
    const struct far *f = &s->away;
    if (!s->wants_away && rng_percent(r, s->tune.far))
        want_far(s);
    in->away_valid = s->wants_away && !f->part;
    in->part_valid = s->wants_away && f->part;
    in->away_core = f->core;
    in->away_store = f->op == OP_STORE;
    in->away_address = f->at;
    in->away_id = in->part_id = f->id;
    in->away_strobe = 0;
    for (int i = 0; i < s->size.WORDS; i++)
        in->away_strobe |= (f->strobe >> 4 * i & 1) << i;
    in->part_op = (uint64_t)f->op;
    in->part_address = lsur_whole(s, f->core, f->at);
    in->part_strobe = f->strobe;
    in->part_compare = f->compare;
    lay(s, in->away_data, f->data);
    lay(s, in->part_data, f->data);
    in->send_ready =
        toggle_step(&s->send, r, s->tune.send_high, s->tune.send_low);
}

/* The banks answer a transaction that went down, any of them. */
static void drive_answer(struct lsu_remote_stim *s, struct lsu_remote_in *in) {
    struct rng *r = &s->base.rng;
    int can[LANES], n = 0;
    for (int i = 0; i < s->size.LANES; i++)
        if (s->slot[i].who != NOBODY && s->slot[i].taken)
            can[n++] = i;
    bool gives = n > 0 && rng_percent(r, s->tune.answers);
    s->given = gives ? can[rng_below(r, (uint32_t)n)] : -1;
    in->answer_valid = gives;
    in->answer_id = rng_next(r) & ones(s->size.LANE_W);
    in->answer_fault = rng_next(r) & 1;
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(in->answer_data, i, (uint32_t)rng_next(r));
    if (!gives)
        return;
    in->answer_id = (uint64_t)s->given;
    in->answer_fault = s->slot[s->given].fault;
    lay(s, in->answer_data, s->slot[s->given].data);
}

/* Another core answers, any that has something. */
static void drive_got(struct lsu_remote_stim *s, struct lsu_remote_in *in) {
    struct rng *r = &s->base.rng;
    int can[LANES], n = 0;
    for (int i = 0; i < s->size.LANES; i++)
        if (s->sents >> i & 1)
            can[n++] = i;
    in->got_valid = n > 0 && rng_percent(r, s->tune.gots);
    in->got_id = in->got_valid ? (uint64_t)can[rng_below(r, (uint32_t)n)]
                               : rng_next(r) & ones(s->size.LANE_W);
    in->got_fault = rng_percent(r, s->tune.faults);
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(in->got_data, i, (uint32_t)rng_next(r));
}

static void drive(struct stim *base, void *ports) {
    struct lsu_remote_stim *s = (struct lsu_remote_stim *)base;
    struct lsu_remote_in *in = ports;
    bool still = base->now == 0 || base->rst_left > 0;
    if (still) { /* other sectors */
        lsur_new_memory(s);
        memset(in, 0, sizeof *in);
        s->given = -1;
        return;
    }
    drive_own(s, in);
    drive_req(s, in);
    drive_far(s, in);
    drive_answer(s, in);
    drive_got(s, in);
    in->down_ready =
        toggle_step(&s->down, &base->rng, s->tune.high, s->tune.low);
}

static void report(struct stim *base, struct text *t) {
    const struct lsu_remote_stim *s = (const struct lsu_remote_stim *)base;
    text_printf(t, "own\t%" PRIu64 "\n", s->owns);
    text_printf(t, "holds\t%" PRIu64 "\n", s->holds);
    text_printf(t, "direct\t%" PRIu64 "\n", s->directs);
    text_printf(t, "changes\t%" PRIu64 "\n", s->changes);
    text_printf(t, "far\t%" PRIu64 "\n", s->fars);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class lsu_remote_stim = {
    .size = sizeof(struct lsu_remote_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = lsur_watch,
    .report = report,
};

/* stim.c - stimulus of a core's port on the banks of near-bank units: a core
 * that asks for sectors, and banks that answer in any order but that of a
 * sector.
 *
 * Each sector has its bytes twice: as they will be, when all that was taken is
 * carried out, and as they are at the banks.  A request is carried out on the
 * first when it is taken, so what its response has to hold is known from then
 * on, and what its store has to write; on the second when the banks answer.  A
 * reset takes the difference back.
 *
 * random    phases with other rates, mixes, sectors and patience
 * directed  streams of one kind, one hot sector, banks that say nothing
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/bank_port.h"
#include "kit/toggle.h"

#include <inttypes.h>
#include <string.h>

enum {
    UNITS = 16,
    IDS = 64,
    BYTES = 32,
    SECTORS = 24,
    ROOM = 3, /* of requests that wait: two in the queue, one at its output */
    PHASE = 250,
    NOBODY = -1
};

/* What the surroundings are like for a while. */
struct tune {
    int send;                   /* percent of the edges with a request */
    int loads, stores, atomics; /* percent; the rest means nothing */
    int whole;                  /* percent of stores without parts of words */
    int hot, one_unit; /* percent of requests for one sector, for one unit */
    int answer;        /* percent of the edges on which a unit answers */
    int high, low;     /* longest times that banks take, and do not */
    bool together;     /* they answer when each unit has something to */
};

/* One of those that are in use. */
struct sector {
    uint64_t address;
    bool beyond; /* the banks do not have it */
    uint8_t will[BYTES], is[BYTES];
};

enum stage {
    FREE,
    OFFERED,
    WAITS,   /* taken */
    READS,   /* a change whose load went to the unit */
    COME,    /* ... and has been answered */
    GOES,    /* a plain one, or the store of a change, went to the unit */
    ANSWERED /* by the banks */
};

struct asked { /* its place is its id */
    enum stage stage;
    int op, at; /* at: of the sectors */
    uint64_t strobe;
    uint32_t compare;
    uint8_t data[BYTES];
    bool change, fault;
    uint64_t number;       /* in the order in which they were taken */
    int64_t when;          /* edge on which it was taken, or answered */
    uint8_t after[BYTES];  /* its sector, when it has been carried out */
    uint8_t expect[BYTES]; /* of its response */
};

struct unit {
    struct toggle ready;
    int shown;       /* at its register */
    int inside[IDS]; /* at the banks, by age */
    int n_inside;
    int answers;   /* on this edge */
    int came[IDS]; /* answers without a turn yet, by age */
    int n_came;
    int passed; /* turns of others since the oldest could be chosen */
};

struct bank_port_stim {
    struct stim base;
    struct bank_port_local size;
    struct tune tune;
    int left, script, hot, only; /* only: the unit of one_unit */
    struct sector sector[SECTORS];
    struct asked asked[IDS];
    int offered;
    int waiting[ROOM + 1]; /* taken, by age */
    int n_waiting;
    int change; /* that is under way */
    struct unit unit[UNITS];
    int64_t edge; /* since reset */
    int64_t next; /* the first one on which a response may be chosen */
    uint64_t taken;
    uint64_t requests, changes, responses;
};

/* --- where things lie ----------------------------------------------------- */

static int unit_of(const struct bank_port_stim *s, uint64_t address) {
    uint64_t lines = address / (uint64_t)(s->size.LINE / s->size.SECTOR);
    return (int)(lines % (uint64_t)s->size.UNITS);
}

static uint64_t own_of(const struct bank_port_stim *s, uint64_t address) {
    uint64_t row = (uint64_t)(s->size.LINE / s->size.SECTOR);
    return address / row / (uint64_t)s->size.UNITS * row + address % row;
}

static int unit_of_id(const struct bank_port_stim *s, int id) {
    return unit_of(s, s->sector[s->asked[id].at].address);
}

static bool is_used(const struct bank_port_stim *s, int at) {
    bool used = false;
    for (int id = 0; id < s->size.IDS; id++)
        used |= s->asked[id].stage != FREE && s->asked[id].at == at;
    return used;
}

static bool is_there(const struct bank_port_stim *s, uint64_t address) {
    bool there = false;
    for (int i = 0; i < SECTORS; i++)
        there |= s->sector[i].address == address;
    return there;
}

static void some_bytes(struct bank_port_stim *s, uint8_t *b) {
    for (int i = 0; i < s->size.SECTOR; i++)
        b[i] = (uint8_t)rng_next(&s->base.rng);
}

/* Anywhere, or beside another one: a bit of its address away. */
static uint64_t some_address(struct bank_port_stim *s) {
    struct rng *r = &s->base.rng;
    if (rng_percent(r, 40))
        return rng_next(r) & ones(s->size.SADDR_W);
    return s->sector[rng_below(r, SECTORS)].address ^
           bit((int)rng_below(r, (uint32_t)s->size.SADDR_W));
}

/* Other sectors in place of those for which nobody asks. */
static void draw_sectors(struct bank_port_stim *s, int percent, int beyond) {
    struct rng *r = &s->base.rng;
    for (int i = 0; i < SECTORS; i++) {
        struct sector *c = &s->sector[i];
        uint64_t address = some_address(s);
        if (!rng_percent(r, percent) || is_used(s, i) || is_there(s, address))
            continue;
        c->address = address;
        c->beyond = rng_percent(r, beyond);
        some_bytes(s, c->is);
        memcpy(c->will, c->is, sizeof c->will);
    }
}

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 25, 5, 0};
    static const int answers[] = {100, 100, 60, 30, 5, 0};
    struct bank_port_stim *s = (struct bank_port_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){
        .send = rates[rng_below(r, 6)],
        .whole = rng_percent(r, 30) ? 100 : rng_range(r, 0, 90),
        .hot = rng_percent(r, 40) ? 80 : 10,
        .one_unit = rng_percent(r, 30) ? 80 : 0,
        .answer = answers[rng_below(r, 6)],
        .high = rng_range(r, 1, 8),
        .low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 8),
        .together = rng_percent(r, 15),
    };
    int other = rng_percent(r, 40) ? rng_range(r, 1, 20) : 0;
    s->tune.atomics = rng_percent(r, 40) ? 0 : rng_range(r, 1, 40);
    s->tune.loads = rng_range(r, 0, 100 - other - s->tune.atomics);
    s->tune.stores = 100 - other - s->tune.atomics - s->tune.loads;
    if (s->tune.together) /* no change that holds up the others */
        s->tune.loads = 100;
    s->hot = (int)rng_below(r, SECTORS);
    s->only = (int)rng_below(r, (uint32_t)s->size.UNITS);
    draw_sectors(s, 50, rng_percent(r, 50) ? 15 : 0);
    s->left = rng_range(r, 20, 300);
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        /* send loads stores atomics whole hot unit answer high low together */
        {100, 100, 0, 0, 0, 0, 0, 100, 1, 0, 0},    /* loads, */
        {100, 100, 0, 0, 0, 0, 0, 0, 1, 0, 0},      /* until nothing goes, */
        {100, 100, 0, 0, 0, 0, 0, 100, 1, 0, 1},    /* which all answer */
        {100, 0, 100, 0, 60, 0, 0, 100, 1, 0, 0},   /* stores, */
        {100, 0, 0, 100, 0, 0, 0, 100, 1, 0, 0},    /* atomics, */
        {100, 30, 30, 30, 50, 90, 0, 100, 1, 0, 0}, /* of one sector */
        {100, 40, 30, 20, 50, 20, 90, 60, 1, 0, 0}, /* of one unit */
        {100, 60, 20, 10, 50, 20, 0, 30, 1, 0, 0},  /* slow banks, */
        {100, 60, 20, 10, 50, 20, 0, 100, 2, 6, 0}, /* that take little */
        {4, 40, 30, 20, 50, 0, 0, 100, 1, 0, 0},    /* one by one */
    };
    struct bank_port_stim *s = (struct bank_port_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->script++ % (int)(sizeof script / sizeof *script)];
    s->hot = s->script % SECTORS;
    s->only = s->script % s->size.UNITS;
    draw_sectors(s, 80, 10);
    s->left = PHASE - 1;
}

/* --- what the core asks for ----------------------------------------------- */

static uint32_t get_word(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static void put_word(uint8_t *b, uint32_t word) {
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(word >> 8 * i);
}

/* Ids without a response are unlike; NOBODY if all are in use. */
static int draw_id(struct bank_port_stim *s) {
    int ids = s->size.IDS, first = (int)rng_below(&s->base.rng, (uint32_t)ids);
    for (int i = 0; i < ids; i++)
        if (s->asked[(first + i) % ids].stage == FREE)
            return (first + i) % ids;
    return NOBODY;
}

static int draw_sector(struct bank_port_stim *s) {
    struct rng *r = &s->base.rng;
    int at = (int)rng_below(r, SECTORS);
    bool one = rng_percent(r, s->tune.one_unit);
    if (rng_percent(r, s->tune.hot))
        return s->hot;
    for (int i = 0; one && i < SECTORS; i++)
        if (unit_of(s, s->sector[(at + i) % SECTORS].address) == s->only)
            return (at + i) % SECTORS;
    return at;
}

static int draw_op(struct bank_port_stim *s) {
    struct rng *r = &s->base.rng;
    int kind = (int)rng_below(r, 100);
    if ((kind -= s->tune.loads) < 0)
        return 0;
    if ((kind -= s->tune.stores) < 0)
        return 1;
    if ((kind -= s->tune.atomics) < 0)
        return rng_percent(r, 30) ? 11 : rng_range(r, 2, 10);
    return rng_range(r, 12, 15);
}

static uint64_t draw_words(struct bank_port_stim *s) {
    uint64_t words = rng_next(&s->base.rng) & ones(s->size.WORDS), strobe = 0;
    if (rng_percent(&s->base.rng, 50))
        words = ones(s->size.WORDS);
    for (int w = 0; w < s->size.WORDS; w++)
        strobe |= words >> w & 1 ? (uint64_t)15 << 4 * w : 0;
    return strobe;
}

static uint64_t draw_strobe(struct bank_port_stim *s, int op) {
    struct rng *r = &s->base.rng;
    if (op > 1 && op <= 11)
        return (uint64_t)15 << 4 * (int)rng_below(r, (uint32_t)s->size.WORDS);
    if (op != 1) /* which they do not use */
        return rng_next(r) & ones(s->size.SECTOR);
    if (rng_percent(r, s->tune.whole))
        return draw_words(s);
    if (rng_percent(r, 40)) /* some bytes of a word */
        return bit((int)rng_below(r, (uint32_t)s->size.SECTOR)) |
               (rng_percent(r, 50) ? draw_words(s) : 0);
    return rng_next(r) & ones(s->size.SECTOR);
}

static bool has_parts(const struct bank_port_stim *s, uint64_t strobe) {
    bool parts = false;
    for (int w = 0; w < s->size.WORDS; w++)
        parts |= (strobe >> 4 * w & 15) != 0 && (strobe >> 4 * w & 15) != 15;
    return parts;
}

/* The first byte of an atomic's word. */
static int word_at(const struct asked *q) {
    int at = 0;
    while (!(q->strobe >> at & 1))
        at++;
    return at;
}

static void offer(struct bank_port_stim *s) {
    struct rng *r = &s->base.rng;
    int id = draw_id(s);
    if (id == NOBODY)
        return;
    struct asked *q = &s->asked[id];
    memset(q, 0, sizeof *q);
    q->stage = OFFERED;
    q->at = draw_sector(s);
    q->op = draw_op(s);
    q->strobe = draw_strobe(s, q->op);
    some_bytes(s, q->data);
    q->compare = (uint32_t)rng_next(r);
    q->change = q->op > 1 ? q->op <= 11 : q->op && has_parts(s, q->strobe);
    /* what stands there when this comes to it, as nobody else asks before */
    if (q->op == 11 && rng_percent(r, 50))
        q->compare = get_word(s->sector[q->at].will + word_at(q));
    s->offered = id;
}

static uint32_t made_of(int op, uint32_t old, uint32_t data, uint32_t compare) {
    const int32_t a = (int32_t)old, b = (int32_t)data;
    const uint32_t made[] = {
        old + data,
        a < b ? old : data,
        a > b ? old : data,
        old < data ? old : data,
        old > data ? old : data,
        old & data,
        old | data,
        old ^ data,
        data,
        old == compare ? data : old,
    };
    return made[op - 2];
}

/* In the memory as it will be. */
static void carry_out(struct bank_port_stim *s, struct asked *q) {
    uint8_t *b = s->sector[q->at].will;
    if (s->sector[q->at].beyond)
        return;
    if (q->op == 0) {
        memcpy(q->expect, b, sizeof q->expect);
    } else if (q->op == 1) {
        for (int i = 0; i < s->size.SECTOR; i++)
            if (q->strobe >> i & 1)
                b[i] = q->data[i];
    } else if (q->op <= 11) {
        int at = word_at(q);
        uint32_t old = get_word(b + at);
        put_word(q->expect + at, old);
        put_word(b + at,
                 made_of(q->op, old, get_word(q->data + at), q->compare));
    }
    memcpy(q->after, b, sizeof q->after);
}

static void take(struct bank_port_stim *s) {
    struct asked *q = &s->asked[s->offered];
    q->stage = WAITS;
    q->number = s->taken++;
    q->when = s->edge;
    s->waiting[s->n_waiting++] = s->offered;
    s->offered = NOBODY;
    s->requests++;
    s->changes += q->change;
    carry_out(s, q);
}

static void put_bytes(uint64_t *wide, int at, const uint8_t *b, int n) {
    for (int i = 0; i < n; i++)
        bits_or(wide, 8 * (at + i), 8, b[i]);
}

static void drive_req(struct bank_port_stim *s, struct bank_port_in *in) {
    static const struct asked none;
    if (s->offered == NOBODY && s->base.rst_left == 0 &&
        rng_percent(&s->base.rng, s->tune.send))
        offer(s);
    bool valid = s->offered != NOBODY;
    const struct asked *q = valid ? &s->asked[s->offered] : &none;
    in->req_valid = valid;
    in->req_op = (uint64_t)q->op;
    in->req_id = valid ? (uint64_t)s->offered : 0;
    in->req_address = valid ? s->sector[q->at].address : 0;
    in->req_strobe = q->strobe;
    in->req_compare = q->compare;
    memset(in->req_data, 0, sizeof in->req_data);
    put_bytes(in->req_data, 0, q->data, s->size.SECTOR);
}

/* --- what the banks answer ------------------------------------------------ */

/* Words that its store writes. */
static uint64_t words_of(const struct bank_port_stim *s,
                         const struct asked *q) {
    uint64_t words = 0;
    for (int w = 0; w < s->size.WORDS; w++) {
        uint64_t strobes = q->strobe >> 4 * w & 15;
        bool some = q->change ? strobes != 0 : strobes == 15;
        words |= (uint64_t)(some && q->op > 0 && q->op <= 11) << w;
    }
    return words;
}

/* Any that is inside, or the oldest one of its sector. */
static int pick(struct bank_port_stim *s, const struct unit *u) {
    int i = (int)rng_below(&s->base.rng, (uint32_t)u->n_inside);
    for (int k = 0; k < i; k++)
        if (s->asked[u->inside[k]].at == s->asked[u->inside[i]].at)
            return k;
    return i;
}

/* What the banks make of it comes out: the bytes that they answer. */
static void answer(struct bank_port_stim *s, struct asked *q, uint8_t *given) {
    struct sector *c = &s->sector[q->at];
    bool load = q->stage == READS || q->op == 0;
    uint64_t words = words_of(s, q);
    q->fault = c->beyond;
    if (load && !c->beyond) {
        memcpy(given, c->is, BYTES);
        return;
    }
    if (rng_percent(&s->base.rng, 50)) /* whatever they say of others */
        some_bytes(s, given);
    if (!q->change)
        memcpy(q->expect, given, BYTES);
    for (int i = 0; i < s->size.SECTOR && !load && !c->beyond; i++)
        if (words >> i / 4 & 1)
            c->is[i] = q->after[i];
}

static bool all_have_some(const struct bank_port_stim *s) {
    bool all = true;
    for (int i = 0; i < s->size.UNITS; i++)
        all &= s->unit[i].n_inside > 0;
    return all;
}

static void drive_back(struct bank_port_stim *s, struct bank_port_in *in) {
    bool all = s->tune.together && all_have_some(s);
    int rate = all ? 100 : s->tune.together ? 0 : s->tune.answer;
    in->back_valid = in->back_fault = 0;
    memset(in->back_id, 0, sizeof in->back_id);
    memset(in->back_data, 0, sizeof in->back_data);
    for (int i = 0; i < s->size.UNITS; i++) {
        struct unit *u = &s->unit[i];
        uint8_t given[BYTES] = {0};
        u->answers = NOBODY;
        if (u->n_inside == 0 || !rng_percent(&s->base.rng, rate))
            continue;
        int at = pick(s, u), id = u->inside[at];
        u->n_inside--;
        memmove(&u->inside[at], &u->inside[at + 1],
                (size_t)(u->n_inside - at) * sizeof *u->inside);
        u->answers = id;
        answer(s, &s->asked[id], given);
        in->back_valid |= bit(i);
        in->back_fault |= (uint64_t)s->asked[id].fault << i;
        bits_or(in->back_id, i * s->size.ID_W, s->size.ID_W, (uint64_t)id);
        put_bytes(in->back_data, i * s->size.SECTOR, given, s->size.SECTOR);
    }
}

static void drive(struct stim *base, void *ports) {
    struct bank_port_stim *s = (struct bank_port_stim *)base;
    struct bank_port_in *in = ports;
    drive_req(s, in);
    drive_back(s, in);
    in->mem_ready = 0;
    for (int i = 0; i < s->size.UNITS; i++)
        in->mem_ready |= (uint64_t)toggle_step(&s->unit[i].ready, &base->rng,
                                               s->tune.high, s->tune.low)
                         << i;
}

/* They come in on this edge; with the end of a change the next one may go. */
static void come(struct bank_port_stim *s, struct unit *u) {
    int id = u->answers;
    if (id == NOBODY)
        return;
    struct asked *q = &s->asked[id];
    q->when = s->edge;
    if (q->stage == READS && !q->fault) {
        q->stage = COME;
        return;
    }
    q->stage = ANSWERED;
    u->came[u->n_came++] = id;
    if (s->change == id)
        s->change = NOBODY;
}

/* --- what arrives at the units -------------------------------------------- */

/* What a unit's register shows. */
struct shown {
    bool valid, store;
    int id;
    uint64_t own, words;
    uint8_t data[BYTES];
};

static struct shown read_shown(const struct bank_port_stim *s,
                               const struct bank_port_out *o, int unit) {
    const struct bank_port_local *l = &s->size;
    struct shown a;
    memset(&a, 0, sizeof a);
    a.valid = o->mem_valid >> unit & 1;
    a.store = o->mem_store >> unit & 1;
    a.id = (int)bits_get(o->mem_id, unit * l->ID_W, l->ID_W);
    a.own = bits_get(o->mem_address, unit * l->OWN_W, l->OWN_W);
    a.words = bits_get(o->mem_strobe, unit * l->WORDS, l->WORDS);
    for (int i = 0; i < l->SECTOR; i++)
        a.data[i] =
            (uint8_t)bits_get(o->mem_data, 8 * (unit * l->SECTOR + i), 8);
    return a;
}

static bool is_same(const struct shown *a, const struct shown *b) {
    return a->valid == b->valid && a->store == b->store && a->id == b->id &&
           a->own == b->own && a->words == b->words &&
           memcmp(a->data, b->data, BYTES) == 0;
}

/* It is a load, or a store of these words. */
static const char *check_form(struct bank_port_stim *s, int unit,
                              const struct shown *a, const struct asked *q) {
    static const uint8_t nothing[BYTES];
    bool load = q->op == 0 || (q->change && q->stage == WAITS);
    const uint8_t *data = load ? nothing : q->change ? q->after : q->data;
    uint64_t words = load ? 0 : words_of(s, q);
    if (a->store == load)
        return stim_complain(&s->base, "unit %d: request %d is a %s", unit,
                             a->id, load ? "store" : "load");
    if (a->words != words)
        return stim_complain(&s->base,
                             "unit %d: request %d has the words %" PRIx64
                             ", expected %" PRIx64,
                             unit, a->id, a->words, words);
    for (int i = 0; i < s->size.SECTOR; i++)
        if (a->data[i] != data[i])
            return stim_complain(
                &s->base,
                "unit %d: byte %d of request %d is %02x, expected %02x", unit,
                i, a->id, a->data[i], data[i]);
    return NULL;
}

static bool is_before_banks(const struct asked *q) {
    return q->stage == WAITS || q->stage == READS || q->stage == COME;
}

/* Is it in its turn, as far as its sector and its unit go? */
static const char *check_order(struct bank_port_stim *s, int unit, int id) {
    const struct asked *q = &s->asked[id];
    int change = s->change;
    for (int k = 0; k < s->size.IDS; k++)
        if (is_before_banks(&s->asked[k]) && s->asked[k].at == q->at &&
            s->asked[k].number < q->number)
            return stim_complain(&s->base,
                                 "unit %d: request %d is before request %d, "
                                 "which is older and for its sector",
                                 unit, id, k);
    if (change != NOBODY && change != id &&
        is_before_banks(&s->asked[change]) && unit_of_id(s, change) == unit)
        return stim_complain(&s->base,
                             "unit %d: request %d comes between what request "
                             "%d reads and what it writes",
                             unit, id, change);
    return NULL;
}

static const char *check_arrival(struct bank_port_stim *s, int unit,
                                 const struct shown *a) {
    const struct asked *q = &s->asked[a->id];
    uint64_t address = s->sector[q->at].address;
    if (q->stage != WAITS && q->stage != COME)
        return stim_complain(
            &s->base, "unit %d: request %d, which nobody makes", unit, a->id);
    if (unit_of(s, address) != unit)
        return stim_complain(&s->base, "unit %d: request %d is one for unit %d",
                             unit, a->id, unit_of(s, address));
    if (a->own != own_of(s, address))
        return stim_complain(&s->base,
                             "unit %d: request %d is for sector %" PRIx64
                             ", expected %" PRIx64,
                             unit, a->id, a->own, own_of(s, address));
    const char *wrong = check_order(s, unit, a->id);
    return wrong ? wrong : check_form(s, unit, a, q);
}

static void arrives(struct bank_port_stim *s, int unit, int id) {
    struct asked *q = &s->asked[id];
    s->unit[unit].shown = id;
    if (q->stage == WAITS) {
        s->n_waiting--;
        memmove(s->waiting, s->waiting + 1,
                (size_t)s->n_waiting * sizeof *s->waiting);
    }
    if (q->change && q->stage == WAITS) {
        q->stage = READS;
        s->change = id;
    } else {
        q->stage = GOES;
    }
}

/* Who has to be at a unit that can take, from the state before the edge; head:
 * the oldest that waits, if it may go. */
static int due(const struct bank_port_stim *s, int unit, int head) {
    int c = s->change;
    bool held = c != NOBODY && is_before_banks(&s->asked[c]) &&
                unit_of_id(s, c) == unit;
    if (held)
        return s->asked[c].stage == COME ? c : NOBODY;
    return head != NOBODY && unit_of_id(s, head) == unit ? head : NOBODY;
}

static const char *watch_unit(struct bank_port_stim *s, int unit, int head,
                              bool ready, const struct bank_port_out *before,
                              const struct bank_port_out *after) {
    struct unit *u = &s->unit[unit];
    static const struct shown nothing;
    struct shown was = read_shown(s, before, unit),
                 is = read_shown(s, after, unit);
    int expected = due(s, unit, head);
    if (u->shown != NOBODY && !ready)
        return is_same(&was, &is)
                   ? NULL
                   : stim_complain(
                         &s->base,
                         "unit %d: a request changes before it is taken", unit);
    if (u->shown != NOBODY)
        u->inside[u->n_inside++] = u->shown;
    u->shown = NOBODY;
    if (!is.valid && !is_same(&is, &nothing))
        return stim_complain(&s->base,
                             "unit %d shows something without a request", unit);
    const char *wrong = is.valid ? check_arrival(s, unit, &is) : NULL;
    if (wrong)
        return wrong;
    if (is.valid && is.id != expected)
        return stim_complain(&s->base, "unit %d: request %d comes too early",
                             unit, is.id);
    if (!is.valid && expected != NOBODY)
        return stim_complain(&s->base,
                             "unit %d: request %d could go, and does not", unit,
                             expected);
    if (is.valid)
        arrives(s, unit, is.id);
    return NULL;
}

/* --- responses ------------------------------------------------------------ */

static const char *check_data(struct bank_port_stim *s, int id,
                              const struct bank_port_out *o) {
    const struct asked *q = &s->asked[id];
    if (o->rsp_fault != q->fault)
        return stim_complain(&s->base, "request %d has %s fault", id,
                             q->fault ? "no" : "a");
    for (int i = 0; i < s->size.SECTOR; i++) {
        uint8_t got = (uint8_t)bits_get(o->rsp_data, 8 * i, 8);
        if (got != q->expect[i])
            return stim_complain(
                &s->base,
                "byte %d of the response to %d is %02x, expected %02x", i, id,
                got, q->expect[i]);
    }
    return NULL;
}

/* An answer that came on one edge can be at rsp two edges later. */
static bool can_come(const struct bank_port_stim *s, const struct unit *u) {
    return u->n_came > 0 && s->asked[u->came[0]].when + 2 <= s->edge;
}

/* Its unit comes out. */
static const char *respond(struct bank_port_stim *s,
                           const struct bank_port_out *o, int *whose) {
    int id = (int)o->rsp_id;
    struct asked *q = &s->asked[id];
    if (q->stage != ANSWERED)
        return stim_complain(&s->base, "a response to %d, which has none", id);
    *whose = unit_of_id(s, id);
    struct unit *u = &s->unit[*whose];
    if (u->came[0] != id)
        return stim_complain(
            &s->base, "the response to %d is before an older one of its unit",
            id);
    if (!can_come(s, u))
        return stim_complain(&s->base, "the response to %d comes too early",
                             id);
    const char *wrong = check_data(s, id, o);
    q->stage = FREE;
    u->n_came--;
    memmove(u->came, u->came + 1, (size_t)u->n_came * sizeof *u->came);
    s->responses++;
    return wrong;
}

/* Who could be chosen waits for a turn of each other unit at most. */
static const char *watch_responses(struct bank_port_stim *s,
                                   const struct bank_port_out *o) {
    bool could[UNITS];
    int whose = NOBODY;
    for (int i = 0; i < s->size.UNITS; i++)
        could[i] = can_come(s, &s->unit[i]);
    bool gap = s->edge < s->next;
    if (gap && o->rsp_valid)
        return stim_complain(&s->base,
                             "the response to %d comes before the gap is over",
                             (int)o->rsp_id);
    if (gap)
        return NULL;
    const char *wrong = o->rsp_valid ? respond(s, o, &whose) : NULL;
    if (o->rsp_valid)
        s->next = s->edge + s->size.INTERVAL;
    for (int i = 0; i < s->size.UNITS && !wrong; i++) {
        struct unit *u = &s->unit[i];
        if (i == whose)
            u->passed = 0;
        if (!could[i] || i == whose)
            continue;
        if (whose == NOBODY)
            return stim_complain(&s->base,
                                 "request %d has an answer, and no response",
                                 u->came[0]);
        if (++u->passed >= s->size.UNITS)
            return stim_complain(
                &s->base, "the response to %d waits for more than its turn",
                u->came[0]);
    }
    return wrong;
}

/* --- an edge -------------------------------------------------------------- */

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct bank_port_stim *s = (struct bank_port_stim *)base;
    const struct bank_port_in *in = in_ports;
    const struct bank_port_out *before = before_ports, *after = after_ports;
    const char *wrong = NULL;
    int head = s->n_waiting > 0 ? s->waiting[0] : NOBODY;
    if (head != NOBODY && (s->asked[head].when + 2 > s->edge ||
                           (s->asked[head].change && s->change != NOBODY)))
        head = NOBODY;
    for (int i = 0; i < s->size.UNITS && !wrong; i++)
        wrong = watch_unit(s, i, head, in->mem_ready >> i & 1, before, after);
    if (!wrong)
        wrong = watch_responses(s, after);
    for (int i = 0; i < s->size.UNITS; i++)
        come(s, &s->unit[i]);
    bool takes = in->req_valid && before->req_ready;
    if (takes && s->n_waiting == ROOM)
        return stim_complain(base, "a request is taken, and there is no room");
    if (takes)
        take(s);
    if (!wrong && after->req_ready != (s->n_waiting < ROOM))
        wrong = stim_complain(base, "a request would be %s",
                              after->req_ready ? "taken, and there is no room"
                                               : "refused, and there is room");
    s->edge++;
    return wrong;
}

/* --- life ----------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct bank_port_stim *s = (struct bank_port_stim *)base;
    s->size = bank_port_local(c);
    base->reset_every = 2500;
    for (int i = 0; i < SECTORS; i++) /* unlike from the begin */
        s->sector[i].address = (uint64_t)i;
    draw_sectors(s, 100, 10);
}

/* What was under way is not carried out any more. */
static void reset(struct stim *base) {
    struct bank_port_stim *s = (struct bank_port_stim *)base;
    for (int i = 0; i < SECTORS; i++)
        memcpy(s->sector[i].will, s->sector[i].is, sizeof s->sector[i].will);
    for (int id = 0; id < IDS; id++)
        s->asked[id].stage = FREE;
    for (int i = 0; i < UNITS; i++) {
        struct unit *u = &s->unit[i];
        u->shown = u->answers = NOBODY;
        u->n_inside = u->n_came = u->passed = 0;
    }
    s->offered = s->change = NOBODY;
    s->n_waiting = 0;
    s->edge = s->next = 0;
}

static void report(struct stim *base, struct text *t) {
    const struct bank_port_stim *s = (const struct bank_port_stim *)base;
    text_printf(t, "requests\t%" PRIu64 "\n", s->requests);
    text_printf(t, "changes\t%" PRIu64 "\n", s->changes);
    text_printf(t, "responses\t%" PRIu64 "\n", s->responses);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class bank_port_stim = {
    .size = sizeof(struct bank_port_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

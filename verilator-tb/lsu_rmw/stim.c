/* stim.c - stimulus of the read-modify-write unit: banks and other cores that
 * answer at any time but in order by sector, a hybrid unit with several
 * accesses that sends and hears, a front end with rows, and a pipeline that has
 * asks and accesses and writes rows.
 *
 * The environment keeps the memory byte by byte, as it is and as the asks must
 * have left it (oracle.c), and knows which request has to go down or away next,
 * which answer to go back, which row to be shown and which end to be told.
 *
 * random    phases with other operations, shapes, rates and patience
 * directed  operation after operation and shape after shape
 */
#include "stim.h"

#include "env.h"

#include <inttypes.h>
#include <string.h>

enum {
    QUIET = 8, /* edges at most without a reason, beside those of lanes */
    IDLE = 2   /* ... before an access begins */
};

/* --- asks ----------------------------------------------------------------- */

static uint64_t in_sector(struct lsu_rmw_stim *s, int n) {
    uint64_t bytes = (uint64_t)s->size.SECTOR;
    return s->memory[n].whole * bytes + rng_next(&s->base.rng) % bytes;
}

/* Who goes on where the own row ends gets into sectors that nobody uses. */
static uint64_t used(const struct lsu_rmw_stim *s, uint64_t byte) {
    uint64_t bytes = (uint64_t)s->size.SECTOR;
    if (env_find(s, byte) >= 0)
        return byte;
    return s->memory[SECTORS + byte / bytes % FARS].whole * bytes +
           byte % bytes;
}

static void lay(struct lsu_rmw_stim *s, struct ask *a, enum shape shape) {
    struct rng *r = &s->base.rng;
    int one = (int)rng_below(r, SECTORS - LANES);
    int far = SECTORS + (int)rng_below(r, FARS - 2);
    uint32_t fars = rng_percent(r, 50) ? FARS : 1 + rng_below(r, 3);
    uint64_t word = in_sector(s, shape == FAR_WORD ? far : one),
             row = in_sector(s, 0);

    a->mask = ones(s->size.LANES);
    if (rng_percent(r, 30))
        a->mask &= rng_next(r);
    if (shape == NOBODY)
        a->mask = 0;
    for (int i = 0; i < s->size.LANES; i++) {
        uint64_t byte = word;
        if (shape == ONE_WORD || shape == FAR_WORD)
            byte = word / 4 * 4 + rng_below(r, 4);
        else if (shape == ONE_SECTOR)
            byte = in_sector(s, one);
        else if (shape == FEW)
            byte = in_sector(s, one + (int)rng_below(r, 3));
        else if (shape == ROW)
            byte = row / (uint64_t)a->bytes * (uint64_t)a->bytes +
                   (uint64_t)(i * a->bytes);
        else if (shape == EACH_ALONE)
            byte = in_sector(s, one + i);
        else if (shape == REMOTE || (shape == BORDER && rng_percent(r, 40)))
            byte = in_sector(s, fars == FARS ? SECTORS + (int)rng_below(r, fars)
                                             : far + (int)rng_below(r, fars));
        a->byte[i] =
            used(s, byte & ones(32)) / (uint64_t)a->bytes * (uint64_t)a->bytes;
    }
}

/* Operands that make a difference: near what the word is, or anything. */
static uint32_t operand(struct lsu_rmw_stim *s, const struct ask *a, int lane) {
    struct rng *r = &s->base.rng;
    int n = env_find(s, a->byte[lane]);
    uint32_t any = (uint32_t)rng_next(r);
    if (rng_percent(r, 50))
        return any;
    const uint8_t *word =
        s->memory[n].must + a->byte[lane] % (uint64_t)s->size.SECTOR / 4 * 4;
    return env_word(word) + rng_below(r, 3) - 1;
}

static void offer(struct lsu_rmw_stim *s) {
    static const int bytes[] = {1, 2, 4};
    struct rng *r = &s->base.rng;
    struct ask *a = &s->offer;
    int shape = s->tune.shape;
    memset(a, 0, sizeof *a);
    if (shape == SHAPES)
        shape = (int)rng_below(r, SHAPES);
    a->op = s->tune.op;
    if (a->op > LSU_RMW_CAS)
        a->op = rng_percent(r, 50) ? (int)rng_below(r, 2)
                                   : rng_range(r, LSU_RMW_ADD, LSU_RMW_CAS);
    a->size = a->op > LSU_RMW_STORE ? 2 : rng_below(r, 3);
    a->bytes = bytes[a->size];
    a->extend = rng_percent(r, 50);
    a->result = rng_percent(r, 80);
    a->warp = rng_below(r, (uint32_t)s->size.WARPS);
    a->reg = rng_below(r, (uint32_t)s->size.REGS);
    lay(s, a, (enum shape)shape);
    for (int i = 0; i < s->size.LANES; i++) {
        a->data[i] = operand(s, a, i);
        a->compare[i] = operand(s, a, i);
    }
    s->offered = true;
}

/* --- phases --------------------------------------------------------------- */

static void step_directed(struct stim *base) {
    struct lsu_rmw_stim *s = (struct lsu_rmw_stim *)base;
    if (s->left-- > 0)
        return;
    int op = s->turn % (LSU_RMW_CAS + 1),
        shape = s->turn / (LSU_RMW_CAS + 1) % SHAPES;
    bool slow = (op + shape + s->turn / (LSU_RMW_CAS + 1) / SHAPES) % 2;
    s->tune = (struct tune){
        .shape = shape,
        .op = op,
        .asks = 100,
        .accesses = slow ? 100 : 0,
        .most = slow ? ACCESSES : 1,
        .inits = slow ? 100 : 0,
        .answers = slow ? 40 : 100,
        .faults = slow ? 10 : 0,
        .high = 2,
        .low = slow ? 3 : 0,
        .rows = slow ? 50 : 100,
    };
    s->turn++;
    s->left = shape == EACH_ALONE || shape >= BORDER ? 6 * s->size.LANES : 60;
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 20, 5};
    struct lsu_rmw_stim *s = (struct lsu_rmw_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune.shape = rng_percent(r, 60) ? SHAPES : (int)rng_below(r, SHAPES);
    s->tune.op = rng_percent(r, 60) ? LSU_RMW_CAS + 1
                                    : (int)rng_below(r, LSU_RMW_CAS + 1);
    s->tune.asks = rates[rng_below(r, 5)];
    s->tune.accesses = rates[rng_below(r, 5)];
    s->tune.most = rng_percent(r, 30) ? 1 : rng_range(r, 2, ACCESSES);
    s->tune.inits = rates[rng_below(r, 5)];
    s->tune.answers = rates[rng_below(r, 4)];
    s->tune.faults = rng_percent(r, 70) ? 0 : 20;
    s->tune.high = rng_range(r, 1, 6);
    s->tune.low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 10);
    s->tune.rows = rates[rng_below(r, 4)];
    s->left = rng_range(r, 40, 400);
}

/* --- what goes in --------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    ((struct lsu_rmw_stim *)base)->size = lsu_rmw_local(c);
    base->reset_every = 3000;
}

static void reset(struct stim *base) {
    struct lsu_rmw_stim *s = (struct lsu_rmw_stim *)base;
    s->busy = s->passes = s->holds = s->row_there = false;
    memset(&s->hybrid, 0, sizeof s->hybrid);
    s->hybrid.front = s->hybrid.ends = -1;
    for (int id = 0; id < LANES; id++)
        s->hybrid.by[id] = -1;
    s->dues = s->errands = s->quiet = s->idle = 0;
    s->overtaken_ask = s->overtaken_access = 0;
}

static void drive_ask(struct lsu_rmw_stim *s, struct lsu_rmw_in *in) {
    const struct ask *a = &s->offer;
    if (!s->offered && rng_percent(&s->base.rng, s->tune.asks))
        offer(s);
    in->ask_valid = s->offered;
    in->ask_op = (uint64_t)a->op;
    in->ask_size = a->size;
    in->ask_signed = a->extend;
    in->ask_warp = a->warp;
    in->ask_reg = a->reg;
    in->ask_result = a->result;
    in->ask_mask = a->mask;
    for (int i = 0; i < s->size.LANES; i++) {
        bits_set_lane(in->ask_address, i, (uint32_t)a->byte[i]);
        bits_set_lane(in->ask_data, i, a->data[i]);
        bits_set_lane(in->ask_compare, i, a->compare[i]);
    }
}

static void drive_init(struct lsu_rmw_stim *s, struct lsu_rmw_in *in) {
    struct rng *r = &s->base.rng;
    struct row *w = &s->init;
    if (!s->wants_init && rng_percent(r, s->tune.inits)) {
        s->wants_init = true;
        w->warp = rng_below(r, (uint32_t)s->size.WARPS);
        w->reg = rng_below(r, (uint32_t)s->size.REGS);
        w->mask = rng_next(r) & ones(s->size.LANES);
        for (int i = 0; i < s->size.LANES; i++)
            w->lane[i] = (uint32_t)rng_next(r);
    }
    in->init_valid = s->wants_init;
    in->init_warp = w->warp;
    in->init_reg = w->reg;
    in->init_mask = w->mask;
    for (int i = 0; i < s->size.LANES; i++)
        bits_set_lane(in->init_row, i, w->lane[i]);
}

/* The next request of who sends; a transaction gets an id that is free. */
static bool show_tx(struct lsu_rmw_stim *s, bool shown) {
    struct rng *r = &s->base.rng;
    struct hybrid *h = &s->hybrid;
    int can[LANES], n = 0;
    if (h->front < 0)
        return false;
    struct access *a = &h->access[h->front];
    struct request *q = &a->send[a->next];
    if (h->shows || (!shown && !rng_percent(r, s->tune.answers)))
        return h->shows;
    for (int id = 0; id < s->size.LANES; id++)
        if (h->by[id] < 0)
            can[n++] = id;
    if (!q->near && n == 0)
        return false;
    if (!q->near) {
        q->id = (uint64_t)can[rng_below(r, (uint32_t)n)];
        h->by[q->id] = h->front;
    }
    h->shows = true;
    return true;
}

/* An access that has nothing left to do, at random; -1: none. */
static int some_over(struct lsu_rmw_stim *s) {
    int can[ACCESSES], n = 0;
    for (int k = 0; k < ACCESSES; k++) {
        const struct access *a = &s->hybrid.access[k];
        if (a->busy && a->next == a->sends && a->open == 0)
            can[n++] = k;
    }
    return n > 0 ? can[rng_below(&s->base.rng, (uint32_t)n)] : -1;
}

/* The hybrid unit: what it sends, and that an access ends. */
static void drive_hybrid(struct lsu_rmw_stim *s, struct lsu_rmw_in *in) {
    static const struct request none;
    static const struct access nobody;
    struct rng *r = &s->base.rng;
    struct hybrid *h = &s->hybrid;
    bool sends = show_tx(s, in->tx_valid);
    const struct access *f = h->front < 0 ? &nobody : &h->access[h->front];
    const struct request *q = sends ? &f->send[f->next] : &none;

    in->tx_valid = sends;
    in->tx_near = q->near;
    in->tx_store = q->store;
    in->tx_unit = q->unit;
    in->tx_warp = q->warp;
    in->tx_reg = q->reg;
    in->tx_id = q->id;
    in->tx_address = q->address;
    in->tx_strobe = q->strobe;
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(in->tx_data, i, q->data[i]);
    h->ends = rng_percent(r, s->tune.answers) ? some_over(s) : -1;
    const struct access *e = h->ends < 0 ? &nobody : &h->access[h->ends];
    in->done_valid = h->ends >= 0;
    in->done_warp = e->warp;
    in->done_near = e->near;
    in->done_fault = e->fault;
    in->hybrid_ready = h->front < 0 && h->count < s->tune.most &&
                       toggle_step(&s->take, r, s->tune.high, s->tune.low);
}

/* The oldest request for its sector, at random; -1: none. */
static int some_due(struct lsu_rmw_stim *s) {
    int can[DUE], n = 0;
    for (int i = 0; i < s->dues; i++) {
        bool first = true;
        for (int k = 0; k < i; k++)
            first &= s->due[k].sector != s->due[i].sector;
        if (first)
            can[n++] = i;
    }
    return n > 0 ? can[rng_below(&s->base.rng, (uint32_t)n)] : -1;
}

/* Another core carries out a lane's request, the oldest for its sector. */
static void drive_told(struct lsu_rmw_stim *s, struct lsu_rmw_in *in) {
    uint8_t data[SECTOR];
    int n = (int)rng_below(&s->base.rng, (uint32_t)s->errands);
    for (int k = n - 1; k >= 0; k--)
        if (s->errand[k].sector == s->errand[n].sector)
            n = k;
    struct errand e = s->errand[n];
    memmove(s->errand + n, s->errand + n + 1,
            (size_t)(s->errands - n - 1) * sizeof s->errand[0]);
    s->errands--;
    for (int i = 0; i < SECTOR; i++) /* what nobody may look at */
        data[i] = (uint8_t)rng_next(&s->base.rng);
    env_carry_out(s, &e, data);
    in->answer_valid = 1;
    in->answer_id = (uint64_t)e.lane;
    in->answer_fault = s->memory[e.sector].gone;
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(in->answer_data, i, env_word(data + 4 * i));
}

/* The banks carry out a request; all but a message are answered. */
static void drive_answer(struct lsu_rmw_stim *s, struct lsu_rmw_in *in) {
    struct rng *r = &s->base.rng;
    in->answer_valid = 0;
    in->answer_id = rng_next(r) & ones(s->size.LANE_W);
    in->answer_fault = rng_next(r) & 1;
    for (int i = 0; i < s->size.WORDS; i++)
        bits_set_lane(in->answer_data, i, (uint32_t)rng_next(r));
    if (!rng_percent(r, s->tune.answers))
        return;
    int n = some_due(s);
    if (n < 0 && s->errands > 0)
        drive_told(s, in);
    if (n < 0)
        return;
    struct request q = s->due[n];
    struct sector *m = &s->memory[q.sector];
    memmove(s->due + n, s->due + n + 1,
            (size_t)(s->dues - n - 1) * sizeof s->due[0]);
    s->dues--;
    for (int i = 0; i < s->size.WORDS; i++)
        for (int b = 0; b < 4 && q.store; b++)
            if (q.strobe >> i & 1)
                m->is[4 * i + b] = (uint8_t)(q.data[i] >> (8 * b));
    if (q.near)
        return;
    in->answer_valid = 1;
    in->answer_id = q.id;
    in->answer_fault =
        q.own && !q.store ? m->gone : rng_percent(r, s->tune.faults);
    s->store_fault |= q.own && q.store && in->answer_fault;
    for (int i = 0; i < s->size.WORDS && !q.store; i++)
        bits_set_lane(in->answer_data, i, env_word(m->is + 4 * i));
}

static void drive(struct stim *base, void *ports) {
    struct lsu_rmw_stim *s = (struct lsu_rmw_stim *)base;
    struct lsu_rmw_in *in = ports;
    struct rng *r = &base->rng;
    bool still = base->now == 0 || base->rst_left > 0;
    if (still) { /* another core, other sectors */
        s->core = rng_below(r, (uint32_t)s->size.CORES);
        in->at_core = s->core;
        env_new_memory(s);
        s->offered = s->wants_access = s->wants_init = false;
        memset(in, 0, sizeof *in);
        in->at_core = s->core;
        return;
    }
    drive_ask(s, in);
    s->wants_access |= rng_percent(r, s->tune.accesses);
    in->access_valid = s->wants_access;
    drive_hybrid(s, in);
    drive_init(s, in);
    drive_answer(s, in);
    in->down_ready =
        s->dues < DUE && toggle_step(&s->down, r, s->tune.high, s->tune.low);
    in->away_ready = toggle_step(&s->away, r, s->tune.high, s->tune.low);
    in->row_ready = s->row_there && rng_percent(r, s->tune.rows);
}

/* --- the hybrid unit's side ----------------------------------------------- */

/* What its access will send. */
static void plan(struct lsu_rmw_stim *s) {
    struct rng *r = &s->base.rng;
    struct hybrid *h = &s->hybrid;
    int n = 0;
    while (h->access[n].busy)
        n++;
    struct access *a = &h->access[n];
    memset(a, 0, sizeof *a);
    a->busy = true;
    a->warp = rng_below(r, (uint32_t)s->size.WARPS);
    a->near = rng_percent(r, 40);
    int most = s->size.LANES < SENDS ? s->size.LANES : SENDS;
    a->sends = a->near ? 1 : rng_range(r, 0, most);
    h->count++;
    h->front = a->sends > 0 ? n : -1;
    for (int k = 0; k < a->sends; k++) {
        struct request *q = &a->send[k];
        q->sector = (int)rng_below(r, SECTORS);
        const struct sector *m = &s->memory[q->sector];
        q->near = a->near;
        q->store = rng_percent(r, 50);
        q->unit = env_unit_of(s, env_byte_of(s, m->at));
        q->address = m->at * (uint64_t)s->size.WORDS;
        if (a->near) /* a row may begin anywhere */
            q->address += rng_below(r, (uint32_t)s->size.WORDS);
        q->warp = a->near ? a->warp : 0;
        q->reg = a->near ? rng_below(r, (uint32_t)s->size.REGS) : 0;
        if (q->store)
            q->strobe = rng_next(r) & ones(s->size.WORDS);
        for (int i = 0; i < s->size.WORDS; i++)
            if (q->strobe >> i & 1)
                q->data[i] = (uint32_t)rng_next(r);
    }
    s->accesses++;
}

static bool same_request(const struct lsu_rmw_stim *s, const struct request *q,
                         const struct lsu_rmw_out *o) {
    bool same = o->down_near == q->near && o->down_store == q->store &&
                o->down_unit == q->unit && o->down_warp == q->warp &&
                o->down_reg == q->reg && o->down_id == q->id &&
                o->down_address == q->address && o->down_strobe == q->strobe;
    for (int i = 0; i < s->size.WORDS; i++)
        same &= bits_lane(o->down_data, i) == q->data[i];
    return same;
}

/* The memory has to have what a request stores. */
static void must_have(struct lsu_rmw_stim *s, const struct request *q) {
    struct sector *m = &s->memory[q->sector];
    for (int i = 0; i < s->size.WORDS && q->store; i++)
        for (int b = 0; b < 4; b++)
            if (q->strobe >> i & 1)
                m->must[4 * i + b] = (uint8_t)(q->data[i] >> (8 * b));
}

/* --- requests ------------------------------------------------------------- */

/* The request that the ask needs next. */
static bool next_own(const struct lsu_rmw_stim *s, struct request *q) {
    const struct sector *m = NULL;
    memset(q, 0, sizeof *q);
    q->own = true;
    for (int i = 0; i < SECTORS; i++) /* one that is loaded and not stored */
        if (s->memory[i].loaded && s->memory[i].changed &&
            !s->memory[i].stored) {
            m = &s->memory[i];
            q->store = true;
            q->strobe = m->changed;
            q->sector = i;
        }
    for (int i = 0; i < s->size.LANES && !m; i++)
        if ((s->now.mask & ~s->remote & ~s->served) >> i & 1) {
            q->sector = env_find(s, s->now.byte[i]);
            m = &s->memory[q->sector];
        }
    if (!m)
        return false;
    q->unit = env_unit_of(s, env_byte_of(s, m->at));
    q->address = m->at * (uint64_t)s->size.WORDS;
    for (int i = 0; i < s->size.WORDS; i++)
        if (q->strobe >> i & 1)
            q->data[i] = env_word(m->must + 4 * i);
    return true;
}

static const char *check_down(struct lsu_rmw_stim *s,
                              const struct lsu_rmw_out *o) {
    struct request q;
    if (!o->down_valid)
        return s->passes ? stim_complain(&s->base,
                                         "a request of the hybrid unit is lost")
                         : NULL;
    if (s->passes && s->busy)
        return stim_complain(&s->base, "a request of the hybrid unit goes down "
                                       "beside an ask");
    if (s->passes)
        return same_request(s, &s->passing, o)
                   ? NULL
                   : stim_complain(&s->base, "a request of the hybrid unit "
                                             "goes down as another");
    if (!s->busy)
        return stim_complain(&s->base, "a request that nobody has");
    if (s->dues > 0 && s->due[s->dues - 1].own)
        return stim_complain(&s->base, "an own request before the answer to "
                                       "the one before it");
    if (s->told != s->remote)
        return stim_complain(&s->base, "an own request before the answers of "
                                       "other cores");
    if (!next_own(s, &q))
        return stim_complain(&s->base, "an own request that no lane wants");
    if (same_request(s, &q, o))
        return NULL;
    if (o->down_store != q.store)
        return stim_complain(&s->base, "an own request %s, expected that it %s",
                             o->down_store ? "stores" : "loads",
                             q.store ? "stores" : "loads");
    if (o->down_address != q.address)
        return stim_complain(
            &s->base, "an own request for word %" PRIx64 ", expected %" PRIx64,
            o->down_address, q.address);
    if (o->down_strobe != q.strobe)
        return stim_complain(&s->base,
                             "an own request stores words %" PRIx64
                             ", expected %" PRIx64,
                             o->down_strobe, q.strobe);
    return stim_complain(&s->base, "an own request has other data, or another "
                                   "place, than it must");
}

/* What other cores hear is the next lane's, as it must be. */
static const char *check_away(struct lsu_rmw_stim *s,
                              const struct lsu_rmw_out *o) {
    uint64_t lanes = s->busy ? s->remote & ~s->sent : 0;
    int lane = 0;
    if (!o->away_valid)
        return NULL;
    if (!lanes)
        return stim_complain(&s->base, "a request away that no lane wants");
    while (!(lanes >> lane & 1))
        lane++;
    struct errand e = env_errand(s, lane);
    bool same = o->away_address == s->memory[e.sector].whole &&
                o->away_op == (uint64_t)e.op && o->away_compare == e.compare;
    for (int i = 0; i < s->size.WORDS; i++)
        same &= bits_lane(o->away_data, i) == env_word(e.data + 4 * i);
    if (o->away_id != (uint64_t)lane)
        return stim_complain(&s->base,
                             "lane %u's request goes away, expected lane %d's",
                             (unsigned)o->away_id, lane);
    if (o->away_strobe != e.strobe)
        return stim_complain(&s->base,
                             "a request away has strobe %" PRIx64
                             ", expected %" PRIx64,
                             o->away_strobe, e.strobe);
    return same ? NULL
                : stim_complain(&s->base,
                                "lane %d's request goes away as another", lane);
}

/* Another core has taken what was at away. */
static void went_away(struct lsu_rmw_stim *s, const struct lsu_rmw_out *o) {
    int lane = (int)o->away_id;
    s->errand[s->errands++] = env_errand(s, lane);
    s->sent |= bit(lane);
    s->aways++;
}

/* A sector that may be stored is held from its load on until the store is
 * taken; between sectors nobody minds. */
static const char *check_hold(struct lsu_rmw_stim *s,
                              const struct lsu_rmw_out *o) {
    bool stores = s->busy && s->now.op != LSU_RMW_LOAD;
    bool open = o->down_valid && !s->passes, waits = false;
    for (int i = 0; i < SECTORS; i++)
        open |=
            s->memory[i].loaded && s->memory[i].changed && !s->memory[i].stored;
    for (int i = 0; i < s->dues; i++) {
        open |= s->due[i].own && !s->due[i].store;
        waits |= s->due[i].own && s->due[i].store;
    }
    if (stores && open && !o->hold_stores)
        return stim_complain(&s->base, "a sector is not held");
    if (o->hold_stores && (!stores || waits || s->told != s->remote ||
                           (o->row_valid && !s->holds)))
        return stim_complain(&s->base, "a sector is held that nobody has");
    return NULL;
}

static void went_down(struct lsu_rmw_stim *s) {
    struct request q;
    if (s->passes) {
        q = s->passing;
        s->passes = false;
    } else if (next_own(s, &q)) {
        struct sector *m = &s->memory[q.sector];
        if (q.store)
            m->stored = true;
        else
            m->loaded = true;
        s->served |= m->lanes;
    } else {
        return;
    }
    s->due[s->dues++] = q;
}

/* --- rows ----------------------------------------------------------------- */

static bool wants_row(const struct lsu_rmw_stim *s) {
    return s->now.result && s->now.op != LSU_RMW_STORE && s->now.mask;
}

static bool all_done(const struct lsu_rmw_stim *s) {
    struct request q;
    return !next_own(s, &q) && s->told == s->remote &&
           !(s->dues > 0 && s->due[s->dues - 1].own);
}

static bool is_row(const struct lsu_rmw_stim *s, const struct lsu_rmw_out *o,
                   const struct row *w) {
    bool same = o->row_warp == w->warp && o->row_reg == w->reg &&
                o->row_mask == w->mask;
    for (int i = 0; i < s->size.LANES; i++)
        same = same && bits_lane(o->row_row, i) == w->lane[i];
    return same;
}

/* went: the row that was shown has been taken. */
static const char *check_row(struct lsu_rmw_stim *s,
                             const struct lsu_rmw_out *o, bool went) {
    if (!o->row_valid)
        return s->row_there && !went
                   ? stim_complain(&s->base, "a row is gone untaken")
                   : NULL;
    struct row own = {
        .warp = s->now.warp, .reg = s->now.reg, .mask = s->now.mask};
    memcpy(own.lane, s->result, sizeof own.lane);
    bool wants = s->busy && wants_row(s) && all_done(s) && !s->row_gone;
    if (!s->row_there || went)
        s->holds = s->wants_init && (!wants || is_row(s, o, &s->init));
    if (!s->holds && !wants)
        return stim_complain(&s->base, "a row that nobody has");
    if (!is_row(s, o, s->holds ? &s->init : &own))
        return stim_complain(&s->base, "%s is another one, or goes elsewhere",
                             s->holds ? "a row of the front end"
                                      : "an own row");
    return NULL;
}

/* --- ends ----------------------------------------------------------------- */

static const char *check_memory(struct lsu_rmw_stim *s) {
    for (int i = 0; i < PLACES; i++) {
        const struct sector *m = &s->memory[i];
        for (int b = 0; b < s->size.SECTOR && m->lanes; b++)
            if (m->is[b] != m->must[b])
                return stim_complain(&s->base,
                                     "byte %d of sector %" PRIx64
                                     " is left as %02x, expected %02x",
                                     b, m->at, m->is[b], m->must[b]);
    }
    return NULL;
}

static const char *check_end(struct lsu_rmw_stim *s,
                             const struct lsu_rmw_in *in,
                             const struct lsu_rmw_out *o) {
    if (in->done_valid)
        return o->ended_valid && o->ended_warp == in->done_warp &&
                       o->ended_near == in->done_near &&
                       o->ended_fault == in->done_fault
                   ? NULL
                   : stim_complain(&s->base,
                                   "an end of the hybrid unit is not told");
    if (!o->ended_valid)
        return NULL;
    if (!s->busy || !all_done(s) || wants_row(s) != s->row_gone)
        return stim_complain(&s->base, "an end before the work");
    if (o->ended_warp != s->now.warp || o->ended_near ||
        o->ended_fault != (s->fault || s->store_fault))
        return stim_complain(&s->base, "an own end is told as another");
    s->busy = false;
    return check_memory(s);
}

static const char *check_back(struct lsu_rmw_stim *s,
                              const struct lsu_rmw_in *in,
                              const struct lsu_rmw_out *o) {
    bool due = in->answer_valid && !s->busy;
    if (o->back_valid != due)
        return stim_complain(&s->base,
                             due ? "an answer is kept from the hybrid "
                                   "unit"
                                 : "an answer that is not the hybrid "
                                   "unit's");
    if (!due)
        return NULL;
    bool same =
        o->back_id == in->answer_id && o->back_fault == in->answer_fault;
    for (int i = 0; i < s->size.WORDS; i++)
        same &= bits_lane(o->back_data, i) == bits_lane(in->answer_data, i);
    if (!same)
        return stim_complain(&s->base, "an answer goes back as another");
    int *by = &s->hybrid.by[in->answer_id];
    if (*by < 0)
        return NULL;
    s->hybrid.access[*by].open--;
    s->hybrid.access[*by].fault |= in->answer_fault;
    *by = -1;
    return NULL;
}

/* --- who begins ----------------------------------------------------------- */

/* goes: the hybrid unit takes an access on this edge. */
static const char *check_gate(struct lsu_rmw_stim *s,
                              const struct lsu_rmw_out *after, bool goes) {
    if (after->hybrid_valid && (!s->wants_access || s->busy))
        return stim_complain(&s->base, "an access goes on %s",
                             s->busy ? "beside an ask" : "that nobody has");
    if (after->hybrid_valid && after->access_ready)
        return stim_complain(&s->base, "an access goes on twice");
    if (after->ask_ready && (s->hybrid.count > 0 || s->busy || s->passes ||
                             after->hybrid_valid || after->access_ready))
        return stim_complain(&s->base, "an ask is taken beside an access");
    if (after->access_ready && !goes)
        return stim_complain(&s->base, "an access is taken that was not");
    if (goes && !after->access_ready)
        return stim_complain(&s->base, "an access is taken and not told");
    if (s->overtaken_ask > 1 || s->overtaken_access > 1)
        return stim_complain(&s->base, "%s is overtaken twice",
                             s->overtaken_ask > 1 ? "an ask" : "an access");
    return NULL;
}

/* An access need not wait for those before it, but for asks. */
static const char *check_idle(struct lsu_rmw_stim *s,
                              const struct lsu_rmw_out *o) {
    bool could = s->wants_access && !s->offered && !s->busy &&
                 !o->hybrid_valid && !o->access_ready;
    s->idle = could ? s->idle + 1 : 0;
    if (s->idle > IDLE)
        return stim_complain(&s->base, "an access does not go on");
    return NULL;
}

/* The unit may not rest while nobody holds it up. */
static const char *check_haste(struct lsu_rmw_stim *s,
                               const struct lsu_rmw_out *o) {
    bool held = o->down_valid || o->row_valid || o->hybrid_valid ||
                o->away_valid || s->errands > 0 || s->hybrid.count > 0 ||
                (s->dues > 0 && s->due[s->dues - 1].own);
    bool wants = s->busy || s->offered || s->wants_access || s->wants_init;
    s->quiet = wants && !held ? s->quiet + 1 : 0;
    if (s->quiet > QUIET + s->size.LANES)
        return stim_complain(&s->base, "it stands still");
    return NULL;
}

static void begin_ask(struct lsu_rmw_stim *s) {
    s->now = s->offer;
    s->offered = false;
    s->busy = true;
    s->quiet = s->overtaken_ask = 0;
    s->overtaken_access += s->wants_access;
    s->asks++;
    env_foresee(s);
}

static void begin_access(struct lsu_rmw_stim *s, bool asked) {
    plan(s);
    s->overtaken_access = 0;
    s->overtaken_ask += asked;
}

/* A request of the hybrid unit has been taken. */
static void sent(struct lsu_rmw_stim *s) {
    struct hybrid *h = &s->hybrid;
    struct access *a = &h->access[h->front];
    s->passing = a->send[a->next++];
    s->passes = true;
    a->open += !a->near;
    h->shows = false;
    if (a->next == a->sends)
        h->front = -1;
    must_have(s, &s->passing);
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct lsu_rmw_stim *s = (struct lsu_rmw_stim *)base;
    const struct lsu_rmw_in *in = in_ports;
    const struct lsu_rmw_out *before = before_ports, *after = after_ports;
    bool went = before->row_valid && in->row_ready;
    bool told = went && s->holds;
    bool goes = before->hybrid_valid && in->hybrid_ready;
    check_back(s, in, after);
    if (before->down_valid && in->down_ready)
        went_down(s);
    if (in->answer_valid && s->busy)
        s->told |= s->sent & bit((int)in->answer_id);
    if (before->away_valid && in->away_ready)
        went_away(s, before);
    if (before->tx_ready && in->tx_valid)
        sent(s);
    if (in->done_valid) {
        s->hybrid.access[s->hybrid.ends].busy = false;
        s->hybrid.count--;
    }
    if (before->access_ready && in->access_valid)
        s->wants_access = false;
    s->rows += went;
    s->row_gone |= went && !s->holds;
    if (before->init_ready && in->init_valid)
        s->wants_init = false;
    if ((after->init_ready & 1) != told)
        stim_complain(&s->base, told ? "a row of the front end is taken and "
                                       "not told"
                                     : "a row of the front end is told, but "
                                       "was not taken");
    check_end(s, in, after);
    if (goes)
        begin_access(s, in->ask_valid);
    if (before->ask_ready && in->ask_valid)
        begin_ask(s);
    check_gate(s, after, goes);
    check_down(s, after);
    check_away(s, after);
    check_row(s, after, went);
    check_haste(s, after);
    check_idle(s, after);
    check_hold(s, after);
    s->row_there = after->row_valid;
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct lsu_rmw_stim *s = (const struct lsu_rmw_stim *)base;
    text_printf(t, "asks\t%" PRIu64 "\n", s->asks);
    text_printf(t, "accesses\t%" PRIu64 "\n", s->accesses);
    text_printf(t, "requests_away\t%" PRIu64 "\n", s->aways);
    text_printf(t, "rows\t%" PRIu64 "\n", s->rows);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class lsu_rmw_stim = {
    .size = sizeof(struct lsu_rmw_stim),
    .modes = modes,
    .open = open,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

/* stim.c - stimulus of the banks with data: a load-store extension that asks
 * each unit for sectors, and a host at the window.
 *
 * A memory of the environment's own carries out each request when it is taken,
 * so what each response has to hold is known from then on; a reset takes back
 * what has not been carried out.  Words that nobody has written are not read.
 * Every command goes to two checkers, that of dram/check.c with the table of
 * timing rules and that of the bank's environment with the paper's times; each
 * column command has to be that of the oldest request of its burst, and a
 * response comes when its data have crossed the wires, in the order of its
 * bank's commands, by turns.
 *
 * random    phases with other rates, rows and mixes
 * directed  streams of loads, of stores, of both; neighbouring rows, rows of
 * one row buffer, one sector, requests beyond, words of the host
 */
#include "stim.h"

#include "bank/checker.h"
#include "base/arena.h"
#include "base/bits.h"
#include "blocks/vault.h"
#include "dram/check.h"
#include "kit/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 16, BANKS = 8, WORDS = 8, ASKED = 66, PHASE = 900 };

struct tune {
    int send, stores; /* percent: of edges with a request, of these stores */
    int beyond;       /* percent of requests and words */
    int stream;       /* percent of requests for the next sector */
    int rows;         /* in use, of each bank */
    int columns;      /* likewise */
    int one_bank;     /* percent of requests that go to the same bank */
    int one_unit;     /* percent of the edges on which only one unit asks */
    int window;       /* percent of edges with a word */
};

/* A word as it will be, when all that was taken is carried out, and as it is.
 */
struct cell {
    uint32_t will, is;
    bool known, is_known; /* somebody has written it */
};

struct asked {
    bool store, beyond;
    uint64_t id, sector, strobe;
    uint32_t data[WORDS];   /* to be stored */
    uint32_t expect[WORDS]; /* of the response */
    int64_t taken, decided; /* edges; decided -1: no column command yet */
};

struct word { /* of the window */
    bool there, beyond, write;
    uint64_t address; /* at the core */
    uint32_t data, expect;
    int64_t taken;
};

struct side { /* of a bank */
    struct dram_checker *checker;
    struct bank_checker own;
    int idle;   /* edges with a request and without a command */
    int passed; /* turns of others since its oldest response could come */
};

struct unit {
    struct asked offer;
    bool offered;
    struct asked asked[ASKED]; /* under way, by age */
    int n;
    struct side side[BANKS];
    int beyond_passed;
    uint64_t last; /* sector that was asked for */
};

struct vault_stim {
    struct stim base;
    struct vault_local size;
    struct config config; /* each bank as a rank, for dram/check.c */
    struct tune tune;
    struct rows rows;
    int left, script, only; /* only: the unit that asks */
    struct unit unit[UNITS];
    struct cell *memory; /* words of unit 0, of unit 1, ... */
    char broken[300];    /* the rule that the last command broke */
    int longest;         /* time without a command */
    int64_t edge;        /* since reset */

    struct word offered, held, begun; /* begun: carried out on this edge */

    uint64_t requests, words, commands[DRAM_KINDS];
};

/* --- where things lie ----------------------------------------------------- */

static int columns(const struct vault_stim *s) {
    return 1 << s->size.COL_W;
}

static int bank_of(const struct vault_stim *s, uint64_t sector) {
    return (int)(sector >> s->size.COL_W) % s->size.BANKS;
}

static uint64_t row_of(const struct vault_stim *s, uint64_t sector) {
    return sector >> s->size.COL_W >> s->size.BANK_W;
}

static uint64_t column_of(const struct vault_stim *s, uint64_t sector) {
    return sector % (uint64_t)columns(s);
}

static uint64_t first_word(const struct vault_stim *s, int unit,
                           uint64_t sector) {
    return ((uint64_t)unit * (uint64_t)s->size.SECTORS + sector) *
           (uint64_t)s->size.WORDS;
}

/* The core's address of a word of a unit, by lines in turn. */
static uint64_t at_core(const struct vault_stim *s, int unit, uint64_t own) {
    uint64_t line = (uint64_t)s->size.LINE / 4;
    return (own / line * (uint64_t)s->size.UNITS + (uint64_t)unit) * line +
           own % line;
}

static void sector_at_core(const struct vault_stim *s, uint64_t word, int *unit,
                           uint64_t *own) {
    uint64_t line = (uint64_t)s->size.LINE / 4;
    *unit = (int)(word / line % (uint64_t)s->size.UNITS);
    *own = word / line / (uint64_t)s->size.UNITS * line + word % line;
}

static bool all_known(const struct vault_stim *s, int unit, uint64_t sector) {
    uint64_t first = first_word(s, unit, sector);
    bool all = true;
    for (int w = 0; w < s->size.WORDS; w++)
        all &= s->memory[first + (uint64_t)w].known;
    return all;
}

static struct asked *find_sector(struct unit *u, uint64_t sector) {
    for (int i = 0; i < u->n; i++)
        if (!u->asked[i].beyond && u->asked[i].sector == sector)
            return &u->asked[i];
    return u->offered && !u->offer.beyond && u->offer.sector == sector
               ? &u->offer
               : NULL;
}

static bool is_of_sector(const struct vault_stim *s, const struct word *w,
                         int unit, uint64_t sector) {
    int its;
    uint64_t own;
    sector_at_core(s, w->address, &its, &own);
    return w->there && its == unit && own / (uint64_t)s->size.WORDS == sector;
}

/* The window offers or has a word of it. */
static bool at_window(const struct vault_stim *s, int unit, uint64_t sector) {
    return is_of_sector(s, &s->offered, unit, sector) ||
           is_of_sector(s, &s->held, unit, sector);
}

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 100, 60, 25, 8, 2, 0};
    struct vault_stim *s = (struct vault_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){
        .send = rates[rng_below(r, 7)],
        .stores = rng_range(r, 0, 3) * 33,
        .beyond = rng_percent(r, 40) ? rng_range(r, 2, 30) : 0,
        .stream = rng_percent(r, 40) ? 90 : 0,
        .rows = rng_range(r, 1, 6),
        .columns = rng_percent(r, 30) ? 1 : rng_range(r, 2, 64),
        .one_bank = rng_percent(r, 30) ? 95 : 0,
        .one_unit = rng_percent(r, 30) ? 95 : 0,
        .window = rng_percent(r, 50) ? rates[rng_below(r, 5)] : 0,
    };
    s->only = (int)rng_below(r, (uint32_t)s->size.UNITS);
    rows_draw(&s->rows, r, s->size.HAVE_W);
    s->left = rng_range(r, 100, 1500);
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        /* send stores beyond stream rows columns bank unit window */
        {100, 100, 0, 100, 1, 64, 0, 0, 0}, /* written from row to row, */
        {100, 0, 0, 100, 1, 64, 0, 0, 0},   /* and read */
        {100, 30, 0, 0, 4, 8, 0, 0, 0},     /* neighbouring rows */
        {100, 30, 0, 0, 6, 8, 100, 0, 5},   /* of one bank */
        {100, 50, 0, 0, 1, 1, 100, 0, 0},   /* one sector again and again */
        {100, 20, 40, 0, 2, 8, 0, 0, 30},   /* many beyond the memory */
        {0, 0, 10, 0, 2, 8, 0, 0, 100},     /* words of the host, */
        {100, 40, 0, 0, 2, 16, 0, 0, 100},  /* and with all else */
        {100, 40, 5, 0, 2, 16, 0, 100, 20}, /* one unit alone */
        {3, 40, 5, 0, 4, 16, 0, 0, 2},      /* little of anything */
    };
    struct vault_stim *s = (struct vault_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->script++ % (int)(sizeof script / sizeof *script)];
    s->only = s->script % s->size.UNITS;
    rows_draw(&s->rows, &base->rng, s->size.HAVE_W);
    s->rows.step = 1;
    s->left = PHASE;
}

/* --- what is offered ------------------------------------------------------ */

/* An address with some bit above those of the memory, if there is one. */
static bool go_beyond(struct vault_stim *s, int bits, int have, uint64_t *a) {
    struct rng *r = &s->base.rng;
    if (bits == have || !rng_percent(r, s->tune.beyond))
        return false;
    *a |= bit(have + (int)rng_below(r, (uint32_t)(bits - have)));
    if (rng_percent(r, 30))
        *a |= rng_next(r) & ones(bits);
    return true;
}

static uint64_t some_sector(struct vault_stim *s, struct unit *u) {
    struct rng *r = &s->base.rng;
    uint64_t sectors = (uint64_t)s->size.SECTORS;
    if (u && rng_percent(r, s->tune.stream))
        return u->last = (u->last + 1) % sectors;
    uint64_t row = rows_at(&s->rows, rng_range(r, 0, s->tune.rows - 1));
    uint64_t bank = rng_percent(r, s->tune.one_bank)
                        ? (uint64_t)(s->only % s->size.BANKS)
                        : rng_below(r, (uint32_t)s->size.BANKS);
    int most = s->tune.columns < columns(s) ? s->tune.columns : columns(s);
    uint64_t column = rng_below(r, (uint32_t)most);
    if (rng_percent(r, 5))
        column = (uint64_t)columns(s) - 1 - column;
    uint64_t sector = row << s->size.BANK_W | bank;
    return sector << s->size.COL_W | column;
}

static bool draw_id(struct vault_stim *s, struct unit *u, uint64_t *id) {
    for (int tries = 0; tries < 8; tries++) {
        bool used = false;
        *id = rng_next(&s->base.rng) & ones(s->size.ID_W);
        for (int i = 0; i < u->n; i++)
            used |= u->asked[i].id == *id;
        if (!used)
            return true;
    }
    return false;
}

static void offer(struct vault_stim *s, int unit) {
    struct rng *r = &s->base.rng;
    struct unit *u = &s->unit[unit];
    struct asked *q = &u->offer;
    memset(q, 0, sizeof *q);
    q->decided = -1;
    if (!draw_id(s, u, &q->id))
        return;
    q->sector = some_sector(s, u);
    q->beyond = go_beyond(s, s->size.OWN_W, s->size.INDEX_W, &q->sector);
    if (!q->beyond && at_window(s, unit, q->sector))
        return;
    q->store = rng_percent(r, s->tune.stores);
    q->strobe = rng_percent(r, 40) ? ones(s->size.WORDS)
                                   : rng_next(r) & ones(s->size.WORDS);
    if (!q->beyond && !q->store && !all_known(s, unit, q->sector)) {
        q->store = true; /* somebody has to write it first */
        q->strobe = ones(s->size.WORDS);
    }
    for (int w = 0; w < s->size.WORDS; w++)
        q->data[w] = (uint32_t)rng_next(r);
    u->offered = true;
}

/* Where a word that is there lies in our memory. */
static uint64_t place_of(const struct vault_stim *s, const struct word *w) {
    uint64_t own, words = (uint64_t)s->size.WORDS;
    int unit;
    sector_at_core(s, w->address, &unit, &own);
    return first_word(s, unit, own / words) + own % words;
}

static void offer_word(struct vault_stim *s) {
    struct rng *r = &s->base.rng;
    struct word *w = &s->offered;
    int unit = (int)rng_below(r, (uint32_t)s->size.UNITS);
    int have = s->size.INDEX_W + s->size.WORD_W + s->size.UNIT_W;
    uint64_t words = (uint64_t)s->size.WORDS, sector = some_sector(s, NULL);
    *w = (struct word){.write = rng_percent(r, 50),
                       .data = (uint32_t)rng_next(r)};
    w->address = at_core(s, unit, sector * words + rng_next(r) % words);
    w->beyond = go_beyond(s, 30, have, &w->address);
    if (!w->beyond && find_sector(&s->unit[unit], sector))
        return;
    w->write |= !w->beyond && !s->memory[place_of(s, w)].known;
    w->there = true;
}

static void drive_mem(struct vault_stim *s, struct vault_in *in) {
    struct rng *r = &s->base.rng;
    bool alone = rng_percent(r, s->tune.one_unit);
    in->mem_valid = in->mem_store = 0;
    memset(in->mem_id, 0, sizeof in->mem_id);
    memset(in->mem_address, 0, sizeof in->mem_address);
    memset(in->mem_strobe, 0, sizeof in->mem_strobe);
    for (int i = 0; i < s->size.UNITS; i++) {
        struct unit *u = &s->unit[i];
        if (!u->offered && s->base.rst_left == 0 && (!alone || i == s->only) &&
            rng_percent(r, s->tune.send))
            offer(s, i);
        const struct asked *q = &u->offer;
        in->mem_valid |= (uint64_t)u->offered << i;
        in->mem_store |= (uint64_t)q->store << i;
        bits_or(in->mem_id, i * s->size.ID_W, s->size.ID_W, q->id);
        bits_or(in->mem_address, i * s->size.OWN_W, s->size.OWN_W, q->sector);
        bits_or(in->mem_strobe, i * s->size.WORDS, s->size.WORDS, q->strobe);
        for (int w = 0; w < s->size.WORDS; w++)
            bits_set_lane(in->mem_data, i * s->size.WORDS + w, q->data[w]);
    }
}

static void drive(struct stim *base, void *ports) {
    struct vault_stim *s = (struct vault_stim *)base;
    struct vault_in *in = ports;
    if (!s->offered.there && base->rst_left == 0 &&
        rng_percent(&base->rng, s->tune.window))
        offer_word(s);
    in->win_valid = s->offered.there;
    in->win_write = s->offered.write;
    in->win_address = s->offered.address;
    in->win_data = s->offered.data;
    drive_mem(s, in);
}

/* --- requests ------------------------------------------------------------- */

static void take(struct vault_stim *s, int unit) {
    struct unit *u = &s->unit[unit];
    struct asked *q = &u->asked[u->n++];
    *q = u->offer;
    u->offered = false;
    q->taken = s->edge;
    s->requests++;
    if (q->beyond)
        return;
    uint64_t first = first_word(s, unit, q->sector);
    for (int w = 0; w < s->size.WORDS; w++) {
        struct cell *c = &s->memory[first + (uint64_t)w];
        if (!q->store)
            q->expect[w] = c->will;
        if (!q->store || !(q->strobe >> w & 1))
            continue;
        c->will = q->data[w];
        c->known = true;
    }
}

/* It has been carried out, or never will be. */
static void settle_cell(struct cell *c, uint32_t value, bool done) {
    if (done)
        c->is = value;
    else
        c->will = c->is;
    c->is_known |= done;
    c->known = done ? c->known : c->is_known;
}

static void settle(struct vault_stim *s, int unit, const struct asked *q,
                   bool done) {
    uint64_t first = first_word(s, unit, q->sector);
    for (int w = 0; w < s->size.WORDS && q->store && !q->beyond; w++)
        if (q->strobe >> w & 1)
            settle_cell(&s->memory[first + (uint64_t)w], q->data[w], done);
}

static void settle_word(struct vault_stim *s, const struct word *w, bool done) {
    if (w->there && w->write && !w->beyond)
        settle_cell(&s->memory[place_of(s, w)], w->data, done);
}

static void take_word(struct vault_stim *s) {
    struct word *w = &s->held;
    *w = s->offered;
    s->offered.there = false;
    w->taken = s->edge;
    s->words++;
    if (w->beyond)
        return;
    struct cell *c = &s->memory[place_of(s, w)];
    w->expect = c->will;
    if (w->write) {
        c->will = w->data;
        c->known = true;
    }
}

/* --- commands ------------------------------------------------------------- */

static void told(void *ctx, const struct dram_violation *v) {
    struct vault_stim *s = ctx;
    if (*s->broken)
        return;
    snprintf(s->broken, sizeof s->broken,
             "%s to row buffer %d breaks '%s': %" PRId64
             " cycles, expected %" PRId64,
             dram_kind_name(v->command->kind), v->command->bank,
             dram_check_name(v->check), v->cycles, v->expected);
}

struct command {
    bool valid;
    enum dram_kind kind;
    int buffer;
    uint64_t row, column;
};

static struct command read_command(const struct vault_stim *s,
                                   const struct vault_out *o, int at) {
    const struct vault_local *l = &s->size;
    struct command c = {
        .valid = bits_test(o->cmd_valid, at),
        .kind = (enum dram_kind)bits_get(o->cmd_kind, at * 3, 3),
        .buffer = (int)bits_get(o->cmd_buffer, at * l->BUFFER_W, l->BUFFER_W),
        .row = bits_get(o->cmd_row, at * l->ROW_W, l->ROW_W),
        .column = bits_get(o->cmd_column, at * l->COL_W, l->COL_W)};
    return c;
}

static bool is_column(const struct command *c) {
    return c->valid && (c->kind == DRAM_RD || c->kind == DRAM_WR);
}

/* The rules, and what fields show. */
static const char *check_command(struct vault_stim *s, struct side *k,
                                 const struct command *c) {
    bool whole = dram_kind_of_rank(c->kind);
    struct dram_command d = {.cycle = s->edge,
                             .kind = c->kind,
                             .bank = c->buffer,
                             .row = (int)c->row,
                             .column = (int)c->column};
    if (c->buffer >= s->config.dram_banks || (whole && c->buffer) ||
        ((whole || c->kind == DRAM_PRE) && c->row) ||
        (!is_column(c) && c->column))
        return "a command shows what it does not have";
    s->commands[c->kind]++;
    *s->broken = '\0';
    bool good = dram_checker_take(k->checker, &d);
    const char *own = bank_checker_take(&k->own, s->edge, (int)c->kind,
                                        c->buffer, (int64_t)c->row);
    return own || good ? own : s->broken;
}

/* The oldest request of its burst, which it is for. */
static const char *decide(struct vault_stim *s, int unit, int bank,
                          const struct command *c) {
    struct unit *u = &s->unit[unit];
    for (int i = 0; i < u->n; i++) {
        struct asked *q = &u->asked[i];
        if (q->beyond || q->decided >= 0 || bank_of(s, q->sector) != bank ||
            row_of(s, q->sector) != c->row ||
            column_of(s, q->sector) != c->column)
            continue;
        if (q->taken + 2 > s->edge)
            break;
        if (q->store != (c->kind == DRAM_WR))
            return stim_complain(&s->base,
                                 "unit %d, bank %d: request %" PRIu64
                                 " is no such command",
                                 unit, bank, q->id);
        q->decided = s->edge;
        return NULL;
    }
    return stim_complain(
        &s->base, "unit %d, bank %d: a burst that nobody asks for", unit, bank);
}

static bool bank_has(const struct vault_stim *s, const struct unit *u,
                     int bank) {
    for (int i = 0; i < u->n; i++)
        if (!u->asked[i].beyond && u->asked[i].decided < 0 &&
            bank_of(s, u->asked[i].sector) == bank)
            return true;
    return false;
}

static const char *watch_bank(struct vault_stim *s, int unit, int bank,
                              const struct vault_out *o) {
    struct side *k = &s->unit[unit].side[bank];
    struct command c = read_command(s, o, unit * s->size.BANKS + bank);
    bool waits = bank_has(s, &s->unit[unit], bank);
    k->idle = c.valid || !waits ? 0 : k->idle + 1;
    if (k->idle > s->longest)
        return stim_complain(
            &s->base, "unit %d, bank %d: requests wait and nothing happens",
            unit, bank);
    const char *wrong =
        c.valid ? check_command(s, k, &c) : bank_checker_edge(&k->own, s->edge);
    if (!c.valid && (c.kind || c.buffer || c.row || c.column))
        wrong = "a bank shows something without a command";
    if (wrong)
        return stim_complain(&s->base, "unit %d, bank %d: %s", unit, bank,
                             wrong);
    return is_column(&c) ? decide(s, unit, bank, &c) : NULL;
}

/* --- responses ------------------------------------------------------------ */

/* The first edge after which a request's response can stand; -1: none yet. */
static int64_t comes(const struct vault_stim *s, const struct asked *q) {
    const struct config *c = &s->config;
    int64_t d = c->timing_bl + (q->store ? c->timing_cwl : c->timing_cl);
    if (q->beyond)
        return q->taken + 2;
    return q->decided < 0 ? -1 : q->decided + (d < 4 ? 4 : d);
}

static bool can_come(const struct vault_stim *s, const struct asked *q) {
    int64_t at = comes(s, q);
    return at >= 0 && at <= s->edge;
}

/* That of a bank, or of those beyond (BANKS), which has to come first. */
static struct asked *oldest(struct vault_stim *s, struct unit *u, int bank) {
    struct asked *first = NULL;
    for (int i = 0; i < u->n; i++) {
        struct asked *q = &u->asked[i];
        int its = q->beyond ? s->size.BANKS : bank_of(s, q->sector);
        if (its == bank && comes(s, q) >= 0 &&
            (!first || comes(s, q) < comes(s, first)))
            first = q;
    }
    return first;
}

static const char *check_data(struct vault_stim *s, int unit,
                              const struct asked *q,
                              const struct vault_out *o) {
    if ((o->rsp_fault >> unit & 1) != q->beyond)
        return stim_complain(&s->base, "unit %d: request %" PRIu64 " %s", unit,
                             q->id, q->beyond ? "has no fault" : "has a fault");
    for (int w = 0; w < s->size.WORDS; w++) {
        uint32_t got = bits_lane(o->rsp_data, unit * s->size.WORDS + w);
        if (got != q->expect[w])
            return stim_complain(&s->base,
                                 "unit %d: word %d of request %" PRIu64
                                 " is %08" PRIx32 ", expected %08" PRIx32,
                                 unit, w, q->id, got, q->expect[w]);
    }
    return NULL;
}

/* Its bank comes out, BANKS for a request beyond. */
static const char *answer(struct vault_stim *s, int unit,
                          const struct vault_out *o, int *whose) {
    struct unit *u = &s->unit[unit];
    uint64_t id = bits_get(o->rsp_id, unit * s->size.ID_W, s->size.ID_W);
    int i = 0;
    while (i < u->n && u->asked[i].id != id)
        i++;
    if (i == u->n)
        return stim_complain(
            &s->base, "unit %d: a response to nobody, %" PRIu64, unit, id);
    struct asked *q = &u->asked[i];
    int bank = q->beyond ? s->size.BANKS : bank_of(s, q->sector);
    if (!can_come(s, q))
        return stim_complain(
            &s->base, "unit %d: the response to %" PRIu64 " comes too early",
            unit, id);
    if (oldest(s, u, bank) != q)
        return stim_complain(&s->base,
                             "unit %d: request %" PRIu64
                             " is answered before its bank's older command",
                             unit, id);
    const char *wrong = check_data(s, unit, q, o);
    settle(s, unit, q, true);
    *whose = bank;
    u->n--;
    memmove(q, q + 1, (size_t)(u->n - i) * sizeof *q);
    return wrong;
}

/* Whoever could have been chosen waits for no more than a turn of each other;
 * whose: the bank that was, as in answer. */
static const char *watch_turns(struct vault_stim *s, int unit, bool busy,
                               int whose) {
    struct unit *u = &s->unit[unit];
    for (int b = 0; b <= s->size.BANKS; b++) {
        struct asked *q = oldest(s, u, b);
        int *passed =
            b < s->size.BANKS ? &u->side[b].passed : &u->beyond_passed;
        if (b == whose)
            *passed = 0;
        if (!q || !can_come(s, q) || b == whose)
            continue;
        if (!busy)
            return stim_complain(&s->base,
                                 "unit %d: request %" PRIu64
                                 " could be answered, and nothing is",
                                 unit, q->id);
        if (++*passed > s->size.BANKS + 1)
            return stim_complain(&s->base,
                                 "unit %d: request %" PRIu64
                                 " waits for more than its turn",
                                 unit, q->id);
    }
    return NULL;
}

static const char *watch_responses(struct vault_stim *s, int unit,
                                   const struct vault_out *o) {
    bool valid = o->rsp_valid >> unit & 1;
    uint64_t line = (uint64_t)s->size.LINE / 4;
    bool window =
        s->begun.there &&
        s->begun.address / line % (uint64_t)s->size.UNITS == (uint64_t)unit;
    const char *wrong = NULL;
    int whose = -1;
    uint64_t any = o->rsp_fault >> unit & 1;
    any |= bits_get(o->rsp_id, unit * s->size.ID_W, s->size.ID_W);
    for (int w = 0; w < s->size.WORDS; w++)
        any |= bits_lane(o->rsp_data, unit * s->size.WORDS + w);
    if (!valid && any)
        return stim_complain(
            &s->base, "unit %d shows something without a response", unit);
    if (valid && window)
        return stim_complain(
            &s->base, "unit %d has a response and a word on one edge", unit);
    if (valid)
        wrong = answer(s, unit, o, &whose);
    return wrong ? wrong : watch_turns(s, unit, valid || window, whose);
}

/* --- the window ----------------------------------------------------------- */

static const char *watch_window(struct vault_stim *s, bool takes,
                                const struct vault_out *o) {
    const struct word w = s->begun;
    bool due = w.there && !w.write;
    settle_word(s, &w, true);
    s->begun.there = false;
    if (s->held.there && o->win_ready) {
        s->begun = s->held;
        s->held.there = false;
    }
    if (takes)
        take_word(s);
    if (o->read_valid != due)
        return due ? "the window's word is not there"
                   : "a word that nobody reads";
    if (due && o->read_data != w.expect)
        return stim_complain(
            &s->base, "the window reads %08" PRIx32 ", expected %08" PRIx32,
            (uint32_t)o->read_data, w.expect);
    if (s->held.there && s->edge > s->held.taken + s->size.BANKS + 2)
        return "the window's word waits for more than its turn";
    if (s->held.there == o->win_ready)
        return s->held.there ? "the window does not hold a word"
                             : "the window refuses words and has none";
    return NULL;
}

static const char *watch_ready(struct vault_stim *s, int unit,
                               const struct vault_out *o) {
    struct unit *u = &s->unit[unit];
    bool ready = o->mem_ready >> unit & 1;
    int inside = 0;
    for (int i = 0; i < u->n; i++)
        inside += !u->asked[i].beyond;
    if (u->n == 0 && !ready)
        return stim_complain(&s->base, "unit %d refuses requests and has none",
                             unit);
    if (inside > s->size.PLACES + 1)
        return stim_complain(&s->base,
                             "unit %d takes more than it has places for", unit);
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct vault_stim *s = (struct vault_stim *)base;
    const struct vault_in *in = in_ports;
    const struct vault_out *before = before_ports, *after = after_ports;
    uint64_t takes = in->mem_valid & before->mem_ready;
    const char *wrong = NULL;
    for (int i = 0; i < s->size.UNITS; i++) {
        for (int b = 0; b < s->size.BANKS && !wrong; b++)
            wrong = watch_bank(s, i, b, after);
        if (!wrong)
            wrong = watch_responses(s, i, after);
        if (takes >> i & 1)
            take(s, i);
        if (!wrong)
            wrong = watch_ready(s, i, after);
    }
    if (!wrong)
        wrong = watch_window(s, s->offered.there && before->win_ready, after);
    s->edge++;
    return wrong;
}

/* --- life ----------------------------------------------------------------- */

static void restart_checkers(struct vault_stim *s) {
    for (int i = 0; i < s->size.UNITS; i++)
        for (int b = 0; b < s->size.BANKS; b++) {
            struct side *k = &s->unit[i].side[b];
            dram_checker_free(k->checker);
            k->checker = dram_checker_create(&s->config, told, s);
            bank_checker_reset(&k->own, &s->config);
            k->idle = k->passed = 0;
        }
}

static void open(struct stim *base, const struct config *c) {
    struct vault_stim *s = (struct vault_stim *)base;
    s->size = vault_local(c);
    s->config = *c;
    s->config.dram_ranks = s->config.dram_groups = 1;
    s->config.dram_banks = c->bank_open_rows;
    s->longest = c->timing_rfc + c->timing_rc + c->timing_ras + c->timing_rp +
                 c->timing_rcd + c->timing_cl + c->timing_cwl + c->timing_bl +
                 c->timing_wr + c->timing_wtrl + c->timing_faw;
    size_t words = (size_t)first_word(s, s->size.UNITS, 0);
    s->memory = xcalloc(words, sizeof *s->memory);
    base->reset_every = 15000;
    restart_checkers(s);
}

static void close(struct stim *base) {
    struct vault_stim *s = (struct vault_stim *)base;
    for (int i = 0; i < UNITS; i++)
        for (int b = 0; b < BANKS; b++)
            dram_checker_free(s->unit[i].side[b].checker);
    free(s->memory);
}

/* What was under way is not carried out any more. */
static void reset(struct stim *base) {
    struct vault_stim *s = (struct vault_stim *)base;
    for (int i = 0; i < s->size.UNITS; i++) {
        struct unit *u = &s->unit[i];
        for (int k = 0; k < u->n; k++)
            settle(s, i, &u->asked[k], false);
        u->n = u->beyond_passed = 0;
        u->offered = false;
    }
    settle_word(s, &s->held, false);
    settle_word(s, &s->begun, false);
    s->offered.there = s->held.there = s->begun.there = false;
    s->edge = 0;
    restart_checkers(s);
}

static void report(struct stim *base, struct text *t) {
    const struct vault_stim *s = (const struct vault_stim *)base;
    text_printf(t, "requests\t%" PRIu64 "\n", s->requests);
    text_printf(t, "words\t%" PRIu64 "\n", s->words);
    text_printf(t, "bursts\t%" PRIu64 "\n",
                s->commands[DRAM_RD] + s->commands[DRAM_WR]);
    text_printf(t, "rows_opened\t%" PRIu64 "\n", s->commands[DRAM_ACT]);
    text_printf(t, "rows_closed\t%" PRIu64 "\n", s->commands[DRAM_PRE]);
    text_printf(t, "refreshes\t%" PRIu64 "\n", s->commands[DRAM_REF]);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class vault_stim = {
    .size = sizeof(struct vault_stim),
    .first_reset = 1, /* the edges since then are counted */
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

/* vault.c - golden model of the banks with data of a core's near-bank units.
 *
 * Written from docs/blocks/vault.md.  The banks are the model of bank; a
 * request that one of them was given stays in its place, and a command's edge
 * says by arithmetic when it comes due.
 */
#include "vault.h"

#include "bank/bank.h"
#include "base/arena.h"
#include "base/bits.h"
#include "blocks/bank.h"
#include "blocks/vault.h"
#include "dram/rules.h"
#include "frame/model.h"
#include "frame/queue.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_UNITS = 16,
    MAX_BANKS = 8,
    MAX_PLACES = 64,
    MAX_BUFFERS = 4,
    DATA_WORDS = 4, /* of 64 bits, for a sector */
    NOBODY = -1
};

/* Edges that a bank sleeps at most. */
static const uint64_t MOST_REST = (uint64_t)1 << 60;

struct request {
    bool valid, store, beyond;
    uint64_t id, sector, strobe;
    uint64_t data[DATA_WORDS];
    uint64_t number; /* of its unit, in the order in which they came */
};

/* A place whose burst crosses the bank's wires. */
struct crossing {
    int place;
    uint64_t enters; /* edge on which it enters the queue */
};

struct side { /* of a bank */
    struct golden *bank;
    struct bank_in in;
    const struct bank_out *out;
    uint64_t stepped, wake; /* its last edge, and the last one it sleeps on */
    struct crossing crossing[MAX_PLACES]; /* in the order of their commands */
    int crossings;
    struct queue queue;
    int waiting[MAX_PLACES + 1]; /* places in the queue */
    bool fresh[MAX_BUFFERS];     /* no burst since the row was opened */
};

/* What has its turn. */
struct turn {
    enum { NOTHING, BANK, BEYOND, WINDOW } kind;
    int bank;
};

struct unit {
    struct request entry;
    struct request place[MAX_PLACES];
    struct side side[MAX_BANKS];
    int last; /* that was chosen */
    struct turn turn;
    struct request
        now; /* whose turn was on the edge before, with BANK, BEYOND */
    uint64_t came;
};

struct word {
    bool held, write;
    uint64_t address;
    uint32_t data;
};

struct vault {
    struct golden base;
    struct vault_local l;
    uint64_t edge; /* since reset */
    struct unit unit[MAX_UNITS];
    uint32_t *memory;  /* words at the core */
    struct word word;  /* that is held */
    struct word begun; /* whose turn was on the edge before */
    struct vault_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct vault *n = (struct vault *)g;

    n->l = vault_local(c);
    n->memory = xcalloc((size_t)n->l.UNITS * (size_t)n->l.SECTORS,
                        (size_t)n->l.WORDS * sizeof *n->memory);
    for (int i = 0; i < n->l.UNITS; i++)
        for (int b = 0; b < n->l.BANKS; b++)
            n->unit[i].side[b].bank = golden_create(&bank_golden, c);
}

static void close(struct golden *g) {
    struct vault *n = (struct vault *)g;

    for (int i = 0; i < n->l.UNITS; i++)
        for (int b = 0; b < n->l.BANKS; b++)
            golden_free(n->unit[i].side[b].bank);
    free(n->memory);
}

static void reset(struct golden *g) {
    struct vault *n = (struct vault *)g;

    n->edge = 0;
    memset(&n->word, 0, sizeof n->word);
    memset(&n->begun, 0, sizeof n->begun);
    for (int i = 0; i < n->l.UNITS; i++) {
        struct unit *u = &n->unit[i];
        memset(&u->entry, 0, sizeof u->entry);
        memset(u->place, 0, sizeof u->place);
        u->last = n->l.BANKS + 1;
        u->turn.kind = NOTHING;
        for (int b = 0; b < n->l.BANKS; b++) {
            struct side *s = &u->side[b];
            s->out = golden_cycle(s->bank, true, NULL);
            s->stepped = s->wake = n->edge - 1;
            memset(&s->in, 0, sizeof s->in);
            memset(s->fresh, 0, sizeof s->fresh);
            s->crossings = 0;
            queue_reset(&s->queue, n->l.PLACES);
        }
    }
    n->out.mem_ready = ones(n->l.UNITS);
    n->out.win_ready = 1;
}

/* --- addresses ------------------------------------------------------------ */

static uint64_t columns(const struct vault *n) {
    return bit(n->l.COL_W);
}

static int bank_of(const struct vault *n, uint64_t sector) {
    return (int)(sector / columns(n) % (uint64_t)n->l.BANKS);
}

static uint64_t row_of(const struct vault *n, uint64_t sector) {
    return sector / columns(n) / (uint64_t)n->l.BANKS;
}

static bool is_beyond(const struct vault *n, uint64_t sector) {
    return row_of(n, sector) >= (uint64_t)n->l.ROWS;
}

/* A word at the core: its unit, and its word there. */
static int unit_of(const struct vault *n, uint64_t word) {
    return (int)(word / ((uint64_t)n->l.LINE / 4) % (uint64_t)n->l.UNITS);
}

static uint64_t own_word(const struct vault *n, uint64_t word) {
    uint64_t line = (uint64_t)n->l.LINE / 4;

    return word / line / (uint64_t)n->l.UNITS * line + word % line;
}

static uint32_t *word_at(struct vault *n, int unit, uint64_t own) {
    uint64_t words = (uint64_t)n->l.SECTORS * (uint64_t)n->l.WORDS;

    return &n->memory[(uint64_t)unit * words + own];
}

/* --- what has its turn is carried out ------------------------------------- */

static void carry_out(struct vault *n, int number) {
    struct unit *u = &n->unit[number];
    struct vault_out *o = &n->out;
    const struct request *q = &u->now;
    uint64_t words = (uint64_t)n->l.WORDS;

    if (u->turn.kind != BANK && u->turn.kind != BEYOND)
        return;
    o->rsp_valid |= bit(number);
    bits_or(o->rsp_id, number * n->l.ID_W, n->l.ID_W, q->id);
    if (u->turn.kind == BEYOND) {
        o->rsp_fault |= bit(number);
        hit_if(n, true, VAULT_COV_beyond);
        return;
    }
    for (int w = 0; w < n->l.WORDS; w++) {
        uint32_t *word = word_at(n, number, q->sector * words + (uint64_t)w);
        if (!q->store)
            bits_set_lane(o->rsp_data, number * n->l.WORDS + w, *word);
        else if (q->strobe >> w & 1)
            *word = bits_lane(q->data, w);
    }
}

static void carry_out_word(struct vault *n) {
    const struct word *w = &n->begun;
    uint64_t own = own_word(n, w->address);
    bool beyond = is_beyond(n, own / (uint64_t)n->l.WORDS);
    uint32_t *word = beyond ? NULL : word_at(n, unit_of(n, w->address), own);

    if (!w->held)
        return;
    hit_if(n, beyond, VAULT_COV_window_beyond);
    hit_if(n, w->write, VAULT_COV_window_write);
    hit_if(n, !w->write, VAULT_COV_window_read);
    if (w->write && word)
        *word = w->data;
    n->out.read_valid = !w->write;
    n->out.read_data = w->write || !word ? 0 : *word;
}

/* --- turns ---------------------------------------------------------------- */

static int queues_show(const struct vault *n, const struct unit *u) {
    int some = 0;

    for (int b = 0; b < n->l.BANKS; b++)
        some += u->side[b].queue.out_valid;
    return some;
}

static bool wants(const struct vault *n, int number, int who) {
    const struct unit *u = &n->unit[number];

    if (who < n->l.BANKS)
        return u->side[who].queue.out_valid;
    if (who == n->l.BANKS)
        return u->entry.valid && u->entry.beyond;
    return n->word.held && unit_of(n, n->word.address) == number;
}

static void cover_order(struct vault *n, const struct unit *u) {
    for (int p = 0; p < n->l.PLACES; p++)
        hit_if(n, u->place[p].valid && u->place[p].number < u->now.number,
               VAULT_COV_disorder);
}

/* The window's word is chosen in its unit alone; the caller lets it go. */
static void choose(struct vault *n, int number) {
    struct unit *u = &n->unit[number];
    int turns = n->l.BANKS + 2, who = NOBODY;
    bool far = wants(n, number, n->l.BANKS);

    for (int i = 1; i <= turns && who == NOBODY; i++)
        if (wants(n, number, (u->last + i) % turns))
            who = (u->last + i) % turns;
    hit_if(n, queues_show(n, u) == n->l.BANKS, VAULT_COV_banks_meet);
    hit_if(n, far && who != n->l.BANKS, VAULT_COV_beyond_waits);
    hit_if(n, wants(n, number, n->l.BANKS + 1) && who != n->l.BANKS + 1,
           VAULT_COV_window_waits);
    u->turn.kind = NOTHING;
    if (who == NOBODY)
        return;
    u->last = who;
    if (who < n->l.BANKS) {
        struct side *s = &u->side[who];
        struct request *p = &u->place[s->waiting[s->queue.out]];
        u->turn = (struct turn){BANK, who};
        u->now = *p;
        p->valid = false;
        queue_pop(&s->queue);
        cover_order(n, u);
    } else if (who == n->l.BANKS) {
        u->turn.kind = BEYOND;
        u->now = u->entry;
        u->entry.valid = false;
    } else {
        u->turn.kind = WINDOW;
        n->begun = n->word;
    }
}

/* --- banks ---------------------------------------------------------------- */

static bool is_column(const struct bank_out *o) {
    return o->cmd_valid && (o->cmd_kind == DRAM_RD || o->cmd_kind == DRAM_WR);
}

static void cover_command(struct vault *n, struct side *s) {
    const struct bank_out *o = s->out;

    hit_if(n, o->cmd_valid && o->cmd_kind == DRAM_PRE, VAULT_COV_conflict);
    hit_if(n, o->cmd_valid && o->cmd_kind == DRAM_REF, VAULT_COV_refresh);
    hit_if(n, is_column(o) && !s->fresh[o->cmd_buffer], VAULT_COV_hit);
    if (o->cmd_valid && o->cmd_kind == DRAM_ACT)
        s->fresh[o->cmd_buffer] = true;
    else if (is_column(o))
        s->fresh[o->cmd_buffer] = false;
}

/* The command that was decided on the edge before, and what comes due. */
static void edge_crossings(struct vault *n, struct side *s) {
    const struct bank_out *o = s->out;
    uint64_t decided = n->edge - 1;

    if (is_column(o)) {
        int d = o->cmd_kind == DRAM_RD ? n->l.READ_D : n->l.WRITE_D;
        s->crossing[s->crossings++] = (struct crossing){
            .place = (int)o->cmd_id, .enters = decided + (uint64_t)d - 3};
    }
    if (s->crossings == 0 || s->crossing[0].enters != n->edge)
        return;
    s->waiting[queue_push(&s->queue)] = s->crossing[0].place;
    s->crossings--;
    memmove(s->crossing, s->crossing + 1,
            (size_t)s->crossings * sizeof *s->crossing);
}

static bool sleeps(const struct vault *n, const struct side *s) {
    return (int64_t)(s->wake - n->edge) >= 0;
}

/* For a bank that has nothing to do the edges are added up. */
static void edge_bank(struct vault *n, struct side *s) {
    if (sleeps(n, s) && !s->in.req_valid)
        return;
    if (n->edge - s->stepped > 1)
        golden_slept(s->bank, n->edge - s->stepped - 1);
    golden_cycle(s->bank, false, &s->in);
    memset(&s->in, 0, sizeof s->in);
    uint64_t rest = golden_rest(s->bank, &s->in);
    s->stepped = n->edge;
    s->wake = n->edge + (rest < MOST_REST ? rest : MOST_REST);
    cover_command(n, s);
}

static void show_command(struct vault *n, int at, const struct bank_out *b) {
    struct vault_out *o = &n->out;

    if (!b->cmd_valid)
        return;
    bits_or(o->cmd_valid, at, 1, b->cmd_valid);
    bits_or(o->cmd_kind, at * 3, 3, b->cmd_kind);
    bits_or(o->cmd_buffer, at * n->l.BUFFER_W, n->l.BUFFER_W, b->cmd_buffer);
    bits_or(o->cmd_row, at * n->l.ROW_W, n->l.ROW_W, b->cmd_row);
    bits_or(o->cmd_column, at * n->l.COL_W, n->l.COL_W, b->cmd_column);
}

/* --- entry ---------------------------------------------------------------- */

static int free_place(const struct vault *n, const struct unit *u) {
    for (int p = 0; p < n->l.PLACES; p++)
        if (!u->place[p].valid)
            return p;
    return NOBODY;
}

static bool has_room(const struct vault *n, const struct unit *u) {
    return u->side[bank_of(n, u->entry.sector)].out->req_ready;
}

static bool can_go(const struct vault *n, const struct unit *u) {
    return u->entry.valid && !u->entry.beyond && free_place(n, u) != NOBODY &&
           has_room(n, u);
}

static void cover_entry(struct vault *n, const struct unit *u) {
    const struct request *e = &u->entry;
    bool waits = e->valid && !e->beyond && !can_go(n, u);

    hit_if(n, waits && !has_room(n, u), VAULT_COV_bank_full);
    hit_if(n, waits && free_place(n, u) == NOBODY, VAULT_COV_places_full);
}

static void go(struct vault *n, struct unit *u) {
    struct request *e = &u->entry;
    int p = free_place(n, u);
    struct side *s = &u->side[bank_of(n, e->sector)];

    for (int i = 0; i < n->l.PLACES; i++)
        hit_if(n,
               !e->store && u->place[i].valid && u->place[i].store &&
                   u->place[i].sector == e->sector,
               VAULT_COV_same_sector);
    u->place[p] = *e;
    s->in.req_valid = 1;
    s->in.req_write = e->store;
    s->in.req_id = (uint64_t)p;
    s->in.req_row = row_of(n, e->sector);
    s->in.req_column = e->sector % columns(n);
    e->valid = false;
}

static void take(struct vault *n, int number, const struct vault_in *in) {
    struct unit *u = &n->unit[number];
    struct request *e = &u->entry;

    e->valid = true;
    e->store = in->mem_store >> number & 1;
    e->id = bits_get(in->mem_id, number * n->l.ID_W, n->l.ID_W);
    e->sector = bits_get(in->mem_address, number * n->l.OWN_W, n->l.OWN_W);
    e->beyond = is_beyond(n, e->sector);
    e->strobe = bits_get(in->mem_strobe, number * n->l.WORDS, n->l.WORDS);
    e->number = u->came++;
    for (int w = 0; w < n->l.WORDS; w++)
        bits_set_lane(e->data, w,
                      bits_lane(in->mem_data, number * n->l.WORDS + w));
    hit_if(n, !e->store && !e->beyond, VAULT_COV_load);
    hit_if(n, e->store && e->strobe && e->strobe != ones(n->l.WORDS),
           VAULT_COV_some_words);
}

/* --- an edge -------------------------------------------------------------- */

/* An edge would change nothing of it. */
static bool is_still(const struct vault *n, int number,
                     const struct vault_in *in) {
    const struct unit *u = &n->unit[number];
    bool still = !u->entry.valid && u->turn.kind == NOTHING &&
                 !(in->mem_valid >> number & 1);

    for (int b = 0; still && b < n->l.BANKS; b++) {
        const struct side *s = &u->side[b];
        still = sleeps(n, s) && !s->crossings && queue_is_empty(&s->queue);
    }
    return still && !wants(n, number, n->l.BANKS + 1);
}

static void edge_unit(struct vault *n, int number, const struct vault_in *in) {
    struct unit *u = &n->unit[number];
    bool goes = can_go(n, u), takes;

    if (is_still(n, number, in))
        return;
    takes = n->out.mem_ready >> number & in->mem_valid >> number & 1;
    cover_entry(n, u);
    if (goes)
        go(n, u);
    /* what goes on this edge has no turn on it, and what leaves its place on
     * it frees the place for the next one */
    carry_out(n, number);
    for (int b = 0; b < n->l.BANKS; b++)
        edge_crossings(n, &u->side[b]);
    choose(n, number);
    for (int b = 0; b < n->l.BANKS; b++) {
        queue_edge(&u->side[b].queue);
        edge_bank(n, &u->side[b]);
    }
    if (takes)
        take(n, number, in);
}

static void edge_window(struct vault *n, const struct vault_in *in,
                        bool ready) {
    bool valid = in->win_valid & 1;

    hit_if(n, valid && !ready, VAULT_COV_window_refused);
    if (n->begun.held)
        n->word.held = false;
    if (!valid || !ready)
        return;
    n->word = (struct word){.held = true,
                            .write = in->win_write & 1,
                            .address = in->win_address & ones(30),
                            .data = (uint32_t)in->win_data};
}

static void edge(struct golden *g, const void *ports) {
    struct vault *n = (struct vault *)g;
    const struct vault_in *in = ports;
    struct vault_out *o = &n->out;
    bool ready = o->win_ready;
    uint64_t mem_ready = o->mem_ready;

    memset(o, 0, sizeof *o);
    o->mem_ready = mem_ready;
    carry_out_word(n);
    memset(&n->begun, 0, sizeof n->begun);
    for (int i = 0; i < n->l.UNITS; i++)
        edge_unit(n, i, in);
    edge_window(n, in, ready);
    n->edge++;

    o->mem_ready = 0;
    o->win_ready = !n->word.held;
    for (int i = 0; i < n->l.UNITS; i++) {
        struct unit *u = &n->unit[i];
        o->mem_ready |= (uint64_t)(!u->entry.valid || can_go(n, u)) << i;
        for (int b = 0; b < n->l.BANKS; b++)
            show_command(n, i * n->l.BANKS + b, u->side[b].out);
    }
    hit_if(n, o->rsp_valid == ones(n->l.UNITS), VAULT_COV_all_respond);
}

static uint64_t rest(const struct golden *g, const void *ports) {
    const struct vault *n = (const struct vault *)g;
    const struct vault_in *in = ports;
    uint64_t least = MOST_REST;

    if (in->win_valid & 1 || n->word.held || n->begun.held ||
        n->out.read_valid || n->out.rsp_valid)
        return 0;
    for (int i = 0; i < n->l.UNITS; i++) {
        if (!is_still(n, i, in))
            return 0;
        for (int b = 0; b < n->l.BANKS; b++) {
            uint64_t rest = n->unit[i].side[b].wake - n->edge + 1;
            least = rest < least ? rest : least;
        }
    }
    return least;
}

static void slept(struct golden *g, uint64_t edges) {
    ((struct vault *)g)->edge += edges;
}

static int reach(struct golden *g, bool write, uint64_t word, uint32_t *data) {
    struct vault *n = (struct vault *)g;
    uint64_t own = own_word(n, word);
    int unit = unit_of(n, word);

    if (is_beyond(n, own / (uint64_t)n->l.WORDS))
        return -1;
    if (write)
        *word_at(n, unit, own) = *data;
    else
        *data = *word_at(n, unit, own);
    return unit;
}

const struct golden_class vault_golden = {
    .iface = &vault_iface,
    MODEL_STRUCT(struct vault),
    .open = open,
    .close = close,
    .reset = reset,
    .edge = edge,
    .rest = rest,
    .slept = slept,
    .reach = reach,
};

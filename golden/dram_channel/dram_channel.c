/* dram_channel.c - golden model of a DRAM channel that host and accelerators
 * share.
 *
 * Written from docs/blocks/dram_channel.md.  Of the timing rules it keeps, for
 * each place and kind of command, the first edge on which they allow one; a
 * command moves those of the rules that name it.  The queue is looked through
 * only when something about it has changed, or the first edge has come on which
 * one of its commands may be legal.
 */
#include "dram_channel.h"

#include "base/bits.h"
#include "blocks/dram_channel.h"
#include "dram/rules.h"
#include "frame/model.h"

#include <stddef.h>
#include <string.h>

enum { MAX_ENTRIES = 64, MAX_PLACES = 64, MAX_RANKS = 4, WINDOW = 4 };

/* First edges on which commands are allowed, by kind. */
struct allowed {
    uint64_t from[DRAM_KINDS];
};

struct request {
    uint8_t wait_for;           /* position of the request that it waits for */
    uint8_t rank, group, place; /* group of the channel, bank of the channel */
    uint16_t id, column;
    uint32_t row;
};

/* A command that is decided on this edge. */
struct command {
    bool valid;
    enum dram_kind kind;
    uint8_t rank, group, place;
    uint32_t row;
    uint16_t column, id;
    int position; /* of the host's request; -1: none */
};

/* What rules make of a command: which allowed moves how far. */
struct effect {
    int to; /* enum dram_kind */
    int cycles;
};

/* Of one kind of command, by scope. */
struct effects {
    struct effect v[DRAM_SCOPES][DRAM_RULES];
    int n[DRAM_SCOPES];
};

static const uint64_t never = UINT64_MAX;

struct dram_channel {
    struct golden base;
    struct dram_channel_local l;
    struct effects effects[DRAM_KINDS];
    int window; /* cycles of four rows of a rank */

    uint64_t now; /* edges since reset */
    struct request queue[MAX_ENTRIES];
    uint8_t at[MAX_ENTRIES]; /* banks of the requests, once more */
    /* sets of requests, bit i: position i */
    uint64_t writes, lazy; /* lazy: writes that wait for a drain */
    uint64_t waits, opened, hits, of_rank[MAX_RANKS];
    uint64_t of_place[MAX_PLACES];
    int n, n_lazy, passed;
    bool draining;
    uint64_t drained; /* the edge after the last one with draining */
    bool open[MAX_PLACES];
    uint32_t row[MAX_PLACES];
    int n_open[MAX_RANKS];
    struct allowed place[MAX_PLACES], group[MAX_PLACES], rank[MAX_RANKS];
    struct allowed host[MAX_RANKS];        /* of the host alone */
    uint64_t opened_at[MAX_RANKS][WINDOW]; /* ends of the windows that the last
                                              ACTs began, oldest first */
    /* of refreshes: ranks that are due, edges that make them so, the first of
     * these */
    uint64_t due, due_at[MAX_RANKS], next_due;
    uint16_t lfsr;
    bool stale;          /* look through the queue, whatever wake says */
    uint64_t candidates; /* the requests that take part */
    uint64_t
        to_write;  /* ranks with a candidate that is a write, its row open */
    uint64_t wake; /* before this edge no command of the queue is legal */
    uint64_t near_wake[MAX_RANKS];  /* nor one for the accelerator's burst */
    uint64_t ahead_wake[MAX_RANKS]; /* nor one for the row that it needs then */
    struct dram_channel_out out;
};

/* --- rules ---------------------------------------------------------------- */

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* Of two rules that say the same the longer one counts.  None is kept for RDA
 * and WRA, which nobody gives here. */
static void add_effect(struct effects *e, enum dram_scope scope, int to,
                       int cycles) {
    for (int i = 0; i < e->n[scope]; i++)
        if (e->v[scope][i].to == to) {
            if (e->v[scope][i].cycles < cycles)
                e->v[scope][i].cycles = cycles;
            return;
        }
    e->v[scope][e->n[scope]++] = (struct effect){to, cycles};
}

static void open(struct golden *g, const struct config *c) {
    struct dram_channel *n = (struct dram_channel *)g;
    struct dram_rule rules[DRAM_RULES];

    n->l = dram_channel_local(c);
    dram_rules(c, rules);
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &rules[i];
        if (r->count > 1) {
            n->window = r->cycles;
            continue;
        }
        for (int from = 0; from < DRAM_KINDS && r->cycles > 1; from++)
            for (int to = 0; to < DRAM_KINDS; to++)
                if (r->from >> from & r->to >> to & 1 && !dram_closes(to))
                    add_effect(&n->effects[from], r->scope, to, r->cycles);
    }
}

static void move(const struct dram_channel *n, const struct effects *e,
                 enum dram_scope scope, struct allowed *a) {
    for (int i = 0; i < e->n[scope]; i++) {
        uint64_t *from = &a->from[e->v[scope][i].to];
        *from = later(*from, n->now + (uint64_t)e->v[scope][i].cycles);
    }
}

/* The command is given on this edge: hold back what its rules name. */
static void hold_back(struct dram_channel *n, const struct command *c,
                      bool host) {
    const struct effects *e = &n->effects[c->kind];

    move(n, e, DRAM_BANK, &n->place[c->place]);
    move(n, e, DRAM_GROUP, &n->group[c->group]);
    move(n, e, DRAM_RANK, &n->rank[c->rank]);
    for (int r = 0; r < n->l.RANKS && host; r++)
        if (r != c->rank)
            move(n, e, DRAM_OTHER_RANK, &n->host[r]);
    if (c->kind == DRAM_ACT) {
        uint64_t *opened = n->opened_at[c->rank];
        memmove(opened, opened + 1, (WINDOW - 1) * sizeof *opened);
        opened[WINDOW - 1] = n->now + (uint64_t)n->window;
    }
}

/* The first edge on which a command to a bank, or to a rank, is allowed. */
static uint64_t bank_edge(const struct dram_channel *n, enum dram_kind kind,
                          int rank, int group, int place) {
    uint64_t edge =
        later(later(n->place[place].from[kind], n->group[group].from[kind]),
              n->rank[rank].from[kind]);
    return kind == DRAM_ACT ? later(edge, n->opened_at[rank][0]) : edge;
}

static uint64_t host_edge(const struct dram_channel *n, enum dram_kind kind,
                          const struct request *q) {
    return later(bank_edge(n, kind, q->rank, q->group, q->place),
                 n->host[q->rank].from[kind]);
}

/* --- rows ----------------------------------------------------------------- */

static void set_row(struct dram_channel *n, const struct command *c) {
    uint64_t here;

    /* other commands may be needed now */
    n->near_wake[c->rank] = n->ahead_wake[c->rank] = 0;
    if (c->kind == DRAM_ACT) {
        here = n->of_place[c->place];
        n->open[c->place] = true;
        n->row[c->place] = c->row;
        n->n_open[c->rank]++;
        n->opened |= here;
        for (; here; here &= here - 1)
            if (n->queue[__builtin_ctzll(here)].row == c->row)
                n->hits |= here & -here;
    } else if (c->kind == DRAM_PRE) {
        here = n->of_place[c->place];
        n->open[c->place] = false;
        n->n_open[c->rank]--;
        n->opened &= ~here;
        n->hits &= ~here;
    } else if (c->kind == DRAM_PREA) {
        memset(&n->open[c->rank * n->l.SLOTS], 0, (size_t)n->l.SLOTS);
        n->n_open[c->rank] = 0;
        n->opened &= ~n->of_rank[c->rank];
        n->hits &= ~n->of_rank[c->rank];
    }
}

/* --- the host ------------------------------------------------------------- */

static struct command for_request(const struct dram_channel *n, int position,
                                  enum dram_kind kind) {
    const struct request *q = &n->queue[position];
    return (struct command){.valid = true,
                            .kind = kind,
                            .rank = q->rank,
                            .group = q->group,
                            .place = q->place,
                            .row = kind == DRAM_PRE ? 0 : q->row,
                            .position = position};
}

static struct command refresh(struct dram_channel *n) {
    for (uint64_t left = n->due; left; left &= left - 1) {
        int r = __builtin_ctzll(left);
        enum dram_kind kind = n->n_open[r] ? DRAM_PREA : DRAM_REF;
        if (n->now >= n->rank[r].from[kind])
            return (struct command){.valid = true,
                                    .kind = kind,
                                    .rank = (uint8_t)r,
                                    .position = -1};
    }
    return (struct command){.valid = false};
}

/* The requests that take part. */
static uint64_t candidates(struct dram_channel *n) {
    uint64_t ready = ones(n->n) & ~n->waits;
    uint64_t prompt = ready & ~n->lazy, lazy = ready & n->lazy;
    uint64_t chosen = n->draining && lazy ? lazy : prompt;
    bool starved = n->passed == n->l.PATIENCE && n->n > 0;

    hit_if(n, n->waits, DRAM_CHANNEL_COV_waits);
    hit_if(n, n->draining && !lazy && prompt, DRAM_CHANNEL_COV_other_class);
    hit_if(n, starved, DRAM_CHANNEL_COV_starved);
    if (starved)
        chosen = 1;
    for (uint64_t left = n->due; left; left &= left - 1)
        chosen &= ~n->of_rank[__builtin_ctzll(left)];
    return chosen;
}

/* Who takes part, anew. */
static void look_who(struct dram_channel *n) {
    n->candidates = candidates(n);
    n->to_write = 0;
    for (int r = 0; r < n->l.RANKS; r++)
        if (n->candidates & n->hits & n->writes & n->of_rank[r])
            n->to_write |= bit(r);
}

static void wake_by(struct dram_channel *n, uint64_t edge) {
    if (edge < n->wake)
        n->wake = edge;
}

/* Legal now, or else wake no later than it is. */
static bool legal_from(struct dram_channel *n, uint64_t edge) {
    if (n->now >= edge)
        return true;
    wake_by(n, edge);
    return false;
}

/* Take requests out of a set for which the rank as a whole is not ready. */
static void drop_ranks(struct dram_channel *n, enum dram_kind kind,
                       uint64_t of_kind, uint64_t *set) {
    for (int r = 0; r < n->l.RANKS; r++) {
        uint64_t edge = later(n->rank[r].from[kind], n->host[r].from[kind]);
        if (kind == DRAM_ACT)
            edge = later(edge, n->opened_at[r][0]);
        if (*set & of_kind & n->of_rank[r] && !legal_from(n, edge))
            *set &= ~(of_kind & n->of_rank[r]);
    }
}

/* The oldest request of a set for which a command is legal, of the kind that
 * one or the other is of, and whose bank has none of the requests of keep; -1:
 * none.  Requests for one bank, of one kind, are legal together. */
static int oldest_legal(struct dram_channel *n, uint64_t set, uint64_t others,
                        enum dram_kind kind, enum dram_kind other,
                        uint64_t keep) {
    if (set & ~others)
        drop_ranks(n, kind, ~others, &set);
    if (set & others)
        drop_ranks(n, other, others, &set);
    while (set) {
        int i = __builtin_ctzll(set), is_other = (int)(others >> i & 1);
        uint64_t same = n->of_place[n->at[i]];
        hit_if(n, same & keep, DRAM_CHANNEL_COV_kept);
        if (!(same & keep) &&
            legal_from(n, host_edge(n, is_other ? other : kind, &n->queue[i])))
            return i;
        set &= ~(same & (is_other ? others : ~others));
    }
    return -1;
}

static struct command look_through(struct dram_channel *n) {
    uint64_t hits = n->candidates & n->hits, rows = n->candidates & ~n->hits;
    int i;

    n->wake = never;
    i = oldest_legal(n, hits, n->writes, DRAM_RD, DRAM_WR, 0);
    if (i >= 0)
        return for_request(n, i, n->writes >> i & 1 ? DRAM_WR : DRAM_RD);
    i = oldest_legal(n, rows, n->opened, DRAM_ACT, DRAM_PRE, hits);
    if (i >= 0)
        return for_request(n, i, n->opened >> i & 1 ? DRAM_PRE : DRAM_ACT);
    return (struct command){.valid = false};
}

static struct command decide_host(struct dram_channel *n) {
    struct command c = refresh(n);

    if (n->stale)
        look_who(n);
    if (c.valid || (!n->stale && n->now < n->wake))
        return c;
    c = look_through(n);
    n->stale = c.valid;
    return c;
}

/* --- the accelerators ----------------------------------------------------- */

static bool is_held(const struct dram_channel *n, int rank) {
    uint32_t throttle = n->base.regs.setting[DRAM_CHANNEL_SET_throttle];
    uint32_t chance = n->base.regs.setting[DRAM_CHANNEL_SET_chance];

    uint64_t reads = ones(n->n) & ~n->writes;

    if (throttle == 1)
        return (n->lfsr & 15) >= chance;
    return throttle == 2 && reads &&
           n->queue[__builtin_ctzll(reads)].rank == rank;
}

/* The inputs of a next<r>, as they follow each other. */
struct next {
    uint64_t valid, write, enabled, group, bank, row, column;
    uint64_t ahead, ahead_group, ahead_bank, ahead_row;
};

static const struct next *next_of(const struct dram_channel_in *in, int rank) {
    static const size_t at[MAX_RANKS] = {
        offsetof(struct dram_channel_in, next0_valid),
        offsetof(struct dram_channel_in, next1_valid),
        offsetof(struct dram_channel_in, next2_valid),
        offsetof(struct dram_channel_in, next3_valid)};
    return (const void *)((const char *)in + at[rank]);
}

/* What brings a row to its burst: column, if it is open, PRE or ACT. */
static struct command near_command(const struct dram_channel *n, int r,
                                   uint64_t group, uint64_t bank, uint64_t row,
                                   enum dram_kind column) {
    const struct dram_channel_local *l = &n->l;
    struct command c = {.valid = true,
                        .kind = column,
                        .rank = (uint8_t)r,
                        .row = (uint32_t)(row & ones(l->ROW_W)),
                        .position = -1};

    c.group = (uint8_t)(r * l->GROUPS + (int)(group & ones(l->BG_W)));
    c.place = (uint8_t)(c.group * l->BANKS + (int)(bank & ones(l->BA_W)));
    if (!n->open[c.place]) {
        c.kind = DRAM_ACT;
    } else if (n->row[c.place] != c.row) {
        c.kind = DRAM_PRE;
        c.row = 0;
    }
    return c;
}

static bool is_row(enum dram_kind kind) {
    return kind == DRAM_ACT || kind == DRAM_PRE;
}

/* The command of rank r's accelerator, whose burst counts; false: none. */
static bool decide_near(struct dram_channel *n, const struct next *x, int r,
                        struct command *decided) {
    struct command c = near_command(n, r, x->group, x->bank, x->row,
                                    x->write & 1 ? DRAM_WR : DRAM_RD);

    if (!is_row(c.kind))
        c.column = (uint16_t)(x->column & ones(n->l.COL_W));
    n->near_wake[r] = bank_edge(n, c.kind, r, c.group, c.place);
    if (n->now < n->near_wake[r])
        return false;
    bool early = !is_row(c.kind) && !(x->enabled & 1);
    bool held = c.kind == DRAM_WR && is_held(n, r);
    bool yields = is_row(c.kind) && n->of_place[c.place];
    bool lets = c.kind == DRAM_RD && n->to_write >> r & 1;
    hit_if(n, early, DRAM_CHANNEL_COV_nda_computes);
    hit_if(n, held, DRAM_CHANNEL_COV_nda_held);
    hit_if(n, lets, DRAM_CHANNEL_COV_nda_lets);
    hit_if(n, yields, DRAM_CHANNEL_COV_nda_yields);
    *decided = c;
    return !early && !held && !yields && !lets;
}

/* The same for the row that it needs next, in another bank; false: none. */
static bool decide_ahead(struct dram_channel *n, const struct next *x, int r,
                         struct command *decided) {
    struct command c = near_command(n, r, x->ahead_group, x->ahead_bank,
                                    x->ahead_row, DRAM_RD);
    bool same = c.place ==
                (r * n->l.GROUPS + (int)x->group) * n->l.BANKS + (int)x->bank;

    n->ahead_wake[r] = never;
    if (!(x->ahead & 1) || same || !is_row(c.kind))
        return false;
    n->ahead_wake[r] = bank_edge(n, c.kind, r, c.group, c.place);
    if (n->now < n->ahead_wake[r] || n->of_place[c.place])
        return false;
    *decided = c;
    return true;
}

/* Those of all accelerators, a bit of the result each. */
static uint64_t decide_all_near(struct dram_channel *n,
                                const struct dram_channel_in *in,
                                struct command near[MAX_RANKS]) {
    uint64_t left_out = n->out.nda_taken | n->due, go = 0;

    for (int r = 0; r < n->l.RANKS; r++) {
        const struct next *x = next_of(in, r);
        if (!(x->valid & 1) || left_out >> r & 1) {
            n->near_wake[r] = n->ahead_wake[r] = 0;
            continue;
        }
        if (n->now >= n->near_wake[r] && decide_near(n, x, r, &near[r])) {
            go |= bit(r);
        } else if (n->now >= n->ahead_wake[r] &&
                   decide_ahead(n, x, r, &near[r])) {
            go |= bit(r);
            hit_if(n, true, DRAM_CHANNEL_COV_nda_ahead);
        }
    }
    return go;
}

/* --- what becomes of it --------------------------------------------------- */

/* A set of requests once one has left and those behind it have moved up. */
static uint64_t without(uint64_t set, int position) {
    uint64_t older = ones(position);

    return (set & older) | (set >> 1 & ~older);
}

static void leave(struct dram_channel *n, int position) {
    size_t behind = (size_t)(n->n - 1 - position);

    n->n_lazy -= (int)(n->lazy >> position & 1);
    n->n--;
    memmove(&n->queue[position], &n->queue[position + 1],
            behind * sizeof n->queue[0]);
    memmove(&n->at[position], &n->at[position + 1], behind);
    n->writes = without(n->writes, position);
    n->lazy = without(n->lazy, position);
    n->waits = without(n->waits, position);
    n->opened = without(n->opened, position);
    n->hits = without(n->hits, position);
    for (int r = 0; r < n->l.RANKS; r++)
        n->of_rank[r] = without(n->of_rank[r], position);
    for (int i = 0; i < n->l.PLACES; i++)
        n->of_place[i] = without(n->of_place[i], position);
    for (uint64_t left = n->waits; left; left &= left - 1) {
        struct request *q = &n->queue[__builtin_ctzll(left)];
        if (q->wait_for == position)
            n->waits &= ~(left & -left);
        else
            q->wait_for -= q->wait_for > position;
    }
}

/* A request that has come takes part at once, and nothing else changes, if
 * those of its class do. */
static void take_part(struct dram_channel *n, const struct request *q,
                      uint64_t self) {
    uint64_t of_class = n->draining ? n->lazy : ~n->lazy;
    bool starved = n->passed == n->l.PATIENCE;

    if (!(n->candidates & of_class) || starved)
        n->stale = true;
    if (n->stale || !(self & of_class & ~n->waits) || n->due >> q->rank & 1)
        return;
    n->candidates |= self;
    if (self & n->hits & n->writes)
        n->to_write |= bit(q->rank);
    enum dram_kind kind = !(self & n->opened) ? DRAM_ACT
                          : !(self & n->hits) ? DRAM_PRE
                          : self & n->writes  ? DRAM_WR
                                              : DRAM_RD;
    wake_by(n, host_edge(n, kind, q));
}

static void enter(struct dram_channel *n, const struct dram_channel_in *in) {
    const struct dram_channel_local *l = &n->l;
    struct request q = {.rank = (uint8_t)(in->req_rank & ones(l->RA_W)),
                        .id = (uint16_t)(in->req_id & ones(l->ID_W)),
                        .row = (uint32_t)(in->req_row & ones(l->ROW_W)),
                        .column = (uint16_t)(in->req_column & ones(l->COL_W))};
    bool write = in->req_write & 1, lazy = write && !(in->req_urgent & 1);
    uint64_t self = bit(n->n);

    q.group =
        (uint8_t)(q.rank * l->GROUPS + (int)(in->req_group & ones(l->BG_W)));
    q.place =
        (uint8_t)(q.group * l->BANKS + (int)(in->req_bank & ones(l->BA_W)));
    for (uint64_t left = n->of_place[q.place]; left; left &= left - 1) {
        int i = __builtin_ctzll(left);
        if (n->queue[i].row == q.row && n->queue[i].column == q.column) {
            n->waits |= self;
            q.wait_for = (uint8_t)i;
        }
    }
    if (write)
        n->writes |= self;
    if (lazy)
        n->lazy |= self;
    if (n->open[q.place])
        n->opened |= self;
    if (n->open[q.place] && n->row[q.place] == q.row)
        n->hits |= self;
    n->of_rank[q.rank] |= self;
    n->of_place[q.place] |= self;
    n->at[n->n] = q.place;
    n->queue[n->n++] = q;
    n->n_lazy += lazy;
    take_part(n, &q, self);
}

/* Whether writes go first on the next edge. */
static bool drains(const struct dram_channel *n) {
    int lazy = n->n_lazy, prompt = n->n - lazy;
    bool blocked = n->waits & ~n->lazy;
    bool late = n->now - n->drained >= (uint64_t)n->l.DRAIN_WAIT;

    if (n->draining)
        return lazy > n->l.DRAIN_LOW || (lazy > 0 && (blocked || !prompt));
    return lazy >= n->l.DRAIN_HIGH || (lazy >= n->l.DRAIN_IDLE && !prompt) ||
           (lazy > 0 && (late || blocked));
}

static void drain(struct dram_channel *n, bool draining) {
    bool before = n->draining;

    if (before)
        n->drained = n->now + 1;
    n->draining = draining;
    n->stale |= n->draining != before;
    hit_if(n, n->draining && !before, DRAM_CHANNEL_COV_drains);
}

/* The edge that ranks are made due on next. */
static uint64_t first_due(const struct dram_channel *n) {
    uint64_t first = never;

    for (int r = 0; r < n->l.RANKS; r++)
        first = n->due_at[r] < first ? n->due_at[r] : first;
    return first;
}

static void count_refreshes(struct dram_channel *n, const struct command *c) {
    uint64_t before = n->due;

    if (c->valid && c->kind == DRAM_REF)
        n->due &= ~bit(c->rank);
    for (int r = 0; r < n->l.RANKS && n->now == n->next_due; r++)
        if (n->due_at[r] == n->now) {
            n->due |= bit(r);
            n->due_at[r] += (uint64_t)n->base.design->config.timing_refi;
        }
    if (n->now == n->next_due)
        n->next_due = first_due(n);
    n->stale |= n->due != before;
}

/* --- outputs -------------------------------------------------------------- */

/* What the last edge showed of commands. */
static void clear_commands(struct dram_channel_out *out) {
    if (out->cmd_valid)
        out->cmd_valid = out->cmd_kind = out->cmd_rank = out->cmd_group =
            out->cmd_bank = out->cmd_row = out->cmd_column = out->cmd_id = 0;
    if (out->ndc_valid) {
        out->ndc_valid = out->ndc_kind = out->ndc_group = out->ndc_bank =
            out->ndc_column = out->nda_taken = 0;
        memset(out->ndc_row, 0, sizeof out->ndc_row);
    }
}

static void show_host(struct dram_channel *n, const struct command *c) {
    const struct dram_channel_local *l = &n->l;
    struct dram_channel_out *out = &n->out;
    bool column = c->kind == DRAM_RD || c->kind == DRAM_WR;

    out->cmd_valid = 1;
    out->cmd_kind = c->kind;
    out->cmd_rank = c->rank;
    if (c->position < 0)
        return;
    out->cmd_group = (uint64_t)(c->group % l->GROUPS);
    out->cmd_bank = (uint64_t)(c->place % l->BANKS);
    out->cmd_row = c->row;
    out->cmd_column = column ? n->queue[c->position].column : 0;
    out->cmd_id = column ? n->queue[c->position].id : 0;
}

static void show_near(struct dram_channel *n, const struct command *c) {
    const struct dram_channel_local *l = &n->l;
    struct dram_channel_out *out = &n->out;
    int r = c->rank;

    out->ndc_valid |= bit(r);
    out->ndc_kind |= (uint64_t)c->kind << 3 * r;
    out->ndc_group |= (uint64_t)(c->group % l->GROUPS) << r * l->GROUP_W;
    out->ndc_bank |= (uint64_t)(c->place % l->BANKS) << r * l->BANK_W;
    bits_or(out->ndc_row, r * l->ROW_W, l->ROW_W, c->row);
    out->ndc_column |= (uint64_t)c->column << r * l->COL_W;
    if (c->kind == DRAM_RD || c->kind == DRAM_WR)
        out->nda_taken |= bit(r);
}

/* The outputs of a host<r> and a held<r>, as they follow each other. */
struct mirrored {
    uint64_t valid, kind, group, bank, row, all, reads, writes, rows;
};

static struct mirrored *mirrored_of(struct dram_channel_out *out, int rank) {
    static const size_t at[MAX_RANKS] = {
        offsetof(struct dram_channel_out, host0_valid),
        offsetof(struct dram_channel_out, host1_valid),
        offsetof(struct dram_channel_out, host2_valid),
        offsetof(struct dram_channel_out, host3_valid)};
    return (void *)((char *)out + at[rank]);
}

/* What holds back the accelerators on this edge, to be shown after it. */
static void show_held(struct dram_channel *n) {
    for (int r = 0; r < n->l.RANKS; r++) {
        struct mirrored *m = mirrored_of(&n->out, r);
        const uint64_t *last = &n->of_place[(r + 1) * n->l.SLOTS - 1];
        m->all = n->due >> r & 1;
        m->reads = n->to_write >> r & 1;
        m->writes = is_held(n, r);
        m->rows = (uint64_t)(last[0] != 0) | (uint64_t)(last[-1] != 0) << 1;
    }
}

/* The host's command to each rank, once more. */
static void show_commands(struct dram_channel *n) {
    const struct dram_channel_out *out = &n->out;

    for (int r = 0; r < n->l.RANKS; r++) {
        struct mirrored *m = mirrored_of(&n->out, r);
        bool here = out->cmd_valid && (int)out->cmd_rank == r;
        m->valid = here;
        m->kind = here ? out->cmd_kind : 0;
        m->group = here ? out->cmd_group : 0;
        m->bank = here ? out->cmd_bank : 0;
        m->row = here ? out->cmd_row : 0;
    }
}

static uint64_t events_of(const struct dram_channel *n,
                          const struct command *c) {
    static const int counts[DRAM_KINDS] = {
        [DRAM_ACT] = DRAM_CHANNEL_CNT_rows,
        [DRAM_PRE] = DRAM_CHANNEL_CNT_conflicts,
        [DRAM_PREA] = -1,
        [DRAM_RD] = DRAM_CHANNEL_CNT_reads,
        [DRAM_WR] = DRAM_CHANNEL_CNT_writes,
        [DRAM_REF] = DRAM_CHANNEL_CNT_refreshes};
    (void)n;
    return c->valid && counts[c->kind] >= 0 ? bit(counts[c->kind]) : 0;
}

static void cover_host(struct dram_channel *n, const struct command *c) {
    if (!c->valid)
        return;
    hit_if(n, c->position > 0 && (c->kind == DRAM_RD || c->kind == DRAM_WR),
           DRAM_CHANNEL_COV_younger);
    hit_if(n, c->kind == DRAM_PRE, DRAM_CHANNEL_COV_conflict);
    hit_if(n, c->kind == DRAM_PREA, DRAM_CHANNEL_COV_refresh_open);
    hit_if(n, c->kind == DRAM_REF, DRAM_CHANNEL_COV_refresh);
}

static void cover_near(struct dram_channel *n, const struct command *c) {
    hit_if(n, c->kind == DRAM_RD || c->kind == DRAM_WR,
           DRAM_CHANNEL_COV_nda_column);
    hit_if(n, c->kind == DRAM_ACT, DRAM_CHANNEL_COV_nda_row);
    hit_if(n, c->kind == DRAM_PRE, DRAM_CHANNEL_COV_nda_closes);
}

/* --- an edge -------------------------------------------------------------- */

static void apply_host(struct dram_channel *n, const struct command *c) {
    hold_back(n, c, true);
    set_row(n, c);
    n->stale = true;
    if (c->kind != DRAM_RD && c->kind != DRAM_WR)
        return;
    hit_if(n, n->writes & ~n->lazy & bit(c->position), DRAM_CHANNEL_COV_urgent);
    if (c->position == 0)
        n->passed = 0;
    else if (n->passed < n->l.PATIENCE)
        n->passed++;
    leave(n, c->position);
}

static void apply_near(struct dram_channel *n, const struct command *c) {
    event_if(&n->base, c->kind == DRAM_RD, DRAM_CHANNEL_CNT_nda_reads);
    event_if(&n->base, c->kind == DRAM_WR, DRAM_CHANNEL_CNT_nda_writes);
    cover_near(n, c);
    show_near(n, c);
    hold_back(n, c, false);
    set_row(n, c);
}

/* Nothing comes, nothing is shown, and nothing can be decided: most edges are
 * so.  With accelerators that take the decisions again something is shown on
 * all of them. */
static bool is_still(const struct dram_channel *n,
                     const struct dram_channel_in *in, bool push) {
    if (push || n->stale || n->l.MIRRORED || n->now >= n->wake || n->due ||
        n->now == n->next_due || n->out.cmd_valid | n->out.ndc_valid ||
        drains(n) != n->draining)
        return false;
    for (int r = 0; r < n->l.RANKS; r++)
        if (next_of(in, r)->valid & 1
                ? n->now >= n->near_wake[r] || n->now >= n->ahead_wake[r]
                : n->near_wake[r] != 0)
            return false;
    return true;
}

static void pass(struct dram_channel *n) {
    n->lfsr = (uint16_t)(n->lfsr >> 1 ^ (n->lfsr & 1 ? 0xb400 : 0));
    n->now++;
    n->out.req_ready = n->n < n->l.ENTRIES;
    hit_if(n, !n->out.req_ready, DRAM_CHANNEL_COV_full);
}

static void edge(struct golden *g, const void *ports) {
    struct dram_channel *n = (struct dram_channel *)g;
    const struct dram_channel_in *in = ports;
    bool push = in->req_valid & 1 && n->out.req_ready;

    if (is_still(n, in, push)) {
        pass(n);
        return;
    }
    struct command near[MAX_RANKS], host = decide_host(n);
    bool draining = drains(n);

    if (n->l.MIRRORED)
        show_held(n);
    uint64_t go = decide_all_near(n, in, near);
    if (host.valid) {
        hit_if(n, go >> host.rank & 1, DRAM_CHANNEL_COV_nda_busy);
        go &= ~bit(host.rank);
    }
    hit_if(n, go & (go - 1), DRAM_CHANNEL_COV_nda_two);
    hit_if(n, go && host.valid, DRAM_CHANNEL_COV_beside);
    cover_host(n, &host);

    clear_commands(&n->out);
    g->events = events_of(n, &host);
    if (host.valid) {
        show_host(n, &host);
        apply_host(n, &host);
    }
    for (; go; go &= go - 1)
        apply_near(n, &near[__builtin_ctzll(go)]);
    if (n->l.MIRRORED)
        show_commands(n);
    if (push)
        enter(n, in);
    drain(n, draining);
    count_refreshes(n, &host);
    pass(n);
}

static void reset(struct golden *g) {
    struct dram_channel *n = (struct dram_channel *)g;
    int refi = g->design->config.timing_refi;

    n->now = n->wake = 0;
    memset(n->near_wake, 0, sizeof n->near_wake);
    memset(n->ahead_wake, 0, sizeof n->ahead_wake);
    n->n = n->n_lazy = n->passed = 0;
    n->draining = false;
    n->drained = 0;
    memset(n->open, 0, sizeof n->open);
    memset(n->n_open, 0, sizeof n->n_open);
    memset(n->place, 0, sizeof n->place);
    memset(n->group, 0, sizeof n->group);
    memset(n->rank, 0, sizeof n->rank);
    memset(n->host, 0, sizeof n->host);
    memset(n->opened_at, 0, sizeof n->opened_at);
    memset(n->of_rank, 0, sizeof n->of_rank);
    memset(n->of_place, 0, sizeof n->of_place);
    n->writes = n->lazy = n->waits = n->opened = n->hits = 0;
    n->due = 0;
    for (int r = 0; r < n->l.RANKS; r++)
        n->due_at[r] =
            refi ? (uint64_t)((r + 1) * refi / n->l.RANKS - 1) : never;
    n->next_due = first_due(n);
    n->lfsr = 1;
    n->stale = true;
    n->out.req_ready = 1;
}

const struct golden_class dram_channel_golden = {
    .iface = &dram_channel_iface,
    MODEL_STRUCT(struct dram_channel),
    .open = open,
    .reset = reset,
    .edge = edge,
};

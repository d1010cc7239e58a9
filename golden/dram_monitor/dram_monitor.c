/* dram_monitor.c - golden model of the monitor of a DRAM channel's commands.
 *
 * Written from docs/blocks/dram_monitor.md.  For each rule and place it keeps
 * the first edge on which the rule is kept again, and for the data bus the
 * bursts one by one.
 */
#include "dram_monitor.h"

#include "base/bits.h"
#include "blocks/dram_monitor.h"
#include "dram/check.h"
#include "frame/model.h"

#include <string.h>

enum {
    MAX_RANKS = 8,
    MAX_PLACES = 128, /* banks, or bank groups */
    MAX_WINDOW = 8,
    MAX_BURSTS = 512, /* that can be near enough to matter */
    POSTPONED = 9
};

/* The declaration has a number of its own, and one cover point of each of the
 * first rules after the other. */
_Static_assert(DRAM_CHECKS_MONITORED == 39, "'CHECKS' of dram_monitor.def");
_Static_assert(DRAM_RULE_bus == DRAM_RULES - 1, "the rule without covers");

struct command {
    enum dram_kind kind;
    bool near;
    int rank, group, bank; /* of the channel; 0 for PREA and REF */
    uint32_t row;
};

struct burst {
    uint64_t begin;
    int rank;
    bool write;
};

struct dram_monitor {
    struct golden base;
    struct dram_monitor_local l;
    struct dram_rule rules[DRAM_RULES];

    uint64_t now;   /* edges since reset, and one; so 0 is before all */
    uint64_t begin; /* edge of the first command; 0: none yet */
    uint64_t commands, broken;
    bool open[MAX_PLACES];
    uint32_t row[MAX_PLACES];
    uint64_t free[DRAM_RULES][MAX_PLACES]; /* first edge on which it is kept */
    uint64_t window[DRAM_RULES][MAX_RANKS][MAX_WINDOW]; /* latest first */
    uint64_t refreshed[MAX_RANKS];                      /* 0: never */
    struct burst burst[MAX_BURSTS];
    uint64_t n_bursts;
    struct dram_monitor_out out;
};

static void open(struct golden *g, const struct config *c) {
    struct dram_monitor *n = (struct dram_monitor *)g;

    n->l = dram_monitor_local(c);
    dram_rules(c, n->rules);
}

static void reset(struct golden *g) {
    struct dram_monitor *n = (struct dram_monitor *)g;

    n->now = n->begin = n->commands = n->broken = n->n_bursts = 0;
    memset(n->open, 0, sizeof n->open);
    memset(n->free, 0, sizeof n->free);
    memset(n->window, 0, sizeof n->window);
    memset(n->refreshed, 0, sizeof n->refreshed);
}

/* --- covers --------------------------------------------------------------- */

/* A rule's cover points stand in its order: broken, just kept. */
static void cover(struct dram_monitor *n, int check, bool broken, bool just) {
    if (check == DRAM_RULE_bus)
        return;
    int at =
        DRAM_MONITOR_COV_broken_rcd + 2 * (check - (check > DRAM_RULE_bus));
    hit_if(n, broken, at);
    hit_if(n, just, at + 1);
}

/* --- rules of the table --------------------------------------------------- */

/* Where the rule keeps its time for that command, or -1: nowhere. */
static int place_of(const struct dram_rule *r, const struct command *c) {
    switch (r->scope) {
    case DRAM_BANK:
        return c->bank;
    case DRAM_GROUP:
        return c->group;
    case DRAM_RANK:
        return c->rank;
    case DRAM_OTHER_RANK:
        return c->near ? -1 : c->rank;
    case DRAM_CHANNEL:
        return c->near ? -1 : 0;
    case DRAM_SCOPES:
        break;
    }
    return -1;
}

static bool too_soon(struct dram_monitor *n, int rule,
                     const struct command *c) {
    const struct dram_rule *r = &n->rules[rule];
    int at = place_of(r, c);
    bool broken = false, just = false;

    if (at < 0 || !(r->to >> c->kind & 1) || r->cycles < 1)
        return false;
    if (r->count > 1) {
        uint64_t then = n->window[rule][at][r->count - 1];
        broken = then && n->now < then + (uint64_t)r->cycles;
        just = then && n->now == then + (uint64_t)r->cycles;
    } else if (r->scope == DRAM_OTHER_RANK) {
        for (int other = 0; other < n->l.RANKS; other++)
            if (other != at) {
                broken |= n->now < n->free[rule][other];
                just |= n->now == n->free[rule][other];
            }
    } else {
        broken = n->now < n->free[rule][at];
        just = n->now == n->free[rule][at];
    }
    cover(n, rule, broken, just);
    return broken;
}

static void hold_back(struct dram_monitor *n, int rule,
                      const struct command *c) {
    const struct dram_rule *r = &n->rules[rule];
    int at = place_of(r, c);

    if (at < 0 || !(r->from >> c->kind & 1) || r->cycles < 1)
        return;
    if (r->count > 1) {
        uint64_t *w = n->window[rule][at];
        memmove(w + 1, w, (MAX_WINDOW - 1) * sizeof *w);
        w[0] = n->now;
    } else {
        n->free[rule][at] = n->now + (uint64_t)r->cycles;
    }
}

/* --- rows, data, refreshes ------------------------------------------------ */

static bool is_column(enum dram_kind k) {
    return dram_is_read(k) || dram_is_write(k);
}

static bool any_open(const struct dram_monitor *n, int rank) {
    bool any = false;
    for (int b = 0; b < n->l.SLOTS; b++)
        any |= n->open[rank * n->l.SLOTS + b];
    return any;
}

static uint64_t rows(struct dram_monitor *n, const struct command *c) {
    bool here = n->open[c->bank];
    uint64_t broken = 0;

    if (c->kind == DRAM_ACT && here)
        broken |= bit(DRAM_CHECK_open);
    if (c->kind == DRAM_REF && any_open(n, c->rank))
        broken |= bit(DRAM_CHECK_open);
    if (is_column(c->kind) && !here)
        broken |= bit(DRAM_CHECK_closed);
    if (is_column(c->kind) && here && n->row[c->bank] != c->row)
        broken |= bit(DRAM_CHECK_row);
    hit_if(n, broken >> DRAM_CHECK_open & 1, DRAM_MONITOR_COV_broken_open);
    hit_if(n, broken >> DRAM_CHECK_closed & 1, DRAM_MONITOR_COV_broken_closed);
    hit_if(n, broken >> DRAM_CHECK_row & 1, DRAM_MONITOR_COV_broken_row);

    if (c->kind == DRAM_ACT) {
        n->open[c->bank] = true;
        n->row[c->bank] = c->row;
    } else if (c->kind == DRAM_PRE || dram_closes(c->kind)) {
        n->open[c->bank] = false;
    } else if (c->kind == DRAM_PREA) {
        memset(&n->open[c->rank * n->l.SLOTS], 0,
               (size_t)n->l.SLOTS * sizeof *n->open);
    }
    return broken;
}

/* Idle edges beyond those that the two need, the older command's first where
 * both begin together. */
static int64_t spare(const struct dram_monitor *n, const struct burst *old,
                     const struct burst *new) {
    bool in_order = new->begin >= old->begin;
    const struct burst *a = in_order ? old : new;
    const struct burst *b = in_order ? new : old;
    int need = a->rank != b->rank      ? n->l.RTRS
               : !a->write && b->write ? n->l.TURN
                                       : 0;
    return (int64_t)(b->begin - a->begin) - n->l.BL - need;
}

static uint64_t data(struct dram_monitor *n, const struct command *c) {
    bool write = dram_is_write(c->kind), broken = false, just = false;
    struct burst new = {n->now + (uint64_t)(write ? n->l.CWL : n->l.CL),
                        c->rank, write};

    if (c->near || !is_column(c->kind))
        return 0;
    for (uint64_t i = 0; i < n->n_bursts && i < MAX_BURSTS; i++) {
        int64_t more = spare(n, &n->burst[i], &new);
        broken |= more < 0;
        just |= more == 0;
    }
    n->burst[n->n_bursts++ % MAX_BURSTS] = new;
    cover(n, DRAM_CHECK_data, broken, just && !broken);
    return broken ? bit(DRAM_CHECK_data) : 0;
}

/* The last edge on which a refresh of the rank is in time. */
static uint64_t last_edge(const struct dram_monitor *n, int rank) {
    uint64_t since = n->refreshed[rank] ? n->refreshed[rank] : n->begin;
    return since + POSTPONED * (uint64_t)n->l.REFI;
}

static uint64_t refresh(struct dram_monitor *n, const struct command *c) {
    if (c->kind != DRAM_REF)
        return 0;
    uint64_t last = last_edge(n, c->rank);
    bool asked = n->l.REFI > 0;

    n->refreshed[c->rank] = n->now;
    hit_if(n, asked && n->now > last, DRAM_MONITOR_COV_broken_refresh);
    hit_if(n, asked && n->now == last, DRAM_MONITOR_COV_kept_refresh);
    return asked && n->now > last ? bit(DRAM_CHECK_refresh) : 0;
}

/* --- an edge -------------------------------------------------------------- */

/* What it breaks; it counts from now on. */
static uint64_t take(struct dram_monitor *n, const struct command *c) {
    uint64_t broken = 0;

    if (!n->begin)
        n->begin = n->now;
    for (int i = 0; i < DRAM_RULES; i++)
        if (too_soon(n, i, c))
            broken |= bit(i);
    for (int i = 0; i < DRAM_RULES; i++)
        hold_back(n, i, c);
    broken |= rows(n, c) | data(n, c) | refresh(n, c);
    n->commands++;
    n->broken += broken != 0;
    return broken;
}

/* The command of a place in a port of all ranks; ports of what there is one
 * of are not looked at. */
static struct command command_of(const struct dram_monitor *n, bool near,
                                 uint64_t kind, uint64_t rank, uint64_t group,
                                 uint64_t bank, uint64_t row) {
    struct command c = {.kind = (enum dram_kind)(kind & 7),
                        .near = near,
                        .rank = (int)(rank & ones(n->l.RA_W)),
                        .row = (uint32_t)(row & ones(n->l.ROW_W))};
    bool whole = dram_kind_of_rank(c.kind);

    c.group = c.rank * n->l.GROUPS;
    c.group += whole ? 0 : (int)(group & ones(n->l.BG_W));
    c.bank = c.group * n->l.BANKS;
    c.bank += whole ? 0 : (int)(bank & ones(n->l.BA_W));
    return c;
}

/* Show a command that broke these. */
static void show(struct dram_monitor *n, int who, const struct command *c,
                 uint64_t broken) {
    struct dram_monitor_out *o = &n->out;
    int rule = 0;

    hit_if(n, o->broken_valid, DRAM_MONITOR_COV_several_commands);
    o->broken_rules |= broken;
    o->broken_commands |= bit(who);
    if (o->broken_valid)
        return;
    while (!(broken >> rule & 1))
        rule++;
    o->broken_valid = 1;
    o->broken_rule = (uint64_t)rule;
    o->broken_near = c->near;
    o->broken_kind = c->kind;
    o->broken_rank = (uint64_t)c->rank;
    o->broken_group = (uint64_t)(c->group % n->l.GROUPS);
    o->broken_bank = (uint64_t)(c->bank % n->l.BANKS);
}

static void show_first(struct dram_monitor_out *o, uint64_t edge) {
    o->first_valid = 1;
    o->first_rule = o->broken_rule;
    o->first_near = o->broken_near;
    o->first_kind = o->broken_kind;
    o->first_rank = o->broken_rank;
    o->first_group = o->broken_group;
    o->first_bank = o->broken_bank;
    o->first_edge = edge;
}

static uint64_t up_to(uint64_t n, int width) {
    return n < ones(width) ? n : ones(width);
}

static void show_counts(struct dram_monitor *n) {
    struct dram_monitor_out *o = &n->out;

    o->total_commands = up_to(n->commands, n->l.COUNT_W);
    o->total_broken = up_to(n->broken, n->l.COUNT_W);
    o->late_ranks = 0;
    for (int r = 0; r < n->l.RANKS; r++)
        if (n->l.REFI && n->begin && n->now + 1 > last_edge(n, r))
            o->late_ranks |= bit(r);
    hit_if(n, o->late_ranks, DRAM_MONITOR_COV_late);
}

/* Keep what stays of the edge before. */
static void forget(struct dram_monitor_out *o) {
    struct dram_monitor_out was = *o;

    *o = (struct dram_monitor_out){.first_valid = was.first_valid,
                                   .first_rule = was.first_rule,
                                   .first_near = was.first_near,
                                   .first_kind = was.first_kind,
                                   .first_rank = was.first_rank,
                                   .first_group = was.first_group,
                                   .first_bank = was.first_bank,
                                   .first_edge = was.first_edge};
}

static void edge(struct golden *g, const void *ports) {
    struct dram_monitor *n = (struct dram_monitor *)g;
    const struct dram_monitor_in *in = ports;
    bool host = in->cmd_valid & 1, near_elsewhere = false;
    int host_rank = (int)(in->cmd_rank & ones(n->l.RA_W));

    n->now++;
    forget(&n->out);
    if (host) {
        struct command c = command_of(n, false, in->cmd_kind, in->cmd_rank,
                                      in->cmd_group, in->cmd_bank, in->cmd_row);
        uint64_t broken = take(n, &c);
        hit_if(n, broken & (broken - 1), DRAM_MONITOR_COV_several_rules);
        if (broken)
            show(n, 0, &c, broken);
    }
    for (int r = 0; r < n->l.RANKS; r++) {
        if (!(in->ndc_valid >> r & 1))
            continue;
        near_elsewhere |= r != host_rank;
        struct command c = command_of(
            n, true, in->ndc_kind >> 3 * r, (uint64_t)r,
            in->ndc_group >> r * n->l.GROUP_W, in->ndc_bank >> r * n->l.BANK_W,
            bits_get(in->ndc_row, r * n->l.ROW_W, n->l.ROW_W));
        uint64_t broken = take(n, &c);
        if (broken)
            show(n, r + 1, &c, broken);
        hit_if(n, host && r == host_rank, DRAM_MONITOR_COV_behind_host);
    }
    hit_if(n, host && near_elsewhere && !n->out.broken_valid,
           DRAM_MONITOR_COV_beside_host);
    if (n->out.broken_valid && !n->out.first_valid)
        show_first(&n->out, up_to(n->now - 1, n->l.TIME_W));
    show_counts(n);
}

const struct golden_class dram_monitor_golden = {
    .iface = &dram_monitor_iface,
    MODEL_STRUCT(struct dram_monitor),
    .open = open,
    .reset = reset,
    .edge = edge,
};

/* stim.c - stimulus of the monitor of a DRAM channel's commands: streams of
 * commands, legal ones and others.
 *
 * What is on the wires goes to the checker of dram/check.c, too, which knows
 * the rules and nothing of the monitor: what it says of the commands of an edge
 * is what the monitor must tell after it, rule by rule.
 *
 * random    pairs of commands that a rule holds apart, as near as it allows and
 *           an edge nearer; walks of legal commands, each as early as all rules
 *           allow, some an edge before; storms of any commands on all wires;
 *           rests; resets
 * directed  each rule with each pair of commands that it names, an edge too
 *           early and just in time, each after a reset; wrong rows; a refresh
 *           too late and just in time
 * channel   what dram_channel sends for its own environment, some of its rows
 *           closing themselves: nothing may be told of it; then some commands
 * an edge before all rules allow them, of each of which it must be
 */
#include "stim.h"

#include "channel.h"

#include "base/bits.h"
#include "blocks/dram_monitor.h"
#include "dram/check.h"
#include "kit/rows.h"

#include <inttypes.h>
#include <string.h>

enum {
    MAX_RANKS = 8,
    MAX_PLACES = 128, /* banks, or bank groups */
    MAX_ACTS = 8,
    MAX_STEPS = 64,
    REMEMBERED = 16, /* bursts that the checker compares with */
    POSTPONED = 9,
    HONEST = 3000,   /* channel: edges after a reset without a hasty command */
    CLOSING = 1500,  /* and of turns in which rows close themselves, or not */
    SCHEDULE = 30000 /* and until the next reset, about */
};

static const int64_t never = INT64_MIN / 4;

/* A command, so many edges after the one before it. */
struct step {
    int64_t wait;
    struct dram_command c;
};

/* When the last command of each kind was, at a place. */
struct times {
    int64_t of[DRAM_KINDS];
};

struct dram_monitor_stim {
    struct stim base;
    struct dram_monitor_local size;
    const struct config *config;
    struct dram_rule rules[DRAM_RULES];

    /* the judge */
    struct dram_checker *checker;
    uint64_t broken;            /* of the command at hand */
    struct dram_monitor_out is; /* what the monitor must show */
    uint64_t commands, bad;
    int64_t begun, refreshed[MAX_RANKS]; /* edges; never: not yet */

    /* what there was, to know what is legal */
    struct times bank[MAX_PLACES], group[MAX_PLACES];
    struct times rank[MAX_RANKS], host[MAX_RANKS];
    int64_t acts[MAX_RANKS][MAX_ACTS]; /* the latest first */
    bool open[MAX_PLACES];
    int row[MAX_PLACES];
    int64_t
        bursts[REMEMBERED]; /* edges of the host's column commands, in turn */
    uint64_t n_bursts;

    /* what comes */
    struct rows used;
    struct step step[MAX_STEPS];
    int n, at;
    int64_t left;      /* edges until step[at], or of rest */
    uint64_t sent;     /* of directed: scripts begun */
    int64_t next_long; /* random: when a refresh is waited for */
    uint64_t longs;

    /* of channel */
    struct schedule *schedule;
    const char *wrong;    /* its environment's complaint */
    bool hasty, tempered; /* a hasty command: on this edge, since the reset */
    uint64_t scheduled, closes, hurried;
};

/* --- the judge ------------------------------------------------------------ */

/* The monitor does not count the refreshes that are owed. */
static void told(void *ctx, const struct dram_violation *v) {
    if (v->check < DRAM_CHECKS_MONITORED)
        ((struct dram_monitor_stim *)ctx)->broken |= bit(v->check);
}

static int group_of(const struct dram_monitor_stim *s,
                    const struct dram_command *c) {
    return c->rank * s->size.GROUPS + c->group;
}

static int bank_of(const struct dram_monitor_stim *s,
                   const struct dram_command *c) {
    return group_of(s, c) * s->size.BANKS + c->bank;
}

static bool is_column(enum dram_kind k) {
    return dram_is_read(k) || dram_is_write(k);
}

/* Times and rows, to know what is legal next. */
static void remember(struct dram_monitor_stim *s,
                     const struct dram_command *c) {
    int bank = bank_of(s, c);
    if (!dram_kind_of_rank(c->kind)) {
        s->bank[bank].of[c->kind] = c->cycle;
        s->group[group_of(s, c)].of[c->kind] = c->cycle;
    }
    s->rank[c->rank].of[c->kind] = c->cycle;
    if (!c->nda)
        s->host[c->rank].of[c->kind] = c->cycle;
    if (c->kind == DRAM_ACT) {
        int64_t *acts = s->acts[c->rank];
        memmove(acts + 1, acts, (MAX_ACTS - 1) * sizeof *acts);
        acts[0] = c->cycle;
        s->open[bank] = true;
        s->row[bank] = c->row;
    } else if (c->kind == DRAM_PRE || dram_closes(c->kind)) {
        s->open[bank] = false;
    } else if (c->kind == DRAM_PREA) {
        for (int i = 0; i < s->size.SLOTS; i++)
            s->open[c->rank * s->size.SLOTS + i] = false;
    } else if (c->kind == DRAM_REF) {
        s->refreshed[c->rank] = c->cycle;
    }
    if (s->begun == never)
        s->begun = c->cycle;
}

/* A command on the wires, who 0: the host's, to the checker; what it says
 * becomes what must be told. */
static void judge(struct dram_monitor_stim *s, int who,
                  const struct dram_command *c) {
    struct dram_monitor_out *is = &s->is;
    int rule = 0;
    s->broken = 0;
    dram_checker_take(s->checker, c);
    remember(s, c);
    s->commands++;
    if (!s->broken)
        return;
    s->bad++;
    is->broken_rules |= s->broken;
    is->broken_commands |= bit(who);
    if (is->broken_valid)
        return;
    while (!(s->broken >> rule & 1))
        rule++;
    is->broken_valid = 1;
    is->broken_rule = (uint64_t)rule;
    is->broken_near = c->nda;
    is->broken_kind = c->kind;
    is->broken_rank = (uint64_t)c->rank;
    is->broken_group = (uint64_t)c->group;
    is->broken_bank = (uint64_t)c->bank;
    if (is->first_valid)
        return;
    is->first_valid = 1;
    is->first_rule = is->broken_rule;
    is->first_near = is->broken_near;
    is->first_kind = is->broken_kind;
    is->first_rank = is->broken_rank;
    is->first_group = is->broken_group;
    is->first_bank = is->broken_bank;
    is->first_edge = (uint64_t)c->cycle;
    if (is->first_edge > ones(s->size.TIME_W))
        is->first_edge = ones(s->size.TIME_W);
}

/* A command as it stands on wires; a part with one rank, group or bank has no
 * wire for it. */
static struct dram_command seen(const struct dram_monitor_stim *s, bool near,
                                uint64_t kind, uint64_t rank, uint64_t group,
                                uint64_t bank, uint64_t row) {
    const struct dram_monitor_local *l = &s->size;
    struct dram_command c = {.cycle = (int64_t)s->base.age - 1,
                             .kind = (enum dram_kind)(kind & 7),
                             .nda = near,
                             .rank = (int)(rank & ones(l->RA_W)),
                             .row = (int)(row & ones(l->ROW_W)),
                             .column = -1};
    if (!dram_kind_of_rank(c.kind)) {
        c.group = (int)(group & ones(l->BG_W));
        c.bank = (int)(bank & ones(l->BA_W));
    }
    return c;
}

static uint64_t up_to(uint64_t n, int width) {
    return n < ones(width) ? n : ones(width);
}

static void judge_edge(struct dram_monitor_stim *s,
                       const struct dram_monitor_in *in) {
    const struct dram_monitor_local *l = &s->size;
    struct dram_monitor_out *is = &s->is;
    is->broken_valid = is->broken_rules = is->broken_commands = 0;
    is->broken_rule = is->broken_near = is->broken_kind = 0;
    is->broken_rank = is->broken_group = is->broken_bank = 0;
    if (in->cmd_valid & 1) {
        struct dram_command c = seen(s, false, in->cmd_kind, in->cmd_rank,
                                     in->cmd_group, in->cmd_bank, in->cmd_row);
        judge(s, 0, &c);
        if (is_column(c.kind))
            s->bursts[s->n_bursts++ % REMEMBERED] = c.cycle;
    }
    for (int r = 0; r < l->RANKS; r++)
        if (in->ndc_valid >> r & 1) {
            struct dram_command c = seen(
                s, true, in->ndc_kind >> 3 * r, (uint64_t)r,
                in->ndc_group >> r * l->GROUP_W, in->ndc_bank >> r * l->BANK_W,
                bits_get(in->ndc_row, r * l->ROW_W, l->ROW_W));
            judge(s, r + 1, &c);
        }
    is->total_commands = up_to(s->commands, l->COUNT_W);
    is->total_broken = up_to(s->bad, l->COUNT_W);
    is->late_ranks = 0;
    for (int r = 0; r < l->RANKS && l->REFI && s->begun != never; r++) {
        int64_t from = s->refreshed[r] == never ? s->begun : s->refreshed[r];
        if ((int64_t)s->base.age - from > POSTPONED * (int64_t)l->REFI)
            is->late_ranks |= bit(r);
    }
}

/* --- what is legal -------------------------------------------------------- */

static int64_t latest(const struct times *t, unsigned set) {
    int64_t found = never;
    for (int kind = 0; kind < DRAM_KINDS; kind++)
        if (set >> kind & 1 && t->of[kind] > found)
            found = t->of[kind];
    return found;
}

/* The last command that the rule counts from. */
static int64_t counts_from(const struct dram_monitor_stim *s,
                           const struct dram_rule *r,
                           const struct dram_command *c) {
    int64_t found = never;
    switch (r->scope) {
    case DRAM_BANK:
        return latest(&s->bank[bank_of(s, c)], r->from);
    case DRAM_GROUP:
        return latest(&s->group[group_of(s, c)], r->from);
    case DRAM_RANK:
        if (r->count > 1)
            return s->acts[c->rank][r->count - 1];
        return latest(&s->rank[c->rank], r->from);
    case DRAM_OTHER_RANK:
    case DRAM_CHANNEL:
        for (int rank = 0; rank < s->size.RANKS && !c->nda; rank++)
            if (r->scope == DRAM_CHANNEL || rank != c->rank) {
                int64_t one = latest(&s->host[rank], r->from);
                found = one > found ? one : found;
            }
        return found;
    case DRAM_SCOPES:
        break;
    }
    return never;
}

/* The first edge from this one on, on which all rules of the table are kept. */
static int64_t ready(const struct dram_monitor_stim *s,
                     const struct dram_command *c) {
    int64_t edge = (int64_t)s->base.age;
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &s->rules[i];
        int64_t from = r->to >> c->kind & 1 ? counts_from(s, r, c) : never;
        if (from != never && from + r->cycles > edge)
            edge = from + r->cycles;
    }
    return edge;
}

static bool all_closed(const struct dram_monitor_stim *s, int rank) {
    bool any = false;
    for (int i = 0; i < s->size.SLOTS; i++)
        any |= s->open[rank * s->size.SLOTS + i];
    return !any;
}

/* --- scripts -------------------------------------------------------------- */

static int below(struct dram_monitor_stim *s, int n) {
    return (int)rng_below(&s->base.rng, (uint32_t)n);
}

static void any_place(struct dram_monitor_stim *s, struct dram_command *c) {
    c->rank = below(s, s->size.RANKS);
    c->group = below(s, s->size.GROUPS);
    c->bank = below(s, s->size.BANKS);
    c->row = (int)rows_at(&s->used, below(s, 3));
    c->column = -1;
}

static struct dram_command any_command(struct dram_monitor_stim *s) {
    struct dram_command c = {.kind = (enum dram_kind)below(s, DRAM_KINDS),
                             .nda = below(s, 2)};
    any_place(s, &c);
    return c;
}

static void add(struct dram_monitor_stim *s, int64_t wait,
                const struct dram_command *c) {
    if (s->n == 0)
        s->left = wait;
    s->step[s->n++] = (struct step){wait, *c};
}

/* One of the kinds of a set. */
static enum dram_kind one_of(struct dram_monitor_stim *s, unsigned set) {
    int kind;
    do
        kind = below(s, DRAM_KINDS);
    while (!(set >> kind & 1));
    return (enum dram_kind)kind;
}

/* Two commands that a rule names, so many edges apart; false: there are no
 * wires for that.  nears: bit 0, the first is an accelerator's; bit 1, the
 * second. */
static bool pair(struct dram_monitor_stim *s, int rule, enum dram_kind from,
                 enum dram_kind to, int64_t apart, int nears) {
    const struct dram_rule *r = &s->rules[rule];
    struct dram_command a = {.kind = from, .nda = nears & 1}, b;
    bool wires = r->scope == DRAM_OTHER_RANK;
    any_place(s, &a);
    b = a;
    b.kind = to;
    b.nda = nears >> 1;
    if (wires && s->size.RANKS == 1)
        return false;
    if (wires)
        b.rank = (a.rank + 1 + below(s, s->size.RANKS - 1)) % s->size.RANKS;
    if (r->scope == DRAM_GROUP || r->scope == DRAM_RANK)
        b.bank = below(s, s->size.BANKS);
    if (r->scope == DRAM_RANK)
        b.group = below(s, s->size.GROUPS);
    if (wires)
        a.nda = b.nda = false;
    else if (apart == 0)
        a.nda = !(b.nda = true);
    if (r->scope == DRAM_CHANNEL || apart < (wires || r->count > 1))
        return false;
    /* all but the last of a window crowd behind the first */
    for (int i = 1; i < r->count; i++) {
        struct dram_command more = a;
        more.group = below(s, s->size.GROUPS);
        more.bank = below(s, s->size.BANKS);
        add(s, i == 1 ? 0 : 1, &more);
        apart -= i > 1;
    }
    add(s, r->count > 1, &a);
    apart -= r->count > 1;
    if (apart < 0) /* no room for so many */
        apart = 0;
    if (apart == 0 && r->count > 1)
        b.nda = !a.nda;
    add(s, apart, &b);
    return true;
}

static void script_pair(struct dram_monitor_stim *s) {
    int rule = below(s, DRAM_RULES);
    const struct dram_rule *r = &s->rules[rule];
    int64_t apart = r->cycles - below(s, 2);
    if (below(s, 8) == 0)
        apart = below(s, 1 + (r->cycles > 0 ? r->cycles : 0) + 3);
    pair(s, rule, one_of(s, r->from), one_of(s, r->to), apart, below(s, 4));
}

/* A command that fits the rows as they are. */
static struct dram_command fitting(struct dram_monitor_stim *s) {
    static const enum dram_kind of_open[] = {
        DRAM_RD, DRAM_RD,  DRAM_RD,  DRAM_WR,  DRAM_WR,
        DRAM_WR, DRAM_RDA, DRAM_WRA, DRAM_PRE, DRAM_PREA};
    struct dram_command c = any_command(s);
    int bank = bank_of(s, &c);
    c.kind = s->open[bank] ? of_open[below(s, 10)] : DRAM_ACT;
    if (is_column(c.kind))
        c.row = s->row[bank];
    if (all_closed(s, c.rank) && below(s, 20) == 0)
        c.kind = DRAM_REF;
    return c;
}

/* The next legal command, as early as may be, and what fits beside it; at times
 * an edge too early, or of any kind or row. */
static void script_walk(struct dram_monitor_stim *s) {
    int64_t now = (int64_t)s->base.age;
    struct dram_command c = fitting(s);
    int64_t edge = ready(s, &c);
    /* of two, the one that comes first */
    struct dram_command d = fitting(s);
    int64_t other = ready(s, &d);
    if (other < edge) {
        c = d;
        edge = other;
    }
    if (below(s, 30) == 0 && edge > now)
        edge--;
    if (below(s, 100) == 0)
        c.row ^= 1 << below(s, s->size.ROW_W);
    if (below(s, 200) == 0)
        c.kind = (enum dram_kind)below(s, DRAM_KINDS);
    add(s, edge - now, &c);
    for (int i = 0; i < 3; i++) {
        d = fitting(s);
        d.nda = true;
        if (d.rank != c.rank && ready(s, &d) <= edge)
            add(s, 0, &d);
    }
}

static void script_storm(struct dram_monitor_stim *s) {
    int n = 1 + below(s, MAX_STEPS - 1), rate = 1 + below(s, 6);
    for (int i = 0; i < n; i++) {
        struct dram_command c = any_command(s);
        add(s, below(s, rate), &c);
    }
}

/* A rank's refresh, and the next so many edges after it. */
static void script_refresh(struct dram_monitor_stim *s, int64_t apart) {
    struct dram_command c = {.kind = DRAM_REF, .nda = below(s, 2)};
    any_place(s, &c);
    add(s, 0, &c);
    add(s, apart, &c);
}

static void step_random(struct stim *base) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    int64_t intervals = POSTPONED * (int64_t)s->size.REFI;
    int what = below(s, 100);
    if (s->left > 0 || s->at < s->n || base->rst_left > 0)
        return;
    s->n = s->at = 0;
    if (intervals && (int64_t)base->now >= s->next_long) {
        script_refresh(s, intervals + (int64_t)(s->longs++ & 1));
        s->next_long = (int64_t)base->now + 2 * intervals + below(s, 2000);
    } else if (what < 40) {
        script_pair(s);
    } else if (what < 90) {
        script_walk(s);
    } else if (what < 94) {
        script_storm(s);
    } else if (what < 98) {
        s->left = below(s, what == 97 ? 600 : 30);
    } else {
        stim_reset(base, 1 + below(s, 3));
    }
}

/* What stands behind the pairs of the rules. */
static bool script_special(struct dram_monitor_stim *s, int n) {
    struct dram_command a = {.kind = DRAM_ACT, .column = -1}, b = a;
    int64_t intervals = POSTPONED * (int64_t)s->size.REFI;
    switch (n) {
    case 0: /* over an open row */
    case 1: /* a refresh over it */
    case 2: /* another row than that */
        b.kind = n == 0 ? DRAM_ACT : n == 1 ? DRAM_REF : DRAM_WR;
        b.row = 1 << below(s, s->size.ROW_W);
        b.nda = n == 0;
        add(s, 0, &a);
        add(s, 300, &b);
        return true;
    case 3: /* no row */
        b.kind = DRAM_RDA;
        add(s, 0, &b);
        return true;
    case 4: /* two ranks on one edge, right, and then wrong */
        b.nda = true;
        b.rank = s->size.RANKS - 1;
        add(s, 0, &a);
        add(s, 0, &b);
        add(s, 1, &a);
        add(s, 0, &b);
        return true;
    case 5:
    case 6: /* the first refresh, in time and not */
        if (intervals) {
            b.kind = DRAM_REF;
            add(s, 0, &a);
            a.kind = DRAM_PRE;
            add(s, 100, &a);
            add(s, intervals - 100 + (n == 6), &b);
        }
        return true;
    case 7:
    case 8: /* and the next one */
        if (intervals)
            script_refresh(s, intervals + (n == 8));
        return true;
    default:
        return false;
    }
}

static void step_directed(struct stim *base) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    uint64_t pairs = (uint64_t)DRAM_RULES * DRAM_KINDS * DRAM_KINDS * 2;
    if (s->left > 0 || s->at < s->n || base->rst_left > 0)
        return;
    if (base->age > 0) {
        stim_reset(base, 1);
        return;
    }
    s->n = s->at = 0;
    while (s->n == 0) {
        uint64_t n = s->sent++;
        if (n >= pairs) {
            if (!script_special(s, (int)(n - pairs)))
                s->sent = 0;
            continue;
        }
        int early = (int)(n & 1), to = (int)(n / 2 % DRAM_KINDS);
        int from = (int)(n / 2 / DRAM_KINDS % DRAM_KINDS);
        int rule = (int)(n / 2 / DRAM_KINDS / DRAM_KINDS);
        const struct dram_rule *r = &s->rules[rule];
        if (r->from >> from & 1 && r->to >> to & 1)
            pair(s, rule, (enum dram_kind)from, (enum dram_kind)to,
                 r->cycles - early, below(s, 4));
    }
}

/* --- what a scheduler sends ----------------------------------------------- */

/* A column command whose row is closed next may close it by itself. */
static void close_itself(struct dram_monitor_stim *s, struct dram_command *c) {
    if (s->base.age / CLOSING % 2 == 0 || !schedule_take_close(s->schedule, c))
        return;
    c->kind = c->kind == DRAM_RD ? DRAM_RDA : DRAM_WRA;
    s->closes++;
}

/* It may do so on this edge. */
static bool may_close(const struct dram_monitor_stim *s,
                      const struct dram_command *c) {
    struct dram_command closing = *c;
    closing.kind = c->kind == DRAM_RD ? DRAM_RDA : DRAM_WRA;
    return is_column(c->kind) && ready(s, &closing) <= (int64_t)s->base.age;
}

static bool beside(const struct scheduled *edge, const struct dram_command *c) {
    for (int i = 0; i < edge->n; i++)
        if (edge->c[i].nda == c->nda && (!c->nda || edge->c[i].rank == c->rank))
            return false;
    return true;
}

/* A command of the next edge that some rule holds back from this one. */
static void hurry(struct dram_monitor_stim *s, const struct scheduled *now) {
    const struct scheduled *next = schedule_ahead(s->schedule);
    for (int i = 0; i < next->n; i++) {
        struct dram_command c = next->c[i];
        if (!beside(now, &c) || ready(s, &c) <= (int64_t)s->base.age ||
            below(s, 8) != 0)
            continue;
        schedule_take(s->schedule, i);
        if (is_column(c.kind))
            close_itself(s, &c);
        add(s, 0, &c);
        s->hasty = s->tempered = true;
        s->hurried++;
        return;
    }
}

static void step_channel(struct stim *base) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    struct scheduled now;
    if (base->rst_left > 0)
        return;
    if (base->age > HONEST && below(s, SCHEDULE) == 0) {
        stim_reset(base, 1 + below(s, 3));
        return;
    }
    s->n = s->at = 0;
    s->left = 0;
    s->hasty = false;
    s->wrong = schedule_next(s->schedule, &now);
    for (int i = 0; i < now.n; i++) {
        if (may_close(s, &now.c[i]))
            close_itself(s, &now.c[i]);
        add(s, 0, &now.c[i]);
    }
    s->scheduled += (uint64_t)now.n;
    if (base->age > HONEST)
        hurry(s, &now);
}

/* The rows that the channel knows of are those of the memory. */
static void restart_channel(struct stim *base) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    schedule_close(s->schedule);
    s->schedule = schedule_open(s->config, rng_next(&base->rng), base->diag);
    s->hasty = s->tempered = false;
}

static bool open_channel(struct stim *base) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    s->schedule = schedule_open(s->config, 1, base->diag);
    return s->schedule != NULL;
}

/* What the checker says of the channel's commands is no news. */
static const char *watch_channel(struct dram_monitor_stim *s) {
    if (s->wrong)
        return stim_complain(&s->base, "the channel: %s", s->wrong);
    if (s->is.broken_valid && !s->tempered)
        return stim_complain(&s->base, "a command of the channel breaks '%s'",
                             dram_check_name((int)s->is.broken_rule));
    if (s->hasty && !s->is.broken_valid)
        return stim_complain(&s->base, "a hasty command breaks no rule");
    return NULL;
}

static void report_channel(struct stim *base, struct text *t) {
    const struct dram_monitor_stim *s = (const struct dram_monitor_stim *)base;
    text_printf(t, "commands of the channel\t%" PRIu64 "\n", s->scheduled);
    text_printf(t, "of these closed their row\t%" PRIu64 "\n", s->closes);
    text_printf(t, "an edge before all rules allow them\t%" PRIu64 "\n",
                s->hurried);
}

/* --- wires ---------------------------------------------------------------- */

/* Whether the checker, which remembers so many bursts, could forget one that is
 * near enough to matter. */
static bool too_dense(const struct dram_monitor_stim *s,
                      const struct dram_command *c) {
    const struct dram_monitor_local *l = &s->size;
    int apart = l->CL > l->CWL ? l->CL - l->CWL : l->CWL - l->CL;
    int gap = l->RTRS > l->TURN ? l->RTRS : l->TURN;
    int64_t oldest = s->bursts[s->n_bursts % REMEMBERED];
    return !c->nda && is_column(c->kind) && oldest != never &&
           (int64_t)s->base.age - oldest < l->BL + gap + apart;
}

/* Anything on wires that must not be looked at. */
static uint64_t noise(struct dram_monitor_stim *s, int width) {
    return rng_next(&s->base.rng) & ones(width);
}

static void put(struct dram_monitor_stim *s, struct dram_monitor_in *in,
                const struct dram_command *c) {
    const struct dram_monitor_local *l = &s->size;
    bool whole = dram_kind_of_rank(c->kind);
    bool has_row = c->kind == DRAM_ACT || is_column(c->kind);
    uint64_t group =
        whole || !l->BG_W ? noise(s, l->GROUP_W) : (uint64_t)c->group;
    uint64_t bank = whole || !l->BA_W ? noise(s, l->BANK_W) : (uint64_t)c->bank;
    uint64_t row = has_row ? (uint64_t)c->row : noise(s, l->ROW_W);
    if (c->nda) {
        in->ndc_valid |= bit(c->rank);
        in->ndc_kind |= (uint64_t)c->kind << 3 * c->rank;
        in->ndc_group |= group << c->rank * l->GROUP_W;
        in->ndc_bank |= bank << c->rank * l->BANK_W;
        bits_or(in->ndc_row, c->rank * l->ROW_W, l->ROW_W, row);
    } else {
        in->cmd_valid = 1;
        in->cmd_kind = c->kind;
        in->cmd_rank = l->RA_W ? (uint64_t)c->rank : noise(s, l->RANK_W);
        in->cmd_group = group;
        in->cmd_bank = bank;
        in->cmd_row = row;
    }
}

static bool taken(const struct dram_monitor_in *in,
                  const struct dram_command *c) {
    return c->nda ? in->ndc_valid >> c->rank & 1 : in->cmd_valid;
}

static void drive(struct stim *base, void *ports) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    struct dram_monitor_in *in = ports;
    const struct dram_monitor_local *l = &s->size;
    *in = (struct dram_monitor_in){0};
    if (base->rst_left > 0) { /* commands that must not count */
        struct dram_command c = any_command(s);
        put(s, in, &c);
        return;
    }
    while (s->at < s->n && s->left == 0) {
        const struct dram_command *c = &s->step[s->at].c;
        if (taken(in, c)) { /* on the next edge, then */
            s->left = 1;
            break;
        }
        if (!too_dense(s, c))
            put(s, in, c);
        if (++s->at < s->n)
            s->left = s->step[s->at].wait;
    }
    s->left -= s->left > 0;
    if (!in->cmd_valid) {
        in->cmd_kind = noise(s, 3);
        in->cmd_rank = noise(s, l->RANK_W);
        in->cmd_group = noise(s, l->GROUP_W);
        in->cmd_row = noise(s, l->ROW_W);
    }
    if (!in->ndc_valid) {
        in->ndc_kind = noise(s, 3 * l->RANKS);
        in->ndc_bank = noise(s, l->RANKS * l->BANK_W);
    }
}

/* --- what is told --------------------------------------------------------- */

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    const struct dram_monitor_out *o = after_ports, *is = &s->is;
    (void)before_ports;
    judge_edge(s, in_ports);
    const char *wrong = s->schedule ? watch_channel(s) : NULL;
    if (wrong)
        return wrong;
#define SAME(field)                                                            \
    if (o->field != is->field)                                                 \
        return stim_complain(                                                  \
            base, #field " is %" PRIx64 ", by the checker %" PRIx64, o->field, \
            is->field);
    SAME(broken_rules)
    SAME(broken_commands)
    SAME(broken_valid)
    SAME(broken_rule)
    SAME(broken_near)
    SAME(broken_kind)
    SAME(broken_rank)
    SAME(broken_group)
    SAME(broken_bank)
    SAME(first_valid)
    SAME(first_rule)
    SAME(first_near)
    SAME(first_kind)
    SAME(first_rank)
    SAME(first_group)
    SAME(first_bank)
    SAME(first_edge)
    SAME(total_commands)
    SAME(total_broken)
    SAME(late_ranks)
#undef SAME
    return NULL;
}

/* --- life ----------------------------------------------------------------- */

static void forget(struct times *t, int n) {
    for (int i = 0; i < n; i++)
        for (int kind = 0; kind < DRAM_KINDS; kind++)
            t[i].of[kind] = never;
}

static void reset(struct stim *base) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    dram_checker_free(s->checker);
    s->checker = dram_checker_create(s->config, told, s);
    memset(&s->is, 0, sizeof s->is);
    s->commands = s->bad = s->n_bursts = 0;
    s->begun = never;
    forget(s->bank, MAX_PLACES);
    forget(s->group, MAX_PLACES);
    forget(s->rank, MAX_RANKS);
    forget(s->host, MAX_RANKS);
    memset(s->open, 0, sizeof s->open);
    for (int r = 0; r < MAX_RANKS; r++) {
        s->refreshed[r] = never;
        for (int i = 0; i < MAX_ACTS; i++)
            s->acts[r][i] = never;
    }
    for (int i = 0; i < REMEMBERED; i++)
        s->bursts[i] = never;
    s->n = s->at = 0;
    s->left = 0;
    rows_draw(&s->used, &base->rng, s->size.ROW_W);
}

static void open(struct stim *base, const struct config *c) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    s->size = dram_monitor_local(c);
    s->config = &base->design->config;
    dram_rules(c, s->rules);
    /* a wait as long as a short run would be all of it */
    s->next_long = s->size.REFI > 1000 ? 50000 : 3000;
}

static void close(struct stim *base) {
    struct dram_monitor_stim *s = (struct dram_monitor_stim *)base;
    dram_checker_free(s->checker);
    schedule_close(s->schedule);
}

static void report(struct stim *base, struct text *t) {
    const struct dram_monitor_stim *s = (const struct dram_monitor_stim *)base;
    text_printf(t, "commands since the last reset\t%" PRIu64 "\n", s->commands);
    text_printf(t, "of these broke a rule\t%" PRIu64 "\n", s->bad);
}

static const struct stim_mode random_mode = {.name = "random",
                                             .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode channel_mode = {.name = "channel",
                                              .open = open_channel,
                                              .step = step_channel,
                                              .reset = restart_channel,
                                              .report = report_channel};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                &channel_mode, NULL};

const struct stim_class dram_monitor_stim = {
    .size = sizeof(struct dram_monitor_stim),
    .modes = modes,
    .first_reset = 2, /* edges are counted from there */
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

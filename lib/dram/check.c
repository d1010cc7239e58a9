/* check.c - the checker of command traces: times of the last commands, kept by
 * place and kind, against the table of rules. */
#include "check.h"

#include "base/arena.h"

#include <limits.h>
#include <stdlib.h>

enum { WINDOW = 8, POSTPONED = 8 /* of DDR4 */ };

static const int64_t never = INT64_MIN / 4;

enum {
    ALL_KINDS = (1 << DRAM_KINDS) - 1,
    MOST_RULES = DRAM_RULES + DRAM_PART_RULES
};

/* The last command of each kind at a place; their cycles once more, near to
 * each other. */
struct last {
    int64_t cycle[DRAM_ALL_KINDS]; /* never: there was none */
    int newest; /* kind of the last, the lowest of a cycle's */
    struct dram_command of[DRAM_ALL_KINDS];
};

/* The last few commands of one kind, for rules with a count. */
struct window {
    struct dram_command at[WINDOW];
    int n;
};

struct bank {
    bool open;
    struct dram_command opened;
};

/* What a rank owes, in cycles. */
struct refreshes {
    int64_t due;              /* by then the next one must have come */
    bool any;                 /* one has come: */
    struct dram_command last; /* of single banks, the one that made it whole */
    int rounds;               /* that each of its banks has had */
    bool overdue;             /* none has, and this came after it */
    struct dram_command at;   /* of the rank, the first such */
};

/* On the data bus. */
struct burst {
    int64_t begin; /* never: there was none */
    struct dram_command of;
};

enum { READING, WRITING, DIRECTIONS };

struct dram_checker {
    const struct dram_device *part; /* NULL: DDR4 */
    struct dram_rule rules[DRAM_RULES], of_part[DRAM_PART_RULES];
    int by_kind[DRAM_ALL_KINDS][MOST_RULES + 1]; /* checks of it, -1 ends */
    dram_report *report;
    void *ctx;
    int ranks, groups, banks;
    int64_t bl, rtrs, turn, refi, latency[DIRECTIONS], least_latency;
    struct last *bank, *group, *rank; /* of host and accelerator */
    struct last *host;                /* of the host, by rank */
    struct window *window;            /* of ACT, by rank */
    struct bank *state;
    int *n_open;         /* banks with an open row, by rank */
    struct burst *begun; /* the last by rank and direction */
    struct burst *ahead; /* that a later command's could still go before */
    int n_ahead, most_ahead;
    bool refreshing;
    struct refreshes *refresh; /* by rank */
    int64_t postponed;         /* refreshes that may be */
    int *rounds;               /* refreshes that a bank has had */
    int64_t begin;             /* of the trace */
    struct dram_command newest;
    struct dram_tally tally[DRAM_CHECKS];
    uint64_t commands[DRAM_ALL_KINDS], data_cycles;
    bool good; /* of the command at hand */
};

/* --- telling -------------------------------------------------------------- */

/* Below 0, 0, and then by powers of two, the last class without an end. */
static int slack_class(int64_t slack) {
    if (slack <= 0)
        return slack == 0;
    int n = 65 - __builtin_clzll((unsigned long long)slack);
    return n < DRAM_SLACKS ? n : DRAM_SLACKS - 1;
}

const char *dram_slack_name(int n) {
    static const char *const names[DRAM_SLACKS] = {
        "below 0", "0",     "1",     "2-3",    "4-7",
        "8-15",    "16-31", "32-63", "64-127", "128-"};
    return names[n];
}

static void note(struct dram_checker *k, int check,
                 const struct dram_command *c,
                 const struct dram_command *before, int64_t cycles,
                 int64_t expected) {
    struct dram_tally *t = &k->tally[check];
    int64_t slack =
        dram_check_is_latest(check) ? expected - cycles : cycles - expected;
    if (t->checked == 0 || slack < t->least)
        t->least = slack;
    t->checked++;
    t->slack[slack_class(slack)]++;
    if (slack >= 0)
        return;
    t->broken++;
    k->good = false;
    if (k->report)
        k->report(k->ctx,
                  &(struct dram_violation){check, c, before, cycles, expected});
}

/* A check that has nothing to do with time; before may be NULL. */
static void note_state(struct dram_checker *k, int check, bool right,
                       const struct dram_command *c,
                       const struct dram_command *before) {
    struct dram_tally *t = &k->tally[check];
    t->checked++;
    t->broken += !right;
    k->good &= right;
    if (!right && k->report)
        k->report(k->ctx, &(struct dram_violation){check, c, before, -1, -1});
}

/* --- places --------------------------------------------------------------- */

static int group_of(const struct dram_checker *k,
                    const struct dram_command *c) {
    return c->rank * k->groups + c->group;
}

static int bank_of(const struct dram_checker *k, const struct dram_command *c) {
    return group_of(k, c) * k->banks + c->bank;
}

static struct last *places(int n) {
    struct last *p = xcalloc((size_t)n, sizeof *p);
    for (int i = 0; i < n; i++)
        for (int kind = 0; kind < DRAM_ALL_KINDS; kind++)
            p[i].cycle[kind] = never;
    return p;
}

/* The newest command of a set at a place; NULL: none yet. */
static const struct dram_command *newest(const struct last *p, unsigned set) {
    int found = -1;
    int64_t cycle = never;
    if (set == ALL_KINDS)
        return p->cycle[p->newest] == never ? NULL : &p->of[p->newest];
    for (; set; set &= set - 1) {
        int kind = __builtin_ctz(set);
        if (p->cycle[kind] > cycle) {
            cycle = p->cycle[kind];
            found = kind;
        }
    }
    return found < 0 ? NULL : &p->of[found];
}

static void keep_last(struct last *p, const struct dram_command *c) {
    if (c->cycle > p->cycle[p->newest] || (int)c->kind < p->newest)
        p->newest = (int)c->kind;
    p->cycle[c->kind] = c->cycle;
    p->of[c->kind] = *c;
}

/* --- rules of the table --------------------------------------------------- */

static const struct dram_rule *rule_at(const struct dram_checker *k, int n) {
    return n < DRAM_RULES ? &k->rules[n] : &k->of_part[n - DRAM_CHECK_PART];
}

static void against(struct dram_checker *k, int rule,
                    const struct dram_command *c,
                    const struct dram_command *before) {
    if (before)
        note(k, rule, c, before, c->cycle - before->cycle,
             rule_at(k, rule)->cycles);
}

/* Whether a refresh of single banks is of bank i of its rank. */
static bool refreshes(const struct dram_checker *k,
                      const struct dram_command *c, int i) {
    return dram_part_refreshes(k->part, k->banks, c->group, c->bank,
                               i / k->banks, i % k->banks);
}

/* Of the banks that a command goes to. */
static void against_banks(struct dram_checker *k, int rule,
                          const struct dram_command *c, unsigned from) {
    int n = k->groups * k->banks;
    if (c->kind != DRAM_REFB) {
        against(k, rule, c, newest(&k->bank[bank_of(k, c)], from));
        return;
    }
    for (int i = 0; i < n; i++)
        if (refreshes(k, c, i))
            against(k, rule, c, newest(&k->bank[c->rank * n + i], from));
}

static void check_rule(struct dram_checker *k, int n,
                       const struct dram_command *c) {
    const struct dram_rule *r = rule_at(k, n);
    const struct window *w;
    switch (r->scope) {
    case DRAM_BANK:
        against_banks(k, n, c, r->from);
        break;
    case DRAM_GROUP:
        against(k, n, c, newest(&k->group[group_of(k, c)], r->from));
        break;
    case DRAM_RANK:
        w = &k->window[c->rank];
        if (r->count == 1)
            against(k, n, c, newest(&k->rank[c->rank], r->from));
        else if (w->n >= r->count)
            against(k, n, c, &w->at[(w->n - r->count) % WINDOW]);
        break;
    case DRAM_OTHER_RANK:
    case DRAM_CHANNEL:
        for (int rank = 0; rank < k->ranks && !c->nda; rank++)
            if (r->scope == DRAM_CHANNEL || rank != c->rank)
                against(k, n, c, newest(&k->host[rank], r->from));
        break;
    case DRAM_SCOPES:
        break;
    }
}

/* --- rows ----------------------------------------------------------------- */

static void check_bank(struct dram_checker *k, const struct dram_command *c) {
    struct bank *b = &k->state[bank_of(k, c)];
    if (c->kind == DRAM_ACT) {
        note_state(k, DRAM_CHECK_open, !b->open, c, &b->opened);
        k->n_open[c->rank] += !b->open;
        b->open = true;
        b->opened = *c;
        return;
    }
    if (c->kind != DRAM_PRE) {
        bool was = b->opened.cycle != never;
        note_state(k, DRAM_CHECK_closed, b->open, c, was ? &b->opened : NULL);
        if (b->open && c->row >= 0 && b->opened.row >= 0)
            note_state(k, DRAM_CHECK_row, c->row == b->opened.row, c,
                       &b->opened);
    }
    if (c->kind == DRAM_PRE || dram_closes(c->kind)) {
        k->n_open[c->rank] -= b->open;
        b->open = false;
    }
}

/* The bank of a rank whose open row is in a refresh's way. */
static const struct dram_command *open_row(const struct dram_checker *k,
                                           int rank) {
    int n = k->groups * k->banks;
    for (int i = rank * n; i < (rank + 1) * n; i++)
        if (k->state[i].open)
            return &k->state[i].opened;
    return NULL;
}

static void close_all(struct dram_checker *k, int rank) {
    int n = k->groups * k->banks;
    for (int i = rank * n; i < (rank + 1) * n; i++)
        k->state[i].open = false;
    k->n_open[rank] = 0;
}

/* The same of a refresh of single banks. */
static const struct dram_command *open_row_of(const struct dram_checker *k,
                                              const struct dram_command *c) {
    int n = k->groups * k->banks;
    for (int i = 0; i < n; i++)
        if (refreshes(k, c, i) && k->state[c->rank * n + i].open)
            return &k->state[c->rank * n + i].opened;
    return NULL;
}

static void check_state(struct dram_checker *k, const struct dram_command *c) {
    if (c->kind == DRAM_REFB)
        note_state(k, DRAM_CHECK_open, !open_row_of(k, c), c,
                   open_row_of(k, c));
    else if (c->kind == DRAM_REF)
        note_state(k, DRAM_CHECK_open, k->n_open[c->rank] == 0, c,
                   open_row(k, c->rank));
    else if (c->kind == DRAM_PREA)
        close_all(k, c->rank);
    else
        check_bank(k, c);
}

/* --- the data bus --------------------------------------------------------- */

/* Of all bursts so far only those count that could be the nearest to another
 * one.  A burst that begins when the data of the next command may begin, or
 * before, has all others before or behind itself: it hides the earlier ones of
 * its rank and direction, and is kept in their place.  One that begins later,
 * of the direction with the longer latency, could be overtaken; of these there
 * are by rank as many as the latencies differ, as two that begin together are
 * one.
 */
static int direction_of(const struct dram_command *c) {
    return dram_is_write(c->kind) ? WRITING : READING;
}

/* Idle cycles that the bus needs between two bursts, the first one first. */
static int64_t gap(const struct dram_checker *k, const struct dram_command *a,
                   const struct dram_command *b) {
    if (a->rank != b->rank)
        return k->rtrs;
    return dram_is_read(a->kind) && dram_is_write(b->kind) ? k->turn : 0;
}

static struct burst *begun_of(const struct dram_checker *k,
                              const struct dram_command *c) {
    return &k->begun[c->rank * DIRECTIONS + direction_of(c)];
}

/* No command comes before this cycle any more. */
static void let_begin(struct dram_checker *k, int64_t cycle) {
    int n = 0;
    while (n < k->n_ahead && k->ahead[n].begin <= cycle + k->least_latency) {
        *begun_of(k, &k->ahead[n].of) = k->ahead[n];
        n++;
    }
    k->n_ahead -= n;
    for (int i = 0; n && i < k->n_ahead; i++)
        k->ahead[i] = k->ahead[n + i];
}

static void keep_burst(struct dram_checker *k, const struct burst *b) {
    if (b->begin <= b->of.cycle + k->least_latency) {
        *begun_of(k, &b->of) = *b;
        return;
    }
    for (int i = k->n_ahead; i-- > 0 && k->ahead[i].begin == b->begin;)
        if (k->ahead[i].of.rank == b->of.rank) {
            k->ahead[i] = *b;
            return;
        }
    if (k->n_ahead == k->most_ahead)
        BUG("more than %d bursts ahead", k->most_ahead);
    k->ahead[k->n_ahead++] = *b;
}

/* The burst that another one is nearest to, measured by the gap that the two
 * need; the later one of two alike. */
struct nearest {
    const struct burst *burst; /* NULL: there is none */
    int64_t idle, asked;
};

static void look_at(const struct dram_checker *k, const struct burst *b,
                    const struct burst *now, struct nearest *n) {
    bool after = now->begin >= b->begin;
    int64_t apart = after ? now->begin - b->begin : b->begin - now->begin;
    int64_t idle = apart - k->bl;
    int64_t asked = after ? gap(k, &b->of, &now->of) : gap(k, &now->of, &b->of);
    int64_t nearer = n->burst ? (n->idle - n->asked) - (idle - asked) : 1;
    if (nearer > 0 || (nearer == 0 && b->of.cycle > n->burst->of.cycle))
        *n = (struct nearest){b, idle, asked};
}

static void check_data(struct dram_checker *k, const struct dram_command *c) {
    struct burst now = {c->cycle + k->latency[direction_of(c)], *c};
    struct nearest n = {NULL, 0, 0};
    let_begin(k, c->cycle);
    for (int i = 0; i < k->n_ahead; i++)
        look_at(k, &k->ahead[i], &now, &n);
    for (int i = 0; i < k->ranks * DIRECTIONS; i++)
        if (k->begun[i].begin != never)
            look_at(k, &k->begun[i], &now, &n);
    if (n.burst)
        note(k, DRAM_CHECK_data, c, &n.burst->of, n.idle, n.asked);
    keep_burst(k, &now);
    k->data_cycles += (uint64_t)k->bl;
}

/* --- refreshes ------------------------------------------------------------ */

static int64_t most_between(const struct dram_checker *k) {
    return (k->postponed + 1) * k->refi;
}

/* Whether the refresh of a rank that is missing, or that comes with c, is in
 * time. */
static void check_refresh(struct dram_checker *k,
                          const struct dram_command *c) {
    const struct refreshes *r = &k->refresh[c->rank];
    const struct dram_command *last = r->any ? &r->last : NULL;
    int64_t most = most_between(k);
    int64_t since = c->cycle - (last ? last->cycle : k->begin);
    note(k, DRAM_CHECK_refresh, c, last, since, most);
    if (since <= most)
        note(k, DRAM_CHECK_postponed, c, last, c->cycle - (r->due - most),
             most);
}

/* A refresh pays for one interval.  No more than so many are owed after it, or
 * are ahead. */
static void pay(struct dram_checker *k, const struct dram_command *c) {
    struct refreshes *r = &k->refresh[c->rank];
    int64_t least = c->cycle + k->refi;
    int64_t most = c->cycle + k->postponed * k->refi + most_between(k);
    r->due += k->refi;
    r->due = r->due < least ? least : r->due > most ? most : r->due;
    r->overdue = false;
    r->any = true;
    r->last = *c;
}

/* Count it for its banks; whether each bank of the rank has one more now. */
static bool is_whole(struct dram_checker *k, const struct dram_command *c) {
    int n = k->groups * k->banks, least = INT_MAX;
    int *rounds = &k->rounds[c->rank * n];
    for (int i = 0; i < n; i++) {
        rounds[i] += c->kind == DRAM_REF || refreshes(k, c, i);
        least = rounds[i] < least ? rounds[i] : least;
    }
    bool whole = least > k->refresh[c->rank].rounds;
    k->refresh[c->rank].rounds = least;
    return whole;
}

static void look_for_refresh(struct dram_checker *k,
                             const struct dram_command *c) {
    struct refreshes *r = &k->refresh[c->rank];
    int64_t last = r->any ? r->last.cycle : k->begin;
    bool is_refresh = c->kind == DRAM_REF || c->kind == DRAM_REFB;
    k->refreshing |= is_refresh;
    if (is_refresh && is_whole(k, c)) {
        check_refresh(k, c);
        pay(k, c);
    } else if (!r->overdue &&
               (c->cycle > r->due || c->cycle > last + most_between(k))) {
        r->overdue = true;
        r->at = *c;
    }
}

/* --- a command ------------------------------------------------------------ */

static void keep(struct dram_checker *k, const struct dram_command *c) {
    if (c->kind == DRAM_REFB) {
        int n = k->groups * k->banks;
        for (int i = 0; i < n; i++)
            if (refreshes(k, c, i))
                keep_last(&k->bank[c->rank * n + i], c);
    } else if (!dram_kind_of_rank(c->kind)) {
        keep_last(&k->bank[bank_of(k, c)], c);
        keep_last(&k->group[group_of(k, c)], c);
    }
    keep_last(&k->rank[c->rank], c);
    if (!c->nda)
        keep_last(&k->host[c->rank], c);
    if (c->kind == DRAM_ACT) {
        struct window *w = &k->window[c->rank];
        w->at[w->n++ % WINDOW] = *c;
        if (w->n == 2 * WINDOW)
            w->n = WINDOW;
    }
    k->newest = *c;
    k->commands[c->kind]++;
}

bool dram_checker_take(struct dram_checker *k, const struct dram_command *c) {
    if (c->rank >= k->ranks || c->group >= k->groups || c->bank >= k->banks ||
        c->cycle < k->newest.cycle)
        BUG("a command outside the channel, or out of its turn");
    if (c->kind == DRAM_REFB && !(k->part && k->part->rfc_bank))
        BUG("a refresh of single banks, which the part does not have");
    if (k->newest.cycle == never) {
        k->begin = c->cycle;
        for (int rank = 0; rank < k->ranks; rank++)
            k->refresh[rank].due = c->cycle + most_between(k);
    }
    k->good = true;
    for (const int *n = k->by_kind[c->kind]; *n >= 0; n++)
        check_rule(k, *n, c);
    check_state(k, c);
    if (!c->nda && (dram_is_read(c->kind) || dram_is_write(c->kind)))
        check_data(k, c);
    if (k->refi)
        look_for_refresh(k, c);
    keep(k, c);
    return k->good;
}

bool dram_checker_end(struct dram_checker *k) {
    k->good = true;
    for (int rank = 0; rank < k->ranks && k->refreshing; rank++) {
        struct dram_command end = k->newest;
        bool used = false;
        for (int kind = 0; kind < DRAM_ALL_KINDS; kind++)
            used |= k->rank[rank].cycle[kind] != never;
        if (k->refresh[rank].overdue)
            end = k->refresh[rank].at;
        else
            end = (struct dram_command){.cycle = end.cycle,
                                        .kind = DRAM_REF,
                                        .channel = end.channel,
                                        .rank = rank,
                                        .row = -1,
                                        .column = -1,
                                        .line = end.line};
        if (used)
            check_refresh(k, &end);
    }
    return k->good;
}

/* --- life ----------------------------------------------------------------- */

static void sort_rules(struct dram_checker *k) {
    for (int kind = 0; kind < DRAM_ALL_KINDS; kind++) {
        int n = 0;
        for (int r = 0; r < DRAM_RULES; r++)
            if (k->rules[r].to >> kind & 1)
                k->by_kind[kind][n++] = r;
        for (int r = 0; r < DRAM_PART_RULES; r++)
            if (k->of_part[r].to >> kind & 1)
                k->by_kind[kind][n++] = DRAM_CHECK_PART + r;
        k->by_kind[kind][n] = -1;
    }
}

static void make_bus(struct dram_checker *k, const struct config *c) {
    int cl = c->timing_cl, cwl = c->timing_cwl;
    k->latency[READING] = cl;
    k->latency[WRITING] = cwl;
    k->least_latency = cl < cwl ? cl : cwl;
    k->most_ahead = k->ranks * abs(cl - cwl);
    k->ahead = xcalloc((size_t)k->most_ahead + 1, sizeof *k->ahead);
    k->begun = xcalloc((size_t)(k->ranks * DIRECTIONS), sizeof *k->begun);
    for (int i = 0; i < k->ranks * DIRECTIONS; i++)
        k->begun[i].begin = never;
}

struct dram_checker *dram_checker_create(const struct config *c,
                                         dram_report *report, void *ctx) {
    return dram_checker_create_part(c, NULL, report, ctx);
}

struct dram_checker *dram_checker_create_part(const struct config *c,
                                              const struct dram_device *p,
                                              dram_report *report, void *ctx) {
    struct dram_checker *k = xcalloc(1, sizeof *k);
    int ranks = c->dram_ranks, groups = ranks * c->dram_groups;
    int banks = groups * c->dram_banks;
    k->part = p;
    k->postponed = p ? p->postponed : POSTPONED;
    dram_rules(c, k->rules);
    if (p)
        dram_part_rules(p, c, k->of_part);
    sort_rules(k);
    k->report = report;
    k->ctx = ctx;
    k->ranks = ranks;
    k->groups = c->dram_groups;
    k->banks = c->dram_banks;
    k->bl = c->timing_bl;
    make_bus(k, c);
    k->rtrs = c->timing_rtrs;
    k->turn = c->timing_turn;
    k->refi = c->timing_refi;
    k->bank = places(banks);
    k->group = places(groups);
    k->rank = places(ranks);
    k->host = places(ranks);
    k->window = xcalloc((size_t)ranks, sizeof *k->window);
    k->state = xcalloc((size_t)banks, sizeof *k->state);
    for (int i = 0; i < banks; i++)
        k->state[i].opened.cycle = never;
    k->n_open = xcalloc((size_t)ranks, sizeof *k->n_open);
    k->refresh = xcalloc((size_t)ranks, sizeof *k->refresh);
    k->rounds = xcalloc((size_t)banks, sizeof *k->rounds);
    k->newest.cycle = never;
    return k;
}

void dram_checker_free(struct dram_checker *k) {
    if (!k)
        return;
    free(k->bank);
    free(k->group);
    free(k->rank);
    free(k->host);
    free(k->window);
    free(k->state);
    free(k->n_open);
    free(k->refresh);
    free(k->rounds);
    free(k->begun);
    free(k->ahead);
    free(k);
}

/* --- what came of it ------------------------------------------------------ */

const struct dram_tally *dram_checker_tally(const struct dram_checker *k,
                                            int check) {
    return &k->tally[check];
}

const struct dram_rule *dram_checker_rule(const struct dram_checker *k,
                                          int check) {
    return check < DRAM_RULES || check >= DRAM_CHECK_PART ? rule_at(k, check)
                                                          : NULL;
}

uint64_t dram_checker_commands(const struct dram_checker *k,
                               enum dram_kind kind) {
    return k->commands[kind];
}

uint64_t dram_checker_data_cycles(const struct dram_checker *k) {
    return k->data_cycles;
}

const char *dram_check_name(int check) {
    static const char *const names[] = {
#define RULE(name, from, to, scope, count, cycles, doc) #name,
#include "rules.def"
        "data", "closed", "row", "open", "refresh", "postponed",
#define RULE(name, from, to, scope, cycles, doc) #name,
#include "part_rules.def"
    };
    return names[check];
}

const char *dram_check_doc(int check) {
    static const char *const docs[] = {
#define RULE(name, from, to, scope, count, cycles, doc) doc,
#include "rules.def"
        "bursts on the data bus, with the gap that they need",
        "a column command needs an open row",
        "a column command is of the row that is open",
        "a bank is closed before a row opens, and all before a refresh",
        "nine average intervals hold a refresh",
        "eight refreshes are owed at most, of one in each average interval",
#define RULE(name, from, to, scope, cycles, doc) doc,
#include "part_rules.def"
    };
    return docs[check];
}

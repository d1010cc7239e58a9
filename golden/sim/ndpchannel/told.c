/* told.c - the host's controller of a channel whose accelerators command by
 * themselves. */
#include "told.h"

#include <string.h>

static void said(void *ctx, const struct dram_violation *v) {
    (void)v;
    ((struct told *)ctx)->violations++;
}

void told_open(struct told *t, const struct config *c) {
    memset(t, 0, sizeof *t);
    t->config = c;
    t->n_ranks = c->dram_ranks;
    t->groups = c->dram_groups;
    t->banks = c->dram_banks;
    dram_rules(c, t->rules);
    t->checker = dram_checker_create(c, said, t);
    for (int r = 0; r < t->n_ranks; r++)
        t->rank[r].refresh_at =
            (uint64_t)((r + 1) * c->timing_refi / t->n_ranks);
}

void told_close(struct told *t) {
    dram_checker_free(t->checker);
}

bool told_request(struct told *t, const struct told_request *r) {
    if (t->n == TOLD_QUEUE)
        return false;
    t->queue[t->n++] = *r;
    return true;
}

bool told_holds_all(const struct told *t, int rank) {
    return t->rank[rank].due;
}

bool told_holds_writes(const struct told *t, int rank) {
    return t->n && !t->queue[0].write && t->queue[0].rank == rank;
}

/* --- what was commanded --------------------------------------------------- */

static int place(const struct told *t, int group, int bank) {
    return group * t->banks + bank;
}

static void note(struct told *t, const struct dram_command *c) {
    struct told_rank *r = &t->rank[c->rank];
    uint64_t at = (uint64_t)c->cycle + 1;
    bool all = dram_kind_of_rank(c->kind);
    int b = place(t, c->group, c->bank);

    t->commands++;
    dram_checker_take(t->checker, c);
    r->all.last[c->kind] = at;
    if (!c->nda)
        r->host.last[c->kind] = at;
    if (all) {
        memset(r->open, 0, sizeof r->open);
        return;
    }
    r->group[c->group].last[c->kind] = at;
    r->bank[b].last[c->kind] = at;
    if (c->kind == DRAM_ACT) {
        memmove(r->acts, r->acts + 1, 3 * sizeof r->acts[0]);
        r->acts[3] = at;
        r->row[b] = c->row;
    }
    if (c->kind == DRAM_ACT || c->kind == DRAM_PRE)
        r->open[b] = c->kind == DRAM_ACT;
}

void told_near(struct told *t, const struct dram_command *c) {
    note(t, c);
}

/* --- what may be ---------------------------------------------------------- */

static uint64_t latest(const struct told *t, const struct dram_rule *rule,
                       const struct dram_command *c, int kind) {
    const struct told_rank *r = &t->rank[c->rank];
    uint64_t last = 0;
    switch (rule->scope) {
    case DRAM_BANK:
        return r->bank[place(t, c->group, c->bank)].last[kind];
    case DRAM_GROUP:
        return r->group[c->group].last[kind];
    case DRAM_RANK:
        return rule->count > 1 ? r->acts[0] : r->all.last[kind];
    default:
        for (int i = 0; i < t->n_ranks; i++)
            if ((i != c->rank || rule->scope == DRAM_CHANNEL) &&
                t->rank[i].host.last[kind] > last)
                last = t->rank[i].host.last[kind];
        return last;
    }
}

static bool may(const struct told *t, const struct dram_command *c) {
    uint64_t now = (uint64_t)c->cycle + 1;
    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *rule = &t->rules[i];
        int least = rule->cycles > 1 ? rule->cycles : 1;
        for (int k = 0; rule->to >> c->kind & 1 && k < DRAM_KINDS; k++) {
            uint64_t last = rule->from >> k & 1 ? latest(t, rule, c, k) : 0;
            if (last && now - last < (uint64_t)least)
                return false;
        }
    }
    return true;
}

/* --- a cycle -------------------------------------------------------------- */

static bool refresh(struct told *t, uint64_t now, struct dram_command *c) {
    for (int i = 0; i < t->n_ranks; i++) {
        struct told_rank *r = &t->rank[i];
        bool any = false;
        if (!r->due)
            continue;
        for (int b = 0; b < t->groups * t->banks; b++)
            any |= r->open[b];
        *c = (struct dram_command){.cycle = (int64_t)now,
                                   .kind = any ? DRAM_PREA : DRAM_REF,
                                   .rank = i,
                                   .row = -1,
                                   .column = -1};
        if (!may(t, c))
            continue;
        if (c->kind == DRAM_REF) {
            r->due = false;
            t->refreshes++;
        }
        return true;
    }
    return false;
}

static struct dram_command
for_request(const struct told *t, const struct told_request *q, uint64_t now) {
    const struct told_rank *r = &t->rank[q->rank];
    int b = place(t, q->group, q->bank);
    bool hit = r->open[b] && r->row[b] == q->row;
    struct dram_command c = {.cycle = (int64_t)now,
                             .kind = !r->open[b] ? DRAM_ACT
                                     : !hit      ? DRAM_PRE
                                     : q->write  ? DRAM_WR
                                                 : DRAM_RD,
                             .rank = q->rank,
                             .group = q->group,
                             .bank = q->bank,
                             .row = q->row,
                             .column = hit ? q->column : -1};
    if (c.kind == DRAM_PRE)
        c.row = -1;
    return c;
}

/* A request older than the i-th is for the same bank. */
static bool behind(const struct told *t, int i) {
    const struct told_request *q = &t->queue[i];
    for (int k = 0; k < i; k++)
        if (t->queue[k].rank == q->rank && t->queue[k].group == q->group &&
            t->queue[k].bank == q->bank)
            return true;
    return false;
}

/* First those whose row is open; then the rows of the oldest of each bank. */
static bool serve(struct told *t, uint64_t now, struct dram_command *c) {
    for (int rows = 0; rows < 2; rows++)
        for (int i = 0; i < t->n; i++) {
            const struct told_request q = t->queue[i];
            bool column;
            if (t->rank[q.rank].due)
                continue;
            *c = for_request(t, &q, now);
            column = dram_is_read(c->kind) || dram_is_write(c->kind);
            if (column == (rows == 1) || (rows && behind(t, i)) || !may(t, c))
                continue;
            if (column) {
                t->reads += !q.write;
                t->writes += q.write;
                if (!q.write)
                    t->latency_sum +=
                        now - q.since +
                        (uint64_t)(t->config->timing_cl + t->config->timing_bl);
                memmove(t->queue + i, t->queue + i + 1,
                        (size_t)(--t->n - i) * sizeof t->queue[0]);
            }
            return true;
        }
    return false;
}

bool told_command(struct told *t, uint64_t now, struct dram_command *c) {
    int interval = t->config->timing_refi;
    for (int i = 0; i < t->n_ranks && interval; i++)
        if (now >= t->rank[i].refresh_at) {
            t->rank[i].due = true;
            t->rank[i].refresh_at += (uint64_t)interval;
        }
    if (!refresh(t, now, c) && !serve(t, now, c))
        return false;
    note(t, c);
    return true;
}

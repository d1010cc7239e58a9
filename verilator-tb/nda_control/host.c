/* host.c - a host that shares a rank with its accelerator. */
#include "host.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- the checker ---------------------------------------------------------- */

static void told(void *ctx, const struct dram_violation *v) {
    struct rank_host *h = ctx;
    if (*h->broken)
        return;
    snprintf(h->broken, sizeof h->broken,
             "%s%s to group %d bank %d breaks '%s': %" PRId64
             " cycles, expected %" PRId64,
             v->command->nda ? "the accelerator's " : "the host's ",
             dram_kind_name(v->command->kind), v->command->group,
             v->command->bank, dram_check_name(v->check), v->cycles,
             v->expected);
}

void rank_host_open(struct rank_host *h, const struct config *c, int groups,
                    int banks, int own) {
    h->own = own;
    h->config = c;
    h->groups = groups;
    h->banks = banks;
    dram_rules(c, h->rules);
    rank_host_restart(h);
}

void rank_host_restart(struct rank_host *h) {
    dram_checker_free(h->checker);
    h->checker = dram_checker_create(h->config, told, h);
    memset(h->bank, 0, sizeof h->bank);
    memset(h->group, 0, sizeof h->group);
    memset(&h->rank, 0, sizeof h->rank);
    memset(h->acts, 0, sizeof h->acts);
    memset(h->open, 0, sizeof h->open);
    h->refreshes = false;
}

void rank_host_close(struct rank_host *h) {
    dram_checker_free(h->checker);
    h->checker = NULL;
}

/* --- what the host knows -------------------------------------------------- */

static int place(const struct rank_host *h, int group, int bank) {
    return group * h->banks + bank;
}

const char *rank_host_take(struct rank_host *h, const struct dram_command *c) {
    uint64_t at = (uint64_t)c->cycle + 1;
    bool all = dram_kind_of_rank(c->kind);
    int banks = h->groups * h->banks;
    int where = all ? 0 : place(h, c->group, c->bank);

    h->commands++;
    h->rank.last[c->kind] = at;
    if (!all) {
        h->group[c->group].last[c->kind] = at;
        h->bank[where].last[c->kind] = at;
    }
    for (int b = all ? 0 : where; b <= (all ? banks - 1 : where); b++)
        if (c->kind == DRAM_ACT || c->kind == DRAM_PRE || all)
            h->open[b] = c->kind == DRAM_ACT;
    if (c->kind == DRAM_ACT) {
        h->row[where] = (uint64_t)c->row;
        memmove(h->acts, h->acts + 1, 3 * sizeof h->acts[0]);
        h->acts[3] = at;
    }
    *h->broken = '\0';
    return dram_checker_take(h->checker, c) ? NULL : h->broken;
}

static bool may(const struct rank_host *h, const struct dram_command *c) {
    uint64_t now = (uint64_t)c->cycle + 1;
    const struct rank_times *of[] = {[DRAM_BANK] =
                                         &h->bank[place(h, c->group, c->bank)],
                                     [DRAM_GROUP] = &h->group[c->group],
                                     [DRAM_RANK] = &h->rank};

    for (int i = 0; i < DRAM_RULES; i++) {
        const struct dram_rule *r = &h->rules[i];
        if (!(r->to >> c->kind & 1) || r->scope > DRAM_RANK)
            continue;
        for (int k = 0; k < DRAM_KINDS; k++) {
            uint64_t last = r->count > 1 ? h->acts[0] : of[r->scope]->last[k];
            if (r->from >> k & 1 && last &&
                now - last < (uint64_t)(r->cycles > 1 ? r->cycles : 1))
                return false;
        }
    }
    return true;
}

bool rank_host_command(struct rank_host *h, struct rng *r,
                       const struct rank_tune *t, uint64_t now, int own_row,
                       struct dram_command *c) {
    bool own = rng_percent(r, t->own), any = false;
    int banks = h->groups * h->banks;
    int mine = h->own < banks ? banks - h->own : 0; /* the host's alone */
    int where = own || mine == 0
                    ? banks - 1 - (int)rng_below(r, (uint32_t)h->own)
                    : (int)rng_below(r, (uint32_t)mine);
    bool right = rng_percent(r, 80);
    int row = (int)rng_below(r, 4) * (t->rows > 1);

    *c = (struct dram_command){.cycle = (int64_t)now,
                               .group = where / h->banks,
                               .bank = where % h->banks,
                               .row = (int)rows_at(t->used, row),
                               .column = 0};
    for (int b = 0; b < banks; b++)
        any |= h->open[b];
    if (h->refreshes) { /* the time for it has come */
        c->kind = any ? DRAM_PREA : DRAM_REF;
        c->group = c->bank = 0;
        c->row = c->column = -1;
        return may(h, c);
    }
    if (!h->open[where]) {
        c->kind = DRAM_ACT;
        if (own) /* sometimes the row that the accelerator needs */
            c->row = own_row;
    } else if (right && t->rows > 0) {
        c->kind = rng_percent(r, 50) ? DRAM_RD : DRAM_WR;
        c->row = (int)h->row[where];
    } else {
        c->kind = DRAM_PRE;
        c->row = -1;
    }
    return may(h, c);
}

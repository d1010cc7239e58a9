/* channel.c - the commands that a scheduler sends, see channel.h. */
#include "channel.h"

#include "base/arena.h"
#include "base/bits.h"
#include "blocks/dram_channel.h"
#include "dram_channel/dram_channel.h"
#include "dram_channel/stim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 128 };

struct schedule {
    struct dram_channel_local size;
    struct stim_options options;
    struct stim *around;
    struct golden *channel;
    struct dram_channel_in in;
    struct dram_channel_out out;
    struct scheduled edge[AHEAD]; /* a ring; the next one at `at` */
    int at;
    char wrong[300]; /* the first complaint of what is around it */
};

/* --- one edge of the channel ---------------------------------------------- */

static void collect(const struct schedule *s, struct scheduled *edge) {
    const struct dram_channel_out *o = &s->out;
    const struct dram_channel_local *l = &s->size;
    edge->n = 0;
    if (o->cmd_valid)
        edge->c[edge->n++] =
            (struct dram_command){.kind = (enum dram_kind)o->cmd_kind,
                                  .rank = (int)o->cmd_rank,
                                  .group = (int)o->cmd_group,
                                  .bank = (int)o->cmd_bank,
                                  .row = (int)o->cmd_row,
                                  .column = -1};
    for (int r = 0; r < l->RANKS; r++)
        if (o->ndc_valid >> r & 1)
            edge->c[edge->n++] = (struct dram_command){
                .kind = (enum dram_kind)(o->ndc_kind >> 3 * r & 7),
                .nda = true,
                .rank = r,
                .group =
                    (int)(o->ndc_group >> r * l->GROUP_W & ones(l->GROUP_W)),
                .bank = (int)(o->ndc_bank >> r * l->BANK_W & ones(l->BANK_W)),
                .row = (int)bits_get(o->ndc_row, r * l->ROW_W, l->ROW_W),
                .column = -1};
}

static void run_edge(struct schedule *s, struct scheduled *edge) {
    struct dram_channel_out before = s->out;
    bool rst;
    stim_drive(s->around, &rst, &s->in);
    memcpy(&s->out, golden_cycle(s->channel, rst, &s->in), sizeof s->out);
    const char *wrong = stim_watch(s->around, rst, &s->in, &before, &s->out);
    if (wrong && !*s->wrong)
        snprintf(s->wrong, sizeof s->wrong, "%s", wrong);
    collect(s, edge);
}

/* --- the schedule --------------------------------------------------------- */

struct schedule *schedule_open(const struct config *c, uint64_t seed,
                               struct diag *d) {
    if (!iface_check(&dram_channel_iface, c, d))
        return NULL;
    struct schedule *s = xcalloc(1, sizeof *s);
    s->size = dram_channel_local(c);
    s->options = (struct stim_options){.mode = "random", .seed = seed};
    s->around =
        stim_create(&dram_channel_stim, &dram_channel_iface, c, &s->options, d);
    s->around->reset_every = 0; /* its rows would close */
    s->channel = golden_create(&dram_channel_golden, c);
    memcpy(&s->out, golden_cycle(s->channel, true, NULL), sizeof s->out);
    for (int i = 0; i < AHEAD; i++)
        run_edge(s, &s->edge[i]);
    return s;
}

void schedule_close(struct schedule *s) {
    if (!s)
        return;
    stim_free(s->around);
    golden_free(s->channel);
    free(s);
}

const char *schedule_next(struct schedule *s, struct scheduled *edge) {
    *edge = s->edge[s->at];
    run_edge(s, &s->edge[s->at]);
    s->at = (s->at + 1) % AHEAD;
    return *s->wrong ? s->wrong : NULL;
}

const struct scheduled *schedule_ahead(const struct schedule *s) {
    return &s->edge[s->at];
}

static void take_out(struct scheduled *edge, int i) {
    edge->n--;
    memmove(&edge->c[i], &edge->c[i + 1],
            (size_t)(edge->n - i) * sizeof edge->c[0]);
}

void schedule_take(struct schedule *s, int i) {
    take_out(&s->edge[s->at], i);
}

bool schedule_take_close(struct schedule *s, const struct dram_command *c) {
    for (int n = 0; n < AHEAD; n++) {
        struct scheduled *edge = &s->edge[(s->at + n) % AHEAD];
        for (int i = 0; i < edge->n; i++) {
            const struct dram_command *e = &edge->c[i];
            bool whole = dram_kind_of_rank(e->kind);
            if (e->rank != c->rank ||
                (!whole && (e->group != c->group || e->bank != c->bank)))
                continue;
            bool closes = e->kind == DRAM_PRE || e->kind == DRAM_PREA;
            if (e->kind == DRAM_PRE)
                take_out(edge, i);
            return closes;
        }
    }
    return false;
}

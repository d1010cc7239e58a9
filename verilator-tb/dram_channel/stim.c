/* stim.c - stimulus of a DRAM channel: a host and an accelerator in each rank.
 *
 * Every command that goes out, of either, goes to the checker of dram/check.c,
 * which knows the timing rules and nothing of the channel.  Each request must
 * be answered once, with its own place; requests of one burst in their order;
 * the accelerators' bursts one by one, as they were given.
 *
 * Accelerators that decide for themselves are played here: each knows the rules
 * (nda_control/host.h), sees the host's commands an edge after they were
 * decided, and is seen an edge after its own.  So the host's command of edge t
 * stands in the memory beside an accelerator's of t + 1, and the checker gets
 * them so.
 *
 * random    phases with other mixes: how often, how many writes, rows and banks
 *           in use, throttle
 * directed  the same phases in a fixed order: streams over one row, conflicts
 * of one bank, writes alone, one burst over and over, accelerators alone
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/dram_channel.h"
#include "dram/check.h"
#include "nda_control/host.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { MOST = 64, MAX_RANKS = 4, PHASE = 1500, TOLD_PATIENCE = 4000 };

struct tune {
    int send, write; /* percent: of edges with a request, of these writes */
    int banks, rows; /* in use: banks of the channel, rows of a bank */
    int near;        /* percent of edges on which an idle accelerator begins */
    int near_write;  /* percent of its bursts */
    int near_own;    /* percent of its bursts in its rank's last bank */
    int throttle, chance;
    int columns;
    int urgent; /* percent of the writes */
};

/* A request under way, or a burst of an accelerator. */
struct burst {
    bool there, write, urgent;
    uint64_t id, rank, group, bank, row, column;
};

/* An accelerator that decides for itself. */
struct decider {
    struct rank_host knows;
    struct dram_command given; /* what it decided on the edge before */
    bool gives;
    bool host; /* the host's command stands at its wires: */
    struct dram_command of_host;
    bool held_writes, held_all, held_before; /* the wires; one edge ago */
};

struct dram_channel_stim {
    struct stim base;
    struct dram_channel_local size;
    const struct config *config;
    struct dram_checker *checker;
    char broken[300]; /* the rule that the last command broke; "": none */
    struct tune tune;
    struct rows used;
    int left;
    uint64_t script;
    struct burst offered;       /* the request on req_*, until it is taken */
    struct burst waiting[MOST]; /* by age */
    int n;
    struct burst near[MAX_RANKS];
    struct decider decider[MAX_RANKS];
    const char *refused; /* what the checker said of what they decided */
    uint64_t last_leave; /* edge on which a request left, or none waited */
    uint64_t column;     /* of streams */
    uint64_t requests, bursts, commands, idle;
};

/* --- the checker ---------------------------------------------------------- */

static void told(void *ctx, const struct dram_violation *v) {
    struct dram_channel_stim *s = ctx;
    if (*s->broken)
        return;
    snprintf(s->broken, sizeof s->broken,
             "%s%s to rank %d group %d bank %d breaks '%s': %" PRId64
             " cycles, expected %" PRId64,
             v->command->nda ? "the accelerator's " : "",
             dram_kind_name(v->command->kind), v->command->rank,
             v->command->group, v->command->bank, dram_check_name(v->check),
             v->cycles, v->expected);
}

static void restart_checker(struct dram_channel_stim *s) {
    dram_checker_free(s->checker);
    s->checker = dram_checker_create(s->config, told, s);
}

static const char *check(struct dram_channel_stim *s,
                         const struct dram_command *c) {
    s->commands++;
    *s->broken = '\0';
    if (dram_checker_take(s->checker, c))
        return NULL;
    return s->broken;
}

/* --- accelerators that decide for themselves ------------------------------ */

/* Inputs of a seen<r>; outputs of a host<r> and a held<r>: as they follow each
 * other in the declaration. */
struct seen {
    uint64_t valid, kind, row, column;
};

struct shown {
    uint64_t valid, kind, group, bank, row, writes, all;
};

static struct seen *seen_of(struct dram_channel_in *in, int rank) {
    struct seen *const at[MAX_RANKS] = {
        (void *)&in->seen0_valid, (void *)&in->seen1_valid,
        (void *)&in->seen2_valid, (void *)&in->seen3_valid};
    return at[rank];
}

static const struct shown *shown_of(const struct dram_channel_out *out,
                                    int rank) {
    const void *const at[MAX_RANKS] = {&out->host0_valid, &out->host1_valid,
                                       &out->host2_valid, &out->host3_valid};
    return at[rank];
}

/* One of them on an edge: what it decides, from the wires before it. */
static const char *decide(struct dram_channel_stim *s, int rank) {
    struct decider *d = &s->decider[rank];
    struct rng *r = &s->base.rng;
    struct dram_command c;
    int row =
        (int)rows_at(&s->used, rng_percent(r, 90) ? 0 : (int)rng_below(r, 3));
    const struct rank_tune tune = {.own = 100, .rows = 2, .used = &s->used};
    const char *wrong = NULL;
    uint64_t edge = s->base.now + 1; /* the one that is being driven */

    d->gives = false;
    if (d->host) {
        c = d->of_host;
        c.cycle = (int64_t)edge;
        return rank_host_take(&d->knows, &c);
    }
    if (d->held_all || !rng_percent(r, s->tune.near) ||
        !rank_host_command(&d->knows, r, &tune, edge, row, &d->given) ||
        (d->given.kind == DRAM_WR && d->held_writes))
        return NULL;
    d->given.nda = true;
    wrong = rank_host_take(&d->knows, &d->given);
    d->gives = true;
    c = d->given;
    c.cycle--;
    c.rank = rank;
    s->bursts += c.kind == DRAM_RD || c.kind == DRAM_WR;
    return wrong ? wrong : check(s, &c);
}

static void drive_told(struct dram_channel_stim *s,
                       struct dram_channel_in *in) {
    s->refused = NULL;
    for (int r = 0; r < s->size.RANKS; r++) {
        struct decider *d = &s->decider[r];
        struct seen *at = seen_of(in, r);
        *at = (struct seen){0};
        if (d->gives)
            *at = (struct seen){
                .valid = 1,
                .kind = d->given.kind,
                .row = d->given.kind == DRAM_PRE ? 0 : (uint64_t)d->given.row};
        const char *wrong = decide(s, r);
        if (!s->refused)
            s->refused = wrong;
    }
}

/* What the wires show after an edge, and that the host kept to them. */
static const char *watch_told(struct dram_channel_stim *s, int r,
                              const struct dram_channel_out *out) {
    struct decider *d = &s->decider[r];
    const struct shown *at = shown_of(out, r);
    bool here = out->cmd_valid && (int)out->cmd_rank == r;
    bool quiet = d->held_all && d->held_before;

    d->held_before = d->held_all;
    d->held_all = at->all;
    d->held_writes = at->writes;
    d->host = at->valid;
    d->of_host = (struct dram_command){.kind = (enum dram_kind)at->kind,
                                       .group = (int)at->group,
                                       .bank = (int)at->bank,
                                       .row = (int)at->row};
    if (here && !quiet)
        return "a command to a rank whose accelerator was not held back";
    if (here != (at->valid & 1))
        return "the accelerator is not shown just the commands to its rank";
    if (here && (at->kind != out->cmd_kind || at->group != out->cmd_group ||
                 at->bank != out->cmd_bank || at->row != out->cmd_row))
        return "the accelerator is shown another command";
    return NULL;
}

static void count_told(struct dram_channel_stim *s,
                       const struct dram_channel_in *in) {
    struct dram_channel_in copy = *in;
    bool read = false, write = false;

    for (int r = 0; r < s->size.RANKS; r++) {
        const struct seen *at = seen_of(&copy, r);
        read |= at->valid && at->kind == DRAM_RD;
        write |= at->valid && at->kind == DRAM_WR;
    }
    s->base.master.count[DRAM_CHANNEL_CNT_nda_reads] += read;
    s->base.master.count[DRAM_CHANNEL_CNT_nda_writes] += write;
}

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 25, 8, 2, 0};
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.send = rates[rng_below(r, 6)],
                            .write = rng_range(r, 0, 3) * 33,
                            .banks = 1 << rng_below(r, 7),
                            .rows = rng_range(r, 1, 4),
                            .near = rates[rng_below(r, 6)],
                            .near_write = rng_range(r, 0, 2) * 50,
                            .near_own = rng_range(r, 0, 2) * 50,
                            .columns = rng_percent(r, 20) ? 2 : 128,
                            .urgent = rng_range(r, 0, 2) * 20};
    s->left = rng_range(r, 200, 2500);
    rows_draw(&s->used, r, s->size.ROW_W);
    master_set(&base->master, DRAM_CHANNEL_SET_throttle, rng_below(r, 4));
    master_set(&base->master, DRAM_CHANNEL_SET_chance, rng_below(r, 18));
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        /* send write banks rows near near_write near_own throttle chance cols urgent
         */
        {100, 0, 64, 1, 0, 0, 100, 0, 0, 128, 0},   /* reads of open rows */
        {100, 0, 1, 2, 0, 0, 100, 0, 0, 128, 0},    /* conflicts in one bank */
        {100, 100, 64, 2, 0, 0, 100, 0, 0, 128, 0}, /* writes alone */
        {100, 50, 64, 4, 0, 0, 100, 0, 0, 128, 0},  /* both */
        {100, 50, 2, 1, 0, 0, 100, 0, 0, 2,
         0}, /* few bursts, again and again */
        {0, 0, 1, 1, 100, 50, 100, 0, 0, 128, 0}, /* accelerators alone */
        {30, 20, 64, 2, 100, 100, 100, 2, 0, 128,
         0}, /* held by the next rank */
        {30, 20, 64, 2, 100, 100, 100, 1, 4, 128, 0}, /* held by chance */
        {20, 20, 64, 2, 100, 50, 0, 0, 0, 128, 0},    /* in the host's banks */
        {2, 50, 64, 4, 3, 50, 50, 0, 0, 128, 0},      /* little of anything */
        {60, 30, 64, 2, 20, 50, 100, 0, 0, 128, 50},  /* urgent writes */
    };
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->script++ % (sizeof script / sizeof *script)];
    s->left = PHASE;
    rows_draw(&s->used, &base->rng, s->size.ROW_W);
    master_set(&base->master, DRAM_CHANNEL_SET_throttle,
               (uint32_t)s->tune.throttle);
    master_set(&base->master, DRAM_CHANNEL_SET_chance,
               (uint32_t)s->tune.chance);
}

/* --- traffic -------------------------------------------------------------- */

static uint64_t pick(struct dram_channel_stim *s, int n) {
    return n > 1 ? rng_below(&s->base.rng, (uint32_t)n) : 0;
}

static struct burst new_request(struct dram_channel_stim *s) {
    const struct dram_channel_local *l = &s->size;
    int banks = s->tune.banks < l->PLACES ? s->tune.banks : l->PLACES;
    uint64_t place = pick(s, banks);
    /* neighbours in the list of places are in other ranks and groups */
    struct burst b = {.there = true,
                      .write = rng_percent(&s->base.rng, s->tune.write),
                      .rank = place & ones(l->RA_W),
                      .group = place >> l->RA_W & ones(l->BG_W),
                      .bank = place >> (l->RA_W + l->BG_W) & ones(l->BA_W),
                      .row = rows_at(&s->used, (int)pick(s, s->tune.rows)),
                      .column = pick(s, s->tune.columns) & ones(l->COL_W)};
    b.urgent = b.write && rng_percent(&s->base.rng, s->tune.urgent);
    b.id = s->requests & ones(l->ID_W);
    return b;
}

static struct burst new_near(struct dram_channel_stim *s) {
    const struct dram_channel_local *l = &s->size;
    bool own = rng_percent(&s->base.rng, s->tune.near_own);
    bool stream = rng_percent(&s->base.rng, 90);
    return (struct burst){
        .there = true,
        .write = rng_percent(&s->base.rng, s->tune.near_write),
        .group = own ? ones(l->BG_W) : pick(s, l->GROUPS),
        .bank = own ? ones(l->BA_W) : pick(s, l->BANKS),
        .row = rows_at(&s->used, stream ? 0 : (int)pick(s, 3)),
        .column = s->column++ & ones(l->COL_W)};
}

static void drive_near(struct dram_channel_stim *s,
                       struct dram_channel_in *in) {
    const struct dram_channel_local *l = &s->size;
    in->nda_valid = in->nda_write = in->nda_group = in->nda_bank = 0;
    in->nda_column = 0;
    memset(in->nda_row, 0, sizeof in->nda_row);
    for (int r = 0; r < l->RANKS; r++) {
        struct burst *b = &s->near[r];
        if (!b->there && rng_percent(&s->base.rng, s->tune.near))
            *b = new_near(s);
        in->nda_valid |= (uint64_t)b->there << r;
        in->nda_write |= (uint64_t)b->write << r;
        in->nda_group |= b->group << r * l->GROUP_W;
        in->nda_bank |= b->bank << r * l->BANK_W;
        in->nda_column |= b->column << r * l->COL_W;
        bits_or(in->nda_row, r * l->ROW_W, l->ROW_W, b->row);
    }
}

static void drive(struct stim *base, void *ports) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    struct dram_channel_in *in = ports;
    struct burst *b = &s->offered;
    if (!b->there && rng_percent(&base->rng, s->tune.send)) {
        *b = new_request(s);
        s->requests++;
    }
    in->req_valid = b->there;
    in->req_write = b->there && b->write;
    in->req_urgent = b->there && b->urgent;
    in->req_id = b->there ? b->id : 0;
    in->req_rank = b->there ? b->rank : 0;
    in->req_group = b->there ? b->group : 0;
    in->req_bank = b->there ? b->bank : 0;
    in->req_row = b->there ? b->row : 0;
    in->req_column = b->there ? b->column : 0;
    if (s->size.TOLD)
        drive_told(s, in);
    else
        drive_near(s, in);
    if (rng_below(&base->rng, 4000) == 0)
        master_clear(&base->master);
}

/* --- what comes out ------------------------------------------------------- */

static bool same_burst(const struct burst *a, const struct burst *b) {
    return a->rank == b->rank && a->group == b->group && a->bank == b->bank &&
           a->row == b->row && a->column == b->column;
}

/* The request that a column command answers leaves. */
static const char *answer(struct dram_channel_stim *s,
                          const struct dram_channel_out *out) {
    struct burst got = {.rank = out->cmd_rank,
                        .group = out->cmd_group,
                        .bank = out->cmd_bank,
                        .row = out->cmd_row,
                        .column = out->cmd_column};
    int i = 0;
    while (i < s->n && (s->waiting[i].id != out->cmd_id ||
                        !same_burst(&s->waiting[i], &got)))
        i++;
    if (i == s->n)
        return stim_complain(&s->base, "no request %" PRIu64 " waits there",
                             out->cmd_id);
    if (s->waiting[i].write != (out->cmd_kind == DRAM_WR))
        return stim_complain(&s->base, "request %" PRIu64 " is no such command",
                             out->cmd_id);
    for (int k = 0; k < i; k++)
        if (same_burst(&s->waiting[k], &got))
            return stim_complain(&s->base,
                                 "request %" PRIu64 " goes before %" PRIu64
                                 " of the same burst",
                                 out->cmd_id, s->waiting[k].id);
    s->n--;
    memmove(&s->waiting[i], &s->waiting[i + 1],
            (size_t)(s->n - i) * sizeof s->waiting[0]);
    return NULL;
}

static const char *watch_host(struct dram_channel_stim *s,
                              const struct dram_channel_out *out) {
    static const int counts[DRAM_KINDS] = {
        [DRAM_ACT] = DRAM_CHANNEL_CNT_rows,
        [DRAM_PRE] = DRAM_CHANNEL_CNT_conflicts,
        [DRAM_PREA] = -1,
        [DRAM_RD] = DRAM_CHANNEL_CNT_reads,
        [DRAM_WR] = DRAM_CHANNEL_CNT_writes,
        [DRAM_REF] = DRAM_CHANNEL_CNT_refreshes};
    struct dram_command c = {.cycle = (int64_t)s->base.now,
                             .kind = (enum dram_kind)out->cmd_kind,
                             .rank = (int)out->cmd_rank,
                             .group = (int)out->cmd_group,
                             .bank = (int)out->cmd_bank,
                             .row = (int)out->cmd_row,
                             .column = (int)out->cmd_column};
    if (!out->cmd_valid)
        return NULL;
    if (counts[c.kind] >= 0)
        s->base.master.count[counts[c.kind]]++;
    const char *wrong = check(s, &c);
    if (!wrong && (c.kind == DRAM_RD || c.kind == DRAM_WR))
        wrong = answer(s, out);
    return wrong;
}

static const char *watch_near(struct dram_channel_stim *s, int r,
                              const struct dram_channel_out *out) {
    const struct dram_channel_local *l = &s->size;
    struct burst *b = &s->near[r];
    struct dram_command c = {
        .cycle = (int64_t)s->base.now,
        .kind = (enum dram_kind)(out->ndc_kind >> 3 * r & 7),
        .nda = true,
        .rank = r,
        .group = (int)(out->ndc_group >> r * l->GROUP_W & ones(l->GROUP_W)),
        .bank = (int)(out->ndc_bank >> r * l->BANK_W & ones(l->BANK_W)),
        .row = (int)bits_get(out->ndc_row, r * l->ROW_W, l->ROW_W),
        .column = (int)(out->ndc_column >> r * l->COL_W & ones(l->COL_W))};
    bool column = c.kind == DRAM_RD || c.kind == DRAM_WR;
    if (!(out->ndc_valid >> r & 1))
        return out->nda_taken >> r & 1 ? "a burst is taken without a command"
                                       : NULL;
    const char *wrong = check(s, &c);
    if (!wrong && (out->nda_taken >> r & 1) != column)
        wrong = "a burst is taken without its column command, or not with it";
    if (!wrong && (!b->there || (uint64_t)c.group != b->group ||
                   (uint64_t)c.bank != b->bank))
        wrong = "a command of no accelerator's burst";
    if (!wrong && column &&
        ((uint64_t)c.column != b->column || (uint64_t)c.row != b->row ||
         (c.kind == DRAM_WR) != b->write))
        wrong = "a column command of another burst than the accelerator's";
    if (column) {
        b->there = false;
        s->bursts++;
    }
    return wrong;
}

/* Which counters an accelerator's commands move: any of the ranks. */
static void count_near(struct dram_channel_stim *s,
                       const struct dram_channel_out *out) {
    bool read = false, write = false;
    for (int r = 0; r < s->size.RANKS; r++) {
        enum dram_kind kind = (enum dram_kind)(out->ndc_kind >> 3 * r & 7);
        if (out->ndc_valid >> r & 1) {
            read |= kind == DRAM_RD;
            write |= kind == DRAM_WR;
        }
    }
    s->base.master.count[DRAM_CHANNEL_CNT_nda_reads] += read;
    s->base.master.count[DRAM_CHANNEL_CNT_nda_writes] += write;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    const struct dram_channel_in *in = in_ports;
    const struct dram_channel_out *before = before_ports, *after = after_ports;
    int waited = s->n;
    const char *wrong = s->refused ? s->refused : watch_host(s, after);
    for (int r = 0; r < s->size.RANKS && !wrong; r++)
        wrong =
            s->size.TOLD ? watch_told(s, r, after) : watch_near(s, r, after);
    if (s->size.TOLD)
        count_told(s, in);
    else
        count_near(s, after);
    if (s->n < waited || s->n == 0)
        s->last_leave = base->now;
    if (!wrong && s->size.TOLD && base->now - s->last_leave > TOLD_PATIENCE)
        wrong = "no request goes on";
    if (in->req_valid && before->req_ready) {
        s->waiting[s->n++] = s->offered;
        s->offered.there = false;
    }
    s->idle += !after->cmd_valid;
    if (!wrong && after->req_ready != (s->n < s->size.ENTRIES))
        wrong = "ready does not say whether there is room";
    return wrong;
}

/* --- life ----------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    s->size = dram_channel_local(c);
    s->config = &base->design->config;
    base->reset_every = 6000;
    base->wishbone = 20;
    restart_checker(s);
    for (int r = 0; r < s->size.RANKS; r++)
        rank_host_open(&s->decider[r].knows, s->config, s->size.GROUPS,
                       s->size.BANKS);
}

static void close(struct stim *base) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    dram_checker_free(s->checker);
    for (int r = 0; r < s->size.RANKS; r++)
        rank_host_close(&s->decider[r].knows);
}

static void reset(struct stim *base) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    s->n = 0;
    s->offered.there = false;
    memset(s->near, 0, sizeof s->near);
    restart_checker(s);
    s->refused = NULL;
    s->last_leave = base->now;
    for (int r = 0; r < s->size.RANKS; r++) {
        struct decider *d = &s->decider[r];
        rank_host_restart(&d->knows);
        d->gives = d->host = false;
        d->held_writes = d->held_all = d->held_before = false;
    }
}

static void report(struct stim *base, struct text *t) {
    const struct dram_channel_stim *s = (const struct dram_channel_stim *)base;
    text_printf(t, "requests\t%" PRIu64 "\n", s->requests);
    text_printf(t, "accelerators' bursts\t%" PRIu64 "\n", s->bursts);
    text_printf(t, "commands checked\t%" PRIu64 "\n", s->commands);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class dram_channel_stim = {
    .size = sizeof(struct dram_channel_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

/* stim.c - stimulus of a DRAM channel: a host and an accelerator in each rank.
 *
 * Every command that goes out, of either, goes to the checker of dram/check.c,
 * which knows the timing rules and nothing of the channel.  Each request must
 * be answered once, with its own place; requests of one burst in their order;
 * the accelerators' bursts one by one, as they were given.
 *
 * With mirrored accelerators the environment checks in addition that what is
 * shown to them is the host's commands; that the rest suffices to take the same
 * decisions is checked where they stand, in `concurrent`.
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
#include "kit/rows.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { MOST = 64, MAX_RANKS = 4, PHASE = 1500, STUCK = 4000 };

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

/* What an accelerator is given: its burst, and the row that it needs then. */
struct accelerator {
    struct burst burst;
    bool enabled, ahead;
    uint64_t ahead_group, ahead_bank, ahead_row;
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
    struct accelerator near[MAX_RANKS];
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

static struct accelerator new_near(struct dram_channel_stim *s) {
    const struct dram_channel_local *l = &s->size;
    struct rng *r = &s->base.rng;
    bool own = rng_percent(r, s->tune.near_own);
    bool stream = rng_percent(r, 90);
    uint64_t other = own ? ones(l->BA_W) - 1 : pick(s, l->BANKS);
    return (struct accelerator){
        .burst = {.there = true,
                  .write = rng_percent(r, s->tune.near_write),
                  .group = own ? ones(l->BG_W) : pick(s, l->GROUPS),
                  .bank = own ? ones(l->BA_W) : pick(s, l->BANKS),
                  .row = rows_at(&s->used, stream ? 0 : (int)pick(s, 3)),
                  .column = s->column++ & ones(l->COL_W)},
        .ahead = rng_percent(r, 60),
        .ahead_group = own ? ones(l->BG_W) : pick(s, l->GROUPS),
        .ahead_bank = rng_percent(r, 10) ? ones(l->BA_W) : other,
        .ahead_row = rows_at(&s->used, (int)pick(s, 3))};
}

/* The inputs of a next<r>, as they follow each other. */
struct next {
    uint64_t valid, write, enabled, group, bank, row, column;
    uint64_t ahead, ahead_group, ahead_bank, ahead_row;
};

static void drive_near(struct dram_channel_stim *s,
                       struct dram_channel_in *in) {
    struct next *const at[MAX_RANKS] = {
        (void *)&in->next0_valid, (void *)&in->next1_valid,
        (void *)&in->next2_valid, (void *)&in->next3_valid};
    for (int r = 0; r < s->size.RANKS; r++) {
        struct accelerator *a = &s->near[r];
        const struct burst *b = &a->burst;
        if (!b->there && rng_percent(&s->base.rng, s->tune.near))
            *a = new_near(s);
        a->enabled |= rng_percent(&s->base.rng, 50);
        *at[r] = (struct next){0};
        if (!b->there)
            continue;
        *at[r] = (struct next){.valid = 1,
                               .write = b->write,
                               .enabled = a->enabled,
                               .group = b->group,
                               .bank = b->bank,
                               .row = b->row,
                               .column = b->column,
                               .ahead = a->ahead,
                               .ahead_group = a->ahead ? a->ahead_group : 0,
                               .ahead_bank = a->ahead ? a->ahead_bank : 0,
                               .ahead_row = a->ahead ? a->ahead_row : 0};
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
    struct burst *b = &s->near[r].burst;
    const struct accelerator *a = &s->near[r];
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
    bool its = (uint64_t)c.group == b->group && (uint64_t)c.bank == b->bank;
    bool ahead = !its && a->ahead && (uint64_t)c.group == a->ahead_group &&
                 (uint64_t)c.bank == a->ahead_bank && !column;
    if (!wrong && (!b->there || !(its || ahead)))
        wrong = "a command of no accelerator's burst";
    if (!wrong && column && !a->enabled)
        wrong = "a burst goes before it is enabled";
    if (!wrong && c.kind == DRAM_ACT &&
        (uint64_t)c.row != (its ? b->row : a->ahead_row))
        wrong = "another row is opened than the accelerator's";
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

/* The outputs of a host<r>, as they follow each other. */
struct shown {
    uint64_t valid, kind, group, bank, row;
};

/* What the accelerator is shown of the host: just the commands to its rank. */
static const char *watch_shown(struct dram_channel_stim *s, int r,
                               const struct dram_channel_out *out) {
    const void *const shown[MAX_RANKS] = {&out->host0_valid, &out->host1_valid,
                                          &out->host2_valid, &out->host3_valid};
    const struct shown *at = shown[r];
    bool here = s->size.MIRRORED && out->cmd_valid && (int)out->cmd_rank == r;

    if (here != (at->valid & 1))
        return "the accelerator is not shown just the commands to its rank";
    if (here && (at->kind != out->cmd_kind || at->group != out->cmd_group ||
                 at->bank != out->cmd_bank || at->row != out->cmd_row))
        return "the accelerator is shown another command";
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    const struct dram_channel_in *in = in_ports;
    const struct dram_channel_out *before = before_ports, *after = after_ports;
    int waited = s->n;
    const char *wrong = watch_host(s, after);
    for (int r = 0; r < s->size.RANKS && !wrong; r++)
        wrong = watch_near(s, r, after);
    for (int r = 0; r < s->size.RANKS && !wrong; r++)
        wrong = watch_shown(s, r, after);
    count_near(s, after);
    /* writes of accelerators without end may hold up the host's reads */
    if (s->n < waited || s->n == 0 || s->tune.near_write > 0)
        s->last_leave = base->now;
    if (!wrong && base->now - s->last_leave > STUCK)
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
}

static void close(struct stim *base) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    dram_checker_free(s->checker);
}

static void reset(struct stim *base) {
    struct dram_channel_stim *s = (struct dram_channel_stim *)base;
    s->n = 0;
    s->offered.there = false;
    memset(s->near, 0, sizeof s->near);
    restart_checker(s);
    s->last_leave = base->now;
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

/* stim.c - stimulus of a DRAM bank with several open rows: somebody who reads
 * and writes bursts.
 *
 * Every command goes to two checkers: that of dram/check.c, which knows the
 * table of timing rules, and that of checker.h, which knows the paper's times
 * and no table; neither knows of the bank.  Each request must be answered once,
 * with its place, requests of one burst in their order, the oldest before too
 * many others, and all of them some time.
 *
 * random    phases with other mixes: how often, how many writes, rows and
 *           columns in use
 * directed  the same phases in a fixed order: neighbouring rows in turn, rows
 * of one row buffer, one burst over and over, little of anything
 */
#include "env.h"

#include "base/bits.h"

#include <inttypes.h>
#include <string.h>

enum { PHASE = 900 };

/* --- checkers ------------------------------------------------------------- */

static void told(void *ctx, const struct dram_violation *v) {
    struct bank_stim *s = ctx;
    if (*s->broken)
        return;
    snprintf(s->broken, sizeof s->broken,
             "%s to row buffer %d breaks '%s': %" PRId64
             " cycles, expected %" PRId64,
             dram_kind_name(v->command->kind), v->command->bank,
             dram_check_name(v->check), v->cycles, v->expected);
}

static void restart_checkers(struct bank_stim *s) {
    dram_checker_free(s->checker);
    s->checker = dram_checker_create(&s->config, told, s);
    bank_checker_reset(&s->own, &s->config);
}

static const char *check(struct bank_stim *s, const struct bank_out *out) {
    bool whole = dram_kind_of_rank((enum dram_kind)out->cmd_kind);
    struct dram_command c = {.cycle = s->edge,
                             .kind = (enum dram_kind)out->cmd_kind,
                             .bank = whole ? 0 : (int)out->cmd_buffer,
                             .row = (int)out->cmd_row,
                             .column = (int)out->cmd_column};
    if (c.bank >= s->size.OPEN || (c.kind == DRAM_PRE && c.row))
        return "a row buffer that is not there, or a row to close";
    s->commands[c.kind]++;
    *s->broken = '\0';
    bool good = dram_checker_take(s->checker, &c);
    const char *own = bank_checker_take(&s->own, s->edge, (int)c.kind, c.bank,
                                        (int64_t)out->cmd_row);
    return own || good ? own : s->broken;
}

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 25, 8, 2, 0};
    struct bank_stim *s = (struct bank_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.send = rates[rng_below(r, 6)],
                            .write = rng_range(r, 0, 3) * 33,
                            .rows = rng_range(r, 1, 6),
                            .columns = rng_percent(r, 30) ? 1 : 64,
                            .step = rng_percent(r, 50) ? 1 : s->size.OPEN,
                            .turns = rng_range(r, 0, 4) * 25};
    s->left = rng_range(r, 100, 1500);
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        /* send write rows columns step turns */
        {10, 0, 2, 64, 1, 100},   /* two neighbouring rows */
        {100, 0, 4, 64, 1, 100},  /* four of them, as fast as can be */
        {100, 100, 4, 64, 1, 50}, /* written */
        {100, 50, 4, 64, 1, 10},  /* both */
        {100, 30, 2, 64, 4, 30},  /* two rows of one row buffer */
        {100, 50, 1, 1, 1, 0},    /* one burst, again and again */
        {100, 20, 6, 2, 1, 60},   /* few bursts of many rows */
        {2, 50, 6, 64, 1, 60},    /* little of anything */
        {100, 0, 1, 64, 1, 3},    /* a stream, and seldom something else */
    };
    struct bank_stim *s = (struct bank_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->script++ % (sizeof script / sizeof *script)];
    s->left = PHASE;
}

/* --- traffic -------------------------------------------------------------- */

static struct burst new_request(struct bank_stim *s) {
    const struct bank_local *l = &s->size;
    struct rng *r = &s->base.rng;
    if (rng_percent(r, s->tune.turns))
        s->row = rng_below(r, (uint32_t)s->tune.rows);
    uint64_t far = rng_percent(r, 1) ? ones(l->ROW_W) : 0;
    return (struct burst){.there = true,
                          .write = rng_percent(r, s->tune.write),
                          .id = s->requests & ones(l->ID_W),
                          .row = (s->row * (uint64_t)s->tune.step ^ far) &
                                 ones(l->ROW_W),
                          .column = rng_below(r, (uint32_t)s->tune.columns) &
                                    (uint32_t)ones(l->COL_W)};
}

/* Percent of edges with a request.  Before every other refresh somebody wants
 * something, be the phase as quiet as it may: refreshes are few. */
static int rate(const struct bank_stim *s) {
    int refi = s->config.timing_refi;
    bool soon = refi && (s->edge + 40) / refi > s->edge / refi &&
                s->edge / refi % 2 == 0;
    return soon && s->tune.send < 50 ? 50 : s->tune.send;
}

static void drive(struct stim *base, void *ports) {
    struct bank_stim *s = (struct bank_stim *)base;
    struct bank_in *in = ports;
    struct burst *b = &s->offered;
    if (!b->there && base->mode == &bank_replay)
        s->requests += bank_replay_next(s, b);
    else if (!b->there && rng_percent(&base->rng, rate(s))) {
        *b = new_request(s);
        s->requests++;
    }
    in->req_valid = b->there;
    in->req_write = b->there && b->write;
    in->req_id = b->there ? b->id : 0;
    in->req_row = b->there ? b->row : 0;
    in->req_column = b->there ? b->column : 0;
}

/* --- what comes out ------------------------------------------------------- */

static bool same_burst(const struct burst *a, const struct burst *b) {
    return a->row == b->row && a->column == b->column;
}

/* The request that a column command answers leaves. */
static const char *answer(struct bank_stim *s, const struct bank_out *out) {
    struct burst got = {.row = out->cmd_row, .column = out->cmd_column};
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
    if (s->base.mode == &bank_replay)
        bank_replay_answered(s, &s->waiting[i]);
    s->passed = i ? s->passed + 1 : 0;
    if (s->passed > s->size.PATIENCE)
        return stim_complain(&s->base, "%d requests went before the oldest",
                             s->passed);
    s->n--;
    memmove(&s->waiting[i], &s->waiting[i + 1],
            (size_t)(s->n - i) * sizeof s->waiting[0]);
    return NULL;
}

static const char *watch_command(struct bank_stim *s,
                                 const struct bank_out *out) {
    s->idle = out->cmd_valid || s->n == 0 ? 0 : s->idle + 1;
    if (s->idle > s->longest)
        return "requests wait and nothing happens";
    if (!out->cmd_valid)
        return bank_checker_edge(&s->own, s->edge);
    const char *wrong = check(s, out);
    if (!wrong && (out->cmd_kind == DRAM_RD || out->cmd_kind == DRAM_WR))
        wrong = answer(s, out);
    return wrong;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct bank_stim *s = (struct bank_stim *)base;
    const struct bank_in *in = in_ports;
    const struct bank_out *before = before_ports, *after = after_ports;
    const char *wrong = watch_command(s, after);
    s->edge++;
    if (in->req_valid && before->req_ready) {
        s->waiting[s->n++] = s->offered;
        s->offered.there = false;
    }
    if (!wrong && after->req_ready != (s->n < s->size.ENTRIES))
        wrong = "ready does not say whether there is room";
    return wrong;
}

/* --- life ----------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct bank_stim *s = (struct bank_stim *)base;
    s->size = bank_local(c);
    s->config = *c;
    s->config.dram_ranks = s->config.dram_groups = 1;
    s->config.dram_banks = c->bank_open_rows;
    s->longest = c->timing_rfc + c->timing_rc + c->timing_ras + c->timing_rp +
                 c->timing_rcd + c->timing_cl + c->timing_cwl + c->timing_bl +
                 c->timing_wr + c->timing_wtrl + c->timing_faw;
    base->reset_every = 15000;
    restart_checkers(s);
}

static void close(struct stim *base) {
    dram_checker_free(((struct bank_stim *)base)->checker);
}

static void reset(struct stim *base) {
    struct bank_stim *s = (struct bank_stim *)base;
    s->n = s->passed = s->idle = 0;
    s->edge = 0;
    s->offered.there = false;
    restart_checkers(s);
}

static void report(struct stim *base, struct text *t) {
    const struct bank_stim *s = (const struct bank_stim *)base;
    text_printf(t, "requests\t%" PRIu64 "\n", s->requests);
    text_printf(t, "bursts\t%" PRIu64 "\n",
                s->commands[DRAM_RD] + s->commands[DRAM_WR]);
    text_printf(t, "rows_opened\t%" PRIu64 "\n", s->commands[DRAM_ACT]);
    text_printf(t, "refreshes\t%" PRIu64 "\n", s->commands[DRAM_REF]);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                &bank_replay, NULL};

const struct stim_class bank_stim = {
    .size = sizeof(struct bank_stim),
    .first_reset = 1, /* the edges since then are counted */
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

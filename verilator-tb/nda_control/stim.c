/* stim.c - stimulus of an accelerator's state machine: a host that launches
 * operations and gives commands of its own to the rank.
 *
 * The host keeps its own notes of the last commands and breaks no rule with
 * what it does.  Every command, the host's and the accelerator's, goes to the
 * checker of dram/check.c, which knows nothing of either.  The accelerator's
 * column commands must be the bursts of its operation, in the order that plain
 * loops over batches and operands give.
 *
 * random    phases with other mixes: how often the host gives commands, where,
 *           how often it holds the accelerator back; lengths and operations
 * directed  each operation with lengths about the batch's and the write
 *           buffer's, alone in the rank and not
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/nda_control.h"
#include "nda_control/host.h"

#include <inttypes.h>
#include <string.h>

enum { PATIENCE = 20000, REFRESH = 4000, LINE = 16 };

struct tune {
    int launch;    /* percent of idle edges */
    int send, own; /* percent of edges with a command; of these in the bank */
    int hold, columns; /* percent of edges with held_all; with held_reads, with
                          held_writes, with each of held_rows */
    int rows;
};

struct nda_control_stim {
    struct stim base;
    struct nda_control_local size;
    struct rank_host host;
    struct tune tune;
    struct rows used;
    int left;
    uint64_t number;

    bool offers, runs;
    /* what the end near memory has to show, by edge */
    struct nda_control_out line[LINE];
    bool ended[LINE];
    int op;
    uint64_t length, base_of[4];
    struct dram_command given; /* the host's on this edge */
    bool gives;
    /* the operation, as loops: next burst */
    uint64_t batch, i, waiting, put;
    int operand;
    bool drains;
    uint64_t last_event, operations, bursts;
    uint64_t last_read; /* edge + 1; 0: none yet */
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 25, 8, 2, 0};
    struct nda_control_stim *s = (struct nda_control_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.launch = rates[rng_below(r, 5)],
                            .send = rates[rng_below(r, 6)],
                            .own = rng_range(r, 0, 3) * 20,
                            .hold = rates[rng_range(r, 2, 5)],
                            .columns = rates[rng_range(r, 1, 5)],
                            .rows = rng_range(r, 1, 4)};
    s->left = rng_range(r, 300, 3000);
    rows_draw(&s->used, r, s->size.ROW_W);
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {{100, 0, 0, 0, 0, 1},
                                         {100, 30, 0, 0, 0, 2},
                                         {100, 20, 50, 0, 0, 2},
                                         {100, 10, 20, 10, 50, 3}};
    struct nda_control_stim *s = (struct nda_control_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->number / 3 % 4];
    s->left = 2500;
    rows_draw(&s->used, &base->rng, s->size.ROW_W);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

/* --- what goes in --------------------------------------------------------- */

static void new_operation(struct nda_control_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t batch = (uint64_t)s->size.BATCH, n = s->number++;
    uint64_t lengths[] = {1, batch, batch + 1, 2 * batch + 3, 0, batch - 1};

    s->op = s->base.mode == &directed_mode ? (int)(n % 8) : rng_range(r, 0, 7);
    s->length = s->base.mode == &directed_mode ? lengths[n / 8 % 6]
                : n % 32 == 31       ? rng_next(r) /* as a rule until a reset */
                : rng_percent(r, 3)  ? 0
                : rng_percent(r, 50) ? rng_below(r, (uint32_t)batch + 2)
                                     : rng_below(r, (uint32_t)(3 * batch));
    s->length &= ones(s->size.SPOT_W);
    for (int k = 0; k < 4; k++)
        s->base_of[k] = rng_percent(r, 30) ? s->base_of[0]
                                           : rng_next(r) & ones(s->size.SPOT_W);
    s->batch = s->i = s->waiting = s->put = 0;
    s->operand = 0;
    s->drains = false;
}

static void drive(struct stim *base, void *ports) {
    struct nda_control_stim *s = (struct nda_control_stim *)base;
    struct nda_control_in *in = ports;
    struct rng *r = &base->rng;

    int own_row =
        (int)((s->base_of[s->operand] >> s->size.COL_W) & ones(s->size.ROW_W));

    if (rng_below(r, REFRESH) == 0)
        s->host.refreshes = true;
    if (!s->offers && !s->runs && rng_percent(r, s->tune.launch)) {
        s->offers = true;
        new_operation(s);
    }
    in->launch_valid = s->offers;
    in->launch_op = (uint64_t)s->op;
    in->launch_length = s->length;
    memset(in->launch_base, 0, sizeof in->launch_base);
    for (int k = 0; k < 4; k++)
        bits_or(in->launch_base, k * s->size.SPOT_W, s->size.SPOT_W,
                s->base_of[k]);
    s->gives = (s->host.refreshes || rng_percent(r, s->tune.send)) &&
               rank_host_command(
                   &s->host, r,
                   &(struct rank_tune){s->tune.own, s->tune.rows, &s->used},
                   base->now + 1, own_row, &s->given);
    in->cmd_valid = s->gives;
    in->cmd_kind = s->gives ? s->given.kind : 0;
    in->cmd_group = s->gives ? (uint64_t)s->given.group : 0;
    in->cmd_bank = s->gives ? (uint64_t)s->given.bank : 0;
    in->cmd_row = s->gives && s->given.row > 0 ? (uint64_t)s->given.row : 0;
    /* a refresh that is due needs a rank that leaves off */
    in->held_all = s->host.refreshes || rng_percent(r, s->tune.hold);
    in->held_reads = rng_percent(r, s->tune.columns);
    in->held_writes = rng_percent(r, s->tune.columns);
    in->held_rows = (uint64_t)rng_percent(r, s->tune.columns) |
                    (uint64_t)rng_percent(r, s->tune.columns) << 1;
}

/* --- what must come out --------------------------------------------------- */

static int reads_of(int op) {
    return op == 1 ? 3 : op == 3 || op >= 6 ? 1 : 2;
}

static int target_of(int op) {
    static const int to[] = {2, 3, 1, 1, 2, -1, -1, 0};
    return to[op];
}

static bool reads_left(const struct nda_control_stim *s) {
    return s->batch < s->length;
}

/* Number of a burst in the accelerator's banks. */
static uint64_t number(const struct nda_control_stim *s, uint64_t bank,
                       uint64_t row, uint64_t column) {
    uint64_t i = bank - (uint64_t)(s->size.BANKS - s->size.OWN_BANKS);
    return (i << s->size.ROW_W | row) << s->size.COL_W | column;
}

/* The burst that has to come next. */
static uint64_t wanted(const struct nda_control_stim *s) {
    uint64_t at = s->drains ? s->base_of[target_of(s->op)] + s->put
                            : s->base_of[s->operand] + s->batch + s->i;
    return at & ones(s->size.SPOT_W);
}

/* What the channel is shown is this burst. */
static const char *next(const struct nda_control_stim *s,
                        const struct nda_control_out *out) {
    bool some = s->runs && (s->drains || reads_left(s));
    uint64_t at = number(s, out->next_bank, out->next_row, out->next_column);
    if (some != (out->next_valid & 1))
        return "the channel is not shown just when a burst is next";
    if (some && (at != wanted(s) || out->next_write != s->drains))
        return "the channel is shown another burst";
    return NULL;
}

/* The burst that must come next, and on to the one behind it. */
static const char *burst(struct nda_control_stim *s,
                         const struct nda_control_out *out) {
    uint64_t rest = s->length - s->batch;
    uint64_t part =
        rest < (uint64_t)s->size.BATCH ? rest : (uint64_t)s->size.BATCH;
    uint64_t at = number(s, out->seen_bank, out->seen_row, out->seen_column);
    uint64_t want = wanted(s);
    s->bursts++;
    s->last_event = s->base.now;
    if (!s->runs || (!s->drains && !reads_left(s)))
        return "a burst of no operation";
    if (at != want || (out->seen_kind == DRAM_WR) != s->drains)
        return stim_complain(
            &s->base, "a %s of burst %" PRIx64 ", expected a %s of %" PRIx64,
            out->seen_kind == DRAM_WR ? "write" : "read", at,
            s->drains ? "write" : "read", want);
    if (s->drains) {
        s->put++;
        s->drains = --s->waiting > 0;
        return NULL;
    }
    if (s->operand == reads_of(s->op) - 1 && target_of(s->op) >= 0)
        s->waiting++;
    if (++s->i == part) {
        s->i = 0;
        if (++s->operand == reads_of(s->op)) {
            s->operand = 0;
            s->batch += part;
        }
    }
    s->drains = s->waiting == (uint64_t)s->size.BUFFER ||
                (s->waiting > 0 && !reads_left(s));
    return NULL;
}

/* The processing element has had its time since the read before. */
static const char *apart(struct nda_control_stim *s, bool read) {
    uint64_t now = s->base.now + 1, since = now - s->last_read;
    int least = read ? s->size.PACE : s->size.RESULT;
    bool early = s->last_read && since < (uint64_t)least;

    if (early)
        return stim_complain(&s->base,
                             "a %s %" PRIu64
                             " edges after a read, expected %d or more",
                             read ? "read" : "write", since, least);
    if (read)
        s->last_read = now;
    return NULL;
}

static const char *near(struct nda_control_stim *s,
                        const struct nda_control_out *out) {
    struct dram_command c = {.cycle = (int64_t)s->base.now,
                             .kind = (enum dram_kind)out->seen_kind,
                             .nda = true,
                             .group = s->size.GROUPS - 1,
                             .bank = (int)out->seen_bank,
                             .row = (int)out->seen_row,
                             .column = (int)out->seen_column};
    const char *wrong;
    if (!out->seen_valid)
        return NULL;
    wrong = rank_host_take(&s->host, &c);
    if (!wrong && (c.kind == DRAM_RD || c.kind == DRAM_WR))
        wrong = apart(s, c.kind == DRAM_RD);
    if (!wrong && (c.kind == DRAM_RD || c.kind == DRAM_WR))
        wrong = burst(s, out);
    return wrong;
}

/* Not what was held back on the edge. */
static const char *held(const struct nda_control_stim *s,
                        const struct nda_control_in *in,
                        const struct nda_control_out *out) {
    enum dram_kind kind = (enum dram_kind)out->seen_kind;
    int bank = s->size.BANKS - 1 - (int)out->seen_bank;
    bool row = kind == DRAM_ACT || kind == DRAM_PRE;
    if (!out->seen_valid)
        return NULL;
    if (s->gives || in->held_all)
        return "a command on an edge that is the host's";
    if (kind == DRAM_WR && in->held_writes)
        return "a write that is held back";
    if (kind == DRAM_RD && in->held_reads)
        return "a read that is held back";
    return row && in->held_rows >> bank & 1 ? "a row command that is held back"
                                            : NULL;
}

/* The end near memory does what this one did so many edges before. */
static const char *ends(struct nda_control_stim *s,
                        const struct nda_control_out *out, bool ended) {
    uint64_t now = s->base.now, before = now - (uint64_t)s->size.DELAY;
    const struct nda_control_out *was = &s->line[before % LINE];
    s->line[now % LINE] = *out;
    s->ended[now % LINE] = ended;
    if (out->state_differs || was->seen_valid != out->ndc_valid ||
        was->seen_kind != out->ndc_kind || was->seen_bank != out->ndc_bank ||
        was->seen_row != out->ndc_row || was->seen_column != out->ndc_column)
        return "the ends are not the same";
    if (s->ended[before % LINE] != (out->state_done & 1))
        return "the end of an operation is not shown where it is near memory";
    return NULL;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct nda_control_stim *s = (struct nda_control_stim *)base;
    const struct nda_control_in *in = in_ports;
    const struct nda_control_out *before = before_ports, *out = after_ports;
    const char *wrong = NULL;

    if (s->gives) {
        wrong = rank_host_take(&s->host, &s->given);
        if (s->given.kind == DRAM_REF)
            s->host.refreshes = false;
    }
    bool ended = before->state_busy && !out->state_busy;
    if (!wrong)
        wrong = held(s, in, out);
    if (!wrong)
        wrong = near(s, out);
    if (!wrong)
        wrong = ends(s, out, ended);
    if (!wrong && s->runs &&
        (out->state_waits != s->waiting || out->state_drains != s->drains))
        wrong = "the write buffer holds something else";
    if (!wrong && ended) {
        if (!s->runs || reads_left(s) || s->drains)
            wrong = "an operation ends before its time";
        s->runs = false;
        s->operations++;
    }
    if (in->launch_valid && before->launch_ready) {
        s->offers = false;
        s->runs = true;
        s->last_event = base->now;
    }
    if (!wrong && out->state_busy != s->runs)
        wrong = "busy does not say whether an operation is under way";
    if (!wrong)
        wrong = next(s, out);
    if (in->held_all || in->held_reads || in->held_writes || in->held_rows ||
        s->gives)
        s->last_event = base->now;
    if (!wrong && s->runs && base->now - s->last_event > PATIENCE)
        wrong = "nothing goes on";
    return wrong;
}

/* --- life ----------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct nda_control_stim *s = (struct nda_control_stim *)base;
    s->size = nda_control_local(c);
    rank_host_open(&s->host, &base->design->config, s->size.GROUPS,
                   s->size.BANKS, s->size.OWN_BANKS);
    base->reset_every = 30000;
}

static void close(struct stim *base) {
    rank_host_close(&((struct nda_control_stim *)base)->host);
}

static void reset(struct stim *base) {
    struct nda_control_stim *s = (struct nda_control_stim *)base;
    rank_host_restart(&s->host);
    s->offers = s->runs = s->gives = false;
    memset(s->line, 0, sizeof s->line);
    memset(s->ended, 0, sizeof s->ended);
    s->last_read = 0;
    s->last_event = base->now;
}

static void report(struct stim *base, struct text *t) {
    const struct nda_control_stim *s = (const struct nda_control_stim *)base;
    text_printf(t, "operations\t%" PRIu64 "\n", s->operations);
    text_printf(t, "accelerator's bursts\t%" PRIu64 "\n", s->bursts);
    text_printf(t, "commands checked\t%" PRIu64 "\n", s->host.commands);
}

const struct stim_class nda_control_stim = {
    .size = sizeof(struct nda_control_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

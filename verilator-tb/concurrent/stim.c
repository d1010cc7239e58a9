/* stim.c - stimulus of a channel with an accelerator in each rank: a host that
 * sends requests and launches operations, and the memory.
 *
 * The memory gets a machine's command when it decides it, and the host's an
 * edge after it was decided, which is when the machines see it; in this order
 * all of them go through the checker of dram/check.c.  Each request is answered
 * once, with its place.  Operations are those of operations.h, banks of the
 * ranks those of nda_rank/accelerator.h.  The host's data are not looked at.
 *
 * random    operations, lengths, a host that is busy or not
 * directed  operations of about one and two batches beside reads and writes of
 *           the host, and without them
 * replay    the step of SVRG of a run description (svrg.h), beside a host that
 *           reads and writes; its words must be those of plain loops
 */
#include "stim.h"

#include "base/bits.h"
#include "blocks/concurrent.h"
#include "blocks/dram_channel.h"
#include "blocks/nda_window.h"
#include "iface/system.h"
#include "kit/rows.h"
#include "operations.h"
#include "svrg.h"

#include <inttypes.h>
#include <string.h>

enum { MOST = 64 };
enum { PATIENCE = 250000 }; /* edges without anything that goes on */

struct tune {
    int send, write, own; /* percent: edges with a request, of these writes, in
                             the accelerator's bank */
    int rows;             /* in use of a bank */
    int op, done; /* percent of edges: with an operation, an end taken */
};

struct request {
    bool there, write;
    uint64_t id, rank, group, bank, row, column;
};

/* A rank's accelerator, and where its ports stand. */
struct rank {
    size_t buffer_in, buffer_out, control_out;
    struct accelerator accelerator;
};

struct concurrent_stim {
    struct stim base;
    struct dram_channel_local size;
    uint32_t own_banks; /* of the accelerators: the last of a rank */
    const struct config *config;
    struct master registers; /* the channel's part of the bus */
    struct dram_checker *checker;
    char broken[300];
    size_t channel_in, channel_out;
    struct tune tune;
    struct rows used;
    int left;
    uint64_t script;
    struct request offered, waiting[MOST];
    int n;
    struct dram_command host; /* decided on the edge before */
    bool gives;
    uint64_t requests, commands, last_leave;
    struct rank rank[OPERATIONS_RANKS];
    size_t launch_in, launch_out, window_out;
    struct operations operations;
};

/* --- phases --------------------------------------------------------------- */

static void step_random(struct stim *base) {
    static const int rates[] = {100, 40, 15, 5, 1, 0};
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    s->tune = (struct tune){.send = rates[rng_below(r, 6)],
                            .write = rng_range(r, 0, 3) * 33,
                            .own = rng_range(r, 0, 3) * 10,
                            .rows = rng_range(r, 1, 4),
                            .op = rates[rng_below(r, 4)],
                            .done = rates[rng_below(r, 6)]};
    s->left = rng_range(r, 1000, 6000);
    rows_draw(&s->used, r, s->size.ROW_W);
    master_set(&s->registers, DRAM_CHANNEL_SET_throttle, rng_below(r, 3));
    master_set(&s->registers, DRAM_CHANNEL_SET_chance, 2 + rng_below(r, 15));
}

static void step_directed(struct stim *base) {
    static const struct tune script[] = {
        /* send write own rows op done */
        {0, 0, 0, 1, 100, 100},    /* accelerators alone */
        {3, 0, 0, 2, 100, 100},    /* beside a host that reads */
        {3, 50, 0, 2, 100, 100},   /* and writes */
        {100, 33, 0, 2, 100, 100}, /* as much as it can */
        {5, 33, 20, 4, 100, 100},  /* in the accelerators' banks, too */
    };
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    if (s->left-- > 0)
        return;
    s->tune = script[s->script++ % (sizeof script / sizeof *script)];
    s->left = 4000;
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};

/* --- a step of SVRG ------------------------------------------------------- */

static bool open_replay(struct stim *base) {
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    if (!base->options->run) {
        diag_error(base->diag, (struct place){0},
                   "a channel with accelerators replays a step of SVRG, "
                   "expected RUN=kernels/svrg/svrg.yml");
        return false;
    }
    base->script = svrg_open(base, &s->operations);
    s->tune = (struct tune){
        .send = 5, .write = 33, .own = 0, .rows = 3, .op = 0, .done = 100};
    return base->script != NULL;
}

static void close_replay(struct stim *base) {
    svrg_close(base->script);
}

static void reset_replay(struct stim *base) {
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    uint64_t *memory[OPERATIONS_RANKS];
    for (int r = 0; r < OPERATIONS_RANKS; r++)
        memory[r] = s->rank[r].accelerator.memory;
    svrg_restart(base->script, memory);
}

/* Over and over, unless it is wanted once. */
static void step_replay(struct stim *base) {
    if (svrg_is_over(base->script) && !base->options->whole)
        reset_replay(base);
    svrg_drive(base->script);
}

static enum stim_state replay_state(const struct stim *base) {
    return base->options->whole && svrg_is_over(base->script) ? STIM_OVER
                                                              : STIM_GOING;
}

static void report_replay(struct stim *base, struct text *t) {
    svrg_report(base->script, t);
}

static const struct stim_mode replay_mode = {.name = "replay",
                                             .measures = true,
                                             .open = open_replay,
                                             .close = close_replay,
                                             .step = step_replay,
                                             .reset = reset_replay,
                                             .state = replay_state,
                                             .report = report_replay};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                &replay_mode, NULL};

/* --- the host ------------------------------------------------------------- */

/* A place in the accelerators' banks, now and then in a row that one needs. */
static void place_own(struct concurrent_stim *s, struct request *q) {
    const struct dram_channel_local *l = &s->size;
    struct rng *r = &s->base.rng;
    const struct accelerator *k = &s->rank[q->rank].accelerator;
    uint64_t at = k->op.base[rng_below(r, 2)];
    uint64_t which = at >> (l->COL_W + l->ROW_W);
    q->group = (uint64_t)l->GROUPS - 1;
    q->bank = (uint64_t)l->BANKS - 1 - rng_below(r, s->own_banks);
    if (!rng_percent(r, 30) || which >= s->own_banks)
        return;
    q->bank = (uint64_t)l->BANKS - s->own_banks + which;
    q->row = at >> l->COL_W & ones(l->ROW_W);
}

static struct request new_request(struct concurrent_stim *s) {
    const struct dram_channel_local *l = &s->size;
    struct rng *r = &s->base.rng;
    bool own = rng_percent(r, s->tune.own);
    uint64_t slot = rng_below(r, (uint32_t)l->SLOTS - s->own_banks);
    int row = (int)rng_below(r, (uint32_t)s->tune.rows);
    struct request q = {.there = true,
                        .write = rng_percent(r, s->tune.write),
                        .id = s->requests++ & ones(l->ID_W),
                        .rank = rng_below(r, (uint32_t)l->RANKS),
                        .group = slot / (uint64_t)l->BANKS,
                        .bank = slot % (uint64_t)l->BANKS,
                        .row = rows_at(&s->used, row),
                        .column = rng_next(r) & ones(l->COL_W)};
    if (own)
        place_own(s, &q);
    return q;
}

static void drive(struct stim *base, void *ports) {
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    struct dram_channel_in *in = (void *)((char *)ports + s->channel_in);
    struct request *q = &s->offered;

    if (!q->there && rng_percent(&base->rng, s->tune.send))
        *q = new_request(s);
    in->req_valid = q->there;
    in->req_write = q->there && q->write;
    in->req_urgent = q->there && q->write && q->id % 4 == 0;
    in->req_id = q->there ? q->id : 0;
    in->req_rank = q->there ? q->rank : 0;
    in->req_group = q->there ? q->group : 0;
    in->req_bank = q->there ? q->bank : 0;
    in->req_row = q->there ? q->row : 0;
    in->req_column = q->there ? q->column : 0;
    for (int r = 0; r < s->size.RANKS; r++)
        accelerator_drive(&s->rank[r].accelerator,
                          (void *)((char *)ports + s->rank[r].buffer_in), 0, 0);
    operations_drive(&s->operations, s->tune.op, s->tune.done);
    if (rng_below(&base->rng, 8000) == 0)
        master_clear(&s->registers);
}

/* --- commands ------------------------------------------------------------- */

static void told(void *ctx, const struct dram_violation *v) {
    struct concurrent_stim *s = ctx;
    if (*s->broken)
        return;
    snprintf(s->broken, sizeof s->broken,
             "%s%s to rank %d group %d bank %d breaks '%s': %" PRId64
             " cycles, expected %" PRId64,
             v->command->nda ? "an accelerator's " : "the host's ",
             dram_kind_name(v->command->kind), v->command->rank,
             v->command->group, v->command->bank, dram_check_name(v->check),
             v->cycles, v->expected);
}

static const char *check(struct concurrent_stim *s,
                         const struct dram_command *c) {
    s->commands++;
    *s->broken = '\0';
    return dram_checker_take(s->checker, c) ? NULL : s->broken;
}

/* A request's column command: it leaves. */
static const char *answer(struct concurrent_stim *s,
                          const struct dram_channel_out *out) {
    int i = 0;
    while (i < s->n && (s->waiting[i].id != out->cmd_id ||
                        s->waiting[i].rank != out->cmd_rank ||
                        s->waiting[i].group != out->cmd_group ||
                        s->waiting[i].bank != out->cmd_bank ||
                        s->waiting[i].row != out->cmd_row ||
                        s->waiting[i].column != out->cmd_column ||
                        s->waiting[i].write != (out->cmd_kind == DRAM_WR)))
        i++;
    if (i == s->n)
        return stim_complain(&s->base, "no request %" PRIu64 " waits there",
                             out->cmd_id);
    s->n--;
    memmove(&s->waiting[i], &s->waiting[i + 1],
            (size_t)(s->n - i) * sizeof s->waiting[0]);
    s->last_leave = s->base.now;
    return NULL;
}

/* What the host decided on the edge before is in memory on this one. */
static const char *watch_host(struct concurrent_stim *s,
                              const struct dram_channel_out *out) {
    static const int counts[DRAM_KINDS] = {
        [DRAM_ACT] = DRAM_CHANNEL_CNT_rows,
        [DRAM_PRE] = DRAM_CHANNEL_CNT_conflicts,
        [DRAM_PREA] = -1,
        [DRAM_RD] = DRAM_CHANNEL_CNT_reads,
        [DRAM_WR] = DRAM_CHANNEL_CNT_writes,
        [DRAM_REF] = DRAM_CHANNEL_CNT_refreshes};
    const char *wrong = s->gives ? check(s, &s->host) : NULL;

    if (out->cmd_valid && counts[out->cmd_kind & 7] >= 0)
        s->registers.count[counts[out->cmd_kind & 7]]++;
    s->gives = out->cmd_valid;
    s->host = (struct dram_command){.cycle = (int64_t)s->base.now + 1,
                                    .kind = (enum dram_kind)out->cmd_kind,
                                    .rank = (int)out->cmd_rank,
                                    .group = (int)out->cmd_group,
                                    .bank = (int)out->cmd_bank,
                                    .row = (int)out->cmd_row,
                                    .column = (int)out->cmd_column};
    if (!wrong && s->gives &&
        (s->host.kind == DRAM_RD || s->host.kind == DRAM_WR))
        wrong = answer(s, out);
    return wrong;
}

/* Rank r's machine decides what the channel decided for it an edge before. */
static const char *watch_machine(struct concurrent_stim *s, int r,
                                 const struct dram_channel_out *channel,
                                 const struct nda_control_out *out) {
    struct accelerator *k = &s->rank[r].accelerator;
    const struct dram_channel_local *l = &s->size;
    struct dram_command c = accelerator_decided(k, out);
    bool valid = channel->ndc_valid >> r & 1;
    if (!accelerator_ends_agree(k, out))
        return "the ends are not the same";
    if (valid != (out->seen_valid & 1) ||
        (valid &&
         ((channel->ndc_kind >> 3 * r & 7) != out->seen_kind ||
          (channel->ndc_bank >> r * l->BANK_W & ones(l->BANK_W)) !=
              out->seen_bank ||
          bits_get(channel->ndc_row, r * l->ROW_W, l->ROW_W) != out->seen_row)))
        return "the machine does not do what the channel decided";
    return out->seen_valid ? check(s, &c) : NULL;
}

/* Which counters the accelerators' commands move: any of the ranks. */
static void count_near(struct concurrent_stim *s,
                       const struct dram_channel_out *out) {
    bool read = false, write = false;

    for (int r = 0; r < s->size.RANKS; r++) {
        uint64_t kind = out->ndc_kind >> 3 * r & 7;
        bool valid = out->ndc_valid >> r & 1;
        read |= valid && kind == DRAM_RD;
        write |= valid && kind == DRAM_WR;
    }
    s->registers.count[DRAM_CHANNEL_CNT_nda_reads] += read;
    s->registers.count[DRAM_CHANNEL_CNT_nda_writes] += write;
}

static const char *watch_rank(struct concurrent_stim *s, int r, const char *in,
                              const char *before, const char *after) {
    struct rank *at = &s->rank[r];
    struct accelerator *k = &at->accelerator;
    const struct nda_buffer_in *i = (const void *)(in + at->buffer_in);
    const struct nda_buffer_out *o = (const void *)(before + at->buffer_out);
    const char *wrong =
        watch_machine(s, r, (const void *)(before + s->channel_out),
                      (const void *)(after + at->control_out));

    if (!wrong && i->packet_valid && o->packet_ready)
        wrong = operations_packet(&s->operations, r, k);
    if (!wrong)
        wrong =
            accelerator_watch(k, i, o, (const void *)(after + at->buffer_out));
    if (o->ended_valid && i->ended_ready)
        operations_ended(&s->operations, r, k);
    /* a host that always has something to read holds it for as long */
    if (!wrong && s->tune.send < 100 && k->runs &&
        s->base.now - k->last_event > PATIENCE)
        wrong = "an accelerator does not go on";
    return wrong;
}

static const char *watch_operations(struct concurrent_stim *s, const char *in,
                                    const char *before, const char *after) {
    struct operations *o = &s->operations;
    const struct nda_launch_in *i = (const void *)(in + s->launch_in);
    const struct nda_launch_out *b = (const void *)(before + s->launch_out);
    const struct nda_window_out *w = (const void *)(after + s->window_out);
    const char *wrong =
        operations_watch(o, i, b, (const void *)(after + s->launch_out));

    operations_software(o, w->notice);
    if (!wrong && s->base.script)
        wrong = svrg_watch(s->base.script, i, b);
    if (!wrong && s->tune.send < 100 && s->base.now - o->last_event > PATIENCE)
        wrong = "the operations do not go on";
    return wrong;
}

static const char *watch(struct stim *base, const void *in_ports,
                         const void *before_ports, const void *after_ports) {
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    const struct dram_channel_in *in =
        (const void *)((const char *)in_ports + s->channel_in);
    const struct dram_channel_out
        *before = (const void *)((const char *)before_ports + s->channel_out),
        *after = (const void *)((const char *)after_ports + s->channel_out);
    const char *wrong = watch_host(s, after);

    count_near(s, after);
    for (int r = 0; r < s->size.RANKS && !wrong; r++)
        wrong = watch_rank(s, r, in_ports, before_ports, after_ports);
    if (!wrong)
        wrong = watch_operations(s, in_ports, before_ports, after_ports);
    if (in->req_valid && before->req_ready) {
        s->waiting[s->n++] = s->offered;
        s->offered.there = false;
    }
    if (s->n == 0)
        s->last_leave = base->now;
    if (!wrong && base->now - s->last_leave > PATIENCE / 4)
        wrong = "the host's requests do not go on";
    return wrong;
}

/* --- life ----------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    struct design *d = base->design;

    s->size = dram_channel_local(c);
    s->own_banks = (uint32_t)c->accelerator_banks;
    s->config = &d->config;
    for (int i = 0; i < system_n(d); i++) {
        const struct system_part *at = system_instance(d, i);
        int first = system_index(d, at->group, -1);
        struct rank *k = &s->rank[i - first];
        if (strcmp(at->group, "channel") == 0) {
            s->channel_in = at->in_offset;
            s->channel_out = at->out_offset;
            master_add(&base->master, &s->registers, at->design,
                       (uint32_t)at->region << system_offset_bits(d));
        } else if (strcmp(at->group, "buffer") == 0) {
            k->buffer_in = at->in_offset;
            k->buffer_out = at->out_offset;
        } else if (strcmp(at->group, "control") == 0) {
            k->control_out = at->out_offset;
        } else if (strcmp(at->group, "launch") == 0) {
            s->launch_in = at->in_offset;
            s->launch_out = at->out_offset;
        } else if (strcmp(at->group, "window") == 0) {
            s->window_out = at->out_offset;
            master_add(&base->master, &s->operations.window, at->design,
                       (uint32_t)at->region << system_offset_bits(d));
            s->operations.window.passes_over = true;
        }
    }
    for (int r = 0; r < s->size.RANKS; r++)
        accelerator_open(&s->rank[r].accelerator, base, c, r);
    operations_open(&s->operations, base, c);
    s->operations.directed = base->mode == &directed_mode;
    base->reset_every = 12000;
    base->wishbone = 20;
    s->checker = dram_checker_create(s->config, told, s);
}

static void close(struct stim *base) {
    struct concurrent_stim *s = (struct concurrent_stim *)base;
    dram_checker_free(s->checker);
    for (int r = 0; r < s->size.RANKS; r++)
        accelerator_close(&s->rank[r].accelerator);
}

static void reset(struct stim *base) {
    struct concurrent_stim *s = (struct concurrent_stim *)base;

    dram_checker_free(s->checker);
    s->checker = dram_checker_create(s->config, told, s);
    s->n = 0;
    s->offered.there = s->gives = false;
    s->last_leave = base->now;
    for (int r = 0; r < s->size.RANKS; r++)
        accelerator_reset(&s->rank[r].accelerator);
    operations_reset(&s->operations);
}

static void report(struct stim *base, struct text *t) {
    const struct concurrent_stim *s = (const struct concurrent_stim *)base;
    uint64_t packets = 0, bursts = 0;
    for (int r = 0; r < s->size.RANKS; r++) {
        packets += s->rank[r].accelerator.packets;
        bursts += s->rank[r].accelerator.bursts;
    }
    text_printf(t, "requests\t%" PRIu64 "\n", s->requests);
    text_printf(t, "commands checked\t%" PRIu64 "\n", s->commands);
    text_printf(t, "operations\t%" PRIu64 "\n", s->operations.taken);
    text_printf(t, "operations refused\t%" PRIu64 "\n", s->operations.refused);
    text_printf(t, "packets\t%" PRIu64 "\n", packets);
    text_printf(t, "accelerators' bursts\t%" PRIu64 "\n", bursts);
}

const struct stim_class concurrent_stim = {
    .size = sizeof(struct concurrent_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

/* stim.c - stimulus of the near-bank unit with its pipelines: a core whose
 * front end has programs of machine words, see env.h.
 *
 * random    phases with other rates, words, hints and policies
 * directed  operation after operation, on both dies
 */
#include "stim.h"

#include "base/arena.h"
#include "base/bits.h"
#include "core.h"
#include "iface/system.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct near_bank_stim *stim_of(struct stim *base) {
    return (struct near_bank_stim *)base;
}

static const void *part(const void *ports, size_t at) {
    return (const char *)ports + at;
}

static void *part_of(void *ports, size_t at) {
    return (char *)ports + at;
}

/* --- phases --------------------------------------------------------------- */

static void begin(struct near_bank_stim *s, int edges) {
    s->left = edges;
    if (s->tune.policy >= 0)
        master_set(&s->unit, DIES_SET_policy, (uint32_t)s->tune.policy);
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 30, 10, 3};
    struct near_bank_stim *s = stim_of(base);
    struct rng *r = &base->rng;
    if (s->left-- > 0)
        return;
    int far = rng_range(r, 0, 60);
    s->tune = (struct tune){
        .issue = rates[rng_below(r, 4)],
        .codes = rng_percent(r, 50) ? 2 : 20,
        .audits = rates[rng_below(r, 5)],
        .beats = rng_percent(r, 60) ? 0 : rates[rng_below(r, 5)],
        .few = rng_percent(r, 60) ? 0 : rng_range(r, 1, 3),
        .hot = rng_percent(r, 50) ? 0 : rng_range(r, 3, 6),
        .shared = rng_percent(r, 30) ? 0 : rng_range(r, 5, 60),
        .others = rng_percent(r, 30) ? 0 : rng_range(r, 5, 40),
        .guards = rng_range(r, 0, 60),
        .partial = rng_range(r, 0, 60),
        .hint = {far, rng_range(r, 0, 100 - far)},
        .latency = rng_range(r, 1, 20),
        .high = rng_range(r, 1, 8),
        .low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12),
        .policy = rng_percent(r, 60) ? (int)rng_below(r, 4) : -1,
    };
    begin(s, rng_range(r, 300, 3000));
}

static void step_directed(struct stim *base) {
    struct near_bank_stim *s = stim_of(base);
    if (s->left-- > 0)
        return;
    do
        s->turn = s->turn % (ISA_OPS - 1) + 1;
    while (!words_computed(s->turn) && !shared_is(s, s->turn));
    s->tune = (struct tune){
        .issue = 100,
        .codes = 50,
        .audits = 30,
        .op = shared_is(s, s->turn) ? ISA_movi : s->turn,
        .shared = shared_is(s, s->turn) ? 40 : 10,
        .others = 20,
        .guards = 25,
        .partial = 25,
        .hint = {30, 40},
        .latency = 8,
        .high = 4,
        .low = s->turn % 3,
        .policy = s->turn / 2 % 4,
    };
    begin(s, 500);
}

/* --- an edge -------------------------------------------------------------- */

static void open(struct stim *base, const struct config *c) {
    struct near_bank_stim *s = stim_of(base);
    struct design *d = base->design;
    for (int i = 0; i < NEAR_BANK_N_INSTANCES; i++) {
        const struct system_part *at = system_instance(d, i);
        s->in[i] = at->in_offset;
        s->out[i] = at->out_offset;
        if (at->region > 0)
            master_add(&base->master, &s->unit, at->design,
                       (uint32_t)at->region << system_offset_bits(d));
    }
    s->unit.passes_over = true;
    s->size = dies_local(c);
    s->far_set = c->nbu_far_set;
    s->near_set = c->nbu_near_set;
    s->patience = 10 * s->size.WARPS * (s->size.ROW_BEATS + 16);
    shared_open(s, near_pipe_local(c).SHARED, near_pipe_local(c).ALUS);
    size_t n = (size_t)(s->size.WARPS * s->size.REGS);
    s->code = xcalloc((size_t)1 << s->size.TAG_W, sizeof *s->code);
    s->truth = xcalloc(n, sizeof *s->truth);
    s->far = xcalloc(n, sizeof *s->far);
    s->near = xcalloc(n, sizeof *s->near);
    for (size_t i = 0; i < n; i++)
        for (int l = 0; l < s->size.LANES; l++)
            s->far[i].lane[l] = (uint32_t)rng_next(&base->rng);
    for (size_t i = 0; s->shares && i < n; i += 2)
        shared_addresses(s, &s->far[i]);
    for (size_t i = 0; i < n; i++)
        if (values_is_pred(s, i % (size_t)s->size.REGS))
            s->far[i] = (struct row){
                {s->far[i].lane[0] & (uint32_t)ones(s->size.LANES)}};
    base->reset_every = 3 * s->patience;
    base->wishbone = 5;
}

static void close(struct stim *base) {
    struct near_bank_stim *s = stim_of(base);
    free(s->code);
    free(s->truth);
    free(s->far);
    free(s->near);
    shared_close(s);
}

/* The far copies are the valid ones. */
static void reset(struct stim *base) {
    struct near_bank_stim *s = stim_of(base);
    size_t n = (size_t)(s->size.WARPS * s->size.REGS);
    memcpy(s->truth, s->far, n * sizeof *s->truth);
    memset(s->near, 0, n * sizeof *s->near);
    shared_reset(s);
    memset(s->flight, 0, sizeof s->flight);
    memset(&s->shown, 0, sizeof s->shown);
    s->offering = false;
    s->completing = NULL;
    s->ready = 0;
    rows_reset(s);
}

static void drive(struct stim *base, void *ports) {
    struct near_bank_stim *s = stim_of(base);
    struct dies_in *unit = part_of(ports, s->in[NEAR_BANK_unit]);
    struct near_pipe_in *pipes = part_of(ports, s->in[NEAR_BANK_pipes]);
    unit->issue_valid = unit->far_done_valid = unit->far_data_valid = 0;
    unit->lsu_down_valid = unit->lsu_up_valid = 0;
    pipes->code_valid = pipes->fetch_valid = pipes->load_valid = 0;
    pipes->window_valid = 0;
    if (base->rst_left > 0) { /* an access that reset has to pass over */
        if (rng_percent(&base->rng, 20))
            master_set(&s->unit, DIES_SET_policy, rng_below(&base->rng, 4));
        return;
    }
    core_drive_code(s, pipes);
    core_drive_issue(s, unit);
    core_drive_far(s, unit);
    rows_drive(s, unit, pipes);
    pipes->window_valid = shared_window(
        s, &pipes->window_warp, &pipes->window_base, &pipes->window_rows);
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct near_bank_stim *s = stim_of(base);
    const struct core_edge e = {part(in, s->in[NEAR_BANK_unit]),
                                part(before, s->out[NEAR_BANK_unit]),
                                part(after, s->out[NEAR_BANK_unit]),
                                part(in, s->in[NEAR_BANK_pipes]),
                                part(before, s->out[NEAR_BANK_pipes]),
                                part(after, s->out[NEAR_BANK_pipes])};
    rows_watch(s, &e);
    core_watch(s, &e);
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct near_bank_stim *s = stim_of(base);
    text_printf(t, "committed_far\t%" PRIu64 "\n", s->commits[FAR]);
    text_printf(t, "committed_near\t%" PRIu64 "\n", s->commits[NEAR]);
    text_printf(t, "rows_up\t%" PRIu64 "\n", s->moves[FAR]);
    text_printf(t, "rows_down\t%" PRIu64 "\n", s->moves[NEAR]);
    text_printf(t, "rows_stored\t%" PRIu64 "\n", s->stores);
    text_printf(t, "rows_loaded\t%" PRIu64 "\n", s->loads);
    text_printf(t, "shared_accesses\t%" PRIu64 "\n", s->accesses);
    text_printf(t, "rows_looked_at\t%" PRIu64 "\n", s->audits);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class near_bank_stim = {
    .size = sizeof(struct near_bank_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

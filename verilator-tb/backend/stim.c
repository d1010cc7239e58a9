/* stim.c - stimulus of a core behind its front end, see env.h.
 *
 * random    phases with other rates, words, hints and policies
 * directed  operation after operation, among loads and stores
 */
#include "stim.h"

#include "base/arena.h"
#include "base/bits.h"
#include "env.h"
#include "iface/system.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 8 }; /* warps that take part at once; of more a few */

static struct backend_stim *stim_of(struct stim *base) {
    return (struct backend_stim *)base;
}

static const void *part(const void *ports, size_t at) {
    return (const char *)ports + at;
}

static void *part_of(void *ports, size_t at) {
    return (char *)ports + at;
}

/* --- phases --------------------------------------------------------------- */

/* All is at rest: other groups of memory, another bound, another policy. */
static void begin(struct backend_stim *s) {
    struct rng *r = &s->nb.base.rng;
    uint32_t few = (uint32_t)s->nb.tune.few;
    s->warps = s->nb.size.WARPS;
    if (few && few < (uint32_t)s->warps)
        s->warps = (int)few;
    s->bound = rng_percent(r, 50)   ? 0
               : rng_percent(r, 50) ? s->m.top << 2 & ones(32)
               : rng_percent(r, 50)
                   ? 256 + rng_below(r, (uint32_t)s->m.reach) * 4
                   : rng_next(r) & ones(32);
    memory_choose(s);
    s->stage = PREPARE;
    s->left = s->more.length;
    if (s->nb.tune.policy >= 0)
        master_set(&s->nb.unit, DIES_SET_policy, (uint32_t)s->nb.tune.policy);
}

static bool has_rested(struct backend_stim *s) {
    bool rests = !program_begins(s) && memory_rests(s);
    for (int w = 0; w < s->nb.size.WARPS; w++)
        rests = rests && core_rests(&s->nb, w);
    return rests;
}

/* True when the next phase may begin. */
static bool step(struct backend_stim *s) {
    switch (s->stage) {
    case PREPARE:
        if (memory_prepared(s) && !program_begins(s))
            s->stage = RUN;
        break;
    case RUN:
        if (--s->left <= 0)
            s->stage = REST;
        break;
    case REST:
        if (has_rested(s)) {
            memory_look(s);
            s->stage = LOOK;
        }
        break;
    default:
        return s->look == 0 && memory_rests(s);
    }
    return false;
}

/* Of a core of many warps a few: the others would be prepared for nothing. */
static int some_few(struct backend_stim *s) {
    struct rng *r = &s->nb.base.rng;
    bool many = s->nb.size.WARPS > MANY;
    return many                 ? rng_range(r, 1, 4)
           : rng_percent(r, 50) ? 0
                                : rng_range(r, 1, 4);
}

static void step_random(struct stim *base) {
    static const int rates[] = {100, 60, 30, 10, 3};
    struct backend_stim *s = stim_of(base);
    struct rng *r = &base->rng;
    if (s->warps > 0 && !step(s))
        return;
    int far = rng_range(r, 0, 60);
    bool near = rng_percent(r, 35); /* mostly messages */
    s->nb.tune = (struct tune){
        .issue = rates[rng_below(r, 4)],
        .codes = rng_percent(r, 50) ? 5 : 30,
        .few = some_few(s),
        .hot = rng_percent(r, 60) ? 0 : rng_range(r, 5, 7),
        .shared = rng_percent(r, 50) ? 0 : rng_range(r, 5, 40),
        .guards = rng_range(r, 0, near ? 5 : 50),
        .partial = rng_range(r, 0, near ? 5 : 50),
        .hint = {far, rng_range(r, 0, 100 - far)},
        .policy = rng_percent(r, 60) ? (int)rng_below(r, 4) : -1,
    };
    s->more = (struct tune_more){
        .desk = rng_percent(r, 20) ? 0 : rng_range(r, 5, 40),
        .accesses = rng_range(r, 5, 60),
        .illegal = rng_percent(r, 60) ? 0 : rng_range(r, 1, 10),
        .parts = near || rng_percent(r, 40) ? 0 : rng_range(r, 2, 60),
        .wild = near || rng_percent(r, 50) ? 0 : rng_range(r, 1, 30),
        .near = near ? 90 : 10,
        .renew = rates[2 + rng_below(r, 3)],
        .host = rng_percent(r, 50) ? 0 : rates[rng_below(r, 5)],
        .slow = rng_range(r, 1, 80),
        .high = rng_range(r, 1, 8),
        .low = rng_percent(r, 50) ? 0 : rng_range(r, 1, 12),
        .looks = rng_range(r, 10, 120),
        .length = rng_range(r, 500, 4000),
    };
    begin(s);
}

static void step_directed(struct stim *base) {
    struct backend_stim *s = stim_of(base);
    if (s->warps > 0 && !step(s))
        return;
    do
        s->nb.turn = s->nb.turn % (ISA_OPS - 1) + 1;
    while (!words_computed(s->nb.turn) && !shared_is(&s->nb, s->nb.turn));
    bool shared = shared_is(&s->nb, s->nb.turn);
    s->nb.tune = (struct tune){
        .issue = 100,
        .codes = 50,
        .few = s->nb.size.WARPS > MANY ? 2 : 4,
        .op = shared ? ISA_movi : s->nb.turn,
        .shared = shared ? 40 : 10,
        .guards = 25,
        .partial = 25,
        .hint = {30, 40},
        .policy = s->nb.turn / 2 % 4,
    };
    s->more = (struct tune_more){
        .desk = 15,
        .accesses = 40,
        .illegal = s->nb.turn % 4 ? 0 : 5,
        .parts = s->nb.turn % 3 ? 0 : 30,
        .wild = s->nb.turn % 3 ? 0 : 20,
        .near = s->nb.turn % 2 ? 80 : 10,
        .renew = 30,
        .host = 10,
        .slow = 20,
        .high = 4,
        .low = s->nb.turn % 3,
        .looks = 30,
        .length = 600,
    };
    begin(s);
}

/* --- an edge -------------------------------------------------------------- */

static void open_near(struct backend_stim *s, const struct config *c) {
    struct near_bank_stim *n = &s->nb;
    size_t rows;
    n->unit.passes_over = true;
    n->size = dies_local(c);
    n->far_set = c->nbu_far_set;
    n->near_set = c->nbu_near_set;
    rows = (size_t)(n->size.WARPS * n->size.REGS);
    n->code = xcalloc((size_t)1 << n->size.TAG_W, sizeof *n->code);
    n->truth = xcalloc(rows, sizeof *n->truth);
    n->far = xcalloc(rows, sizeof *n->far);
    n->near = xcalloc(rows, sizeof *n->near);
    s->vague = xcalloc(rows, sizeof *s->vague);
    struct far_pipe_local far = far_pipe_local(c);
    struct near_pipe_local near = near_pipe_local(c);
    s->shared_far = far.SHARED > 0;
    shared_open(n, s->shared_far ? far.SHARED : near.SHARED,
                s->shared_far ? far.ALUS : near.ALUS);
}

static void open(struct stim *base, const struct config *c) {
    struct backend_stim *s = stim_of(base);
    struct design *d = base->design;
    for (int i = 0; i < BACKEND_N_INSTANCES; i++) {
        const struct system_part *at = system_instance(d, i);
        s->in[i] = at->in_offset;
        s->out[i] = at->out_offset;
        if (at->region > 0)
            master_add(&base->master, &s->nb.unit, at->design,
                       (uint32_t)at->region << system_offset_bits(d));
    }
    open_near(s, c);
    s->desk = base_open(c);
    memory_open(s, c);
    int rows = 15 * MANY * (s->nb.size.ROW_BEATS + 16);
    /* an atomic whose lanes are in sectors apart loads and stores each */
    s->nb.patience = rows + 3 * MANY * 150 * s->nb.size.LANES;
    base->reset_every = 6 * rows;
    base->wishbone = 5;
}

static void close(struct stim *base) {
    struct backend_stim *s = stim_of(base);
    free(s->nb.code);
    free(s->nb.truth);
    free(s->nb.far);
    free(s->nb.near);
    free(s->vague);
    shared_close(&s->nb);
    base_close(s->desk);
    memory_close(s);
}

/* Nobody knows what the files hold: warps begin again. */
static void reset(struct stim *base) {
    struct backend_stim *s = stim_of(base);
    size_t n = (size_t)(s->nb.size.WARPS * s->nb.size.REGS);
    memory_reset(s);
    memset(s->nb.near, 0, n * sizeof *s->nb.near);
    shared_reset(&s->nb);
    memset(s->nb.flight, 0, sizeof s->nb.flight);
    memset(&s->nb.shown, 0, sizeof s->nb.shown);
    s->nb.offering = false;
    s->nb.completing = NULL;
    s->nb.ready = 0;
    rows_reset(&s->nb);
    program_reset(s);
    s->stage = PREPARE;
}

static void drive(struct stim *base, void *ports) {
    struct backend_stim *s = stim_of(base);
    struct dies_in *unit = part_of(ports, s->in[BACKEND_unit]);
    struct far_pipe_in *far = part_of(ports, s->in[BACKEND_far]);
    struct near_pipe_in *pipes = part_of(ports, s->in[BACKEND_pipes]);
    struct lsu_rmw_in *rmw = part_of(ports, s->in[BACKEND_rmw]);
    struct lsu_hybrid_in *hybrid = part_of(ports, s->in[BACKEND_hybrid]);
    struct lsu_link_in *link = part_of(ports, s->in[BACKEND_link]);
    struct vault_in *banks = part_of(ports, s->in[BACKEND_banks]);
    unit->issue_valid = far->code_valid = far->param_valid = 0;
    far->value_valid = rmw->init_valid = link->other_valid = 0;
    pipes->code_valid = banks->win_valid = 0;
    pipes->window_valid = far->window_valid = 0;
    hybrid->at_core = rmw->at_core = s->m.core;
    if (base->rst_left > 0) { /* an access that reset has to pass over */
        if (rng_percent(&base->rng, 20))
            master_set(&s->nb.unit, DIES_SET_policy, rng_below(&base->rng, 4));
        return;
    }
    program_drive(s, unit, far, rmw, pipes);
    memory_drive(s, hybrid, rmw, link, banks);
}

static const char *watch(struct stim *base, const void *in, const void *before,
                         const void *after) {
    struct backend_stim *s = stim_of(base);
    struct edge e = {
        .core = {part(in, s->in[BACKEND_unit]),
                 part(before, s->out[BACKEND_unit]),
                 part(after, s->out[BACKEND_unit]),
                 part(in, s->in[BACKEND_pipes]),
                 part(before, s->out[BACKEND_pipes]),
                 part(after, s->out[BACKEND_pipes])},
        .far_in = part(in, s->in[BACKEND_far]),
        .far_before = part(before, s->out[BACKEND_far]),
        .far_after = part(after, s->out[BACKEND_far]),
        .rmw_in = part(in, s->in[BACKEND_rmw]),
        .rmw_before = part(before, s->out[BACKEND_rmw]),
        .hybrid_in = part(in, s->in[BACKEND_hybrid]),
        .hybrid_before = part(before, s->out[BACKEND_hybrid]),
        .hybrid_after = part(after, s->out[BACKEND_hybrid]),
        .link_in = part(in, s->in[BACKEND_link]),
        .link_before = part(before, s->out[BACKEND_link]),
        .link_after = part(after, s->out[BACKEND_link]),
        .banks_in = part(in, s->in[BACKEND_banks]),
        .banks_before = part(before, s->out[BACKEND_banks]),
        .banks_after = part(after, s->out[BACKEND_banks]),
    };
    watch_edge(s, &e);
    return base->message[0] ? base->message : NULL;
}

static void report(struct stim *base, struct text *t) {
    const struct backend_stim *s = stim_of(base);
    text_printf(t, "committed_far\t%" PRIu64 "\n", s->nb.commits[FAR]);
    text_printf(t, "committed_near\t%" PRIu64 "\n", s->nb.commits[NEAR]);
    text_printf(t, "rows_up\t%" PRIu64 "\n", s->nb.moves[FAR]);
    text_printf(t, "rows_down\t%" PRIu64 "\n", s->nb.moves[NEAR]);
    text_printf(t, "rows_stored\t%" PRIu64 "\n", s->nb.stores);
    text_printf(t, "rows_loaded\t%" PRIu64 "\n", s->nb.loads);
    text_printf(t, "shared_accesses\t%" PRIu64 "\n", s->nb.accesses);
    text_printf(t, "messages\t%" PRIu64 "\n", s->near_accesses);
    text_printf(t, "split_accesses\t%" PRIu64 "\n", s->splits);
    text_printf(t, "parts_of_words\t%" PRIu64 "\n", s->parts);
    text_printf(t, "transactions_away\t%" PRIu64 "\n", s->aways);
    text_printf(t, "requests_of_parts_away\t%" PRIu64 "\n", s->parts_away);
    text_printf(t, "resolved\t%" PRIu64 "\n", s->resolved);
    text_printf(t, "faults\t%" PRIu64 "\n", s->faults);
    text_printf(t, "warps_begun\t%" PRIu64 "\n", s->renewed);
    text_printf(t, "words_looked_at\t%" PRIu64 "\n", s->looked);
}

static const struct stim_mode random_mode = {
    .name = "random", .resets = true, .step = step_random};
static const struct stim_mode directed_mode = {.name = "directed",
                                               .step = step_directed};
static const struct stim_mode *const modes[] = {&random_mode, &directed_mode,
                                                NULL};

const struct stim_class backend_stim = {
    .size = sizeof(struct backend_stim),
    .modes = modes,
    .open = open,
    .close = close,
    .reset = reset,
    .drive = drive,
    .watch = watch,
    .report = report,
};

/* run.c - the candidate instances that a kernel really executes.
 *
 * The run's buffers become the allocation table.  Then the unit sees what the
 * executor tells (kit/cand.h): an instance begins when a warp enters a
 * candidate block, each line that an access of the block touches is an access,
 * and the instance ends when the warp has left.  Warps of one CTA after the
 * other take the unit's warp numbers in turn.  When learning ends, all results
 * are asked for, and learning starts again, so that the whole run is seen; the
 * results of the last, unfinished part are asked for at the end.
 */
#include "env.h"

#include "kit/cand.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdlib.h>

/* Warp instructions before the executor goes to the next warp, so that
 * instances of several warps are open at a time; instances that are enough to
 * learn. */
enum { TURN = 8, LEARN = 32 };

enum stage { LOAD, START, WATCH, DRAIN, ASK, STOP };

struct run_replay {
    struct cand *cand;
    enum stim_state state;
    enum stage stage;
    bool ended; /* the executor has */

    ARRAY(struct ana_event) list;
    int head;     /* events from here on wait */
    uint32_t cta; /* the last one */
    bool any_cta;
    int base, cta_warps; /* its first warp number, and how many it takes */
    int query;           /* next to be asked */
    uint64_t quiet;      /* edge from which no event is under way */

    int n_ranges, touched;
    int best[64]; /* of the last learnings */
    uint64_t learned, passes, cycles;
    uint64_t scored, colocated; /* over all learnings, by the best mapping */
};

/* --- events --------------------------------------------------------------- */

static void push(struct run_replay *r, struct ana_event e) {
    if (r->head == r->list.n)
        r->head = r->list.n = 0;
    *array_push(&r->list) = e;
}

/* Each CTA takes the warp numbers behind those of the one before. */
static int number(struct ana_stim *s, struct run_replay *r,
                  const struct cand_instance *i) {
    if (!r->any_cta || i->cta != r->cta)
        r->base += r->cta_warps;
    r->any_cta = true;
    r->cta = i->cta;
    r->cta_warps = cand_cta_warps(r->cand);
    if (r->cta_warps > s->env.size.WARPS && r->state == STIM_GOING) {
        diag_error(s->base.diag, (struct place){0},
                   "a kernel of '%s' has %d warps a block, expected at most "
                   "%d ('analyzer.warps')",
                   cand_name(r->cand), r->cta_warps, s->env.size.WARPS);
        r->state = STIM_FAILED;
    }
    return (r->base + (int)i->warp) % s->env.size.WARPS;
}

static void tell(void *ctx, enum ana_op op, const struct cand_instance *i,
                 uint64_t address) {
    struct ana_stim *s = ctx;
    struct run_replay *r = s->base.script;
    struct ana_event e = {op, number(s, r, i), 0};
    e.address = address & ones(s->env.size.ADDR_W);
    push(r, e);
}

static void begun(void *ctx, const struct cand_instance *i) {
    tell(ctx, OP_BEGIN, i, 0);
}

static void accessed(void *ctx, const struct cand_instance *i,
                     uint64_t address) {
    tell(ctx, OP_ACCESS, i, address);
}

static void ended(void *ctx, const struct cand_instance *i) {
    tell(ctx, OP_END, i, 0);
}

static void pull(struct run_replay *r) {
    for (int n = 0; n < 4096 && r->head == r->list.n && !r->ended; n++) {
        enum stream_result got = cand_pull(r->cand);
        if (got == STREAM_ERROR)
            r->state = STIM_FAILED;
        r->ended = got != STREAM_EVENT;
    }
}

static bool next(struct ana_stim *s, struct ana_event *e) {
    struct run_replay *r = s->base.script;
    if (r->stage != WATCH || r->state != STIM_GOING || !ana_enabled(&s->env) ||
        s->env.done)
        return false;
    if (r->head == r->list.n)
        pull(r);
    if (r->head == r->list.n || r->state != STIM_GOING)
        return false;
    *e = r->list.v[r->head++];
    r->quiet = s->base.now + (uint64_t)s->env.size.RANGE_EDGES + 4;
    return true;
}

/* --- allocation table ----------------------------------------------------- */

static int by_start(const void *a, const void *b) {
    const struct ana_range *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static bool make_table(struct ana_stim *s, struct run_replay *r) {
    struct run_place at;
    int n = 0;
    for (int b = 0; run_buffer_at(cand_run(r->cand), b, &at); b++) {
        if (n == s->env.size.RANGES) {
            diag_error(s->base.diag, (struct place){0},
                       "'%s' has more than %d buffers ('analyzer.ranges')",
                       cand_name(r->cand), s->env.size.RANGES);
            return false;
        }
        if (at.bytes > 0)
            s->env.fresh[n++] = (struct ana_range){
                at.address & ones(s->env.size.ADDR_W), at.bytes, false};
    }
    qsort(s->env.fresh, (size_t)n, sizeof s->env.fresh[0], by_start);
    r->n_ranges = n;
    return true;
}

/* --- stages --------------------------------------------------------------- */

static void note_result(struct ana_stim *s, struct run_replay *r) {
    int m = s->env.best - s->env.size.FIRST_BIT;
    r->best[r->learned++ % 64] = s->env.best;
    r->scored += s->env.final_instances;
    r->colocated += s->env.final_score[m];
}

static bool over(const struct ana_stim *s, const struct run_replay *r) {
    return r->ended && r->head == r->list.n && !s->offering;
}

static void watch_stage(struct ana_stim *s, struct run_replay *r) {
    bool done =
        s->env.done && s->env.irq_edge && s->base.now >= s->env.irq_edge;
    if (!done && !over(s, r))
        return;
    if (done)
        note_result(s, r);
    r->stage = DRAIN;
}

/* All mappings and all ranges, then on, or to the end. */
static void ask_stage(struct ana_stim *s, struct run_replay *r) {
    int n = r->n_ranges > s->env.size.MAPS ? r->n_ranges : s->env.size.MAPS;
    if (r->query < n) {
        s->env.wanted_query = r->query++;
        return;
    }
    r->touched = 0;
    for (int i = 0; i < r->n_ranges; i++)
        r->touched += s->env.range[i].touched;
    r->stage = STOP;
    master_set(&s->base.master, ANALYZER_SET_enable, 0);
}

static void stop_stage(struct ana_stim *s, struct run_replay *r) {
    if (!ana_settled(&s->env))
        return;
    r->stage = START;
    if (!over(s, r))
        return;
    if (!cand_gave(r->cand, s->env.events[OP_ACCESS], "accesses")) {
        r->state = STIM_FAILED;
        return;
    }
    r->passes++;
    if (s->base.options->whole) {
        r->state = STIM_OVER;
        return;
    }
    r->ended = false;
    if (!cand_again(r->cand))
        r->state = STIM_FAILED;
}

static void step(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    struct run_replay *r = base->script;
    if (base->rst_left > 0 || !s->env.ready || r->state != STIM_GOING)
        return;
    r->cycles++;
    switch (r->stage) {
    case LOAD:
        if (!ana_settled(&s->env))
            return;
        if (!make_table(s, r))
            r->state = STIM_FAILED;
        else if (r->n_ranges > 0)
            ana_load(&s->env, r->n_ranges);
        r->stage = START;
        break;
    case START:
        if (ana_loading(&s->env))
            return;
        if (s->base.master.reset[ANALYZER_SET_learn_instances] > LEARN)
            master_set(&s->base.master, ANALYZER_SET_learn_instances, LEARN);
        master_set(&s->base.master, ANALYZER_SET_enable, 1);
        r->stage = WATCH;
        break;
    case WATCH:
        if (master_idle(&s->base.master))
            watch_stage(s, r);
        break;
    case DRAIN:
        r->query = 0;
        if (!s->offering && s->env.n_searches == 0 && s->base.now >= r->quiet)
            r->stage = ASK;
        break;
    case ASK:
        ask_stage(s, r);
        break;
    case STOP:
        stop_stage(s, r);
        break;
    }
}

/* --- the rest ------------------------------------------------------------- */

static void reset(struct stim *base) {
    ((struct run_replay *)base->script)->stage = LOAD;
}

static enum stim_state state(const struct stim *base) {
    return ((const struct run_replay *)base->script)->state;
}

static void report(struct stim *base, struct text *t) {
    const struct run_replay *r = base->script;
    text_printf(t, "kernel\t%s\n", cand_name(r->cand));
    text_printf(t, "candidates\t%d\n", cand_n_blocks(r->cand));
    text_printf(t, "executed\t%" PRIu64 "\n", cand_instructions(r->cand));
    text_printf(t, "ranges\t%d\n", r->n_ranges);
    text_printf(t, "ranges_touched\t%d\n", r->touched);
    text_printf(t, "learnings\t%" PRIu64 "\n", r->learned);
    text_printf(t, "scored\t%" PRIu64 "\n", r->scored);
    text_printf(t, "colocated\t%" PRIu64 "\n", r->colocated);
    if (r->learned > 0)
        text_printf(t, "best_bit\t%d\n", r->best[(r->learned - 1) % 64]);
    text_printf(t, "cycles\t%" PRIu64 "\n", r->cycles);
    text_printf(t, "passes\t%" PRIu64 "\n", r->passes);
    text_printf(t, "end\t%s\n", r->state == STIM_OVER ? "whole" : "cycles");
}

static void close(struct stim *base) {
    struct run_replay *r = base->script;
    array_free(&r->list);
    cand_close(r->cand);
    free(r);
}

static bool open(struct stim *base) {
    struct ana_stim *s = (struct ana_stim *)base;
    if (!base->options->run) {
        diag_error(base->diag, (struct place){0},
                   "'analyzer' replays what a kernel executes, expected "
                   "'--run FILE'");
        return false;
    }
    struct run_replay *r = base->script = xcalloc(1, sizeof *r);
    const struct cand_sink sink = {
        .ctx = s, .begin = begun, .access = accessed, .end = ended};
    s->tune = (struct ana_tune){.name = "light", .event = 100};
    r->cand = cand_open(base->options, &sink, TURN, base->diag);
    return r->cand && make_table(s, r);
}

const struct ana_mode ana_run = {
    .base = {.name = "replay",
             .measures = true,
             .open = open,
             .close = close,
             .step = step,
             .reset = reset,
             .state = state,
             .report = report},
    .next = next,
};

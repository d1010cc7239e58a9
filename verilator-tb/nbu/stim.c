/* stim.c - stimulus of the near-bank unit: puts its parts together.
 *
 * exec.c     front end and pipelines, from offer to commit
 * oracle.c   what registers must hold, in program order
 * ports.c    register files, load-store traffic, register port
 * random.c   instructions: constrained random
 * directed.c instructions: a script that aims at each cover point
 * replay.c   instructions: those of a kernel, straight through
 * run.c      instructions: those that a kernel executes
 * code.c     a kernel's packets, for the last two
 */
#include "stim.h"

#include "env.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *complain(struct nbu_stim *s, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->message, sizeof s->message, fmt, args);
    va_end(args);
    return s->message;
}

/* Registers are rows, pairs or predicates for the whole time between two
 * resets; two neighbours make a pair.  The first four hold one of each kind. */
static void draw_kinds(struct nbu_stim *s) {
    memset(s->n_kind, 0, sizeof s->n_kind);
    for (int reg = 0; reg < s->size.REGS; reg += 2) {
        bool pair = reg == 2 || (reg > 2 && rng_percent(&s->rng, 25));
        for (int r = reg; r < reg + 2; r++) {
            bool pred = r == 1 || (r > 3 && rng_percent(&s->rng, 30));
            s->kind[r] = pair ? NBU_PAIR : pred ? NBU_PRED : NBU_ROW;
            if (!pair || r == reg)
                s->by_kind[s->kind[r]][s->n_kind[s->kind[r]]++] = (uint16_t)r;
        }
    }
}

static void reset(struct nbu_stim *s) {
    exec_reset(s);
    ports_reset(s);
    oracle_reset(s);
    s->last_move = s->now;
    s->wanted_policy = -1;
    s->wanted_clear = false;
    draw_kinds(s);
    if (s->program->reset)
        s->program->reset(s);
}

static uint64_t top_mask(int bits) {
    return bits % 64 ? ((uint64_t)1 << bits % 64) - 1 : ~(uint64_t)0;
}

static void set_sizes(struct nbu_stim *s, const struct config *c) {
    s->size = nbu_local(c);
    s->far_set = c->nbu_far_set;
    s->policy = s->policy_reset = c->nbu_policy;
    s->wanted_policy = -1;
    s->lane_mask = (uint32_t)(((uint64_t)1 << s->size.LANES) - 1);
    s->row_words = ceil_div(s->size.ROW_W, 64);
    s->row_stride = (uint64_t)s->row_words;
    s->row_mask = top_mask(s->size.ROW_W);
    s->beat_words = ceil_div(s->size.TSV_W, 64);
    s->beat_mask = top_mask(s->size.TSV_W);
    s->flights = s->size.TAG_W < 3 ? 1 << s->size.TAG_W : IN_FLIGHT;
    s->patience =
        100u * (uint64_t)s->size.WARPS * (uint64_t)(s->size.ROW_BEATS + 16);
    s->warp = xcalloc((size_t)s->size.WARPS, sizeof *s->warp);
}

static bool open_program(struct nbu_stim *s, const struct stim_options *o,
                         struct diag *d) {
    if (strcmp(o->mode, "replay") == 0 && o->run) {
        s->program = &program_run;
        return run_replay_open(s, o, d);
    }
    if (strcmp(o->mode, "replay") == 0) {
        s->program = &program_replay;
        return replay_open(s, o->kernel, d);
    }
    if (strcmp(o->mode, "random") == 0) {
        s->program = &program_random;
        random_open(s);
        return true;
    }
    if (strcmp(o->mode, "directed") == 0) {
        s->program = &program_directed;
        directed_open(s);
        return true;
    }
    return stim_unknown(o->mode, d);
}

static void destroy(void *stim) {
    struct nbu_stim *s = stim;
    if (s->script)
        s->program->destroy(s);
    free(s->rows[FAR]);
    free(s->rows[NEAR]);
    free(s->truth);
    free(s->warp);
    free(s);
}

static void *create(const struct config *c, const struct stim_options *o,
                    struct diag *d) {
    struct nbu_stim *s = xcalloc(1, sizeof *s);
    rng_seed(&s->rng, o->seed);
    set_sizes(s, c);
    oracle_open(s);
    if (!open_program(s, o, d)) {
        destroy(s);
        return NULL;
    }
    reset(s);
    return s;
}

static void drive(void *stim, bool *rst, void *ports) {
    struct nbu_stim *s = stim;
    struct nbu_in *in = ports;
    s->program->step(s);
    exec_drive(s, in);
    ports_drive(s, in);
    *rst = s->rst_left > 0;
}

static const char *watch_stall(struct nbu_stim *s) {
    const uint64_t still = 5000;
    if (s->now - s->last_move < still)
        return NULL;
    s->last_move = s->now;
    return exec_stuck(s, still);
}

static const char *watch(void *stim, bool rst, const void *in,
                         const void *before, const void *after) {
    struct nbu_stim *s = stim;
    s->now++;
    if (rst) {
        s->resets += s->rst_left == 1;
        s->rst_left--;
        reset(s);
        return NULL;
    }
    const char *wrong = ports_watch(s, in, before, after);
    if (!wrong)
        wrong = exec_watch(s, in, before, after);
    if (s->clearing)
        s->counted_accepts = s->counted_commits = 0;
    return wrong ? wrong : watch_stall(s);
}

static enum stim_state state(const void *stim) {
    const struct nbu_stim *s = stim;
    return s->program->state ? s->program->state(s) : STIM_GOING;
}

static void report(void *stim, bool all, struct text *t) {
    static const char *const policies[] = {"annotated", "default", "near",
                                           "far"};
    static const char *const kinds[] = {"instr", "down",     "request", "up",
                                        "done",  "lsu_down", "lsu_up"};
    struct nbu_stim *s = stim;
    if (!all && !s->program->measures)
        return;
    text_printf(t, "policy\t%s\n", policies[s->policy]);
    text_printf(t, "accepted\t%" PRIu64 "\n", s->accepts);
    text_printf(t, "committed\t%" PRIu64 "\n", s->commits);
    text_printf(t, "far\t%" PRIu64 "\n", s->went[FAR]);
    text_printf(t, "near\t%" PRIu64 "\n", s->went[NEAR]);
    text_printf(t, "far_shared\t%" PRIu64 "\n", s->far_shared);
    text_printf(t, "moves_down\t%" PRIu64 "\n", s->moves[NEAR]);
    text_printf(t, "moves_up\t%" PRIu64 "\n", s->moves[FAR]);
    for (int k = 0; k < 7; k++)
        text_printf(t, "beats_%s\t%" PRIu64 "\n", kinds[k], s->beats[k]);
    text_printf(t, "rows_checked\t%" PRIu64 "\n", s->checked);
    text_printf(t, "resets\t%" PRIu64 "\n", s->resets);
    if (s->program->report)
        s->program->report(s, t);
}

const struct stim_class stim_nbu = {.create = create,
                                    .destroy = destroy,
                                    .drive = drive,
                                    .watch = watch,
                                    .state = state,
                                    .report = report};

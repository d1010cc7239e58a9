/* stim.c - stimulus of the near-bank unit: puts its parts together.
 *
 * exec.c     front end and pipelines, from offer to commit
 * oracle.c   what registers must hold, in program order
 * ports.c    register files, load-store traffic
 * counters.c what the counters must hold
 * random.c   instructions: constrained random
 * directed.c instructions: a script that aims at each cover point
 * kernel.c   instructions: those of a kernel, straight through
 * run.c      instructions: those that a kernel executes
 * code.c     a kernel's packets, for the last two
 */
#include "stim.h"

#include "env.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Registers are rows, pairs or predicates for the whole time between two
 * resets; two neighbours make a pair.  The first four hold one of each kind. */
static void draw_kinds(struct nbu_stim *s) {
    memset(s->n_kind, 0, sizeof s->n_kind);
    for (int reg = 0; reg < s->size.REGS; reg += 2) {
        bool pair = reg == 2 || (reg > 2 && rng_percent(&s->base.rng, 25));
        for (int r = reg; r < reg + 2; r++) {
            bool pred = r == 1 || (r > 3 && rng_percent(&s->base.rng, 30));
            s->kind[r] = pair ? NBU_PAIR : pred ? NBU_PRED : NBU_ROW;
            if (!pair || r == reg)
                s->by_kind[s->kind[r]][s->n_kind[s->kind[r]]++] = (uint16_t)r;
        }
    }
}

void nbu_env_reset(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    exec_reset(s);
    ports_reset(s);
    oracle_reset(s);
    counters_reset(s);
    s->last_move = base->now;
    draw_kinds(s);
}

static uint64_t top_mask(int bits) {
    return ones(bits % 64 ? bits % 64 : 64);
}

void nbu_env_open(struct stim *base, const struct config *c) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    s->size = nbu_local(c);
    s->far_set = c->nbu_far_set;
    s->near_set = c->nbu_near_set;
    s->lane_mask = (uint32_t)ones(s->size.LANES);
    s->row_words = ceil_div(s->size.ROW_W, 64);
    s->row_stride = (uint64_t)s->row_words;
    s->row_mask = top_mask(s->size.ROW_W);
    s->beat_words = ceil_div(s->size.TSV_W, 64);
    s->beat_mask = top_mask(s->size.TSV_W);
    s->flights = s->size.TAG_W < 3 ? 1 << s->size.TAG_W : IN_FLIGHT;
    s->patience =
        100u * (uint64_t)s->size.WARPS * (uint64_t)(s->size.ROW_BEATS + 16);
    s->warp = xcalloc((size_t)s->size.WARPS, sizeof *s->warp);
    base->reset_every = 2000 + 8 * s->size.WARPS * s->size.REGS;
    oracle_open(s);
}

void nbu_env_close(struct stim *base) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    free(s->rows[FAR]);
    free(s->rows[NEAR]);
    free(s->truth);
    free(s->warp);
}

void nbu_env_drive(struct stim *base, void *in) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    exec_drive(s, in);
    ports_drive(s, in);
    base->wishbone = s->tune.wishbone;
}

static const char *watch_stall(struct nbu_stim *s) {
    const uint64_t still = 5000;
    if (s->base.now - s->last_move < still)
        return NULL;
    s->last_move = s->base.now;
    return exec_stuck(s, still);
}

/* The policy changes: what it means for instructions that wait for their
 * decision depends on the very cycle. */
static void watch_policy(struct nbu_stim *s) {
    if (s->base.master.changed != NBU_SET_policy)
        return;
    for (int w = 0; w < s->size.WARPS; w++)
        if (s->warp[w].waiting)
            s->warp[w].waiting->policy = -1;
}

const char *nbu_env_watch(struct stim *base, const void *in, const void *before,
                          const void *after) {
    struct nbu_stim *s = (struct nbu_stim *)base;
    const char *wrong = ports_watch(s, in, before, after);
    const char *other = exec_watch(s, in, before, after);
    const char *count = counters_watch(s, in, before, after);
    watch_policy(s);
    wrong = wrong ? wrong : other ? other : count;
    return wrong ? wrong : watch_stall(s);
}

void nbu_env_report(struct stim *base, struct text *t) {
    static const char *const policies[] = {"annotated", "default", "near",
                                           "far"};
    static const char *const kinds[] = {"instr", "down",     "request", "up",
                                        "done",  "lsu_down", "lsu_up"};
    const struct nbu_stim *s = (const struct nbu_stim *)base;
    text_printf(t, "policy\t%s\n",
                policies[base->master.setting[NBU_SET_policy]]);
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
}

const struct stim_mode *const nbu_modes[] = {&nbu_random.base,
                                             &nbu_directed.base, &nbu_run.base,
                                             &nbu_kernel.base, NULL};

const struct stim_class nbu_stim = {
    .size = sizeof(struct nbu_stim),
    .modes = nbu_modes,
    .open = nbu_env_open,
    .close = nbu_env_close,
    .reset = nbu_env_reset,
    .drive = nbu_env_drive,
    .watch = nbu_env_watch,
    .report = nbu_env_report,
};

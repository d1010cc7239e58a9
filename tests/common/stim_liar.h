/* stim_liar.h - a model whose outputs a test changes, for any block.
 *
 * The same lying model stands on both sides of the lock-step, so that no output
 * differs, and only the environment can notice.  Include with LIAR_BLOCK
 * defined (emn, prefetch, ...) after the block's header and its stimulus:
 *
 *     #define LIAR_BLOCK emn
 *     #include "stim_liar.h"
 *     ...
 *     static void lie_about_it(struct liar *l, struct emn_out *out);
 *     expect_caught(lie_about_it, "--target emn --preset small", "wrong
 * answer");
 *
 * A test may add members with LIAR_EXTRA, and of a unit, which has no
 * registers, defines LIAR_NO_REGISTERS.  Of a system it says what its structs
 * are, LIAR_IN and LIAR_OUT, and its model, LIAR_GOLDEN.
 */
#ifndef NDP_TESTS_STIM_LIAR_H
#define NDP_TESTS_STIM_LIAR_H

#include "bench_run.h"
#include "frame/model.h"

#include <stdlib.h>

#ifndef LIAR_EXTRA
#define LIAR_EXTRA
#endif

#define LIAR_GLUE2(a, b) a##b
#define LIAR_GLUE(a, b) LIAR_GLUE2(a, b)
#ifndef LIAR_IN
#define LIAR_IN struct LIAR_GLUE(LIAR_BLOCK, _in)
#define LIAR_OUT struct LIAR_GLUE(LIAR_BLOCK, _out)
#endif
#ifndef LIAR_GOLDEN
#define LIAR_GOLDEN LIAR_GLUE(LIAR_BLOCK, _golden)
#endif
#define LIAR_IFACE LIAR_GLUE(LIAR_BLOCK, _iface)
#define LIAR_STIM LIAR_GLUE(LIAR_BLOCK, _stim)

struct liar {
    struct golden base;
    struct golden *honest;
    LIAR_IN in;         /* of this edge */
    LIAR_OUT out, last; /* after this edge and the one before */
    uint64_t edge;      /* without reset */
    int told;           /* lies so far, for the lie to count */
    LIAR_EXTRA
};

/* Change what is shown after an edge. */
typedef void lie_fn(struct liar *l, LIAR_OUT *out);
static lie_fn *lie; /* of the test that runs; NULL: the truth */

/* A lie about registers must wait until the bench has read the identity, and
 * many until a channel is in use. */
static uint64_t lie_after = 2000;

/* Change what the honest model hears; l->out is as it stands before the edge.
 */
static void (*hears)(struct liar *l, bool rst, LIAR_IN *in);

static void liar_open(struct golden *g, const struct config *c) {
    ((struct liar *)g)->honest = golden_create(&LIAR_GOLDEN, c);
}

static void liar_close(struct golden *g) {
    golden_free(((struct liar *)g)->honest);
}

static const void *liar_cycle(struct golden *g, bool rst, const void *in) {
    struct liar *l = (struct liar *)g;
    if (in)
        l->in = *(const LIAR_IN *)in;
    LIAR_IN heard = l->in;
    if (hears)
        hears(l, rst, &heard);
    l->last = l->out;
    l->out = *(const LIAR_OUT *)golden_cycle(l->honest, rst, &heard);
    if (!rst && ++l->edge > lie_after && lie)
        lie(l, &l->out);
    return &l->out;
}

static const uint64_t *liar_covers(const struct golden *g) {
    return golden_covers(((const struct liar *)g)->honest);
}

static const struct golden_class liar = {
    .iface = &LIAR_IFACE,
    .size = sizeof(struct liar),
    .open = liar_open,
    .close = liar_close,
    .cycle = liar_cycle,
    .covers = liar_covers,
};

static const struct bench_block liar_blocks[] = {
    {&LIAR_IFACE, &liar, &LIAR_STIM},
    {NULL, NULL, NULL},
};

static inline struct printed run_liar(lie_fn *told, const char *words) {
    lie = told;
    return run_bench(liar_blocks, &liar, NULL, words);
}

/* The run ends red and says this. */
static inline void expect_caught(lie_fn *told, const char *words,
                                 const char *says) {
    expect_run(run_liar(told, words), 1, says);
}

/* An honest run ends green and says this. */
static inline void expect_green(const char *words, const char *says) {
    expect_run(run_liar(NULL, words), 0, says);
}

/* An honest run meets every cover point. */
static inline void expect_all_covers(const char *words) {
    char all[32];
    snprintf(all, sizeof all, "covers %d/%d", LIAR_IFACE.n_covers,
             LIAR_IFACE.n_covers);
    expect_green(words, all);
}

/* An honest run ends green and meets this cover point. */
static inline void expect_covers(const char *words, const char *point) {
    struct printed p = run_liar(NULL, words);
    int n = 0;
    while (n < LIAR_IFACE.n_covers &&
           strcmp(LIAR_IFACE.covers[n].name, point) != 0)
        n++;
    if (n == LIAR_IFACE.n_covers)
        fail_msg("there is no cover point '%s'", point);
    bool listed = false, missed = false; /* listed: this line has points */
    for (char *line = strtok(p.text, "\n"); line; line = strtok(NULL, "\n")) {
        listed = strncmp(line, "not covered:", 12) == 0 ||
                 (listed && line[0] == ' ');
        for (char *at = line; listed && (at = strstr(at + 1, point));)
            missed |= at[-1] == ' ' && strchr(" ", at[strlen(point)]);
    }
    if (p.status != 0 || missed)
        fail_msg("'%s' ends with %d, '%s' is %s", words, p.status, point,
                 missed ? "not covered" : "covered");
    free(p.text);
}

/* One seed, one run, and another seed another one: the digest has all inputs
 * and outputs in it. */
static inline void expect_deterministic(const char *words) {
    struct text other = {0};
    text_printf(&other, "%s --seed 77", words);
    struct printed a = run_liar(NULL, words), b = run_liar(NULL, words),
                   c = run_liar(NULL, text_str(&other));
    char *da = strstr(a.text, "digest "), *db = strstr(b.text, "digest "),
         *dc = strstr(c.text, "digest ");
    if (!da || !db || !dc || memcmp(da, db, 23) || !memcmp(da, dc, 23))
        fail_msg("digests of '%s':\n%s%s%s", words, a.text, b.text, c.text);
    free(a.text);
    free(b.text);
    free(c.text);
    text_free(&other);
}

/* Bad input: the run does not begin, or ends at once, and says this. */
static inline void expect_refused(const char *words, const char *says) {
    expect_run(run_liar(NULL, words), 2, says);
}

#ifndef LIAR_NO_REGISTERS

static int counter_told; /* the counter that is lied about */

static inline void lie_counter(struct liar *l, LIAR_OUT *o) {
    int at = REG_FIRST + LIAR_IFACE.n_settings + counter_told;
    if (o->wb_ack && !l->in.wb_we && l->in.wb_adr == (uint64_t)at)
        o->wb_dat_r += 1u << 24;
}

/* Each counter that counts far too much is noticed, by its name. */
static inline void expect_counters_caught(const char *words) {
    for (int n = 0; n < LIAR_IFACE.n_counters; n++) {
        char says[128];
        counter_told = n;
        snprintf(says, sizeof says, "register '%s'",
                 LIAR_IFACE.counters[n].name);
        expect_caught(lie_counter, words, says);
    }
}

#endif

#endif

/* stim_liar.h - a model whose outputs a test changes, for any block.
 *
 * The same lying model stands on both sides of the lock-step, so that no output
 * differs, and only the environment can notice.  Include with LIAR_BLOCK
 * defined (emn, prefetch, ...) after the block's header and its stimulus:
 *
 *     #define LIAR_BLOCK emn
 *     #include "stim_liar.h"
 *     ...
 *     static void lie(const struct emn_in *in, struct emn_out *out);
 *     expect_caught(lie, "--target emn --preset small", "wrong answer");
 */
#ifndef NDP_TESTS_STIM_LIAR_H
#define NDP_TESTS_STIM_LIAR_H

#include "bench_run.h"
#include "frame/instance.h"

#include <stdlib.h>

/* A lie about registers must wait until the bench has read the identity; any
 * other had better begin before a channel is in use. */
#ifndef LIAR_HONEST_EDGES
#define LIAR_HONEST_EDGES 1000
#endif

#define LIAR_GLUE2(a, b) a##b
#define LIAR_GLUE(a, b) LIAR_GLUE2(a, b)
#define LIAR_IN struct LIAR_GLUE(LIAR_BLOCK, _in)
#define LIAR_OUT struct LIAR_GLUE(LIAR_BLOCK, _out)
#define LIAR_GOLDEN LIAR_GLUE(LIAR_BLOCK, _golden)
#define LIAR_IFACE LIAR_GLUE(LIAR_BLOCK, _iface)
#define LIAR_STIM LIAR_GLUE(stim_, LIAR_BLOCK)

struct liar {
    struct golden base;
    struct golden *honest;
    LIAR_IN in;
    LIAR_OUT out;
    uint64_t edge;
};

typedef void lie_fn(const LIAR_IN *in, LIAR_OUT *out);
static lie_fn *lie; /* of the test that runs; NULL: the truth */

static struct golden *liar_create(const struct config *c) {
    struct liar *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->base.hash = config_hash(c);
    l->honest = LIAR_GOLDEN.create(c);
    return &l->base;
}

static void liar_destroy(struct golden *g) {
    LIAR_GOLDEN.destroy(((struct liar *)g)->honest);
    free(g);
}

static const void *liar_cycle(struct golden *g, bool rst, const void *in) {
    struct liar *l = (struct liar *)g;
    l->out = *(const LIAR_OUT *)LIAR_GOLDEN.cycle(l->honest, rst, in);
    if (in)
        l->in = *(const LIAR_IN *)in;
    if (!rst && ++l->edge > LIAR_HONEST_EDGES && lie)
        lie(&l->in, &l->out);
    return &l->out;
}

static const uint64_t *liar_covers(const struct golden *g) {
    return LIAR_GOLDEN.covers(((const struct liar *)g)->honest);
}

static const struct golden_class liar = {.iface = &LIAR_IFACE,
                                         .create = liar_create,
                                         .destroy = liar_destroy,
                                         .cycle = liar_cycle,
                                         .covers = liar_covers};

static const struct bench_block liar_blocks[] = {
    {&LIAR_IFACE, &liar, &LIAR_STIM},
    {NULL, NULL, NULL},
};

/* The run ends red and says this. */
static inline void expect_caught(lie_fn *told, const char *words,
                                 const char *says) {
    lie = told;
    expect_run(run_bench(liar_blocks, &liar, NULL, words), 1, says);
}

/* An honest run ends green and says this. */
static inline void expect_green(const char *words, const char *says) {
    lie = NULL;
    expect_run(run_bench(liar_blocks, &liar, NULL, words), 0, says);
}

#endif

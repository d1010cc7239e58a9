/* test_stim.c - the environment of the memory map analyzer notices
 * what model and RTL agree on.
 *
 * The same lying model stands on both sides of the lock-step, so that no output
 * differs; each lie must be caught by the check that is there for it.  A
 * replayed run must show the unit what the executor executes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyzer/analyzer.h"
#include "tests/common/bench_run.h"
#include "frame/instance.h"
#include "analyzer/stim.h"
#include "kit/cand.h"

#include "blocks/analyzer.h"

/* A model whose outputs a test changes. */
struct liar {
    struct golden base;
    struct golden *honest;
    struct analyzer_in in;
    struct analyzer_out out, last; /* after this edge and the one before */
    uint64_t edge;
    int told; /* lies so far */
};

typedef void lie_fn(struct liar *l, struct analyzer_out *o);
static lie_fn *lie; /* of the test that runs */
enum { LIE_AFTER = 2000 };

static struct golden *create(const struct config *c) {
    struct liar *l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->base.hash = config_hash(c);
    l->honest = analyzer_golden.create(c);
    return &l->base;
}

static void destroy(struct golden *g) {
    analyzer_golden.destroy(((struct liar *)g)->honest);
    free(g);
}

static const void *cycle(struct golden *g, bool rst, const void *in) {
    struct liar *l = (struct liar *)g;
    const struct analyzer_out *truth =
        analyzer_golden.cycle(l->honest, rst, in);
    l->last = l->out;
    l->out = *truth;
    if (in)
        l->in = *(const struct analyzer_in *)in;
    if (!rst && l->edge++ > LIE_AFTER)
        lie(l, &l->out);
    return &l->out;
}

static const uint64_t *covers(const struct golden *g) {
    return analyzer_golden.covers(((const struct liar *)g)->honest);
}

static const struct golden_class liar = {.iface = &analyzer_iface,
                                         .create = create,
                                         .destroy = destroy,
                                         .cycle = cycle,
                                         .covers = covers};

static const struct bench_block blocks[] = {
    {&analyzer_iface, &liar, &stim_analyzer},
    {NULL, NULL, NULL},
};

static const char small[] = "--target analyzer --preset small --cycles 200000";

static void expect_caught(lie_fn *told, const char *says) {
    lie = told;
    expect_run(run_bench(blocks, &liar, NULL, small), 1, says);
}

static void nothing(struct liar *l, struct analyzer_out *o) {
    (void)l;
    (void)o;
}

static void test_honest(void **state) {
    char all[32];
    int n = analyzer_iface.n_covers;
    (void)state;
    snprintf(all, sizeof all, "covers %d/%d", n, n);
    lie = nothing;
    expect_run(run_bench(blocks, &liar, NULL, small), 0, all);
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --preset tom --cycles 400000"),
               0, all);
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --preset small --cycles 20000 "
                         "--stim directed"),
               0, all);
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --preset tom --cycles 20000 "
                         "--stim directed"),
               0, all);
}

/* Other forms of the block keep the same promises. */
static void test_forms(void **state) {
    static const char *const sets[] = {
        "analyzer.stacks=16",  "analyzer.stacks=2", "analyzer.warps=13",
        "analyzer.ranges=255", "analyzer.ranges=1", "analyzer.first_bit=5"};
    (void)state;
    lie = nothing;
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[256];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_run(run_bench(blocks, &liar, NULL, words), 0, "mismatches 0");
    }
}

/* One seed, one run: the digest has all inputs and outputs in it. */
static void test_deterministic(void **state) {
    static const char words[] =
        "--target analyzer --preset small --cycles 30000 --seed 5";
    static const char other[] =
        "--target analyzer --preset small --cycles 30000 --seed 6";
    (void)state;
    lie = nothing;
    struct printed a = run_bench(blocks, &liar, NULL, words);
    struct printed b = run_bench(blocks, &liar, NULL, words);
    struct printed c = run_bench(blocks, &liar, NULL, other);
    char *da = strstr(a.text, "digest "), *db = strstr(b.text, "digest "),
         *dc = strstr(c.text, "digest ");
    assert_true(da && db && dc);
    assert_memory_equal(da, db, 23);
    assert_memory_not_equal(da, dc, 23);
    free(a.text);
    free(b.text);
    free(c.text);
}

/* --- lies ----------------------------------------------------------------- */

static void wrong_score(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->query_score += o->query_done && o->query_score;
}

static void wrong_sum(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->query_sum ^= o->query_done && o->query_sum;
}

static void wrong_touched(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->query_touched ^= o->query_done;
}

static void lost_query(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->query_done = o->query_score = o->query_sum = o->query_touched = 0;
}

static void test_queries(void **state) {
    (void)state;
    expect_caught(wrong_score, ": expected score ");
    expect_caught(wrong_sum, ": expected sum ");
    expect_caught(wrong_touched, ": expected touched ");
    expect_caught(lost_query, ": expected done 1, got 0");
}

static void lost_outside(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->outside_valid = o->outside_address = 0;
}

static void wrong_outside(struct liar *l, struct analyzer_out *o) {
    (void)l;
    if (o->outside_valid)
        o->outside_address ^= 256;
}

static void invented_outside(struct liar *l, struct analyzer_out *o) {
    if (l->told++ % 7 == 0)
        o->outside_valid = 1;
}

static void loud_outside(struct liar *l, struct analyzer_out *o) {
    (void)l;
    if (!o->outside_valid)
        o->outside_address = 1;
}

static void test_outside(void **state) {
    (void)state;
    expect_caught(lost_outside, " is not reported as outside");
    expect_caught(wrong_outside, " is reported as outside, expected ");
    expect_caught(invented_outside, " is reported as outside of all ranges");
    expect_caught(loud_outside, "'outside_address' is not zero while");
}

static void early_irq(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->irq = 1;
}

static void lost_irq(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->irq = o->irq_best = 0;
}

static void wrong_best(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->irq_best += o->irq;
}

static void test_interrupt(void **state) {
    (void)state;
    expect_caught(early_irq, "the interrupt is 1 after ");
    expect_caught(lost_irq, "the interrupt is 0 after ");
    expect_caught(wrong_best, "the best mapping is reported at bit ");
}

static void wrong_count(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->wb_dat_r += o->wb_ack;
}

static void silent_port(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->wb_ack = o->wb_dat_r = 0;
}

static void never_ready(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->ev_ready = 0;
}

static void never_loads(struct liar *l, struct analyzer_out *o) {
    (void)l;
    o->load_ready = 0;
}

static void test_ports(void **state) {
    (void)state;
    expect_caught(wrong_count, "register '");
    expect_caught(silent_port, "no acknowledge for register ");
    expect_caught(never_ready, "events are ready 0 and loads 1, expected 1");
    expect_caught(never_loads, "events are ready 1 and loads 0, expected 1");
}

/* --- replay --------------------------------------------------------------- */

struct counts {
    unsigned begins, accesses, ends;
};

static void count_begin(void *ctx, const struct cand_instance *i) {
    (void)i;
    ((struct counts *)ctx)->begins++;
}

static void count_access(void *ctx, const struct cand_instance *i,
                         uint64_t address) {
    (void)i;
    assert_true(address != 0);
    ((struct counts *)ctx)->accesses++;
}

static void count_end(void *ctx, const struct cand_instance *i) {
    assert_int_not_equal(i->mask, 0);
    ((struct counts *)ctx)->ends++;
}

/* All that the executor tells is shown once, and lies in the run's buffers. */
static void test_replay(void **state) {
    struct stim_options o = {.run = "kernels/bfs/bfs.yml"};
    struct diag d = {0};
    struct counts n = {0};
    const struct cand_sink sink = {&n, count_begin, count_access, count_end};
    char says[128];
    (void)state;
    struct cand *r = cand_open(&o, &sink, 0, &d);
    assert_non_null(r);
    while (cand_pull(r) == STREAM_EVENT)
        ;
    cand_close(r);
    diag_free(&d);
    assert_true(n.begins > 100 && n.begins == n.ends && n.accesses > 1000);
    snprintf(says, sizeof says,
             "begins\t%u\naccesses\t%u\nends\t%u\ninside\t%u\noutside\t0\n",
             n.begins, n.accesses, n.ends, n.accesses);
    lie = nothing;
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --preset tom --stim replay --run "
                         "kernels/bfs/bfs.yml"),
               0, says);
    expect_run(
        run_bench(blocks, &liar, NULL,
                  "--target analyzer --preset tom --stim replay --cycles "
                  "60000 --run kernels/bfs/bfs.yml"),
        0, "end\tcycles");
}

/* A run that gives the unit nothing to do has checked nothing. */
static void test_empty_replay(void **state) {
    (void)state;
    lie = nothing;
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --stim replay --run "
                         "kernels/backprop/backprop.yml"),
               2, "'backprop' has no candidates with live registers counted");
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --stim replay --count names --run "
                         "kernels/scalarprod/scalarprod.yml"),
               2, "'scalarprod' at size 'small' made no accesses");
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --stim replay --count names --run "
                         "kernels/backprop/backprop.yml"),
               0, "begins\t32\n");
}

static void test_bad_input(void **state) {
    (void)state;
    lie = nothing;
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --stim replay --run none.yml"),
               2, "none.yml");
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --stim replay --kernel "
                         "kernels/axpy/axpy.ptx"),
               2, "expected '--run FILE'");
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --stim replay --run "
                         "kernels/bfs/bfs.yml --set analyzer.ranges=3"),
               2, "('analyzer.ranges')");
    expect_run(run_bench(blocks, &liar, NULL,
                         "--target analyzer --stim replay --run "
                         "kernels/bfs/bfs.yml --set analyzer.warps=4"),
               2, "('analyzer.warps')");
    expect_run(run_bench(blocks, &liar, NULL, "--target analyzer --stim dance"),
               2,
               "unknown stimulus 'dance', expected 'random', 'directed' or "
               "'replay'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_deterministic), cmocka_unit_test(test_queries),
        cmocka_unit_test(test_outside),       cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_ports),         cmocka_unit_test(test_replay),
        cmocka_unit_test(test_empty_replay),  cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

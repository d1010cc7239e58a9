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
#include "analyzer/stim.h"
#include "kit/cand.h"

#include "blocks/analyzer.h"

#define LIAR_BLOCK analyzer
#include "tests/common/stim_liar.h"

static const char small[] = "--target analyzer --preset small --cycles 200000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target analyzer --preset tom --cycles 400000");
    expect_all_covers("--target analyzer --preset small --cycles 20000 "
                      "--stim directed");
    expect_all_covers("--target analyzer --preset tom --cycles 20000 "
                      "--stim directed");
}

/* Other forms of the block keep the same promises. */
static void test_forms(void **state) {
    static const char *const sets[] = {
        "analyzer.stacks=16",  "analyzer.stacks=2", "analyzer.warps=13",
        "analyzer.ranges=255", "analyzer.ranges=1", "analyzer.first_bit=5"};
    (void)state;
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[256];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches 0");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic("--target analyzer --preset small --cycles 30000");
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
    expect_caught(wrong_score, small, ": expected score ");
    expect_caught(wrong_sum, small, ": expected sum ");
    expect_caught(wrong_touched, small, ": expected touched ");
    expect_caught(lost_query, small, ": expected done 1, got 0");
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
    expect_caught(lost_outside, small, " is not reported as outside");
    expect_caught(wrong_outside, small, " is reported as outside, expected ");
    expect_caught(invented_outside, small,
                  " is reported as outside of all ranges");
    expect_caught(loud_outside, small, "'outside_address' is not zero while");
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
    expect_caught(early_irq, small, "the interrupt is 1 after ");
    expect_caught(lost_irq, small, "the interrupt is 0 after ");
    expect_caught(wrong_best, small, "the best mapping is reported at bit ");
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
    expect_caught(wrong_count, small, "register '");
    expect_counters_caught(small);
    expect_caught(silent_port, small, "no acknowledge for register ");
    expect_caught(never_ready, small,
                  "events are ready 0 and loads 1, expected 1");
    expect_caught(never_loads, small,
                  "events are ready 1 and loads 0, expected 1");
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
    expect_green("--target analyzer --preset tom --stim replay --run "
                 "kernels/bfs/bfs.yml",
                 says);
    expect_green("--target analyzer --preset tom --stim replay --cycles "
                 "60000 --run kernels/bfs/bfs.yml",
                 "end\tcycles");
}

/* A run that gives the unit nothing to do has checked nothing. */
static void test_empty_replay(void **state) {
    (void)state;
    expect_refused("--target analyzer --stim replay --run "
                   "kernels/backprop/backprop.yml",
                   "'backprop' has no candidates with live registers counted");
    expect_refused("--target analyzer --stim replay --count names --run "
                   "kernels/scalarprod/scalarprod.yml",
                   "'scalarprod' at size 'small' made no accesses");
    expect_green("--target analyzer --stim replay --count names --run "
                 "kernels/backprop/backprop.yml",
                 "begins\t32\n");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target analyzer --stim replay --run none.yml",
                   "none.yml");
    expect_refused("--target analyzer --stim replay --kernel "
                   "kernels/axpy/axpy.ptx",
                   "expected '--run FILE'");
    expect_refused("--target analyzer --stim replay --run "
                   "kernels/bfs/bfs.yml --set analyzer.ranges=3",
                   "('analyzer.ranges')");
    expect_refused("--target analyzer --stim replay --run "
                   "kernels/bfs/bfs.yml --set analyzer.warps=4",
                   "('analyzer.warps')");
    expect_refused("--target analyzer --stim dance",
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

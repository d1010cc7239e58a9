/* test_system.c - the paper's two scenarios on a mesh: the hops that their four
 * pairs take over its wires, and that a hop too many is seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frame/model.h"
#include "mesh/pairs.h"
#include "mesh/stim.h"
#include "tests/common/bench_run.h"

enum { WIDTH = 8, HEIGHT = 8 };

/* Messages of the chain at hand go over no mesh, but by as many hops as there
 * are between their nodes, and `more`. */
static void carry(struct pairs *p, int more) {
    for (bool any = true; any;) {
        any = false;
        for (int n = 0; n < WIDTH * HEIGHT; n++)
            for (int class = 0; class < 2; class ++) {
                int to, flits;
                if (!pairs_next(p, n, class, &to, &flits))
                    continue;
                int hops = abs(n % WIDTH - to % WIDTH) +
                           abs(n / WIDTH - to / WIDTH) + more;
                for (int i = 0; i < hops * flits; i++)
                    pairs_hop(p, 1, i % flits == flits - 1);
                assert_false(pairs_all_arrived(p));
                pairs_arrived(p, n, to, class);
                any = true;
            }
    }
    assert_true(pairs_all_arrived(p));
}

static void begin(struct pairs *p) {
    struct diag d = {0};
    *p = (struct pairs){0};
    assert_true(pairs_open(p, WIDTH, HEIGHT, &d));
    diag_free(&d);
    pairs_begin(p);
}

static void test_as_in_the_paper(void **state) {
    struct text t = {0};
    struct pairs p;
    (void)state;
    begin(&p);
    for (int i = 0; i < PAIRS; i++) {
        assert_false(pairs_over(&p));
        assert_false(pairs_counted(&p));
        carry(&p, 0);
        assert_null(pairs_count(&p));
        assert_true(pairs_counted(&p));
        pairs_begin(&p);
    }
    assert_true(pairs_over(&p));
    pairs_report(&p, &t);
    assert_string_equal(text_str(&t), "three_memories_hops\t42\n"
                                      "three_memories_flit_hops\t126\n"
                                      "three_memories_offloaded_hops\t30\n"
                                      "three_memories_offloaded_flit_hops\t78\n"
                                      "one_memory_hops\t48\n"
                                      "one_memory_flit_hops\t144\n"
                                      "one_memory_offloaded_hops\t16\n"
                                      "one_memory_offloaded_flit_hops\t16\n");
    text_free(&t);
}

static void test_a_hop_too_many(void **state) {
    struct pairs p;
    (void)state;
    begin(&p);
    carry(&p, 0);
    pairs_hop(&p, 1, 0);
    assert_string_equal(pairs_count(&p),
                        "three_memories: 42 hops and 127 flit-hops went over "
                        "the wires, in the paper 42 and 126");
    pairs_begin(&p);
    carry(&p, 1);
    assert_non_null(pairs_count(&p));
}

/* An answer comes of a request: nothing is sent before what it follows from
 * has arrived, and a chain that was cut off begins anew. */
static void test_order(void **state) {
    int to, flits;
    struct pairs p;
    (void)state;
    begin(&p);
    assert_false(pairs_next(&p, 16, 1, &to, &flits));
    assert_false(pairs_next(&p, 15, 1, &to, &flits));
    assert_true(pairs_next(&p, 15, 0, &to, &flits));
    assert_int_equal(to, 16);
    assert_int_equal(flits, 1);
    assert_false(pairs_next(&p, 15, 0, &to, &flits));
    assert_false(pairs_next(&p, 16, 1, &to, &flits));
    pairs_begin(&p);
    assert_true(pairs_next(&p, 15, 0, &to, &flits));
    pairs_arrived(&p, 15, 16, 0);
    assert_true(pairs_next(&p, 16, 1, &to, &flits));
    assert_int_equal(to, 15);
    assert_int_equal(flits, 5);
}

static struct printed run(const char *words) {
    const struct golden_class *golden = golden_find("mesh");
    const struct bench_block blocks[] = {{golden->iface, golden, &mesh_stim},
                                         {NULL, NULL, NULL}};
    return run_bench(blocks, golden, NULL, words);
}

/* The same over the model of the mesh; matrix.txt has the run over its RTL. */
static void test_over_the_mesh(void **state) {
    const char *words = "--target mesh --stim pairs --cycles 5000";
    (void)state;
    expect_run(run(words), 0, "three_memories_hops\t42\n");
    expect_run(run(words), 0, "three_memories_flit_hops\t126\n");
    expect_run(run(words), 0, "three_memories_offloaded_hops\t30\n");
    expect_run(run(words), 0, "three_memories_offloaded_flit_hops\t78\n");
    expect_run(run(words), 0, "one_memory_hops\t48\n");
    expect_run(run(words), 0, "one_memory_flit_hops\t144\n");
    expect_run(run(words), 0, "one_memory_offloaded_hops\t16\n");
    expect_run(run(words), 0, "one_memory_offloaded_flit_hops\t16\n");
}

static void test_small_mesh(void **state) {
    (void)state;
    expect_run(run("--target mesh --preset small --stim pairs"), 2,
               "error: the stimulus 'pairs' has nodes of 8 columns and 5 rows, "
               "expected a mesh with these and with 64 nodes at most");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_in_the_paper),
        cmocka_unit_test(test_a_hop_too_many),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_over_the_mesh),
        cmocka_unit_test(test_small_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

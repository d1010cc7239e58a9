/* test_load.c - traffic offered to the golden mesh: latency of an empty one,
 * what it takes, and the bound that memory nodes set.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh/load.h"

#include <math.h>

static struct load_setup setup(enum load_pattern pattern, double load,
                               int flits) {
    return (struct load_setup){.pattern = pattern,
                               .load = load,
                               .flits = flits,
                               .warm = 500,
                               .cycles = 4000,
                               .seed = 1};
}

static struct load_result run(const struct load_setup *s) {
    struct config c;
    config_defaults(&c);
    return load_run(&c, s);
}

/* A packet alone: it is on the wire two edges after it was sent and heard on
 * the next; four edges a router, of which there is one more than links; at the
 * node three edges later and taken on the next (nic.md, router.md); its flits
 * follow on each edge. */
static void empty_mesh(void **state) {
    (void)state;
    for (int flits = 1; flits <= 5; flits += 4) {
        struct load_setup s = setup(LOAD_COMPLEMENT, 0.002, flits);
        struct load_result r = run(&s);
        assert_false(r.saturated);
        assert_true(r.packets > 50);
        assert_float_equal(r.hops, 8, 0.5);
        double alone = 2 + 1 + 4 * (r.hops + 1) + 3 + 1 + (flits - 1);
        assert_true(r.latency > alone - 0.001);
        assert_true(r.latency < alone + 0.5); /* some meet */
    }
}

/* Below saturation all that is offered is taken, and waiting grows. */
static void takes_what_it_is_given(void **state) {
    (void)state;
    double before = 0;
    for (double load = 0.1; load < 0.35; load += 0.1) {
        struct load_setup s = setup(LOAD_UNIFORM, load, 5);
        struct load_result r = run(&s);
        assert_false(r.saturated);
        assert_float_equal(r.accepted, load, load / 20);
        assert_float_equal(r.offered, load, load / 20);
        assert_true(r.latency > before);
        assert_true(r.median <= r.p99 && r.p99 <= r.most);
        before = r.latency;
    }
}

/* Eight memory nodes put one flit each into a mesh of 64: five sixths of all
 * flits are their answers. */
static void memory_nodes_bound(void **state) {
    (void)state;
    struct load_setup s = setup(LOAD_MEMORY, 0.6, 5);
    s.cycles = 8000;
    struct load_result r = run(&s);
    assert_true(r.saturated);
    double answers = r.accepted * 64 - 0.6 * 64 / 6;
    assert_true(answers <= 8.01);
    assert_true(answers > 6.4);
}

static void seeds(void **state) {
    (void)state;
    struct load_setup s = setup(LOAD_UNIFORM, 0.2, 5);
    struct load_result a = run(&s), b = run(&s);
    assert_true(a.packets == b.packets && a.latency == b.latency);
    assert_true(a.accepted == b.accepted && a.most == b.most);
    s.seed = 2;
    b = run(&s);
    assert_true(fabs(a.latency - b.latency) > 1e-9);
    assert_float_equal(a.latency, b.latency, a.latency / 10);
}

static void refuses(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    assert_null(load_refused(&c, LOAD_TRANSPOSE));
    c.mesh_height = 4;
    assert_non_null(load_refused(&c, LOAD_TRANSPOSE));
    assert_null(load_refused(&c, LOAD_MEMORY));
    c.mesh_width = 2;
    assert_non_null(load_refused(&c, LOAD_MEMORY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_mesh),
        cmocka_unit_test(takes_what_it_is_given),
        cmocka_unit_test(memory_nodes_bound),
        cmocka_unit_test(seeds),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_core_lsu.c - the load-store unit of the core of the compositions: order,
 * back-pressure, and in which order the hooks of a cycle are called.
 */
#include "core_rig.h"

/* --------------------------------------------------------- load-store unit */

/* In the order of issue, a line a cycle. */
static void lines_go_one_by_one(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 3);
    op(r, 1, LD, 10, 3);
    op(r, 2, ST, 20, 2);
    op(r, 0, LD, 30, 1);
    rig_start(r);
    step(r, 7);
    logged(r, "L10i.L11i.L12i.!1!2!0S2.S2.L30..");
    rig_end(r);
}

/* Nothing leaves: eight instructions wait, the ninth is not issued, and one
 * that is not of memory is. */
static void back_pressure_reaches_the_issue(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 8);
    for (uint32_t i = 0; i < 16; i++)
        op(r, i % 8, ST, 10 + i, 1);
    r->busy = true;
    rig_start(r);
    step(r, 12);
    logged(r, "i.i.i.i.i.i.i.i.....");
    assert_int_equal(core_in_lsu(r->core, 3), 1);
    assert_int_equal(core_wakes(r->core), 0); /* it will be asked again */
    r->busy = false;
    step(r, 10);
    logged(r, "S1.S2i.S3i.S4i.S5i.S6i.S7i.S0i.S1i.!1!2!3!4!5!6!7!0S2.");
    rig_end(r);
}

static void others_pass_by_the_full_unit(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 2);
    for (uint32_t i = 0; i < 9; i++)
        op(r, 1, ST, 10 + i, 1);
    for (uint32_t i = 0; i < 12; i++)
        op(r, 0, NOP, 0, 0);
    r->busy = true;
    rig_start(r);
    step(r, 18); /* by turns, until the unit is full */
    logged(r, "i.i.i.i.i.i.i.i.i.i.i.i.i.i.i.i.i.i.");
    assert_int_equal(core_in_lsu(r->core, 1), CORE_LSU_DEPTH);
    rig_end(r);
}

/* With one MSHR the second load sticks in front of the L1.  Until a line has
 * come nobody is asked, and the core sleeps. */
static void full_caches_hold_the_unit(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 1);
    op(r, 0, LD, 5, 2);
    op(r, 0, ADD, 0, 0);
    r->config.cache.mshrs = 1;
    r->tell_all = true;
    rig_start(r);
    step(r, 5);
    logged(r, "rL5i.r....");
    assert_int_equal(core_wakes(r->core), CORE_NEVER);
    core_line(r->core, 5, 5);
    assert_int_equal(core_wakes(r->core), 0);
    step(r, 9); /* one line is not the load */
    logged(r, "rL6.........");
    core_line(r->core, r->cycle, 6);
    assert_int_equal(until_issue(r), CORE_LATENCY_FILL + 1);
    rig_end(r);
}

/* A warp that waits for a place in a unit that sticks keeps nobody awake. */
static void stuck_units_let_the_core_sleep(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 1);
    op(r, 0, LD, 5, 2);
    for (uint32_t i = 0; i < 9; i++)
        op(r, 0, ST, 20 + i, 1);
    r->config.cache.mshrs = 1;
    rig_start(r);
    step(r, 12);
    logged(r, "L5i.i.i.i.i.i.i.i.....");
    assert_int_equal(core_wakes(r->core), CORE_NEVER);
    core_line(r->core, r->cycle, 5);
    step(r, 3);
    logged(r, "L6.S0i.S0i.");
    rig_end(r);
}

/* A load that nobody waits for any more has had a place, and frees it. */
static void places_of_loads_come_back(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    warps(r, 1);
    op(r, 0, ATOM, 5, 1);
    rig_start(r);
    uint64_t number[CORE_MAX_LOADS];
    for (int i = 0; i < CORE_MAX_LOADS; i++) { /* each of another group */
        step(r, 1);
        number[i] = r->atomic;
        step(r, 1);
        assert_ptr_equal(core_leave(r->core), r->cta[0]);
        group(r, 0);
    }
    r->log[0] = '\0';
    step(r, 3);
    logged(r, "...");
    assert_int_equal(core_wakes(r->core), CORE_NEVER);
    core_atomic(r->core, r->cycle, number[7]);
    assert_int_equal(core_wakes(r->core), 0);
    step(r, 1);
    logged(r, "Ai.");
    rig_end(r);
}

/* ---------------------------------------------------------------- the path */

static struct rig *rig_with_path(void) {
    struct rig *r = rig_begin();
    r->tell_all = true;
    r->hooks.offer = offers;
    r->hooks.deliver = delivers;
    r->hooks.spare = spares;
    return r;
}

/* What has come through goes first; then the load-store unit's; what is left of
 * the port is to spare.  A load on its way into the path does not want it. */
static void loads_go_by_the_path(void **state) {
    (void)state;
    struct rig *r = rig_with_path();
    warps(r, 1);
    op(r, 0, LD, 5, 2);
    op(r, 0, ADD, 0, 0);
    rig_start(r);
    step(r, 1);
    logged(r, "do5pi.");
    r->path_has = true; /* line 5 comes out while 6 goes in */
    step(r, 1);
    logged(r, "drL5o6.");
    r->path_has = true;
    step(r, 2);
    logged(r, "drL6.dp.");
    core_line(r->core, r->cycle, 5);
    core_line(r->core, r->cycle, 6);
    step(r, 3);
    logged(r, "dp.dp.dpi.");
    rig_end(r);
}

/* A load counts as under way from the offer on, in whatever order its lines
 * come out. */
static void lines_in_the_path_are_waited_for(void **state) {
    (void)state;
    struct rig *r = rig_with_path();
    warps(r, 1);
    op(r, 0, LD, 5, 1);
    op(r, 0, ADD, 0, 0);
    r->path_full = true;
    rig_start(r);
    step(r, 2);
    logged(r, "do5pi.do5p."); /* again, until it is taken */
    r->path_full = false;
    step(r, 60);
    assert_null(strchr(r->log, 'i'));
    r->path_has = true;
    r->busy = true;
    step(r, 1);
    assert_true(r->path_has); /* wanted the port, and was not taken */
    assert_string_equal(r->log + strlen(r->log) - 3, "dr.");
    r->busy = false;
    step(r, 1);
    core_line(r->core, r->cycle, 5);
    assert_int_equal(until_issue(r), CORE_LATENCY_FILL + 1);
    rig_end(r);
}

/* Stores and atomics take the port itself, after what comes through. */
static void stores_wait_for_the_port(void **state) {
    (void)state;
    struct rig *r = rig_with_path();
    warps(r, 2);
    op(r, 1, LD, 5, 1);
    op(r, 0, ST, 9, 1);
    rig_start(r);
    step(r, 1);
    logged(r, "do5pi.");
    r->path_has = true;
    step(r, 2);
    logged(r, "drL5i.!1!0drS0.");
    rig_end(r);
}

/* Beside the path: told of what the L1 takes, and given the port when no
 * demand wants it, be it taken or not. */
static void beside_the_path(void **state) {
    (void)state;
    struct rig *r = rig_begin();
    r->tell_all = true;
    r->hooks.watch = watches;
    r->hooks.spare = spares;
    warps(r, 2);
    op(r, 1, LD, 5, 2);
    op(r, 0, LD, 5, 1);
    op(r, 0, ST, 7, 1);
    rig_start(r);
    step(r, 2);
    logged(r, "rL5w1+i.rL6w1i.");
    r->busy = true;
    step(r, 1);
    logged(r, "!1ri.");
    r->busy = false;
    step(r, 3);
    logged(r, "!0rw0+.rS0.p.");
    rig_end(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_one_by_one),
        cmocka_unit_test(back_pressure_reaches_the_issue),
        cmocka_unit_test(others_pass_by_the_full_unit),
        cmocka_unit_test(full_caches_hold_the_unit),
        cmocka_unit_test(stuck_units_let_the_core_sleep),
        cmocka_unit_test(places_of_loads_come_back),
        cmocka_unit_test(loads_go_by_the_path),
        cmocka_unit_test(lines_in_the_path_are_waited_for),
        cmocka_unit_test(stores_wait_for_the_port),
        cmocka_unit_test(beside_the_path),
    };
    return cmocka_run_group_tests_name("core_lsu", tests, NULL, NULL);
}

/* test_hazards.c - the near-bank unit's golden model: pending writes.
 *
 * Directed scenarios for held instructions, wakes and the updates of the track
 * table, with edge numbers worked out by hand from docs/blocks/nbu.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scenario.h"

/* Hazards ---------------------------------------------------------------- */

static void hold_until_the_pending_write_commits(void **state) {
    struct config c = small();
    struct unit u;
    struct delivery first;
    long done;

    (void)state;
    open_ready(&u, &c);
    struct instruction write = {.op = OPC_int,
                                .dst = operand(&u, NBU_ROW, FREE)};
    struct instruction read = {.op = OPC_int,
                               .src1 = operand(&u, NBU_ROW, FREE)};
    issue(&u, 0, 1, &write);
    first = deliver(&u);
    issue(&u, 0, 2, &read);
    for (int i = 0; i < 50; i++) {
        step(&u);
        assert_false(u.out->far_exec_valid);
    }
    assert_int_equal(read_counter(&u, NBU_CNT_held), 1); /* asked once */
    complete(&u, &first);
    done = u.edge;
    while (!u.out->far_exec_valid)
        step(&u);
    /* queue 1, update and wake 2, then five as after an accept */
    assert_int_equal(u.edge - done, 7);
    assert_int_equal(cover(&u, NBU_COV_hazard_source), 1);
    unit_close(&u);
}

static void every_operand_can_hold(void **state) {
    static const enum nbu_cover points[] = {
        NBU_COV_hazard_source, NBU_COV_hazard_source, NBU_COV_hazard_source,
        NBU_COV_hazard_guard, NBU_COV_hazard_dst};

    (void)state;
    for (int k = 0; k < 5; k++) {
        struct config c = small();
        struct unit u;
        struct delivery first;
        open_ready(&u, &c);
        uint64_t o = operand(&u, k == 3 ? NBU_PRED : NBU_ROW, FREE);
        struct instruction write = {.op = OPC_int, .dst = o};
        struct instruction use = {.op = OPC_int,
                                  .src0 = k == 0 ? o : 0,
                                  .src1 = k == 1 ? o : 0,
                                  .src2 = k == 2 ? o : 0,
                                  .guard = k == 3 ? o : 0,
                                  .dst = k == 4 ? o : 0};
        issue(&u, 0, 1, &write);
        first = deliver(&u);
        issue(&u, 0, 2, &use);
        for (int i = 0; i < 20; i++)
            step(&u);
        assert_false(u.out->far_exec_valid);
        assert_int_equal(cover(&u, points[k]), 1);
        complete(&u, &first);
        assert_int_equal(deliver(&u).tag, 2);
        unit_close(&u);
    }
}

static void other_warps_and_invalid_operands_do_not_hold(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    struct instruction write = {.op = OPC_int,
                                .dst = operand(&u, NBU_ROW, FREE)};
    struct instruction read = {.op = OPC_int,
                               .src0 = operand(&u, NBU_ROW, FREE)};
    issue(&u, 0, 1, &write);
    deliver(&u);
    issue(&u, 1, 2, &read);
    assert_int_equal(deliver(&u).tag, 2);
    read.src0 = FREE; /* the register's number without the valid bit */
    issue(&u, 0, 3, &read);
    assert_int_equal(deliver(&u).tag, 3);
    assert_int_equal(read_counter(&u, NBU_CNT_held), 0);
    unit_close(&u);
}

/* A wake that meets the lookup: the write of FREE commits on the edge on which
 * the reader acts (a hold on the value before), and the reader asks again. */
static void wake_during_a_lookup_is_not_lost(void **state) {
    (void)state;
    for (int lead = 0; lead < 8; lead++) {
        struct config c = small();
        struct unit u;
        struct delivery first;
        int edges = 0;
        open_ready(&u, &c);
        struct instruction write = {.op = OPC_int,
                                    .dst = operand(&u, NBU_ROW, FREE)};
        struct instruction read = {.op = OPC_int,
                                   .src0 = operand(&u, NBU_ROW, FREE)};
        issue(&u, 0, 1, &write);
        first = deliver(&u);
        issue(&u, 0, 2, &read);
        for (int i = 0; i < lead; i++)
            step(&u);
        complete(&u, &first); /* accept + lead + 1; update 2 edges later */
        for (; !u.out->far_exec_valid; edges++) {
            assert_true(edges < PATIENCE);
            step(&u);
        }
        /* Updates up to the edge that ends stage 1 (accept + 2) are seen by the
         * lookup; later ones wake the warp, which is picked again after the act
         * (accept + 4) or after the update, whichever comes last. */
        int update = lead + 3, act = 4;
        int again = (update > act ? update : act) + 5;
        assert_int_equal(lead + 1 + edges, again);
        assert_int_equal(cover(&u, NBU_COV_wake_in_lookup), update <= act);
        unit_close(&u);
    }
}

/* The reader of two pending registers is picked on the edge on which one of
 * them wakes it: it still asks, so it finds the other one pending twice. */
static void wake_wins_over_pick(void **state) {
    (void)state;
    for (int met = 0; met < 2; met++) {
        struct config c = small();
        struct unit u;
        struct delivery first;
        open_ready(&u, &c);
        struct instruction a = {.op = OPC_int, .dst = operand(&u, NBU_ROW, 2)};
        struct instruction b = {.op = OPC_int, .dst = operand(&u, NBU_ROW, 3)};
        struct instruction read = {.op = OPC_int,
                                   .src0 = operand(&u, NBU_ROW, 2),
                                   .src1 = operand(&u, NBU_ROW, 3)};
        issue(&u, 0, 1, &a);
        first = deliver(&u);
        issue(&u, 0, 2, &b);
        deliver(&u);
        complete(&u, &first); /* update 2 edges later */
        if (!met)
            step(&u); /* update and accept, then the pick */
        issue(&u, 0, 3, &read);
        for (int i = 0; i < 20; i++)
            step(&u);
        assert_int_equal(read_counter(&u, NBU_CNT_held), 1 + met);
        assert_int_equal(cover(&u, NBU_COV_wake_in_lookup), met);
        unit_close(&u);
    }
}

/* Warp 1 wakes on the edge that accepts warp 3; the last pick decides. */
static void pick_is_round_robin(void **state) {
    (void)state;
    for (int last = 0; last < 4; last += 2) {
        struct config c = small();
        struct unit u;
        struct delivery first;
        open_ready(&u, &c);
        struct instruction write = {.op = OPC_int,
                                    .dst = operand(&u, NBU_ROW, FREE)};
        struct instruction read = {.op = OPC_int,
                                   .src0 = operand(&u, NBU_ROW, FREE)};
        issue(&u, 1, 1, &write);
        first = deliver(&u);
        issue(&u, 1, 1, &read);
        for (int i = 0; i < 10; i++)
            step(&u); /* held */
        issue(&u, last, 0, &write);
        deliver(&u);
        complete(&u, &first);
        step(&u);
        issue(&u, 3, 3, &read);
        assert_int_equal(deliver(&u).warp, last == 2 ? 3 : 1);
        assert_int_equal(deliver(&u).warp, last == 2 ? 1 : 3);
        unit_close(&u);
    }
}

static void update_is_forwarded_to_the_lookup(void **state) {
    struct config c = small();
    struct unit u;
    struct delivery first;
    long accept;

    (void)state;
    open_ready(&u, &c);
    struct instruction write = {.op = OPC_int,
                                .dst = operand(&u, NBU_ROW, FREE)};
    struct instruction read = {.op = OPC_int,
                               .src0 = operand(&u, NBU_ROW, FREE)};
    issue(&u, 0, 1, &write);
    first = deliver(&u);
    /* completion and accept on one edge: the update meets stages 1 to 2 */
    present(&u, 0, 2, &read);
    complete(&u, &first);
    u.in.issue_valid = 0;
    accept = u.edge;
    while (!u.out->far_exec_valid)
        step(&u);
    assert_int_equal(u.edge - accept, 5);
    assert_int_equal(cover(&u, NBU_COV_forward), 1);
    assert_int_equal(cover(&u, NBU_COV_wake_in_lookup), 1);
    unit_close(&u);
}

/* Updates ---------------------------------------------------------------- */

/* All four meet on one edge: near completion, up move, down move, far
 * completion are served in this order, one an edge. */
static void update_priority(void **state) {
    struct unit u;
    struct delivery near, far;
    long met;

    (void)state;
    prepare(&u);
    set_policy(&u, NEAR);
    struct instruction plain = {.op = OPC_int};
    issue(&u, 1, 1, &plain);
    near = deliver(&u);
    set_policy(&u, FAR);
    issue(&u, 1, 2, &plain);
    far = deliver(&u);
    set_policy(&u, ANNOTATED);
    struct instruction store = {.op = OPC_st_global,
                                .src0 = operand(&u, NBU_ROW, NEAR_A),
                                .src1 = operand(&u, NBU_ROW, FAR_A)};
    u.in.far_write_ready = u.in.near_write_ready = 0;
    issue(&u, 0, 3, &store);
    while (!u.out->near_write_valid || !u.out->far_write_valid)
        step(&u);
    /* near: queue, grant, DONE_BEATS beats, nd; far: queue */
    met = u.edge + 3 + u.l.DONE_BEATS + 1;
    complete(&u, &near);
    while (u.edge < met - 2)
        step(&u);
    complete(&u, &far);
    u.in.far_write_ready = u.in.near_write_ready = 1;
    step(&u);
    assert_int_equal(u.edge, met);
    assert_false(u.out->commit_valid);
    step(&u);
    assert_true(u.out->commit_valid && u.out->commit_near);
    assert_valid(&u, 0, NEAR_A, false, true);
    step(&u);
    assert_false(u.out->commit_valid);
    assert_valid(&u, 0, NEAR_A, true, true);
    assert_valid(&u, 0, FAR_A, true, false);
    step(&u);
    assert_false(u.out->commit_valid);
    assert_valid(&u, 0, FAR_A, true, true);
    step(&u);
    assert_true(u.out->commit_valid && !u.out->commit_near);
    assert_int_equal(cover(&u, NBU_COV_update_contended), 3);
    assert_int_equal(deliver(&u).tag, 3);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hold_until_the_pending_write_commits),
        cmocka_unit_test(every_operand_can_hold),
        cmocka_unit_test(other_warps_and_invalid_operands_do_not_hold),
        cmocka_unit_test(wake_during_a_lookup_is_not_lost),
        cmocka_unit_test(wake_wins_over_pick),
        cmocka_unit_test(pick_is_round_robin),
        cmocka_unit_test(update_is_forwarded_to_the_lookup),
        cmocka_unit_test(update_priority),
    };

    return cmocka_run_group_tests_name("test_nbu_hazards", tests, NULL, NULL);
}

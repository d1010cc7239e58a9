/* test_nbu.c - the near-bank unit's golden model: where instructions run.
 *
 * Directed scenarios for the offload engine, with numbers worked out by hand
 * from docs/blocks/nbu.md.  Hazards and updates are in test_hazards.c, the
 * bus and the register port in test_bus.c, whole programs in
 * test_oracle.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "scenario.h"

/* Start ------------------------------------------------------------------ */

static void initialisation_takes_an_edge_for_each_entry(void **state) {
    static const int warps[] = {2, 5, 48, 64};

    (void)state;
    for (size_t i = 0; i < sizeof warps / sizeof warps[0]; i++) {
        struct config c = small();
        struct unit u;
        c.nbu_warps = warps[i];
        unit_open(&u, &c);
        assert_int_equal(u.out->issue_ready, 0);
        assert_int_equal(u.out->far_done_ready, 1);
        assert_int_equal(u.out->near_done_ready, 1);
        while (!u.out->issue_ready)
            unit_edge(&u);
        assert_int_equal(u.edge, warps[i] * 16);
        assert_true(u.out->issue_ready == UINT64_MAX >> (64 - warps[i]));
        assert_valid(&u, warps[i] - 1, 15, true, false);
        unit_close(&u);
    }
}

static void tracking_query_refuses_bad_places(void **state) {
    struct config c = small();
    struct unit u;
    bool far, near;

    (void)state;
    unit_open(&u, &c);
    assert_false(nbu_track_valid(u.g, 4, 0, &far, &near));
    assert_false(nbu_track_valid(u.g, -1, 0, &far, &near));
    assert_false(nbu_track_valid(u.g, 0, 16, &far, &near));
    unit_close(&u);
}

/* Latency ---------------------------------------------------------------- */

static void accept_to_far_exec_is_five_edges(void **state) {
    struct config c;
    struct unit u;
    long accept;

    (void)state;
    config_defaults(&c);
    open_ready(&u, &c);
    struct instruction i = {
        .op = OPC_fp,
        .mask = 0xf0f0,
        .dst = operand(&u, NBU_ROW, 7),
        .src0 = operand(&u, NBU_ROW, 9),
        .src1 = operand(&u, NBU_PAIR, 10),
        .guard = operand(&u, NBU_PRED, 60),
        .src2 = 13, /* not valid, but carried along */
    };
    issue(&u, 47, 0xa5, &i);
    accept = u.edge;
    assert_false(u.out->issue_ready >> 47 & 1);
    while (!u.out->far_exec_valid)
        step(&u);
    assert_int_equal(u.edge - accept, 5);
    assert_int_equal(u.out->far_exec_warp, 47);
    assert_int_equal(u.out->far_exec_tag, 0xa5);
    assert_int_equal(u.out->far_exec_op, OPC_fp);
    assert_int_equal(u.out->far_exec_mask, 0xf0f0);
    assert_int_equal(u.out->far_exec_dst, i.dst);
    assert_int_equal(u.out->far_exec_src0, i.src0);
    assert_int_equal(u.out->far_exec_src1, i.src1);
    assert_int_equal(u.out->far_exec_src2, 13);
    assert_int_equal(u.out->far_exec_guard, i.guard);
    /* {written 1, near 0, epoch 1, register 7}, registers of 6 bits */
    assert_int_equal(u.out->far_exec_ticket, 0x140 | 7);
    unit_close(&u);
}

static void fields_are_zero_while_nothing_is_presented(void **state) {
    struct config c = small();
    struct instruction i = {.op = OPC_mov, .mask = 3, .dst = 0x4f};
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    issue(&u, 3, 9, &i);
    deliver(&u);
    assert_false(u.out->far_exec_valid);
    assert_int_equal(u.out->far_exec_warp | u.out->far_exec_tag |
                         u.out->far_exec_op | u.out->far_exec_mask |
                         u.out->far_exec_dst | u.out->far_exec_ticket,
                     0);
    unit_close(&u);
}

/* Pick 1, stages 2 and 3, act 4, queue 5, grant 6, beats 7 and 8 (105 bits over
 * 64 wires), arrival 9, queue 10. */
static void accept_to_near_exec_is_ten_edges_at_mpu(void **state) {
    struct config c;
    struct unit u;
    long accept;

    (void)state;
    config_defaults(&c);
    open_ready(&u, &c);
    set_policy(&u, NEAR);
    struct instruction i = {.op = OPC_fp, .dst = operand(&u, NBU_ROW, 7)};
    issue(&u, 0, 3, &i);
    accept = u.edge;
    while (!u.out->near_exec_valid)
        step(&u);
    assert_int_equal(u.edge - accept, 10);
    /* {written 1, near 1, epoch 1, register 7} */
    assert_int_equal(u.out->near_exec_ticket, 0x1c0 | 7);
    unit_close(&u);
}

static void completion_to_commit(void **state) {
    struct config c;
    struct unit u;
    struct delivery d;
    long done;

    (void)state;
    config_defaults(&c);
    open_ready(&u, &c);
    struct instruction i = {.op = OPC_fp, .dst = operand(&u, NBU_ROW, 7)};
    issue(&u, 2, 0x33, &i);
    d = deliver(&u);
    complete(&u, &d);
    done = u.edge;
    wait_commit(&u);
    assert_int_equal(u.edge - done, 2); /* queue, update */
    assert_false(u.out->commit_near);
    assert_int_equal(u.out->commit_warp, 2);
    assert_int_equal(u.out->commit_tag, 0x33);
    step(&u);
    assert_false(u.out->commit_valid);
    assert_int_equal(u.out->commit_warp | u.out->commit_tag, 0);

    set_policy(&u, NEAR);
    issue(&u, 2, 0x34, &i);
    d = deliver(&u);
    complete(&u, &d);
    done = u.edge;
    wait_commit(&u);
    assert_int_equal(u.edge - done, 5); /* queue, grant, beat, nd, update */
    assert_true(u.out->commit_near);
    unit_close(&u);
}

/* Where it runs ---------------------------------------------------------- */

struct policy_case {
    int policy, op, hint;
    int src; /* register of src0; -1: no sources */
    enum side side;
};

static void policies(void **state) {
    static const struct policy_case cases[] = {
        /* rule 1: policy far, whatever else */
        {FAR, OPC_int, 2, NEAR_A, FAR_SIDE},
        {FAR, OPC_ld_shared, 2, NEAR_A, FAR_SIDE},
        /* rule 2: the far set */
        {NEAR, OPC_branch, 2, NEAR_A, FAR_SIDE},
        {ANNOTATED, OPC_barrier, 2, NEAR_A, FAR_SIDE},
        {DEFAULT, OPC_atomic, 0, NEAR_A, FAR_SIDE},
        /* rule 3: policy near */
        {NEAR, OPC_int, 1, FAR_A, NEAR_SIDE},
        {NEAR, OPC_int, 0, -1, NEAR_SIDE},
        /* rule 4: annotated with a hint */
        {ANNOTATED, OPC_int, 1, NEAR_A, FAR_SIDE},
        {ANNOTATED, OPC_int, 2, FAR_A, NEAR_SIDE},
        {ANNOTATED, OPC_int, 2, -1, NEAR_SIDE},
        /* rule 5: annotated without hint, hint 3 counts as none */
        {ANNOTATED, OPC_int, 0, NEAR_A, NEAR_SIDE},
        {ANNOTATED, OPC_int, 3, NEAR_A, NEAR_SIDE},
        {ANNOTATED, OPC_int, 0, FAR_A, FAR_SIDE},
        {ANNOTATED, OPC_int, 3, FAR_A, FAR_SIDE},
        {ANNOTATED, OPC_int, 0, -1, FAR_SIDE},
        /* rule 5: default does not look at the hint */
        {DEFAULT, OPC_int, 1, NEAR_A, NEAR_SIDE},
        {DEFAULT, OPC_int, 2, FAR_A, FAR_SIDE},
        {DEFAULT, OPC_int, 2, -1, FAR_SIDE},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct policy_case *p = &cases[k];
        struct unit u;
        prepare(&u);
        set_policy(&u, p->policy);
        struct instruction i = {.op = p->op, .hint = p->hint};
        if (p->src >= 0)
            i.src0 = operand(&u, NBU_ROW, p->src);
        if (execute(&u, 0, &i).side != p->side)
            fail_msg("case %d", (int)k);
        unit_close(&u);
    }
}

static void all_sources_must_be_near(void **state) {
    struct unit u;

    (void)state;
    prepare(&u);
    set_policy(&u, DEFAULT);
    struct instruction i = {
        .op = OPC_int,
        .src0 = operand(&u, NBU_ROW, NEAR_A),
        .src2 = operand(&u, NBU_ROW, NEAR_B),
        .guard = operand(&u, NBU_PRED, NEAR_PRED),
        .dst = operand(&u, NBU_ROW, NEAR_A),
    };
    assert_int_equal(execute(&u, 0, &i).side, NEAR_SIDE);
    i.guard = operand(&u, NBU_PRED, FAR_PRED);
    assert_int_equal(execute(&u, 0, &i).side, FAR_SIDE);
    i.guard = 0;
    i.src1 = operand(&u, NBU_ROW, FAR_A);
    assert_int_equal(execute(&u, 0, &i).side, FAR_SIDE);
    assert_int_equal(cover(&u, NBU_COV_by_default_near), 1);
    assert_int_equal(cover(&u, NBU_COV_by_default_far), 2);
    unit_close(&u);
}

/* Where operands must be ------------------------------------------------- */

struct place_case {
    int op, hint;
    uint64_t mask;
    int src0, src1, guard, dst; /* -1: not valid */
    enum side side;
    const char *moves;
};

static void operand_places(void **state) {
    static const struct place_case cases[] = {
        /* with the instruction, far and near */
        {OPC_int, 1, 0, NEAR_A, FAR_A, -1, FREE, FAR_SIDE, "U2 "},
        {OPC_int, 2, 0, NEAR_A, FAR_A, -1, FREE, NEAR_SIDE, "D0 "},
        {OPC_int, 1, 0, FAR_A, -1, NEAR_PRED, NEAR_A, FAR_SIDE, "U5 U2 "},
        {OPC_int, 2, 0, FAR_A, FAR_B, FAR_PRED, -1, NEAR_SIDE, "D0 D1 D4 "},
        /* global: address far, data near, guard with the instruction */
        {OPC_st_global, 0, 0, NEAR_A, FAR_A, -1, -1, FAR_SIDE, "D0 U2 "},
        {OPC_st_global, 0, 0, FAR_A, NEAR_A, -1, -1, FAR_SIDE, ""},
        {OPC_ld_global, 0, 0, FAR_A, -1, NEAR_PRED, NEAR_A, FAR_SIDE, "U5 "},
        {OPC_ld_global, 0, 1, FAR_A, -1, -1, FAR_B, FAR_SIDE, "D1 "},
        {OPC_ld_global, 0, 0, FAR_A, -1, -1, FAR_B, FAR_SIDE, ""},
        /* shared: operands near wherever it runs */
        {OPC_ld_shared, 1, 0, FAR_A, -1, -1, FREE, FAR_SIDE, "D0 "},
        /* (the row down leaves while the near side looks up the guard) */
        {OPC_ld_shared, 1, 0, FAR_A, -1, NEAR_PRED, FREE, FAR_SIDE,
         "D0 D8 U5 "},
        {OPC_st_shared, 2, 0, NEAR_A, FAR_A, FAR_PRED, -1, NEAR_SIDE, "D0 D4 "},
        /* a partial write needs the old value, a full one does not */
        {OPC_int, 1, 7, FAR_A, -1, -1, NEAR_A, FAR_SIDE, "U2 "},
        {OPC_int, 1, 0, FAR_A, -1, -1, NEAR_A, FAR_SIDE, ""},
        {OPC_int, 1, 0, FAR_A, -1, FAR_PRED, NEAR_A, FAR_SIDE, "U2 "},
        {OPC_int, 2, 7, NEAR_A, -1, -1, FAR_A, NEAR_SIDE, "D0 "},
        /* one move serves equal registers */
        {OPC_int, 1, 0, NEAR_A, NEAR_A, -1, -1, FAR_SIDE, "U2 "},
        {OPC_int, 1, 7, FAR_A, NEAR_B, -1, NEAR_B, FAR_SIDE, "U3 "},
        {OPC_int, 2, 7, FAR_A, FAR_A, -1, FAR_A, NEAR_SIDE, "D0 "},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const struct place_case *p = &cases[k];
        struct unit u;
        prepare(&u);
        struct instruction i = {.op = p->op, .hint = p->hint, .mask = p->mask};
        i.src0 = operand(&u, NBU_ROW, p->src0);
        if (p->src1 >= 0)
            i.src1 = operand(&u, NBU_ROW, p->src1);
        if (p->guard >= 0)
            i.guard = operand(&u, NBU_PRED, p->guard);
        if (p->dst >= 0)
            i.dst = operand(&u, NBU_ROW, p->dst);
        struct delivery d = execute(&u, 0, &i);
        if (d.side != p->side || strcmp(d.moves, p->moves) != 0)
            fail_msg("case %d: side %d moves '%s'", (int)k, d.side, d.moves);
        unit_close(&u);
    }
}

/* A far set without loads lets them run near: the guard goes with them. */
static void global_access_outside_the_far_set(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    c.nbu_far_set = 0;
    open_ready(&u, &c);
    struct instruction i = {.op = OPC_ld_global,
                            .hint = 2,
                            .src0 = operand(&u, NBU_ROW, FAR_A),
                            .guard = operand(&u, NBU_PRED, FAR_PRED)};
    struct delivery d = execute(&u, 0, &i);
    assert_int_equal(d.side, NEAR_SIDE);
    assert_string_equal(d.moves, "D4 ");
    unit_close(&u);
}

/* Shared memory that is on the DRAM die alone: whatever the policy and the hint
 * say. */
static void class_of_the_near_set(void **state) {
    (void)state;
    for (uint32_t policy = 0; policy < 4; policy++) {
        struct config c = small();
        struct unit u;
        c.nbu_near_set = 1u << OPC_ld_shared;
        c.nbu_policy = policy;
        open_ready(&u, &c);
        struct instruction i = {.op = OPC_ld_shared,
                                .hint = 1,
                                .src0 = operand(&u, NBU_ROW, FAR_A),
                                .guard = operand(&u, NBU_PRED, FAR_PRED)};
        struct delivery d = execute(&u, 0, &i);
        assert_int_equal(d.side, NEAR_SIDE);
        assert_string_equal(d.moves, "D0 D4 ");
        unit_close(&u);
    }
}

static void ticket_names_the_side_of_dst(void **state) {
    struct unit u;
    struct delivery d;

    (void)state;
    prepare(&u);
    struct instruction load = {.op = OPC_ld_global,
                               .src0 = operand(&u, NBU_ROW, FAR_A),
                               .dst = operand(&u, NBU_ROW, FREE)};
    d = execute(&u, 0, &load);
    assert_int_equal(d.side, FAR_SIDE);
    assert_int_equal(d.ticket, 7 << 4 | FREE); /* written, near, epoch 1 */
    assert_valid(&u, 0, FREE, false, true);
    d = execute(&u, 0, &load);
    assert_int_equal(d.ticket, 6 << 4 | FREE); /* the epoch alternates */
    struct instruction store = {.op = OPC_st_global,
                                .src0 = operand(&u, NBU_ROW, FAR_A),
                                .src1 = operand(&u, NBU_ROW, FREE),
                                .dst = 5 /* not valid */};
    d = execute(&u, 0, &store);
    assert_int_equal(d.ticket, 0);
    assert_valid(&u, 0, 5, false, true);
    unit_close(&u);
}

static void finished_move_leaves_both_valid(void **state) {
    struct unit u;

    (void)state;
    prepare(&u);
    struct instruction i = {
        .op = OPC_int, .hint = 1, .src0 = operand(&u, NBU_ROW, NEAR_A)};
    assert_string_equal(execute(&u, 0, &i).moves, "U2 ");
    assert_valid(&u, 0, NEAR_A, true, true);
    assert_string_equal(execute(&u, 0, &i).moves, "");
    i.hint = 2;
    i.src1 = operand(&u, NBU_ROW, FAR_B);
    assert_string_equal(execute(&u, 0, &i).moves, "D1 ");
    assert_valid(&u, 0, FAR_B, true, true);
    assert_int_equal(read_counter(&u, NBU_CNT_moved_up), 1);
    assert_int_equal(read_counter(&u, NBU_CNT_moved_down), 1);
    unit_close(&u);
}

static void pair_moves_as_two_rows(void **state) {
    struct unit u;

    (void)state;
    prepare(&u);
    struct instruction i = {.op = OPC_int,
                            .hint = 2,
                            .src0 = operand(&u, NBU_PAIR, FAR_PAIR),
                            .dst = operand(&u, NBU_PAIR, FAR_PAIR)};
    assert_string_equal(execute(&u, 0, &i).moves, "D6 D7 ");
    assert_valid(&u, 0, FAR_PAIR, false, true);
    assert_valid(&u, 0, FAR_PAIR + 1, true, false); /* never tracked */
    i.hint = 1;
    assert_string_equal(execute(&u, 0, &i).moves, "U6 U7 ");
    assert_valid(&u, 0, FAR_PAIR, true, false);
    assert_int_equal(read_counter(&u, NBU_CNT_moved_down), 1);
    assert_int_equal(read_counter(&u, NBU_CNT_moved_up), 1);
    /* rows of 4 words and headers, over 32 wires: 2 packets of 5 beats */
    assert_int_equal(read_counter(&u, NBU_CNT_beats_down), 10);
    assert_int_equal(read_counter(&u, NBU_CNT_beats_up), 10);
    assert_int_equal(read_counter(&u, NBU_CNT_beats_request), 2);
    unit_close(&u);
}

/* Slots ------------------------------------------------------------------ */

static void one_instruction_a_warp(void **state) {
    struct config c = small();
    struct instruction i = {.op = OPC_int};
    struct unit u;

    (void)state;
    open_ready(&u, &c);
    for (int w = 0; w < 4; w++) {
        assert_int_equal(u.out->issue_ready, 15 & ~((1 << w) - 1));
        issue(&u, w, w, &i);
    }
    assert_int_equal(u.out->issue_ready, 0);
    issue(&u, 2, 9, &i); /* not ready: not taken */
    for (int w = 0; w < 4; w++) {
        assert_int_equal(deliver(&u).warp, w);
        assert_int_equal(u.out->issue_ready, (1 << (w + 1)) - 1);
    }
    assert_int_equal(read_counter(&u, NBU_CNT_accepted), 4);
    assert_int_equal(read_counter(&u, NBU_CNT_went_far), 4);
    assert_true(cover(&u, NBU_COV_all_warps_busy) > 0);
    unit_close(&u);
}

static void warps_that_do_not_exist(void **state) {
    struct config c = small();
    struct instruction i = {.op = OPC_int};
    struct delivery stray = {.side = FAR_SIDE, .warp = 7, .ticket = 0x7f};
    struct unit u;

    (void)state;
    c.nbu_warps = 5;
    open_ready(&u, &c);
    issue(&u, 6, 1, &i);
    for (int k = 0; k < 20; k++)
        step(&u);
    assert_int_equal(u.out->issue_ready, 31);
    assert_int_equal(read_counter(&u, NBU_CNT_accepted), 0);
    /* a completion for one commits and changes nothing */
    complete(&u, &stray);
    wait_commit(&u);
    assert_int_equal(u.out->commit_warp, 7);
    for (int w = 0; w < 5; w++)
        assert_valid(&u, w, 15, true, false);
    unit_close(&u);
}

static void inputs_are_masked_to_their_widths(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    c.nbu_tag_bits = 3;
    open_ready(&u, &c);
    struct instruction i = {.op = 0xe0 | OPC_mov, .mask = 0xff3, .dst = 0xf04};
    present(&u, 0xff02, 0xfd, &i);
    step(&u);
    u.in.issue_valid = 2; /* bit 0 is low */
    for (int k = 0; k < 5; k++)
        step(&u);
    assert_true(u.out->far_exec_valid);
    assert_int_equal(u.out->far_exec_warp, 2);
    assert_int_equal(u.out->far_exec_tag, 5);
    assert_int_equal(u.out->far_exec_op, OPC_mov);
    assert_int_equal(u.out->far_exec_mask, 3);
    assert_int_equal(u.out->far_exec_dst, 4);
    assert_int_equal(u.out->issue_ready, 11);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialisation_takes_an_edge_for_each_entry),
        cmocka_unit_test(tracking_query_refuses_bad_places),
        cmocka_unit_test(accept_to_far_exec_is_five_edges),
        cmocka_unit_test(fields_are_zero_while_nothing_is_presented),
        cmocka_unit_test(accept_to_near_exec_is_ten_edges_at_mpu),
        cmocka_unit_test(completion_to_commit),
        cmocka_unit_test(policies),
        cmocka_unit_test(all_sources_must_be_near),
        cmocka_unit_test(operand_places),
        cmocka_unit_test(global_access_outside_the_far_set),
        cmocka_unit_test(class_of_the_near_set),
        cmocka_unit_test(ticket_names_the_side_of_dst),
        cmocka_unit_test(finished_move_leaves_both_valid),
        cmocka_unit_test(pair_moves_as_two_rows),
        cmocka_unit_test(one_instruction_a_warp),
        cmocka_unit_test(warps_that_do_not_exist),
        cmocka_unit_test(inputs_are_masked_to_their_widths),
    };

    return cmocka_run_group_tests_name("test_nbu", tests, NULL, NULL);
}

/* test_offload.c - the offload controller's golden model: decisions.
 *
 * Directed scenarios with numbers worked out by hand from
 * docs/blocks/offload.md: start, latency, each answer and the order of the
 * rules.  Probes and mappings are in test_probe.c, packets and
 * acknowledgements in test_packets.c, monitors in test_links.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit.h"

/* Start ------------------------------------------------------------------ */

static void initialisation_takes_an_edge_for_each_entry(void **state) {
    static const int candidates[][2] = {{2, 2}, {5, 8}, {40, 64}, {256, 256}};

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct config c = small();
        struct unit u;
        c.offload_candidates = candidates[i][0];
        unit_open(&u, &c);
        assert_int_equal(u.out->ask_ready | u.out->load_ready, 0);
        assert_int_equal(u.out->ack_ready, 1);
        assert_int_equal(u.out->first_ready, 0);
        while (!u.out->ask_ready)
            unit_edge(&u);
        assert_int_equal(u.edge, candidates[i][1]);
        assert_int_equal(u.out->load_ready, 1);
        unit_close(&u);
    }
}

static void initialisation_forgets_the_table(void **state) {
    struct entry e = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 7, &e);
    assert_int_equal(ask_answer(&u, 0, 7, 0), OFFLOAD);
    unit_reset(&u);
    unit_start(&u);
    assert_int_equal(ask_answer(&u, 0, 7, 0), NO_ENTRY);
    unit_close(&u);
}

/* Latency ---------------------------------------------------------------- */

static long latency(struct unit *u, int key) {
    long accept;

    ask(u, 3, key, 0);
    accept = u->edge;
    step_until(u, ans_valid);
    assert_int_equal(u->out->ans_warp, 3);
    step(u);
    return u->edge - 1 - accept;
}

static void accept_to_answer_is_six_edges(void **state) {
    struct entry plain = {.begin_pc = 100};
    struct entry cond = {.begin_pc = 200, .cond = true, .compare = 1};

    (void)state;
    for (int by_pc = 0; by_pc < 2; by_pc++) {
        struct config c = small();
        struct unit u;
        c.offload_lookup = by_pc;
        unit_open(&u, &c);
        unit_start(&u);
        load(&u, 2, &plain);
        load(&u, 3, &cond);
        assert_int_equal(latency(&u, by_pc ? 100 : 2), 6 + by_pc);
        assert_int_equal(latency(&u, by_pc ? 200 : 3), 9 + by_pc);
        unit_close(&u);
    }
}

static void one_answer_an_edge(void **state) {
    struct entry e = {.cond = true, .compare = 1, .cond_reg = 5};
    struct unit u;
    int answers = 0;

    (void)state;
    open_small(&u);
    load(&u, 2, &e); /* value 0, threshold 0, not equal: no */
    for (int i = 0; i < 29; i++) {
        present(&u, i % 8, 2, 0xff, 0, false);
        u.in.ask_valid = i < 20;
        assert_int_equal(u.out->ask_ready, 1);
        step(&u);
        if (u.out->ans_valid) {
            assert_int_equal(u.out->ans_warp, answers % 8);
            assert_int_equal(u.out->ans_reason, CONDITION);
            answers++;
        }
        assert_int_equal(u.out->ans_valid, i >= 9);
    }
    assert_int_equal(answers, 20);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_asked), 20);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_cond), 20);
    assert_int_equal(cover(&u, OFFLOAD_COV_streak), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_cond_false), 20);
    unit_close(&u);
}

static void sixteen_requests_between_ask_and_answer(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    u.in.ans_ready = 0;
    for (int i = 0; i < 20; i++) {
        present(&u, i % 8, i % 8, 1, 0, false);
        assert_int_equal(u.out->ask_ready, i < 16);
        step(&u);
    }
    /* an answer that leaves makes room after its edge, not on it */
    u.in.ask_valid = 0;
    steps(&u, 8);
    u.in.ans_ready = 1;
    u.in.ask_valid = 1;
    step(&u);
    assert_int_equal(u.out->ask_ready, 1);
    /* accept and handshake on one edge: unchanged */
    step(&u);
    assert_int_equal(u.out->ask_ready, 1);
    u.in.ans_ready = 0;
    step(&u);
    assert_int_equal(u.out->ask_ready, 0);
    u.in.ask_valid = 0;
    u.in.ans_ready = 1;
    steps(&u, 30);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_asked), 18);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_entry), 18);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_ask_blocked), 5);
    assert_true(cover(&u, OFFLOAD_COV_ask_full) > 0);
    unit_close(&u);
}

static void answer_fields_are_zero_when_it_has_gone(void **state) {
    struct entry e = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 1, &e);
    u.in.ans_ready = 0;
    ask(&u, 5, 1, 0x180); /* line 3 */
    steps(&u, 6);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(u.out->ans_valid, 1);
        assert_int_equal(u.out->ans_offload, 1);
        assert_int_equal(u.out->ans_stack, 3);
        assert_int_equal(u.out->ans_warp, 5);
        step(&u);
    }
    u.in.ans_ready = 1;
    step(&u);
    assert_int_equal(u.out->ans_valid | u.out->ans_offload | u.out->ans_stack |
                         u.out->ans_warp | u.out->ans_reason,
                     0);
    assert_true(cover(&u, OFFLOAD_COV_ans_blocked) >= 2);
    unit_close(&u);
}

/* Lookup ----------------------------------------------------------------- */

static void lookup_by_pc_finds_the_lowest_match(void **state) {
    struct config c = small();
    struct entry e = {.begin_pc = 0x123, .end_pc = 8};
    struct unit u;

    (void)state;
    c.offload_lookup = 1;
    unit_open(&u, &c);
    unit_start(&u);
    load(&u, 6, &e);
    e.end_pc = 12;
    load(&u, 3, &e);
    e.invalid = true;
    load(&u, 1, &e);
    u.in.tx_ready = 0;
    assert_int_equal(ask_answer(&u, 2, 0x123, 0), OFFLOAD);
    step_until(&u, tx_valid);
    /* warp 3 bits, index 3 bits */
    assert_int_equal(u.out->tx_data[0] & 63, 3 << 3 | 2);
    assert_int_equal(ask_answer(&u, 3, 0x124, 0), NO_ENTRY);
    unit_close(&u);
}

/* Condition -------------------------------------------------------------- */

static const struct condition_case {
    int compare;
    bool is_signed;
    uint32_t value, threshold;
    bool held;
} condition_cases[] = {
    {0, 0, 5, 5, 1},
    {0, 0, 4, 5, 0},
    {1, 0, 5, 5, 0},
    {1, 0, 6, 5, 1},
    {2, 0, 4, 5, 1},
    {2, 0, 5, 5, 0},
    {2, 0, 6, 5, 0},
    {3, 0, 4, 5, 1},
    {3, 0, 5, 5, 1},
    {3, 0, 6, 5, 0},
    {4, 0, 6, 5, 1},
    {4, 0, 5, 5, 0},
    {5, 0, 6, 5, 1},
    {5, 0, 5, 5, 1},
    {5, 0, 4, 5, 0},
    {6, 0, 5, 5, 0},
    {7, 0, 6, 5, 0},
    {6, 1, 4, 5, 0},
    /* minus one against one */
    {2, 0, UINT32_MAX, 1, 0},
    {2, 1, UINT32_MAX, 1, 1},
    {4, 0, UINT32_MAX, 1, 1},
    {4, 1, UINT32_MAX, 1, 0},
    {3, 1, 0x80000000, 0x7fffffff, 1},
    {5, 1, 0x80000000, 0x7fffffff, 0},
    {5, 0, 0x80000000, 0x7fffffff, 1},
    {2, 1, 0xfffffffe, 0xffffffff, 1},
    {0, 1, 0xfffffffe, 0xfffffffe, 1},
    {1, 1, UINT32_MAX, 1, 1},
};

static void conditions(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    for (size_t i = 0; i < sizeof condition_cases / sizeof condition_cases[0];
         i++) {
        struct entry e = {.cond = true,
                          .cond_signed = condition_cases[i].is_signed,
                          .compare = condition_cases[i].compare,
                          .threshold = condition_cases[i].threshold};
        load(&u, 0, &e);
        u.value = condition_cases[i].value;
        if (ask_answer(&u, 1, 0, 0) !=
            (condition_cases[i].held ? OFFLOAD : CONDITION))
            fail_msg("case %d", (int)i);
        if (condition_cases[i].held)
            send_home(&u, 1, 0);
    }
    /* {2,1}, {4,1}, {3,1} and {5,1} with values of unequal sign */
    assert_int_equal(cover(&u, OFFLOAD_COV_cond_signed), 4);
    unit_close(&u);
}

static void condition_register_of_the_lowest_lane(void **state) {
    struct entry e = {.cond = true, .cond_reg = 11};
    static const struct {
        uint64_t mask;
        int lane;
    } cases[] = {{0xff, 0}, {0xa8, 3}, {0x80, 7}, {0, 0}};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 4, &e);
    u.value = 1; /* not the threshold */
    u.in.oper_ready = 0;
    for (int i = 0; i < 4; i++) {
        present(&u, 6, 4, cases[i].mask, 0, false);
        step(&u);
        u.in.ask_valid = 0;
        steps(&u, 3);
        assert_int_equal(u.out->oper_valid, 1); /* after edge accept + 3 */
        assert_int_equal(u.out->oper_warp, 6);
        assert_int_equal(u.out->oper_reg, 11);
        assert_int_equal(u.out->oper_lane, cases[i].lane);
        u.in.oper_ready = 1;
        step(&u);
        u.in.oper_ready = 0;
        assert_int_equal(u.out->oper_valid | u.out->oper_warp |
                             u.out->oper_reg | u.out->oper_lane,
                         0);
        assert_int_equal(answer(&u), CONDITION);
    }
    unit_close(&u);
}

/* An entry that is not valid needs no value. */
static void no_value_for_no_entry(void **state) {
    struct entry e = {.cond = true, .invalid = true};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 4, &e);
    ask(&u, 6, 4, 0);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(u.out->oper_valid, 0);
        step(&u);
    }
    assert_int_equal(u.out->ans_valid, 1);
    assert_int_equal(u.out->ans_reason, NO_ENTRY);
    unit_close(&u);
}

/* A request that needs no value waits behind one that does. */
static void requests_keep_their_order(void **state) {
    struct entry cond = {.cond = true}, plain = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 0, &cond);
    load(&u, 1, &plain);
    u.in.oper_ready = 0;
    ask(&u, 4, 0, 0);
    ask(&u, 5, 1, 0);
    steps(&u, 20);
    assert_int_equal(u.out->ans_valid, 0);
    u.in.oper_ready = 1;
    step_until(&u, ans_valid);
    assert_int_equal(u.out->ans_warp, 4);
    step(&u);
    assert_int_equal(u.out->ans_valid, 1); /* on the edge behind */
    assert_int_equal(u.out->ans_warp, 5);
    unit_close(&u);
}

/* Rules ------------------------------------------------------------------ */

static void mode_travels_with_the_request(void **state) {
    struct entry e = {.cond = true, .compare = 0};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 0, &e);
    for (int mode = 0; mode < 4; mode += 3) {
        set(&u, OFFLOAD_SET_mode, (uint32_t)mode);
        ask(&u, 1, 0, 0);
        for (int i = 0; i < 6; i++) {
            assert_int_equal(u.out->oper_valid, 0); /* needs no value */
            step(&u);
        }
        assert_int_equal(answer(&u), IS_OFF);
    }
    assert_int_equal(ask_answer(&u, 2, 5, 0), IS_OFF); /* before no entry */
    /* M is valid on edge accept + 2: written on accept + 1 counts, as it
     * stands before accept + 2; written on accept + 2 does not */
    set(&u, OFFLOAD_SET_mode, 1);
    for (int late = 0; late < 2; late++) {
        ask(&u, 1, 0, 0);
        steps(&u, late);
        set(&u, OFFLOAD_SET_mode, 0);
        assert_int_equal(answer(&u), late ? OFFLOAD : IS_OFF);
        set(&u, OFFLOAD_SET_mode, 1);
    }
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_off), 4);
    /* 1 to 0 to 3, and 3 to 1 to 0 to 1 to 0 to 1 */
    assert_int_equal(cover(&u, OFFLOAD_COV_mode_changed), 7);
    unit_close(&u);
}

/* Keep links busy: TX of the first mask, RX of the second. */
static void make_busy(struct unit *u, uint64_t tx, uint64_t rx) {
    u->in.link_tx = tx;
    u->in.link_rx = rx;
    steps(u, 100);
    assert_int_equal(u->out->link_tx_busy, tx);
    assert_int_equal(u->out->link_rx_busy, rx);
}

/* address: line s goes to stack s */
static const struct rule_case {
    int mode;
    struct entry e;
    int stack, reason;
    bool full;
} rule_cases[] = {
    /* controlled: TX of stack 1 busy, RX of 2, both of 3 */
    {1, {0}, 0, OFFLOAD, 0},
    {1, {0}, 1, TX_BUSY, 0},
    {1, {0}, 2, RX_BUSY, 0},
    {1, {0}, 3, TX_BUSY, 0},
    {1, {.tag_tx = true}, 1, OFFLOAD, 0},
    {1, {.tag_rx = true}, 1, TX_BUSY, 0},
    {1, {.tag_rx = true}, 2, OFFLOAD, 0},
    {1, {.tag_tx = true}, 2, RX_BUSY, 0},
    {1, {.tag_tx = true}, 3, RX_BUSY, 0},
    {1, {.tag_rx = true}, 3, TX_BUSY, 0},
    {1, {.tag_tx = true, .tag_rx = true}, 3, OFFLOAD, 0},
    /* the stack is full: behind the channels, whatever the tag */
    {1, {0}, 0, STACK_FULL, 1},
    {1, {0}, 1, TX_BUSY, 1},
    {1, {0}, 2, RX_BUSY, 1},
    {1, {.tag_tx = true, .tag_rx = true}, 3, STACK_FULL, 1},
    /* uncontrolled: none of this */
    {2, {0}, 3, OFFLOAD, 0},
    {2, {0}, 3, OFFLOAD, 1},
    {2, {.invalid = true}, 3, NO_ENTRY, 1},
    {2, {.cond = true, .threshold = 1}, 3, CONDITION, 1},
    {2, {.cond = true, .threshold = 0}, 3, OFFLOAD, 1},
    /* an invalid entry is not asked for its condition */
    {1, {.invalid = true, .cond = true}, 3, NO_ENTRY, 1},
    {1, {.cond = true, .threshold = 1, .late = true}, 3, CONDITION, 1},
};

static void rules_in_their_order(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    make_busy(&u, 0xa, 0xc);
    for (size_t i = 0; i < sizeof rule_cases / sizeof rule_cases[0]; i++) {
        set(&u, OFFLOAD_SET_mode, (uint32_t)rule_cases[i].mode);
        load(&u, 0, &rule_cases[i].e);
        u.in.link_full = (uint64_t)rule_cases[i].full << rule_cases[i].stack;
        int reason = ask_answer(&u, 1, 0, (uint64_t)rule_cases[i].stack << 7);
        if (reason != rule_cases[i].reason)
            fail_msg("case %d: %d", (int)i, reason);
        if (reason == OFFLOAD)
            send_home(&u, 1, 0);
    }
    assert_int_equal(cover(&u, OFFLOAD_COV_link_full), 2);
    assert_int_equal(cover(&u, OFFLOAD_COV_stack_full), 0);
    assert_int_equal(cover(&u, OFFLOAD_COV_tx_busy), 5);
    assert_int_equal(cover(&u, OFFLOAD_COV_rx_busy), 4);
    assert_int_equal(cover(&u, OFFLOAD_COV_tx_busy_saver), 2);
    assert_int_equal(cover(&u, OFFLOAD_COV_rx_busy_saver), 2);
    assert_int_equal(cover(&u, OFFLOAD_COV_uncontrolled_busy), 3);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_tx), 5);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_rx), 4);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_full), 2);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_entry), 2);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_cond), 2);
    unit_close(&u);
}

static void limit_of_a_stack(void **state) {
    struct entry e = {.end_pc = 4};
    struct unit u;
    int stack;

    (void)state;
    open_small(&u); /* limit 4 */
    load(&u, 0, &e);
    for (int w = 0; w < 4; w++)
        assert_int_equal(ask_answer(&u, w, 0, 0x100), OFFLOAD);
    assert_int_equal(offload_pending(u.g, 2), 4);
    assert_int_equal(offload_pending(u.g, 4), -1);
    assert_int_equal(ask_answer(&u, 4, 0, 0x100), STACK_FULL);
    assert_int_equal(ask_answer(&u, 4, 0, 0x080), OFFLOAD); /* another one */
    assert_true(offload_away(u.g, 4, &stack));
    assert_int_equal(stack, 1);
    assert_false(offload_away(u.g, 5, &stack));
    assert_false(offload_away(u.g, 8, &stack));
    set(&u, OFFLOAD_SET_limit, 5);
    assert_int_equal(ask_answer(&u, 5, 0, 0x100), OFFLOAD);
    set(&u, OFFLOAD_SET_limit, 0);
    assert_int_equal(ask_answer(&u, 6, 0, 0), STACK_FULL);
    set(&u, OFFLOAD_SET_mode, 2);
    assert_int_equal(ask_answer(&u, 6, 0, 0x100), OFFLOAD);
    assert_int_equal(offload_pending(u.g, 2), 6);
    assert_int_equal(cover(&u, OFFLOAD_COV_uncontrolled_full), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_stack_full), 2);
    for (int w = 0; w < 4; w++)
        send_home(&u, w, 0);
    assert_int_equal(offload_pending(u.g, 2), 2);
    send_home(&u, 4, 0);
    assert_int_equal(offload_pending(u.g, 1), 0);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_released), 5);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_offloaded), 7);
    unit_close(&u);
}

/* The count that a decision sees is the one before the edge. */
static void release_and_offload_on_one_edge(void **state) {
    struct entry e = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 0, &e);
    set(&u, OFFLOAD_SET_limit, 1);
    for (int late = 0; late < 2; late++) {
        assert_int_equal(ask_answer(&u, 0, 0, 0), OFFLOAD);
        set(&u, OFFLOAD_SET_limit, late ? 1 : 2);
        /* R_LOOK, R_OPEN, R_NEXT, R_RELEASE behind the header */
        steps(&u, 20);
        ask(&u, 1, 0, 0);         /* accept */
        steps(&u, late ? 1 : 0);  /* decided on accept + 5 */
        ack_head(&u, 0, 0, 1, 0); /* accept + 1 (+ 2) */
        steps(&u, 4);             /* released 4 edges later */
        assert_int_equal(offload_pending(u.g, 0), late ? 0 : 1);
        assert_int_equal(answer(&u), late ? STACK_FULL : OFFLOAD);
        if (!late)
            send_home(&u, 1, 0);
    }
    assert_int_equal(cover(&u, OFFLOAD_COV_pend_both), 1);
    unit_close(&u);
}

/* Other ------------------------------------------------------------------ */

static void counters_clear(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    assert_int_equal(ask_answer(&u, 1, 0, 0), NO_ENTRY);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_asked), 1);
    wishbone(&u, true, REG_CONTROL, 1);
    for (int i = 0; i < OFFLOAD_N_COUNTERS; i++)
        assert_int_equal(read_counter(&u, (enum offload_counter)i), 0);
    assert_int_equal(cover(&u, OFFLOAD_COV_counters_cleared), 1);
    unit_close(&u);
}

static void inputs_are_masked_to_their_widths(void **state) {
    struct entry e = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 6, &e);
    u.in.tx_ready = 0;
    present(&u, 0xf8 | 5, 0xf8 | 6, 0xff81, 0xf00000180, false);
    u.in.ask_valid = 0xff;
    step(&u);
    u.in.ask_valid = 2; /* bit 0 is low */
    step_until(&u, ans_valid);
    assert_int_equal(u.out->ans_warp, 5);
    assert_int_equal(u.out->ans_stack, 3);
    step_until(&u, tx_valid);
    assert_int_equal(u.out->tx_data[0] & 63, 6 << 3 | 5);
    assert_int_equal(u.out->tx_data[0] >> 30 & 0x1ff, 0x81);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_asked), 1);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialisation_takes_an_edge_for_each_entry),
        cmocka_unit_test(initialisation_forgets_the_table),
        cmocka_unit_test(accept_to_answer_is_six_edges),
        cmocka_unit_test(one_answer_an_edge),
        cmocka_unit_test(sixteen_requests_between_ask_and_answer),
        cmocka_unit_test(answer_fields_are_zero_when_it_has_gone),
        cmocka_unit_test(lookup_by_pc_finds_the_lowest_match),
        cmocka_unit_test(conditions),
        cmocka_unit_test(condition_register_of_the_lowest_lane),
        cmocka_unit_test(no_value_for_no_entry),
        cmocka_unit_test(requests_keep_their_order),
        cmocka_unit_test(mode_travels_with_the_request),
        cmocka_unit_test(rules_in_their_order),
        cmocka_unit_test(limit_of_a_stack),
        cmocka_unit_test(release_and_offload_on_one_edge),
        cmocka_unit_test(counters_clear),
        cmocka_unit_test(inputs_are_masked_to_their_widths),
    };

    return cmocka_run_group_tests_name("test_offload", tests, NULL, NULL);
}

/* test_probe.c - the offload controller's golden model: where blocks
 * go.
 *
 * The stack of an address under both mappings, and blocks that do not begin
 * with an access, worked out by hand from docs/blocks/offload.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit.h"

/* Mapping ---------------------------------------------------------------- */

static int stack_of(struct unit *u, uint64_t address, bool learned) {
    int stack;

    present(u, 1, 0, 1, address, learned);
    step(u);
    u->in.ask_valid = 0;
    step_until(u, ans_valid);
    assert_int_equal(u->out->ans_reason, OFFLOAD);
    stack = (int)u->out->ans_stack;
    step(u);
    send_home(u, 1, 0);
    return stack;
}

static void baseline_mapping(void **state) {
    /* four stacks: groups of two bits of the line address, XORed */
    static const uint64_t of_4[][2] = {
        {0x0000007f, 0}, {0x00000080, 1}, {0x00000180, 3},
        {0x00000200, 1}, {0x00000280, 0}, /* line 5: 1 ^ 1 */
        {0x00000700, 1},                  /* line 14: 3 ^ 2 */
        {0x12345678, 1}, /* line 0x2468ac: 0 3 2 2 0 2 2 1 0 1 2 */
        {0xffffff80, 1}, /* 25 ones: 12 groups of 3, and a 1 */
        {0x80000000, 1}, /* bit 24 of the line: lowest of its group */
    };
    struct entry e = {.end_pc = 4};
    struct config c = small();
    struct unit u;

    (void)state;
    unit_open(&u, &c);
    unit_start(&u);
    load(&u, 0, &e);
    for (size_t i = 0; i < sizeof of_4 / sizeof of_4[0]; i++)
        if (stack_of(&u, of_4[i][0], false) != (int)of_4[i][1])
            fail_msg("case %d", (int)i);
    unit_close(&u);
    /* eight stacks: 48 address bits, 41 of the line: the last group is two
     * bits and a zero */
    c.offload_stacks = 8;
    c.offload_address_bits = 48;
    unit_open(&u, &c);
    unit_start(&u);
    load(&u, 0, &e);
    assert_int_equal(stack_of(&u, 0xffffffffff80, false), 7 ^ 3); /* 13 x 7 */
    assert_int_equal(stack_of(&u, 0x800000000000, false), 2);
    assert_int_equal(stack_of(&u, 0x123456789abc, false),
                     /* line 0x2468acf135 in octal, lowest digit first */
                     5 ^ 6 ^ 4 ^ 0 ^ 7 ^ 1 ^ 3 ^ 5 ^ 0 ^ 5 ^ 1 ^ 2 ^ 2);
    unit_close(&u);
    c.offload_stacks = 2;
    unit_open(&u, &c);
    unit_start(&u);
    load(&u, 0, &e);
    assert_int_equal(stack_of(&u, 0xffffffffff80, false), 1); /* 41 ones */
    assert_int_equal(stack_of(&u, 0xffffffffff00, false), 0);
    unit_close(&u);
    c.offload_stacks = 16;
    unit_open(&u, &c);
    unit_start(&u);
    load(&u, 0, &e);
    assert_int_equal(stack_of(&u, 0xffffffffff80, false), 1); /* 10 x 15, 1 */
    assert_int_equal(stack_of(&u, 0x000000001080, false), 3); /* 1 ^ 2 */
    unit_close(&u);
}

static void learned_mapping(void **state) {
    struct entry e = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u); /* 32 address bits, map_bit 7 */
    load(&u, 0, &e);
    assert_int_equal(stack_of(&u, 0x280, true), 1);
    assert_int_equal(stack_of(&u, 0x280, false), 0);
    set(&u, OFFLOAD_SET_map_bit, 8);
    assert_int_equal(stack_of(&u, 0x280, true), 2);
    set(&u, OFFLOAD_SET_map_bit, 0);
    assert_int_equal(stack_of(&u, 0x287, true), 3);
    set(&u, OFFLOAD_SET_map_bit, 30);
    assert_int_equal(stack_of(&u, 0x80000000, true), 2);
    set(&u, OFFLOAD_SET_map_bit, 31); /* zeros above the address */
    assert_int_equal(stack_of(&u, 0xfffffffff, true), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_learned), 5);
    assert_int_equal(cover(&u, OFFLOAD_COV_baseline), 1);
    unit_close(&u);
}

/* map_bit as it stands on the weigh edge, which is accept + 4. */
static void map_bit_counts_when_weighed(void **state) {
    struct entry e = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 0, &e);
    for (int late = 0; late < 2; late++) {
        set(&u, OFFLOAD_SET_map_bit, 7);
        present(&u, 1, 0, 1, 0x300, true); /* 2, or 3 from bit 8 */
        step(&u);
        u.in.ask_valid = 0;
        steps(&u, 2 + late);
        set(&u, OFFLOAD_SET_map_bit, 8); /* on accept + 3 (+ 4) */
        step_until(&u, ans_valid);
        assert_int_equal(u.out->ans_stack, late ? 2 : 3);
        step(&u);
        send_home(&u, 1, 0);
    }
    unit_close(&u);
}

/* Probe ------------------------------------------------------------------ */

/* Ask for a block that does not begin with an access, up to P_FIRST. */
static void to_first(struct unit *u, int warp, int key) {
    ask(u, warp, key, 0xffff);
    step_until(u, probe_valid);
    assert_int_equal(u->out->probe_warp, warp);
    step(u);
    assert_int_equal(u->out->probe_valid | u->out->probe_warp, 0);
    assert_int_equal(u->out->first_ready, 1);
}

static void first(struct unit *u, uint64_t address, bool learned, bool none) {
    u->in.first_valid = 1;
    u->in.first_address = address;
    u->in.first_learned = learned;
    u->in.first_none = none;
    step(u);
    u->in.first_valid = 0;
    assert_int_equal(u->out->first_ready, 0);
}

static void probe_edge_by_edge(void **state) {
    struct entry e = {.late = true, .live_in = 5, .end_pc = 4};
    struct unit u;
    long accept, taken;

    (void)state;
    open_small(&u); /* a row is 4 flits */
    load(&u, 1, &e);
    ask(&u, 6, 1, 0);
    accept = u.edge;
    step_until(&u, reg_read_valid);
    /* decided on accept + 5; T_IDLE, T_FETCH, T_OPEN, T_PICK */
    assert_int_equal(u.edge - accept, 9);
    assert_int_equal(u.out->reg_read_warp, 6);
    assert_int_equal(u.out->reg_read_reg, 0);
    step(&u); /* T_READ */
    step(&u); /* T_WAIT */
    /* 4 x T_STORE, T_PICK */
    steps(&u, 5);
    assert_int_equal(u.out->reg_read_valid, 1);
    assert_int_equal(u.out->reg_read_reg, 2);
    /* T_READ, T_WAIT, 4 x T_STORE, T_END */
    steps(&u, 6);
    assert_int_equal(u.out->probe_valid, 0);
    step(&u);
    assert_int_equal(u.out->probe_valid, 1);
    u.in.probe_ready = 0;
    steps(&u, 3);
    assert_int_equal(u.out->probe_valid, 1);
    assert_int_equal(u.out->probe_warp, 6);
    u.in.probe_ready = 1;
    step(&u);
    assert_int_equal(u.out->probe_valid, 0);
    assert_int_equal(u.out->first_ready, 1);
    u.in.ans_ready = 0;
    first(&u, 0x180, false, false);
    taken = u.edge;
    /* P_BACK: weighed on +1, decided on +2, at the output after +3 */
    step_until(&u, ans_valid);
    assert_int_equal(u.edge - taken, 3);
    assert_int_equal(u.out->ans_offload, 1);
    assert_int_equal(u.out->ans_stack, 3);
    assert_int_equal(u.out->ans_warp, 6);
    assert_int_equal(cover(&u, OFFLOAD_COV_probe_offload), 1);
    u.in.ans_ready = 1;
    step(&u);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_probes), 1);
    unit_close(&u);
}

static void probe_without_live_ins(void **state) {
    struct entry e = {.late = true};
    struct unit u;
    long accept;

    (void)state;
    open_small(&u);
    load(&u, 1, &e);
    ask(&u, 6, 1, 0);
    accept = u.edge;
    step_until(&u, probe_valid);
    /* accept + 5, T_IDLE, T_FETCH, T_OPEN, T_PICK, T_END */
    assert_int_equal(u.edge - accept, 10);
    unit_close(&u);
}

static void probe_answers(void **state) {
    struct entry e = {.late = true, .live_in = 2, .end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 1, &e);
    /* the block has ended: before any rule about the stack */
    u.in.link_full = 15;
    to_first(&u, 2, 1);
    first(&u, 0x80, false, true);
    assert_int_equal(answer(&u), NO_ADDRESS);
    /* refused by the stack of the first address, not of the request */
    to_first(&u, 2, 1);
    u.in.link_full = 2;
    first(&u, 0x80, false, false);
    assert_int_equal(answer(&u), STACK_FULL);
    assert_int_equal(cover(&u, OFFLOAD_COV_probe_refused), 1);
    /* the mode is that of the request */
    to_first(&u, 2, 1);
    set(&u, OFFLOAD_SET_mode, 0);
    first(&u, 0x100, true, false);
    step_until(&u, ans_valid);
    assert_int_equal(u.out->ans_offload, 1);
    assert_int_equal(u.out->ans_stack, 2);
    set(&u, OFFLOAD_SET_mode, 1);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_refused_address), 1);
    assert_int_equal(read_counter(&u, OFFLOAD_CNT_probes), 3);
    unit_close(&u);
}

static void one_probe_at_a_time(void **state) {
    struct entry e = {.late = true, .live_in = 15, .end_pc = 4};
    struct entry large = {.late = true, .live_in = 31};
    struct unit u;

    (void)state;
    open_small(&u); /* room for 4 rows */
    load(&u, 1, &e);
    load(&u, 2, &large);
    assert_int_equal(ask_answer(&u, 1, 2, 0), NO_SAVE);
    assert_int_equal(cover(&u, OFFLOAD_COV_save_large), 1);
    to_first(&u, 0, 1);
    assert_int_equal(ask_answer(&u, 1, 1, 0), NO_SAVE);
    assert_int_equal(cover(&u, OFFLOAD_COV_save_busy), 1);
    first(&u, 0, false, false);
    u.in.tx_ready = 0;
    assert_int_equal(answer(&u), OFFLOAD);
    /* held until its packet has gone */
    steps(&u, 20);
    assert_int_equal(ask_answer(&u, 1, 1, 0), NO_SAVE);
    u.in.tx_ready = 1;
    steps(&u, 80);
    ask(&u, 1, 1, 0);
    step_until(&u, probe_valid);
    unit_close(&u);
}

/* The end of another packet does not free the saved registers. */
static void hold_ends_with_its_own_packet(void **state) {
    struct entry e = {.late = true, .end_pc = 4}, job = {.end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 1, &e);
    load(&u, 2, &job);
    to_first(&u, 0, 1);
    u.in.tx_ready = 0;
    assert_int_equal(ask_answer(&u, 5, 2, 0), OFFLOAD);
    first(&u, 0, false, false);
    assert_int_equal(answer(&u), OFFLOAD);
    step_until(&u, tx_head);
    u.in.tx_ready = 1;
    assert_int_equal(u.out->tx_data[0] & 7, 5);
    step(&u);
    u.in.tx_ready = 0;
    step_until(&u, tx_head);
    assert_int_equal(u.out->tx_data[0] & 7, 0);
    assert_int_equal(ask_answer(&u, 1, 1, 0), NO_SAVE);
    u.in.tx_ready = 1;
    steps(&u, 2); /* T_HEAD, T_END */
    to_first(&u, 1, 1);
    unit_close(&u);
}

/* A probed request keeps its place among the sixteen. */
static void probe_keeps_its_place(void **state) {
    struct entry e = {.late = true};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 1, &e);
    to_first(&u, 0, 1);
    u.in.ans_ready = 0;
    for (int i = 0; i < 16; i++) {
        assert_int_equal(u.out->ask_ready, i < 15);
        present(&u, 1 + i % 7, 3, 1, 0, false);
        step(&u);
    }
    unit_close(&u);
}

/* P_BACK goes before waiting: the others lose one edge. */
static void probed_request_goes_first(void **state) {
    struct entry e = {.late = true, .end_pc = 4};
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 1, &e);
    to_first(&u, 0, 1);
    /* first is taken on accept + 3, so P_BACK weighs on accept + 4 */
    ask(&u, 3, 5, 0);
    steps(&u, 2);
    first(&u, 0, false, true);
    steps(&u, 3);
    assert_int_equal(u.out->ans_valid, 1);
    assert_int_equal(u.out->ans_warp, 0);
    step(&u);
    assert_int_equal(u.out->ans_valid, 1);
    assert_int_equal(u.out->ans_warp, 3);
    unit_close(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baseline_mapping),
        cmocka_unit_test(learned_mapping),
        cmocka_unit_test(map_bit_counts_when_weighed),
        cmocka_unit_test(probe_edge_by_edge),
        cmocka_unit_test(probe_without_live_ins),
        cmocka_unit_test(probe_answers),
        cmocka_unit_test(one_probe_at_a_time),
        cmocka_unit_test(hold_ends_with_its_own_packet),
        cmocka_unit_test(probe_keeps_its_place),
        cmocka_unit_test(probed_request_goes_first),
    };

    return cmocka_run_group_tests_name("test_offload_probe", tests, NULL, NULL);
}

/* test_shared.c - the golden model of the pipeline of the base die with shared
 * memory, as docs/blocks/far_pipe.md and near_pipe.md have it: 32 rows of two
 * banks.
 */
#include "unit.h"

static void open_shared(struct unit *u) {
    open_sized(u, 64);
}

static void put_window(struct unit *u, int warp, unsigned base, unsigned rows) {
    u->in.window_valid = 1;
    u->in.window_warp = (uint64_t)warp;
    u->in.window_base = base;
    u->in.window_rows = rows;
    edge(u);
    u->in.window_valid = 0;
}

/* Store, then load the other way round in another warp of the same window, and
 * in one of another.  Without conflicts the first pass leaves on the edge after
 * the operands are collected, the last words are put 2 PASSES + 2 edges later
 * and told an edge after that; a store has nothing to put. */
static void test_shared(void **state) {
    static const uint32_t turned[LANES] = {107, 106, 105, 104,
                                           103, 102, 101, 100};
    static const uint32_t beside[LANES] = {105, 104, 103, 102, 101, 100, 0, 0};
    struct unit u;
    (void)state;
    open_shared(&u);
    put_window(&u, 2, 3, 4);
    put_window(&u, 5, 3, 4);
    put_window(&u, 6, 2, 4); /* begins a row earlier */
    put_code(&u, 1, "sts.b32 [r0+0], r1");
    put_code(&u, 2, "lds.b32 r1, [r0-4]");
    put_row(&u, 2, 0, 0, 4);
    put_row(&u, 2, 1, 100, 1);
    put_row(&u, 5, 0, 32, (uint32_t)-4);
    put_row(&u, 6, 0, 32, (uint32_t)-4);
    exec(&u, 2, 1, NONE, 0, NONE, 1, NONE, 0xff);
    assert_int_equal(until_done(&u, 1), 2 * PASSES + 7);
    exec(&u, 5, 2, 1, 0, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 2), 2 * PASSES + 7);
    assert_int_equal(u.out->done_warp, 5);
    edge(&u);
    expect_lanes(&u, 5, 1, turned);
    exec(&u, 6, 2, 1, 0, NONE, NONE, NONE, 0xff);
    until_done(&u, 2);
    assert_int_equal(u.out->shared_fault_valid | u.out->fault_valid, 0);
    edge(&u);
    expect_lanes(&u, 6, 1, beside);
    close_unit(&u);
}

/* Edges that an access takes beyond those without conflicts. */
static int conflicts(uint32_t first, uint32_t step, const char *text,
                     unsigned mask) {
    struct unit u;
    open_shared(&u);
    put_window(&u, 0, 0, 32);
    put_code(&u, 1, text);
    put_row(&u, 0, 0, first, step);
    put_row(&u, 0, 1, 7, 1);
    exec(&u, 0, 1, text[0] == 's' ? NONE : 2, 0, NONE,
         text[0] == 'l' ? NONE : 1, NONE, mask);
    int n = until_done(&u, 1) - (2 * PASSES + 7);
    close_unit(&u);
    return n;
}

static void test_conflicts(void **state) {
    static const char load[] = "lds.b32 r2, [r0+0]";
    static const char store[] = "sts.b32 [r0+0], r1";
    static const char add[] = "ats.add r2, [r0], r1";
    (void)state;
    assert_int_equal(conflicts(0, 4, store, 0xff), 0);
    assert_int_equal(conflicts(0, 8, store, 0xff), PASSES);
    assert_int_equal(conflicts(0, 0, store, 0xff), PASSES);
    assert_int_equal(conflicts(0, 8, store, 0x55), 0);
    assert_int_equal(conflicts(0, 4, load, 0xff), 0);
    assert_int_equal(conflicts(0, 8, load, 0xff), PASSES);
    assert_int_equal(conflicts(0, 0, load, 0xff), 0);
    /* two edges a lane, whatever the bank; a pass without one takes one */
    assert_int_equal(conflicts(0, 4, add, 0xff), 3 * PASSES);
    assert_int_equal(conflicts(0, 4, add, 0x80), 1);
    assert_int_equal(conflicts(0, 4, store, 0), 0);
}

/* The lanes of an atomic are carried out in their order, with a number of the
 * word's not looked at; cas compares with b. */
static void test_atomic(void **state) {
    static const uint32_t before[LANES] = {0, 1, 3, 6, 10, 15, 21, 28};
    static const uint32_t kept[LANES] = {36, 9, 9, 9, 36, 9, 9, 9};
    static const uint32_t last[LANES] = {9, 9, 9, 9, 9, 9, 9, 9};
    struct unit u;
    (void)state;
    open_shared(&u);
    put_window(&u, 7, 30, 2);
    put_window(&u, 3, 30, 2);
    put_code(&u, 1, "ats.add r2, [r0], r1");
    put_code(&u, 2, "ats.cas r2, [r0], r4, r1");
    put_code(&u, 3, "lds.b32 r2, [r0+0]");
    put_row(&u, 7, 0, 12, 0);
    put_row(&u, 7, 1, 1, 1);
    exec(&u, 7, 1, 2, 0, NONE, 1, NONE, 0xff);
    until_done(&u, 1);
    edge(&u);
    expect_lanes(&u, 7, 2, before);
    /* 36 of all; lane 0 changes it, the others find 9 and compare with 36 */
    put_row(&u, 7, 1, 9, 0);
    put_row(&u, 7, 4, 36, 0);
    put_row(&u, 7, 2, 36, 0);
    exec(&u, 7, 2, 2, 0, 4, 1, NONE, 0xef);
    until_done(&u, 2);
    edge(&u);
    expect_lanes(&u, 7, 2, kept);
    put_row(&u, 3, 0, 12, 0);
    exec(&u, 3, 3, 2, 0, NONE, NONE, NONE, 0xff);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 3, 2, last);
    close_unit(&u);
}

/* One lane that goes wrong, and nobody does anything; the fault is told of the
 * lowest, at 'shared_fault' alone, before the completion. */
static void expect_shared_fault(int tag, unsigned mask, int odd,
                                uint32_t address) {
    static const uint32_t zero[LANES] = {0};
    static const uint32_t was[LANES] = {7, 7, 7, 7, 7, 7, 7, 7};
    struct unit u;
    int n = 0;
    open_shared(&u);
    put_window(&u, 6, 0, 2);
    put_code(&u, 1, "lds.b32 r2, [r0+0]");
    put_code(&u, 2, "ats.exch r2, [r0], r1");
    put_code(&u, 3, "lds.u16 r2, [r0+3]");
    put_row(&u, 6, 0, 0, 3); /* 0 3 6 9 12 15 18 21, of 16 bytes */
    put_row(&u, 6, 1, 9, 0);
    put_row(&u, 6, 2, 7, 0);
    put_row(&u, 6, 3, 0, 0);
    exec(&u, 6, tag, 2, 0, NONE, NONE, NONE, mask);
    while (!u.out->shared_fault_valid && n++ < PATIENCE)
        edge(&u);
    assert_int_equal(n, PASSES + 6); /* f + P + 2, with one operand */
    assert_int_equal(u.out->shared_fault_warp, 6);
    assert_int_equal(u.out->shared_fault_tag, tag);
    assert_int_equal(u.out->shared_fault_odd, odd);
    assert_int_equal(u.out->shared_fault_address, address);
    assert_int_equal(u.out->fault_valid, 0);
    assert_int_equal(until_done(&u, tag), 1);
    assert_int_equal(u.out->shared_fault_valid | u.out->shared_fault_address,
                     0);
    edge(&u);
    expect_lanes(&u, 6, 2, was);
    exec(&u, 6, 1, 2, 3, NONE, NONE, NONE, 0xff); /* nobody has written */
    until_done(&u, 1);
    edge(&u);
    expect_lanes(&u, 6, 2, zero);
    close_unit(&u);
}

static void test_shared_faults(void **state) {
    (void)state;
    expect_shared_fault(1, 0xff, 1, 3);
    expect_shared_fault(2, 0xd1, 1, 18); /* beyond, too */
    expect_shared_fault(3, 0x81, 1, 3);
    expect_shared_fault(3, 0x82, 0, 24);
}

/* What waits to be put waits for words of the desk, which do not wait for it:
 * a load in conflict would be done 19 edges after it was taken, and the desk's
 * four passes are written on four of them. */
static void test_behind(void **state) {
    static const uint32_t lanes[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t zero[LANES] = {0};
    struct unit u;
    (void)state;
    open_shared(&u);
    put_window(&u, 1, 0, 32);
    put_code(&u, 1, "lds.b32 r1, [r0+0]");
    put_code(&u, 2, "s2r r1, %laneid");
    put_row(&u, 1, 0, 0, 8);
    put_row(&u, 1, 1, 7, 0);
    exec(&u, 1, 1, 1, 0, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 1), 19);
    edge(&u);
    put_row(&u, 1, 1, 7, 0);
    exec(&u, 1, 1, 1, 0, NONE, NONE, NONE, 0xff);
    exec(&u, 2, 2, 1, NONE, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 2), 17);
    edge(&u);
    assert_int_equal(until_done(&u, 1), 4);
    edge(&u);
    expect_lanes(&u, 1, 1, zero);
    expect_lanes(&u, 2, 1, lanes);
    close_unit(&u);
}

/* The words that a load has read are to be put on the edges from PASSES + 6
 * after that which took it on, and the lanes' first pass leaves PASSES - 1
 * before: the last one leaves an edge later, the first one of the next
 * instruction another edge, and the others one an edge; whether or not the
 * words have a register. */
static void test_between(void **state) {
    static const int dst[] = {7, NONE};
    struct unit u;
    (void)state;
    for (int n = 0; n < 2; n++) {
        open_shared(&u);
        put_window(&u, 1, 0, 32);
        put_code(&u, 1, "lds.b32 r1, [r0+0]");
        put_code(&u, 2, "movi r0, 5");
        put_code(&u, 3, "movi r1, 5");
        exec(&u, 1, 1, dst[n], NONE, NONE, NONE, NONE, 0xff);
        exec(&u, 2, 2, 9, NONE, NONE, NONE, NONE, 0xff);
        edge(&u);
        exec(&u, 2, 3, 8, NONE, NONE, NONE, NONE, 0xff);
        assert_int_equal(until_done(&u, 1), 2 * PASSES + 3);
        edge(&u);
        assert_int_equal(until_done(&u, 2), 4);
        edge(&u);
        assert_int_equal(until_done(&u, 3), PASSES);
        close_unit(&u);
    }
}

/* Beside lanes that are never without a pass and rows that never end, words of
 * a load have every fourth edge, as those of the desk.  Of one in conflict,
 * taken on edge 0, lanes are to be put from edge 11 on, one by one; the lanes
 * write from edge 15 on.
 *
 * Rows on odd edges: words on 12 and 14; a single row leaves the lanes 15, 16,
 * 18, 20, ..., and words have 19, 23, ..., the eighth on 39; of two rows one
 * waits on 9, so that the lanes have 15, 17, ..., and words 18, 22, ..., 38.
 * On even edges: words on 11 and 13, the lanes on 15, 17, ..., words on 16, 20,
 * ..., 36.  From 14 on: words on 11, 12 and 13, and, as the lanes write on 15,
 * 16 and 17, on 18, 22, ..., 34.  The completion is there an edge later. */
static void test_words_and_rows(void **state) {
    static const struct crowd of[] = {{2, 1, 40},  {2, 2, 40},  {2, 3, 39},
                                      {3, 1, 37},  {3, 2, 37},  {3, 3, 37},
                                      {13, 1, 35}, {13, 2, 35}, {13, 3, 35}};
    static const uint32_t zero[LANES] = {0};
    struct unit u;
    (void)state;
    for (size_t n = 0; n < sizeof of / sizeof of[0]; n++) {
        open_shared(&u);
        put_window(&u, 3, 0, 32);
        put_code(&u, 1, "lds.b32 r1, [r0+0]");
        put_code(&u, 2, "movi r0, 5");
        put_row(&u, 3, 0, 0, 8);
        put_row(&u, 3, 1, 7, 0);
        exec(&u, 3, 1, 1, 0, NONE, NONE, NONE, 0xff);
        expect_told(&u, &of[n]);
        expect_lanes(&u, 3, 1, zero);
        close_unit(&u);
    }
}

/* ... and both have them, beside words of the desk: twelve of them, on every
 * fourth edge at least. */
static void test_all_wait(void **state) {
    struct unit u;
    (void)state;
    for (int who = 1; who < 4; who++) {
        int told[3] = {0, 0, 0}, rows = 0;
        open_shared(&u);
        put_window(&u, 3, 0, 32);
        put_code(&u, 0, "s2r r1, %laneid");
        put_code(&u, 1, "lds.b32 r1, [r0+0]");
        put_code(&u, 2, "movi r0, 5");
        put_row(&u, 3, 0, 0, 8);
        bring(&u, who & 1, who & 2);
        exec(&u, 3, 1, 1, 0, NONE, NONE, NONE, 0xff);
        exec(&u, 3, 0, 2, NONE, NONE, NONE, NONE, 0xff);
        offer(&u, 2, NONE, NONE, NONE, NONE);
        for (int n = 0; n < PASSES + 11 + 4 * (PASSES + LANES); n++) {
            edge(&u);
            told[u.out->done_tag] += (int)u.out->done_valid;
            rows += (int)(u.out->write_ready + u.out->init_ready);
        }
        assert_int_equal(told[0], 1);
        assert_int_equal(told[1], 1);
        assert_true(rows >= PASSES + LANES);
        close_unit(&u);
    }
}

/* After reset the lanes come first, and shared memory last; then it goes on
 * behind the one chosen last. */
static void test_in_turn(void **state) {
    static const int order[] = {3, 5, 2, 4};
    struct unit u;
    (void)state;
    open_shared(&u);
    put_window(&u, 1, 0, 32);
    put_code(&u, 1, "nop");
    put_code(&u, 2, "movi r0, 5");
    put_code(&u, 3, "ldg.b32 r0, [r1+0]");
    put_code(&u, 4, "membar");
    put_code(&u, 5, "sts.b32 [r0+0], r1");
    put_row(&u, 3, 2, 0x1000, 4);
    /* both end on one edge: five of two words of one bank, another one, and of
     * empty passes */
    exec(&u, 1, 5, NONE, NONE, NONE, NONE, NONE, 0x07);
    exec(&u, 2, 1, NONE, NONE, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 1), PASSES + 9);
    edge(&u);
    assert_int_equal(until_done(&u, 5), 0);
    edge(&u);
    assert_int_equal(u.out->done_valid, 0);
    exec(&u, 2, 1, NONE, NONE, NONE, NONE, NONE, 0xff);
    until_done(&u, 1);
    u.in.done_ready = 0;
    exec(&u, 3, 3, 0, 2, NONE, NONE, NONE, 0xff);
    until_access(&u);
    edge(&u);
    end(&u, 3, false);
    exec(&u, 2, 4, NONE, NONE, NONE, NONE, NONE, 0xff);
    exec(&u, 4, 2, 9, NONE, NONE, NONE, NONE, 0xff);
    while (!u.out->exec_ready)
        edge(&u);
    exec(&u, 1, 5, NONE, NONE, NONE, NONE, NONE, 0xff);
    for (int n = 0; n < PATIENCE; n++) {
        assert_int_equal(u.out->done_tag, 1);
        edge(&u);
    }
    u.in.done_ready = 1;
    for (int n = 0; n < 4; n++) {
        edge(&u);
        assert_int_equal(u.out->done_valid, 1);
        assert_int_equal(u.out->done_tag, order[n]);
    }
    edge(&u);
    assert_int_equal(u.out->done_valid, 0);
    close_unit(&u);
}

/* A reset leaves words and windows, and passes over a window that comes. */
static void test_kept(void **state) {
    static const uint32_t there[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct unit u;
    (void)state;
    open_shared(&u);
    put_window(&u, 4, 7, 4);
    put_code(&u, 1, "sts.b32 [r0+0], r1");
    put_code(&u, 2, "lds.b32 r2, [r0+0]");
    put_row(&u, 4, 0, 0, 4);
    put_row(&u, 4, 1, 1, 1);
    exec(&u, 4, 1, NONE, 0, NONE, 1, NONE, 0xff);
    until_done(&u, 1);
    u.in.window_valid = 1;
    u.in.window_warp = 4;
    u.in.window_base = 0;
    u.in.window_rows = 1;
    u.out = golden_cycle(u.g, true, &u.in);
    u.in.window_valid = 0;
    assert_int_equal(u.out->done_valid, 0);
    exec(&u, 4, 2, 2, 0, NONE, NONE, NONE, 0xff);
    until_done(&u, 2);
    edge(&u);
    expect_lanes(&u, 4, 2, there);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_atomic),
        cmocka_unit_test(test_shared_faults),
        cmocka_unit_test(test_behind),
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_words_and_rows),
        cmocka_unit_test(test_all_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

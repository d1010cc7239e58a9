/* test_shared.c - the golden model of the pipeline of the base die with shared
 * memory, as docs/blocks/far_pipe.md and near_pipe.md have it: two subcores,
 * those of even and of odd warps, and eight banks of eight words, of which four
 * windows' rows are a row.
 */
#include "unit.h"

static void open_shared(struct unit *u) {
    open_split(u, 8, 2, PASSES, 64);
}

static void put_window(struct unit *u, int warp, unsigned base, unsigned rows) {
    u->in.window_valid = 1;
    u->in.window_warp = (uint64_t)warp;
    u->in.window_base = base;
    u->in.window_rows = rows;
    edge(u);
    u->in.window_valid = 0;
}

/* Edges from a store with two operands to its completion at 'done': it is in
 * the queue for one, taken on the edge after the operands are collected, done
 * two edges later, and told an edge after that. */
enum { ACCESS = 9 };

/* Store, then load the other way round in a warp of the other subcore with the
 * same window, and in one of another.  A load has an operand less, and an edge
 * more, on which its words are put. */
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
    assert_int_equal(until_done(&u, 1), ACCESS);
    exec(&u, 5, 2, 1, 0, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 2), ACCESS);
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
    int n = until_done(&u, 1) - ACCESS;
    close_unit(&u);
    return n;
}

static void test_conflicts(void **state) {
    static const char load[] = "lds.b32 r2, [r0+0]";
    static const char store[] = "sts.b32 [r0+0], r1";
    static const char add[] = "ats.add r2, [r0], r1";
    (void)state;
    assert_int_equal(conflicts(0, 4, store, 0xff), 0);
    assert_int_equal(conflicts(0, 8, store, 0xff), 1);
    assert_int_equal(conflicts(0, 0, store, 0xff), LANES - 1);
    assert_int_equal(conflicts(0, 16, store, 0x55), 3);
    assert_int_equal(conflicts(0, 8, store, 0x0f), 0);
    assert_int_equal(conflicts(0, 4, load, 0xff), 0);
    assert_int_equal(conflicts(0, 8, load, 0xff), 1);
    assert_int_equal(conflicts(0, 32, load, 0xff), LANES - 1);
    assert_int_equal(conflicts(0, 0, load, 0xff), 0);
    /* two edges a lane, whatever the bank */
    assert_int_equal(conflicts(0, 4, add, 0xff), 2 * LANES - 1);
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
    put_window(&u, 2, 30, 2);
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
    put_row(&u, 2, 0, 12, 0);
    exec(&u, 2, 3, 2, 0, NONE, NONE, NONE, 0xff);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 2, 2, last);
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
    assert_int_equal(n, ACCESS - 2); /* taken on 5, with one operand */
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

/* Words of shared memory wait for those of the desk of their subcore, which do
 * not wait for them.  A load in conflict, taken on edge 0, puts lanes from 8
 * on, one by one, and the desk's four passes are written on 12 to 15; those of
 * the other subcore on 11 to 14, beside them. */
static void test_behind(void **state) {
    static const uint32_t lanes[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t zero[LANES] = {0};
    struct unit u;
    (void)state;
    for (int warp = 2; warp < 4; warp++) {
        bool beside = warp == 2;
        open_shared(&u);
        put_window(&u, 1, 0, 32);
        put_code(&u, 1, "lds.b32 r1, [r0+0]");
        put_code(&u, 2, "s2r r1, %laneid");
        put_row(&u, 1, 0, 0, 32);
        put_row(&u, 1, 1, 7, 0);
        exec(&u, 1, 1, 1, 0, NONE, NONE, NONE, 0xff);
        exec(&u, warp, 2, 1, NONE, NONE, NONE, NONE, 0xff);
        /* beside: both end on 16, and after reset subcore 0 comes first */
        assert_int_equal(until_done(&u, 2), beside ? 15 : 16);
        edge(&u);
        assert_int_equal(until_done(&u, 1), beside ? 0 : 2);
        edge(&u);
        expect_lanes(&u, 1, 1, zero);
        expect_lanes(&u, warp, 1, lanes);
        close_unit(&u);
    }
}

/* The words that a load has read are to be put on edge 7 after the one that
 * took it, on which the third pass of lanes of its subcore would leave: it
 * leaves an edge later, whether or not the words have a register.  Passes of
 * the other subcore do not wait. */
static void test_between(void **state) {
    static const int dst[] = {7, NONE};
    struct unit u;
    (void)state;
    for (int n = 0; n < 4; n++) {
        int warp = 2 + n / 2;
        open_shared(&u);
        put_window(&u, 1, 0, 32);
        put_code(&u, 1, "lds.b32 r1, [r0+0]");
        put_code(&u, 2, "movi r0, 5");
        exec(&u, 1, 1, dst[n % 2], NONE, NONE, NONE, NONE, 0xff);
        exec(&u, warp, 2, 9, NONE, NONE, NONE, NONE, 0xff);
        assert_int_equal(until_done(&u, 1), ACCESS - 2);
        edge(&u);
        assert_int_equal(until_done(&u, 2), PASSES + 12 - 8 + (warp == 3));
        close_unit(&u);
    }
}

/* Beside lanes that are never without a pass and rows that never end, words of
 * a load have every fourth edge, as those of the desk.  Of one in conflict,
 * taken on edge 0, lanes are to be put from edge 8 on, one by one; the lanes
 * write from edge 13 on.
 *
 * Rows on odd edges: words on 8, 10 and 12; a single row leaves the lanes 13,
 * 14, 16, 18, ..., and words have 17, 21, ..., the eighth on 33; of two rows
 * one waits on 7, so that the lanes have 13, 15, ..., and words 16, 20, ...,
 * 32.  On even edges: words on 9 and 11, the lanes on 13, 15, ..., words on 14,
 * 18, ..., 34.  From 10 on: words on 8, 9, 10 and 12, the lanes on 13, 14, 16,
 * ..., words on 17, 21, ..., 29.  The completion is there an edge later. */
static void test_words_and_rows(void **state) {
    static const struct crowd of[] = {{2, 1, 34},  {2, 2, 34},  {2, 3, 33},
                                      {3, 1, 35},  {3, 2, 35},  {3, 3, 35},
                                      {10, 1, 30}, {10, 2, 30}, {10, 3, 30}};
    static const uint32_t zero[LANES] = {0};
    struct unit u;
    (void)state;
    for (size_t n = 0; n < sizeof of / sizeof of[0]; n++) {
        open_shared(&u);
        put_window(&u, 6, 0, 32);
        put_code(&u, 1, "lds.b32 r1, [r0+0]");
        put_code(&u, 2, "movi r0, 5");
        put_row(&u, 6, 0, 0, 32);
        put_row(&u, 6, 1, 7, 0);
        exec(&u, 6, 1, 1, 0, NONE, NONE, NONE, 0xff);
        expect_told(&u, &of[n]);
        expect_lanes(&u, 6, 1, zero);
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
        put_window(&u, 6, 0, 32);
        put_code(&u, 0, "s2r r1, %laneid");
        put_code(&u, 1, "lds.b32 r1, [r0+0]");
        put_code(&u, 2, "movi r0, 5");
        put_row(&u, 6, 0, 0, 32);
        bring(&u, who & 1, who & 2);
        exec(&u, 6, 1, 1, 0, NONE, NONE, NONE, 0xff);
        exec(&u, 6, 0, 2, NONE, NONE, NONE, NONE, 0xff);
        offer(&u, 2, NONE, NONE, NONE, NONE);
        for (int n = 0; n < 12 + 4 * (PASSES + LANES); n++) {
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

/* A store of two operands in a warp, and on the next edge one of an operand in
 * another: both are collected on one edge. */
static void give_both(struct unit *u, int first, int second) {
    exec(u, first, 1, NONE, 0, NONE, 1, NONE, 0xff);
    exec(u, second, 2, NONE, NONE, NONE, 1, NONE, 0x01);
}

/* Accesses of two subcores that meet are taken in turn, the second on the edge
 * on which the first is done: two edges later, if that has no conflicts.  They
 * share a window, and the later one is not overwritten. */
static void test_meet(void **state) {
    static const uint32_t seen[LANES] = {9, 5, 5, 5, 5, 5, 5, 5};
    static const uint32_t over[LANES] = {5, 5, 5, 5, 5, 5, 5, 5};
    struct unit u;
    (void)state;
    open_shared(&u);
    for (int w = 0; w < 2; w++)
        put_window(&u, w, 0, 8);
    put_code(&u, 1, "sts.b32 [r0+0], r1");
    put_code(&u, 2, "sts.b32 [r0+0], r1");
    put_code(&u, 3, "lds.b32 r2, [r0+0]");
    put_row(&u, 0, 0, 0, 4);
    put_row(&u, 0, 1, 5, 0);
    put_row(&u, 1, 1, 9, 0);
    /* after reset subcore 0 comes first */
    give_both(&u, 0, 1);
    assert_int_equal(until_done(&u, 1), ACCESS - 1);
    edge(&u);
    assert_int_equal(until_done(&u, 2), 1);
    edge(&u);
    exec(&u, 0, 3, 2, 0, NONE, NONE, NONE, 0xff);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 0, 2, seen);
    /* subcore 0 was last */
    give_both(&u, 0, 1);
    assert_int_equal(until_done(&u, 2), ACCESS - 1);
    edge(&u);
    assert_int_equal(until_done(&u, 1), 1);
    edge(&u);
    exec(&u, 0, 3, 2, 0, NONE, NONE, NONE, 0xff);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 0, 2, over);
    close_unit(&u);
}

/* Words of the first stand still for the rows of its subcore, and the second
 * behind them; each is written into its own file. */
static void test_meet_words(void **state) {
    static const uint32_t seen[LANES] = {9, 9, 9, 9, 9, 9, 9, 9};
    static const uint32_t was[LANES] = {4, 4, 4, 4, 4, 4, 4, 4};
    struct unit u;
    (void)state;
    open_shared(&u);
    for (int w = 0; w < 3; w++)
        put_window(&u, w, 0, 8);
    put_code(&u, 1, "sts.b32 [r0+0], r1");
    put_code(&u, 2, "lds.b32 r2, [r0+0]");
    for (int w = 0; w < 2; w++) {
        put_row(&u, w, 0, 0, 4);
        put_row(&u, w, 1, 9, 0);
        put_row(&u, w, 2, 4, 0);
        put_row(&u, w + 2, 2, 4, 0);
    }
    exec(&u, 1, 1, NONE, 0, NONE, 1, NONE, 0xff);
    until_done(&u, 1);
    edge(&u);
    /* taken on 5 and 7; put on 8, but for the row that is written then */
    exec(&u, 0, 2, 2, 0, NONE, NONE, NONE, 0xff);
    exec(&u, 1, 2, 2, 0, NONE, NONE, NONE, 0xff);
    for (int n = 2; n < 7; n++)
        edge(&u);
    assert_int_equal(put_row(&u, 2, 5, 0, 0), 1);
    assert_int_equal(until_done(&u, 2), 2);
    assert_int_equal(u.out->done_warp, 0);
    edge(&u);
    assert_int_equal(until_done(&u, 2), 1);
    assert_int_equal(u.out->done_warp, 1);
    edge(&u);
    expect_lanes(&u, 0, 2, seen);
    expect_lanes(&u, 1, 2, seen);
    expect_lanes(&u, 2, 2, was);
    expect_lanes(&u, 3, 2, was);
    close_unit(&u);
}

/* After reset the subcores come first, and shared memory last; then it goes on
 * behind the one chosen last. */
static void test_in_turn(void **state) {
    static const int order[] = {2, 5, 4, 3};
    struct unit u;
    (void)state;
    open_shared(&u);
    put_window(&u, 1, 0, 32);
    put_code(&u, 1, "nop");
    put_code(&u, 2, "movi r0, 5");
    put_code(&u, 3, "membar");
    put_code(&u, 4, "movi r0, 6");
    put_code(&u, 5, "sts.b32 [r0+0], r1");
    exec(&u, 2, 1, NONE, NONE, NONE, NONE, NONE, 0xff);
    until_done(&u, 1);
    u.in.done_ready = 0;
    /* two of each subcore and one of shared memory wait behind it */
    exec(&u, 4, 4, 9, NONE, NONE, NONE, NONE, 0xff);
    exec(&u, 6, 3, NONE, NONE, NONE, NONE, NONE, 0xff);
    exec(&u, 1, 2, 9, NONE, NONE, NONE, NONE, 0xff);
    exec(&u, 3, 3, NONE, NONE, NONE, NONE, NONE, 0xff);
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
        cmocka_unit_test(test_meet),
        cmocka_unit_test(test_meet_words),
        cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_words_and_rows),
        cmocka_unit_test(test_all_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

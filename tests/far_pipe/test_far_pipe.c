/* test_far_pipe.c - the golden model of the pipeline of the base die, edge by
 * edge and rule by rule as docs/blocks/far_pipe.md has them; shared memory is
 * in test_shared.c.
 */
#include "unit.h"

static void open_unit(struct unit *u) {
    open_formed(u, PASSES);
}

/* With n operands the completion is there PASSES + 10 + n edges after the
 * edge that took it: 2 + n until it is in dispatch with all of them, then one,
 * PASSES + 6 and one. */
static void test_latency(void **state) {
    static const uint32_t sum[LANES] = {111, 122, 133, 144, 155, 166, 177, 188};
    static const uint32_t five[LANES] = {5, 5, 5, 5, 5, 5, 5, 5};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "add3 r0, r1, r2, r3");
    put_code(&u, 2, "movi r0, 5");
    assert_int_equal(put_row(&u, 3, 4, 1, 1), 1);
    put_row(&u, 3, 5, 10, 10);
    put_row(&u, 3, 6, 100, 0);
    exec(&u, 3, 1, 7, 4, 5, 6, NONE, 0xff);
    assert_int_equal(until_done(&u, 1), PASSES + 10 + 3);
    assert_int_equal(u.out->done_warp, 3);
    edge(&u);
    assert_int_equal(u.out->done_valid, 0);
    expect_lanes(&u, 3, 7, sum);
    exec(&u, 2, 2, 9, NONE, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 2), PASSES + 10);
    edge(&u);
    expect_lanes(&u, 2, 9, five);
    close_unit(&u);
}

/* --- more than one under way ---------------------------------------------- */

/* Edges from each completion to the next one, once those that were under way
 * before have been told. */
static void expect_steady(struct unit *u, int apart) {
    int last = 0, n = 0, ends = 0;
    for (; ends < 16 && n < 200; n++) {
        edge(u);
        if (!u->out->done_valid)
            continue;
        if (ends++ > 8)
            assert_int_equal(n - last, apart);
        last = n;
    }
    assert_int_equal(ends, 16);
}

/* Operands of one are read while passes of the one before leave: instructions
 * of the lanes end PASSES edges apart, or operands + 1, if that is more. */
static void test_throughput(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 2, "movi r0, 5");
    put_code(&u, 3, "add3 r0, r1, r2, r3");
    put_code(&u, 4, "@p0 add3 r0, r1, r2, r3");
    put_bits(&u, 2, 12, 0x0f);
    offer(&u, 2, NONE, NONE, NONE, NONE);
    expect_steady(&u, PASSES);
    offer(&u, 3, 4, 5, 6, NONE);
    expect_steady(&u, PASSES);
    offer(&u, 4, 4, 5, 6, 12);
    expect_steady(&u, PASSES + 1);
    close_unit(&u);
}

/* Of one pass no more than four, LANES_DEPTH, end in PASSES + 8 edges: they
 * leave one behind the other, and the fifth one when the first has been told.
 */
static void test_one_pass(void **state) {
    int at[6], n = 0;
    struct unit u;
    (void)state;
    open_formed(&u, 1);
    put_code(&u, 2, "movi r0, 5");
    offer(&u, 2, NONE, NONE, NONE, NONE);
    for (int ends = 0; ends < 6; n++) {
        assert_true(n < 100);
        edge(&u);
        if (u.out->done_valid)
            at[ends++] = n;
    }
    assert_true(at[3] - at[0] <= 4);
    assert_int_equal(at[4] - at[0], 1 + 8);
    assert_int_equal(at[5] - at[1], 1 + 8);
    close_unit(&u);
}

/* While no completion is taken: one at 'done', four in the lanes, one each in
 * dispatch, collector and entry.  Then they are told in their order, one an
 * edge as far as they have ended. */
static void test_in_order(void **state) {
    struct unit u;
    int took = 0;
    (void)state;
    open_unit(&u);
    for (int tag = 0; tag < 8; tag++)
        put_code(&u, tag, tag % 2 ? "movi r0, 5" : "setltu p0, r1, 13");
    u.in.done_ready = 0;
    for (int n = 0; n < PATIENCE; n++) {
        offer(&u, took % 8, NONE, NONE, NONE, NONE);
        u.in.exec_dst = operand(took % 2 ? took : 12);
        took += (int)u.out->exec_ready;
        edge(&u);
    }
    assert_int_equal(took, 8);
    u.in.exec_valid = 0;
    u.in.done_ready = 1;
    for (int tag = 0; tag < 8; tag++) {
        int waits = until_done(&u, tag);
        if (tag < 5)
            assert_int_equal(waits, 0);
        edge(&u);
    }
    assert_int_equal(u.out->done_valid, 0);
    close_unit(&u);
}

/* --- who waits to write --------------------------------------------------- */

/* Lanes that are never without a pass leave every second edge to rows that
 * wait, and no more. */
static void test_rows_between(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 2, "movi r0, 5");
    for (int who = 1; who < 4; who++) {
        offer(&u, 2, NONE, NONE, NONE, NONE);
        bring(&u, false, false);
        expect_steady(&u, PASSES);
        bring(&u, who & 1, who & 2);
        expect_steady(&u, 2 * PASSES);
        assert_int_equal(rows_in(&u, 40), 20);
    }
    close_unit(&u);
}

/* A row is written on the edge after its first, on which it waits: a pass
 * leaves on neither later than it would, but on the first of them behind
 * another. */
static void test_one_row(void **state) {
    struct unit u;
    (void)state;
    for (int first = 1; first < 9; first++) { /* passes leave on 3 to 6 */
        int n = 1;
        open_unit(&u);
        put_code(&u, 2, "movi r0, 5");
        exec(&u, 2, 2, 9, NONE, NONE, NONE, NONE, 0xff);
        for (; !u.out->done_valid; n++) {
            assert_true(n < PATIENCE);
            bring(&u, n == first || n == first + 1, false);
            edge(&u);
            assert_int_equal(u.out->write_ready, n == first);
        }
        assert_int_equal(n - 1, PASSES + 10 + (first > 3 && first < 7));
        close_unit(&u);
    }
}

/* No pass of another is held back by a row that waits. */
static void test_rows_beside(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "exit");
    bring(&u, true, true);
    for (int n = 0; n < 9; n++)
        edge(&u);
    exec(&u, 3, 1, NONE, NONE, NONE, NONE, NONE, 0x5a);
    for (int n = 0; n < PASSES + 5; n++) {
        assert_int_equal(u.out->resolve_valid, 0);
        edge(&u);
    }
    assert_int_equal(u.out->resolve_valid, 1);
    close_unit(&u);
}

/* Four passes of words are to be put on the edges from PASSES + 5 after that
 * which took it on, and the lanes' first pass leaves PASSES - 2 before: the
 * third one leaves an edge later, the fourth two, and those of the next
 * instruction one an edge; whether or not the words have a register. */
static void test_words_between(void **state) {
    static const int dst[] = {7, NONE};
    struct unit u;
    (void)state;
    for (int n = 0; n < 2; n++) {
        open_unit(&u);
        put_code(&u, 1, "s2r r1, %laneid");
        put_code(&u, 2, "movi r0, 5");
        put_code(&u, 3, "movi r1, 5");
        exec(&u, 3, 1, dst[n], NONE, NONE, NONE, NONE, 0xff);
        exec(&u, 2, 2, 9, NONE, NONE, NONE, NONE, 0xff);
        edge(&u);
        exec(&u, 2, 3, 8, NONE, NONE, NONE, NONE, 0xff);
        assert_int_equal(until_done(&u, 1), 2 * PASSES + 2);
        edge(&u);
        assert_int_equal(until_done(&u, 2), 4 + 2);
        edge(&u);
        assert_int_equal(until_done(&u, 3), PASSES - 1);
        close_unit(&u);
    }
}

/* Where lanes are never without a pass and rows never end, rows and words have
 * every fourth edge.  In eight passes, words taken on edge 0 are to be put from
 * edge 13 on, and the lanes, who write from edge 18 on, leave them those before
 * it on which no row is written.
 *
 * Rows on odd edges: words on 14 and 16, and of the edges from 18 on, of which
 * the lanes have the even ones, on 19, 23, ..., the eighth on 39.  On even
 * edges: words on 13, 15, 17, and the lanes have 18, 19, 21, 23, ..., as on 12
 * a single row does not wait: words on 22, 26, ..., 38; of two rows one waits
 * there, so that they have 18, 20, ...: words on 21, 25, ..., 37.  From 17 on:
 * four words before it, and on 20, as the turn lasts over 18 and 19, 24, 28 and
 * 32.  The completion is there an edge later. */
static void test_words_and_rows(void **state) {
    static const struct crowd of[] = {{2, 1, 40},  {2, 2, 40},  {2, 3, 40},
                                      {3, 1, 39},  {3, 2, 39},  {3, 3, 38},
                                      {16, 1, 33}, {16, 2, 33}, {16, 3, 33}};
    static const uint32_t lanes[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct unit u;
    (void)state;
    for (size_t n = 0; n < sizeof of / sizeof of[0]; n++) {
        open_formed(&u, LANES);
        put_code(&u, 1, "s2r r1, %laneid");
        put_code(&u, 2, "movi r0, 5");
        exec(&u, 3, 1, 7, NONE, NONE, NONE, NONE, 0xff);
        expect_told(&u, &of[n]);
        expect_lanes(&u, 3, 7, lanes);
        close_unit(&u);
    }
}

/* Words without end, beside lanes that are without a pass only as far as those
 * take their place in dispatch: rows have every fourth edge at least, and eight
 * passes of words take no more than 50. */
static void test_rows_and_words(void **state) {
    struct unit u;
    (void)state;
    for (int who = 1; who < 4; who++) {
        int took = 0, words = 0, rows = 0;
        open_formed(&u, LANES);
        put_code(&u, 1, "s2r r1, %laneid");
        put_code(&u, 2, "movi r0, 5");
        bring(&u, who & 1, who & 2);
        for (int n = 0; n < 400; n++) {
            offer(&u, took % 3 ? 2 : 1, NONE, NONE, NONE, NONE);
            took += (int)u.out->exec_ready;
            edge(&u);
            words += u.out->done_valid && u.out->done_tag == 1;
            rows += (int)(u.out->write_ready + u.out->init_ready);
        }
        assert_true(words >= 400 / 50);
        assert_true(rows >= 400 / 4);
        close_unit(&u);
    }
}

/* An access that stays in the desk has nothing to write. */
static void test_access_beside(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "ldg.b32 r0, [r1+0]");
    put_code(&u, 2, "movi r0, 5");
    put_row(&u, 3, 2, 0x1000, 4);
    u.in.access_ready = 0;
    for (int n = 0; n < 2; n++) {
        exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0xff);
        until_access(&u);
        edge(&u);
    }
    offer(&u, 2, NONE, NONE, NONE, NONE);
    expect_steady(&u, PASSES);
    close_unit(&u);
}

/* A row waits for who is still to read what it changes: here the third operand,
 * which is read four edges after the instruction was taken. */
static void test_unread(void **state) {
    static const uint32_t sum[LANES] = {7, 7, 7, 7, 7, 7, 7, 7};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "add3 r0, r1, r2, r3");
    put_row(&u, 3, 1, 4, 0);
    put_row(&u, 3, 2, 2, 0);
    put_row(&u, 3, 3, 1, 0);
    exec(&u, 3, 1, 7, 1, 2, 3, NONE, 0xff);
    edge(&u);
    assert_int_equal(put_row(&u, 3, 3, 99, 0), 4);
    until_done(&u, 1);
    edge(&u);
    expect_lanes(&u, 3, 7, sum);
    close_unit(&u);
}

/* What is in dispatch is read no more, and what is in the collector once it has
 * its operands: their registers may be written. */
static void test_collected(void **state) {
    static const uint32_t was[LANES] = {10, 11, 12, 13, 14, 15, 16, 17};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "ldg.b32 r0, [r1+0]");
    put_code(&u, 2, "shfl.idx r2, r1, r3, r4");
    put_code(&u, 3, "add r2, r1, 0");
    put_row(&u, 3, 2, 0x1000, 4);
    put_row(&u, 3, 1, 10, 1);
    put_row(&u, 3, 3, 0, 1);
    put_row(&u, 3, 4, 7, 0);
    u.in.access_ready = 0;
    exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0xff);
    until_access(&u);
    exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0xff);
    for (int n = 0; n < PATIENCE; n++)
        edge(&u); /* it waits in the desk */
    exec(&u, 3, 2, 5, 1, 3, 4, NONE, 0xff);
    for (int n = 0; n < PATIENCE; n++)
        edge(&u); /* in dispatch */
    exec(&u, 3, 3, 6, 1, NONE, NONE, NONE, 0xff);
    edge(&u);
    edge(&u); /* its operand is read on this edge */
    assert_int_equal(put_row(&u, 3, 1, 99, 0), 1);
    for (int n = 0; n < PATIENCE; n++) {
        edge(&u);
        assert_int_equal(u.out->done_valid, 0); /* in their order */
    }
    u.in.access_ready = 1;
    edge(&u);
    end(&u, 3, false);
    until_done(&u, 1);
    edge(&u);
    until_done(&u, 2);
    edge(&u);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 3, 5, was);
    expect_lanes(&u, 3, 6, was);
    close_unit(&u);
}

/* --- what the lanes compute ----------------------------------------------- */

/* Mask and guard keep lanes; the guard may be inverted. */
static void test_active(void **state) {
    static const uint32_t some[LANES] = {7, 11, 7, 11, 11, 11, 11, 11};
    static const uint32_t others[LANES] = {7, 9, 7, 9, 11, 11, 11, 11};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 3, "@p0 movi r0, 7");
    put_code(&u, 4, "@!p0 movi r0, 9");
    put_row(&u, 5, 1, 11, 0);
    put_bits(&u, 5, 12, 0x55);
    exec(&u, 5, 3, 1, NONE, NONE, NONE, 12, 0x0f);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 5, 1, some);
    exec(&u, 5, 4, 1, NONE, NONE, NONE, 12, 0x0f);
    until_done(&u, 4);
    edge(&u);
    expect_lanes(&u, 5, 1, others);
    close_unit(&u);
}

/* A predicate keeps the bits of lanes that are not active, and the rest of its
 * row is zero; sources that are not there are true. */
static void test_predicates(void **state) {
    static const uint32_t less[LANES] = {0xc7};
    static const uint32_t both[LANES] = {0x38};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 5, "setltu p0, r1, 13");
    put_code(&u, 6, "pand p1, !p0, p7");
    put_row(&u, 4, 1, 10, 1);
    put_bits(&u, 4, 13, 0xf0);
    exec(&u, 4, 5, 13, 1, NONE, NONE, NONE, 0x3f);
    until_done(&u, 5);
    edge(&u);
    expect_lanes(&u, 4, 13, less);
    exec(&u, 4, 6, 14, 13, NONE, NONE, NONE, 0xff);
    until_done(&u, 6);
    edge(&u);
    expect_lanes(&u, 4, 14, both);
    close_unit(&u);
}

/* --- desk ----------------------------------------------------------------- */

static void put_param(struct unit *u, unsigned index, uint32_t word) {
    u->in.param_valid = 1;
    u->in.param_index = index;
    u->in.param_word = word;
    edge(u);
    u->in.param_valid = 0;
}

static void put_value(struct unit *u, int warp, unsigned index, uint32_t word) {
    u->in.value_valid = 1;
    u->in.value_warp = (uint64_t)warp;
    u->in.value_index = index;
    u->in.value_word = word;
    edge(u);
    u->in.value_valid = 0;
}

/* Without operands a first pass leaves three edges after that which took the
 * instruction, all are there and checked PASSES + 1 later, and the desk acts on
 * the edge after that. */
static void test_control(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "exit");
    put_code(&u, 2, "@!p0 bra 5");
    put_bits(&u, 6, 12, 0x0c);
    exec(&u, 3, 1, NONE, NONE, NONE, NONE, NONE, 0x5a);
    for (int n = 1; n < PASSES + 5; n++) {
        edge(&u);
        assert_int_equal(u.out->resolve_valid, 0);
        assert_int_equal(u.out->resolve_lanes, 0);
    }
    edge(&u);
    assert_int_equal(u.out->resolve_valid, 1);
    assert_int_equal(u.out->resolve_warp, 3);
    assert_int_equal(u.out->resolve_tag, 1);
    assert_int_equal(u.out->resolve_lanes, 0x5a);
    assert_int_equal(until_done(&u, 1), 1);
    assert_int_equal(u.out->resolve_valid, 0);
    edge(&u);
    exec(&u, 6, 2, NONE, NONE, NONE, NONE, 12, 0x0f);
    while (!u.out->resolve_valid)
        edge(&u);
    assert_int_equal(u.out->resolve_lanes, 0x03);
    until_done(&u, 2);
    close_unit(&u);
}

static void test_values(void **state) {
    static const uint32_t params[LANES] = {77, 77, 77, 77, 77, 77, 77, 77};
    static const uint32_t slots[LANES] = {40, 41, 42, 43, 44, 45, 46, 47};
    static const uint32_t lanes[LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const uint32_t two[LANES] = {9, 12, 9, 12, 9, 12, 9, 12};
    static const uint32_t then[LANES] = {501, 501, 501, 501,
                                         501, 501, 501, 501};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "ldp r1, 5");
    put_code(&u, 2, "s2r r1, %slot");
    put_code(&u, 3, "s2r r1, %laneid");
    put_code(&u, 4, "s2r r1, %ctaid.y");
    put_code(&u, 5, "s2r r1, %clock");
    put_param(&u, 5, 77);
    put_param(&u, 4, 78);
    put_value(&u, 2, ISA_SPECIAL_slot, 43);
    put_value(&u, 2, ISA_SPECIAL_ctaid_y, 12);
    put_value(&u, 3, ISA_SPECIAL_ctaid_y, 13);
    put_value(&u, 2, ISA_SPECIAL_laneid, 64);
    exec(&u, 2, 1, 1, NONE, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 1), 2 * PASSES + 5);
    edge(&u);
    expect_lanes(&u, 2, 1, params);
    exec(&u, 2, 2, 1, NONE, NONE, NONE, NONE, 0xff);
    until_done(&u, 2);
    edge(&u);
    expect_lanes(&u, 2, 1, slots);
    exec(&u, 2, 3, 1, NONE, NONE, NONE, NONE, 0xff);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 2, 1, lanes);
    put_row(&u, 2, 1, 9, 0);
    exec(&u, 2, 4, 1, NONE, NONE, NONE, NONE, 0xaa);
    until_done(&u, 4);
    edge(&u);
    expect_lanes(&u, 2, 1, two);
    /* the clock is that of the edge on which the first pass leaves */
    u.in.launch_now = 498;
    exec(&u, 2, 5, 1, NONE, NONE, NONE, NONE, 0xff);
    for (int n = 0; !u.out->done_valid && n < PATIENCE; n++) {
        u.in.launch_now++;
        edge(&u);
    }
    edge(&u);
    expect_lanes(&u, 2, 1, then);
    close_unit(&u);
}

/* c has clamp and segment mask: of segments of four lanes 0x0403 or, of up,
 * 0x0400. */
static void test_exchange(void **state) {
    static const uint32_t up[LANES] = {100, 100, 101, 102, 104, 104, 105, 106};
    static const uint32_t down[LANES] = {102, 103, 102, 103,
                                         106, 107, 106, 107};
    static const uint32_t turned[LANES] = {103, 102, 101, 100,
                                           107, 106, 105, 104};
    static const uint32_t first[LANES] = {101, 101, 101, 101,
                                          105, 105, 105, 105};
    static const uint32_t some[LANES] = {0, 102, 101, 5, 5, 5, 5, 5};
    static const uint32_t ballot[LANES] = {0,    0x24, 0x24, 0x24,
                                           0x24, 0x24, 0x24, 5};
    static const struct {
        const char *word;
        uint32_t c;
        const uint32_t *lane;
    } of[] = {{"shfl.up r2, r1, 1, r3", 0x0400, up},
              {"shfl.down r2, r1, 2, r3", 0x0403, down},
              {"shfl.bfly r2, r1, 3, r3", 0x0403, turned},
              {"shfl.idx r2, r1, 1, r3", 0x0403, first}};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_row(&u, 1, 1, 100, 1);
    for (int n = 0; n < 4; n++) {
        put_code(&u, 2, of[n].word);
        put_row(&u, 1, 3, of[n].c, 0);
        exec(&u, 1, 2, 2, 1, NONE, 3, NONE, 0xff);
        until_done(&u, 2);
        edge(&u);
        expect_lanes(&u, 1, 2, of[n].lane);
    }
    /* lane 0 takes from lane 3, which is not active */
    put_code(&u, 2, "shfl.idx r2, r1, r4, r3");
    put_row(&u, 1, 2, 5, 0);
    put_row(&u, 1, 4, 3, (uint32_t)-1);
    exec(&u, 1, 2, 2, 1, 4, 3, NONE, 0x07);
    until_done(&u, 2);
    edge(&u);
    expect_lanes(&u, 1, 2, some);
    put_code(&u, 2, "vote r2, !p0");
    put_bits(&u, 1, 12, 0x5b);
    exec(&u, 1, 2, 2, NONE, NONE, 12, NONE, 0x7e);
    until_done(&u, 2);
    edge(&u);
    expect_lanes(&u, 1, 2, ballot);
    close_unit(&u);
}

/* --- accesses ------------------------------------------------------------- */

static void carry(struct unit *u, int warp, bool fault) {
    u->in.carried_valid = 1;
    u->in.carried_warp = (uint64_t)warp;
    u->in.carried_fault = fault;
    edge(u);
    u->in.carried_valid = 0;
}

static void test_load(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 7, "ldg.b32 r0, [r1+8]");
    put_row(&u, 5, 2, 0x1000, 4);
    exec(&u, 5, 7, 9, 2, NONE, NONE, NONE, 0x7f);
    assert_int_equal(until_access(&u), PASSES + 6);
    assert_int_equal(u.out->access_store, 0);
    assert_int_equal(u.out->access_warp, 5);
    assert_int_equal(u.out->access_reg, 9);
    assert_int_equal(u.out->access_mask, 0x7f);
    for (int l = 0; l < LANES; l++)
        assert_int_equal(bits_get(u.out->access_address, 30 * l, 30),
                         0x402 + l);
    edge(&u);
    assert_int_equal(u.out->access_valid, 0);
    assert_int_equal(u.out->access_mask, 0);
    /* the end of the message's way through the load-store unit is none */
    u.in.ended_near = 1;
    u.in.ended_valid = 1;
    u.in.ended_warp = 5;
    edge(&u);
    u.in.ended_valid = 0;
    for (int n = 0; n < 20; n++) {
        edge(&u);
        assert_int_equal(u.out->done_valid, 0);
    }
    carry(&u, 5, false);
    assert_int_equal(until_done(&u, 7), 2);
    assert_int_equal(u.out->done_warp, 5);
    close_unit(&u);
}

/* Its data are src1, near: nobody here reads the register. */
static void test_store(void **state) {
    static const uint32_t was[LANES] = {3, 4, 5, 6, 7, 8, 9, 10};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 7, "stg.b32 [r1-4], r2");
    put_row(&u, 1, 2, 0x2000, 128);
    put_row(&u, 1, 6, 3, 1);
    exec(&u, 1, 7, NONE, 2, 6, NONE, NONE, 0xff);
    assert_int_equal(until_access(&u), PASSES + 6);
    assert_int_equal(u.out->access_store, 1);
    assert_int_equal(u.out->access_reg, 6);
    for (int l = 0; l < LANES; l++)
        assert_int_equal(bits_get(u.out->access_address, 30 * l, 30),
                         0x7ff + 32 * l);
    edge(&u);
    end(&u, 1, false);
    assert_int_equal(until_done(&u, 7), 2);
    assert_int_equal(u.out->fault_valid, 0);
    edge(&u);
    expect_lanes(&u, 1, 6, was);
    close_unit(&u);
}

/* What is no word, or changes one, is shown from the desk, with its operands,
 * until it is taken; the result comes as a row of somebody's. */
static void test_ask(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.ask_ready = 0;
    put_code(&u, 7, "ldg.s16 r0, [r1-2]");
    put_row(&u, 5, 2, 0x1000, 2);
    exec(&u, 5, 7, 9, 2, NONE, NONE, NONE, 0x7f);
    for (int n = 0; n < PASSES + 5; n++) {
        assert_int_equal(u.out->ask_valid, 0);
        edge(&u);
    }
    for (int n = 0; n < 10; n++) {
        assert_int_equal(u.out->ask_valid, 1);
        assert_int_equal(u.out->ask_op, 0);
        assert_int_equal(u.out->ask_size, 1);
        assert_int_equal(u.out->ask_signed, 1);
        assert_int_equal(u.out->ask_warp, 5);
        assert_int_equal(u.out->ask_reg, 9);
        assert_int_equal(u.out->ask_result, 1);
        assert_int_equal(u.out->ask_mask, 0x7f);
        for (int l = 0; l < LANES; l++) {
            assert_int_equal(bits_lane(u.out->ask_address, l), 0xffe + 2 * l);
            assert_int_equal(bits_lane(u.out->ask_data, l), 0);
        }
        assert_int_equal(u.out->access_valid, 0);
        edge(&u);
    }
    u.in.ask_ready = 1;
    edge(&u);
    assert_int_equal(u.out->ask_valid, 0);
    assert_int_equal(u.out->ask_mask, 0);
    for (int n = 0; n < 20; n++) {
        edge(&u);
        assert_int_equal(u.out->done_valid, 0);
    }
    end(&u, 5, false);
    assert_int_equal(until_done(&u, 7), 2);
    close_unit(&u);
}

/* An atomic has no number: what stands there is what it compares with. */
static void test_ask_atomic(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.ask_ready = 1;
    put_code(&u, 7, "atg.cas r0, [r1], r2, r3");
    put_code(&u, 8, "stg.b8 [r1+3], r2");
    put_row(&u, 2, 2, 0x2000, 4);
    put_row(&u, 2, 3, 50, 1);
    put_row(&u, 2, 4, 70, 3);
    exec(&u, 2, 7, NONE, 2, 3, 4, NONE, 0xff);
    while (!u.out->ask_valid)
        edge(&u);
    assert_int_equal(u.out->ask_op, 11);
    assert_int_equal(u.out->ask_size, 2);
    assert_int_equal(u.out->ask_result, 0);
    for (int l = 0; l < LANES; l++) {
        assert_int_equal(bits_lane(u.out->ask_address, l), 0x2000 + 4 * l);
        assert_int_equal(bits_lane(u.out->ask_compare, l), 50 + l);
        assert_int_equal(bits_lane(u.out->ask_data, l), 70 + 3 * l);
    }
    edge(&u);
    /* another of the warp waits for its end */
    exec(&u, 2, 8, NONE, 2, NONE, 4, NONE, 0xff);
    for (int n = 0; n < 30; n++) {
        edge(&u);
        assert_int_equal(u.out->ask_valid, 0);
    }
    end(&u, 2, false);
    while (!u.out->ask_valid)
        edge(&u);
    assert_int_equal(u.out->ask_op, 1);
    assert_int_equal(u.out->ask_size, 0);
    for (int l = 0; l < LANES; l++) {
        assert_int_equal(bits_lane(u.out->ask_address, l), 0x2003 + 4 * l);
        assert_int_equal(bits_lane(u.out->ask_compare, l), 0);
        assert_int_equal(bits_lane(u.out->ask_data, l), 70 + 3 * l);
    }
    close_unit(&u);
}

/* The second access of a warp waits for the first one's end; that of another
 * warp does not. */
static void test_one_of_a_warp(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "ldg.b32 r0, [r1+0]");
    put_code(&u, 2, "ldg.b32 r2, [r1+0]");
    put_row(&u, 3, 2, 0x1000, 4);
    put_row(&u, 4, 2, 0x3000, 4);
    exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0xff);
    until_access(&u);
    edge(&u);
    exec(&u, 4, 1, 0, 2, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_access(&u), PASSES + 6);
    assert_int_equal(u.out->access_warp, 4);
    edge(&u);
    exec(&u, 3, 2, 1, 2, NONE, NONE, NONE, 0xff);
    for (int n = 0; n < 40; n++) {
        edge(&u);
        assert_int_equal(u.out->access_valid, 0);
    }
    /* both end on one edge: warp 3 is told first, as it comes after reset */
    u.in.carried_valid = 1;
    u.in.carried_warp = 3;
    end(&u, 4, false);
    u.in.carried_valid = 0;
    edge(&u);
    assert_int_equal(u.out->access_valid, 0);
    edge(&u);
    assert_int_equal(u.out->access_valid, 1);
    assert_int_equal(u.out->access_warp, 3);
    assert_int_equal(u.out->done_valid, 1);
    assert_int_equal(u.out->done_warp, 3);
    assert_int_equal(u.out->done_tag, 1);
    edge(&u);
    assert_int_equal(u.out->done_valid, 1);
    assert_int_equal(u.out->done_warp, 4);
    close_unit(&u);
}

/* An access that is not taken holds up the next one at the desk. */
static void test_not_taken(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "ldg.b32 r0, [r1+0]");
    put_row(&u, 3, 2, 0x1000, 4);
    put_row(&u, 4, 2, 0x3000, 4);
    u.in.access_ready = 0;
    exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0xff);
    until_access(&u);
    exec(&u, 4, 1, 0, 2, NONE, NONE, NONE, 0xff);
    for (int n = 0; n < 30; n++) {
        edge(&u);
        assert_int_equal(u.out->access_warp, 3);
    }
    u.in.access_ready = 1;
    edge(&u);
    assert_int_equal(u.out->access_valid, 1);
    assert_int_equal(u.out->access_warp, 4);
    close_unit(&u);
}

/* --- faults --------------------------------------------------------------- */

static void expect_fault(struct unit *u, int cause, int warp, int tag,
                         uint32_t address) {
    int n = 0;
    for (; !u->out->fault_valid && n < PATIENCE; n++)
        edge(u);
    assert_int_equal(u->out->fault_valid, 1);
    assert_int_equal(u->out->fault_cause, cause);
    assert_int_equal(u->out->fault_warp, warp);
    assert_int_equal(u->out->fault_tag, tag);
    assert_int_equal(u->out->fault_address, address);
}

static void test_faults(void **state) {
    static const struct {
        uint32_t first, step, bound;
        unsigned mask;
        int cause;
        uint32_t address;
    } of[] = {
        {0x1000, 1, 0, 0xff, 2, 0x1001},       /* the lowest one is told, */
        {0x1000, 1, 0, 0xf0, 2, 0x1005},       /* of those that are active */
        {0xf8, 4, 0, 0xff, 3, 0xf8},           /* below the memory */
        {0x1000, 16, 0x1030, 0xff, 3, 0x1030}, /* beyond it */
        {0x1000, 17, 0x1030, 0xff, 2, 0x1011}, /* odd before anything else */
        {0xfffffff0, 4, 0, 0xff, 3, 0},        /* around its end */
    };
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "ldg.b32 r0, [r1+0]");
    for (size_t n = 0; n < sizeof of / sizeof of[0]; n++) {
        u.in.launch_bound = of[n].bound;
        put_row(&u, 3, 2, of[n].first, of[n].step);
        exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, of[n].mask);
        expect_fault(&u, of[n].cause, 3, 1, of[n].address);
        assert_int_equal(u.out->access_valid, 0);
        assert_int_equal(until_done(&u, 1), 1);
        edge(&u);
    }
    /* lanes that go wrong and are not active */
    put_row(&u, 3, 2, 0x1000, 1);
    exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0x11);
    until_access(&u);
    assert_int_equal(u.out->access_mask, 0x11);
    close_unit(&u);
}

/* What nobody here carries out: part of a word, atomics, shared memory. */
static void test_illegal(void **state) {
    static const char *const words[] = {
        "lds.b32 r0, [r1+0]", "sts.b16 [r1+0], r2", "ats.add r0, [r1], r2"};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_row(&u, 3, 2, 0x1000, 4);
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++) {
        put_code(&u, 1, words[n]);
        exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0xff);
        expect_fault(&u, 1, 3, 1, 0);
        assert_int_equal(until_done(&u, 1), 1);
        edge(&u);
    }
    close_unit(&u);
}

/* A fault of an access that ends is shown with its completion, once. */
static void test_late(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "ldg.b32 r0, [r1+0]");
    put_row(&u, 3, 2, 0x1000, 4);
    exec(&u, 3, 1, 0, 2, NONE, NONE, NONE, 0xff);
    until_access(&u);
    edge(&u);
    u.in.done_ready = 0;
    end(&u, 3, true);
    edge(&u);
    assert_int_equal(u.out->fault_valid, 0);
    edge(&u);
    expect_fault(&u, 8, 3, 1, 0);
    assert_int_equal(u.out->done_valid, 1);
    for (int n = 0; n < 5; n++) {
        edge(&u);
        assert_int_equal(u.out->fault_valid, 0);
        assert_int_equal(u.out->done_valid, 1);
    }
    close_unit(&u);
}

/* A warp begins: its threads by 'init', then nop with their register. */
static void test_begin(void **state) {
    static const uint32_t threads[LANES] = {8, 9, 10, 11, 5, 5, 5, 5};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "nop");
    put_row(&u, 6, 0, 5, 0);
    u.in.init_valid = 1;
    u.in.init_warp = 6;
    u.in.init_reg = 0;
    u.in.init_mask = 0x0f;
    for (int l = 0; l < LANES; l++)
        bits_set_lane(u.in.init_row, l, 8 + (uint32_t)l);
    while (!u.out->init_ready)
        edge(&u);
    edge(&u);
    u.in.init_valid = 0;
    exec(&u, 6, 1, 0, NONE, NONE, NONE, NONE, 0xff);
    until_done(&u, 1);
    edge(&u);
    expect_lanes(&u, 6, 0, threads);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_active),
        cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_control),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_store),
        cmocka_unit_test(test_one_of_a_warp),
        cmocka_unit_test(test_not_taken),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_illegal),
        cmocka_unit_test(test_late),
        cmocka_unit_test(test_begin),
        cmocka_unit_test(test_ask),
        cmocka_unit_test(test_ask_atomic),
        cmocka_unit_test(test_one_pass),
        cmocka_unit_test(test_in_order),
        cmocka_unit_test(test_rows_between),
        cmocka_unit_test(test_rows_beside),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_access_beside),
        cmocka_unit_test(test_one_row),
        cmocka_unit_test(test_words_between),
        cmocka_unit_test(test_collected),
        cmocka_unit_test(test_words_and_rows),
        cmocka_unit_test(test_rows_and_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

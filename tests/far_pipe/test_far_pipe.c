/* test_far_pipe.c - the golden model of the pipeline of the base die, edge by
 * edge and rule by rule as docs/blocks/far_pipe.md has them; shared memory is
 * in test_shared.c.
 */
#include "unit.h"

static void open_unit(struct unit *u) {
    open_sized(u, 0);
}

/* With n operands the completion is there PASSES + 9 + n edges after the
 * edge that took it, PASSES + 8 without: 2 + n until they are read (1), then
 * one, PASSES + 6 and one. */
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
    assert_int_equal(until_done(&u, 1), PASSES + 9 + 3 + 1);
    assert_int_equal(u.out->done_warp, 3);
    edge(&u);
    assert_int_equal(u.out->done_valid, 0);
    expect_lanes(&u, 3, 7, sum);
    exec(&u, 2, 2, 9, NONE, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 2), PASSES + 9);
    edge(&u);
    expect_lanes(&u, 2, 9, five);
    close_unit(&u);
}

/* Instructions of the lanes end PASSES + 8 edges apart. */
static void test_throughput(void **state) {
    struct unit u;
    int last = 0, n = 0, ends = 0;
    (void)state;
    open_unit(&u);
    put_code(&u, 2, "movi r0, 5");
    for (; ends < 5 && n < 200; n++) {
        u.in.exec_valid = u.out->exec_ready;
        u.in.exec_warp = 2;
        u.in.exec_tag = 2;
        u.in.exec_dst = operand(9);
        u.in.exec_mask = 0xff;
        edge(&u);
        if (!u.out->done_valid)
            continue;
        if (ends++ > 0)
            assert_int_equal(n - last, PASSES + 8);
        last = n;
    }
    assert_int_equal(ends, 5);
    close_unit(&u);
}

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

/* Without operands a first pass leaves two edges after that which took the
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
    for (int n = 1; n < PASSES + 4; n++) {
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
    static const uint32_t then[LANES] = {500, 500, 500, 500,
                                         500, 500, 500, 500};
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
    assert_int_equal(until_done(&u, 1), 2 * PASSES + 4);
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
        cmocka_unit_test(test_latency),    cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_active),     cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_control),    cmocka_unit_test(test_values),
        cmocka_unit_test(test_exchange),   cmocka_unit_test(test_load),
        cmocka_unit_test(test_store),      cmocka_unit_test(test_one_of_a_warp),
        cmocka_unit_test(test_not_taken),  cmocka_unit_test(test_faults),
        cmocka_unit_test(test_illegal),    cmocka_unit_test(test_late),
        cmocka_unit_test(test_begin),      cmocka_unit_test(test_ask),
        cmocka_unit_test(test_ask_atomic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

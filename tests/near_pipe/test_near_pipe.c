/* test_near_pipe.c - the golden model of the near-bank pipelines, edge by edge
 * and rule by rule as docs/blocks/near_pipe.md has them.
 *
 * Two units of four warps, eight lanes in four passes of two; registers 0 to 11
 * are rows here, 12 to 15 predicates.  Shared memory of 32 rows of two banks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/diag.h"
#include "blocks/near_pipe.h"
#include "isa/isa.h"
#include "near_pipe/near_pipe.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 8, PASSES = 4, REG_W = 4, NONE = -1, PATIENCE = 60 };

struct unit {
    struct golden *g;
    struct near_pipe_in in;
    const struct near_pipe_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_sized(struct unit *u, int shared_words) {
    struct config c;
    config_defaults(&c);
    c.near_pipe_warps = 8;
    c.near_pipe_registers = 16;
    c.near_pipe_lanes = LANES;
    c.near_pipe_units = 2;
    c.near_pipe_alus = 2;
    c.near_pipe_tag_bits = 4;
    c.near_pipe_shared_words = shared_words;
    memset(u, 0, sizeof *u);
    u->g = golden_create(&near_pipe_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.done_ready = 1;
}

static void open_unit(struct unit *u) {
    open_sized(u, 64);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

static void put_code(struct unit *u, int tag, const char *text) {
    struct isa_word w;
    struct isa_error e;
    uint64_t word;
    assert_true(isa_parse(text, strlen(text), NULL, NULL, &w, &e));
    assert_int_equal(isa_encode(&w, &word), ISA_LEGAL);
    u->in.code_valid = 1;
    u->in.code_tag = (uint64_t)tag;
    u->in.code_word = word;
    edge(u);
    u->in.code_valid = 0;
}

static uint64_t operand(int reg) {
    return reg == NONE ? 0 : bit(REG_W + 2) | (uint64_t)reg;
}

/* An instruction, taken on one edge. */
static void exec(struct unit *u, int warp, int tag, int dst, int a, int b,
                 int c, int guard, unsigned mask) {
    assert_int_equal(u->out->exec_ready, 1);
    u->in.exec_valid = 1;
    u->in.exec_warp = (uint64_t)warp;
    u->in.exec_tag = (uint64_t)tag;
    u->in.exec_ticket = (uint64_t)tag + 3;
    u->in.exec_mask = mask;
    u->in.exec_dst = operand(dst);
    u->in.exec_src0 = operand(a);
    u->in.exec_src1 = operand(b);
    u->in.exec_src2 = operand(c);
    u->in.exec_guard = operand(guard);
    edge(u);
    u->in.exec_valid = 0;
}

/* Edges until its completion is there. */
static int until_done(struct unit *u, int tag) {
    int n = 0;
    while (!u->out->done_valid && n < PATIENCE) {
        edge(u);
        n++;
    }
    assert_int_equal(u->out->done_valid, 1);
    assert_int_equal(u->out->done_tag, tag);
    assert_int_equal(u->out->done_ticket, tag + 3);
    return n;
}

/* Lane i gets first + i * step. */
static int put_row(struct unit *u, int warp, int reg, uint32_t first,
                   uint32_t step) {
    int n = 0;
    u->in.write_valid = 1;
    u->in.write_warp = (uint64_t)warp;
    u->in.write_reg = (uint64_t)reg;
    for (int i = 0; i < LANES; i++)
        bits_set_lane(u->in.write_row, i, first + (uint32_t)i * step);
    while (!u->out->write_ready && n < PATIENCE) {
        edge(u);
        n++;
    }
    assert_int_equal(u->out->write_ready, 1);
    edge(u);
    u->in.write_valid = 0;
    return n;
}

static void put_bits(struct unit *u, int warp, int reg, uint32_t bits) {
    u->in.load_valid = 1;
    u->in.load_warp = (uint64_t)warp;
    u->in.load_reg = (uint64_t)reg;
    u->in.load_mask = ones(LANES);
    memset(u->in.load_data, 0, sizeof u->in.load_data);
    bits_set_lane(u->in.load_data, 0, bits);
    while (!u->out->load_ready)
        edge(u);
    edge(u);
    u->in.load_valid = 0;
}

static void expect_lanes(struct unit *u, int warp, int reg,
                         const uint32_t lane[LANES]) {
    assert_int_equal(u->out->read_ready, 1);
    u->in.read_valid = 1;
    u->in.read_warp = (uint64_t)warp;
    u->in.read_reg = (uint64_t)reg;
    edge(u);
    u->in.read_valid = 0;
    assert_int_equal(u->out->data_valid, 0);
    edge(u);
    assert_int_equal(u->out->data_valid, 1);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(bits_lane(u->out->data_row, i), lane[i]);
    edge(u);
    assert_int_equal(u->out->data_valid, 0);
    assert_int_equal(bits_lane(u->out->data_row, 0), 0);
}

/* With n operands the completion is there PASSES + 9 + n edges after the
 * edge that took it: 2 + n until they are in dispatch (1), then one,
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
    assert_int_equal(until_done(&u, 1), PASSES + 9 + 3 + 1);
    assert_int_equal(u.out->done_warp, 3);
    edge(&u);
    assert_int_equal(u.out->done_valid, 0);
    expect_lanes(&u, 3, 7, sum);
    exec(&u, 2, 2, 9, NONE, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 2), PASSES + 9 + 1);
    edge(&u);
    expect_lanes(&u, 2, 9, five);
    close_unit(&u);
}

/* Instructions of one unit end PASSES edges apart. */
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
            assert_int_equal(n - last, PASSES);
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

/* A word of another class reads and writes nothing, and completes. */
static void test_other_class(void **state) {
    static const uint32_t was[LANES] = {3, 4, 5, 6, 7, 8, 9, 10};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 7, "ldg.b32 r0, [r1+4]");
    put_row(&u, 1, 2, 3, 1);
    exec(&u, 1, 7, 2, 2, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 7), PASSES + 9 + 1);
    edge(&u);
    expect_lanes(&u, 1, 2, was);
    close_unit(&u);
}

/* --- shared memory -------------------------------------------------------- */

static void put_window(struct unit *u, int warp, unsigned base, unsigned rows) {
    u->in.window_valid = 1;
    u->in.window_warp = (uint64_t)warp;
    u->in.window_base = base;
    u->in.window_rows = rows;
    edge(u);
    u->in.window_valid = 0;
}

/* Store, then load the other way round, in another unit; without conflicts the
 * first pass leaves on the edge after the operands are collected, the last
 * words are put 2 PASSES + 2 edges later and told an edge after that. */
static void test_shared(void **state) {
    static const uint32_t turned[LANES] = {107, 106, 105, 104,
                                           103, 102, 101, 100};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_window(&u, 2, 3, 4);
    put_window(&u, 5, 3, 4);
    put_code(&u, 1, "sts.b32 [r0+0], r1");
    put_code(&u, 2, "lds.b32 r1, [r0-4]");
    put_row(&u, 2, 0, 0, 4);
    put_row(&u, 2, 1, 100, 1);
    put_row(&u, 5, 0, 32, (uint32_t)-4);
    exec(&u, 2, 1, NONE, 0, NONE, 1, NONE, 0xff);
    assert_int_equal(until_done(&u, 1), 2 * PASSES + 7);
    exec(&u, 5, 2, 1, 0, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 2), 2 * PASSES + 7);
    assert_int_equal(u.out->done_warp, 5);
    edge(&u);
    expect_lanes(&u, 5, 1, turned);
    close_unit(&u);
}

/* Edges that an access takes beyond those without conflicts. */
static int conflicts(uint32_t first, uint32_t step, const char *text,
                     unsigned mask) {
    struct unit u;
    open_unit(&u);
    put_window(&u, 0, 0, 32);
    put_code(&u, 1, text);
    put_row(&u, 0, 0, first, step);
    put_row(&u, 0, 1, 7, 1);
    exec(&u, 0, 1, text[0] == 's' ? NONE : 2, 0, NONE, 1, NONE, mask);
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
    /* the load reads data that it does not use, and nobody waits for it */
    assert_int_equal(conflicts(0, 4, load, 0xff), 1);
    assert_int_equal(conflicts(0, 8, load, 0xff), 1 + PASSES);
    assert_int_equal(conflicts(0, 0, load, 0xff), 1);
    /* two edges a lane, whatever the bank; a pass without one takes one */
    assert_int_equal(conflicts(0, 4, add, 0xff), 3 * PASSES);
    assert_int_equal(conflicts(0, 4, add, 0x80), 1);
    assert_int_equal(conflicts(0, 4, store, 0), 0);
}

/* Lanes are in order, whatever they do. */
static void test_lanes_in_order(void **state) {
    static const uint32_t before[LANES] = {5, 6, 8, 11, 15, 20, 26, 33};
    static const uint32_t last[LANES] = {8, 8, 8, 8, 8, 8, 8, 8};
    static const uint32_t bytes[LANES] = {0xffffff81, 0xffffff82, 0xffffff83,
                                          0xffffff84, 0xffffff85, 0xffffff86,
                                          0xffffff87, 0xffffff88};
    static const uint32_t halves[LANES] = {0x8281, 0x8281, 0x8483, 0x8483,
                                           0x8685, 0x8685, 0x8887, 0x8887};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_window(&u, 1, 8, 2);
    put_code(&u, 1, "sts.b32 [r0+4], r1");
    put_code(&u, 2, "ats.add r2, [r0], r1");
    put_code(&u, 3, "lds.b32 r2, [r0+4]");
    put_code(&u, 4, "sts.b8 [r0+0], r1");
    put_code(&u, 5, "lds.s8 r2, [r0+0]");
    put_code(&u, 6, "lds.u16 r2, [r0+0]");
    put_row(&u, 1, 0, 0, 0);
    put_row(&u, 1, 1, 1, 1);
    put_row(&u, 1, 3, 5, 0);
    put_row(&u, 1, 4, 4, 0);
    put_row(&u, 1, 5, 0, 1);
    put_row(&u, 1, 6, 0x81, 1);
    exec(&u, 1, 1, NONE, 0, NONE, 1, NONE, 0xff); /* the last one wins: 8 */
    until_done(&u, 1);
    exec(&u, 1, 3, 2, 0, NONE, NONE, NONE, 0xff);
    until_done(&u, 3);
    edge(&u);
    expect_lanes(&u, 1, 2, last);
    exec(&u, 1, 1, NONE, 0, NONE, 3, NONE, 0xff); /* 5 */
    until_done(&u, 1);
    exec(&u, 1, 2, 2, 4, NONE, 1, NONE, 0xff); /* 5, 5 + 1, 5 + 1 + 2, ... */
    until_done(&u, 2);
    edge(&u);
    expect_lanes(&u, 1, 2, before);
    exec(&u, 1, 4, NONE, 5, NONE, 6, NONE, 0xff);
    until_done(&u, 4);
    exec(&u, 1, 5, 2, 5, NONE, NONE, NONE, 0xff);
    until_done(&u, 5);
    edge(&u);
    expect_lanes(&u, 1, 2, bytes);
    put_row(&u, 1, 5, 0, 0);
    for (int i = 0; i < LANES; i++)
        bits_set_lane(u.in.write_row, i, (uint32_t)(i / 2 * 2));
    u.in.write_valid = 1;
    while (!u.out->write_ready)
        edge(&u);
    edge(&u);
    u.in.write_valid = 0;
    exec(&u, 1, 6, 2, 5, NONE, NONE, NONE, 0xff);
    until_done(&u, 6);
    edge(&u);
    expect_lanes(&u, 1, 2, halves);
    close_unit(&u);
}

/* One lane that goes wrong, and nobody does anything; the fault is told of the
 * lowest, before the completion. */
static void expect_fault(int tag, unsigned mask, int odd, uint32_t address) {
    static const uint32_t zero[LANES] = {0};
    static const uint32_t was[LANES] = {7, 7, 7, 7, 7, 7, 7, 7};
    struct unit u;
    int n = 0;
    open_unit(&u);
    put_window(&u, 6, 0, 2);
    put_code(&u, 1, "lds.b32 r2, [r0+0]");
    put_code(&u, 2, "ats.exch r2, [r0], r1");
    put_code(&u, 3, "lds.u16 r2, [r0+3]");
    put_row(&u, 6, 0, 0, 3); /* 0 3 6 9 12 15 18 21, of 16 bytes */
    put_row(&u, 6, 1, 9, 0);
    put_row(&u, 6, 2, 7, 0);
    put_row(&u, 6, 3, 0, 0);
    exec(&u, 6, tag, 2, 0, NONE, 1, NONE, mask);
    while (!u.out->fault_valid && n++ < PATIENCE)
        edge(&u);
    assert_int_equal(u.out->fault_valid, 1);
    assert_int_equal(u.out->fault_warp, 6);
    assert_int_equal(u.out->fault_tag, tag);
    assert_int_equal(u.out->fault_odd, odd);
    assert_int_equal(u.out->fault_address, address);
    assert_int_equal(until_done(&u, tag), 1);
    assert_int_equal(u.out->fault_valid | u.out->fault_address, 0);
    edge(&u);
    expect_lanes(&u, 6, 2, was);
    exec(&u, 6, 1, 2, 3, NONE, NONE, NONE, 0xff); /* nobody has written */
    until_done(&u, 1);
    edge(&u);
    expect_lanes(&u, 6, 2, zero);
    close_unit(&u);
}

static void test_faults(void **state) {
    (void)state;
    expect_fault(1, 0xff, 1, 3);
    expect_fault(2, 0xd1, 1, 18); /* beyond, too */
    expect_fault(3, 0x81, 1, 3);
    expect_fault(3, 0x82, 0, 24);
}

/* Without shared memory its words are as others. */
static void test_none(void **state) {
    static const uint32_t was[LANES] = {3, 4, 5, 6, 7, 8, 9, 10};
    struct unit u;
    (void)state;
    open_sized(&u, 0);
    put_code(&u, 7, "lds.b32 r0, [r1+4]");
    put_row(&u, 1, 2, 3, 1);
    exec(&u, 1, 7, 2, 2, NONE, NONE, NONE, 0xff);
    assert_int_equal(until_done(&u, 7), PASSES + 9 + 1);
    edge(&u);
    expect_lanes(&u, 1, 2, was);
    close_unit(&u);
}

/* A row waits as long as an instruction has to read what it replaces: that one
 * gets the old values. */
static void test_unread(void **state) {
    static const uint32_t old[LANES] = {2, 3, 4, 5, 6, 7, 8, 9};
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 8, "add r0, r1, 1");
    put_row(&u, 6, 3, 1, 1);
    exec(&u, 6, 8, 5, 3, NONE, NONE, NONE, 0xff);
    /* in the entry, in the collector, read: then it may be written */
    assert_int_equal(put_row(&u, 6, 3, 50, 0), 3);
    until_done(&u, 8);
    edge(&u);
    expect_lanes(&u, 6, 5, old);
    close_unit(&u);
}

/* One row in two edges; with requests of both without end each gets every
 * second one, and a collector reads in between. */
static void test_turns(void **state) {
    struct unit u;
    int ups = 0, stores = 0;
    (void)state;
    open_unit(&u);
    put_code(&u, 1, "add3 r0, r1, r2, r3");
    for (int r = 1; r < 4; r++)
        put_row(&u, 0, r, (uint32_t)r, 0);
    u.in.read_valid = u.in.fetch_valid = 1;
    u.in.read_reg = 1;
    u.in.fetch_reg = 2;
    for (int n = 0; n < 40; n++) {
        edge(&u);
        ups += (int)u.out->data_valid;
        stores += (int)u.out->fetched_valid;
        assert_int_equal(u.out->data_valid && u.out->fetched_valid, 0);
    }
    assert_in_range(ups, 9, 11);
    assert_in_range(stores, 9, 11);
    exec(&u, 0, 1, 7, 1, 2, 3, NONE, 0xff);
    assert_in_range(until_done(&u, 1), PASSES + 13, PASSES + 17);
    close_unit(&u);
}

/* Two units end on one edge: unit 0 first, and the refused one stays. */
static void test_completions(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    put_code(&u, 2, "movi r0, 5");
    u.in.done_ready = 0;
    exec(&u, 1, 2, 9, NONE, NONE, NONE, NONE, 0xff);
    exec(&u, 4, 2, 9, NONE, NONE, NONE, NONE, 0xff);
    until_done(&u, 2);
    for (int n = 0; n < 8; n++) {
        assert_int_equal(u.out->done_warp, 1);
        edge(&u);
    }
    u.in.done_ready = 1;
    edge(&u);
    assert_int_equal(u.out->done_valid, 1);
    assert_int_equal(u.out->done_warp, 4);
    edge(&u);
    assert_int_equal(u.out->done_valid, 0);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_throughput),
        cmocka_unit_test(test_active),
        cmocka_unit_test(test_predicates),
        cmocka_unit_test(test_other_class),
        cmocka_unit_test(test_unread),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_completions),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_lanes_in_order),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

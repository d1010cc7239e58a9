/* test_lsu_rmw.c - the golden model of the read-modify-write unit, edge by edge
 * and rule by rule as docs/blocks/lsu_rmw.md has them.
 *
 * Four lanes; lines of 32 bytes over four units, chunks of 128 over four cores,
 * sectors of 8: the unit stands at core 1, whose first chunk is bytes 128 to
 * 255.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "base/diag.h"
#include "blocks/lsu_rmw.h"
#include "lsu_rmw/lsu_rmw.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4, BEGIN = 128, LINE = 32, CHUNK = 128, CORES = 4 };

struct unit {
    struct golden *g;
    struct lsu_rmw_in in;
    const struct lsu_rmw_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u) {
    struct config c;
    config_defaults(&c);
    c.lsu_rmw_lanes = LANES;
    c.lsu_rmw_cores = CORES;
    c.lsu_rmw_line = LINE;
    c.lsu_rmw_chunk = CHUNK;
    c.lsu_rmw_sector = 8;
    memset(u, 0, sizeof *u);
    u->g = golden_create(&lsu_rmw_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.at_core = 1;
    u->in.down_ready = u->in.row_ready = u->in.hybrid_ready = 1;
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* What is asked for, by warp 6 for register 9. */
static void ask(struct unit *u, int op, int size, unsigned mask,
                const uint32_t byte[LANES], const uint32_t data[LANES]) {
    u->in.ask_valid = 1;
    u->in.ask_op = (uint64_t)op;
    u->in.ask_size = (uint64_t)size;
    u->in.ask_warp = 6;
    u->in.ask_reg = 9;
    u->in.ask_result = 1;
    u->in.ask_mask = mask;
    for (int i = 0; i < LANES; i++) {
        bits_set_lane(u->in.ask_address, i, byte[i]);
        bits_set_lane(u->in.ask_data, i, data[i]);
    }
}

/* Seen on one edge, taken on the next. */
static void take(struct unit *u, int op, int size, unsigned mask,
                 const uint32_t byte[LANES], const uint32_t data[LANES]) {
    ask(u, op, size, mask, byte, data);
    assert_int_equal(u->out->ask_ready, 0);
    edge(u);
    assert_int_equal(u->out->ask_ready, 1);
    assert_int_equal(u->out->tx_ready, 1);
    edge(u);
    assert_int_equal(u->out->ask_ready, 0);
    assert_int_equal(u->out->tx_ready, 0);
    assert_int_equal(u->out->down_valid, 0);
    u->in.ask_valid = 0;
}

static void expect_down(const struct unit *u, bool store, uint64_t unit,
                        uint64_t word, uint64_t strobe, uint64_t data) {
    assert_int_equal(u->out->down_valid, 1);
    assert_int_equal(u->out->down_near, 0);
    assert_int_equal(u->out->down_store, store);
    assert_int_equal(u->out->down_unit, unit);
    assert_int_equal(u->out->down_id, 0);
    assert_int_equal(u->out->down_address, word);
    assert_int_equal(u->out->down_strobe, strobe);
    assert_true(u->out->down_data[0] == data);
}

static void answer(struct unit *u, bool fault, uint64_t data) {
    u->in.answer_valid = 1;
    u->in.answer_fault = fault;
    u->in.answer_data[0] = data;
    edge(u);
    assert_int_equal(u->out->back_valid, 0);
    u->in.answer_valid = 0;
}

/* The load is at down, is taken, is answered. */
static void load(struct unit *u, uint64_t unit, uint64_t word, uint64_t data) {
    edge(u);
    expect_down(u, false, unit, word, 0, 0);
    edge(u);
    assert_int_equal(u->out->down_valid, 0);
    answer(u, false, data);
}

static void lanes_act(struct unit *u, int lanes) {
    for (int i = 0; i < lanes; i++) {
        edge(u);
        assert_int_equal(u->out->down_valid, 0);
    }
    edge(u);
}

static void stored(struct unit *u) {
    edge(u);
    assert_int_equal(u->out->down_valid, 0);
    answer(u, false, 77);
}

static void expect_end(const struct unit *u, bool fault) {
    assert_int_equal(u->out->ended_valid, 1);
    assert_int_equal(u->out->ended_warp, 6);
    assert_int_equal(u->out->ended_near, 0);
    assert_int_equal(u->out->ended_fault, fault);
    assert_int_equal(u->out->tx_ready, 1);
}

/* After the edge that picked nobody: the row, taken at once, and the end. */
static void row(struct unit *u, unsigned mask, const uint32_t lane[LANES],
                bool fault) {
    edge(u);
    assert_int_equal(u->out->row_valid, 0);
    edge(u);
    assert_int_equal(u->out->row_valid, 1);
    assert_int_equal(u->out->row_warp, 6);
    assert_int_equal(u->out->row_reg, 9);
    assert_int_equal(u->out->row_mask, mask);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(bits_lane(u->out->row_row, i), lane[i]);
    assert_int_equal(u->out->ended_valid, 0);
    edge(u);
    assert_int_equal(u->out->row_valid, 0);
    expect_end(u, fault);
    edge(u);
    assert_int_equal(u->out->ended_valid, 0);
}

/* --- loads ---------------------------------------------------------------- */

/* Every place of each size, with and without a sign; nothing is stored. */
static void test_load(void **state) {
    static const struct {
        int size, extend;
        uint32_t byte[LANES], got[LANES];
    } cases[] = {
        {0, 0, {0, 1, 2, 3}, {0x80, 0x7f, 0xff, 0x01}},
        {0, 1, {0, 1, 2, 3}, {0xffffff80, 0x7f, 0xffffffff, 0x01}},
        {0, 1, {4, 5, 6, 7}, {0x11, 0x22, 0x33, 0xffffff84}},
        {1, 0, {0, 2, 4, 6}, {0x7f80, 0x01ff, 0x2211, 0x8433}},
        {1, 1, {0, 2, 4, 6}, {0x7f80, 0x01ff, 0x2211, 0xffff8433}},
        {2, 1, {4, 0, 4, 0}, {0x84332211, 0x01ff7f80, 0x84332211, 0x01ff7f80}},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct unit u;
        uint32_t byte[LANES], none[LANES] = {1, 2, 3, 4};
        open_unit(&u);
        for (int i = 0; i < LANES; i++)
            byte[i] = BEGIN + 2 * LINE + 8 + cases[n].byte[i];
        u.in.ask_signed = (uint64_t)cases[n].extend;
        take(&u, LSU_RMW_LOAD, cases[n].size, 15, byte, none);
        load(&u, 2, (2 * LINE + 8) / 4, 0x8433221101ff7f80);
        lanes_act(&u, LANES);
        row(&u, 15, cases[n].got, false);
        close_unit(&u);
    }
}

/* Two sectors, the lowest lane's first; a lane off is zero. */
static void test_two_sectors(void **state) {
    const uint32_t byte[LANES] = {BEGIN + 12, BEGIN, 0, BEGIN + 9};
    const uint32_t data[LANES] = {5, 6, 7, 8}, got[LANES] = {4, 1, 0, 3};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, LSU_RMW_LOAD, 0, 11, byte, data);
    load(&u, 0, 2, 0x0000000400000300);
    lanes_act(&u, 2);
    load(&u, 0, 0, 0x0000000200000001);
    lanes_act(&u, 1);
    row(&u, 11, got, false);
    close_unit(&u);
}

/* --- stores --------------------------------------------------------------- */

/* Of two lanes with one byte the higher wins, and what is not stored stays. */
static void test_store(void **state) {
    const uint32_t byte[LANES] = {BEGIN + 5, BEGIN + 5, BEGIN + 7, BEGIN + 5};
    const uint32_t data[LANES] = {0xaa, 0x1bb, 0x2cc, 0xdd};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, LSU_RMW_STORE, 0, 7, byte, data);
    load(&u, 0, 0, 0x4433221101ff7f80);
    lanes_act(&u, 3);
    expect_down(&u, true, 0, 0, 2, 0xcc33bb1100000000);
    stored(&u);
    edge(&u);
    expect_end(&u, false);
    close_unit(&u);
    open_unit(&u);
    const uint32_t half[LANES] = {BEGIN + 2, BEGIN + 6, BEGIN, BEGIN};
    take(&u, LSU_RMW_STORE, 1, 3, half, data);
    load(&u, 0, 0, 0x4433221101ff7f80);
    lanes_act(&u, 2);
    expect_down(&u, true, 0, 0, 3, 0x01bb221100aa7f80);
    stored(&u);
    edge(&u);
    expect_end(&u, false);
    close_unit(&u);
}

/* --- atomics -------------------------------------------------------------- */

/* One lane; whether the word is stored, and as what. */
static void test_atomics(void **state) {
    static const struct {
        int op;
        uint32_t old, data, compare;
        bool changes;
        uint32_t to;
    } cases[] = {
        {LSU_RMW_ADD, 0xffffffff, 3, 0, true, 2},
        {LSU_RMW_MINS, 0xffffffff, 3, 0, false, 0},
        {LSU_RMW_MINS, 3, 0xffffffff, 0, true, 0xffffffff},
        {LSU_RMW_MINS, 3, 3, 0, true, 3},
        {LSU_RMW_MAXS, 0xffffffff, 3, 0, true, 3},
        {LSU_RMW_MAXS, 3, 0xffffffff, 0, false, 0},
        {LSU_RMW_MAXS, 3, 3, 0, false, 0},
        {LSU_RMW_MINU, 0xffffffff, 3, 0, true, 3},
        {LSU_RMW_MINU, 3, 0xffffffff, 0, false, 0},
        {LSU_RMW_MAXU, 0xffffffff, 3, 0, false, 0},
        {LSU_RMW_MAXU, 3, 0xffffffff, 0, true, 0xffffffff},
        {LSU_RMW_AND, 0xf0f0, 0xff00, 0, true, 0xf000},
        {LSU_RMW_OR, 0xf0f0, 0xff00, 0, true, 0xfff0},
        {LSU_RMW_XOR, 0xf0f0, 0xff00, 0, true, 0x0ff0},
        {LSU_RMW_EXCH, 1, 2, 0, true, 2},
        {LSU_RMW_CAS, 1, 2, 1, true, 2},
        {LSU_RMW_CAS, 1, 2, 3, false, 0},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct unit u;
        const uint32_t byte[LANES] = {0, BEGIN + 4, 0, 0};
        const uint32_t data[LANES] = {0, cases[n].data, 0, 0};
        const uint32_t got[LANES] = {0, cases[n].old, 0, 0};
        open_unit(&u);
        bits_set_lane(u.in.ask_compare, 1, cases[n].compare);
        take(&u, cases[n].op, 2, 2, byte, data);
        load(&u, 0, 0, (uint64_t)cases[n].old << 32 | 0x55);
        lanes_act(&u, 1);
        if (cases[n].changes) {
            expect_down(&u, true, 0, 0, 2, (uint64_t)cases[n].to << 32);
            stored(&u);
        } else {
            assert_int_equal(u.out->down_valid, 0);
        }
        row(&u, 2, got, false);
        close_unit(&u);
    }
}

/* Lanes with one word see each other's, the lowest first; without a result no
 * row. */
static void test_chain(void **state) {
    const uint32_t byte[LANES] = {BEGIN, BEGIN, BEGIN + 4, BEGIN};
    const uint32_t data[LANES] = {1, 10, 100, 1000};
    const uint32_t got[LANES] = {7, 8, 9, 18};
    (void)state;
    for (int result = 0; result < 2; result++) {
        struct unit u;
        open_unit(&u);
        ask(&u, LSU_RMW_ADD, 2, 15, byte, data);
        u.in.ask_result = (uint64_t)result;
        edge(&u);
        edge(&u);
        u.in.ask_valid = 0;
        load(&u, 0, 0, 0x0000000900000007);
        lanes_act(&u, 4);
        expect_down(&u, true, 0, 0, 3, (uint64_t)109 << 32 | 1018);
        stored(&u);
        if (result) {
            row(&u, 15, got, false);
        } else {
            edge(&u);
            expect_end(&u, false);
        }
        close_unit(&u);
    }
}

/* --- words of other cores ------------------------------------------------- */

static void expect_away(const struct unit *u, int op, int lane,
                        uint64_t sector) {
    assert_int_equal(u->out->away_valid, 1);
    assert_int_equal(u->out->away_op, op);
    assert_int_equal(u->out->away_id, lane);
    assert_int_equal(u->out->away_address, sector);
    assert_int_equal(u->out->down_valid | u->out->hold_stores, 0);
}

static void expect_nothing_away(const struct unit *u) {
    assert_int_equal(u->out->away_valid | u->out->away_op, 0);
    assert_int_equal(u->out->away_id | u->out->away_address, 0);
    assert_int_equal(u->out->away_strobe | u->out->away_compare, 0);
    assert_true(u->out->away_data[0] == 0);
}

static void told(struct unit *u, int lane, bool fault, uint64_t data) {
    u->in.answer_id = (uint64_t)lane;
    answer(u, fault, data);
    u->in.answer_id = 0;
}

/* What goes away of each kind, and what a lane makes of the answer. */
static void test_away(void **state) {
    static const struct {
        int op, size, extend;
        uint32_t at; /* in its sector */
        uint64_t strobe, data;
        uint32_t compare, got;
    } cases[] = {
        {LSU_RMW_LOAD, 0, 0, 3, 0, 0, 0, 0x8f},
        {LSU_RMW_LOAD, 0, 1, 3, 0, 0, 0, 0xffffff8f},
        {LSU_RMW_LOAD, 1, 1, 6, 0, 0, 0, 0x7766},
        {LSU_RMW_LOAD, 1, 1, 2, 0, 0, 0, 0xffff8f22},
        {LSU_RMW_LOAD, 2, 1, 4, 0, 0, 0, 0x77665544},
        {LSU_RMW_STORE, 0, 0, 5, 0x20, UINT64_C(0xd4) << 40, 0, 0},
        {LSU_RMW_STORE, 1, 0, 2, 0x0c, UINT64_C(0xc3d4) << 16, 0, 0},
        {LSU_RMW_STORE, 2, 0, 4, 0xf0, UINT64_C(0xa1b2c3d4) << 32, 0, 0},
        {LSU_RMW_ADD, 0, 0, 0, 0x0f, 0xa1b2c3d4, 0, 0x8f221100},
        {LSU_RMW_EXCH, 0, 1, 4, 0xf0, UINT64_C(0xa1b2c3d4) << 32, 0,
         0x77665544},
        {LSU_RMW_CAS, 1, 0, 0, 0x0f, 0xa1b2c3d4, 0x5a5a1234, 0x8f221100},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        struct unit u;
        const uint32_t byte[LANES] = {0, 0, 3 * CHUNK + 8 + cases[n].at, 0};
        const uint32_t data[LANES] = {1, 2, 0xa1b2c3d4, 3};
        const uint32_t got[LANES] = {0, 0, cases[n].got, 0};
        open_unit(&u);
        u.in.away_ready = 1;
        u.in.ask_signed = (uint64_t)cases[n].extend;
        bits_set_lane(u.in.ask_compare, 2, 0x5a5a1234);
        take(&u, cases[n].op, cases[n].size, 4, byte, data);
        expect_nothing_away(&u);
        edge(&u);
        expect_away(&u, cases[n].op, 2, (3 * CHUNK + 8) / 8);
        assert_int_equal(u.out->away_strobe, cases[n].strobe);
        assert_true(u.out->away_data[0] == cases[n].data);
        assert_int_equal(u.out->away_compare, cases[n].compare);
        edge(&u);
        expect_nothing_away(&u);
        told(&u, 2, false, 0x776655448f221100);
        edge(&u); /* nobody is owed */
        expect_nothing_away(&u);
        if (cases[n].op == LSU_RMW_STORE) {
            edge(&u);
            expect_end(&u, false);
        } else {
            row(&u, 4, got, false);
        }
        close_unit(&u);
    }
}

/* Lanes of other cores go first, the lowest of them first, an edge each; their
 * answers come in any order, beside requests that go; and nothing begins here
 * before the last of them. */
static void test_remote(void **state) {
    const uint32_t byte[LANES] = {2 * CHUNK + 4, BEGIN + 4, 2 * CHUNK, 0};
    const uint32_t data[LANES] = {1, 1, 2, 3}, got[LANES] = {7, 5, 8, 9};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, LSU_RMW_ADD, 2, 15, byte, data);
    edge(&u);
    for (int i = 0; i < 3; i++) { /* it is refused */
        expect_away(&u, LSU_RMW_ADD, 0, 2 * CHUNK / 8);
        assert_int_equal(u.out->away_strobe, 0xf0);
        edge(&u);
    }
    u.in.away_ready = 1;
    edge(&u);
    expect_away(&u, LSU_RMW_ADD, 2, 2 * CHUNK / 8);
    assert_int_equal(u.out->away_strobe, 0x0f);
    edge(&u);
    expect_away(&u, LSU_RMW_ADD, 3, 0);
    told(&u, 2, false, (uint64_t)66 << 32 | 8); /* as lane 3's goes */
    expect_nothing_away(&u);
    told(&u, 0, false, (uint64_t)7 << 32 | 66);
    for (int i = 0; i < 5; i++) {
        edge(&u);
        assert_int_equal(u.out->down_valid | u.out->row_valid, 0);
    }
    told(&u, 3, false, 9);
    edge(&u);
    assert_int_equal(u.out->down_valid, 0);
    load(&u, 0, 0, (uint64_t)5 << 32);
    lanes_act(&u, 1);
    expect_down(&u, true, 0, 0, 2, (uint64_t)6 << 32);
    stored(&u);
    row(&u, 15, got, false);
    close_unit(&u);
}

/* One answer with a fault: that lane gets zero, the access ends with it. */
static void test_remote_fault(void **state) {
    const uint32_t byte[LANES] = {0, 4, 0, 0};
    const uint32_t data[LANES] = {1, 1, 1, 1}, got[LANES] = {0, 6, 0, 0};
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.away_ready = 1;
    take(&u, LSU_RMW_ADD, 2, 3, byte, data);
    edge(&u);
    edge(&u);
    edge(&u);
    told(&u, 0, true, 5);
    told(&u, 1, false, (uint64_t)6 << 32 | 5);
    edge(&u);
    row(&u, 3, got, true);
    close_unit(&u);
}

/* A sector is held from when its load is shown until its store is taken. */
static void test_hold(void **state) {
    const uint32_t byte[LANES] = {BEGIN, BEGIN, 0, 0};
    const uint32_t data[LANES] = {1, 1, 1, 1};
    static const int ops[] = {LSU_RMW_STORE, LSU_RMW_MINU, LSU_RMW_LOAD};
    (void)state;
    for (size_t n = 0; n < sizeof ops / sizeof ops[0]; n++) {
        uint64_t holds = ops[n] != LSU_RMW_LOAD;
        struct unit u;
        open_unit(&u);
        u.in.down_ready = 0;
        take(&u, ops[n], 2, 3, byte, data);
        assert_int_equal(u.out->hold_stores, 0);
        for (int i = 0; i < 3; i++) {
            edge(&u);
            assert_int_equal(u.out->down_valid, 1);
            assert_int_equal(u.out->hold_stores, holds);
        }
        u.in.down_ready = 1;
        edge(&u);
        assert_int_equal(u.out->hold_stores, holds);
        edge(&u);
        assert_int_equal(u.out->hold_stores, holds);
        answer(&u, false, 0); /* minu does not change it */
        assert_int_equal(u.out->hold_stores, holds);
        edge(&u);
        edge(&u);
        assert_int_equal(u.out->hold_stores, holds);
        u.in.down_ready = 0;
        edge(&u);
        for (int i = 0; i < 3; i++) {
            holds = ops[n] == LSU_RMW_STORE;
            assert_int_equal(u.out->down_valid, holds);
            assert_int_equal(u.out->hold_stores, holds);
            if (!holds)
                break;
            edge(&u);
        }
        u.in.down_ready = 1;
        edge(&u);
        assert_int_equal(u.out->hold_stores, 0);
        close_unit(&u);
    }
}

/* --- what goes wrong ------------------------------------------------------ */

/* A sector that is not there is not stored; a store's fault is told. */
static void test_fault(void **state) {
    const uint32_t byte[LANES] = {BEGIN, BEGIN, 0, 0};
    const uint32_t data[LANES] = {1, 1, 1, 1}, got[LANES] = {0};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, LSU_RMW_ADD, 2, 3, byte, data);
    edge(&u);
    edge(&u);
    answer(&u, true, 5);
    lanes_act(&u, 2);
    assert_int_equal(u.out->down_valid, 0);
    row(&u, 3, got, true);
    take(&u, LSU_RMW_STORE, 2, 1, byte, data);
    load(&u, 0, 0, 0);
    lanes_act(&u, 1);
    expect_down(&u, true, 0, 0, 1, 1);
    edge(&u);
    answer(&u, true, 0);
    edge(&u);
    expect_end(&u, true);
    close_unit(&u);
}

static void test_nobody(void **state) {
    const uint32_t byte[LANES] = {BEGIN}, data[LANES] = {1};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, LSU_RMW_ADD, 2, 0, byte, data);
    edge(&u);
    expect_end(&u, false);
    assert_int_equal(u.out->row_valid | u.out->down_valid, 0);
    close_unit(&u);
}

/* --- the gate ------------------------------------------------------------- */

/* An access is told after it was taken, and what is sent passes. */
static void test_passes(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.hybrid_ready = 0;
    u.in.access_valid = 1;
    edge(&u);
    assert_int_equal(u.out->hybrid_valid, 1);
    assert_int_equal(u.out->access_ready, 0);
    edge(&u);
    assert_int_equal(u.out->hybrid_valid, 1);
    u.in.hybrid_ready = 1;
    edge(&u);
    assert_int_equal(u.out->hybrid_valid, 0);
    assert_int_equal(u.out->access_ready, 1);
    edge(&u);
    u.in.access_valid = 0;
    assert_int_equal(u.out->access_ready, 0);
    u.in.tx_valid = u.in.tx_near = 1;
    u.in.tx_reg = 5;
    u.in.tx_data[0] = 9;
    u.in.down_ready = 0;
    edge(&u);
    u.in.tx_valid = 0;
    assert_int_equal(u.out->tx_ready, 0);
    assert_int_equal(u.out->down_valid, 1);
    assert_int_equal(u.out->down_near, 1);
    assert_int_equal(u.out->down_reg, 5);
    assert_int_equal(u.out->down_data[0], 9);
    u.in.answer_valid = 1;
    u.in.answer_id = 3;
    u.in.answer_data[0] = 8;
    u.in.done_valid = u.in.done_near = 1;
    u.in.done_warp = 2;
    edge(&u);
    u.in.answer_valid = u.in.done_valid = 0;
    assert_int_equal(u.out->back_valid, 1);
    assert_int_equal(u.out->back_id, 3);
    assert_int_equal(u.out->back_data[0], 8);
    assert_int_equal(u.out->ended_valid, 1);
    assert_int_equal(u.out->ended_near, 1);
    assert_int_equal(u.out->ended_warp, 2);
    edge(&u);
    assert_int_equal(u.out->back_valid | u.out->ended_valid, 0);
    assert_int_equal(u.out->down_valid, 1);
    close_unit(&u);
}

/* Both want to begin: the access, which has ended before the ask is taken, a
 * message that has left; then the ask, though there is another access. */
static void test_turns(void **state) {
    const uint32_t byte[LANES] = {BEGIN}, data[LANES] = {1};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, LSU_RMW_ADD, 2, 0, byte, data);
    edge(&u);
    expect_end(&u, false);
    ask(&u, LSU_RMW_ADD, 2, 0, byte, data);
    u.in.access_valid = 1;
    edge(&u); /* the last one was an ask */
    assert_int_equal(u.out->hybrid_valid, 1);
    assert_int_equal(u.out->ask_ready, 0);
    edge(&u);
    assert_int_equal(u.out->access_ready, 1);
    u.in.tx_valid = 1;
    u.in.down_ready = 0;
    edge(&u); /* takes the access; there is another one at once */
    u.in.tx_valid = 0;
    for (int i = 0; i < 3; i++) {
        edge(&u);
        assert_int_equal(u.out->hybrid_valid | u.out->ask_ready, 0);
    }
    u.in.done_valid = 1;
    edge(&u); /* free, but what was sent is still there */
    u.in.done_valid = 0;
    assert_int_equal(u.out->hybrid_valid | u.out->ask_ready, 0);
    u.in.down_ready = 1;
    edge(&u);
    assert_int_equal(u.out->down_valid, 0);
    assert_int_equal(u.out->hybrid_valid | u.out->ask_ready, 0);
    edge(&u);
    assert_int_equal(u.out->ask_ready, 1);
    assert_int_equal(u.out->hybrid_valid, 0);
    edge(&u);
    u.in.ask_valid = 0;
    edge(&u);
    expect_end(&u, false);
    edge(&u);
    assert_int_equal(u.out->hybrid_valid, 1);
    close_unit(&u);
}

static void access_goes(struct unit *u) {
    edge(u);
    assert_int_equal(u->out->hybrid_valid, 1);
    edge(u);
    assert_int_equal(u->out->hybrid_valid, 0);
    assert_int_equal(u->out->access_ready, 1);
    edge(u);
    assert_int_equal(u->out->access_ready, 0);
}

/* Accesses need not wait for one another; an ask waits for all of them, and no
 * other begins before it. */
static void test_several(void **state) {
    const uint32_t byte[LANES] = {BEGIN}, data[LANES] = {1};
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.access_valid = 1;
    for (int i = 0; i < 3; i++)
        access_goes(&u);
    ask(&u, LSU_RMW_ADD, 2, 0, byte, data);
    for (int i = 0; i < 3; i++) {
        edge(&u);
        assert_int_equal(u.out->hybrid_valid | u.out->ask_ready, 0);
        u.in.done_valid = 1;
        edge(&u);
        u.in.done_valid = 0;
        assert_int_equal(u.out->ended_valid, 1);
        assert_int_equal(u.out->ask_ready, i == 2); /* on the last one's */
    }
    assert_int_equal(u.out->hybrid_valid, 0);
    edge(&u);
    u.in.ask_valid = 0;
    edge(&u);
    expect_end(&u, false);
    access_goes(&u);
    close_unit(&u);
}

/* One is taken on the edge on which another one ends: an ask still waits. */
static void test_taken_as_one_ends(void **state) {
    const uint32_t byte[LANES] = {BEGIN}, data[LANES] = {1};
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.access_valid = 1;
    access_goes(&u);
    edge(&u);
    assert_int_equal(u.out->hybrid_valid, 1);
    ask(&u, LSU_RMW_ADD, 2, 0, byte, data);
    u.in.done_valid = 1;
    edge(&u); /* takes the second one */
    u.in.done_valid = 0;
    assert_int_equal(u.out->access_ready, 1);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        assert_int_equal(u.out->hybrid_valid | u.out->ask_ready, 0);
    }
    u.in.done_valid = 1;
    edge(&u);
    u.in.done_valid = 0;
    assert_int_equal(u.out->ask_ready, 1);
    close_unit(&u);
}

/* --- rows ----------------------------------------------------------------- */

static void test_rows(void **state) {
    const uint32_t byte[LANES] = {0}, data[LANES] = {1}; /* another core's */
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.away_ready = 1;
    u.in.row_ready = 0;
    u.in.init_valid = 1;
    u.in.init_warp = 3;
    u.in.init_mask = 5;
    bits_set_lane(u.in.init_row, 3, 0x1234);
    take(&u, LSU_RMW_ADD, 2, 1, byte, data);
    assert_int_equal(u.out->row_valid, 1);
    assert_int_equal(u.out->init_ready, 0);
    edge(&u); /* lane 0 goes away */
    edge(&u);
    told(&u, 0, true, 0);
    edge(&u); /* nobody is owed */
    edge(&u); /* nobody is left */
    edge(&u); /* its row waits for the one that is shown */
    assert_int_equal(u.out->row_warp, 3);
    assert_int_equal(u.out->row_mask, 5);
    assert_int_equal(bits_lane(u.out->row_row, 3), 0x1234);
    u.in.row_ready = 1;
    edge(&u);
    assert_int_equal(u.out->row_valid, 0);
    assert_int_equal(u.out->init_ready, 1); /* it has been taken */
    u.in.row_ready = 0;
    edge(&u); /* the own one comes first, and another would */
    assert_int_equal(u.out->init_ready, 0);
    assert_int_equal(u.out->row_valid, 1);
    assert_int_equal(u.out->row_warp, 6);
    assert_int_equal(u.out->row_mask, 1);
    assert_int_equal(bits_lane(u.out->row_row, 3), 0);
    u.in.row_ready = 1;
    edge(&u);
    expect_end(&u, true);
    assert_int_equal(u.out->init_ready, 0);
    edge(&u);
    assert_int_equal(u.out->row_valid, 1);
    assert_int_equal(u.out->row_warp, 3);
    close_unit(&u);
}

/* A reset in the middle leaves nothing. */
static void test_reset(void **state) {
    const uint32_t byte[LANES] = {BEGIN}, data[LANES] = {1};
    struct unit u;
    (void)state;
    open_unit(&u);
    take(&u, LSU_RMW_ADD, 2, 1, byte, data);
    edge(&u);
    assert_int_equal(u.out->down_valid, 1);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_int_equal(u.out->down_valid, 0);
    assert_int_equal(u.out->tx_ready, 1);
    assert_int_equal(u.out->init_ready, 0);
    edge(&u);
    assert_int_equal(u.out->down_valid | u.out->ended_valid, 0);
    const uint32_t far[LANES] = {0, 4, 8, 12};
    u.in.away_ready = 1;
    take(&u, LSU_RMW_ADD, 2, 15, far, data);
    edge(&u);
    edge(&u);
    expect_away(&u, LSU_RMW_ADD, 1, 0); /* lane 0 is owed */
    u.out = golden_cycle(u.g, true, &u.in);
    expect_nothing_away(&u);
    assert_int_equal(u.out->tx_ready, 1);
    take(&u, LSU_RMW_ADD, 2, 2, far, data);
    edge(&u);
    edge(&u);
    told(&u, 1, false, 0);
    edge(&u); /* of the one before nobody is owed */
    edge(&u);
    edge(&u);
    assert_int_equal(u.out->row_valid, 1);
    close_unit(&u);
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {"lsu_rmw.lanes=64", "lsu_rmw.lanes=3",
                                      "lsu_rmw.units=1",  "lsu_rmw.cores=1",
                                      "lsu_rmw.sector=4", "lsu_rmw.warps=65"};
    static const char *const together[] = {"lsu_rmw.line=16", "lsu_rmw.units=8",
                                           "lsu_rmw.chunk=256",
                                           "lsu_rmw.chunk=268435456"};
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
        diag_free(&d);
    }
    for (size_t n = 0; n < sizeof together / sizeof together[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_true(config_set(&c, together[n], &d));
        assert_false(iface_check(&lsu_rmw_iface, &c, &d));
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_two_sectors),
        cmocka_unit_test(test_store),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_remote),
        cmocka_unit_test(test_away),
        cmocka_unit_test(test_hold),
        cmocka_unit_test(test_remote_fault),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_nobody),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_taken_as_one_ends),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

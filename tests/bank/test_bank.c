/* test_bank.c - the golden model of a bank with several open rows against the
 * formulas of its note: latency of an idle bank, streams, row buffers,
 * refreshes, order of one burst, patience.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bank/bank.h"
#include "blocks/bank.h"
#include "dram/rules.h"

#include <stdio.h>
#include <string.h>

struct rig {
    struct config c;
    struct golden *g;
    struct bank_in in;
    const struct bank_out *out;
    long now; /* edges since reset */
    long opened;
};

static void set(struct rig *r, const char *word) {
    struct diag d = {0};
    if (!config_set(&r->c, word, &d))
        fail_msg("%s", word);
    diag_free(&d);
}

static void start(struct rig *r, int open_rows, int refi) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->c.bank_open_rows = open_rows;
    r->c.timing_refi = refi;
}

static void begin(struct rig *r) {
    r->g = golden_create(&bank_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
    r->opened += r->out->cmd_valid && r->out->cmd_kind == DRAM_ACT;
    r->now++;
}

static void ask(struct rig *r, bool write, int row, int column) {
    r->in.req_valid = 1;
    r->in.req_write = write;
    r->in.req_row = (uint64_t)row;
    r->in.req_column = (uint64_t)column;
}

/* Edges until a command goes out, which has to be of a kind. */
static long next(struct rig *r, enum dram_kind kind) {
    long first = r->now;
    do {
        edge(r);
        r->in.req_valid = 0;
        assert_true(r->now < first + 2000);
    } while (!r->out->cmd_valid);
    assert_int_equal(r->out->cmd_kind, kind);
    return r->now - first;
}

static void idle(struct rig *r) {
    for (int i = 0; i < 200; i++)
        edge(r);
}

/* --- latency -------------------------------------------------------------- */

static void test_idle_bank(void **state) {
    (void)state;
    for (int n = 1; n <= 4; n *= 2) {
        struct rig r;
        start(&r, n, 0);
        begin(&r);
        ask(&r, false, 8, 3);
        assert_int_equal(next(&r, DRAM_ACT), 2);
        assert_int_equal(r.out->cmd_row, 8);
        assert_int_equal(next(&r, DRAM_RD), r.c.timing_rcd);
        assert_int_equal(r.out->cmd_column, 3);
        idle(&r);
        ask(&r, true, 8, 4); /* the row is open */
        assert_int_equal(next(&r, DRAM_WR), 2);
        idle(&r);
        ask(&r, false, 8 + n, 4); /* of the same row buffer */
        assert_int_equal(next(&r, DRAM_PRE), 2);
        assert_int_equal(next(&r, DRAM_ACT), r.c.timing_rp);
        assert_int_equal(next(&r, DRAM_RD), r.c.timing_rcd);
        assert_int_equal(r.out->cmd_buffer, 8 % n);
        golden_free(r.g);
    }
}

/* The neighbour of an open row needs no row closed, but with one row buffer. */
static void test_neighbour(void **state) {
    (void)state;
    for (int n = 1; n <= 4; n *= 2) {
        struct rig r;
        start(&r, n, 0);
        begin(&r);
        ask(&r, false, 4, 0);
        next(&r, DRAM_ACT);
        next(&r, DRAM_RD);
        idle(&r);
        ask(&r, false, 5, 0);
        next(&r, n == 1 ? DRAM_PRE : DRAM_ACT);
        if (n > 1)
            assert_int_equal(r.out->cmd_buffer, 1);
        golden_free(r.g);
    }
}

/* Early precharge: tRAS after ACT, tRTP after RD, tCWL + tBL + tWR after WR,
 * whichever ends last. */
static void test_precharge(void **state) {
    static const int ras[] = {20, 60};
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int write = 0; write < 2; write++) {
            struct rig r;
            start(&r, 2, 0);
            r.c.timing_ras = ras[i];
            begin(&r);
            ask(&r, write, 0, 0);
            next(&r, DRAM_ACT);
            long burst = next(&r, write ? DRAM_WR : DRAM_RD);
            long after =
                burst + (write ? r.c.timing_cwl + r.c.timing_bl + r.c.timing_wr
                               : r.c.timing_rtp);
            ask(&r, false, 2, 0);
            long close = burst + next(&r, DRAM_PRE);
            assert_int_equal(close, after > ras[i] ? after : ras[i]);
            golden_free(r.g);
        }
}

/* --- row buffers ---------------------------------------------------------- */

/* Rows opened by streams that take turns, one request at a time. */
static long turns(int open_rows, int streams, int rounds) {
    struct rig r;
    start(&r, open_rows, 0);
    begin(&r);
    for (int i = 0; i < rounds; i++) {
        ask(&r, false, i % streams, i / streams % 64);
        do {
            edge(&r);
            r.in.req_valid = 0;
        } while (!r.out->cmd_valid || r.out->cmd_kind != DRAM_RD);
    }
    golden_free(r.g);
    return r.opened;
}

static void test_turns(void **state) {
    (void)state;
    assert_int_equal(turns(1, 1, 64), 1);
    assert_int_equal(turns(1, 2, 64), 64);
    assert_int_equal(turns(2, 2, 64), 2);
    assert_int_equal(turns(1, 4, 64), 64);
    assert_int_equal(turns(2, 4, 64), 64);
    assert_int_equal(turns(4, 4, 64), 4);
    assert_int_equal(turns(4, 8, 64), 64);
}

/* Bursts of streams as fast as they are taken: one each tCCD. */
static long stream(bool write, int open_rows, int rows) {
    struct rig r;
    long bursts = 0, sent = 0, first = 0;
    start(&r, open_rows, 0);
    begin(&r);
    while (r.now < 8000) {
        ask(&r, write, (int)(sent % rows), (int)(sent / rows % 64));
        sent += (long)r.out->req_ready;
        edge(&r);
        bool burst = r.out->cmd_valid &&
                     (r.out->cmd_kind == DRAM_RD || r.out->cmd_kind == DRAM_WR);
        if (r.now < 1000)
            continue;
        bursts += burst;
        if (burst && !first)
            first = r.now;
    }
    golden_free(r.g);
    return (8000 - first) * 10 / bursts; /* tenths of a cycle a burst */
}

static void test_streams(void **state) {
    (void)state;
    assert_in_range(stream(false, 1, 1), 59, 61); /* tCCD_L of DDR4 is 6 */
    assert_in_range(stream(true, 1, 1), 59, 61);
    assert_in_range(stream(false, 2, 2), 59, 61);
    assert_in_range(stream(true, 4, 4), 59, 61);
    assert_true(stream(false, 1, 2) > 70); /* rows closed over and over */
}

/* --- refresh -------------------------------------------------------------- */

static void test_refresh(void **state) {
    (void)state;
    struct rig r;
    long last = 0, n = 0;
    start(&r, 2, 1000);
    begin(&r);
    for (long i = 0; i < 100 * 1000; i++) {
        if (i % 37 == 0)
            ask(&r, i & 1, i >> 3 & 3, i >> 6 & 63);
        edge(&r);
        if (r.out->req_ready)
            r.in.req_valid = 0;
        bool refresh = r.out->cmd_valid && r.out->cmd_kind == DRAM_REF;
        if (r.out->cmd_valid && n)
            assert_true(r.now - last >= r.c.timing_rfc);
        if (!refresh)
            continue;
        last = r.now;
        n++;
        assert_in_range(r.now, n * 1000 + 1, n * 1000 + 150);
    }
    assert_int_equal(n, 99);
    golden_free(r.g);
}

/* --- order ---------------------------------------------------------------- */

/* A read of a burst waits for the write of it, though it could go at once. */
static void test_same_burst(void **state) {
    (void)state;
    struct rig r;
    start(&r, 2, 0);
    begin(&r);
    ask(&r, false, 0, 0);
    next(&r, DRAM_ACT);
    next(&r, DRAM_RD);
    ask(&r, true, 0, 5); /* not before the read has left the data path */
    r.in.req_id = 1;
    edge(&r);
    ask(&r, false, 0, 5);
    r.in.req_id = 2;
    next(&r, DRAM_WR);
    assert_int_equal(r.out->cmd_id, 1);
    next(&r, DRAM_RD);
    assert_int_equal(r.out->cmd_id, 2);
    golden_free(r.g);
}

/* Hits of a younger stream pass the oldest no more than so often. */
static void test_patience(void **state) {
    (void)state;
    for (int patience = 1; patience <= 9; patience += 4) {
        struct rig r;
        long passed = 0;
        start(&r, 1, 0);
        r.c.bank_patience = patience;
        begin(&r);
        ask(&r, false, 0, 0);
        next(&r, DRAM_ACT);
        for (int i = 0; i < 8; i++) { /* hits wait, and behind them a miss */
            ask(&r, false, i == 3, i);
            r.in.req_id = i == 3 ? 9 : 0;
            edge(&r);
        }
        for (long i = 0; !r.out->cmd_valid || r.out->cmd_id != 9; i++) {
            ask(&r, false, 0, 8 + (int)(i % 50));
            r.in.req_id = 0;
            edge(&r);
            passed += r.out->cmd_valid && r.out->cmd_kind == DRAM_RD &&
                      r.out->cmd_column > 3;
            assert_true(i < 2000);
        }
        assert_in_range(passed, patience, patience + 1);
        golden_free(r.g);
    }
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {
        "bank.open_rows=3",    "bank.open_rows=8", "bank.entries=1",
        "bank.entries=33",     "bank.row_bits=1",  "bank.column_bits=0",
        "bank.column_bits=13", "bank.patience=0",  "bank.id_bits=17",
    };
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
        diag_free(&d);
    }
}

/* What Table II says, in preset mpu. */
static void test_preset(void **state) {
    (void)state;
    struct rig r;
    struct diag d = {0};
    start(&r, 1, 0);
    assert_true(config_preset(&r.c, "mpu", &d));
    assert_int_equal(r.c.timing_rcd, 14);
    assert_int_equal(r.c.timing_ccdl, 2);
    assert_int_equal(r.c.timing_rtp, 4);
    assert_int_equal(r.c.timing_rp, 14);
    assert_int_equal(r.c.timing_ras, 33);
    assert_int_equal(r.c.timing_rfc, 350);
    assert_int_equal(r.c.timing_refi, 3900);
    set(&r, "bank.open_rows=4");
    diag_free(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_bank),  cmocka_unit_test(test_neighbour),
        cmocka_unit_test(test_precharge),  cmocka_unit_test(test_turns),
        cmocka_unit_test(test_streams),    cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_same_burst), cmocka_unit_test(test_patience),
        cmocka_unit_test(test_bounds),     cmocka_unit_test(test_preset),
    };
    return cmocka_run_group_tests_name("test_bank", tests, NULL, NULL);
}

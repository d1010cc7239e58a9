/* test_row_merge.c - the golden model of rows of two for one register file,
 * edge by edge as docs/blocks/row_merge.md has it, and against two lists of
 * rows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/row_merge.h"
#include "kit/rng.h"
#include "row_merge/row_merge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOBODY, INIT, LOAD };

struct unit {
    struct golden *g;
    struct row_merge_local l;
    struct row_merge_in in;
    const struct row_merge_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u, int warps, int registers, int lanes) {
    struct config c;
    config_defaults(&c);
    c.row_merge_warps = warps;
    c.row_merge_registers = registers;
    c.row_merge_lanes = lanes;
    memset(u, 0, sizeof *u);
    u->l = row_merge_local(&c);
    u->g = golden_create(&row_merge_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void open_small(struct unit *u) {
    open_unit(u, 8, 16, 4);
    u->in.row_ready = 1;
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* Row n of a source from now on: warp n, register n + 1, lane l with n * 100 +
 * l, where the other source's have 50 more. */
static void give(struct unit *u, int source, int n) {
    uint64_t *row = source == INIT ? u->in.init_row : u->in.load_data;

    for (int l = 0; l < u->l.LANES; l++)
        bits_set_lane(row, l,
                      (uint32_t)(n * 100 + l + (source == LOAD ? 50 : 0)));
    if (source == INIT) {
        u->in.init_valid = 1;
        u->in.init_warp = (uint64_t)n;
        u->in.init_reg = (uint64_t)n + 1;
        u->in.init_mask = 5;
    } else {
        u->in.load_valid = 1;
        u->in.load_warp = (uint64_t)n;
        u->in.load_reg = (uint64_t)n + 1;
        u->in.load_mask = 10;
    }
}

static void expect_none(const struct unit *u) {
    static const struct row_merge_out none;
    struct row_merge_out o = *u->out;

    o.init_ready = o.load_ready = 0;
    assert_memory_equal(&o, &none, sizeof o);
}

static void expect_row(const struct unit *u, int source, int n) {
    const struct row_merge_out *o = u->out;

    assert_int_equal(o->row_valid, 1);
    assert_int_equal(o->row_warp, n);
    assert_int_equal(o->row_reg, n + 1);
    assert_int_equal(o->row_mask, source == INIT ? 5 : 10);
    for (int l = 0; l < u->l.LANES; l++)
        assert_int_equal(bits_lane(o->row_row, l),
                         n * 100 + l + (source == LOAD ? 50 : 0));
}

static void expect_told(const struct unit *u, int source) {
    assert_int_equal(u->out->init_ready, source == INIT);
    assert_int_equal(u->out->load_ready, source == LOAD);
}

/* --- edge by edge --------------------------------------------------------- */

/* Shown after the edge on which it came, taken on the next, told after that. */
static void test_latency(void **state) {
    (void)state;
    for (int source = INIT; source <= LOAD; source++) {
        struct unit u;
        open_small(&u);
        expect_none(&u);
        expect_told(&u, NOBODY);
        give(&u, source, 3); /* edge t */
        edge(&u);
        expect_row(&u, source, 3);
        expect_told(&u, NOBODY);
        edge(&u); /* t+1 */
        expect_none(&u);
        expect_told(&u, source);
        edge(&u); /* t+2: it is not taken twice */
        expect_none(&u);
        expect_told(&u, NOBODY);
        close_unit(&u);
    }
}

/* A row stands until it is taken, whatever the other source has, and a ready
 * without a row is not remembered. */
static void test_refused(void **state) {
    (void)state;
    for (int source = INIT; source <= LOAD; source++) {
        struct unit u;
        open_small(&u);
        for (int i = 0; i < 3; i++) {
            edge(&u);
            expect_none(&u);
            expect_told(&u, NOBODY);
        }
        give(&u, source, 2);
        edge(&u);
        u.in.row_ready = 0;
        give(&u, INIT + LOAD - source, 4);
        for (int i = 0; i < 5; i++) {
            edge(&u);
            expect_row(&u, source, 2);
            expect_told(&u, NOBODY);
        }
        u.in.row_ready = 1;
        edge(&u);
        expect_none(&u);
        expect_told(&u, source);
        edge(&u); /* while its source hears of it, the other one's comes */
        expect_row(&u, INIT + LOAD - source, 4);
        expect_told(&u, NOBODY);
        close_unit(&u);
    }
}

/* Both without end: in turn, init first after reset, a row in two edges. */
static void test_turn(void **state) {
    struct unit u;
    (void)state;
    open_small(&u);
    for (int n = 0; n < 6; n++) {
        int source = n % 2 == 0 ? INIT : LOAD;
        give(&u, INIT, (n + 1) / 2);
        give(&u, LOAD, n / 2);
        edge(&u);
        expect_row(&u, source, n / 2);
        edge(&u);
        expect_none(&u);
        expect_told(&u, source);
    }
    close_unit(&u);
}

/* One alone: a row in three edges, and the other one is next all the same. */
static void test_alone(void **state) {
    (void)state;
    for (int source = INIT; source <= LOAD; source++) {
        struct unit u;
        open_small(&u);
        for (int n = 0; n < 4; n++) {
            give(&u, source, n);
            edge(&u);
            expect_row(&u, source, n);
            edge(&u);
            expect_told(&u, source);
            edge(&u);
            expect_none(&u);
        }
        give(&u, INIT, 5);
        give(&u, LOAD, 6);
        edge(&u);
        expect_row(&u, INIT + LOAD - source, source == INIT ? 6 : 5);
        close_unit(&u);
    }
}

/* A reset takes the row that is shown, one that comes and what is to be told;
 * then init comes first again. */
static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_small(&u);
    for (int edges = 1; edges < 4; edges++) {
        give(&u, INIT, 1);
        for (int n = 0; n < edges; n++)
            edge(&u);
        give(&u, LOAD, 2);
        u.out = golden_cycle(u.g, true, &u.in);
        expect_none(&u);
        expect_told(&u, NOBODY);
        edge(&u);
        expect_row(&u, INIT, 1);
        u.out = golden_cycle(u.g, true, &u.in);
        u.in.init_valid = u.in.load_valid = 0;
        edge(&u);
        expect_none(&u);
        expect_told(&u, NOBODY);
    }
    close_unit(&u);
}

/* All bits travel, those beyond the sizes do not, and none of a row before
 * stays. */
static void test_sizes(void **state) {
    static const int sizes[][3] = {{2, 4, 2}, {5, 256, 8}, {64, 16, 32}};
    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        struct unit u;
        open_unit(&u, sizes[n][0], sizes[n][1], sizes[n][2]);
        u.in.row_ready = u.in.load_valid = 1;
        u.in.load_warp = u.in.load_reg = u.in.load_mask = ones(64);
        memset(u.in.load_data, 0xff, sizeof u.in.load_data);
        edge(&u);
        assert_int_equal(u.out->row_warp, ones(u.l.WARP_W));
        assert_int_equal(u.out->row_reg, ones(u.l.REG_W));
        assert_int_equal(u.out->row_mask, ones(u.l.LANES));
        for (int l = 0; l < 32; l++)
            assert_int_equal(bits_lane(u.out->row_row, l),
                             l < u.l.LANES ? 0xffffffff : 0);
        edge(&u);
        expect_none(&u);
        u.in.load_valid = 0;
        u.in.init_valid = 1;
        edge(&u);
        assert_int_equal(u.out->row_valid, 1);
        assert_int_equal(u.out->row_warp | u.out->row_reg | u.out->row_mask, 0);
        for (int l = 0; l < 32; l++)
            assert_int_equal(bits_lane(u.out->row_row, l), 0);
        close_unit(&u);
    }
}

/* --- against lists -------------------------------------------------------- */

/* Each source's rows come out in order, each is told once, on the edge behind
 * the one on which it was taken, and nobody waits for more than a row of the
 * other. */
static void test_against_lists(void **state) {
    enum { ROWS = 3000 };
    int given[3] = {0}, seen[3] = {0}, heard[3] = {0}, passed[3] = {0};
    int rate[3] = {0}, take = 100, shown = NOBODY;
    struct rng r;
    struct unit u;
    (void)state;
    rng_seed(&r, 5);
    open_small(&u);
    for (long now = 0; seen[INIT] + seen[LOAD] < ROWS; now++) {
        bool has[3] = {false, u.in.init_valid, u.in.load_valid};
        if (now % 100 == 0) {
            rate[INIT] = rng_range(&r, 0, 100);
            rate[LOAD] = rng_range(&r, 0, 100);
            take = rng_range(&r, 10, 100);
        }
        for (int s = INIT; s <= LOAD; s++)
            if (!has[s] && rng_percent(&r, rate[s]))
                give(&u, s, given[s]++ % 8);
        u.in.row_ready = rng_percent(&r, take);
        bool waits[3] = {false, u.in.init_valid && !u.out->init_ready,
                         u.in.load_valid && !u.out->load_ready};
        bool told_init = u.out->init_ready, told_load = u.out->load_ready;
        bool taken = shown != NOBODY && u.in.row_ready;
        bool stood = shown != NOBODY;
        edge(&u);
        expect_told(&u, taken ? shown : NOBODY);
        heard[INIT] += told_init;
        heard[LOAD] += told_load;
        if (told_init)
            u.in.init_valid = 0;
        if (told_load)
            u.in.load_valid = 0;
        if (taken) {
            expect_none(&u);
            seen[shown]++;
            shown = NOBODY;
            continue;
        }
        assert_int_equal(u.out->row_valid, stood || waits[INIT] || waits[LOAD]);
        if (!u.out->row_valid)
            continue;
        if (!stood) {
            shown = u.out->row_mask == 5 ? INIT : LOAD;
            assert_true(waits[shown]);
            passed[shown] = 0;
            passed[INIT + LOAD - shown] += waits[INIT + LOAD - shown];
            assert_true(passed[INIT + LOAD - shown] < 2);
        }
        expect_row(&u, shown, seen[shown] % 8);
    }
    assert_true(heard[INIT] + heard[LOAD] >= ROWS - 2);
    assert_true(seen[INIT] > ROWS / 4 && seen[LOAD] > ROWS / 4);
    close_unit(&u);
}

/* --- configuration -------------------------------------------------------- */

static void test_bounds(void **state) {
    static const char *const bad[] = {
        "row_merge.warps=1", "row_merge.warps=65",     "row_merge.lanes=3",
        "row_merge.lanes=1", "row_merge.registers=12", "row_merge.registers=2"};
    (void)state;
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct config c;
        struct diag d = {0};
        config_defaults(&c);
        assert_false(config_set(&c, bad[n], &d));
        diag_free(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_turn),    cmocka_unit_test(test_alone),
        cmocka_unit_test(test_reset),   cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_bounds),  cmocka_unit_test(test_against_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

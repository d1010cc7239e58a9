/* test_ranges.c - the memory map analyzer's golden model: ranges.
 *
 * The allocation table at the edges of its ranges, by hand from
 * docs/blocks/analyzer.md, and random tables against a linear search.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit.h"

/* Allocation table ------------------------------------------------------- */

static void an_access_finds_its_range_edges_later(void **state) {
    static const int ranges[] = {1, 3, 7, 8, 100, 255};

    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        struct config c = small();
        struct unit u;
        c.analyzer_ranges = ranges[i];
        open_raw(&u, &c);
        start(&u);
        load(&u, 0, 0x1000, 0x100);
        enable(&u, true);
        event(&u, ACCESS, 0, 0x10ff); /* edge t */
        event(&u, ACCESS, 1, 0x1100);
        u.in.query_valid = 1;
        u.in.query_index = 0;
        /* on edge t + 2 levels + 3; seen by the query behind */
        for (int k = 2; k < u.l.RANGE_EDGES; k++) {
            edge(&u);
            assert_int_equal(u.out->query_touched, 0);
            assert_int_equal(u.out->outside_valid, 0);
        }
        edge(&u);
        assert_int_equal(u.out->query_touched, 0);
        edge(&u);
        assert_int_equal(u.out->query_touched, 1);
        assert_int_equal(u.out->outside_valid, 1);
        assert_int_equal(u.out->outside_address, 0x1100);
        edge(&u);
        assert_int_equal(u.out->outside_valid | u.out->outside_address, 0);
        assert_int_equal(counter(&u, ANALYZER_CNT_inside), 1);
        assert_int_equal(counter(&u, ANALYZER_CNT_outside), 1);
        close_unit(&u);
    }
}

/* Is it outside, by the outputs? */
static bool outside(struct unit *u, uint64_t address) {
    event(u, ACCESS, 0, address);
    edges(u, u->l.RANGE_EDGES);
    assert_int_equal(u->out->outside_address,
                     u->out->outside_valid ? address : 0);
    return u->out->outside_valid;
}

static void edges_of_ranges(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    assert_true(outside(&u, 0)); /* an empty table */
    assert_int_equal(cover(&u, ANALYZER_COV_before_all), 0);
    load(&u, 0, 0x100, 0x80);
    load(&u, 1, 0x180, 0x80); /* touches the first */
    load(&u, 2, 0x400, 1);
    load(&u, 3, 0x401, 0xff);
    load(&u, 4, 0x800, 0x800);
    load(&u, 5, 0x10000, 0x80000000);
    load(&u, 6, 0xfffffff0, 0xf);
    assert_true(outside(&u, 0));
    assert_true(outside(&u, 0xff));
    assert_int_equal(cover(&u, ANALYZER_COV_before_all), 2);
    assert_false(outside(&u, 0x100));
    assert_false(touched(&u, 1));
    assert_true(touched(&u, 0));
    assert_false(outside(&u, 0x17f));
    assert_false(touched(&u, 1));
    assert_false(outside(&u, 0x180));
    assert_true(touched(&u, 1));
    assert_false(outside(&u, 0x1ff));
    assert_true(outside(&u, 0x200));
    assert_true(outside(&u, 0x3ff));
    assert_int_equal(cover(&u, ANALYZER_COV_between), 2);
    assert_false(outside(&u, 0x400));
    assert_true(touched(&u, 2));
    assert_false(touched(&u, 3));
    assert_false(outside(&u, 0x401));
    assert_true(touched(&u, 3));
    assert_false(outside(&u, 0x4ff));
    assert_true(outside(&u, 0x500));
    assert_false(outside(&u, 0xfff));
    assert_true(outside(&u, 0x1000));
    assert_false(outside(&u, 0x8000ffff));
    assert_true(outside(&u, 0x80010000));
    assert_false(outside(&u, 0xfffffffe));
    assert_true(touched(&u, 6));
    assert_true(outside(&u, 0xffffffff));
    assert_int_equal(cover(&u, ANALYZER_COV_beyond), 1);
    assert_int_equal(cover(&u, ANALYZER_COV_range_first), 2);
    assert_int_equal(cover(&u, ANALYZER_COV_range_last), 1);
    /* 0x100, 0x180, 0x400, 0x401; 0x17f, 0x1ff, 0x400, 0x4ff, 0xfff,
     * 0x8000ffff, 0xfffffffe */
    assert_int_equal(cover(&u, ANALYZER_COV_range_start), 4);
    assert_int_equal(cover(&u, ANALYZER_COV_range_end), 7);
    /* a load clears touched */
    load(&u, 3, 0x401, 0xff);
    assert_false(touched(&u, 3));
    assert_true(touched(&u, 2));
    close_unit(&u);
}

/* Every access on one of many edges, in a table of random ranges; which of them
 * it is in is found by looking at all. */
static void random_table(int ranges, int used, uint64_t seed) {
    struct config c = small();
    uint64_t first[255], length[255], at = 0, sent[64];
    bool mark[255] = {false};
    struct unit u;

    c.analyzer_ranges = ranges;
    open_raw(&u, &c);
    start(&u);
    for (int i = 0; i < used; i++) {
        at += random_bits(&seed) % 4 ? random_bits(&seed) % 40 : 0;
        first[i] = at;
        length[i] = 1 + random_bits(&seed) % 40;
        at += length[i];
        load(&u, i, first[i], length[i]);
    }
    enable(&u, true);
    for (int t = 0; t < 3000 + u.l.RANGE_EDGES; t++) {
        bool some = t < 3000 && random_bits(&seed) % 8;
        int due = t - u.l.RANGE_EDGES;
        sent[t % 64] = some ? random_bits(&seed) % (at + 20) : UINT64_MAX;
        u.in.ev_valid = some;
        u.in.ev_op = ACCESS;
        u.in.ev_address = sent[t % 64];
        edge(&u);
        bool out = due >= 0 && sent[due % 64] != UINT64_MAX;
        for (int i = 0; out && i < used; i++)
            if (sent[due % 64] >= first[i] &&
                sent[due % 64] < first[i] + length[i]) {
                mark[i] = true;
                out = false;
            }
        assert_int_equal(u.out->outside_valid, out);
        assert_int_equal(u.out->outside_address, out ? sent[due % 64] : 0);
    }
    u.in.ev_valid = 0;
    for (int i = 0; i < used; i++)
        assert_int_equal(touched(&u, i), mark[i]);
    close_unit(&u);
}

static void search_equals_a_linear_one(void **state) {
    static const int size[][2] = {{1, 1},    {2, 2},     {3, 3},    {7, 7},
                                  {7, 4},    {100, 100}, {100, 57}, {127, 127},
                                  {128, 90}, {255, 255}, {100, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++)
        random_table(size[i][0], size[i][1], i + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_access_finds_its_range_edges_later),
        cmocka_unit_test(edges_of_ranges),
        cmocka_unit_test(search_equals_a_linear_one),
    };

    return cmocka_run_group_tests_name("test_analyzer_ranges", tests, NULL,
                                       NULL);
}

/* test_analyzer.c - the memory map analyzer's golden model: mappings.
 *
 * Directed scenarios with numbers worked out by hand from
 * docs/blocks/analyzer.md, and random instances against a reference that keeps
 * every address.  The allocation table is in test_ranges.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit.h"

/* Start ------------------------------------------------------------------ */

static void initialisation_takes_the_larger_memory(void **state) {
    static const int size[][3] = {
        /* warps, ranges, edges */
        {8, 7, 8}, {2, 7, 8}, {64, 7, 64}, {8, 255, 256}, {8, 8, 16}, {3, 1, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct config c = small();
        struct unit u;
        c.analyzer_warps = size[i][0];
        c.analyzer_ranges = size[i][1];
        open_raw(&u, &c);
        while (!u.out->ev_ready) {
            assert_int_equal(u.out->load_ready, 0);
            edge(&u);
        }
        assert_int_equal(u.out->load_ready, 1);
        assert_int_equal(u.edge, size[i][2]);
        close_unit(&u);
    }
}

static void second_reset_forgets_everything(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    load(&u, 0, 0x1000, 0x100);
    event(&u, ACCESS, 7, 0x1080);
    edges(&u, 12);
    assert_true(touched(&u, 0));
    assert_int_equal(analyzer_bitmap(u.g, 7, 0), 2);
    reset_edge(&u);
    assert_int_equal(u.out->ev_ready, 0);
    for (int i = 0; i < 8; i++)
        assert_false(touched(&u, 0)); /* also before it is initialised */
    assert_int_equal(u.out->ev_ready, 1);
    assert_false(touched(&u, 0));
    enable(&u, true);
    event(&u, END, 7, 0); /* bitmaps are empty again */
    edges(&u, 4);
    expect(&u, 0, 0, 0);
    event(&u, ACCESS, 0, 0x1010);
    edges(&u, 9);
    assert_int_equal(u.out->outside_valid, 1);
    assert_int_equal(counter(&u, ANALYZER_CNT_outside), 1);
    close_unit(&u);
}

/* Bitmaps and scores ----------------------------------------------------- */

/* Bits 12 .. 7 of the addresses: 000101 and 100101 differ in bit 12 only,
 * 000001 in bit 9 from the first. */
static void scores_by_hand(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    event(&u, BEGIN, 3, 0);
    event(&u, ACCESS, 3, 5 << 7);
    event(&u, ACCESS, 3, 37 << 7);
    event(&u, ACCESS, 3, 1 << 7 | 0x7f);
    event(&u, END, 3, 0);
    edges(&u, 3);
    /* mapping 0, bits 8:7: 1, 1, 1; 1, bits 9:8: 2, 2, 0; 2, bits 10:9: 1, 1,
     * 0; 3, bits 11:10: 0, 0, 0 */
    assert_int_equal(analyzer_bitmap(u.g, 3, 0), 1 << 1);
    assert_int_equal(analyzer_bitmap(u.g, 3, 1), 1 << 2 | 1 << 0);
    assert_int_equal(analyzer_bitmap(u.g, 3, 2), 1 << 1 | 1 << 0);
    assert_int_equal(analyzer_bitmap(u.g, 3, 3), 1 << 0);
    assert_int_equal(analyzer_bitmap(u.g, 3, 4), 0); /* no such mapping */
    expect(&u, 0, 1, 1);
    expect(&u, 1, 0, 2);
    expect(&u, 2, 0, 2);
    expect(&u, 3, 1, 1);
    /* an instance without access: neither score nor sum */
    event(&u, BEGIN, 3, 0);
    event(&u, END, 3, 0);
    edges(&u, 3);
    expect(&u, 0, 1, 1);
    assert_int_equal(analyzer_instances(u.g), 2);
    assert_int_equal(cover(&u, ANALYZER_COV_empty), 1);
    assert_int_equal(cover(&u, ANALYZER_COV_colocated), 1);
    assert_int_equal(cover(&u, ANALYZER_COV_spread), 0);
    /* all four stacks under mapping 0 */
    for (int i = 0; i < 4; i++)
        event(&u, ACCESS, 5, (uint64_t)i << 7);
    event(&u, END, 5, 0);
    edges(&u, 3);
    expect(&u, 0, 1, 5);
    expect(&u, 1, 0, 4);
    expect(&u, 2, 1, 3);
    assert_int_equal(cover(&u, ANALYZER_COV_spread), 1);
    /* the end leaves the bitmap: ended again, it is scored again */
    event(&u, END, 5, 0);
    edges(&u, 3);
    expect(&u, 0, 1, 9);
    assert_int_equal(counter(&u, ANALYZER_CNT_begins), 2);
    assert_int_equal(counter(&u, ANALYZER_CNT_accesses), 7);
    assert_int_equal(counter(&u, ANALYZER_CNT_instances), 4);
    close_unit(&u);
}

static void an_end_is_scored_three_edges_later(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    event(&u, BEGIN, 0, 0);
    event(&u, ACCESS, 0, 0);
    event(&u, END, 0, 0); /* edge t */
    edges(&u, 2);         /* t + 1, t + 2 */
    expect(&u, 0, 0, 0);  /* t + 3, as it stood before */
    expect(&u, 0, 1, 1);
    edge(&u);
    assert_int_equal(u.out->query_done | u.out->query_score | u.out->query_sum |
                         u.out->query_touched,
                     0);
    close_unit(&u);
}

/* Events of one warp at any distance see each other. */
static void events_see_those_ahead(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    for (int gap = 0; gap < 5; gap++)
        for (int first = BEGIN; first <= ACCESS; first++) {
            event(&u, BEGIN, 1, 0);
            event(&u, ACCESS, 1, 0x180);
            edges(&u, 5);
            event(&u, first, 1, 0x080);
            edges(&u, gap);
            event(&u, ACCESS, 1, 0x100);
            edges(&u, gap);
            event(&u, END, 1, 0);
            edges(&u, 4);
            assert_int_equal(analyzer_bitmap(u.g, 1, 0),
                             first == BEGIN ? 4 : 8 | 2 | 4);
        }
    /* sums of the two, five times */
    expect(&u, 0, 5, 5 * (1 + 3));
    assert_int_equal(cover(&u, ANALYZER_COV_begin_access), 10 + 1);
    assert_int_equal(cover(&u, ANALYZER_COV_same_warp), 1);
    assert_int_equal(cover(&u, ANALYZER_COV_access_end), 2);
    close_unit(&u);
}

static void warps_do_not_mix(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    for (int w = 0; w < 8; w++)
        event(&u, ACCESS, w, (uint64_t)w << 7);
    for (int w = 0; w < 8; w++)
        event(&u, END, w, 0);
    event(&u, NOTHING, 3, 0x180); /* enters and does nothing */
    edges(&u, 3);
    for (int w = 0; w < 8; w++)
        assert_int_equal(analyzer_bitmap(u.g, w, 0), 1 << w % 4);
    expect(&u, 0, 8, 8);
    assert_int_equal(cover(&u, ANALYZER_COV_two_ends), 7);
    assert_int_equal(cover(&u, ANALYZER_COV_same_warp), 0);
    assert_int_equal(counter(&u, ANALYZER_CNT_begins), 0);
    assert_int_equal(counter(&u, ANALYZER_CNT_accesses), 8);
    assert_int_equal(counter(&u, ANALYZER_CNT_ignored), 0);
    close_unit(&u);
}

static void sixteen_accesses_in_a_row(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    for (int i = 0; i < 15; i++)
        event(&u, ACCESS, i % 8, 0);
    event(&u, NOTHING, 0, 0);
    assert_int_equal(cover(&u, ANALYZER_COV_streak), 0);
    for (int i = 0; i < 16; i++)
        event(&u, ACCESS, i % 8, 0);
    assert_int_equal(cover(&u, ANALYZER_COV_streak), 1);
    close_unit(&u);
}

/* Learning --------------------------------------------------------------- */

/* An instance that touches the stacks of these lines. */
static void instance(struct unit *u, const uint8_t *lines, int n) {
    event(u, BEGIN, 0, 0);
    for (int i = 0; i < n; i++)
        event(u, ACCESS, 0, (uint64_t)lines[i] << 7);
    event(u, END, 0, 0);
}

/* Mapping m: bits m + 1 .. m of the line's number. */
static const struct best_case {
    uint8_t lines[2][3];
    int n[2], best;
    bool tie_sum, tie_bit;
} best_cases[] = {
    /* lines 0 and 1 differ for mapping 0 alone: 1, 2 and 3 tie in all */
    {{{0, 1}, {0, 1}}, {2, 2}, 1, false, true},
    /* all tie: the lowest bit */
    {{{5}, {6}}, {1, 1}, 0, false, true},
    /* 0 and 16 differ for mapping 3 (bits 4, 3); 0 and 1 for mapping 0:
     * 1 and 2 keep both */
    {{{0, 16}, {0, 1}}, {2, 2}, 1, false, true},
    /* 0 and 8: mappings 2 and 3; 0 and 1: mapping 0; so 1 alone */
    {{{0, 8}, {0, 1}}, {2, 2}, 1, false, false},
    /* 0, 2, 16: only mapping 2 (bits 3, 2) keeps them; 0, 1, 2: mappings
     * 2 and 3 do */
    {{{0, 2, 16}, {0, 1, 2}}, {3, 3}, 2, false, false},
    /* nobody keeps anything: 0, 1, 10: 0, 1, 2; 0, 0, 1; 0, 0, 2; 0, 0, 1:
     * the sums decide, and 1 before 2 and 3 */
    {{{0, 1, 10}, {0, 1, 10}}, {3, 3}, 1, true, true},
};

static void best_mapping(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof best_cases / sizeof best_cases[0]; i++) {
        struct unit u;
        open_small(&u);
        learn(&u, 2);
        instance(&u, best_cases[i].lines[0], best_cases[i].n[0]);
        instance(&u, best_cases[i].lines[1], best_cases[i].n[1]);
        edges(&u, 3); /* the third of these sets done */
        for (int k = 0; k < 4; k++) {
            assert_int_equal(u.out->irq | u.out->irq_best, 0);
            edge(&u);
        }
        assert_int_equal(u.out->irq, 1);
        if (u.out->irq_best != 7 + (uint64_t)best_cases[i].best)
            fail_msg("case %d: best %d", (int)i, (int)u.out->irq_best);
        assert_int_equal(cover(&u, ANALYZER_COV_irq), 1);
        assert_int_equal(cover(&u, ANALYZER_COV_tie_sum),
                         best_cases[i].tie_sum);
        assert_int_equal(cover(&u, ANALYZER_COV_tie_bit),
                         best_cases[i].tie_bit);
        assert_int_equal(cover(&u, ANALYZER_COV_not_first),
                         best_cases[i].best != 0);
        edges(&u, 20);
        assert_int_equal(u.out->irq_best, 7 + (uint64_t)best_cases[i].best);
        close_unit(&u);
    }
}

static void one_mapping(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    c.analyzer_first_bit = c.analyzer_last_bit = 12;
    c.analyzer_learn_instances = 1;
    open_raw(&u, &c);
    start(&u);
    enable(&u, true);
    event(&u, END, 0, 0);
    edges(&u, 3);
    assert_int_equal(u.out->irq, 0);
    edge(&u);
    assert_int_equal(u.out->irq, 1);
    assert_int_equal(u.out->irq_best, 12);
    assert_int_equal(cover(&u, ANALYZER_COV_tie_bit), 0);
    query(&u, 1);
    assert_int_equal(u.out->query_score | u.out->query_sum, 0);
    close_unit(&u);
}

static void events_after_learning(void **state) {
    static const uint8_t line[] = {1};
    struct unit u;

    (void)state;
    open_small(&u);
    learn(&u, 2);
    instance(&u, line, 1);
    edges(&u, 4);
    /* four ends in a row: the second one ends learning on its edge + 3; the
     * third and fourth are late */
    for (int i = 0; i < 4; i++)
        event(&u, END, 0, 0);                     /* the first: edge t */
    assert_int_equal(analyzer_instances(u.g), 2); /* edge t + 3 */
    /* done stands before this edge: ignored */
    event(&u, END, 0, 0);
    event(&u, ACCESS, 0, 0x180);
    edges(&u, 12);
    expect(&u, 0, 2, 2);
    assert_int_equal(analyzer_bitmap(u.g, 0, 0), 2);
    assert_int_equal(u.out->irq, 1);
    assert_int_equal(cover(&u, ANALYZER_COV_late_end), 3);
    assert_int_equal(cover(&u, ANALYZER_COV_ignored_done), 2);
    assert_int_equal(counter(&u, ANALYZER_CNT_ignored), 2);
    assert_int_equal(counter(&u, ANALYZER_CNT_instances), 2);
    assert_int_equal(counter(&u, ANALYZER_CNT_accesses), 1);
    assert_int_equal(counter(&u, ANALYZER_CNT_outside), 1);
    close_unit(&u);
}

static void disabling_forgets(void **state) {
    static const uint8_t line[] = {1};
    struct unit u;

    (void)state;
    open_small(&u);
    learn(&u, 1);
    instance(&u, line, 1);
    edges(&u, 10);
    assert_int_equal(u.out->irq, 1);
    u.in.wb_cyc = u.in.wb_stb = u.in.wb_we = 1;
    u.in.wb_adr = REG_FIRST + ANALYZER_SET_enable;
    u.in.wb_dat_w = 0;
    u.in.wb_sel = 15;
    edge(&u); /* writes; enable stood at 1 */
    u.in.wb_cyc = 0;
    assert_int_equal(u.out->irq, 1);
    expect(&u, 0, 1, 1); /* as it stood before */
    assert_int_equal(u.out->irq | u.out->irq_best, 0);
    expect(&u, 0, 0, 0);
    assert_int_equal(analyzer_instances(u.g), 0);
    event(&u, BEGIN, 0, 0);
    assert_int_equal(counter(&u, ANALYZER_CNT_ignored), 1);
    assert_int_equal(cover(&u, ANALYZER_COV_ignored_off), 1);
    /* the bitmap stays, and is scored after learning began anew */
    enable(&u, true);
    event(&u, END, 0, 0);
    edges(&u, 3);
    expect(&u, 0, 1, 1);
    edges(&u, 3);
    assert_int_equal(u.out->irq, 1);
    assert_int_equal(cover(&u, ANALYZER_COV_again), 1);
    close_unit(&u);
}

/* Events in the pipeline are dropped, searches are not. */
static void disabling_empties_the_pipeline(void **state) {
    struct unit u;

    (void)state;
    for (int wait = 0; wait < 4; wait++) {
        open_small(&u);
        load(&u, 0, 0, 0x1000);
        event(&u, ACCESS, 0, 0x080);
        edges(&u, 5);
        /* the write's edge is t for wait = 0; enable stands at 0 on t + 1 */
        u.in.wb_cyc = u.in.wb_stb = u.in.wb_we = 1;
        u.in.wb_adr = REG_FIRST + ANALYZER_SET_enable;
        u.in.wb_dat_w = wait == 0 ? 0 : 1;
        u.in.wb_sel = 15;
        if (wait)
            u.in.wb_cyc = 0;
        event(&u, END, 0, 0); /* t */
        for (int i = 1; i < wait; i++)
            edge(&u);
        if (wait) {
            u.in.wb_cyc = 1;
            u.in.wb_dat_w = 0;
            edge(&u); /* t + wait */
        }
        u.in.wb_cyc = 0;
        edges(&u, 4);
        enable(&u, true);
        assert_int_equal(counter(&u, ANALYZER_CNT_instances), wait == 3);
        assert_int_equal(counter(&u, ANALYZER_CNT_inside), 1);
        close_unit(&u);
    }
}

/* Bitmaps stay on an edge with 'enable' low, also with an event in B. */
static void disabling_keeps_the_bitmaps(void **state) {
    struct unit u;

    (void)state;
    for (int late = 0; late < 2; late++) {
        open_small(&u);
        event(&u, ACCESS, 2, 0x080);
        edges(&u, 4);
        event(&u, late ? BEGIN : ACCESS, 2, 0x180); /* t; in B on t + 2 */
        enable(&u, false); /* written on t + 1, stands low on t + 2 */
        edges(&u, 4);
        assert_int_equal(analyzer_bitmap(u.g, 2, 0), 1 << 1);
        enable(&u, true);
        event(&u, late ? BEGIN : ACCESS, 2, 0x180);
        edge(&u);
        enable(&u, false); /* written on t + 2 */
        edges(&u, 4);
        assert_int_equal(analyzer_bitmap(u.g, 2, 0),
                         late ? 0 : 1 << 1 | 1 << 3);
        close_unit(&u);
    }
}

/* Queries and references -------------------------------------------------- */

static void queries_beyond_what_exists(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    c.analyzer_ranges = 3; /* 4 places, 4 mappings: 2 bits */
    c.analyzer_last_bit = 13;
    open_raw(&u, &c); /* 7 mappings: 3 bits */
    start(&u);
    load(&u, 0, 0, 0x1000);
    enable(&u, true);
    event(&u, ACCESS, 0, 0);
    event(&u, END, 0, 0);
    edges(&u, 12);
    for (int q = 0; q < 8; q++) {
        query(&u, q);
        assert_int_equal(u.out->query_score, q < 7);
        assert_int_equal(u.out->query_sum, q < 7);
        assert_int_equal(u.out->query_touched, q == 0);
    }
    assert_int_equal(cover(&u, ANALYZER_COV_query), 8);
    assert_int_equal(cover(&u, ANALYZER_COV_query_touched), 1);
    close_unit(&u);
}

/* What the warps of a random run have accessed since they began. */
struct history {
    uint64_t address[64][200];
    int n[64];
};

static int stacks_touched(const struct history *h, int warp, int low,
                          int stacks) {
    uint64_t set = 0;

    for (int i = 0; i < h->n[warp]; i++)
        set |= (uint64_t)1 << (h->address[warp][i] >> low) % (uint64_t)stacks;
    return __builtin_popcountll(set);
}

static void random_instances(const struct config *c, uint64_t seed) {
    static struct history h;
    uint64_t score[16] = {0}, sum[16] = {0};
    int ended = 0, best = 0;
    struct unit u;

    memset(&h, 0, sizeof h);
    open_raw(&u, c);
    start(&u);
    enable(&u, true);
    while (ended < c->analyzer_learn_instances) {
        uint64_t x = random_bits(&seed);
        int warp = (int)(x >> 8) & 1 ? (int)(x >> 9 & 1)
                                     : (int)((x >> 9) % (uint64_t)u.l.WARPS);
        int op = (x & 15) == 0 ? BEGIN : (x & 15) == 1 ? END : ACCESS;
        uint64_t address = random_bits(&seed) & random_bits(&seed) &
                           random_bits(&seed) & 0x7ffff;
        if (x >> 60 == 0)
            edges(&u, (int)(x >> 56 & 3));
        if (op == ACCESS && h.n[warp] == 200)
            op = BEGIN;
        event(&u, op, warp, address);
        if (op == BEGIN)
            h.n[warp] = 0;
        else if (op == ACCESS)
            h.address[warp][h.n[warp]++] = address;
        else
            for (int m = (ended++, 0); m < u.l.MAPS; m++) {
                int n = stacks_touched(&h, warp, u.l.FIRST_BIT + m, u.l.STACKS);
                score[m] += n == 1;
                sum[m] += (uint64_t)n;
            }
    }
    for (int i = 0; !u.out->irq; i++) {
        assert_true(i < PATIENCE);
        edge(&u);
    }
    for (int m = 0; m < u.l.MAPS; m++) {
        expect(&u, m, score[m], sum[m]);
        if (score[m] > score[best] ||
            (score[m] == score[best] && sum[m] < sum[best]))
            best = m;
    }
    assert_int_equal(u.out->irq_best, u.l.FIRST_BIT + best);
    close_unit(&u);
}

static void scores_equal_the_reference(void **state) {
    static const int size[][4] = {
        /* warps, stacks, first and last bit */
        {8, 4, 7, 10},  {48, 4, 7, 16}, {64, 16, 5, 20},
        {2, 2, 12, 12}, {3, 8, 6, 9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct config c = small();
        c.analyzer_warps = size[i][0];
        c.analyzer_stacks = size[i][1];
        c.analyzer_first_bit = size[i][2];
        c.analyzer_last_bit = size[i][3];
        c.analyzer_learn_instances = 900;
        random_instances(&c, i + 1);
    }
}

/* Other ------------------------------------------------------------------ */

static void blocked_before_it_is_ready(void **state) {
    struct config c = small();
    struct unit u;

    (void)state;
    open_raw(&u, &c);
    u.in.ev_valid = 1;
    edges(&u, 8);
    u.in.ev_valid = 0;
    assert_int_equal(counter(&u, ANALYZER_CNT_ev_blocked), 8);
    assert_int_equal(counter(&u, ANALYZER_CNT_ignored), 0);
    assert_int_equal(cover(&u, ANALYZER_COV_blocked), 8);
    wishbone(&u, true, REG_CONTROL, 1);
    assert_int_equal(counter(&u, ANALYZER_CNT_ev_blocked), 0);
    assert_int_equal(cover(&u, ANALYZER_COV_counters_cleared), 1);
    close_unit(&u);
}

static void inputs_are_masked_to_their_widths(void **state) {
    struct unit u;

    (void)state;
    open_small(&u);
    u.in.ev_valid = 2; /* bit 0 is low */
    edge(&u);
    load(&u, 0xf8, 0xf00001000, 0xf00000100);
    event(&u, 0xf0 | ACCESS, 0xf8 | 3, 0xf00001080);
    edges(&u, 9);
    assert_int_equal(analyzer_bitmap(u.g, 3, 0), 2);
    assert_true(touched(&u, 0));
    query(&u, 0xf8);
    assert_int_equal(u.out->query_touched, 1);
    assert_int_equal(counter(&u, ANALYZER_CNT_accesses), 1);
    assert_int_equal(counter(&u, ANALYZER_CNT_begins), 0);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initialisation_takes_the_larger_memory),
        cmocka_unit_test(second_reset_forgets_everything),
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(an_end_is_scored_three_edges_later),
        cmocka_unit_test(events_see_those_ahead),
        cmocka_unit_test(warps_do_not_mix),
        cmocka_unit_test(sixteen_accesses_in_a_row),
        cmocka_unit_test(best_mapping),
        cmocka_unit_test(one_mapping),
        cmocka_unit_test(events_after_learning),
        cmocka_unit_test(disabling_forgets),
        cmocka_unit_test(disabling_empties_the_pipeline),
        cmocka_unit_test(disabling_keeps_the_bitmaps),
        cmocka_unit_test(queries_beyond_what_exists),
        cmocka_unit_test(scores_equal_the_reference),
        cmocka_unit_test(blocked_before_it_is_ready),
        cmocka_unit_test(inputs_are_masked_to_their_widths),
    };

    return cmocka_run_group_tests_name("test_analyzer", tests, NULL, NULL);
}

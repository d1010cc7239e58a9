/* test_offload_links.c - the offload controller's golden model: busy monitors.
 *
 * Directed edges worked out by hand from docs/blocks/offload.md, and random
 * traffic against a reference that remembers every flit instead of counting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "offload_unit.h"

enum { EDGES = 6000 };

static struct config with(int sliding, int window, int parts) {
    struct config c = small();

    c.offload_monitor = sliding ? 0 : 1;
    c.offload_window = window;
    c.offload_window_parts = parts;
    return c;
}

/* One edge with these flits; the busy bits after it. */
static void flits(struct unit *u, uint64_t tx, uint64_t rx) {
    u->in.link_tx = tx;
    u->in.link_rx = rx;
    unit_edge(u);
}

/* By hand ---------------------------------------------------------------- */

static void sliding_window(void **state) {
    struct config c = with(true, 64, 4); /* on from 57, off below 51 */
    struct unit u;

    (void)state;
    unit_open(&u, &c);
    /* a flit a cycle: the total is 16, 32, 48 and 64 after edges 16 to 64, and
     * is looked at on the next edge */
    while (!u.out->link_tx_busy)
        flits(&u, 1, 0);
    assert_int_equal(u.edge, 65);
    assert_int_equal(u.out->link_tx_busy, 1);
    assert_int_equal(u.out->link_rx_busy, 0);
    /* edge 65 had a flit: sub-windows of 1 and 0 behind three of 16: 49 */
    while (u.out->link_tx_busy)
        flits(&u, 0, 0);
    assert_int_equal(u.edge, 81);
    assert_int_equal(cover(&u, OFFLOAD_COV_busy_left), 1);
    assert_int_equal(cover(&u, OFFLOAD_COV_hysteresis), 0);
    unit_close(&u);
}

static void sliding_hysteresis(void **state) {
    struct config c = with(true, 64, 4);
    struct unit u;

    (void)state;
    unit_open(&u, &c);
    for (int i = 0; i < 80; i++)
        flits(&u, 0, 4);
    assert_int_equal(u.out->link_rx_busy, 4);
    /* 16 + 16 + 16 + 3 = 51 is not below 51: stays; on edge 97 */
    for (int i = 0; i < 16; i++)
        flits(&u, 0, i < 3 ? 4 : 0);
    for (int i = 0; i < 15; i++) {
        flits(&u, 0, 4);
        assert_int_equal(u.out->link_rx_busy, 4);
    }
    assert_true(cover(&u, OFFLOAD_COV_hysteresis) > 0);
    /* then 16 + 16 + 3 + 15 = 50 */
    flits(&u, 0, 0);
    assert_int_equal(u.out->link_rx_busy, 4);
    flits(&u, 0, 0);
    assert_int_equal(u.out->link_rx_busy, 0);
    unit_close(&u);
}

static void tumbling_window(void **state) {
    struct config c = with(false, 64, 4);
    struct unit u;

    (void)state;
    unit_open(&u, &c);
    while (!u.out->link_tx_busy)
        flits(&u, 8, 0);
    assert_int_equal(u.edge, 57); /* as soon as the count reaches it */
    assert_int_equal(u.out->link_tx_busy, 8);
    while (u.edge < 64)
        flits(&u, 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8); /* 57 is not below 51 */
    /* 51 flits in the second window: stays; 50 in the third: left at its end */
    for (int i = 0; i < 64; i++)
        flits(&u, i >= 13 ? 8 : 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8);
    assert_int_equal(cover(&u, OFFLOAD_COV_hysteresis), 1);
    for (int i = 0; i < 63; i++)
        flits(&u, i < 50 ? 8 : 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8);
    flits(&u, 0, 0);
    assert_int_equal(u.out->link_tx_busy, 0);
    assert_int_equal(cover(&u, OFFLOAD_COV_busy_left), 1);
    /* the flit of the last edge counts */
    for (int i = 0; i < 64; i++)
        flits(&u, i >= 7 ? 8 : 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8);
    unit_close(&u);
}

/* A threshold takes effect on the edge behind the one that writes it. */
static void thresholds_as_they_stand(void **state) {
    struct unit u;

    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        struct config c = with(sliding, 64, 4);
        unit_open(&u, &c);
        while (u.edge < 40)
            flits(&u, 1, 0); /* sliding: total 32; tumbling: count 40 */
        u.in.wb_cyc = u.in.wb_stb = u.in.wb_we = 1;
        u.in.wb_adr = REG_FIRST + OFFLOAD_SET_busy_on;
        u.in.wb_dat_w = sliding ? 32 : 42;
        u.in.wb_sel = 15;
        flits(&u, 1, 0);
        assert_int_equal(u.out->link_tx_busy, 0);
        u.in.wb_cyc = 0;
        flits(&u, 1, 0);
        assert_int_equal(u.out->link_tx_busy, 1);
        unit_close(&u);
    }
}

/* A threshold of nothing: busy from the first edge on. */
static void a_threshold_of_zero(void **state) {
    struct unit u;

    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        struct config c = with(sliding, 64, 4);
        c.offload_busy_on = 1; /* percent of 64 */
        unit_open(&u, &c);
        flits(&u, 0, 0);
        unit_reset(&u);
        assert_int_equal(u.out->link_tx_busy, 0);
        flits(&u, 0, 0);
        assert_int_equal(u.out->link_tx_busy & u.out->link_rx_busy, 15);
        unit_close(&u);
    }
}

static void reset_starts_the_windows_anew(void **state) {
    struct unit u;

    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        struct config c = with(sliding, 64, 4);
        unit_open(&u, &c);
        for (int i = 0; i < 75; i++)
            flits(&u, 15, 15);
        assert_int_equal(u.out->link_tx_busy & u.out->link_rx_busy, 15);
        unit_reset(&u);
        assert_int_equal(u.out->link_tx_busy | u.out->link_rx_busy, 0);
        while (!u.out->link_tx_busy)
            flits(&u, 2, 2);
        assert_int_equal(u.edge, sliding ? 65 : 57);
        unit_close(&u);
    }
}

/* Random traffic --------------------------------------------------------- */

/* Flits on the edges up to each; edges count from 1. */
static int in_edges(const int *sum, long from, long to) {
    return to < 1 ? 0 : sum[to] - sum[from < 1 ? 0 : from - 1];
}

static bool reference(const struct unit *u, const int *sum, bool was, int on,
                      int off) {
    int window = u->l.WINDOW, sub = window / u->l.PARTS, c;
    long t = u->edge, whole;

    if (u->l.SLIDING) {
        whole = (t - 1) / sub * sub; /* whole sub-windows before this edge */
        c = in_edges(sum, whole - window + 1, whole);
        return c >= on || (was && c >= off);
    }
    c = in_edges(sum, (t - 1) / window * window + 1, t);
    return c >= on || (was && (t % window != 0 || c >= off));
}

static void random_traffic(const struct config *c, uint64_t seed) {
    static int sum[32][EDGES + 1];
    uint64_t busy = 0, density[32] = {0};
    struct unit u;
    int links, on, off;

    unit_open(&u, c);
    links = 2 * u.l.STACKS;
    on = u.l.WINDOW * c->offload_busy_on / 100;
    off = u.l.WINDOW * c->offload_busy_off / 100;
    for (long t = 1; t <= EDGES; t++) {
        uint64_t now = 0, next = 0;
        for (int i = 0; i < links; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            if (seed >> 40 % 61 == 0 || t % (2 * u.l.WINDOW) == i)
                density[i] = seed >> 61;
            now |= (uint64_t)((seed >> 55 & 7) < density[i] + 1) << i;
            sum[i][t] = sum[i][t - 1] + (int)(now >> i & 1);
        }
        flits(&u, now & ((1u << u.l.STACKS) - 1), now >> u.l.STACKS);
        for (int i = 0; i < links; i++)
            next |= (uint64_t)reference(&u, sum[i], busy >> i & 1, on, off)
                    << i;
        busy = next;
        if ((u.out->link_tx_busy | u.out->link_rx_busy << u.l.STACKS) != busy)
            fail_msg("edge %ld: %llx %llx, not %llx", t,
                     (unsigned long long)u.out->link_tx_busy,
                     (unsigned long long)u.out->link_rx_busy,
                     (unsigned long long)busy);
    }
    assert_true(cover(&u, OFFLOAD_COV_busy_left) > 10);
    assert_true(cover(&u, OFFLOAD_COV_hysteresis) > 10);
    unit_close(&u);
}

static void traffic_equals_the_reference(void **state) {
    static const int size[][4] = {
        /* sliding, window, parts, stacks */
        {1, 64, 4, 4}, {1, 16, 2, 2},   {1, 256, 64, 16}, {0, 64, 4, 4},
        {0, 16, 4, 2}, {0, 128, 4, 16}, {1, 128, 64, 8},
    };

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct config c = with(size[i][0], size[i][1], size[i][2]);
        c.offload_stacks = size[i][3];
        c.offload_busy_on = 80;
        c.offload_busy_off = 60;
        random_traffic(&c, i + 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_window),
        cmocka_unit_test(sliding_hysteresis),
        cmocka_unit_test(tumbling_window),
        cmocka_unit_test(thresholds_as_they_stand),
        cmocka_unit_test(a_threshold_of_zero),
        cmocka_unit_test(reset_starts_the_windows_anew),
        cmocka_unit_test(traffic_equals_the_reference),
    };

    return cmocka_run_group_tests_name("test_offload_links", tests, NULL, NULL);
}

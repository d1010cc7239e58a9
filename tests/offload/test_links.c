/* test_links.c - the offload controller's golden model: busy monitors.
 *
 * Directed edges worked out by hand from docs/blocks/offload.md, and random
 * traffic against a reference that remembers every flit instead of counting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "unit.h"

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
    assert_true(u->edge < 100000); /* someone waits for what never comes */
    u->in.link_tx = tx;
    u->in.link_rx = rx;
    unit_edge(u);
}

/* By hand ---------------------------------------------------------------- */

static void sliding_window(void **state) {
    struct config c = with(true, 64, 4); /* on from 58, off below 52 */
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
    /* 16 + 16 + 16 + 4 = 52 is not below 52: stays; on edge 97 */
    for (int i = 0; i < 16; i++)
        flits(&u, 0, i < 4 ? 4 : 0);
    for (int i = 0; i < 15; i++) {
        flits(&u, 0, 4);
        assert_int_equal(u.out->link_rx_busy, 4);
    }
    assert_true(cover(&u, OFFLOAD_COV_hysteresis) > 0);
    /* then 16 + 16 + 4 + 15 = 51 */
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
    assert_int_equal(u.edge, 58); /* as soon as the count reaches it */
    assert_int_equal(u.out->link_tx_busy, 8);
    while (u.edge < 64)
        flits(&u, 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8); /* 58 is not below 52 */
    /* 52 flits in the second window: stays; 51 in the third: left at its end */
    for (int i = 0; i < 64; i++)
        flits(&u, i >= 12 ? 8 : 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8);
    assert_int_equal(cover(&u, OFFLOAD_COV_hysteresis), 1);
    for (int i = 0; i < 63; i++)
        flits(&u, i < 51 ? 8 : 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8);
    flits(&u, 0, 0);
    assert_int_equal(u.out->link_tx_busy, 0);
    assert_int_equal(cover(&u, OFFLOAD_COV_busy_left), 1);
    /* the flit of the last edge counts */
    for (int i = 0; i < 64; i++)
        flits(&u, i >= 6 ? 8 : 0, 0);
    assert_int_equal(u.out->link_tx_busy, 8);
    unit_close(&u);
}

/* A write on the next edge; whoever takes that edge ends it. */
static void begin_write(struct unit *u, enum offload_setting s,
                        uint32_t value) {
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 1;
    u->in.wb_adr = REG_FIRST + (uint64_t)s;
    u->in.wb_dat_w = value;
    u->in.wb_sel = 15;
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
        begin_write(&u, OFFLOAD_SET_busy_on, sliding ? 32 : 42);
        flits(&u, 1, 0);
        assert_int_equal(u.out->link_tx_busy, 0);
        u.in.wb_cyc = 0;
        flits(&u, 1, 0);
        assert_int_equal(u.out->link_tx_busy, 1);
        unit_close(&u);
    }
}

static void thresholds_are_rounded_up(void **state) {
    static const int size[][5] = {
        /* window, percents, thresholds */
        {64, 90, 80, 58, 52},     {16, 99, 1, 16, 1},   {16, 100, 0, 16, 0},
        {1024, 90, 80, 922, 820}, {64, 50, 25, 32, 16}, {65536, 1, 1, 656, 656},
    };
    struct unit u;

    (void)state;
    for (size_t i = 0; i < sizeof size / sizeof size[0]; i++) {
        struct config c = with(i & 1, size[i][0], 4);
        c.offload_busy_on = size[i][1];
        c.offload_busy_off = size[i][2];
        unit_open(&u, &c);
        assert_int_equal(read_setting(&u, OFFLOAD_SET_busy_on), size[i][3]);
        assert_int_equal(read_setting(&u, OFFLOAD_SET_busy_off), size[i][4]);
        assert_int_equal(read_setting(&u, OFFLOAD_SET_window), size[i][0]);
        unit_close(&u);
    }
}

/* A threshold of nothing: busy at once. */
static void a_threshold_of_zero(void **state) {
    struct unit u;

    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        struct config c = with(sliding, 64, 4);
        unit_open(&u, &c);
        begin_write(&u, OFFLOAD_SET_busy_on, 0);
        flits(&u, 0, 0);
        assert_int_equal(u.out->link_tx_busy, 0);
        u.in.wb_cyc = 0;
        flits(&u, 0, 0);
        assert_int_equal(u.out->link_tx_busy & u.out->link_rx_busy, 15);
        unit_reset(&u);
        assert_int_equal(u.out->link_tx_busy | u.out->link_rx_busy, 0);
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
        assert_int_equal(u.edge, sliding ? 65 : 58);
        unit_close(&u);
    }
}

/* The window at run time ------------------------------------------------- */

static void open_with_window(struct unit *u, int sliding, uint32_t window,
                             uint32_t on, uint32_t off) {
    struct config c = with(sliding, 64, 4);

    unit_open(u, &c);
    set(u, OFFLOAD_SET_window, window); /* two edges each */
    set(u, OFFLOAD_SET_busy_on, on);
    set(u, OFFLOAD_SET_busy_off, off);
}

static void a_shorter_window(void **state) {
    struct unit u;

    (void)state;
    /* sub-windows of 8: 8, 16, 24 and 32 after edges 16 to 40 */
    open_with_window(&u, true, 32, 29, 26);
    while (u.edge < 8)
        flits(&u, 0, 0);
    while (!u.out->link_tx_busy)
        flits(&u, 1, 0);
    assert_int_equal(u.edge, 41);
    /* 1 + 8 + 8 + 8 after edge 48 */
    while (u.out->link_tx_busy)
        flits(&u, 0, 0);
    assert_int_equal(u.edge, 49);
    unit_close(&u);

    open_with_window(&u, false, 32, 29, 26);
    while (u.edge < 32)
        flits(&u, 0, 0);
    while (!u.out->link_tx_busy)
        flits(&u, 1, 0);
    assert_int_equal(u.edge, 61);
    while (u.out->link_tx_busy)
        flits(&u, 0, 0);
    assert_int_equal(u.edge, 96);
    unit_close(&u);
}

/* Sub-windows of no cycle are of one. */
static void a_window_of_zero(void **state) {
    static const unsigned pattern = 0x0ff36; /* bit i: a flit on edge 7 + i */
    struct unit u;

    (void)state;
    for (uint32_t window = 0; window < 8; window++) {
        open_with_window(&u, true, window, 4, 2); /* the last four edges */
        for (int i = 0; i < 20; i++) {
            flits(&u, pattern >> i & 1, 0);
            /* four flits on edges before i = 12, less than two before 19 */
            assert_int_equal(u.out->link_tx_busy, i >= 12 && i < 19);
        }
        unit_close(&u);
    }
    open_with_window(&u, false, 0, 1, 1); /* each edge by itself */
    for (int i = 0; i < 20; i++) {
        flits(&u, pattern >> i & 1, 0);
        assert_int_equal(u.out->link_tx_busy, pattern >> i & 1);
    }
    unit_close(&u);
}

static void a_window_above_the_largest(void **state) {
    struct unit u;

    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        struct config c = with(sliding, 64, 4);
        unit_open(&u, &c);
        u.in.link_tx = 1;
        set(&u, OFFLOAD_SET_window, 127);
        assert_int_equal(read_setting(&u, OFFLOAD_SET_window), 127);
        while (!u.out->link_tx_busy)
            flits(&u, 1, 0);
        assert_int_equal(u.edge, sliding ? 65 : 58);
        while (u.out->link_tx_busy)
            flits(&u, 0, 0);
        assert_int_equal(u.edge, sliding ? 81 : 128);
        unit_close(&u);
    }
}

static void sliding_shortened_in_the_middle(void **state) {
    struct config c = with(true, 64, 4);
    struct unit u;

    (void)state;
    unit_open(&u, &c);
    for (int i = 1; i < 90; i++)
        flits(&u, i <= 80, 0);
    begin_write(&u, OFFLOAD_SET_window, 32);
    flits(&u, 0, 0);
    u.in.wb_cyc = 0;
    /* edge 91 is the eleventh of its sub-window, which ends: 48 are left */
    flits(&u, 0, 0);
    assert_int_equal(u.out->link_tx_busy, 1);
    flits(&u, 0, 0);
    assert_int_equal(u.out->link_tx_busy, 0);
    /* the counts of before leave on edges 99, 107 and 115 */
    set(&u, OFFLOAD_SET_busy_on, 20);
    set(&u, OFFLOAD_SET_busy_off, 5);
    while (u.out->link_tx_busy)
        flits(&u, 0, 0);
    assert_int_equal(u.edge, 116);
    unit_close(&u);
}

static void tumbling_shortened_in_the_middle(void **state) {
    struct config c = with(false, 64, 4);
    struct unit u;

    (void)state;
    unit_open(&u, &c);
    for (int i = 1; i < 104; i++)
        flits(&u, i <= 64, 0);
    begin_write(&u, OFFLOAD_SET_window, 16);
    flits(&u, 0, 0);
    u.in.wb_cyc = 0;
    assert_int_equal(u.out->link_tx_busy, 1);
    /* edge 105 is the 41st of its window, which ends without a flit */
    flits(&u, 0, 0);
    assert_int_equal(u.out->link_tx_busy, 0);
    /* the next is of edges 106 to 121: 16 flits in a row fit no other */
    begin_write(&u, OFFLOAD_SET_busy_on, 16);
    flits(&u, 1, 0);
    u.in.wb_cyc = 0;
    while (!u.out->link_tx_busy && u.edge < 200)
        flits(&u, u.edge < 121, 0);
    assert_int_equal(u.edge, 121);
    unit_close(&u);
}

static void reset_restores_the_window(void **state) {
    struct unit u;

    (void)state;
    for (int sliding = 0; sliding < 2; sliding++) {
        open_with_window(&u, sliding, 16, 4, 4);
        unit_reset(&u);
        assert_int_equal(read_setting(&u, OFFLOAD_SET_window), 64);
        unit_reset(&u);
        while (!u.out->link_tx_busy)
            flits(&u, 1, 0);
        assert_int_equal(u.edge, sliding ? 65 : 58);
        unit_close(&u);
    }
}

/* Random traffic --------------------------------------------------------- */

/* What the reference remembers: the flits of each link on the edges up to each,
 * which count from 1, and the edges on which sub-windows ended (tumbling:
 * windows), behind as many zeros as there are sub-windows. */
struct history {
    int sum[32][EDGES + 1];
    long end[EDGES + 65];
    int ends;
    int window, on, off; /* as they stand */
};

/* Whether edge t is the last of its sub-window. */
static bool is_last(const struct unit *u, const struct history *h, long t) {
    long lasted = t - h->end[h->ends - 1];

    return lasted >= h->window / u->l.PARTS ||
           lasted == u->l.WINDOW / u->l.PARTS;
}

static bool reference(const struct unit *u, const struct history *h, int link,
                      bool was) {
    const int *sum = h->sum[link];
    const long *end = &h->end[h->ends - 1];
    int c;

    if (u->l.SLIDING) {
        c = sum[end[0]] - sum[end[-u->l.PARTS]];
        return c >= h->on || (was && c >= h->off);
    }
    c = sum[u->edge] - sum[end[0]];
    return c >= h->on || (was && (!is_last(u, h, u->edge) || c >= h->off));
}

/* Now and then software writes a setting: a window of any length, or a
 * threshold that the window of now can reach.  Returns what is written. */
static int *write_setting(struct unit *u, struct history *h, uint64_t x) {
    int reach = h->window < u->l.WINDOW ? h->window : u->l.WINDOW;

    u->in.wb_cyc = 0;
    if (x >> 6 & 63 || u->edge % 2)
        return NULL;
    switch (x & 3) {
    case 0:
        begin_write(u, OFFLOAD_SET_busy_on,
                    (uint32_t)(reach * (6 + (int)(x >> 12 & 1)) / 8));
        return &h->on;
    case 1:
        begin_write(u, OFFLOAD_SET_busy_off,
                    (uint32_t)(reach * (2 + (int)(x >> 12 & 3)) / 8));
        return &h->off;
    default:
        begin_write(u, OFFLOAD_SET_window,
                    (uint32_t)(x >> 12 & ((1u << u->l.BUSY_W) - 1)) >>
                        (x >> 4 & 3));
        return &h->window;
    }
}

/* Flits on all links for the next edge; some are sent on more of the edges than
 * others for a while. */
static uint64_t draw_flits(const struct unit *u, uint64_t *seed,
                           uint64_t *density) {
    uint64_t now = 0;

    for (int i = 0; i < 2 * u->l.STACKS; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        if ((*seed >> 40) % 61 == 0 || u->edge % (2 * u->l.WINDOW) == i)
            density[i] = *seed >> 61;
        now |= (uint64_t)((*seed >> 55 & 7) < density[i] + 1) << i;
    }
    return now;
}

static void random_edge(struct unit *u, struct history *h, uint64_t *busy,
                        uint64_t now, uint64_t x) {
    int *written = x ? write_setting(u, h, x) : NULL;
    uint64_t stacks = ((uint64_t)1 << u->l.STACKS) - 1, next = 0;
    long t = u->edge + 1;

    flits(u, now & stacks, now >> u->l.STACKS);
    for (int i = 0; i < 2 * u->l.STACKS; i++) {
        h->sum[i][t] = h->sum[i][t - 1] + (int)(now >> i & 1);
        next |= (uint64_t)reference(u, h, i, *busy >> i & 1) << i;
    }
    if (is_last(u, h, t))
        h->end[h->ends++] = t;
    if (written)
        *written = (int)u->in.wb_dat_w;
    *busy = next;
    if ((u->out->link_tx_busy | u->out->link_rx_busy << u->l.STACKS) != next)
        fail_msg("edge %ld: %llx %llx, not %llx", t,
                 (unsigned long long)u->out->link_tx_busy,
                 (unsigned long long)u->out->link_rx_busy,
                 (unsigned long long)next);
}

static void random_traffic(const struct config *c, uint64_t seed,
                           bool settings) {
    static struct history h;
    uint64_t busy = 0, density[32] = {0};
    struct unit u;

    unit_open(&u, c);
    memset(&h, 0, sizeof h);
    h.ends = u.l.PARTS + 1;
    h.window = u.l.WINDOW;
    h.on = (u.l.WINDOW * c->offload_busy_on + 99) / 100;
    h.off = (u.l.WINDOW * c->offload_busy_off + 99) / 100;
    while (u.edge < EDGES) {
        uint64_t now = draw_flits(&u, &seed, density);
        random_edge(&u, &h, &busy, now, settings ? seed >> 20 | 1 << 30 : 0);
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
        random_traffic(&c, i + 1, false);
        random_traffic(&c, i + 1, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_window),
        cmocka_unit_test(sliding_hysteresis),
        cmocka_unit_test(tumbling_window),
        cmocka_unit_test(thresholds_as_they_stand),
        cmocka_unit_test(thresholds_are_rounded_up),
        cmocka_unit_test(a_threshold_of_zero),
        cmocka_unit_test(reset_starts_the_windows_anew),
        cmocka_unit_test(a_shorter_window),
        cmocka_unit_test(a_window_of_zero),
        cmocka_unit_test(a_window_above_the_largest),
        cmocka_unit_test(sliding_shortened_in_the_middle),
        cmocka_unit_test(tumbling_shortened_in_the_middle),
        cmocka_unit_test(reset_restores_the_window),
        cmocka_unit_test(traffic_equals_the_reference),
    };

    return cmocka_run_group_tests_name("test_offload_links", tests, NULL, NULL);
}

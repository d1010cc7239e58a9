/* test_dram_channel.c - the DRAM channel's golden model against the formulas of
 * its part: latency of an idle channel, bandwidth of streams, refreshes, and
 * the share of an idle rank that an accelerator gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/dram_channel.h"
#include "dram/rules.h"
#include "dram_channel/dram_channel.h"

#include <string.h>

struct rig {
    struct config c;
    struct golden *g;
    struct dram_channel_in in;
    const struct dram_channel_out *out;
    long now; /* edges since reset */
};

static void start(struct rig *r, int refi) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->c.timing_refi = refi;
    r->g = golden_create(&dram_channel_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
    r->now++;
}

static void ask(struct rig *r, bool write, int rank, int group, int bank,
                int row, int column) {
    r->in.req_valid = 1;
    r->in.req_write = write;
    r->in.req_rank = (uint64_t)rank;
    r->in.req_group = (uint64_t)group;
    r->in.req_bank = (uint64_t)bank;
    r->in.req_row = (uint64_t)row;
    r->in.req_column = (uint64_t)column;
}

/* Edges until a command of a kind goes out. */
static long until(struct rig *r, enum dram_kind kind) {
    long begin = r->now;
    do {
        edge(r);
        r->in.req_valid = 0;
        assert_true(r->now < begin + 1000);
    } while (!r->out->cmd_valid || r->out->cmd_kind != kind);
    return r->now - begin;
}

/* A closed bank: ACT on the edge after the one that takes the request, then
 * tRCD; another row of it: tRP more, when tRAS is over. */
static void test_unloaded_latency(void **state) {
    (void)state;
    struct rig r;
    start(&r, 0);
    ask(&r, false, 0, 1, 2, 7, 3);
    assert_int_equal(until(&r, DRAM_ACT), 2);
    assert_int_equal(until(&r, DRAM_RD), r.c.timing_rcd);
    for (int i = 0; i < 100; i++)
        edge(&r);
    ask(&r, false, 0, 1, 2, 7, 4);
    assert_int_equal(until(&r, DRAM_RD), 2); /* the row is open */
    for (int i = 0; i < 100; i++)
        edge(&r);
    ask(&r, false, 0, 1, 2, 8, 4);
    assert_int_equal(until(&r, DRAM_PRE), 2);
    assert_int_equal(until(&r, DRAM_ACT), r.c.timing_rp);
    assert_int_equal(until(&r, DRAM_RD), r.c.timing_rcd);
    golden_free(r.g);
}

/* Bursts of a stream: over bank groups one each tCCD_S, in one group tCCD_L,
 * over ranks in turn tBL + tRTRS. */
static long stream(bool write, int groups, int ranks) {
    struct rig r;
    long bursts = 0, first = 0;
    start(&r, 0);
    for (long sent = 0; r.now < 8000;) {
        ask(&r, write, (int)(sent % ranks), (int)(sent / ranks % groups), 0, 0,
            (int)(sent / ranks / groups % 128));
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
    assert_in_range(stream(false, 4, 1), 39, 41);
    assert_in_range(stream(true, 4, 1), 39, 41);
    assert_in_range(stream(false, 1, 1), 59, 61);
    /* the oldest ready one goes, so that ranks take turns no more than needed
     */
    assert_in_range(stream(false, 4, 2), 39, 61);
}

/* Edges until a write goes out, with no other request sent. */
static long until_write(struct rig *r) {
    long begin = r->now;
    r->in.req_valid = 0;
    while (!r->out->cmd_valid || r->out->cmd_kind != DRAM_WR) {
        edge(r);
        assert_true(r->now < begin + 3000);
    }
    return r->now - begin;
}

/* n writes to open or closed rows of one rank. */
static void send_writes(struct rig *r, int n) {
    for (int i = 0; i < n; i++) {
        ask(r, true, 0, i & 3, 0, 0, i);
        edge(r);
    }
    r->in.req_valid = 0;
}

/* Writes wait for a drain: for each other, for the time since the last drain,
 * or for a read of the same burst, whichever is first; an urgent one does not. */
static void test_drains(void **state) {
    (void)state;
    struct rig r;
    start(&r, 0);
    int wait = r.c.dram_channel_drain_wait, idle = r.c.dram_channel_drain_idle;

    send_writes(&r, 1); /* alone: until so long after reset */
    assert_in_range(until_write(&r) + 1, wait, wait + 30);
    for (int i = 0; i < 100; i++)
        edge(&r);
    send_writes(&r, idle - 1); /* since the last drain */
    assert_in_range(until_write(&r), wait - 150, wait - 50);

    for (int i = 0; i < 200; i++)
        edge(&r);
    send_writes(&r, idle); /* enough of them */
    assert_in_range(until_write(&r), 0, 10);

    for (int i = 0; i < 200; i++)
        edge(&r);
    send_writes(&r, 1);
    ask(&r, false, 0, 0, 0, 0, 0); /* reads what is to be written */
    edge(&r);
    assert_in_range(until_write(&r), 0, 10);
    assert_in_range(until(&r, DRAM_RD), 1, 40);

    for (int i = 0; i < 200; i++)
        edge(&r);
    r.in.req_urgent = 1;
    send_writes(&r, 1); /* one that does not wait */
    assert_in_range(until_write(&r), 0, 10);
    golden_free(r.g);
}

/* While reads keep coming, a drain begins with DRAIN_HIGH writes. */
static void test_drains_beside_reads(void **state) {
    (void)state;
    struct rig r;
    int writes = 0;
    start(&r, 0);
    for (int i = 0; !r.out->cmd_valid || r.out->cmd_kind != DRAM_WR; i++) {
        bool write = i % 3 == 0;
        ask(&r, write, write, i & 3, 0, 0, i & 127);
        writes += write && r.out->req_ready;
        edge(&r);
        assert_true(i < 300);
    }
    assert_in_range(writes, r.c.dram_channel_drain_high,
                    r.c.dram_channel_drain_high + 10);
    golden_free(r.g);
}

static void test_refresh(void **state) {
    (void)state;
    struct rig r;
    int refreshes = 0;
    start(&r, 9360);
    for (int i = 0; i < 100 * 9360; i++) {
        if (i % 97 == 0)
            ask(&r, i & 1, i >> 3 & 1, i >> 4 & 3, i >> 6 & 3, i >> 8 & 7, 0);
        edge(&r);
        if (r.out->req_ready)
            r.in.req_valid = 0;
        refreshes += r.out->cmd_valid && r.out->cmd_kind == DRAM_REF;
    }
    assert_in_range(refreshes, 198, 200); /* of two ranks */
    golden_free(r.g);
}

/* An accelerator alone, row after row of one bank: 128 bursts each tCCD_L, then
 * the row's turn.  The host in the other rank takes nothing from it. */
static void test_idle_rank(void **state) {
    (void)state;
    for (int host = 0; host < 2; host++) {
        struct rig r;
        long bursts = 0, n = 0;
        start(&r, 0);
        r.in.nda_valid = 1;
        r.in.nda_group = r.in.nda_bank = 3;
        while (r.now < 100000) {
            if (host)
                ask(&r, false, 1, (int)(n & 3), 0, 0, (int)(n >> 2 & 127));
            n += (long)r.out->req_ready;
            edge(&r);
            if (r.out->nda_taken & 1) {
                bursts++;
                r.in.nda_column = (r.in.nda_column + 1) & 127;
                r.in.nda_row[0] += r.in.nda_column == 0;
            }
        }
        long row = 127 * r.c.timing_ccdl + r.c.timing_rtp + r.c.timing_rp +
                   r.c.timing_rcd;
        long expected = 100000 * 128 / row;
        assert_in_range(bursts, expected - expected / 100,
                        expected + expected / 100);
        golden_free(r.g);
    }
}

/* The host is served as if there were no accelerator, but for the turns of its
 * bursts; next-rank holds its writes back altogether while reads of the rank
 * are the oldest. */
static void test_next_rank(void **state) {
    (void)state;
    long near[2];
    for (int mode = 0; mode < 2; mode++) {
        struct rig r;
        long n = 0;
        memset(&r, 0, sizeof r);
        config_defaults(&r.c);
        r.c.timing_refi = 0;
        r.c.dram_channel_throttle = mode ? 2 : 0;
        r.g = golden_create(&dram_channel_golden, &r.c);
        r.out = golden_cycle(r.g, true, NULL);
        r.in.nda_valid = r.in.nda_write = 1;
        r.in.nda_group = r.in.nda_bank = 3;
        near[mode] = 0;
        while (r.now < 20000) {
            ask(&r, false, 0, (int)(n & 3), 0, 0, (int)(n >> 2 & 127));
            n += (long)r.out->req_ready;
            edge(&r);
            near[mode] += (long)(r.out->nda_taken & 1);
        }
        golden_free(r.g);
    }
    assert_in_range(near[1], 0, 2); /* before the first read was there */
    assert_true(near[0] > 100);
}

/* Writes of the host that wait for a drain are older than all reads, and must
 * not let the accelerator's writes through between these. */
static void test_next_rank_behind_writes(void **state) {
    (void)state;
    struct rig r;
    long n = 0, near = 0;
    start(&r, 0);
    r.in.nda_group = r.in.nda_bank = 3;
    r.in.nda_write = 1;
    while (r.now < 400) {
        bool write = n % 16 == 0;
        ask(&r, write, write, (int)(n & 3), 0, 0, (int)(n >> 2 & 127));
        n += (long)r.out->req_ready;
        r.in.nda_valid = r.now > 20; /* reads are in the queue */
        edge(&r);
        near += (long)(r.out->nda_taken & 1);
    }
    assert_int_equal(near, 0);
    golden_free(r.g);
}

/* --- accelerators that decide for themselves ------------------------------ */

static void start_told(struct rig *r) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->c.timing_refi = 0;
    r->c.dram_channel_accelerators = 1;
    r->g = golden_create(&dram_channel_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

/* Two edges until the rank is quiet, and then as ever; the wire goes up an edge
 * before the request's first command could be, and stays while it waits. */
static void test_told_latency(void **state) {
    (void)state;
    struct rig r;
    start_told(&r);
    ask(&r, false, 1, 1, 2, 7, 3);
    edge(&r); /* takes it */
    r.in.req_valid = 0;
    assert_false(r.out->held1_all);
    edge(&r);
    assert_true(r.out->held1_all);
    assert_false(r.out->held0_all);
    assert_int_equal(until(&r, DRAM_ACT), 2);
    assert_true(r.out->host1_valid);
    assert_int_equal(r.out->host1_row, 7);
    assert_false(r.out->host0_valid);
    assert_int_equal(until(&r, DRAM_RD), r.c.timing_rcd);
    for (int i = 0; i < 100; i++)
        edge(&r);
    assert_false(r.out->held1_all);
    ask(&r, false, 1, 1, 2, 7, 4);
    assert_int_equal(until(&r, DRAM_RD), 4); /* the row is open */
    golden_free(r.g);
}

/* While its row is being opened a request leaves the rank to the accelerator.
 */
static void test_told_rests(void **state) {
    (void)state;
    struct rig r;
    int free_edges = 0;
    start_told(&r);
    ask(&r, false, 0, 1, 2, 7, 3);
    until(&r, DRAM_ACT);
    ask(&r, false, 0, 1, 2, 9, 3); /* another row of the same bank */
    until(&r, DRAM_RD);
    while (!r.out->cmd_valid || r.out->cmd_kind != DRAM_PRE) {
        edge(&r);
        r.in.req_valid = 0;
        free_edges += !r.out->held0_all;
    }
    assert_in_range(free_edges, r.c.timing_rtp / 2, 100);
    golden_free(r.g);
}

/* What is seen counts: a row that the accelerator has opened is open for the
 * host, and its commands hold the host's back. */
static void test_told_seen(void **state) {
    (void)state;
    struct rig r;
    start_told(&r);
    r.in.seen0_valid = 1;
    r.in.seen0_kind = DRAM_ACT;
    r.in.seen0_row = 5;
    edge(&r);
    r.in.seen0_valid = 0;
    ask(&r, false, 0, 3, 3, 5, 1); /* the last bank */
    assert_int_equal(until(&r, DRAM_RD), r.c.timing_rcd);
    for (int i = 0; i < 100; i++)
        edge(&r);
    r.in.seen0_valid = 1;
    r.in.seen0_kind = DRAM_WR;
    edge(&r);
    r.in.seen0_valid = 0;
    ask(&r, false, 0, 3, 3, 5, 2);
    assert_int_equal(until(&r, DRAM_RD),
                     r.c.timing_cwl + r.c.timing_bl + r.c.timing_wtrl);
    golden_free(r.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unloaded_latency),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_drains),
        cmocka_unit_test(test_drains_beside_reads),
        cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_idle_rank),
        cmocka_unit_test(test_next_rank),
        cmocka_unit_test(test_next_rank_behind_writes),
        cmocka_unit_test(test_told_latency),
        cmocka_unit_test(test_told_rests),
        cmocka_unit_test(test_told_seen),
    };
    return cmocka_run_group_tests_name("test_dram_channel", tests, NULL, NULL);
}

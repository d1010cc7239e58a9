/* test_dram_channel.c - the DRAM channel's golden model against the formulas of
 * its part: latency of an idle channel, bandwidth of streams, refreshes, and
 * the share of an idle rank that an accelerator gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
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
        r.in.next0_valid = r.in.next0_enabled = 1;
        r.in.next0_group = r.in.next0_bank = 3;
        while (r.now < 100000) {
            if (host)
                ask(&r, false, 1, (int)(n & 3), 0, 0, (int)(n >> 2 & 127));
            n += (long)r.out->req_ready;
            edge(&r);
            if (r.out->nda_taken & 1) {
                bursts++;
                r.in.next0_column = (r.in.next0_column + 1) & 127;
                r.in.next0_row += r.in.next0_column == 0;
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
        r.in.next0_valid = r.in.next0_write = r.in.next0_enabled = 1;
        r.in.next0_group = r.in.next0_bank = 3;
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
    r.in.next0_group = r.in.next0_bank = 3;
    r.in.next0_write = r.in.next0_enabled = 1;
    while (r.now < 400) {
        bool write = n % 16 == 0;
        ask(&r, write, write, (int)(n & 3), 0, 0, (int)(n >> 2 & 127));
        n += (long)r.out->req_ready;
        r.in.next0_valid = r.now > 20; /* reads are in the queue */
        edge(&r);
        near += (long)(r.out->nda_taken & 1);
    }
    assert_int_equal(near, 0);
    golden_free(r.g);
}

/* --- two banks, and what mirrored accelerators are shown ------------------ */

static void burst(struct rig *r, int bank, int row, bool ahead) {
    r->in.next0_valid = r->in.next0_enabled = 1;
    r->in.next0_group = r->in.next0_ahead_group = 3;
    r->in.next0_bank = (uint64_t)bank;
    r->in.next0_row = (uint64_t)row;
    r->in.next0_ahead = ahead;
    r->in.next0_ahead_bank = bank == 3 ? 2 : 3;
    r->in.next0_ahead_row = (uint64_t)row + 100;
}

/* Edges until the accelerator of rank 0 has a command, of this kind. */
static long until_near(struct rig *r, enum dram_kind kind) {
    long begin = r->now;
    do {
        edge(r);
        assert_true(r->now < begin + 1000);
    } while (!(r->out->ndc_valid & 1));
    assert_int_equal(r->out->ndc_kind & 7, kind);
    return r->now - begin;
}

/* The row ahead is opened tRRD_L behind the first one, in a slot that the
 * accelerator does not need; a burst goes on there without a turn of the row. */
static void test_row_ahead(void **state) {
    (void)state;
    struct rig r;
    start(&r, 0);
    burst(&r, 3, 7, true);
    until_near(&r, DRAM_ACT);
    assert_int_equal(r.out->ndc_bank & 3, 3);
    assert_int_equal(until_near(&r, DRAM_ACT), r.c.timing_rrdl);
    assert_int_equal(r.out->ndc_bank & 3, 2);
    assert_int_equal(bits_get(r.out->ndc_row, 0, 16), 107);
    assert_int_equal(until_near(&r, DRAM_RD), r.c.timing_rcd - r.c.timing_rrdl);
    burst(&r, 2, 107, false);
    assert_int_equal(until_near(&r, DRAM_RD), r.c.timing_ccdl);
    golden_free(r.g);
}

/* It is left alone while a request of the host is for its bank. */
static void test_row_ahead_yields(void **state) {
    (void)state;
    struct rig r;
    start(&r, 0);
    ask(&r, true, 0, 3, 2, 9, 0); /* a write, which waits */
    edge(&r);
    r.in.req_valid = 0;
    burst(&r, 3, 7, true);
    until_near(&r, DRAM_ACT);
    until_near(&r, DRAM_RD);
    golden_free(r.g);
}

/* A burst that is not enabled may have its row opened. */
static void test_enabled(void **state) {
    (void)state;
    struct rig r;
    start(&r, 0);
    burst(&r, 3, 7, false);
    r.in.next0_enabled = 0;
    until_near(&r, DRAM_ACT);
    for (int i = 0; i < 100; i++) {
        edge(&r);
        assert_false(r.out->ndc_valid);
    }
    r.in.next0_enabled = 1;
    assert_int_equal(until_near(&r, DRAM_RD), 1);
    golden_free(r.g);
}

/* What held an accelerator back on an edge is shown after it, with the host's
 * command of that edge; nothing of it to accelerators that are asked. */
static void test_mirrored(void **state) {
    (void)state;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        struct rig r;
        memset(&r, 0, sizeof r);
        config_defaults(&r.c);
        r.c.timing_refi = 0;
        r.c.dram_channel_accelerators = mirrored;
        r.c.dram_channel_throttle = 2;
        r.g = golden_create(&dram_channel_golden, &r.c);
        r.out = golden_cycle(r.g, true, NULL);
        ask(&r, false, 1, 3, 2, 7, 3);
        edge(&r); /* takes it */
        r.in.req_valid = 0;
        assert_false(r.out->held1_writes);
        edge(&r);
        assert_true(r.out->cmd_valid && r.out->cmd_kind == DRAM_ACT);
        assert_int_equal(r.out->host1_valid, mirrored);
        assert_int_equal(r.out->host1_row, mirrored ? 7 : 0);
        assert_false(r.out->host0_valid);
        assert_int_equal(r.out->held1_writes, mirrored);
        assert_int_equal(r.out->held1_rows, mirrored ? 2 : 0);
        assert_false(r.out->held0_writes || r.out->held0_rows);
        golden_free(r.g);
    }
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
        cmocka_unit_test(test_row_ahead),
        cmocka_unit_test(test_row_ahead_yields),
        cmocka_unit_test(test_enabled),
        cmocka_unit_test(test_mirrored),
    };
    return cmocka_run_group_tests_name("test_dram_channel", tests, NULL, NULL);
}

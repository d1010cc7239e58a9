/* test_concurrent.c - host and accelerators on one memory: the bursts of each
 * operation against plain loops, an accelerator alone against the formula of
 * its part, what throttles and the partition do, launches, traces of requests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "concurrent/concurrent.h"
#include "tests/common/diag_capture.h"
#include "tests/common/temp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the bursts of operations --------------------------------------------- */

struct access {
    int operand, burst;
    bool write;
};

static struct access *list;
static int n_list;

static void put(int operand, int burst, bool write) {
    list[n_list++] = (struct access){operand, burst, write};
}

/* Batches of 128 bursts; in each the operation's loops one after the other. */
static void elementwise(int n, const char *loads, char store) {
    static const char names[] = "xyzw";
    for (int at = 0; at < n; at += 128) {
        int end = at + 128 < n ? at + 128 : n;
        for (const char *p = loads; *p; p++)
            for (int i = at; i < end; i++)
                put((int)(strchr(names, *p) - names), i, false);
        for (int i = at; i < end && store; i++)
            put((int)(strchr(names, store) - names), i, true);
    }
}

static void gemv(int n) {
    for (int at = 0; at < n; at += 128) {
        int end = at + 128 < n ? at + 128 : n;
        for (int i = at; i < end; i++)
            put(0, i, false);
        for (int row = 0; row < 128; row++)
            for (int i = at; i < end; i++)
                put(2, row * n + i, false);
    }
    for (int i = 0; i < 64; i++)
        put(1, i, true);
}

static void expect(enum near_op op, int n) {
    n_list = 0;
    switch (op) {
    case NEAR_AXPBY:
    case NEAR_XMY:
        elementwise(n, "xy", 'z');
        break;
    case NEAR_AXPBYPCZ:
        elementwise(n, "xyz", 'w');
        break;
    case NEAR_AXPY:
        elementwise(n, "xy", 'y');
        break;
    case NEAR_COPY:
        elementwise(n, "x", 'y');
        break;
    case NEAR_DOT:
        elementwise(n, "xy", 0);
        break;
    case NEAR_NRM2:
        elementwise(n, "x", 0);
        break;
    case NEAR_SCAL:
        elementwise(n, "x", 'x');
        break;
    default:
        gemv(n);
    }
}

static void check_op(enum near_op op, int n) {
    struct config c;
    struct dram_layout l;
    struct near_job j;
    struct near a;
    struct diag d = {0};
    uint64_t now = 0, last_load = 0;
    bool stored = true;

    config_defaults(&c);
    dram_layout_make(&c, &l);
    assert_true(near_job_make(&j, &l, &c, op, (uint64_t)n * 64, &d));
    assert_true(dram_operands_aligned(&l, j.operand, 1, &d));
    near_init(&a, &j, 1, 1);
    expect(op, n);
    near_launch(&a, (struct near_task){0, n}, now);
    for (int i = 0; i < n_list; i++) {
        const struct access *e = &list[i];
        const struct near_burst *b;
        for (; !(b = near_waiting(&a, now))->enabled; now++)
            assert_true(now < last_load + 100);
        assert_int_equal(b->write, e->write);
        assert_int_equal(b->place.part[DRAM_CHANNEL_BITS], 1);
        assert_int_equal(b->place.part[DRAM_RANK_BITS], 1);
        assert_true(b->place.shared);
        uint64_t row = j.operand[e->operand].rows[e->burst / l.bursts];
        int part = dram_layout_part(&l, row, 1, 1);
        struct dram_place p = dram_map_place(
            &l.map, dram_layout_burst(&l, row, part, e->burst % l.bursts));
        assert_int_equal(b->place.part[DRAM_ROW], p.part[DRAM_ROW]);
        assert_int_equal(b->place.part[DRAM_COLUMN], p.part[DRAM_COLUMN]);
        if (e->write && !stored) /* what was loaded is through by now */
            assert_true(now >= last_load + 16 + 4);
        stored = e->write;
        near_taken(&a, now);
        if (!e->write)
            last_load = now;
        now++;
    }
    assert_null(near_waiting(&a, now));
    assert_int_equal(a.finished, 0); /* its data are under way */
    near_cycle(&a, now + 100);
    assert_int_equal(a.finished, 1);
    assert_true(near_idle(&a));
    near_job_free(&j);
    dram_layout_free(&l);
}

static void test_operations(void **state) {
    (void)state;
    list = calloc(1 << 20, sizeof *list);
    for (int op = 0; op < NEAR_OPS; op++) {
        check_op((enum near_op)op, 300);
        check_op((enum near_op)op, 128);
        check_op((enum near_op)op, 1);
    }
    check_op(NEAR_COPY, 5000); /* more than one system row */
    free(list);
}

/* --- runs ----------------------------------------------------------------- */

static struct concurrent_result run(const struct config *c, int mix, int op,
                                    uint64_t bytes, int blocks, bool async) {
    struct diag d = {0};
    struct concurrent_result r;
    struct concurrent_setup s = {.config = c,
                                 .near = op >= 0,
                                 .op = (enum near_op)(op >= 0 ? op : 0),
                                 .bytes = bytes,
                                 .blocks = blocks,
                                 .async = async,
                                 .unfinished = 2,
                                 .cycles = 100000,
                                 .d = &d};
    if (mix >= 0)
        s.host = host_mix(mix, UINT64_C(15) << 31, 4000 / 1200., 1);
    if (!concurrent_run(&s, &r))
        fail_msg("%s", diag_captured(&d));
    assert_int_equal(r.violations, 0);
    assert_true(r.commands > 0);
    if (s.host)
        s.host->free(s.host);
    diag_free(&d);
    return r;
}

static uint64_t near_bursts(const struct concurrent_result *r) {
    uint64_t n = 0;
    for (int i = 0; i < r->n_ranks; i++)
        n += r->rank[i].loads + r->rank[i].stores;
    return n;
}

/* A row of a bank after the other: 128 bursts, tCCD_L apart, and the turn of
 * the row.  That is all that a rank can give an accelerator in one bank. */
static void test_alone(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    c.timing_refi = 0;
    struct concurrent_result r = run(&c, -1, NEAR_DOT, 8 << 20, 0, false);
    long row = 127 * c.timing_ccdl + c.timing_rtp + c.timing_rp + c.timing_rcd;
    long expected = 4 * 100000 * 128 / row;
    assert_in_range(near_bursts(&r), expected - expected / 200,
                    expected + expected / 200);
    for (int i = 0; i < r.n_ranks; i++) {
        assert_int_equal(r.rank[i].host_bursts <= 1, 1); /* the packet */
        assert_in_range(r.rank[i].idle, 99996, 100000);
    }
    /* COPY: a row read, its data through, a row written */
    long copy = 127 * c.timing_ccdl + c.timing_cl + c.timing_bl + 14 +
                127 * c.timing_ccdl + c.timing_cwl + c.timing_bl + c.timing_wr +
                c.timing_rp + c.timing_rcd;
    r = run(&c, -1, NEAR_COPY, 8 << 20, 0, false);
    expected = 4L * 100000 * 256 / copy;
    assert_in_range(near_bursts(&r), expected - expected / 50,
                    expected + expected / 50);
}

static void test_repeatable(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    struct concurrent_result a = run(&c, 1, NEAR_COPY, 131072, 0, false);
    struct concurrent_result b = run(&c, 1, NEAR_COPY, 131072, 0, false);
    assert_memory_equal(&a, &b, sizeof a);
}

/* Each throttle gives the host more and the accelerators less than the one
 * before; the paper's point is that next-rank beats 1/16 in both. */
static void test_throttles(void **state) {
    (void)state;
    static const struct {
        int throttle, chance;
    } held[] = {{0, 0}, {1, 4}, {1, 1}, {2, 0}};
    double host[5];
    uint64_t near[4];
    for (int i = 0; i < 4; i++) {
        struct config c;
        config_defaults(&c);
        c.dram_channel_throttle = held[i].throttle;
        c.dram_channel_chance = held[i].chance;
        struct concurrent_result r = run(&c, 1, NEAR_COPY, 131072, 0, false);
        host[i] = r.host.instructions;
        near[i] = near_bursts(&r);
        host[4] = run(&c, 1, -1, 0, 0, false).host.instructions;
    }
    assert_true(host[0] < host[1] && host[1] < host[2] && host[2] < host[4]);
    assert_true(near[0] > near[1] && near[1] > near[2]);
    assert_true(near[3] > near[2]);
    assert_true(host[3] > host[2]);
    assert_true(host[3] < host[4]);
}

/* Partitioned banks: more for accelerators that read. */
static void test_partition(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    struct concurrent_result with = run(&c, 1, NEAR_DOT, 131072, 0, false);
    c.dram_map_reserved = 0;
    struct concurrent_result without = run(&c, 1, NEAR_DOT, 131072, 0, false);
    assert_true(near_bursts(&with) * 10 > near_bursts(&without) * 13);
}

/* Packets: one for so many bursts of each rank, and blocking waits for all. */
static void test_launches(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    struct concurrent_result r = run(&c, -1, NEAR_NRM2, 8192, 16, false);
    uint64_t each = 4 * (128 / 16);
    assert_true(r.operations > 50);
    assert_in_range(r.packets, r.operations * each, (r.operations + 1) * each);
    uint64_t bursts = near_bursts(&r);
    assert_in_range(bursts, r.operations * 4 * 128,
                    (r.operations + 1) * 4 * 128);
    /* fewer launches, more of the rest; and async waits for nobody */
    struct concurrent_result coarse = run(&c, 1, NEAR_NRM2, 8192, 0, false);
    struct concurrent_result fine = run(&c, 1, NEAR_NRM2, 8192, 1, false);
    struct concurrent_result async = run(&c, 1, NEAR_NRM2, 8192, 0, true);
    assert_true(near_bursts(&coarse) > 2 * near_bursts(&fine));
    assert_true(coarse.host.instructions > fine.host.instructions);
    assert_true(near_bursts(&async) > near_bursts(&coarse));
}

/* Mirrored accelerators take the channel's decisions from what it shows them:
 * their commands, and the host's, are those of accelerators that are asked, one
 * by one, beside each mix and under each throttle; with refresh, with four ranks
 * and a small queue, with one bank and with two.  They are refused without a
 * bank of their own. */
static char *commands_of(struct config *c, int mix, enum near_op op,
                         uint64_t bytes, int blocks, bool async,
                         struct concurrent_result *r) {
    char *text;
    size_t size;
    struct diag d = {0};
    struct concurrent_setup s = {
        .config = c,
        .host =
            mix < 0 ? NULL : host_mix(mix, UINT64_C(14) << 31, 4000 / 1200., 1),
        .near = true,
        .op = op,
        .bytes = bytes,
        .blocks = blocks,
        .async = async,
        .unfinished = 2,
        .cycles = 30000,
        .trace = open_memstream(&text, &size),
        .format = DRAM_NDP,
        .d = &d};
    assert_true(concurrent_run(&s, r));
    fclose(s.trace);
    if (s.host)
        s.host->free(s.host);
    assert_int_equal(r->violations, 0);
    return text;
}

static void same_commands(struct config *c, int mix, enum near_op op,
                          uint64_t bytes, int blocks, bool async) {
    struct concurrent_result asked, mirrored;
    c->dram_channel_accelerators = 0;
    char *a = commands_of(c, mix, op, bytes, blocks, async, &asked);
    c->dram_channel_accelerators = 1;
    char *b = commands_of(c, mix, op, bytes, blocks, async, &mirrored);
    assert_true(near_bursts(&asked) > 500);
    assert_int_equal(asked.commands, mirrored.commands);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void test_mirrored(void **state) {
    (void)state;
    struct config c;
    for (int mix = 0; mix < 9; mix++) {
        config_defaults(&c);
        c.dram_map_reserved = 1 + (mix & 1);
        c.dram_channel_throttle = mix % 3;
        same_commands(&c, mix, mix % 2 ? NEAR_DOT : NEAR_COPY, 131072, 0,
                      false);
        c.dram_map_reserved = 2;
        c.timing_refi = 0;
        same_commands(&c, mix, mix % NEAR_OPS, 8192, 16, true);
    }
    config_defaults(&c);
    c.dram_channel_entries = 4;
    c.dram_channel_drain_high = 3;
    c.dram_channel_drain_low = 1;
    c.dram_channel_drain_idle = 2;
    same_commands(&c, 0, NEAR_AXPY, 131072, 0, false);
    same_commands(&c, -1, NEAR_DOT, 131072, 0, false);

    struct diag d = {0};
    struct concurrent_result r;
    struct concurrent_setup s = {
        .config = &c, .near = true, .op = NEAR_DOT, .bytes = 8192, .d = &d};
    c.dram_map_reserved = 0;
    assert_false(concurrent_run(&s, &r));
    char *said = diag_captured(&d);
    assert_non_null(strstr(said, "'dram_map.reserved' is 0, expected 1 or 2"));
    free(said);
    diag_free(&d);
}

/* Two banks hide the turns of rows: DOT alone has all that tCCD_L lets through.
 */
static void test_two_banks(void **state) {
    (void)state;
    struct config c;
    config_defaults(&c);
    c.timing_refi = 0;
    c.dram_map_reserved = 2;
    struct concurrent_result r = run(&c, -1, NEAR_DOT, 8 << 20, 0, false);
    long all = 4 * 100000 / c.timing_ccdl;
    assert_in_range(near_bursts(&r), all * 99 / 100, all);
}

/* --- traces of requests --------------------------------------------------- */

static char path[TEMP_MAX];

static void write_trace(const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static bool run_trace(const char *text, struct concurrent_result *r,
                      struct diag *d) {
    struct config c;
    config_defaults(&c);
    write_trace(text);
    struct concurrent_setup s = {.config = &c, .d = d};
    s.host = host_trace(path, UINT64_C(1) << 35, false, 4, d);
    bool ok = s.host && concurrent_run(&s, r);
    if (s.host)
        s.host->free(s.host);
    return ok && d->errors == 0;
}

static void test_traces(void **state) {
    (void)state;
    struct concurrent_result r;
    struct diag d = {0};
    assert_true(
        run_trace("# two kinds\nLD 0x1000\nST 64\n\nLD 4096\n", &r, &d));
    assert_int_equal(r.reads, 2);
    assert_int_equal(r.writes, 1);
    assert_int_equal(r.host.requests, 3);
    assert_true(r.cycles > 16 + 16 + 4 &&
                r.cycles < 1300); /* the write is alone */
    assert_true(run_trace("0x1000 READ 500\n0x40 WRITE 500\n", &r, &d));
    assert_int_equal(r.reads, 1);
    assert_int_equal(r.writes, 1);
    /* taken, ACT on the edge after, tRCD, tCL, tBL: from the offer on */
    assert_int_equal((int)r.read_latency, 1 + 16 + 16 + 4);
    assert_true(r.cycles > 500 + 36 && r.cycles < 1300);
    diag_free(&d);
}

static void bad(const char *text, const char *expected) {
    struct concurrent_result r;
    struct diag d = {0};
    assert_false(run_trace(text, &r, &d));
    char *said = diag_captured(&d);
    if (!strstr(said, expected))
        fail_msg("'%s' does not say '%s'", said, expected);
    free(said);
    diag_free(&d);
}

static void test_bad_traces(void **state) {
    (void)state;
    bad("", ": error: no request in it");
    bad("LD 0x40\nLS 0x80\n", ":2:1: error: expected LD or ST, got 'LS'");
    bad("LD zero\n", ":1:4: error: expected an address, got 'zero'");
    bad("LD 64 65\n", ":1:7: error: expected the line's end, got '65'");
    bad("LD 0x800000000\n",
        ":1:4: error: expected an address below 0x800000000, the memory's "
        "bytes (or --wrap), got '0x800000000'");
    bad("0x40 READ 7\n0x80 READ 6\n",
        ":2:11: error: expected a cycle not before that of the line above");
    bad("0x40 FETCH 7\n", ":1:6: error: expected READ or WRITE, got 'FETCH'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations), cmocka_unit_test(test_alone),
        cmocka_unit_test(test_repeatable), cmocka_unit_test(test_throttles),
        cmocka_unit_test(test_partition),  cmocka_unit_test(test_launches),
        cmocka_unit_test(test_mirrored),   cmocka_unit_test(test_two_banks),
        cmocka_unit_test(test_traces),     cmocka_unit_test(test_bad_traces),
    };
    temp_pattern(path);
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed =
        cmocka_run_group_tests_name("test_concurrent", tests, NULL, NULL);
    unlink(path);
    return failed;
}

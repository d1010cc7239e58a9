/* test_nda_control.c - the accelerator's state machine against the distances
 * that the rules give, alone in its rank and beside a host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/nda_control.h"
#include "dram/rules.h"
#include "nda_control/nda_control.h"

#include <string.h>

enum { MOST = 1024, COPY = 3, DOT = 5, NRM2 = 6 };

struct rig {
    struct config c;
    struct nda_control_local l;
    struct golden *g;
    struct nda_control_in in;
    const struct nda_control_out *out;
    long now;
    int kind[MOST]; /* of the accelerator's commands, by edge; -1: none */
};

static void start(struct rig *r) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->l = nda_control_local(&r->c);
    r->g = golden_create(&nda_control_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
    assert_true(r->now < MOST);
    r->kind[r->now++] = r->out->seen_valid ? (int)r->out->seen_kind : -1;
    memset(&r->in, 0, sizeof r->in);
}

static void launch(struct rig *r, int op, uint64_t length) {
    r->in.launch_valid = 1;
    r->in.launch_op = (uint64_t)op;
    r->in.launch_length = length;
    for (int k = 1; k < 4; k++) /* each in a row of its own */
        bits_or(r->in.launch_base, k * r->l.SPOT_W, r->l.SPOT_W,
                (uint64_t)k << r->l.COL_W);
    edge(r);
}

static void finish(struct rig *r) {
    while (!r->out->state_done)
        edge(r);
}

static void host(struct rig *r, enum dram_kind kind, int group, int bank) {
    r->in.cmd_valid = 1;
    r->in.cmd_kind = kind;
    r->in.cmd_group = (uint64_t)group;
    r->in.cmd_bank = (uint64_t)bank;
    edge(r);
}

/* Edge of the n-th command of a kind, from 0. */
static long at(const struct rig *r, int kind, int n) {
    for (long t = 0; t < r->now; t++)
        if (r->kind[t] == kind && n-- == 0)
            return t;
    return -1;
}

static void test_a_row_is_read_at_the_rate_of_its_group(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    launch(&r, NRM2, 128);
    finish(&r);
    assert_int_equal(at(&r, DRAM_ACT, 0), 2);
    assert_int_equal(at(&r, DRAM_RD, 0), 2 + 16);
    assert_int_equal(at(&r, DRAM_RD, 127), 18 + 127 * 6);
    assert_int_equal(at(&r, DRAM_RD, 128), -1);
    assert_int_equal(at(&r, DRAM_WR, 0), -1);
    assert_int_equal(r.now - 1, 18 + 127 * 6 + 1 + r.l.DELAY);
    golden_free(r.g);
}

/* x is read, then its row is closed, y's opened and written: read to precharge,
 * row cycle and row to column hold these apart. */
static void test_a_copy_turns_once_a_batch(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    launch(&r, COPY, 4);
    finish(&r);
    long last = at(&r, DRAM_RD, 3), closed = at(&r, DRAM_PRE, 0);
    assert_int_equal(last, 18 + 3 * 6);
    assert_int_equal(closed, last + 9 > 2 + 39 ? last + 9 : 2 + 39);
    assert_int_equal(at(&r, DRAM_ACT, 1), closed + 16);
    long first = last + r.l.RESULT; /* what is written has to be computed */
    first = first > closed + 32 ? first : closed + 32;
    assert_int_equal(at(&r, DRAM_WR, 0), first);
    assert_int_equal(at(&r, DRAM_WR, 3), first + 3 * 6);
    assert_int_equal(r.out->state_waits, 0);
    golden_free(r.g);
}

static void test_operands_take_turns_by_batch(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    launch(&r, DOT, 3);
    finish(&r);
    assert_int_equal(at(&r, DRAM_ACT, 2), -1); /* one row each */
    assert_true(at(&r, DRAM_RD, 2) < at(&r, DRAM_ACT, 1));
    assert_true(at(&r, DRAM_RD, 3) > at(&r, DRAM_ACT, 1));
    golden_free(r.g);
}

static void test_the_host_goes_first(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    launch(&r, NRM2, 2);
    edge(&r);
    host(&r, DRAM_ACT, 0, 0); /* the edge of the accelerator's own ACT */
    assert_int_equal(r.kind[2], -1);
    finish(&r);
    assert_int_equal(at(&r, DRAM_ACT, 0), 2 + 4); /* tRRD_S behind it */
    golden_free(r.g);
}

static void test_a_refresh_closes_the_row(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    launch(&r, NRM2, 20);
    while (r.now < 60)
        edge(&r);
    long read = 0;
    while (at(&r, DRAM_RD, (int)read) >= 0)
        read++;
    r.in.held_all = 1;
    while (r.now < 80) {
        r.in.held_all = 1;
        edge(&r);
    }
    assert_int_equal(at(&r, DRAM_RD, (int)read), -1);
    host(&r, DRAM_PREA, 0, 0);
    while (r.now < 100) {
        r.in.held_all = 1;
        edge(&r);
    }
    host(&r, DRAM_REF, 0, 0);
    finish(&r);
    assert_int_equal(at(&r, DRAM_ACT, 1), 100 + 420);
    assert_int_equal(at(&r, DRAM_RD, 20), -1);
    assert_true(at(&r, DRAM_RD, 19) > 520);
    golden_free(r.g);
}

static void test_writes_wait_for_the_wire(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    launch(&r, COPY, 2);
    while (r.now < 200) {
        r.in.held_writes = 1;
        edge(&r);
    }
    assert_int_equal(at(&r, DRAM_WR, 0), -1);
    assert_int_equal(r.out->state_waits, 2);
    assert_true(r.out->state_drains);
    finish(&r);
    assert_int_equal(at(&r, DRAM_WR, 0), 200);
    assert_int_equal(at(&r, DRAM_WR, 1), 206);
    golden_free(r.g);
}

/* With a pace each read leaves the element its time, whatever the host does;
 * the write behind the last one waits for its result. */
static void test_reads_keep_their_pace(void **state) {
    struct rig r = {0};
    (void)state;
    config_defaults(&r.c);
    r.c.nda_control_pace = 20;
    r.c.nda_control_result = 90;
    r.l = nda_control_local(&r.c);
    r.g = golden_create(&nda_control_golden, &r.c);
    r.out = golden_cycle(r.g, true, NULL);
    launch(&r, COPY, 3);
    while (r.now < 18 + 20)
        edge(&r);
    host(&r, DRAM_ACT, 0, 0); /* the edge of the second read */
    finish(&r);
    assert_int_equal(at(&r, DRAM_RD, 0), 18);
    assert_int_equal(at(&r, DRAM_RD, 1), 39);
    assert_int_equal(at(&r, DRAM_RD, 2), 59);
    assert_int_equal(at(&r, DRAM_WR, 0), 59 + 90);
    golden_free(r.g);
}

/* Operands in two banks: y's row is opened while x is read, so that its reads
 * follow those of x without a turn of the row. */
static void test_a_row_is_opened_ahead(void **state) {
    struct rig r;
    (void)state;
    start(&r);
    r.in.launch_valid = 1;
    r.in.launch_op = DOT;
    r.in.launch_length = 8;
    bits_or(r.in.launch_base, r.l.SPOT_W, r.l.SPOT_W,
            UINT64_C(1) << (r.l.SPOT_W - 1));
    edge(&r);
    edge(&r);
    edge(&r);
    assert_true(r.out->next_valid && r.out->next_ahead);
    assert_int_equal(r.out->next_bank, 2);
    assert_int_equal(r.out->next_ahead_bank, 3);
    finish(&r);
    assert_int_equal(at(&r, DRAM_ACT, 1), 2 + 6); /* tRRD_L */
    assert_int_equal(at(&r, DRAM_RD, 7), 18 + 7 * 6);
    assert_int_equal(at(&r, DRAM_RD, 8), 18 + 8 * 6);
    assert_int_equal(at(&r, DRAM_PRE, 0), -1);
    golden_free(r.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_row_is_read_at_the_rate_of_its_group),
        cmocka_unit_test(test_a_copy_turns_once_a_batch),
        cmocka_unit_test(test_operands_take_turns_by_batch),
        cmocka_unit_test(test_the_host_goes_first),
        cmocka_unit_test(test_a_refresh_closes_the_row),
        cmocka_unit_test(test_writes_wait_for_the_wire),
        cmocka_unit_test(test_reads_keep_their_pace),
        cmocka_unit_test(test_a_row_is_opened_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

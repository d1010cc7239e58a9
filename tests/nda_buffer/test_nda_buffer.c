/* test_nda_buffer.c - the local buffers' golden model by itself: what waits for
 * whom, on which edge a result is on the bus, and when a packet ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/nda_buffer.h"
#include "nda_buffer/nda_buffer.h"

#include <string.h>

enum { RD = 3, WR = 5 };

struct rig {
    struct config c;
    struct nda_buffer_local l;
    struct golden *g;
    struct nda_buffer_in in;
    const struct nda_buffer_out *out;
};

static void start(struct rig *r) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->l = nda_buffer_local(&r->c);
    r->g = golden_create(&nda_buffer_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
}

static void idle(struct rig *r, int edges) {
    while (edges-- > 0)
        edge(r);
}

/* A packet that machine and element have taken. */
static void begin(struct rig *r) {
    r->in.packet_valid = 1;
    r->in.packet_op = 3;
    r->in.packet_length = 5;
    r->in.packet_rank = 1;
    r->in.packet_tag = 9;
    r->in.packet_final = 1;
    bits_or(r->in.packet_base, r->l.SPOT_W, r->l.SPOT_W, 0x123);
    assert_true(r->out->packet_ready);
    edge(r);
    r->in.packet_valid = 0;
    r->in.plan_ready = r->in.work_ready = 1;
    assert_true(r->out->plan_valid);
    assert_true(r->out->work_valid);
    assert_int_equal(r->out->plan_length, 5);
    assert_int_equal(bits_get(r->out->plan_base, r->l.SPOT_W, r->l.SPOT_W),
                     0x123);
    assert_int_equal(bits_get(r->out->work_base, r->l.ADDR_W, r->l.ADDR_W),
                     0x123);
    edge(r);
    assert_false(r->out->plan_valid);
    assert_false(r->out->work_valid);
}

static void command(struct rig *r, int kind) {
    r->in.ndc_valid = 1;
    r->in.ndc_kind = (uint64_t)kind;
    edge(r);
    r->in.ndc_valid = 0;
    assert_true(r->out->bank_valid);
    assert_int_equal(r->out->bank_kind, kind);
}

static void word(struct rig *r, uint64_t data) {
    r->in.data_valid = 1;
    r->in.data_data = data;
    edge(r);
    r->in.data_valid = 0;
}

static void ask(struct rig *r) {
    r->in.mem_valid = 1;
    r->in.mem_write = 0;
    edge(r);
    r->in.mem_valid = 0;
}

static void put(struct rig *r, uint64_t data) {
    r->in.mem_valid = r->in.mem_write = 1;
    r->in.mem_data = data;
    edge(r);
    r->in.mem_valid = r->in.mem_write = 0;
}

static void machine_ends(struct rig *r) {
    r->in.state_done = 1;
    edge(r);
    r->in.state_done = 0;
}

static void element_ends(struct rig *r, int cause, uint32_t value) {
    assert_true(r->out->done_ready);
    r->in.done_valid = 1;
    r->in.done_cause = (uint64_t)cause;
    r->in.done_value = value;
    edge(r);
    r->in.done_valid = 0;
}

static void expect_end(struct rig *r, int cause, uint32_t value) {
    assert_true(r->out->ended_valid);
    assert_int_equal(r->out->ended_rank, 1);
    assert_int_equal(r->out->ended_tag, 9);
    assert_true(r->out->ended_final);
    assert_int_equal(r->out->ended_cause, cause);
    assert_int_equal(r->out->ended_value, value);
    r->in.ended_ready = 1;
    edge(r);
    assert_false(r->out->ended_valid);
    assert_true(r->out->packet_ready);
}

/* What came waits; what is waited for is there two edges after it came. */
static void test_words(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    begin(&r);
    command(&r, RD);
    command(&r, RD);
    word(&r, 11);
    idle(&r, 5);
    assert_false(r.out->rsp_valid);
    ask(&r);
    assert_false(r.out->rsp_valid);
    edge(&r);
    assert_true(r.out->rsp_valid);
    assert_int_equal(r.out->rsp_data, 11);
    ask(&r);
    idle(&r, 3);
    word(&r, 12);
    assert_false(r.out->rsp_valid);
    edge(&r);
    assert_false(r.out->rsp_valid);
    edge(&r);
    assert_true(r.out->rsp_valid);
    assert_int_equal(r.out->rsp_data, 12);
    edge(&r);
    assert_false(r.out->rsp_valid);
    assert_int_equal(r.out->rsp_data, 0);
    machine_ends(&r);
    element_ends(&r, 0, 77);
    edge(&r);
    expect_end(&r, 0, 77);
    golden_free(r.g);
}

/* A result is on the bus tCWL edges after the one that sees its command. */
static void test_results(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    begin(&r);
    put(&r, 21);
    put(&r, 22);
    edge(&r);
    command(&r, WR);
    command(&r, WR);
    for (int i = 2; i < r.l.CWL; i++) {
        edge(&r);
        assert_false(r.out->store_valid);
    }
    edge(&r);
    assert_true(r.out->store_valid);
    assert_false(r.out->store_mask);
    assert_int_equal(r.out->store_data, 21);
    edge(&r);
    assert_int_equal(r.out->store_data, 22);
    edge(&r);
    assert_false(r.out->store_valid);
    assert_false(r.out->wrong_late);
    golden_free(r.g);
}

/* A write without a result is masked: behind a bound that is right, else it is
 * told until reset. */
static void test_masked(void **state) {
    (void)state;
    for (int bound = 0; bound < 2; bound++) {
        struct rig r;
        start(&r);
        begin(&r);
        element_ends(&r, bound, 0);
        command(&r, WR);
        idle(&r, r.l.CWL);
        assert_true(r.out->store_valid);
        assert_true(r.out->store_mask);
        assert_int_equal(r.out->store_data, 0);
        assert_int_equal(r.out->wrong_late, !bound);
        idle(&r, 20);
        assert_int_equal(r.out->wrong_late, !bound);
        r.out = golden_cycle(r.g, true, NULL);
        assert_false(r.out->wrong_late);
        golden_free(r.g);
    }
}

/* AHEAD words wait in the queue and one at its output; the next is lost. */
static void test_lost(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    begin(&r);
    for (int i = 0; i < r.l.AHEAD + 2; i++)
        command(&r, RD);
    for (int i = 0; i < r.l.AHEAD + 1; i++)
        word(&r, (uint64_t)i);
    assert_false(r.out->wrong_lost);
    word(&r, 99);
    assert_true(r.out->wrong_lost);
    golden_free(r.g);
}

/* An element that has stopped: what is there goes nowhere, and the packet ends
 * when nothing is under way, with the cause. */
static void test_stopped(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    begin(&r);
    command(&r, RD);
    command(&r, RD);
    word(&r, 31);
    element_ends(&r, 1, 0);
    machine_ends(&r);
    idle(&r, 10);
    assert_false(r.out->rsp_valid);
    assert_false(r.out->ended_valid); /* a read is under way */
    word(&r, 32);
    edge(&r);
    expect_end(&r, 1, 0);
    assert_false(r.out->wrong_lost);
    golden_free(r.g);
}

/* An end of the machine before it has taken the packet is of another one, and
 * the element's end is not taken before that has its packet. */
static void test_before(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    r.in.packet_valid = 1;
    edge(&r);
    r.in.packet_valid = 0;
    machine_ends(&r);
    assert_false(r.out->done_ready);
    r.in.plan_ready = r.in.work_ready = 1;
    edge(&r);
    element_ends(&r, 0, 0);
    idle(&r, 10);
    assert_false(r.out->ended_valid);
    machine_ends(&r);
    edge(&r);
    assert_true(r.out->ended_valid);
    golden_free(r.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),   cmocka_unit_test(test_results),
        cmocka_unit_test(test_masked),  cmocka_unit_test(test_lost),
        cmocka_unit_test(test_stopped), cmocka_unit_test(test_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_cache.c - the model of the cache, edge by edge, as its note says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "blocks/cache.h"
#include "cache/cache.h"
#include "config/config.h"
#include "tests/common/diag_capture.h"

enum { LOAD = 0, STORE = 1, ADD = 2, PASS = 8 }; /* PASS: bit of a pass's id */

struct unit {
    struct golden *golden;
    struct cache_in in;
    const struct cache_out *out;
};

/* Two sets of two lines of four bytes; two MSHRs of two loads, one of them for
 * loads alone. */
static int start(void **state) {
    static struct unit u;
    struct config c;

    memset(&u, 0, sizeof u);
    config_defaults(&c);
    c.cache_line = 4;
    c.cache_index = 1; /* linear */
    c.cache_sets = c.cache_ways = 2;
    c.cache_mshrs = c.cache_targets = c.cache_passes = 2;
    c.cache_reserve = 1;
    c.cache_id_bits = 3;
    u.golden = golden_create(&cache_golden, &c);
    u.out = golden_cycle(u.golden, true, NULL);
    *state = &u;
    return 0;
}

static int stop(void **state) {
    golden_free(((struct unit *)*state)->golden);
    return 0;
}

/* What is offered is offered for one edge; the memory takes all. */
static void edge(struct unit *u) {
    u->in.req_ready = 1;
    u->out = golden_cycle(u->golden, false, &u->in);
    memset(&u->in, 0, sizeof u->in);
}

static void offer(struct unit *u, unsigned op, unsigned id, unsigned line,
                  uint64_t data) {
    assert_int_equal(u->out->mem_ready, 1);
    u->in.mem_valid = 1;
    u->in.mem_op = op;
    u->in.mem_id = id;
    u->in.mem_address = line;
    u->in.mem_strobe = op == LOAD ? 0 : 15;
    u->in.mem_data[0] = data;
    edge(u);
}

static void expect_req(struct unit *u, unsigned op, unsigned id,
                       unsigned line) {
    assert_int_equal(u->out->req_valid, 1);
    assert_int_equal(u->out->req_op, op);
    assert_int_equal(u->out->req_id, id);
    assert_int_equal(u->out->req_address, line);
}

static void expect_rsp(struct unit *u, unsigned id, uint64_t data) {
    assert_int_equal(u->out->rsp_valid, 1);
    assert_int_equal(u->out->rsp_id, id);
    assert_true(u->out->rsp_data[0] == data);
}

/* An answer of the memory; two edges later it is at rsp. */
static void bring(struct unit *u, unsigned id, uint64_t data) {
    u->in.back_valid = 1;
    u->in.back_id = id;
    u->in.back_data[0] = data;
    edge(u);
    edge(u);
    edge(u);
}

/* A line enters, by a load with id 0. */
static void fill(struct unit *u, unsigned line, uint64_t data) {
    offer(u, LOAD, 0, line, 0);
    edge(u);
    edge(u);
    expect_req(u, LOAD, 0, line);
    bring(u, 0, data);
    expect_rsp(u, 0, data);
}

static bool hits(struct unit *u, unsigned line, uint64_t data) {
    offer(u, LOAD, 1, line, 0);
    edge(u);
    if (u->out->rsp_valid) {
        expect_rsp(u, 1, data);
        return true;
    }
    edge(u);
    bring(u, 0, data);
    expect_rsp(u, 1, data);
    return false;
}

static void test_hit(void **state) {
    struct unit *u = *state;

    fill(u, 6, 77);
    offer(u, LOAD, 5, 6, 0);
    assert_int_equal(u->out->rsp_valid, 0);
    edge(u);
    expect_rsp(u, 5, 77);
    edge(u);
    assert_int_equal(u->out->rsp_valid, 0);
    assert_true(u->out->rsp_data[0] == 0);
}

static void test_oldest_leaves(void **state) {
    struct unit *u = *state;

    fill(u, 0, 10);
    fill(u, 2, 12);
    assert_true(hits(u, 0, 10)); /* 2 is the oldest now */
    fill(u, 4, 14);
    assert_true(hits(u, 0, 10));
    assert_true(hits(u, 4, 14));
    assert_false(hits(u, 2, 12));
}

/* Lines 1, 2 and 4 have no common lowest bit, and one set. */
static void test_hashed(void **state) {
    struct unit *u = *state;
    struct config c;

    config_defaults(&c);
    c.cache_line = 4;
    c.cache_sets = c.cache_ways = 2;
    c.cache_id_bits = 3;
    golden_free(u->golden);
    u->golden = golden_create(&cache_golden, &c);
    u->out = golden_cycle(u->golden, true, NULL);
    fill(u, 1, 10);
    fill(u, 2, 12);
    assert_true(hits(u, 1, 10));
    fill(u, 4, 14);
    assert_true(hits(u, 1, 10));
    assert_false(hits(u, 2, 12));
}

static void test_merge(void **state) {
    struct unit *u = *state;

    offer(u, LOAD, 1, 3, 0);
    offer(u, LOAD, 2, 3, 0);
    edge(u);
    expect_req(u, LOAD, 0, 3);
    offer(u, LOAD, 3, 3, 0); /* no target is left */
    assert_int_equal(u->out->mem_ready, 0);
    bring(u, 0, 9);
    expect_rsp(u, 1, 9);
    edge(u);
    expect_rsp(u, 2, 9);
    edge(u);
    expect_rsp(u, 3, 9); /* a hit by now */
}

static void test_store(void **state) {
    struct unit *u = *state;

    fill(u, 6, 77);
    offer(u, STORE, 2, 6, 88);
    edge(u);
    edge(u);
    expect_req(u, STORE, PASS | 2, 6);
    assert_true(hits(u, 6, 88));
    bring(u, PASS | 2, 0);
    expect_rsp(u, 2, 0);
}

/* A load that came before a store has the old data, one behind it does not. */
static void test_dead(void **state) {
    struct unit *u = *state;

    offer(u, LOAD, 1, 6, 0);
    offer(u, STORE, 2, 6, 88);
    offer(u, LOAD, 3, 6, 0);
    edge(u);
    assert_int_equal(u->out->mem_ready, 0); /* it waits for the dead line */
    bring(u, 0, 77);
    expect_rsp(u, 1, 77);
    edge(u);
    edge(u);
    expect_req(u, LOAD, 0, 6);
    bring(u, 0, 88);
    expect_rsp(u, 3, 88);
    assert_true(hits(u, 6, 88));
}

static void test_atomic(void **state) {
    struct unit *u = *state;

    fill(u, 6, 77);
    offer(u, ADD, 2, 6, 1);
    edge(u);
    edge(u);
    expect_req(u, ADD, PASS | 2, 6);
    bring(u, PASS | 2, 77);
    expect_rsp(u, 2, 77);
    assert_false(hits(u, 6, 78));
}

static void test_invalidate(void **state) {
    struct unit *u = *state;

    fill(u, 0, 10);
    fill(u, 1, 11);
    u->in.inval_valid = 1;
    u->in.inval_line = 1;
    edge(u);
    assert_true(hits(u, 0, 10));
    assert_false(hits(u, 1, 12));
    u->in.inval_valid = u->in.inval_all = 1;
    edge(u);
    assert_false(hits(u, 0, 13));
    offer(u, LOAD, 1, 5, 0); /* in flight */
    u->in.inval_valid = u->in.inval_all = 1;
    edge(u);
    u->in.inval_valid = u->in.inval_all = 1;
    edge(u);
    bring(u, 0, 14);
    expect_rsp(u, 1, 14);
    assert_false(hits(u, 5, 15));
}

static void test_launch(void **state) {
    struct unit *u = *state;

    fill(u, 0, 10);
    u->in.core_state = 1;
    edge(u);
    assert_false(hits(u, 0, 13));
}

static void prefetch(struct unit *u, unsigned line) {
    assert_int_equal(u->out->pre_ready, 1);
    u->in.pre_valid = 1;
    u->in.pre_line = line;
    edge(u);
    edge(u);
}

static void expect_gone(struct unit *u, unsigned line) {
    assert_int_equal(u->out->gone_valid, 1);
    assert_int_equal(u->out->gone_line, line);
}

static void test_prefetch(void **state) {
    struct unit *u = *state;

    prefetch(u, 7);
    edge(u);
    expect_req(u, LOAD, 0, 7);
    prefetch(u, 7); /* in flight */
    expect_gone(u, 7);
    prefetch(u, 5); /* the other MSHR is for loads */
    expect_gone(u, 5);
    bring(u, 0, 70);
    expect_gone(u, 7);
    assert_int_equal(u->out->rsp_valid, 0);
    assert_true(hits(u, 7, 70));
    prefetch(u, 7); /* there */
    expect_gone(u, 7);
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_prefetches), 4);
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_issued), 1);
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_used), 1);
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_late), 0);
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_there), 2);
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_crowded), 1);
}

static void test_late(void **state) {
    struct unit *u = *state;

    prefetch(u, 7);
    offer(u, LOAD, 1, 7, 0);
    edge(u);
    bring(u, 0, 70);
    expect_rsp(u, 1, 70);
    expect_gone(u, 7);
    assert_true(hits(u, 7, 70));
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_late), 1);
    assert_int_equal(golden_counter(u->golden, CACHE_CNT_used), 0);
}

/* A load of a line that is not there. */
static void test_fault(void **state) {
    struct unit *u = *state;

    offer(u, LOAD, 1, 7, 0);
    edge(u);
    edge(u);
    u->in.back_fault = 1;
    bring(u, 0, 0);
    assert_int_equal(u->out->rsp_fault, 1);
    assert_false(hits(u, 7, 5));
    assert_int_equal(u->out->rsp_fault, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_hit, start, stop),
        cmocka_unit_test_setup_teardown(test_oldest_leaves, start, stop),
        cmocka_unit_test_setup_teardown(test_hashed, start, stop),
        cmocka_unit_test_setup_teardown(test_merge, start, stop),
        cmocka_unit_test_setup_teardown(test_store, start, stop),
        cmocka_unit_test_setup_teardown(test_dead, start, stop),
        cmocka_unit_test_setup_teardown(test_atomic, start, stop),
        cmocka_unit_test_setup_teardown(test_invalidate, start, stop),
        cmocka_unit_test_setup_teardown(test_launch, start, stop),
        cmocka_unit_test_setup_teardown(test_prefetch, start, stop),
        cmocka_unit_test_setup_teardown(test_late, start, stop),
        cmocka_unit_test_setup_teardown(test_fault, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

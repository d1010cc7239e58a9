/* test_memory.c - the model of the memory, edge by edge, as its note says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "blocks/memory.h"
#include "config/config.h"
#include "memory/memory.h"
#include "tests/common/diag_capture.h"

enum { LOAD = 0, STORE = 1, ADD = 2, CAS = 11, LATENCY = 8 };

struct unit {
    struct golden *golden;
    struct memory_in in;
    const struct memory_out *out;
};

/* Preset small, four words a sector. */
static int start(void **state) {
    static struct unit u;
    struct config c;
    memset(&u, 0, sizeof u);
    config_defaults(&c);
    c.memory_words = 1024;
    c.memory_sector = 16;
    c.memory_id_bits = 3;
    c.memory_latency = LATENCY;
    u.golden = golden_create(&memory_golden, &c);
    u.out = golden_cycle(u.golden, true, NULL);
    *state = &u;
    return 0;
}

static int stop(void **state) {
    golden_free(((struct unit *)*state)->golden);
    return 0;
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->golden, false, &u->in);
    u->in.req_valid = u->in.win_valid = 0;
}

static void offer(struct unit *u, unsigned op, unsigned id, unsigned sector,
                  unsigned strobe, uint64_t low) {
    memset(&u->in, 0, sizeof u->in);
    u->in.req_valid = 1;
    u->in.req_op = op;
    u->in.req_id = id;
    u->in.req_address = sector;
    u->in.req_strobe = strobe;
    u->in.req_data[0] = low;
}

static void ask(struct unit *u, unsigned op, unsigned id, unsigned sector,
                unsigned strobe, uint64_t low) {
    offer(u, op, id, sector, strobe, low);
    while (!u->out->req_ready) {
        bool valid = u->in.req_valid;
        u->in.req_valid = 0;
        edge(u);
        u->in.req_valid = valid;
    }
    edge(u);
}

/* Edges until the response, whose low half is returned. */
static uint64_t answer(struct unit *u, int *edges, unsigned id) {
    for (*edges = 0; !u->out->rsp_valid; ++*edges) {
        assert_int_not_equal(*edges, 100);
        edge(u);
    }
    assert_int_equal(u->out->rsp_id, id);
    return u->out->rsp_data[0];
}

static void test_latency(void **state) {
    struct unit *u = *state;
    int edges;
    ask(u, STORE, 3, 5, 0xffff, 0x1122334455667788);
    assert_int_equal(answer(u, &edges, 3), 0);
    assert_int_equal(edges, LATENCY);
    ask(u, LOAD, 4, 5, 0, 0);
    assert_true(answer(u, &edges, 4) == 0x1122334455667788);
    assert_int_equal(edges, LATENCY);
    edge(u);
    assert_int_equal(u->out->rsp_valid, 0);
    assert_true(u->out->rsp_data[0] == 0);
}

static void test_bytes(void **state) {
    struct unit *u = *state;
    int edges;
    ask(u, STORE, 0, 1, 0xffff, 0);
    answer(u, &edges, 0);
    ask(u, STORE, 0, 1, 0x0012, 0x1122334455667788);
    answer(u, &edges, 0);
    ask(u, LOAD, 0, 1, 0, 0);
    assert_true(answer(u, &edges, 0) == 0x0000004400007700);
}

static void test_flow(void **state) {
    struct unit *u = *state;
    for (unsigned i = 0; i < 4; i++) { /* loads: one an edge */
        assert_int_equal(u->out->req_ready, 1);
        offer(u, LOAD, i, 0, 0, 0);
        edge(u);
    }
    offer(u, STORE, 0, 0, 1, 0);
    edge(u);
    assert_int_equal(u->out->req_ready, 0); /* a write: one edge apart */
    edge(u);
    assert_int_equal(u->out->req_ready, 1);
}

static void test_atomics(void **state) {
    static const struct {
        unsigned op;
        uint32_t old, data, compare, expected;
    } rows[] = {
        {ADD, 5, 7, 0, 12},
        {3, 0xffffffff, 1, 0, 0xffffffff},
        {4, 0xffffffff, 1, 0, 1},
        {5, 0xffffffff, 1, 0, 1},
        {6, 0xffffffff, 1, 0, 0xffffffff},
        {7, 12, 10, 0, 8},
        {8, 12, 10, 0, 14},
        {9, 12, 10, 0, 6},
        {10, 12, 10, 0, 10},
        {CAS, 12, 10, 12, 10},
        {CAS, 12, 10, 13, 12},
    };
    struct unit *u = *state;
    int edges;
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        ask(u, STORE, 1, 2, 0x00f0, (uint64_t)rows[n].old << 32);
        answer(u, &edges, 1);
        offer(u, rows[n].op, 2, 2, 0x00f0, (uint64_t)rows[n].data << 32);
        u->in.req_compare = rows[n].compare;
        edge(u);
        assert_true(answer(u, &edges, 2) == (uint64_t)rows[n].old << 32);
        edge(u);
        ask(u, LOAD, 3, 2, 0, 0);
        assert_int_equal(answer(u, &edges, 3) >> 32, rows[n].expected);
        edge(u);
    }
}

static void test_beyond(void **state) {
    struct unit *u = *state;
    int edges;
    ask(u, STORE, 1, 0, 0xffff, 1);
    answer(u, &edges, 1);
    ask(u, STORE, 1, 256, 0xffff, 2); /* 1024 words are 256 sectors */
    answer(u, &edges, 1);
    assert_int_equal(u->out->rsp_fault, 1);
    edge(u);
    ask(u, LOAD, 2, 0, 0, 0);
    assert_int_equal(answer(u, &edges, 2), 1);
    assert_int_equal(u->out->rsp_fault, 0);
}

static void window(struct unit *u, bool write, unsigned word, uint32_t data) {
    memset(&u->in, 0, sizeof u->in);
    u->in.win_valid = 1;
    u->in.win_write = write;
    u->in.win_address = word;
    u->in.win_data = data;
    assert_int_equal(u->out->win_ready, 1);
    edge(u);
    assert_int_equal(u->out->win_ready, 0);
    assert_int_equal(u->out->req_ready, 0);
}

static void test_window(void **state) {
    struct unit *u = *state;
    int edges;
    window(u, true, 6, 77);
    edge(u);
    edge(u);
    window(u, false, 6, 0);
    edge(u);
    assert_int_equal(u->out->read_valid, 0);
    edge(u);
    assert_int_equal(u->out->read_valid, 1);
    assert_int_equal(u->out->read_data, 77);
    edge(u);
    assert_int_equal(u->out->read_valid, 0);
    ask(u, LOAD, 0, 1, 0, 0);
    answer(u, &edges, 0);
    assert_true(u->out->rsp_data[1] == 77);
    edge(u);
    window(u, false, 1024, 0);
    edge(u);
    edge(u);
    assert_int_equal(u->out->read_valid, 1);
    assert_int_equal(u->out->read_data, 0);
}

/* A write that began on the edge before a reset is lost, and no response
 * comes. */
static void test_reset(void **state) {
    struct unit *u = *state;
    int edges;
    ask(u, STORE, 1, 3, 0xffff, 5);
    answer(u, &edges, 1);
    ask(u, STORE, 1, 3, 0xffff, 6);
    u->out = golden_cycle(u->golden, true, &u->in);
    for (int i = 0; i < 2 * LATENCY; i++) {
        edge(u);
        assert_int_equal(u->out->rsp_valid, 0);
    }
    ask(u, LOAD, 2, 3, 0, 0);
    assert_int_equal(answer(u, &edges, 2), 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_latency, start, stop),
        cmocka_unit_test_setup_teardown(test_bytes, start, stop),
        cmocka_unit_test_setup_teardown(test_flow, start, stop),
        cmocka_unit_test_setup_teardown(test_atomics, start, stop),
        cmocka_unit_test_setup_teardown(test_beyond, start, stop),
        cmocka_unit_test_setup_teardown(test_window, start, stop),
        cmocka_unit_test_setup_teardown(test_reset, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_link.c - the golden model of a slow link between two routers, edge by edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/link.h"
#include "link/link.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct link_in in;
    const struct link_out *out;
};

/* A mesh of two by two, two virtual channels of four flits: eight places. */
static void open_unit(struct unit *u, int latency, uint64_t pace) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    c.mesh_width = c.mesh_height = 2;
    c.mesh_memory_nodes.n = 1;
    c.noc_flit_bits = 70;
    c.noc_lanes = 1;
    c.noc_depth = 4;
    c.noc_routes = 0;
    c.link_latency = latency;
    u->in.at_pace = pace;
    u->in.at_bit = 2;
    u->g = golden_create(&link_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

/* A flit of that number on this edge. */
static void send(struct unit *u, uint64_t number, uint64_t vc) {
    u->in.from_valid = 1;
    u->in.from_vc = vc;
    u->in.from_data[0] = number;
    edge(u);
    u->in.from_valid = 0;
}

static void nothing(const struct unit *u) {
    assert_false(u->out->to_valid);
    assert_int_equal(u->out->to_vc | u->out->to_last | u->out->to_x |
                         u->out->to_y | u->out->to_data[0] | u->out->to_data[1],
                     0);
}

/* One that comes on edge t is there after t + latency, for one edge. */
static void test_latency(void **state) {
    static const int latencies[] = {1, 2, 4, 64};
    (void)state;
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++) {
        struct unit u;
        open_unit(&u, latencies[i], 5);
        u.in.from_last = u.in.from_x = u.in.from_y = 1;
        u.in.from_data[1] = 0x2a;
        send(&u, 0x0123456789abcdef, 1);
        for (int e = 1; e < latencies[i]; e++) {
            nothing(&u);
            edge(&u);
        }
        nothing(&u);
        edge(&u);
        assert_true(u.out->to_valid);
        assert_int_equal(u.out->to_vc, 1);
        assert_int_equal(u.out->to_last, 1);
        assert_int_equal(u.out->to_x, 1);
        assert_int_equal(u.out->to_y, 1);
        assert_true(u.out->to_data[0] == 0x0123456789abcdef);
        assert_int_equal(u.out->to_data[1], 0x2a);
        edge(&u);
        nothing(&u);
        golden_free(u.g);
    }
}

/* Eight flits on eight edges leave so many edges apart, in their order; a pace of 0
 * is one of 1. */
static void test_pace(void **state) {
    static const struct {
        uint64_t pace, apart;
    } rows[] = {{0, 1}, {1, 1}, {2, 2}, {3, 3}, {255, 255}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct unit u;
        open_unit(&u, 1, rows[i].pace);
        for (uint64_t e = 0, there = 0; there < 8; e++) {
            if (e < 8)
                send(&u, 100 + e, e % 2);
            else
                edge(&u);
            if (e == 1 + there * rows[i].apart) {
                assert_true(u.out->to_valid);
                assert_int_equal(u.out->to_vc, there % 2);
                assert_int_equal(u.out->to_data[0], 100 + there++);
            } else {
                nothing(&u);
            }
        }
        edge(&u);
        nothing(&u);
        golden_free(u.g);
    }
}

/* The pace counts from the last one that left, also when the queue was empty since. */
static void test_pause(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 1, 4);
    send(&u, 1, 0);
    edge(&u); /* leaves */
    assert_true(u.out->to_valid);
    edge(&u);
    send(&u, 2, 0); /* could leave on the next edge, but for the pace */
    edge(&u);
    nothing(&u);
    edge(&u);
    assert_true(u.out->to_valid);
    for (int e = 0; e < 9; e++)
        edge(&u);
    send(&u, 3, 0); /* long after */
    nothing(&u);
    edge(&u);
    assert_true(u.out->to_valid);
    golden_free(u.g);
}

static void test_credits(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 9);
    for (uint64_t e = 0; e < 6; e++) {
        u.in.back_valid = e % 3 != 0;
        u.in.back_vc = e % 2;
        edge(&u);
        assert_int_equal(u.out->credit_valid, e % 3 != 0);
        assert_int_equal(u.out->credit_vc, e % 3 != 0 ? e % 2 : 0);
    }
    golden_free(u.g);
}

/* What leaves on an edge shows after it, beside the others. */
static void test_moves(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 3);
    u.in.others = 9;
    send(&u, 1, 0);
    assert_int_equal(u.out->moves, 9);
    u.in.others = 4;
    edge(&u);
    assert_int_equal(u.out->moves, 6);
    edge(&u);
    assert_int_equal(u.out->moves, 4);
    u.in.others = u.in.at_bit = 0; /* one that shows nothing */
    send(&u, 2, 0);
    edge(&u);
    edge(&u);
    assert_int_equal(u.out->moves, 0);
    golden_free(u.g);
}

/* Queue, way and pace are forgotten. */
static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 4, 3);
    for (uint64_t i = 0; i < 5; i++)
        send(&u, i, 0);
    u.in.others = 15;
    u.in.back_valid = 1;
    u.out = golden_cycle(u.g, true, &u.in);
    nothing(&u);
    assert_int_equal(u.out->moves | u.out->credit_valid, 0);
    u.in.others = u.in.back_valid = 0;
    for (int e = 0; e < 30; e++) {
        edge(&u);
        nothing(&u);
    }
    u.in.at_pace = 100;
    send(&u, 6, 1);
    edge(&u); /* leaves */
    u.out = golden_cycle(u.g, true, &u.in);
    send(&u, 7, 1);
    for (int e = 0; e < 4; e++)
        edge(&u);
    assert_int_equal(u.out->to_data[0], 7);
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency), cmocka_unit_test(test_pace),
        cmocka_unit_test(test_pause),   cmocka_unit_test(test_credits),
        cmocka_unit_test(test_moves),   cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

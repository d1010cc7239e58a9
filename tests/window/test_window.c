/* test_window.c - the golden model of a host's window on the memories of all
 * nodes: an access there and back by hand, edge by edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/window.h"
#include "window/window.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct window_in in;
    const struct window_out *out;
};

/* Node 3 of four in two columns, chunks of 64 bytes, sectors of 8, flits of 64
 * bits, ids of 2. */
static void small_config(struct config *c) {
    config_defaults(c);
    c->mesh_width = c->mesh_height = 2;
    c->noc_flit_bits = 64;
    c->share_nodes = 4;
    c->share_chunk = 64;
    c->share_sector = 8;
    c->share_id_bits = 2;
}

static void start(struct unit *u, const struct config *c) {
    u->in.at_node = 3;
    u->g = golden_create(&window_golden, c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    small_config(&c);
    start(u, &c);
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void answer(struct unit *u, uint64_t data, bool last) {
    u->in.take_ans_valid = 1;
    u->in.take_ans_last = last;
    u->in.take_ans_data[0] = data;
    edge(u);
    u->in.take_ans_valid = 0;
}

/* Word 0x25 is the sixth of chunk 2: sector 2 of node 2, its second word.  14
 * in bits 3:0, op in 7:4, node in 9:8, id in 11:10, sector from bit 12 on, 27
 * bits of it. */
static void test_read(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.win_valid = 1;
    u.in.win_address = 0x25;
    edge(&u);
    assert_true(u.out->send_req_valid);
    assert_true(u.out->send_req_last);
    assert_int_equal(u.out->send_req_x, 0);
    assert_int_equal(u.out->send_req_y, 1);
    assert_int_equal(u.out->send_req_data[0], 14 | 3 << 8 | 2 << 12);
    edge(&u);
    assert_true(u.out->send_req_valid); /* until it is taken */
    u.in.send_req_ready = 1;
    edge(&u);
    assert_false(u.out->send_req_valid);
    /* id 0, no fault, the sector from bit 7 on */
    answer(&u, (uint64_t)0x12345678 << 39 | 7 << 7 | 14, false);
    assert_true(u.out->take_ans_ready);
    answer(&u, 0x12345678 >> 25, true);
    assert_false(u.out->take_ans_ready);
    assert_false(u.out->win_ready);
    edge(&u);
    assert_true(u.out->win_ready);
    assert_true(u.out->read_valid);
    assert_int_equal(u.out->read_data, 0x12345678);
    edge(&u);
    assert_false(u.out->win_ready);
    assert_false(u.out->read_valid);
    golden_free(u.g);
}

/* Strobes from bit 39 on, data from 47. */
static void test_write(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.win_valid = u.in.win_write = 1;
    u.in.win_address = 0x40; /* chunk 4: the second of node 0 */
    u.in.win_data = 0x87654321;
    u.in.send_req_ready = 1;
    edge(&u);
    assert_int_equal(u.out->send_req_x, 0);
    assert_int_equal(u.out->send_req_y, 0);
    assert_true(u.out->send_req_data[0] ==
                (14 | 1 << 4 | 3 << 8 | 8 << 12 | (uint64_t)15 << 39 |
                 (uint64_t)0x87654321 << 47));
    assert_false(u.out->send_req_last);
    edge(&u);
    assert_true(u.out->send_req_data[0] ==
                ((uint64_t)0x87654321 >> 17 | (uint64_t)0x87654321 << 15));
    assert_true(u.out->send_req_last);
    edge(&u);
    answer(&u, 0, true);
    edge(&u);
    assert_true(u.out->win_ready);
    assert_false(u.out->read_valid);
    golden_free(u.g);
}

/* What no memory has reads as zero. */
static void test_beyond(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.win_valid = 1;
    u.in.win_address = 0x3fffffff;
    u.in.send_req_ready = 1;
    edge(&u);
    assert_int_equal(u.out->send_req_data[0] >> 12, 0x7ffffff);
    edge(&u);
    answer(&u, UINT64_MAX, false);
    answer(&u, 7, true);
    edge(&u);
    assert_true(u.out->read_valid);
    assert_int_equal(u.out->read_data, 0);
    golden_free(u.g);
}

static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.win_valid = 1;
    edge(&u);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_false(u.out->send_req_valid);
    assert_false(u.out->win_ready);
    u.in.win_valid = 0;
    edge(&u);
    assert_false(u.out->send_req_valid);
    golden_free(u.g);
}

/* Chunk 2 1 3 of stacks at nodes 3, 0, 2 and 1: stack 2 ^ 1 ^ 3 = 0, sector 0 of its
 * chunk 2 1.  By the two bits from 10 on, byte 0x9c0 is of stack 2, at 0x1c0. */
static void test_stacks(void **state) {
    static const int nodes[] = {3, 0, 2, 1};
    (void)state;
    for (uint64_t learned = 0; learned < 2; learned++) {
        struct config c;
        struct unit u;
        memset(&u, 0, sizeof u);
        small_config(&c);
        c.share_place = 2;
        c.mesh_memory_nodes.n = 4;
        for (int n = 0; n < 4; n++)
            c.mesh_memory_nodes.v[n] = nodes[n];
        start(&u, &c);
        u.in.win_valid = 1;
        u.in.win_address = 0x9c0 / 4;
        u.in.map_learned = learned;
        u.in.map_bit = 10;
        edge(&u);
        assert_true(u.out->send_req_valid);
        assert_int_equal(2 * u.out->send_req_y + u.out->send_req_x,
                         learned ? 2 : 3);
        assert_int_equal(u.out->send_req_data[0] >> 12,
                         (learned ? 0x1c0 : 9 * 64) / 8);
        golden_free(u.g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read),   cmocka_unit_test(test_write),
        cmocka_unit_test(test_beyond), cmocka_unit_test(test_stacks),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

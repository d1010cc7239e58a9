/* test_home.c - the golden model of the memory's end of requests of all nodes:
 * tags, places and turns at their bounds, answers of both kinds by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/home.h"
#include "home/home.h"

#include <string.h>

enum { PLACES = 3 };

struct unit {
    struct golden *g;
    struct home_in in;
    const struct home_out *out;
};

/* Four nodes in two columns, sectors of 4 bytes, flits of 64 bits, ids of 2:
 * a tag has the id in 1:0, the node in 3:2, far, data. */
static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    c.mesh_width = c.mesh_height = 2;
    c.noc_flit_bits = 64;
    c.share_nodes = 4;
    c.share_chunk = 64;
    c.share_sector = 4;
    c.share_id_bits = 2;
    c.home_places = PLACES;
    u->g = golden_create(&home_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.mem_ready = 1;
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

/* 14 in 3:0, op in 7:4, node in 9:8, id in 11:10, sector from bit 12 on: a load
 * is a flit. */
static uint64_t load(uint64_t node, uint64_t id, uint64_t sector) {
    return 14 | node << 8 | id << 10 | sector << 12;
}

static void give(struct unit *u, uint64_t data, bool last) {
    u->in.take_req_valid = 1;
    u->in.take_req_last = last;
    u->in.take_req_data[0] = data;
    edge(u);
    u->in.take_req_valid = 0;
}

static void answer(struct unit *u, uint64_t tag, uint64_t data, bool fault) {
    u->in.rsp_valid = 1;
    u->in.rsp_id = tag;
    u->in.rsp_data[0] = data;
    u->in.rsp_fault = fault;
    edge(u);
    u->in.rsp_valid = 0;
}

/* --- requests ------------------------------------------------------------- */

static void test_far_load(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    give(&u, load(2, 1, 0xabcdef1), true);
    assert_false(u.out->take_req_ready);
    assert_false(u.out->mem_valid);
    edge(&u);
    assert_true(u.out->mem_valid);
    assert_int_equal(u.out->mem_op, 0);
    assert_int_equal(u.out->mem_id, 1 | 2 << 2 | 1 << 4 | 1 << 5);
    assert_int_equal(u.out->mem_address, 0xabcdef1);
    assert_true(u.out->take_req_ready);
    edge(&u);
    assert_false(u.out->mem_valid);
    golden_free(u.g);
}

/* A store has no data in its answer, and two flits: strobe from bit 40 on, data
 * from 44. */
static void test_far_store(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    give(&u,
         1 << 4 | load(3, 2, 5) | (uint64_t)9 << 40 | (uint64_t)0x54321 << 44,
         false);
    give(&u, 0x876, true);
    edge(&u);
    assert_int_equal(u.out->mem_op, 1);
    assert_int_equal(u.out->mem_id, 2 | 3 << 2 | 1 << 4);
    assert_int_equal(u.out->mem_address, 5);
    assert_int_equal(u.out->mem_strobe, 9);
    assert_int_equal(u.out->mem_data[0], 0x87654321);
    assert_int_equal(u.out->mem_compare, 0);
    golden_free(u.g);
}

static void test_own(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.own_valid = 1;
    u.in.own_op = 11;
    u.in.own_id = 3;
    u.in.own_address = 77;
    u.in.own_strobe = 15;
    u.in.own_data[0] = 0x1234;
    u.in.own_compare = 0x99;
    edge(&u);
    u.in.own_valid = 0;
    edge(&u);
    assert_false(u.out->mem_valid);
    edge(&u);
    assert_true(u.out->mem_valid);
    assert_int_equal(u.out->mem_id, 3 | 1 << 5);
    assert_int_equal(u.out->mem_address, 77);
    assert_int_equal(u.out->mem_compare, 0x99);
    golden_free(u.g);
}

/* Requests of one kind stop when its places are used, the others go on. */
static void test_places(void **state) {
    struct unit u;
    int own = 0, far = 0;
    (void)state;
    open_unit(&u);
    u.in.own_valid = 1;
    for (int i = 0; i < 20; i++) {
        edge(&u);
        own += u.out->mem_valid;
    }
    assert_int_equal(own, PLACES);
    for (int i = 0; i < 20; i++) {
        give(&u, load(1, 0, 0), true);
        far += u.out->mem_valid;
    }
    assert_int_equal(far, PLACES);
    answer(&u, 1 << 5, 7, false); /* an own one, which nobody takes */
    for (int i = 0; i < 5; i++) {
        edge(&u);
        assert_false(u.out->mem_valid);
    }
    u.in.back_ready = 1;
    edge(&u);
    assert_false(u.out->mem_valid); /* free after the edge */
    edge(&u);
    assert_true(u.out->mem_valid);
    golden_free(u.g);
}

/* Both at every chance: in turn. */
static void test_turns(void **state) {
    struct unit u;
    int own = 0, far = 0;
    (void)state;
    open_unit(&u);
    u.in.back_ready = u.in.send_ans_ready = 1;
    u.in.own_valid = 1;
    for (int i = 0; i < 40; i++) {
        u.in.rsp_valid = u.out->mem_valid; /* at once */
        u.in.rsp_id = u.out->mem_id;
        u.in.take_req_valid = u.in.take_req_last = 1;
        u.in.take_req_data[0] = load(1, 0, 0);
        own += u.out->mem_valid && !(u.out->mem_id >> 4 & 1);
        far += u.out->mem_valid && u.out->mem_id >> 4 & 1;
        edge(&u);
    }
    assert_in_range(far, 10, 20);
    assert_in_range(own, 10, 25);
    golden_free(u.g);
}

/* --- answers -------------------------------------------------------------- */

static void test_far_answers(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    give(&u, load(2, 1, 0), true);
    edge(&u);
    edge(&u);
    answer(&u, 1 | 2 << 2 | 1 << 4 | 1 << 5, 0x87654321, true);
    assert_false(u.out->send_ans_valid);
    edge(&u);
    assert_true(u.out->send_ans_valid);
    assert_true(u.out->send_ans_last);
    assert_int_equal(u.out->send_ans_x, 0);
    assert_int_equal(u.out->send_ans_y, 1);
    assert_true(u.out->send_ans_data[0] ==
                (14 | 1 << 4 | 1 << 6 | (uint64_t)0x87654321 << 7));
    assert_false(u.out->back_valid);
    edge(&u);
    assert_true(u.out->send_ans_valid); /* until it is taken */
    u.in.send_ans_ready = 1;
    edge(&u);
    assert_false(u.out->send_ans_valid);
    golden_free(u.g);
}

static void test_own_answers(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.own_valid = 1;
    edge(&u);
    u.in.own_valid = 0;
    for (int i = 0; i < 3; i++)
        edge(&u);
    answer(&u, 2 | 1 << 5, 0x55, true);
    edge(&u);
    assert_true(u.out->back_valid);
    assert_int_equal(u.out->back_id, 2);
    assert_int_equal(u.out->back_fault, 1);
    assert_int_equal(u.out->back_data[0], 0x55);
    assert_false(u.out->send_ans_valid);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_false(u.out->back_valid);
    edge(&u);
    assert_false(u.out->back_valid);
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_far_load),    cmocka_unit_test(test_far_store),
        cmocka_unit_test(test_own),         cmocka_unit_test(test_places),
        cmocka_unit_test(test_turns),       cmocka_unit_test(test_far_answers),
        cmocka_unit_test(test_own_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_broker.c - the golden model of what stands between a core and its offload
 * controller, edge by edge as docs/blocks/broker.md has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/broker.h"
#include "broker/broker.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct broker_local l;
    struct broker_in in;
    const struct broker_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

/* Eight lanes in four passes, a share of one, stacks at nodes 0 and 3. */
static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    c.move_lanes = 8;
    c.move_alus = 2;
    c.move_registers = 16;
    c.move_flit_bits = 64;
    c.move_code_words = 256;
    c.mesh_width = 3;
    c.mesh_height = 2;
    c.mesh_memory_nodes.n = 2;
    c.mesh_memory_nodes.v[0] = 0;
    c.mesh_memory_nodes.v[1] = 3;
    c.share_nodes = 2;
    c.noc_flit_bits = 72;
    c.broker_share = 1;
    u->l = broker_local(&c);
    u->g = golden_create(&broker_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.at_node = 4;
    u->in.ask_ready = u->in.look_ready = u->in.put_ready = 1;
    u->in.send_req_ready = u->in.ack_ready = 1;
}

/* --- warps ---------------------------------------------------------------- */

static uint64_t key_of(uint64_t code, uint64_t pc) {
    struct unit u;
    open_unit(&u);
    u.in.offer_valid = 1;
    u.in.offer_code = code;
    u.in.offer_pc = pc;
    edge(&u);
    u.in.offer_valid = 0;
    assert_false(u.out->ask_valid);
    assert_true(u.out->chain_busy);
    edge(&u);
    assert_true(u.out->ask_valid);
    uint64_t key = u.out->ask_key;
    edge(&u);
    assert_false(u.out->ask_valid);
    golden_free(u.g);
    return key;
}

/* Loads and stores of global memory are a block's first access, atomics and all
 * others stand before it. */
static void test_keys(void **state) {
    (void)state;
    assert_int_equal(key_of(0x60, 20), 20);
    assert_int_equal(key_of(0x6b | 0xff00, 20), 20);
    assert_int_equal(key_of(0x80, 20), 21);
    assert_int_equal(key_of(0x10, 20), 21);
    assert_int_equal(key_of(0x10, 255), 0);
}

/* A decision to stay is there after its edge, a release waits for it. */
static void test_go(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.offer_valid = 1;
    edge(&u);
    u.in.offer_warp = 1;
    edge(&u);
    u.in.offer_valid = 0;
    edge(&u);
    edge(&u);
    u.in.release_valid = 1;
    u.in.release_warp = 1;
    u.in.release_pc = 77;
    edge(&u);
    u.in.release_valid = 0;
    edge(&u);
    u.in.ans_valid = 1;
    edge(&u);
    u.in.ans_valid = 0;
    assert_true(u.out->go_valid && u.out->go_moves && u.out->go_alone);
    assert_int_equal(u.out->go_warp, 0);
    edge(&u);
    assert_true(u.out->go_valid && u.out->go_moves && !u.out->go_alone);
    assert_int_equal(u.out->go_warp, 1);
    assert_int_equal(u.out->go_pc, 77);
    assert_true(u.out->chain_busy); /* until the core has heard of it */
    edge(&u);
    assert_false(u.out->go_valid || u.out->chain_busy);
    golden_free(u.g);
}

/* --- registers ------------------------------------------------------------ */

/* Register 16 + 13 is predicate 5; lane i of it is bit i. */
static void test_predicate(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.reg_read_valid = 1;
    u.in.reg_read_reg = 29;
    edge(&u);
    u.in.reg_read_valid = 0;
    edge(&u);
    edge(&u);
    assert_true(u.out->look_valid && u.out->look_pred);
    assert_int_equal(u.out->look_reg, 5);
    edge(&u);
    for (int pass = 0; pass < 4; pass++) {
        u.in.seen_valid = 1;
        u.in.seen_last = pass == 3;
        u.in.seen_data[0] = pass == 2 ? 1 : 1ull << 32;
        assert_false(u.out->reg_data_valid);
        edge(&u);
    }
    u.in.seen_valid = u.in.seen_last = 0;
    assert_true(u.out->reg_data_valid);
    assert_int_equal(u.out->reg_data_row[0], 0x9a);
    edge(&u);
    assert_false(u.out->reg_data_valid);
    golden_free(u.g);
}

/* Four passes and an edge on which the core has written; no release before. */
static void test_write(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.reg_write_valid = 1;
    u.in.reg_write_reg = 3;
    for (int i = 0; i < 8; i++)
        bits_set_lane(u.in.reg_write_row, i, (uint32_t)i + 40);
    edge(&u);
    u.in.reg_write_valid = 0;
    for (int pass = 0; pass < 4; pass++) {
        assert_true(u.out->put_valid && !u.out->reg_write_ready);
        assert_int_equal(u.out->put_d, 3);
        assert_int_equal(u.out->put_last, pass == 3);
        assert_int_equal(bits_lane(u.out->put_data, 1), 2 * pass + 41);
        edge(&u);
    }
    assert_false(u.out->put_valid || u.out->reg_write_ready);
    edge(&u);
    assert_true(u.out->reg_write_ready);
    golden_free(u.g);
}

/* --- packets -------------------------------------------------------------- */

static void send(struct unit *u, uint64_t warp, uint64_t stack) {
    u->in.tx_valid = u->in.tx_head = u->in.tx_last = 1;
    u->in.tx_stack = stack;
    u->in.tx_data[0] = warp | 0x100;
    edge(u);
    u->in.tx_valid = u->in.tx_head = u->in.tx_last = u->in.tx_stack = 0;
    u->in.tx_data[0] = 0;
}

/* The second block for a stack waits until the first one's acknowledgement
 * begins, and all behind it. */
static void test_share(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    send(&u, 5, 1);
    assert_true(u.out->tx_ready);
    send(&u, 6, 1);
    assert_true(u.out->send_req_valid && u.out->send_req_last);
    assert_int_equal(u.out->send_req_x, 0);
    assert_int_equal(u.out->send_req_y, 1);
    assert_int_equal(u.out->send_req_data[0], 0x105ull << 4 | 12);
    assert_int_equal(u.out->send_req_data[1], 4 << 4);
    for (int i = 0; i < 20; i++) {
        edge(&u);
        assert_false(u.out->send_req_valid || u.out->tx_ready);
    }
    u.in.take_ans_valid = u.in.take_ans_last = 1;
    u.in.take_ans_data[0] = 5 << 4 | 12;
    edge(&u);
    u.in.take_ans_valid = u.in.take_ans_last = 0;
    assert_false(u.out->tx_ready);
    edge(&u);
    assert_true(u.out->tx_ready && u.out->ack_valid);
    assert_int_equal(u.out->ack_data[0], 5);
    edge(&u);
    assert_true(u.out->send_req_valid);
    assert_int_equal(u.out->send_req_data[0], 0x106ull << 4 | 12);
    golden_free(u.g);
}

/* Any line, and any membar, drops all. */
static void test_drop(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.inval_valid = 1;
    edge(&u);
    u.in.inval_valid = 0;
    assert_true(u.out->drop_valid && u.out->drop_all);
    u.in.fenced = 1;
    edge(&u);
    u.in.fenced = 0;
    assert_true(u.out->drop_valid && u.out->drop_all);
    edge(&u);
    assert_false(u.out->drop_valid || u.out->drop_all);
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),      cmocka_unit_test(test_go),
        cmocka_unit_test(test_predicate), cmocka_unit_test(test_write),
        cmocka_unit_test(test_share),     cmocka_unit_test(test_drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

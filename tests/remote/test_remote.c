/* test_remote.c - the golden model of a core's way to the memories of all
 * nodes: each chunk at its node, packets counted by hand, answers in turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/remote.h"
#include "remote/remote.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct remote_local l;
    struct remote_in in;
    const struct remote_out *out;
};

/* Four nodes in two columns, chunks of 64 bytes, sectors of 16, flits of 32
 * bits, ids of 2. */
static void small_config(struct config *c) {
    config_defaults(c);
    c->mesh_width = c->mesh_height = 2;
    c->noc_flit_bits = 32;
    c->share_nodes = 4;
    c->share_chunk = 64;
    c->share_sector = 16;
    c->share_id_bits = 2;
}

static void start(struct unit *u, const struct config *c, uint64_t node) {
    u->l = remote_local(c);
    u->in.at_node = node;
    u->g = golden_create(&remote_golden, c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void open_unit(struct unit *u, uint64_t node) {
    struct config c;
    memset(u, 0, sizeof *u);
    small_config(&c);
    start(u, &c, node);
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void ask(struct unit *u, uint64_t op, uint64_t address) {
    u->in.mem_valid = 1;
    u->in.mem_op = op;
    u->in.mem_address = address;
    edge(u);
    u->in.mem_valid = 0;
    edge(u);
}

/* --- addresses ------------------------------------------------------------ */

/* Sectors 0 to 15 are the first chunks of nodes 0 to 3, 16 to 19 the second of
 * node 0: sectors 4 to 7 there. */
static void test_addresses(void **state) {
    static const struct {
        uint64_t sector, node, there;
    } rows[] = {{0, 0, 0},
                {3, 0, 3},
                {4, 1, 0},
                {7, 1, 3},
                {8, 2, 0},
                {15, 3, 3},
                {16, 0, 4},
                {22, 1, 6},
                {63, 3, 15},
                {64, 0, 16},
                {0xfffffff, 3, 0x3ffffff}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct unit u;
        open_unit(&u, rows[i].node);
        ask(&u, 0, rows[i].sector);
        assert_true(u.out->own_valid);
        assert_int_equal(u.out->own_address, rows[i].there);
        assert_false(u.out->send_req_valid);
        golden_free(u.g);
        open_unit(&u, rows[i].node ^ 3); /* the node across */
        ask(&u, 0, rows[i].sector);
        assert_false(u.out->own_valid);
        assert_true(u.out->send_req_valid);
        assert_int_equal(u.out->send_req_x, rows[i].node % 2);
        assert_int_equal(u.out->send_req_y, rows[i].node / 2);
        golden_free(u.g);
    }
}

/* The homes at memory nodes 2, 7, 1 and 4 of eight: a chunk's node is that of
 * its home, and a core at another node has no memory of its own. */
static void test_memory_nodes(void **state) {
    static const int nodes[] = {2, 7, 1, 4};
    (void)state;
    for (uint64_t at = 0; at < 8; at++)
        for (uint64_t chunk = 0; chunk < 8; chunk++) {
            uint64_t node = (uint64_t)nodes[chunk % 4];
            struct config c;
            struct unit u;
            memset(&u, 0, sizeof u);
            small_config(&c);
            c.mesh_width = 4;
            c.share_place = 1;
            c.mesh_memory_nodes.n = 4;
            for (int i = 0; i < 4; i++)
                c.mesh_memory_nodes.v[i] = nodes[i];
            start(&u, &c, at);
            ask(&u, 0, 4 * chunk + 3);
            assert_int_equal(u.out->own_valid, node == at);
            assert_int_equal(u.out->send_req_valid, node != at);
            if (node == at)
                assert_int_equal(u.out->own_address, chunk / 4 * 4 + 3);
            else
                assert_int_equal(4 * u.out->send_req_y + u.out->send_req_x,
                                 node);
            golden_free(u.g);
        }
}

/* Four stacks at nodes 2, 7, 1 and 4, by hand.  Baseline: pairs of bits of the chunk's
 * number, exclusive-ored.  By bits: those two of the byte address, sector * 16, and the
 * others closed up. */
static void test_stacks(void **state) {
    static const int nodes[] = {2, 7, 1, 4};
    static const struct {
        uint64_t learned, bit, sector, home, there;
    } rows[] = {
        {0, 7, 0, 0, 0},
        {0, 7, 5, 1, 1},
        {0, 9, 16, 1, 4},   /* chunk 1 0 */
        {0, 31, 20, 0, 4},  /* 1 1 */
        {0, 7, 110, 0, 26}, /* 1 2 3 */
        {0, 7, 0xfffffff, 3, 0x3ffffff},
        {1, 6, 4, 1, 0},
        {1, 6, 16, 0, 4},
        {1, 7, 0x28, 1, 0x8}, /* bits 8:7 of 280 */
        {1, 10, 0x1234567, 1, 0x48d167},
        {1, 30, 0xc000001, 3, 1},
        {1, 30, 0x7ffffff, 1, 0x3ffffff},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int own = 0; own < 2; own++) {
            uint64_t node = (uint64_t)nodes[rows[i].home];
            struct config c;
            struct unit u;
            memset(&u, 0, sizeof u);
            small_config(&c);
            c.mesh_width = 4;
            c.share_place = 2;
            c.mesh_memory_nodes.n = 4;
            for (int n = 0; n < 4; n++)
                c.mesh_memory_nodes.v[n] = nodes[n];
            u.in.map_learned = rows[i].learned;
            u.in.map_bit = rows[i].bit;
            start(&u, &c, own ? node : 0);
            ask(&u, 0, rows[i].sector);
            assert_int_equal(u.out->own_valid, own);
            assert_int_equal(u.out->send_req_valid, !own);
            if (own) {
                assert_int_equal(u.out->own_address, rows[i].there);
            } else {
                assert_int_equal(4 * u.out->send_req_y + u.out->send_req_x,
                                 node);
                /* from bit 13 on: nodes have three bits */
                assert_int_equal(u.out->send_req_data[0] >> 13,
                                 rows[i].there & 0x7ffff);
            }
            golden_free(u.g);
        }
}

/* --- packets -------------------------------------------------------------- */

static int flits_of(uint64_t op) {
    struct unit u;
    int n = 0;
    open_unit(&u, 3);
    ask(&u, op, 0);
    u.in.send_req_ready = 1;
    while (u.out->send_req_valid && n < 20) {
        n++;
        edge(&u);
    }
    golden_free(u.g);
    return n;
}

/* 4 + 4 + 2 + 2 + 26 bits, 16 + 128 more, 32 more. */
static void test_lengths(void **state) {
    (void)state;
    assert_int_equal(flits_of(0), 2);
    assert_int_equal(flits_of(1), 6);
    assert_int_equal(flits_of(2), 6);
    assert_int_equal(flits_of(10), 6);
    assert_int_equal(flits_of(11), 7);
}

/* 14 in bits 3:0, op in 7:4, the asker in 9:8, the id in 11:10, sector
 * 0x2abcde1 of node 0 from bit 12 on, strobes from 38, data from 54, compare
 * from 182. */
static void test_witness(void **state) {
    static const uint32_t flits[] = {0xbcde1bbe, 0x4408d16a, 0x4504c484,
                                     0x4605c585, 0x4706c686, 0x9e07c787,
                                     0x00048d15};
    struct unit u;
    (void)state;
    open_unit(&u, 3);
    u.in.mem_id = 2;
    u.in.mem_strobe = 0x2345;
    for (int i = 0; i < 16; i++)
        u.in.mem_data[i / 8] |= (uint64_t)(0x10 + i) << i % 8 * 8;
    u.in.mem_compare = 0x12345678;
    ask(&u, 11, 0xaaf3781);
    u.in.send_req_ready = 1;
    for (int i = 0; i < 7; i++, edge(&u)) {
        assert_int_equal(u.out->send_req_data[0], flits[i]);
        assert_int_equal(u.out->send_req_last, i == 6);
    }
    assert_false(u.out->send_req_valid);
    golden_free(u.g);
}

/* --- answers -------------------------------------------------------------- */

/* A flit of an answer of another node: 14 in bits 3:0, id in 5:4, fault, data
 * from bit 7. */
static void give(struct unit *u, uint64_t data, bool last) {
    u->in.take_ans_valid = 1;
    u->in.take_ans_last = last;
    u->in.take_ans_data[0] = data;
    edge(u);
    u->in.take_ans_valid = 0;
}

/* Bits of flits that do not come are zero, also after a longer packet. */
static void test_short_answer(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 0);
    for (int i = 0; i < 5; i++)
        give(&u, 0xffffffff, i == 4);
    assert_false(u.out->take_ans_ready);
    edge(&u);
    assert_true(u.out->rsp_valid);
    assert_true(u.out->rsp_data[1] == UINT64_MAX);
    assert_int_equal(u.out->rsp_id, 3);
    assert_int_equal(u.out->rsp_fault, 1);
    give(&u, 0x2e, true);
    edge(&u);
    assert_true(u.out->rsp_valid);
    assert_int_equal(u.out->rsp_id, 2);
    assert_int_equal(u.out->rsp_fault, 0);
    assert_int_equal(u.out->rsp_data[0], 0);
    assert_int_equal(u.out->rsp_data[1], 0);
    edge(&u);
    assert_false(u.out->rsp_valid);
    golden_free(u.g);
}

/* With answers of both ways at every chance they take turns. */
static void test_turns(void **state) {
    struct unit u;
    int own = 0, far = 0;
    (void)state;
    open_unit(&u, 0);
    u.in.back_valid = 1;
    u.in.back_id = 1;
    u.in.take_ans_valid = u.in.take_ans_last = 1;
    u.in.take_ans_data[0] = 0x2e;
    for (int i = 0; i < 30; i++) {
        edge(&u);
        own += u.out->rsp_valid && u.out->rsp_id == 1;
        far += u.out->rsp_valid && u.out->rsp_id == 2;
    }
    assert_int_equal(own + far, 30);
    assert_int_equal(far, 15);
    golden_free(u.g);
}

/* A reset in the middle of a packet leaves nothing of it. */
static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 3);
    ask(&u, 11, 0);
    u.in.send_req_ready = 1;
    edge(&u);
    give(&u, 0xffffffff, false);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_false(u.out->send_req_valid);
    assert_true(u.out->mem_ready);
    give(&u, 0x1e, true);
    edge(&u);
    assert_int_equal(u.out->rsp_id, 1);
    assert_int_equal(u.out->rsp_data[0], 0);
    u.in.send_req_ready = 0;
    ask(&u, 0, 0);
    assert_true(u.out->send_req_valid);
    assert_int_equal(u.out->send_req_data[0] & 255, 14);
    assert_false(u.out->send_req_last); /* of two flits the first */
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses), cmocka_unit_test(test_memory_nodes),
        cmocka_unit_test(test_stacks),    cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_witness),   cmocka_unit_test(test_short_answer),
        cmocka_unit_test(test_turns),     cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

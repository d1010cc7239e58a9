/* test_oqueue.c - the golden model of the offload queue, edge by edge as
 * docs/blocks/oqueue.md has it: the paper's scenarios by name.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/oqueue.h"
#include "kit/compute.h"
#include "oqueue/oqueue.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct oqueue_local l;
    struct oqueue_in in;
    const struct oqueue_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u, int entries) {
    struct config c;
    config_defaults(&c);
    c.omni_entries = entries;
    memset(u, 0, sizeof *u);
    u->l = oqueue_local(&c);
    u->g = golden_create(&oqueue_golden, &c);
    u->in.at_core = 17;
    u->in.load_ready = u->in.send_ready = u->in.done_ready = 1;
    u->out = golden_cycle(u->g, true, &u->in);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* One op; what is said of it after its edge, -1: nothing. */
static int op(struct unit *u, int tag, int kind, uint64_t address, bool hit) {
    assert_int_equal(u->out->op_ready, 1);
    u->in.op_valid = 1;
    u->in.op_tag = (uint64_t)tag;
    u->in.op_kind = (uint64_t)kind;
    u->in.op_address = address;
    u->in.op_mem = address & 7;
    u->in.op_hit = hit;
    u->in.op_wave = 5;
    u->in.op_code = OQUEUE_ADD;
    edge(u);
    u->in.op_valid = u->in.op_hit = 0;
    return u->out->said_valid ? (int)u->out->said_what : -1;
}

/* c = f(a, b), up to its lookup. */
static void chain(struct unit *u, uint64_t mask) {
    u->in.op_mask = mask;
    assert_int_equal(op(u, 1, OQUEUE_LOAD, 0x1001, false), OQUEUE_TAKEN);
    assert_int_equal(op(u, 2, OQUEUE_LOAD, 0x2002, false), OQUEUE_TAKEN);
    assert_int_equal(op(u, 2, OQUEUE_ALU, 0, false), OQUEUE_TAKEN);
    assert_int_equal(op(u, 3, OQUEUE_STORE, 0x3003, false), -1);
    edge(u);
    assert_int_equal(u->out->meet_valid, 1);
    assert_int_equal(u->out->meet_core, 17);
    assert_int_equal(u->out->meet_mem0, 1);
    assert_int_equal(u->out->meet_mem1, 2);
    edge(u); /* a lookup of one edge */
    assert_int_equal(u->out->meet_valid, 0);
}

static void meet(struct unit *u, bool found) {
    u->in.met_valid = 1;
    u->in.met_found = found;
    u->in.met_node = found ? 42 : 0;
    edge(u);
    u->in.met_valid = 0;
}

/* The packet leaves; the entry that waits for it. */
static int leave(struct unit *u, uint64_t mask) {
    chain(u, mask);
    meet(u, true);
    assert_int_equal(u->out->said_valid, 0);
    edge(u);
    assert_int_equal(u->out->said_valid, 1);
    assert_int_equal(u->out->said_what, OQUEUE_WAITS);
    assert_int_equal(u->out->send_valid, 1);
    assert_int_equal(u->out->send_node, 42);
    return (int)u->out->said_entry;
}

static void answer(struct unit *u, int entry, int kind, bool second) {
    assert_int_equal(u->out->ans_ready, 1);
    u->in.ans_valid = 1;
    u->in.ans_entry = (uint64_t)entry;
    u->in.ans_kind = (uint64_t)kind;
    u->in.ans_second = second;
    u->in.ans_bits = 0xf0f0f0f0;
    edge(u);
    u->in.ans_valid = 0;
    assert_int_equal(u->out->done_valid, 0);
    edge(u);
}

/* --- scenarios ------------------------------------------------------------ */

static void test_packet_leaves(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 48);
    int entry = leave(&u, ones(32));
    assert_int_equal(entry, 0);
    assert_int_equal(u.out->send_last, 1);
    struct compute c = {0};
    struct compute_flits f;
    const struct compute_size size = COMPUTE_SIZE(u.l);
    c.field[COMPUTE_PATTERN] = 1;
    c.field[COMPUTE_F] = OQUEUE_ADD;
    c.field[COMPUTE_CORE] = 17;
    c.field[COMPUTE_WAVE] = 5;
    c.field[COMPUTE_NODE] = 42;
    c.field[COMPUTE_A] = 0x1001;
    c.field[COMPUTE_B] = 0x2002;
    c.field[COMPUTE_C] = 0x3003;
    c.field[COMPUTE_MASK] = ones(32);
    compute_lay(&size, &c, &f);
    assert_memory_equal(u.out->send_data, f.word, 32);
    answer(&u, entry, OQUEUE_ACK, false);
    assert_int_equal(u.out->done_valid, 1);
    assert_int_equal(u.out->done_wave, 5);
    assert_int_equal(u.out->done_how, OQUEUE_ACK);
    assert_int_equal(u.out->done_bits, 0);
    edge(&u);
    assert_int_equal(u.out->done_valid, 0);
    close_unit(&u);
}

static void test_full_far_queue(void **state) {
    struct unit u;
    (void)state;
    for (int first = 0; first < 2; first++) {
        open_unit(&u, 48);
        int entry = leave(&u, ones(32));
        answer(&u, entry, OQUEUE_LOADED, first);
        assert_int_equal(u.out->done_valid, 0);
        answer(&u, entry, OQUEUE_LOADED, first); /* the same one again */
        assert_int_equal(u.out->done_valid, 0);
        answer(&u, entry, OQUEUE_LOADED, !first);
        assert_int_equal(u.out->done_valid, 1);
        assert_int_equal(u.out->done_how, OQUEUE_LOADED);
        assert_int_equal(u.out->done_entry, entry);
        /* the entry is free, and what it waited for is forgotten */
        assert_int_equal(leave(&u, ones(32)), entry);
        answer(&u, entry, OQUEUE_LOADED, first);
        assert_int_equal(u.out->done_valid, 0);
        close_unit(&u);
    }
}

static void test_diverged_lanes(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 48);
    int entry = leave(&u, 0x0000ffff);
    assert_int_equal(u.out->send_last, 0);
    assert_int_equal(u.out->send_data[0] >> 1 & 1, 1);
    edge(&u);
    assert_int_equal(u.out->send_last, 1);
    assert_true(u.out->send_data[0] == 0x0000ffff);
    edge(&u);
    assert_int_equal(u.out->send_valid, 0);
    answer(&u, entry, OQUEUE_BITMAP, false);
    assert_int_equal(u.out->done_valid, 1);
    assert_true(u.out->done_mask == 0x0000ffff);
    assert_true(u.out->done_bits == 0x0000f0f0);
    close_unit(&u);
}

/* The first load goes out one edge after the second one hit. */
static void test_hit_in_mid_chain(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 2);
    for (int i = 0; i < 5; i++) { /* no entry is lost */
        assert_int_equal(op(&u, 1, OQUEUE_LOAD, 0x1001, false), OQUEUE_TAKEN);
        assert_int_equal(op(&u, 2, OQUEUE_LOAD, 0x2002, true), OQUEUE_NORMAL);
        assert_int_equal(u.out->load_valid, 0);
        edge(&u);
        assert_int_equal(u.out->load_valid, 1);
        assert_int_equal(u.out->load_address, 0x1001);
        assert_int_equal(u.out->load_second, 0);
        edge(&u);
        assert_int_equal(u.out->load_valid, 0);
        assert_int_equal(u.out->op_ready, 1);
    }
    assert_int_equal(op(&u, 1, OQUEUE_LOAD, 0x1001, true), OQUEUE_NORMAL);
    edge(&u);
    assert_int_equal(u.out->load_valid, 0);
    close_unit(&u);
}

static void test_no_free_entry(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 2);
    assert_int_equal(leave(&u, ones(32)), 0);
    assert_int_equal(leave(&u, ones(32)), 1);
    assert_int_equal(op(&u, 1, OQUEUE_LOAD, 0x1001, false), OQUEUE_NORMAL);
    answer(&u, 0, OQUEUE_DATA, false);
    assert_int_equal(u.out->done_how, OQUEUE_DATA);
    assert_int_equal(leave(&u, ones(32)), 0);
    close_unit(&u);
}

static void test_no_meet_node(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 2);
    chain(&u, ones(32));
    u.in.load_ready = 0;
    meet(&u, false);
    assert_int_equal(u.out->said_what, OQUEUE_SINGLE);
    edge(&u);
    edge(&u);
    assert_int_equal(u.out->load_address, 0x1001);
    u.in.load_ready = 1;
    edge(&u);
    assert_int_equal(u.out->load_address, 0x2002);
    assert_int_equal(u.out->load_second, 1);
    assert_int_equal(u.out->load_mem, 2);
    edge(&u);
    assert_int_equal(u.out->load_valid, 0);
    close_unit(&u);
}

static void test_stray(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 2);
    answer(&u, 1, OQUEUE_ACK, false);
    assert_int_equal(u.out->done_valid, 0);
    assert_int_equal(leave(&u, ones(32)), 0);
    answer(&u, 1, OQUEUE_ACK, false);
    assert_int_equal(u.out->done_valid, 0);
    answer(&u, 0, OQUEUE_ACK, false);
    assert_int_equal(u.out->done_valid, 1);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packet_leaves),
        cmocka_unit_test(test_full_far_queue),
        cmocka_unit_test(test_diverged_lanes),
        cmocka_unit_test(test_hit_in_mid_chain),
        cmocka_unit_test(test_no_free_entry),
        cmocka_unit_test(test_no_meet_node),
        cmocka_unit_test(test_stray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

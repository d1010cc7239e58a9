/* test_jobs.c - the golden model of what runs blocks of other cores on a stack's
 * core, edge by edge as docs/blocks/jobs.md has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/jobs.h"
#include "jobs/jobs.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct jobs_local l;
    struct jobs_in in;
    const struct jobs_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

/* Eight lanes in four passes, a row in four flits, two slots. */
static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    c.move_lanes = 8;
    c.move_alus = 2;
    c.move_registers = 16;
    c.move_flit_bits = 64;
    c.move_code_words = 256;
    c.move_candidates = 8;
    c.mesh_width = 3;
    c.mesh_height = 2;
    c.noc_flit_bits = 72;
    c.jobs_slots = 2;
    u->l = jobs_local(&c);
    u->g = golden_create(&jobs_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.put_ready = u->in.look_ready = u->in.send_ans_ready = 1;
}

static void load(struct unit *u, uint64_t index, uint64_t live_in,
                 uint64_t live_out, bool stores) {
    u->in.load_valid = 1;
    u->in.load_index = index;
    u->in.load_stores = stores;
    memset(u->in.load_entry, 0, sizeof u->in.load_entry);
    bits_or(u->in.load_entry, u->l.ENTRY_IN, 32, live_in);
    bits_or(u->in.load_entry, u->l.ENTRY_IN + 32, 32, live_out);
    edge(u);
    u->in.load_valid = 0;
}

/* The header, from node 4, for words 20 to 30 and lanes 0xf1. */
static void head(struct unit *u, uint64_t warp, uint64_t index, bool last) {
    int at = 4;
    u->in.take_req_valid = 1;
    u->in.take_req_last = last;
    memset(u->in.take_req_data, 0, sizeof u->in.take_req_data);
    bits_put(u->in.take_req_data, &at, u->l.WARP_W, warp);
    bits_put(u->in.take_req_data, &at, u->l.INDEX_W, index);
    bits_put(u->in.take_req_data, &at, u->l.PC_W, 20);
    bits_put(u->in.take_req_data, &at, u->l.PC_W, 30);
    bits_put(u->in.take_req_data, &at, 8, 0xf1);
    at = 68;
    bits_put(u->in.take_req_data, &at, u->l.NODE_W, 4);
    u->in.take_req_data[0] |= 12;
    edge(u);
    u->in.take_req_valid = 0;
}

static void finish(struct unit *u, uint64_t slot) {
    u->in.over_valid = 1;
    u->in.over_warp = slot;
    edge(u);
    u->in.over_valid = 0;
}

/* A block without registers begins after the fourth edge, and its
 * acknowledgement is a header, with a line of ones if it stores. */
static void test_empty(void **state) {
    (void)state;
    for (int stores = 0; stores < 2; stores++) {
        struct unit u;
        open_unit(&u);
        load(&u, 3, 0, 0, stores);
        assert_false(u.out->chain_busy);
        head(&u, 9, 3, true);
        assert_true(u.out->chain_busy && !u.out->take_req_ready);
        edge(&u);
        edge(&u);
        assert_false(u.out->spawn_valid);
        edge(&u);
        assert_true(u.out->spawn_valid && u.out->drop_valid);
        assert_int_equal(u.out->spawn_warp, 0);
        assert_int_equal(u.out->spawn_pc, 20);
        assert_int_equal(u.out->spawn_end, 30);
        assert_int_equal(u.out->spawn_mask, 0xf1);
        finish(&u, 0);
        assert_false(u.out->over_ready || u.out->send_ans_valid);
        edge(&u);
        assert_true(u.out->send_ans_valid && u.out->send_ans_order);
        assert_int_equal(u.out->send_ans_x, 1);
        assert_int_equal(u.out->send_ans_y, 1);
        assert_int_equal(u.out->send_ans_last, !stores);
        int at = u.l.MARK_W + u.l.WARP_W + u.l.INDEX_W;
        assert_int_equal(bits_get(u.out->send_ans_data, 4, u.l.WARP_W), 9);
        assert_int_equal(bits_get(u.out->send_ans_data, at, 8), 0xf1);
        assert_int_equal(bits_get(u.out->send_ans_data, at + 8, 8), stores);
        edge(&u);
        if (stores) {
            edge(&u);
            assert_true(u.out->send_ans_valid && u.out->send_ans_last);
            assert_true(bits_get(u.out->send_ans_data, 4, 64) == ones(64));
            edge(&u);
        }
        assert_false(u.out->send_ans_valid || !u.out->chain_busy);
        edge(&u);
        assert_false(u.out->chain_busy);
        assert_true(u.out->over_ready);
        golden_free(u.g);
    }
}

/* Registers come the lowest first, in passes; the core has to have written them. */
static void test_registers(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, 1, 1u << 7 | 1u << 18, 0, false);
    head(&u, 2, 1, false);
    edge(&u);
    edge(&u);
    for (int n = 0; n < 2; n++) {
        for (int piece = 0; piece < 4; piece++) {
            assert_true(u.out->take_req_ready);
            u.in.take_req_valid = 1;
            /* lane 1 of a pass has its number; of the predicate lanes 1, 4, 7 */
            u.in.take_req_data[0] = n == 0       ? (uint64_t)piece << 36
                                    : piece == 0 ? 0x920
                                                 : 0;
            edge(&u);
        }
        u.in.take_req_valid = 0;
        for (int pass = 0; pass < 4; pass++) {
            assert_true(u.out->put_valid && !u.out->take_req_ready);
            assert_int_equal(u.out->put_pred, n);
            assert_int_equal(u.out->put_d, n == 0 ? 7 : 2);
            assert_int_equal(u.out->put_mask, 0xf1);
            assert_int_equal(u.out->put_last, pass == 3);
            assert_int_equal(bits_lane(u.out->put_data, 1),
                             n == 0 ? pass : 0x92 >> (2 * pass + 1) & 1);
            edge(&u);
        }
        assert_false(u.out->put_valid || u.out->take_req_ready);
        edge(&u); /* it has been written */
        edge(&u);
    }
    edge(&u);
    assert_true(u.out->spawn_valid);
    golden_free(u.g);
}

/* Two slots: the third packet waits; the lowest free slot is used. */
static void test_slots(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, 0, 0, 0, false);
    for (uint64_t i = 0; i < 2; i++) {
        assert_true(u.out->take_req_ready);
        head(&u, i, 0, true);
        for (int k = 0; k < 3; k++)
            edge(&u);
        assert_int_equal(u.out->spawn_warp, i);
    }
    for (int i = 0; i < 10; i++) {
        assert_false(u.out->take_req_ready);
        edge(&u);
    }
    finish(&u, 1);
    for (int k = 0; k < 3; k++) {
        assert_false(u.out->take_req_ready);
        edge(&u);
    }
    assert_true(u.out->take_req_ready);
    head(&u, 5, 0, true);
    for (int k = 0; k < 3; k++)
        edge(&u);
    assert_int_equal(u.out->spawn_warp, 1);
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_slots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

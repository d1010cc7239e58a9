/* test_lsu_remote.c - the golden model of LSU-Remote, edge by edge and rule by
 * rule as docs/blocks/lsu_remote.md has them.
 *
 * Four lanes, so four slots; lines of 32 bytes over four units, chunks of 128
 * over four cores, sectors of 8: at its core, sector 4 is the first of unit 1,
 * and sector 16 the first of the second chunk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/lsu_remote.h"
#include "lsu_remote/lsu_remote.h"

#include <string.h>

enum { LANES = 4, PLACES = 2 };

struct unit {
    struct golden *g;
    struct lsu_remote_in in;
    const struct lsu_remote_out *out;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    c.lsu_remote_lanes = LANES;
    c.lsu_remote_cores = 4;
    c.lsu_remote_line = 32;
    c.lsu_remote_chunk = 128;
    c.lsu_remote_sector = 8;
    c.lsu_remote_id_bits = 6;
    c.lsu_remote_places = PLACES;
    u->g = golden_create(&lsu_remote_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.down_ready = u->in.send_ready = 1;
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* A transaction of the own core is taken. */
static void tx(struct unit *u, bool store, uint64_t id, uint64_t word,
               uint64_t data) {
    assert_int_equal(u->out->tx_ready, 1);
    u->in.tx_valid = 1;
    u->in.tx_near = 0;
    u->in.tx_store = store;
    u->in.tx_unit = word / 8 % 4;
    u->in.tx_id = id;
    u->in.tx_address = word;
    u->in.tx_strobe = store ? 3 : 0;
    u->in.tx_data[0] = store ? data : 0;
    edge(u);
    assert_int_equal(u->out->tx_ready, 0);
    u->in.tx_valid = 0;
}

static void show_req(struct unit *u, int op, uint64_t id, uint64_t sector,
                     uint64_t strobe, uint64_t data) {
    u->in.req_valid = 1;
    u->in.req_op = (uint64_t)op;
    u->in.req_id = id;
    u->in.req_address = sector;
    u->in.req_strobe = strobe;
    u->in.req_data[0] = data;
}

/* A request of another core is taken. */
static void req(struct unit *u, int op, uint64_t id, uint64_t sector,
                uint64_t strobe, uint64_t data) {
    assert_int_equal(u->out->req_ready, 1);
    show_req(u, op, id, sector, strobe, data);
    edge(u);
    assert_int_equal(u->out->req_ready, 0);
    u->in.req_valid = 0;
}

static void expect_down(const struct unit *u, bool store, uint64_t unit,
                        uint64_t id, uint64_t word, uint64_t strobe,
                        uint64_t data) {
    assert_int_equal(u->out->down_valid, 1);
    assert_int_equal(u->out->down_near, 0);
    assert_int_equal(u->out->down_store, store);
    assert_int_equal(u->out->down_unit, unit);
    assert_int_equal(u->out->down_warp, 0);
    assert_int_equal(u->out->down_reg, 0);
    assert_int_equal(u->out->down_id, id);
    assert_int_equal(u->out->down_address, word);
    assert_int_equal(u->out->down_strobe, strobe);
    assert_true(u->out->down_data[0] == data);
}

static void expect_no_down(const struct unit *u) {
    assert_int_equal(u->out->down_valid, 0);
    assert_int_equal(u->out->down_id, 0);
    assert_int_equal(u->out->down_address, 0);
}

static void answer(struct unit *u, uint64_t id, bool fault, uint64_t data) {
    u->in.answer_valid = 1;
    u->in.answer_id = id;
    u->in.answer_fault = fault;
    u->in.answer_data[0] = data;
    edge(u);
    u->in.answer_valid = 0;
}

static void expect_rsp(const struct unit *u, uint64_t id, bool fault,
                       uint64_t data) {
    assert_int_equal(u->out->rsp_valid, 1);
    assert_int_equal(u->out->rsp_id, id);
    assert_int_equal(u->out->rsp_fault, fault);
    assert_true(u->out->rsp_data[0] == data);
}

static void expect_back(const struct unit *u, uint64_t id, bool fault,
                        uint64_t data) {
    assert_int_equal(u->out->back_valid, 1);
    assert_int_equal(u->out->back_id, id);
    assert_int_equal(u->out->back_fault, fault);
    assert_true(u->out->back_data[0] == data);
}

/* --- what passes ---------------------------------------------------------- */

static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    assert_int_equal(u.out->tx_ready, 1);
    assert_int_equal(u.out->req_ready, 1);
    assert_int_equal(u.out->away_ready, 1);
    assert_int_equal(u.out->part_ready, 1);
    expect_no_down(&u);
    tx(&u, false, 3, 8, 0);
    u.out = golden_cycle(u.g, true, &u.in); /* forgets it */
    assert_int_equal(u.out->tx_ready, 1);
    edge(&u);
    expect_no_down(&u);
    close_unit(&u);
}

static void test_own(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.down_ready = 0;
    tx(&u, true, 3, 10, 0x1122334455667788);
    expect_no_down(&u);
    edge(&u);
    for (int i = 0; i < 3; i++) { /* until it is taken */
        expect_down(&u, true, 1, 0, 10, 3, 0x1122334455667788);
        assert_int_equal(u.out->tx_ready, 1);
        edge(&u);
    }
    u.in.down_ready = 1;
    edge(&u);
    expect_no_down(&u);
    answer(&u, 0, true, 77);
    expect_back(&u, 3, true, 77);
    assert_int_equal(u.out->rsp_valid, 0);
    edge(&u);
    assert_int_equal(u.out->back_valid, 0);
    assert_int_equal(u.out->back_data[0], 0);
    close_unit(&u);
}

/* A message has no slot, nor needs one, and keeps warp and register. */
static void test_message(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    for (uint64_t i = 0; i < LANES; i++) {
        tx(&u, false, i, 8 * i, 0);
        edge(&u);
        expect_down(&u, false, i, i, 8 * i, 0, 0);
        edge(&u);
    }
    u.in.tx_valid = u.in.tx_near = 1;
    u.in.tx_warp = 5;
    u.in.tx_reg = 9;
    u.in.tx_id = 2;
    u.in.tx_address = 13;
    edge(&u);
    u.in.tx_valid = 0;
    edge(&u);
    assert_int_equal(u.out->down_valid, 1);
    assert_int_equal(u.out->down_near, 1);
    assert_int_equal(u.out->down_warp, 5);
    assert_int_equal(u.out->down_reg, 9);
    assert_int_equal(u.out->down_id, 0);
    assert_int_equal(u.out->down_address, 13);
    close_unit(&u);
}

/* All slots used: a transaction waits; the slot is free for the edge after the
 * answer, and the lowest one is taken. */
static void test_slots(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    for (uint64_t i = 0; i < LANES; i++) {
        req(&u, 0, 40 + i, i, 0, 0);
        edge(&u);
        expect_down(&u, false, 0, i, 2 * i, 0, 0);
        edge(&u);
    }
    tx(&u, false, 1, 8, 0);
    edge(&u);
    expect_no_down(&u);
    answer(&u, 2, false, 5);
    expect_rsp(&u, 42, false, 5);
    assert_int_equal(u.out->back_valid, 0);
    expect_no_down(&u);
    edge(&u);
    expect_down(&u, false, 1, 2, 8, 0, 0);
    assert_int_equal(u.out->rsp_valid, 0);
    close_unit(&u);
}

/* --- other cores' requests ------------------------------------------------ */

static void test_direct(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    req(&u, 0, 33, 21, 0, 0x99); /* 5 sectors into the second chunk */
    edge(&u);
    expect_down(&u, false, 1, 0, 42, 0, 0);
    assert_int_equal(u.out->req_ready, 1);
    edge(&u);
    req(&u, 1, 34, 4, 0xf0, 0x1122334455667788);
    edge(&u);
    expect_down(&u, true, 1, 1, 8, 2, 0x1122334455667788);
    edge(&u);
    answer(&u, 1, false, 3);
    expect_rsp(&u, 34, false, 3);
    answer(&u, 0, true, 4);
    expect_rsp(&u, 33, true, 4);
    req(&u, 1, 35, 4, 0, 7); /* of no word */
    edge(&u);
    expect_down(&u, true, 1, 0, 8, 0, 7);
    close_unit(&u);
}

/* From the request taken to its store at down; slot 0 for both. */
static void change(struct unit *u, int op, uint64_t strobe, uint64_t data,
                   uint64_t was, uint64_t words, uint64_t becomes) {
    req(u, op, 21, 5, strobe, data);
    edge(u); /* it is chosen */
    expect_no_down(u);
    edge(u);
    expect_down(u, false, 1, 0, 10, 0, 0);
    edge(u);
    answer(u, 0, false, was);
    assert_int_equal(u->out->rsp_valid, 0);
    assert_int_equal(u->out->req_ready, 0);
    edge(u);
    expect_down(u, true, 1, 0, 10, words, becomes);
    edge(u);
    expect_no_down(u);
    assert_int_equal(u->out->req_ready, 0);
}

static void test_parts(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    change(&u, 1, 0x04, 0xaabbccddeeff0011, 0x1122334455667788, 1, 0x55ff7788);
    answer(&u, 0, false, 9);
    expect_rsp(&u, 21, false, 0);
    assert_int_equal(u.out->req_ready, 1);
    change(&u, 1, 0x8f, 0xaabbccddeeff0011, 0x1122334455667788, 3,
           0xaa223344eeff0011);
    answer(&u, 0, true, 9);
    expect_rsp(&u, 21, true, 0);
    close_unit(&u);
}

/* Each atomic on the upper word: 0x80000001 and 3. */
static void test_atomics(void **state) {
    static const uint64_t becomes[] = {
        [2] = 0x80000004, [3] = 0x80000001, [4] = 3,          [5] = 3,
        [6] = 0x80000001, [7] = 1,          [8] = 0x80000003, [9] = 0x80000002,
        [10] = 3,         [11] = 3};
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.req_compare = 0x80000001;
    for (int op = 2; op <= 11; op++) {
        change(&u, op, 0xf0, (uint64_t)3 << 32 | 0x55, 0x800000010000abcd, 2,
               becomes[op] << 32);
        answer(&u, 0, false, 0x1234);
        expect_rsp(&u, 21, false, (uint64_t)0x80000001 << 32);
    }
    u.in.req_compare = 0x80000000;
    change(&u, 11, 0xf0, (uint64_t)3 << 32, 0x800000010000abcd, 2,
           (uint64_t)0x80000001 << 32);
    answer(&u, 0, true, 0x1234);
    expect_rsp(&u, 21, true, 0);
    close_unit(&u);
}

/* A sector that is not there is not stored. */
static void test_fault(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    req(&u, 2, 21, 5, 15, 1);
    edge(&u);
    edge(&u);
    edge(&u);
    answer(&u, 0, true, 77);
    expect_rsp(&u, 21, true, 0);
    assert_int_equal(u.out->req_ready, 1);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        expect_no_down(&u);
    }
    close_unit(&u);
}

/* A change that is chosen with all slots used waits for one. */
static void test_change_slot(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    for (uint64_t i = 0; i < LANES; i++) {
        tx(&u, false, i, 8 * i, 0);
        edge(&u);
        edge(&u);
    }
    req(&u, 2, 21, 5, 15, 1);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        expect_no_down(&u);
    }
    u.in.hold_stores = 1; /* too late: it goes on */
    answer(&u, 3, false, 0);
    edge(&u);
    expect_down(&u, false, 1, 3, 10, 0, 0);
    close_unit(&u);
}

/* --- who goes ------------------------------------------------------------- */

/* Both at every chance, and each answered at once: in turn, the own core
 * first, one in two edges. */
static void test_turns(void **state) {
    struct unit u;
    int downs = 0;
    (void)state;
    open_unit(&u);
    u.in.tx_valid = 1;
    u.in.tx_address = 8;
    show_req(&u, 0, 21, 0, 0, 0);
    for (int i = 0; i < 20; i++) {
        bool goes = u.out->down_valid;
        uint64_t id = u.out->down_id;
        if (goes)
            assert_int_equal(u.out->down_address, downs++ % 2 ? 0 : 8);
        edge(&u);
        u.in.answer_valid = goes; /* taken on this edge */
        u.in.answer_id = id;
    }
    assert_int_equal(downs, 9);
    close_unit(&u);
}

/* With hold another core's loads go, and nothing else of it, until the store
 * that was taken with hold has gone down. */
static void test_held(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.hold_stores = 1;
    req(&u, 1, 21, 4, 15, 1);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        expect_no_down(&u);
    }
    u.in.down_ready = 0; /* the store in T waits behind its load */
    tx(&u, false, 1, 8, 0);
    edge(&u);
    expect_down(&u, false, 1, 0, 8, 0, 0);
    tx(&u, true, 2, 8, 5);
    u.in.hold_stores = 0;
    u.in.down_ready = 1;
    edge(&u);
    expect_no_down(&u);
    edge(&u); /* the turn is the other's, but T is held */
    expect_down(&u, true, 1, 1, 8, 3, 5);
    edge(&u);
    edge(&u);
    expect_down(&u, true, 1, 2, 8, 1, 1);
    close_unit(&u);
}

static void test_held_load_and_change(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.hold_stores = 1;
    req(&u, 0, 21, 4, 0, 0);
    edge(&u);
    expect_down(&u, false, 1, 0, 8, 0, 0);
    edge(&u);
    req(&u, 2, 22, 4, 15, 1);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        expect_no_down(&u);
    }
    u.in.hold_stores = 0;
    edge(&u);
    expect_no_down(&u);
    edge(&u);
    expect_down(&u, false, 1, 1, 8, 0, 0);
    close_unit(&u);
}

/* Nothing of the own core between load and store of a change; after the store
 * it goes at once, before the answer. */
static void test_between(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    req(&u, 2, 21, 4, 15, 1);
    edge(&u);
    tx(&u, true, 2, 8, 5); /* the change's load is at down after this edge */
    expect_down(&u, false, 1, 0, 8, 0, 0);
    for (int i = 0; i < 4; i++) {
        edge(&u);
        expect_no_down(&u);
    }
    answer(&u, 0, false, 6);
    expect_no_down(&u);
    edge(&u);
    expect_down(&u, true, 1, 0, 8, 1, 7);
    edge(&u);
    expect_no_down(&u);
    edge(&u);
    expect_down(&u, true, 1, 1, 8, 3, 5);
    assert_int_equal(u.out->req_ready, 0);
    close_unit(&u);
}

/* --- to other cores ------------------------------------------------------- */

static void away(struct unit *u, uint64_t id) {
    assert_int_equal(u->out->away_ready, 1);
    u->in.away_valid = 1;
    u->in.away_core = 2;
    u->in.away_store = 1;
    u->in.away_id = id;
    u->in.away_address = 21; /* the fifth of the second chunk */
    u->in.away_strobe = 2;
    u->in.away_data[0] = 0x1122334455667788;
    edge(u);
    u->in.away_valid = 0;
}

static void test_away(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.send_ready = 0;
    away(&u, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(u.out->send_valid, 1);
        assert_int_equal(u.out->send_op, 1);
        assert_int_equal(u.out->send_id, 3);
        assert_int_equal(u.out->send_address, (4 + 2) * 16 + 5);
        assert_int_equal(u.out->send_strobe, 0xf0);
        assert_int_equal(u.out->send_compare, 0);
        assert_true(u.out->send_data[0] == 0x1122334455667788);
        assert_int_equal(u.out->away_ready, 0);
        assert_int_equal(u.out->part_ready, 0);
        edge(&u);
    }
    u.in.send_ready = 1;
    edge(&u);
    assert_int_equal(u.out->send_valid, 0);
    assert_int_equal(u.out->send_address, 0);
    close_unit(&u);
}

static void test_part(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.part_valid = 1;
    u.in.part_op = 11;
    u.in.part_id = 2;
    u.in.part_address = 0x1abcdef;
    u.in.part_strobe = 0x0f;
    u.in.part_data[0] = 5;
    u.in.part_compare = 6;
    edge(&u);
    assert_int_equal(u.out->send_valid, 1);
    assert_int_equal(u.out->send_op, 11);
    assert_int_equal(u.out->send_id, 2);
    assert_int_equal(u.out->send_address, 0x1abcdef);
    assert_int_equal(u.out->send_strobe, 0x0f);
    assert_int_equal(u.out->send_data[0], 5);
    assert_int_equal(u.out->send_compare, 6);
    close_unit(&u);
}

static void got(struct unit *u, uint64_t id, uint64_t data) {
    u->in.got_valid = 1;
    u->in.got_id = id;
    u->in.got_data[0] = data;
    edge(u);
    u->in.got_valid = 0;
}

/* As many as there are places; one more when an answer is shown. */
static void test_places(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    for (uint64_t i = 0; i < PLACES; i++) {
        away(&u, i);
        edge(&u);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(u.out->send_valid, 0);
        assert_int_equal(u.out->away_ready, 0);
        assert_int_equal(u.out->part_ready, 0);
        edge(&u);
    }
    got(&u, 1, 8);
    assert_int_equal(u.out->back_valid, 0);
    edge(&u);
    assert_int_equal(u.out->back_valid, 0);
    assert_int_equal(u.out->away_ready, 0);
    edge(&u);
    expect_back(&u, 1, false, 8);
    assert_int_equal(u.out->away_ready, 1);
    edge(&u);
    assert_int_equal(u.out->back_valid, 0);
    close_unit(&u);
}

/* Answers of the own banks go before those of other cores. */
static void test_back(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    tx(&u, false, 0, 8, 0);
    edge(&u);
    edge(&u);
    away(&u, 1);
    edge(&u);
    away(&u, 2);
    edge(&u);
    got(&u, 2, 8);
    got(&u, 1, 9);
    answer(&u, 0, false, 5);
    expect_back(&u, 0, false, 5);
    edge(&u);
    expect_back(&u, 2, false, 8);
    edge(&u);
    expect_back(&u, 1, false, 9);
    edge(&u);
    assert_int_equal(u.out->back_valid, 0);
    close_unit(&u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_own),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_slots),
        cmocka_unit_test(test_direct),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_change_slot),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_held),
        cmocka_unit_test(test_held_load_and_change),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_away),
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

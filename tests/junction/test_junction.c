/* test_junction.c - the golden model of a network interface for two users:
 * whose a packet is by the records of both, turns and pauses by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/diag.h"
#include "blocks/gate.h"
#include "blocks/junction.h"
#include "blocks/remote.h"
#include "iface/design.h"
#include "junction/junction.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct junction_in in;
    const struct junction_out *out;
};

static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    u->g = golden_create(&junction_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.send_req_ready = u->in.send_ans_ready = 1;
    u->in.chain_asked_ready = u->in.share_asked_ready = 1;
    u->in.chain_replied_ready = u->in.share_replied_ready = 1;
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

/* --- whose a packet is ---------------------------------------------------- */

/* Every kind that a gate sends is of chains, that of shared memory is no
 * gate's.
 */
static void test_kinds(void **state) {
    static const uint64_t kinds[] = {GATE_LOAD,   GATE_BRING, GATE_STORE,
                                     GATE_RESULT, GATE_BITS,  GATE_BACK};
    struct config c;
    (void)state;
    config_defaults(&c);
    uint64_t shared = (uint64_t)remote_local(&c).SHARED_KIND;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_true(kinds[i] < shared);
    assert_true(shared < 8);
    assert_int_equal(junction_local(&c).SHARED_MARK, 2 * shared);
}

/* The first flit of a packet decides, those behind it may look like anything.
 */
static void test_ways(void **state) {
    (void)state;
    for (uint64_t low = 0; low < 16; low++) {
        struct unit u;
        bool share = low == 14;
        open_unit(&u);
        u.in.take_req_valid = 1;
        u.in.take_req_data[0] = low | 0xabc0;
        edge(&u);
        u.in.take_req_data[0] = ~low;
        u.in.take_req_last = 1;
        edge(&u);
        u.in.take_req_valid = 0;
        assert_int_equal(u.out->share_asked_valid, share);
        assert_int_equal(u.out->chain_asked_valid, !share);
        assert_int_equal(share ? u.out->share_asked_data[0]
                               : u.out->chain_asked_data[0],
                         low | 0xabc0);
        assert_int_equal(
            share ? u.out->chain_asked_data[0] : u.out->share_asked_data[0], 0);
        edge(&u);
        assert_int_equal(u.out->share_asked_valid, share);
        assert_int_equal(u.out->chain_asked_valid, !share);
        assert_int_equal(
            share ? u.out->share_asked_last : u.out->chain_asked_last, 1);
        assert_false(u.out->share_replied_valid || u.out->chain_replied_valid);
        edge(&u);
        assert_false(u.out->share_asked_valid || u.out->chain_asked_valid);
        golden_free(u.g);
    }
}

/* --- turns ---------------------------------------------------------------- */

/* Packets of two flits of both, from column 1 and 2, one after the other. */
static void test_turns(void **state) {
    struct unit u;
    int at[2] = {0, 0}, n = 0;
    (void)state;
    open_unit(&u);
    u.in.chain_reply_valid = u.in.share_reply_valid = 1;
    u.in.chain_reply_x = 1;
    u.in.share_reply_x = 2;
    for (int i = 0; i < 40; i++) {
        bool chain = u.out->chain_reply_ready, share = u.out->share_reply_ready;
        u.in.chain_reply_last = (uint64_t)at[0] & 1;
        u.in.share_reply_last = (uint64_t)at[1] & 1;
        edge(&u);
        at[0] += chain;
        at[1] += share;
        if (i > 0) {
            assert_true(u.out->send_ans_valid);
            assert_int_equal(u.out->send_ans_x, n / 2 % 2 + 1);
            assert_int_equal(u.out->send_ans_last, n % 2);
            n++;
        }
        assert_false(u.out->send_req_valid);
    }
    assert_int_equal(at[0], 20);
    assert_int_equal(at[1], 20);
    golden_free(u.g);
}

/* A packet that pauses keeps its turn; without one a turn costs an edge. */
static void test_pause(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.share_ask_valid = u.in.share_ask_last = 1;
    assert_false(u.out->share_ask_ready);
    edge(&u);
    assert_true(u.out->share_ask_ready);
    edge(&u);
    u.in.share_ask_valid = 0;
    u.in.chain_ask_valid = 1;
    edge(&u);
    assert_true(u.out->chain_ask_ready);
    edge(&u); /* the first flit of a packet of chains */
    u.in.chain_ask_valid = 0;
    u.in.share_ask_valid = 1;
    for (int i = 0; i < 9; i++) {
        edge(&u);
        assert_false(u.out->share_ask_ready);
        assert_true(u.out->chain_ask_ready);
    }
    u.in.chain_ask_valid = u.in.chain_ask_last = 1;
    edge(&u);
    assert_true(u.out->share_ask_ready);
    golden_free(u.g);
}

/* Requests that nobody takes do not keep answers. */
static void test_classes(void **state) {
    struct unit u;
    int sent = 0;
    (void)state;
    open_unit(&u);
    u.in.send_req_ready = 0;
    u.in.chain_ask_valid = u.in.chain_ask_last = 1;
    u.in.chain_reply_valid = u.in.chain_reply_last = 1;
    for (int i = 0; i < 30; i++) {
        edge(&u);
        sent += u.out->send_ans_valid;
    }
    assert_int_equal(sent, 29);
    assert_true(u.out->send_req_valid);
    assert_false(u.out->chain_ask_ready);
    golden_free(u.g);
}

/* A reset forgets a packet that was begun, each way. */
static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.share_ask_valid = 1;
    u.in.take_req_valid = 1;
    u.in.take_req_data[0] = 14;
    for (int i = 0; i < 3; i++)
        edge(&u);
    assert_true(u.out->share_asked_valid);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_false(u.out->share_asked_valid || u.out->send_req_valid);
    assert_true(u.out->chain_ask_ready);
    assert_false(u.out->share_ask_ready);
    u.in.share_ask_valid = 0;
    u.in.take_req_data[0] = 2;
    edge(&u);
    edge(&u);
    assert_true(u.out->chain_asked_valid);
    assert_false(u.out->share_asked_valid);
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),   cmocka_unit_test(test_ways),
        cmocka_unit_test(test_turns),   cmocka_unit_test(test_pause),
        cmocka_unit_test(test_classes), cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_nda_launch.c - the launch unit's golden model by itself: how operations
 * are cut, to whom the parts go, and which ends are waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/nda_launch.h"
#include "nda_launch/nda_launch.h"

#include <string.h>

struct rig {
    struct config c;
    struct nda_launch_local l;
    struct golden *g;
    struct nda_launch_in in;
    const struct nda_launch_out *out;
};

static void start(struct rig *r) {
    memset(r, 0, sizeof *r);
    config_defaults(&r->c);
    r->l = nda_launch_local(&r->c);
    r->g = golden_create(&nda_launch_golden, &r->c);
    r->out = golden_cycle(r->g, true, NULL);
}

static void edge(struct rig *r) {
    r->out = golden_cycle(r->g, false, &r->in);
}

static void operand(struct rig *r, int k, uint64_t base, uint64_t last) {
    int w = r->l.SPOT_W;
    bits_or(r->in.op_base, k * w, w, base);
    bits_or(r->in.op_last, k * w, w, last);
}

/* An operation of all ranks; the edge that takes it has been. */
static void launch(struct rig *r, int op, uint64_t length, uint64_t grain,
                   bool blocking) {
    r->in.op_valid = 1;
    r->in.op_op = (uint64_t)op;
    r->in.op_ranks = ones(r->l.RANKS);
    r->in.op_length = length;
    r->in.op_grain = grain;
    r->in.op_blocking = blocking;
    r->in.op_tag = 7;
    assert_true(r->out->op_ready);
    edge(r);
    r->in.op_valid = 0;
}

/* The next packet is this, and it is taken. */
static void expect(struct rig *r, uint64_t rank, uint64_t length, uint64_t x,
                   uint64_t y, bool final) {
    int w = r->l.SPOT_W;
    r->in.packet_ready = 1;
    for (int i = 0; !r->out->packet_valid; i++) {
        assert_true(i < 4);
        edge(r);
    }
    assert_int_equal(r->out->packet_rank, rank);
    assert_int_equal(r->out->packet_length, length);
    assert_int_equal(bits_get(r->out->packet_base, 0, w), x);
    assert_int_equal(bits_get(r->out->packet_base, w, w), y);
    assert_int_equal(r->out->packet_final, final);
    assert_int_equal(r->out->packet_tag, 7);
    edge(r);
}

static void end(struct rig *r, uint64_t rank, uint32_t value) {
    r->in.packet_ready = 0;
    r->in.ended_valid = 1;
    r->in.ended_rank = rank;
    r->in.ended_tag = 7;
    r->in.ended_value = value;
    r->in.done_ready = 1;
    while (!r->out->ended_ready)
        edge(r);
    edge(r);
    r->in.ended_valid = 0;
    assert_true(r->out->done_valid);
    assert_int_equal(r->out->done_rank, rank);
    assert_int_equal(r->out->done_value, value);
    edge(r);
    assert_false(r->out->done_valid);
}

/* Five bursts in parts of two: three parts, to both ranks in turn; a third
 * packet of a rank waits for the end of its first. */
static void test_parts(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    operand(&r, 0, 100, 104);
    operand(&r, 1, 200, 204);
    launch(&r, 3, 5, 2, false);
    expect(&r, 0, 2, 100, 200, false);
    expect(&r, 1, 2, 100, 200, false);
    expect(&r, 0, 2, 102, 202, false);
    expect(&r, 1, 2, 102, 202, false);
    for (int i = 0; i < 10; i++) {
        assert_false(r.out->packet_valid);
        edge(&r);
    }
    assert_int_equal(r.out->busy, 3);
    end(&r, 1, 0);
    assert_false(r.out->packet_valid); /* it is rank 0's turn */
    end(&r, 0, 0);
    expect(&r, 0, 1, 104, 204, true);
    expect(&r, 1, 1, 104, 204, true);
    assert_true(r.out->op_ready);
    golden_free(r.g);
}

/* Two rows of three bursts in parts of two: of each row a part of two and one
 * of one, the vector from its begin with each. */
static void test_gemv(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    operand(&r, 0, 10, 12);
    operand(&r, 1, 500, 500);
    operand(&r, 2, 80, 85);
    r.in.op_rows = 2;
    launch(&r, 8, 3, 2, false);
    r.in.done_ready = 1;
    for (uint64_t row = 0; row < 2; row++)
        for (uint64_t at = 0; at < 3; at += 2)
            for (uint64_t rank = 0; rank < 2; rank++) {
                expect(&r, rank, at ? 1 : 2, 10 + at, 80 + 3 * row + at,
                       row == 1 && at);
                if (rank == 1) {
                    end(&r, 0, 0x3f800000);
                    end(&r, 1, 0x40000000);
                }
            }
    assert_int_equal(r.out->busy, 0);
    golden_free(r.g);
}

/* The next operation is not taken before both ranks have ended. */
static void test_blocking(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    launch(&r, 7, 4, 0, true);
    expect(&r, 0, 4, 0, 0, true);
    expect(&r, 1, 4, 0, 0, true);
    end(&r, 1, 0);
    assert_false(r.out->op_ready);
    end(&r, 0, 0);
    edge(&r);
    assert_true(r.out->op_ready);
    golden_free(r.g);
}

/* An operand that goes beyond all addresses: its second part is refused. */
static void test_carry(void **state) {
    (void)state;
    struct rig r;
    start(&r);
    uint64_t all = ones(r.l.SPOT_W);
    operand(&r, 0, all - 1, all);
    operand(&r, 1, 0, all);
    launch(&r, 3, 4, 2, false);
    expect(&r, 0, 2, all - 1, 0, false);
    expect(&r, 1, 2, all - 1, 0, false);
    expect(&r, 0, 2, all, 2, true);
    assert_int_equal(bits_get(r.out->packet_last, 0, r.l.SPOT_W), 0);
    golden_free(r.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_gemv),
        cmocka_unit_test(test_blocking),
        cmocka_unit_test(test_carry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

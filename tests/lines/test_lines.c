/* test_lines.c - the golden model of operands of chains as sectors of a memory:
 * sectors, strobes and beats by hand, places at their bound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/lines.h"
#include "lines/lines.h"

#include <string.h>

enum { PLACES = 3 };

struct unit {
    struct golden *g;
    struct lines_local l;
    struct lines_in in;
    const struct lines_out *out;
};

/* Operands of eight lanes in beats of two, sectors of 16 bytes, chunks of 64 at
 * four homes: sectors 0 to 3 are of home 0, 16 to 19 its second chunk. */
static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    c.omni_lanes = 8;
    c.share_nodes = 4;
    c.share_chunk = 64;
    c.share_sector = 16;
    c.share_id_bits = 2;
    c.lines_alus = 2;
    c.lines_places = PLACES;
    u->l = lines_local(&c);
    u->g = golden_create(&lines_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
    u->in.req_ready = u->in.bring_ready = 1;
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void load(struct unit *u, uint64_t address, int type, uint64_t mask) {
    u->in.want_valid = u->in.want_last = 1;
    u->in.want_store = 0;
    u->in.want_address = address;
    u->in.want_type = (uint64_t)type;
    u->in.want_mask = mask;
    edge(u);
    u->in.want_valid = 0;
}

static void answer(struct unit *u, uint64_t low, uint64_t high, bool fault) {
    u->in.rsp_valid = 1;
    u->in.rsp_id = (uint64_t)1 << u->l.TAG_W;
    u->in.rsp_data[0] = low;
    u->in.rsp_data[1] = high;
    u->in.rsp_fault = fault;
    edge(u);
    u->in.rsp_valid = 0;
}

/* Until something is at req; false after some edges without. */
static bool asks(struct unit *u) {
    for (int i = 0; i < 12; i++) {
        edge(u);
        if (u->out->req_valid)
            return true;
    }
    return false;
}

static bool brings(struct unit *u) {
    for (int i = 0; i < 12; i++) {
        edge(u);
        if (u->out->bring_valid)
            return true;
    }
    return false;
}

/* Eight words from byte 256 on are the first two sectors of the second chunk of
 * home 0, four beats. */
static void test_load(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, 256, LINES_F32, 0xff);
    edge(&u);
    assert_false(u.out->req_valid);
    assert_true(asks(&u));
    assert_int_equal(u.out->req_op, 0);
    assert_int_equal(u.out->req_address, 4);
    assert_int_equal(u.out->req_strobe, 0);
    assert_int_equal(u.out->req_id, 1 << u.l.TAG_W);
    assert_true(asks(&u));
    assert_int_equal(u.out->req_address, 5);
    assert_false(asks(&u));
    for (uint64_t i = 0; i < 2; i++)
        answer(&u, 0x1111111100000000 + i, 0x3333333322222222 + i, false);
    assert_true(u.out->bring_valid || brings(&u));
    for (int i = 0; i < 4; i++, edge(&u)) {
        assert_true(u.out->bring_valid);
        assert_int_equal(bits_lane(u.out->bring_data, 0),
                         (i % 2 ? 0x22222222 : 0) + i / 2);
        assert_int_equal(bits_lane(u.out->bring_data, 1),
                         i % 2 ? 0x33333333 : 0x11111111);
        assert_int_equal(u.out->bring_last, i == 3);
    }
    assert_false(u.out->bring_valid);
    golden_free(u.g);
}

/* Half words from byte 12 on: lanes 0 and 1 in a sector, six in the next; only
 * lanes 1 and 7 take part.  A lane is as wide as it is. */
static void test_split(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, 12, LINES_S16, 0x82);
    assert_true(asks(&u));
    assert_int_equal(u.out->req_address, 0);
    assert_true(asks(&u));
    assert_int_equal(u.out->req_address, 1);
    answer(&u, 0, 0xbbbbaaaa00000000, false);
    answer(&u, 0x7777666655554444, 0xffffeeeeddddcccc, false);
    for (int i = 0; i < 4; i++) {
        assert_true(u.out->bring_valid || brings(&u));
        uint64_t want = i == 0   ? (uint64_t)0xbbbb << 32
                        : i == 3 ? (uint64_t)0xdddd << 32
                                 : 0;
        assert_true(u.out->bring_data[0] == want);
        assert_int_equal(u.out->bring_last, i == 3);
        edge(&u);
    }
    golden_free(u.g);
}

/* Sectors without lanes are not asked for, an operand without lanes none. */
static void test_skipped(void **state) {
    struct unit u;
    int beats = 0;
    (void)state;
    open_unit(&u);
    u.in.bring_ready = 0;
    load(&u, 64, LINES_U32, 0x20); /* home 1: the same sectors there */
    assert_true(asks(&u));
    assert_int_equal(u.out->req_address, 1);
    assert_false(asks(&u));
    answer(&u, 0x9999999900000000, 0, false);
    u.in.bring_ready = 1;
    for (int i = 0; i < 12; i++, edge(&u))
        if (u.out->bring_valid)
            assert_true(u.out->bring_data[0] ==
                        (++beats == 3 ? 0x9999999900000000 : (uint64_t)0));
    load(&u, 64, LINES_U32, 0);
    for (int i = 0; i < 12; i++) {
        edge(&u);
        assert_false(u.out->req_valid);
        beats += (int)u.out->bring_valid;
    }
    assert_int_equal(beats, 8);
    golden_free(u.g);
}

/* Bytes from 3 on: a sector, eight strobes in a row, without those of lane 2;
 * over when the memory has answered. */
static void test_store(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    u.in.want_valid = u.in.want_store = 1;
    u.in.want_address = 3;
    u.in.want_type = LINES_U8;
    u.in.want_mask = 0xfb;
    for (int i = 0; i < 4; i++) {
        u.in.want_last = i == 3;
        u.in.want_data[0] =
            (uint64_t)(0xabcdef10 + 2 * i) | (uint64_t)(0x11 + 2 * i) << 32;
        while (!u.out->want_ready)
            edge(&u);
        edge(&u);
    }
    u.in.want_valid = 0;
    assert_true(u.out->req_valid || asks(&u));
    assert_int_equal(u.out->req_op, 1);
    assert_int_equal(u.out->req_address, 0);
    assert_int_equal(u.out->req_strobe, 0xfb << 3);
    assert_true(u.out->req_data[0] == 0x1413001110000000);
    assert_true(u.out->req_data[1] == 0x171615);
    assert_false(brings(&u));
    answer(&u, 5, 6, false);
    assert_true(brings(&u));
    assert_true(u.out->bring_last);
    assert_int_equal(u.out->bring_data[0], 0);
    golden_free(u.g);
}

/* What is not there is zero, and is told; an address of more than 32 bits is of
 * no node. */
static void test_faults(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, (uint64_t)5 << 33, LINES_F32, 1);
    assert_true(asks(&u));
    assert_int_equal(u.out->req_address, (uint64_t)3 << 26);
    assert_false(u.out->count_fault);
    answer(&u, 77, 77, true);
    assert_true(u.out->count_fault);
    assert_false(u.out->back_valid);
    for (int i = 0; i < 4; i++) {
        assert_true(brings(&u));
        assert_int_equal(u.out->bring_data[0], 0);
    }
    assert_false(u.out->count_fault);
    golden_free(u.g);
}

/* Sectors stop when all places are used; shared memory goes on, and its answers
 * with it. */
static void test_places(void **state) {
    struct unit u;
    int lines = 0, homes = 0;
    (void)state;
    open_unit(&u);
    u.in.bring_ready = 0;
    u.in.home_valid = 1;
    u.in.home_op = 11;
    u.in.home_id = 5;
    u.in.home_address = 9;
    u.in.home_compare = 0x1234;
    for (int i = 0; i < 60; i++) {
        u.in.want_valid = u.in.want_last = 1;
        u.in.want_mask = 0xff;
        edge(&u);
        if (!u.out->req_valid)
            continue;
        if (u.out->req_id >> u.l.TAG_W) {
            lines++;
            continue;
        }
        homes++;
        assert_int_equal(u.out->req_id, 5);
        assert_int_equal(u.out->req_compare, 0x1234);
        assert_int_equal(u.out->req_address, 9);
    }
    assert_int_equal(lines, PLACES);
    assert_in_range(homes, 50, 60);
    u.in.rsp_valid = 1;
    u.in.rsp_id = 5;
    u.in.rsp_data[1] = 42;
    u.in.rsp_fault = 1;
    edge(&u);
    assert_true(u.out->back_valid);
    assert_int_equal(u.out->back_id, 5);
    assert_int_equal(u.out->back_data[1], 42);
    assert_true(u.out->back_fault);
    assert_false(u.out->count_fault);
    golden_free(u.g);
}

/* A reset in the midst of an operand leaves nothing of it. */
static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    load(&u, 8, LINES_U32, 0xff);
    assert_true(asks(&u));
    answer(&u, UINT64_MAX, UINT64_MAX, false);
    edge(&u);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_false(u.out->req_valid || u.out->bring_valid || u.out->back_valid);
    load(&u, 0, LINES_U32, 1);
    assert_true(asks(&u));
    assert_int_equal(u.out->req_address, 0);
    assert_false(asks(&u));
    answer(&u, 3, 0, false);
    assert_true(brings(&u));
    assert_int_equal(u.out->bring_data[0], 3);
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),    cmocka_unit_test(test_split),
        cmocka_unit_test(test_skipped), cmocka_unit_test(test_store),
        cmocka_unit_test(test_faults),  cmocka_unit_test(test_places),
        cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_squeue.c - the golden model of the service queue, edge by edge as
 * docs/blocks/squeue.md has it: the paper's scenarios by name, and what lanes
 * compute at the corners.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/squeue.h"
#include "kit/compute.h"
#include "squeue/lanes.h"
#include "squeue/squeue.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct squeue_local l;
    struct compute_size layout;
    struct squeue_in in;
    const struct squeue_out *out;
    int edges;
};

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
    u->edges++;
}

static void open_unit(struct unit *u, int places) {
    struct config c;
    config_defaults(&c);
    c.squeue_places = places;
    memset(u, 0, sizeof *u);
    u->l = squeue_local(&c);
    u->layout = (struct compute_size)COMPUTE_SIZE(u->l);
    u->g = golden_create(&squeue_golden, &c);
    u->in.load_ready = u->in.fetch_ready = u->in.store_ready = u->in.ans_ready =
        1;
    u->out = golden_cycle(u->g, true, &u->in);
}

static void close_unit(struct unit *u) {
    golden_free(u->g);
}

/* c = f(a, b) on integers, or as fields say; all of its flits. */
static struct compute chain(int pattern, uint64_t f, uint64_t type) {
    struct compute c = {0};
    c.field[COMPUTE_PATTERN] = (uint64_t)pattern;
    c.field[COMPUTE_F] = f;
    c.field[COMPUTE_G] = SQUEUE_MUL;
    c.field[COMPUTE_TYPE] = type;
    c.field[COMPUTE_CORE] = 17;
    c.field[COMPUTE_ENTRY] = 9;
    c.field[COMPUTE_IMM] = 3;
    c.field[COMPUTE_A] = 0x1000;
    c.field[COMPUTE_B] = 0x2000;
    c.field[COMPUTE_C] = 0x3000;
    c.field[COMPUTE_MASK] = UINT64_MAX;
    return c;
}

static void come(struct unit *u, struct compute c) {
    struct compute_flits f;
    compute_strip(&u->layout, &c);
    compute_lay(&u->layout, &c, &f);
    u->in.come_valid = 1;
    for (; f.at < f.n; f.at++) {
        assert_int_equal(u->out->come_ready, 1);
        u->in.come_last = f.at + 1 == f.n;
        compute_flit(&u->layout, &f, u->in.come_data);
        edge(u);
    }
    u->in.come_valid = 0;
    assert_int_equal(u->out->load_valid, 0);
}

static void mark(struct unit *u, uint64_t place, bool second) {
    u->in.mark_valid = 1;
    u->in.mark_place = place;
    u->in.mark_second = second;
    edge(u);
    u->in.mark_valid = 0;
}

/* All lanes of an operand are the same. */
static void operand(struct unit *u, uint32_t word) {
    u->in.data_valid = 1;
    for (int i = 0; i < u->l.ALUS; i++)
        bits_set_lane(u->in.data_data, i, word);
    for (int i = 0; i < u->l.BEATS; i++)
        edge(u);
    u->in.data_valid = 0;
}

/* From its marks to all operands, of a chain of two loads in place 0. */
static void feed(struct unit *u, uint32_t first, uint32_t second) {
    mark(u, 0, true);
    mark(u, 0, false);
    edge(u);
    assert_int_equal(u->out->fetch_valid, 0);
    edge(u); /* the queue of ready places has shown it */
    assert_int_equal(u->out->fetch_valid, 1);
    assert_int_equal(u->out->fetch_second, 0);
    assert_int_equal(u->out->fetch_address, 0x1000);
    edge(u);
    assert_int_equal(u->out->fetch_second, 1);
    edge(u);
    assert_int_equal(u->out->fetch_valid, 0);
    operand(u, first);
    operand(u, second);
}

static int until_store(struct unit *u) {
    int edges = 0;
    while (!u->out->store_valid && !u->out->ans_valid && edges < 100) {
        edge(u);
        edges++;
    }
    return edges;
}

/* --- scenarios ------------------------------------------------------------ */

static void test_computes(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 96);
    come(&u, chain(1, SQUEUE_SUB, SQUEUE_S32));
    edge(&u);
    assert_int_equal(u.out->load_valid, 1);
    assert_int_equal(u.out->load_away, 0);
    assert_int_equal(u.out->load_place, 0);
    assert_int_equal(u.out->load_second, 0);
    assert_int_equal(u.out->load_address, 0x1000);
    edge(&u);
    assert_int_equal(u.out->load_second, 1);
    assert_int_equal(u.out->load_address, 0x2000);
    assert_int_equal(u.out->come_ready, 1);
    feed(&u, 50, 8);
    assert_int_equal(until_store(&u), 10 + u.l.BEATS);
    for (int i = 0; i < u.l.BEATS; i++) {
        assert_int_equal(u.out->store_valid, 1);
        assert_int_equal(u.out->store_address, 0x3000);
        assert_int_equal(u.out->store_mask, ones(u.l.ALUS));
        assert_int_equal(u.out->store_last, i + 1 == u.l.BEATS);
        for (int k = 0; k < u.l.ALUS; k++)
            assert_int_equal(bits_lane(u.out->store_data, k), 42);
        assert_int_equal(u.out->ans_valid, 0);
        edge(&u);
    }
    assert_int_equal(u.out->store_valid, 0);
    assert_int_equal(u.out->ans_valid, 1);
    assert_int_equal(u.out->ans_last, 1);
    assert_int_equal(u.out->ans_core, 17);
    assert_int_equal(u.out->ans_entry, 9);
    assert_int_equal(u.out->ans_kind, SQUEUE_ACK);
    edge(&u);
    assert_int_equal(u.out->ans_valid, 0);
    close_unit(&u);
}

/* f(b's operand, g(first load, i)): 8 - 50 * 3; data comes back.  A beat of f
 * leaves when that of g, eight edges before it, has been computed. */
static void test_two_operations(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 96);
    come(&u, chain(8, SQUEUE_SUB, SQUEUE_S32));
    edge(&u);
    edge(&u);
    feed(&u, 50, 8);
    assert_int_equal(until_store(&u), 10 + u.l.BEATS + 8);
    for (int i = 0; i < u.l.BEATS; i++) {
        assert_int_equal(u.out->ans_valid, 1);
        assert_int_equal(u.out->ans_kind, SQUEUE_DATA);
        assert_int_equal(u.out->ans_last, i + 1 == u.l.BEATS);
        assert_int_equal((int32_t)bits_lane(u.out->ans_data, 0), -142);
        edge(&u);
    }
    close_unit(&u);
}

static void test_diverged_lanes(void **state) {
    struct unit u;
    struct compute c = chain(5, SQUEUE_LT, SQUEUE_S8);
    (void)state;
    open_unit(&u, 96);
    c.field[COMPUTE_MASK] = 0xf00f0ff1;
    come(&u, c);
    edge(&u);
    assert_int_equal(u.out->load_mask, 0xf00f0ff1);
    edge(&u);
    feed(&u, 0xdead00ff, 0x11111100); /* -1 < 0, whatever is above */
    until_store(&u);
    assert_int_equal(u.out->ans_kind, SQUEUE_BITMAP);
    assert_int_equal(u.out->ans_bits, 0xf00f0ff1);
    assert_int_equal(u.out->ans_last, 1);
    close_unit(&u);
}

/* No place: both loads go to the core that offloaded them. */
static void test_full_far_queue(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 2);
    for (int i = 0; i < 3; i++) {
        come(&u, chain(1, SQUEUE_ADD, SQUEUE_F32));
        for (int second = 0; second < 2; second++) {
            edge(&u);
            assert_int_equal(u.out->load_valid, 1);
            assert_int_equal(u.out->load_second, second);
            assert_int_equal(u.out->load_away, i == 2);
            assert_int_equal(u.out->load_place, i == 2 ? 0 : i);
            assert_int_equal(u.out->load_core, i == 2 ? 17 : 0);
            assert_int_equal(u.out->load_entry, i == 2 ? 9 : 0);
        }
    }
    close_unit(&u);
}

static void test_no_divider(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 2);
    come(&u, chain(7, SQUEUE_DIV, SQUEUE_F32));
    edge(&u);
    assert_int_equal(u.out->load_valid, 1);
    assert_int_equal(u.out->load_away, 1);
    edge(&u);
    assert_int_equal(u.out->load_valid, 0); /* it has one load */
    come(&u, chain(7, SQUEUE_MUL, SQUEUE_F32));
    edge(&u);
    assert_int_equal(u.out->load_away, 0);
    close_unit(&u);
}

static void test_busy_core(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u, 96);
    come(&u, chain(2, SQUEUE_ADD, SQUEUE_U32));
    edge(&u);
    edge(&u);
    u.in.core_busy = 1;
    feed(&u, 1, 2);
    for (int i = 0; i < 50; i++) {
        edge(&u);
        assert_int_equal(u.out->ans_valid, 0);
    }
    u.in.core_busy = 0;
    assert_int_equal(until_store(&u), 8 + u.l.BEATS);
    close_unit(&u);
}

/* --- lanes ---------------------------------------------------------------- */

static void test_lanes(void **state) {
    static const struct {
        uint64_t op, type;
        uint32_t x, y, value;
    } cases[] = {
        {SQUEUE_ADD, SQUEUE_F32, 0x3f800000, 0x40000000, 0x40400000},
        {SQUEUE_SUB, SQUEUE_F32, 0x7f800000, 0x7f800000, 0x7fffffff},
        {SQUEUE_MUL, SQUEUE_F32, 0x00800000, 0x3f000000, 0x00400000},
        {SQUEUE_MIN, SQUEUE_F32, 0, 0x80000000, 0x80000000},
        {SQUEUE_MAX, SQUEUE_F32, 0x80000000, 0, 0},
        {SQUEUE_MIN, SQUEUE_F32, 0x7fc00000, 0x3f800000, 0x3f800000},
        {SQUEUE_MAX, SQUEUE_F32, 0x7fc00000, 0xffc00000, 0x7fffffff},
        {SQUEUE_NEG, SQUEUE_F32, 0, 0, 0x80000000},
        {SQUEUE_NEG, SQUEUE_S32, 1, 0, 0xffffffff},
        {SQUEUE_ABS, SQUEUE_S32, 0x80000000, 0, 0x80000000},
        {SQUEUE_ABS, SQUEUE_S32, 0xfffffffb, 0, 5},
        {SQUEUE_ABS, SQUEUE_U32, 0xfffffffb, 0, 0xfffffffb},
        {SQUEUE_MUL, SQUEUE_U32, 0x10001, 0x10001, 0x20001},
        {SQUEUE_MIN, SQUEUE_S32, 0xffffffff, 1, 0xffffffff},
        {SQUEUE_MIN, SQUEUE_U32, 0xffffffff, 1, 1},
        {SQUEUE_SHL, SQUEUE_U32, 1, 31, 0x80000000},
        {SQUEUE_SHL, SQUEUE_U32, 1, 32, 0},
        {SQUEUE_SHR, SQUEUE_S32, 0x80000000, 40, 0xffffffff},
        {SQUEUE_SHR, SQUEUE_U32, 0x80000000, 31, 1},
        {SQUEUE_NOT, SQUEUE_U32, 0x0ff0, 7, 0xfffff00f},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            lanes_value(cases[i].op, cases[i].type, cases[i].x, cases[i].y),
            cases[i].value);
    /* (1 + 2^-12)^2 - 1 - 2^-11: rounded once it is 2^-24, twice 0 */
    assert_int_equal(
        lanes_fused(SQUEUE_F32, 0x3f800800, 0x3f800800, 0xbf801000),
        0x33800000);
    assert_int_equal(lanes_fused(SQUEUE_S32, 5, 6, 0xffffffff), 29);
    assert_true(lanes_truth(SQUEUE_NEU, SQUEUE_F32, 0x7fc00000, 0));
    assert_false(lanes_truth(SQUEUE_NE, SQUEUE_F32, 0x7fc00000, 0));
    assert_true(lanes_truth(SQUEUE_EQ, SQUEUE_F32, 0, 0x80000000));
    assert_true(lanes_truth(SQUEUE_NUM, SQUEUE_U32, 0x7fc00000, 0));
    assert_true(lanes_truth(SQUEUE_LT, SQUEUE_S16, UINT32_MAX, 0));
    assert_false(lanes_truth(SQUEUE_LT, SQUEUE_U32, UINT32_MAX, 0));
    assert_int_equal(lanes_widen(SQUEUE_S8, 0x1234f1), 0xfffffff1);
    assert_int_equal(lanes_widen(SQUEUE_U16, 0x12348765), 0x8765);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_computes),
        cmocka_unit_test(test_two_operations),
        cmocka_unit_test(test_diverged_lanes),
        cmocka_unit_test(test_full_far_queue),
        cmocka_unit_test(test_no_divider),
        cmocka_unit_test(test_busy_core),
        cmocka_unit_test(test_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

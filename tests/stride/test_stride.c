/* test_stride.c - the golden model of a per-warp stride prefetcher, load by
 * load. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/stride.h"
#include "stride/stride.h"

#include <string.h>

enum { LINE = 32, RUNNING = 1 };

struct bench {
    struct golden *g;
    struct stride_in in;
    struct stride_out out;
};

static void edge(struct bench *b) {
    b->out = *(const struct stride_out *)golden_cycle(b->g, false, &b->in);
}

static void open_bench(struct bench *b) {
    struct config c;
    memset(b, 0, sizeof *b);
    config_defaults(&c);
    b->g = golden_create(&stride_golden, &c);
    b->out = *(const struct stride_out *)golden_cycle(b->g, true, NULL);
    b->in.wb_cyc = b->in.wb_stb = b->in.wb_we = 1;
    b->in.wb_adr = REG_FIRST + STRIDE_SET_enable;
    b->in.wb_dat_w = 1;
    b->in.wb_sel = 15;
    edge(b);
    b->in.wb_cyc = b->in.wb_stb = b->in.wb_we = 0;
    b->in.seen_taken = 1;
}

/* A load of a warp with one request; true if a prefetch follows, of *line. */
static bool load(struct bench *b, uint64_t warp, uint64_t pc, uint64_t at,
                 uint64_t *line) {
    b->in.offer_valid = b->in.seen_valid = 1;
    b->in.offer_warp = warp;
    b->in.offer_pc = pc;
    b->in.offer_a = at;
    b->in.seen_address = at / LINE;
    edge(b);
    b->in.offer_valid = b->in.seen_valid = 0;
    for (int i = 0; i < 4; i++)
        edge(b);
    *line = b->out.pre_line;
    bool there = b->out.pre_valid;
    b->in.pre_ready = 1;
    edge(b);
    b->in.pre_ready = 0;
    return there;
}

/* A stride counts when it comes again, of one warp and instruction. */
static void test_strides(void **state) {
    struct bench b;
    uint64_t line;
    (void)state;
    open_bench(&b);
    assert_false(load(&b, 1, 5, 0x1000, &line));
    assert_false(load(&b, 1, 5, 0x1100, &line));
    assert_false(load(&b, 2, 5, 0x1200, &line));
    assert_true(load(&b, 1, 5, 0x1200, &line));
    assert_int_equal(line, 0x1300 / LINE);
    assert_false(load(&b, 1, 6, 0x1300, &line));
    assert_true(load(&b, 1, 5, 0x1300, &line));
    assert_false(load(&b, 1, 5, 0x1200, &line)); /* another stride */
    assert_true(load(&b, 1, 5, 0x1100, &line));
    assert_int_equal(line, 0x1000 / LINE);
    assert_false(load(&b, 1, 5, 0x1100, &line)); /* none */
    assert_int_equal(golden_counter(b.g, STRIDE_CNT_loads), 9);
    assert_int_equal(golden_counter(b.g, STRIDE_CNT_predicted), 3);
    golden_free(b.g);
}

/* Within its line nothing is fetched, and a launch forgets. */
static void test_none(void **state) {
    struct bench b;
    uint64_t line;
    (void)state;
    open_bench(&b);
    for (uint64_t at = 0; at < 7; at++)
        assert_false(load(&b, 0, 0, 0x100 + 4 * at, &line));
    assert_true(load(&b, 0, 0, 0x11c, &line) == false);
    assert_false(load(&b, 3, 9, 0x100, &line));
    assert_false(load(&b, 3, 9, 0x200, &line));
    b.in.core_state = RUNNING;
    edge(&b);
    assert_false(load(&b, 3, 9, 0x300, &line));
    assert_false(load(&b, 3, 9, 0x400, &line));
    assert_true(load(&b, 3, 9, 0x500, &line));
    golden_free(b.g);
}

/* Another's line goes first. */
static void test_given(void **state) {
    struct bench b;
    (void)state;
    open_bench(&b);
    b.in.given_valid = 1;
    b.in.given_line = 77;
    edge(&b);
    assert_true(b.out.pre_valid);
    assert_int_equal(b.out.pre_line, 77);
    assert_false(b.out.given_ready);
    b.in.given_valid = 0;
    b.in.pre_ready = 1;
    edge(&b);
    assert_false(b.out.pre_valid);
    assert_true(b.out.given_ready);
    golden_free(b.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strides),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

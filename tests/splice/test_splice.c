/* test_splice.c - the golden model of a prefetcher's place beside a cache, edge
 * by edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/splice.h"
#include "splice/splice.h"

#include <string.h>

enum { RUNNING = 1, STORE = 1 };

struct bench {
    struct golden *g;
    struct splice_in in;
    struct splice_out out;
};

static void open_bench(struct bench *b, int lines) {
    struct config c;
    memset(b, 0, sizeof *b);
    config_defaults(&c);
    c.splice_entry_bits = 70;
    c.splice_lines = lines;
    b->g = golden_create(&splice_golden, &c);
    b->out = *(const struct splice_out *)golden_cycle(b->g, true, NULL);
}

static void edge(struct bench *b) {
    b->out = *(const struct splice_out *)golden_cycle(b->g, false, &b->in);
}

static void command(struct bench *b, int command, uint64_t data) {
    b->in.wb_cyc = b->in.wb_stb = b->in.wb_we = 1;
    b->in.wb_adr = (uint64_t)(iface_first_command(&splice_iface) + command);
    b->in.wb_dat_w = data;
    b->in.wb_sel = 15;
    edge(b);
    b->in.wb_cyc = b->in.wb_stb = b->in.wb_we = 0;
}

/* Loads alone, those that are taken alone, and none while one stands. */
static void test_demand(void **state) {
    struct bench b;
    (void)state;
    open_bench(&b, 4);
    b.in.seen_valid = b.in.demand_ready = 1;
    b.in.seen_address = 5;
    edge(&b);
    assert_false(b.out.demand_valid);
    b.in.seen_taken = 1;
    b.in.seen_op = STORE;
    edge(&b);
    assert_false(b.out.demand_valid);
    b.in.seen_op = 0;
    edge(&b);
    assert_true(b.out.demand_valid);
    assert_int_equal(b.out.demand_address, 5 * 32);
    b.in.demand_ready = 0;
    b.in.seen_address = 6;
    edge(&b);
    assert_int_equal(b.out.demand_address, 5 * 32);
    b.in.demand_ready = 1;
    b.in.seen_valid = 0;
    edge(&b);
    assert_false(b.out.demand_valid);
    assert_int_equal(golden_counter(b.g, SPLICE_CNT_loads), 2);
    assert_int_equal(golden_counter(b.g, SPLICE_CNT_lost), 1);
    golden_free(b.g);
}

/* One at the output, and as many as the queue holds behind it. */
static void test_prefetches(void **state) {
    struct bench b;
    (void)state;
    open_bench(&b, 2);
    b.in.out_valid = 1;
    edge(&b); /* a demand */
    b.in.out_prefetch = 1;
    for (uint64_t i = 0; i < 3; i++) {
        assert_true(b.out.out_ready);
        b.in.out_address = 32 * i + 7;
        edge(&b);
    }
    assert_false(b.out.out_ready);
    b.in.out_valid = 0;
    b.in.pre_ready = 1;
    for (uint64_t i = 0; i < 3; i++) {
        assert_true(b.out.pre_valid);
        assert_int_equal(b.out.pre_line, i);
        edge(&b);
    }
    assert_false(b.out.pre_valid);
    golden_free(b.g);
}

/* 70 bits are three words; none while the core runs. */
static void test_table(void **state) {
    struct bench b;
    (void)state;
    open_bench(&b, 4);
    command(&b, SPLICE_COM_index, 2);
    edge(&b);
    command(&b, SPLICE_COM_word, 0x11111111);
    edge(&b);
    command(&b, SPLICE_COM_word, 0x22222222);
    edge(&b);
    command(&b, SPLICE_COM_word, 0xffffffff);
    edge(&b);
    b.in.core_state = RUNNING;
    command(&b, SPLICE_COM_load, 1);
    assert_false(b.out.load_valid);
    b.in.core_state = 2;
    edge(&b);
    for (uint64_t i = 2; i < 4; i++) {
        command(&b, SPLICE_COM_load, 1);
        assert_true(b.out.load_valid);
        assert_int_equal(b.out.load_index, i);
        assert_true(b.out.load_entry[0] == 0x2222222211111111);
        assert_int_equal(b.out.load_entry[1], 0x3f);
        edge(&b);
        assert_false(b.out.load_valid);
    }
    assert_int_equal(golden_counter(b.g, SPLICE_CNT_loaded), 2);
    assert_int_equal(golden_counter(b.g, SPLICE_CNT_refused), 1);
    golden_free(b.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_demand),
        cmocka_unit_test(test_prefetches),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_loader.c - the golden model of the tables of blocks and the map of addresses,
 * edge by edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/loader.h"
#include "loader/loader.h"

#include <string.h>

enum { IDLE, RUNNING, DONE, FAULTED };

struct unit {
    struct golden *g;
    struct loader_in in;
    const struct loader_out *out;
    struct loader_local l;
};

/* Three candidates, so a table of four; 16 registers and 64 words: entries of 127
 * bits, four words. */
static void open_unit(struct unit *u) {
    struct config c;
    memset(u, 0, sizeof *u);
    config_defaults(&c);
    c.move_registers = 16;
    c.move_code_words = 64;
    c.move_candidates = 3;
    u->l = loader_local(&c);
    u->g = golden_create(&loader_golden, &c);
    u->out = golden_cycle(u->g, true, NULL);
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void write_at(struct unit *u, int address, uint64_t data) {
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 1;
    u->in.wb_adr = (uint64_t)address;
    u->in.wb_dat_w = data;
    u->in.wb_sel = 15;
    edge(u);
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 0;
}

/* On this edge; the bus is free again after the next. */
static void command(struct unit *u, int command, uint64_t data) {
    write_at(u, iface_first_command(&loader_iface) + command, data);
}

static void word(struct unit *u, uint64_t data) {
    command(u, LOADER_COM_word, data);
    edge(u);
}

static void nothing(const struct unit *u) {
    assert_int_equal(u->out->load_valid | u->out->load_index |
                         u->out->load_stores | u->out->load_entry[0] |
                         u->out->load_entry[1],
                     0);
}

static void test_sizes(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    assert_int_equal(u.l.ENTRY_W, 6 + 5 + 5 + 36 + 2 * 6 + 4 * 16);
    assert_int_equal(u.l.WORDS, 4);
    assert_int_equal(u.l.INDEX_W, 2);
    golden_free(u.g);
}

/* The first word is the lowest; the entry is there after the edge of the command, for
 * one edge; bits above it are dropped. */
static void test_entry(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    word(&u, 0x11111111);
    word(&u, 0x22222222);
    word(&u, 0x33333333);
    word(&u, 0xffffffff);
    nothing(&u);
    command(&u, LOADER_COM_load, 0xfffffffe);
    assert_true(u.out->load_valid);
    assert_int_equal(u.out->load_index, 0);
    assert_false(u.out->load_stores);
    assert_true(u.out->load_entry[0] == 0x2222222211111111);
    assert_true(u.out->load_entry[1] == 0xffffffff33333333);
    edge(&u);
    nothing(&u);
    word(&u, 0x44444444); /* all move down by one */
    command(&u, LOADER_COM_load, 1);
    assert_true(u.out->load_stores);
    assert_true(u.out->load_entry[0] == 0x3333333322222222);
    assert_true(u.out->load_entry[1] == 0x44444444ffffffff);
    golden_free(u.g);
}

/* An index stands until the next entry and goes on from there, modulo the table. */
static void test_index(void **state) {
    static const uint64_t expected[] = {2, 3, 0, 1};
    struct unit u;
    (void)state;
    open_unit(&u);
    command(&u, LOADER_COM_index, 0xfffffffe);
    edge(&u);
    for (int i = 0; i < 4; i++) {
        command(&u, LOADER_COM_load, 0);
        assert_true(u.out->load_valid);
        assert_int_equal(u.out->load_index, expected[i]);
        edge(&u);
    }
    golden_free(u.g);
}

/* None while a core runs, and the index stays. */
static void test_refused(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    for (uint64_t s = IDLE; s <= FAULTED; s++) {
        u.in.core_state = s;
        command(&u, LOADER_COM_load, 1);
        assert_int_equal(u.out->load_valid, s != RUNNING);
        if (s == RUNNING)
            nothing(&u);
        edge(&u);
    }
    u.in.core_state = IDLE;
    command(&u, LOADER_COM_load, 1);
    assert_int_equal(u.out->load_index, 3);
    assert_int_equal(golden_counter(u.g, LOADER_CNT_loaded), 4);
    assert_int_equal(golden_counter(u.g, LOADER_CNT_refused), 1);
    golden_free(u.g);
}

/* A setting shows one edge after the one that writes it. */
static void test_map(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    assert_false(u.out->map_learned);
    assert_int_equal(u.out->map_bit, 7);
    write_at(&u, REG_FIRST + LOADER_SET_learned, 1);
    assert_false(u.out->map_learned);
    edge(&u);
    assert_true(u.out->map_learned);
    write_at(&u, REG_FIRST + LOADER_SET_map_bit, 0xffffffd2);
    assert_int_equal(u.out->map_bit, 7);
    edge(&u);
    assert_int_equal(u.out->map_bit, 18);
    u.out = golden_cycle(u.g, true, &u.in);
    assert_false(u.out->map_learned);
    assert_int_equal(u.out->map_bit, 7);
    golden_free(u.g);
}

/* Words and index are zero after it. */
static void test_reset(void **state) {
    struct unit u;
    (void)state;
    open_unit(&u);
    word(&u, 0x55555555);
    command(&u, LOADER_COM_index, 3);
    u.out = golden_cycle(u.g, true, &u.in);
    edge(&u);
    command(&u, LOADER_COM_load, 0);
    assert_true(u.out->load_valid);
    assert_int_equal(
        u.out->load_index | u.out->load_entry[0] | u.out->load_entry[1], 0);
    golden_free(u.g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes), cmocka_unit_test(test_entry),
        cmocka_unit_test(test_index), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_map),   cmocka_unit_test(test_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

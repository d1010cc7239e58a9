/* test_host.c - the golden model of the host port, edge by edge as
 * docs/blocks/host.md has it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/host.h"
#include "host/host.h"

#include <string.h>

struct unit {
    struct golden *g;
    struct host_in in;
    const struct host_out *out;
};

static int setup(void **state) {
    static struct unit u;
    struct config c;
    config_defaults(&c);
    memset(&u, 0, sizeof u);
    u.g = golden_create(&host_golden, &c);
    u.out = golden_cycle(u.g, true, NULL);
    *state = &u;
    return 0;
}

static int teardown(void **state) {
    golden_free(((struct unit *)*state)->g);
    return 0;
}

static void edge(struct unit *u) {
    u->out = golden_cycle(u->g, false, &u->in);
}

static void write_at(struct unit *u, int adr, uint32_t data, int sel) {
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 1;
    u->in.wb_adr = (uint64_t)adr;
    u->in.wb_dat_w = data;
    u->in.wb_sel = (uint64_t)sel;
    edge(u);
    u->in.wb_cyc = u->in.wb_stb = u->in.wb_we = 0;
}

/* The edge of the access; the next one ends it. */
static void command(struct unit *u, int n, uint32_t data) {
    write_at(u, iface_first_command(&host_iface) + n, data, 15);
}

static uint32_t status(struct unit *u, int n) {
    edge(u);
    u->in.wb_cyc = u->in.wb_stb = 1;
    u->in.wb_adr = (uint64_t)(iface_first_status(&host_iface) + n);
    edge(u);
    u->in.wb_cyc = u->in.wb_stb = 0;
    uint32_t value = (uint32_t)u->out->wb_dat_r;
    edge(u);
    return value;
}

static void expect_ctl(const struct unit *u, unsigned op, unsigned index,
                       uint64_t data) {
    assert_int_equal(u->out->ctl_valid, 1);
    assert_int_equal(u->out->ctl_op, op);
    assert_int_equal(u->out->ctl_index, index);
    assert_int_equal(u->out->ctl_data, data);
}

static void expect_no_ctl(const struct unit *u) {
    assert_int_equal(u->out->ctl_valid | u->out->ctl_op | u->out->ctl_index |
                         u->out->ctl_data,
                     0);
}

static void test_core(void **state) {
    struct unit *u = *state;
    command(u, HOST_COM_index, 0xabcdfffe);
    expect_no_ctl(u);
    edge(u);
    command(u, HOST_COM_high, 0x12345678);
    edge(u);
    command(u, HOST_COM_code, 0x9abcdef0);
    expect_ctl(u, 1, 0xfffe, 0x123456789abcdef0);
    edge(u);
    expect_no_ctl(u);
    command(u, HOST_COM_set, 7);
    expect_ctl(u, 0, 0xffff, 7);
    edge(u);
    command(u, HOST_COM_param, 8);
    expect_ctl(u, 2, 0, 8);
    edge(u);
    command(u, HOST_COM_op, 0xfffffff3);
    expect_ctl(u, 3, 1, 0);
    edge(u);
    command(u, HOST_COM_read, 0xffffffff);
    expect_ctl(u, 7, 1, 0x7fffff);
}

/* All bytes or nothing, and no second command while the first is answered. */
static void test_whole_words(void **state) {
    struct unit *u = *state;
    int set = iface_first_command(&host_iface) + HOST_COM_set;
    for (int sel = 0; sel < 15; sel++) {
        write_at(u, set, 1, sel);
        expect_no_ctl(u);
        edge(u);
    }
    write_at(u, set, 1, 15);
    expect_ctl(u, 0, 0, 1);
    write_at(u, set, 2, 15);
    expect_no_ctl(u);
    write_at(u, set, 3, 15);
    expect_ctl(u, 0, 1, 3);
}

static void test_answers(void **state) {
    struct unit *u = *state;
    assert_int_equal(status(u, HOST_STA_core), 0);
    u->in.debug_valid = 1;
    u->in.debug_value = 0xfeedbeef;
    edge(u);
    u->in.debug_valid = 0;
    assert_int_equal(status(u, HOST_STA_core), 16);
    assert_int_equal(status(u, HOST_STA_value), 0xfeedbeef);
    u->in.debug_valid = 1; /* of an earlier one: the command wins */
    command(u, HOST_COM_read, 0);
    u->in.debug_valid = 0;
    assert_int_equal(status(u, HOST_STA_core), 0);
}

static void test_statuses(void **state) {
    struct unit *u = *state;
    u->in.core_state = 3;
    u->in.core_quiet = 1;
    u->in.core_fault_cause = 9;
    u->in.core_fault_warp = 0x2a;
    u->in.core_fault_pc = 0xabc;
    u->in.core_fault_address = 0xfffffffc;
    u->in.shape_memory_words = 1 << 22;
    assert_int_equal(status(u, HOST_STA_core), 3 | 8);
    assert_int_equal(status(u, HOST_STA_fault), 0x2a9);
    assert_int_equal(status(u, HOST_STA_fault_pc), 0xabc);
    assert_int_equal(status(u, HOST_STA_fault_address), 0xfffffffc);
    assert_int_equal(status(u, HOST_STA_warps), 64);
    assert_int_equal(status(u, HOST_STA_code_words), 4096);
    assert_int_equal(status(u, HOST_STA_memory_words), 1 << 22);
}

static void test_write(void **state) {
    struct unit *u = *state;
    command(u, HOST_COM_address, 0xffffffff);
    edge(u);
    command(u, HOST_COM_write, 0x01020304);
    assert_int_equal(u->out->win_valid, 1);
    assert_int_equal(u->out->win_write, 1);
    assert_int_equal(u->out->win_address, 0x3fffffff);
    assert_int_equal(u->out->win_data, 0x01020304);
    edge(u);
    command(u, HOST_COM_write, 5); /* too early */
    assert_int_equal(u->out->win_data, 0x01020304);
    assert_int_equal(status(u, HOST_STA_window), 3);
    u->in.win_ready = 1;
    edge(u);
    assert_int_equal(u->out->win_valid | u->out->win_write |
                         u->out->win_address | u->out->win_data,
                     0);
    assert_int_equal(status(u, HOST_STA_window), 2);
    command(u, HOST_COM_write, 6);
    assert_int_equal(u->out->win_address, 0);
    edge(u);
    command(u, HOST_COM_address, 0);
    assert_int_equal(status(u, HOST_STA_window), 0);
}

static void test_fetch(void **state) {
    struct unit *u = *state;
    u->in.win_ready = 1;
    command(u, HOST_COM_address, 64);
    edge(u);
    command(u, HOST_COM_fetch, 1);
    assert_int_equal(u->out->win_write, 0);
    assert_int_equal(u->out->win_address, 16);
    edge(u);
    assert_int_equal(u->out->win_valid, 0);
    assert_int_equal(status(u, HOST_STA_window), 1);
    u->in.read_valid = 1;
    u->in.read_data = 0xcafe;
    edge(u);
    u->in.read_data = 0xdead; /* nobody waits for it */
    edge(u);
    u->in.read_valid = 0;
    assert_int_equal(status(u, HOST_STA_window), 0);
    assert_int_equal(status(u, HOST_STA_word), 0xcafe);
}

static void test_counters(void **state) {
    struct unit *u = *state;
    u->in.core_state = 1;
    u->in.count_cta = 1;
    for (int i = 0; i < 5; i++)
        edge(u);
    u->in.core_state = 2;
    edge(u);
    assert_int_equal(golden_counter(u->g, HOST_CNT_cycles), 5);
    assert_int_equal(golden_counter(u->g, HOST_CNT_cta), 6);
    assert_int_equal(golden_counter(u->g, HOST_CNT_issued), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_core),     TEST(test_whole_words), TEST(test_answers),
        TEST(test_statuses), TEST(test_write),       TEST(test_fetch),
        TEST(test_counters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

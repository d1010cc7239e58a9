/* test_relay.c - the golden model of a relay: three of them in a chain, from a
 * command to all cores done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "blocks/relay.h"
#include "relay/relay.h"

#include <string.h>

enum { N = 3, IDLE = 0, RUNNING, DONE, FAULTED, START = 3 };

/* Relay 0 is the host's; in[i].core_* are the test's. */
struct chain {
    struct golden *g[N];
    struct relay_in in[N];
    struct relay_out out[N];
};

static void open_chain(struct chain *c) {
    struct config config;
    memset(c, 0, sizeof *c);
    config_defaults(&config);
    for (int i = 0; i < N; i++) {
        c->g[i] = golden_create(&relay_golden, &config);
        c->out[i] =
            *(const struct relay_out *)golden_cycle(c->g[i], true, NULL);
        c->in[i].core_quiet = c->in[i].core_halted = 1;
    }
    c->in[N - 1].rest_state = DONE;
    c->in[N - 1].rest_halted = c->in[N - 1].rest_quiet = 1;
}

static void close_chain(struct chain *c) {
    for (int i = 0; i < N; i++)
        golden_free(c->g[i]);
}

static void edge(struct chain *c) {
    for (int i = 0; i < N; i++) {
        if (i > 0) {
            c->in[i].ctl_valid = c->out[i - 1].next_valid;
            c->in[i].ctl_op = c->out[i - 1].next_op;
            c->in[i].ctl_index = c->out[i - 1].next_index;
            c->in[i].ctl_data = c->out[i - 1].next_data;
        }
        if (i < N - 1) {
            const struct relay_out *r = &c->out[i + 1];
            struct relay_in *in = &c->in[i];
            in->rest_state = r->all_state;
            in->rest_halted = r->all_halted;
            in->rest_quiet = r->all_quiet;
            in->rest_fault_cause = r->all_fault_cause;
            in->rest_fault_pc = r->all_fault_pc;
            in->rest_debug_valid = r->all_debug_valid;
            in->rest_debug_value = r->all_debug_value;
        }
    }
    for (int i = 0; i < N; i++)
        c->out[i] =
            *(const struct relay_out *)golden_cycle(c->g[i], false, &c->in[i]);
}

static void edges(struct chain *c, int n) {
    while (n-- > 0)
        edge(c);
}

/* Write the setting of a relay. */
static void set_takes(struct chain *c, int relay, uint64_t takes) {
    struct relay_in *in = &c->in[relay];
    in->wb_cyc = in->wb_stb = in->wb_we = 1;
    in->wb_adr = REG_FIRST + RELAY_SET_takes;
    in->wb_dat_w = takes;
    in->wb_sel = 15;
    edge(c);
    in->wb_cyc = in->wb_stb = in->wb_we = 0;
    edge(c);
}

static void command(struct chain *c, uint64_t op, uint64_t data) {
    c->in[0].ctl_valid = 1;
    c->in[0].ctl_op = op;
    c->in[0].ctl_data = data;
    edge(c);
    c->in[0].ctl_valid = c->in[0].ctl_op = c->in[0].ctl_data = 0;
}

/* It reaches core c c + 1 edges after it left. */
static void test_commands(void **state) {
    struct chain c;
    (void)state;
    open_chain(&c);
    command(&c, START, 0x123456789abcdef0);
    for (int i = 0; i < N; i++, edge(&c))
        for (int k = 0; k < N; k++) {
            assert_int_equal(c.out[k].core_ctl_valid, k == i);
            assert_true(c.out[k].core_ctl_data ==
                        (k == i ? 0x123456789abcdef0 : 0));
        }
    close_chain(&c);
}

/* A core that is quick must not make the launch look done. */
static void test_launch(void **state) {
    struct chain c;
    (void)state;
    open_chain(&c);
    edges(&c, 4);
    assert_int_equal(c.out[0].all_state, IDLE);
    c.in[0].core_state = DONE;
    edges(&c, 4);
    assert_int_equal(c.out[0].all_state, IDLE);
    c.in[2].core_state = RUNNING;
    edges(&c, 4);
    assert_int_equal(c.out[0].all_state, RUNNING);
    c.in[1].core_state = DONE;
    edges(&c, 4);
    assert_int_equal(c.out[0].all_state, RUNNING);
    c.in[2].core_state = DONE;
    edges(&c, 2);
    assert_int_equal(c.out[0].all_state, RUNNING);
    edge(&c);
    assert_int_equal(c.out[0].all_state, DONE);
    assert_true(c.out[0].all_quiet);
    close_chain(&c);
}

/* The nearest fault, and what is at its core. */
static void test_fault(void **state) {
    struct chain c;
    (void)state;
    open_chain(&c);
    for (int i = 0; i < N; i++)
        c.in[i].core_state = RUNNING;
    c.in[2].core_state = FAULTED;
    c.in[2].core_fault_cause = 7;
    c.in[2].core_fault_pc = 99;
    edges(&c, 4);
    assert_int_equal(c.out[0].all_state, FAULTED);
    assert_int_equal(c.out[0].all_fault_cause, 7);
    assert_int_equal(c.out[0].all_fault_pc, 99);
    c.in[1].core_state = FAULTED;
    c.in[1].core_fault_cause = 2;
    edges(&c, 4);
    assert_int_equal(c.out[0].all_fault_cause, 2);
    assert_int_equal(c.out[0].all_fault_pc, 0);
    close_chain(&c);
}

/* Who does not take part gets nothing, and is waited for by nobody. */
static void test_takes(void **state) {
    struct chain c;
    (void)state;
    open_chain(&c);
    set_takes(&c, 0, 0);
    set_takes(&c, 2, 0);
    command(&c, 7, 5);
    assert_false(c.out[0].core_ctl_valid);
    edge(&c);
    assert_true(c.out[1].core_ctl_valid);
    edge(&c);
    assert_false(c.out[2].core_ctl_valid);
    c.in[0].core_debug_valid = c.in[1].core_debug_valid = 1;
    c.in[0].core_debug_value = 11;
    c.in[1].core_debug_value = 22;
    c.in[1].core_state = DONE;
    edges(&c, 4);
    assert_int_equal(c.out[0].all_debug_value, 22);
    assert_int_equal(c.out[0].all_state, DONE);
    set_takes(&c, 0, 1);
    edge(&c);
    assert_int_equal(c.out[0].all_debug_value, 11);
    assert_int_equal(c.out[0].all_state, IDLE);
    close_chain(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_launch),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

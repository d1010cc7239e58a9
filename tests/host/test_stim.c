/* test_stim.c - the environment of the host port notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/host.h"
#include "host/host.h"
#include "host/stim.h"

#define LIAR_BLOCK host
#include "tests/common/stim_liar.h"

static const char small[] = "--target host --preset small --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target host --preset mpu --cycles 30000");
    expect_all_covers("--target host --preset small --cycles 20000 "
                      "--stim directed");
    expect_deterministic(small);
}

static void test_counters(void **state) {
    (void)state;
    expect_counters_caught(small);
}

/* --- statuses ------------------------------------------------------------- */

static int status_told; /* the status that is lied about */

static void lie_status(struct liar *l, struct host_out *o) {
    int at = iface_first_status(&host_iface) + status_told;
    if (o->wb_ack && !l->in.wb_we && l->in.wb_adr == (uint64_t)at)
        o->wb_dat_r ^= 1;
}

static void test_statuses(void **state) {
    (void)state;
    for (status_told = 0; status_told < HOST_N_STATUSES; status_told++) {
        char says[64];
        snprintf(says, sizeof says, "register '%s'",
                 host_iface.statuses[status_told].name);
        expect_caught(lie_status, small, says);
    }
}

/* --- commands ------------------------------------------------------------- */

static void lie_op(struct liar *l, struct host_out *o) {
    (void)l;
    if (o->ctl_valid)
        o->ctl_op ^= 1;
}

static void lie_index(struct liar *l, struct host_out *o) {
    (void)l;
    if (o->ctl_valid)
        o->ctl_index ^= 0x8000;
}

static void lie_high(struct liar *l, struct host_out *o) {
    (void)l;
    if (o->ctl_valid && o->ctl_op == 1)
        o->ctl_data &= 0xffffffff;
}

static void lie_silent(struct liar *l, struct host_out *o) {
    (void)l;
    o->ctl_valid = o->ctl_op = o->ctl_index = o->ctl_data = 0;
}

static void lie_often(struct liar *l, struct host_out *o) {
    (void)l;
    o->ctl_valid = 1;
}

static void test_commands(void **state) {
    (void)state;
    expect_caught(lie_op, small, "expected op");
    expect_caught(lie_index, small, "index");
    expect_caught(lie_high, small, "data");
    expect_caught(lie_silent, small, "a command does not go out");
    expect_caught(lie_often, small, "a command that nobody gave");
}

/* --- window --------------------------------------------------------------- */

static void lie_address(struct liar *l, struct host_out *o) {
    (void)l;
    if (o->win_valid)
        o->win_address ^= 4;
}

static void lie_write(struct liar *l, struct host_out *o) {
    (void)l;
    if (o->win_valid)
        o->win_write ^= 1;
}

static void lie_data(struct liar *l, struct host_out *o) {
    (void)l;
    if (o->win_valid && o->win_write)
        o->win_data ^= 1u << 31;
}

static void lie_asks(struct liar *l, struct host_out *o) {
    (void)l;
    o->win_valid = o->win_write = o->win_address = o->win_data = 0;
}

static void test_window(void **state) {
    (void)state;
    expect_caught(lie_address, small, "another word");
    expect_caught(lie_write, small, "another word");
    expect_caught(lie_data, small, "another word");
    expect_caught(lie_asks, small, "memory is not asked");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),   cmocka_unit_test(test_counters),
        cmocka_unit_test(test_statuses), cmocka_unit_test(test_commands),
        cmocka_unit_test(test_window),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

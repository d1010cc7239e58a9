/* test_stim.c - the environment of the memory-mapped packets notices what model
 * and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/nda_window.h"
#include "nda_window/nda_window.h"
#include "nda_window/stim.h"

#define LIAR_BLOCK nda_window
#include "tests/common/stim_liar.h"

static const char small[] = "--target nda_window --preset small --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target nda_window --preset chopim --cycles 60000");
    expect_green("--target nda_window --preset small --cycles 30000 "
                 "--stim directed",
                 "mismatches 0");
    expect_all_covers("--target nda_window --cycles 400000 "
                      "--set dram.ranks=4");
    expect_deterministic(small);
}

static void test_counters(void **state) {
    (void)state;
    expect_counters_caught(small);
}

/* --- statuses ------------------------------------------------------------- */

static int status_told; /* the status that is lied about */

static void lie_status(struct liar *l, struct nda_window_out *o) {
    int at = iface_first_status(&nda_window_iface) + status_told;
    if (o->wb_ack && !l->in.wb_we && l->in.wb_adr == (uint64_t)at)
        o->wb_dat_r ^= 1;
}

static void test_statuses(void **state) {
    (void)state;
    for (status_told = 0; status_told < NDA_WINDOW_N_STATUSES; status_told++) {
        char says[64];
        snprintf(says, sizeof says, "register '%s'",
                 nda_window_iface.statuses[status_told].name);
        expect_caught(lie_status, small, says);
    }
}

/* --- operations ----------------------------------------------------------- */

/* From the first operation on that does not stand there already. */
static bool begins(struct liar *l) {
    l->told |= !l->last.op_valid || l->in.op_ready;
    return l->told;
}

static void other_tag(struct liar *l, struct nda_window_out *o) {
    if (begins(l))
        o->op_tag ^= o->op_valid;
}

static void other_ranks(struct liar *l, struct nda_window_out *o) {
    if (begins(l))
        o->op_ranks ^= 3 * o->op_valid;
}

static void other_base(struct liar *l, struct nda_window_out *o) {
    if (begins(l))
        o->op_base[0] ^= o->op_valid << 9;
}

static void other_scalar(struct liar *l, struct nda_window_out *o) {
    if (begins(l))
        o->op_scalars[1] ^= o->op_valid << 31;
}

static void silent(struct liar *l, struct nda_window_out *o) {
    if (begins(l))
        memset(&o->op_valid, 0,
               offsetof(struct nda_window_out, done_ready) -
                   offsetof(struct nda_window_out, op_valid));
}

static void talks(struct liar *l, struct nda_window_out *o) {
    (void)l;
    o->op_valid = 1;
}

static void test_operations(void **state) {
    (void)state;
    expect_caught(other_tag, small, "as it was launched");
    expect_caught(other_ranks, small, "as it was launched");
    expect_caught(other_base, small, "another operand x");
    expect_caught(other_scalar, small, "another scalar c");
    expect_caught(silent, small, "does not go out");
    expect_caught(talks, small, "nobody launched");
}

/* --- ends ----------------------------------------------------------------- */

static void notices(struct liar *l, struct nda_window_out *o) {
    (void)l;
    o->notice ^= 1;
}

static void always_ready(struct liar *l, struct nda_window_out *o) {
    (void)l;
    o->done_ready = 1;
}

static void test_ends(void **state) {
    (void)state;
    expect_caught(notices, small, "end waits");
    expect_caught(always_ready, small, "wait in the queue");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),   cmocka_unit_test(test_counters),
        cmocka_unit_test(test_statuses), cmocka_unit_test(test_operations),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

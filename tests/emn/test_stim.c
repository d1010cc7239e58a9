/* test_stim.c - the environment of the earliest-meet-node block notices
 * what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/emn.h"
#include "emn/emn.h"
#include "emn/stim.h"

#define LIAR_BLOCK emn
#include "tests/common/stim_liar.h"

static const char small[] = "--target emn --preset small --cycles 50000";

static void test_honest(void **state) {
    (void)state;
    expect_green(small, "covers 10/10");
    expect_green("--target emn --preset small --stim directed", "covers 10/10");
    expect_green("--target emn --cycles 50000 --set emn.stages=2",
                 "covers 10/10");
    expect_green("--target emn --stim replay --run kernels/xmy/xmy.yml",
                 "lookups\t");
}

static void wrong_id(struct liar *l, struct emn_out *out) {
    (void)l;
    if (out->ans_valid)
        out->ans_id ^= 1;
}

/* Any other node, so that many are on a path, but none is as near. */
static void wrong_node(struct liar *l, struct emn_out *out) {
    if (out->ans_found && l->in.req_mem0 != l->in.req_mem1)
        out->ans_node ^= 5;
}

static void never_found(struct liar *l, struct emn_out *out) {
    (void)l;
    out->ans_found = out->ans_node = 0;
}

static void always_found(struct liar *l, struct emn_out *out) {
    (void)l;
    out->ans_found = out->ans_valid;
}

static void lost(struct liar *l, struct emn_out *out) {
    (void)l;
    out->ans_valid = out->ans_found = out->ans_node = out->ans_id = 0;
}

static void invented(struct liar *l, struct emn_out *out) {
    (void)l;
    out->ans_valid = 1;
}

static void not_zero(struct liar *l, struct emn_out *out) {
    (void)l;
    if (!out->ans_valid)
        out->ans_node = 1;
}

static void miscounts(struct liar *l, struct emn_out *out) {
    (void)l;
    if (out->wb_ack)
        out->wb_dat_r ^= 4;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(wrong_id, small, "wrong answer");
    expect_caught(wrong_node, small, "wrong answer");
    expect_caught(never_found, small, "wrong answer");
    expect_caught(always_found, small, "wrong answer");
    expect_caught(lost, small, "is missing");
    expect_caught(invented, small, "an answer to no lookup");
    expect_caught(not_zero, small, "'ans_node'");
    expect_counters_caught(small);
    expect_caught(miscounts, small, "register");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target emn --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target emn --stim replay --kernel "
                   "kernels/axpy/axpy.ptx",
                   "expected RUN=FILE.yml");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_lies),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

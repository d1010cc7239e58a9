/* test_stim.c - the environment of the fused multiply-add unit notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/fma.h"
#include "fma/fma.h"
#include "fma/stim.h"

#define LIAR_BLOCK fma
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target fma --preset small --cycles 200000";
static const char paper[] = "--target fma --preset mpu --cycles 50000";

static void test_honest(void **state) {
    (void)state;
    expect_green(small, "covers 24/24");
    expect_green(paper, "covers 24/24");
    expect_green("--target fma --preset small --stim directed --cycles 20000",
                 "covers 24/24");
}

static void wrong_id(struct liar *l, struct fma_out *out) {
    (void)l;
    if (out->res_valid)
        out->res_id ^= 1;
}

static void wrong_value(struct liar *l, struct fma_out *out) {
    (void)l;
    if (out->res_valid)
        out->res_value ^= 1;
}

static void lost(struct liar *l, struct fma_out *out) {
    (void)l;
    out->res_valid = out->res_id = out->res_value = 0;
}

static void invented(struct liar *l, struct fma_out *out) {
    (void)l;
    out->res_valid = 1;
}

static void not_zero(struct liar *l, struct fma_out *out) {
    (void)l;
    if (!out->res_valid)
        out->res_value = 1;
}

static void not_ready(struct liar *l, struct fma_out *out) {
    (void)l;
    out->op_ready = 0;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(wrong_id, small, "id of the result");
    expect_caught(wrong_id, paper, "id of the result");
    expect_caught(wrong_value, small, "expected");
    expect_caught(wrong_value, paper, "expected");
    expect_caught(lost, small, "no result");
    expect_caught(invented, small, "a result of nothing");
    expect_caught(not_zero, small, "'res_value'");
    expect_caught(not_ready, small, "it is not ready");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

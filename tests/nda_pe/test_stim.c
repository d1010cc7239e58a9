/* test_stim.c - the environment of the processing element notices what model
 * and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/nda_pe.h"
#include "nda_pe/nda_pe.h"
#include "nda_pe/stim.h"

#define LIAR_BLOCK nda_pe
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target nda_pe --preset small --cycles 500000";
static const char paper[] = "--target nda_pe --preset chopim --cycles 300000";

static void test_honest(void **state) {
    (void)state;
    expect_green(small, "covers 29/29");
    expect_green("--target nda_pe --preset chopim --cycles 1000000",
                 "covers 29/29");
    expect_green("--target nda_pe --preset small --stim directed "
                 "--cycles 200000",
                 "covers 27/29");
}

static void wrong_address(struct liar *l, struct nda_pe_out *out) {
    if (out->mem_valid && l->edge > 2000)
        out->mem_address ^= 1;
}

static void wrong_data(struct liar *l, struct nda_pe_out *out) {
    (void)l;
    if (out->mem_write)
        out->mem_data ^= UINT64_C(1) << 32;
}

static void reads_instead(struct liar *l, struct nda_pe_out *out) {
    (void)l;
    out->mem_write = out->mem_data = 0;
}

static void wrong_value(struct liar *l, struct nda_pe_out *out) {
    (void)l;
    if (out->done_valid)
        out->done_value ^= 1;
}

static void no_cause(struct liar *l, struct nda_pe_out *out) {
    (void)l;
    out->done_cause = out->done_operand = out->done_write = 0;
    out->done_address = 0;
}

static void wrong_operand(struct liar *l, struct nda_pe_out *out) {
    (void)l;
    if (out->done_cause == NDA_PE_BOUND)
        out->done_operand ^= 1;
}

static void too_early(struct liar *l, struct nda_pe_out *out) {
    if (!out->launch_ready && l->edge > 2000)
        out->done_valid = 1;
}

static void not_zero(struct liar *l, struct nda_pe_out *out) {
    (void)l;
    if (!out->mem_valid)
        out->mem_address = 1;
}

static void not_ready(struct liar *l, struct nda_pe_out *out) {
    (void)l;
    out->launch_ready = 0;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(wrong_address, small, "access");
    expect_caught(wrong_address, paper, "access");
    expect_caught(wrong_data, small, "expected");
    expect_caught(reads_instead, small, "expected a write");
    expect_caught(wrong_value, small, "the value is");
    expect_caught(no_cause, small, "the cause is 0");
    expect_caught(wrong_operand, small, "out of bounds");
    expect_caught(too_early, small, "it ends after");
    expect_caught(not_zero, small, "'mem_address'");
    expect_caught(not_ready, small, "not ready");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

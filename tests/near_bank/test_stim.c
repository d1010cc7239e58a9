/* test_stim.c - the environment of the near-bank unit with its pipelines
 * notices what model and RTL agree on, and reaches every cover point.
 *
 * What is lied about a part is what the environment sees or what the part
 * hears: the models behind are honest and joined.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near_bank/stim.h"
#include "structs.h"

#define LIAR_BLOCK near_bank
#define LIAR_IN struct bank_in
#define LIAR_OUT struct bank_out
#define LIAR_GOLDEN (*golden_find("near_bank"))
#define LIAR_NO_REGISTERS /* but for those of its parts */
#include "tests/common/stim_liar.h"

static const char small[] = "--target near_bank --preset small --cycles 60000";

/* Warps do not often have the same word of shared memory. */
static const char longer[] =
    "--target near_bank --preset small --cycles 400000";

/* With shared memory on the base die; a lie about a register is no address. */
static const char far_shared[] =
    "--target near_bank --preset small --cycles 60000 "
    "--config tests/near_bank/far_shared.yml";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target near_bank --preset small --cycles 600000");
    expect_green("--target near_bank --preset small --cycles 30000 "
                 "--stim directed",
                 "mismatches 0");
    expect_green("--target near_bank --cycles 30000", "mismatches 0");
}

/* Other sizes keep the same promises. */
static void test_forms(void **state) {
    (void)state;
    expect_green("--target near_bank --preset small --cycles 60000 "
                 "--set nbu.warps=5 --set cut.warps=5 --set near_pipe.warps=5",
                 "mismatches 0");
    expect_green("--target near_bank --preset small --cycles 60000 "
                 "--set nbu.registers=128 --set cut.registers=128 "
                 "--set near_pipe.registers=128 --set near_pipe.units=8",
                 "mismatches 0");
    expect_green("--target near_bank --preset small --cycles 60000 "
                 "--set near_pipe.alus=8 --set nbu.policy=near",
                 "mismatches 0");
    expect_green(far_shared, "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

static void test_refused(void **state) {
    (void)state;
    expect_refused("--target near_bank --preset small --set near_pipe.warps=4",
                   "set 'nbu.warps' instead");
    expect_refused("--target near_bank --preset small "
                   "--set near_pipe.tag_bits=5",
                   "set 'nbu.tag_bits' instead");
    expect_refused("--target near_bank --preset small "
                   "--set nbu.far_set=[branch]",
                   "nothing else is computed near");
    expect_refused("--target near_bank --preset small "
                   "--set near_pipe.shared_words=0",
                   "nothing else is computed near");
}

/* --- what parts hear ------------------------------------------------------ */

static void other_word(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->pipes.code_word ^= UINT64_C(1) << 41; /* of a number */
}

static void other_source(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->unit.issue_src0 ^= 1;
}

static void other_row(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->unit.far_data_row[0] ^= 1;
}

static void other_load(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->pipes.load_data[0] ^= 2;
}

/* Two warps have one. */
static void other_window(struct liar *l, bool rst, struct bank_in *in) {
    (void)l;
    (void)rst;
    if (in->pipes.window_warp == 1)
        in->pipes.window_base = 0;
}

static void other_compare(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->unit.issue_src2 ^= 1;
}

static void no_hint(struct liar *l, bool rst, struct bank_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->unit.issue_hint = 1;
}

static void test_heard(void **state) {
    (void)state;
    hears = other_source;
    expect_caught(NULL, small, "was not accepted like that");
    hears = other_row;
    expect_caught(NULL, small, "moves down, but is not what program order");
    hears = other_load;
    expect_caught(NULL, far_shared, "not what program order left in it");
    hears = no_hint;
    expect_caught(NULL, small, "against the policy");
    hears = other_word;
    expect_caught(NULL, far_shared, "not what program order left in it");
    hears = other_window; /* it is seen in a row, or used as an address */
    expect_caught(NULL, longer, "property broken");
    hears = other_compare;
    expect_caught(NULL, small, "was not accepted like that");
    hears = NULL;
}

/* --- what the environment sees -------------------------------------------- */

static void other_bit(struct liar *l, struct bank_out *o) {
    (void)l;
    o->pipes.fetched_data[0] ^= o->pipes.fetched_valid;
}

static void row_up(struct liar *l, struct bank_out *o) {
    (void)l;
    o->unit.far_write_row[0] ^= 4;
}

static void other_warp(struct liar *l, struct bank_out *o) {
    (void)l;
    o->unit.commit_warp ^= o->unit.commit_valid;
}

static void other_side(struct liar *l, struct bank_out *o) {
    (void)l;
    o->unit.commit_near ^= o->unit.commit_valid;
}

static void no_commit(struct liar *l, struct bank_out *o) {
    (void)l;
    o->unit.commit_valid = o->unit.commit_near = 0;
    o->unit.commit_warp = o->unit.commit_tag = 0;
}

static void invented(struct liar *l, struct bank_out *o) {
    (void)l;
    o->pipes.fetched_valid = 1;
}

static void other_beat(struct liar *l, struct bank_out *o) {
    (void)l;
    o->unit.lsu_near_data[0] ^= o->unit.lsu_near_valid;
}

static void faults(struct liar *l, struct bank_out *o) {
    (void)l;
    o->pipes.fault_valid = 1;
}

static void test_seen(void **state) {
    (void)state;
    expect_caught(other_bit, small, "is fetched for");
    expect_caught(row_up, small, "moves up, but is not what program order");
    expect_caught(other_warp, small, "commits, but has not completed");
    expect_caught(other_side, small, "commits, but has not completed");
    expect_caught(no_commit,
                  "--target near_bank --preset small --cycles 300000",
                  "does not come to its commit");
    expect_caught(invented, small, "fetched");
    expect_caught(faults, small, "an access to shared memory faults");
    expect_caught(other_beat,
                  "--target near_bank --preset small --cycles 300000",
                  "a beat of a message down is another");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_deterministic), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_heard),         cmocka_unit_test(test_seen),
    };
    return cmocka_run_group_tests_name("test_stim", tests, NULL, NULL);
}

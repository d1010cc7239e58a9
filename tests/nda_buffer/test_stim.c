/* test_stim.c - the environment of the local buffers notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/nda_buffer.h"
#include "nda_buffer/nda_buffer.h"
#include "nda_buffer/stim.h"

#define LIAR_BLOCK nda_buffer
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target nda_buffer --preset small --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target nda_buffer --preset small --cycles 400000");
    expect_all_covers("--target nda_buffer --preset chopim --cycles 1000000");
    expect_green("--target nda_buffer --preset small --cycles 50000 "
                 "--stim directed",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- packets -------------------------------------------------------------- */

static bool plans(struct liar *l) {
    l->told |= !l->last.plan_valid || l->in.plan_ready;
    return l->told;
}

static void other_plan(struct liar *l, struct nda_buffer_out *o) {
    if (plans(l))
        o->plan_op ^= o->plan_valid;
}

static void other_base(struct liar *l, struct nda_buffer_out *o) {
    if (plans(l))
        o->plan_base[0] ^= o->plan_valid;
}

static bool works(struct liar *l) {
    l->told |= !l->last.work_valid || l->in.work_ready;
    return l->told;
}

static void other_work(struct liar *l, struct nda_buffer_out *o) {
    if (works(l))
        o->work_length ^= o->work_valid;
}

static void other_last(struct liar *l, struct nda_buffer_out *o) {
    if (works(l))
        o->work_last[0] ^= o->work_valid;
}

static void other_scalar(struct liar *l, struct nda_buffer_out *o) {
    if (works(l))
        o->work_scalars[1] ^= o->work_valid;
}

static void test_packets(void **state) {
    (void)state;
    expect_caught(other_plan, small, "the machine gets another packet");
    expect_caught(other_base, small, "the machine gets another packet");
    expect_caught(other_work, small, "the element gets another packet");
    expect_caught(other_last, small, "the element gets another packet");
    expect_caught(other_scalar, small, "the element gets another packet");
}

/* --- words ---------------------------------------------------------------- */

static void other_word(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->rsp_data ^= o->rsp_valid;
}

static void no_word(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->rsp_valid = o->rsp_data = 0;
}

/* With the first packet from then on, before the element has it. */
static void unasked(struct liar *l, struct nda_buffer_out *o) {
    l->told |= o->packet_ready;
    if (l->told)
        o->rsp_valid = 1;
}

static void other_result(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->store_data ^= o->store_valid && !o->store_mask;
}

static void no_store(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->store_valid = o->store_mask = o->store_data = 0;
}

static void never_masked(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->store_mask = 0;
}

static void always_masked(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->store_mask = o->store_valid;
    o->store_data = 0;
}

static void other_row(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->bank_row ^= o->bank_valid;
}

static void test_words(void **state) {
    (void)state;
    expect_caught(other_word, small, ", expected");
    expect_caught(no_word, small, "nothing goes on");
    expect_caught(unasked, small, "a word that nobody asked for");
    expect_caught(other_result, small, "is written as");
    expect_caught(no_store, small, "a write is not on the bus");
    expect_caught(never_masked, small, "a write of what was not computed");
    expect_caught(always_masked, small, "is not written");
    expect_caught(other_row, small, "the bank gets another command");
}

/* --- ends and mistakes ---------------------------------------------------- */

static bool ends(struct liar *l) {
    l->told |= !l->last.ended_valid || l->in.ended_ready;
    return l->told;
}

static void other_value(struct liar *l, struct nda_buffer_out *o) {
    if (ends(l))
        o->ended_value ^= o->ended_valid;
}

static void other_tag(struct liar *l, struct nda_buffer_out *o) {
    if (ends(l))
        o->ended_tag ^= o->ended_valid;
}

static void always_ended(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->ended_valid = 1;
}

static void cries_lost(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->wrong_lost = 1;
}

static void never_lost(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->wrong_lost = 0;
}

static void cries_late(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->wrong_late = 1;
}

static void never_late(struct liar *l, struct nda_buffer_out *o) {
    (void)l;
    o->wrong_late = 0;
}

static void test_ends(void **state) {
    (void)state;
    static const char more[] =
        "--target nda_buffer --preset small --cycles 400000";
    expect_caught(other_value, small, "the end is of another packet");
    expect_caught(other_tag, small, "the end is of another packet");
    expect_caught(always_ended, small, "a packet ends before its time");
    expect_caught(cries_lost, small, "a word is lost that has a place");
    expect_caught(never_lost, more, "a lost word is not told");
    expect_caught(cries_late, small, "a late result is told");
    expect_caught(never_late, more, "a late result is not told");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target nda_buffer --set nda_buffer.batch=4",
                   "nda_buffer.batch");
    expect_refused("--target nda_buffer --set timing.cwl=1", "timing.cwl");
    expect_refused("--target nda_buffer --set nda_buffer.address_bits=8",
                   "nda_buffer.address_bits");
}

static int begin(void **state) {
    (void)state;
    lie_after = 2000;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_packets, begin),
        cmocka_unit_test_setup(test_words, begin),
        cmocka_unit_test_setup(test_ends, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

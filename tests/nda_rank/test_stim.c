/* test_stim.c - the environment of a rank's accelerator notices what model and
 * RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "nda_rank/stim.h"
#include "structs.h"

#define LIAR_BLOCK nda_rank
#define LIAR_IN struct rank_in
#define LIAR_OUT struct rank_out
#define LIAR_GOLDEN (*golden_find("nda_rank"))
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target nda_rank --preset small --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target nda_rank --preset small --cycles 400000");
    expect_all_covers("--target nda_rank --preset chopim --cycles 400000");
    expect_green("--target nda_rank --preset small --cycles 100000 "
                 "--stim directed",
                 "mismatches 0");
    expect_green("--target nda_rank --preset chopim --cycles 100000 "
                 "--stim directed",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- commands ------------------------------------------------------------- */

static void other_column(struct liar *l, struct rank_out *o) {
    (void)l;
    if (o->buffer.bank_kind == 3 || o->buffer.bank_kind == 5)
        o->buffer.bank_column ^= o->buffer.bank_valid;
}

static void early(struct liar *l, struct rank_out *o) {
    (void)l;
    o->control.ndc_valid = o->control.seen_valid = 1;
    o->control.ndc_kind = o->control.seen_kind = 3;
}

static void other_end(struct liar *l, struct rank_out *o) {
    (void)l;
    o->control.ndc_row ^= o->control.ndc_valid;
}

static void test_commands(void **state) {
    (void)state;
    expect_caught(other_column, small, "expected");
    expect_caught(early, small, "accelerator's");
    expect_caught(other_end, small, "the ends are not the same");
}

/* --- words and ends ------------------------------------------------------- */

static void other_word(struct liar *l, struct rank_out *o) {
    (void)l;
    o->buffer.store_data ^= o->buffer.store_valid && !o->buffer.store_mask;
}

static void all_masked(struct liar *l, struct rank_out *o) {
    (void)l;
    o->buffer.store_mask = o->buffer.store_valid;
    o->buffer.store_data = 0;
}

static void unmasked(struct liar *l, struct rank_out *o) {
    (void)l;
    o->buffer.store_mask = 0;
}

static void no_store(struct liar *l, struct rank_out *o) {
    (void)l;
    o->buffer.store_valid = o->buffer.store_mask = o->buffer.store_data = 0;
}

static bool ends(struct liar *l) {
    l->told |= !l->last.buffer.ended_valid || l->in.buffer.ended_ready;
    return l->told;
}

static void other_value(struct liar *l, struct rank_out *o) {
    if (ends(l))
        o->buffer.ended_value ^= o->buffer.ended_valid;
}

static void other_cause(struct liar *l, struct rank_out *o) {
    if (ends(l))
        o->buffer.ended_cause ^= o->buffer.ended_valid;
}

static void other_tag(struct liar *l, struct rank_out *o) {
    if (ends(l))
        o->buffer.ended_tag ^= o->buffer.ended_valid;
}

static void no_end(struct liar *l, struct rank_out *o) {
    struct nda_buffer_out *b = &o->buffer;
    if (!ends(l))
        return;
    b->ended_valid = b->ended_rank = b->ended_tag = b->ended_final = 0;
    b->ended_cause = b->ended_value = 0;
}

static void cries(struct liar *l, struct rank_out *o) {
    (void)l;
    o->buffer.wrong_lost = 1;
}

static void test_words(void **state) {
    (void)state;
    expect_caught(other_word, small, "after the packet, expected");
    expect_caught(all_masked, small, "after the packet, expected");
    expect_caught(unmasked, small, "after the packet, expected");
    expect_caught(no_store, small, "is not on the bus");
    expect_caught(other_value, small, "expected");
    expect_caught(other_cause, small, "expected");
    expect_caught(other_tag, small, "the end is of another packet");
    expect_caught(
        no_end,
        "--target nda_rank --preset small --stim directed --cycles 200000",
        "nothing goes on");
    expect_caught(cries, small, "a word had no place");
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
        cmocka_unit_test_setup(test_commands, begin),
        cmocka_unit_test_setup(test_words, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

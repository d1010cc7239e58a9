/* test_stim.c - the environment of the service queue notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/squeue.h"
#include "squeue/squeue.h"
#include "squeue/stim.h"

#define LIAR_BLOCK squeue
#include "tests/common/stim_liar.h"

static const char small[] = "--target squeue --preset small --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target squeue --preset mesh --cycles 60000");
    expect_deterministic(small);
}

/* In each named mode that happens of which it has its name, and nothing goes
 * wrong. */
static void test_by_name(void **state) {
    static const struct {
        const char *mode, *point;
    } names[] = {
        {"full_far_queue", "no_place"}, {"full_far_queue", "away_two"},
        {"short_memory", "limited"},    {"busy_core", "core_first"},
        {"diverged_lanes", "diverged"}, {"slow_sender", "taken_and_freed"},
        {"patterns", "pattern_9"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char words[128];
        snprintf(words, sizeof words,
                 "--target squeue --preset small --cycles 5000 --stim %s",
                 names[i].mode);
        expect_covers(words, names[i].point);
    }
    expect_green("--target squeue --preset small --cycles 5000 --stim directed",
                 "mismatches 0");
}

/* --- loads ---------------------------------------------------------------- */

static void other_place(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->load_place ^= o->load_valid;
}

static void other_address(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->load_address ^= o->load_valid << 3;
}

static void other_core(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->load_core ^= o->load_away;
}

static void no_load(struct liar *l, struct squeue_out *o) {
    l->told |= !l->last.load_valid || l->in.load_ready;
    if (l->told)
        o->load_valid = o->load_away = o->load_core = o->load_entry =
            o->load_place = o->load_second = o->load_address = o->load_type =
                o->load_mask = 0;
}

static void never_away(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->load_away = o->load_core = o->load_entry = 0;
}

static void test_loads(void **state) {
    (void)state;
    expect_caught(other_place, small, "for place");
    expect_caught(other_address, small, "was to be of");
    expect_caught(other_core, small, "was to be of");
    expect_caught(no_load, small, "a load is not shown");
    expect_caught(never_away, small, "a chain is kept");
}

/* --- operands ------------------------------------------------------------- */

static void other_operand(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->fetch_address ^= o->fetch_valid << 2;
}

static void other_turn(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->fetch_place ^= o->fetch_valid;
}

static void test_operands(void **state) {
    (void)state;
    expect_caught(other_operand, small, "an operand is wanted from");
    expect_caught(other_turn, small, "are wanted");
}

/* The queue hears another mark than is given. */
static void other_mark(struct liar *l, bool rst, struct squeue_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->mark_second = 0;
}

/* It hears other operands. */
static void other_data(struct liar *l, bool rst, struct squeue_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->data_data[0] ^= 1;
}

static void test_unheard(void **state) {
    (void)state;
    hears = other_mark;
    expect_caught(NULL, small, "property broken at cycle");
    hears = other_data;
    expect_caught(NULL, small, "expected");
}

/* --- results -------------------------------------------------------------- */

static void other_result(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->store_data[0] ^= o->store_mask & 1;
}

static void other_lanes(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->store_mask ^= o->store_valid;
}

static void other_bits(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->ans_bits ^= o->ans_kind == SQUEUE_BITMAP;
}

static void other_answer(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->ans_data[0] ^= (uint64_t)(o->ans_kind == SQUEUE_DATA) << 4;
}

static void other_entry(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->ans_entry ^= o->ans_valid;
}

static void no_answer(struct liar *l, struct squeue_out *o) {
    (void)l;
    o->ans_valid = o->ans_last = o->ans_core = o->ans_entry = o->ans_kind =
        o->ans_bits = 0;
    memset(o->ans_data, 0, sizeof o->ans_data);
}

static void test_results(void **state) {
    (void)state;
    expect_caught(other_result, small, "of a store of pattern");
    expect_caught(other_lanes, small, "of a store of pattern");
    expect_caught(other_bits, small, "has the bits");
    expect_caught(other_answer, small, "has the bits");
    expect_caught(other_entry, small, "an answer to core");
    expect_caught(no_answer, small, "property broken at cycle");
}

static void test_counters(void **state) {
    (void)state;
    expect_counters_caught(small);
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
        cmocka_unit_test_setup(test_by_name, begin),
        cmocka_unit_test_setup(test_loads, begin),
        cmocka_unit_test_setup(test_operands, begin),
        cmocka_unit_test_setup(test_unheard, begin),
        cmocka_unit_test_setup(test_results, begin),
        cmocka_unit_test_setup(test_counters, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

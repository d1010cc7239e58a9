/* test_stim.c - the environment of the near-bank pipelines notices what model
 * and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/near_pipe.h"
#include "near_pipe/near_pipe.h"
#include "near_pipe/stim.h"

#define LIAR_BLOCK near_pipe
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target near_pipe --preset small --cycles 30000";
static const char none[] = "--target near_pipe --preset small --cycles 30000 "
                           "--set near_pipe.shared_words=0";
static const char wide[] = "--target near_pipe --preset mpu --cycles 30000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "near_pipe.warps=5",       "near_pipe.units=8",
        "near_pipe.alus=8",        "near_pipe.alus=1",
        "near_pipe.registers=256", "near_pipe.shared_words=0",
        "near_pipe.shared_words=4"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target near_pipe --preset small --cycles 20000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- what is computed ----------------------------------------------------- */

static void full(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_mask = 0xff;
}

static void unguarded(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_guard = 0;
}

static void other_source(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_src0 ^= 1;
}

static void other_word(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_tag ^= 1;
}

static void other_lanes(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->load_mask = 0xff;
}

static void test_values(void **state) {
    (void)state;
    hears = full;
    expect_caught(NULL, small, "property broken");
    hears = unguarded;
    expect_caught(NULL, small, "property broken");
    hears = other_source;
    expect_caught(NULL, small, "property broken");
    hears = other_word;
    expect_caught(NULL, none, "a completion of another instruction");
    hears = other_lanes;
    expect_caught(NULL, small, "of register");
}

/* --- rows and completions ------------------------------------------------- */

static void other_bit(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->data_row[0] ^= o->data_valid;
}

static void other_row(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->fetched_data[0] ^= o->fetched_valid;
}

static void no_row(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->data_valid = 0;
    memset(o->data_row, 0, sizeof o->data_row);
}

static void invented_row(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->fetched_valid = 1;
}

static void other_ticket(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_ticket ^= 1;
}

static void invented(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->done_valid = 1;
}

/* From the first one on that nobody has seen. */
static void no_end(struct liar *l, struct near_pipe_out *o) {
    if (l->last.done_valid)
        return;
    o->done_valid = o->done_warp = o->done_tag = o->done_ticket = 0;
}

static void refuses(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->write_ready = 0;
}

static void not_zero(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    if (!o->done_valid)
        o->done_tag = 1;
}

static void test_rows(void **state) {
    (void)state;
    expect_caught(other_bit, small, "at 'data', expected");
    expect_caught(other_row, small, "at 'fetched', expected");
    expect_caught(no_row, small, "a row for 'data' does not come");
    expect_caught(invented_row, small, "'fetched'");
    expect_caught(refuses, small, "a row is not taken");
}

static void test_completions(void **state) {
    (void)state;
    hears = other_ticket;
    expect_caught(NULL, small, "a completion of another instruction");
    hears = NULL;
    expect_caught(invented, small, "a completion");
    expect_caught(no_end, none, "no instruction completes");
    expect_caught(not_zero, small,
                  "'done_tag' is not zero while there is nothing");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target near_pipe --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target near_pipe --set near_pipe.lanes=4",
                   "'near_pipe.alus' must be at most 'near_pipe.lanes'");
    expect_refused("--target near_pipe --set near_pipe.warps=2",
                   "'near_pipe.units' must be at most 'near_pipe.warps'");
    expect_refused("--target near_pipe --set near_pipe.shared_words=96",
                   "'near_pipe.shared_words' must be 0, or a power of two");
    expect_refused("--target near_pipe --set near_pipe.shared_words=8",
                   "at least twice 'near_pipe.alus'");
}

/* --- shared memory -------------------------------------------------------- */

static void other_window(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->window_base = 0;
}

static void wider(struct liar *l, bool rst, struct near_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->window_rows = 32;
}

static void no_fault(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->fault_valid = o->fault_warp = o->fault_tag = 0;
    o->fault_odd = o->fault_address = 0;
}

static void other_fault(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->fault_address += o->fault_valid;
}

static void invented_fault(struct liar *l, struct near_pipe_out *o) {
    (void)l;
    o->fault_valid = 1;
}

static void test_shared(void **state) {
    static const char shared[] =
        "--target near_pipe --preset small --cycles 60000 --stim directed "
        "--seed 5";
    static const char other_seed[] =
        "--target near_pipe --preset small --cycles 60000 --stim directed "
        "--seed 2";
    (void)state;
    hears = other_window;
    expect_caught(NULL, shared, "of register");
    /* the wrong lane goes unseen: the access has no fault, or, if a higher one
     * is odd, that one's */
    hears = wider;
    expect_caught(NULL, shared, "a fault that no access");
    expect_caught(NULL, other_seed, "without its fault");
    hears = NULL;
    expect_caught(no_fault, small, "without its fault");
    expect_caught(other_fault, small, "a fault that no access");
    expect_caught(invented_fault, small, "a fault that no access");
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
        cmocka_unit_test_setup(test_values, begin),
        cmocka_unit_test_setup(test_rows, begin),
        cmocka_unit_test_setup(test_completions, begin),
        cmocka_unit_test_setup(test_shared, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the cut between the dies notices what model
 * and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/cut.h"
#include "cut/cut.h"
#include "cut/stim.h"

#define LIAR_BLOCK cut
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target cut --preset small --cycles 30000";
static const char wide[] = "--target cut --preset mpu --cycles 30000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "cut.burst=1",         "cut.instructions=1", "cut.requests=1",
        "cut.instructions=32", "cut.tsv_width=128",  "cut.warps=33",
    };
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target cut --preset small --cycles 4000 "
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

/* --- beats ---------------------------------------------------------------- */

static void near_bit(struct liar *l, struct cut_out *o) {
    (void)l;
    o->near_data[0] ^= o->near_valid;
}

static void far_bit(struct liar *l, struct cut_out *o) {
    (void)l;
    o->far_data[0] ^= o->far_valid;
}

static void near_none(struct liar *l, struct cut_out *o) {
    (void)l;
    o->near_valid = o->near_kind = o->near_first = o->near_last = 0;
    memset(o->near_data, 0, sizeof o->near_data);
}

static void far_none(struct liar *l, struct cut_out *o) {
    (void)l;
    o->far_valid = o->far_kind = o->far_first = o->far_last = 0;
    memset(o->far_data, 0, sizeof o->far_data);
}

static void near_twice(struct liar *l, struct cut_out *o) {
    (void)l;
    o->near_valid = 1;
}

static void no_first(struct liar *l, struct cut_out *o) {
    (void)l;
    o->near_first = 0;
}

static void no_last(struct liar *l, struct cut_out *o) {
    (void)l;
    o->far_last = 0;
}

static void other_kind(struct liar *l, struct cut_out *o) {
    (void)l;
    o->near_kind ^= o->near_valid;
}

static void test_beats(void **state) {
    (void)state;
    expect_caught(near_bit, small, "the DRAM die has ");
    expect_caught(far_bit, wide, "the base die has ");
    expect_caught(near_none, small, "the DRAM die has no beat");
    expect_caught(far_none, small, "the base die has no beat");
    expect_caught(near_twice, small, "the DRAM die has a beat");
    expect_caught(no_first, small, "the DRAM die has kind");
    expect_caught(no_last, small, "the base die has kind");
    expect_caught(other_kind, small, "the DRAM die has kind");
}

/* --- the wires and turns -------------------------------------------------- */

static void wrong_way(struct liar *l, struct cut_out *o) {
    (void)l;
    o->tsv_up ^= o->tsv_valid;
}

static void silent(struct liar *l, struct cut_out *o) {
    (void)l;
    o->tsv_valid = o->tsv_up = o->tsv_kind = o->tsv_last = 0;
}

static void two_ready(struct liar *l, struct cut_out *o) {
    (void)l;
    o->up_ready |= o->instr_ready;
}

static void no_stall(struct liar *l, struct cut_out *o) {
    (void)l;
    o->bus_stall = 0;
}

static void stall(struct liar *l, struct cut_out *o) {
    (void)l;
    o->bus_stall = 1;
}

/* Ready out of turn, while nobody else is. */
static void out_of_turn(struct liar *l, struct cut_out *o) {
    (void)l;
    o->instr_ready = !(o->row_ready || o->ask_ready || o->lsu_down_ready ||
                       o->up_ready || o->done_ready || o->lsu_up_ready);
}

/* The model takes every row that came up for written. */
static void room_for_rows(struct liar *l, bool rst, struct cut_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->taken_row = 1;
}

static void starve(struct liar *l, bool rst, struct cut_in *in) {
    (void)l;
    (void)rst;
    in->lsu_up_valid = 0;
}

static void test_turns(void **state) {
    (void)state;
    expect_caught(wrong_way, small, "the wires carry something else");
    expect_caught(silent, small, "the wires carry something else");
    expect_caught(two_ready, small, "are ready together");
    expect_caught(out_of_turn, small, "carry something else than instr");
    expect_caught(no_stall, small, "no stall shows");
    expect_caught(stall, small, "nobody else wants the bus");
    hears = room_for_rows;
    expect_caught(NULL, small, "a beat of 'up' is taken");
    hears = starve;
    expect_caught(NULL, small, "'lsu_up' waits for more than");
}

/* --- what comes back ------------------------------------------------------ */

static void other_warp(struct liar *l, struct cut_out *o) {
    (void)l;
    o->delivered_warp ^= o->delivered_valid;
}

static void undelivered(struct liar *l, struct cut_out *o) {
    (void)l;
    o->delivered_valid = o->delivered_warp = 0;
}

static void delivered(struct liar *l, struct cut_out *o) {
    (void)l;
    o->delivered_valid = 1;
}

static void unmoved(struct liar *l, struct cut_out *o) {
    (void)l;
    o->moved_valid = o->moved_warp = o->moved_reg = o->moved_epoch = 0;
}

static void moved(struct liar *l, struct cut_out *o) {
    (void)l;
    o->moved_valid = 1;
}

static void other_register(struct liar *l, struct cut_out *o) {
    l->told |= !o->moved_valid;
    if (l->told)
        o->moved_reg ^= o->moved_valid;
}

/* The model is told of places twice. */
static void too_much_room(struct liar *l, bool rst, struct cut_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->back_ask = 1;
}

static void test_returns(void **state) {
    (void)state;
    expect_caught(other_warp, small, "is delivered, expected");
    expect_caught(undelivered, small, "an instruction is not delivered");
    expect_caught(delivered, small, "an instruction is delivered");
    expect_caught(unmoved, small, "a move is not done");
    expect_caught(moved, small, "a move is done");
    expect_caught(other_register, small, " moved, expected ");
    hears = too_much_room;
    expect_caught(NULL, small, "a beat of 'ask' is taken");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target cut --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target cut --stim replay --run kernels/axpy/axpy.yml",
                   "'cut' has no stimulus 'replay'");
    expect_refused("--target cut --set cut.tsv_width=8", "must fit one beat");
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
        cmocka_unit_test_setup(test_beats, begin),
        cmocka_unit_test_setup(test_turns, begin),
        cmocka_unit_test_setup(test_returns, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

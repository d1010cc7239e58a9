/* test_stim.c - the environment of what runs blocks of other cores notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/jobs.h"
#include "jobs/jobs.h"
#include "jobs/stim.h"

#define LIAR_BLOCK jobs
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target jobs --preset stacks_small "
                            "--cycles 30000";
static const char wide[] = "--target jobs --preset stacks --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target jobs --preset stacks_small --cycles 20000 "
                      "--stim directed");
    expect_deterministic(small);
}

/* A field is another one while its channel is valid. */
#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct jobs_out *o) {                     \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_pass, put_valid, put_data[0], 1)
LIE(other_lanes, put_valid, put_mask, 1)
LIE(other_number, put_valid, put_d, 1)
LIE(other_kind, put_valid, put_pred, 1)
LIE(other_last, put_valid, put_last, 1)
LIE(other_slot, spawn_valid, spawn_warp, 1)
LIE(other_begin, spawn_valid, spawn_pc, 1)
LIE(other_end, spawn_valid, spawn_end, 1)
LIE(other_mask, spawn_valid, spawn_mask, 1)
LIE(other_look, look_valid, look_reg, 1)
LIE(other_warp, look_valid, look_warp, 1)
LIE(other_flit, send_ans_valid, send_ans_data[1], 1)
LIE(other_mark, send_ans_valid, send_ans_data[0], 4)
LIE(other_stop, send_ans_valid, send_ans_last, 1)
LIE(other_node, send_ans_valid, send_ans_y, 1)
LIE(other_order, send_ans_valid, send_ans_order, 1)
#undef LIE

/* A ready is the other way round, or what needs no ready. */
#define TURN(name, field)                                                      \
    static void name(struct liar *l, struct jobs_out *o) {                     \
        (void)l;                                                               \
        o->field ^= 1;                                                         \
    }
TURN(no_flit, take_req_ready)
TURN(no_end, over_ready)
TURN(not_held, chain_busy)
TURN(no_begin, spawn_valid)
#undef TURN

/* The cache hears the contrary. */
static void no_drop(struct liar *l, struct jobs_out *o) {
    (void)l;
    o->drop_valid ^= 1;
    o->drop_all ^= 1;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_pass, small, "a pass has other values");
    expect_caught(other_lanes, small, "a pass is of another register");
    expect_caught(other_number, small, "a pass is of another register");
    expect_caught(other_kind, small, "a pass is of another register");
    expect_caught(other_last, small, "a pass is of another register");
    expect_caught(other_slot, small, "a block begins in slot");
    expect_caught(other_begin, small, "another block begins");
    expect_caught(other_end, small, "another block begins");
    expect_caught(other_mask, small, "another block begins");
    expect_caught(other_look, small, "the core is asked for another register");
    expect_caught(other_warp, small, "the core is asked for another register");
    expect_caught(other_flit, small, "a flit is altered, or another");
    expect_caught(other_mark, small, "a flit is altered, or another");
    expect_caught(other_stop, small, "a packet ends too");
    expect_caught(other_node, small, "a packet goes to another node");
    expect_caught(other_order, wide, "a packet goes to another node");
    expect_caught(no_flit, small, "a flit is");
    expect_caught(no_end, small, "the end of a block is");
    expect_caught(not_held, small, "the core is");
    expect_caught(no_drop, small, "the cache is");
    expect_caught(no_begin, small, "a block");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target jobs --set noc.flit_bits=130",
                   "'noc.flit_bits' must be four bits");
    expect_refused("--target jobs --set move.alus=32 --set move.lanes=8",
                   "'move.alus' must not be above");
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
        cmocka_unit_test_setup(test_lies, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of what stands between a core and its controller notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/broker.h"
#include "broker/broker.h"
#include "broker/stim.h"

#define LIAR_BLOCK broker
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target broker --preset stacks_small "
                            "--cycles 30000";
static const char wide[] = "--target broker --preset stacks --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target broker --preset stacks_small --cycles 20000 "
                      "--stim directed");
    expect_deterministic(small);
}

/* A field is another one while its channel is valid. */
#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct broker_out *o) {                   \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_warp, ask_valid, ask_warp, 1)
LIE(other_key, ask_valid, ask_key, 1)
LIE(other_address, ask_valid, ask_address, 4)
LIE(other_map, ask_valid, ask_learned, 1)
LIE(other_go, go_valid, go_warp, 1)
LIE(other_pc, go_valid, go_pc, 1)
LIE(other_way, go_valid, go_alone, 1)
LIE(other_value, value_valid, value_data, 1)
LIE(other_row, reg_data_valid, reg_data_row[0], 8)
LIE(other_top, reg_data_valid, reg_data_row[15], 1ull << 63)
LIE(other_look, look_valid, look_reg, 1)
LIE(other_pass, put_valid, put_data[0], 1)
LIE(other_mask, put_valid, put_mask, 1)
LIE(other_last, put_valid, put_last, 1)
LIE(other_flit, send_req_valid, send_req_data[1], 1)
LIE(other_mark, send_req_valid, send_req_data[0], 4)
LIE(other_end, send_req_valid, send_req_last, 1)
LIE(other_stack, send_req_valid, send_req_y, 1)
LIE(other_ack, ack_valid, ack_data[0], 1)
#undef LIE

/* A ready is the other way round, or what needs no ready. */
#define TURN(name, field)                                                      \
    static void name(struct liar *l, struct broker_out *o) {                   \
        (void)l;                                                               \
        o->field ^= 1;                                                         \
    }
TURN(no_offer, offer_ready)
TURN(no_release, release_ready)
TURN(no_oper, oper_ready)
TURN(no_read, reg_read_ready)
TURN(no_write, reg_write_ready)
TURN(no_tx, tx_ready)
TURN(no_come, take_ans_ready)
TURN(no_answer, ans_ready)
TURN(not_held, chain_busy)
#undef TURN

/* The cache hears the contrary. */
static void no_drop(struct liar *l, struct broker_out *o) {
    (void)l;
    o->drop_valid ^= 1;
    o->drop_all ^= 1;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_warp, small, "another warp asks");
    expect_caught(other_key, small, "a warp asks for");
    expect_caught(other_address, small, "with another address");
    expect_caught(other_map, small, "with another address");
    expect_caught(other_go, small, "goes on as another must");
    expect_caught(other_pc, small, "goes on as another must");
    expect_caught(other_way, small, "goes on as another must");
    expect_caught(other_value, small, "a condition has another value");
    expect_caught(other_row, small, "a row of a packet is another");
    expect_caught(other_top, wide, "a row of a packet is another");
    expect_caught(other_look, small, "the core is asked for another register");
    expect_caught(other_pass, small, "a pass has other values");
    expect_caught(other_mask, small, "a pass is of another register");
    expect_caught(other_last, small, "a pass is of another register");
    expect_caught(other_flit, small, "a flit is altered, or another");
    expect_caught(other_mark, small, "a flit is altered, or another");
    expect_caught(other_end, small, "a flit is altered, or another");
    expect_caught(other_stack, small, "a packet goes to another node");
    expect_caught(other_ack, small, "an acknowledgement is altered");
    expect_caught(no_offer, small, "taken too early or late");
    expect_caught(no_release, small, "taken too early or late");
    expect_caught(no_oper, small, "taken too early or late");
    expect_caught(no_read, small, "taken too early or late");
    expect_caught(no_write, small, "taken too early or late");
    expect_caught(no_tx, small, "taken too early or late");
    expect_caught(no_come, small, "taken too early or late");
    expect_caught(no_answer, small, "is refused");
    expect_caught(not_held, small, "warps are away");
    expect_caught(no_drop, small, "the cache is");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target broker --set noc.flit_bits=130",
                   "'noc.flit_bits' must be four bits");
    expect_refused("--target broker --set move.alus=32 --set move.lanes=8",
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

/* test_stim.c - the environment of a network interface for two users notices
 * what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/junction.h"
#include "junction/junction.h"
#include "junction/stim.h"

#define LIAR_BLOCK junction
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target junction --preset small --cycles 10000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target junction --cycles 10000");
    expect_green("--target junction --preset small --cycles 6000 "
                 "--stim directed",
                 "mismatches 0");
    expect_deterministic(small);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct junction_out *o) {                 \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_flit, send_req_valid, send_req_data[0], 0x80)
LIE(other_last, send_ans_valid, send_ans_last, 1)
LIE(other_column, send_ans_valid, send_ans_x, 1)
LIE(other_row, send_req_valid, send_req_y, 1)
LIE(other_order, send_req_valid, send_req_order, 1)
LIE(other_request, share_asked_valid, share_asked_data[0], 0x80)
LIE(other_answer, chain_replied_valid, chain_replied_last, 1)
#undef LIE

/* Both users may go. */
static void both_go(struct liar *l, struct junction_out *o) {
    (void)l;
    o->chain_ask_ready |= o->share_ask_ready;
}

/* The other one may. */
static void other_goes(struct liar *l, struct junction_out *o) {
    uint64_t ready = o->chain_reply_ready;
    (void)l;
    o->chain_reply_ready = o->share_reply_ready;
    o->share_reply_ready = ready;
}

static void refuses(struct liar *l, struct junction_out *o) {
    (void)l;
    o->take_ans_ready = 0;
}

/* What is for one user is at the other. */
static void at_the_other(struct liar *l, struct junction_out *o) {
    (void)l;
    if (!o->chain_asked_valid)
        return;
    o->share_asked_valid = 1;
    o->share_asked_last = o->chain_asked_last;
    memcpy(o->share_asked_data, o->chain_asked_data,
           sizeof o->share_asked_data);
    o->chain_asked_valid = o->chain_asked_last = 0;
    memset(o->chain_asked_data, 0, sizeof o->chain_asked_data);
}

static void no_flits(struct liar *l, struct junction_out *o) {
    (void)l;
    o->send_req_valid = o->send_req_last = o->send_req_order = 0;
    o->send_req_x = o->send_req_y = 0;
    memset(o->send_req_data, 0, sizeof o->send_req_data);
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_flit, small, "is altered, or another");
    expect_caught(other_last, small, "is altered, or another");
    expect_caught(other_request, small, "is altered, or another");
    expect_caught(other_answer, small, "is altered, or another");
    expect_caught(other_column, small, "goes to another place");
    expect_caught(other_row, small, "goes to another place");
    expect_caught(other_order, small, "goes to another place");
    expect_caught(both_go, small, "users of requests may go");
    expect_caught(refuses, small, "of answers is refused");
    expect_caught(at_the_other, small, "a flit of requests is");
    expect_caught(no_flits, small, "a flit of requests is not there");
}

/* Turns are watched by themselves: of ready alone, which model and RTL share.
 */
static void test_turns(void **state) {
    (void)state;
    expect_caught(other_goes, small, "a flit of");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target junction --set noc.flit_bits=8", "noc.flit_bits");
    expect_refused("--target junction --set noc.lanes=4", "virtual channels");
}

static int begin(void **state) {
    (void)state;
    lie_after = 500;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_lies, begin),
        cmocka_unit_test_setup(test_turns, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

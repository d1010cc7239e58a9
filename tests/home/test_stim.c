/* test_stim.c - the environment of the memory's end of requests of all nodes
 * notices what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/home.h"
#include "home/home.h"
#include "home/stim.h"

#define LIAR_BLOCK home
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target home --preset small --cycles 10000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target home --cycles 20000");
    expect_all_covers("--target home --preset small --cycles 6000 "
                      "--stim directed");
    expect_deterministic(small);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct home_out *o) {                     \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_tag, mem_valid, mem_id, 4)
LIE(other_op, mem_valid, mem_op, 2)
LIE(other_sector, mem_valid, mem_address, 1)
LIE(other_strobe, mem_valid, mem_strobe, 1)
LIE(other_data, mem_valid, mem_data[1], 1)
LIE(other_compare, mem_valid, mem_compare, 1)
LIE(other_id, back_valid, back_id, 1)
LIE(other_fault, back_valid, back_fault, 1)
LIE(other_word, back_valid, back_data[0], 2)
LIE(other_column, send_ans_valid, send_ans_x, 1)
LIE(other_row, send_ans_valid, send_ans_y, 1)
LIE(other_last, send_ans_valid, send_ans_last, 1)
LIE(other_flit, send_ans_valid, send_ans_data[0], 1)
#undef LIE

static void no_request(struct liar *l, struct home_out *o) {
    (void)l;
    o->mem_valid = o->mem_op = o->mem_id = o->mem_address = 0;
    o->mem_strobe = o->mem_compare = 0;
    memset(o->mem_data, 0, sizeof o->mem_data);
}

static void test_requests(void **state) {
    (void)state;
    expect_caught(other_tag, small, "a request is at mem with id");
    expect_caught(other_op, small, "request is altered on its way");
    expect_caught(other_sector, small, "request is altered on its way");
    expect_caught(other_strobe, small, "request is altered on its way");
    expect_caught(other_data, small, "request is altered on its way");
    expect_caught(other_compare, small, "request is altered on its way");
    expect_caught(no_request, small, "a request is not at mem");
}

static void no_back(struct liar *l, struct home_out *o) {
    (void)l;
    o->back_valid = o->back_id = o->back_fault = 0;
    memset(o->back_data, 0, sizeof o->back_data);
}

static void no_send(struct liar *l, struct home_out *o) {
    (void)l;
    o->send_ans_valid = o->send_ans_last = o->send_ans_x = o->send_ans_y = 0;
    memset(o->send_ans_data, 0, sizeof o->send_ans_data);
}

static void no_flit(struct liar *l, struct home_out *o) {
    (void)l;
    o->take_req_ready = 0;
}

static void test_answers(void **state) {
    (void)state;
    expect_caught(other_id, small, "of the own node is altered");
    expect_caught(other_fault, small, "of the own node is altered");
    expect_caught(other_word, small, "of the own node is altered");
    expect_caught(other_column, small, "an answer for node");
    expect_caught(other_row, small, "an answer for node");
    expect_caught(other_last, small, "of an answer is");
    expect_caught(other_flit, small, "in its lowest bits, expected");
    expect_caught(no_back, small, "an answer is not at back");
    expect_caught(no_send, small, "an answer is not at send_ans");
    expect_caught(no_flit, small, "a flit of a request is refused");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target home --set home.places=65", "home.places");
    expect_refused("--target home --set share.id_bits=0", "share.id_bits");
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
        cmocka_unit_test_setup(test_requests, begin),
        cmocka_unit_test_setup(test_answers, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

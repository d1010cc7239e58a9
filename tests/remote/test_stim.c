/* test_stim.c - the environment of a core's way to the memories of all nodes
 * notices what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/remote.h"
#include "remote/remote.h"
#include "remote/stim.h"

#define LIAR_BLOCK remote
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target remote --preset small --cycles 10000";
static const char stacks[] = "--target remote --preset small --cycles 10000 "
                             "--set share.place=stacks";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target remote --cycles 10000");
    expect_green("--target remote --preset small --cycles 3000 "
                 "--stim directed",
                 "mismatches 0");
    expect_all_covers(stacks);
    expect_all_covers("--target remote --cycles 20000 --set share.nodes=2 "
                      "--set mesh.memory_nodes=9,2 --set share.place=stacks "
                      "--set share.sector=4");
    expect_deterministic(small);
    expect_deterministic(stacks);
}

/* --- requests ------------------------------------------------------------- */

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct remote_out *o) {                   \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_op, own_valid, own_op, 2)
LIE(other_id, own_valid, own_id, 1)
LIE(other_sector, own_valid, own_address, 4)
LIE(other_strobe, own_valid, own_strobe, 1)
LIE(other_data, own_valid, own_data[1], 1)
LIE(other_compare, own_valid, own_compare, 1)
LIE(other_column, send_req_valid, send_req_x, 1)
LIE(other_row, send_req_valid, send_req_y, 1)
LIE(other_flit, send_req_valid, send_req_data[0], 0x80)
LIE(other_last, send_req_valid, send_req_last, 1)
LIE(other_answer, rsp_valid, rsp_id, 1)
LIE(other_fault, rsp_valid, rsp_fault, 1)
LIE(other_word, rsp_valid, rsp_data[1], 1)
#undef LIE

/* A request of its own node never comes. */
static void no_own(struct liar *l, struct remote_out *o) {
    (void)l;
    o->own_valid = o->own_op = o->own_id = o->own_address = 0;
    o->own_strobe = o->own_compare = 0;
    memset(o->own_data, 0, sizeof o->own_data);
}

static void no_far(struct liar *l, struct remote_out *o) {
    (void)l;
    o->send_req_valid = o->send_req_last = 0;
    o->send_req_x = o->send_req_y = 0;
    memset(o->send_req_data, 0, sizeof o->send_req_data);
}

static void test_requests(void **state) {
    (void)state;
    expect_caught(other_op, small, "is altered on its way");
    expect_caught(other_id, small, "is altered on its way");
    expect_caught(other_strobe, small, "is altered on its way");
    expect_caught(other_data, small, "is altered on its way");
    expect_caught(other_compare, small, "is altered on its way");
    expect_caught(other_sector, small, "is asked of the own memory");
    expect_caught(other_column, small, "a packet for node");
    expect_caught(other_row, small, "a packet for node");
    expect_caught(other_flit, small, "in its lowest bits, expected");
    expect_caught(other_last, small, "of a request is");
    expect_caught(no_own, small, "for the own memory is not there");
    expect_caught(no_far, small, "for another node is not sent");
}

/* The model hears of another node than the environment gives. */
static void other_node(struct liar *l, bool rst, struct remote_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->mem_address ^= 4; /* of chunks of four sectors */
}

/* The model hears of another map than the environment gives. */
static void other_mapping(struct liar *l, bool rst, struct remote_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->map_learned ^= 1;
}

static void other_bit(struct liar *l, bool rst, struct remote_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->map_bit ^= 4;
}

static void test_node(void **state) {
    (void)state;
    hears = other_node;
    expect_caught(NULL, small, "property broken");
    hears = other_mapping;
    expect_caught(NULL, stacks, "property broken");
    hears = other_bit;
    expect_caught(NULL, stacks, "property broken");
}

/* --- answers -------------------------------------------------------------- */

static void no_answer(struct liar *l, struct remote_out *o) {
    (void)l;
    o->rsp_valid = o->rsp_id = o->rsp_fault = 0;
    memset(o->rsp_data, 0, sizeof o->rsp_data);
}

static void no_flit(struct liar *l, struct remote_out *o) {
    (void)l;
    o->take_ans_ready = 0;
}

static void test_answers(void **state) {
    (void)state;
    expect_caught(other_answer, small, "is altered, or another one");
    expect_caught(other_fault, small, "is altered, or another one");
    expect_caught(other_word, small, "is altered, or another one");
    expect_caught(no_answer, small, "an answer is not at rsp");
    expect_caught(no_flit, small, "a flit of an answer is refused");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target remote --set share.nodes=24", "share.nodes");
    expect_refused("--target remote --set share.nodes=128",
                   "must not be above the nodes of the mesh");
    expect_refused("--target remote --set share.place=memory_nodes",
                   "must be the number of 'mesh.memory_nodes'");
    expect_refused("--target remote --set share.chunk=16",
                   "must be a sector ('share.sector') or more");
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
        cmocka_unit_test_setup(test_node, begin),
        cmocka_unit_test_setup(test_answers, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of operands of chains as sectors of a memory
 * notices what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/lines.h"
#include "lines/lines.h"
#include "lines/stim.h"

#define LIAR_BLOCK lines
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target lines --preset small --cycles 20000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target lines --cycles 20000");
    expect_green("--target lines --preset small --cycles 8000 "
                 "--stim directed",
                 "mismatches 0");
    expect_deterministic(small);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct lines_out *o) {                    \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_sector, req_id >= 0x100, req_address, 1) /* of an operand */
LIE(other_strobe, req_id >= 0x100 && o->req_op == 1, req_strobe, 1)
LIE(other_compare, req_valid && o->req_id < 0x100, req_compare, 1)
LIE(other_lane, bring_valid, bring_data[0], 1)
LIE(other_last, bring_valid, bring_last, 1)
LIE(other_id, back_valid, back_id, 1)
LIE(other_fault, back_valid, back_fault, 1)
LIE(other_word, back_valid, back_data[0], 1)
#undef LIE

static void no_beat(struct liar *l, struct lines_out *o) {
    (void)l;
    o->bring_valid = o->bring_last = 0;
    memset(o->bring_data, 0, sizeof o->bring_data);
}

static void no_back(struct liar *l, struct lines_out *o) {
    (void)l;
    o->back_valid = o->back_id = o->back_fault = 0;
    memset(o->back_data, 0, sizeof o->back_data);
}

static void no_fault(struct liar *l, struct lines_out *o) {
    (void)l;
    o->count_fault = 0;
}

/* An end that nobody has waited for. */
static void early(struct liar *l, struct lines_out *o) {
    (void)l;
    o->bring_valid = o->bring_last = 1;
}

static void test_operands(void **state) {
    (void)state;
    expect_caught(other_sector, small, "a sector is asked for as op");
    expect_caught(other_strobe, small, "a sector is asked for as op");
    expect_caught(other_lane, small, "is brought as");
    expect_caught(other_last, small, "the last");
    expect_caught(no_beat, small, "do not end");
    expect_caught(no_fault, small, "counts as one");
    expect_caught(early, small, "property broken");
}

static void test_shared(void **state) {
    (void)state;
    expect_caught(other_compare, small, "of shared memory is altered");
    expect_caught(other_id, small, "an answer of shared memory is altered");
    expect_caught(other_fault, small, "an answer of shared memory is altered");
    expect_caught(other_word, small, "an answer of shared memory is altered");
    expect_caught(no_back, small, "an answer is not at back");
}

/* The model hears of another lane than the gate gives. */
static void other_mask(struct liar *l, bool rst, struct lines_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->want_mask ^= 1;
}

static void test_mask(void **state) {
    (void)state;
    hears = other_mask;
    expect_caught(NULL, small, "property broken");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target lines --set lines.alus=3", "lines.alus");
    expect_refused("--target lines --set omni.lanes=4", "must be at most");
    expect_refused("--target lines --set share.place=memory_nodes",
                   "must be the number of");
}

static int begin(void **state) {
    (void)state;
    lie_after =
        0; /* from the first edge on: what stands there does not change */
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_operands, begin),
        cmocka_unit_test_setup(test_shared, begin),
        cmocka_unit_test_setup(test_mask, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of a host's window notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/window.h"
#include "window/stim.h"
#include "window/window.h"

#define LIAR_BLOCK window
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target window --preset small --cycles 10000";
static const char stacks[] = "--target window --preset small --cycles 10000 "
                             "--set share.place=stacks";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target window --cycles 10000");
    expect_all_covers("--target window --preset small --cycles 3000 "
                      "--stim directed");
    expect_all_covers(stacks);
    expect_all_covers("--target window --cycles 20000 --set share.nodes=2 "
                      "--set mesh.memory_nodes=9,2 --set share.place=stacks "
                      "--set share.sector=4");
    expect_deterministic(small);
    expect_deterministic(stacks);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct window_out *o) {                   \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_column, send_req_valid, send_req_x, 1)
LIE(other_row, send_req_valid, send_req_y, 1)
LIE(other_last, send_req_valid, send_req_last, 1)
LIE(other_flit, send_req_valid, send_req_data[0], 1)
LIE(other_word, read_valid, read_data, 1)
#undef LIE

static void no_word(struct liar *l, struct window_out *o) {
    (void)l;
    o->read_valid = o->read_data = 0;
}

static void never_taken(struct liar *l, struct window_out *o) {
    (void)l;
    o->win_ready = 0;
}

static void no_flit(struct liar *l, struct window_out *o) {
    (void)l;
    o->send_req_valid = o->send_req_last = o->send_req_x = o->send_req_y = 0;
    memset(o->send_req_data, 0, sizeof o->send_req_data);
}

static void none_taken(struct liar *l, struct window_out *o) {
    (void)l;
    o->take_ans_ready = 0;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_column, small, "a packet for node");
    expect_caught(other_row, small, "a packet for node");
    expect_caught(other_last, small, "the last");
    expect_caught(other_flit, small, "in its lowest bits, expected");
    expect_caught(other_word, small, "is read as");
    expect_caught(no_word, small, "a word is not at read");
    expect_caught(never_taken, small, "an access is not taken");
    expect_caught(no_flit, small, "a flit is not at send_req");
    expect_caught(none_taken, small, "a flit of an answer is refused");
}

/* The model hears of another map than the environment gives. */
static void other_mapping(struct liar *l, bool rst, struct window_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->map_learned ^= 1;
}

static void other_bit(struct liar *l, bool rst, struct window_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->map_bit ^= 4;
}

static void test_map(void **state) {
    (void)state;
    hears = other_mapping;
    expect_caught(NULL, stacks, "property broken");
    hears = other_bit;
    expect_caught(NULL, stacks, "property broken");
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
        cmocka_unit_test_setup(test_map, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

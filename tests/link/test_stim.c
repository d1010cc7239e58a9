/* test_stim.c - the environment of a slow link notices what model and RTL agree on,
 * and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/link.h"
#include "link/link.h"
#include "link/stim.h"

#define LIAR_BLOCK link
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target link --preset small --cycles 20000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "link.latency=1",
        "link.latency=64",
        "link.stacks=16",
        "noc.depth=2",
        "noc.lanes=3 --set noc.routes=xy",
    };
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target link --cycles 20000");
    expect_all_covers("--target link --preset small --cycles 3000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_all_covers(words);
    }
    expect_deterministic(small);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct link_out *o) {                     \
        (void)l;                                                               \
        if (when)                                                              \
            o->field ^= bits;                                                  \
    }
LIE(other_channel, o->to_valid, to_vc, 1)
LIE(other_last, o->to_valid, to_last, 1)
LIE(other_column, o->to_valid, to_x, 1)
LIE(other_row, o->to_valid, to_y, 1)
LIE(other_data, o->to_valid, to_data[0], 1u << 12)
LIE(moves_too, o->moves == 0, moves, 1)
LIE(never_moves, o->moves & 1, moves, 1)
LIE(other_credit, o->credit_valid, credit_vc, 1)
LIE(invented_credit, true, credit_valid, !o->credit_valid)
#undef LIE

static void no_flit(struct liar *l, struct link_out *o) {
    (void)l;
    o->to_valid = o->to_vc = o->to_last = o->to_x = o->to_y = 0;
    memset(o->to_data, 0, sizeof o->to_data);
}

static void no_credit(struct liar *l, struct link_out *o) {
    (void)l;
    o->credit_valid = o->credit_vc = 0;
}

/* The same flit again. */
static void twice(struct liar *l, struct link_out *o) {
    if (l->last.to_valid && !o->to_valid) {
        uint64_t moves = o->moves, valid = o->credit_valid, vc = o->credit_vc;
        *o = l->last;
        o->moves = moves;
        o->credit_valid = valid;
        o->credit_vc = vc;
    }
}

static void test_flits(void **state) {
    static const char altered[] = "arrives altered, or another one";
    (void)state;
    expect_caught(other_channel, small, altered);
    expect_caught(other_last, small, altered);
    expect_caught(other_column, small, altered);
    expect_caught(other_row, small, altered);
    expect_caught(other_data, small, altered);
    expect_caught(no_flit, small, "a flit is not at the other side");
    expect_caught(twice, small, "a flit is at the other side");
}

static void test_others(void **state) {
    static const char credit[] = "a credit is lost, altered or invented";
    (void)state;
    expect_caught(moves_too, small, "moves on the links, expected");
    expect_caught(never_moves, small, "moves on the links, expected");
    expect_caught(other_credit, small, credit);
    expect_caught(invented_credit, small, credit);
    expect_caught(no_credit, small, credit);
}

/* An edge sooner than the pace. */
static void sooner(struct liar *l, bool rst, struct link_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->at_pace > 1)
        in->at_pace--;
}

static void later(struct liar *l, bool rst, struct link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->at_pace++;
}

/* Another channel than the one that it came by. */
static void swap(struct liar *l, bool rst, struct link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->from_vc ^= in->from_valid;
}

static void test_pace(void **state) {
    (void)state;
    hears = sooner;
    expect_caught(NULL, small, "a flit is at the other side");
    hears = later;
    expect_caught(NULL, small, "a flit is not at the other side");
    hears = swap;
    expect_caught(NULL, small, "arrives altered, or another one");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target link --set link.latency=0", "link.latency");
    expect_refused("--target link --set link.stacks=3", "power of two");
    expect_refused("--target link --set noc.lanes=4", "8 virtual channels");
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
        cmocka_unit_test_setup(test_flits, begin),
        cmocka_unit_test_setup(test_others, begin),
        cmocka_unit_test_setup(test_pace, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

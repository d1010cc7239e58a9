/* test_stim.c - the environment of a relay notices what model and RTL agree on,
 * and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/relay.h"
#include "relay/relay.h"
#include "relay/stim.h"

#define LIAR_BLOCK relay
#include "tests/common/stim_liar.h"

static const char small[] = "--target relay --preset small --cycles 20000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target relay --cycles 20000");
    expect_all_covers("--target relay --preset small --cycles 20000 "
                      "--stim directed");
    expect_deterministic(small);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct relay_out *o) {                    \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_next, next_valid, next_index, 1)
LIE(other_core, core_ctl_valid, core_ctl_data, 1)
LIE(other_state, all_halted, all_state, 1)
LIE(other_halted, all_quiet, all_halted, 1)
LIE(other_fault, all_fault_cause, all_fault_pc, 1)
LIE(other_answer, all_debug_valid, all_debug_value, 1)
#undef LIE

static void withheld(struct liar *l, struct relay_out *o) {
    (void)l;
    o->core_ctl_valid = o->core_ctl_op = 0;
    o->core_ctl_index = o->core_ctl_data = 0;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_next, small, "a command does not go on as it came");
    expect_caught(other_core, small, "the core gets another command");
    expect_caught(withheld, small, "the core does not get a command");
    expect_caught(other_state, small, "all are in state");
    expect_caught(other_halted, small, "halted or quiet wrongly");
    expect_caught(other_fault, small, "the fault is another one");
    expect_caught(other_answer, small, "an answer is not there, or another");
    expect_counters_caught(small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

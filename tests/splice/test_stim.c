/* test_stim.c - the environment of a prefetcher's place beside a cache notices
 * what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/splice.h"
#include "splice/splice.h"
#include "splice/stim.h"

#define LIAR_BLOCK splice
#include "tests/common/stim_liar.h"

static const char run[] = "--target splice --cycles 20000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target splice --cycles 60000");
    expect_all_covers("--target splice --cycles 60000 --stim directed "
                      "--set splice.lines=2");
    expect_deterministic(run);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct splice_out *o) {                   \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_demand, demand_valid, demand_address, 32)
LIE(other_line, pre_valid, pre_line, 1)
LIE(other_index, load_valid, load_index, 1)
LIE(other_entry, load_valid, load_entry[2], 1)
#undef LIE

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_demand, run, "the prefetcher is shown");
    expect_caught(other_line, run, "is prefetched out of turn");
    expect_caught(other_index, run, "an entry is not loaded, or another");
    expect_caught(other_entry, run, "an entry is not loaded, or another");
    expect_counters_caught(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of a per-warp stride prefetcher notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/stride.h"
#include "stride/stim.h"
#include "stride/stride.h"

#define LIAR_BLOCK stride
#include "tests/common/stim_liar.h"

static const char run[] = "--target stride --cycles 20000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target stride --cycles 100000 --set stride.entries=16 "
                      "--set stride.queue=2");
    expect_green("--target stride --stim directed --cycles 20000",
                 "mismatches 0");
    expect_deterministic(run);
}

static void other_line(struct liar *l, struct stride_out *o) {
    (void)l;
    if (o->pre_valid)
        o->pre_line ^= 1;
}

static void no_line(struct liar *l, struct stride_out *o) {
    (void)l;
    o->pre_valid = o->pre_line = 0;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_line, run, "is prefetched, expected");
    expect_caught(no_line, run, "is prefetched, expected");
    expect_counters_caught(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

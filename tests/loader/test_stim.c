/* test_stim.c - the environment of what loads tables of blocks notices what model and
 * RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/loader.h"
#include "loader/loader.h"
#include "loader/stim.h"

#define LIAR_BLOCK loader
#include "tests/common/stim_liar.h"

static const char run[] = "--target loader --cycles 20000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target loader --cycles 60000");
    expect_all_covers("--target loader --preset small --cycles 60000");
    expect_green("--target loader --cycles 10000 --stim directed",
                 "mismatches 0");
    expect_all_covers("--target loader --cycles 60000 "
                      "--set move.candidates=256 --set move.code_words=65536");
    expect_deterministic(run);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct loader_out *o) {                   \
        (void)l;                                                               \
        if (when)                                                              \
            o->field ^= bits;                                                  \
    }
LIE(other_index, o->load_valid, load_index, 1)
LIE(other_low, o->load_valid, load_entry[0], 1)
LIE(other_high, o->load_valid, load_entry[4], 1)
LIE(other_stores, o->load_valid, load_stores, 1)
LIE(invented, true, load_valid, !o->load_valid)
LIE(other_mapping, true, map_learned, 1)
LIE(other_bit, true, map_bit, 16)
#undef LIE

static void none(struct liar *l, struct loader_out *o) {
    (void)l;
    o->load_valid = o->load_index = o->load_stores = 0;
    memset(o->load_entry, 0, sizeof o->load_entry);
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_index, run, "an entry has index");
    expect_caught(other_low, run, "an entry is not the words written last");
    expect_caught(other_high, run, "an entry is not the words written last");
    expect_caught(other_stores, run, "store");
    expect_caught(invented, run, "an entry is loaded unasked");
    expect_caught(none, run, "an entry is not loaded");
    expect_caught(other_mapping, run, "another one than the settings");
    expect_caught(other_bit, run, "another one than the settings");
    expect_counters_caught(run);
}

/* The model hears of a core that stands still. */
static void stands(struct liar *l, bool rst, struct loader_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->core_state = 0;
}

static void test_running(void **state) {
    (void)state;
    hears = stands;
    expect_caught(NULL, run, "an entry is loaded unasked");
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
        cmocka_unit_test_setup(test_running, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

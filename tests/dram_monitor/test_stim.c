/* test_stim.c - the environment of the monitor of a DRAM channel's commands
 * notices what model and RTL agree on, and reaches every cover point.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/dram_monitor.h"
#include "dram/check.h"
#include "dram_monitor/dram_monitor.h"
#include "dram_monitor/stim.h"

#define LIAR_BLOCK dram_monitor
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] =
    "--target dram_monitor --preset small --set timing.refi=450 --cycles 60000";
static const char channel[] =
    "--target dram_monitor --preset small --stim channel --cycles 60000";
static const char chopim[] = "--target dram_monitor --cycles 60000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "dram.ranks=1 --set dram.groups=1 --set dram.banks=1",
        "dram.ranks=8 --set dram_monitor.count_bits=8",
        "dram.banks=16 --set dram_monitor.time_bits=8",
        "timing.bl=1 --set timing.cl=60 --set timing.cwl=5",
        "timing.refi=0",
    };
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target dram_monitor --preset small --cycles 60000 "
                      "--stim directed --set timing.refi=450");
    expect_green(chopim, "mismatches 0");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[256];
        snprintf(words, sizeof words,
                 "--target dram_monitor --preset small --cycles 30000 --set %s",
                 sets[n]);
        expect_green(words, "mismatches 0");
    }
}

/* Beside a scheduler each rule that it can come near is just kept, and broken
 * by a command an edge earlier; it closes all rows for a refresh alone. */
static void test_channel(void **state) {
    (void)state;
    expect_green("--target dram_monitor --stim channel --seed 3 "
                 "--set timing.refi=1200 --cycles 300000",
                 "not covered: broken_rp_all kept_rp_all broken_closed "
                 "broken_row broken_open\n"
                 "   broken_refresh kept_refresh late\n");
    expect_green("--target dram_monitor --preset small --stim channel "
                 "--cycles 100000",
                 "mismatches 0");
    expect_refused("--target dram_monitor --stim channel --set dram.ranks=8",
                   "dram.ranks");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- lies ----------------------------------------------------------------- */

static void says_nothing(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    o->broken_valid = o->broken_rules = o->broken_commands = 0;
    o->broken_rule = o->broken_near = o->broken_kind = 0;
    o->broken_rank = o->broken_group = o->broken_bank = 0;
}

static void false_alarm(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (!o->broken_valid) {
        o->broken_valid = 1;
        o->broken_rules = o->broken_commands = 1;
    }
}

/* A rule is overlooked where it is not the only one. */
static void overlooks(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_rules >> (o->broken_rule + 1))
        o->broken_rules = (uint64_t)1 << o->broken_rule;
}

static void other_command(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_valid)
        o->broken_commands ^= 2;
}

static void other_rule(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_valid)
        o->broken_rule ^= 1;
}

static void other_side(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_valid)
        o->broken_near ^= 1;
}

static void other_kind(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_valid)
        o->broken_kind ^= 1;
}

static void other_rank(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_valid)
        o->broken_rank ^= 1;
}

static void other_group(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_valid)
        o->broken_group ^= 1;
}

static void other_bank(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->broken_valid)
        o->broken_bank ^= 1;
}

static void other_first(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->first_valid)
        o->first_rule ^= 1;
}

static void later_first(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->first_valid)
        o->first_edge++;
}

static void counts_more(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    o->total_commands++;
}

static void counts_less(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (o->total_broken)
        o->total_broken--;
}

static void never_late(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    o->late_ranks = 0;
}

static void not_zero(struct liar *l, struct dram_monitor_out *o) {
    (void)l;
    if (!o->broken_valid)
        o->broken_bank = 1;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(says_nothing, small, "broken_rules is 0, by the checker");
    expect_caught(says_nothing, channel, "broken_rules is 0, by the checker");
    expect_caught(false_alarm, small, "broken_rules is 1, by the checker 0");
    expect_caught(overlooks, small, "broken_rules is");
    expect_caught(other_command, small, "broken_commands is");
    expect_caught(other_rule, small, "broken_rule is");
    expect_caught(other_side, small, "broken_near is");
    expect_caught(other_kind, small, "broken_kind is");
    expect_caught(other_rank, small, "broken_rank is");
    expect_caught(other_group, small, "broken_group is");
    expect_caught(other_bank, small, "broken_bank is");
    expect_caught(other_first, small, "first_rule is");
    expect_caught(later_first, small, "first_edge is");
    expect_caught(counts_more, small, "total_commands is");
    expect_caught(counts_less, small, "total_broken is");
    expect_caught(never_late, small, "late_ranks is 0, by the checker");
    expect_caught(not_zero, small, "'broken_bank' is not zero");
}

/* --- a model that does not see all ---------------------------------------- */

static void deaf_to_near(struct liar *l, bool rst, struct dram_monitor_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ndc_valid = 0;
}

static void deaf_to_host(struct liar *l, bool rst, struct dram_monitor_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->cmd_valid = 0;
}

static void row_misread(struct liar *l, bool rst, struct dram_monitor_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->cmd_kind != DRAM_ACT)
        in->cmd_row ^= 1;
}

static void test_hears(void **state) {
    (void)state;
    hears = deaf_to_near;
    expect_caught(NULL, small, " is ");
    hears = deaf_to_host;
    expect_caught(NULL, small, " is ");
    hears = row_misread;
    expect_caught(NULL, small, "broken_rules is");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target dram_monitor --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target dram_monitor --set dram_monitor.count_bits=7",
                   "dram_monitor.count_bits");
    expect_refused("--target dram_monitor --set timing.rc=1", "timing.rc");
    expect_refused("--target dram_monitor --set dram.ranks=8 "
                   "--set dram.groups=8",
                   "128 banks at most");
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
        cmocka_unit_test_setup(test_channel, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_lies, begin),
        cmocka_unit_test_setup(test_hears, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the front end notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/frontend.h"
#include "frontend/frontend.h"
#include "frontend/stim.h"

#define LIAR_BLOCK frontend
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target frontend --preset small --cycles 60000";

static const char longer[] =
    "--target frontend --preset small --cycles 1000000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "frontend.warps=5",        "frontend.registers=256", "frontend.alus=8",
        "frontend.shared_words=0", "frontend.ctas=1",        "frontend.stack=8",
        "frontend.in_flight=1",    "frontend.params=2"};
    (void)state;
    expect_all_covers(longer);
    expect_all_covers("--target frontend --preset mpu --cycles 1200000");
    expect_green("--target frontend --preset small --cycles 60000 "
                 "--stim directed",
                 "mismatches");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- words ---------------------------------------------------------------- */

static int field; /* of issue: which is another */

static void other_field(struct liar *l, struct frontend_out *o) {
    uint64_t *const fields[] = {
        &o->issue_tag,  &o->issue_op,   &o->issue_hint,
        &o->issue_mask, &o->issue_dst,  &o->issue_src0,
        &o->issue_src1, &o->issue_src2, &o->issue_guard};
    (void)l;
    *fields[field] ^= o->issue_valid;
}

static void test_words(void **state) {
    (void)state;
    for (field = 0; field < 9; field++)
        expect_caught(other_field, small, "warp ");
}

/* Whatever the front end hears of the lanes of a branch. */
static void other_lanes(struct liar *l, bool rst, struct frontend_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->resolve_lanes ^= 1;
}

static void early_resolve(struct liar *l, bool rst, struct frontend_in *in) {
    (void)rst;
    if (l->edge > lie_after && l->out.issue_valid && !in->resolve_valid) {
        in->resolve_valid = 1;
        in->resolve_warp = l->out.issue_warp;
    }
}

static void no_commit(struct liar *l, bool rst, struct frontend_in *in) {
    (void)rst;
    if (l->edge > lie_after && l->told++ % 16 == 0)
        in->commit_valid = 0;
}

static void all_ready(struct liar *l, bool rst, struct frontend_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->issue_ready = ~UINT64_C(0);
}

static void test_order(void **state) {
    (void)state;
    hears = other_lanes;
    expect_caught(NULL, small, "property broken");
    hears = early_resolve;
    expect_caught(NULL, small, "property broken");
    hears = no_commit;
    expect_caught(NULL, small, "quiet");
    hears = all_ready;
    expect_caught(NULL, small, "issue");
    hears = NULL;
}

/* --- warps that begin ----------------------------------------------------- */

static void other_value(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->value_word ^= o->value_valid;
}

static void no_value(struct liar *l, struct frontend_out *o) {
    (void)l;
    if (o->value_index == 9)
        o->value_valid = o->value_warp = o->value_index = o->value_word = 0;
}

static void other_window(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->window_base ^= o->window_valid;
}

static void other_thread(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->init_row[0] ^= o->init_valid;
}

static void more_lanes(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->init_mask ^= o->init_valid << 7;
}

/* Launch registers that it hears wrongly. */
static int wrong_register;

static void other_register(struct liar *l, bool rst, struct frontend_in *in) {
    (void)l;
    (void)rst;
    if (in->ctl_valid && in->ctl_op == 0 &&
        in->ctl_index == (uint64_t)wrong_register)
        in->ctl_data++;
}

static void test_begins(void **state) {
    static const int registers[] = {0, 1, 2, 3, 4, 5, 11, 13, 14};
    (void)state;
    expect_caught(other_value, small, "special value");
    expect_caught(no_value, small, "special value 9");
    expect_caught(other_window, small, "window");
    expect_caught(other_thread, small, "thread");
    expect_caught(more_lanes, small, "thread");
    hears = other_register;
    for (size_t i = 0; i < sizeof registers / sizeof registers[0]; i++) {
        wrong_register = registers[i];
        expect_caught(NULL, small, "property broken");
    }
    hears = NULL;
}

/* --- what is told --------------------------------------------------------- */

static void other_far_code(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->far_code_word ^= o->far_code_valid;
}

static void no_near_code(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->near_code_valid = o->near_code_tag = o->near_code_word = 0;
}

static void other_param(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->param_word ^= o->param_valid;
}

static void late_clock(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->launch_now++;
}

static void other_bound(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->launch_bound ^= 1;
}

static void never_quiet(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->quiet = 0;
}

static void never_done(struct liar *l, struct frontend_out *o) {
    (void)l;
    if (o->state == 2)
        o->state = 1;
}

static void early_done(struct liar *l, struct frontend_out *o) {
    (void)l;
    if (o->state == 1)
        o->state = 2;
}

static void other_cause(struct liar *l, struct frontend_out *o) {
    (void)l;
    if (o->fault_cause)
        o->fault_cause = 1 + o->fault_cause % 9;
}

static void other_warp(struct liar *l, struct frontend_out *o) {
    (void)l;
    if (o->fault_cause)
        o->fault_warp ^= 1;
}

static void halts(struct liar *l, struct frontend_out *o) {
    (void)l;
    o->halted = 1;
}

static void test_status(void **state) {
    (void)state;
    expect_caught(other_far_code, small, "of the code");
    expect_caught(no_near_code, small, "of the code");
    expect_caught(other_param, small, "a parameter");
    expect_caught(late_clock, small, "launch");
    expect_caught(other_bound, small, "launch");
    expect_caught(never_quiet, small, "quiet");
    expect_caught(never_done, small, "property broken");
    expect_caught(early_done, small, "done");
    expect_caught(other_cause, small, "fault");
    expect_caught(other_warp, small, "fault");
    expect_caught(halts, small, "halted");
}

/* A fault that it does not hear. */
static void no_far_fault(struct liar *l, bool rst, struct frontend_in *in) {
    (void)l;
    (void)rst;
    in->far_fault_valid = 0;
}

static void no_near_fault(struct liar *l, bool rst, struct frontend_in *in) {
    (void)l;
    (void)rst;
    in->near_fault_valid = 0;
}

static void no_halt(struct liar *l, bool rst, struct frontend_in *in) {
    (void)l;
    (void)rst;
    if (in->ctl_op == 4)
        in->ctl_op = 9;
}

static void no_watchdog(struct liar *l, bool rst, struct frontend_in *in) {
    (void)l;
    (void)rst;
    if (in->ctl_valid && in->ctl_op == 0 && in->ctl_index == 12)
        in->ctl_data = 0;
}

static void test_hears(void **state) {
    (void)state;
    hears = no_far_fault;
    expect_caught(NULL, small, ", expected 2 of ");
    hears = no_near_fault;
    expect_caught(NULL, small, "property broken");
    hears = no_halt;
    expect_caught(NULL, small, "halt");
    hears = no_watchdog;
    expect_caught(NULL, longer, "fault 9 is not told");
    hears = NULL;
}

static int counted; /* pulse that is left out */

static void no_pulse(struct liar *l, struct frontend_out *o) {
    uint64_t *const pulses[] = {&o->count_issued, &o->count_diverged,
                                &o->count_cta, &o->count_barrier};
    (void)l;
    *pulses[counted] = 0;
}

static void test_counts(void **state) {
    static const char *const says[] = {"issued word", "splits its warp", "CTAs",
                                       "barriers"};
    (void)state;
    for (counted = 0; counted < 4; counted++)
        expect_caught(no_pulse, small, says[counted]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest), cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_words),  cmocka_unit_test(test_order),
        cmocka_unit_test(test_begins), cmocka_unit_test(test_status),
        cmocka_unit_test(test_hears),  cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

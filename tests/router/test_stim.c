/* test_stim.c - the environment of the router notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/router.h"
#include "router/router.h"
#include "router/stim.h"

#define LIAR_BLOCK router
#define LIAR_EXTRA int inside;
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target router --preset small --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target router --cycles 30000");
    expect_all_covers("--target router --preset small --stim directed "
                      "--cycles 20000");
    expect_green("--target router --preset small --cycles 30000 "
                 "--set noc.lanes=3 --set noc.routes=xy --set noc.depth=2",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic("--target router --preset small --cycles 10000");
}

static void clear_east(struct router_out *out) {
    out->e_out_valid = out->e_out_vc = out->e_out_last = 0;
    out->e_out_x = out->e_out_y = 0;
    memset(out->e_out_data, 0, sizeof out->e_out_data);
}

/* Once, and nothing more of that flit. */
static void lost(struct liar *l, struct router_out *out) {
    if (out->e_out_valid && l->told++ == 0)
        clear_east(out);
}

static void twice(struct liar *l, struct router_out *out) {
    if (!out->e_out_valid && l->last.e_out_valid && l->told++ == 0) {
        out->e_out_valid = 1;
        out->e_out_vc = l->last.e_out_vc;
        out->e_out_last = l->last.e_out_last;
        out->e_out_x = l->last.e_out_x;
        out->e_out_y = l->last.e_out_y;
        memcpy(out->e_out_data, l->last.e_out_data, sizeof out->e_out_data);
    }
}

static void altered(struct liar *l, struct router_out *out) {
    (void)l;
    if (out->e_out_valid)
        out->e_out_data[0] ^= 1u << 9;
}

static void never_last(struct liar *l, struct router_out *out) {
    (void)l;
    out->e_out_last = 0;
}

static void other_channel(struct liar *l, struct router_out *out) {
    (void)l;
    if (out->e_out_valid)
        out->e_out_vc ^= 1;
}

/* What should go east goes west. */
static void wrong_side(struct liar *l, struct router_out *out) {
    (void)l;
    if (!out->e_out_valid || out->w_out_valid)
        return;
    out->w_out_valid = 1;
    out->w_out_vc = out->e_out_vc;
    out->w_out_last = out->e_out_last;
    out->w_out_x = out->e_out_x;
    out->w_out_y = out->e_out_y;
    memcpy(out->w_out_data, out->e_out_data, sizeof out->w_out_data);
    clear_east(out);
}

static void no_credit(struct liar *l, struct router_out *out) {
    if (out->s_in_credit_valid && l->told++ == 0)
        out->s_in_credit_valid = out->s_in_credit_vc = 0;
}

/* Flits whose credit has not been given back. */
static void counts(struct liar *l, bool rst, struct router_in *in) {
    l->inside += (int)in->s_in_valid - (int)l->out.s_in_credit_valid;
    if (rst)
        l->inside = 0;
}

static void too_many_credits(struct liar *l, struct router_out *out) {
    if (l->inside == 0)
        out->s_in_credit_valid = 1;
}

static void stuck(struct liar *l, struct router_out *out) {
    (void)l;
    memset(out, 0, sizeof *out);
}

static void not_zero(struct liar *l, struct router_out *out) {
    (void)l;
    if (!out->n_out_valid)
        out->n_out_x = 1;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(lost, small, "out of order");
    expect_caught(twice, small, "side 2, virtual channel");
    expect_caught(altered, small, "other data");
    expect_caught(never_last, small, "another head");
    expect_caught(other_channel, small, "side 2, virtual channel");
    expect_caught(wrong_side, small, "wrong side");
    expect_caught(no_credit, small, "do not come out");
    hears = counts;
    expect_caught(too_many_credits, small, "a credit too many");
    hears = NULL;
    expect_caught(stuck, small, "do not come out");
    expect_caught(not_zero, small, "n_out_x");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

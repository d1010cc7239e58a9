/* test_stim.c - the environment of the network interface notices what model and
 * RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/nic.h"
#include "nic/nic.h"
#include "nic/stim.h"

#define LIAR_BLOCK nic
#define LIAR_EXTRA int inside;
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target nic --preset small --cycles 30000";
static const char full[] = "--target nic --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers(full);
    expect_all_covers("--target nic --preset small --stim directed "
                      "--cycles 20000");
    expect_green("--target nic --preset small --cycles 30000 "
                 "--set noc.lanes=3 --set noc.routes=xy --set noc.depth=2",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic("--target nic --preset small --cycles 10000");
}

static void clear_up(struct nic_out *out) {
    out->up_valid = out->up_vc = out->up_last = out->up_x = out->up_y = 0;
    memset(out->up_data, 0, sizeof out->up_data);
}

static void lost(struct liar *l, struct nic_out *out) {
    if (out->up_valid && l->told++ == 0)
        clear_up(out);
}

static void altered(struct liar *l, struct nic_out *out) {
    (void)l;
    if (out->up_valid)
        out->up_data[0] ^= 1u << 9;
}

static void other_lane(struct liar *l, struct nic_out *out) {
    (void)l;
    if (out->up_valid)
        out->up_vc ^= 1;
}

static void other_goal(struct liar *l, struct nic_out *out) {
    (void)l;
    if (out->up_valid)
        out->up_x ^= 1;
}

static void taken_altered(struct liar *l, struct nic_out *out) {
    (void)l;
    if (out->take_ans_valid)
        out->take_ans_data[0] ^= 1u << 9;
}

static void never_last(struct liar *l, struct nic_out *out) {
    l->told |= !out->take_req_valid; /* not in the midst of a flit */
    if (l->told)
        out->take_req_last = 0;
}

/* Requests come as answers. */
static void other_class(struct liar *l, struct nic_out *out) {
    (void)l;
    if (!out->take_req_valid)
        return;
    out->take_ans_valid = 1;
    out->take_ans_last = out->take_req_last;
    memcpy(out->take_ans_data, out->take_req_data, sizeof out->take_ans_data);
}

static void no_credit(struct liar *l, struct nic_out *out) {
    if (out->down_credit_valid && l->told++ == 0)
        out->down_credit_valid = out->down_credit_vc = 0;
}

/* Flits whose credit has not been given back. */
static void counts(struct liar *l, bool rst, struct nic_in *in) {
    l->inside += (int)in->down_valid - (int)l->out.down_credit_valid;
    if (rst)
        l->inside = 0;
}

static void too_many_credits(struct liar *l, struct nic_out *out) {
    if (l->inside == 0)
        out->down_credit_valid = 1;
}

/* While requests are not taken, answers do not come. */
static void classes_wait(struct liar *l, struct nic_out *out) {
    if (out->take_req_valid && !l->in.take_req_ready) {
        out->take_ans_valid = out->take_ans_last = 0;
        memset(out->take_ans_data, 0, sizeof out->take_ans_data);
    }
}

static void deaf(struct liar *l, bool rst, struct nic_in *in) {
    (void)rst;
    if (l->out.take_req_valid && !in->take_req_ready)
        in->take_ans_ready = 0;
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(lost, small, "out of order");
    expect_caught(altered, small, "other data");
    expect_caught(other_lane, full, "wrong virtual channel");
    expect_caught(other_goal, small, "another head");
    expect_caught(taken_altered, small, "node");
    expect_caught(never_last, small, "flit for the node has");
    expect_caught(other_class, small, "node");
    expect_caught(no_credit, small, "do not come out");
    hears = counts;
    expect_caught(too_many_credits, small, "a credit too many");
    hears = NULL;
    hears = deaf;
    expect_caught(classes_wait, small, "take_ans");
    hears = NULL;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

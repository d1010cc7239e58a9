/* test_stim.c - the environment of the launch unit notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/nda_launch.h"
#include "nda_launch/nda_launch.h"
#include "nda_launch/stim.h"

#define LIAR_BLOCK nda_launch
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target nda_launch --preset small --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target nda_launch --preset chopim --cycles 60000");
    expect_all_covers("--target nda_launch --preset small --cycles 20000 "
                      "--stim directed");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- packets -------------------------------------------------------------- */

/* From the first packet on that does not stand there already. */
static bool begins(struct liar *l) {
    l->told |= !l->last.packet_valid || l->in.packet_ready;
    return l->told;
}

static void other_rank(struct liar *l, struct nda_launch_out *o) {
    if (begins(l))
        o->packet_rank ^= o->packet_valid;
}

static void longer(struct liar *l, struct nda_launch_out *o) {
    if (begins(l))
        o->packet_length += o->packet_valid;
}

static void other_base(struct liar *l, struct nda_launch_out *o) {
    if (begins(l))
        o->packet_base[0] ^= o->packet_valid;
}

static void other_scalar(struct liar *l, struct nda_launch_out *o) {
    if (begins(l))
        o->packet_scalars[1] ^= o->packet_valid;
}

static void never_final(struct liar *l, struct nda_launch_out *o) {
    if (begins(l))
        o->packet_final = 0;
}

static void test_packets(void **state) {
    (void)state;
    expect_caught(other_rank, small, "has too many packets");
    expect_caught(longer, small, "bursts; expected rank");
    expect_caught(other_base, small, "has operand 0 at");
    expect_caught(other_scalar, small, "has another scalar 2");
    expect_caught(never_final, small, "bursts; expected rank");
}

/* --- ends ----------------------------------------------------------------- */

static bool ends(struct liar *l) {
    l->told |= !l->last.done_valid || l->in.done_ready;
    return l->told;
}

static void other_value(struct liar *l, struct nda_launch_out *o) {
    if (ends(l))
        o->done_value ^= o->done_valid;
}

static void other_tag(struct liar *l, struct nda_launch_out *o) {
    if (ends(l))
        o->done_tag ^= o->done_valid;
}

static void never_busy(struct liar *l, struct nda_launch_out *o) {
    (void)l;
    o->busy = 0;
}

static void test_ends(void **state) {
    (void)state;
    expect_caught(other_value, small, "an end of rank");
    expect_caught(other_tag, small, "an end of rank");
    expect_caught(never_busy, small, "are busy, expected");
}

/* --- operations ----------------------------------------------------------- */

static void always_ready(struct liar *l, struct nda_launch_out *o) {
    (void)l;
    o->op_ready = 1;
}

static void never_ready(struct liar *l, struct nda_launch_out *o) {
    (void)l;
    o->op_ready = 0;
}

static void deaf(struct liar *l, bool rst, struct nda_launch_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->op_valid = 0;
}

static void test_operations(void **state) {
    (void)state;
    expect_caught(always_ready, small, "an operation is taken before its time");
    hears = deaf;
    expect_caught(never_ready, small, "nothing goes on");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target nda_launch --set dram.ranks=1", "dram.ranks");
    expect_refused("--target nda_launch --set nda_launch.unfinished=16",
                   "nda_launch.unfinished");
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
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_packets, begin),
        cmocka_unit_test_setup(test_ends, begin),
        cmocka_unit_test_setup(test_operations, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the way of packets notices what model and
 * RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/nda_post.h"
#include "nda_post/nda_post.h"
#include "nda_post/stim.h"

#define LIAR_BLOCK nda_post
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target nda_post --preset small --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target nda_post --preset chopim --cycles 30000");
    expect_all_covers("--target nda_post --preset small --cycles 20000 "
                      "--stim directed");
    expect_all_covers("--target nda_post --cycles 30000 --set dram.ranks=4");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- packets -------------------------------------------------------------- */

/* From the first packet on that does not stand there already. */
static bool begins(struct liar *l) {
    l->told |= !l->last.packet1_valid || l->in.packet1_ready;
    return l->told;
}

static void other_tag(struct liar *l, struct nda_post_out *o) {
    if (begins(l))
        o->packet1_tag ^= o->packet1_valid;
}

static void other_base(struct liar *l, struct nda_post_out *o) {
    if (begins(l))
        o->packet1_base[0] ^= o->packet1_valid << 9;
}

static void other_scalar(struct liar *l, struct nda_post_out *o) {
    if (begins(l))
        o->packet1_scalars[1] ^= o->packet1_valid << 31;
}

static void no_packet(struct liar *l, struct nda_post_out *o) {
    if (begins(l))
        memset(&o->packet1_valid, 0,
               offsetof(struct nda_post_out, ended1_ready) -
                   offsetof(struct nda_post_out, packet1_valid));
}

static void at_all_ranks(struct liar *l, struct nda_post_out *o) {
    if (begins(l) && !o->packet1_valid)
        memcpy(&o->packet1_valid, &o->packet0_valid,
               offsetof(struct nda_post_out, ended0_ready) -
                   offsetof(struct nda_post_out, packet0_valid));
}

static void always_ready(struct liar *l, struct nda_post_out *o) {
    (void)l;
    o->packet_ready = 1;
}

static void test_packets(void **state) {
    (void)state;
    expect_caught(other_tag, small, "rank 1 has a packet with tag");
    expect_caught(other_base, small, "has other operands");
    expect_caught(other_scalar, small, "has other scalars");
    expect_caught(no_packet, small, "a packet is not at rank 1");
    expect_caught(at_all_ranks, small, "a packet is at rank 1");
    expect_caught(always_ready, small, "is taken");
}

/* A packet that is refused for its rank, though none stands there. */
static void never_ready(struct liar *l, struct nda_post_out *o) {
    (void)l;
    o->packet_ready = 0;
}

static void deaf(struct liar *l, bool rst, struct nda_post_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->packet_valid = 0;
}

static void test_waits(void **state) {
    (void)state;
    hears = deaf;
    expect_caught(never_ready, small, "is not taken");
}

/* --- ends ----------------------------------------------------------------- */

static bool ends(struct liar *l) {
    l->told |= !l->last.ended_valid || l->in.ended_ready;
    return l->told;
}

static void other_value(struct liar *l, struct nda_post_out *o) {
    if (ends(l))
        o->ended_value ^= o->ended_valid;
}

static void no_end(struct liar *l, struct nda_post_out *o) {
    if (ends(l))
        o->ended_valid = o->ended_rank = o->ended_tag = o->ended_final =
            o->ended_cause = o->ended_value = 0;
}

static void two_ready(struct liar *l, struct nda_post_out *o) {
    (void)l;
    o->ended0_ready = o->ended1_ready = 1;
}

static void rank_0_only(struct liar *l, struct nda_post_out *o) {
    (void)l;
    o->ended0_ready |= o->ended1_ready;
    o->ended1_ready = 0;
}

/* The ends of rank 0 also when it is the turn of rank 1. */
static void as_rank_1(struct liar *l, bool rst, struct nda_post_in *in) {
    (void)rst;
    if (l->edge <= lie_after || !l->out.ended0_ready || !l->honest)
        return;
    in->ended1_valid = in->ended0_valid;
    in->ended1_rank = in->ended0_rank;
    in->ended1_tag = in->ended0_tag;
    in->ended1_final = in->ended0_final;
    in->ended1_cause = in->ended0_cause;
    in->ended1_value = in->ended0_value;
}

static void never_asks(struct liar *l, struct nda_post_out *o) {
    (void)l;
    o->ended0_ready = o->ended1_ready = 0;
}

static void no_ends(struct liar *l, bool rst, struct nda_post_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ended0_valid = in->ended1_valid = 0;
}

static void test_ends(void **state) {
    (void)state;
    expect_caught(other_value, small, "an end with tag");
    expect_caught(no_end, small, "is lost");
    expect_caught(two_ready, small, "is taken, too");
    hears = as_rank_1;
    expect_caught(rank_0_only, small, "is passed");
    hears = no_ends;
    expect_caught(never_asks, small, "an end waits, and none stands");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target nda_post --set dram.ranks=8", "dram.ranks");
    expect_refused("--target nda_post --set dram.ranks=1", "dram.ranks");
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
        cmocka_unit_test_setup(test_waits, begin),
        cmocka_unit_test_setup(test_ends, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the hybrid load-store unit notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/lsu_hybrid.h"
#include "lsu_hybrid/lsu_hybrid.h"
#include "lsu_hybrid/stim.h"

#define LIAR_BLOCK lsu_hybrid
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target lsu_hybrid --preset small --cycles 30000";
static const char wide[] = "--target lsu_hybrid --preset mpu --cycles 30000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "lsu_hybrid.warps=3", "lsu_hybrid.cores=256", "lsu_hybrid.sector=32",
        "lsu_hybrid.units=2", "lsu_hybrid.chunk=4096"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target lsu_hybrid --preset small --cycles 6000 "
                      "--stim directed");
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

/* --- the decision --------------------------------------------------------- */

/* The model takes each lane for active, so that what must be split goes near.
 */
static void full(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->access_mask = 15;
}

/* It stands at another core: own words go away, its own rows near. */
static void elsewhere(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->at_core ^= 1;
}

/* The last lane's word is the one after the lane before it. */
static void in_a_row(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge <= lie_after)
        return;
    uint64_t first = bits_get(in->access_address, 0, 30);
    memset(in->access_address, 0, sizeof in->access_address);
    for (int i = 0; i < 4; i++)
        bits_or(in->access_address, 30 * i, 30, first + (uint64_t)i);
}

static void other_warp(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->access_warp ^= 1;
}

static void all_near(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->down_near |= o->down_valid;
}

static void other_lead(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->down_address ^= o->down_near;
}

static void test_decision(void **state) {
    (void)state;
    expect_caught(all_near, small,
                  "a message for an access that must not go near");
    hears = full;
    expect_caught(NULL, small, "property broken");
    hears = elsewhere;
    expect_caught(NULL, small, "property broken");
    hears = in_a_row;
    expect_caught(NULL, small, "property broken");
    hears = other_warp;
    expect_caught(NULL, small, "property broken");
    hears = NULL;
    expect_caught(other_lead, small, "a message begins at word");
}

/* --- strided messages ----------------------------------------------------- */

static void other_step(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->strided_step ^= o->strided_valid;
}

static void other_first(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->strided_address ^= o->strided_valid;
}

static void other_lanes(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    if (o->strided_valid)
        o->strided_mask ^= 15;
}

static void other_strided(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->strided_reg ^= o->strided_valid;
}

static void both_ways(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->strided_valid |= o->down_valid;
}

static void invented_strided(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->strided_valid |= !o->access_ready && !o->down_valid && !o->away_valid;
}

static void no_strided(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->strided_valid = o->strided_warp = o->strided_reg = 0;
    o->strided_mask = o->strided_step = o->strided_address = 0;
}

/* What the model takes for another access: lanes of one word, a store for a
 * load and a load for a store, lanes off. */
static void one_word(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge <= lie_after)
        return;
    uint64_t first = bits_get(in->access_address, 0, 30);
    memset(in->access_address, 0, sizeof in->access_address);
    for (int i = 0; i < 4; i++)
        bits_or(in->access_address, 30 * i, 30, first);
}

static void other_way(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->access_store ^= 1;
}

static void one_lane(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->access_mask &= ~(in->access_mask - 1);
}

/* The last lane lies elsewhere. */
static void no_step(struct liar *l, bool rst, struct lsu_hybrid_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->access_mask == 15 && !in->access_store)
        bits_or(in->access_address, 90, 30, 1);
}

static void test_strided(void **state) {
    static const char decided[] =
        "--target lsu_hybrid --preset small --cycles 30000 --stim directed";
    (void)state;
    expect_caught(other_step, small, "a strided message begins at word");
    expect_caught(other_first, small, "a strided message begins at word");
    expect_caught(other_lanes, small, "names another register or other lanes");
    expect_caught(other_strided, small, "names another register or other");
    expect_caught(both_ways, small, "requests at two ways together");
    expect_caught(invented_strided, small,
                  "a strided message for an access that must not be one");
    expect_caught(no_strided, small, "an access ends before its work");
    hears = one_word;
    expect_caught(NULL, small, "property broken");
    hears = other_way;
    expect_caught(NULL, small, "property broken");
    hears = one_lane;
    expect_caught(NULL, small, "property broken");
    lie_after = 680; /* words are a step apart there */
    hears = no_step;
    expect_caught(NULL, decided, "of an access that must be strided");
    hears = NULL;
}

/* --- transactions --------------------------------------------------------- */

static void other_id(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    if (o->down_valid && !o->down_near)
        o->down_id ^= 1;
}

static void other_sector(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->away_address ^= o->away_valid;
}

static void other_place(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->away_core ^= o->away_valid;
}

static void no_strobe(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->down_strobe = 0;
}

static void other_data(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->down_data[0] ^= o->down_strobe & 1;
}

static void test_transactions(void **state) {
    (void)state;
    expect_caught(other_id, small, "a transaction has id");
    expect_caught(other_sector, small, "is for another sector");
    expect_caught(other_place, wide, "is for another sector");
    expect_caught(no_strobe, small, "a transaction writes words 0");
    expect_caught(other_data, small, "word 0 of a transaction is");
}

/* --- rows and ends -------------------------------------------------------- */

static void other_word(struct liar *l, struct lsu_hybrid_out *o) {
    static bool begins; /* what is shown may not change */
    (void)l;
    begins |= !o->write_valid;
    o->write_data[0] ^= o->write_valid && begins;
}

static void other_mask(struct liar *l, struct lsu_hybrid_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->write_valid;
    o->write_mask ^= o->write_valid && begins;
}

static void other_row(struct liar *l, struct lsu_hybrid_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->fetch_valid;
    o->fetch_reg ^= o->fetch_valid && begins;
}

static void no_fault(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->done_fault = 0;
}

static void no_end(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->done_valid = o->done_warp = o->done_near = o->done_fault = 0;
}

static void invented(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    o->done_valid = 1;
}

static void not_zero(struct liar *l, struct lsu_hybrid_out *o) {
    (void)l;
    if (!o->down_valid)
        o->down_data[0] = 1;
}

static void test_rows(void **state) {
    (void)state;
    expect_caught(other_word, small, "lane 0 is written with");
    expect_caught(other_mask, wide, "another row is written");
    expect_caught(other_row, small, "another register is asked for");
    expect_caught(no_fault, small, "an access ends as another one");
    expect_caught(no_end, small, "an access does not end");
    expect_caught(invented, small, "an access ends before its work");
    expect_caught(not_zero, small,
                  "'down_data' is not zero while there is nothing");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target lsu_hybrid --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target lsu_hybrid --set lsu_hybrid.line=64",
                   "'lsu_hybrid.line' must be the bytes of a row");
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
        cmocka_unit_test_setup(test_decision, begin),
        cmocka_unit_test_setup(test_strided, begin),
        cmocka_unit_test_setup(test_transactions, begin),
        cmocka_unit_test_setup(test_rows, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

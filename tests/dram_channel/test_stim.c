/* test_stim.c - the environment of the channel notices what model and RTL agree
 * on, in both kinds of accelerators, and reaches every cover point that the
 * kind has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/dram_channel.h"
#include "dram/rules.h"
#include "dram_channel/dram_channel.h"
#include "dram_channel/stim.h"

#define LIAR_BLOCK dram_channel
#include "tests/common/stim_liar.h"

#define SMALL "--target dram_channel --preset small"
#define MIRRORED SMALL " --set dram_channel.accelerators=mirrored"

static const char asked[] = SMALL " --cycles 60000";
static const char mirrored[] = MIRRORED " --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(SMALL " --cycles 400000");
    expect_green(SMALL " --stim directed --cycles 20000", "mismatches 0");
    expect_all_covers(MIRRORED " --cycles 400000");
    expect_green(MIRRORED " --stim directed --cycles 20000", "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(asked);
    expect_deterministic(mirrored);
}

/* --- the host ------------------------------------------------------------- */

static bool is_column(const struct dram_channel_out *o) {
    return o->cmd_valid && (o->cmd_kind == DRAM_RD || o->cmd_kind == DRAM_WR);
}

static void early(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    o->cmd_valid = 1;
    o->cmd_kind = DRAM_ACT;
}

static void other_id(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (is_column(o))
        o->cmd_id ^= 8;
}

static void reads_instead(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (o->cmd_valid && o->cmd_kind == DRAM_WR)
        o->cmd_kind = DRAM_RD;
}

static void always_room(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    o->req_ready = 1;
}

static void test_host(void **state) {
    (void)state;
    expect_caught(early, asked, "ACT");
    expect_caught(other_id, asked, "no request");
    expect_caught(reads_instead, asked, "is no such command");
    expect_caught(always_room, asked, "whether there is room");
}

/* --- accelerators that ask ------------------------------------------------ */

static void taken(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (!(o->ndc_valid & 1))
        o->nda_taken |= 1;
}

static bool near_column(const struct dram_channel_out *o) {
    uint64_t kind = o->ndc_kind & 7;
    return o->ndc_valid & 1 && (kind == DRAM_RD || kind == DRAM_WR);
}

static void not_taken(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (near_column(o))
        o->nda_taken &= ~UINT64_C(1);
}

static void other_column(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (near_column(o))
        o->ndc_column ^= 1;
}

/* A counter moves for a command that is not shown. */
static void another_row(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (o->ndc_valid & 1 && (o->ndc_kind & 7) == DRAM_ACT)
        o->ndc_row[0] ^= 1;
}

static void unseen(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (!near_column(o))
        return;
    o->ndc_valid &= ~UINT64_C(1);
    o->nda_taken &= ~UINT64_C(1);
    o->ndc_kind &= ~UINT64_C(7);
}

static void test_asked(void **state) {
    (void)state;
    expect_caught(taken, asked, "a burst is taken without a command");
    expect_caught(not_taken, asked, "without its column command, or not");
    expect_caught(other_column, asked, "of another burst");
    expect_caught(another_row, asked, "another row is opened");
    expect_caught(unseen, asked, "register 'nda_");
}

/* --- mirrored accelerators ------------------------------------------------ */

static void not_shown(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    o->host0_valid = o->host0_kind = o->host0_group = o->host0_bank = 0;
    o->host0_row = 0;
}

static void shown_to_all(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (o->cmd_valid && o->cmd_rank == 1)
        o->host0_valid = 1;
}

static void shown_another(struct liar *l, struct dram_channel_out *o) {
    (void)l;
    if (o->host0_valid)
        o->host0_row ^= 1;
}

static void test_mirrored(void **state) {
    (void)state;
    expect_caught(not_shown, mirrored, "just the commands to its rank");
    expect_caught(shown_to_all, mirrored, "just the commands to its rank");
    expect_caught(shown_another, mirrored, "is shown another command");
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
        cmocka_unit_test_setup(test_host, begin),
        cmocka_unit_test_setup(test_asked, begin),
        cmocka_unit_test_setup(test_mirrored, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of rows of two notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/row_merge.h"
#include "row_merge/row_merge.h"
#include "row_merge/stim.h"

#define LIAR_BLOCK row_merge
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target row_merge --preset mpu_base_tiny "
                            "--cycles 30000";
static const char wide[] = "--target row_merge --preset mpu_base "
                           "--cycles 30000";

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    static const char *const sets[] = {
        "row_merge.lanes=2", "row_merge.lanes=32",    "row_merge.warps=2",
        "row_merge.warps=5", "row_merge.registers=4", "row_merge.registers=256",
    };
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target row_merge --preset mpu_base_tiny "
                      "--cycles 2000 --stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_all_covers(words);
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- rows ----------------------------------------------------------------- */

/* From the first row on that does not stand there already. */
static bool begins(struct liar *l) {
    l->told |= !l->last.row_valid || l->in.row_ready;
    return l->told && l->out.row_valid;
}

static void other_warp(struct liar *l, struct row_merge_out *o) {
    o->row_warp ^= begins(l);
}

static void other_register(struct liar *l, struct row_merge_out *o) {
    o->row_reg ^= begins(l);
}

static void other_mask(struct liar *l, struct row_merge_out *o) {
    o->row_mask ^= begins(l);
}

static void other_bit(struct liar *l, struct row_merge_out *o) {
    o->row_row[0] ^= begins(l);
}

/* Of the highest lane. */
static void other_top(struct liar *l, struct row_merge_out *o) {
    o->row_row[15] ^= (uint64_t)begins(l) << 63;
}

static void no_row(struct liar *l, struct row_merge_out *o) {
    if (!begins(l))
        return;
    o->row_valid = o->row_warp = o->row_reg = o->row_mask = 0;
    memset(o->row_row, 0, sizeof o->row_row);
}

static void invented(struct liar *l, struct row_merge_out *o) {
    (void)l;
    o->row_valid = 1;
}

static void not_zero(struct liar *l, struct row_merge_out *o) {
    (void)l;
    if (!o->row_valid)
        o->row_reg = 1;
}

/* A row that is taken stays, and is taken again. */
static void keep(struct liar *l, bool rst, struct row_merge_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->row_ready = 0;
}

static void test_rows(void **state) {
    static const char nobodys[] = "a row that neither source has";
    (void)state;
    expect_caught(other_warp, small, nobodys);
    expect_caught(other_register, small, nobodys);
    expect_caught(other_mask, small, nobodys);
    expect_caught(other_bit, small, nobodys);
    expect_caught(other_top, wide, nobodys);
    expect_caught(no_row, small, "no row is shown");
    expect_caught(invented, small, "a row that nobody gives");
    expect_caught(not_zero, small,
                  "'row_reg' is not zero while there is nothing");
    hears = keep;
    expect_caught(NULL, small, "a source is told at the wrong time");
}

static void changed(struct liar *l, struct row_merge_out *o) {
    if (l->last.row_valid && !l->in.row_ready)
        o->row_mask ^= 1;
}

static void taken_back(struct liar *l, struct row_merge_out *o) {
    if (l->last.row_valid && !l->in.row_ready)
        memset(o, 0, sizeof *o);
}

static void test_kept(void **state) {
    (void)state;
    expect_caught(taken_back, small,
                  "'row_valid' was taken back before it was taken");
    expect_caught(changed, small, "'row_mask' changed before it was taken");
}

/* --- sources -------------------------------------------------------------- */

/* While load has a row, init's is not seen. */
static void load_first(struct liar *l, bool rst, struct row_merge_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->load_valid && !l->out.row_valid &&
        !l->out.load_ready)
        in->init_valid = 0;
}

static void told_always(struct liar *l, struct row_merge_out *o) {
    (void)l;
    o->init_ready = 1;
}

static void told_never(struct liar *l, struct row_merge_out *o) {
    (void)l;
    o->load_ready = 0;
}

/* The one for the other. */
static void told_other(struct liar *l, struct row_merge_out *o) {
    uint64_t init = o->init_ready;
    (void)l;
    o->init_ready = o->load_ready;
    o->load_ready = init;
}

static void test_sources(void **state) {
    static const char wrong[] = "a source is told at the wrong time";
    (void)state;
    expect_caught(told_always, small, wrong);
    expect_caught(told_never, small, wrong);
    expect_caught(told_other, small, wrong);
    hears = load_first;
    expect_caught(NULL, small, "a source has its turn twice");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target row_merge --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target row_merge --set row_merge.lanes=3",
                   "power of two");
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
        cmocka_unit_test_setup(test_rows, begin),
        cmocka_unit_test_setup(test_kept, begin),
        cmocka_unit_test_setup(test_sources, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of stimulus and signature notices what model
 * and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bist/bist.h"
#include "bist/stim.h"
#include "blocks/bist.h"

#define LIAR_BLOCK bist
#include "tests/common/stim_liar.h"

static const char small[] = "--target bist --preset small --cycles 60000";
static const char tiny[] = "--target bist --cycles 60000 --set bist.in_bits=3 "
                           "--set bist.out_bits=5 --set bist.window=16";

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers(tiny);
    expect_all_covers("--target bist --cycles 20000 --stim directed");
    expect_all_covers("--target bist --cycles 20000 --stim directed --set "
                      "bist.in_bits=928 --set bist.out_bits=928 --set "
                      "bist.window=4096");
    expect_all_covers("--target bist --cycles 20000 --stim directed --set "
                      "bist.in_bits=1 --set bist.out_bits=1 --set "
                      "bist.window=16");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- what shows ----------------------------------------------------------- */

static void another_input(struct liar *l, struct bist_out *out) {
    (void)l;
    out->stim_bits[0] ^= !out->stim_rst;
}

static void high_input(struct liar *l, struct bist_out *out) {
    (void)l;
    out->stim_bits[0] ^= (uint64_t)!out->stim_rst << 63;
}

static void inputs_at_rest(struct liar *l, struct bist_out *out) {
    (void)l;
    out->stim_bits[0] |= !out->show_busy;
}

static void runs_at_rest(struct liar *l, struct bist_out *out) {
    (void)l;
    out->stim_rst &= out->show_busy;
}

static void never_in_reset(struct liar *l, struct bist_out *out) {
    (void)l;
    out->stim_rst &= !out->show_busy;
}

static void always_in_reset(struct liar *l, struct bist_out *out) {
    (void)l;
    out->stim_rst = 1;
}

static void never_differs(struct liar *l, struct bist_out *out) {
    (void)l;
    out->show_differs = 0;
}

static void always_differs(struct liar *l, struct bist_out *out) {
    (void)l;
    out->show_differs = 1;
}

static void busy_too_long(struct liar *l, struct bist_out *out) {
    out->show_busy |= l->last.show_busy;
}

static void test_what_shows(void **state) {
    (void)state;
    expect_caught(another_input, small, "wrong inputs");
    expect_caught(high_input, small, "wrong inputs");
    expect_caught(inputs_at_rest, small, "wrong inputs");
    expect_caught(runs_at_rest, small, "no reset for the block");
    expect_caught(never_in_reset, small, "no reset for the block");
    expect_caught(always_in_reset, small, "reset for the block");
    expect_caught(never_differs, small, "the run was wrong");
    expect_caught(always_differs, small, "the run was not wrong");
    expect_caught(busy_too_long, small, "a run is under way");
}

/* --- what it hears -------------------------------------------------------- */

static bool is_late(const struct liar *l) {
    return l->edge > lie_after;
}

static bool is_write(const struct bist_in *in, int adr) {
    return in->wb_cyc && in->wb_stb && in->wb_we && in->wb_adr == (uint64_t)adr;
}

static bool is_command(const struct bist_in *in, int n) {
    return is_write(in, iface_first_command(&bist_iface) + n);
}

static int deaf_to;

static void deaf(struct liar *l, bool rst, struct bist_in *in) {
    (void)rst;
    if (is_late(l) && is_command(in, deaf_to))
        in->wb_sel = 0;
}

static int wrong_setting;

static void wrong_value(struct liar *l, bool rst, struct bist_in *in) {
    (void)rst;
    if (is_late(l) && is_write(in, REG_FIRST + wrong_setting))
        in->wb_dat_w ^= 1;
}

/* One output of the block under test does not arrive, on no edge. */
static void stuck_output(struct liar *l, bool rst, struct bist_in *in) {
    (void)rst;
    if (is_late(l))
        in->resp_bits[0] &= ~((uint64_t)1 << 47);
}

/* Or on few of them. */
static void noisy_output(struct liar *l, bool rst, struct bist_in *in) {
    (void)rst;
    if (is_late(l) && l->edge % 64 == 0)
        in->resp_bits[0] ^= 1;
}

/* Outputs are looked at an edge late. */
static void late_outputs(struct liar *l, bool rst, struct bist_in *in) {
    (void)rst;
    struct bist_in now = *in;
    static uint64_t before;
    if (is_late(l))
        in->resp_bits[0] = before;
    before = now.resp_bits[0];
}

static void any_byte_is_a_command(struct liar *l, bool rst,
                                  struct bist_in *in) {
    (void)rst;
    if (is_late(l) && in->wb_we && in->wb_sel &&
        in->wb_adr >= (uint64_t)iface_first_command(&bist_iface))
        in->wb_sel = 15;
}

static void expect_heard(void (*wrong)(struct liar *, bool, struct bist_in *),
                         const char *says) {
    hears = wrong;
    expect_caught(NULL, small, says);
    hears = NULL;
}

static void test_what_it_hears(void **state) {
    static const char *const commands[BIST_N_COMMANDS] = {
        [BIST_COM_index] = "inputs for the block",
        [BIST_COM_piece] = "for the block",
        [BIST_COM_free] = "inputs for the block",
        [BIST_COM_run] = "a run is not under way",
        [BIST_COM_stop] = "a run is under way",
        [BIST_COM_next] = "register 'outputs'",
    };
    (void)state;
    for (deaf_to = 0; deaf_to < BIST_N_COMMANDS; deaf_to++)
        expect_heard(deaf, commands[deaf_to]);
    for (wrong_setting = 0; wrong_setting < BIST_N_SETTINGS; wrong_setting++)
        expect_heard(wrong_value, "property broken");
    expect_heard(stuck_output, "property broken");
    expect_heard(noisy_output, "property broken");
    expect_heard(late_outputs, "property broken");
    expect_heard(any_byte_is_a_command, "property broken");
}

/* --- what reads ----------------------------------------------------------- */

static int lied_about;

static void wrong_status(struct liar *l, struct bist_out *out) {
    int adr = iface_first_status(&bist_iface) + lied_about;
    if (out->wb_ack && !l->in.wb_we && l->in.wb_adr == (uint64_t)adr)
        out->wb_dat_r ^= 1;
}

static void test_what_reads(void **state) {
    (void)state;
    expect_counters_caught(small);
    for (lied_about = 0; lied_about < BIST_N_STATUSES; lied_about++) {
        char says[64];
        snprintf(says, sizeof says, "register '%s'",
                 bist_iface.statuses[lied_about].name);
        expect_caught(wrong_status, small, says);
    }
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target bist --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target bist --stim replay --kernel "
                   "kernels/axpy/axpy.ptx",
                   "has no stimulus 'replay'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),     cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_what_shows), cmocka_unit_test(test_what_it_hears),
        cmocka_unit_test(test_what_reads), cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

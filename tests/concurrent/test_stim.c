/* test_stim.c - the environment of a channel with accelerators notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "concurrent/stim.h"
#include "iface/derive.h"
#include "structs.h"
#include "tests/common/diag_capture.h"

#include <string.h>

#define LIAR_BLOCK concurrent
#define LIAR_IN struct concurrent_ins
#define LIAR_OUT struct concurrent_outs
#define LIAR_GOLDEN (*golden_find("concurrent"))
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] =
    "--target concurrent --preset concurrent_small --cycles 60000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target concurrent --preset concurrent_small --seed 2 "
                      "--cycles 400000");
    expect_green("--target concurrent --preset concurrent_small "
                 "--cycles 100000 --stim directed",
                 "mismatches 0");
    expect_green("--target concurrent --preset concurrent --cycles 100000 "
                 "--stim directed",
                 "mismatches 0");
    expect_green("--target concurrent --preset concurrent_small --stim replay "
                 "--run kernels/svrg/svrg.yml --size tiny --cycles 0",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* --- the host's side ------------------------------------------------------ */

static void other_bank(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    if (o->channel.cmd_kind == 3)
        o->channel.cmd_bank ^= o->channel.cmd_valid;
}

static void early(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->channel.cmd_valid = 1;
    o->channel.cmd_kind = 0;
}

static void no_command(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    memset(&o->channel.cmd_valid, 0, 8 * sizeof o->channel.cmd_valid);
}

static void test_host(void **state) {
    (void)state;
    expect_caught(other_bank, small, "no request");
    expect_caught(early, small, "the host's ACT");
    expect_caught(no_command, small, "register 'channel.");
}

/* --- the accelerators' side ----------------------------------------------- */

static void other_end(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->control[1].ndc_row ^= o->control[1].ndc_valid;
}

static void other_decision(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    if (o->channel.ndc_valid & 1 && (o->channel.ndc_kind & 7) == 0)
        o->channel.ndc_row[0] ^= 1;
}

static void other_word(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->buffer[1].store_data ^=
        o->buffer[1].store_valid && !o->buffer[1].store_mask;
}

static void no_store(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->buffer[0].store_valid = o->buffer[0].store_mask = 0;
    o->buffer[0].store_data = 0;
}

static void cries(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->buffer[1].wrong_lost = 1;
}

static void test_accelerators(void **state) {
    (void)state;
    expect_caught(other_end, small, "the ends are not the same");
    expect_caught(other_decision, small, "what the channel decided");
    expect_caught(other_word, small, "after the packet, expected");
    expect_caught(no_store, small, "is not on the bus");
    expect_caught(cries, small, "a word had no place");
}

/* --- operations ----------------------------------------------------------- */

/* From the first end on that does not stand there already. */
static bool ends(struct liar *l) {
    l->told |= !l->last.launch.done_valid || l->in.launch.done_ready;
    return l->told;
}

static void other_value(struct liar *l, struct concurrent_outs *o) {
    if (ends(l))
        o->launch.done_value ^= o->launch.done_valid;
}

static void other_rank(struct liar *l, struct concurrent_outs *o) {
    if (ends(l))
        o->launch.done_rank ^= o->launch.done_valid;
}

static void never_busy(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->launch.busy = 0;
}

static void always_ready(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->launch.op_ready = 1;
}

static void never_ready(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->launch.op_ready = 0;
}

static void no_notice(struct liar *l, struct concurrent_outs *o) {
    (void)l;
    o->window.notice = 0;
}

/* What goes to rank 1 does not get there, from the first packet on that does
 * not stand there already. */
static void no_packet(struct liar *l, struct concurrent_outs *o) {
    l->told |= !l->last.post.packet1_valid;
    if (!l->told)
        return;
    memset(&o->post.packet1_valid, 0,
           offsetof(struct nda_post_out, ended1_ready) -
               offsetof(struct nda_post_out, packet1_valid));
}

static void test_operations(void **state) {
    (void)state;
    expect_caught(other_value, small, "the host is told an end");
    expect_caught(other_rank, small, "the host is told an end");
    expect_caught(never_busy, small, "no rank is busy");
    expect_caught(always_ready, small, "an operation is taken before");
    expect_caught(never_ready, small, "changed before it was taken");
    expect_caught(no_packet, small, "an end of no packet");
    expect_caught(no_notice,
                  "--target concurrent --preset concurrent_small "
                  "--stim directed --cycles 500000",
                  " not go on");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target concurrent --preset concurrent_small "
                   "--stim replay --run kernels/axpy/axpy.yml",
                   "is no run of kernel svrg");
    expect_refused("--target concurrent --preset concurrent_small "
                   "--stim replay --run kernels/svrg/svrg.yml --size full",
                   "has 512 samples, expected 255 at most");
}

/* --- configurations that it cannot be made of ----------------------------- */

static void refused(struct config *c, const char *says) {
    struct diag d = {0};
    assert_false(iface_check(&concurrent_iface, c, &d));
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, says));
    free(got);
    diag_free(&d);
}

static void test_refused(void **state) {
    struct config c;
    (void)state;
    config_defaults(&c);
    refused(&c, "'dram_channel.accelerators' must be mirrored in target");
    iface_derive(&concurrent_iface, &c);
    c.nda_control_result = 43;
    refused(&c, "'nda_control.result' is too short for the element");
    c.nda_control_result = 44;
    c.nda_control_write_buffer = 64;
    refused(&c, "must be equal");
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
        cmocka_unit_test_setup(test_accelerators, begin),
        cmocka_unit_test_setup(test_operations, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
        cmocka_unit_test_setup(test_refused, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

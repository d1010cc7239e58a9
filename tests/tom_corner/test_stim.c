/* test_stim.c - the environment of the corner notices what model and RTL agree
 * on, within its parts and between them.
 *
 * What is lied about a part is what the environment sees of it: the models
 * behind are honest and joined.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "structs.h"
#include "tom_corner/stim.h"

#define LIAR_BLOCK tom_corner
#define LIAR_IN struct corner_in
#define LIAR_OUT struct corner_out
#define LIAR_GOLDEN (*golden_find("tom_corner"))
#define LIAR_EXTRA bool lies; /* since the last edge, about the same word */
#define LIAR_NO_REGISTERS     /* but for those of its parts */
#include "tests/common/stim_liar.h"

enum { BEGIN, ACCESS, END };

static const char small[] = "--target tom_corner --preset small "
                            "--cycles 200000";
#define BFS                                                                    \
    "--target tom_corner --preset tom --stim replay --run kernels/bfs/bfs.yml"

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target tom_corner --preset small --cycles 400000");
    expect_all_covers("--target tom_corner --preset tom --cycles 400000");
    expect_all_covers("--target tom_corner --preset small --cycles 20000 "
                      "--stim directed");
    expect_all_covers("--target tom_corner --preset tom --cycles 20000 "
                      "--stim directed");
}

/* Other sizes keep the same promises. */
static void test_forms(void **state) {
    (void)state;
    expect_green("--target tom_corner --preset small --cycles 100000 "
                 "--set offload.warps=13 --set analyzer.warps=13 "
                 "--set tap.warps=13",
                 "mismatches 0");
    expect_green("--target tom_corner --preset small --cycles 100000 "
                 "--set offload.stacks=16 --set analyzer.stacks=16 "
                 "--set tap.stacks=16",
                 "mismatches 0");
    expect_green("--target tom_corner --preset small --cycles 100000 "
                 "--set analyzer.ranges=255 --set offload.lookup=pc",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic("--target tom_corner --preset small --cycles 30000");
    expect_deterministic("--target tom_corner --preset small --cycles 5000 "
                         "--stim directed");
}

/* --- what the core is told ------------------------------------------------ */

static bool lies_go(struct liar *l, const struct corner_out *o) {
    if (!l->last.tap.go_valid || l->in.tap.go_ready)
        l->lies = o->tap.go_valid;
    return l->lies;
}

static void other_warp(struct liar *l, struct corner_out *o) {
    o->tap.go_warp ^= lies_go(l, o);
}

static void other_decision(struct liar *l, struct corner_out *o) {
    o->tap.go_offload ^= lies_go(l, o);
}

static void other_stack(struct liar *l, struct corner_out *o) {
    o->tap.go_stack ^= lies_go(l, o);
}

static void invented(struct liar *l, struct corner_out *o) {
    (void)l;
    o->tap.go_valid = 1;
}

static void loud_go(struct liar *l, struct corner_out *o) {
    (void)l;
    if (!o->tap.go_valid)
        o->tap.go_reason = 1;
}

static void deaf_core(struct liar *l, bool rst, struct corner_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->tap.go_ready = 1;
}

static void no_answers(struct liar *l, struct corner_out *o) {
    (void)l;
    o->tap.go_valid = o->tap.go_warp = o->tap.go_offload = o->tap.go_reason =
        o->tap.go_stack = 0;
}

static void test_answers(void **state) {
    static const char wrong[] = " is not the controller's";
    (void)state;
    expect_caught(other_warp, small, wrong);
    expect_caught(other_decision, small, wrong);
    expect_caught(other_stack, small, wrong);
    expect_caught(invented, small, wrong);
    expect_caught(loud_go, small, "'tap.go_reason' is not zero while");
    hears = deaf_core;
    expect_caught(no_answers, small, "an answer does not come to the core");
}

/* --- what the learner is told --------------------------------------------- */

/* Of linked channels the environment sees what passes. */
static bool lies_ev(struct liar *l, const struct corner_out *o, bool is) {
    if (!l->last.tap.ev_valid || l->last.learner.ev_ready)
        l->lies = o->tap.ev_valid && is;
    return l->lies;
}

static void access_for_begin(struct liar *l, struct corner_out *o) {
    if (lies_ev(l, o, o->tap.ev_op == BEGIN))
        o->tap.ev_op = ACCESS;
}

static void no_begins(struct liar *l, struct corner_out *o) {
    (void)l;
    if (o->tap.ev_op == BEGIN)
        o->tap.ev_valid = o->tap.ev_warp = 0;
}

static void invented_event(struct liar *l, struct corner_out *o) {
    (void)l;
    if (!o->tap.ev_valid) {
        o->tap.ev_valid = 1;
        o->tap.ev_op = END;
    }
}

/* The core tells, and nobody listens. */
static void deaf_tap(struct liar *l, bool rst, struct corner_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->tap.core_valid = 0;
}

static void refuse_events(struct liar *l, struct corner_out *o) {
    (void)l;
    o->tap.core_ready = 0;
}

static void other_event_warp(struct liar *l, struct corner_out *o) {
    o->tap.ev_warp ^= lies_ev(l, o, o->tap.ev_op != BEGIN);
}

static void other_address(struct liar *l, struct corner_out *o) {
    o->tap.ev_address ^= (uint64_t)lies_ev(l, o, o->tap.ev_op == ACCESS) << 9;
}

static void test_events(void **state) {
    static const char sum[] = "the learner has seen ";
    (void)state;
    expect_caught(access_for_begin, small, sum);
    expect_caught(no_begins, small, sum);
    expect_caught(invented_event, small, sum);
    expect_caught(other_event_warp, small, "expected s");
    expect_caught(other_address, small, "expected ");
    hears = deaf_tap;
    expect_caught(NULL, small, sum);
    expect_caught(refuse_events, small, "an event of the core is not taken");
}

/* --- parts ---------------------------------------------------------------- */

static void other_reason(struct liar *l, struct corner_out *o) {
    if (!l->last.controller.ans_valid || l->last.tap.ans_ready)
        l->lies = o->controller.ans_valid && o->controller.ans_reason == 3;
    if (l->lies)
        o->controller.ans_reason = 8;
}

static void loud_tx(struct liar *l, struct corner_out *o) {
    (void)l;
    if (!o->controller.tx_valid)
        o->controller.tx_stack = 1;
}

static void other_best(struct liar *l, struct corner_out *o) {
    (void)l;
    o->learner.irq_best += o->learner.irq;
}

static void changed_answer(struct liar *l, struct corner_out *o) {
    if (l->last.controller.ans_valid && !l->last.tap.ans_ready)
        o->controller.ans_stack ^= 1;
}

static void test_parts(void **state) {
    (void)state;
    expect_caught(other_reason, small, ": expected reason 3, got 8");
    expect_caught(loud_tx, small,
                  "'controller.tx_stack' is not zero while there is nothing");
    expect_caught(other_best, small, "the best mapping is reported at bit ");
    expect_caught(changed_answer, small,
                  "'controller.ans_stack' changed before it was taken");
}

/* --- registers ------------------------------------------------------------ */

static bool reads(const struct liar *l, const struct corner_out *o, int region,
                  int offset) {
    return o->own.wb_ack && !l->in.own.wb_we &&
           l->in.own.wb_adr == (uint64_t)(32 * region + offset);
}

static void wrong_mode(struct liar *l, struct corner_out *o) {
    o->own.wb_dat_r ^= reads(l, o, 1, REG_FIRST + (int)OFFLOAD_SET_mode);
}

static void wrong_enable(struct liar *l, struct corner_out *o) {
    o->own.wb_dat_r ^= reads(l, o, 2, REG_FIRST + (int)ANALYZER_SET_enable);
}

static void wrong_hash(struct liar *l, struct corner_out *o) {
    o->own.wb_dat_r ^= reads(l, o, 1, REG_HASH_HI);
}

static void wrong_id(struct liar *l, struct corner_out *o) {
    o->own.wb_dat_r ^= reads(l, o, 2, REG_ID);
}

static void somebody_there(struct liar *l, struct corner_out *o) {
    o->own.wb_dat_r ^= reads(l, o, 3, 0);
}

static void silent_port(struct liar *l, struct corner_out *o) {
    (void)l;
    o->own.wb_ack = o->own.wb_dat_r = 0;
}

/* A part that hears nothing of what software writes. */
static void deafen(struct liar *l, bool rst, struct corner_in *in) {
    (void)l;
    (void)rst;
    if (in->own.wb_adr >> 5 == 1)
        in->own.wb_we = 0;
}

static void test_registers(void **state) {
    (void)state;
    expect_caught(wrong_mode, small, "register 'controller.mode'");
    expect_caught(wrong_enable, small, "register 'learner.enable'");
    expect_caught(wrong_hash, small, "register 'controller.hash_hi'");
    expect_caught(wrong_id, small, "register 'learner.id'");
    expect_caught(somebody_there, small, "register 'that does not exist'");
    expect_caught(silent_port, small, "no acknowledge for register ");
    hears = deafen;
    expect_caught(NULL, BFS, "that nobody needs");
}

static const struct {
    uint64_t base;
    const struct iface *b;
} part[] = {{32, &offload_iface}, {64, &analyzer_iface}};
static int of, counter;

static void miscounts(struct liar *l, struct corner_out *o) {
    uint64_t at = part[of].base + REG_FIRST +
                  (uint64_t)(part[of].b->n_settings + counter);
    if (o->own.wb_ack && !l->in.own.wb_we && l->in.own.wb_adr == at)
        o->own.wb_dat_r += 1u << 24;
}

static void test_counters(void **state) {
    (void)state;
    for (of = 0; of < 2; of++)
        for (counter = 0; counter < part[of].b->n_counters; counter++) {
            char says[128];
            snprintf(says, sizeof says, "register '%s.%s'",
                     of ? "learner" : "controller",
                     part[of].b->counters[counter].name);
            expect_caught(miscounts, small, says);
        }
}

/* --- replay --------------------------------------------------------------- */

static unsigned reported(const struct printed *p, const char *key) {
    const char *at = strstr(p->text, key);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(key), NULL, 10);
}

/* All stays on the core until learning has ended; then pages that were touched
 * use the mapping that was found. */
static void expect_learns(const char *words, unsigned instances) {
    struct printed p = run_liar(NULL, words);
    if (p.status != 0)
        fail_msg("'%s':\n%s", words, p.text);
    unsigned asked = reported(&p, "asked\t"), off = reported(&p, "\noff\t");
    assert_int_equal(asked, instances);
    assert_true(off >= 32 && off < asked);
    assert_true(reported(&p, "\noffloaded\t") > 0);
    assert_true(reported(&p, "\nasked_learned\t") > 0);
    assert_true(reported(&p, "\nasked_learned\t") <= asked - off);
    assert_true(reported(&p, "\nbest_bit\t") >= 7);
    free(p.text);
}

static void test_replay(void **state) {
    (void)state;
    expect_learns(BFS, 150);
    expect_learns("--target tom_corner --preset tom --stim replay --run "
                  "kernels/fwt/fwt.yml",
                  128);
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target tom_corner --stim dance",
                   "unknown stimulus 'dance'");
    expect_refused("--target tom_corner --stim replay --run none.yml",
                   "none.yml");
    expect_refused("--target tom_corner --stim replay --kernel "
                   "kernels/axpy/axpy.ptx",
                   "expected '--run FILE'");
    expect_refused(BFS " --set offload.warps=4", "('offload.warps')");
    expect_refused("--target tom_corner --set tap.warps=4",
                   "'tap.warps' is computed from");
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
        cmocka_unit_test_setup(test_forms, begin),
        cmocka_unit_test_setup(test_deterministic, begin),
        cmocka_unit_test_setup(test_answers, begin),
        cmocka_unit_test_setup(test_events, begin),
        cmocka_unit_test_setup(test_parts, begin),
        cmocka_unit_test_setup(test_registers, begin),
        cmocka_unit_test_setup(test_counters, begin),
        cmocka_unit_test_setup(test_replay, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

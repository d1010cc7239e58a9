/* test_stim.c - the environment of a node's queues notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "omni/stim.h"
#include "structs.h"

#define LIAR_BLOCK omni
#define LIAR_IN struct node_in
#define LIAR_OUT struct node_out
#define LIAR_GOLDEN (*golden_find("omni"))
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target omni --preset small --cycles 40000";

static void test_honest(void **state) {
    (void)state;
    expect_green("--target omni --preset small --cycles 100000",
                 "covers 28/28");
    expect_green("--target omni --preset omni --cycles 200000", "covers 28/28");
    /* hits of begun chains count in any mode */
    expect_green("--target omni --preset small --seed 4016755537 "
                 "--cycles 200000",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

/* In each named mode that happens of which it has its name, and nothing goes
 * wrong. */
static void test_by_name(void **state) {
    static const struct {
        const char *mode, *point;
    } names[] = {{"full_far_queue", "service_limited"},
                 {"full_far_queue", "gate_back"},
                 {"full_far_queue", "offload_two_loads_back"},
                 {"diverged_lanes", "offload_diverged"},
                 {"hit_in_mid_chain", "offload_hit_second"},
                 {"no_free_entry", "offload_no_free_entry"},
                 {"llc_compute", "offload_not_able"},
                 {"busy_core", "service_core_first"},
                 {"off", "offload_off"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char words[128];
        snprintf(words, sizeof words,
                 "--target omni --preset small --cycles 6000 --stim %s",
                 names[i].mode);
        expect_covers(words, names[i].point);
    }
    expect_green("--target omni --preset small --cycles 6000 --stim directed",
                 "mismatches 0");
}

static void other_node(struct liar *l, struct node_out *o) {
    (void)l;
    o->meet.ans_node ^= o->meet.ans_found;
}

static void other_lane(struct liar *l, struct node_out *o) {
    l->told |= !o->gate.want_valid; /* not in the midst of one that stands */
    if (l->told && o->gate.want_store)
        o->gate.want_data[0] ^= 1;
}

static void other_result(struct liar *l, struct node_out *o) {
    l->told |= !o->gate.result_valid;
    if (l->told && o->gate.result_valid && !o->gate.result_loaded)
        o->gate.result_data[0] ^= 1;
}

static void other_bits(struct liar *l, struct node_out *o) {
    l->told |= !o->offload.done_valid;
    if (l->told && o->offload.done_how == OQUEUE_BITMAP)
        o->offload.done_bits ^= o->offload.done_mask;
}

static void other_wave(struct liar *l, struct node_out *o) {
    l->told |= !o->offload.done_valid;
    if (l->told)
        o->offload.done_wave ^= o->offload.done_valid;
}

static void other_address(struct liar *l, struct node_out *o) {
    l->told |= !o->gate.want_valid;
    if (l->told)
        o->gate.want_address ^= o->gate.want_valid;
}

static void other_answer(struct liar *l, struct node_out *o) {
    (void)l;
    if (o->offload.said_valid && o->offload.said_what == OQUEUE_WAITS)
        o->offload.said_what = OQUEUE_SINGLE;
}

/* No chain ends: its entry seems to be taken.  What is seen first, a chain that
 * finds no entry too early or the counter of ends, depends on the timing. */
static void no_end(struct liar *l, struct node_out *o) {
    l->told |= !l->last.offload.done_valid || l->in.offload.done_ready;
    if (!l->told)
        return;
    o->offload.done_valid = o->offload.done_wave = o->offload.done_entry = 0;
    o->offload.done_how = o->offload.done_mask = o->offload.done_bits = 0;
}

/* Nothing goes to the memory any more. */
static void no_want(struct liar *l, struct node_out *o) {
    struct gate_out *g = &o->gate;
    l->told |= !l->last.gate.want_valid || l->in.gate.want_ready;
    if (!l->told)
        return;
    g->want_valid = g->want_store = g->want_last = g->want_address = 0;
    g->want_type = g->want_mask = 0;
    memset(g->want_data, 0, sizeof g->want_data);
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_node, small, "the meet node of");
    expect_caught(other_lane, small, "with another result");
    expect_caught(other_result, small, "with another result");
    expect_caught(other_bits, small, "with another result");
    expect_caught(other_wave, small, "with another result");
    expect_caught(other_address, small, "the memory is asked for");
    expect_caught(other_answer, small, "gets the answer");
    expect_caught(no_end, small, "property broken");
    expect_caught(no_want,
                  "--target omni --preset small --stim directed --cycles 40000",
                  "chains do not end");
}

/* Every node of a mesh on which a kernel runs. */
static void test_replay(void **state) {
    static const char replay[] =
        "--target omni --preset small --stim replay --cycles 0 "
        "--run tests/omni/kernels/patterns.yml";
    (void)state;
    expect_green(replay, "mismatches 0");
    expect_caught(other_lane, replay, "has answered otherwise");
    expect_caught(other_result, replay, "has answered otherwise");
    expect_caught(other_bits, replay, "has answered otherwise");
    expect_caught(other_answer, replay, "has answered otherwise");
    expect_refused("--target omni --preset small --stim replay "
                   "--kernel kernels/axpy/axpy.ptx",
                   "expected RUN=");
    /* its CTAs have more warps than the small core */
    expect_refused("--target omni --preset small --stim replay --cycles 0 "
                   "--run kernels/axpy/axpy.yml",
                   "a core has 8");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),  cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_by_name), cmocka_unit_test(test_lies),
        cmocka_unit_test(test_replay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

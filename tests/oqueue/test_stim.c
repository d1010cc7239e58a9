/* test_stim.c - the environment of the offload queue notices what model and RTL
 * agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/oqueue.h"
#include "oqueue/oqueue.h"
#include "oqueue/stim.h"

#define LIAR_BLOCK oqueue
#include "tests/common/stim_liar.h"

static const char small[] = "--target oqueue --preset small --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target oqueue --preset mesh --seed 2 "
                      "--cycles 200000");
    expect_deterministic(small);
}

/* Each named mode does what its name says, and nothing goes wrong in it. */
static void test_by_name(void **state) {
    static const struct {
        const char *mode, *point;
    } names[] = {{"full_far_queue", "one_load_back"},
                 {"full_far_queue", "two_loads_back"},
                 {"diverged_lanes", "diverged"},
                 {"hit_in_mid_chain", "hit_second"},
                 {"no_free_entry", "no_free_entry"},
                 {"no_meet_node", "not_found"},
                 {"stored_away", "stored_away"},
                 {"patterns", "misfit"},
                 {"patterns", "third_load"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char words[128];
        snprintf(words, sizeof words,
                 "--target oqueue --preset small --cycles 5000 --stim %s",
                 names[i].mode);
        expect_covers(words, names[i].point);
    }
    expect_green("--target oqueue --preset small --cycles 5000 --stim directed",
                 "mismatches 0");
}

/* --- what the core is told ------------------------------------------------ */

static void always_taken(struct liar *l, struct oqueue_out *o) {
    (void)l;
    if (o->said_valid)
        o->said_what = OQUEUE_TAKEN;
}

static void silent(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->said_valid = o->said_wave = o->said_what = o->said_entry = 0;
}

static void other_wave(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->said_wave ^= o->said_valid;
}

static void other_entry(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->said_entry ^= o->said_what == OQUEUE_WAITS;
}

static void test_said(void **state) {
    (void)state;
    expect_caught(always_taken, small, "gets the answer TAKEN");
    expect_caught(silent, small, "gets the answer none");
    expect_caught(other_wave, small, "an answer to wavefront");
    expect_caught(other_entry, small, "waits, not");
}

/* --- what goes ------------------------------------------------------------ */

static void other_memory(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->meet_mem1 ^= o->meet_valid;
}

static void other_load(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->load_address ^= o->load_valid;
}

static void no_load(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->load_valid = o->load_wave = o->load_second = o->load_address = 0;
    o->load_mem = o->load_mask = 0;
}

static void other_flit(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->send_data[0] ^= o->send_valid << 5;
}

static void other_node(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->send_node ^= o->send_valid;
}

static void test_going(void **state) {
    (void)state;
    expect_caught(other_memory, small, "a lookup for the memories");
    expect_caught(other_load, small, "was not to go");
    expect_caught(no_load, small, "begins before the loads");
    expect_caught(other_flit, small, "in its lowest bits, expected");
    expect_caught(other_node, small, "to node");
}

/* An L1 hit that the queue does not hear of: the packet leaves. */
static void no_hit(struct liar *l, bool rst, struct oqueue_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->op_hit = 0;
}

static void always_found(struct liar *l, bool rst, struct oqueue_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->met_found = 1;
}

static void test_unheard(void **state) {
    (void)state;
    hears = no_hit;
    expect_caught(NULL, small, "property broken at cycle");
    hears = always_found;
    expect_caught(NULL, small, "gets the answer WAITS");
}

/* --- ends ----------------------------------------------------------------- */

static void other_end(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->done_wave ^= o->done_valid;
}

static void other_lanes(struct liar *l, struct oqueue_out *o) {
    (void)l;
    o->done_mask ^= o->done_valid;
}

static void no_end(struct liar *l, struct oqueue_out *o) {
    l->told |= !l->last.done_valid || l->in.done_ready;
    if (l->told)
        o->done_valid = o->done_wave = o->done_entry = o->done_how =
            o->done_mask = o->done_bits = 0;
}

static void test_ends(void **state) {
    (void)state;
    expect_caught(other_end, small, "expected wavefront");
    expect_caught(other_lanes, small, "expected wavefront");
    expect_caught(no_end, small, "does not end");
}

/* One load of two is enough for it. */
static void as_ack(struct liar *l, bool rst, struct oqueue_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->ans_kind == OQUEUE_LOADED)
        in->ans_kind = OQUEUE_ACK;
}

static void test_half(void **state) {
    (void)state;
    hears = as_ack;
    expect_caught(NULL,
                  "--target oqueue --preset small --cycles 20000 "
                  "--stim full_far_queue",
                  "end");
}

static void test_counters(void **state) {
    (void)state;
    expect_counters_caught(small);
}

static int begin(void **state) {
    (void)state;
    lie_after = 1500;
    hears = NULL;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_honest, begin),
        cmocka_unit_test_setup(test_by_name, begin),
        cmocka_unit_test_setup(test_said, begin),
        cmocka_unit_test_setup(test_going, begin),
        cmocka_unit_test_setup(test_unheard, begin),
        cmocka_unit_test_setup(test_ends, begin),
        cmocka_unit_test_setup(test_half, begin),
        cmocka_unit_test_setup(test_counters, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the pipeline of the base die notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/far_pipe.h"
#include "far_pipe/far_pipe.h"
#include "far_pipe/stim.h"

#define LIAR_BLOCK far_pipe
/* a completion that is told behind the next one, and which of the two is due;
 * a fault of memory, and whether its completion is hidden */
#define LIAR_EXTRA                                                             \
    struct far_pipe_out kept;                                                  \
    enum { NONE_KEPT, KEPT, PASSED, LATE } order;                              \
    struct far_pipe_out late;                                                  \
    bool hides;
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target far_pipe --preset small --cycles 30000";
static const char wide[] = "--target far_pipe --preset mpu --cycles 100000 "
                           "--set far_pipe.shared_words=16384 "
                           "--set far_pipe.subcores=4";
static const char split[] = "--target far_pipe --preset small --cycles 60000 "
                            "--config tests/far_pipe/three_each.yml";
static const char shared[] = "--target far_pipe --preset small --cycles 160000 "
                             "--set far_pipe.shared_words=64 "
                             "--set far_pipe.subcores=2";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "far_pipe.warps=5", "far_pipe.warps=2",       "far_pipe.alus=8",
        "far_pipe.alus=1",  "far_pipe.registers=256", "far_pipe.params=2"};
    (void)state;
    expect_all_covers(shared);
    expect_all_covers(wide);
    /* 32 passes: the lanes are hardly ever without one */
    expect_green("--target far_pipe --preset mpu --cycles 40000 "
                 "--set far_pipe.alus=1",
                 "mismatches");
    expect_green("--target far_pipe --preset small --cycles 80000",
                 "mismatches");
    expect_green("--target far_pipe --preset small --cycles 40000 "
                 "--stim directed",
                 "mismatches");
    expect_green("--target far_pipe --preset small --cycles 40000 "
                 "--stim directed --set far_pipe.shared_words=64 "
                 "--set far_pipe.subcores=2",
                 "mismatches");
    expect_green("--target far_pipe --preset small --cycles 40000 "
                 "--set far_pipe.shared_words=16 --set far_pipe.alus=1 "
                 "--set far_pipe.subcores=8 --set far_pipe.warps=16",
                 "mismatches");
    expect_green("--target far_pipe --preset small --cycles 40000 "
                 "--set far_pipe.shared_words=16 --set far_pipe.alus=8 "
                 "--set far_pipe.subcores=2",
                 "mismatches");
    expect_green(split, "mismatches");
    expect_green("--target far_pipe --preset small --cycles 40000 "
                 "--stim directed --set far_pipe.subcores=2",
                 "mismatches");
    expect_green("--target far_pipe --preset small --cycles 60000 "
                 "--set far_pipe.subcores=8 --set far_pipe.warps=16",
                 "mismatches");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
    expect_deterministic(shared);
    expect_deterministic(split);
}

/* --- what is computed ----------------------------------------------------- */

static void full(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_mask = 0xff;
}

static void unguarded(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_guard = 0;
}

static void other_source(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_src0 ^= 1;
}

static void other_word(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_tag ^= 1;
}

static void other_lanes(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->init_mask = 0xff;
}

static void test_values(void **state) {
    (void)state;
    hears = full;
    expect_caught(NULL, small, "property broken");
    hears = unguarded;
    expect_caught(NULL, small, "property broken");
    hears = other_source;
    expect_caught(NULL, small, "property broken");
    hears = other_word;
    expect_caught(NULL, small, "property broken");
    hears = other_lanes;
    expect_caught(NULL, small, "of register");
}

/* --- rows and completions ------------------------------------------------- */

static void other_bit(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->data_row[0] ^= o->data_valid;
}

static void no_row(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->data_valid = 0;
    memset(o->data_row, 0, sizeof o->data_row);
}

static void invented_row(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->data_valid = 1;
}

static void other_ticket(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_ticket ^= 1;
}

static void invented(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->done_valid = 1;
}

/* From the first one on that nobody has seen. */
static void no_end(struct liar *l, struct far_pipe_out *o) {
    if (l->last.done_valid)
        return;
    o->done_valid = o->done_warp = o->done_tag = o->done_ticket = 0;
}

static void refuses(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->write_ready = 0;
}

static void show_done(struct far_pipe_out *o, const struct far_pipe_out *of) {
    o->done_valid = of->done_valid;
    o->done_warp = of->done_warp;
    o->done_tag = of->done_tag;
    o->done_ticket = of->done_ticket;
}

/* Of two completions the second is told first. */
static void swapped(struct liar *l, struct far_pipe_out *o) {
    static const struct far_pipe_out none;
    bool gone = !l->last.done_valid || l->in.done_ready;
    if (l->order == NONE_KEPT && gone && o->done_valid) {
        l->kept = *o;
        l->order = KEPT;
        show_done(o, &none);
    } else if (l->order == KEPT && o->done_valid) {
        l->order = PASSED;
    } else if (l->order == PASSED && gone) {
        l->order = LATE;
        show_done(o, &l->kept);
    } else if (l->order == LATE && gone) {
        l->order = NONE_KEPT;
    } else if (l->order == LATE) {
        show_done(o, &l->kept);
    }
}

/* The one that is kept has been taken there, and the one behind both waits. */
static void hears_swapped(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->order == KEPT)
        in->done_ready = 1;
    if (l->order == LATE)
        in->done_ready = 0;
}

/* Whatever comes is taken, and nobody hears of it. */
static void swallows(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->exec_ready = 1;
}

static void swallows_one(struct liar *l, struct far_pipe_out *o) {
    l->told +=
        l->edge > lie_after + 1 && l->last.exec_ready && (l->in.exec_valid & 1);
    o->exec_ready = l->told == 0;
}

static void hears_none(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->exec_valid = 0;
}

static void takes_none(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->exec_ready = 0;
}

/* Of an access that had a fault: all others are told. */
static void hides_one(struct liar *l, struct far_pipe_out *o) {
    static const struct far_pipe_out none;
    if (o->fault_valid && o->fault_cause == 8)
        l->late = *o;
    l->hides = o->done_valid && l->told == 0 && l->late.fault_valid &&
               o->done_warp == l->late.fault_warp &&
               o->done_tag == l->late.fault_tag;
    if (!l->hides)
        return;
    l->told++;
    show_done(o, &none);
}

static void hears_hidden(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->hides)
        in->done_ready = 1;
}

static void not_zero(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    if (!o->done_valid)
        o->done_tag = 1;
}

static void test_rows(void **state) {
    (void)state;
    expect_caught(other_bit, small, "at 'data', expected");
    expect_caught(no_row, small, "a row for 'data' does not come");
    expect_caught(invented_row, small, "'data'");
    expect_caught(refuses, small, "a row is not taken");
}

static void test_completions(void **state) {
    (void)state;
    hears = other_ticket;
    expect_caught(NULL, small, "a completion of another instruction");
    hears = NULL;
    expect_caught(invented, small, "a completion");
    hears = hears_hidden;
    expect_caught(hides_one, small, "an instruction does not complete");
    hears = hears_none;
    expect_caught(takes_none, small, "an instruction is not taken");
    expect_caught(swallows_one, small, "no instruction completes");
    lie_after = 3100; /* in a phase with few words of the desk, */
    expect_caught(swallows, small, "the lanes have more instructions");
    hears = hears_swapped;
    expect_caught(swapped, small, "a completion of another instruction");
    hears = hears_none;
    lie_after = 2500; /* with many */
    expect_caught(swallows, small, "more instructions are under way");
    lie_after = 2000;
    hears = NULL;
    expect_caught(no_end, small, "property broken");
    expect_caught(not_zero, small,
                  "'done_tag' is not zero while there is nothing");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target far_pipe --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target far_pipe --set far_pipe.lanes=4",
                   "'far_pipe.alus' must be at most 'far_pipe.lanes'");
    expect_refused("--target far_pipe --preset small --set far_pipe.subcores=2 "
                   "--set far_pipe.shared_words=8",
                   "'far_pipe.shared_words' must be 0, or a power of two");
    expect_refused("--target far_pipe --preset small "
                   "--set far_pipe.shared_words=64",
                   "'far_pipe.shared_words' must be 0 with one subcore");
    expect_refused("--target far_pipe --preset small --set far_pipe.subcores=4 "
                   "--set far_pipe.warps=10",
                   "must be a multiple of 'far_pipe.subcores'");
    expect_refused("--target far_pipe --preset small --set far_pipe.subcores=8",
                   "must be a multiple of 'far_pipe.subcores', and at least");
    expect_refused("--target far_pipe --preset small --set far_pipe.subcores=8 "
                   "--set far_pipe.warps=16 --set far_pipe.alus=8",
                   "'far_pipe.subcores' must be at most four more than");
    expect_refused("--target far_pipe --set far_pipe.subcores=3",
                   "power of two");
    expect_refused("--target far_pipe --set far_pipe.subcores=16",
                   "from 1 to 8");
}

/* --- desk ----------------------------------------------------------------- */

static void other_lane(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->resolve_lanes ^= o->resolve_valid;
}

static void no_resolve(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->resolve_valid = o->resolve_warp = o->resolve_tag = o->resolve_lanes = 0;
}

static void invented_resolve(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->resolve_valid = 1;
}

static void other_value(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->value_word ^= 1u << 31;
}

static void other_param(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->param_index ^= 1;
}

static void later(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->launch_now++;
}

static void no_fault(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->fault_valid = o->fault_cause = o->fault_warp = o->fault_tag = 0;
    o->fault_address = 0;
}

static void other_fault(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->fault_address += o->fault_valid && o->fault_cause < 8;
}

static void invented_fault(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->fault_valid = 1;
    o->fault_cause = 8;
}

static void unbounded(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->launch_bound = 0;
}

static void test_desk(void **state) {
    (void)state;
    expect_caught(other_lane, small, "a control word has other lanes");
    expect_caught(no_resolve, small, "without being shown");
    expect_caught(invented_resolve, small, "no such control word");
    hears = other_value;
    expect_caught(NULL, small, "of register");
    hears = other_param;
    expect_caught(NULL, small, "of register");
    hears = later;
    expect_caught(NULL, small, "of register");
    hears = NULL;
    expect_caught(no_fault, small, "without");
    expect_caught(other_fault, small, "a fault that no instruction has");
    expect_caught(invented_fault, small, "a fault of memory that no access");
}

/* --- accesses ------------------------------------------------------------- */

static void other_address(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->access_address[0] ^= o->access_valid;
}

static void other_kind(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->access_store ^= o->access_valid;
}

static void early(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ended_near = 0;
}

static void fine(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->carried_fault = 0;
}

static void never(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->carried_valid = 0;
}

static void test_accesses(void **state) {
    (void)state;
    expect_caught(other_address, small, "another address in lane 0");
    expect_caught(other_kind, small, "not that of its instruction");
    hears = early;
    expect_caught(NULL, small, "access");
    hears = fine;
    expect_caught(NULL, small, "an access that had a fault completes");
    hears = unbounded;
    lie_after = 10000; /* with no other lane that goes wrong */
    expect_caught(NULL, small, "that no instruction makes");
    lie_after = 2000;
    hears = never;
    expect_caught(NULL, small, "property broken");
}

/* --- shared memory -------------------------------------------------------- */

static void other_window(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->window_base ^= 1;
}

static void smaller_window(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->window_rows -= in->window_rows > 1;
}

/* What came on an edge of reset is written after it. */
static void window_of_reset(struct liar *l, bool rst, struct far_pipe_in *in) {
    static bool came;
    static uint64_t warp;
    (void)l;
    if (rst) {
        came = in->window_valid;
        warp = in->window_warp;
    } else if (came && !in->window_valid) {
        came = false;
        in->window_valid = 1;
        in->window_warp = warp;
        in->window_base = 0;
        in->window_rows = 1;
    }
}

static void no_shared_fault(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->shared_fault_valid = o->shared_fault_warp = o->shared_fault_tag = 0;
    o->shared_fault_odd = o->shared_fault_address = 0;
}

static void other_lane_wrong(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->shared_fault_address ^= o->shared_fault_valid << 2;
}

static void other_reason(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->shared_fault_odd ^= o->shared_fault_valid;
}

static void invented_shared(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->shared_fault_valid = 1;
}

/* The fault of an access is told where those of the desk are. */
static void as_a_fault(struct liar *l, struct far_pipe_out *o) {
    if (!o->shared_fault_valid)
        return;
    o->fault_valid = 1;
    o->fault_cause = o->shared_fault_odd ? 2 : 3;
    o->fault_warp = o->shared_fault_warp;
    o->fault_tag = o->shared_fault_tag;
    o->fault_address = o->shared_fault_address;
    no_shared_fault(l, o);
}

static void test_shared(void **state) {
    static const char none[] = "a fault that no access to shared memory has";
    (void)state;
    expect_caught(no_shared_fault, shared, "completes without its fault");
    expect_caught(other_lane_wrong, shared, none);
    expect_caught(other_reason, shared, none);
    expect_caught(invented_shared, shared, none);
    expect_caught(invented_shared, small, "property broken");
    expect_caught(as_a_fault, shared, "a fault that no instruction has");
    hears = other_window;
    expect_caught(NULL, shared, "of register");
    hears = smaller_window;
    expect_caught(NULL, shared, none);
    hears = window_of_reset;
    expect_caught(NULL, shared, "property broken");
}

/* --- subcores ------------------------------------------------------------- */

/* Of the warp of the same number in the next subcore. */
static void of_another(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->done_warp ^= o->done_valid;
}

static void access_of_another(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->access_warp ^= o->access_valid;
}

static void resolve_of_another(struct liar *l, struct far_pipe_out *o) {
    (void)l;
    o->resolve_warp ^= o->resolve_valid;
}

static void ends_of_another(struct liar *l, bool rst, struct far_pipe_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ended_warp ^= 1;
}

static void test_subcores(void **state) {
    static const char other[] = "a completion of another instruction";
    (void)state;
    expect_caught(of_another, split, other);
    expect_caught(access_of_another, split, "that no instruction makes");
    expect_caught(resolve_of_another, split, "no such control word");
    expect_caught(no_resolve, split, "without being shown");
    expect_caught(no_fault, split, "without");
    expect_caught(no_row, split, "a row for 'data' does not come");
    expect_caught(refuses, split, "a row is not taken");
    hears = hears_hidden;
    expect_caught(hides_one, split, "an instruction does not complete");
    hears = hears_none;
    expect_caught(takes_none, split, "an instruction is not taken");
    lie_after = 2500; /* in a phase with many instructions */
    expect_caught(swallows, split, "than there is room for");
    hears = hears_swapped;
    expect_caught(swapped, split, other);
    lie_after = 2000;
    hears = ends_of_another;
    expect_caught(NULL, split, "property broken");
    hears = other_ticket;
    expect_caught(NULL, split, other);
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
        cmocka_unit_test_setup(test_values, begin),
        cmocka_unit_test_setup(test_rows, begin),
        cmocka_unit_test_setup(test_completions, begin),
        cmocka_unit_test_setup(test_desk, begin),
        cmocka_unit_test_setup(test_accesses, begin),
        cmocka_unit_test_setup(test_shared, begin),
        cmocka_unit_test_setup(test_subcores, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the tap notices what model and RTL agree on,
 * and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/tap.h"
#include "tap/stim.h"
#include "tap/tap.h"

#define LIAR_BLOCK tap
#define LIAR_NO_REGISTERS
#define LIAR_EXTRA                                                             \
    uint64_t held[3]; /* of an event that is kept back */                      \
    bool lies;        /* since the last edge, about the same word */
#include "tests/common/stim_liar.h"

enum { BEGIN, ACCESS, END };

static const char small[] = "--target tap --preset small --cycles 30000";

/* --- honest models -------------------------------------------------------- */

static void test_honest(void **state) {
    static const char *const sets[] = {"tap.warps=2", "tap.warps=33",
                                       "tap.stacks=16", "tap.stacks=2",
                                       "tap.address_bits=16"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target tap --preset tom --cycles 30000");
    expect_all_covers("--target tap --preset small --cycles 2000 "
                      "--stim directed");
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

static bool is_late(const struct liar *l) {
    return l->edge > lie_after;
}

/* --- answers -------------------------------------------------------------- */

/* Whether a word at go, or ev, is lied about: from its first edge on. */
static bool lies_go(struct liar *l, const struct tap_out *o) {
    if (!l->last.go_valid || l->in.go_ready)
        l->lies = o->go_valid;
    return l->lies;
}

static bool lies_ev(struct liar *l, const struct tap_out *o, bool is) {
    if (!l->last.ev_valid || l->in.ev_ready)
        l->lies = o->ev_valid && is;
    return l->lies;
}

static void wrong_warp(struct liar *l, struct tap_out *o) {
    o->go_warp ^= lies_go(l, o);
}

static void wrong_reason(struct liar *l, struct tap_out *o) {
    o->go_reason ^= lies_go(l, o) << 3;
}

static void wrong_stack(struct liar *l, struct tap_out *o) {
    o->go_stack ^= lies_go(l, o);
}

static void wrong_offload(struct liar *l, struct tap_out *o) {
    o->go_offload ^= lies_go(l, o);
}

/* An answer is taken and does not arrive. */
static void lose_answer(struct liar *l, bool rst, struct tap_in *in) {
    if (rst || !is_late(l) || l->told || !in->ans_valid || !l->out.ans_ready)
        return;
    in->ans_valid = 0;
    l->told = 1;
}

/* An answer is given twice. */
static void repeat_answer(struct liar *l, bool rst, struct tap_in *in) {
    (void)rst;
    if (is_late(l) && l->out.go_valid && in->go_ready && l->told++ == 0)
        in->go_ready = 0;
}

static void invented_answer(struct liar *l, struct tap_out *o) {
    (void)l;
    o->go_valid = 1;
}

static void not_zero(struct liar *l, struct tap_out *o) {
    (void)l;
    if (!o->go_valid)
        o->go_stack = 1;
}

static void changed_answer(struct liar *l, struct tap_out *o) {
    if (l->last.go_valid && !l->in.go_ready)
        o->go_warp ^= 1;
}

static void taken_back(struct liar *l, struct tap_out *o) {
    if (l->last.go_valid && !l->in.go_ready)
        o->go_valid = o->go_warp = o->go_offload = o->go_reason = o->go_stack =
            0;
}

static void test_answers(void **state) {
    static const char wrong[] = "the answer to warp ";
    (void)state;
    expect_caught(wrong_warp, small, wrong);
    expect_caught(wrong_reason, small, wrong);
    expect_caught(wrong_stack, small, wrong);
    expect_caught(wrong_offload, small, wrong);
    expect_caught(invented_answer, small, wrong);
    expect_caught(not_zero, small, "'go_stack' is not zero while");
    expect_caught(changed_answer, small,
                  "'go_warp' changed before it was taken");
    expect_caught(taken_back, small,
                  "'go_valid' was taken back before it was taken");
    hears = lose_answer;
    expect_caught(NULL, small, wrong);
    hears = repeat_answer;
    expect_caught(NULL, small, wrong);
}

/* --- events --------------------------------------------------------------- */

static void wrong_event_warp(struct liar *l, struct tap_out *o) {
    o->ev_warp ^= lies_ev(l, o, o->ev_op != BEGIN);
}

static void wrong_address(struct liar *l, struct tap_out *o) {
    o->ev_address ^= (uint64_t)lies_ev(l, o, o->ev_op != BEGIN) << 23;
}

static void wrong_op(struct liar *l, struct tap_out *o) {
    if (lies_ev(l, o, o->ev_op != BEGIN))
        o->ev_op = ACCESS + END - o->ev_op;
}

static void wrong_begin(struct liar *l, struct tap_out *o) {
    o->ev_warp ^= lies_ev(l, o, o->ev_op == BEGIN);
}

/* A begin has no address. */
static void begin_with_address(struct liar *l, struct tap_out *o) {
    o->ev_address ^= lies_ev(l, o, o->ev_op == BEGIN);
}

static void lose_event(struct liar *l, bool rst, struct tap_in *in) {
    if (rst || !is_late(l) || l->told || !in->core_valid || !l->out.core_ready)
        return;
    in->core_valid = 0;
    l->told = 1;
}

static void repeat_event(struct liar *l, bool rst, struct tap_in *in) {
    (void)rst;
    if (is_late(l) && l->out.ev_valid && in->ev_ready && l->told++ == 0)
        in->ev_ready = 0;
}

/* One event is kept back and comes after the one behind it. */
static void swap_events(struct liar *l, bool rst, struct tap_in *in) {
    if (rst || !is_late(l) || !in->core_valid || !l->out.core_ready)
        return;
    uint64_t now[3] = {in->core_op, in->core_warp, in->core_address};
    if (l->told++ == 0) {
        in->core_valid = 0;
    } else if (l->told == 3) {
        in->core_op = l->held[0];
        in->core_warp = l->held[1];
        in->core_address = l->held[2];
    }
    if (l->told == 1)
        memcpy(l->held, now, sizeof now);
}

static void loud_event(struct liar *l, struct tap_out *o) {
    (void)l;
    if (!o->ev_valid)
        o->ev_address = 1;
}

static void changed_event(struct liar *l, struct tap_out *o) {
    if (l->last.ev_valid && !l->in.ev_ready)
        o->ev_address ^= 1;
}

static void test_events(void **state) {
    static const char wrong[] = "an event of warp ";
    (void)state;
    expect_caught(wrong_event_warp, small, wrong);
    expect_caught(wrong_address, small, wrong);
    expect_caught(wrong_op, small, wrong);
    expect_caught(wrong_begin, small, "a begin of warp ");
    expect_caught(begin_with_address, small, "a begin of warp ");
    expect_caught(loud_event, small, "'ev_address' is not zero while");
    expect_caught(changed_event, small,
                  "'ev_address' changed before it was taken");
    hears = lose_event;
    expect_caught(NULL, small, wrong);
    hears = swap_events;
    expect_caught(NULL, small, wrong);
    hears = repeat_event;
    expect_caught(NULL, small, " is not the next one");
}

/* --- both together -------------------------------------------------------- */

/* Begins whose answers do not come out. */
static void take_go(struct liar *l, bool rst, struct tap_in *in) {
    (void)rst;
    if (is_late(l))
        in->go_ready = 1;
}

static void no_answers(struct liar *l, struct tap_out *o) {
    (void)l;
    o->go_valid = o->go_warp = o->go_offload = o->go_reason = o->go_stack = 0;
}

/* Answers whose begins do not. */
static void take_ev(struct liar *l, bool rst, struct tap_in *in) {
    (void)rst;
    if (is_late(l))
        in->ev_ready = 1;
}

static void no_begins(struct liar *l, struct tap_out *o) {
    (void)l;
    if (o->ev_op == BEGIN)
        o->ev_valid = o->ev_warp = 0;
}

/* An answer that begins nothing. */
static void hear_offload(struct liar *l, bool rst, struct tap_in *in) {
    (void)rst;
    if (is_late(l))
        in->ans_offload = 1;
}

static void tell_stay(struct liar *l, struct tap_out *o) {
    (void)l;
    o->go_offload = 0;
}

static void test_together(void **state) {
    static const char apart[] = "begins and their answers do not go together";
    static const char begins[] = "--target tap --preset small --cycles 2000 "
                                 "--stim directed";
    (void)state;
    /* the script begins with answers that all begin an instance */
    lie_after = 0;
    hears = take_go;
    expect_caught(no_answers, begins, apart);
    hears = take_ev;
    expect_caught(no_begins, begins, apart);
    hears = hear_offload;
    expect_caught(tell_stay, begins, apart);
}

/* --- progress ------------------------------------------------------------- */

static void deaf_answers(struct liar *l, bool rst, struct tap_in *in) {
    (void)rst;
    if (is_late(l))
        in->ans_valid = 0;
}

static void refuse_answers(struct liar *l, struct tap_out *o) {
    (void)l;
    o->ans_ready = 0;
}

static void deaf_events(struct liar *l, bool rst, struct tap_in *in) {
    (void)rst;
    if (is_late(l))
        in->core_valid = 0;
}

static void refuse_events(struct liar *l, struct tap_out *o) {
    (void)l;
    o->core_ready = 0;
}

static void test_progress(void **state) {
    (void)state;
    hears = deaf_answers;
    expect_caught(refuse_answers, small, "an answer waits that nobody holds");
    expect_caught(NULL, small, "an answer waits that nobody holds up");
    hears = deaf_events;
    expect_caught(refuse_events, small, "an event waits that nobody holds up");
    expect_caught(NULL, small, "an event waits that nobody holds up");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target tap --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target tap --stim replay --run kernels/bfs/bfs.yml",
                   "'tap' has no stimulus 'replay'");
    expect_refused("--target tap --set tap.warps=1", "tap.warps");
    expect_refused("--target tap --set tap.stacks=3", "tap.stacks");
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
        cmocka_unit_test_setup(test_answers, begin),
        cmocka_unit_test_setup(test_events, begin),
        cmocka_unit_test_setup(test_together, begin),
        cmocka_unit_test_setup(test_progress, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

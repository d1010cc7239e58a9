/* test_stim.c - the environment of the load-store traffic between the dies
 * notices what model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/lsu_link.h"
#include "lsu_link/lsu_link.h"
#include "lsu_link/stim.h"

#define LIAR_BLOCK lsu_link
#define LIAR_NO_REGISTERS
#define LIAR_EXTRA                                                             \
    bool inside, invented; /* a packet up; a return that there was none of */
#include "tests/common/stim_liar.h"

/* What a channel shows was not there before the edge: what stands has to stand
 * unchanged, so there is no other lie to tell about it. */
#define BEGINS(channel)                                                        \
    (o->channel##_valid && !(l->last.channel##_valid && !l->in.channel##_ready))

static const char small[] = "--target lsu_link --preset small --cycles 30000";
static const char wide[] = "--target lsu_link --preset mpu --cycles 20000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "lsu_link.warps=3",      "lsu_link.cores=256",
        "lsu_link.sector=32",    "lsu_link.units=16",
        "lsu_link.tsv_width=8",  "lsu_link.tsv_width=1024",
        "lsu_link.tsv_width=64", "lsu_link.places=64",
        "lsu_link.places=1"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target lsu_link --preset small --cycles 20000 "
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

/* --- packets down --------------------------------------------------------- */

static void long_packet(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->lsu_down_last = 0;
}

static void hide_down(struct lsu_link_out *o) {
    o->lsu_down_valid = o->lsu_down_last = 0;
    memset(o->lsu_down_data, 0, sizeof o->lsu_down_data);
}

static void swallowed(struct liar *l, struct lsu_link_out *o) {
    if (l->in.down_valid & l->last.down_ready)
        hide_down(o);
}

static void both(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->fetch_ready |= o->down_ready;
}

static void swallowed_strided(struct liar *l, struct lsu_link_out *o) {
    if (l->in.strided_valid & l->last.strided_ready)
        hide_down(o);
}

static void both_kinds(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->strided_ready |= o->down_ready;
}

static void invented_down(struct liar *l, struct lsu_link_out *o) {
    o->lsu_down_valid |= !l->in.write_valid;
}

static void silent_base(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    hide_down(o);
    o->down_ready = o->fetch_ready = o->strided_ready = 0;
}

/* More than the places are under way: between packets the base die hears
 * returns that there are none of. */
static void more_returns(struct liar *l, bool rst, struct lsu_link_in *in) {
    l->invented = !l->invented && !rst && l->edge > lie_after && !l->inside &&
                  !in->lsu_far_valid;
    if (in->lsu_far_valid)
        l->inside = !in->lsu_far_last;
    if (l->invented) {
        in->lsu_far_valid = in->lsu_far_last = 1;
        in->lsu_far_data[0] = 4; /* the answer of a store */
    }
}

static void hide_answer(struct liar *l, struct lsu_link_out *o) {
    if (l->invented)
        o->answer_valid = o->answer_id = o->answer_fault = 0;
}

static void test_down(void **state) {
    (void)state;
    expect_caught(long_packet, small, "does not end with its last beat");
    expect_caught(swallowed, small, "is taken and not sent");
    expect_caught(both, small, "taken");
    expect_caught(swallowed_strided, small, "is taken and not sent");
    expect_caught(both_kinds, small, "taken");
    expect_caught(invented_down, small, "a packet goes down that nobody sent");
    expect_caught(silent_base, small, "a request waits for nothing");
    hears = more_returns;
    expect_caught(hide_answer, small, "packets are under way, places are 8");
    hears = NULL;
}

/* --- what is carried out -------------------------------------------------- */

static void other_address(struct liar *l, struct lsu_link_out *o) {
    o->ext_down_address ^= BEGINS(ext_down);
}

static void other_data(struct liar *l, struct lsu_link_out *o) {
    if (BEGINS(ext_down) && o->ext_down_store && !o->ext_down_near)
        o->ext_down_data[0] ^= 1;
}

static void load_with_data(struct liar *l, struct lsu_link_out *o) {
    if (BEGINS(ext_down) && !o->ext_down_store)
        o->ext_down_data[0] = 1;
}

static void other_lanes(struct liar *l, struct lsu_link_out *o) {
    if (BEGINS(ext_down) && o->ext_down_strided)
        o->ext_down_mask ^= 1;
}

static void other_step(struct liar *l, struct lsu_link_out *o) {
    if (BEGINS(ext_down) && o->ext_down_strided)
        o->ext_down_step ^= 1;
}

static void lanes_for_all(struct liar *l, struct lsu_link_out *o) {
    if (BEGINS(ext_down) && !o->ext_down_strided)
        o->ext_down_mask = 1;
}

static void not_strided(struct liar *l, struct lsu_link_out *o) {
    if (BEGINS(ext_down))
        o->ext_down_strided = 0;
}

static void all_strided(struct liar *l, struct lsu_link_out *o) {
    if (BEGINS(ext_down) && o->ext_down_near)
        o->ext_down_strided = 1;
}

static void early_request(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->ext_down_valid = 1;
}

static void other_register(struct liar *l, struct lsu_link_out *o) {
    o->pipe_fetch_reg ^= BEGINS(pipe_fetch);
}

static void other_mask(struct liar *l, struct lsu_link_out *o) {
    o->pipe_load_mask ^= BEGINS(pipe_load);
}

static void other_lane(struct liar *l, struct lsu_link_out *o) {
    o->pipe_load_data[1] ^= (uint64_t)BEGINS(pipe_load) << 32;
}

static void other_load(struct liar *l, struct lsu_link_out *o) {
    o->pipe_load_warp ^= BEGINS(pipe_load);
}

static void again(struct liar *l, struct lsu_link_out *o) {
    if (l->last.pipe_fetch_valid && l->in.pipe_fetch_ready)
        o->pipe_fetch_valid = 1;
}

static void no_loads(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->pipe_load_valid = o->pipe_load_warp = o->pipe_load_reg = 0;
    o->pipe_load_mask = 0;
    memset(o->pipe_load_data, 0, sizeof o->pipe_load_data);
}

static void no_fetches(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->pipe_fetch_valid = o->pipe_fetch_warp = o->pipe_fetch_reg = 0;
}

static void no_requests(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->ext_down_valid = o->ext_down_near = o->ext_down_store = 0;
    o->ext_down_unit = o->ext_down_warp = o->ext_down_reg = 0;
    o->ext_down_id = o->ext_down_address = o->ext_down_strobe = 0;
    memset(o->ext_down_data, 0, sizeof o->ext_down_data);
}

static void test_carried_out(void **state) {
    (void)state;
    expect_caught(other_address, small, "goes down as another one");
    expect_caught(other_data, small, "store has other data");
    expect_caught(load_with_data, small, "has other data");
    expect_caught(other_lanes, small, "strided message has lanes");
    expect_caught(other_step, small, "strided message has lanes");
    expect_caught(lanes_for_all, small, " has lanes 1 by 0, expected 0 by 0");
    expect_caught(not_strided, small,
                  "strided message goes down as another one");
    expect_caught(all_strided, small, "goes down as another one");
    expect_caught(early_request, small, "gets a request out of its turn");
    expect_caught(other_register, small, "is asked for that nobody wants");
    expect_caught(other_mask, small, "another row is written");
    expect_caught(other_lane, small, "another row is written");
    expect_caught(other_load, small, "a row is written that nobody has");
    expect_caught(again, small, "a second row is asked for");
    expect_caught(no_loads, small, "property broken");
    expect_caught(no_fetches, small, "property broken");
    expect_caught(no_requests, small, "property broken");
}

/* --- the extension's rows, and what comes up ------------------------------ */

static void lost_row(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->ext_fetched_valid = 0;
    memset(o->ext_fetched_data, 0, sizeof o->ext_fetched_data);
}

static void no_row(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->ext_fetched_valid = 1;
}

static void other_ext_row(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->ext_fetched_data[0] ^= o->ext_fetched_valid;
}

static void early_load(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->ext_load_ready |= o->pipe_load_valid;
}

static void early_written(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->write_ready |= o->pipe_load_valid;
}

static void other_fetched(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->fetched_data[0] ^= o->fetched_valid;
}

static void invented_row(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->fetched_valid = 1;
}

static void other_answer(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->answer_data[0] ^= o->answer_valid;
}

static void no_answer(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    if (!o->answer_valid)
        o->answer_valid = 1;
}

static void other_end(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->done_store ^= o->done_valid;
}

static void invented_end(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->done_valid = 1;
}

static void invented_up(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->lsu_up_valid = 1;
}

static void long_up(struct liar *l, struct lsu_link_out *o) {
    bool stands = l->last.lsu_up_valid && !l->in.lsu_up_ready;
    o->lsu_up_last = stands ? l->last.lsu_up_last : 0;
}

/* What both sources show and is not taken stands on the next edge. */
static void both_up(struct liar *l, struct lsu_link_out *o) {
    if (l->in.ext_answer_valid && !l->last.ext_answer_ready &&
        l->in.ext_done_valid && !l->last.ext_done_ready)
        o->ext_answer_ready = o->ext_done_ready = 1;
}

static void silent_up(struct liar *l, struct lsu_link_out *o) {
    if (o->lsu_up_valid && l->last.lsu_up_valid)
        return; /* the one that is under way */
    o->lsu_up_valid = o->lsu_up_last = 0;
    o->ext_answer_ready = o->ext_done_ready = 0;
    memset(o->lsu_up_data, 0, sizeof o->lsu_up_data);
}

/* Answers of other cores are held and never shown. */
static void no_others(struct liar *l, struct lsu_link_out *o) {
    (void)l;
    o->answer_valid = o->answer_id = o->answer_fault = 0;
    memset(o->answer_data, 0, sizeof o->answer_data);
}

static void test_up(void **state) {
    (void)state;
    expect_caught(lost_row, small, "the extension's row is lost");
    expect_caught(no_row, small, "a row that it did not ask for");
    expect_caught(other_ext_row, small, "the extension gets another row");
    expect_caught(early_load, small, "is taken before it is written");
    expect_caught(early_written, small, "told as written before it is");
    expect_caught(other_fetched, small, "another row comes up");
    expect_caught(invented_row, small, "a row comes up that nobody gave");
    expect_caught(other_answer, small, "another answer to id");
    expect_caught(no_answer, small, "answer");
    expect_caught(other_end, small, "a message ends as another one");
    lie_after = 2400;
    expect_caught(invented_end, small, "an end comes up that was not told");
    lie_after = 2000;
    expect_caught(invented_up, small, "a packet goes up that nobody sent");
    expect_caught(long_up, small, "does not end with its last beat");
    expect_caught(both_up, small, "an answer and an end are taken");
    expect_caught(silent_up, small, "what is to go up waits for nothing");
    expect_caught(no_others, small, "an answer of another core waits");
}

/* --- what the model hears ------------------------------------------------- */

static void other_beat(struct liar *l, bool rst, struct lsu_link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->lsu_near_data[0] ^= 4;
}

static void other_beat_up(struct liar *l, bool rst, struct lsu_link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->lsu_far_data[0] ^= 4;
}

static void other_pipe_row(struct liar *l, bool rst, struct lsu_link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->pipe_fetched_data[1] ^= 1;
}

/* A store that the model takes for a load brings a sector up. */
static void all_loads(struct liar *l, bool rst, struct lsu_link_in *in) {
    (void)rst;
    if (l->edge > lie_after && !in->down_near)
        in->down_store = 0;
}

static void fewer_lanes(struct liar *l, bool rst, struct lsu_link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->strided_mask ^= 2;
}

static void longer_step(struct liar *l, bool rst, struct lsu_link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->strided_step ^= 1;
}

static void later_word(struct liar *l, bool rst, struct lsu_link_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->strided_address ^= 1;
}

static void test_hearing(void **state) {
    (void)state;
    hears = other_beat;
    expect_caught(NULL, small, "property broken");
    hears = other_beat_up;
    expect_caught(NULL, small, "property broken");
    hears = other_pipe_row;
    expect_caught(NULL, small, "another row");
    hears = fewer_lanes;
    expect_caught(NULL, small, "strided message has lanes");
    hears = longer_step;
    expect_caught(NULL, small, "strided message has lanes");
    hears = later_word;
    expect_caught(NULL, small, "strided message goes down as another one");
    hears = all_loads;
    expect_caught(NULL, small, "property broken");
    hears = NULL;
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target lsu_link --stim dream",
                   "unknown stimulus 'dream'");
    expect_refused("--target lsu_link --set lsu_link.places=65",
                   "lsu_link.places");
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
        cmocka_unit_test_setup(test_down, begin),
        cmocka_unit_test_setup(test_carried_out, begin),
        cmocka_unit_test_setup(test_up, begin),
        cmocka_unit_test_setup(test_hearing, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of a core behind its front end notices what
 * model and RTL agree on, and reaches every cover point.
 *
 * What is lied about a part is what the environment sees or what the part
 * hears: the models behind are honest and joined.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/stim.h"
#include "structs.h"

#define LIAR_BLOCK backend
#define LIAR_IN struct core_in
#define LIAR_OUT struct core_out
#define LIAR_GOLDEN (*golden_find("backend"))
#define LIAR_NO_REGISTERS /* but for those of its parts */
#include "tests/common/stim_liar.h"

static const char small[] = "--target backend --preset small --cycles 100000";

/* What is seen of it is not frequent. */
static const char longer[] = "--target backend --preset small --cycles 400000";

/* ... nor this: a word of another core that is loaded when it was stored. */
static const char longest[] =
    "--target backend --preset small --cycles 1200000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target backend --preset small --cycles 600000 "
                      "--seed 3");
    expect_green("--target backend --preset small --cycles 30000 "
                 "--stim directed",
                 "mismatches 0");
    expect_green("--target backend --cycles 30000", "mismatches 0");
}

/* Other sizes keep the same promises. */
static void test_forms(void **state) {
    (void)state;
    expect_green("--target backend --preset small --cycles 60000 "
                 "--config tests/backend/four_units.yml",
                 "mismatches 0");
    expect_green("--target backend --preset small --cycles 60000 "
                 "--config tests/backend/least.yml",
                 "mismatches 0");
    expect_green("--target backend --preset small --cycles 60000 "
                 "--set nbu.lsu_burst=1 --set cut.burst=1 "
                 "--set cut.instructions=1 --set cut.requests=1",
                 "mismatches 0");
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

static void test_refused(void **state) {
    static const char *const alone[][2] = {
        {"far_pipe.warps=4", "set 'nbu.warps' instead"},
        {"lsu_rmw.chunk=256", "set 'lsu_hybrid.chunk' instead"},
        {"lsu_hybrid.units=4", "set 'vault.units' instead"},
        {"lsu_link.sector=16", "set 'vault.sector' instead"},
        {"vault.address_bits=27",
         "from 'lsu_hybrid.cores', 'vault.units' and 'vault.sector'"},
        {"vault.id_bits=7", "'vault.id_bits' is computed from 'nbu.lanes'"},
        {"nbu.near_set=[]", "set 'near_pipe.shared_words' instead"},
        {"near_pipe.shared_words=0", "nothing else is computed near"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof alone / sizeof *alone; n++) {
        char words[120];
        snprintf(words, sizeof words,
                 "--target backend --preset small --set %s", alone[n][0]);
        expect_refused(words, alone[n][1]);
    }
}

/* --- what parts hear ------------------------------------------------------ */

static void other_word(struct liar *l, bool rst, struct core_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->far.code_word ^= UINT64_C(1) << 41; /* of a number */
}

static void other_thread(struct liar *l, bool rst, struct core_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->rmw.init_row[0] ^= 4;
}

static void other_param(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->far.param_word ^= 1;
}

static void other_special(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->far.value_word ^= UINT64_C(1) << 31;
}

static void other_clock(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->far.launch_now += 1;
}

static void other_bound(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->far.launch_bound = 0;
}

static void other_core(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->hybrid.at_core ^= 1;
}

static void other_answer(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->link.other_data[0] ^= 1;
}

/* Of a lane's request the answer alone: nothing comes for the hybrid unit. */
static void other_lanes_answer(struct liar *l, bool rst, struct core_in *in) {
    static int owed;
    bool told = owed > 0 && in->link.other_valid;
    owed += l->out.rmw.away_valid && in->rmw.away_ready;
    owed = rst ? 0 : owed - (told && l->out.link.other_ready);
    if (told && l->edge > lie_after)
        in->link.other_id ^= 1;
}

static void other_place(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->rmw.at_core ^= 1;
}

static void other_host(struct liar *l, bool rst, struct core_in *in) {
    (void)l;
    (void)rst;
    in->banks.win_data ^= 2;
}

static void other_source(struct liar *l, bool rst, struct core_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->unit.issue_src0 ^= 1;
}

static void no_hint(struct liar *l, bool rst, struct core_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->unit.issue_hint = 1;
}

static void test_heard(void **state) {
    (void)state;
    hears = other_source;
    expect_caught(NULL, small, "was not accepted like that");
    hears = no_hint;
    expect_caught(NULL, small, "against the policy");
    hears = other_word;
    expect_caught(NULL, longer, "property broken");
    hears = other_thread;
    expect_caught(NULL, longer, "property broken");
    hears = other_param;
    expect_caught(NULL, longer, "property broken");
    hears = other_special;
    expect_caught(NULL, longer, "property broken");
    hears = other_clock;
    expect_caught(NULL, longer, "property broken");
    hears = other_bound;
    expect_caught(NULL, longer, "property broken");
    hears = other_core;
    expect_caught(NULL, longer, "property broken");
    hears = other_answer;
    expect_caught(NULL, small, "loads");
    hears = other_lanes_answer;
    expect_caught(NULL, longer, "property broken");
    hears = other_place;
    expect_caught(NULL, longer, "property broken");
    hears = other_host;
    expect_caught(NULL, longer, "property broken");
    hears = NULL;
}

/* --- what the environment sees -------------------------------------------- */

static void other_lanes(struct liar *l, struct core_out *o) {
    (void)l;
    o->far.resolve_lanes ^= o->far.resolve_valid;
}

static void no_resolve(struct liar *l, struct core_out *o) {
    (void)l;
    o->far.resolve_valid = o->far.resolve_warp = 0;
    o->far.resolve_tag = o->far.resolve_lanes = 0;
}

static void other_cause(struct liar *l, struct core_out *o) {
    (void)l;
    o->far.fault_cause ^= o->far.fault_valid;
}

static void other_address(struct liar *l, struct core_out *o) {
    (void)l;
    o->far.fault_address ^= 8 * o->far.fault_valid;
}

static void no_fault(struct liar *l, struct core_out *o) {
    (void)l;
    o->far.fault_valid = o->far.fault_cause = o->far.fault_warp = 0;
    o->far.fault_tag = o->far.fault_address = 0;
}

static void invented(struct liar *l, struct core_out *o) {
    (void)l;
    o->far.fault_valid = 1;
    o->far.fault_cause = 8;
}

static void other_commit(struct liar *l, struct core_out *o) {
    (void)l;
    o->unit.commit_warp ^= o->unit.commit_valid;
}

static void no_commit(struct liar *l, struct core_out *o) {
    (void)l;
    o->unit.commit_valid = o->unit.commit_near = 0;
    o->unit.commit_warp = o->unit.commit_tag = 0;
}

static void other_away(struct liar *l, struct core_out *o) {
    (void)l;
    if (o->hybrid.away_valid)
        o->hybrid.away_core ^= 2;
}

static void other_stored(struct liar *l, struct core_out *o) {
    (void)l;
    if (o->hybrid.away_valid && o->hybrid.away_store)
        o->hybrid.away_data[0] ^= o->hybrid.away_strobe & 1;
}

static void other_part_away(struct liar *l, struct core_out *o) {
    static bool begins; /* what is shown may not change */
    (void)l;
    begins |= !o->rmw.away_valid;
    o->rmw.away_address ^= o->rmw.away_valid && begins;
}

static void other_part_data(struct liar *l, struct core_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->rmw.away_valid;
    if (begins)
        o->rmw.away_data[0] ^= o->rmw.away_strobe & 1;
}

static void other_part_strobe(struct liar *l, struct core_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->rmw.away_valid;
    if (begins && o->rmw.away_op == LSU_RMW_STORE)
        o->rmw.away_strobe |= 15;
}

static void other_read(struct liar *l, struct core_out *o) {
    (void)l;
    o->banks.read_data ^= o->banks.read_valid;
}

static void no_room(struct liar *l, struct core_out *o) {
    (void)l;
    o->banks.win_ready = 0;
}

/* And the model does not take what it says that it does not. */
static void no_offer(struct liar *l, bool rst, struct core_in *in) {
    (void)rst;
    if (!l->out.banks.win_ready)
        in->banks.win_valid = 0;
}

static void other_access(struct liar *l, struct core_out *o) {
    static bool begins; /* what is shown may not change */
    (void)l;
    if (!o->far.access_valid)
        begins = true;
    else if (begins)
        o->far.access_mask ^= 2;
}

static void other_ask(struct liar *l, struct core_out *o) {
    static bool begins;
    (void)l;
    if (!o->far.ask_valid)
        begins = true;
    else if (begins)
        o->far.ask_mask ^= 2;
}

static void other_fetch(struct liar *l, struct core_out *o) {
    (void)l;
    o->pipes.fetched_data[0] ^= o->pipes.fetched_valid;
}

static void other_load(struct liar *l, struct core_out *o) {
    (void)l;
    o->link.pipe_load_data[0] ^= o->link.pipe_load_valid;
}

static void other_row(struct liar *l, struct core_out *o) {
    (void)l;
    o->unit.near_write_row[0] ^= o->unit.near_write_valid;
}

static void other_beat(struct liar *l, struct core_out *o) {
    (void)l;
    o->unit.lsu_near_data[0] ^= o->unit.lsu_near_valid;
}

static void test_seen(void **state) {
    (void)state;
    expect_caught(other_lanes, small, "is resolved with other lanes");
    expect_caught(no_resolve, small, "without what it had to show");
    expect_caught(other_cause, longer, "has no such fault");
    expect_caught(other_address, longer, "has no such fault");
    expect_caught(no_fault, longer, "without what it had to show");
    expect_caught(invented, small, "has no such fault");
    expect_caught(other_commit, small, "commits, but has not completed");
    expect_caught(no_commit, longer, "does not come to its commit");
    expect_caught(other_away, small, "goes away that no lane wants");
    expect_caught(other_stored, longest, "program order left");
    expect_caught(other_part_away, longer, "but not as it wants it");
    expect_caught(other_part_data, longest, "program order left");
    expect_caught(other_part_strobe, longest, "but not as it should");
    expect_caught(other_read, small, "the host reads");
    hears = no_offer;
    expect_caught(no_room, longer, "the window does not take a word");
    hears = NULL;
    expect_caught(other_access, small, "but not as it should");
    expect_caught(other_ask, small, "but not as it should");
    expect_caught(other_fetch, small, "is fetched for a store");
    expect_caught(other_load, small, "but program order left");
    expect_caught(other_row, small, "moves down, but is not");
    expect_caught(other_beat, small, "a beat of a message down is another");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_deterministic), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_heard),         cmocka_unit_test(test_seen),
    };
    return cmocka_run_group_tests_name("test_stim", tests, NULL, NULL);
}

/* test_stim.c - the environment of the read-modify-write unit notices what
 * model and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/lsu_rmw.h"
#include "lsu_rmw/lsu_rmw.h"
#include "lsu_rmw/stim.h"

#define LIAR_BLOCK lsu_rmw
#define LIAR_NO_REGISTERS
#define LIAR_EXTRA                                                             \
    bool gone;     /* a lane's request went on the edge before; */             \
    uint64_t lane; /* which one */                                             \
    int owed;      /* lanes that wait for other cores */                       \
    int count;     /* accesses of the hybrid unit */
#include "tests/common/stim_liar.h"

static const char small[] = "--target lsu_rmw --preset small --cycles 30000";
static const char wide[] = "--target lsu_rmw --preset mpu --cycles 60000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "lsu_rmw.warps=3", "lsu_rmw.cores=256",  "lsu_rmw.sector=32",
        "lsu_rmw.units=2", "lsu_rmw.chunk=4096", "lsu_rmw.lanes=32"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target lsu_rmw --preset small --cycles 20000 "
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

/* --- what is done with a word --------------------------------------------- */

/* The model hears another operation, size, sign, place, operand. */
static void other_op(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->ask_op == 3)
        in->ask_op = 5;
}

static void other_size(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->ask_op == 1 && in->ask_size == 0)
        in->ask_size = 1;
}

static void no_sign(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ask_signed = 0;
}

static void other_byte(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->ask_op == 0 && in->ask_size == 0)
        in->ask_address[0] ^= 1;
}

static void other_operand(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ask_data[1] ^= 1;
}

static void never_same(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        memset(in->ask_compare, 0x5a, sizeof in->ask_compare);
}

static void lane_less(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ask_mask &= ~(uint64_t)1;
}

static void elsewhere(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->at_core ^= 1;
}

static void test_words(void **state) {
    static const struct {
        void (*hears)(struct liar *, bool, struct lsu_rmw_in *);
        const char *says;
    } cases[] = {
        {other_op, "request"},
        {other_size, "request"},
        {no_sign, "an own row is another one"},
        {other_byte, "an own row is another one"},
        {other_operand, "request"},
        {never_same, "property broken"},
        {lane_less, "property broken"},
        {elsewhere, "property broken"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        hears = cases[n].hears;
        expect_caught(NULL, small, cases[n].says);
    }
}

/* --- own requests --------------------------------------------------------- */

static void other_sector(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->down_valid && !o->tx_ready && !o->down_strobe && !o->down_store)
        o->down_address ^= 2;
}

static void all_words(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->down_valid && o->down_strobe)
        o->down_strobe |= 3;
}

static void other_data(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->down_data[0] ^= o->down_strobe & 1;
}

static void other_unit(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->down_valid && !o->down_store)
        o->down_unit ^= 1;
}

static void invented(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->down_valid = 1;
}

static void test_requests(void **state) {
    (void)state;
    expect_caught(other_sector, small, "property broken");
    expect_caught(all_words, small, "property broken");
    expect_caught(other_data, small, "property broken");
    expect_caught(other_unit, small, "property broken");
    expect_caught(invented, small, "property broken");
}

/* --- requests for other cores, and their answers -------------------------- */

static void away_strobe(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->away_strobe)
        o->away_strobe |= 15;
}

static void away_data(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->away_data[0] ^= o->away_strobe & 1;
}

static void away_sector(struct liar *l, struct lsu_rmw_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->away_valid;
    o->away_address ^= o->away_valid && begins;
}

static void away_op(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->away_op == LSU_RMW_AND)
        o->away_op = LSU_RMW_OR;
}

static void away_compare(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->away_op == LSU_RMW_EXCH)
        o->away_compare = 1;
}

static void away_lane(struct liar *l, struct lsu_rmw_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->away_valid;
    o->away_id ^= o->away_valid && begins;
}

static void away_more(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->away_valid = 1;
}

static void away_never(struct liar *l, struct lsu_rmw_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->away_valid;
    if (!begins)
        return;
    o->away_valid = o->away_op = o->away_id = o->away_address = 0;
    o->away_strobe = o->away_compare = 0;
    memset(o->away_data, 0, sizeof o->away_data);
}

/* The model hears that a lane is answered once it has gone. */
static void not_owed(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    if (l->gone && !rst && !in->answer_valid && l->edge > lie_after) {
        in->answer_valid = 1;
        in->answer_id = l->lane;
    }
    l->gone = !rst && l->out.away_valid && in->away_ready;
    l->lane = l->out.away_id;
}

/* An answer of another core comes: a lane is owed. */
static bool comes(struct liar *l, bool rst, const struct lsu_rmw_in *in) {
    bool told = l->owed > 0 && in->answer_valid;
    l->owed += l->out.away_valid && in->away_ready;
    l->owed = rst ? 0 : l->owed - told;
    return told && l->edge > lie_after;
}

static void other_lane(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    in->answer_id ^= comes(l, rst, in);
}

/* What another core has is another word. */
static void other_word(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    if (comes(l, rst, in))
        in->answer_data[0] ^= UINT64_C(0x8000000080);
}

static void no_remote_fault(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    if (comes(l, rst, in))
        in->answer_fault = 0;
}

static void test_away(void **state) {
    (void)state;
    expect_caught(away_strobe, small, "a request away has strobe");
    expect_caught(away_data, small, "request goes away as another");
    expect_caught(away_sector, small, "request goes away as another");
    expect_caught(away_op, small, "request goes away as another");
    expect_caught(away_compare, small, "request goes away as another");
    expect_caught(away_lane, small, "request goes away, expected lane");
    expect_caught(away_more, small, "a request away that no lane wants");
    expect_caught(away_never, small, "it stands still");
    hears = not_owed;
    expect_caught(NULL, small, "property broken");
    hears = other_lane;
    expect_caught(NULL, small, "property broken");
    hears = other_word;
    expect_caught(NULL, small, "an own row is another one");
    hears = no_remote_fault;
    expect_caught(NULL, small, "property broken");
}

static void never_held(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->hold_stores = 0;
}

static void held_not_yet(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->down_valid && !o->down_store)
        o->hold_stores = 0;
}

static void held_no_more(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->down_store)
        o->hold_stores = 0;
}

static void held_on(struct liar *l, struct lsu_rmw_out *o) {
    o->hold_stores |= l->last.hold_stores;
}

static void held_at_rest(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->hold_stores |= o->tx_ready;
}

static void held_for_load(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->hold_stores |= o->down_valid && !o->tx_ready && !o->down_store;
}

static void test_hold(void **state) {
    (void)state;
    expect_caught(never_held, small, "a sector is not held");
    expect_caught(held_not_yet, small, "a sector is not held");
    expect_caught(held_no_more, small, "a sector is not held");
    expect_caught(held_on, small, "a sector is held that nobody has");
    expect_caught(held_at_rest, small, "a sector is held that nobody has");
    expect_caught(held_for_load, small, "a sector is held that nobody has");
}

/* --- what passes ---------------------------------------------------------- */

static void no_request(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    if (o->down_near) {
        o->down_valid = o->down_near = o->down_store = o->down_unit = 0;
        o->down_warp = o->down_reg = o->down_id = o->down_address = 0;
        o->down_strobe = 0;
        memset(o->down_data, 0, sizeof o->down_data);
    }
}

static void other_message(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->down_reg ^= o->down_near;
}

static void own_answer(struct liar *l, struct lsu_rmw_out *o) {
    o->back_valid = l->in.answer_valid;
}

static void no_answer(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->back_valid = o->back_id = o->back_fault = 0;
    memset(o->back_data, 0, sizeof o->back_data);
}

static void other_answer(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->back_data[0] ^= o->back_valid;
}

static void no_end(struct liar *l, struct lsu_rmw_out *o) {
    if (l->in.done_valid)
        o->ended_valid = o->ended_warp = o->ended_near = o->ended_fault = 0;
}

static void early_end(struct liar *l, struct lsu_rmw_out *o) {
    if (!l->in.done_valid && o->down_valid)
        o->ended_valid = 1;
}

static void no_fault(struct liar *l, struct lsu_rmw_out *o) {
    if (!l->in.done_valid)
        o->ended_fault = 0;
}

static void test_passes(void **state) {
    (void)state;
    expect_caught(no_request, small, "a request of the hybrid unit is lost");
    expect_caught(other_message, small, "goes down as another");
    expect_caught(own_answer, small, "an answer that is not the hybrid unit's");
    expect_caught(no_answer, small, "an answer is kept from the hybrid unit");
    expect_caught(other_answer, small, "an answer goes back as another");
    expect_caught(no_end, small, "an end of the hybrid unit is not told");
    expect_caught(early_end, small, "an end before the work");
    expect_caught(no_fault, small, "an own end is told as another");
}

/* --- rows ----------------------------------------------------------------- */

static void other_row(struct liar *l, struct lsu_rmw_out *o) {
    static bool begins; /* what is shown may not change */
    (void)l;
    begins |= !o->row_valid;
    o->row_row[0] ^= o->row_valid && begins;
}

static void other_register(struct liar *l, struct lsu_rmw_out *o) {
    static bool begins; /* what is shown may not change */
    (void)l;
    begins |= !o->row_valid;
    o->row_reg ^= o->row_valid && begins;
}

static void no_row(struct liar *l, struct lsu_rmw_out *o) {
    static bool begins;
    (void)l;
    begins |= !o->row_valid;
    if (!begins)
        return;
    o->row_valid = o->row_warp = o->row_reg = o->row_mask = 0;
    memset(o->row_row, 0, sizeof o->row_row);
}

static void row_more(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->row_valid = 1;
}

static void test_rows(void **state) {
    (void)state;
    expect_caught(other_row, small, "is another one, or goes elsewhere");
    expect_caught(other_register, small, "is another one, or goes");
    expect_caught(no_row, small, "it stands still");
    expect_caught(row_more, small, "a row of the front end is another one");
}

/* --- the gate ------------------------------------------------------------- */

static void both_begin(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->ask_ready |= o->hybrid_valid;
}

static void goes_on(struct liar *l, struct lsu_rmw_out *o) {
    o->hybrid_valid |= l->in.access_valid;
}

static void not_told(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->access_ready = 0;
}

static void told_twice(struct liar *l, struct lsu_rmw_out *o) {
    (void)l;
    o->access_ready = 1;
}

/* Asks come first, whoever was last. */
static void asks_alone(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->ask_valid && !l->out.hybrid_valid)
        in->access_valid = 0;
}

/* Accesses come first. */
static void accesses_alone(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->access_valid && !l->out.ask_ready)
        in->ask_valid = 0;
}

/* It never hears of an end, so that nothing goes on. */
static void deaf(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->ask_valid = in->access_valid = 0;
}

/* It hears of an access only when the one before it has ended. */
static void one_by_one(struct liar *l, bool rst, struct lsu_rmw_in *in) {
    if (l->count > 0 && l->edge > lie_after && !l->out.access_ready)
        in->access_valid = 0;
    l->count += (l->out.hybrid_valid && in->hybrid_ready) - !!in->done_valid;
    if (rst)
        l->count = 0;
}

static void test_gate(void **state) {
    (void)state;
    expect_caught(both_begin, small, "an ask is taken beside an access");
    expect_caught(goes_on, small, "an access goes on ");
    expect_caught(not_told, small, "an access is taken and not told");
    expect_caught(told_twice, small, "an access is taken that was not");
    hears = asks_alone;
    expect_caught(NULL, small, "an access is overtaken twice");
    hears = accesses_alone;
    expect_caught(NULL, small, "an ask is overtaken twice");
    hears = deaf;
    expect_caught(NULL, small, "an access does not go on");
    hears = one_by_one;
    expect_caught(NULL, small, "an access does not go on");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target lsu_rmw --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target lsu_rmw --set lsu_rmw.line=16",
                   "'lsu_rmw.line' must be a sector");
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
        cmocka_unit_test_setup(test_words, begin),
        cmocka_unit_test_setup(test_requests, begin),
        cmocka_unit_test_setup(test_away, begin),
        cmocka_unit_test_setup(test_hold, begin),
        cmocka_unit_test_setup(test_passes, begin),
        cmocka_unit_test_setup(test_rows, begin),
        cmocka_unit_test_setup(test_gate, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

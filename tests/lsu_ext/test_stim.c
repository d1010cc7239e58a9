/* test_stim.c - the environment of the load-store extension notices what model
 * and RTL agree on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bits.h"
#include "blocks/lsu_ext.h"
#include "lsu_ext/lsu_ext.h"
#include "lsu_ext/stim.h"

#define LIAR_BLOCK lsu_ext
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target lsu_ext --preset small --cycles 30000";
static const char many[] = "--target lsu_ext --preset small --cycles 30000 "
                           "--set lsu_ext.answers=32";
static const char wide[] = "--target lsu_ext --preset mpu --cycles 20000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "lsu_ext.warps=3",    "lsu_ext.cores=256", "lsu_ext.sector=32",
        "lsu_ext.units=16",   "lsu_ext.line=4096", "lsu_ext.rows=8",
        "lsu_ext.answers=32", "lsu_ext.gathers=8"};
    (void)state;
    expect_all_covers(small);
    expect_all_covers(wide);
    expect_all_covers("--target lsu_ext --preset small --cycles 8000 "
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

/* --- requests to the memories --------------------------------------------- */

static void other_sector(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->mem_address[0] ^= o->mem_valid & 1;
}

static void no_strobe(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    memset(o->mem_strobe, 0, sizeof o->mem_strobe);
}

static void other_data(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->mem_data[0] ^= o->mem_store & o->mem_valid & 1;
}

static void loads(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->mem_store = 0;
}

static void invented(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->mem_valid |= 1;
}

static void impatient(struct liar *l, struct lsu_ext_out *o) {
    if (l->last.mem_valid & ~l->in.mem_ready & 1)
        o->mem_address[0] = l->last.mem_address[0] ^ 1;
}

static void not_zero(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (!(o->mem_valid & 1))
        o->mem_data[0] = 1;
}

/* All tags of unit 0's rows are those of their first sectors. */
static void one_part(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (o->mem_id[0] >> 3 & 1)
        o->mem_id[0] &= ~(uint64_t)3;
}

static void stands(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    memset(o->mem_id, 0, sizeof o->mem_id);
    memset(o->mem_address, 0, sizeof o->mem_address);
    memset(o->mem_data, 0, sizeof o->mem_data);
    memset(o->mem_strobe, 0, sizeof o->mem_strobe);
    o->mem_valid = o->mem_store = 0;
}

static void test_requests(void **state) {
    (void)state;
    expect_caught(other_sector, small, "asks for word");
    expect_caught(no_strobe, small, "writes words 0");
    expect_caught(other_data, small, "as word 0, expected");
    expect_caught(loads, small, "loads what is to be stored");
    expect_caught(invented, small, "unit 0 asks for");
    expect_caught(impatient, small, "changes a request that was not taken");
    expect_caught(not_zero, small, "shows something without a request");
    expect_caught(one_part, small, "gives tag");
    expect_caught(stands, small, "stands still");
}

/* --- what the model hears ------------------------------------------------- */

/* A store's data are another word's: only the memory shows it. */
static void other_store(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->down_strobe = 0;
}

static void other_word(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->down_address ^= in->down_near;
}

static void other_row(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->fetched_data[1] ^= 1;
}

static void other_response(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->rsp_data[0] ^= 1;
}

static void no_faults(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->rsp_fault = 0;
}

static void other_warp(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->down_warp ^= 4;
}

static void test_hearing(void **state) {
    (void)state;
    hears = other_store;
    expect_caught(NULL, small, "writes words 0");
    hears = other_word;
    expect_caught(NULL, small, "property broken");
    hears = other_row;
    expect_caught(NULL, small, "as word");
    hears = other_response;
    expect_caught(NULL, small, "property broken");
    hears = no_faults;
    expect_caught(NULL, small, "property broken");
    hears = other_warp;
    expect_caught(NULL, small, "property broken");
    hears = NULL;
}

/* --- answers, rows and ends ----------------------------------------------- */

static void other_id(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->answer_id ^= o->answer_valid;
}

static void other_answer(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->answer_data[0] ^= o->answer_valid;
}

static void all_fault(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->answer_fault |= o->answer_valid;
}

static void no_answer(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->answer_valid = o->answer_id = o->answer_fault = 0;
    memset(o->answer_data, 0, sizeof o->answer_data);
}

static void other_lane(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->load_data[0] ^= o->load_valid;
}

static void half(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->load_mask &= 3;
}

static void other_reg(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->load_reg ^= o->load_valid;
}

static void other_fetch(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->fetch_reg ^= o->fetch_valid;
}

static void no_fault(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->done_fault &= !o->done_store;
}

static void no_end(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->done_valid = o->done_warp = o->done_reg = o->done_store = 0;
    o->done_fault = 0;
}

static void early(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->done_valid = 1;
}

static void no_room(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->down_ready = 0;
}

static void test_ends(void **state) {
    (void)state;
    expect_caught(other_id, small, "an answer to id");
    expect_caught(other_answer, small, "word 0 of an answer is");
    expect_caught(all_fault, small, "an answer with a fault");
    expect_caught(no_answer, small, "property broken");
    expect_caught(other_lane, small, "lane 0 is loaded with");
    expect_caught(half, small, "lanes 3 of a row are written, expected f");
    expect_caught(other_reg, small, "a row is written out of its turn");
    expect_caught(other_fetch, small, "another register is asked for");
    expect_caught(no_fault, small, "a message ends as another one");
    expect_caught(no_end, small, "property broken");
    expect_caught(early, small, "a message ends before its work");
    lie_after = 2200; /* a unit with two requests may refuse the next */
    expect_caught(no_room, small, "a request is refused while nobody waits");
}

/* --- strided messages ----------------------------------------------------- */

enum { STRIDED_TAG = 1 << 4, PLACE_BIT = 4 }; /* of tags of 'small' */

/* Unit 0 asks for a sector of one. */
static bool asks_strided(const struct lsu_ext_out *o) {
    return o->mem_valid & 1 && o->mem_id[0] & STRIDED_TAG;
}

/* A row that only one of them has. */
static bool is_strided(const struct lsu_ext_out *o) {
    return o->load_valid && o->load_mask != 15;
}

static void other_step(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after)
        in->down_step ^= 1;
}

static void other_unit(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->down_strided)
        in->down_address ^= 8;
}

static void no_lane_off(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->down_strided)
        in->down_mask = 15;
}

static void lane_off(struct liar *l, bool rst, struct lsu_ext_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->down_strided && in->down_mask != 1)
        in->down_mask &= ~(uint64_t)1;
}

/* A response that there is none of: what unit 0 has just asked for. */
static void early_sector(struct liar *l, bool rst, struct lsu_ext_in *in) {
    if (rst || l->edge <= lie_after || in->rsp_valid & 1 ||
        !asks_strided(&l->last) || l->told++)
        return;
    in->rsp_valid |= 1;
    in->rsp_id[0] = (in->rsp_id[0] & ~(uint64_t)31) | (l->last.mem_id[0] & 31);
}

static void other_lead(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->mem_id[0] ^= asks_strided(o);
}

static void other_place(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (asks_strided(o))
        o->mem_id[0] ^= PLACE_BIT;
}

static void own_tag(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (asks_strided(o))
        o->mem_id[0] ^= STRIDED_TAG;
}

static void strided_tag(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (o->mem_valid & 1)
        o->mem_id[0] |= STRIDED_TAG;
}

/* What has been taken is asked for again. */
static void twice(struct liar *l, struct lsu_ext_out *o) {
    if (!asks_strided(&l->last) || !(l->in.mem_ready & 1) || o->mem_valid & 1)
        return;
    o->mem_valid |= 1;
    o->mem_id[0] |= l->last.mem_id[0] & 31;
    o->mem_address[0] |=
        l->last.mem_address[0] & ones(l->last.mem_valid ? 25 : 0);
}

/* It is asked for and nobody hears it. */
static void not_asked(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (!asks_strided(o))
        return;
    o->mem_valid &= ~(uint64_t)1;
    o->mem_id[0] &= ~(uint64_t)31;
    o->mem_address[0] &= ~ones(25);
}

static void whole_mask(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (is_strided(o))
        o->load_mask = 15;
}

static void strided_lane(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    o->load_data[1] ^= is_strided(o);
}

static void strided_fault(struct liar *l, struct lsu_ext_out *o) {
    if (is_strided(&l->last) && l->in.load_ready)
        o->done_fault ^= 1;
}

/* Its row is lost. */
static void not_written(struct liar *l, struct lsu_ext_out *o) {
    (void)l;
    if (!is_strided(o))
        return;
    o->load_valid = o->load_warp = o->load_reg = o->load_mask = 0;
    memset(o->load_data, 0, sizeof o->load_data);
}

static void test_strided(void **state) {
    (void)state;
    hears = other_step;
    expect_caught(NULL, small, "strided message");
    hears = other_unit;
    expect_caught(NULL, small, "strided message");
    hears = no_lane_off;
    expect_caught(NULL, small, "strided message");
    hears = lane_off;
    expect_caught(NULL, small, "strided message");
    lie_after = 2400; /* the memory's own response is late there */
    hears = early_sector;
    expect_caught(NULL, many, "a row is written before it is whole");
    lie_after = 2000;
    hears = NULL;
    expect_caught(other_lead, small, "asks for lane");
    expect_caught(other_place, small, "has the place of another");
    expect_caught(own_tag, small, "unit 0 asks for");
    expect_caught(strided_tag, small, "unit 0 asks for");
    expect_caught(twice, small, "unit 0 asks for");
    expect_caught(not_asked, small, "a strided message stands still");
    expect_caught(whole_mask, small, "lanes f of a row are written, expected");
    expect_caught(strided_lane, small, "lane 2 is loaded with");
    expect_caught(strided_fault, small, "a strided message ends with");
    expect_caught(not_written, small, "an end waits for nothing");
}

static void test_bad_input(void **state) {
    (void)state;
    expect_refused("--target lsu_ext --stim dream", "unknown stimulus 'dream'");
    expect_refused("--target lsu_ext --set lsu_ext.line=64",
                   "'lsu_ext.line' must be the bytes of a row");
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
        cmocka_unit_test_setup(test_requests, begin),
        cmocka_unit_test_setup(test_hearing, begin),
        cmocka_unit_test_setup(test_ends, begin),
        cmocka_unit_test_setup(test_strided, begin),
        cmocka_unit_test_setup(test_bad_input, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the gate notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/gate.h"
#include "gate/gate.h"
#include "gate/stim.h"

#define LIAR_BLOCK gate
#include "tests/common/stim_liar.h"

static const char small[] = "--target gate --preset small --cycles 30000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers(small);
    expect_all_covers("--target gate --preset mesh --cycles 60000");
    expect_deterministic(small);
}

/* Each named mode runs, and nothing goes wrong in it. */
static void test_by_name(void **state) {
    static const char *const names[] = {
        "far_queue_full", "all_kinds", "slow_memory", "slow_network",
        "slow_core",      "alone",     "directed"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char words[128];
        snprintf(words, sizeof words,
                 "--target gate --preset small --cycles 5000 --stim %s",
                 names[i]);
        expect_green(words, "mismatches 0");
    }
}

/* A lie begins with a packet, not in the midst of a flit that stands (told). */
static void other_bits(struct liar *l, struct gate_out *o) {
    l->told |= !o->ask_valid;
    if (l->told && o->ask_valid)
        o->ask_data[0] ^= 1 << 6;
}

static void other_answer(struct liar *l, struct gate_out *o) {
    l->told |= !o->reply_valid;
    if (l->told && o->reply_valid)
        o->reply_data[0] ^= 1 << 6;
}

static void other_row(struct liar *l, struct gate_out *o) {
    l->told |= !o->ask_valid;
    if (!l->told)
        return;
    o->ask_y ^= o->ask_valid;
}

static void columns_first(struct liar *l, struct gate_out *o) {
    l->told |= !o->reply_valid;
    if (!l->told)
        return;
    o->reply_order = o->reply_valid;
}

static void never_ends(struct liar *l, struct gate_out *o) {
    l->told |= !o->reply_valid;
    if (!l->told)
        return;
    o->reply_last = 0;
}

static void other_flit(struct liar *l, struct gate_out *o) {
    l->told |= !o->come_valid;
    if (l->told && o->come_valid)
        o->come_data[0] ^= 8;
}

static void other_address(struct liar *l, struct gate_out *o) {
    l->told |= !o->want_valid;
    if (!l->told)
        return;
    o->want_address ^= o->want_valid << 2;
}

static void other_entry(struct liar *l, struct gate_out *o) {
    l->told |= !o->ans_valid;
    if (!l->told)
        return;
    o->ans_entry ^= o->ans_valid;
}

static void other_lane(struct liar *l, struct gate_out *o) {
    l->told |= !o->result_valid;
    if (l->told && o->result_valid)
        o->result_data[0] ^= 1;
}

static void other_place(struct liar *l, struct gate_out *o) {
    (void)l;
    o->mark_place ^= o->mark_valid;
}

static void other_operand(struct liar *l, struct gate_out *o) {
    (void)l;
    if (o->data_valid)
        o->data_data[0] ^= 1 << 9;
}

/* Nothing goes to the memory any more, and nobody hears that it was taken. */
static void no_want(struct liar *l, struct gate_out *o) {
    l->told |= !l->last.want_valid || l->in.want_ready;
    if (!l->told)
        return;
    o->want_valid = o->want_store = o->want_last = o->want_address = 0;
    o->want_type = o->want_mask = 0;
    memset(o->want_data, 0, sizeof o->want_data);
}

static void test_lies(void **state) {
    (void)state;
    expect_caught(other_bits, small, "is not the next one");
    expect_caught(other_answer, small, "is not the next one");
    expect_caught(other_row, small, "property broken"); /* packet or hops */
    expect_caught(columns_first, small, "a packet goes x before y");
    expect_caught(never_ends, small, "flits does not end");
    expect_caught(other_flit, small, "the service queue gets the flit");
    expect_caught(other_address, small, "the memory is asked for");
    expect_caught(other_entry, small, "the offload queue is told");
    expect_caught(other_lane, small, "the core gets data of entry");
    expect_caught(other_place, small, "whose operand is not there");
    expect_caught(other_operand, small, "is not that of the operand");
    expect_caught(no_want, small, "nothing moves any more");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_by_name),
        cmocka_unit_test(test_lies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

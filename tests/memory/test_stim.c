/* test_stim.c - the environment of the memory notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "blocks/memory.h"
#include "memory/memory.h"
#include "memory/stim.h"

#define LIAR_BLOCK memory
#define LIAR_NO_REGISTERS
#include "tests/common/stim_liar.h"

static const char small[] = "--target memory --preset small --cycles 30000";

static void test_honest(void **state) {
    static const char *const sets[] = {
        "memory.sector=4",   "memory.sector=32", "memory.latency=2",
        "memory.interval=2", "memory.words=64",  "memory.latency=1024",
    };
    (void)state;
    expect_all_covers("--target memory --preset small --cycles 100000");
    expect_all_covers("--target memory --preset small --cycles 20000 "
                      "--stim directed");
    for (size_t n = 0; n < sizeof sets / sizeof sets[0]; n++) {
        char words[128];
        snprintf(words, sizeof words, "%s --set %s", small, sets[n]);
        expect_green(words, "mismatches 0");
    }
}

static void test_deterministic(void **state) {
    (void)state;
    expect_deterministic(small);
}

static void wrong_word(struct liar *l, struct memory_out *o) {
    (void)l;
    if (o->rsp_valid && o->rsp_data[0])
        o->rsp_data[0] ^= 1;
}

static void wrong_id(struct liar *l, struct memory_out *o) {
    (void)l;
    if (o->rsp_valid)
        o->rsp_id ^= 1;
}

static void no_fault(struct liar *l, struct memory_out *o) {
    (void)l;
    o->rsp_fault = 0;
}

static void lost(struct liar *l, struct memory_out *o) {
    (void)l;
    o->rsp_valid = o->rsp_id = o->rsp_fault = 0;
    memset(o->rsp_data, 0, sizeof o->rsp_data);
}

static void invented(struct liar *l, struct memory_out *o) {
    (void)l;
    o->rsp_valid = 1;
}

static void not_zero(struct liar *l, struct memory_out *o) {
    (void)l;
    if (!o->rsp_valid)
        o->rsp_id = 1;
}

static void wrong_read(struct liar *l, struct memory_out *o) {
    (void)l;
    if (o->read_valid)
        o->read_data ^= 4;
}

static void lost_read(struct liar *l, struct memory_out *o) {
    (void)l;
    o->read_valid = 0;
    o->read_data = 0;
}

static void test_answers(void **state) {
    (void)state;
    expect_caught(wrong_word, small, "word 0 of response");
    expect_caught(wrong_id, small, "response with id");
    expect_caught(no_fault, small, "and fault 1");
    expect_caught(lost, small, "a response is not there");
    expect_caught(invented, small, "comes for no request");
    expect_caught(not_zero, small, "rsp_id");
    expect_caught(wrong_read, small, "the window reads");
    expect_caught(lost_read, small, "the window has lost a word");
}

/* A store that does not arrive, an atomic that does another thing. */
static void lose_store(struct liar *l, bool rst, struct memory_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->req_op == 1)
        in->req_strobe = 0;
}

static void other_atomic(struct liar *l, bool rst, struct memory_in *in) {
    (void)rst;
    if (l->edge > lie_after && in->req_op == 5)
        in->req_op = 3;
}

static void test_writes(void **state) {
    (void)state;
    hears = lose_store;
    expect_caught(NULL, small, "expected");
    hears = other_atomic;
    expect_caught(NULL, small, "expected");
    hears = NULL;
}

static void test_refused(void **state) {
    (void)state;
    expect_refused("--target memory --set memory.words=100", "power of two");
    expect_refused("--target memory --stim replay", "replay");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),  cmocka_unit_test(test_deterministic),
        cmocka_unit_test(test_answers), cmocka_unit_test(test_writes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_stim.c - the environment of the cache notices what model and RTL agree
 * on, and reaches every cover point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "blocks/cache.h"
#include "cache/cache.h"
#include "cache/stim.h"

#define LIAR_BLOCK cache
#include "tests/common/stim_liar.h"

static const char small[] = "--target cache --preset small --cycles 20000";

static void test_honest(void **state) {
    (void)state;
    expect_all_covers("--target cache --preset small --cycles 100000");
    expect_all_covers("--target cache --cycles 200000");
    expect_deterministic(small);
}

#define LIE(name, when, field, bits)                                           \
    static void name(struct liar *l, struct cache_out *o) {                    \
        (void)l;                                                               \
        if (o->when)                                                           \
            o->field ^= bits;                                                  \
    }
LIE(other_word, rsp_valid, rsp_data[1], 1)
LIE(other_fault, rsp_valid, rsp_fault, 1)
LIE(other_line, req_valid, req_address, 1)
LIE(other_op, req_valid && o->req_op, req_op, 2)
LIE(other_strobe, req_valid && o->req_op, req_strobe, 1)
LIE(other_data, req_valid && o->req_op, req_data[0], 1)
LIE(other_compare, req_valid && o->req_op, req_compare, 1)
LIE(other_end, gone_valid, gone_line, 1)
#undef LIE

static void no_answer(struct liar *l, struct cache_out *o) {
    (void)l;
    o->rsp_valid = o->rsp_id = o->rsp_fault = 0;
    memset(o->rsp_data, 0, sizeof o->rsp_data);
}

static void test_answers(void **state) {
    (void)state;
    expect_caught(other_word, small, "word 1 of ");
    expect_caught(other_fault, small, "a fault");
    expect_caught(no_answer, small, "has no answer");
}

static void test_requests(void **state) {
    (void)state;
    expect_caught(other_line, small, "a request for a line that nobody wants");
    expect_caught(other_op, small, "is altered on its way");
    expect_caught(other_strobe, small, "is altered on its way");
    expect_caught(other_data, small, "is altered on its way");
    expect_caught(other_compare, small, "is altered on its way");
}

static void no_end(struct liar *l, struct cache_out *o) {
    (void)l;
    o->gone_valid = o->gone_line = 0;
}

static void test_prefetches(void **state) {
    (void)state;
    expect_caught(other_end, small, "a prefetch is over that was not taken");
    expect_caught(no_end, small, "a prefetch has no end");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_honest),
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_prefetches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

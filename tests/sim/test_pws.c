/* test_pws.c - per-warp strides: what is learnt, by whom, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/system/image_prefetch.h"
#include "sim/system/pws.h"

static void learns_a_stride(void **state) {
    (void)state;
    struct pws *p = pws_create(64);
    assert_int_equal(pws_load(p, 0, 7, 1000), 0);
    assert_int_equal(pws_load(p, 0, 7, 1128), 0); /* seen once */
    assert_int_equal(pws_load(p, 0, 7, 1256), 128);
    assert_int_equal(pws_load(p, 0, 7, 1384), 128);
    assert_int_equal(pws_statistics(p)->predicted, 2);
    pws_free(p);
}

static void strides_go_down_too(void **state) {
    (void)state;
    struct pws *p = pws_create(64);
    pws_load(p, 0, 7, 1000);
    pws_load(p, 0, 7, 900);
    assert_int_equal(pws_load(p, 0, 7, 800), -100);
    pws_free(p);
}

/* The end of a row: one jump costs two loads without a prediction.  This is
 * what the paper holds against PWS. */
static void loses_at_the_boundary(void **state) {
    (void)state;
    struct pws *p = pws_create(64);
    for (uint64_t i = 0; i < 10; i++)
        pws_load(p, 0, 7, 1000 + 128 * i);
    assert_int_equal(pws_load(p, 0, 7, 9000), 0);
    assert_int_equal(pws_load(p, 0, 7, 9128), 0);
    assert_int_equal(pws_load(p, 0, 7, 9256), 128);
    pws_free(p);
}

static void nothing_to_add(void **state) {
    (void)state;
    struct pws *p = pws_create(64);
    for (int i = 0; i < 5; i++)
        assert_int_equal(pws_load(p, 0, 7, 1000), 0);
    assert_int_equal(pws_statistics(p)->predicted, 0);
    assert_int_equal(pws_statistics(p)->loads, 5);
    pws_free(p);
}

/* Two warps and two loads, each with a stride of its own. */
static void by_warp_and_load(void **state) {
    (void)state;
    struct pws *p = pws_create(1024);
    for (uint64_t i = 0; i < 8; i++)
        for (uint32_t w = 0; w < 2; w++)
            for (uint64_t pc = 0; pc < 2; pc++) {
                uint64_t stride = 32 + 64 * w + 256 * pc;
                int64_t got = pws_load(p, w, pc, 4096 + stride * i);
                assert_int_equal(got, i < 2 ? 0 : stride);
            }
    assert_int_equal(pws_statistics(p)->replaced, 0);
    pws_free(p);
}

static void entries_are_taken_over(void **state) {
    (void)state;
    struct pws *p = pws_create(1); /* all share it */
    pws_load(p, 0, 1, 0);
    pws_load(p, 0, 1, 128);
    pws_load(p, 0, 2, 0);
    assert_int_equal(pws_load(p, 0, 1, 256), 0); /* forgotten */
    assert_int_equal(pws_statistics(p)->replaced, 2);
    pws_load(p, 0, 1, 384);
    assert_int_equal(pws_load(p, 0, 1, 512), 128);
    pws_reset(p);
    assert_int_equal(pws_load(p, 0, 1, 640), 0);
    assert_int_equal(pws_statistics(p)->replaced, 2); /* it was empty */
    pws_load(p, 1, 1, 768);                           /* another warp's */
    assert_int_equal(pws_statistics(p)->replaced, 3);
    pws_free(p);
    assert_null(pws_create(0));
    assert_null(pws_create(48));
}

/* ------------------------------------------------------------- the queue */

static struct prefetch_unit *unit(uint32_t queue) {
    struct prefetch_unit_config k = {
        .kind = PREFETCH_PWS, .queue = queue, .entries = 64};
    struct prefetch_unit *u = prefetch_unit_create(&k);
    prefetch_unit_demand(u, 0, 1, 0, true);
    prefetch_unit_demand(u, 0, 1, 1024, true);
    return u;
}

static void every_line_of_a_load(void **state) {
    (void)state;
    struct prefetch_unit *u = unit(4);
    uint64_t address = 0;
    assert_false(prefetch_unit_request(u, &address));
    prefetch_unit_demand(u, 0, 1, 2048, true);
    prefetch_unit_demand(u, 0, 1, 2176, false); /* its second line */
    assert_true(prefetch_unit_request(u, &address));
    assert_int_equal(address, 3072);
    prefetch_unit_pop(u);
    assert_true(prefetch_unit_request(u, &address));
    assert_int_equal(address, 3200);
    prefetch_unit_pop(u);
    assert_true(prefetch_unit_idle(u));
    prefetch_unit_free(u);
}

static void queue_drops(void **state) {
    (void)state;
    struct prefetch_unit *u = unit(2);
    struct prefetch_unit_stats s;
    prefetch_unit_demand(u, 0, 1, 2048, true);
    prefetch_unit_demand(u, 0, 1, 2060, false); /* the same line */
    prefetch_unit_demand(u, 0, 1, 2176, false);
    prefetch_unit_demand(u, 0, 1, 2304, false);
    s = prefetch_unit_statistics(u);
    assert_int_equal(s.requests, 4);
    assert_int_equal(s.duplicate, 1);
    assert_int_equal(s.full, 1);
    prefetch_unit_reset(u, NULL);
    assert_true(prefetch_unit_idle(u));
    prefetch_unit_free(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_a_stride),
        cmocka_unit_test(strides_go_down_too),
        cmocka_unit_test(loses_at_the_boundary),
        cmocka_unit_test(nothing_to_add),
        cmocka_unit_test(by_warp_and_load),
        cmocka_unit_test(entries_are_taken_over),
        cmocka_unit_test(every_line_of_a_load),
        cmocka_unit_test(queue_drops),
    };
    return cmocka_run_group_tests_name("pws", tests, NULL, NULL);
}

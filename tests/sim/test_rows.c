/* test_rows.c - row buffers: what is activated, in order and reordered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/system/rows.h"

static void expect(struct rows *r, uint64_t activations, uint64_t in_order) {
    const struct rows_stats *s = rows_statistics(r);
    assert_int_equal(s->activations, activations);
    assert_int_equal(s->in_order, in_order);
    rows_free(r);
}

/* A row of each vault, from its first line to its last, is opened once. */
static void a_walk_opens_each_row_once(void **state) {
    (void)state;
    struct rows_config c = {.vaults = 2, .banks = 16, .lines = 32, .queue = 4};
    struct rows *r = rows_create(&c);
    for (uint64_t i = 0; i < 64; i++)
        rows_access(r, i);
    expect(r, 2, 2);
    r = rows_create(&c);
    for (uint64_t i = 0; i < 65; i++) /* and the first line of another bank */
        rows_access(r, i);
    expect(r, 3, 3);
}

/* Rows of one bank in turn: each access opens one, unless they are sorted. */
static void turns_are_sorted_within_the_queue(void **state) {
    (void)state;
    struct rows_config c = {.vaults = 1, .banks = 1, .lines = 32, .queue = 8};
    struct rows *r = rows_create(&c);
    for (uint64_t i = 0; i < 8; i++)
        rows_access(r, 32 * (i % 2));
    expect(r, 2, 8);
    c.queue = 1;
    r = rows_create(&c);
    for (uint64_t i = 0; i < 8; i++)
        rows_access(r, 32 * (i % 2));
    expect(r, 8, 8);
    /* A queue of three: 0 opens, and the next two zeros pass the ones, until
     * three of these fill the queue; the last zero opens once more. */
    c.queue = 3;
    r = rows_create(&c);
    for (uint64_t i = 0; i < 8; i++)
        rows_access(r, 32 * (i % 2));
    expect(r, 3, 8);
}

/* In banks of their own the same two rows stay open. */
static void banks_keep_rows_apart(void **state) {
    (void)state;
    struct rows_config c = {.vaults = 1, .banks = 2, .lines = 32, .queue = 1};
    struct rows *r = rows_create(&c);
    for (uint64_t i = 0; i < 8; i++)
        rows_access(r, 32 * (i % 2));
    assert_int_equal(rows_statistics(r)->accesses, 8);
    expect(r, 2, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_opens_each_row_once),
        cmocka_unit_test(turns_are_sorted_within_the_queue),
        cmocka_unit_test(banks_keep_rows_apart),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}

/* test_array.c - the growing list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/array.h"

struct item {
    int number;
    char name[12]; /* a size that is no power of two */
};

static void test_push_keeps_what_was_there(void **state) {
    (void)state;
    ARRAY(struct item) a = {0};
    int grown = 0;
    for (int i = 0; i < 100000; i++) {
        int cap = a.cap;
        struct item *new = array_push(&a);
        *new = (struct item){i, "item"};
        assert_ptr_equal(new, &a.v[i]);
        assert_true(a.n == i + 1 && a.cap >= a.n);
        grown += a.cap != cap;
    }
    for (int i = 0; i < a.n; i++)
        assert_true(a.v[i].number == i && a.v[i].name[3] == 'm');
    assert_in_range(grown, 2, 14); /* doubling: 16 << 13 is enough */
    array_free(&a);
    assert_true(!a.v && a.n == 0 && a.cap == 0);
    *array_push(&a) = (struct item){.number = 7}; /* and it starts afresh */
    assert_int_equal(a.v[0].number, 7);
    array_free(&a);
}

/* A list that is emptied and filled again keeps its room. */
static void test_used_again(void **state) {
    (void)state;
    ARRAY(char) a = {0};
    for (int round = 0; round < 3; round++) {
        a.n = 0;
        for (int i = 0; i < 1000; i++)
            *array_push(&a) = (char)i;
        assert_in_range(a.cap, 1000, 2047);
    }
    array_free(&a);
}

/* Room for an element far behind the last one. */
static void test_room(void **state) {
    (void)state;
    int cap = 0;
    uint64_t *list = array_room(NULL, 0, &cap, sizeof *list);
    assert_in_range(cap, 1, 16);
    for (int i = 0; i < cap; i++)
        list[i] = (uint64_t)i;
    int before = cap;
    list = array_room(list, 5000, &cap, sizeof *list);
    assert_true(cap > 5000);
    for (int i = 0; i < before; i++)
        assert_int_equal(list[i], i);
    list[5000] = 1;
    uint64_t *same = array_room(list, cap - 1, &cap, sizeof *list);
    assert_ptr_equal(same, list);
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_push_keeps_what_was_there),
        cmocka_unit_test(test_used_again),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests_name("test_array", tests, NULL, NULL);
}

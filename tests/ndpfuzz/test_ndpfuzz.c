/* test_ndpfuzz.c - random programs: machines agree about them, parts of them
 * are programs as well, and what fails is found and made small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t fresh_seed(void) {
    const char *given = getenv("FRESH");
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    printf("fresh seed %llu\n", (unsigned long long)seed);
    return seed;
}

static void open_bench(struct fuzz_bench *b, const char *url) {
    struct diag d = {0};
    *b = (struct fuzz_bench){.only = -1};
    assert_true(fuzz_open(b, url, &d));
    diag_free(&d);
}

static char *text_of(const struct fuzz_program *p) {
    struct text t = {0};
    fuzz_text(p, &t);
    return t.data;
}

/* Statements that the text has, words of it. */
static bool has(const struct fuzz_program *p, const char *word) {
    char *text = text_of(p);
    bool found = strstr(text, word);
    free(text);
    return found;
}

/* --- a seed --------------------------------------------------------------- */

static void a_seed_is_a_program(void **state) {
    (void)state;
    struct fuzz_bench b;
    struct arena a = {0};
    open_bench(&b, "golden:small");
    b.all.size = 12;
    char *x = text_of(fuzz_make_fitting(&a, &b, 5));
    char *y = text_of(fuzz_make_fitting(&a, &b, 5));
    char *z = text_of(fuzz_make_fitting(&a, &b, 6));
    assert_string_equal(x, y);
    assert_string_not_equal(x, z);
    free(x);
    free(y);
    free(z);
    arena_free(&a);
    fuzz_close(&b);
}

static void what_does_not_fit_is_no_failure(void **state) {
    (void)state;
    struct fuzz_bench plain, tiny;
    struct fuzz_failure f;
    struct arena a = {0};
    open_bench(&plain, "golden:plain");
    open_bench(&tiny, "golden:tiny");
    plain.all.size = 60;
    int large = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct fuzz_program *p = fuzz_make(&a, seed, &plain.all);
        assert_true(fuzz_check(&tiny, p, &f));
        large += f.what == FUZZ_TOO_LARGE;
    }
    assert_in_range(large, 8, 10);
    arena_free(&a);
    fuzz_close(&plain);
    fuzz_close(&tiny);
}

/* --- machines agree ------------------------------------------------------- */

static void run_seeds(const char *url, int size, uint64_t seed, int n,
                      struct fuzz_coverage *c) {
    struct fuzz_bench b;
    struct fuzz_failure f;
    open_bench(&b, url);
    b.all.size = size;
    b.coverage = c;
    int fitting = 0;
    for (int i = 0; i < n; i++) {
        struct arena a = {0};
        struct fuzz_program *p = fuzz_make_fitting(&a, &b, seed + (uint64_t)i);
        fitting += p != NULL;
        if (p && !fuzz_check(&b, p, &f))
            fail_msg("ndpfuzz --device %s --size %d --seed %llu: %s: %s", url,
                     size, (unsigned long long)seed + (unsigned)i,
                     fuzz_where(&b, f.where), f.text);
        arena_free(&a);
    }
    assert_in_range(fitting, n * 9 / 10, n);
    fuzz_close(&b);
}

static void golden_machines_agree(void **state) {
    (void)state;
    static struct fuzz_coverage c;
    run_seeds("golden:plain", 30, 1, 60, &c);
    run_seeds("golden:small", 14, 1, 120, &c);
    run_seeds("golden:tiny", 14, 1, 120, &c);
    int seen = 0, masks = 0;
    for (int op = 0; op < ISA_OPS; op++) {
        uint64_t n = 0;
        for (int k = 0; k < FUZZ_MASKS; k++) {
            n += c.executed[op][k];
            masks += c.executed[op][k] != 0;
        }
        seen += n != 0;
    }
    printf("%d operations, %d with their masks\n", seen, masks);
    assert_true(seen >= 105 && masks >= 300);
}

static void golden_machines_agree_about_fresh_programs(void **state) {
    (void)state;
    uint64_t seed = fresh_seed();
    run_seeds("golden:plain", 30, seed, 20, NULL);
    run_seeds("golden:small", 14, seed, 40, NULL);
    run_seeds("golden:tiny", 14, seed, 40, NULL);
}

/* --- parts ---------------------------------------------------------------- */

static void switch_off(struct fuzz_list *l, uint64_t *bits) {
    for (int i = 0; i < l->n; i++) {
        *bits = *bits * UINT64_C(6364136223846793005) + 1442695040888963407;
        l->v[i]->off = *bits >> 62 == 0;
        switch_off(&l->v[i]->body, bits);
        switch_off(&l->v[i]->other, bits);
    }
}

/* What the shrinker rests on: a part of a program ends, is accepted, and does
 * not hang on the order of warps. */
static void a_part_is_a_program(void **state) {
    (void)state;
    struct fuzz_bench b;
    struct fuzz_failure f;
    uint64_t bits = 1;
    open_bench(&b, "golden:plain");
    b.only = FUZZ_ON_UNTIMED;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct arena a = {0};
        struct fuzz_program *p = fuzz_make_fitting(&a, &b, seed);
        int all = fuzz_statements(p);
        switch_off(&p->list, &bits);
        assert_true(fuzz_statements(p) < all);
        p->block[0] = p->block[0] / 2 ? p->block[0] / 2 : 1;
        if (!fuzz_check(&b, p, &f))
            fail_msg("seed %llu: %s: %s", (unsigned long long)seed,
                     fuzz_where(&b, f.where), f.text);
        arena_free(&a);
    }
    fuzz_close(&b);
}

/* --- the shrinker --------------------------------------------------------- */

static bool has_two_sums(void *ctx, const struct fuzz_program *p) {
    char *text = text_of(p), *first = strstr(text, "fma.r");
    (*(int *)ctx)++;
    bool found = first && strstr(first + 1, "fma.r");
    free(text);
    return found;
}

/* A planted failure: two statements are enough for it, and one is not. */
static void a_planted_failure_becomes_two_statements(void **state) {
    (void)state;
    struct fuzz_bench b;
    struct fuzz_failure f;
    int found = 0;
    open_bench(&b, "golden:plain");
    b.all.size = 80;
    for (uint64_t seed = 1; seed < 400 && found < 3; seed++) {
        struct arena a = {0};
        int calls = 0;
        struct fuzz_program *p = fuzz_make(&a, seed, &b.all);
        if (has_two_sums(&calls, p)) {
            int all = fuzz_statements(p);
            found++;
            calls = 0;
            struct fuzz_shrunk s = fuzz_shrink(p, has_two_sums, &calls, 0);
            assert_true(has_two_sums(&calls, p));
            assert_int_equal(calls, s.tries + 1);
            assert_true(all > 40);
            assert_int_equal(fuzz_statements(p), 2);
            assert_int_equal(fuzz_threads(p), 1);
            assert_int_equal(p->params[0], 0);
            assert_true(!has(p, "@") && !has(p, "L1"));
            assert_true(fuzz_check(&b, p, &f));
        }
        arena_free(&a);
    }
    assert_int_equal(found, 3);
    fuzz_close(&b);
}

static void no_more_tries_than_allowed(void **state) {
    (void)state;
    struct fuzz_bench b;
    struct arena a = {0};
    int calls = 0;
    open_bench(&b, "golden:plain");
    struct fuzz_program *p = fuzz_make(&a, 3, &b.all);
    struct fuzz_shrunk s = fuzz_shrink(p, has_two_sums, &calls, 7);
    assert_int_equal(s.tries, 7);
    assert_int_equal(calls, 7);
    arena_free(&a);
    fuzz_close(&b);
}

/* A wrong machine: xor does or. */
static void xor_is_or(uint64_t *words, int n) {
    for (int i = 0; i < n; i++)
        if ((words[i] & 0xff) == ISA_xor)
            words[i] = (words[i] & ~UINT64_C(0xff)) | ISA_or;
}

struct same {
    struct fuzz_bench *b;
    struct fuzz_failure first;
};

static bool is_same(void *ctx, const struct fuzz_program *p) {
    struct same *s = ctx;
    struct fuzz_failure f;
    return !fuzz_check(s->b, p, &f) && fuzz_alike(&f, &s->first);
}

static void a_wrong_machine_is_found_and_shown(void **state) {
    (void)state;
    struct fuzz_bench b;
    struct same s = {.b = &b};
    int found = 0;
    open_bench(&b, "golden:tiny");
    b.all.size = 12;
    b.tamper = xor_is_or;
    for (uint64_t seed = 1; seed < 200 && found < 4; seed++) {
        struct arena a = {0};
        struct fuzz_program *p = fuzz_make_fitting(&a, &b, seed);
        if (p && !fuzz_check(&b, p, &s.first)) {
            assert_int_equal(s.first.where, FUZZ_ON_UNTIMED);
            found++;
            b.only = s.first.where;
            fuzz_shrink(p, is_same, &s, 0);
            b.only = -1;
            assert_true(is_same(&s, p));
            /* one that goes wrong, and one that shows it; some need data */
            assert_in_range(fuzz_statements(p), 1, 5);
            b.tamper = NULL;
            assert_true(fuzz_check(&b, p, &s.first));
            b.tamper = xor_is_or;
        }
        arena_free(&a);
    }
    assert_int_equal(found, 4);
    fuzz_close(&b);
}

/* A wrong number of the timed machine's: only the device is wrong. */
static void a_description_holds_what_was_wanted(void **state) {
    (void)state;
    struct fuzz_bench b;
    struct fuzz_failure f;
    struct arena a = {0};
    struct text t = {0};
    open_bench(&b, "golden:tiny");
    b.all.size = 6;
    struct fuzz_program *p = fuzz_make_fitting(&a, &b, 9);
    assert_true(fuzz_check(&b, p, &f));
    fuzz_description(p, "nine.ptx", b.wanted, &t);
    assert_non_null(strstr(t.data, "ptx: nine.ptx"));
    assert_non_null(strstr(t.data, "check: {expect: \"want_own[i]\"}"));
    text_free(&t);
    arena_free(&a);
    fuzz_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_seed_is_a_program),
        cmocka_unit_test(what_does_not_fit_is_no_failure),
        cmocka_unit_test(golden_machines_agree),
        cmocka_unit_test(golden_machines_agree_about_fresh_programs),
        cmocka_unit_test(a_part_is_a_program),
        cmocka_unit_test(a_planted_failure_becomes_two_statements),
        cmocka_unit_test(no_more_tries_than_allowed),
        cmocka_unit_test(a_wrong_machine_is_found_and_shown),
        cmocka_unit_test(a_description_holds_what_was_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

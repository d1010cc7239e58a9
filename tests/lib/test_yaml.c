/* test_yaml.c - the YAML tree: kinds, places, keys, aliases, merging, limits,
 * and that time does not grow with the square of a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/yaml.h"
#include "tests/common/diag_capture.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fixture {
    struct arena arena;
    struct diag d;
    struct source src;
    struct yaml_node *root;
    char *said;
};

static void read_n(struct fixture *f, const char *text, size_t len,
                   unsigned rules) {
    *f = (struct fixture){.src = source_of("f.yml", text, len)};
    f->root = yaml_read(&f->arena, &f->src, rules, &f->d);
    assert_true(f->root || f->d.errors);
    f->said = diag_captured(&f->d);
}

static void done(struct fixture *f) {
    free(f->said);
    diag_free(&f->d);
    arena_free(&f->arena);
}

/* A text without errors. */
static struct yaml_node *good(struct fixture *f, const char *text) {
    read_n(f, text, strlen(text), YAML_KEYED);
    assert_string_equal(f->said, "");
    return f->root;
}

/* What a text has wrong, to the letter of the first line; whether it is read
 * on after that. */
static void bad_n(const char *text, size_t len, unsigned rules,
                  const char *expected, bool read_on) {
    struct fixture f;
    read_n(&f, text, len, rules);
    f.said[strcspn(f.said, "\n")] = '\0';
    assert_string_equal(f.said, expected);
    assert_int_equal(f.root != NULL, read_on);
    done(&f);
}

static void bad(const char *text, unsigned rules, const char *expected,
                bool read_on) {
    bad_n(text, strlen(text), rules, expected, read_on);
}

static void at(const struct yaml_node *n, int line, int column, int width) {
    if (n->at.line != line || n->at.column != column || n->at.width != width)
        fail_msg("%d:%d, %d wide, expected %d:%d, %d wide", n->at.line,
                 n->at.column, n->at.width, line, column, width);
}

static void test_kinds_and_places(void **state) {
    (void)state;
    struct fixture f;
    struct yaml_node *n =
        good(&f, "# first\nz: [1, 'two', {}]\na:\n  - |\n    b\n    c\n  -\n");
    assert_int_equal(n->kind, YAML_MAP);
    assert_int_equal(n->n, 2);
    assert_string_equal(n->keys[0]->text, "z"); /* the order of the file */
    at(n->keys[1], 3, 1, 1);
    struct yaml_node *z = yaml_get(n, "z"), *a = yaml_get(n, "a");
    at(z, 2, 4, 14);
    assert_int_equal(z->kind, YAML_LIST);
    assert_int_equal(z->n, 3);
    assert_true(z->items[0]->plain && !z->items[1]->plain);
    assert_string_equal(z->items[1]->text, "two");
    at(z->items[1], 2, 8, 5);
    at(z->items[2], 2, 15, 2);
    at(a, 4, 3, 0); /* more than one line */
    assert_string_equal(a->items[0]->text, "b\nc\n");
    at(a->items[0], 4, 5, 0);
    assert_true(yaml_empty(a->items[1]) && !yaml_empty(a));
    assert_string_equal(yaml_kind_name(n), "a mapping");
    assert_string_equal(yaml_kind_name(a), "a list");
    assert_string_equal(yaml_kind_name(a->items[0]), "a single value");
    assert_string_equal(yaml_kind_name(a->items[1]), "nothing");
    assert_null(yaml_get(n, "b"));
    assert_null(yaml_get(a, "b"));
    assert_null(yaml_get(NULL, "b"));
    done(&f);
}

/* Columns and widths are bytes; any line end will do. */
static void test_places_are_bytes(void **state) {
    (void)state;
    struct fixture f;
    struct yaml_node *n =
        good(&f, "\xef\xbb\xbf\xc3\xa4: \"\xe2\x82\xac\" # \xc3\xb6\r\n"
                 "\xc3\xbc\xc3\xbc: [\xc3\xa4, x]\r\ny: \"a\\0b\"\n");
    at(n->keys[0], 1, 4, 2);
    at(n->items[0], 1, 8, 5);
    at(n->keys[1], 2, 1, 4);
    at(n->items[1]->items[0], 2, 8, 2);
    at(n->items[1]->items[1], 2, 12, 1);
    assert_string_equal(n->items[2]->text, "a?b");
    done(&f);
}

static void test_empty(void **state) {
    (void)state;
    static const char *const texts[] = {"", "# only this\n", "---\n", "---"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct fixture f;
        assert_true(yaml_empty(good(&f, texts[i])));
        assert_int_equal(f.root->at.line, i < 2 ? 0 : (i == 2 ? 2 : 1));
        done(&f);
    }
    struct fixture f;
    assert_false(yaml_empty(good(&f, "''")));
    done(&f);
    read_n(&f, NULL, 0, 0);
    assert_true(yaml_empty(f.root));
    done(&f);
}

static void test_get_finds_every_key(void **state) {
    (void)state;
    struct fixture f;
    struct text t = {0};
    for (int i = 0; i < 1000; i++)
        text_printf(&t, "k%d: %d\n", i * 7919 % 1000, i);
    struct yaml_node *n = good(&f, text_str(&t));
    assert_int_equal(n->n, 1000);
    for (int i = 0; i < n->n; i++) {
        assert_int_equal(atoi(n->items[i]->text), i);
        assert_ptr_equal(yaml_get(n, n->keys[i]->text), n->items[i]);
    }
    assert_null(yaml_get(n, "k"));
    assert_null(yaml_get(n, "k1000"));
    assert_null(yaml_get(n, "a"));
    assert_null(yaml_get(n, "z"));
    text_free(&t);
    done(&f);
}

static void test_keys_that_are_not(void **state) {
    (void)state;
    const char *twice = "a: 1\nb: {c: 1, d: 2, \"c\": 3}\na: 2\n";
    bad(twice, YAML_KEYED, "f.yml:2:17: error: key 'c' is given twice", true);
    bad("a: 1\nb: 2\na: 3\n", YAML_KEYED,
        "f.yml:3:1: error: key 'a' is given twice", true);
    bad("? [a]\n: 1\n", YAML_KEYED,
        "f.yml:1:3: error: expected a word as key, found a list", true);
    struct fixture f;
    read_n(&f, twice, strlen(twice), 0); /* left to the caller */
    assert_string_equal(f.said, "");
    assert_int_equal(f.root->n, 3);
    done(&f);
}

static void test_extras(void **state) {
    (void)state;
    struct fixture f;
    struct yaml_node *n =
        good(&f, "a: &x {k: [1, 2]}\nb: *x\nc: !!str 3\nd: &x 4\ne: *x\n");
    struct yaml_node *b = yaml_get(n, "b");
    assert_string_equal(yaml_get(b, "k")->items[1]->text, "2");
    at(b, 1, 4, 14); /* where the value stands */
    assert_string_equal(yaml_get(n, "c")->text, "3");
    assert_string_equal(yaml_get(n, "e")->text, "4"); /* the last one counts */
    done(&f);
    bad("a: &x 1\nb: *x", YAML_NO_EXTRAS,
        "f.yml:1:4: error: anchor '&x' is not accepted, expected the value "
        "itself",
        true);
    bad("a: !t [1]\n", YAML_NO_EXTRAS,
        "f.yml:1:4: error: tag '!t' is not accepted, expected the value itself",
        true);
    bad("b: *x", YAML_NO_EXTRAS,
        "f.yml:1:4: error: alias '*x' is not accepted, expected the value "
        "itself",
        false);
    bad("b: *x", 0, "f.yml:1:4: error: alias '*x' stands for nothing before it",
        false);
    bad("a: &x [1, *x]", 0, /* not yet at its end */
        "f.yml:1:11: error: alias '*x' stands for nothing before it", false);
}

static void test_what_is_no_yaml(void **state) {
    (void)state;
    bad("a: [1", 0,
        "f.yml:1:6: error: no valid YAML: did not find expected "
        "',' or ']'",
        false);
    bad("a:\n\tb: 1", 0,
        "f.yml:2:1: error: no valid YAML: found character that "
        "cannot start any token (a tab cannot indent YAML)",
        false);
    bad("\xc3\xa4: \"\xc3\xa4\" x", 0,
        "f.yml:1:10: error: no valid YAML: did not find expected key", false);
    bad("a: \xff", 0,
        "f.yml:1:4: error: no valid YAML: invalid leading UTF-8 "
        "octet",
        false);
    bad_n("a:\n \0", 5, 0,
          "f.yml:2:2: error: no valid YAML: control "
          "characters are not allowed",
          false);
    bad("a: 1\n---\nb: 2\n", 0,
        "f.yml:2:1: error: a second document begins here, expected one", true);
}

/* n times before, then middle, then n times after. */
static char *nested(const char *before, const char *middle, const char *after,
                    int n) {
    struct text t = {0};
    for (int i = 0; i < n; i++)
        text_add(&t, before);
    text_add(&t, middle);
    for (int i = 0; i < n; i++)
        text_add(&t, after);
    return t.data;
}

static void test_depth(void **state) {
    (void)state;
    struct fixture f;
    char *text = nested("[", "x", "]", 31);
    struct yaml_node *n = good(&f, text);
    for (int i = 0; i < 31; i++)
        n = n->items[0];
    assert_string_equal(n->text, "x");
    done(&f);
    free(text);
    text = nested("{a: ", "x", "}", 32);
    bad(text, 0,
        "f.yml:1:126: error: nested too deeply, expected at most 32 "
        "levels",
        false);
    free(text);
    bad("a: &x [[[[[[[[[[1]]]]]]]]]]\nb: &y [[[[[[[[[[*x]]]]]]]]]]\n"
        "c: [[[[[[[[[[[*y]]]]]]]]]]]\n",
        0, "f.yml:1:17: error: nested too deeply, expected at most 32 levels",
        false);
}

/* Aliases make much of little. */
static void test_length(void **state) {
    (void)state;
    const char *error = "too long, expected at most 100000 values";
    struct text t = {0};
    struct fixture f;
    text_add(&t, "a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 9; i++)
        text_printf(&t, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i,
                    i, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    read_n(&f, text_str(&t), t.len, 0);
    assert_null(f.root);
    assert_non_null(strstr(f.said, error));
    done(&f);
    text_free(&t);
    char *text = nested("- 1\n", "", "", 99999);
    assert_int_equal(good(&f, text)->n, 99999);
    done(&f);
    free(text);
    text = nested("- 1\n", "", "", 100000);
    bad(text, 0,
        "f.yml:100000:3: error: too long, expected at most 100000 "
        "values",
        false);
    free(text);
    for (int i = 0; i < 257; i++)
        text_printf(&t, "- &a%d 1\n", i);
    bad(text_str(&t), 0,
        "f.yml:257:3: error: too many anchors, expected at "
        "most 256",
        false);
    text_free(&t);
}

static void test_merge(void **state) {
    (void)state;
    struct fixture f, g;
    struct yaml_node *base =
        good(&f, "a: 1\nm: {x: 1, y: {p: 1, q: 2}}\nb: 2\n");
    struct yaml_node *over = good(&g, "c: 3\nb: [4]\nm: {y: {q: 5}, z: 6}\n");
    struct yaml_node *n = yaml_merge(&f.arena, base, over, 1);
    static const char *const keys[] = {"a", "m", "b", "c"};
    assert_int_equal(n->n, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(n->keys[i]->text, keys[i]);
    assert_int_equal(yaml_get(n, "b")->kind, YAML_LIST);
    assert_string_equal(yaml_get(n, "c")->text, "3");
    struct yaml_node *m = yaml_get(n, "m");
    assert_int_equal(m->n, 3);
    assert_int_equal(yaml_get(m, "y")->n, 1); /* below the depth: replaced */
    m = yaml_get(yaml_merge(&f.arena, base, over, 2), "m");
    assert_int_equal(yaml_get(m, "y")->n, 2);
    assert_string_equal(yaml_get(yaml_get(m, "y"), "q")->text, "5");
    m = yaml_get(yaml_merge(&f.arena, base, over, 0), "m");
    assert_int_equal(m->n, 2);
    assert_int_equal(base->n, 3); /* the parts are as they were */
    done(&f);
    done(&g);
}

/* Seconds of processor time to read a text, whatever it holds. */
static double seconds(const char *text) {
    struct fixture f;
    clock_t start = clock();
    read_n(&f, text, strlen(text), YAML_KEYED);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    done(&f);
    return took;
}

/* Where time grows with the square, each of these takes tens of seconds. */
static void test_time(void **state) {
    (void)state;
    struct text wide = {0};
    char *deep = nested("[", "", "]", 100000);
    assert_true(seconds(deep) < 2);
    text_add(&wide, "{");
    for (int i = 0; i < 49000; i++)
        text_printf(&wide, "a_key_of_some_length_%d: \xc3\xa4, ", i);
    text_add(&wide, "}");
    assert_true(seconds(text_str(&wide)) < 2);
    text_free(&wide);
    free(deep);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_and_places),
        cmocka_unit_test(test_places_are_bytes),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_get_finds_every_key),
        cmocka_unit_test(test_keys_that_are_not),
        cmocka_unit_test(test_extras),
        cmocka_unit_test(test_what_is_no_yaml),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_merge),
        cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests_name("test_yaml", tests, NULL, NULL);
}

/* test_diag.c - messages, their source lines and carets; suggestions; the
 * arena and the growing text below them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/diag.h"
#include "tests/common/diag_capture.h"
#include "base/text.h"
#include "tests/common/temp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Report one error at byte offset and compare what is printed. */
static void check_at(const struct source *s, size_t offset, int width,
                     const char *expected) {
    struct diag d = {0};
    diag_error(&d, place_at(s, offset, width), "bad '%s'", "x");
    char *got = diag_captured(&d);
    assert_string_equal(got, expected);
    free(got);
    diag_free(&d);
}

static void test_caret_underlines_width(void **state) {
    (void)state;
    struct source s = SOURCE("k.ptx", "mov r1;\n  ldd.global f1;\nret;\n");
    check_at(&s, 10, 3,
             "k.ptx:2:3: error: bad 'x'\n"
             "      ldd.global f1;\n"
             "      ^~~\n");
    check_at(&s, 0, 0, "k.ptx:1:1: error: bad 'x'\n    mov r1;\n    ^\n");
}

static void test_underline_stops_at_line_end(void **state) {
    (void)state;
    struct source s = SOURCE("a", "ab cd\nef");
    check_at(&s, 3, 1000, "a:1:4: error: bad 'x'\n    ab cd\n       ^~\n");
}

static void test_tabs_stay_so_that_the_caret_aligns(void **state) {
    (void)state;
    struct source s = SOURCE("a", "\tx\ty");
    check_at(&s, 3, 1, "a:1:4: error: bad 'x'\n    \tx\ty\n    \t \t^\n");
}

static void test_utf8_counts_characters_for_the_caret(void **state) {
    (void)state;
    struct source s = SOURCE("a", "\xc3\xa4\xe2\x82\xac!");
    check_at(&s, 5, 1,
             "a:1:6: error: bad 'x'\n    \xc3\xa4\xe2\x82\xac!\n      ^\n");
}

static void test_crlf_and_control_bytes_do_not_reach_the_terminal(void **s0) {
    (void)s0;
    struct source s = SOURCE("a", "ab\r\nc\0\x1b[0m\x7f\r\n");
    check_at(&s, 1, 9, "a:1:2: error: bad 'x'\n    ab\n     ^\n");
    check_at(&s, 5, 1, "a:2:2: error: bad 'x'\n    c??[0m?\n     ^\n");
    struct diag d = {0};
    diag_error(&d, (struct place){0}, "unknown '%s'", "\x1b[31m\n");
    char *got = diag_captured(&d);
    assert_string_equal(got, "error: unknown '?[31m?'\n");
    free(got);
    diag_free(&d);
}

static void test_offsets_at_and_after_the_end(void **state) {
    (void)state;
    struct source s = SOURCE("a", "one\ntwo"), empty = SOURCE("e", "");
    check_at(&s, 7, 1, "a:2:4: error: bad 'x'\n    two\n       ^\n");
    check_at(&s, SIZE_MAX, 5, "a:2:4: error: bad 'x'\n    two\n       ^\n");
    check_at(&empty, 3, 1, "e:1:1: error: bad 'x'\n");
}

static void test_places_made_by_hand_are_clamped(void **state) {
    (void)state;
    struct source s = SOURCE("a", "one\ntwo");
    struct diag d = {0};
    diag_error(&d, (struct place){&s, 9, 1, 1}, "line 9");
    diag_error(&d, (struct place){&s, 1, 99, -4}, "column 99");
    diag_error(&d, (struct place){&s, 1, -3, 2}, "column -3");
    char *got = diag_captured(&d);
    assert_string_equal(got, "a:9:1: error: line 9\n"
                             "a:1:99: error: column 99\n    one\n       ^\n"
                             "a:1:1: error: column -3\n    one\n    ^~\n");
    free(got);
    diag_free(&d);
}

static void test_places_without_line_or_text(void **state) {
    (void)state;
    struct source s = {"f.yml", NULL, 0};
    struct diag d = {0};
    diag_error(&d, place_at(&s, 12, 1), "no text");
    diag_error(&d, (struct place){&s, 3, 4, 1}, "line without text");
    diag_warning(&d, (struct place){0}, "nowhere");
    diag_report(&d, DIAG_NOTE, (struct place){0}, "aside");
    assert_int_equal(d.errors, 2);
    assert_int_equal(d.warnings, 1);
    char *got = diag_captured(&d);
    assert_string_equal(got, "f.yml: error: no text\n"
                             "f.yml:3:4: error: line without text\n"
                             "warning: nowhere\n"
                             "note: aside\n");
    free(got);
    diag_free(&d);
}

static void test_long_line_is_cut_around_the_column(void **state) {
    (void)state;
    char line[1001];
    memset(line, 'a', 1000);
    line[1000] = '\0';
    for (size_t column = 0; column <= 1000; column += 50) {
        struct source s = source_of("a", line, 1000);
        struct diag d = {0};
        if (column < 1000)
            line[column] = '!';
        diag_error(&d, place_at(&s, column, 1), "here");
        char *got = diag_captured(&d);
        const char *shown = strchr(got, '\n') + 1;
        const char *carets = strchr(shown, '\n') + 1;
        assert_true(carets - shown <= 4 + 3 + 160 + 3 + 1);
        if (column < 1000)
            assert_int_equal(shown[strchr(carets, '^') - carets], '!');
        assert_int_equal(strncmp(shown, "    ...", 7) == 0, column > 80);
        free(got);
        diag_free(&d);
        line[column] = column < 1000 ? 'a' : '\0';
    }
}

static void test_cut_does_not_split_a_character(void **state) {
    (void)state;
    char line[601];
    for (int i = 0; i < 600; i += 3)
        memcpy(line + i, "\xe2\x82\xac", 3);
    struct source s = source_of("a", line, 600);
    struct diag d = {0};
    diag_error(&d, place_at(&s, 300, 3), "here");
    char *got = diag_captured(&d);
    const char *shown = strstr(got, "    ...");
    assert_non_null(shown);
    assert_memory_equal(shown + 7, "\xe2\x82\xac", 3);
    assert_memory_equal(strstr(shown + 7, "...") - 3, "\xe2\x82\xac", 3);
    free(got);
    diag_free(&d);
}

static void test_error_limit(void **state) {
    (void)state;
    struct diag d = {.error_limit = 2};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(diag_full(&d), i >= 2);
        diag_error(&d, (struct place){0}, "error %d", i);
        diag_report(&d, DIAG_NOTE, (struct place){0}, "note %d", i);
    }
    assert_int_equal(d.errors, 5);
    char *got = diag_captured(&d);
    assert_string_equal(got, "error: error 0\nnote: note 0\n"
                             "error: error 1\nnote: note 1\n"
                             "note: 3 more errors not shown\n");
    free(got);
    got = diag_captured(&d); /* told once */
    assert_string_equal(got, "");
    assert_int_equal(d.errors, 5);
    free(got);
    diag_free(&d);
}

static void test_default_limit_is_twenty(void **state) {
    (void)state;
    struct diag d = {0};
    for (int i = 0; i < 21; i++)
        diag_error(&d, (struct place){0}, "e");
    assert_int_equal(d.count, 20);
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, "note: 1 more error not shown\n"));
    free(got);
    diag_free(&d);
}

static void test_made_up_source_outlives_its_strings(void **state) {
    (void)state;
    struct diag d = {0};
    char name[] = "--set a=b", text[] = "a=b";
    const struct source *s = diag_source(&d, name, text, 3);
    memset(name, 'z', 9);
    memset(text, 'z', 3);
    diag_error(&d, place_at(s, 2, 1), "bad");
    char *got = diag_captured(&d);
    assert_string_equal(got, "--set a=b:1:3: error: bad\n    a=b\n      ^\n");
    free(got);
    diag_free(&d);
}

static const char *next_word(void *ctx, int i) {
    return ((const char *const *)ctx)[i];
}

static void test_suggest(void **state) {
    (void)state;
    static const char *words[] = {"ld.global", "ld.shared", "st.global",
                                  "target",    "tag",       NULL};
    assert_string_equal(suggest("ldd.global", next_word, words), "ld.global");
    assert_string_equal(suggest("targte", next_word, words), "target");
    assert_string_equal(suggest("TARGET", next_word, words), "target");
    assert_string_equal(suggest("ld.sharde", next_word, words), "ld.shared");
    assert_string_equal(suggest("ld.sh", next_word, words), "ld.shared");
    assert_string_equal(suggest("tga", next_word, words), "tag");
    assert_null(suggest("ld.", next_word, words)); /* begins two of them */
    assert_null(suggest("add.f32", next_word, words));
    assert_null(suggest("", next_word, words));
    char huge[500];
    memset(huge, 't', sizeof huge - 1);
    huge[sizeof huge - 1] = '\0';
    assert_null(suggest(huge, next_word, words));
}

static void test_arena_objects_are_zero_aligned_and_apart(void **state) {
    (void)state;
    struct arena a = {0};
    unsigned char *p[300];
    for (size_t i = 0; i < 300; i++) {
        size_t size = i % 50 == 7 ? 100000 : i * 13 % 900;
        p[i] = arena_alloc(&a, size);
        assert_int_equal((uintptr_t)p[i] % sizeof(max_align_t) % 16, 0);
        for (size_t n = 0; n < size; n++)
            assert_int_equal(p[i][n], 0);
        memset(p[i], (int)i, size);
        assert_true(i == 0 || p[i] != p[i - 1]);
    }
    for (size_t i = 0; i < 300; i++) /* nobody wrote over a neighbour */
        if (i * 13 % 900 > 0)
            assert_int_equal(p[i][0], i & 0xff);
    assert_string_equal(arena_strndup(&a, "warps", 4), "warp");
    assert_string_equal(arena_strdup(&a, ""), "");
    arena_free(&a);
    assert_null(a.head);
    arena_free(&a);
}

static void test_text_grows(void **state) {
    (void)state;
    struct text t = {0};
    assert_string_equal(text_str(&t), "");
    for (int i = 0; i < 1000; i++)
        text_printf(&t, "%d,", i % 10);
    text_addn(&t, "a\0b", 3);
    text_addc(&t, '!');
    text_add(&t, "");
    assert_int_equal(t.len, 2004);
    assert_memory_equal(t.data + 1996, "8,9,a\0b!", 9);
    text_free(&t);
    assert_null(t.data);
}

static void test_read_file(void **state) {
    (void)state;
    char path[TEMP_MAX];
    temp_pattern(path);
    int fd = mkstemp(path);
    size_t len = 99;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a\0b\r\n", 5), 5);
    close(fd);
    char *text = text_read_file(path, &len);
    assert_int_equal(len, 5);
    assert_memory_equal(text, "a\0b\r\n", 6);
    free(text);
    unlink(path);
    assert_null(text_read_file(path, &len));
    assert_int_equal(errno, ENOENT);
    assert_null(text_read_file("/", &len));
    assert_int_equal(errno, EISDIR);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caret_underlines_width),
        cmocka_unit_test(test_underline_stops_at_line_end),
        cmocka_unit_test(test_tabs_stay_so_that_the_caret_aligns),
        cmocka_unit_test(test_utf8_counts_characters_for_the_caret),
        cmocka_unit_test(test_crlf_and_control_bytes_do_not_reach_the_terminal),
        cmocka_unit_test(test_offsets_at_and_after_the_end),
        cmocka_unit_test(test_places_made_by_hand_are_clamped),
        cmocka_unit_test(test_places_without_line_or_text),
        cmocka_unit_test(test_long_line_is_cut_around_the_column),
        cmocka_unit_test(test_cut_does_not_split_a_character),
        cmocka_unit_test(test_error_limit),
        cmocka_unit_test(test_default_limit_is_twenty),
        cmocka_unit_test(test_made_up_source_outlives_its_strings),
        cmocka_unit_test(test_suggest),
        cmocka_unit_test(test_arena_objects_are_zero_aligned_and_apart),
        cmocka_unit_test(test_text_grows),
        cmocka_unit_test(test_read_file),
    };
    return cmocka_run_group_tests_name("test_diag", tests, NULL, NULL);
}

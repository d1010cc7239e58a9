/* test_page.c - pages of figures: what templates see of JSON, what is refused
 * and where, and the figures that docs/pages/page.lua prints.
 */
#include "ndppage/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "tests/common/room.h" /* asserts */

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* The page of a template and of data, or what the diag says instead. */
static char *render_with(const char *template, const char *const *data, int n) {
    struct diag d = {0};
    struct text out = {0};
    write_file("t.md", template);
    bool ok = page_render("t.md", data, n, &out, &d);
    assert_true(ok == (d.errors == 0));
    assert_true(ok || out.len == 0);
    char *text = ok ? strdup(text_str(&out)) : diag_captured(&d);
    text_free(&out);
    diag_free(&d);
    return text;
}

static char *render(const char *template, const char *json) {
    static const char *const data[] = {"run=d.json"};
    write_file("d.json", json);
    return render_with(template, data, 1);
}

static void expect(const char *template, const char *json,
                   const char *expected) {
    char *text = render(template, json);
    assert_string_equal(text, expected);
    free(text);
}

/* The message has to begin so. */
static void expect_error(const char *template, const char *json,
                         const char *expected) {
    char *text = render(template, json);
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("'%s' gave '%s', expected '%s'", template, text, expected);
    free(text);
}

static void shows_data(void **state) {
    (void)state;
    expect("# ${data.run.name} has ${data.run.n * 2} of ${#data.run.list}\n"
           "//% for i, v in ipairs(data.run.list) do\n"
           "- ${i}: ${string.format('%.2f', v.x)}\n"
           "//% end\n",
           "{\"name\": \"a `b`\", \"n\": 9007199254740993,"
           " \"list\": [{\"x\": 0.5}, {\"x\": 3}]}",
           "# a `b` has 18014398509481986 of 2\n- 1: 0.50\n- 2: 3.00\n");
    expect("${data.run[1].a.b[2]}\n", "[{\"a\": {\"b\": [1, 2]}}]\n", "2\n");
    expect("//% for k, v in pairs(data.run) do\n${k} ${v}\n//% end\n",
           "{\"b\": 2, \"a\": 1}", "a 1\nb 2\n");
    expect(
        "${data.run.none or 'none'} ${data.run.no or 'no'} ${data.run.yes}\n",
        "{\"none\": null, \"no\": false, \"yes\": true}", "none no true\n");
}

static void misspelt_is_an_error(void **state) {
    (void)state;
    expect_error("text\n\nand ${data.run.cylces} here\n", "{\"cycles\": 1}",
                 "t.md:3:16: error: unknown key 'cylces', did you mean "
                 "'cycles'\n");
    expect_error("//% local s = data.run.system\n//% local n = s.flist\n",
                 "{\"system\": {\"flits\": 1}}",
                 "t.md:2:17: error: unknown key 'flist', did you mean "
                 "'flits'\n");
    expect_error("${data.rum.cycles}\n", "{}",
                 "t.md:1:8: error: unknown data 'rum', did you mean 'run'\n");
    expect_error("${dta.run}\n", "{}",
                 "t.md:1:3: error: unknown name 'dta', did you mean 'data'\n");
    expect_error("//% data.run.n = 2\n", "{\"n\": 1}",
                 "t.md:1:5: error: key values cannot be changed\n");
    expect_error("//% local t = readonly({bfs = 1}, 'kernel')\n${t.bsf}\n",
                 "{}",
                 "t.md:2:5: error: unknown kernel 'bsf', did you mean "
                 "'bfs'\n");
}

static void includes_once(void **state) {
    (void)state;
    assert_int_equal(mkdir("lib", 0700), 0);
    write_file("lib/a.lua", "include \"lib/b.lua\"\n"
                            "n = (n_before or 0) + 1\n"
                            "function get(t) return t.cylces end\n");
    write_file("lib/b.lua", "n_before = 4\ninclude 'lib/a.lua'\n");
    expect("//% include 'lib/a.lua'\n//% n_before = 9\n"
           "//% include 'lib/a.lua'\n${n}\n",
           "{}", "5\n");
    expect_error("//% include 'lib/a.lua'\n${get(data.run)}\n",
                 "{\"cycles\": 1}",
                 "t.md:2:1: error: lib/a.lua:3: unknown key 'cylces', did you "
                 "mean 'cycles'\n");
    expect_error("\n//% include 'lib/c.lua'\n", "{}",
                 "t.md:2:14: error: cannot read 'lib/c.lua': ");
    write_file("lib/a.lua", "x = = 2\n");
    expect_error("//% include 'lib/a.lua'\n", "{}",
                 "t.md:1:5: error: lib/a.lua:1: unexpected symbol near '='\n");
}

static void broken_data(void **state) {
    (void)state;
    expect_error("", "{\"a\": 1,\n  \"b\" 22}\n",
                 "d.json:2:7: error: broken JSON: ':' expected near '22'\n"
                 "      \"b\" 22}\n"
                 "          ^~\n");
    expect_error("", "{\"a\": [1, 2\n",
                 "d.json:2:1: error: broken JSON: ']' expected near end of "
                 "file\n");
    expect_error("", "", "d.json:1:1: error: broken JSON: '[' or '{' expected");
    expect_error("", "{\"a\": 1, \"a\": 2}",
                 "d.json:1:10: error: broken JSON: duplicate object key near "
                 "'\"a\"'\n");
    expect_error("", "[1] [2]",
                 "d.json:1:5: error: broken JSON: end of file expected");
}

/* What is said of data after good ones. */
static void expect_refused(const char *wrong, const char *expected) {
    const char *const data[] = {"run=d.json", wrong};
    write_file("d.json", "{}");
    char *text = render_with("", data, 2);
    assert_string_equal(text, expected);
    free(text);
}

static void refuses_arguments(void **state) {
    (void)state;
    expect_refused("e=none.json",
                   "none.json: error: cannot read: No such file or "
                   "directory\n");
    expect_refused("run=d.json", "error: data 'run' is given twice\n");
    static const char *const no_data[] = {"d.json", "=d.json", "e="};
    for (size_t i = 0; i < sizeof no_data / sizeof no_data[0]; i++) {
        struct text expected = {0};
        text_printf(&expected,
                    "error: '%s' is no data, expected NAME=FILE, as in "
                    "off=build/off.json\n",
                    no_data[i]);
        expect_refused(no_data[i], text_str(&expected));
        text_free(&expected);
    }
}

/* --- page.lua ------------------------------------------------------------- */

/* A template that has page.lua, which lies where the test was started. */
static char *with_library(void **state, const char *template) {
    struct room *r = *state;
    struct text t = {0};
    text_printf(&t, "//%% include \"%s/docs/pages/page.lua\"\n%s", r->back,
                template);
    char *copy = strdup(text_str(&t));
    text_free(&t);
    return copy;
}

static void expect_figures(void **state, const char *template,
                           const char *expected) {
    char *t = with_library(state, template);
    expect(t, "{}", expected);
    free(t);
}

/* The message has to have this in it. */
static void expect_complaint(void **state, const char *template,
                             const char *json, const char *expected) {
    char *t = with_library(state, template);
    char *text = render(t, json);
    if (!strstr(text, expected))
        fail_msg("'%s' gave '%s', expected '%s'", template, text, expected);
    free(text);
    free(t);
}

static void rounds(void **state) {
    expect_figures(state, "${f1(0.25)} ${f1(0.35)} ${f1(0.75)} ${f1(-0.05)}\n",
                   "0.2 0.3 0.8 -0.1\n");
    expect_figures(state, "${f0(0.5)} ${f0(1.5)} ${f0(2.5)} ${f0(1e15)}\n",
                   "0 2 2 1000000000000000\n");
    expect_figures(state, "${f2(0.125)} ${f2(0.375)} ${f2(1.005)} ${f2(3)}\n",
                   "0.12 0.38 1.00 3.00\n");
    expect_figures(state, "${f3(2 / 3)} ${f3(0.0005)} ${f3(0.0015)}\n",
                   "0.667 0.001 0.002\n");
    expect_figures(state, "${line(1 / 3, 2000000.5, 1e6, 0.5, 7, 'x', '-')}\n",
                   "0.333333 2e+06 1000000 0.5 7 x -\n");
    expect_figures(state, "${round(0.25, 1) == 0.2 and 'same'}\n", "same\n");
    expect_complaint(state, "\n${f1(0 / 0)}\n", "{}",
                     "t.md:3:1: error: a figure is '");
    expect_complaint(state, "${f2(1 / 0)}\n", "{}", "a figure is 'inf'");
    expect_complaint(state, "${f2('2')}\n", "{}", "a figure is '2'");
}

static void reckons(void **state) {
    expect_figures(state,
                   "${f2(mean{1, 2, 4})} ${f2(geomean{1, 2, 4})} ${sum{}}\n",
                   "2.33 2.00 0\n");
    expect_figures(state,
                   "//% local function half(v) return v / 2 end\n"
                   "${f2(mean({1, 2, 4}, half))} "
                   "${f2(geomean({2, 8}, half))} ${sum({2, 4}, half)}\n",
                   "1.17 2.00 3\n");
    expect_figures(state, "${f1(percent(1, 8))} ${f1(percent(0, 0))}\n",
                   "12.5 0.0\n");
    expect_figures(state,
                   "${line(map(filter({1, 2, 3}, function(v) return v ~= 2 "
                   "end), function(v) return 10 * v end))}\n",
                   "10 30\n");
    expect_complaint(state, "${f1(mean{})}\n", "{}", "a figure is '");
    expect_complaint(state, "${f1(percent(1, 0))}\n", "{}", "a figure is '");
}

static void makes_rows(void **state) {
    expect_figures(state, "${row('a', '', 3, 4.0, {'b', {5}}, bold{'c', 6})}\n",
                   "| a | | 3 | 4 | b | 5 | **c** | **6** |\n");
    expect_figures(state,
                   "${rows({1, 2}, function(n) return n, f1(n / 2) end)}\n"
                   "${lines({1, 2}, function(n) return 'x', n / 3 end)}\n",
                   "| 1 | 0.5 |\n| 2 | 1.0 |\nx 0.333333\nx 0.666667\n");
    expect_complaint(state, "${row('a', 0.5)}\n", "{}",
                     "a cell is 0.5, expected f1(...)");
    expect_complaint(state, "${row('a', nil, 'b')}\n", "{}",
                     "cell 2 of a row is nil");
}

static void checks_results(void **state) {
    static const char run[] =
        "{\"results\": [{\"name\": \"bfs\", \"file\": \"kernels/bfs/bfs.yml\","
        " \"verdict\": \"%s\", \"n\": 7}]}";
    struct text json = {0}, wrong = {0};
    text_printf(&json, run, "right");
    text_printf(&wrong, run, "wrong");
    char *t = with_library(state, "${results(data.run).bfs.n}\n");
    expect(t, text_str(&json), "7\n");
    free(t);
    expect_complaint(state, "${results(data.run).bsf.n}\n", text_str(&json),
                     "unknown kernel 'bsf', did you mean 'bfs'");
    expect_complaint(state, "${results(data.run).bfs.n}\n", text_str(&wrong),
                     "t.md:2:1: error: 'kernels/bfs/bfs.yml' is wrong, "
                     "expected 'right'");
    text_free(&json);
    text_free(&wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shows_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(misspelt_is_an_error, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(includes_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_data, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reckons, set_up, tear_down),
        cmocka_unit_test_setup_teardown(makes_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(checks_results, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_options.c - the command line: parsing, refusals, help; and the progress
 * line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "base/options.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/version.h"
#include "tests/common/temp.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_spec specs[] = {
    {"", 0, NULL, "What to generate:"},
    {"target", 't', "BLOCK", "block to generate"},
    {"seed", 0, "N",
     "seed of the stimulus; the same seed gives the same run, on every machine "
     "and with every simulator"},
    {"", 0, NULL, "Output:"},
    {"json", 'j', NULL, "print a summary as JSON"},
    {"verbose", 'v', NULL, "say more"},
    {"a-name-that-is-far-too-long", 0, "X", "an option"},
    {NULL, 0, NULL, NULL},
};

static const struct option_example examples[] = {
    {"try --target nbu", "the near-bank unit"},
    {NULL, NULL},
};

static const struct options opts = {
    .program = "try",
    .usage = "[options] FILE",
    .summary = "Tries the option parser.",
    .specs = specs,
    .positional = "FILE",
    .max_positional = 2,
    .examples = examples,
    .epilogue = "See docs/.",
};

/* Write down what was taken, "target=nbu json FILE:a "; refuse "bad". */
static bool take(void *ctx, const char *name, const char *value) {
    struct text *log = ctx;
    if (value && strcmp(value, "bad") == 0)
        return false;
    if (!name)
        text_printf(log, "FILE:%s ", value);
    else if (value)
        text_printf(log, "%s=%s ", name, value);
    else
        text_printf(log, "%s ", name);
    return true;
}

/* Parse a command line of words separated by '|'. */
static int parse(const struct options *o, const char *line, struct text *log,
                 struct diag *d) {
    char words[256], *argv[20], *rest = words;
    int argc = 0;
    snprintf(words, sizeof words, "try|%s", line);
    if (!*line)
        words[3] = '\0';
    for (char *bar; rest; rest = bar) {
        bar = strchr(rest, '|');
        if (bar)
            *bar++ = '\0';
        argv[argc++] = rest;
    }
    argv[argc] = NULL;
    return options_parse(o, argc, argv, take, log, d);
}

static void good(const char *line, const char *expected) {
    struct text log = {0};
    struct diag d = {0};
    int status = parse(&opts, line, &log, &d);
    char *got = diag_captured(&d);
    assert_string_equal(got, "");
    assert_int_equal(status, OPTIONS_RUN);
    assert_string_equal(text_str(&log), expected);
    free(got);
    text_free(&log);
    diag_free(&d);
}

static void bad_with(const struct options *o, const char *line,
                     const char *expected) {
    struct text log = {0};
    struct diag d = {0};
    assert_int_equal(parse(o, line, &log, &d), 2);
    char *got = diag_captured(&d);
    assert_string_equal(got, expected);
    free(got);
    text_free(&log);
    diag_free(&d);
}

static void bad(const char *line, const char *expected) {
    bad_with(&opts, line, expected);
}

static void test_forms(void **state) {
    (void)state;
    good("", "");
    good("--target=nbu", "target=nbu ");
    good("--target|nbu", "target=nbu ");
    good("-t|nbu", "target=nbu ");
    good("-tnbu", "target=nbu ");
    good("-jvtnbu", "json verbose target=nbu ");
    good("--target=", "target= ");
    good("--target|a=b", "target=a=b ");
    good("--target=--json", "target=--json ");
    good("--seed|-1", "seed=-1 ");
}

static void test_arguments_keep_their_order(void **state) {
    (void)state;
    good("a|--json|b|-v", "FILE:a json FILE:b verbose ");
    good("-", "FILE:- ");
    good("--json|--|--target|-v", "json FILE:--target FILE:-v ");
}

static void test_parsing_twice_starts_afresh(void **state) {
    (void)state;
    bad("-jZv|x|--nope", "error: unknown option '-Z', see --help\n"
                         "error: unknown option '--nope', see --help\n");
    good("-j|a", "json FILE:a ");
}

static void test_unknown_options(void **state) {
    (void)state;
    bad("--targte|nbu",
        "error: unknown option '--targte', did you mean '--target'\n");
    bad("--targte=nbu",
        "error: unknown option '--targte', did you mean '--target'\n");
    bad("--hlep", "error: unknown option '--hlep', did you mean '--help'\n");
    bad("--quite", "error: unknown option '--quite', see --help\n");
    bad("--=3", "error: unknown option '--', see --help\n");
    bad("-x", "error: unknown option '-x', see --help\n");
    bad("-\xc3\xa4", "error: unknown option '-\xc3\xa4', see --help\n"
                     "error: unknown option '-\xc3\xa4', see --help\n");
    bad("-target|-json",
        "error: unknown option '-target', did you mean '--target'\n"
        "error: unknown option '-json', did you mean '--json'\n");
}

static void test_abbreviations_are_refused(void **state) {
    (void)state;
    bad("--targ=nbu",
        "error: unknown option '--targ', did you mean '--target'\n");
    bad("--tar|nbu",
        "error: unknown option '--tar', did you mean '--target'\n");
    bad("--jso", "error: unknown option '--jso', did you mean '--json'\n");
    bad("--jso=3", "error: unknown option '--jso', did you mean '--json'\n");
    bad("--see", "error: unknown option '--see', did you mean '--seed'\n");
    bad("--ver", "error: unknown option '--ver', see --help\n"); /* two */
}

static void test_values_missing_or_too_many(void **state) {
    (void)state;
    bad("--target", "error: option '--target' expects BLOCK\n");
    bad("-jt", "error: option '--target' expects BLOCK\n");
    bad("--target|--json", "error: option '--target' expects BLOCK, got the "
                           "option '--json'\n");
    bad("--json=3", "error: option '--json' takes no value\n");
    bad("--target|bad", "error: option '--target' does not accept 'bad'\n");
}

static void test_positional_arguments(void **state) {
    (void)state;
    struct options none = opts;
    none.positional = NULL;
    bad("a|b|c", "error: unexpected argument 'c', expected no more than 2 "
                 "(FILE)\n");
    bad("--|a|b|c", "error: unexpected argument 'c', expected no more than 2 "
                    "(FILE)\n");
    bad("bad", "error: unexpected argument 'bad'\n");
    bad_with(&none, "x",
             "error: unexpected argument 'x', expected only options\n");
}

static void test_all_errors_are_told(void **state) {
    (void)state;
    bad("--jsno|--sede|7|-v|--target", /* 7 is taken for a file */
        "error: unknown option '--jsno', did you mean '--json'\n"
        "error: unknown option '--sede', did you mean '--seed'\n"
        "error: option '--target' expects BLOCK\n");
}

/* Parse with standard output going into a file; what was written, the caller
 * frees. */
static char *output_of(const char *line, int *status) {
    char path[TEMP_MAX];
    struct text log = {0};
    struct diag d = {0};
    size_t len;
    temp_pattern(path);
    int fd = mkstemp(path), saved;
    assert_true(fd >= 0);
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    dup2(fd, STDOUT_FILENO);
    *status = parse(&opts, line, &log, &d);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    close(fd);
    char *text = text_read_file(path, &len);
    unlink(path);
    assert_non_null(text);
    text_free(&log);
    diag_free(&d);
    return text;
}

static void test_version(void **state) {
    (void)state;
    int status;
    char *text = output_of("--json|--version|--nope", &status);
    assert_int_equal(status, 0);
    assert_string_equal(text, "try " NDP_VERSION "\n");
    free(text);
}

static void test_help(void **state) {
    (void)state;
    int status;
    char *text = output_of("-h", &status), *line = text;
    assert_int_equal(status, 0);
    assert_string_equal(
        text,
        "usage: try [options] FILE\n"
        "\n"
        "Tries the option parser.\n"
        "\n"
        "What to generate:\n"
        "  -t, --target BLOCK  block to generate\n"
        "      --seed N        seed of the stimulus; the same seed gives the "
        "same run,\n"
        "                      on every machine and with every simulator\n"
        "\n"
        "Output:\n"
        "  -j, --json          print a summary as JSON\n"
        "  -v, --verbose       say more\n"
        "      --a-name-that-is-far-too-long X\n"
        "                      an option\n"
        "  -h, --help          show this help\n"
        "      --version       show the version\n"
        "\n"
        "Examples:\n"
        "  try --target nbu\n"
        "      the near-bank unit\n"
        "\n"
        "See docs/.\n");
    for (char *end; (end = strchr(line, '\n')); line = end + 1)
        assert_true(end - line < 80);
    free(text);
}

static void test_help_after_an_error_fails(void **state) {
    (void)state;
    int status;
    char *text = output_of("--nope|--help", &status);
    assert_int_equal(status, 2);
    free(text);
}

static void test_number(void **state) {
    (void)state;
    struct diag d = {0};
    uint64_t n = 5;
    assert_true(options_number("seed", "0", 0, UINT64_MAX, &n, &d));
    assert_int_equal(n, 0);
    assert_true(options_number("seed", "0x1F", 0, 31, &n, &d));
    assert_int_equal(n, 31);
    assert_true(
        options_number("seed", "18446744073709551615", 0, UINT64_MAX, &n, &d));
    assert_true(n == UINT64_MAX);
    static const char *const wrong[] = {"",    "-1", "+1",  " 1", "1 ",  "0x",
                                        "1.5", "1k", "abc", "11", "0x1g"};
    int count = (int)(sizeof wrong / sizeof wrong[0]);
    for (int i = 0; i < count; i++)
        assert_false(options_number("seed", wrong[i], 0, 10, &n, &d));
    assert_false(
        options_number("seed", "18446744073709551616", 0, UINT64_MAX, &n, &d));
    assert_true(n == UINT64_MAX);
    assert_int_equal(d.errors, count + 1);
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, "error: option '--seed' expects a whole number "
                                "from 0 to 10, got '-1'\n"));
    free(got);
    diag_free(&d);
}

static void test_choice(void **state) {
    (void)state;
    struct diag d = {0};
    assert_int_equal(options_choice("sim", "verilator", "icarus|verilator", &d),
                     1);
    assert_int_equal(options_choice("sim", "icarus", "icarus|verilator", &d),
                     0);
    assert_int_equal(options_choice("sim", "ver", "icarus|verilator", &d), -1);
    assert_int_equal(options_choice("sim", "vcs", "icarus|verilator", &d), -1);
    assert_int_equal(options_choice("sim", "", "icarus|verilator", &d), -1);
    char *got = diag_captured(&d);
    assert_string_equal(got, "error: option '--sim' expects one of "
                             "icarus|verilator, got 'ver', did you mean "
                             "'verilator'\n"
                             "error: option '--sim' expects one of "
                             "icarus|verilator, got 'vcs'\n"
                             "error: option '--sim' expects one of "
                             "icarus|verilator, got ''\n");
    free(got);
    diag_free(&d);
}

static void test_progress_line(void **state) {
    (void)state;
    struct progress p = {.what = "cosim nbu", .total = 200};
    char line[80];
    progress_format(&p, 50, 3000, line, sizeof line);
    assert_string_equal(line, "cosim nbu:  25 %, 50 of 200, 9 s left");
    progress_format(&p, 0, 3000, line, sizeof line);
    assert_string_equal(line, "cosim nbu:   0 %, 0 of 200");
    progress_format(&p, 999, 3000, line, sizeof line);
    assert_string_equal(line, "cosim nbu: 100 %, 200 of 200, 0 s left");
    p.total = 0;
    progress_format(&p, 7, 3999, line, sizeof line);
    assert_string_equal(line, "cosim nbu: 7, 3 s");
    char tiny[8];
    progress_format(&p, 7, 3999, tiny, sizeof tiny);
    assert_string_equal(tiny, "cosim n");
}

static void test_progress_waits_and_erases(void **state) {
    (void)state;
    char *text = NULL;
    size_t len;
    struct progress p;
    progress_begin(&p, "job", 10);
    p.out = open_memstream(&text, &len); /* as if it were a terminal */
    FILE *out = p.out;
    progress_step(&p, 1);
    fflush(out);
    assert_int_equal(len, 0); /* not in the first two seconds */
    p.start -= 2500;
    progress_step(&p, 5);
    progress_step(&p, 6); /* too soon to draw again */
    progress_end(&p);
    progress_step(&p, 7);
    fclose(out);
    assert_memory_equal(text, "\rjob:  50 %, 5 of 10, ", 21);
    assert_string_equal(text + len - 4, "\r\033[K");
    assert_null(strstr(text, "6 of"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_arguments_keep_their_order),
        cmocka_unit_test(test_parsing_twice_starts_afresh),
        cmocka_unit_test(test_unknown_options),
        cmocka_unit_test(test_abbreviations_are_refused),
        cmocka_unit_test(test_values_missing_or_too_many),
        cmocka_unit_test(test_positional_arguments),
        cmocka_unit_test(test_all_errors_are_told),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_help_after_an_error_fails),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_progress_line),
        cmocka_unit_test(test_progress_waits_and_erases),
    };
    return cmocka_run_group_tests_name("test_options", tests, NULL, NULL);
}

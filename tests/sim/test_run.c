/* test_run.c - run descriptions: the kernel set gives right results at its
 * small sizes; expressions; descriptions of a newcomer; what is wrong with one
 * is said at its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "ref.h"
#include "sim/run/run.h"
#include "tests/common/scratch.h"
#include "base/text.h"

#include <glob.h>
#include <math.h>

/* ------------------------------------------------------------ kernel set */

static enum run_result run_file(const char *path, const char *size,
                                char **text) {
    struct diag d = {0};
    struct run_options o = {.size = size, .reference = ref_find};
    struct run *r = run_open(path, &o, &d);
    struct run_verdict v = {.result = RUN_STOPPED};
    struct stream_event e;
    while (r && stream_next(run_stream(r), &e) == STREAM_EVENT)
        ;
    if (r)
        run_verdict(r, &v);
    *text = diag_captured(&d);
    run_close(r);
    diag_free(&d);
    return v.result;
}

/* Every description of the set, and every reference has one. */
static void kernel_set(void **state) {
    (void)state;
    glob_t found;
    char *text;
    assert_int_equal(glob("kernels/*/*.yml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 60);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        enum run_result result = run_file(found.gl_pathv[i], "small", &text);
        if (result != RUN_RIGHT)
            fail_msg("%s: %d %s", found.gl_pathv[i], (int)result, text);
        assert_string_equal(text, "");
        free(text);
    }
    for (size_t i = 0; ref_name(i); i++) {
        char pattern[80];
        glob_t one;
        snprintf(pattern, sizeof pattern, "kernels/%s/*.yml", ref_name(i));
        assert_int_equal(glob(pattern, 0, NULL, &one), 0);
        globfree(&one);
    }
    globfree(&found);
}

/* A verdict can go red: xmy with sums in place of its products. */
static void wrong_result(void **state) {
    (void)state;
    struct scratch s;
    struct diag d = {0};
    struct run_verdict v;
    struct stream_event e;
    size_t len;
    int changed = 0;
    char *ptx = text_read_file("kernels/xmy/xmy.ptx", &len);
    assert_non_null(ptx);
    for (char *at = ptx; (at = strstr(at, "mul.f32")); changed++)
        memcpy(at, "add.f32", 7);
    assert_true(changed > 0);
    scratch_open(&s);
    struct run_options o = {.reference = ref_find,
                            .ptx = scratch_text(&s, "xmy.ptx", ptx)};
    struct run *r = run_open("kernels/xmy/xmy.yml", &o, &d);
    assert_non_null(r);
    while (stream_next(run_stream(r), &e) == STREAM_EVENT)
        ;
    run_verdict(r, &v);
    assert_int_equal(v.result, RUN_WRONG);
    assert_string_equal(v.reason, "finished");
    assert_string_equal(v.buffers[2].name, "z");
    assert_true(v.buffers[2].wrong > 900);
    assert_true(v.buffers[2].worst > 1);
    run_close(r);
    diag_free(&d);
    free(ptx);
    scratch_close(&s);
}

/* ----------------------------------------------------------- expressions */

static struct expr_value evaluate(const char *text, const char **error) {
    static const char *names[] = {"n", "x", "i"};
    static const int32_t table[] = {10, 20, -30};
    static const struct expr_array arrays[] = {
        {"table", ELEMENT_I32, 3, table}};
    static const struct expr_value scalars[] = {
        {false, 1000, 0}, {true, 0, 2.5}, {false, 7, 0}};
    struct arena a = {0};
    struct diag d = {0};
    struct expr_scope scope = {names, 3, arrays, 1};
    struct expr_context c = {.scalars = scalars, .arrays = arrays};
    struct expr_value v = {0};
    struct expr *e = expr_read(&a, text, (struct place){0}, &scope, &d);
    if (e)
        v = expr_eval(e, &c);
    *error = e ? c.error : "syntax";
    diag_free(&d);
    arena_free(&a);
    return v;
}

static void integer_expressions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"-7 / 2", -3},
        {"-7 % 4", -3},
        {"ceil(n / 256)", 4},
        {"ceil((n + 24) / 256)", 4},
        {"ceil(n / 250)", 4},
        {"ceil(2 * n / 8)", 250},
        {"n >> 2 * 2", 62},
        {"1 << 4 - 2", 4},
        {"0xff & ~0xf | 3", 0xf3},
        {"6 ^ 3", 5},
        {"n > 5 && n < 10 || n == 1000", 1},
        {"!n + !0", 1},
        {"n != 1000 ? 1 : i % 4 == 3 ? 2 : 3", 2},
        {"log2(n - 1) + 1", 10},
        {"min(n, i) + max(3, 4)", 11},
        {"abs(-5) + +3", 8},
        {"table[2] + table[i - 7]", -20},
        {"0xffffffff", 4294967295},
        {"1 ? 2 : 1 / 0", 2},
        {"0 && 1 / 0", 0},
        {"sum(k, 0, 10, k * k)", 285},
        {"sum(k, 3, 3, 1 / 0) + 1", 1},
        {"sum(k, 0, 3, table[k] * sum(i, 0, k + 1, i + 1))", -110},
        {"sum(i, i - 7, 3, i) + i", 10},
        {"sum ( n , 1 , 4 , n > 1 ? n : 0 ) * 2", 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *error;
        struct expr_value v = evaluate(cases[i].text, &error);
        if (error || v.is_float || v.i != cases[i].value)
            fail_msg("%s is %lld (%s)", cases[i].text, (long long)v.i,
                     error ? error : "-");
    }
}

static void real_expressions(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"x * 2", 5},
        {"1 / 2.0", 0.5},
        {"3 / x", 1.2},
        {"1e-3", 1e-3},
        {"sqrt(16)", 4},
        {"0.25 * (i / 4)", 0.25},
        {"min(x, 1)", 1},
        {"-x", -2.5},
        {"i < 3 ? 0.1 : 2.", 2},
        {"ceil(x / 2)", 2},
        {"abs(-x) + 1", 3.5},
        {".5 + 1", 1.5},
        {"sum(k, 0, 4, x / 2 * k)", 7.5},
        {"sum(k, 0, 2, k ? .5 : 1)", 1.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *error;
        struct expr_value v = evaluate(cases[i].text, &error);
        if (error || !v.is_float || fabs(v.f - cases[i].value) > 1e-12)
            fail_msg("%s is %g (%s)", cases[i].text, v.f, error ? error : "-");
    }
}

static void bad_expressions(void **state) {
    (void)state;
    static const char *const cases[] = {
        "",
        "1 +",
        "(1",
        "1 2",
        "a",
        "f(1)",
        "table[1",
        "other[1]",
        "n[0]",
        "1 ? 2",
        "3x",
        "min(1)",
        "99999999999999999999",
        "@",
        "1 / 0",
        "n % 0",
        "table[3]",
        "table[-1]",
        "1 << 64",
        "x & 1",
        "log2(0)",
        "~x",
        "k + sum(k, 0, 2, k)",
        "sum(k, 0, 2)",
        "sum(1, 0, 2, 3)",
        "sum(k, 0, x, 3)",
        "sum(k, 0, 3, table[k + 1])",
        "sum(k, 0, 1 << 40, 0)",
        "sum(a, 0, 1, sum(b, 0, 1, sum(c, 0, 1, sum(d, 0, 1, sum(e, 0, 1, "
        "e)))))",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *error;
        evaluate(cases[i], &error);
        if (!error)
            fail_msg("'%s' is accepted", cases[i]);
    }
    /* deep and long ones end with an error, not with the stack */
    char deep[3000], chain[9000];
    const char *error;
    memset(deep, '(', sizeof deep);
    deep[sizeof deep - 1] = '\0';
    evaluate(deep, &error);
    assert_non_null(error);
    for (size_t i = 0; i + 2 < sizeof chain; i += 2)
        memcpy(chain + i, "1+", 2);
    memcpy(chain + sizeof chain - 2, "1", 2);
    chain[sizeof chain - 1] = '\0';
    evaluate(chain, &error);
    assert_non_null(error);
}

/* ------------------------------------------------------------ a newcomer */

static const char saxpy_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x,\n"
    ".param .u64 y) {\n"
    ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>; .reg .pred %p;\n"
    "ld.param.u32 %r1, [n]; ld.param.f32 %f1, [a];\n"
    "ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r5, %r2, %r3, %r4; setp.ge.u32 %p, %r5, %r1; @%p ret;\n"
    "mul.wide.u32 %d3, %r5, 4; add.u64 %d1, %d1, %d3;\n"
    "add.u64 %d2, %d2, %d3; ld.global.f32 %f2, [%d1];\n"
    "ld.global.f32 %f3, [%d2]; fma.rn.f32 %f3, %f1, %f2, %f3;\n"
    "st.global.f32 [%d2], %f3; ret;\n}\n";

#define SAXPY                                                                  \
    "kernel: saxpy\nsizes: {small: {n: 1000}, full: {n: 5000}}\n"              \
    "values: {a: 2.5}\ngrid: [ceil(n / 256)]\nblock: [256]\nbuffers:\n"        \
    "  x: {type: f32, count: n, fill: {random: [-1, 1], seed: 1}}\n"

/* Run a description beside saxpy.ptx. */
static enum run_result run_text(const char *yml, const char *size,
                                char **text) {
    struct scratch s;
    scratch_open(&s);
    scratch_text(&s, "saxpy.ptx", saxpy_ptx);
    enum run_result r =
        run_file(scratch_text(&s, "saxpy.yml", yml), size, text);
    scratch_close(&s);
    return r;
}

static void newcomer(void **state) {
    (void)state;
    static const char expect[] = SAXPY
        "  y:\n    type: f32\n    count: n\n    fill: {random: [-1, 1], seed: "
        "2}\n    check: {expect: \"a * x[i] + y[i]\", absolute: 1e-6}\n"
        "arguments: [n, a, x, y]\n";
    static const char wrong[] =
        SAXPY "  y: {type: f32, count: n, check: {expect: \"a * x[i] + 1e-3\", "
              "absolute: 1e-4}}\narguments: [n, a, x, y]\n";
    static const char outliers[] = SAXPY
        "  y: {type: f32, count: n, set: {5: 7}, check: {expect: \"a * x[i]\", "
        "absolute: 1e-4, outliers: 1}}\narguments: [n, a, x, y]\n";
    static const char first[] = SAXPY
        "  y: {type: f32, count: n, set: {5: 7}, check: {expect: \"a * x[i]\", "
        "absolute: 1e-4, count: 5}}\narguments: [n, a, x, y]\n";
    static const char unchecked[] =
        SAXPY "  y: {type: f32, count: n}\narguments: [n, a, x, y]\n";
    static const char part[] = SAXPY
        "  y: {type: f32, count: n, check: {expect: \"i < 100 ? 0 : i < 900 ? "
        "a * x[i - 50] : 0\", absolute: 1e-6}}\n"
        "arguments: [800, a, \"x[50]\", \"y[100]\"]\n";
    char *text;
    assert_int_equal(run_text(expect, "small", &text), RUN_RIGHT);
    free(text);
    assert_int_equal(run_text(expect, "full", &text), RUN_RIGHT);
    free(text);
    assert_int_equal(run_text(expect, NULL, &text), RUN_RIGHT);
    free(text);
    assert_int_equal(run_text(wrong, NULL, &text), RUN_WRONG);
    free(text);
    assert_int_equal(run_text(outliers, NULL, &text), RUN_RIGHT);
    free(text);
    assert_int_equal(run_text(first, NULL, &text), RUN_RIGHT);
    free(text);
    assert_int_equal(run_text(unchecked, NULL, &text), RUN_UNCHECKED);
    free(text);
    assert_int_equal(run_text(part, NULL, &text), RUN_RIGHT);
    free(text);
}

/* y = a x + y three times over, by a loop, from a base in another file. */
static void base_and_loop(void **state) {
    (void)state;
    static const char base[] = SAXPY
        "  y: {type: f32, count: n, fill: 1, check: {expect: \"1 + 3 * a * "
        "x[i]\", absolute: 1e-5}}\narguments: [n, a, x, y]\n";
    static const char over[] = "base: saxpy.yml\nvalues: {a: 0.5}\nlaunches:\n"
                               "  - for: {k: [10, 6, -2]}\n    launches:\n"
                               "      - {grid: [k]}\n";
    struct scratch s;
    char *text;
    scratch_open(&s);
    scratch_text(&s, "saxpy.ptx", saxpy_ptx);
    scratch_text(&s, "saxpy.yml", base);
    const char *path = scratch_text(&s, "other.yml", over);
    /* 'ptx' is by default the name of the description: this has none */
    assert_int_equal(run_file(path, NULL, &text), RUN_STOPPED);
    assert_non_null(strstr(text, "other.ptx': No such file"));
    free(text);
    static const char with_ptx[] =
        "base: saxpy.yml\nptx: saxpy.ptx\nvalues: {a: 0.5}\nlaunches:\n"
        "  - for: {k: [10, 6, -2]}\n    launches:\n      - {grid: [k]}\n";
    path = scratch_text(&s, "third.yml", with_ptx);
    assert_int_equal(run_file(path, NULL, &text), RUN_RIGHT);
    free(text);
    scratch_close(&s);
}

/* The comparison of a part says nothing of the rest. */
static void ranges(void **state) {
    (void)state;
    static const struct {
        const char *check;
        enum run_result result;
    } cases[] = {{"expect: \"a * x[i]\", first: 6", RUN_RIGHT},
                 {"expect: \"a * x[i]\", first: 5", RUN_WRONG},
                 {"expect: \"a * x[i]\", first: 4, count: 1", RUN_RIGHT},
                 {"expect: \"a * x[i]\", first: 4, count: 2", RUN_WRONG},
                 {"expect: 1 / 0, first: n", RUN_RIGHT},
                 {"expect: \"a * x[i] / (i > 5 && i < 9)\", first: 6, count: 3",
                  RUN_RIGHT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char yml[1024], *text;
        snprintf(yml, sizeof yml,
                 SAXPY "  y: {type: f32, count: n, set: {5: 7}, check: {%s, "
                       "absolute: 1e-4}}\narguments: [n, a, x, y]\n",
                 cases[i].check);
        if (run_text(yml, NULL, &text) != cases[i].result)
            fail_msg("case %zu: %s", i, text);
        free(text);
    }
}

/* Arguments in one piece; the kernel gives back the words that it gets. */
#define WORDS                                                                  \
    "grid: [1]\nblock: [8]\nbuffers: {o: {type: u32, count: 8, check: "        \
    "{expect: \"%s\"}}}\narguments: [o, %s]\n"

static const char words_ptx[] =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry w(.param .u64 o, .param .align 8 .b8 s[32]) {\n"
    ".reg .b64 %d<4>; .reg .b32 %r<3>;\n"
    "ld.param.u64 %d0, [o]; mov.b64 %d1, s; mov.u32 %r0, %tid.x;\n"
    "mul.wide.u32 %d2, %r0, 4; add.u64 %d0, %d0, %d2;\n"
    "add.u64 %d1, %d1, %d2; ld.param.u32 %r1, [%d1];\n"
    "st.global.u32 [%d0], %r1; ret; }";

static void structs(void **state) {
    (void)state;
    static const uint8_t bytes[32] = {1, 2, 3, 4, [31] = 0x80};
    static const struct {
        const char *argument, *wanted; /* or a message */
    } cases[] = {
        {"struct: [u32: [1, 2, 3], i32: -1]", "i < 3 ? i + 1 : i == 3 ? "
                                              "0xffffffff : 0"},
        {"struct: [u8: 1, u16: 2, u8: 3, f32: 1.5, u8: 4, u64: 5]",
         "i == 0 ? 0x20001 : i == 1 ? 3 : i == 2 ? 0x3fc00000 : i == 3 ? 4 : "
         "i == 4 ? 5 : 0"},
        {"struct: [u8: 1, struct: [u8: 2, u32: 3, u8: 4], u8: 5]",
         "i == 0 ? 1 : i == 1 ? 2 : i == 2 ? 3 : i == 3 ? 4 : i == 4 ? 5 : 0"},
        {"struct: [{at: 28, u32: 9}, u8: 7, {at: 1, u8: 3}]", NULL},
        {"struct: [{at: 8, struct: [u32: 1, u64: 2]}, u16: 3]",
         "i == 2 ? 1 : i == 4 ? 2 : i == 6 ? 3 : 0"},
        {"struct: [f16: 1, f64: 0.5]",
         "i == 0 ? 0x3c00 : i == 3 ? 0x3fe00000 : 0"},
        {"file: s.bin", "i == 0 ? 0x4030201 : i == 7 ? 0x80000000 : 0"},
        {"struct: [u32: 2.9]", "the field at byte 0 is an integer, found 2.9"},
        {"struct: [i8: 200]", "has 8 bits, which 200 does not fit into"},
        {"struct: [u8: 256]", "has 8 bits, which 256 does not fit into"},
        {"struct: [u32: o]", "expected ptr"},
        {"struct: [u64: [1, 2, 3, 4, 5]]",
         "the struct has 40 bytes, but parameter 's' only 32"},
        {"struct: [long: 1]", "no type 'long', expected"},
        {"struct: {u32: 1}", "a struct is a list of fields"},
        {"struct: [u32: {a: 1}]", "a field is a value or a list of values"},
        {"struct: [3]", "a field of a struct is its type and value"},
        {"struct: [{at: 1, u8: 1, u16: 2}]", "a field of a struct is its type"},
        {"struct: [{at: 0.5, u8: 1}]", "'at' is a byte from 0 to 65535"},
        {"file: nothing.bin", "nothing.bin': No such file"},
        {"file: w.ptx", "bytes, but parameter 's' 32"},
        {"strict: 3", "unknown key 'strict' of an argument, did you mean"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scratch s;
        char yml[1024], argument[200], *text;
        const char *wanted = cases[i].wanted;
        bool message =
            wanted && !strstr(wanted, "i == ") && !strstr(wanted, "i < ");
        if (!wanted)
            wanted = "i == 7 ? 9 : 0"; /* the last field is too far */
        snprintf(argument, sizeof argument, "{%s}", cases[i].argument);
        snprintf(yml, sizeof yml, WORDS, message ? "0" : wanted, argument);
        scratch_open(&s);
        scratch_text(&s, "w.ptx", words_ptx);
        scratch_file(&s, "s.bin", bytes, sizeof bytes);
        enum run_result r =
            run_file(scratch_text(&s, "w.yml", yml), NULL, &text);
        if (!cases[i].wanted)
            assert_non_null(strstr(text, "33 bytes, but parameter 's'"));
        else if (message ? r != RUN_STOPPED || !strstr(text, wanted)
                         : r != RUN_RIGHT)
            fail_msg("%s: %d %s", argument, (int)r, text);
        free(text);
        scratch_close(&s);
    }
}

static void file_contents(void **state) {
    (void)state;
    struct scratch s;
    char *text;
    uint32_t x[4] = {1, 2, 3, 0xffffffff};
    scratch_open(&s);
    scratch_text(&s, "copy.ptx",
                 ".version 7.8\n.target sm_80\n.address_size 64\n"
                 ".visible .entry c(.param .u64 a, .param .u64 b) {\n"
                 ".reg .b64 %d<4>; .reg .b32 %r<2>;\n"
                 "ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b];\n"
                 "mov.u32 %r0, %tid.x; mul.wide.u32 %d2, %r0, 4;\n"
                 "add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;\n"
                 "ld.global.u32 %r1, [%d0]; st.global.u32 [%d1], %r1; ret; }");
    scratch_file(&s, "x.bin", x, sizeof x);
    const char *path = scratch_text(
        &s, "copy.yml",
        "sizes: {small: {n: 4}}\ngrid: [1]\nblock: [n]\nbuffers:\n"
        "  a: {type: u32, count: n, fill: {file: x.bin}}\n"
        "  b: {type: u32, count: n, fill: {values: [9, 8]}, check: {file: "
        "x.bin}}\narguments: [a, b]\n");
    assert_int_equal(run_file(path, NULL, &text), RUN_RIGHT);
    free(text);
    path = scratch_text(&s, "copy5.yml",
                        "base: copy.yml\nptx: copy.ptx\n"
                        "sizes: {small: {n: 5}}\n");
    assert_int_equal(run_file(path, NULL, &text), RUN_STOPPED);
    assert_non_null(strstr(text, "has 16 bytes, expected at least 20"));
    free(text);
    scratch_close(&s);
}

/* ------------------------------------------------------- bad descriptions */

static void bad_descriptions(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "the file is empty"},
        {"[1, 2]", "expected keys such as 'kernel', found a list"},
        {"kernel: [", "no valid YAML"},
        {"kernal: saxpy\n", ":1:1: error: unknown key 'kernal' of a run "
                            "description, did you mean 'kernel'"},
        {"kernel: saxpy\nkernel: b\n", "key 'kernel' is given twice"},
        {SAXPY "  y: {type: f32, count: n}\narguments: [n, a, x]\n",
         "kernel 'saxpy' has 4 parameters, found 3 arguments"},
        {SAXPY "  y: {type: f33, count: n}\narguments: [n, a, x, y]\n",
         "buffer 'y' needs a type"},
        {SAXPY "  y: {type: f32, count: m}\narguments: [n, a, x, y]\n",
         "unknown name 'm'"},
        {SAXPY "  y: {type: f32}\narguments: [n, a, x, y]\n",
         "buffer 'y' needs a 'count'"},
        {SAXPY "  y: {type: f32, count: -1}\narguments: [n, a, x, y]\n",
         "'count' is -1, expected 0 to"},
        {SAXPY "  y: {type: f32, count: n, fill: \"x[i + 1]\"}\n"
               "arguments: [n, a, x, y]\n",
         "no value for element 999 of 'y': an index outside its buffer"},
        {SAXPY "  y: {type: f32, count: n, check: exact}\n"
               "arguments: [n, a, x, y]\n",
         "buffer 'y' is checked against nothing"},
        {SAXPY "  y: {type: f32, count: n, check: nearly}\n"
               "arguments: [n, a, x, y]\n",
         "a check is 'exact' or a map"},
        {SAXPY "  y: {type: f32, count: n, align: 3}\n"
               "arguments: [n, a, x, y]\n",
         "'align' must be a power of two"},
        {SAXPY "  y: {type: f32, count: n, symbol: s}\n"
               "arguments: [n, a, x, x]\n",
         "no variable 's' in"},
        {SAXPY "  y: {type: f32, count: 1 << 39}\narguments: [n, a, x, y]\n",
         "no memory for buffer 'y'"},
        {"kernel: saxpi\nsizes: {small: {n: 1}}\ngrid: [1]\nblock: [1]\n",
         "no kernel 'saxpi' in"},
        {"kernel: saxpy\nsizes: {small: {n: 1}}\nblock: [1]\n",
         "'grid' is missing"},
        {"kernel: saxpy\nsizes: {small: {i: 1}}\n",
         "'i' is the index of an element"},
        {"reference: nothing\n", "no CPU reference 'nothing'"},
        {SAXPY "  y: {type: f32, count: n}\nlaunches:\n"
               "  - {for: {k: [1]}, launches: [{arguments: [n, a, x, y]}]}\n",
         "expected {name: [first, last]}"},
        {SAXPY "  y: {type: f32, count: n}\nlaunches:\n"
               "  - {while: y, limit: 3, launches: [{}]}\n",
         "'while' must name a buffer of one element"},
        {SAXPY "  y: {type: f32, count: n}\nlaunches: []\n",
         "'launches' must be a list with something in it"},
        {"base: saxpy.yml\n", "at most 8 on top of each other"},
        {"sizes: {small: {n: 1}}\ngrid: [1]\nblock: [1]\nkernel: ax\n",
         "no kernel 'ax' in"},
        {"kernel: ax\n", "saxpy.ptx:4:10: note: it has 'saxpy'"},
        {SAXPY "  y: {type: f32, count: n}\narguments: [2.9, a, x, y]\n",
         ":9:13: error: parameter 'n' is an integer, found 2.9"},
        {SAXPY "  y: {type: f32, count: n}\narguments: [1 << 32, a, x, y]\n",
         "parameter 'n' has 32 bits, which 4294967296 does not fit into"},
        {SAXPY "  y: {type: f32, count: n}\n"
               "arguments: [n, a, x, \"y[0.5]\"]\n",
         ":9:22: error: an element is 0.5, expected an integer"},
        {SAXPY "  y: {type: f32, count: n}\nshared: 0.5\n"
               "arguments: [n, a, x, y]\n",
         "'shared' is 0.5, expected an integer"},
        {SAXPY "  y: {type: f32, count: n / 3.0}\narguments: [n, a, x, y]\n",
         "'count' is 333.333, expected an integer"},
        {SAXPY "  y: {type: f32, count: n, set: {0.5: 1}}\n"
               "arguments: [n, a, x, y]\n",
         "index 0 of 'y', expected"},
        {SAXPY "  y: {type: f32, count: n, check: {expect: 0, first: n + 1}}\n"
               "arguments: [n, a, x, y]\n",
         "'first' is 1001, but buffer 'y' has 1000 elements"},
        {SAXPY "  y: {type: f32, count: n, check: exact}\n"
               "arguments: [n, a, x, y]\nreference: xmy\n",
         ":10:12: error: reference 'xmy' lacks what it works with: there is no "
         "buffer 'z'"},
        {SAXPY "  y: {type: u32, count: n, check: exact}\n"
               "  z: {type: f32, count: n}\n"
               "arguments: [n, a, x, y]\nreference: xmy\n",
         "reference 'xmy' lacks what it works with: buffer 'y' has another "
         "type"},
        {SAXPY "  y: {type: f32, count: n, check: exact}\n"
               "arguments: [n, a, x, y]\nreference: jacobi2d\n",
         "reference 'jacobi2d' lacks what it works with: there is no value"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        assert_int_equal(run_text(cases[i][0], NULL, &text), RUN_STOPPED);
        if (!strstr(text, cases[i][1]))
            fail_msg("case %zu: %s\nexpected: %s", i, text, cases[i][1]);
        free(text);
    }
}

/* What goes wrong while the kernel runs. */
static void stopped(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {SAXPY "  y: {type: f32, count: n - 1}\narguments: [n, a, x, y]\n",
         "kernel 'saxpy', block (3,0,0), thread (231,0,0), address"},
        {SAXPY "  y: {type: f32, count: n}\n"
               "arguments: [n, a, x, y]\nblock: [1025]\n",
         "key 'block' is given twice"},
        {SAXPY "  y: {type: f32, count: n}\nlaunches:\n"
               "  - {grid: [n - 1000], arguments: [n, a, x, y]}\n",
         "grid of kernel 'saxpy' is 0, expected 1 to"},
        {SAXPY "  y: {type: f32, count: n}\n  go: {type: i32, count: 1}\n"
               "launches:\n  - while: go\n    limit: 3\n    launches:\n"
               "      - {arguments: [1, a, x, go]}\n",
         "more than 3 rounds, 'go' is still not 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text;
        assert_int_equal(run_text(cases[i][0], NULL, &text), RUN_STOPPED);
        if (!strstr(text, cases[i][1]))
            fail_msg("case %zu: %s\nexpected: %s", i, text, cases[i][1]);
        free(text);
    }
}

static void missing_size(void **state) {
    (void)state;
    char *text;
    assert_int_equal(run_text(SAXPY, "huge", &text), RUN_STOPPED);
    assert_non_null(strstr(text, "no size 'huge' here"));
    free(text);
    assert_int_equal(run_file("/nonexistent.yml", NULL, &text), RUN_STOPPED);
    assert_non_null(strstr(text, "cannot read '/nonexistent.yml'"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_set),
        cmocka_unit_test(wrong_result),
        cmocka_unit_test(integer_expressions),
        cmocka_unit_test(real_expressions),
        cmocka_unit_test(bad_expressions),
        cmocka_unit_test(newcomer),
        cmocka_unit_test(base_and_loop),
        cmocka_unit_test(ranges),
        cmocka_unit_test(structs),
        cmocka_unit_test(file_contents),
        cmocka_unit_test(bad_descriptions),
        cmocka_unit_test(stopped),
        cmocka_unit_test(missing_size),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}

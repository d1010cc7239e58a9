/* test_template.c - the template engine: what it writes, what it refuses, and
 * where it says an error is.
 */
#include "engine/template.h"

#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All messages of d as one text, which the caller frees. */
static char *flush_to_text(struct diag *d) {
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);
    assert_non_null(f);
    diag_flush(d, f);
    fclose(f);
    return text;
}

static bool render(const char *template, struct text *out, char **messages) {
    struct source src = {"t.v", template, strlen(template)};
    struct diag d = {0};
    bool ok = template_render(&src, NULL, out, &d);
    assert_true(ok == (d.errors == 0));
    *messages = flush_to_text(&d);
    diag_free(&d);
    return ok;
}

static void expect_text(const char *template, const char *expected) {
    struct text out = {0};
    char *messages;
    if (!render(template, &out, &messages))
        fail_msg("'%s': %s", template, messages);
    assert_string_equal(text_str(&out), expected);
    text_free(&out);
    free(messages);
}

/* The message has to begin so, and nothing may have been written. */
static void expect_error(const char *template, const char *expected) {
    struct text out = {0};
    char *messages;
    if (render(template, &out, &messages))
        fail_msg("'%s' gave '%s'", template, text_str(&out));
    if (strncmp(messages, expected, strlen(expected)) != 0)
        fail_msg("'%s' gave '%s', expected '%s'", template, messages, expected);
    assert_int_equal(out.len, 0);
    text_free(&out);
    free(messages);
}

static void copies_text(void **state) {
    (void)state;
    expect_text("wire a;\n", "wire a;\n");
    expect_text("no newline at the end", "no newline at the end\n");
    expect_text("blanks \t \r\nand a gap\n \n\nclosed\n",
                "blanks\nand a gap\n\nclosed\n");
    expect_text("\n\nlines around\n\n\n", "lines around\n");
    expect_text("", "");
    expect_text("// % is no Lua //% here\n", "// % is no Lua //% here\n");
    expect_text("a = b ? '{c} : $d;\n", "a = b ? '{c} : $d;\n");
}

static void runs_lua_lines(void **state) {
    (void)state;
    expect_text("//% for i = 1, 2 do\n  x${i};\n  //% end\n", "  x1;\n  x2;\n");
    expect_text("\t//% local t = {\n//% 5,\n//% 6}\n${t[2]}\n", "6\n");
    expect_text("//% local s = [[one\n//%two]]\n${s}\n", "one\ntwo\n");
    expect_text("//% local function f(n)\nline ${n}\n//% end\n"
                "//% f(1) f(2)\n",
                "line 1\nline 2\n");
    expect_text("//% emit('a line')\n", "a line\n");
    expect_text("//% x = 1\n//% if x == 2 then\nno\n//% else\nyes\n//% end\n",
                "yes\n");
}

static void substitutes(void **state) {
    (void)state;
    expect_text("[${3 + 4}:0] ${'x'}${true}\n", "[7:0] xtrue\n");
    expect_text("$${x} $$ ${1}$${\n", "${x} $$ 1${\n");
    expect_text("${'}'}${\"}\\\"\"}${[[}]]}${[=[]]}]=]}\n", "}}\"}]]}\n");
    expect_text("${({a = {b = 5}}).a.b}\n", "5\n");
    expect_text("${1 --[[ } ]] + 1}\n", "2\n");
    expect_text("${4 / 2} ${2^10} ${3 // 2}\n", "2 1024 1\n");
    expect_text("${[[two\nlines]]} end\n//% local a = 1\n${a}\n",
                "two\nlines end\n1\n");
}

static void indents_values(void **state) {
    (void)state;
    expect_text("    ${'a\\nb\\n\\nc'};\n", "    a\n    b\n\n    c;\n");
    expect_text("\t${'a\\nb'}\n", "\ta\n\tb\n");
    expect_text("x ${'a\\nb'}\n", "x a\nb\n");
    expect_text("  ${'a'}${'b\\nc'}\n", "  ab\nc\n");
}

static void is_deterministic(void **state) {
    (void)state;
    expect_text("//% for k, v in pairs{b = 1, a = 2, [10] = 3, [9] = 4,"
                " [-1] = 5} do\n${k}=${v}\n//% end\n",
                "-1=5\n9=4\n10=3\na=2\nb=1\n");
    expect_text("//% local t = {b = 1, a = 2, c = 3}\n"
                "//% for k in pairs(t) do\n//% t.b = nil\n${k}\n//% end\n",
                "a\nc\n");
    expect_text("//% local t = {{2,'a'}, {1,'b'}, {2,'c'}, {1,'d'}, {2,'e'}}\n"
                "//% table.sort(t, function(x, y) return x[1] < y[1] end)\n"
                "//% for _, v in ipairs(t) do\n${v[2]}\n//% end\n",
                "b\nd\na\nc\ne\n");
    expect_text("//% local t = {}\n//% for i = 1, 300 do\n"
                "//% t[i] = (i * 37) % 301\n//% end\n//% table.sort(t)\n"
                "//% for i = 1, 300 do assert(t[i] == i) end\n${#t}\n",
                "300\n");
    expect_text("//% local t = {'x'}\n//% table.sort(t)\n${t[1]}\n", "x\n");
}

static void is_sandboxed(void **state) {
    (void)state;
    static const char *const missing[] = {
        "io",     "os",     "require",   "load",         "loadfile",
        "dofile", "debug",  "next",      "print",        "collectgarbage",
        "pcall",  "xpcall", "package",   "setmetatable", "getmetatable",
        "rawset", "_G",     "coroutine", "utf8",         "warn"};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        struct text template = {0}, expected = {0};
        text_printf(&template, "${%s}\n", missing[i]);
        text_printf(&expected, "t.v:1:3: error: unknown name '%s'", missing[i]);
        expect_error(text_str(&template), text_str(&expected));
        text_free(&template);
        text_free(&expected);
    }
    expect_text("${tostring(string.dump)}${tostring(math.random)}\n",
                "nilnil\n");
    expect_text("${tostring(('').dump)}${tostring(math.randomseed)}\n",
                "nilnil\n");
    expect_error("${tostring({})}\n", "t.v:1:1: error: a table has no text");
    expect_error("${('%s'):format(print_)}\n", "t.v:1:17: error: unknown name");
    expect_error("${('%5s'):format({})}\n", "t.v:1:1: error: a table has no");
    expect_error("${('%p'):format('')}\n", "t.v:1:5: error: '%p' shows");
    expect_error("${('%-20p'):format('')}\n", "t.v:1:1: error: '%p' shows");
    expect_error("//% for k in pairs{[{}] = 1} do end\n",
                 "t.v:1:14: error: 'pairs' has no order for a key of type");
}

static void has_limits(void **state) {
    (void)state;
    expect_error("a\n//% while true do end\n",
                 "t.v:2:5: error: more than 20000000 instructions");
    expect_error("//% local s = ('x'):rep(1 << 30)\n",
                 "t.v: error: not enough memory");
    expect_error("//% local function f() return 1 + f() end\n${f()}\n",
                 "t.v:2:1: error: not enough memory");
}

static void places_syntax_errors(void **state) {
    (void)state;
    expect_error("a\n  //% local = 3\n",
                 "t.v:2:13: error: <name> expected near '='\n"
                 "      //% local = 3\n"
                 "                ^");
    expect_error("${1} ${1 +}\n", "t.v:1:6: error: unexpected symbol near ')'");
    expect_error("${1, 2}\n", "t.v:1:4: error: ')' expected near ','");
    expect_error("//% if x\ntext\n", "t.v:2:1: error: 'then' expected before a "
                                     "line of text");
    expect_error("//% local t = {\n a ${1}\n", "t.v:2:");
    expect_error("//% for i = 1, 2 do\ntext", "t.v:3:1: error: 'end' expected "
                                              "(to close 'for' at line 1)");
    expect_error("a\n  ${1 + 2\nb\n", "t.v:2:3: error: '${' without its '}'");
    expect_error("a ${ } b\n", "t.v:1:3: error: empty substitution");
}

static void places_runtime_errors(void **state) {
    (void)state;
    expect_error("ok\n  ${1} ${nil}\n", "t.v:2:10: error: 'nil' is nil");
    expect_error("${({}).x}\n", "t.v:1:3: error: '({}).x' is nil");
    expect_error("${{1}}\n", "t.v:1:3: error: '{1}' is a table");
    expect_error("${1 / 3}\n", "t.v:1:3: error: '1 / 3' is 0.33333");
    expect_error("${0 / 0}\n", "t.v:1:");
    expect_error("//% local t\n\nx ${t.y}\n",
                 "t.v:3:5: error: attempt to index a nil value (local 't')");
    expect_error("//% assert(false, 'not so')\n", "t.v:1:5: error: not so");
    expect_error("//% error('by hand')\n", "t.v:1:5: error: by hand");
    expect_error("//% error{}\n", "t.v:1:5: error: error without a message");
    expect_error("${lenght}\n", "t.v:1:3: error: unknown name 'lenght'");
    expect_error("${stirng.rep('x', 2)}\n",
                 "t.v:1:3: error: unknown name 'stirng', did you mean "
                 "'string'");
    expect_error("//% local function f(a)\n//%   return a.b.c\n//% end\n"
                 "  ${f{}}\n",
                 "t.v:2:16: error: attempt to index a nil value (field 'b')\n"
                 "    //%   return a.b.c\n"
                 "                   ^\n"
                 "t.v:4:3: note: called from here\n");
    expect_error("${1}\n//% local x = 1\n${[[a\nb]] .. y}\n",
                 "t.v:4:8: error: unknown name 'y'");
}

static void refuses_zero_bytes(void **state) {
    (void)state;
    struct source src = {"t.v", "a\nb\0c", 5};
    struct diag d = {0};
    struct text out = {0};
    assert_false(template_render(&src, NULL, &out, &d));
    char *messages = flush_to_text(&d);
    assert_non_null(strstr(messages, "t.v:2:2: error: zero byte"));
    free(messages);
    diag_free(&d);
    text_free(&out);
}

static void add_answer(lua_State *L, void *ctx) {
    lua_pushinteger(L, *(int *)ctx);
    lua_setfield(L, -2, "answer");
}

static void takes_names(void **state) {
    (void)state;
    int answer = 42;
    struct template_names names = {add_answer, &answer};
    struct source src = {"t.v", "${answer}", 9};
    struct diag d = {0};
    struct text out = {0};
    assert_true(template_render(&src, &names, &out, &d));
    assert_string_equal(text_str(&out), "42\n");
    diag_free(&d);
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_text),
        cmocka_unit_test(runs_lua_lines),
        cmocka_unit_test(substitutes),
        cmocka_unit_test(indents_values),
        cmocka_unit_test(is_deterministic),
        cmocka_unit_test(is_sandboxed),
        cmocka_unit_test(has_limits),
        cmocka_unit_test(places_syntax_errors),
        cmocka_unit_test(places_runtime_errors),
        cmocka_unit_test(refuses_zero_bytes),
        cmocka_unit_test(takes_names),
    };
    return cmocka_run_group_tests_name("template", tests, NULL, NULL);
}

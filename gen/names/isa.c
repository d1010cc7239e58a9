/* isa.c - the instruction set as templates see it: the global `isa`.
 *
 * A decoder in RTL is made from the same declaration as the assembler and the
 * golden decoder (lib/isa/ops.def).
 */
#include "names.h"

#include "engine/sandbox.h"
#include "isa/isa.h"

#include <inttypes.h>
#include <string.h>

/* The bits that may be other than zero, as 16 hex digits. */
static void set_bits(lua_State *L, const char *key, int op, bool imm) {
    char hex[17];
    snprintf(hex, sizeof hex, "%016" PRIx64, isa_bits(op, imm));
    names_set_string(L, key, hex);
}

/* "ldg.b32" as a name in Verilog: "ldg_b32". */
static void set_name(lua_State *L, const char *text) {
    char name[32];
    snprintf(name, sizeof name, "%s", text);
    for (char *p = name; *p; p++)
        if (*p == '.')
            *p = '_';
    names_set_string(L, "name", name);
}

static void push_op(lua_State *L, int op) {
    static const struct {
        const char *key, *letters;
    } flags[] = {
        {"writes_reg", "d"}, {"writes_pred", "D"}, {"reads_a", "amn"},
        {"reads_b", "bif"},  {"reads_c", "c"},     {"pred_a", "A"},
        {"pred_b", "B"},     {"pred_c", "C"},      {"may_imm", "ifmsp"},
        {"imm_f32", "f"},    {"offset", "m"},      {"word", "w"},
        {"branch", "t"},     {"round", "R"},       {"ftz", "Z"},
        {"sat", "S"},        {"unguarded", "U"},   {"special", "s"},
        {"param", "p"},
    };
    const struct isa_info *info = isa_info(op);
    lua_createtable(L, 0, 30);
    set_name(L, info->text);
    names_set_string(L, "text", info->text);
    names_set_string(L, "form", info->form);
    names_set_string(L, "doc", info->doc);
    names_set_number(L, "code", op);
    names_set_string(L, "class", isa_class_name(info->class));
    names_set_string(L, "timing", isa_timing_name(info->timing));
    names_set_boolean(L, "must_imm", strpbrk(info->form, "msp") != NULL);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        names_set_boolean(L, flags[i].key,
                          strpbrk(info->form, flags[i].letters) != NULL);
    set_bits(L, "bits", op, false);
    set_bits(L, "bits_imm", op, true);
    sandbox_readonly(L, "fact of an operation");
}

static void add_ops(lua_State *L) {
    int n = 0;
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 0);
    for (int op = 0; op < ISA_OPS; op++) {
        if (!isa_info(op)->text)
            continue;
        push_op(L, op);
        lua_getfield(L, -1, "name");
        lua_pushvalue(L, -2);
        lua_settable(L, -4);
        lua_rawseti(L, -3, ++n);
    }
    sandbox_readonly(L, "operation of the instruction set");
    lua_setfield(L, -3, "op");
    lua_setfield(L, -2, "ops");
}

/* An array of {name, doc}, code 0 first. */
static void push_list(lua_State *L, int n, const char *(*name)(int),
                      const char *(*doc)(int)) {
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
        lua_createtable(L, 0, 3);
        names_set_string(L, "name", name(i));
        names_set_string(L, "doc", doc(i));
        names_set_number(L, "code", i);
        lua_rawseti(L, -2, i + 1);
    }
}

static const char *class_name(int i) {
    return isa_class_name((enum isa_class)i);
}

static const char *class_doc(int i) {
    return isa_class_doc((enum isa_class)i);
}

static const char *timing_name(int i) {
    return isa_timing_name((enum isa_timing)i);
}

static const char *timing_doc(int i) {
    return isa_timing_doc((enum isa_timing)i);
}

void names_add_isa(lua_State *L) {
    lua_createtable(L, 0, 8);
    add_ops(L);
    push_list(L, ISA_CLASSES, class_name, class_doc);
    lua_setfield(L, -2, "classes");
    push_list(L, ISA_TIMINGS, timing_name, timing_doc);
    lua_setfield(L, -2, "timings");
    push_list(L, ISA_SPECIALS, isa_special_text, isa_special_doc);
    lua_setfield(L, -2, "specials");
    sandbox_readonly(L, "part of the instruction set");
    lua_setfield(L, -2, "isa");
}

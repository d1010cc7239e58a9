/* test_ptx.c - the PTX reader: seven dialects, operands, constants, scopes,
 * what is not known, every error message, and hostile input.
 *
 * tests/ptx/dialects holds one file for each compiler whose output must load;
 * tests/ptx/<name>.ptx gives exactly the messages of <name>.err.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "papers/analysis.h"
#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ".version 7.7\n.target sm_52\n.address_size 64\n"

struct fixture {
    struct arena arena;
    struct diag diag;
    struct source source;
    struct ptx_module *module;
};

static void read_text(struct fixture *x, const char *name, const char *text,
                      size_t len) {
    *x = (struct fixture){.source = {name, text, len}};
    x->module = ptx_read(&x->arena, &x->source, &x->diag);
    assert_non_null(x->module);
}

static void done(struct fixture *x) {
    diag_free(&x->diag);
    arena_free(&x->arena);
}

/* A module that must load. */
static void read_good(struct fixture *x, const char *text) {
    read_text(x, "t.ptx", text, strlen(text));
    if (x->diag.errors) {
        char *got = diag_captured(&x->diag);
        fail_msg("%s", got);
    }
}

/* The instructions of one kernel with registers of every kind. */
static const struct ptx_function *read_code(struct fixture *x,
                                            const char *code) {
    static char text[4096];
    snprintf(text, sizeof text,
             HEAD ".global .align 4 .b8 g[16];\n.global .texref t;\n"
                  ".entry k(.param .u64 a) {\n"
                  ".reg .pred %%p<8>; .reg .b32 %%r<8>; .reg .b64 %%rd<8>;\n"
                  ".reg .f32 %%f<8>;\n%s\n}\n",
             code);
    read_good(x, text);
    return x->module->functions[x->module->n_functions - 1];
}

static const struct ptx_function *find(const struct fixture *x,
                                       const char *name) {
    for (int i = 0; i < x->module->n_functions; i++)
        if (strcmp(x->module->functions[i]->name, name) == 0)
            return x->module->functions[i];
    fail_msg("no function %s", name);
    return NULL;
}

static int count_registers(const struct ptx_function *f, const char *name) {
    int n = 0;
    for (int i = 0; i < f->n_registers; i++)
        n += strcmp(f->registers[i]->name, name) == 0;
    return n;
}

/* --------------------------------------------------------------- dialects */

static void load_dialect(struct fixture *x, const char *name, char **text) {
    char path[128];
    size_t len;
    snprintf(path, sizeof path, "tests/ptx/dialects/%s.ptx", name);
    *text = text_read_file(path, &len);
    if (!*text)
        fail_msg("cannot read %s", path);
    read_text(x, path, *text, len);
    if (x->diag.errors || x->diag.warnings)
        fail_msg("%s", diag_captured(&x->diag));
    for (int i = 0; i < x->module->n_functions; i++) {
        assert_int_equal(x->module->functions[i]->n_unsupported, 0);
        if (x->module->functions[i]->has_body)
            ptx_analyse(&x->arena, x->module->functions[i]);
    }
}

static void test_dialect_of_nvcc_13(void **state) {
    (void)state;
    struct fixture x;
    char *text;
    load_dialect(&x, "nvcc13", &text);
    assert_string_equal(x.module->version, "9.0");
    assert_string_equal(x.module->target, "sm_90a");
    const struct ptx_function *f = find(&x, "_Z6rowsumPKfPfi");
    assert_true(f->is_entry);
    assert_int_equal(f->line, 21);
    assert_int_equal(f->n_params, 3);
    assert_true(f->params[1].is_pointer);
    assert_int_equal(f->params[1].ptr_space, PTX_SPACE_GLOBAL);
    assert_int_equal(f->params[1].ptr_align, 8);
    assert_int_equal(f->maxntid[0], 256);
    assert_int_equal(f->minnctapersm, 2);
    assert_int_equal(f->n_instructions, 36);
    assert_false(find(&x, "vprintf")->has_body);
    /* the two inline blocks have a predicate each */
    assert_int_equal(count_registers(f, "p"), 1);
    assert_int_equal(count_registers(f, "p#2"), 1);
    assert_int_equal(count_registers(f, "p#3"), 0);
    done(&x);
    free(text);
}

static void test_dialect_of_nvcc_8(void **state) {
    (void)state;
    struct fixture x;
    char *text;
    load_dialect(&x, "nvcc8", &text);
    assert_string_equal(x.module->target, "sm_30, texmode_independent");
    const struct ptx_function *f = find(&x, "_Z4gatePfi");
    const struct ptx_instruction *bra = &f->instructions[7];
    assert_string_equal(bra->form->text, "bra");
    assert_true(bra->guard_negated);
    assert_string_equal(bra->guard->name, "%p1");
    assert_int_equal(bra->operands[0]->pc, 26);
    const struct ptx_function *square = find(&x, "_Z6squarel");
    assert_int_equal(square->linkage, PTX_LINK_WEAK);
    assert_int_equal(square->n_returns, 1);
    assert_int_equal(f->instructions[24].operands[1]->function == square, 1);
    done(&x);
    free(text);
}

static void test_dialect_of_nvopencc(void **state) {
    (void)state;
    struct fixture x;
    char *text;
    load_dialect(&x, "nvopencc", &text);
    const struct ptx_function *f = find(&x, "_Z3sumPfi");
    assert_true(f->is_entry);
    assert_int_equal(f->linkage, PTX_LINK_NONE);
    assert_int_equal(f->n_params, 0);
    assert_int_equal(f->n_variables, 3); /* two .param, one .shared */
    const struct ptx_instruction *load = &f->instructions[15];
    assert_string_equal(load->form->text, "ld.const[2].f32");
    assert_int_equal(load->form->space, PTX_SPACE_CONST);
    /* registers as parameters: read by the caller when the function ends */
    const struct ptx_function *w = find(&x, "_bitwidth");
    assert_int_equal(w->instructions[1].n_uses, 1);
    assert_string_equal(w->registers[w->instructions[1].uses[0]]->name, "%rv1");
    assert_true(find(&x, "_Z3sqrf")->has_body);
    done(&x);
    free(text);
}

static void test_dialect_of_llvm(void **state) {
    (void)state;
    struct fixture x;
    char *text;
    load_dialect(&x, "llvm", &text);
    assert_int_equal(x.module->address_size, 32);
    const struct ptx_function *f = find(&x, "walk");
    assert_int_equal(f->reqntid[1], 2);
    const struct ptx_instruction *call = &f->instructions[18];
    assert_int_equal(call->form->op, PTX_OP_CALL);
    assert_int_equal(call->n_operands, 4);
    assert_int_equal(call->n_dst, 1);
    assert_int_equal(call->n_uses, 1); /* the function's address */
    const struct ptx_table *proto = call->operands[3]->table;
    assert_int_equal(proto->kind, PTX_CALLPROTOTYPE);
    assert_int_equal(proto->prototype->n_params, 2);
    assert_int_equal(ptx_variable_size(&proto->prototype->params[0]), 24);
    done(&x);
    free(text);
}

/* Ranges of parameters, as GCC calls the body of an OpenMP region. */
static void test_dialect_of_gcc(void **state) {
    (void)state;
    struct fixture x;
    char *text;
    load_dialect(&x, "gcc", &text);
    const struct ptx_function *f = find(&x, "region");
    assert_int_equal(f->n_variables, 2);
    assert_string_equal(f->variables[0]->name, "%P0");
    assert_string_equal(f->variables[1]->name, "%P1");
    const struct ptx_instruction *call =
        &f->instructions[f->n_instructions - 2];
    assert_int_equal(call->form->op, PTX_OP_CALL);
    for (int i = 0; i < 2; i++) {
        const struct ptx_operand *o = call->operands[1]->items[i];
        assert_int_equal(o->kind, PTX_OPND_VARIABLE);
        assert_ptr_equal(o->variable, f->variables[i]);
    }
    done(&x);
    free(text);
}

/* Hidden parameters, and a register + constant that is no address. */
static void test_dialect_of_triton(void **state) {
    (void)state;
    struct fixture x;
    char *text;
    load_dialect(&x, "triton", &text);
    const struct ptx_function *f = find(&x, "scale_kernel");
    assert_int_equal(f->n_params, 5);
    assert_true(f->params[3].is_pointer);
    assert_int_equal(ptx_variable_size(&f->params[4]), 128);
    const struct ptx_instruction *sum = &f->instructions[10];
    assert_true(sum->added);
    assert_string_equal(sum->form->text, "add.u64");
    assert_string_equal(f->registers[sum->uses[0]]->name, "%rd2");
    assert_int_equal(sum->operands[2]->value.bits, 64);
    assert_int_equal(sum[1].uses[0], sum->defs[0]);
    done(&x);
    free(text);
}

static void test_dialect_stripped_and_with_crlf(void **state) {
    (void)state;
    static const char *const names[] = {"stripped", "crlf"};
    for (int i = 0; i < 2; i++) {
        struct fixture x;
        char *text;
        load_dialect(&x, names[i], &text);
        const struct ptx_function *f = x.module->functions[0];
        assert_int_equal(f->line, 10);
        assert_int_equal(f->n_instructions, 19);
        assert_int_equal(f->n_registers, 16);
        /* three instructions share a line */
        assert_int_equal(f->instructions[6].line, f->instructions[4].line);
        done(&x);
        free(text);
    }
}

/* --------------------------------------------------------------- operands */

static void test_addresses(void **state) {
    (void)state;
    struct fixture x;
    const struct ptx_function *f = read_code(&x, "ld.global.u32 %r1, [%rd1+-8];"
                                                 "ld.global.u32 %r1, [g+4*2+1];"
                                                 "ld.param.u64 %rd1, [a];"
                                                 "ld.global.u32 %r1, [128];"
                                                 "mov.u64 %rd2, g+12;"
                                                 "mov.u64 %rd2, g[3];");
    const struct ptx_operand *o = f->instructions[0].operands[1];
    assert_int_equal(o->kind, PTX_OPND_ADDRESS);
    assert_string_equal(o->items[0]->reg->name, "%rd1");
    assert_int_equal(o->items[0]->offset, -8);
    o = f->instructions[1].operands[1];
    assert_string_equal(o->items[0]->variable->name, "g");
    assert_int_equal(o->items[0]->offset, 9);
    assert_string_equal(f->instructions[2].operands[1]->items[0]->name, "a");
    assert_int_equal(f->instructions[3].operands[1]->items[0]->value.bits, 128);
    assert_int_equal(f->instructions[4].operands[1]->offset, 12);
    assert_int_equal(f->instructions[5].operands[1]->offset, 3);
    done(&x);
}

static void test_vectors_sinks_pairs_and_selectors(void **state) {
    (void)state;
    struct fixture x;
    const struct ptx_function *f = read_code(
        &x,
        "ld.global.v4.u32 {%r1, _, %r2, %r3}, [%rd1];"
        "setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;"
        "tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, {%r1}];"
        "vadd.s32.s32.s32 %r4, -%r1.h0, %r2.b3, %r3;"
        "@!%p1 mov.b64 {%r1,%r2}, %rd2;"
        "mov.u32 %r5, %ctaid.z; mov.u32 %r5, %envreg13;"
        "mov.u32 %r6, WARP_SZ; st.global.v2.f32 [%rd1], {%f1, 0f00000000};");
    const struct ptx_instruction *in = f->instructions;
    assert_int_equal(in[0].form->vector, 4);
    assert_int_equal(in[0].n_defs, 3);
    assert_int_equal(in[0].operands[0]->items[1]->kind, PTX_OPND_SINK);
    assert_int_equal(in[1].n_defs, 2);
    assert_int_equal(in[1].n_uses, 3);
    assert_true(in[1].operands[3]->negated);
    assert_int_equal(in[2].n_defs, 4);
    assert_int_equal(in[2].n_uses, 1);
    assert_true(in[3].operands[1]->negated);
    assert_string_equal(in[3].operands[2]->suffix, "b3");
    assert_int_equal(in[4].n_uses, 2);
    assert_int_equal(in[4].n_sources, 1);
    assert_int_equal(in[5].operands[1]->special, PTX_SREG_CTAID);
    assert_string_equal(in[5].operands[1]->suffix, "z");
    assert_int_equal(in[6].operands[1]->number, 13);
    assert_int_equal(in[7].operands[1]->value.bits, 32);
    assert_int_equal(in[8].n_defs, 0);
    assert_int_equal(in[8].n_uses, 2);
    done(&x);
}

static void test_immediates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ptx_value_kind kind;
        uint64_t bits;
    } cases[] = {
        {"0f3F800000", PTX_VALUE_F32, 0x3f800000},
        {"-0F3f800000", PTX_VALUE_F32, 0xbf800000},
        {"0d3FF0000000000000", PTX_VALUE_F64, 0x3ff0000000000000},
        {"1.5", PTX_VALUE_F64, 0x3ff8000000000000},
        {"1e3", PTX_VALUE_F64, 0x408f400000000000},
        {"0x1F", PTX_VALUE_INT, 31},
        {"0XffU", PTX_VALUE_INT, 255},
        {"0b101", PTX_VALUE_INT, 5},
        {"017", PTX_VALUE_INT, 15},
        {"0", PTX_VALUE_INT, 0},
        {"-1", PTX_VALUE_INT, UINT64_MAX},
        {"~0", PTX_VALUE_INT, UINT64_MAX},
        {"18446744073709551615", PTX_VALUE_INT, UINT64_MAX},
        {"(2 + 3) * 4 - 6 / 2 % 2", PTX_VALUE_INT, 19},
        {"1 << 4 | 3 & 6 ^ 1", PTX_VALUE_INT, 19},
        {"-8 >> 1", PTX_VALUE_INT, (uint64_t)-4},
        {"3 > 2 ? 7 : 9", PTX_VALUE_INT, 7},
        {"!5 || 1 && 0 == 0", PTX_VALUE_INT, 1},
        {"(.u64)-1 > 0", PTX_VALUE_INT, 1},
        {"-9223372036854775808 / -1", PTX_VALUE_INT, UINT64_C(1) << 63},
        {"0.5 + 1", PTX_VALUE_F64, 0x3ff8000000000000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture x;
        char code[128];
        snprintf(code, sizeof code, "mov.b64 %%rd1, %s;", cases[i].text);
        const struct ptx_function *f = read_code(&x, code);
        const struct ptx_operand *o = f->instructions[0].operands[1];
        assert_int_equal(o->kind, PTX_OPND_VALUE);
        assert_int_equal(o->value.kind, cases[i].kind);
        assert_int_equal(o->value.bits, cases[i].bits);
        done(&x);
    }
}

static void test_forms(void **state) {
    (void)state;
    static const struct {
        const char *code;
        enum opclass opc;
        enum ptx_space space;
    } cases[] = {
        {"ld.global.u32 %r1,[%rd1];", OPC_ld_global, PTX_SPACE_GLOBAL},
        {"ld.u32 %r1,[%rd1];", OPC_ld_global, PTX_SPACE_NONE},
        {"ld.shared.u32 %r1,[%r2];", OPC_ld_shared, PTX_SPACE_SHARED},
        {"ld.volatile.shared::cta.u32 %r1,[%r2];", OPC_ld_shared,
         PTX_SPACE_SHARED},
        {"ld.const.u32 %r1,[%rd1];", OPC_ld_const, PTX_SPACE_CONST},
        {"st.local.u32 [%rd1],%r1;", OPC_st_global, PTX_SPACE_LOCAL},
        {"st.shared.u32 [%r2],%r1;", OPC_st_shared, PTX_SPACE_SHARED},
        {"add.s32 %r1,%r2,%r3;", OPC_int, PTX_SPACE_NONE},
        {"add.f32 %f1,%f2,%f3;", OPC_fp, PTX_SPACE_NONE},
        {"div.rn.f32 %f1,%f2,%f3;", OPC_sfu, PTX_SPACE_NONE},
        {"cvt.rn.f32.s32 %f1,%r3;", OPC_cvt, PTX_SPACE_NONE},
        {"setp.eq.s32 %p1,%r2,%r3;", OPC_setp, PTX_SPACE_NONE},
        {"vote.sync.all.pred %p1,%p2,-1;", OPC_vote, PTX_SPACE_NONE},
        {"shfl.sync.idx.b32 %r1,%r2,%r3,31,-1;", OPC_shfl, PTX_SPACE_NONE},
        {"bar.sync 0;", OPC_barrier, PTX_SPACE_NONE},
        {"membar.gl;", OPC_fence, PTX_SPACE_NONE},
        {"atom.global.add.u32 %r1,[%rd1],%r2;", OPC_atomic, PTX_SPACE_GLOBAL},
        {"red.shared.add.u32 [%r1],%r2;", OPC_atomic, PTX_SPACE_SHARED},
        {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 "
         "{%f1},{%r1},{%r2},{%f2};",
         OPC_fp, PTX_SPACE_NONE},
        {"exit;", OPC_branch, PTX_SPACE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture x;
        const struct ptx_function *f = read_code(&x, cases[i].code);
        assert_int_equal(f->n_unsupported, 0);
        assert_int_equal(f->instructions[0].form->opc, cases[i].opc);
        assert_int_equal(f->instructions[0].form->space, cases[i].space);
        done(&x);
    }
}

static void test_form_details(void **state) {
    (void)state;
    struct fixture x;
    const struct ptx_function *f =
        read_code(&x, "cvt.rzi.ftz.s32.f32 %r1, %f1;"
                      "setp.ltu.or.f32 %p1, %f1, %f2, %p2;");
    const struct ptx_form *cvt = f->instructions[0].form;
    assert_int_equal(cvt->n_types, 2);
    assert_int_equal(cvt->types[0], PTX_S32);
    assert_int_equal(cvt->types[1], PTX_F32);
    assert_int_equal(ptx_modifier_of(cvt, PTX_GROUP_ROUND), PTX_MOD_RZI);
    assert_true(ptx_has(cvt, PTX_MOD_FTZ));
    assert_false(ptx_has(cvt, PTX_MOD_SAT));
    const struct ptx_form *setp = f->instructions[1].form;
    assert_int_equal(ptx_modifier_of(setp, PTX_GROUP_COMPARE), PTX_MOD_LTU);
    assert_int_equal(ptx_modifier_of(setp, PTX_GROUP_OPERATION), PTX_MOD_OR);
    done(&x);
}

/* ----------------------------------------------------------- declarations */

static void test_ranges_cost_only_what_is_used(void **state) {
    (void)state;
    struct fixture x;
    read_good(&x, HEAD ".entry k() { .reg .b32 %r<1000000>, %r1<5>;\n"
                       "mov.b32 %r999999, %r14; mov.b32 %r14, %r15; ret; }");
    const struct ptx_function *f = x.module->functions[0];
    assert_int_equal(f->n_registers, 3);
    assert_string_equal(f->registers[1]->name, "%r14");
    done(&x);
}

static void test_inner_scope_hides_outer(void **state) {
    (void)state;
    struct fixture x;
    read_good(&x, HEAD ".entry k() { .reg .b32 t; mov.b32 t, 1;\n"
                       "{ .reg .b64 t; mov.b64 t, 2; L: bra L; }\n"
                       "{ .reg .pred t; @t bra L; L: mov.pred t, t; }\n"
                       "L: mov.b32 t, 3; bra L; }");
    const struct ptx_function *f = x.module->functions[0];
    assert_int_equal(f->n_registers, 3);
    assert_int_equal(f->registers[0]->type, PTX_B32);
    assert_int_equal(f->registers[1]->type, PTX_B64);
    assert_string_equal(f->registers[2]->name, "t#3");
    assert_int_equal(f->instructions[2].operands[0]->pc, 2);
    assert_int_equal(f->instructions[3].operands[0]->pc, 4);
    assert_int_equal(f->instructions[5].defs[0], 0);
    assert_int_equal(f->instructions[6].operands[0]->pc, 5);
    done(&x);
}

static void test_variables_of_a_range(void **state) {
    (void)state;
    struct fixture x;
    read_good(&x, HEAD ".shared .align 8 .v2 .u32 s<3>; .global .u32 g<0>;\n"
                       ".entry k() { .reg .b32 %r<2>; { .param .b32 p<2>; "
                       "st.param.b32 [p1+0], %r0; }\n"
                       "{ .param .b32 p<1>; .local .b16 p1; "
                       "st.local.b16 [p1], 0; }\n"
                       "ld.shared.u32 %r0, [s2+4]; ret; }");
    const struct ptx_function *f = x.module->functions[0];
    assert_int_equal(x.module->n_variables, 3);
    assert_string_equal(x.module->variables[2]->name, "s2");
    assert_int_equal(x.module->variables[2]->align, 8);
    assert_int_equal(ptx_variable_size(x.module->variables[2]), 8);
    assert_int_equal(f->n_variables, 4);
    assert_ptr_equal(f->instructions[0].operands[0]->items[0]->variable,
                     f->variables[1]);
    assert_ptr_equal(f->instructions[1].operands[0]->items[0]->variable,
                     f->variables[3]);
    assert_int_equal(f->instructions[2].operands[1]->items[0]->offset, 4);
    done(&x);
}

static void test_sums_outside_addresses(void **state) {
    (void)state;
    struct fixture x;
    const struct ptx_function *f =
        read_code(&x, "L: mad.lo.u32 %r1, %r2+4, 3, %r2+-1;\n"
                      "@%p1 st.global.u64 [%rd1+8], %rd2+8;\n"
                      "mov.b64 %rd1, {%r1+1, %r2};\n"
                      "mov.u32 %r3, %r2+0; bra L;");
    static const char *const texts[] = {
        "add.u32", "add.u32", "mad.lo.u32", "add.u64", "st.global.u64",
        "add.u32", "mov.b64", "mov.u32",    "bra"};
    assert_int_equal(f->n_instructions, 9);
    for (int i = 0; i < 9; i++) {
        assert_string_equal(f->instructions[i].form->text, texts[i]);
        assert_int_equal(f->instructions[i].added,
                         strncmp(texts[i], "add", 3) == 0);
    }
    assert_string_equal(f->instructions[0].operands[0]->name, "%r2+4");
    assert_int_equal((int64_t)f->instructions[1].operands[2]->value.bits, -1);
    assert_null(f->instructions[3].guard);
    assert_int_equal(f->instructions[4].operands[0]->items[0]->offset, 8);
    assert_int_equal(f->instructions[4].n_uses, 3);
    assert_int_equal(f->instructions[8].operands[0]->pc, 0);
    ptx_analyse(&x.arena, f);
    done(&x);
}

static void test_initialisers(void **state) {
    (void)state;
    struct fixture x;
    read_good(&x, HEAD
              ".global .u32 a[2][3] = {{1, 2}, {4, 5, 6}};\n"
              ".global .u64 p[] = {a, generic(a)+8, a+4-2};\n"
              ".const .align 8 .v2 .f32 v[2] = {{0f3F800000, 2.0}, {3, 4}};\n"
              ".global .b8 m[2] = {0xFF(a), 0xFF00(a)};\n"
              ".extern .shared .align 16 .b8 dynamic[];\n");
    struct ptx_variable **v = x.module->variables;
    assert_int_equal(x.module->n_variables, 5);
    assert_int_equal(ptx_variable_size(v[0]), 24);
    assert_int_equal(v[0]->n_init, 5);
    assert_int_equal(v[0]->init[2].element, 3);
    assert_int_equal(v[0]->init[2].value.bits, 4);
    assert_int_equal(v[1]->elements, 3);
    assert_true(v[1]->init[1].generic);
    assert_int_equal(v[1]->init[1].value.bits, 8);
    assert_int_equal(v[1]->init[2].value.bits, 2);
    assert_int_equal(ptx_variable_size(v[2]), 16);
    assert_int_equal(v[2]->init[2].element, 2);
    assert_int_equal(v[3]->init[1].mask, 0xff00);
    assert_int_equal(v[4]->elements, 0);
    assert_int_equal(v[4]->align, 16);
    done(&x);
}

static void test_modules_in_one_file_have_names_of_their_own(void **state) {
    (void)state;
    struct fixture x;
    read_good(&x, HEAD ".entry k() { ret; }\n" HEAD ".entry k() { ret; }");
    assert_int_equal(x.module->n_functions, 2);
    done(&x);
}

static void test_version_may_be_missing(void **state) {
    (void)state;
    struct fixture x;
    read_good(&x, ".entry k() { ret; }");
    assert_int_equal(x.diag.warnings, 1);
    assert_null(x.module->version);
    done(&x);
}

/* ------------------------------------------------------------ not understood
 */

static const char unknown_words[] =
    HEAD ".entri 3, \"text\" [4] {1, 2}\n"
         ".table a,\n"
         "  b\n"
         "{ .u32 1; }\n"
         ".visible .quick .func f() { ret; }\n"
         ".global .managed(always, 1) .align 4 .u32 g;\n"
         ".sticky .global .u32 h;\n"
         ".kernel other(.param .u32 a)\n"
         "{ .reg .u32 %r<2>; add.u32 %r1, %r1, g; ret; }\n"
         ".entry k(.param .u32 a,.secret .param .u32 .ptr .fast 8 b)\n"
         ".tuned 1, 2, 3 .reqntid 64\n"
         ".dense\n"
         "{\n"
         "  .reg .wide .u32 %r<2>;\n"
         ".mark begin, 1\n"
         ".range r,\n"
         "  2;\n"
         "  ld.param.u32 %r0, [b]; add.u32 %r1, %r0, 1; { bar.sync 0; }\n"
         ".tail\n"
         "  ret;\n"
         "}\n";

static void test_unknown_opcode_costs_nothing_else(void **state) {
    (void)state;
    struct fixture x;
    const struct ptx_function *f =
        read_code(&x, "add.s32 %r1, %r2, 1;\n"
                      "  @%p1 frobnicate.b32.huh {%r3, _}, [%r4+4], nosuch;\n"
                      "mul.lo.quux.s32 %r5, %r1, %r1;\nret;");
    assert_int_equal(f->n_instructions, 4);
    assert_int_equal(f->n_unsupported, 2);
    assert_string_equal(f->unsupported[0].opcode, "frobnicate.b32.huh");
    assert_int_equal(f->unsupported[0].pc, 1);
    assert_int_equal(f->unsupported[0].column, 8);
    assert_int_equal(f->unsupported[0].line, f->instructions[0].line + 1);
    assert_string_equal(f->unsupported[1].opcode, "mul.lo.quux.s32");
    assert_int_equal(f->instructions[1].n_defs, 1);
    assert_int_equal(f->instructions[1].n_uses, 2);
    assert_int_equal(f->instructions[2].n_uses, 1);
    done(&x);
}

static void test_unknown_modifier_may_change_operands(void **state) {
    (void)state;
    struct fixture x;
    const struct ptx_function *f =
        read_code(&x, "add.quux.s32 %r1, %r2;\nret;");
    assert_int_equal(f->instructions[0].form->op, PTX_OP_UNKNOWN);
    ptx_analyse(&x.arena, f);
    done(&x);
}

/* Nothing but its own words goes with one that is not known. */
static void test_unknown_words_are_listed_and_passed_over(void **state) {
    (void)state;
    struct fixture x;
    read_text(&x, "t.ptx", unknown_words, sizeof unknown_words - 1);
    assert_int_equal(x.diag.errors, 0);
    static const struct {
        const char *word;
        int line, column;
    } wanted[] = {{".entri", 4, 1},    {".table", 5, 1},   {".quick", 8, 10},
                  {".managed", 9, 9},  {".sticky", 10, 1}, {".kernel", 11, 1},
                  {".secret", 13, 24}, {".fast", 13, 49},  {".tuned", 14, 1},
                  {".dense", 15, 1},   {".wide", 17, 8},   {".mark", 18, 1},
                  {".range", 19, 1},   {".tail", 22, 1}};
    int n = (int)(sizeof wanted / sizeof *wanted);
    char *told = diag_captured(&x.diag);
    assert_int_equal(x.module->n_passed, n);
    assert_int_equal(x.diag.warnings, n);
    for (int i = 0; i < n; i++) {
        char line[80];
        assert_string_equal(x.module->passed[i].word, wanted[i].word);
        assert_int_equal(x.module->passed[i].line, wanted[i].line);
        assert_int_equal(x.module->passed[i].column, wanted[i].column);
        snprintf(line, sizeof line, "t.ptx:%d:%d: warning: unknown",
                 wanted[i].line, wanted[i].column);
        assert_non_null(strstr(told, line));
    }
    assert_non_null(
        strstr(told, "'.entri' is passed over, did you mean '.entry'"));
    assert_int_equal(x.module->n_variables, 2);
    assert_int_equal(x.module->variables[0]->align, 4);
    assert_int_equal(x.module->n_functions, 2);
    const struct ptx_function *f = find(&x, "k");
    assert_int_equal(f->n_params, 2);
    assert_int_equal(f->reqntid[0], 64);
    assert_int_equal(f->n_instructions, 4);
    assert_int_equal(f->n_registers, 2);
    ptx_analyse(&x.arena, f);
    free(told);
    done(&x);
}

static void test_many_unknown_words_warn_twenty_times(void **state) {
    (void)state;
    struct fixture x;
    char text[1024] = HEAD;
    for (int i = 0; i < 30; i++)
        strcat(text, ".zyx 1;\n");
    read_text(&x, "t.ptx", text, strlen(text));
    assert_int_equal(x.diag.errors, 0);
    assert_int_equal(x.module->n_passed, 30);
    assert_int_equal(x.diag.warnings, 21);
    done(&x);
}

/* ----------------------------------------------------------------- errors */

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of tests/ptx, sorted, without the ending; the caller frees. */
static int list_cases(char **names, int max) {
    DIR *dir = opendir("tests/ptx");
    int n = 0;
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char *dot = strrchr(e->d_name, '.');
        if (!dot || strcmp(dot, ".err") != 0)
            continue;
        assert_true(n < max);
        names[n] = xmalloc((size_t)(dot - e->d_name) + 1);
        memcpy(names[n], e->d_name, (size_t)(dot - e->d_name));
        names[n++][dot - e->d_name] = '\0';
    }
    closedir(dir);
    qsort(names, (size_t)n, sizeof *names, by_name);
    return n;
}

static void check_case(const char *name) {
    char path[128], shown[128];
    size_t len, expected_len;
    struct fixture x;
    snprintf(path, sizeof path, "tests/ptx/%s.ptx", name);
    snprintf(shown, sizeof shown, "%s.ptx", name);
    char *text = text_read_file(path, &len);
    snprintf(path, sizeof path, "tests/ptx/%s.err", name);
    char *expected = text_read_file(path, &expected_len);
    if (!text || !expected)
        fail_msg("cannot read the pair of %s", path);
    read_text(&x, shown, text, len);
    assert_true(x.diag.errors > 0);
    char *got = diag_captured(&x.diag);
    if (strcmp(got, expected) != 0)
        fail_msg("%s: got\n%s\nexpected\n%s", name, got, expected);
    free(got);
    done(&x);
    free(text);
    free(expected);
}

static void test_messages(void **state) {
    (void)state;
    char *names[256];
    int n = list_cases(names, 256);
    assert_true(n > 60);
    for (int i = 0; i < n; i++) {
        check_case(names[i]);
        free(names[i]);
    }
}

/* ---------------------------------------------------------------- hostile */

/* Everything between before and after, count times; must not load. */
static void reject_repeated(const char *before, const char *unit, int count,
                            const char *after) {
    struct text t = {0};
    struct fixture x;
    text_add(&t, HEAD);
    text_add(&t, before);
    for (int i = 0; i < count; i++)
        text_add(&t, unit);
    text_add(&t, after);
    read_text(&x, "h.ptx", text_str(&t), t.len);
    assert_true(x.diag.errors > 0);
    done(&x);
    text_free(&t);
}

static void test_nesting_without_end(void **state) {
    (void)state;
    enum { DEEP = 100000 };
    static const char code[] = ".entry k() { .reg .b32 %r<4>; mov.b32 %r1, ";
    reject_repeated(".entry k() ", "{", DEEP, "");
    reject_repeated(".entry k() ", "{", DEEP, "}");
    reject_repeated(".global .u32 x = ", "(", DEEP, "1;");
    reject_repeated(".global .u32 x[3] = ", "{", DEEP, "1;");
    reject_repeated(code, "[", DEEP, "; }");
    reject_repeated(code, "{", DEEP, "; }");
    reject_repeated(code, "!", DEEP, "%r2; }");
    reject_repeated(code, "-", DEEP, "1; }");
    reject_repeated(code, "1 ? 1 : ", DEEP, "1; }");
    reject_repeated(code, "%r1|", DEEP, "%r2; }");
    reject_repeated(".section .debug ", "{", DEEP, "");
    reject_repeated(".global .attribute", "(", DEEP, "");
    reject_repeated(".global .u8 x", "[1]", DEEP, ";");
}

static void test_long_things_load(void **state) {
    (void)state;
    struct text t = {0};
    struct fixture x;
    text_add(&t, HEAD ".entry k() { .reg .b32 ");
    for (int i = 0; i < 100000; i++)
        text_add(&t, "long");
    text_add(&t, "; .reg .b32 %r<2>; mov.b32 %r1, 1");
    for (int i = 0; i < 100000; i++)
        text_add(&t, " + 1");
    text_add(&t, "; ret; }");
    read_good(&x, text_str(&t));
    assert_int_equal(
        x.module->functions[0]->instructions[0].operands[1]->value.bits,
        100001);
    done(&x);
    text_free(&t);
}

/* Every prefix of a real file, and every file with one byte changed. */
static void test_truncated_and_damaged_files(void **state) {
    (void)state;
    static const char bytes[] = {'\0', '{', '}', ';', '"',  '.',       '%',
                                 '[',  '(', '@', '9', '\n', (char)0xff};
    size_t len;
    char *text = text_read_file("tests/ptx/dialects/nvcc8.ptx", &len);
    assert_non_null(text);
    for (size_t i = 0; i < len; i += 3) {
        struct fixture x;
        char *copy = xmalloc(i + 1); /* so that a checker sees overruns */
        memcpy(copy, text, i);
        copy[i] = '\0';
        read_text(&x, "cut.ptx", copy, i);
        done(&x);
        free(copy);
        char kept = text[i];
        text[i] = bytes[i % sizeof bytes];
        read_text(&x, "bad.ptx", text, len);
        for (int k = 0; k < x.module->n_functions && !x.diag.errors; k++)
            if (x.module->functions[k]->has_body)
                ptx_analyse(&x.arena, x.module->functions[k]);
        done(&x);
        text[i] = kept;
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialect_of_nvcc_13),
        cmocka_unit_test(test_dialect_of_nvcc_8),
        cmocka_unit_test(test_dialect_of_nvopencc),
        cmocka_unit_test(test_dialect_of_llvm),
        cmocka_unit_test(test_dialect_of_gcc),
        cmocka_unit_test(test_dialect_of_triton),
        cmocka_unit_test(test_dialect_stripped_and_with_crlf),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_vectors_sinks_pairs_and_selectors),
        cmocka_unit_test(test_immediates),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_form_details),
        cmocka_unit_test(test_ranges_cost_only_what_is_used),
        cmocka_unit_test(test_inner_scope_hides_outer),
        cmocka_unit_test(test_variables_of_a_range),
        cmocka_unit_test(test_sums_outside_addresses),
        cmocka_unit_test(test_initialisers),
        cmocka_unit_test(test_modules_in_one_file_have_names_of_their_own),
        cmocka_unit_test(test_version_may_be_missing),
        cmocka_unit_test(test_unknown_opcode_costs_nothing_else),
        cmocka_unit_test(test_unknown_modifier_may_change_operands),
        cmocka_unit_test(test_unknown_words_are_listed_and_passed_over),
        cmocka_unit_test(test_many_unknown_words_warn_twenty_times),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_nesting_without_end),
        cmocka_unit_test(test_long_things_load),
        cmocka_unit_test(test_truncated_and_damaged_files),
    };
    return cmocka_run_group_tests_name("test_ptx", tests, NULL, NULL);
}

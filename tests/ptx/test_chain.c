/* test_chain.c - offload chains: the nine patterns, why loads are refused, what
 * may pass what, and that the rewritten text computes the same.
 *
 * CHAIN_SEED=n replays one random body.
 */
#include "tests/sim/exec_kit.h"
#include "ptx_random.h"
#include "sim/trace/chain_share.h"

#include "papers/omni/chain.h"

#include <stdlib.h>

/* Three buffers of which each thread has a slice of 8 words at %a, %b, %c, a
 * fourth that is only read at %q, and a value of the whole CTA. */
#define HEAD                                                                   \
    KIT_HEAD ".shared .b32 sh[64];\n"                                          \
             ".visible .entry k(.param .u64 pa, .param .u64 pb, "              \
             ".param .u64 pc, .param .u64 pq, .param .f32 ps, "                \
             ".param .u32 pn)\n{\n"                                            \
             ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>;\n"          \
             ".reg .b64 %d<20>; .reg .f32 %f<20>;\n"                           \
             ".reg .b32 %t, %n; .reg .f32 %s; .reg .b64 %a, %b, %c, %q;\n"     \
             ".reg .b64 %a0, %b0, %c0, %q0, %m;\n"                             \
             "ld.param.u64 %a0, [pa];\nld.param.u64 %b0, [pb];\n"              \
             "ld.param.u64 %c0, [pc];\nld.param.u64 %q0, [pq];\n"              \
             "ld.param.f32 %s, [ps];\nld.param.u32 %n, [pn];\n"                \
             "mov.u32 %t, %tid.x;\nmul.wide.u32 %m, %t, 32;\n"                 \
             "add.s64 %a, %a0, %m;\nadd.s64 %b, %b0, %m;\n"                    \
             "add.s64 %c, %c0, %m;\nadd.s64 %q, %q0, %m;\n"
enum { HEAD_INSTRUCTIONS = 12, WORDS = 8, THREADS = 64 };

struct fixture {
    struct arena arena;
    struct diag diag;
    struct source source;
    struct text text, out;
    struct ptx_module *module;
    struct ptx_analysis *a;
    struct ptx_chains chains;
};

static void open_text(struct fixture *t, const char *whole, bool split) {
    const struct ptx_chain_options o = {.split_fma = split};
    *t = (struct fixture){0};
    text_add(&t->text, whole);
    t->source = (struct source){"t.ptx", t->text.data, t->text.len};
    t->module = ptx_read(&t->arena, &t->source, &t->diag);
    if (t->diag.errors)
        fail_msg("%s\n%s", diag_captured(&t->diag), whole);
    t->a = ptx_analyse(&t->arena, t->module->functions[0]);
    ptx_chains_find(&t->arena, &t->source, t->a, &o, &t->chains);
}

static void fixture(struct fixture *t, const char *body, bool split) {
    struct text whole = {0};
    text_printf(&whole, "%s%s\nret;\n}\n", HEAD, body);
    open_text(t, text_str(&whole), split);
    text_free(&whole);
}

static void done(struct fixture *t) {
    text_free(&t->text);
    text_free(&t->out);
    diag_free(&t->diag);
    arena_free(&t->arena);
}

static const char *rewritten(struct fixture *t) {
    const struct ptx_chains *list[] = {&t->chains};
    t->out.len = 0;
    ptx_chains_rewrite(t->module, list, &t->out);
    return text_str(&t->out);
}

/* "1[0 1 2 3] 2[5 6 7]": patterns and pcs behind the head. */
static void describe(const struct fixture *t, struct text *s) {
    for (int i = 0; i < t->chains.n; i++) {
        const struct ptx_chain *c = &t->chains.list[i];
        text_printf(s, "%s%d[", i ? " " : "", c->pattern);
        for (int k = 0; k < c->n; k++)
            text_printf(s, "%s%d", k ? " " : "", c->pcs[k] - HEAD_INSTRUCTIONS);
        text_add(s, "]");
    }
}

static void expect_mode(const char *body, bool split, const char *wanted) {
    struct fixture t;
    struct text got = {0};
    fixture(&t, body, split);
    describe(&t, &got);
    if (strcmp(text_str(&got), wanted) != 0)
        fail_msg("chains '%s', expected '%s' in\n%s", text_str(&got), wanted,
                 body);
    text_free(&got);
    done(&t);
}

static void expect(const char *body, const char *wanted) {
    expect_mode(body, false, wanted);
}

/* The load at pc behind the head is refused for that reason. */
static void refused(const char *body, int pc, const char *reason) {
    struct fixture t;
    fixture(&t, body, false);
    const char *got = "in a chain";
    for (int i = 0; i < t.chains.n_refused; i++)
        if (t.chains.refused[i].pc == pc + HEAD_INSTRUCTIONS)
            got = ptx_chain_reason_text(t.chains.refused[i].reason);
    if (strcmp(got, reason) != 0)
        fail_msg("load %d: '%s', expected '%s' in\n%s", pc, got, reason, body);
    done(&t);
}

/* What a chain is, without its places: pattern, operations, type, immediate,
 * and its instructions as the text has them; product: but for f, which is a
 * multiply-add in one text and its product in the other. */
static void identity(const struct fixture *t, const struct ptx_chain *c,
                     bool product, struct text *s) {
    s->len = 0;
    text_printf(s, "pattern %d, f %s, g %s, compare %d, type %d", c->pattern,
                ptx_chain_op_text(c->f), ptx_chain_op_text(c->g),
                (int)c->compare, (int)c->type);
    text_printf(s, ", %d loads, reversed %d %d, fused %d", c->n_loads,
                c->f_reversed, c->g_reversed, c->fused);
    for (int i = 0; i < c->n; i++) {
        const struct ptx_slice *text = &t->chains.slices[c->pcs[i]];
        if (!product || c->pcs[i] != c->alu)
            text_printf(s, "\n%.*s", (int)text->len, text->s);
    }
}

/* The rewritten text has the same chains, each in one piece. */
static void expect_same_chains(struct fixture *t, const char *out, bool split) {
    struct fixture again;
    struct text one = {0}, two = {0};
    open_text(&again, out, split);
    if (again.chains.n != t->chains.n)
        fail_msg("%d chains instead of %d in\n%s", again.chains.n, t->chains.n,
                 out);
    for (int i = 0; i < again.chains.n; i++) {
        const struct ptx_chain *c = &again.chains.list[i];
        bool product = t->chains.list[i].split;
        identity(t, &t->chains.list[i], product, &one);
        identity(&again, c, product, &two);
        if (strcmp(text_str(&one), text_str(&two)) != 0)
            fail_msg("chain %d was\n%s\nand is\n%s\nin\n%s", i, text_str(&one),
                     text_str(&two), out);
        for (int k = 1; k < c->n; k++)
            if (c->pcs[k] != c->pcs[k - 1] + 1)
                fail_msg("chain %d is not contiguous in\n%s", i, out);
    }
    text_free(&one);
    text_free(&two);
    done(&again);
}

#define LD_A "ld.global.f32 %f1, [%a];\n"
#define LD_B "ld.global.f32 %f2, [%b];\n"
#define ST_C "st.global.f32 [%c], %f3;\n"

/* ----------------------------------------------------------------- patterns */

static void test_patterns(void **state) {
    (void)state;
    expect(LD_A LD_B "add.f32 %f3, %f1, %f2;\n" ST_C, "1[0 1 2 3]");
    expect(LD_A LD_B "sub.f32 %f3, %f2, %f1;\n" ST_C, "1[1 0 2 3]");
    expect(LD_A LD_B "mul.rn.f32 %f3, %f1, %f2;\n", "2[0 1 2]");
    expect(LD_A LD_B "add.f32 %f3, %f1, %f2;\n" ST_C "st.global.f32 [%b], %f3;",
           "2[0 1 2]");
    expect(LD_A "st.global.f32 [%c], %f1;\n", "3[0 1]");
    expect("ld.global.u8 %h1, [%a];\nst.global.u8 [%c], %h1;\n", "3[0 1]");
    expect(LD_A "neg.f32 %f3, %f1;\n" ST_C, "4[0 1 2]");
    expect(LD_A LD_B "add.f32 %f3, %f1, %f2;\nst.global.f32 [%b], %f3;\n",
           "4[0 1 2 3]");
    expect(LD_A LD_B "setp.lt.f32 %p1, %f1, %f2;\n", "5[0 1 2]");
    expect("ld.global.nc.u8 %h1, [%a];\nld.global.nc.u8 %h2, [%b];\n"
           "setp.ne.s16 %p1, %h1, %h2;\n",
           "5[0 1 2]");
    expect(LD_A "setp.lt.f32 %p1, %f1, 0f3F800000;\n", "6[0 1]");
    expect(LD_A "setp.lt.f32 %p1, %s, %f1;\n", "6[0 1]");
    expect(LD_A "div.rn.f32 %f3, %f1, %s;\n" ST_C, "7[0 1 2]");
    expect(LD_A "sub.f32 %f3, 0f3F800000, %f1;\n" ST_C, "7[0 1 2]");
    expect(LD_A LD_B "mul.f32 %f4, %f1, %s;\nsub.f32 %f3, %f2, %f4;\n",
           "8[0 1 2 3]");
    expect(LD_A LD_B "fma.rn.f32 %f3, %f1, %s, %f2;\n", "8[0 1 2]");
    expect(LD_B LD_A "mul.f32 %f4, %f1, %s;\nadd.f32 %f3, %f4, %f2;\n" ST_C,
           "9[1 0 2 3 4]");
    expect(LD_A LD_B "fma.rn.f32 %f3, %s, %f2, %f1;\n" ST_C, "9[1 0 2 3]");
    expect("ld.global.u32 %r1, [%a];\nshl.b32 %r2, %r1, 3;\n"
           "ld.global.u32 %r3, [%b];\nxor.b32 %r4, %r2, %r3;\n"
           "st.global.u32 [%c], %r4;\n",
           "9[0 2 1 3 4]");
}

/* What a packet needs to know besides the pcs. */
static void test_details(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t,
            LD_A LD_B "mul.f32 %f4, %s, %f1;\nsub.f32 %f3, %f4, %f2;\n" ST_C,
            false);
    const struct ptx_chain *c = &t.chains.list[0];
    assert_int_equal(c->pattern, 9);
    assert_int_equal(c->f, PTX_CHAIN_SUB);
    assert_int_equal(c->g, PTX_CHAIN_MUL);
    assert_true(c->f_reversed); /* f(g, a) */
    assert_true(c->g_reversed); /* g(i, b) */
    assert_int_equal(c->n_loads, 2);
    assert_int_equal(c->type, PTX_F32);
    assert_string_equal(c->immediate->name, "%s");
    assert_int_equal(c->store, HEAD_INSTRUCTIONS + 4);
    static const int tags[] = {PTX_TAG_FIRST, PTX_TAG_INSIDE, PTX_TAG_INSIDE,
                               PTX_TAG_INSIDE, PTX_TAG_LAST};
    for (int i = 0; i < 5; i++)
        assert_int_equal(t.chains.tags[c->pcs[i]], tags[i]);
    assert_int_equal(t.chains.tags[0], PTX_TAG_NONE);
    done(&t);
    fixture(&t, LD_A LD_B "setp.ge.f32 %p1, %f1, %f2;\n", false);
    assert_int_equal(t.chains.list[0].compare, PTX_MOD_GE);
    assert_int_equal(t.chains.list[0].store, -1);
    assert_null(t.chains.list[0].immediate);
    done(&t);
    static const int flits[] = {0, 1, 5, 1, 1, 1, 1, 1, 5, 1};
    static const char *const kinds[] = {"",     "ack",    "data",   "ack",
                                        "ack",  "bitmap", "bitmap", "ack",
                                        "data", "ack"};
    for (int p = 1; p <= PTX_CHAIN_PATTERNS; p++) {
        assert_int_equal(ptx_chain_answer_flits(p), flits[p]);
        assert_string_equal(ptx_chain_answer(p), kinds[p]);
    }
}

/* A multiply-add whose addend is the thread's own is broken up: always for
 * integers, on demand for f32. */
static void test_split(void **state) {
    (void)state;
    struct fixture t;
    const char *integers =
        "ld.global.u32 %r1, [%a];\nld.global.u32 %r2, [%b];\n"
        "mad.lo.s32 %r3, %r1, %r2, %t;\n";
    const char *reals = LD_A LD_B "fma.rn.f32 %f9, %f1, %f2, %f9;\n";
    expect(integers, "2[0 1 2]");
    expect(reals, "");
    refused(reals, 0, "fused with a register");
    expect_mode(reals, true, "2[0 1 2]");
    expect_mode(LD_A LD_B "mul.f32 %f4, %f1, %s;\n"
                          "fma.rn.f32 %f9, %f4, %f2, %f9;\n",
                true, "8[0 1 2 3]");
    fixture(&t, integers, false);
    assert_true(t.chains.list[0].split);
    const char *out = rewritten(&t);
    assert_non_null(strstr(out, "mul.lo.s32 %r1, %r1, %r2; // chain 0: last\n"
                                "\tadd.s32 %r3, %r1, %t;"));
    assert_null(strstr(out, "mad"));
    done(&t);
    fixture(&t,
            "@%p1 ld.global.f32 %f1, [%a];\n@%p1 ld.global.f32 %f2, [%b];\n"
            "@%p1 fma.rn.f32 %f9, /* a, b; */ %f1,%f2, 0f3F800000 ;\n",
            true);
    assert_non_null(strstr(rewritten(&t),
                           "@%p1 mul.rn.f32 %f1, %f1, %f2; // chain 0: last\n"
                           "\t@%p1 add.rn.f32 %f9, %f1, 0f3F800000;"));
    expect_same_chains(&t, rewritten(&t), false);
    done(&t);
}

/* -------------------------------------------------------------- near misses */

static void test_refusals(void **state) {
    (void)state;
    refused("ld.f32 %f1, [%a];\nst.global.f32 [%c], %f1;\n", 0,
            "not known to be global");
    refused("ld.global.v2.f32 {%f1, %f2}, [%a];\nst.global.f32 [%c], %f1;\n", 0,
            "vector load");
    refused("ld.global.u64 %d1, [%a];\nst.global.u64 [%c], %d1;\n", 0,
            "not 32 bit");
    refused("ld.global.u8 %r1, [%a];\nadd.s32 %r2, %r1, 1;\n"
            "st.global.u32 [%c], %r2;\n",
            0, "not 32 bit");
    refused("ld.volatile.global.f32 %f1, [%a];\nst.global.f32 [%c], %f1;\n", 0,
            "volatile or ordered");
    refused(LD_A, 0, "register not used");
    refused(LD_A "st.global.f32 [%c], %f1;\nst.global.f32 [%b], %f1;\n", 0,
            "register used again");
    refused(LD_A "mul.f32 %f3, %f1, %f1;\n" ST_C, 0, "register used again");
    refused(LD_A "bra L;\nL: st.global.f32 [%c], %f1;\n", 0,
            "used in another block");
    refused("ld.global.u32 %r1, [%a];\nmul.wide.u32 %d1, %r1, 4;\n"
            "add.s64 %d2, %d1, %b;\nst.global.u32 [%d2], %t;\n",
            0, "address depends on the load");
    refused(LD_A "@%p1 st.global.f32 [%c], %f1;\n", 0, "guards differ");
    refused("ld.global.u32 %r1, [%a];\npopc.b32 %r2, %r1;\n"
            "st.global.u32 [%c], %r2;\n",
            0, "operation not in the far ALU");
    refused(LD_A "add.rz.f32 %f3, %f1, %s;\n" ST_C, 0,
            "operation not in the far ALU");
    refused("ld.global.u32 %r1, [%a];\nadd.s32 %r2, %r1, %t;\n"
            "st.global.u32 [%c], %r2;\n",
            0, "other operand differs between threads");
    refused(LD_A "add.f32 %f3, %f1, %s;\n", 0,
            "result of one load kept in a register");
    refused(LD_A "add.f32 %f3, %f1, %s;\nst.shared.f32 [sh], %f3;\n", 0,
            "store does not fit the load");
    refused("ld.global.u32 %r1, [%a];\nst.global.u8 [%c], %r1;\n", 0,
            "store does not fit the load");
    refused("ld.global.u32 %r1, [%a];\nadd.s32 %r2, %r1, 5;\n"
            "ld.global.u32 %r1, [%b];\nadd.s32 %r3, %r2, %r1;\n"
            "st.global.u32 [%c], %r3;\n",
            0, "order of registers");
    refused(LD_A "st.global.u32 [%b], %t;\nst.global.f32 [%c], %f1;\n", 0,
            "order of memory accesses");
    refused(LD_A "{ .reg .b32 %t; }\nst.global.f32 [%c], %f1;\n", 0,
            "brace or directive in between");
    struct text far = {0};
    text_add(&far, LD_A);
    for (int i = 0; i < 300; i++)
        text_add(&far, "add.s32 %r1, %r1, %t;\n");
    text_add(&far, "st.global.f32 [%c], %f1;\n");
    refused(text_str(&far), 0, "too far apart");
    text_free(&far);
    refused("ld.global.u16 %h1, [%a];\nsetp.lt.s16 %p1, %h1, 5;\n", 0,
            "not 32 bit");
}

/* A value of one CTA is not one of one thread; of what is written twice, or
 * under a guard, nobody knows. */
static void test_constants(void **state) {
    (void)state;
    expect("mad.lo.s32 %r5, %n, 3, %n;\nmov.u32 %r6, %ctaid.x;\n"
           "xor.b32 %r7, %r5, %r6;\nld.global.u32 %r1, [%a];\n"
           "setp.lt.s32 %p1, %r1, %r7;\n",
           "6[3 4]");
    refused("@%p1 mov.u32 %r7, 3;\nld.global.u32 %r1, [%a];\n"
            "setp.lt.s32 %p1, %r1, %r7;\n",
            1, "other operand differs between threads");
    refused("mov.u32 %r7, 3;\nld.global.u32 %r1, [%a];\n"
            "setp.lt.s32 %p1, %r1, %r7;\nmov.u32 %r7, 4;\n",
            1, "other operand differs between threads");
    refused("mov.u32 %r7, %laneid;\nld.global.u32 %r1, [%a];\n"
            "setp.lt.s32 %p1, %r1, %r7;\n",
            1, "other operand differs between threads");
    refused("ld.global.u32 %r7, [%b0];\nld.global.u32 %r1, [%a];\n"
            "setp.lt.s32 %p1, %r1, %r7;\nst.shared.u32 [sh], %r7;\n",
            1, "other operand differs between threads");
    refused("add.s32 %r7, %r7, 1;\nld.global.u32 %r1, [%a];\n"
            "setp.lt.s32 %p1, %r1, %r7;\n",
            1, "other operand differs between threads");
}

/* ---------------------------------------------------------------- the rules */

static void test_reuse(void **state) {
    (void)state;
    /* written anew before it is read: the next round does not see it */
    expect("L: " LD_A "st.global.f32 [%c], %f1;\nsetp.lt.u32 %p1, %t, 4;\n"
           "@%p1 bra L;\n",
           "3[0 1]");
    /* the next round reads it */
    refused("L: st.global.f32 [%b], %f1;\n" LD_A "st.global.f32 [%c], %f1;\n"
            "setp.lt.u32 %p1, %t, 4;\n@%p1 bra L;\n",
            1, "register used again");
    /* read on one side of a branch */
    refused(LD_A "st.global.f32 [%c], %f1;\nsetp.lt.u32 %p1, %t, 4;\n"
                 "@%p1 bra L;\nst.global.f32 [%b], %f1;\nL:\n",
            0, "register used again");
    /* a guarded write leaves it to some lanes */
    refused(LD_A "st.global.f32 [%c], %f1;\n@%p1 mov.f32 %f1, 0f00000000;\n"
                 "st.global.f32 [%b], %f1;\n",
            0, "register used again");
    /* under the load's own guard it leaves it to none */
    expect("@%p1 " LD_A "@%p1 st.global.f32 [%c], %f1;\n"
           "@%p1 mov.f32 %f1, 0f00000000;\nst.global.f32 [%b], %f1;\n",
           "3[0 1]");
    refused("@%p1 " LD_A "@%p1 st.global.f32 [%c], %f1;\n"
            "@!%p1 mov.f32 %f1, 0f00000000;\nst.global.f32 [%b], %f1;\n",
            0, "register used again");
    refused("@%p1 " LD_A "@%p1 st.global.f32 [%c], %f1;\n"
            "setp.lt.u32 %p1, %t, 4;\n@%p1 mov.f32 %f1, 0f00000000;\n"
            "st.global.f32 [%b], %f1;\n",
            0, "register used again");
    /* another value in the same register */
    expect(LD_A "st.global.f32 [%c], %f1;\nmov.f32 %f1, 0f00000000;\n"
                "st.global.f32 [%b], %f1;\n",
           "3[0 1]");
    /* the result of f too: used again, so it must come back */
    expect(LD_A LD_B "add.f32 %f3, %f1, %f2;\n" ST_C "bra L;\n"
                     "L: st.global.f32 [%b], %f3;\n",
           "2[0 1 2]");
}

static void test_aliasing(void **state) {
    (void)state;
    const char *mixed = "st.global.u32 [%b], %t;\nst.global.f32 [%c], %f1;\n";
    char body[400];
    snprintf(body, sizeof body, "%s%s", LD_A, mixed);
    expect(body, ""); /* may write a before, or c after */
    snprintf(body, sizeof body, "ld.global.nc.f32 %%f1, [%%q];\n%s", mixed);
    expect(body, "3[0 2]"); /* nobody writes q */
    expect(LD_A "st.global.u32 [%a+4], %t;\nst.global.f32 [%a+8], %f1;\n",
           "3[0 2]"); /* same base, apart */
    expect(LD_A "st.global.u32 [%a+3], %t;\nst.global.f32 [%a+6], %f1;\n",
           ""); /* same base, overlapping */
    expect(LD_A "add.s64 %a, %a, 4;\nst.global.u32 [%a+4], %t;\n"
                "st.global.f32 [%a+8], %f1;\n",
           ""); /* same register, another value */
    expect(LD_A "st.shared.u32 [sh], %t;\nst.global.f32 [%c], %f1;\n",
           "3[0 2]"); /* another space */
    expect(LD_A "st.u32 [%d1], %t;\nst.global.f32 [%c], %f1;\n",
           ""); /* generic: may be any space */
    expect(LD_A "bar.sync 0;\nst.global.f32 [%c], %f1;\n", "");
    expect(LD_A "membar.gl;\nst.global.f32 [%c], %f1;\n", "");
    expect(LD_A "red.shared.add.u32 [sh], 1;\nst.global.f32 [%c], %f1;\n", "");
    /* a texture is what nobody writes, a surface may be written */
    expect(LD_A "tex.1d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%d1, {%r1}];\n"
                "st.global.f32 [%c], %f1;\n",
           "3[0 2]");
    expect(LD_A "suld.b.1d.b32.trap %r2, [%d1, {%r1}];\n"
                "st.global.f32 [%c], %f1;\n",
           "");
    expect(LD_A "vote.sync.ballot.b32 %r1, %p1, -1;\n"
                "st.global.f32 [%c], %f1;\n",
           "");
    expect(LD_A "mov.u32 %r1, %clock;\nst.global.f32 [%c], %f1;\n", "");
    expect(LD_A "glow.b32 %r1, %t;\nst.global.f32 [%c], %f1;\n", "");
    /* loads pass loads */
    expect(LD_A "ld.global.u32 %r1, [%b];\nst.shared.u32 [sh], %r1;\n"
                "st.global.f32 [%c], %f1;\n",
           "3[0 3]");
    expect(LD_A "ld.global.u32 %r1, [%b];\nsetp.eq.f32 %p1, %f1, %s;\n"
                "st.shared.u32 [sh], %r1;\n",
           "6[0 2]");
}

/* The carry is a register that no operand names. */
static void test_carry(void **state) {
    (void)state;
    expect("ld.global.u32 %r1, [%a];\nadd.cc.u32 %r2, %t, %n;\n"
           "addc.u32 %r3, %t, 0;\nst.global.u32 [%c], %r1;\n",
           "3[0 3]");
    /* the last carry is read after the chain: both writers stay in order */
    expect("mov.u64 %d4, %a;\nld.global.u32 %r1, [%d4];\n"
           "add.cc.u64 %d4, %d4, 8;\nadd.cc.u32 %r5, %t, %n;\n"
           "mul.wide.u32 %d1, %r5, 4;\nst.global.u32 [%d1], %r1;\n"
           "addc.u32 %r7, %t, 0;\nst.shared.u32 [sh], %r7;\n",
           "");
    struct fixture t;
    fixture(&t,
            "add.cc.u32 %r2, %t, %n;\nld.global.u32 %r1, [%a];\n"
            "addc.u32 %r3, %t, 0;\nadd.cc.u32 %r4, %r3, %n;\n"
            "addc.u32 %r5, %t, 0;\nmul.wide.u32 %d1, %r5, 4;\n"
            "add.s64 %d2, %d1, %c;\nst.global.u32 [%d2], %r1;\n",
            false);
    assert_int_equal(t.chains.n, 1);
    /* the address needs %r5, which needs the carry: all stay in order */
    for (int i = 2; i < 6; i++)
        assert_int_equal(t.chains.order[HEAD_INSTRUCTIONS + i - 1],
                         HEAD_INSTRUCTIONS + i);
    done(&t);
}

/* Figure 6: address arithmetic first, then the chain, tags 01 10 10 11. */
static void test_hoisting(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t,
            "add.s64 %d4, %a, 4;\n"
            "ld.global.s32 %r15, [%d4];\n"
            "add.s64 %d6, %b, 4;  // of b\n"
            "ld.global.s32 %r16, [%d6+0];\n"
            "add.s32 %r17, %r15, %r16;\n"
            "add.s64 %d8, %c, 4;\n"
            "st.global.s32 [%d8+0], %r17;",
            false);
    assert_non_null(strstr(rewritten(&t),
                           "add.s64 %d4, %a, 4;\n"
                           "add.s64 %d6, %b, 4;\n"
                           "add.s64 %d8, %c, 4;  // of b\n"
                           "ld.global.s32 %r15, [%d4]; // chain 0: first\n"
                           "ld.global.s32 %r16, [%d6+0]; // chain 0: inside\n"
                           "add.s32 %r17, %r15, %r16; // chain 0: inside\n"
                           "st.global.s32 [%d8+0], %r17; // chain 0: last\n"));
    done(&t);
    /* two on a line: comments that close; nothing moves into a scope */
    fixture(&t, LD_A "st.global.f32 [%c], %f1; mov.u32 %r1, 1;\n", false);
    assert_non_null(strstr(rewritten(&t),
                           "st.global.f32 [%c], %f1; /* chain 0: last */ mov"));
    done(&t);
    /* an independent instruction goes behind, a needed guard stays before */
    fixture(&t,
            "@%p1 ld.global.f32 %f1, [%a];\nmov.u32 %r1, 7;\n"
            "@%p1 st.global.f32 [%c], %f1;\n",
            false);
    assert_non_null(strstr(rewritten(&t), "// chain 0: last\nmov.u32 %r1, 7;"));
    done(&t);
    refused("@%p1 ld.global.f32 %f1, [%a];\nsetp.eq.s32 %p1, %t, 7;\n"
            "@%p1 st.global.f32 [%c], %f1;\n",
            0, "guards differ");
}

/* Several functions on one line, guards, .loc without an end of its own. */
static void test_one_line(void **state) {
    (void)state;
    struct fixture t;
    static const char head[] =
        ".version 7.7 .target sm_52 .func g() { .reg .pred %p; L: @%p bra L; "
        "ret; } .entry k() { .reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d<4>; ";
    struct text whole = {0}, wanted = {0};
    text_printf(&whole,
                "%s@!%%p ld.global.u32 %%r1, [%%d1]; .loc 1 2 3 "
                "mov.u64 %%d2, 7; .loc 1 3 4 @!%%p st.global.u32 [%%d2], %%r1; "
                "ret; }",
                head);
    text_printf(&wanted,
                "%smov.u64 %%d2, 7; .loc 1 2 3 @!%%p ld.global.u32 %%r1, "
                "[%%d1]; /* chain 0: first */ .loc 1 3 4 @!%%p st.global.u32 "
                "[%%d2], %%r1; /* chain 0: last */ ret; }",
                head);
    open_text(&t, text_str(&whole), false);
    struct ptx_chains k;
    ptx_chains_find(&t.arena, &t.source,
                    ptx_analyse(&t.arena, t.module->functions[1]), NULL, &k);
    const struct ptx_chains *list[] = {&t.chains, &k};
    ptx_chains_rewrite(t.module, list, &t.out);
    assert_string_equal(text_str(&t.out), text_str(&wanted));
    text_free(&whole);
    text_free(&wanted);
    done(&t);
}

/* Two that are interleaved both fit; of nested ones the longer wins, and if it
 * has no place, the shorter. */
static void test_choice(void **state) {
    (void)state;
    expect("ld.global.nc.f32 %f1, [%q];\nld.global.nc.f32 %f2, [%q+4];\n"
           "ld.global.nc.f32 %f3, [%q+8];\nld.global.nc.f32 %f4, [%q+12];\n"
           "add.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f3, %f4;\n"
           "st.global.f32 [%c], %f5;\nst.global.f32 [%c+4], %f6;\n",
           "1[0 1 4 6] 1[2 3 5 7]");
    expect(LD_A LD_B "st.global.u32 [%b+4], %t;\nadd.f32 %f3, %f1, %f2;\n" ST_C,
           "2[0 1 3]");
    expect(LD_A LD_B "add.f32 %f3, %f1, %f2;\nbar.sync 0;\n" ST_C, "2[0 1 2]");
}

/* --------------------------------------------------------------- same result
 */

static uint32_t *buffers[4];

static void run_text(struct kit *k, const char *text, uint32_t seed) {
    static const char *const names[] = {"a", "b", "c", "q"};
    kit_open(k, text, NULL);
    for (int i = 0; i < 4; i++) {
        uint32_t s = seed + (uint32_t)i + 1;
        buffers[i] = kit_buffer(k, names[i], 4 * WORDS * THREADS);
        for (int w = 0; w < WORDS * THREADS; w++)
            buffers[i][w] = random_next(&s) % 64;
    }
    float s = 1.5f;
    uint32_t n = 12;
    memcpy(k->params + 32, &s, 4);
    memcpy(k->params + 36, &n, 4);
    kit_finish(k, 1, THREADS);
}

/* Both texts leave the same memory. */
static void same_memory(const char *one, const char *two, uint32_t seed) {
    uint32_t kept[3][WORDS * THREADS];
    struct kit k;
    run_text(&k, one, seed);
    for (int i = 0; i < 3; i++)
        memcpy(kept[i], buffers[i], sizeof kept[i]);
    kit_close(&k);
    run_text(&k, two, seed);
    for (int i = 0; i < 3; i++)
        for (int w = 0; w < WORDS * THREADS; w++)
            if (kept[i][w] != buffers[i][w])
                fail_msg("CHAIN_SEED=%u: buffer %d, word %d is %u, was %u\n%s"
                         "--- rewritten\n%s",
                         seed, i, w, buffers[i][w], kept[i][w], one, two);
    kit_close(&k);
}

static int word(uint32_t *s) {
    return 4 * random_below(s, WORDS);
}

/* A load, g or f or h or a store. */
static void random_step(struct text *t, uint32_t *s, int step, bool guards) {
    static const char *const ops[] = {"add.s32", "sub.s32", "mul.lo.s32",
                                      "min.s32", "xor.b32", "and.b32"};
    int d =
        step % 12; /* mostly what was just made, so that chains come about */
    int r = (step + 11 - random_below(s, 3)) % 12;
    int q = (step + 11 - random_below(s, random_below(s, 2) ? 12 : 2)) % 12;
    char base = "abc"[random_below(s, 3)];
    if (guards && random_below(s, 8))
        text_add(t, "@%p1 ");
    else if (random_below(s, 9) == 0)
        text_printf(t, "@%s%%p%d ", random_below(s, 2) ? "!" : "",
                    random_below(s, 2));
    switch (random_below(s, 14)) {
    case 0:
    case 1:
    case 2:
        text_printf(t, "ld.global.u32 %%r%d, [%%%c+%d];\n", d, base, word(s));
        break;
    case 3:
    case 4:
        text_printf(t, "ld.global.nc.u32 %%r%d, [%%q+%d];\n", d, word(s));
        break;
    case 5:
    case 6:
    case 7:
        text_printf(t, "st.global.u32 [%%%c+%d], %%r%d;\n", base, word(s), r);
        break;
    case 8:
        text_printf(t, "setp.lt.s32 %%p%d, %%r%d, %%n;\n", random_below(s, 2),
                    r);
        break;
    case 9:
        text_printf(t, "mad.lo.s32 %%r%d, %%r%d, %%r%d, %%r%d;\n", d, r, q,
                    random_below(s, 12));
        break;
    case 10:
        text_printf(t, "%s %%r%d, %%r%d, %d;\n", ops[random_below(s, 6)], d, r,
                    random_below(s, 9));
        break;
    case 11: /* another value of the same base, in the slice or the next */
        text_printf(t, "and.b32 %%r%d, %%r%d, 4;\n", d, r);
        break;
    default:
        text_printf(t, "%s %%r%d, %%r%d, %%r%d;\n", ops[random_below(s, 6)], d,
                    r, q);
    }
}

/* Of every third seed most instructions have the same guard. */
static void random_body(struct text *t, uint32_t seed) {
    uint32_t s = seed * 2654435761u + 1;
    bool guards = seed % 3 == 0;
    text_add(t, HEAD);
    for (int i = 0; i < 12; i++)
        text_printf(t, "add.s32 %%r%d, %%t, %d;\n", i, i * 5);
    for (int i = 0, n = random_below(&s, 40) + 10; i < n; i++)
        random_step(t, &s, i, guards);
    if (random_below(&s, 2)) { /* a second block */
        text_add(t, "@%p0 bra L;\n");
        for (int i = 0, n = random_below(&s, 20) + 5; i < n; i++)
            random_step(t, &s, i, guards);
        text_add(t, "L:\n");
    }
    for (int i = 0; i < 8; i++)
        text_printf(t, "xor.b32 %%r%d, %%r%d, %%r%d;\n", i, i, i + 4);
    for (int i = 0; i < 8; i++)
        text_printf(t, "st.global.u32 [%%a+%d], %%r%d;\n", 4 * i, i);
    text_add(t, "ret;\n}\n");
}

/* Counts of what the random bodies held. */
struct random_counts {
    int chains, guarded, split, guarded_split;
};

static void count_random(const struct fixture *t, struct random_counts *n) {
    for (int i = 0; i < t->chains.n; i++) {
        const struct ptx_chain *c = &t->chains.list[i];
        bool guarded = t->chains.function->instructions[c->pcs[0]].guard;
        n->chains++;
        n->guarded += guarded;
        n->split += c->split;
        n->guarded_split += guarded && c->split;
    }
}

static void one_random(uint32_t seed, struct random_counts *n) {
    struct text text = {0};
    struct fixture t;
    random_body(&text, seed);
    open_text(&t, text_str(&text), false);
    count_random(&t, n);
    same_memory(text_str(&text), rewritten(&t), seed);
    expect_same_chains(&t, rewritten(&t), false);
    done(&t);
    text_free(&text);
}

static void test_random(void **state) {
    (void)state;
    const char *only = getenv("CHAIN_SEED");
    struct random_counts n = {0};
    if (only) {
        one_random((uint32_t)strtoul(only, NULL, 10), &n);
        return;
    }
    for (uint32_t seed = 0; seed < 3000; seed++)
        one_random(seed, &n);
    if (n.chains < 1200 || n.guarded < 300 || n.split < 20 ||
        n.guarded_split < 5)
        fail_msg(
            "only %d chains, %d guarded, %d split, %d both, in 3000 bodies",
            n.chains, n.guarded, n.split, n.guarded_split);
}

/* Chains as compilers write them; the last takes --split-fma. */
static const char *const statements[] = {
    "ld.global.nc.u32 %%r%d, [%%q+%d];\nld.global.nc.u32 %%r%d, [%%q+4];\n"
    "add.s64 %%d1, %%c, %d;\nsub.s32 %%r9, %%r%d, %%r%d;\n"
    "st.global.u32 [%%d1], %%r9;\n",
    "ld.global.nc.u32 %%r%d, [%%q+%d];\nld.global.u32 %%r%d, [%%b];\n"
    "add.s64 %%d2, %%c, %d;\nmad.lo.s32 %%r10, %%r%d, 3, %%r%d;\n"
    "st.global.u32 [%%d2], %%r10;\n",
    "ld.global.u32 %%r%d, [%%b+%d];\nld.global.nc.u32 %%r%d, [%%q+4];\n"
    "add.s64 %%d3, %%a, %d;\nmad.lo.s32 %%r11, %%r%d, %%r%d, %%r11;\n"
    "st.global.u32 [%%d3], %%r11;\n",
    "ld.global.f32 %%f%d, [%%b+%d];\nld.global.nc.f32 %%f%d, [%%q+4];\n"
    "add.s64 %%d4, %%a, %d;\nfma.rn.f32 %%f11, %%f%d, %%f%d, %%f11;\n"
    "st.global.f32 [%%d4], %%f11;\n"};

/* Every line under one guard, which holds for some of the threads. */
static void add_guards(struct text *body) {
    struct text out = {0};
    text_add(&out, "setp.lt.u32 %p1, %t, 37;\n@%p1 ");
    for (const char *s = text_str(body); *s; s++) {
        text_addc(&out, *s);
        if (*s == '\n' && s[1])
            text_add(&out, "@%p1 ");
    }
    text_free(body);
    *body = out;
}

static void dense(uint32_t seed, bool guards, bool split, int *patterns) {
    uint32_t s = seed * 2654435761u + 1;
    struct text body = {0};
    struct fixture t;
    for (int i = 0; i < 6; i++) {
        int x = random_below(&s, 4), y = 4 + random_below(&s, 4);
        text_printf(&body, statements[random_below(&s, split ? 4 : 3)], x,
                    word(&s), y, word(&s), x, y);
    }
    if (guards)
        add_guards(&body);
    fixture(&t, text_str(&body), split);
    if (t.chains.n != 6)
        fail_msg("%d chains, expected 6 in\n%s", t.chains.n, text_str(&body));
    for (int i = 0; i < t.chains.n; i++)
        patterns[t.chains.list[i].pattern]++;
    expect_same_chains(&t, rewritten(&t), split);
    expect_same_chains(&t, rewritten(&t), false);
    same_memory(t.text.data, rewritten(&t), seed);
    done(&t);
    text_free(&body);
}

/* Dense streams of chains, every pattern among them; found again in the text
 * that was rewritten, under a guard and without, with multiply-adds of f32
 * split and not. */
static void test_dense(void **state) {
    (void)state;
    int patterns[PTX_CHAIN_PATTERNS + 1] = {0};
    for (uint32_t seed = 1; seed < 60; seed++)
        for (int mode = 0; mode < 4; mode++)
            dense(seed, mode & 1, mode & 2, patterns);
    assert_true(patterns[1] && patterns[2] && patterns[9]);
}

/* Shares over a stream: known counts of a known kernel. */
static void test_share(void **state) {
    (void)state;
    struct text text = {0};
    struct kit k;
    struct stream_event e;
    text_printf(&text, "%s%s", HEAD,
                LD_A LD_B "add.f32 %f3, %f1, %f2;\n" ST_C
                          "ld.global.f32 %f4, [%q];\nld.global.f32 %f5, [%q+4];"
                          "\nfma.rn.f32 %f6, %f4, %f5, %f6;\n"
                          "st.shared.f32 [sh], %f6;\nret;\n}\n");
    kit_open(&k, text_str(&text), NULL);
    for (int i = 0; i < 4; i++)
        kit_buffer(&k, "b", 4 * WORDS * THREADS);
    for (int split = 0; split < 2; split++) {
        struct chain_share *s = chain_share_create(k.module, split == 1);
        struct exec_launch l = {.kernel = kit_entry(&k),
                                .grid = {1, 1, 1},
                                .block = {THREADS, 1, 1},
                                .params = k.params};
        assert_true(exec_begin(k.exec, &l, &k.diag));
        while (exec_step(k.exec, &e) == EXEC_RUNNING)
            chain_share_add(s, &e);
        const struct chain_share_count *all = chain_share_total(s);
        const struct chain_share_count *in = chain_share_pattern(s, 0);
        /* 12 + 8 + ret, and the sum of the fma; two warps; a lane every 32
         * bytes makes 8 lines an access */
        assert_int_equal(all->instructions, 2 * (21 + split));
        assert_int_equal(all->accesses, 2 * 5);
        assert_int_equal(all->all_accesses, 2 * (6 + 5 + 1));
        assert_int_equal(all->requests, 2 * 5 * 8);
        assert_int_equal(in->instructions, 2 * (split ? 7 : 4));
        assert_int_equal(in->requests, 2 * (split ? 5 : 3) * 8);
        assert_int_equal(in->chains, 2 * (split ? 2 : 1));
        assert_int_equal(chain_share_pattern(s, 2)->chains, split ? 2 : 0);
        assert_int_equal(chain_share_static(s, 0), split ? 2 : 1);
        chain_share_free(s);
    }
    kit_close(&k);
    text_free(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),  cmocka_unit_test(test_details),
        cmocka_unit_test(test_split),     cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_constants), cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_aliasing),  cmocka_unit_test(test_carry),
        cmocka_unit_test(test_hoisting),  cmocka_unit_test(test_one_line),
        cmocka_unit_test(test_choice),    cmocka_unit_test(test_random),
        cmocka_unit_test(test_dense),     cmocka_unit_test(test_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

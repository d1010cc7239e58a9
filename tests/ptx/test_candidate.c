/* test_candidate.c - TOM's static candidate selection.
 *
 * The paper's numbers, each rule and each exclusion by hand-written PTX;
 * conditions against loops that are counted by running them; and random kernels
 * whose candidates are checked against a slow twin that knows instructions
 * only: its own control flow, liveness within the region, and sums.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "iface/design.h"
#include "papers/tom/entry.h"
#include "ptx_random.h"

#include <stdlib.h>
#include <string.h>

struct fixture {
    struct random_ptx x;
    struct ptx_analysis *a;
    struct ptx_candidates c;
};

static void find(struct fixture *t, const struct ptx_candidate_options *o) {
    struct ptx_candidate_options defaults = ptx_candidate_defaults();
    t->a = ptx_analyse(&t->x.arena, t->x.f);
    ptx_candidates_find(&t->x.arena, t->a, o ? o : &defaults, &t->c);
}

static void read_text(struct fixture *t) {
    t->x.source = (struct source){"t.ptx", t->x.text.data, t->x.text.len};
    struct ptx_module *m = ptx_read(&t->x.arena, &t->x.source, &t->x.diag);
    if (t->x.diag.errors)
        fail_msg("%s\n%s", diag_captured(&t->x.diag), t->x.text.data);
    t->x.f = m->functions[m->n_functions - 1];
}

static void fixture_with(struct fixture *t, const char *body,
                         const struct ptx_candidate_options *o) {
    *t = (struct fixture){0};
    text_printf(&t->x.text,
                ".version 7.7\n.target sm_52\n.address_size 64\n"
                ".func g() { ret; }\n"
                ".entry k(.param .u64 n) {\n"
                ".reg .pred %%p<9>; .reg .b32 %%r<40>; .reg .b64 %%d<9>;\n"
                ".reg .f32 %%f<9>; .shared .b32 s[64];\n%s}\n",
                body);
    read_text(t);
    find(t, o);
}

static void fixture(struct fixture *t, const char *body) {
    fixture_with(t, body, NULL);
}

static void done(struct fixture *t) {
    random_free(&t->x);
}

static void is_list(const struct fixture *t, const int *list, int n,
                    const char *want) {
    struct text got = {0};
    for (int i = 0; i < n; i++)
        text_printf(&got, "%s%s", i ? " " : "",
                    t->x.f->registers[list[i]]->name);
    assert_string_equal(text_str(&got), want);
    text_free(&got);
}

/* ------------------------------------------------------ the paper's example */

/* TOM, Figure 4: five live-in registers, one load, one store, as 32-bit code:
 * L, L_b, v delta, delta and the count.  START sets the counter and COUNT is
 * what it is compared with. */
#define LIBOR(START, COUNT)                                                    \
    START "L:\n"                                                               \
          "ld.global.f32 %f1, [%r1];\n"                                        \
          "fma.rn.f32 %f2, %f1, %f7, 0f3F800000;\n"                            \
          "div.rn.f32 %f3, %f8, %f2;\n"                                        \
          "st.global.f32 [%r2], %f3;\n"                                        \
          "add.s32 %r1, %r1, 4;\n"                                             \
          "add.s32 %r2, %r2, 4;\n"                                             \
          "add.s32 %r3, %r3, 1;\n"                                             \
          "setp.lt.s32 %p1, %r3, " COUNT ";\n"                                 \
          "@%p1 bra L;\n"                                                      \
          "ret;\n"

static void test_libor(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, LIBOR("mov.u32 %r3, 0;\n", "%r4"));
    assert_int_equal(t.c.scale, 4);
    assert_int_equal(t.c.n, 1);
    const struct ptx_candidate *c = &t.c.list[0];
    assert_int_equal(c->begin_pc, 0);
    assert_int_equal(c->end_pc, 10);
    is_list(&t, c->in, c->n_in, "%r1 %f7 %f8 %r2 %r4");
    assert_int_equal(c->words_in, 5);
    assert_int_equal(c->n_out, 0);
    /* +110.25 with a count of one: 126.5 on TX, -16.25 on RX */
    assert_int_equal(c->once_tx, 4 * 126 + 2);
    assert_int_equal(c->once_rx, -(4 * 16 + 1));
    assert_int_equal(c->once_tx + c->once_rx, 4 * 110 + 1);
    /* -39 with four, so four or more */
    assert_int_equal(c->bw_tx + c->bw_rx, -4 * 39);
    assert_int_equal(c->saving, 4 * 39);
    assert_int_equal(c->trip_count, 4);
    assert_int_equal(c->trip_kind, PTX_TRIP_ENTRY);
    assert_int_equal(c->loads, 4);
    assert_int_equal(c->stores, 4);
    assert_int_equal(c->tag, PTX_TAG_RX);
    assert_string_equal(t.x.f->registers[c->condition.reg]->name, "%r4");
    assert_int_equal(c->condition.compare, PTX_COMPARE_GE);
    assert_int_equal(c->condition.threshold, 4);
    assert_true(c->condition.is_signed);
    assert_false(c->starts_with_memory);
    assert_int_equal(c->first_memory_pc, 1);
    done(&t);
}

/* The same loop with counts that are constants: three does not pay (+10.75),
 * four does. */
static void test_libor_static(void **state) {
    (void)state;
    struct fixture t;
    /* the add keeps the constant start of the counter out of the region, so
     * that the counter is the fifth live-in, in place of the count */
    fixture(&t, LIBOR("mov.u32 %r3, 0;\nadd.s32 %r1, %r1, %r5;\n", "3"));
    assert_int_equal(t.c.n, 0);
    assert_int_equal(t.c.misses[0].bw_tx + t.c.misses[0].bw_rx, 4 * 10 + 3);
    assert_string_equal(t.c.misses[0].reason, "does not pay");
    assert_true(t.c.misses[0].counted);
    done(&t);
    fixture(&t, LIBOR("mov.u32 %r3, 0;\nadd.s32 %r1, %r1, %r5;\n", "4"));
    assert_int_equal(t.c.n, 1);
    const struct ptx_candidate *c = &t.c.list[0];
    assert_int_equal(c->trip_kind, PTX_TRIP_STATIC);
    assert_int_equal(c->trip_count, 4);
    assert_int_equal(c->condition.reg, -1);
    assert_int_equal(c->loads, 4);
    assert_int_equal(c->words_in, 5);
    assert_int_equal(c->bw_tx + c->bw_rx, -4 * 39);
    assert_int_equal(c->once_tx + c->once_rx, 4 * 110 + 1);
    done(&t);
}

/* A count that only the data knows is one: the loop must pay by its body. */
static void test_unknown_count(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "L: ld.global.u32 %r1, [%r1];\n"
                "st.global.u32 [%r1+4], %r2;\nst.global.u32 [%r1+8], %r2;\n"
                "st.global.u32 [%r1+12], %r2;\n"
                "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\nret;\n");
    assert_int_equal(t.c.n, 1);
    const struct ptx_candidate *c = &t.c.list[0];
    assert_int_equal(c->end_pc, 6);
    assert_int_equal(c->trip_kind, PTX_TRIP_UNKNOWN);
    assert_int_equal(c->trip_count, 1);
    assert_int_equal(c->condition.reg, -1);
    assert_int_equal(c->stores, 3);
    assert_true(c->starts_with_memory);
    /* 64 - 0.5 - 99 on TX, -16 - 0.75 on RX */
    assert_int_equal(c->bw_tx, 4 * 64 - 2 - 4 * 99);
    assert_int_equal(c->bw_rx, -64 - 3);
    assert_int_equal(c->tag, PTX_TAG_TX | PTX_TAG_RX);
    done(&t);
}

/* Two registers decide the count: it counts as one, and the loop is named. */
static void test_two_registers(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, LIBOR("", "%r4"));
    assert_int_equal(t.c.n, 0);
    bool found = false;
    for (int i = 0; i < t.c.n_misses; i++)
        found |= strcmp(t.c.misses[i].reason,
                        "trip count depends on two registers") == 0 &&
                 t.c.misses[i].begin_pc == 0 && t.c.misses[i].end_pc == 9;
    assert_true(found);
    done(&t);
}

/* ---------------------------------------------------------------- counting */

/* 64 bits count two, a predicate one; or each name one. */
static void test_register_counts(void **state) {
    (void)state;
    static const char body[] =
        "mov.u64 %d1, 0;\nmembar.gl;\n"
        "@%p2 st.global.u32 [%d2], %r2;\nst.global.u32 [%d2+4], %r2;\n"
        "st.global.u32 [%d2+8], %r2;\nst.global.u32 [%d2+12], %r2;\n"
        "st.global.u32 [%d2+12], %r2;\nadd.s64 %d3, %d2, 8;\n"
        "membar.gl;\nst.global.u64 [%d3], %d1;\nret;\n";
    struct ptx_candidate_options names = ptx_candidate_defaults();
    struct fixture t;
    names.count = PTX_COUNT_NAMES;
    fixture(&t, body);
    assert_int_equal(t.c.n, 1);
    is_list(&t, t.c.list[0].in, t.c.list[0].n_in, "%p2 %d2 %r2");
    assert_int_equal(t.c.list[0].words_in, 4);
    assert_int_equal(t.c.list[0].words_out, 0); /* ends before the add */
    assert_int_equal(t.c.list[0].bw_tx, 4 * 4 * 32 - 4 * 5 * 33);
    assert_int_equal(t.c.list[0].bw_rx, -5);
    done(&t);
    fixture_with(&t, body, &names);
    assert_int_equal(t.c.list[0].words_in, 3);
    assert_int_equal(t.c.list[0].bw_tx, 4 * 3 * 32 - 4 * 5 * 33);
    done(&t);
}

/* Wide accesses and vectors count their words, narrow ones one; constants and
 * parameters none. */
static void test_access_words(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%d1];\n"
                "ld.global.u64 %d2, [%d1];\nld.global.nc.u8 %r1, [%d1];\n"
                "ldu.global.u32 %r1, [%d1];\nld.param.u64 %d3, [n];\n"
                "st.global.v2.u32 [%d1], {%r1, %r2};\n"
                "st.global.u16 [%d1], %r1;\nld.shared.u32 %r1, [%r2];\n"
                "ld.u32 %r1, [%d1];\nret;\n");
    static const int loads[] = {4, 2, 1, 1, 0, 0, 0, 0, 0, 0};
    static const int stores[] = {0, 0, 0, 0, 0, 2, 1, 0, 0, 0};
    for (int pc = 0; pc < t.x.f->n_instructions; pc++) {
        assert_int_equal(ptx_load_words(&t.x.f->instructions[pc]), loads[pc]);
        assert_int_equal(ptx_store_words(&t.x.f->instructions[pc]), stores[pc]);
    }
    done(&t);
}

/* Other ratios: exact in the smallest scale that holds them. */
static void test_ratios(void **state) {
    (void)state;
    struct ptx_candidate_options o = {
        .miss = {1, 3}, .coal_ld = {2, 1}, .coal_st = {5, 1}};
    struct fixture t;
    fixture_with(&t, LIBOR("mov.u32 %r3, 0;\n", "%r4"), &o);
    assert_int_equal(t.c.scale, 12);
    const struct ptx_candidate *c = &t.c.list[0];
    /* 160 - 2/3 - 37 and -(64/3 + 5/4) */
    assert_int_equal(c->once_tx, 12 * 160 - 8 - 12 * 37);
    assert_int_equal(c->once_rx, -(4 * 64 + 15));
    /* 122.33 - 22.58, and 60.25 for each iteration more */
    assert_int_equal(c->trip_count, 3);
    done(&t);
    o.miss = (struct ptx_ratio){0, 1};
    fixture_with(&t, LIBOR("mov.u32 %r3, 0;\n", "%r4"), &o);
    assert_int_equal(t.c.list[0].once_rx, -5);
    assert_int_equal(t.c.scale, 4);
    done(&t);
}

/* -------------------------------------------------------------- exclusions */

#define STORES                                                                 \
    "st.global.u32 [%d2], %r2;\nst.global.u32 [%d2+4], %r2;\n"                 \
    "st.global.u32 [%d2+8], %r2;\nst.global.u32 [%d2+12], %r2;\n"              \
    "st.global.u32 [%d2+16], %r2;\n"

static void test_exclusions(void **state) {
    (void)state;
    static const struct {
        const char *code, *reason;
    } cases[] = {
        {"ld.shared.u32 %r9, [s];", "shared memory access"},
        {"st.shared.u32 [s], %r9;", "shared memory access"},
        {"bar.sync 0;", "barrier"},
        {"bar.warp.sync -1;", "barrier"},
        {"membar.gl;", "memory fence"},
        {"fence.acq_rel.gpu;", "memory fence"},
        {"atom.global.add.u32 %r9, [%d2], 1;", "atomic"},
        {"red.global.add.u32 [%d2], 1;", "atomic"},
        {"call g;", "call"},
        {"@%p1 ret;", "leaves the function"},
        {"@%p1 exit;", "leaves the function"},
        {"@%p1 trap;", "leaves the function"},
        {"ld.local.u32 %r9, [%d2];", "local memory access"},
        {"ld.u32 %r9, [%d2];", "generic address, perhaps of shared memory"},
        {"ld.volatile.global.u32 %r9, [%d2];", "ordered memory access"},
        {"ld.acquire.gpu.global.u32 %r9, [%d2];", "ordered memory access"},
        {"prefetch.global.L1 [%d2];",
         "memory instruction that is no plain load or store"},
        {"suld.b.1d.b32.trap %r9, [%d1, {%r8}];", "texture or surface access"},
        {"mov.u32 %r9, %tid.x;",
         "reads a special register that the request does not carry"},
        {"mov.u32 %r9, %ctaid.y;",
         "reads a special register that the request does not carry"},
        {"frobnicate.u32 %r9, %r8;", "instruction that is not known"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text body = {0};
        struct fixture t;
        text_printf(&body, "%s%s\n%sret;\n", STORES, cases[i].code, STORES);
        fixture(&t, text_str(&body));
        const char *why = ptx_never_offloaded(&t.x.f->instructions[5]);
        assert_non_null(why);
        assert_string_equal(why, cases[i].reason);
        assert_int_equal(t.c.n, 2);
        assert_int_equal(t.c.list[0].begin_pc, 0);
        assert_int_equal(t.c.list[0].end_pc, 5);
        assert_int_equal(t.c.list[1].begin_pc, 6);
        assert_int_equal(t.c.list[1].end_pc, 11);
        done(&t);
        text_free(&body);
    }
}

/* What may stand inside: one candidate over all of it. */
static void test_inclusions(void **state) {
    (void)state;
    static const char *const cases[] = {
        "mov.u32 %r9, %ntid.x;",
        "mov.u32 %r9, %laneid;",
        "ld.param.u64 %d4, [n];",
        "ld.weak.global.u32 %r9, [%d2];",
        "shfl.sync.idx.b32 %r9, %r2, 0, 31, -1;",
        "div.rn.f32 %f1, 0f3F800000, 0f40000000;",
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text body = {0};
        struct fixture t;
        text_printf(&body, "%s%s\n%sret;\n", STORES, cases[i], STORES);
        fixture(&t, text_str(&body));
        assert_null(ptx_never_offloaded(&t.x.f->instructions[5]));
        assert_int_equal(t.c.n, 1);
        assert_int_equal(t.c.list[0].begin_pc, 0);
        assert_int_equal(t.c.list[0].end_pc, 11);
        done(&t);
        text_free(&body);
    }
}

/* ------------------------------------------------------------ control flow */

/* Divergence that meets again inside is part of the block. */
static void test_divergence_inside(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, STORES "@%p1 bra E;\n" STORES "bra J;\nE:\n" STORES
                       "J:\n" STORES "ret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].begin_pc, 0);
    assert_int_equal(t.c.list[0].end_pc, 22);
    assert_int_equal(t.c.list[0].stores, 20);
    is_list(&t, t.c.list[0].in, t.c.list[0].n_in, "%d2 %r2 %p1");
    done(&t);
}

/* A way out past the end: what lies before and what lies behind, apart. */
static void test_leaving(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t,
            STORES "@%p1 bra E;\n" STORES "membar.gl;\n" STORES "E: ret;\n");
    assert_int_equal(t.c.n, 3);
    assert_int_equal(t.c.list[0].end_pc, 5);
    assert_int_equal(t.c.list[1].begin_pc, 6);
    assert_int_equal(t.c.list[1].end_pc, 11);
    assert_int_equal(t.c.list[2].begin_pc, 12);
    assert_int_equal(t.c.list[2].end_pc, 17);
    done(&t);
}

/* A branch to behind the last instruction leaves the function. */
static void test_falling_off(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, STORES "@%p1 bra E;\n" STORES "mov.u32 %r1, 0;\nE:\n");
    assert_int_equal(t.c.n, 2);
    assert_int_equal(t.c.list[0].end_pc, 5);
    assert_int_equal(t.c.list[1].begin_pc, 6);
    assert_int_equal(t.c.list[1].end_pc, 11);
    done(&t);
}

/* A way in past the begin: the region ends before it or begins there. */
static void test_entering(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "@%p1 bra J;\nmembar.gl;\n" STORES "J:\n" STORES "ret;\n");
    assert_int_equal(t.c.n, 2);
    assert_int_equal(t.c.list[0].begin_pc, 2);
    assert_int_equal(t.c.list[0].end_pc, 7);
    assert_int_equal(t.c.list[1].begin_pc, 7);
    assert_int_equal(t.c.list[1].end_pc, 12);
    done(&t);
}

/* A register that some lanes leave as it is must travel there to come back. */
static void test_partly_written(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "mov.u32 %r9, 7;\nmembar.gl;\n" STORES STORES
                "@%p1 ld.global.u32 %r9, [%d2];\nmembar.gl;\n"
                "st.global.u32 [%d1], %r9;\nret;\n");
    assert_int_equal(t.c.n, 1);
    const struct ptx_candidate *c = &t.c.list[0];
    assert_int_equal(c->end_pc, 12); /* a word each way for half a line */
    done(&t);
    fixture(&t, "mov.u32 %r9, 7;\nmembar.gl;\n" STORES
                "@%p1 ld.global.u32 %r9, [%d2];\n" STORES
                "membar.gl;\nst.global.u32 [%d1], %r9;\nret;\n");
    assert_int_equal(t.c.n, 1);
    c = &t.c.list[0];
    assert_int_equal(c->begin_pc, 2);
    assert_int_equal(c->end_pc, 13);
    is_list(&t, c->in, c->n_in, "%r9 %d2 %r2 %p1");
    is_list(&t, c->out, c->n_out, "%r9");
    done(&t);
}

/* --------------------------------------------------------------- conditions */

/* A loop as compilers write it: the counter from start in steps, the work, the
 * test of counter <relation> bound; or the test first. */
struct counting {
    const char *relation, *type;
    int start, bound; /* REG: from a register */
    int step;
    bool tests_first;
};
enum { REG = 1 << 20, MOST = 200 };

static void loop_text(const struct counting *l, struct text *t) {
    char bound[16] = "%r5";
    if (l->bound != REG)
        snprintf(bound, sizeof bound, "%d", l->bound);
    if (l->start != REG)
        text_printf(t, "mov.u32 %%r3, %d;\n", l->start);
    else
        text_add(t, "membar.gl;\n");
    text_add(t, "L:\n");
    if (l->tests_first)
        text_printf(t, "setp.%s.%s %%p1, %%r3, %s;\n@!%%p1 bra E;\n",
                    l->relation, l->type, bound);
    text_add(t, "ld.global.u32 %r9, [%d1];\nst.global.u32 [%d1], %r9;\n");
    text_printf(t, "add.s32 %%r3, %%r3, %d;\n", l->step);
    if (l->tests_first)
        text_add(t, "bra L;\nE: membar.gl;\nret;\n");
    else
        text_printf(t,
                    "setp.%s.%s %%p1, %%r3, %s;\n@%%p1 bra L;\nmembar.gl;\n"
                    "ret;\n",
                    l->relation, l->type, bound);
}

static bool holds(const struct counting *l, uint32_t x, uint32_t y) {
    bool sign = l->type[0] == 's';
    int64_t a = sign ? (int64_t)(int32_t)x : (int64_t)x;
    int64_t b = sign ? (int64_t)(int32_t)y : (int64_t)y;
    switch (l->relation[0]) {
    case 'l':
        return l->relation[1] == 't' ? a < b : a <= b;
    case 'g':
        return l->relation[1] == 't' ? a > b : a >= b;
    default:
        return a != b;
    }
}

/* How often the body runs, up to MOST. */
static int run_loop(const struct counting *l, uint32_t value) {
    uint32_t x = l->start == REG ? value : (uint32_t)l->start;
    uint32_t bound = l->bound == REG ? value : (uint32_t)l->bound;
    int n = 0;
    if (l->tests_first && !holds(l, x, bound))
        return 0;
    do {
        n++;
        x += (uint32_t)l->step;
    } while (n < MOST && holds(l, x, bound));
    return n;
}

static bool met(const struct ptx_condition *c, uint32_t value) {
    int64_t v = c->is_signed ? (int64_t)(int32_t)value : (int64_t)value;
    int64_t t =
        c->is_signed ? (int64_t)(int32_t)c->threshold : (int64_t)c->threshold;
    return c->compare == PTX_COMPARE_GE ? v >= t : v <= t;
}

/* The condition says exactly when the loop runs as often as pays. */
static void test_conditions(void **state) {
    (void)state;
    static const struct counting loops[] = {
        {"lt", "s32", 0, REG, 1, false},    {"lt", "s32", 0, REG, 1, true},
        {"le", "s32", 0, REG, 1, false},    {"lt", "u32", 0, REG, 1, false},
        {"lt", "s32", -7, REG, 3, false},   {"le", "s32", 5, REG, 4, true},
        {"gt", "s32", 100, REG, -1, false}, {"ge", "s32", 100, REG, -3, false},
        {"gt", "u32", 100, REG, -2, true},  {"lt", "s32", REG, 64, 1, false},
        {"le", "s32", REG, 64, 5, true},    {"gt", "s32", REG, 0, -1, false},
        {"ge", "s32", REG, -9, -4, true},   {"lt", "u32", REG, 64, 1, false},
        {"ge", "u32", REG, 7, -2, true},    {"lt", "u32", REG, 64, 7, true},
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct text body = {0};
        struct fixture t;
        loop_text(&loops[i], &body);
        fixture(&t, text_str(&body));
        assert_int_equal(t.c.n, 1);
        const struct ptx_candidate *c = &t.c.list[0];
        assert_true(c->condition.reg >= 0);
        assert_int_equal(c->condition.is_signed, loops[i].type[0] == 's');
        assert_true(c->trip_count > 1);
        assert_string_equal(t.x.f->registers[c->condition.reg]->name,
                            loops[i].start == REG ? "%r3" : "%r5");
        bool sign = loops[i].type[0] == 's';
        for (int v = sign ? -150 : 8; v <= 150; v++) {
            bool want = run_loop(&loops[i], (uint32_t)v) >= c->trip_count;
            if (met(&c->condition, (uint32_t)v) != want)
                fail_msg("loop %d: register %d, condition %d, count %d", (int)i,
                         v, !want, run_loop(&loops[i], (uint32_t)v));
        }
        /* the count is the smallest that pays */
        int64_t each = (c->once_tx + c->once_rx - c->bw_tx - c->bw_rx) /
                       (c->trip_count - 1);
        assert_true(c->bw_tx + c->bw_rx < 0);
        assert_true(c->bw_tx + c->bw_rx + each >= 0);
        done(&t);
        text_free(&body);
    }
}

/* "Not equal" runs past the bound if the step misses it; for values that it
 * does meet the condition is exact. */
static void test_condition_not_equal(void **state) {
    (void)state;
    static const struct counting loops[] = {
        {"ne", "s32", REG, 0, -1, false}, {"ne", "u32", REG, 0, -4, false},
        {"ne", "s32", 0, REG, 1, false},  {"ne", "s32", 8, REG, 4, true},
        {"ne", "b32", REG, 0, -1, false},
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct text body = {0};
        struct fixture t;
        int step = abs(loops[i].step);
        loop_text(&loops[i], &body);
        fixture(&t, text_str(&body));
        assert_int_equal(t.c.n, 1);
        const struct ptx_candidate *c = &t.c.list[0];
        int first = loops[i].tests_first ? 8 : 8 + step;
        for (int v = first; v <= 120; v += step)
            assert_int_equal(met(&c->condition, (uint32_t)v),
                             run_loop(&loops[i], (uint32_t)v) >= c->trip_count);
        done(&t);
        text_free(&body);
    }
}

/* A loop that pays as soon as it runs, but may not run at all. */
static void test_condition_of_one(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "mov.u32 %r3, 0;\nL: setp.ge.s32 %p1, %r3, %r4;\n"
                "@%p1 bra E;\n" STORES "add.s32 %r3, %r3, 1;\nbra L;\n"
                "E: ret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].trip_count, 1);
    assert_string_equal(t.x.f->registers[t.c.list[0].condition.reg]->name,
                        "%r4");
    assert_int_equal(t.c.list[0].condition.threshold, 1);
    done(&t);
    /* tested behind the body, it runs once at least: no condition */
    fixture(&t, "mov.u32 %r3, 0;\nL:\n" STORES "add.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p1, %r3, %r4;\n@%p1 bra L;\nret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].condition.reg, -1);
    assert_int_equal(t.c.list[0].trip_kind, PTX_TRIP_ENTRY);
    done(&t);
}

/* No single register of 32 bits says it. */
static void test_no_condition(void **state) {
    (void)state;
    static const struct {
        const char *start, *bound, *why;
    } cases[] = {
        {"mov.u32 %r3, 0;\n", "%ntid.x",
         "trip count depends on a special register"},
        {"", "%r4", "trip count depends on two registers"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text body = {0};
        struct fixture t;
        bool found = false;
        text_printf(&body,
                    "%sL: ld.global.f32 %%f1, [%%d1];\n"
                    "st.global.f32 [%%d1], %%f1;\n"
                    "add.s32 %%r3, %%r3, 1;\nsetp.lt.s32 %%p1, %%r3, %s;\n"
                    "@%%p1 bra L;\nret;\n",
                    cases[i].start, cases[i].bound);
        fixture(&t, text_str(&body));
        assert_int_equal(t.c.n, 0);
        for (int k = 0; k < t.c.n_misses; k++)
            found |= strcmp(t.c.misses[k].reason, cases[i].why) == 0;
        assert_true(found);
        done(&t);
        text_free(&body);
    }
}

/* Counts for which no 32-bit threshold stands. */
static void test_no_threshold(void **state) {
    (void)state;
    static const struct {
        const char *start, *step, *test;
    } cases[] = {
        {"mov.u32 %r3, 2147483560;\n", "add.s32 %r3, %r3, 40;\n",
         "setp.lt.s32 %p1, %r3, %r4;\n"},
        {"mov.u32 %r3, 4294967200;\n", "add.s32 %r3, %r3, 80;\n",
         "setp.lt.u32 %p1, %r3, %r4;\n"},
        {"mov.u32 %r3, 3;\n", "add.s32 %r3, %r3, -2;\n",
         "setp.gt.u32 %p1, %r3, %r4;\n"},
        /* from a register: below 5 it would wrap round before the test */
        {"membar.gl;\n", "add.s32 %r3, %r3, 1;\nadd.s32 %r6, %r3, -5;\n",
         "setp.lt.u32 %p1, %r6, 64;\n"},
        /* a step that leads away from the bound */
        {"mov.u32 %r3, 0;\n", "add.s32 %r3, %r3, -1;\n",
         "setp.lt.s32 %p1, %r3, %r4;\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text body = {0};
        struct fixture t;
        text_printf(&body,
                    "%sL: ld.global.u32 %%r9, [%%d1];\n"
                    "st.global.u32 [%%d2], %%r9;\n%s%s@%%p1 bra L;\n"
                    "membar.gl;\nret;\n",
                    cases[i].start, cases[i].step, cases[i].test);
        fixture(&t, text_str(&body));
        assert_int_equal(t.a->loops.loops[0].trip.kind, PTX_TRIP_ENTRY);
        assert_int_equal(t.c.n, 0);
        assert_true(t.c.n_misses > 0);
        done(&t);
        text_free(&body);
    }
}

/* A counter that starts where the last round of an outer loop left it: its
 * value at the begin speaks of the first round only. */
static void test_condition_of_inner_loop(void **state) {
    (void)state;
    struct fixture t;
    fixture(
        &t,
        "membar.gl;\nO: add.s32 %r5, %r5, 1;\nL: ld.global.u32 %r9, [%d1];\n"
        "st.global.u32 [%d1], %r9;\nadd.s32 %r3, %r3, -1;\n"
        "setp.gt.s32 %p1, %r3, 0;\n@%p1 bra L;\n"
        "add.s32 %r4, %r4, %r3;\nsetp.ne.s32 %p1, %r4, %r9;\n"
        "@%p1 bra O;\nret;\n");
    assert_int_equal(t.a->loops.n_loops, 2);
    for (int i = 0; i < t.c.n; i++)
        assert_true(t.c.list[i].condition.reg < 0 || t.c.list[i].end_pc <= 7);
    assert_int_equal(t.c.n, 1);
    done(&t);
}

/* Blocks of a loop with others between them in the text: the trip count
 * multiplies its own only. */
static void test_scattered_loop(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "mov.u32 %r3, 0;\nL: setp.lt.s32 %p1, %r3, 8;\n"
                "@%p1 bra W;\nst.global.u32 [%d1+8], %r2;\nbra E;\n"
                "W: st.global.u32 [%d1], %r2;\nadd.s32 %r3, %r3, 1;\n"
                "bra L;\nE: ret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].end_pc, 8);
    assert_int_equal(t.c.list[0].stores, 9);
    done(&t);
}

/* The register of the condition must stand where the candidate begins: here it
 * is computed just before the loop, so the candidate begins behind that. */
static void test_condition_stands(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "mov.u32 %r3, 0;\nadd.s32 %r4, %r7, %r8;\n"
                "L: ld.global.f32 %f1, [%d1];\nst.global.f32 [%d1], %f1;\n"
                "add.s64 %d1, %d1, 4;\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p1, %r3, %r4;\n@%p1 bra L;\nret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].begin_pc, 2);
    assert_string_equal(t.x.f->registers[t.c.list[0].condition.reg]->name,
                        "%r4");
    done(&t);
}

/* ------------------------------------------------------------------ choice */

/* A block inside a loop that pays too: the loop saves more. */
static void test_loop_contains_block(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "L:\n" STORES "add.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p1, %r3, %r4;\n@%p1 bra L;\nret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].begin_pc, 0);
    assert_int_equal(t.c.list[0].end_pc, 8);
    done(&t);
    /* a barrier in the loop: the block remains */
    fixture(&t, "L:\n" STORES "bar.sync 0;\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p1, %r3, %r4;\n@%p1 bra L;\nret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].begin_pc, 0);
    assert_int_equal(t.c.list[0].end_pc, 5);
    assert_int_equal(t.c.list[0].loop, -1);
    done(&t);
}

/* What costs more than it saves is cut off, what costs nothing is kept. */
static void test_larger_saving_wins(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "add.s32 %r7, %r8, %r9;\n" /* two in, one out */
            STORES "add.s32 %r6, %r2, %r2;\n"
                "st.global.u32 [%d2+20], %r6;\n"
                "membar.gl;\nst.global.u32 [%d1], %r7;\nret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].begin_pc, 1);
    assert_int_equal(t.c.list[0].end_pc, 8);
    assert_int_equal(t.c.list[0].stores, 6);
    done(&t);
}

/* Refused ones: nearest to paying first, then those that are not allowed. */
static void test_misses(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "L: ld.global.u32 %r3, [%d1];\nbar.sync 0;\n"
                "setp.ne.s32 %p1, %r3, 0;\n@%p1 bra L;\n"
                "st.global.u32 [%r4], %r4;\nbar.sync 0;\nret;\n");
    static const struct ptx_miss want[] = {
        {4, 5, true, -4, -1, -1, "does not pay"},
        {0, 1, true, 4 * 64 - 2, 4 * 16, -1, "does not pay"},
        {0, 4, false, 0, 0, 1, "barrier"},
    };
    /* the store alone: 32 - 33 and -0.25, which pays */
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].begin_pc, 4);
    assert_int_equal(t.c.list[0].bw_tx, want[0].bw_tx);
    assert_int_equal(t.c.list[0].bw_rx, want[0].bw_rx);
    assert_int_equal(t.c.n_misses, 2);
    for (int i = 0; i < 2; i++) {
        const struct ptx_miss *m = &t.c.misses[i], *w = &want[i + 1];
        assert_int_equal(m->begin_pc, w->begin_pc);
        assert_int_equal(m->end_pc, w->end_pc);
        assert_int_equal(m->counted, w->counted);
        assert_int_equal(m->pc, w->pc);
        assert_string_equal(m->reason, w->reason);
        if (m->counted) {
            assert_int_equal(m->bw_tx, w->bw_tx);
            assert_int_equal(m->bw_rx, w->bw_rx);
        }
    }
    done(&t);
}

/* Trip counts whose product no 64 bits hold: the sums stay at their limit. */
static void test_huge_counts(void **state) {
    (void)state;
    struct text body = {0};
    struct fixture t;
    for (int i = 3; i < 7; i++)
        text_printf(&body, "mov.u32 %%r%d, 0;\nL%d:\n", i, i);
    text_add(&body, "st.global.u32 [%d1], %r2;\n");
    for (int i = 6; i > 2; i--)
        text_printf(&body,
                    "add.s32 %%r%d, %%r%d, 1;\n"
                    "setp.lt.s32 %%p1, %%r%d, 1000000000;\n@%%p1 bra L%d;\n",
                    i, i, i, i);
    text_add(&body, "ret;\n");
    fixture(&t, text_str(&body));
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].trip_count, 1000000000);
    assert_true(t.c.list[0].saving > (int64_t)1 << 50);
    done(&t);
    text_free(&body);
}

/* Of two that save the same, the longer one. */
static void test_maximal(void **state) {
    (void)state;
    struct fixture t;
    fixture(&t, "mov.u32 %r8, 7;\n" STORES "mov.u32 %r9, 7;\nmembar.gl;\n"
                "ret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].begin_pc, 0);
    assert_int_equal(t.c.list[0].end_pc, 7);
    done(&t);
}

/* Two loops that follow one another stay two candidates, as in Figure 4; two
 * in an outer loop are one. */
static void test_neighbours_and_nests(void **state) {
    (void)state;
#define LOOP(L, C, N)                                                          \
    "mov.u32 " C ", 0;\n" L ":\n" STORES "add.s32 " C ", " C ", 1;\n"          \
    "setp.lt.s32 %p1, " C ", " N ";\n@%p1 bra " L ";\n"
    struct fixture t;
    fixture(&t, LOOP("A", "%r3", "%r4") LOOP("B", "%r5", "%r6") "ret;\n");
    assert_int_equal(t.c.n, 2);
    assert_int_equal(t.c.list[0].end_pc, t.c.list[1].begin_pc);
    done(&t);
    fixture(&t,
            "mov.u32 %r7, 0;\nO:\n" LOOP("A", "%r3", "8")
                LOOP("B", "%r5",
                     "%r6") "add.s32 %r7, %r7, 1;\n"
                            "setp.lt.s32 %p1, %r7, 3;\n@%p1 bra O;\nret;\n");
    assert_int_equal(t.c.n, 1);
    assert_int_equal(t.c.list[0].end_pc, t.x.f->n_instructions - 1);
    assert_int_equal(t.c.list[0].trip_kind, PTX_TRIP_STATIC);
    assert_int_equal(t.c.list[0].trip_count, 3);
    assert_int_equal(t.c.list[0].stores, 3 * (8 * 5 + 5));
    done(&t);
#undef LOOP
}

/* ---------------------------------------------------------- metadata entry */

static uint64_t bits_at(const uint64_t *words, int *at, int n) {
    uint64_t v = 0;
    for (int i = 0; i < n; i++, ++*at)
        v |= (uint64_t)(words[*at / 64] >> *at % 64 & 1) << i;
    return v;
}

static uint64_t bit_of(const struct fixture *t, const char *name) {
    for (int r = 0; r < t->x.f->n_registers; r++)
        if (strcmp(t->x.f->registers[r]->name, name) == 0)
            return (uint64_t)1 << t->a->allocation.physical[r];
    fail_msg("no register %s", name);
    return 0;
}

/* The entry of a candidate, packed; returns how many bits it has. */
static int make_entry(const struct fixture *t, const struct ptx_candidate *c,
                      const struct config *config, uint64_t *words) {
    struct design *d = design_make(&offload_iface, config);
    const struct design_record *r = &d->record[OFFLOAD_REC_entry];
    struct offload_local size = offload_local(config);
    struct offload_entry_fields f;
    int bits = r->bits;
    assert_null(ptx_entry_fill(c, t->x.f, &t->a->allocation, &size, &f));
    record_pack(r, &f, words);
    design_free(d);
    return bits;
}

/* Taken apart by the list of docs/blocks/offload.md, at the paper's sizes. */
static void test_entry(void **state) {
    (void)state;
    struct config config;
    struct fixture t;
    uint64_t words[4];
    int at = 0;
    fixture(&t, LIBOR("mov.u32 %r3, 0;\n", "%r4"));
    config_defaults(&config);
    assert_int_equal(make_entry(&t, &t.c.list[0], &config, words), 246);
    assert_int_equal(bits_at(words, &at, 1), 1); /* valid */
    assert_int_equal(bits_at(words, &at, 1), 0); /* tag_tx */
    assert_int_equal(bits_at(words, &at, 1), 1); /* tag_rx */
    assert_int_equal(bits_at(words, &at, 1), 0); /* mem_first */
    assert_int_equal(bits_at(words, &at, 1), 1); /* cond */
    assert_int_equal(1 << bits_at(words, &at, 6), bit_of(&t, "%r4"));
    assert_int_equal(bits_at(words, &at, 3), 5); /* >= */
    assert_int_equal(bits_at(words, &at, 1), 1); /* signed */
    assert_int_equal(bits_at(words, &at, 32), 4);
    assert_int_equal(bits_at(words, &at, 7), 5);   /* n_in */
    assert_int_equal(bits_at(words, &at, 32), 0);  /* begin_pc */
    assert_int_equal(bits_at(words, &at, 32), 10); /* end_pc */
    assert_int_equal(bits_at(words, &at, 64),
                     bit_of(&t, "%r1") | bit_of(&t, "%f7") | bit_of(&t, "%f8") |
                         bit_of(&t, "%r2") | bit_of(&t, "%r4"));
    assert_int_equal(bits_at(words, &at, 64), 0);
    assert_int_equal(at, 246);
    done(&t);
    /* unconditional, both tags, memory first */
    at = 0;
    fixture(&t, "bar.sync 0;\nst.global.u32 [%d2], %r2;\n"
                "st.global.u32 [%d2], %r2;\nst.global.u32 [%d2], %r2;\n"
                "st.global.u32 [%d2], %r2;\nbar.sync 0;\nret;\n");
    assert_int_equal(t.c.n, 1);
    make_entry(&t, &t.c.list[0], &config, words);
    assert_int_equal(bits_at(words, &at, 47), 0xf); /* no condition: zeros */
    assert_int_equal(bits_at(words, &at, 7), 3);
    at = 118;
    assert_int_equal(bits_at(words, &at, 64),
                     3 * bit_of(&t, "%d2") | bit_of(&t, "%r2"));
    done(&t);
}

/* ------------------------------------------------------------- random twin */

enum { MAX_PC = 700, MAX_REG = 80 };

struct twin {
    const struct ptx_function *f;
    int n, regs;
    int succ[MAX_PC][2], n_succ[MAX_PC];
    bool reached[MAX_PC + 1];
    bool live[MAX_PC + 1][MAX_REG]; /* before each pc */
};

static void twin_edges(struct twin *w) {
    for (int pc = 0; pc < w->n; pc++) {
        const struct ptx_instruction *in = &w->f->instructions[pc];
        enum ptx_opcode op = in->form->op;
        bool leaves = op == PTX_OP_RET || op == PTX_OP_EXIT;
        w->n_succ[pc] = 0;
        if (op == PTX_OP_BRA)
            w->succ[pc][w->n_succ[pc]++] = in->operands[0]->pc;
        if ((!leaves && op != PTX_OP_BRA) || in->guard)
            w->succ[pc][w->n_succ[pc]++] = pc + 1;
    }
}

static void twin_reach(struct twin *w) {
    bool change = true;
    memset(w->reached, 0, sizeof w->reached);
    w->reached[0] = true;
    while (change) {
        change = false;
        for (int pc = 0; pc < w->n; pc++)
            for (int s = 0; w->reached[pc] && s < w->n_succ[pc]; s++) {
                change |= !w->reached[w->succ[pc][s]];
                w->reached[w->succ[pc][s]] = true;
            }
    }
}

/* Backwards over [lo, hi) until nothing changes; live[hi] is given. */
static void twin_flow(struct twin *w, int lo, int hi) {
    bool change = true;
    while (change) {
        change = false;
        for (int pc = hi - 1; pc >= lo; pc--) {
            const struct ptx_instruction *in = &w->f->instructions[pc];
            bool now[MAX_REG] = {false};
            for (int s = 0; s < w->n_succ[pc]; s++)
                for (int r = 0; r < w->regs; r++)
                    now[r] |= w->live[w->succ[pc][s]][r];
            for (int i = 0; i < in->n_defs && !in->guard; i++)
                now[in->defs[i]] = false;
            for (int i = 0; i < in->n_uses; i++)
                now[in->uses[i]] = true;
            change |= memcmp(now, w->live[pc], (size_t)w->regs) != 0;
            memcpy(w->live[pc], now, sizeof now);
        }
    }
}

static void twin_build(struct twin *w, const struct ptx_function *f) {
    w->f = f;
    w->n = f->n_instructions;
    w->regs = f->n_registers;
    assert_true(w->n < MAX_PC && w->regs <= MAX_REG);
    memset(w->live, 0, sizeof w->live);
    twin_edges(w);
    twin_reach(w);
    twin_flow(w, 0, w->n);
}

/* Whether [lo, hi) is entered at lo, left to hi, and holds nothing that is
 * excluded, by going through all edges of the function. */
static bool twin_region(const struct twin *w, int lo, int hi) {
    bool arrives = false;
    for (int pc = 0; pc < w->n; pc++) {
        bool inside = pc >= lo && pc < hi;
        if (inside &&
            (!w->reached[pc] || ptx_never_offloaded(&w->f->instructions[pc])))
            return false;
        for (int s = 0; w->reached[pc] && s < w->n_succ[pc]; s++) {
            int to = w->succ[pc][s];
            bool in = to >= lo && to < hi;
            if (inside ? !in && to != hi : in && to != lo)
                return false;
            arrives |= inside && to == hi;
        }
    }
    return arrives && hi < w->n;
}

static int words_of(const struct ptx_register *r) {
    return r->type == PTX_PRED ? 1 : ptx_type_bits(r->type) == 64 ? 2 : 1;
}

/* REG_TX and REG_RX words of a region, and the registers, by liveness in the
 * region alone: what is written and live behind it must come out whole. */
static void twin_registers(const struct twin *w, int lo, int hi, bool *in,
                           bool *out, int *words_in, int *words_out) {
    static struct twin part;
    part = *w;
    memset(part.live, 0, sizeof part.live);
    memset(out, 0, MAX_REG);
    *words_in = *words_out = 0;
    for (int pc = lo; pc < hi; pc++)
        for (int i = 0; i < w->f->instructions[pc].n_defs; i++) {
            int r = w->f->instructions[pc].defs[i];
            out[r] = w->live[hi][r];
        }
    memcpy(part.live[hi], out, MAX_REG);
    twin_flow(&part, lo, hi);
    memcpy(in, part.live[lo], MAX_REG);
    for (int r = 0; r < w->regs; r++) {
        *words_in += in[r] * words_of(w->f->registers[r]);
        *words_out += out[r] * words_of(w->f->registers[r]);
    }
}

/* Whether all of loop l lies in [lo, hi). */
static bool loop_inside(const struct ptx_analysis *a, int l, int lo, int hi) {
    const struct ptx_loop *loop = &a->loops.loops[l];
    for (int i = 0; i < loop->n_blocks; i++) {
        const struct ptx_block *b =
            &a->cfg.blocks[a->loops.order[loop->first + i]];
        if (b->begin < lo || b->end > hi)
            return false;
    }
    return true;
}

/* BW_TX + BW_RX in quarters; loop `counted` runs count times, others their
 * static count or once. */
static int64_t twin_balance(const struct ptx_analysis *a, int lo, int hi,
                            int words_in, int words_out, int counted,
                            int64_t count, int64_t *tx, int64_t *rx) {
    *tx = 128 * (int64_t)words_in;
    *rx = 128 * (int64_t)words_out;
    for (int pc = lo; pc < hi; pc++) {
        const struct ptx_instruction *in = &a->function->instructions[pc];
        int64_t times = 1;
        for (int l = 0; l < a->loops.n_loops; l++) {
            const struct ptx_trip *trip = &a->loops.loops[l].trip;
            if (!ptx_loop_has(&a->loops, l, a->cfg.block_of[pc]) ||
                !loop_inside(a, l, lo, hi))
                continue;
            times *= l == counted                    ? count
                     : trip->kind == PTX_TRIP_STATIC ? trip->count
                                                     : 1;
        }
        bool global = in->form->space == PTX_SPACE_GLOBAL;
        int64_t words = in->form->vector;
        if (global && in->form->op == PTX_OP_LD) {
            *tx -= 2 * words * times;
            *rx -= 64 * words * times;
        } else if (global && in->form->op == PTX_OP_ST) {
            *tx -= 132 * words * times;
            *rx -= words * times;
        }
    }
    return *tx + *rx;
}

/* Straight code, ifs and loops, with many stores and few registers. */
static void random_body(struct text *t, uint32_t *s, int depth, int *label) {
    for (int i = random_below(s, 4); i >= 0; i--) {
        int l = (*label)++;
        switch (random_below(s, depth > 0 ? 9 : 6)) {
        case 0:
            text_printf(t, "ld.global.u32 %%r%d, [%%d%d];\n",
                        random_below(s, 6), random_below(s, 2));
            break;
        case 1:
        case 2:
            for (int k = random_below(s, 4) ? 0 : 6; k >= 0; k--)
                text_printf(t, "st.global.u32 [%%d%d], %%r%d;\n",
                            random_below(s, 2), random_below(s, 6));
            break;
        case 3:
            text_printf(t, "%sadd.s32 %%r%d, %%r%d, %%r%d;\n",
                        random_below(s, 4) ? "" : "@%p2 ", random_below(s, 6),
                        random_below(s, 6), random_below(s, 6));
            break;
        case 4:
            text_printf(t, "add.s64 %%d%d, %%d%d, 4;\n", random_below(s, 2),
                        random_below(s, 2));
            break;
        case 5:
            if (random_below(s, 3) == 0)
                text_add(t,
                         random_below(s, 4) ? "bar.sync 0;\n" : "@%p3 exit;\n");
            break;
        case 6:
            text_printf(t, "@%%p%d bra E%d;\n", random_below(s, 4), l);
            random_body(t, s, depth - 1, label);
            text_printf(t, "E%d:\n", l);
            break;
        default:
            text_printf(t, "mov.u32 %%c%d, 0;\nH%d:\n", l, l);
            random_body(t, s, depth - 1, label);
            text_printf(t, "add.s32 %%c%d, %%c%d, 1;\n", l, l);
            if (random_below(s, 2))
                text_printf(t, "setp.lt.s32 %%p0, %%c%d, %d;\n", l,
                            1 + random_below(s, 9));
            else
                text_printf(t, "setp.lt.s32 %%p0, %%c%d, %%n%d;\n", l,
                            random_below(s, 3));
            text_printf(t, "@%%p0 bra H%d;\n", l);
        }
    }
}

static void random_fixture(struct fixture *t, int seed) {
    uint32_t s = (uint32_t)seed * 2654435761u + 1;
    int label = 0;
    *t = (struct fixture){0};
    if (seed % 3 == 0) {
        random_kernel(&t->x, (uint32_t)seed, 1 + seed % 9, 3 + seed % 6);
    } else {
        text_add(&t->x.text,
                 ".version 7.7\n.target sm_52\n.entry k() {\n"
                 ".reg .b32 %r<6>, %n<3>, %c<999>; .reg .pred %p<4>;\n"
                 ".reg .b64 %d<2>;\n");
        for (int i = 0; i < 4; i++)
            random_body(&t->x.text, &s, 3, &label);
        text_add(&t->x.text, "ret;\n}\n");
        read_text(t);
    }
    if (t->x.f->n_instructions < MAX_PC && t->x.f->n_registers <= MAX_REG)
        find(t, NULL);
}

/* Registers that are live together have bits of their own. */
static void check_entry(const struct fixture *t,
                        const struct ptx_candidate *c) {
    struct config config;
    uint64_t words[8];
    int at, n_in = 0, n_out = 0;
    config_defaults(&config);
    config.offload_registers = 128;
    at = make_entry(t, c, &config, words) - 256;
    for (int i = 0; i < 128; i++)
        n_in += (int)bits_at(words, &at, 1);
    for (int i = 0; i < 128; i++)
        n_out += (int)bits_at(words, &at, 1);
    assert_int_equal(n_in, c->words_in);
    assert_int_equal(n_out, c->words_out);
}

static void check_candidate(const struct fixture *t, const struct twin *w,
                            const struct ptx_candidate *c) {
    bool in[MAX_REG], out[MAX_REG];
    int words_in, words_out, n_in = 0, n_out = 0;
    int64_t tx, rx;
    assert_true(twin_region(w, c->begin_pc, c->end_pc));
    twin_registers(w, c->begin_pc, c->end_pc, in, out, &words_in, &words_out);
    assert_int_equal(c->words_in, words_in);
    assert_int_equal(c->words_out, words_out);
    for (int r = 0; r < w->regs; r++) {
        if (in[r])
            assert_int_equal(c->in[n_in++], r);
        if (out[r])
            assert_int_equal(c->out[n_out++], r);
    }
    assert_int_equal(c->n_in, n_in);
    assert_int_equal(c->n_out, n_out);
    check_entry(t, c);
    bool conditional = c->condition.reg >= 0;
    int64_t sum =
        twin_balance(t->a, c->begin_pc, c->end_pc, words_in, words_out,
                     conditional ? c->loop : -1, c->trip_count, &tx, &rx);
    assert_int_equal(c->bw_tx, tx);
    assert_int_equal(c->bw_rx, rx);
    assert_true(sum < 0);
    assert_int_equal(c->saving, -sum);
    assert_int_equal(c->tag, (tx < 0) * PTX_TAG_TX + (rx < 0) * PTX_TAG_RX);
    if (!conditional)
        return;
    assert_true(in[c->condition.reg]);
    assert_true(c->trip_count >= 1);
    assert_true(c->trip_count == 1 ||
                twin_balance(t->a, c->begin_pc, c->end_pc, words_in, words_out,
                             c->loop, c->trip_count - 1, &tx, &rx) >= 0);
}

/* Nothing that pays by itself is left where no candidate lies. */
static void check_complete(const struct fixture *t, const struct twin *w,
                           const bool *taken, int *left) {
    for (int lo = 0; lo < w->n; lo++)
        for (int hi = lo + 1; hi < w->n && !taken[hi - 1]; hi++) {
            bool in[MAX_REG], out[MAX_REG];
            int words_in, words_out, outer = 0;
            int64_t tx, rx;
            if (!twin_region(w, lo, hi))
                continue;
            for (int l = 0; l < t->a->loops.n_loops; l++)
                outer += loop_inside(t->a, l, lo, hi);
            /* registers cost: if even without them it does not pay, go on */
            if (outer > 1 ||
                twin_balance(t->a, lo, hi, 0, 0, -1, 1, &tx, &rx) >= 0)
                continue;
            ++*left;
            twin_registers(w, lo, hi, in, out, &words_in, &words_out);
            assert_true(twin_balance(t->a, lo, hi, words_in, words_out, -1, 1,
                                     &tx, &rx) >= 0);
        }
}

static void test_random_kernels(void **state) {
    (void)state;
    static struct twin w;
    int candidates = 0, conditional = 0, loops = 0, left = 0;
    for (int seed = 1; seed <= 400; seed++) {
        bool taken[MAX_PC] = {false};
        struct fixture t;
        random_fixture(&t, seed);
        if (t.a) {
            twin_build(&w, t.x.f);
            for (int i = 0; i < t.c.n; i++) {
                const struct ptx_candidate *c = &t.c.list[i];
                check_candidate(&t, &w, c);
                candidates++;
                conditional += c->condition.reg >= 0;
                loops += c->loop >= 0;
                for (int pc = c->begin_pc; pc < c->end_pc; pc++) {
                    assert_false(taken[pc]);
                    taken[pc] = true;
                }
            }
            if (w.n < 90)
                check_complete(&t, &w, taken, &left);
        }
        done(&t);
    }
    /* the test has seen enough of each */
    assert_true(conditional > 100 && loops > 100 && candidates - loops > 20);
    assert_true(left > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_libor),
        cmocka_unit_test(test_libor_static),
        cmocka_unit_test(test_unknown_count),
        cmocka_unit_test(test_two_registers),
        cmocka_unit_test(test_register_counts),
        cmocka_unit_test(test_access_words),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_exclusions),
        cmocka_unit_test(test_inclusions),
        cmocka_unit_test(test_divergence_inside),
        cmocka_unit_test(test_leaving),
        cmocka_unit_test(test_falling_off),
        cmocka_unit_test(test_entering),
        cmocka_unit_test(test_partly_written),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_condition_not_equal),
        cmocka_unit_test(test_condition_of_one),
        cmocka_unit_test(test_no_condition),
        cmocka_unit_test(test_no_threshold),
        cmocka_unit_test(test_condition_of_inner_loop),
        cmocka_unit_test(test_scattered_loop),
        cmocka_unit_test(test_condition_stands),
        cmocka_unit_test(test_loop_contains_block),
        cmocka_unit_test(test_larger_saving_wins),
        cmocka_unit_test(test_misses),
        cmocka_unit_test(test_huge_counts),
        cmocka_unit_test(test_maximal),
        cmocka_unit_test(test_neighbours_and_nests),
        cmocka_unit_test(test_entry),
        cmocka_unit_test(test_random_kernels),
    };
    return cmocka_run_group_tests_name("test_candidate", tests, NULL, NULL);
}

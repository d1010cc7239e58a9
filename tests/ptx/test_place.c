/* test_place.c - conditions of two and three registers: what `ndpcc --place`
 * puts in front of a block (lib/papers/tom/place.h).
 *
 * The instructions that were placed are read from the new text and executed
 * here, by an interpreter that knows nothing of trips; what comes of it, held
 * against the condition, must say how often the loop runs, which is counted by
 * running it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "papers/tom/entry.h"
#include "papers/tom/place.h"
#include "ptx_random.h"
#include "tests/common/diag_capture.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* A text as it is, and as it is placed. */
struct reading {
    struct random_ptx x;
    struct ptx_module *m;
    struct ptx_analysis *a; /* of the last function */
    struct ptx_candidates c;
};

static void read_as(struct reading *r, const char *text, size_t len) {
    struct ptx_candidate_options o = ptx_candidate_defaults();
    *r = (struct reading){0};
    text_addn(&r->x.text, text, len);
    r->x.source = (struct source){"t.ptx", r->x.text.data, r->x.text.len};
    r->m = ptx_read(&r->x.arena, &r->x.source, &r->x.diag);
    if (r->x.diag.errors)
        fail_msg("%s\n%s", diag_captured(&r->x.diag), r->x.text.data);
    r->x.f = r->m->functions[r->m->n_functions - 1];
    r->a = ptx_analyse(&r->x.arena, r->x.f);
    ptx_candidates_find(&r->x.arena, r->a, &o, &r->c);
}

struct pair {
    struct reading before, after;
    int placed;
};

static void place_text(struct pair *p, const char *text, size_t len) {
    struct ptx_candidate_options o = ptx_candidate_defaults();
    struct text out = {0};
    read_as(&p->before, text, len);
    p->placed = ptx_place(p->before.m, &o, &out);
    read_as(&p->after, out.data, out.len);
    text_free(&out);
}

static void place(struct pair *p, const char *body) {
    struct text t = {0};
    text_printf(&t,
                ".version 7.7\n.target sm_52\n.address_size 64\n"
                ".entry k(.param .u64 n) {\n"
                ".reg .pred %%p<9>; .reg .b32 %%r<40>; .reg .b64 %%d<9>;\n"
                ".reg .f32 %%f<20>; .shared .b32 s[64];\n%s}\n",
                body);
    place_text(p, t.data, t.len);
    text_free(&t);
}

static void done(struct pair *p) {
    random_free(&p->before.x);
    random_free(&p->after.x);
}

/* -------------------------------------------- conditions, by running loops */

enum { REG = 1 << 20, MOST = 60 };

/* counter from start to bound by step, each a constant or, REG, a register:
 * %r3, %r5, %r7. */
struct counting {
    const char *relation, *type;
    int start, bound, step;
    bool tests_first;
    int ahead; /* the test sees the counter so many steps further on */
};

static void operand(struct text *t, int v, const char *reg) {
    if (v == REG)
        text_add(t, reg);
    else
        text_printf(t, "%d", v);
}

static void add_test(struct text *t, const struct counting *l) {
    const char *from = "%r3";
    for (int i = 0; i < l->ahead; i++, from = "%r8") {
        text_printf(t, "add.s32 %%r8, %s, ", from);
        operand(t, l->step, "%r7");
        text_add(t, ";\n");
    }
    text_printf(t, "setp.%s.%s %%p1, %s, ", l->relation, l->type, from);
    operand(t, l->bound, "%r5");
    text_add(t, ";\n");
}

static void loop_text(const struct counting *l, struct text *t) {
    text_add(t, "bar.sync 0;\n");
    if (l->start != REG)
        text_printf(t, "mov.u32 %%r3, %d;\n", l->start);
    text_add(t, "L:\n");
    if (l->tests_first) {
        add_test(t, l);
        text_add(t, "@!%p1 bra E;\n");
    }
    text_add(t, "ld.global.u32 %r9, [%d1];\nst.global.u32 [%d1], %r9;\n"
                "add.s32 %r3, %r3, ");
    operand(t, l->step, "%r7");
    text_add(t, ";\n");
    if (l->tests_first) {
        text_add(t, "bra L;\nE: bar.sync 0;\nret;\n");
    } else {
        add_test(t, l);
        text_add(t, "@%p1 bra L;\nbar.sync 0;\nret;\n");
    }
}

static bool holds(const struct counting *l, int64_t a, int64_t b) {
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
static int run_loop(const struct counting *l, int x, int bound, int step) {
    int n = 0;
    if (l->tests_first && !holds(l, x + l->ahead * step, bound))
        return 0;
    do {
        n++;
        x += step;
    } while (n < MOST && holds(l, x + l->ahead * step, bound));
    return n;
}

static bool met(const struct ptx_condition *c, uint32_t value) {
    int64_t v = c->is_signed ? (int64_t)(int32_t)value : (int64_t)value;
    int64_t t =
        c->is_signed ? (int64_t)(int32_t)c->threshold : (int64_t)c->threshold;
    return c->compare == PTX_COMPARE_GE ? v >= t : v <= t;
}

static int number_of(const struct ptx_function *f, const char *name) {
    for (int i = 0; i < f->n_registers; i++)
        if (strcmp(f->registers[i]->name, name) == 0)
            return i;
    return -1;
}

static uint32_t value_of(const struct ptx_operand *o, const uint32_t *regs) {
    return o->kind == PTX_OPND_REGISTER ? regs[o->reg->index]
                                        : (uint32_t)o->value.bits;
}

/* Runs what stands between the barrier and pc. */
static void run_placed(const struct reading *r, int pc, uint32_t *regs) {
    int at = pc;
    while (at > 0 && r->x.f->instructions[at - 1].form->op != PTX_OP_BAR)
        at--;
    for (; at < pc; at++) {
        const struct ptx_instruction *in = &r->x.f->instructions[at];
        uint32_t v[4] = {0};
        for (int i = 1; i < in->n_operands; i++)
            v[i] = value_of(in->operands[i], regs);
        assert_int_equal(in->n_defs, 1);
        regs[in->defs[0]] = in->form->op == PTX_OP_SUB   ? v[1] - v[2]
                            : in->form->op == PTX_OP_MAD ? v[1] * v[2] + v[3]
                            : in->form->op == PTX_OP_MOV ? v[1]
                                                         : 0xdeadbeef;
    }
}

static void put(uint32_t *regs, const struct ptx_function *f, const char *name,
                int v) {
    int n = number_of(f, name);
    if (n >= 0)
        regs[n] = (uint32_t)v;
}

static void check_values(const struct counting *l, const struct reading *r,
                         int start, int bound, int step) {
    const struct ptx_candidate *c = &r->c.list[0];
    uint32_t regs[64] = {0};
    assert_true(r->x.f->n_registers <= 64);
    put(regs, r->x.f, "%r3", start);
    put(regs, r->x.f, "%r5", bound);
    put(regs, r->x.f, "%r7", step);
    run_placed(r, c->begin_pc, regs);
    bool want = run_loop(l, start, bound, step) >= c->trip_count;
    if (met(&c->condition, regs[c->condition.reg]) != want)
        fail_msg("%s.%s from %d to %d by %d: condition %d, count %d of %d",
                 l->relation, l->type, start, bound, step, !want,
                 run_loop(l, start, bound, step), (int)c->trip_count);
}

static void test_conditions(void **state) {
    (void)state;
    static const struct counting loops[] = {
        /* two registers: start and bound */
        {"lt", "s32", REG, REG, 1, false, 0},
        {"lt", "s32", REG, REG, 1, true, 0},
        {"le", "s32", REG, REG, 4, false, 0},
        {"lt", "u32", REG, REG, 3, true, 0},
        {"gt", "s32", REG, REG, -1, false, 0},
        {"ge", "s32", REG, REG, -5, true, 0},
        {"ge", "u32", REG, REG, -2, false, 0},
        {"ne", "s32", REG, REG, 1, false, 0},
        {"lt", "s32", REG, REG, 4, false, 2},
        /* one of them and the step */
        {"lt", "s32", 7, REG, REG, false, 0},
        {"le", "s32", -3, REG, REG, true, 0},
        {"lt", "s32", REG, 90, REG, false, 0},
        {"le", "u32", REG, 90, REG, true, 0},
        {"gt", "s32", 80, REG, REG, false, 0},
        {"ge", "s32", REG, 5, REG, true, 0},
        {"lt", "s32", REG, 90, REG, true, 1},
        /* all three */
        {"lt", "s32", REG, REG, REG, false, 0},
        {"lt", "s32", REG, REG, REG, true, 0},
        {"le", "s32", REG, REG, REG, true, 1},
        {"gt", "s32", REG, REG, REG, false, 0},
        {"ge", "s32", REG, REG, REG, true, 2},
        {"lt", "u32", REG, REG, REG, false, 3},
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        const struct counting *l = &loops[i];
        bool down = l->relation[0] == 'g', never = l->type[0] == 's';
        struct text body = {0};
        struct pair p;
        loop_text(l, &body);
        place(&p, text_str(&body));
        assert_int_equal(p.before.c.n, 0);
        assert_int_equal(p.placed, 1);
        assert_int_equal(p.after.c.n, 1);
        assert_true(p.after.c.list[0].trip_count > 1);
        for (int a = never ? -40 : 40; a <= 100; a += l->start == REG ? 3 : 999)
            for (int b = never ? -40 : 40; b <= 100;
                 b += l->bound == REG ? 3 : 999)
                for (int s = 1; s <= 9; s += l->step == REG ? 2 : 999) {
                    int start = l->start == REG ? a : l->start;
                    int bound = l->bound == REG ? b : l->bound;
                    int step = l->step == REG ? down ? -s : s : l->step;
                    if (l->relation[0] != 'n' || bound > start)
                        check_values(l, &p.after, start, bound, step);
                }
        done(&p);
        text_free(&body);
    }
}

/* A difference that no 32 bits hold is taken for a loop that does not pay, or
 * for one that does: in no case is anything computed that was not. */
static void test_wrap(void **state) {
    (void)state;
    static const struct counting l = {"lt", "s32", REG, REG, 1, false, 0};
    struct text body = {0};
    struct pair p;
    uint32_t regs[64] = {0};
    loop_text(&l, &body);
    place(&p, text_str(&body));
    const struct ptx_candidate *c = &p.after.c.list[0];
    put(regs, p.after.x.f, "%r3", INT32_MIN);
    put(regs, p.after.x.f, "%r5", INT32_MAX);
    run_placed(&p.after, c->begin_pc, regs);
    assert_false(met(&c->condition, regs[c->condition.reg]));
    done(&p);
    text_free(&body);
}

/* ----------------------------------------------------- the paper's workloads
 */

/* TOM, Figure 4, the second loop: n = Nmat .. N, L_b[n] = b * L_b[n]. */
static void test_figure_4(void **state) {
    (void)state;
    struct pair p;
    place(&p, "L:\nld.global.f32 %f1, [%r1];\nmul.f32 %f2, %f1, %f7;\n"
              "st.global.f32 [%r2], %f2;\nadd.s32 %r1, %r1, 4;\n"
              "add.s32 %r2, %r2, 4;\nadd.s32 %r3, %r3, 1;\n"
              "setp.lt.s32 %p1, %r3, %r4;\n@%p1 bra L;\nret;\n");
    /* its begin is the function's, and the loop comes back there */
    assert_int_equal(p.placed, 0);
    assert_int_equal(p.after.c.n, 0);
    assert_string_equal(p.after.c.misses[1].reason,
                        "trip count depends on two registers");
    done(&p);
    place(&p, "bar.sync 0;\n"
              "L:\nld.global.f32 %f1, [%r1];\nmul.f32 %f2, %f1, %f7;\n"
              "st.global.f32 [%r2], %f2;\nadd.s32 %r1, %r1, 4;\n"
              "add.s32 %r2, %r2, 4;\nadd.s32 %r3, %r3, 1;\n"
              "setp.lt.s32 %p1, %r3, %r4;\n@%p1 bra L;\nret;\n");
    assert_int_equal(p.placed, 1);
    assert_int_equal(p.after.c.n, 1);
    const struct ptx_candidate *c = &p.after.c.list[0];
    assert_int_equal(c->words_in, 5);
    assert_int_equal(c->once_tx + c->once_rx, 4 * 110 + 1); /* +110.25 */
    assert_int_equal(c->bw_tx + c->bw_rx, -4 * 39);
    assert_int_equal(c->trip_count, 4);
    assert_int_equal(c->condition.threshold, 4);
    assert_string_equal(p.after.x.f->registers[c->condition.reg]->name,
                        "%ndp_trip0");
    done(&p);
}

/* Inner loops of the workloads as compilers leave them that do not unroll:
 * refused before, candidates behind. */
static void test_rolled_loops(void **state) {
    (void)state;
    static const char *const loops[][2] = {
        {"RD: i = thread; i < n; i += threads",
         "L: ld.global.f32 %f1, [%d1];\nadd.f32 %f2, %f2, %f1;\n"
         "add.s32 %r3, %r3, %r7;\nadd.s64 %d1, %d1, %d2;\n"
         "setp.lt.s32 %p1, %r3, %r5;\n@%p1 bra L;\n"},
        {"SP: pos = sum; pos < elements; pos += 1024",
         "L: ld.global.f32 %f1, [%d1];\nld.global.f32 %f3, [%d2];\n"
         "fma.rn.f32 %f2, %f1, %f3, %f2;\nadd.s32 %r3, %r3, 1024;\n"
         "add.s64 %d1, %d1, 4096;\nadd.s64 %d2, %d2, 4096;\n"
         "setp.lt.s32 %p1, %r3, %r5;\n@%p1 bra L;\n"},
        {"KM: features from this thread's on",
         "L: ld.global.f32 %f1, [%d1];\nst.global.f32 [%d2], %f1;\n"
         "add.s32 %r3, %r3, 1;\nadd.s64 %d1, %d1, 4;\n"
         "add.s64 %d2, %d2, %d3;\nsetp.ne.s32 %p1, %r3, %r5;\n@%p1 bra L;\n"},
        {"BFS: edges from first to last",
         "L: mul.wide.s32 %d2, %r3, 4;\nadd.s64 %d3, %d1, %d2;\n"
         "ld.global.u32 %r9, [%d3];\nmul.wide.s32 %d4, %r9, 4;\n"
         "add.s64 %d5, %d6, %d4;\nld.global.u32 %r10, [%d5];\n"
         "setp.ne.s32 %p2, %r10, 0;\n@%p2 bra N;\n"
         "st.global.u32 [%d5], %r4;\nN: add.s32 %r3, %r3, 1;\n"
         "setp.lt.s32 %p1, %r3, %r5;\n@%p1 bra L;\n"},
        {"LIB: n = Nmat .. N",
         "L: ld.global.f32 %f1, [%d1];\nmul.f32 %f2, %f1, %f7;\n"
         "st.global.f32 [%d1], %f2;\nadd.s32 %r3, %r3, 1;\n"
         "add.s64 %d1, %d1, 4;\nsetp.lt.s32 %p1, %r3, %r5;\n@%p1 bra L;\n"},
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct text body = {0};
        struct pair p;
        text_printf(&body, "bar.sync 0;\n%sst.shared.f32 [s], %%f2;\nret;\n",
                    loops[i][1]);
        place(&p, text_str(&body));
        if (p.before.c.n != 0 || p.placed != 1 || p.after.c.n != 1)
            fail_msg("%s: %d before, %d placed, %d behind", loops[i][0],
                     p.before.c.n, p.placed, p.after.c.n);
        assert_true(p.after.c.list[0].condition.reg >= 0);
        done(&p);
        text_free(&body);
    }
}

/* --------------------------------------------------------- where it is put */

#define BODY                                                                   \
    "ld.global.f32 %f1, [%d1];\nst.global.f32 [%d1], %f1;\n"                   \
    "add.s64 %d1, %d1, 4;\nadd.s32 %r3, %r3, 1;\n"                             \
    "setp.lt.s32 %p1, %r3, %r5;\n@%p1 bra L;\n"

static void test_where(void **state) {
    (void)state;
    static const struct {
        const char *body, *text; /* that stands there; NULL: nothing is put */
    } cases[] = {
        /* before the label that the loop comes back to */
        {"bar.sync 0;\nL: " BODY "ret;\n",
         "bar.sync 0;\n\t.reg .b32 %ndp_trip0; // condition of what follows\n"
         "\tsub.s32 %ndp_trip0, %r5, %r3;\nL: ld"},
        /* behind a label that others jump to, in front of the block */
        {"@%p3 bra M;\nst.shared.u32 [s], %r1;\nM: mov.u32 %r9, 7;\n"
         "L: add.s32 %r8, %r9, %r3;\nst.global.u32 [%d2], %r8;\n" BODY "ret;\n",
         "M: .reg .b32 %ndp_trip0; // condition of what follows\n"
         "\tsub.s32 %ndp_trip0, %r5, %r3;\n\tmov.u32 %r9"},
        /* a label that others jump to and the loop comes back to */
        {"@%p3 bra L;\nbar.sync 0;\nL: " BODY "ret;\n", NULL},
        /* the start is written in the block: it begins behind that */
        {"bar.sync 0;\nadd.s32 %r3, %r1, %r2;\nL: " BODY "ret;\n",
         "add.s32 %r3, %r1, %r2;\n\t.reg"},
        /* a name that an inner scope has anew */
        {"bar.sync 0;\nst.shared.u32 [s], %r5;\n{ .reg .b32 %r5; mov.u32 %r5, "
         "%r7;\nL: " BODY
         "st.global.u32 [%d3], %r5;\n}\nst.global.u32 [%d3], %r5;\nret;\n",
         NULL},
        /* a name that is taken */
        {".reg .b32 %ndp_trip<3>;\nst.shared.u32 [s], %ndp_trip1;\nL: " BODY
         "ret;\n",
         ".reg .b32 %ndp_trip2;"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text t = {0}, out = {0};
        struct reading r;
        struct ptx_candidate_options o = ptx_candidate_defaults();
        text_printf(&t,
                    ".version 7.7\n.target sm_52\n.address_size 64\n"
                    ".entry k(.param .u64 n) {\n"
                    ".reg .pred %%p<9>; .reg .b32 %%r<40>; .reg .b64 %%d<9>;\n"
                    ".reg .f32 %%f<20>; .shared .b32 s[64];\n%s}\n",
                    cases[i].body);
        read_as(&r, t.data, t.len);
        int n = ptx_place(r.m, &o, &out);
        if (n != (cases[i].text != NULL) ||
            (cases[i].text && !strstr(text_str(&out), cases[i].text)))
            fail_msg("case %zu: %d in\n%s", i, n, text_str(&out));
        if (!cases[i].text)
            assert_string_equal(text_str(&out), t.data);
        random_free(&r.x);
        text_free(&t);
        text_free(&out);
    }
}

/* A value like that of a condition, but not this loop's: no condition. */
static void test_other_values(void **state) {
    (void)state;
    static const char *const cases[] = {
        "sub.s32 %r9, %r3, %r5;\n",              /* the other way round */
        "sub.s32 %r9, %r5, %r4;\n",              /* of another register */
        "@%p4 sub.s32 %r9, %r5, %r3;\n",         /* perhaps not */
        "sub.sat.s32 %r9, %r5, %r3;\n",          /* saturated */
        "sub.s32 %r9, %r5, %r3;\nbar.sync 0;\n", /* not just before */
        "mad.lo.s32 %r9, %r7, -3, %r5;\n",       /* a step that it has not */
        "mad.hi.s32 %r9, %r7, -3, %r5;\n",       /* the upper half */
        "sub.s32 %r5, %r5, %r3;\n",              /* one of its own changes */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text body = {0};
        struct pair p;
        text_printf(&body, "bar.sync 0;\n%sL: ", cases[i]);
        text_add(&body, BODY "st.shared.u32 [s], %r9;\n"
                             "st.shared.u32 [s], %r8;\nret;\n");
        place(&p, text_str(&body));
        if (p.before.c.n != 0)
            fail_msg("case %zu", i);
        done(&p);
        text_free(&body);
    }
}

/* ------------------------------------------------------------ whole kernels */

/* Registers of a made condition are no one else's at the begin. */
static void check_alone(const struct reading *r,
                        const struct ptx_candidate *c) {
    const int *physical = r->a->allocation.physical;
    for (int i = 0; i < c->n_in; i++) {
        const struct ptx_register *in = r->x.f->registers[c->in[i]];
        int first = physical[c->in[i]], last = first + ptx_kind_size(in->kind);
        if (c->in[i] != c->condition.reg)
            assert_false(physical[c->condition.reg] >= first &&
                         physical[c->condition.reg] < last);
    }
}

/* What is placed is found, and placing again adds nothing.  How many. */
static int check_module(const char *text, size_t len) {
    struct ptx_candidate_options o = ptx_candidate_defaults();
    struct pair p;
    struct text again = {0};
    int found = 0;
    place_text(&p, text, len);
    assert_int_equal(ptx_place(p.after.m, &o, &again), 0);
    assert_string_equal(text_str(&again), p.after.x.text.data);
    for (int i = 0; i < p.after.m->n_functions; i++) {
        struct reading r = p.after;
        r.x.f = p.after.m->functions[i];
        if (!r.x.f->has_body)
            continue;
        r.a = ptx_analyse(&p.after.x.arena, r.x.f);
        ptx_candidates_find(&p.after.x.arena, r.a, &o, &r.c);
        for (int k = 0; k < r.c.n; k++) {
            const struct ptx_candidate *c = &r.c.list[k];
            if (c->condition.reg < 0 || c->condition.sum.plus < 0)
                continue;
            found++;
            check_alone(&r, c);
            assert_int_equal(r.x.f->instructions[c->begin_pc - 1].defs[0],
                             c->condition.reg);
        }
        for (int pc = 0; pc < r.x.f->n_instructions; pc++) {
            const struct ptx_instruction *in = &r.x.f->instructions[pc];
            bool ours =
                in->n_defs &&
                !strncmp(r.x.f->registers[in->defs[0]]->name, "%ndp_trip", 9);
            for (int k = 0; ours && k < r.c.n; k++)
                assert_false(pc >= r.c.list[k].begin_pc &&
                             pc < r.c.list[k].end_pc);
        }
    }
    assert_true(found >= p.placed); /* compilers make such values, too */
    int n = p.placed;
    done(&p);
    text_free(&again);
    return n;
}

static void test_kernels(void **state) {
    (void)state;
    glob_t g;
    int n = 0;
    assert_int_equal(glob("kernels/*/*.ptx", 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        size_t len;
        char *text = text_read_file(g.gl_pathv[i], &len);
        assert_non_null(text);
        n += check_module(text, len);
        free(text);
    }
    assert_true(g.gl_pathc > 20 && n > 8);
    globfree(&g);
}

/* Loops in one another and one behind the other, of one, two, three registers,
 * with and without a label that is jumped to. */
static void random_loops(struct text *t, uint32_t *s, int depth, int *label) {
    for (int i = random_below(s, 3); i >= 0; i--) {
        int l = (*label)++;
        if (random_below(s, 3) == 0)
            text_printf(t, "@%%p3 bra H%d;\n", l);
        if (random_below(s, 2))
            text_printf(t, "add.s32 %%r%d, %%r%d, %%r%d;\n",
                        random_below(s, 12), random_below(s, 12),
                        random_below(s, 12));
        if (random_below(s, 3))
            text_printf(t, "mov.u32 %%c%d, %%r%d;\n", l, random_below(s, 12));
        text_printf(t, "H%d:\nld.global.u32 %%r%d, [%%d%d];\n", l,
                    random_below(s, 4), random_below(s, 2));
        if (random_below(s, 2))
            text_printf(t, "st.global.u32 [%%d%d], %%r%d;\n",
                        random_below(s, 2), random_below(s, 12));
        if (depth > 0 && random_below(s, 2))
            random_loops(t, s, depth - 1, label);
        if (random_below(s, 2))
            text_printf(t, "add.s32 %%c%d, %%c%d, %d;\n", l, l,
                        1 + random_below(s, 3));
        else
            text_printf(t, "add.s32 %%c%d, %%c%d, %%r%d;\n", l, l,
                        4 + random_below(s, 8));
        text_printf(t, "setp.lt.s32 %%p0, %%c%d, %%r%d;\n@%%p0 bra H%d;\n", l,
                    4 + random_below(s, 8), l);
    }
}

static void test_random(void **state) {
    (void)state;
    int n = 0;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        uint32_t s = seed * 2654435761u + 1;
        int label = 0;
        struct text t = {0};
        text_add(&t, ".version 7.7\n.target sm_52\n.entry k() {\n"
                     ".reg .b32 %r<12>, %c<999>; .reg .pred %p<4>;\n"
                     ".reg .b64 %d<2>;\n");
        random_loops(&t, &s, 2, &label);
        text_add(&t, "st.global.u32 [%d0], %r1;\nret;\n}\n");
        n += check_module(t.data, t.len);
        text_free(&t);
    }
    assert_true(n > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_figure_4),   cmocka_unit_test(test_rolled_loops),
        cmocka_unit_test(test_where),      cmocka_unit_test(test_other_values),
        cmocka_unit_test(test_kernels),    cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_analysis.c - control flow, dominators, loops, trip counts, liveness,
 * reaching definitions, register allocation and the packet stream.
 *
 * Every analysis is compared with a slow twin that follows the definition, on
 * random kernels; forms that compilers write are checked one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/common/diag_capture.h"
#include "ptx_random.h"

#include <stdlib.h>
#include <string.h>

enum { KERNELS = 300, MAX_BLOCKS = 256 };

struct fixture {
    struct random_ptx x;
    struct ptx_analysis *a;
};

static void random_fixture(struct fixture *t, int seed) {
    random_kernel(&t->x, (uint32_t)seed, 1 + seed % 14, 3 + seed % 80);
    t->a = ptx_analyse(&t->x.arena, t->x.f);
    assert_true(t->a->cfg.n_blocks <= MAX_BLOCKS);
}

static void text_fixture(struct fixture *t, const char *body) {
    *t = (struct fixture){0};
    text_printf(&t->x.text,
                ".version 7.7\n.target sm_52\n.entry k() {\n"
                ".reg .pred %%p<9>; .reg .b32 %%r<40>; .reg .b64 %%d<9>;\n"
                ".reg .f32 %%f<9>; .reg .b128 %%q<3>;\n%s}\n",
                body);
    t->x.source = (struct source){"t.ptx", t->x.text.data, t->x.text.len};
    struct ptx_module *m = ptx_read(&t->x.arena, &t->x.source, &t->x.diag);
    if (t->x.diag.errors)
        fail_msg("%s", diag_captured(&t->x.diag));
    t->x.f = m->functions[0];
    t->a = ptx_analyse(&t->x.arena, t->x.f);
}

static void done(struct fixture *t) {
    random_free(&t->x);
}

/* -------------------------------------------------------------- the graph */

/* Blocks reachable from block from (n: every exit, backwards) without passing
 * block without. */
static void reach(const struct ptx_cfg *cfg, int from, int without,
                  bool backwards, bool *seen) {
    int stack[MAX_BLOCKS * MAX_BLOCKS], depth = 0;
    memset(seen, 0, MAX_BLOCKS * sizeof *seen);
    if (from == cfg->n_blocks) {
        for (int b = 0; b < cfg->n_blocks; b++)
            if (cfg->blocks[b].exits && cfg->rpo_index[b] >= 0)
                stack[depth++] = b;
    } else {
        stack[depth++] = from;
    }
    while (depth > 0) {
        int b = stack[--depth];
        if (b == without || seen[b])
            continue;
        seen[b] = true;
        const struct ptx_block *k = &cfg->blocks[b];
        for (int i = 0; i < (backwards ? k->n_pred : k->n_succ); i++)
            stack[depth++] = backwards ? k->pred[i] : k->succ[i];
    }
}

static bool has(const int *list, int n, int x) {
    for (int i = 0; i < n; i++)
        if (list[i] == x)
            return true;
    return false;
}

static void test_edges_match_the_code(void **state) {
    (void)state;
    for (int seed = 0; seed < KERNELS; seed++) {
        struct fixture t;
        random_fixture(&t, seed);
        const struct ptx_cfg *c = &t.a->cfg;
        bool seen[MAX_BLOCKS];
        int pc = 0;
        reach(c, 0, -1, false, seen);
        for (int b = 0; b < c->n_blocks; b++) {
            const struct ptx_block *k = &c->blocks[b];
            assert_int_equal(k->begin, pc);
            assert_true(k->end > k->begin);
            pc = k->end;
            assert_int_equal(seen[b], c->rpo_index[b] >= 0);
            for (int i = 0; i < k->n_succ; i++) {
                const struct ptx_block *to = &c->blocks[k->succ[i]];
                assert_true(has(to->pred, to->n_pred, b));
            }
            const struct ptx_instruction *last =
                &t.x.f->instructions[k->end - 1];
            if (last->form->op == PTX_OP_BRA)
                assert_true(has(k->succ, k->n_succ,
                                c->block_of[last->operands[0]->pc]));
            if (ptx_falls_through(last) && b + 1 < c->n_blocks)
                assert_true(has(k->succ, k->n_succ, b + 1));
        }
        assert_int_equal(pc, t.x.f->n_instructions);
        done(&t);
    }
}

/* x is the immediate dominator of y exactly if it dominates y strictly and
 * every other strict dominator of y dominates it. */
static void check_tree(const struct ptx_cfg *cfg, const struct ptx_dom *dom,
                       int root, bool backwards) {
    static bool seen[MAX_BLOCKS][MAX_BLOCKS], all[MAX_BLOCKS];
    int n = cfg->n_blocks;
    reach(cfg, root, -1, backwards, all);
    for (int x = 0; x < n; x++)
        reach(cfg, root, x, backwards, seen[x]);
    for (int y = 0; y < n; y++) {
        int idom = -1;
        if (!all[y] || cfg->rpo_index[y] < 0)
            continue;
        for (int x = 0; x < n; x++) {
            bool dominates = cfg->rpo_index[x] >= 0 && all[x] && !seen[x][y];
            assert_int_equal(ptx_dominates(dom, x, y), dominates);
            if (x != y && dominates && (idom < 0 || !seen[idom][x]))
                idom = x;
        }
        assert_int_equal(dom->idom[y], idom);
    }
}

static void test_dominators(void **state) {
    (void)state;
    int complete = 0;
    for (int seed = 0; seed < KERNELS; seed++) {
        struct fixture t;
        bool all[MAX_BLOCKS];
        random_fixture(&t, seed);
        const struct ptx_cfg *c = &t.a->cfg;
        check_tree(c, &t.a->dom, 0, false);
        /* with an endless loop the definition leaves it open */
        reach(c, c->n_blocks, -1, true, all);
        bool ends = true;
        for (int b = 0; b < c->n_blocks; b++)
            ends &= all[b] || c->rpo_index[b] < 0;
        if (ends)
            check_tree(c, &t.a->pdom, c->n_blocks, true);
        complete += ends;
        for (int b = 0; b < c->n_blocks; b++)
            if (c->rpo_index[b] >= 0)
                assert_true(t.a->pdom.enter[b] > 0);
        done(&t);
    }
    assert_true(complete > KERNELS / 3);
}

static void test_endless_loop_has_post_dominators(void **state) {
    (void)state;
    struct fixture t;
    text_fixture(&t, "A: add.s32 %r1, %r1, 1; @%p1 bra B; bra C;\n"
                     "B: add.s32 %r1, %r1, 2; bra D;\n"
                     "C: add.s32 %r1, %r1, 3;\n"
                     "D: bra A;\n");
    assert_int_equal(t.a->cfg.n_blocks, 5);
    assert_int_equal(t.a->pdom.idom[0], 4); /* where both ways meet */
    assert_int_equal(t.a->pdom.idom[4], -1);
    done(&t);
}

static void test_unreachable_code_and_falling_off(void **state) {
    (void)state;
    struct fixture t;
    text_fixture(&t, "bra L;\nadd.s32 %r1, %r2, %r3;\nL: @%p1 exit;\n"
                     "mov.b32 %r1, 5;\n");
    assert_int_equal(t.a->cfg.n_blocks, 4);
    assert_int_equal(t.a->cfg.rpo_index[1], -1);
    assert_int_equal(t.a->dom.idom[1], -1);
    assert_int_equal(t.a->dom.idom[2], 0);
    assert_true(t.a->cfg.blocks[2].exits);
    assert_int_equal(t.a->cfg.blocks[2].n_succ, 1);
    assert_true(t.a->cfg.blocks[3].exits);
    assert_true(t.a->allocation.physical[1] >= 0);
    done(&t);
    text_fixture(&t, "");
    assert_int_equal(t.a->cfg.n_blocks, 0);
    done(&t);
    text_fixture(&t, "@%p1 bra END;\nmov.b32 %r1, 1;\nEND:\n");
    assert_true(t.a->cfg.blocks[0].exits);
    assert_int_equal(t.a->cfg.blocks[0].n_succ, 1);
    done(&t);
}

static void test_indexed_branch(void **state) {
    (void)state;
    struct fixture t;
    text_fixture(&t, "ts: .branchtargets A, B, A;\n@%p1 brx.idx %r1, ts;\n"
                     "mov.b32 %r1, 1;\nA: mov.b32 %r1, 2;\nB: ret;\n");
    const struct ptx_block *b = &t.a->cfg.blocks[0];
    assert_int_equal(b->n_succ, 3);
    assert_true(has(b->succ, 3, 1) && has(b->succ, 3, 2) && has(b->succ, 3, 3));
    assert_int_equal(t.a->pdom.idom[0], 3);
    done(&t);
}

/* ------------------------------------------------------------------ loops */

/* Blocks of the natural loop of all back edges to header, by definition. */
static bool loop_of(const struct ptx_analysis *a, int header, bool *body) {
    const struct ptx_cfg *c = &a->cfg;
    bool seen[MAX_BLOCKS], found = false;
    memset(body, 0, MAX_BLOCKS * sizeof *body);
    for (int latch = 0; latch < c->n_blocks; latch++) {
        if (!has(c->blocks[latch].succ, c->blocks[latch].n_succ, header) ||
            !ptx_dominates(&a->dom, header, latch))
            continue;
        found = true;
        reach(c, latch, header, true, seen);
        for (int b = 0; b < c->n_blocks; b++)
            body[b] |= seen[b] && c->rpo_index[b] >= 0;
    }
    body[header] = found;
    return found;
}

static void test_loops(void **state) {
    (void)state;
    int deep = 0;
    for (int seed = 0; seed < KERNELS; seed++) {
        struct fixture t;
        random_fixture(&t, seed);
        const struct ptx_loops *l = &t.a->loops;
        int found = 0, depth[MAX_BLOCKS] = {0};
        for (int h = 0; h < t.a->cfg.n_blocks; h++) {
            bool body[MAX_BLOCKS];
            int id = 0;
            if (!loop_of(t.a, h, body))
                continue;
            found++;
            while (id < l->n_loops && l->loops[id].header != h)
                id++;
            assert_true(id < l->n_loops);
            for (int b = 0; b < t.a->cfg.n_blocks; b++) {
                assert_int_equal(ptx_loop_has(l, id, b), body[b]);
                depth[b] += body[b];
            }
        }
        assert_int_equal(found, l->n_loops);
        for (int b = 0; b < t.a->cfg.n_blocks; b++) {
            int in = l->innermost[b];
            assert_int_equal(in < 0 ? 0 : l->loops[in].depth, depth[b]);
            deep += depth[b] > 2;
        }
        for (int i = 0; i < l->n_loops; i++)
            assert_true(l->loops[i].parent < i);
        done(&t);
    }
    assert_true(deep > 20);
}

static void test_trip_counts(void **state) {
    (void)state;
    static const struct {
        const char *code;
        enum ptx_trip_kind kind;
        int64_t count;
    } cases[] = {
        /* counting up, tested at the end */
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\n"
         "setp.ne.s32 %p1, %r1, 64;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 64},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 4;\n"
         "setp.lt.u32 %p1, %r1, 10;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 3},
        {"mov.u32 %r1, 0;\nL: setp.lt.s32 %p1, %r1, 9;\n"
         "add.s32 %r1, %r1, 1;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 10},
        /* down, bound on the left, branch leaves */
        {"mov.u32 %r1, 7;\nL: sub.s32 %r1, %r1, 2;\n"
         "setp.gt.s32 %p1, 0, %r1;\n@%p1 bra X;\nbra L;\nX:\n",
         PTX_TRIP_STATIC, 4},
        {"mov.u32 %r1, -3;\nL: add.s32 %r1, %r1, 1;\n"
         "setp.le.s32 %p1, %r1, 3;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 7},
        /* tested at the top */
        {"mov.u32 %r1, 0;\nL: setp.ge.s32 %p1, %r1, 5;\n@%p1 bra X;\n"
         "add.s32 %r1, %r1, 1;\nbra L;\nX:\n",
         PTX_TRIP_STATIC, 5},
        {"mov.u32 %r1, 9;\nL: setp.ge.s32 %p1, %r1, 5;\n@%p1 bra X;\n"
         "add.s32 %r1, %r1, 1;\nbra L;\nX:\n",
         PTX_TRIP_STATIC, 0},
        /* guard negated */
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\n"
         "setp.eq.s32 %p1, %r1, 16;\n@!%p1 bra L;\n",
         PTX_TRIP_STATIC, 16},
        /* through copies, as for phis; bound in a register */
        {"mov.u32 %r5, 3;\nmov.u32 %r1, %r5;\nmov.u32 %r7, 12;\n"
         "L: add.s32 %r2, %r1, 3;\nsetp.ne.s32 %p1, %r2, %r7;\n"
         "mov.u32 %r1, %r2;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 3},
        /* bound written in the loop, but constant */
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\nmov.u32 %r2, 16;\n"
         "setp.ne.s32 %p1, %r1, %r2;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 16},
        /* unrolled: two steps */
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\nadd.s32 %r1, 1, %r1;\n"
         "setp.lt.s32 %p1, %r1, 8;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 4},
        /* a constant copied just before the loop */
        {"mov.u32 %r5, 0;\nmov.u32 %r1, %r5;\nL: add.s32 %r1, %r1, 1;\n"
         "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_STATIC, 9},
        /* by a register that the loop leaves alone, three times */
        {"mov.u32 %r1, 0;\nL: add.s32 %r2, %r7, %r1;\n"
         "add.s32 %r2, %r2, %r7;\nadd.s32 %r1, %r2, %r7;\n"
         "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_ENTRY, 0},
        /* bound or start known on entry */
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\n"
         "setp.lt.s32 %p1, %r1, %r9;\n@%p1 bra L;\n",
         PTX_TRIP_ENTRY, 0},
        {"and.b32 %r1, %r9, 3;\nL: add.s32 %r1, %r1, -1;\n"
         "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\n",
         PTX_TRIP_ENTRY, 0},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\n"
         "setp.lt.u32 %p1, %r1, %ntid.x;\n@%p1 bra L;\n",
         PTX_TRIP_ENTRY, 0},
        /* two starts */
        {"mov.u32 %r1, 0;\n@%p2 bra L;\nmov.u32 %r1, 1;\n"
         "L: add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_ENTRY, 0},
        /* not counted: another exit, data, never meeting, doubled */
        {"mov.u32 %r1, 0;\nL: @%p2 bra X;\nadd.s32 %r1, %r1, 1;\n"
         "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\nX:\n",
         PTX_TRIP_UNKNOWN, 0},
        {"L: ld.global.u32 %r1, [%d1];\nsetp.lt.s32 %p1, %r1, 9;\n"
         "@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 2;\n"
         "setp.ne.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 1;\nL: shl.b32 %r1, %r1, 1;\n"
         "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, %r7;\n"
         "add.s32 %r1, %r1, %r8;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, %r7;\n"
         "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, %r7;\n"
         "shl.b32 %r7, %r7, 1;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, %r7;\n"
         "sub.s32 %r1, %r1, %r7;\nsetp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 0;\nL: @%p3 add.s32 %r1, %r1, 1;\n"
         "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
        {"mov.u32 %r1, 0;\nL: add.s32 %r1, %r1, 1;\n"
         "ld.global.u32 %r2, [%d1];\n"
         "setp.lt.s32 %p1, %r1, %r2;\n@%p1 bra L;\n",
         PTX_TRIP_UNKNOWN, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture t;
        struct text code = {0};
        text_printf(&code, "%sret;\n", cases[i].code);
        text_fixture(&t, text_str(&code));
        text_free(&code);
        assert_int_equal(t.a->loops.n_loops, 1);
        if (t.a->loops.loops[0].trip.kind != cases[i].kind)
            fail_msg("case %zu: kind %d", i, t.a->loops.loops[0].trip.kind);
        assert_int_equal(t.a->loops.loops[0].trip.count, cases[i].count);
        done(&t);
    }
}

/* Down by three times %r7; the test sees the counter one %r7 further on. */
static void test_step_register(void **state) {
    (void)state;
    struct fixture t;
    text_fixture(&t, "L: sub.s32 %r2, %r1, %r7;\nadd.s32 %r3, %r2, 5;\n"
                     "sub.s32 %r4, %r2, %r7;\nsub.s32 %r1, %r4, %r7;\n"
                     "setp.gt.s32 %p1, %r3, %r9;\n@%p1 bra L;\nret;\n");
    const struct ptx_trip *trip = &t.a->loops.loops[0].trip;
    assert_int_equal(trip->kind, PTX_TRIP_ENTRY);
    assert_string_equal(t.a->function->registers[trip->step_reg]->name, "%r7");
    assert_int_equal(trip->step, -3);
    assert_int_equal(trip->plus, 5);
    assert_int_equal(trip->plus_times, -1);
    done(&t);
}

/* --------------------------------------------------------------- liveness */

static bool contains(const int *list, int n, int reg) {
    return has(list, n, reg);
}

/* before[pc][r]: some path from pc reads r before a sure write, by iteration
 * over single instructions. */
static bool *brute_liveness(const struct ptx_analysis *a) {
    const struct ptx_function *f = a->function;
    int n = f->n_instructions, regs = f->n_registers;
    bool *before = xcalloc((size_t)(n + 1) * (size_t)regs, 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (int pc = n - 1; pc >= 0; pc--) {
            const struct ptx_instruction *in = &f->instructions[pc];
            const struct ptx_block *b = &a->cfg.blocks[a->cfg.block_of[pc]];
            for (int r = 0; r < regs; r++) {
                bool out = false;
                if (pc + 1 < b->end)
                    out = before[(pc + 1) * regs + r];
                for (int i = 0; pc + 1 == b->end && i < b->n_succ; i++)
                    out |= before[a->cfg.blocks[b->succ[i]].begin * regs + r];
                bool killed = !in->guard && contains(in->defs, in->n_defs, r);
                bool live =
                    contains(in->uses, in->n_uses, r) || (out && !killed);
                changed |= live != before[pc * regs + r];
                before[pc * regs + r] = live;
            }
        }
    }
    return before;
}

static void test_liveness(void **state) {
    (void)state;
    for (int seed = 0; seed < KERNELS; seed++) {
        struct fixture t;
        random_fixture(&t, seed);
        const struct ptx_function *f = t.x.f;
        bool *before = brute_liveness(t.a);
        int regs = f->n_registers;
        for (int pc = 0; pc < f->n_instructions; pc++)
            for (int r = 0; r < regs; r++)
                if (ptx_live_at(&t.a->live, r, 2 * pc) !=
                        before[pc * regs + r] &&
                    /* a guarded write nobody reads keeps the old value */
                    !ptx_live_at(&t.a->live, r, 2 * pc))
                    fail_msg("seed %d: %s at %d", seed, f->registers[r]->name,
                             pc);
        for (int b = 0; b < t.a->cfg.n_blocks; b++)
            for (int r = 0; r < regs; r++) {
                int pc = t.a->cfg.blocks[b].begin;
                assert_int_equal(ptx_live_in(&t.a->live, &t.a->cfg, r, b),
                                 before[pc * regs + r]);
            }
        /* every write stands in a span, if only for itself */
        for (int pc = 0; pc < f->n_instructions; pc++)
            for (int i = 0; i < f->instructions[pc].n_defs; i++)
                assert_true(ptx_live_at(&t.a->live, f->instructions[pc].defs[i],
                                        2 * pc + 1));
        free(before);
        done(&t);
    }
}

static void test_spans_are_tight(void **state) {
    (void)state;
    struct fixture t;
    text_fixture(&t, "mov.b32 %r1, 1;\n"                     /* 0 */
                     "mov.b32 %r2, 2;\n"                     /* 1: dead */
                     "add.s32 %r3, %r1, 4;\n"                /* 2 */
                     "mov.b32 %r1, %r3;\n"                   /* 3 */
                     "ld.global.v2.u32 {%r4, %r5}, [%d1];\n" /* 4 */
                     "st.global.u32 [%d2], %r1;\nret;\n");
    static const struct {
        const char *name;
        int n;
        struct ptx_span spans[2];
    } cases[] = {{"%r1", 2, {{1, 5}, {7, 11}}},
                 {"%r2", 1, {{3, 4}}},
                 {"%r3", 1, {{5, 7}}},
                 {"%d1", 1, {{0, 10}}},
                 {"%r4", 1, {{9, 10}}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int r = 0;
        while (strcmp(t.x.f->registers[r]->name, cases[i].name) != 0)
            r++;
        const struct ptx_live *l = &t.a->live;
        assert_int_equal(l->at[r + 1] - l->at[r], cases[i].n);
        for (int k = 0; k < cases[i].n; k++) {
            assert_int_equal(l->spans[l->at[r] + k].start,
                             cases[i].spans[k].start);
            assert_int_equal(l->spans[l->at[r] + k].end, cases[i].spans[k].end);
        }
    }
    done(&t);
}

/* --------------------------------------------------- reaching definitions */

/* in[pc][d]: definition at pc d of reg reaches pc, forwards. */
static bool *brute_reaching(const struct ptx_analysis *a, int reg) {
    const struct ptx_function *f = a->function;
    int n = f->n_instructions;
    bool *in = xcalloc((size_t)(n + 1) * (size_t)(n + 1), 1);
    in[n] = true; /* column n: no definition since the start */
    for (bool changed = true; changed;) {
        changed = false;
        for (int pc = 0; pc < n; pc++) {
            const struct ptx_instruction *i = &f->instructions[pc];
            const struct ptx_block *b = &a->cfg.blocks[a->cfg.block_of[pc]];
            bool defines = contains(i->defs, i->n_defs, reg);
            for (int d = 0; d <= n; d++) {
                bool out = (in[pc * (n + 1) + d] && !(defines && !i->guard)) ||
                           (defines && d == pc);
                for (int s = 0; out && pc + 1 == b->end && s < b->n_succ; s++) {
                    bool *to =
                        &in[a->cfg.blocks[b->succ[s]].begin * (n + 1) + d];
                    changed |= !*to;
                    *to = true;
                }
                if (out && pc + 1 < b->end && !in[(pc + 1) * (n + 1) + d])
                    changed = in[(pc + 1) * (n + 1) + d] = true;
            }
        }
    }
    return in;
}

static void test_reaching_definitions(void **state) {
    (void)state;
    for (int seed = 0; seed < KERNELS / 3; seed++) {
        struct fixture t;
        struct ptx_reach q;
        random_fixture(&t, seed);
        const struct ptx_function *f = t.x.f;
        int n = f->n_instructions;
        ptx_reach_init(&q, f, &t.a->cfg, &t.a->defs);
        for (int reg = 0; reg < f->n_registers; reg += 2) {
            bool *in = brute_reaching(t.a, reg);
            for (int pc = 0; pc < n; pc++) {
                int pcs[512];
                if (t.a->cfg.rpo_index[t.a->cfg.block_of[pc]] < 0)
                    continue;
                struct ptx_reached got =
                    ptx_reaching(&q, reg, pc, -1, 0, pcs, 512);
                int expected = 0;
                for (int d = 0; d < n; d++) {
                    bool reachable =
                        t.a->cfg.rpo_index[t.a->cfg.block_of[d]] >= 0;
                    if (!reachable || !in[pc * (n + 1) + d])
                        continue;
                    expected++;
                    assert_true(has(pcs, got.n, d));
                }
                int reachable = 0;
                for (int i = 0; i < got.n; i++)
                    reachable +=
                        t.a->cfg.rpo_index[t.a->cfg.block_of[pcs[i]]] >= 0;
                assert_int_equal(reachable, expected);
                assert_int_equal(got.start, in[pc * (n + 1) + n]);
            }
            free(in);
        }
        ptx_reach_free(&q);
        done(&t);
    }
}

/* -------------------------------------------------------------- registers */

static bool overlap(const struct ptx_live *l, int a, int b) {
    for (int i = l->at[a]; i < l->at[a + 1]; i++)
        for (int k = l->at[b]; k < l->at[b + 1]; k++)
            if (l->spans[i].start < l->spans[k].end &&
                l->spans[k].start < l->spans[i].end)
                return true;
    return false;
}

static void check_pair(const struct ptx_analysis *a, int r, int s) {
    const struct ptx_function *f = a->function;
    int x = a->allocation.physical[r], y = a->allocation.physical[s];
    enum ptx_kind k = f->registers[r]->kind, m = f->registers[s]->kind;
    if (x + ptx_kind_size(k) <= y || y + ptx_kind_size(m) <= x)
        return;
    assert_int_equal(x, y);
    assert_int_equal(k, m);
    assert_int_equal(a->locations.registers[r], a->locations.registers[s]);
    assert_false(overlap(&a->live, r, s));
}

static void test_allocation(void **state) {
    (void)state;
    int shared = 0;
    for (int seed = 0; seed < KERNELS; seed++) {
        struct fixture t;
        random_fixture(&t, seed);
        const struct ptx_allocation *al = &t.a->allocation;
        int need = 0;
        for (int r = 0; r < t.x.f->n_registers; r++) {
            int size = ptx_kind_size(t.x.f->registers[r]->kind);
            assert_true(al->physical[r] >= 0);
            assert_true(al->physical[r] + size <= al->total);
            assert_int_equal(al->physical[r] % size, 0);
            need += size;
            for (int s = 0; s < r; s++)
                check_pair(t.a, r, s);
        }
        shared += need > al->total;
        done(&t);
    }
    assert_true(shared > KERNELS / 4);
}

static void test_allocation_reuses_what_is_free(void **state) {
    (void)state;
    struct fixture t;
    struct text code = {0};
    for (int i = 1; i < 30; i++)
        text_printf(&code, "add.s32 %%r%d, %%r%d, 1;\n", i + 1, i);
    text_add(&code, "ret;\n");
    text_fixture(&t, text_str(&code));
    assert_int_equal(t.x.f->n_registers, 30);
    assert_int_equal(t.a->allocation.total, 1);
    text_free(&code);
    done(&t);
}

/* ----------------------------------------------------------------- stream */

static void test_stream(void **state) {
    (void)state;
    struct fixture t;
    struct nbu_packet *p;
    struct diag d = {0};
    int n;
    text_fixture(&t, "ld.global.v2.f32 {%f1, %f2}, [%d1];\n"        /* 0, 1 */
                     "@!%p1 add.f32 %f3, %f1, %f2;\n"               /* 2 */
                     "st.global.v4.f32 [%d2], {%f1,%f2,%f3,%f4};\n" /* 3, 4 */
                     "setp.lt.s32 %p2|%p3, %r1, %r2;\n"             /* 5, 6 */
                     "bfi.b32 %r3, %r4, %r5, %r6, %r7;\n"           /* 7, 8 */
                     "mov.b128 %q1, %q2;\n"                         /* 9, 10 */
                     "st.shared.f32 [8], %f3;\n"                    /* 11 */
                     "@%p2 bra L;\nL: bar.sync 0;\nret;\n");
    assert_true(ptx_stream(t.x.f, t.a, 64, &p, &n, &d));
    assert_int_equal(n, 15);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(p[i].pc, 0);
        assert_int_equal(p[i].op, OPC_ld_global);
        assert_int_equal(p[i].hint, 2);
        assert_true(p[i].dst.valid && p[i].src[0].valid);
        assert_int_equal(p[i].src[0].kind, 1);
        assert_int_equal(p[i].src[0].reg % 2, 0);
        assert_false(p[i].src[1].valid);
    }
    assert_int_not_equal(p[0].dst.reg, p[1].dst.reg);
    assert_true(p[2].guard.valid);
    assert_int_equal(p[2].guard.kind, 2);
    assert_int_equal(p[2].src[1].reg, p[1].dst.reg);
    assert_int_equal(p[3].src[0].kind, 1);
    assert_true(p[3].src[2].valid && p[4].src[2].valid);
    assert_int_equal(p[4].src[0].reg, p[3].src[0].reg);
    assert_false(p[3].dst.valid);
    assert_int_equal(p[5].dst.kind, 2);
    assert_int_equal(p[6].src[1].reg, p[5].src[1].reg);
    assert_false(p[7].dst.valid);
    assert_true(p[8].dst.valid && p[8].src[0].valid && !p[8].src[1].valid);
    assert_int_equal(p[9].pc, 5);
    assert_int_equal(p[10].dst.reg, p[9].dst.reg + 2);
    assert_int_equal(p[10].src[1].reg, p[10].src[0].reg + 2);
    assert_false(p[11].src[0].valid); /* an address without register */
    assert_true(p[11].src[1].valid);
    free(p);
    /* one fewer than it needs */
    assert_false(ptx_stream(t.x.f, t.a, t.a->allocation.total - 1, &p, &n, &d));
    char *got = diag_captured(&d);
    assert_non_null(strstr(got, "kernel 'k' needs"));
    free(got);
    diag_free(&d);
    done(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges_match_the_code),
        cmocka_unit_test(test_dominators),
        cmocka_unit_test(test_endless_loop_has_post_dominators),
        cmocka_unit_test(test_unreachable_code_and_falling_off),
        cmocka_unit_test(test_indexed_branch),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_trip_counts),
        cmocka_unit_test(test_step_register),
        cmocka_unit_test(test_liveness),
        cmocka_unit_test(test_spans_are_tight),
        cmocka_unit_test(test_reaching_definitions),
        cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_allocation_reuses_what_is_free),
        cmocka_unit_test(test_stream),
    };
    return cmocka_run_group_tests_name("test_analysis", tests, NULL, NULL);
}

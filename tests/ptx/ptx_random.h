/* ptx_random.h - random PTX kernels for tests, reproducible from a seed. */
#ifndef NDP_TESTS_PTX_RANDOM_H
#define NDP_TESTS_PTX_RANDOM_H

#include "papers/analysis.h"
#include "base/text.h"

struct random_ptx {
    struct arena arena;
    struct diag diag;
    struct source source;
    struct text text;
    const struct ptx_function *f;
};

static inline uint32_t random_next(uint32_t *seed) {
    *seed ^= *seed << 13; /* xorshift32 */
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

static inline int random_below(uint32_t *seed, int n) {
    return (int)(random_next(seed) % (uint32_t)n);
}

/* One instruction over registers %r0..%r<regs-1> and %p0..%p3. */
static inline void random_instruction(struct text *t, uint32_t *s, int regs,
                                      int blocks) {
    int a = random_below(s, regs), b = random_below(s, regs),
        c = random_below(s, regs), p = random_below(s, 4);
    if (random_below(s, 6) == 0)
        text_printf(t, "@%s%%p%d ", random_below(s, 2) ? "!" : "", p);
    switch (random_below(s, 12)) {
    case 0:
        text_printf(t, "ld.global.v2.u32 {%%r%d, %%r%d}, [%%d%d];\n", a, b,
                    c % 3);
        break;
    case 1:
        text_printf(t, "st.global.u32 [%%d%d+4], %%r%d;\n", c % 3, b);
        break;
    case 2:
        text_printf(t, "setp.lt.s32 %%p%d|%%p%d, %%r%d, 3;\n", p, (p + 1) % 4,
                    a);
        break;
    case 3:
        text_printf(t, "ld.shared.u32 %%r%d, [%%r%d];\n", a, b);
        break;
    case 4:
        text_printf(t, "mul.wide.s32 %%d%d, %%r%d, 4;\n", c % 3, a);
        break;
    case 5:
        text_printf(t, "bra L%d;\n", random_below(s, blocks));
        break;
    case 6:
        text_add(t, random_below(s, 8) ? "bar.sync 0;\n" : "exit;\n");
        break;
    case 7:
        text_printf(t, "selp.b32 %%r%d, %%r%d, %%r%d, %%p%d;\n", a, b, c, p);
        break;
    default:
        text_printf(t, "add.s32 %%r%d, %%r%d, %%r%d;\n", a, b, c);
    }
}

/* A kernel of that many labels with a few instructions and a branch each. */
static inline void random_kernel(struct random_ptx *x, uint32_t seed,
                                 int blocks, int regs) {
    uint32_t s = seed * 2654435761u + 1;
    *x = (struct random_ptx){0};
    text_printf(&x->text,
                ".version 7.7\n.target sm_52\n.entry k() {\n"
                ".reg .b32 %%r<%d>; .reg .pred %%p<4>; .reg .b64 %%d<3>;\n",
                regs);
    for (int b = 0; b < blocks; b++) {
        text_printf(&x->text, "L%d:\n", b);
        for (int i = random_below(&s, 5); i >= 0; i--)
            random_instruction(&x->text, &s, regs, blocks);
        if (random_below(&s, 3))
            text_printf(&x->text, "@%%p%d bra L%d;\n", random_below(&s, 4),
                        random_below(&s, blocks));
    }
    text_add(&x->text, "ret;\n}\n");
    x->source = (struct source){"random.ptx", x->text.data, x->text.len};
    struct ptx_module *m = ptx_read(&x->arena, &x->source, &x->diag);
    if (x->diag.errors)
        BUG("random kernel %u does not load", seed);
    x->f = m->functions[0];
}

static inline void random_free(struct random_ptx *x) {
    text_free(&x->text);
    diag_free(&x->diag);
    arena_free(&x->arena);
}

#endif

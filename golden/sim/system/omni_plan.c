/* omni_plan.c - see omni_plan.h. */
#include "omni_plan.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct omni_plan {
    struct arena arena;
    int n;
    struct function {
        const struct ptx_analysis *analysis; /* NULL: no body, or no chain */
        struct ptx_chains chains;
        int *place; /* by pc, in the rewritten text */
    } * functions;
};

static void load(struct omni_plan *p, const struct ptx_module *m, int i,
                 bool split) {
    const struct ptx_chain_options o = {.split_fma = split};
    struct function *f = &p->functions[i];
    const struct ptx_analysis *a = ptx_analyse(&p->arena, m->functions[i]);

    ptx_chains_find(&p->arena, m->source, a, &o, &f->chains);
    if (f->chains.n == 0)
        return;
    int n = m->functions[i]->n_instructions;
    f->analysis = a;
    f->place = arena_array(&p->arena, (size_t)n, sizeof *f->place);
    for (int place = 0; place < n; place++)
        f->place[f->chains.order[place]] = place;
}

struct omni_plan *omni_plan_create(const struct ptx_module *m, bool split) {
    struct omni_plan *p = xcalloc(1, sizeof *p);
    if (!m)
        return p;
    p->n = m->n_functions;
    p->functions = arena_array(&p->arena, (size_t)p->n, sizeof *p->functions);
    for (int i = 0; i < p->n; i++)
        if (m->functions[i]->has_body)
            load(p, m, i, split);
    return p;
}

void omni_plan_free(struct omni_plan *p) {
    if (p)
        arena_free(&p->arena);
    free(p);
}

/* ----------------------------------------------------------------- order */

/* The function of an instruction; NULL: one without chains. */
static const struct function *function_of(const struct omni_plan *p,
                                          const struct stream_insn *i) {
    const struct function *f =
        i->function < (uint32_t)p->n ? &p->functions[i->function] : NULL;
    return f && f->analysis &&
                   i->pc < (uint64_t)f->analysis->function->n_instructions
               ? f
               : NULL;
}

/* The op behind an execution of a basic block that begins at op i. */
static uint32_t block_end(const struct omni_plan *p, const struct cta_reader *r,
                          const struct cta_warp *w, uint32_t i) {
    const struct stream_insn *last = cta_insn(r, w->ops[i].insn);
    const struct function *f = function_of(p, last);
    const int *block_of = f->analysis->cfg.block_of;

    for (i++; i < w->n; i++) {
        const struct stream_insn *next = cta_insn(r, w->ops[i].insn);
        if (function_of(p, next) != f || next->pc <= last->pc ||
            block_of[next->pc] != block_of[last->pc])
            break;
        last = next;
    }
    return i;
}

static int place_of(const struct function *f, const struct cta_reader *r,
                    const struct cta_op *op) {
    return f->place[cta_insn(r, op->insn)->pc];
}

/* Few move, and not far.  The count of lines goes with an op, in the field of
 * the first line. */
static void sort(const struct function *f, const struct cta_reader *r,
                 struct cta_op *ops, uint32_t *from, uint32_t begin,
                 uint32_t end) {
    for (uint32_t i = begin + 1; i < end; i++) {
        struct cta_op op = ops[i];
        uint32_t was = from[i], k = i;
        for (; k > begin && place_of(f, r, &ops[k - 1]) > place_of(f, r, &op);
             k--) {
            ops[k] = ops[k - 1];
            from[k] = from[k - 1];
        }
        ops[k] = op;
        from[k] = was;
    }
}

/* --------------------------------------------------------------- instances */

static bool starts(const struct function *f, const struct cta_reader *r,
                   const struct cta_warp *w, uint32_t i, uint32_t end) {
    int id = f->chains.chain_of[cta_insn(r, w->ops[i].insn)->pc];
    if (id < 0)
        return false;
    const struct ptx_chain *c = &f->chains.list[id];
    if (end - i < (uint32_t)c->n)
        return false;
    for (int k = 0; k < c->n; k++)
        if (cta_insn(r, w->ops[i + (uint32_t)k].insn)->pc !=
            (uint64_t)c->pcs[k])
            return false;
    return true;
}

static void cut(const struct function *f, const struct cta_reader *r,
                const struct cta_warp *w, uint32_t begin, uint32_t end,
                struct omni_instances *out) {
    for (uint32_t i = begin; i < end; i++) {
        if (!starts(f, r, w, i, end))
            continue;
        const struct ptx_chain *c =
            &f->chains
                 .list[f->chains.chain_of[cta_insn(r, w->ops[i].insn)->pc]];
        uint32_t last = i + (uint32_t)c->n;
        *array_push(&out->list) =
            (struct omni_instance){.chain = c,
                                   .begin = i,
                                   .end = last - (c->split ? 1 : 0),
                                   .store = c->store >= 0 ? last - 1 : 0};
        i = last - 1;
    }
}

/* Lines follow their ops into the new order. */
static void move_lines(struct cta_warp *w, const struct cta_op *before,
                       const uint32_t *from) {
    struct cta_line *lines = xmalloc((w->n_lines + 1) * sizeof *lines);
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const struct cta_op *was = &before[from[i]];
        uint32_t count = cta_op_lines(was);
        memcpy(lines + n, w->lines + was->lines, count * sizeof *lines);
        w->ops[i].lines = n & 0x7fffffff;
        n += count;
    }
    memcpy(w->lines, lines, n * sizeof *lines);
    free(lines);
}

void omni_plan_arrange(const struct omni_plan *p, const struct cta_reader *r,
                       struct cta_warp *w, struct omni_instances *out) {
    if (!p->n || !w->n)
        return;
    struct cta_op *before = xmalloc((w->n + 1) * sizeof *before);
    uint32_t *from = xmalloc(w->n * sizeof *from);
    memcpy(before, w->ops, (w->n + 1) * sizeof *before);
    for (uint32_t i = 0; i < w->n; i++)
        from[i] = i;
    for (uint32_t i = 0, end; i < w->n; i = end) {
        const struct function *f = function_of(p, cta_insn(r, w->ops[i].insn));
        end = i + 1;
        if (!f)
            continue;
        end = block_end(p, r, w, i);
        sort(f, r, w->ops, from, i, end);
        cut(f, r, w, i, end, out);
    }
    move_lines(w, before, from);
    free(before);
    free(from);
}

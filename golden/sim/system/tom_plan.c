/* tom_plan.c - candidates loaded, and instances cut out of streams. */
#include "tom_plan.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct tom_plan {
    struct arena arena;
    const struct ptx_module *module;
    struct offload_local size;
    int most; /* candidates that the table holds */
    struct tom_function *functions;
};

/* -------------------------------------------------------------- candidates */

static uint32_t add_registers(struct tom_candidate *t, const int *list, int n,
                              const struct ptx_function *f) {
    uint32_t rows = 0;
    for (int i = 0; i < n; i++) {
        rows += (uint32_t)ptx_kind_size(f->registers[list[i]]->kind);
        if (t->n_regs < TOM_MAX_REGS)
            t->regs[t->n_regs++] = (uint32_t)list[i];
    }
    return rows;
}

/* Values on both sides of the condition; equality is on the true side of both
 * comparisons.  A threshold at the end of its range has no false side. */
static void find_values(struct tom_candidate *t) {
    const struct ptx_condition *c = &t->c->condition;
    uint32_t least = c->is_signed ? 0x80000000u : 0;
    uint32_t most = c->is_signed ? 0x7fffffffu : UINT32_MAX;
    t->held = t->refused = c->threshold;
    if (c->compare == PTX_COMPARE_GE && c->threshold != least)
        t->refused = c->threshold - 1;
    if (c->compare == PTX_COMPARE_LE && c->threshold != most)
        t->refused = c->threshold + 1;
}

static bool make(struct tom_plan *p, const struct ptx_analysis *a,
                 const struct ptx_candidate *c, struct tom_candidate *t) {
    *t = (struct tom_candidate){.c = c};
    if (ptx_entry_fill(c, a->function, &a->allocation, &p->size, &t->entry))
        return false;
    t->rows_in = add_registers(t, c->in, c->n_in, a->function);
    t->rows_out = add_registers(t, c->out, c->n_out, a->function);
    if (c->condition.reg >= 0) /* made in front of the block, no live-in */
        add_registers(t, &c->condition.reg, 1, a->function);
    find_values(t);
    return true;
}

static void load(struct tom_plan *p, const struct ptx_function *f,
                 const struct ptx_candidate_options *o,
                 struct tom_function *out) {
    struct ptx_candidates found;
    struct arena *arena = &p->arena;
    const struct ptx_analysis *a = ptx_analyse(arena, f);
    ptx_candidates_find(arena, a, o, &found);
    out->analysis = a;
    out->list = arena_array(arena, (size_t)found.n + 1, sizeof *out->list);
    out->at =
        arena_array(arena, (size_t)f->n_instructions + 1, sizeof *out->at);
    for (int i = 0; i <= f->n_instructions; i++)
        out->at[i] = -1;
    for (int i = 0; i < found.n; i++)
        if (out->n < p->most && make(p, a, &found.list[i], &out->list[out->n]))
            out->at[found.list[i].begin_pc] = out->n++;
        else
            out->dropped++;
}

struct tom_plan *tom_plan_create(const struct ptx_module *m,
                                 const struct ptx_candidate_options *o,
                                 const struct config *config) {
    struct tom_plan *p = xcalloc(1, sizeof *p);
    p->module = m;
    p->size = offload_local(config);
    p->most = config->offload_candidates;
    if (!m)
        return p;
    p->functions =
        arena_array(&p->arena, (size_t)m->n_functions, sizeof *p->functions);
    for (int i = 0; i < m->n_functions; i++)
        if (m->functions[i]->has_body)
            load(p, m->functions[i], o, &p->functions[i]);
    return p;
}

void tom_plan_free(struct tom_plan *p) {
    if (p)
        arena_free(&p->arena);
    free(p);
}

const struct tom_function *tom_plan_kernel(const struct tom_plan *p,
                                           const char *kernel) {
    for (int i = 0; p->module && i < p->module->n_functions; i++)
        if (p->functions[i].analysis &&
            strcmp(p->module->functions[i]->name, kernel) == 0)
            return &p->functions[i];
    return NULL;
}

/* --------------------------------------------------------------- instances */

/* Candidate that begins at an instruction of this function, or -1. */
static int begins(const struct tom_function *f, const struct stream_insn *i) {
    const struct ptx_function *p = f->analysis->function;
    return i->pc < (uint64_t)p->n_instructions ? f->at[i->pc] : -1;
}

/* Iterations that a loop makes at its first entry within the ops of an
 * instance: its header's executions, less the one that only tests. */
static int64_t iterations(const struct tom_function *f,
                          const struct cta_reader *r, const struct cta_warp *w,
                          const struct tom_instance *x, int loop) {
    const struct ptx_analysis *a = f->analysis;
    const struct ptx_loop *l = &a->loops.loops[loop];
    uint64_t header = (uint64_t)a->cfg.blocks[l->header].begin;
    int64_t n = 0;
    bool was_in = false;
    for (uint32_t i = x->begin; i < x->end; i++) {
        uint64_t pc = cta_insn(r, w->ops[i].insn)->pc;
        bool in = ptx_loop_has(&a->loops, loop, a->cfg.block_of[pc]);
        if (pc == header && n > 0 && !was_in)
            break; /* entered again */
        n += pc == header;
        was_in = in;
    }
    return n > 0 && l->trip.tests_first ? n - 1 : n;
}

static bool pays(const struct tom_function *f, const struct cta_reader *r,
                 const struct cta_warp *w, const struct tom_instance *x) {
    const struct ptx_candidate *c = f->list[x->candidate].c;
    if (c->condition.reg < 0 || c->loop < 0)
        return true;
    if (f->list[x->candidate].held == f->list[x->candidate].refused)
        return true;
    return iterations(f, r, w, x, c->loop) >= c->trip_count;
}

static uint32_t leave(const struct tom_function *f, const struct cta_reader *r,
                      const struct cta_warp *w, struct tom_instance *x) {
    const struct ptx_candidate *c = f->list[x->candidate].c;
    uint32_t function = cta_insn(r, w->ops[x->begin].insn)->function;
    uint32_t i = x->begin, first = UINT32_MAX;
    for (; i < w->n; i++) {
        const struct stream_insn *in = cta_insn(r, w->ops[i].insn);
        if (in->function != function || in->pc < (uint64_t)c->begin_pc ||
            in->pc >= (uint64_t)c->end_pc)
            break;
        if (first == UINT32_MAX && cta_op_lines(&w->ops[i]) > 0)
            first = i;
    }
    x->first = first == UINT32_MAX ? i : first;
    return x->end = i;
}

void tom_plan_cut(const struct tom_function *f, const struct cta_reader *r,
                  const struct cta_warp *w, struct tom_instances *out) {
    uint32_t i = 0;
    if (!f || f->n == 0)
        return;
    while (i < w->n) {
        int k = begins(f, cta_insn(r, w->ops[i].insn));
        if (k < 0) {
            i++;
            continue;
        }
        struct tom_instance *x = array_push(&out->list);
        *x = (struct tom_instance){.begin = i, .candidate = (uint16_t)k};
        i = leave(f, r, w, x);
        x->pays = pays(f, r, w, x);
    }
}

/* miss.c - the loops and basic blocks that access global memory and
 * are no candidates, nor hold one, with the reason: what a person asks when
 * the candidate that was expected is missing.
 */
#include "parts.h"

#include "base/array.h"

#include <stdlib.h>

struct finder {
    struct ptx_scan *s;
    const struct ptx_nearest *nearest;
    int *accesses, *taken; /* how many before each pc */
    ARRAY(struct ptx_miss) list;
};

static void count(struct finder *f) {
    const struct ptx_function *fn = f->s->a->function;
    size_t n = (size_t)fn->n_instructions + 1;
    f->accesses = xcalloc(n, sizeof *f->accesses);
    f->taken = xcalloc(n, sizeof *f->taken);
    for (int pc = 0; pc < fn->n_instructions; pc++) {
        const struct ptx_instruction *in = &fn->instructions[pc];
        bool access = ptx_load_words(in) || ptx_store_words(in);
        f->accesses[pc + 1] = f->accesses[pc] + access;
        f->taken[pc + 1] = f->taken[pc] + f->s->taken[pc];
    }
}

/* Whether [lo, hi) has global accesses and no part of a candidate. */
static bool in_question(const struct finder *f, int lo, int hi) {
    const struct ptx_cfg *cfg = &f->s->a->cfg;
    return f->accesses[hi] > f->accesses[lo] && f->taken[hi] == f->taken[lo] &&
           cfg->rpo_index[cfg->block_of[lo]] >= 0;
}

static void note_balance(const struct ptx_scan *s, struct ptx_miss *m) {
    struct ptx_balance b = ptx_scan_balance(s);
    m->counted = true;
    m->bw_tx = b.tx;
    m->bw_rx = b.rx;
}

static void look_at_loop(struct finder *f, int l) {
    struct ptx_scan *s = f->s;
    const struct ptx_nest_loop *n = &s->nest.loops[l];
    struct ptx_miss m = {.begin_pc = n->lo, .end_pc = n->hi, .pc = -1};
    if (!in_question(f, n->lo, n->hi))
        return;
    ptx_scan_begin(s, n->lo);
    while (s->end < n->hi)
        if (!ptx_scan_advance(s)) {
            m.pc = s->stop_pc;
            m.reason = s->stop_reason;
            *array_push(&f->list) = m;
            return;
        }
    if (!ptx_scan_is_region(s)) {
        m.reason = "leaves elsewhere than at its end, or is entered so";
        *array_push(&f->list) = m;
        return;
    }
    note_balance(s, &m);
    m.reason = s->a->loops.loops[l].trip.kind == PTX_TRIP_STATIC
                   ? "does not pay"
               : n->why ? n->why
                        : "no threshold of 32 bits says when it pays";
    *array_push(&f->list) = m;
}

/* No access of the block can stand alone: why not the first. */
static void find_refused(const struct finder *f, struct ptx_miss *m) {
    m->reason = "leaves the function";
    for (m->pc = m->begin_pc; m->pc < m->end_pc - 1; m->pc++)
        if (f->accesses[m->pc + 1] > f->accesses[m->pc])
            break;
    if (f->s->refused[m->pc])
        m->reason = f->s->refused[m->pc];
}

/* The region inside the block, with an access, that comes nearest.  No part of
 * the block is a candidate's, so the first scan has seen them all. */
static void look_at_block(struct finder *f, const struct ptx_block *b) {
    struct ptx_scan *s = f->s;
    struct ptx_miss m = {.begin_pc = b->begin, .end_pc = b->end, .pc = -1};
    const struct ptx_nearest *best = NULL;
    if (!in_question(f, b->begin, b->end))
        return;
    for (int pc = b->begin; pc < b->end; pc++) {
        const struct ptx_nearest *n = &f->nearest[pc];
        if (n->end == 0 ||
            (best && !ptx_comes_nearer(n->change, n->end - pc, best->change,
                                       m.end_pc - m.begin_pc)))
            continue;
        best = n;
        m.begin_pc = pc;
        m.end_pc = n->end;
    }
    if (best) {
        ptx_scan_begin(s, m.begin_pc);
        while (s->end < m.end_pc)
            if (!ptx_scan_advance(s))
                BUG("region of pc %d to %d is none", m.begin_pc, m.end_pc);
        note_balance(s, &m);
        m.reason = "does not pay";
    } else {
        find_refused(f, &m);
    }
    *array_push(&f->list) = m;
}

static int nearest_first(const void *a, const void *b) {
    const struct ptx_miss *x = a, *y = b;
    int64_t bx = x->bw_tx + x->bw_rx, by = y->bw_tx + y->bw_rx;
    if (x->counted != y->counted)
        return x->counted ? -1 : 1;
    if (bx != by)
        return bx < by ? -1 : 1;
    if (x->begin_pc != y->begin_pc)
        return x->begin_pc < y->begin_pc ? -1 : 1;
    return (x->end_pc < y->end_pc) - (x->end_pc > y->end_pc);
}

void ptx_misses_find(struct ptx_scan *s, struct arena *arena,
                     const struct ptx_nearest *nearest,
                     struct ptx_candidates *out) {
    struct finder f = {.s = s, .nearest = nearest};
    count(&f);
    for (int l = 0; l < s->a->loops.n_loops; l++)
        look_at_loop(&f, l);
    for (int b = 0; b < s->a->cfg.n_blocks; b++)
        look_at_block(&f, &s->a->cfg.blocks[b]);
    array_sort(&f.list, nearest_first);
    out->n_misses = f.list.n;
    out->misses = array_keep(&f.list, arena);
    array_free(&f.list);
    free(f.accesses);
    free(f.taken);
}

/* compare.c - where two traces part (compare.h). */
#include "compare.h"

#include "base/array.h"

#include <string.h>

/* Instructions of a launch by warp of a CTA: lists through next. */
struct chains {
    const struct retire_trace *t;
    const struct retire_launch *l;
    int n;             /* lists: CTAs times warps */
    int *first, *next; /* positions of first passes; -1: the end */
};

struct pair {
    struct chains here, there;
    bool any_order;
};

/* --- lists ---------------------------------------------------------------- */

static int list_of(const struct retire_launch *l, const struct retire_insn *i) {
    return i->cta < 0 ? -1 : i->cta * l->warps + i->warp % l->warps;
}

static int count_ctas(const struct retire_launch *l) {
    int n = 0;
    for (int i = 0; i < l->n; i++)
        if (l->passes[i].cta >= n)
            n = l->passes[i].cta + 1;
    return n;
}

static void chains_make(struct chains *c, const struct retire_trace *t,
                        const struct retire_launch *l) {
    struct retire_insn i;
    *c = (struct chains){.t = t, .l = l, .n = count_ctas(l) * l->warps};
    int *last = xcalloc((size_t)c->n + 1, sizeof *last);
    c->first = xcalloc((size_t)c->n + 1, sizeof *c->first);
    c->next = xcalloc((size_t)l->n + 1, sizeof *c->next);
    for (int n = 0; n < c->n; n++)
        c->first[n] = last[n] = -1;
    for (int at = 0; retire_next(t, l, at, &i); at = i.next) {
        int n = list_of(l, &i);
        c->next[i.first] = -1;
        if (n < 0)
            continue;
        *(last[n] < 0 ? &c->first[n] : &c->next[last[n]]) = i.first;
        last[n] = i.first;
    }
    free(last);
}

static void chains_free(struct chains *c) {
    free(c->first);
    free(c->next);
}

static int chain_first(const struct chains *c, int n) {
    return n < c->n ? c->first[n] : -1;
}

/* --- an instruction ------------------------------------------------------- */

static enum retire_difference_kind differ(const struct retire_insn *a,
                                          const struct retire_insn *b,
                                          uint32_t *lanes) {
    *lanes = 0;
    if (a->what != b->what || a->pc != b->pc)
        return RETIRE_PATH;
    *lanes = a->mask ^ b->mask;
    if (*lanes)
        return RETIRE_LANES;
    if (a->kind != b->kind || a->d != b->d) {
        *lanes = a->mask;
        return RETIRE_DESTINATION;
    }
    for (int lane = 0; lane < RETIRE_MAX_LANES; lane++)
        if (a->values[lane] != b->values[lane])
            *lanes |= UINT32_C(1) << lane;
    return *lanes ? RETIRE_VALUE : RETIRE_EQUAL;
}

static void remember(struct retire_difference *x, const struct retire_insn *i) {
    if (i->kind == RETIRE_NONE)
        return;
    if (i->kind == RETIRE_REGISTER)
        x->known |= UINT64_C(1) << i->d;
    else
        x->known_predicates |= (uint8_t)(1u << (i->d & 7));
    for (uint32_t rest = i->mask; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (i->kind == RETIRE_REGISTER)
            x->registers[i->d][lane] = i->values[lane];
        else
            x->predicates[i->d & 7] =
                (x->predicates[i->d & 7] & ~(UINT32_C(1) << lane)) |
                i->values[lane] << lane;
    }
}

static bool is_atomic(const struct retire_launch *l,
                      const struct retire_insn *i) {
    const struct isa_word *w = retire_word(l->kernel, i->pc);
    return i->what == RETIRE_INSTRUCTION && w &&
           isa_info(w->op)->class == ISA_CLASS_atomic;
}

/* --- a warp --------------------------------------------------------------- */

static uint64_t last_cycle(const struct retire_launch *l) {
    return l->n ? l->passes[l->n - 1].cycle : 0;
}

/* What was written by then; a load's result may come after the next word. */
static void walk(const struct pair *p, int n, struct retire_difference *x) {
    int a = chain_first(&p->here, n), b = chain_first(&p->there, n);
    while (a >= 0 && b >= 0) {
        retire_next(p->here.t, p->here.l, a, &x->here);
        retire_next(p->there.t, p->there.l, b, &x->there);
        x->kind = differ(&x->here, &x->there, &x->lanes);
        x->cycle = x->here.answer;
        if (x->kind == RETIRE_VALUE && p->any_order &&
            is_atomic(p->here.l, &x->here))
            x->kind = RETIRE_EQUAL;
        if (x->kind)
            return;
        remember(x, &x->here);
        x->before = x->here;
        x->has_before = true;
        x->equal++;
        a = p->here.next[a];
        b = p->there.next[b];
    }
    if (a >= 0) {
        retire_next(p->here.t, p->here.l, a, &x->here);
        x->kind = RETIRE_EXTRA;
        x->cycle = x->here.cycle;
    } else if (b >= 0) {
        retire_next(p->there.t, p->there.l, b, &x->there);
        x->kind = RETIRE_MISSING;
        x->cycle = last_cycle(p->here.l) + 1;
    }
}

/* --- a launch ------------------------------------------------------------- */

static bool same_cycles(const struct chains *a, const struct chains *b) {
    if (a->l->n != b->l->n)
        return false;
    for (int i = 0; i < a->l->n; i++) {
        const struct retire_pass *p = &a->l->passes[i], *q = &b->l->passes[i];
        if (p->cycle != q->cycle || p->warp != q->warp || p->pc != q->pc ||
            p->pass != q->pass)
            return false;
    }
    return true;
}

static bool same_end(const struct retire_launch *a,
                     const struct retire_launch *b) {
    return a->end == b->end &&
           (a->end != RETIRE_FAULT ||
            (a->fault == b->fault && a->fault_pc == b->fault_pc));
}

/* Whether a core of several has a CTA. */
static bool has_cta(const struct retire_launch *l, int cta) {
    return cta % l->cta_step == l->first_cta % l->cta_step;
}

static void compare_launch(const struct pair *p, struct retire_difference *x) {
    int n = p->here.n > p->there.n ? p->here.n : p->there.n;
    struct retire_difference *one = xcalloc(1, sizeof *one);
    uint64_t equal = x->equal;
    bool same = x->same_cycles && same_cycles(&p->here, &p->there);
    int launch = x->launch, differ_n = 0;
    for (int i = 0; i < n; i++) {
        int cta = i / p->here.l->warps;
        if (!has_cta(p->here.l, cta) || !has_cta(p->there.l, cta))
            continue;
        memset(one, 0, sizeof *one);
        walk(p, i, one);
        equal += one->equal;
        if (!one->kind)
            continue;
        differ_n++;
        one->cta = i / p->here.l->warps;
        one->warp = i % p->here.l->warps;
        if (!x->kind || one->cycle < x->cycle)
            *x = *one;
    }
    x->launch = launch;
    x->equal = equal;
    x->warps = n;
    x->warps_differ = differ_n;
    x->same_cycles = same;
    if (!x->kind && !same_end(p->here.l, p->there.l)) {
        x->kind = RETIRE_END;
        x->cycle = last_cycle(p->here.l);
    }
    free(one);
}

/* --- all of it ------------------------------------------------------------ */

static bool same_code(const struct retire_kernel *a,
                      const struct retire_kernel *b) {
    return strcmp(a->name, b->name) == 0 && a->entry == b->entry &&
           a->n_words == b->n_words &&
           memcmp(a->words, b->words, (size_t)a->n_words * sizeof *a->words) ==
               0;
}

static bool same_launch(const struct retire_launch *a,
                        const struct retire_launch *b) {
    return same_code(a->kernel, b->kernel) && a->warps == b->warps &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* What makes a comparison senseless, said of the reference. */
static bool can_compare(const struct retire_trace *t,
                        const struct retire_trace *r, struct diag *d) {
    struct place at = {.source = diag_source(d, r->name, NULL, 0)};
    if (t->lanes != r->lanes) {
        diag_error(d, at,
                   "warps have %d lanes here and %d in '%s', expected traces "
                   "of machines with the same lanes",
                   r->lanes, t->lanes, t->name);
        return false;
    }
    if (t->n_launches == 0 || r->n_launches == 0) {
        diag_error(d, at, "there is no launch in '%s'",
                   r->n_launches ? t->name : r->name);
        return false;
    }
    const struct retire_launch *a = &t->launches[0], *b = &r->launches[0];
    if (strcmp(a->kernel->name, b->kernel->name) != 0)
        diag_error(d, at, "this is a trace of kernel '%s', '%s' is of '%s'",
                   b->kernel->name, t->name, a->kernel->name);
    else if (!same_code(a->kernel, b->kernel))
        diag_error(d, at,
                   "kernel '%s' is not the same code here as in '%s': it was "
                   "assembled anew, or for other registers",
                   b->kernel->name, t->name);
    else if (!same_launch(a, b))
        diag_error(d, at,
                   "kernel '%s' has another grid or block here than in '%s'",
                   b->kernel->name, t->name);
    else
        return true;
    return false;
}

bool retire_compare(const struct retire_trace *t,
                    const struct retire_trace *reference, bool any_order,
                    struct retire_difference *x, struct diag *d) {
    memset(x, 0, sizeof *x);
    x->same_cycles = true;
    if (!can_compare(t, reference, d))
        return false;
    int n = t->n_launches > reference->n_launches ? t->n_launches
                                                  : reference->n_launches;
    for (x->launch = 0; x->launch < n; x->launch++) {
        struct pair p = {.any_order = any_order};
        if (x->launch >= t->n_launches || x->launch >= reference->n_launches ||
            !same_launch(&t->launches[x->launch],
                         &reference->launches[x->launch])) {
            x->kind = RETIRE_LAUNCHES;
            return true;
        }
        chains_make(&p.here, t, &t->launches[x->launch]);
        chains_make(&p.there, reference, &reference->launches[x->launch]);
        compare_launch(&p, x);
        chains_free(&p.here);
        chains_free(&p.there);
        if (x->kind)
            return true;
    }
    x->launch = n - 1;
    return true;
}

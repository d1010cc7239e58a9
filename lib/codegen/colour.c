/* colour.c - registers by colouring the interference graph.
 *
 * Chaitin and Briggs: two values interfere if one is written where the other is
 * alive.  Copies whose ends do not interfere become one value where that makes
 * no node hard to colour; nodes with fewer neighbours than colours are set
 * aside, then the cheapest of the others, hoping; colours are given in the
 * opposite order, and what gets none is spilled, after which all begins anew.
 */
#include "passes.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { PREDICATES = 7, ROUNDS = 60 };

typedef ARRAY(int) int_array;

struct graph {
    struct mc_code *m;
    struct arena arena;
    struct ptx_cfg cfg;
    int n, words;
    uint64_t *in, *out; /* alive where a block begins, ends */
    uint64_t *matrix;   /* n rows */
    int_array *near;    /* neighbours, some no more */
    int *degree;
    mc_value *alias; /* the value that it became */
    double *cost;
    int registers;
};

static uint64_t *row(const struct graph *g, uint64_t *bits, int i) {
    return bits + (size_t)i * (size_t)g->words;
}

static bool is_node(const struct graph *g, mc_value v) {
    return v > MC_TRUE && v < g->n;
}

static int colours_of(const struct graph *g, mc_value v) {
    return g->m->values.v[v].kind == MC_PREDICATE ? PREDICATES : g->registers;
}

/* --- liveness ------------------------------------------------------------- */

/* What is alive before i, from what is alive behind it. */
static void back(const struct mc_code *m, uint64_t *live,
                 const struct mc_insn *i) {
    mc_value d = mc_def(i), uses[MC_MAX_USES];
    if (d > MC_TRUE && mc_kills(i))
        bits_clear(live, d);
    else if (d > MC_TRUE)
        bits_set(live, d);
    if (mc_is_start(m, i))
        return;
    int n = mc_uses(i, uses);
    for (int u = 0; u < n; u++)
        if (uses[u] > MC_TRUE)
            bits_set(live, uses[u]);
}

static void find_live(struct graph *g) {
    size_t n = (size_t)g->cfg.n_blocks * (size_t)g->words;
    g->in = arena_array(&g->arena, n, sizeof *g->in);
    g->out = arena_array(&g->arena, n, sizeof *g->out);
    uint64_t *live = arena_array(&g->arena, (size_t)g->words, sizeof *live);
    for (bool changed = true; changed;) {
        changed = false;
        for (int r = g->cfg.n_reachable - 1; r >= 0; r--) {
            int b = g->cfg.rpo[r];
            const struct ptx_block *block = &g->cfg.blocks[b];
            uint64_t *out = row(g, g->out, b), *in = row(g, g->in, b);
            for (int k = 0; k < block->n_succ; k++)
                for (int w = 0; w < g->words; w++)
                    out[w] |= row(g, g->in, block->succ[k])[w];
            memcpy(live, out, (size_t)g->words * sizeof *live);
            for (int k = block->end - 1; k >= block->begin; k--)
                back(g->m, live, &g->m->list.v[k]);
            if (memcmp(live, in, (size_t)g->words * sizeof *live) != 0) {
                memcpy(in, live, (size_t)g->words * sizeof *live);
                changed = true;
            }
        }
    }
}

/* --- interference --------------------------------------------------------- */

static bool meet(const struct graph *g, mc_value a, mc_value b) {
    return bits_test(row(g, g->matrix, a), b);
}

static void add_edge(struct graph *g, mc_value a, mc_value b) {
    if (a == b || meet(g, a, b) ||
        g->m->values.v[a].kind != g->m->values.v[b].kind)
        return;
    bits_set(row(g, g->matrix, a), b);
    bits_set(row(g, g->matrix, b), a);
    *array_push(&g->near[a]) = b;
    *array_push(&g->near[b]) = a;
    g->degree[a]++;
    g->degree[b]++;
}

static void interfere(struct graph *g, const uint64_t *live,
                      const struct mc_insn *i) {
    mc_value d = mc_def(i), copied = mc_copied(i);
    if (d <= MC_TRUE)
        return;
    for (int w = 0; w < g->words; w++)
        for (uint64_t rest = live[w]; rest; rest &= rest - 1) {
            mc_value v = w * 64 + __builtin_ctzll(rest);
            if (v != copied)
                add_edge(g, d, v);
        }
}

static void find_edges(struct graph *g) {
    uint64_t *live = arena_array(&g->arena, (size_t)g->words, sizeof *live);
    for (int b = 0; b < g->cfg.n_blocks; b++) {
        const struct ptx_block *block = &g->cfg.blocks[b];
        memcpy(live, row(g, g->out, b), (size_t)g->words * sizeof *live);
        for (int k = block->end - 1; k >= block->begin; k--) {
            interfere(g, live, &g->m->list.v[k]);
            back(g->m, live, &g->m->list.v[k]);
        }
    }
}

/* A reader or writer costs ten times as much in each loop around it; a loop is
 * what a branch back spans. */
static void find_costs(struct graph *g) {
    struct mc_code *m = g->m;
    int *at = xcalloc((size_t)m->n_labels, sizeof *at);
    double *weight = xcalloc((size_t)m->list.n, sizeof *weight);
    for (int k = 0; k < m->list.n; k++) {
        weight[k] = 1;
        if (m->list.v[k].op == MC_LABEL)
            at[m->list.v[k].value] = k;
    }
    for (int k = 0; k < m->list.n; k++) {
        const struct mc_insn *i = &m->list.v[k];
        if (i->op == ISA_bra && at[i->target] <= k)
            for (int j = at[i->target]; j <= k; j++)
                weight[j] *= weight[j] < 1e12 ? 10 : 1;
    }
    for (int k = 0; k < m->list.n; k++) {
        mc_value uses[MC_MAX_USES], d = mc_def(&m->list.v[k]);
        int n = mc_uses(&m->list.v[k], uses);
        for (int u = 0; u < n; u++)
            g->cost[uses[u]] += weight[k];
        if (d != MC_NONE)
            g->cost[d] += weight[k];
    }
    free(at);
    free(weight);
}

static void build(struct graph *g, struct mc_code *m, int registers) {
    *g = (struct graph){.m = m, .registers = registers};
    g->n = m->values.n;
    g->words = (g->n + 63) / 64;
    size_t n = (size_t)g->n;
    mc_graph(m, &g->arena, &g->cfg);
    find_live(g);
    g->matrix = arena_array(&g->arena, n * (size_t)g->words, sizeof *g->matrix);
    g->near = arena_array(&g->arena, n, sizeof *g->near);
    g->degree = arena_array(&g->arena, n, sizeof *g->degree);
    g->alias = arena_array(&g->arena, n, sizeof *g->alias);
    g->cost = arena_array(&g->arena, n, sizeof *g->cost);
    for (int v = 0; v < g->n; v++)
        g->alias[v] = v;
    find_edges(g);
    find_costs(g);
}

static void drop(struct graph *g) {
    for (int v = 0; v < g->n; v++)
        array_free(&g->near[v]);
    arena_free(&g->arena);
}

/* --- copies --------------------------------------------------------------- */

static mc_value find(struct graph *g, mc_value v) {
    while (g->alias[v] != v)
        v = g->alias[v];
    return v;
}

/* Whether a and b as one would surely get a colour: fewer neighbours that are
 * hard to colour than there are colours. */
static bool is_safe(struct graph *g, mc_value a, mc_value b) {
    int colours = colours_of(g, a), hard = 0;
    for (int k = 0; k < g->near[a].n; k++)
        hard += g->degree[g->near[a].v[k]] >= colours;
    for (int k = 0; k < g->near[b].n; k++) {
        mc_value v = g->near[b].v[k];
        hard += !meet(g, a, v) && g->degree[v] >= colours;
    }
    return hard < colours;
}

static void join(struct graph *g, mc_value a, mc_value b) {
    g->alias[b] = a;
    for (int k = 0; k < g->near[b].n; k++) {
        mc_value v = g->near[b].v[k];
        if (g->alias[v] == v)
            add_edge(g, a, v);
        g->degree[v]--;
    }
    struct mc_info *x = &g->m->values.v[a], *y = &g->m->values.v[b];
    x->is_tid |= y->is_tid;
    x->keep = x->keep && y->keep;
}

/* Both ends of copies as one; true if some were. */
static bool coalesce(struct graph *g) {
    bool changed = false;
    for (int k = 0; k < g->m->list.n; k++) {
        const struct mc_insn *i = &g->m->list.v[k];
        mc_value s = mc_copied(i);
        if (s == MC_NONE || !is_node(g, s) || !is_node(g, i->d))
            continue;
        mc_value a = find(g, i->d), b = find(g, s);
        if (a == b || meet(g, a, b) || g->m->values.v[a].is_tid ||
            g->m->values.v[b].is_tid || !is_safe(g, a, b))
            continue;
        join(g, a, b);
        changed = true;
    }
    return changed;
}

/* Name every value by what it became; copies to itself go. */
static void rename_all(struct graph *g) {
    struct mc_code *m = g->m;
    bool *keep = arena_array(&g->arena, (size_t)m->list.n, sizeof *keep);
    for (int k = 0; k < m->list.n; k++) {
        struct mc_insn *i = &m->list.v[k];
        mc_value *fields[MC_MAX_USES];
        int n = mc_use_fields(i, fields);
        bool first = mc_is_start(m, i);
        for (int u = 0; u < n; u++)
            *fields[u] = find(g, *fields[u]);
        if (mc_def(i) != MC_NONE)
            i->d = find(g, i->d);
        keep[k] = first || mc_copied(i) == MC_NONE || mc_copied(i) != i->d;
    }
    mc_compact(m, keep);
}

/* --- colours -------------------------------------------------------------- */

static bool is_used(const struct graph *g, mc_value v) {
    return g->cost[v] > 0;
}

/* The node to set aside next: an easy one, or the cheapest for its degree. */
static mc_value choose(struct graph *g, const bool *aside) {
    mc_value best = MC_NONE;
    double least = 0;
    for (mc_value v = 1; v < g->n; v++) {
        if (aside[v] || !is_used(g, v))
            continue;
        if (g->degree[v] < colours_of(g, v))
            return v;
        double price = g->cost[v] / (g->degree[v] + 1);
        if (g->m->values.v[v].keep)
            price += 1e30;
        if (best == MC_NONE || price < least) {
            best = v;
            least = price;
        }
    }
    return best;
}

static int free_colour(struct graph *g, mc_value v, const int *colour) {
    uint64_t taken = 0;
    for (int k = 0; k < g->near[v].n; k++)
        if (colour[g->near[v].v[k]] >= 0)
            taken |= bit(colour[g->near[v].v[k]]);
    for (int c = 0; c < colours_of(g, v); c++)
        if (!(taken >> c & 1))
            return c;
    return -1;
}

/* False if some values are to be spilled. */
static bool colour_all(struct graph *g, int *colour, bool *spill) {
    bool *aside = arena_array(&g->arena, (size_t)g->n, sizeof *aside);
    mc_value *stack = arena_array(&g->arena, (size_t)g->n, sizeof *stack);
    mc_value v;
    bool ok = true;
    int n = 0;
    while ((v = choose(g, aside)) != MC_NONE) {
        aside[v] = true;
        stack[n++] = v;
        for (int k = 0; k < g->near[v].n; k++)
            g->degree[g->near[v].v[k]]--;
    }
    for (v = 0; v < g->n; v++)
        colour[v] = -1;
    while (n > 0) {
        v = stack[--n];
        colour[v] = free_colour(g, v, colour);
        spill[v] = colour[v] < 0;
        ok &= !spill[v];
    }
    colour[MC_TRUE] = ISA_TRUE;
    return ok;
}

/* One try: 1 done, 0 again, -1 not to be done. */
static int attempt(struct mc_code *m, int registers, int **result) {
    struct graph g;
    build(&g, m, registers);
    if (coalesce(&g)) {
        rename_all(&g);
        drop(&g);
        return 0;
    }
    int *colour = arena_array(m->arena, (size_t)g.n, sizeof *colour);
    bool *spill = arena_array(&g.arena, (size_t)g.n, sizeof *spill);
    int done = colour_all(&g, colour, spill);
    if (!done) {
        for (mc_value v = 0; v < g.n; v++)
            if (spill[v] && m->values.v[v].keep)
                done = -1;
        if (!done)
            mc_spill(m, spill);
    }
    drop(&g);
    *result = colour;
    return done;
}

const int *mc_colour(struct mc_code *m, int registers) {
    int *colour;
    for (int i = 0; i < ROUNDS; i++) {
        int done = attempt(m, registers, &colour);
        if (done)
            return done > 0 ? colour : NULL;
    }
    return NULL;
}

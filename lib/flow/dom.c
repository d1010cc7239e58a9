/* dom.c - dominator trees by Semi-NCA (Georgiadis, "Linear-Time Algorithms for
 * Dominators", 2005): semidominators with path compression, then the nearest
 * common ancestor by walking up.  Unlike the iterative algorithm it does not
 * turn quadratic on a long row of branches to one exit.
 */
#include "dom.h"

#include <stdlib.h>

struct edge {
    int from, to;
};

/* A graph of n nodes as edge lists. */
struct graph {
    int n, root;
    int *succ_at, *succ; /* successors of i: succ[succ_at[i]..succ_at[i+1]) */
    int *pred_at, *pred;
};

/* Working arrays; all but number are indexed by preorder number. */
struct search {
    int count;
    int *number; /* of a node, -1: not reached */
    int *node, *parent, *semi, *label, *ancestor, *idom;
    int *path;
};

static int *new_ints(int n) {
    return xcalloc((size_t)n + 1, sizeof(int));
}

/* Preorder numbers by depth-first search with its own stack. */
static void number_nodes(const struct graph *g, struct search *s) {
    int *stack = new_ints(g->n), *next = new_ints(g->n);
    int depth = 0;
    for (int i = 0; i < g->n; i++) {
        s->number[i] = -1;
        next[i] = g->succ_at[i];
    }
    stack[depth++] = g->root;
    s->number[g->root] = 0;
    s->node[s->count++] = g->root;
    while (depth > 0) {
        int v = stack[depth - 1];
        if (next[v] == g->succ_at[v + 1]) {
            depth--;
            continue;
        }
        int w = g->succ[next[v]++];
        if (s->number[w] >= 0)
            continue;
        s->number[w] = s->count;
        s->parent[s->count] = s->number[v];
        s->node[s->count++] = w;
        stack[depth++] = w;
    }
    free(stack);
    free(next);
}

/* Node of least semidominator on the linked path above v, compressing it.
 * Nodes from linked on are linked. */
static int eval(struct search *s, int v, int linked) {
    int depth = 0, top = v;
    if (v < linked)
        return v;
    while (s->ancestor[top] >= linked) {
        s->path[depth++] = top;
        top = s->ancestor[top];
    }
    while (depth > 0) {
        int w = s->path[--depth];
        int above = s->ancestor[w];
        if (s->semi[s->label[above]] < s->semi[s->label[w]])
            s->label[w] = s->label[above];
        s->ancestor[w] = s->ancestor[above];
    }
    return s->label[v];
}

static void find_semidominators(const struct graph *g, struct search *s) {
    for (int i = 0; i < s->count; i++) {
        s->semi[i] = s->label[i] = i;
        s->ancestor[i] = s->parent[i];
    }
    for (int w = s->count - 1; w > 0; w--) {
        int node = s->node[w];
        s->semi[w] = s->parent[w];
        for (int e = g->pred_at[node]; e < g->pred_at[node + 1]; e++) {
            int v = s->number[g->pred[e]];
            if (v < 0)
                continue;
            int u = eval(s, v, w + 1);
            if (s->semi[u] < s->semi[w])
                s->semi[w] = s->semi[u];
        }
    }
}

static void find_idoms(struct search *s) {
    for (int w = 1; w < s->count; w++) {
        int d = s->parent[w];
        while (d > s->semi[w])
            d = s->idom[d];
        s->idom[w] = d;
    }
}

/* Tree intervals: enter and leave of each block, from 1. */
static void number_tree(const struct search *s, struct ptx_dom *dom,
                        int n_blocks) {
    int *size = new_ints(s->count), *at = new_ints(s->count);
    for (int i = s->count - 1; i >= 0; i--) {
        size[i]++;
        if (i > 0)
            size[s->idom[i]] += size[i];
    }
    at[0] = 1;
    for (int i = 0, first; i < s->count; i++) {
        if (i > 0) { /* take the next interval of the parent */
            first = at[s->idom[i]];
            at[s->idom[i]] += size[i];
            at[i] = first + 1;
        } else {
            first = at[0]++;
        }
        if (s->node[i] < n_blocks) {
            dom->enter[s->node[i]] = first;
            dom->leave[s->node[i]] = first + size[i];
        }
    }
    free(size);
    free(at);
}

static void solve(struct arena *a, const struct graph *g, int n_blocks,
                  struct ptx_dom *dom) {
    struct search s = {0};
    int **arrays[] = {&s.number, &s.node,     &s.parent, &s.semi,
                      &s.label,  &s.ancestor, &s.idom,   &s.path};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = new_ints(g->n);
    number_nodes(g, &s);
    find_semidominators(g, &s);
    find_idoms(&s);
    dom->idom = arena_array(a, (size_t)n_blocks, sizeof(int));
    dom->enter = arena_array(a, (size_t)n_blocks, sizeof(int));
    dom->leave = arena_array(a, (size_t)n_blocks, sizeof(int));
    for (int b = 0; b < n_blocks; b++) {
        int i = s.number[b];
        int d = i > 0 ? s.node[s.idom[i]] : -1;
        dom->idom[b] = d < n_blocks ? d : -1;
    }
    number_tree(&s, dom, n_blocks);
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(*arrays[i]);
}

/* Lists out of (from, to) pairs. */
static void make_lists(struct graph *g, const struct edge *edges, int n_edges) {
    g->succ_at = new_ints(g->n + 1);
    g->pred_at = new_ints(g->n + 1);
    g->succ = new_ints(n_edges);
    g->pred = new_ints(n_edges);
    for (int e = 0; e < n_edges; e++) {
        g->succ_at[edges[e].from + 1]++;
        g->pred_at[edges[e].to + 1]++;
    }
    for (int i = 0; i < g->n; i++) {
        g->succ_at[i + 1] += g->succ_at[i];
        g->pred_at[i + 1] += g->pred_at[i];
    }
    int *s = new_ints(g->n), *p = new_ints(g->n);
    for (int e = 0; e < n_edges; e++) {
        int from = edges[e].from, to = edges[e].to;
        g->succ[g->succ_at[from] + s[from]++] = to;
        g->pred[g->pred_at[to] + p[to]++] = from;
    }
    free(s);
    free(p);
}

static void free_lists(struct graph *g) {
    free(g->succ_at);
    free(g->succ);
    free(g->pred_at);
    free(g->pred);
}

static int count_edges(const struct ptx_cfg *cfg) {
    int n = 0;
    for (int b = 0; b < cfg->n_blocks; b++)
        n += cfg->blocks[b].n_succ;
    return n;
}

void ptx_dominators(struct arena *a, const struct ptx_cfg *cfg,
                    struct ptx_dom *dom) {
    struct graph g = {.n = cfg->n_blocks};
    int n = 0;
    struct edge *edges = xcalloc((size_t)count_edges(cfg), sizeof *edges);
    *dom = (struct ptx_dom){0};
    for (int b = 0; b < cfg->n_blocks; b++)
        for (int i = 0; i < cfg->blocks[b].n_succ; i++)
            edges[n++] = (struct edge){b, cfg->blocks[b].succ[i]};
    make_lists(&g, edges, n);
    if (g.n)
        solve(a, &g, cfg->n_blocks, dom);
    free_lists(&g);
    free(edges);
}

/* Mark every block from which b can be reached. */
static void mark_backwards(const struct ptx_cfg *cfg, int b, char *seen,
                           int *stack) {
    int depth = 0;
    if (seen[b])
        return;
    seen[b] = 1;
    stack[depth++] = b;
    while (depth > 0) {
        const struct ptx_block *block = &cfg->blocks[stack[--depth]];
        for (int i = 0; i < block->n_pred; i++)
            if (!seen[block->pred[i]]) {
                seen[block->pred[i]] = 1;
                stack[depth++] = block->pred[i];
            }
    }
}

/* Blocks with an edge to the virtual exit. */
static void find_exits(const struct ptx_cfg *cfg, bool *exits) {
    char *seen = xcalloc((size_t)cfg->n_blocks + 1, 1);
    int *stack = new_ints(cfg->n_blocks);
    for (int b = 0; b < cfg->n_blocks; b++) {
        exits[b] = cfg->blocks[b].exits && cfg->rpo_index[b] >= 0;
        if (exits[b])
            mark_backwards(cfg, b, seen, stack);
    }
    for (int i = cfg->n_reachable - 1; i >= 0; i--)
        if (!seen[cfg->rpo[i]]) {
            exits[cfg->rpo[i]] = true;
            mark_backwards(cfg, cfg->rpo[i], seen, stack);
        }
    free(seen);
    free(stack);
}

void ptx_post_dominators(struct arena *a, const struct ptx_cfg *cfg,
                         struct ptx_dom *dom) {
    struct graph g = {.n = cfg->n_blocks + 1, .root = cfg->n_blocks};
    int n = 0, most = count_edges(cfg) + cfg->n_blocks;
    struct edge *edges = xcalloc((size_t)most, sizeof *edges);
    bool *exits = xcalloc((size_t)cfg->n_blocks + 1, sizeof *exits);
    find_exits(cfg, exits);
    for (int b = 0; b < cfg->n_blocks; b++) {
        if (cfg->rpo_index[b] < 0)
            continue;
        if (exits[b])
            edges[n++] = (struct edge){g.root, b};
        for (int i = 0; i < cfg->blocks[b].n_succ; i++)
            edges[n++] = (struct edge){cfg->blocks[b].succ[i], b};
    }
    make_lists(&g, edges, n);
    solve(a, &g, cfg->n_blocks, dom);
    free_lists(&g);
    free(edges);
    free(exits);
}

bool ptx_dominates(const struct ptx_dom *dom, int x, int y) {
    return dom->enter[y] && dom->enter[x] <= dom->enter[y] &&
           dom->enter[y] < dom->leave[x];
}

/* loops.c - natural loops, innermost first.
 *
 * Headers are taken in reverse order of the reverse postorder, so an inner loop
 * is complete when the outer one is collected and counts there as one node: the
 * outer one goes on at the inner one's header.  Chains of parents are shortened
 * as they are climbed, which keeps the whole near linear.
 */
#include "loops.h"

#include <stdlib.h>

struct finder {
    const struct ptx_cfg *cfg;
    const struct ptx_dom *dom;
    struct ptx_loops *out;
    int *top;  /* by loop: a loop around it, or itself */
    int *work; /* blocks to look at */
    int n_work;
};

static int outermost(struct finder *f, int loop) {
    int top = loop;
    while (f->top[top] != top)
        top = f->top[top];
    while (f->top[loop] != top) {
        int next = f->top[loop];
        f->top[loop] = top;
        loop = next;
    }
    return top;
}

/* Take block b, or the loop it is in already, into loop. */
static void absorb(struct finder *f, int loop, int b) {
    const struct ptx_cfg *cfg = f->cfg;
    struct ptx_loops *out = f->out;
    int from = b;
    if (out->innermost[b] < 0) {
        out->innermost[b] = loop;
    } else {
        int inner = outermost(f, out->innermost[b]);
        if (inner == loop)
            return;
        out->loops[inner].parent = loop;
        f->top[inner] = loop;
        from = out->loops[inner].header;
    }
    if (from == out->loops[loop].header)
        return;
    for (int i = 0; i < cfg->blocks[from].n_pred; i++) {
        int p = cfg->blocks[from].pred[i];
        if (cfg->rpo_index[p] >= 0)
            f->work[f->n_work++] = p;
    }
}

static void collect(struct arena *a, struct finder *f, int header) {
    const struct ptx_block *h = &f->cfg->blocks[header];
    int n = 0, loop = f->out->n_loops;
    int *latches = NULL;
    for (int i = 0; i < h->n_pred; i++)
        if (f->cfg->rpo_index[h->pred[i]] >= 0 &&
            ptx_dominates(f->dom, header, h->pred[i]))
            n++;
    if (n == 0)
        return;
    latches = arena_array(a, (size_t)n, sizeof *latches);
    n = 0;
    for (int i = 0; i < h->n_pred; i++)
        if (f->cfg->rpo_index[h->pred[i]] >= 0 &&
            ptx_dominates(f->dom, header, h->pred[i]))
            latches[n++] = h->pred[i];
    f->out->loops[loop] =
        (struct ptx_loop){.header = header,
                          .parent = -1,
                          .n_latches = n,
                          .latches = latches,
                          .trip = {.counter = -1, .step_reg = -1, .test = -1}};
    f->top[loop] = loop;
    f->out->n_loops++;
    f->out->innermost[header] = loop;
    f->n_work = 0;
    for (int i = 0; i < n; i++)
        if (latches[i] != header)
            f->work[f->n_work++] = latches[i];
    while (f->n_work > 0)
        absorb(f, loop, f->work[--f->n_work]);
}

/* Loops were found inner first; turn the order round. */
static void reverse(struct ptx_loops *l, int n_blocks) {
    int last = l->n_loops - 1;
    for (int i = 0; i < l->n_loops; i++)
        if (l->loops[i].parent >= 0)
            l->loops[i].parent = last - l->loops[i].parent;
    for (int i = 0; i < l->n_loops - 1 - i; i++) {
        struct ptx_loop t = l->loops[i];
        l->loops[i] = l->loops[last - i];
        l->loops[last - i] = t;
    }
    for (int b = 0; b < n_blocks; b++)
        if (l->innermost[b] >= 0)
            l->innermost[b] = last - l->innermost[b];
}

/* Give each loop an interval of order that contains those of its inner ones. */
static void arrange(struct arena *a, struct ptx_loops *l, int n_blocks) {
    int *own = xcalloc((size_t)l->n_loops + 1, sizeof *own);
    int *next = xcalloc((size_t)l->n_loops + 1, sizeof *next);
    int start = 0;
    l->order = arena_array(a, (size_t)n_blocks, sizeof *l->order);
    l->position = arena_array(a, (size_t)n_blocks, sizeof *l->position);
    for (int b = 0; b < n_blocks; b++)
        if (l->innermost[b] >= 0)
            own[l->innermost[b]]++;
    for (int i = l->n_loops - 1; i >= 0; i--) {
        l->loops[i].n_blocks += own[i];
        if (l->loops[i].parent >= 0)
            l->loops[l->loops[i].parent].n_blocks += l->loops[i].n_blocks;
    }
    for (int i = 0; i < l->n_loops; i++) {
        struct ptx_loop *loop = &l->loops[i];
        int *at = loop->parent >= 0 ? &next[loop->parent] : &start;
        loop->depth = loop->parent >= 0 ? l->loops[loop->parent].depth + 1 : 1;
        loop->first = *at;
        *at += loop->n_blocks;
        next[i] = loop->first + own[i]; /* inner loops follow its own blocks */
        own[i] = loop->first;
    }
    for (int b = 0; b < n_blocks; b++) {
        int loop = l->innermost[b];
        l->position[b] = loop >= 0 ? own[loop]++ : -1;
        if (loop >= 0)
            l->order[l->position[b]] = b;
    }
    free(own);
    free(next);
}

void ptx_loops_find(struct arena *a, const struct ptx_cfg *cfg,
                    const struct ptx_dom *dom, struct ptx_loops *loops) {
    int n = cfg->n_blocks, edges = 0;
    *loops = (struct ptx_loops){0};
    for (int b = 0; b < n; b++)
        edges += cfg->blocks[b].n_pred;
    loops->loops = xcalloc((size_t)n + 1, sizeof *loops->loops);
    loops->innermost = arena_array(a, (size_t)n, sizeof(int));
    for (int b = 0; b < n; b++)
        loops->innermost[b] = -1;
    /* a block's predecessors are pushed once for the block and once for each
     * loop that it heads */
    struct finder f = {cfg,
                       dom,
                       loops,
                       xcalloc((size_t)n + 1, sizeof(int)),
                       xcalloc((size_t)(2 * edges + n) + 1, sizeof(int)),
                       0};
    for (int i = cfg->n_reachable - 1; i >= 0; i--)
        collect(a, &f, cfg->rpo[i]);
    reverse(loops, n);
    struct ptx_loop *kept =
        arena_array(a, (size_t)loops->n_loops, sizeof *kept);
    for (int i = 0; i < loops->n_loops; i++)
        kept[i] = loops->loops[i];
    free(loops->loops);
    loops->loops = kept;
    arrange(a, loops, n);
    free(f.top);
    free(f.work);
}

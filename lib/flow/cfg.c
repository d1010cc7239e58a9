/* cfg.c - basic blocks by leaders, edges by the last instruction. */
#include "cfg.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool ptx_ends_block(const struct ptx_instruction *in) {
    switch (in->form->op) {
    case PTX_OP_BRA:
    case PTX_OP_BRX:
    case PTX_OP_RET:
    case PTX_OP_EXIT:
    case PTX_OP_TRAP:
        return true;
    default:
        return false;
    }
}

bool ptx_falls_through(const struct ptx_instruction *in) {
    return !ptx_ends_block(in) || in->guard != NULL;
}

/* Calls visit(ctx, pc) for every place that a branch names. */
static void each_target(const struct ptx_instruction *in,
                        void (*visit)(void *ctx, int pc), void *ctx) {
    if (in->form->op != PTX_OP_BRA && in->form->op != PTX_OP_BRX)
        return;
    const struct ptx_operand *o =
        in->operands[in->form->op == PTX_OP_BRA ? 0 : 1];
    if (o->kind != PTX_OPND_LABEL)
        return;
    if (!o->table) {
        visit(ctx, o->pc);
        return;
    }
    for (int i = 0; i < o->table->n_targets; i++)
        if (o->table->targets[i]->kind == PTX_OPND_LABEL)
            visit(ctx, o->table->targets[i]->pc);
}

struct builder {
    struct ptx_cfg *cfg;
    char *leader;
    int n_instructions;
    ARRAY(struct ptx_edge) edges;
    int from;
    int *last_from; /* by block: last block that has an edge to it, plus 1 */
};

static void mark_leader(void *ctx, int pc) {
    ((struct builder *)ctx)->leader[pc] = 1;
}

static void add_edge(void *ctx, int pc) {
    struct builder *b = ctx;
    if (pc >= b->n_instructions) {
        b->cfg->blocks[b->from].exits = true;
        return;
    }
    int to = b->cfg->block_of[pc];
    if (b->last_from[to] == b->from + 1)
        return;
    b->last_from[to] = b->from + 1;
    *array_push(&b->edges) = (struct ptx_edge){b->from, to};
}

static void split_blocks(struct arena *a, const struct ptx_function *f,
                         struct builder *b) {
    int n = f->n_instructions;
    b->leader[0] = 1;
    for (int pc = 0; pc < n; pc++) {
        each_target(&f->instructions[pc], mark_leader, b);
        if (ptx_ends_block(&f->instructions[pc]))
            b->leader[pc + 1] = 1;
    }
    for (int pc = 0; pc < n; pc++)
        b->cfg->n_blocks += b->leader[pc];
    b->cfg->blocks =
        arena_array(a, (size_t)b->cfg->n_blocks, sizeof *b->cfg->blocks);
    b->cfg->block_of = arena_array(a, (size_t)n, sizeof(int));
    for (int pc = 0, id = -1; pc < n; pc++) {
        if (b->leader[pc])
            b->cfg->blocks[++id].begin = pc;
        b->cfg->block_of[pc] = id;
        b->cfg->blocks[id].end = pc + 1;
    }
}

static void find_edges(const struct ptx_function *f, struct builder *b) {
    for (int i = 0; i < b->cfg->n_blocks; i++) {
        struct ptx_block *block = &b->cfg->blocks[i];
        const struct ptx_instruction *last = &f->instructions[block->end - 1];
        b->from = i;
        each_target(last, add_edge, b);
        if (ptx_falls_through(last))
            add_edge(b, block->end);
        if (last->form->op == PTX_OP_RET || last->form->op == PTX_OP_EXIT ||
            last->form->op == PTX_OP_TRAP)
            block->exits = true;
    }
}

/* The pairs as two lists for each block. */
static void distribute(struct arena *a, struct ptx_cfg *cfg,
                       const struct ptx_edge *edges, int n) {
    struct ptx_block *blocks = cfg->blocks;
    int *succ = arena_array(a, (size_t)n, sizeof *succ);
    int *pred = arena_array(a, (size_t)n, sizeof *pred);
    for (int e = 0; e < n; e++) {
        blocks[edges[e].from].n_succ++;
        blocks[edges[e].to].n_pred++;
    }
    for (int i = 0, s = 0, p = 0; i < cfg->n_blocks; i++) {
        blocks[i].succ = succ + s;
        blocks[i].pred = pred + p;
        s += blocks[i].n_succ;
        p += blocks[i].n_pred;
        blocks[i].n_succ = blocks[i].n_pred = 0;
    }
    for (int e = 0; e < n; e++) {
        struct ptx_block *from = &blocks[edges[e].from];
        struct ptx_block *to = &blocks[edges[e].to];
        succ[from->succ - succ + from->n_succ++] = edges[e].to;
        pred[to->pred - pred + to->n_pred++] = edges[e].from;
    }
}

/* Reverse postorder by depth-first search with its own stack. */
static void number_blocks(struct arena *a, struct ptx_cfg *cfg) {
    size_t n = (size_t)cfg->n_blocks;
    int *stack = xcalloc(n + 1, sizeof *stack);
    int *next = xcalloc(n + 1, sizeof *next); /* successor to visit */
    int depth = 0, post = cfg->n_blocks;
    cfg->rpo = arena_array(a, n, sizeof *cfg->rpo);
    cfg->rpo_index = arena_array(a, n, sizeof *cfg->rpo_index);
    for (size_t i = 0; i < n; i++)
        cfg->rpo_index[i] = -1;
    if (n) {
        stack[depth++] = 0;
        cfg->rpo_index[0] = 0;
    }
    while (depth > 0) {
        int b = stack[depth - 1];
        if (next[b] == cfg->blocks[b].n_succ) {
            cfg->rpo[--post] = b;
            depth--;
            continue;
        }
        int s = cfg->blocks[b].succ[next[b]++];
        if (cfg->rpo_index[s] < 0) {
            cfg->rpo_index[s] = 0;
            stack[depth++] = s;
        }
    }
    cfg->n_reachable = cfg->n_blocks - post;
    memmove(cfg->rpo, cfg->rpo + post,
            (size_t)cfg->n_reachable * sizeof *cfg->rpo);
    for (int i = 0; i < cfg->n_reachable; i++)
        cfg->rpo_index[cfg->rpo[i]] = i;
    free(stack);
    free(next);
}

void ptx_cfg_connect(struct arena *a, struct ptx_cfg *cfg,
                     const struct ptx_edge *edges, int n) {
    distribute(a, cfg, edges, n);
    number_blocks(a, cfg);
}

void ptx_cfg_build(struct arena *a, const struct ptx_function *f,
                   struct ptx_cfg *cfg) {
    struct builder b = {.cfg = cfg, .n_instructions = f->n_instructions};
    *cfg = (struct ptx_cfg){0};
    if (f->n_instructions == 0)
        return;
    b.leader = xcalloc((size_t)f->n_instructions + 1, 1);
    split_blocks(a, f, &b);
    b.last_from = xcalloc((size_t)cfg->n_blocks, sizeof *b.last_from);
    find_edges(f, &b);
    ptx_cfg_connect(a, cfg, b.edges.v, b.edges.n);
    free(b.leader);
    array_free(&b.edges);
    free(b.last_from);
}

/* graph.c - the control-flow graph of a list of instructions. */
#include "passes.h"

#include <stdlib.h>

static bool ends_block(const struct mc_insn *i) {
    return i->op == ISA_bra || i->op == ISA_exit || i->op == ISA_trap;
}

static bool begins_block(const struct mc_code *m, int k) {
    return k == 0 || m->list.v[k].op == MC_LABEL ||
           ends_block(&m->list.v[k - 1]);
}

static void split(const struct mc_code *m, struct arena *a,
                  struct ptx_cfg *cfg) {
    for (int k = 0; k < m->list.n; k++)
        cfg->n_blocks += begins_block(m, k);
    cfg->blocks = arena_array(a, (size_t)cfg->n_blocks, sizeof *cfg->blocks);
    cfg->block_of = arena_array(a, (size_t)m->list.n, sizeof(int));
    for (int k = 0, id = -1; k < m->list.n; k++) {
        if (begins_block(m, k))
            cfg->blocks[++id].begin = k;
        cfg->block_of[k] = id;
        cfg->blocks[id].end = k + 1;
    }
}

void mc_graph(const struct mc_code *m, struct arena *a, struct ptx_cfg *cfg) {
    ARRAY(struct ptx_edge) edges = {0};
    int *at = xcalloc((size_t)m->n_labels, sizeof *at);
    *cfg = (struct ptx_cfg){0};
    split(m, a, cfg);
    for (int k = 0; k < m->list.n; k++)
        if (m->list.v[k].op == MC_LABEL)
            at[m->list.v[k].value] = cfg->block_of[k];
    for (int b = 0; b < cfg->n_blocks; b++) {
        const struct mc_insn *last = &m->list.v[cfg->blocks[b].end - 1];
        int next = -1;
        if (!ends_block(last) || last->guard != MC_NONE)
            *array_push(&edges) = (struct ptx_edge){b, next = b + 1};
        if (last->op == ISA_bra && at[last->target] != next)
            *array_push(&edges) = (struct ptx_edge){b, at[last->target]};
        /* lanes that a guarded exit ends are nowhere: the others go on, and
         * where paths meet is up to them */
        cfg->blocks[b].exits = (last->op == ISA_exit || last->op == ISA_trap) &&
                               last->guard == MC_NONE;
    }
    ptx_cfg_connect(a, cfg, edges.v, edges.n);
    array_free(&edges);
    free(at);
}

void mc_compact(struct mc_code *m, const bool *keep) {
    int n = 0;
    bool mark = false; /* of one that is gone */
    for (int k = 0; k < m->list.n; k++) {
        mark |= m->list.v[k].mark;
        if (!keep[k])
            continue;
        m->list.v[n] = m->list.v[k];
        m->list.v[n].mark = mark && m->list.v[k].op != MC_LABEL;
        mark &= m->list.v[k].op == MC_LABEL;
        n++;
    }
    m->list.n = n;
}

void mc_prune(struct mc_code *m) {
    struct arena a = {0};
    struct ptx_cfg cfg;
    mc_graph(m, &a, &cfg);
    bool *keep = arena_array(&a, (size_t)m->list.n, sizeof *keep);
    for (int k = 0; k < m->list.n; k++) /* the last exit may be a join */
        keep[k] = cfg.rpo_index[cfg.block_of[k]] >= 0 || k == m->list.n - 1;
    mc_compact(m, keep);
    arena_free(&a);
}

/* reach.c - reaching definitions by a backward walk over blocks. */
#include "reach.h"

#include <stdlib.h>

void ptx_defs_find(struct arena *a, const struct ptx_function *f,
                   struct ptx_defs *defs) {
    size_t n = (size_t)f->n_registers;
    defs->at = arena_array(a, n + 1, sizeof *defs->at);
    for (int pc = 0; pc < f->n_instructions; pc++)
        for (int i = 0; i < f->instructions[pc].n_defs; i++)
            defs->at[f->instructions[pc].defs[i] + 1]++;
    for (size_t r = 0; r < n; r++)
        defs->at[r + 1] += defs->at[r];
    defs->pcs = arena_array(a, (size_t)defs->at[n], sizeof *defs->pcs);
    int *next = xcalloc(n + 1, sizeof *next);
    for (int pc = 0; pc < f->n_instructions; pc++)
        for (int i = 0; i < f->instructions[pc].n_defs; i++) {
            int r = f->instructions[pc].defs[i];
            defs->pcs[defs->at[r] + next[r]++] = pc;
        }
    free(next);
}

void ptx_reach_init(struct ptx_reach *q, const struct ptx_function *f,
                    const struct ptx_cfg *cfg, const struct ptx_defs *defs) {
    *q = (struct ptx_reach){.f = f, .cfg = cfg, .defs = defs};
    q->seen = xcalloc((size_t)cfg->n_blocks + 1, sizeof *q->seen);
    q->work = xcalloc((size_t)cfg->n_blocks + 1, sizeof *q->work);
}

void ptx_reach_free(struct ptx_reach *q) {
    free(q->seen);
    free(q->work);
}

/* Number of definitions of reg before pc. */
static int defs_before(const struct ptx_defs *d, int reg, int pc) {
    int low = d->at[reg], high = d->at[reg + 1];
    while (low < high) {
        int mid = low + (high - low) / 2;
        if (d->pcs[mid] < pc)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Collect definitions in [begin, end), last first; true if one of them ends
 * the walk. */
static bool scan_block(struct ptx_reach *q, int reg, int begin, int end,
                       int *pcs, int cap, struct ptx_reached *out) {
    int i = defs_before(q->defs, reg, end);
    while (i > q->defs->at[reg] && q->defs->pcs[i - 1] >= begin) {
        int pc = q->defs->pcs[--i];
        if (out->n < cap)
            pcs[out->n] = pc;
        out->n++;
        if (!q->f->instructions[pc].guard)
            return true;
    }
    return false;
}

static void push_preds(struct ptx_reach *q, int b, int stop,
                       struct ptx_reached *out) {
    const struct ptx_block *block = &q->cfg->blocks[b];
    if (b == stop || (stop < 0 && b == 0))
        out->start = true;
    if (b == stop)
        return;
    for (int i = 0; i < block->n_pred; i++)
        if (q->seen[block->pred[i]] != q->question) {
            q->seen[block->pred[i]] = q->question;
            q->work[q->n_work++] = block->pred[i];
        }
}

struct ptx_reached ptx_reaching(struct ptx_reach *q, int reg, int pc, int stop,
                                int blocks, int *pcs, int cap) {
    struct ptx_reached out = {0};
    int b = q->cfg->block_of[pc], first = b;
    q->question++;
    q->n_work = 0;
    if (scan_block(q, reg, q->cfg->blocks[b].begin, pc, pcs, cap, &out))
        return out;
    push_preds(q, b, stop, &out);
    while (q->n_work > 0) {
        b = q->work[--q->n_work];
        if (++out.passed > blocks && blocks) {
            out.gave_up = true;
            return out;
        }
        /* back in the block it began in: the part above pc is done */
        int begin = b == first ? pc : q->cfg->blocks[b].begin;
        if (!scan_block(q, reg, begin, q->cfg->blocks[b].end, pcs, cap, &out) &&
            b != first)
            push_preds(q, b, stop, &out);
    }
    return out;
}

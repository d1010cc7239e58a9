/* cfg.h - control-flow graph of a function: basic blocks and edges.
 *
 * Blocks are numbered in the order of the text; block 0 is the entry.  A block
 * that can leave the function (ret, exit, trap, running off the end) has exits
 * set instead of an edge to a block for that.
 */
#ifndef NDP_PTX_CFG_H
#define NDP_PTX_CFG_H

#include "base/arena.h"
#include "ptx/ir.h"

struct ptx_block {
    int begin, end; /* instructions [begin, end), never empty */
    bool exits;
    int n_succ, n_pred;
    const int *succ, *pred; /* each block once, in ascending order of edge */
};

struct ptx_cfg {
    int n_blocks; /* 0 for a function without instructions */
    struct ptx_block *blocks;
    int *block_of; /* block of each pc */
    int n_reachable;
    int *rpo;       /* reachable blocks in reverse postorder */
    int *rpo_index; /* position of a block there; -1: not reachable */
};

void ptx_cfg_build(struct arena *a, const struct ptx_function *f,
                   struct ptx_cfg *cfg);

/* The same for who has blocks and edges of another kind of code: n_blocks and
 * blocks (begin, end, exits) are set, and each edge is there once. */
struct ptx_edge {
    int from, to;
};
void ptx_cfg_connect(struct arena *a, struct ptx_cfg *cfg,
                     const struct ptx_edge *edges, int n);

/* Whether the instruction can go on to the next one; whether it ends a block.
 */
bool ptx_falls_through(const struct ptx_instruction *in);
bool ptx_ends_block(const struct ptx_instruction *in);

#endif

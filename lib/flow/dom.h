/* dom.h - dominators and post-dominators.
 *
 * Post-dominators are computed towards a virtual exit behind every block that
 * exits.  A region that never exits (an infinite loop) gets an edge there
 * from its last block in reverse postorder, so that every reachable block has a
 * place in the tree.
 */
#ifndef NDP_PTX_DOM_H
#define NDP_PTX_DOM_H

#include "cfg.h"

struct ptx_dom {
    /* Immediate (post-)dominator of each block.  -1: entry block; for post-
     * dominators, only the virtual exit post-dominates it; or the block is not
     * reachable. */
    int *idom;
    int *enter, *leave; /* interval of the block in the tree; 0, 0: none */
};

void ptx_dominators(struct arena *a, const struct ptx_cfg *cfg,
                    struct ptx_dom *dom);
void ptx_post_dominators(struct arena *a, const struct ptx_cfg *cfg,
                         struct ptx_dom *dom);

/* Whether x (post-)dominates y, or is y.  False for unreachable blocks. */
bool ptx_dominates(const struct ptx_dom *dom, int x, int y);

#endif

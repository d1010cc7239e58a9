/* analysis.h - what is known of a PTX function: the passes over it, in order.
 *
 *     struct ptx_analysis *a = ptx_analyse(&arena, module->functions[0]);
 *
 *   flow/cfg.h       basic blocks and edges
 *   flow/dom.h       dominators, post-dominators
 *   flow/loops.h     natural loops and their trip counts
 *   flow/live.h      liveness
 *   flow/reach.h     reaching definitions, on demand
 *   papers/mpu/locate.h    near or far: MPU, Algorithm 1
 *   papers/mpu/regalloc.h  physical registers by location
 *
 * On top of it, each on its own:
 *   papers/mpu/packets.h    instructions as packets of the near-bank unit
 *   papers/tom/candidate.h  code worth offloading: TOM, section 3.1
 *   papers/omni/chain.h     offload chains: opportunistic computing, section 4
 */
#ifndef NDP_PAPERS_ANALYSIS_H
#define NDP_PAPERS_ANALYSIS_H

#include "flow/cfg.h"
#include "flow/dom.h"
#include "flow/live.h"
#include "flow/loops.h"
#include "flow/reach.h"
#include "papers/mpu/locate.h"
#include "papers/mpu/packets.h"
#include "papers/mpu/regalloc.h"
#include "ptx/ptx.h"

/* Results for one function with a body; they live in the arena. */
struct ptx_analysis {
    const struct ptx_function *function;
    struct ptx_cfg cfg;
    struct ptx_dom dom;  /* immediate dominators */
    struct ptx_dom pdom; /* immediate post-dominators: reconvergence */
    struct ptx_loops loops;
    struct ptx_live live;
    struct ptx_defs defs; /* where each register is written, for reach.h */
    struct ptx_locations locations;
    struct ptx_allocation allocation;
};

struct ptx_analysis *ptx_analyse(struct arena *a, const struct ptx_function *f);

#endif

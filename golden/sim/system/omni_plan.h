/* omni_plan.h - the chains of a run's kernels, and their instances in the
 * streams of its warps.
 *
 * The stream is of the PTX as it was compiled, where other instructions stand
 * between those of a chain.  What hardware runs is the text that ndpcc
 * rewrites; so the instructions of each execution of a basic block are put into
 * the order of that text (docs/chains.md).
 */
#ifndef NDP_SYSTEM_OMNI_PLAN_H
#define NDP_SYSTEM_OMNI_PLAN_H

#include "base/array.h"
#include "cta.h"
#include "papers/omni/chain.h"

struct omni_plan; /* freed by omni_plan_free */

/* Chains of all functions of a module; m == NULL: none at all (a trace).
 * split: f32 multiply-adds may be broken into multiply and add. */
struct omni_plan *omni_plan_create(const struct ptx_module *m, bool split);
void omni_plan_free(struct omni_plan *p);

/* One execution of a chain by a warp. */
struct omni_instance {
    const struct ptx_chain *chain;
    uint32_t begin; /* ops of the warp; the loads stand first */
    uint32_t end;   /* behind what the chain computes; the multiply-add that is
                     * split stands behind, as the addition that is left */
    uint32_t store; /* op; 0: none */
};

struct omni_instances {
    ARRAY(struct omni_instance) list;
};

/* Put a warp's ops into the order of the rewritten text; its chains, ascending,
 * are appended to out. */
void omni_plan_arrange(const struct omni_plan *p, const struct cta_reader *r,
                       struct cta_warp *w, struct omni_instances *out);

#endif

/* hints.c - what the papers' analyses say of each instruction of PTX, for the
 * fields place, chain and mark of the words that come of it: near or far (MPU
 * V-B), offload chains (opportunistic computing 4), candidates (TOM 3.1).
 */
#include "lower.h"

#include "papers/analysis.h"
#include "papers/omni/chain.h"
#include "papers/tom/candidate.h"

struct hint *hints_find(struct arena *a, const struct ptx_function *f,
                        const struct ptx_candidate_options *options,
                        struct ptx_candidates *found) {
    size_t n = (size_t)f->n_instructions;
    struct hint *h = arena_array(a, n + 1, sizeof *h);
    struct ptx_candidate_options usual = ptx_candidate_defaults();
    struct ptx_analysis *analysis = ptx_analyse(a, f);
    struct ptx_chains chains;
    struct ptx_candidates candidates;
    ptx_chains_find(a, NULL, analysis, NULL, &chains);
    ptx_candidates_find(a, analysis, options ? options : &usual, &candidates);
    for (int pc = 0; pc < f->n_instructions; pc++) {
        h[pc].place = analysis->locations.instructions[pc];
        if (chains.chain_of[pc] >= 0)
            h[pc].chain = (uint16_t)(chains.chain_of[pc] + 1);
    }
    if (found)
        *found = candidates;
    for (int i = 0; i < candidates.n && !found; i++)
        h[candidates.list[i].begin_pc].mark = true;
    return h;
}

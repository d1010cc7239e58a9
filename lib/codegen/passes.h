/* passes.h - what happens to the instructions of a kernel between lowering and
 * words; private to lib/codegen. */
#ifndef NDP_CODEGEN_PASSES_H
#define NDP_CODEGEN_PASSES_H

#include "flow/cfg.h"
#include "mcode.h"

/* graph.c: blocks and edges; drop what cannot be reached. */
void mc_graph(const struct mc_code *m, struct arena *a, struct ptx_cfg *cfg);
void mc_prune(struct mc_code *m);

/* Keep the instructions for which keep[i]; a mark goes on to the next. */
void mc_compact(struct mc_code *m, const bool *keep);

/* improve.c: numbers into instructions, copies away, mul and add to mad, what
 * nobody reads away. */
void mc_improve(struct mc_code *m);

/* frame.c: the address of local memory, at the start of the kernel; values to
 * local memory (or made anew): those v with spill[v]. */
void mc_add_frame(struct mc_code *m);
void mc_spill(struct mc_code *m, const bool *spill);

/* colour.c: a register or predicate for each value, spilling where there are
 * too few; the colours are the arena's.  NULL: that cannot be done. */
const int *mc_colour(struct mc_code *m, int registers);

/* emit.c: the words, from pc base on; where each label is, unless NULL. */
struct mc_words {
    ARRAY(uint64_t) words;
    ARRAY(int) lines;
};
void mc_emit(const struct mc_code *m, const int *colour, int base,
             struct mc_words *out, int *labels);

#endif

/* blocks.h - offload candidates from PTX to blocks of words (TOM, section 3.1;
 * docs/candidates.md, "Blocks of machine words"); private to lib/codegen.
 *
 *     blocks_find     the candidates of the PTX
 *     blocks_label    a label where each begins and ends
 *     blocks_hold     what keeps the register of its condition
 *     blocks_place    in front of a block, the address of its first access
 *     blocks_finish   words and registers; what may not leave is refused
 */
#ifndef NDP_CODEGEN_BLOCKS_H
#define NDP_CODEGEN_BLOCKS_H

#include "lower.h"
#include "papers/tom/candidate.h"

struct code_block {
    const struct ptx_candidate *candidate;
    int64_t row;     /* traffic of a register, in the candidate's 1/scale */
    int begin, end;  /* labels */
    int line;        /* of the PTX, where it begins */
    const char *why; /* it is none; NULL */
    struct isa_block block;
};

void blocks_find(struct arena *a, struct lower *l,
                 const struct ptx_candidate_options *options);

/* While lowering: labels that are missing; before the instruction at pc. */
void blocks_label(struct lower *l);
void blocks_hold(struct lower *l, int pc);

/* Between mc_improve and mc_colour.  A block that begins with an access and is
 * no loop's head is marked there.  The others get, in front of their label, the
 * instructions that compute the address of their first access once more, and a
 * marked one that names it. */
void blocks_place(struct lower *l);

/* Of the kernel's words: fills block or why. */
void blocks_finish(struct lower *l, const uint64_t *words,
                   const struct isa_kernel *k, const int *labels,
                   const int *colour);

/* regions.c: region, live-ins and live-outs of a block whose begin, end and ask
 * are set, from the kernel's words, first of which is at entry.  NULL, or why it
 * must not leave. */
const char *blocks_check(const struct isa_word *words, int n, int entry,
                         struct isa_block *b);

#endif

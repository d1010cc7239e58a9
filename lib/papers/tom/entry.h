/* entry.h - a candidate as an entry of the metadata table that the
 * offload controller reads (docs/blocks/offload.md, "Metadata entry"; TOM,
 * section 4.2): fields from bit 0 up, live-ins and live-outs as bit vectors
 * over the physical registers of regalloc.h.
 */
#ifndef NDP_PTX_CANDIDATE_ENTRY_H
#define NDP_PTX_CANDIDATE_ENTRY_H

#include "config/config.h"
#include "candidate.h"
#include "papers/mpu/regalloc.h"

/* Sizes of the block `offload` in a configuration. */
struct ptx_entry_sizes {
    int candidates; /* that software may load */
    int entries;    /* of the table, a power of two */
    int registers, reg_bits, count_bits, pc_bits;
    int entry_bits;
};
void ptx_entry_sizes(const struct config *c, struct ptx_entry_sizes *out);

/* Field n_in: physical registers that the request carries. */
int ptx_entry_inputs(const struct ptx_candidate *c,
                     const struct ptx_function *f);

/* The entry, 32 bits a word, lowest first; words has room for all of
 * entry_bits.  Returns what does not fit ("registers", "bits of a program
 * counter"), or NULL.  a is the allocation of the candidate's function. */
const char *ptx_entry_pack(const struct ptx_candidate *c,
                           const struct ptx_function *f,
                           const struct ptx_allocation *a,
                           const struct ptx_entry_sizes *sizes,
                           uint32_t *words);

#endif

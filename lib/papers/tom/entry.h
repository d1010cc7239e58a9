/* entry.h - a candidate as an entry of the metadata table that the offload
 * controller reads (docs/blocks/offload.md, "Metadata entry"; TOM,
 * section 4.2): live-ins and live-outs are bit vectors over the physical
 * registers of papers/mpu/regalloc.h.
 */
#ifndef NDP_PAPERS_TOM_ENTRY_H
#define NDP_PAPERS_TOM_ENTRY_H

#include "blocks/offload.h"
#include "candidate.h"
#include "papers/mpu/regalloc.h"

/* Field n_in: physical registers that the request carries. */
int ptx_entry_inputs(const struct ptx_candidate *c,
                     const struct ptx_function *f);

/* Fill an entry for a controller of this size; record_pack makes its bits.
 * Returns what does not fit ("registers", "bits of a program counter"), or
 * NULL.  a is the allocation of the candidate's function. */
const char *ptx_entry_fill(const struct ptx_candidate *c,
                           const struct ptx_function *f,
                           const struct ptx_allocation *a,
                           const struct offload_local *size,
                           struct offload_entry_fields *out);

/* The same of a block of machine words (docs/candidates.md) for a machine of so
 * many registers: predicate p is register registers + p. */
struct isa_block;
const char *ptx_entry_of_block(const struct isa_block *b, int registers,
                               const struct offload_local *size,
                               struct offload_entry_fields *out);

#endif

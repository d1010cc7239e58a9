/* far.h - chains that a service queue gets, and what must come of them, by the
 * arithmetic of the instruction set (golden/isa), not by the model's.
 */
#ifndef NDP_STIM_SQUEUE_FAR_H
#define NDP_STIM_SQUEUE_FAR_H

#include "kit/compute.h"
#include "kit/rng.h"

enum { FAR_LANES = 32 };

/* A chain of any pattern; of unable percent of them the queue cannot compute
 * the operation.  core, entry and addresses are anything. */
void far_chain(const struct compute_size *s, struct rng *r, int unable,
               int masked, struct compute *c);

bool far_two(const struct compute *c);  /* it has two loads */
bool far_able(const struct compute *c); /* the queue can compute it */
bool far_stores(const struct compute *c);
bool far_compares(const struct compute *c);
bool far_gives(const struct compute *c); /* the core gets the result */

/* Where the chain's first or second load reads. */
uint64_t far_address(const struct compute *c, bool second);

/* A lane's element as memory gives it: corners, and anything above the bits of
 * its type. */
uint32_t far_element(const struct compute *c, struct rng *r);

/* The result on one lane, of a comparison 0 or 1. */
uint32_t far_result(const struct compute *c, uint32_t first, uint32_t second);

#endif

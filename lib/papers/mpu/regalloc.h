/* regalloc.h - physical registers by location (MPU, section V-B).
 *
 * Registers of different location or kind never share a physical register.
 * One that holds 64 bits takes an even index and the next, one of 128 bits
 * four; smaller ones and predicates take one.  Two registers that do share one
 * are never live at the same position (live.h).
 */
#ifndef NDP_PTX_REGALLOC_H
#define NDP_PTX_REGALLOC_H

#include "flow/live.h"
#include "locate.h"

struct ptx_allocation {
    int *physical; /* first physical index of each register */
    int counts[4]; /* physical registers by location, a pair counting two */
    int total;     /* indices 0 .. total - 1 are in use (some as padding) */
};

void ptx_allocate(struct arena *a, const struct ptx_function *f,
                  const struct ptx_live *live, const struct ptx_locations *l,
                  struct ptx_allocation *out);

/* Physical registers that one register of the kind takes. */
int ptx_kind_size(enum ptx_kind kind);

#endif

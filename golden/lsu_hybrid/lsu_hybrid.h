/* lsu_hybrid.h - golden model of the hybrid load-store unit
 * (docs/blocks/lsu_hybrid.md). */
#ifndef NDP_GOLDEN_LSU_HYBRID_H
#define NDP_GOLDEN_LSU_HYBRID_H

#include "frame/golden.h"

extern const struct golden_class lsu_hybrid_golden;

/* From now on this instance sends the messages of the paper (section IV-B2) and
 * no strided ones: a model of the paper's traffic. */
void lsu_hybrid_send_no_strided(struct golden *g);

#endif

/* cut.h - golden model of the registered cut between the dies
 * (docs/blocks/cut.md). */
#ifndef NDP_GOLDEN_CUT_H
#define NDP_GOLDEN_CUT_H

#include "blocks/cut.h"
#include "frame/golden.h"

extern const struct golden_class cut_golden;

/* The sources that may have the bus on the edge with these inputs, bit k:
 * source k of the note. */
unsigned cut_eligible(const struct golden *g, const struct cut_in *in);

#endif

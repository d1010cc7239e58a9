/* offload.h - golden model of the offload controller (docs/blocks/offload.md).
 *
 * Driven through golden.h; what stands here beyond the class lets tests state
 * properties of state that no output shows.
 */
#ifndef NDP_GOLDEN_OFFLOAD_H
#define NDP_GOLDEN_OFFLOAD_H

#include "frame/golden.h"

extern const struct golden_class offload_golden;

/* Requests that a stack has pending; -1 for a stack that does not exist. */
int offload_pending(const struct golden *g, int stack);

/* Whether a warp is away, and at which stack.  False for a warp that does not
 * exist. */
bool offload_away(const struct golden *g, int warp, int *stack);

#endif

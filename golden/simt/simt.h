/* simt.h - golden model of the core that runs warps (docs/blocks/simt.md).
 *
 * Driven through golden.h.
 */
#ifndef NDP_GOLDEN_SIMT_H
#define NDP_GOLDEN_SIMT_H

#include "frame/golden.h"

extern const struct golden_class simt_golden;

#endif

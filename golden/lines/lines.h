/* lines.h - golden model of operands of chains as sectors of a memory
 * (docs/blocks/lines.md). */
#ifndef NDP_GOLDEN_LINES_H
#define NDP_GOLDEN_LINES_H

#include "frame/golden.h"

extern const struct golden_class lines_golden;

#endif

/* gate.h - golden model of what stands between the queues of a node, its memory
 * and the network (docs/blocks/gate.md). */
#ifndef NDP_GOLDEN_GATE_H
#define NDP_GOLDEN_GATE_H

#include "frame/golden.h"

extern const struct golden_class gate_golden;

#endif

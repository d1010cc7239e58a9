/* oqueue.h - golden model of the offload queue of a core
 * (docs/blocks/oqueue.md). */
#ifndef NDP_GOLDEN_OQUEUE_H
#define NDP_GOLDEN_OQUEUE_H

#include "frame/golden.h"

extern const struct golden_class oqueue_golden;

#endif

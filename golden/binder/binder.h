/* binder.h - golden model of what stands between a core that offers the words
 * of its chains and a node's offload queue (docs/blocks/binder.md). */
#ifndef NDP_GOLDEN_BINDER_H
#define NDP_GOLDEN_BINDER_H

#include "frame/golden.h"

extern const struct golden_class binder_golden;

#endif

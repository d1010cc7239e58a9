/* remote.h - golden model of a core's way to the memories of all nodes
 * (docs/blocks/remote.md). */
#ifndef NDP_GOLDEN_REMOTE_H
#define NDP_GOLDEN_REMOTE_H

#include "frame/golden.h"

extern const struct golden_class remote_golden;

#endif

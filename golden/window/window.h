/* window.h - golden model of a host's window on the memories of all nodes
 * (docs/blocks/window.md). */
#ifndef NDP_GOLDEN_WINDOW_H
#define NDP_GOLDEN_WINDOW_H

#include "frame/golden.h"

extern const struct golden_class window_golden;

#endif

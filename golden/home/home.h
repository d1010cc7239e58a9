/* home.h - golden model of the memory's end of requests of all nodes
 * (docs/blocks/home.md). */
#ifndef NDP_GOLDEN_HOME_H
#define NDP_GOLDEN_HOME_H

#include "frame/golden.h"

extern const struct golden_class home_golden;

#endif

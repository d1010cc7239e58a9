/* router.h - golden model of a router of a mesh (docs/blocks/router.md). */
#ifndef NDP_GOLDEN_ROUTER_H
#define NDP_GOLDEN_ROUTER_H

#include "frame/golden.h"

extern const struct golden_class router_golden;

#endif

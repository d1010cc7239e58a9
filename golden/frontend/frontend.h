/* frontend.h - golden model of the front end of a core with a near-bank unit
 * (docs/blocks/frontend.md). */
#ifndef NDP_GOLDEN_FRONTEND_H
#define NDP_GOLDEN_FRONTEND_H

#include "frame/golden.h"

extern const struct golden_class frontend_golden;

#endif

/* tap.h - golden model of the tap between offload controller, core and map
 * analyzer (docs/blocks/tap.md). */
#ifndef NDP_GOLDEN_TAP_H
#define NDP_GOLDEN_TAP_H

#include "frame/golden.h"

extern const struct golden_class tap_golden;

#endif

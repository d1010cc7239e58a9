/* relay.h - golden model of the relay of a host's commands to one of several
 * cores (docs/blocks/relay.md). */
#ifndef NDP_GOLDEN_RELAY_H
#define NDP_GOLDEN_RELAY_H

#include "frame/golden.h"

extern const struct golden_class relay_golden;

#endif

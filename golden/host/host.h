/* host.h - golden model of the host port of a machine (docs/blocks/host.md). */
#ifndef NDP_GOLDEN_HOST_H
#define NDP_GOLDEN_HOST_H

#include "frame/golden.h"

extern const struct golden_class host_golden;

#endif

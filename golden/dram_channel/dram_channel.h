/* dram_channel.h - golden model of a DRAM channel that host and accelerators
 * share (docs/blocks/dram_channel.md). */
#ifndef NDP_GOLDEN_DRAM_CHANNEL_H
#define NDP_GOLDEN_DRAM_CHANNEL_H

#include "frame/golden.h"

extern const struct golden_class dram_channel_golden;

#endif

/* stim.h - host, accelerators and checker around a DRAM channel. */
#ifndef NDP_STIM_DRAM_CHANNEL_H
#define NDP_STIM_DRAM_CHANNEL_H

#include "kit/stim.h"

extern const struct stim_class dram_channel_stim;

#endif

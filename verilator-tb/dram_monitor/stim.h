/* stim.h - streams of commands, legal and not, and the checker that judges what
 * the monitor tells of them. */
#ifndef NDP_STIM_DRAM_MONITOR_H
#define NDP_STIM_DRAM_MONITOR_H

#include "kit/stim.h"

extern const struct stim_class dram_monitor_stim;

#endif

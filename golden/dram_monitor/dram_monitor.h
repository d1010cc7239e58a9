/* dram_monitor.h - golden model of the monitor of a DRAM channel's commands
 * (docs/blocks/dram_monitor.md). */
#ifndef NDP_GOLDEN_DRAM_MONITOR_H
#define NDP_GOLDEN_DRAM_MONITOR_H

#include "frame/golden.h"

extern const struct golden_class dram_monitor_golden;

#endif

/* dram_map.h - golden model of the map of addresses into DRAM
 * (docs/blocks/dram_map.md). */
#ifndef NDP_GOLDEN_DRAM_MAP_H
#define NDP_GOLDEN_DRAM_MAP_H

#include "frame/golden.h"

extern const struct golden_class dram_map_golden;

#endif

/* dram.h - what the map of addresses into a memory must satisfy (dram/map.c).
 */
#ifndef NDP_DRAM_H
#define NDP_DRAM_H

#include "config/config.h"

/* The masks are as many as there are bits to make, and independent; the row's
 * top bits stay out of them where banks are reserved.  False after errors in d,
 * which name the masks that depend on each other. */
bool dram_map_check(const struct config *c, struct diag *d);

#endif

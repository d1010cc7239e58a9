/* timing.h - what the times of a DRAM part must satisfy together. */
#ifndef NDP_TIMING_H
#define NDP_TIMING_H

#include "config/config.h"

/* False after errors in d. */
bool timing_check(const struct config *c, struct diag *d);

#endif

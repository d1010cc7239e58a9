/* stim.h - the surroundings of the serial line as the master of a register
 * bus. */
#ifndef NDP_STIM_UARTBONE_H
#define NDP_STIM_UARTBONE_H

#include "kit/stim.h"

extern const struct stim_class uartbone_stim;

#endif

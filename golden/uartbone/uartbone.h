/* uartbone.h - golden model of the serial line as the master of a register bus
 * (docs/blocks/uartbone.md). */
#ifndef NDP_GOLDEN_UARTBONE_H
#define NDP_GOLDEN_UARTBONE_H

#include "frame/golden.h"

extern const struct golden_class uartbone_golden;

#endif

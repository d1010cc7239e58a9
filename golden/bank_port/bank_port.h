/* bank_port.h - golden model of a core's port on the banks of near-bank units
 * (docs/blocks/bank_port.md). */
#ifndef NDP_GOLDEN_BANK_PORT_H
#define NDP_GOLDEN_BANK_PORT_H

#include "frame/golden.h"

extern const struct golden_class bank_port_golden;

#endif

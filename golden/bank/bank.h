/* bank.h - golden model of a DRAM bank with several open rows
 * (docs/blocks/bank.md). */
#ifndef NDP_GOLDEN_BANK_H
#define NDP_GOLDEN_BANK_H

#include "frame/golden.h"

extern const struct golden_class bank_golden;

#endif

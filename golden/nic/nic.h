/* nic.h - golden model of a network interface (docs/blocks/nic.md). */
#ifndef NDP_GOLDEN_NIC_H
#define NDP_GOLDEN_NIC_H

#include "frame/golden.h"

extern const struct golden_class nic_golden;

#endif

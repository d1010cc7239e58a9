/* stim.h - the surroundings of a network interface. */
#ifndef NDP_STIM_NIC_H
#define NDP_STIM_NIC_H

#include "kit/stim.h"

extern const struct stim_class nic_stim;

#endif

/* stim.h - the surroundings of a DRAM bank with several open rows. */
#ifndef NDP_STIM_BANK_H
#define NDP_STIM_BANK_H

#include "kit/stim.h"

extern const struct stim_class bank_stim;

#endif

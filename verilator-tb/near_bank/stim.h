/* stim.h - the surroundings of the near-bank unit with its pipelines, for the
 * bench. */
#ifndef NDP_STIM_NEAR_BANK_H
#define NDP_STIM_NEAR_BANK_H

#include "kit/stim.h"

extern const struct stim_class near_bank_stim;

#endif

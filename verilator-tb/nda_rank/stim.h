/* stim.h - the surroundings of a rank's accelerator. */
#ifndef NDP_STIM_NDA_RANK_H
#define NDP_STIM_NDA_RANK_H

#include "kit/stim.h"

extern const struct stim_class nda_rank_stim;

#endif

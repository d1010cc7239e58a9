/* stim.h - the surroundings of the hybrid load-store unit. */
#ifndef NDP_STIM_LSU_HYBRID_H
#define NDP_STIM_LSU_HYBRID_H

#include "kit/stim.h"

extern const struct stim_class lsu_hybrid_stim;

#endif

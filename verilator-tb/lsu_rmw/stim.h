/* stim.h - the surroundings of the read-modify-write unit of the base die. */
#ifndef NDP_STIM_LSU_RMW_H
#define NDP_STIM_LSU_RMW_H

#include "kit/stim.h"

extern const struct stim_class lsu_rmw_stim;

#endif

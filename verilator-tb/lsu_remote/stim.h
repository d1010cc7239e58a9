/* stim.h - the surroundings of LSU-Remote. */
#ifndef NDP_STIM_LSU_REMOTE_H
#define NDP_STIM_LSU_REMOTE_H

#include "kit/stim.h"

extern const struct stim_class lsu_remote_stim;

#endif

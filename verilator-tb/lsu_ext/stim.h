/* stim.h - what stands around the load-store extension in lock-step. */
#ifndef NDP_STIM_LSU_EXT_H
#define NDP_STIM_LSU_EXT_H

#include "kit/stim.h"

extern const struct stim_class lsu_ext_stim;

#endif

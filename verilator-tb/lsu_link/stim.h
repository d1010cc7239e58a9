/* stim.h - what stands around the load-store traffic between the dies in
 * lock-step. */
#ifndef NDP_STIM_LSU_LINK_H
#define NDP_STIM_LSU_LINK_H

#include "kit/stim.h"

extern const struct stim_class lsu_link_stim;

#endif

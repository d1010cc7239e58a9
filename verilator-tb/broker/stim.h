/* stim.h - the surroundings of what stands between a core and its offload
 * controller. */
#ifndef NDP_STIM_BROKER_H
#define NDP_STIM_BROKER_H

#include "kit/stim.h"

extern const struct stim_class broker_stim;

#endif

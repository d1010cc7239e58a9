/* stim.h - the surroundings of the offload controller, for the bench.
 */
#ifndef NDP_STIM_OFFLOAD_H
#define NDP_STIM_OFFLOAD_H

#include "kit/stim.h"

extern const struct stim_class offload_stim;

#endif

/* stim_offload.h - the surroundings of the offload controller, for the bench.
 */
#ifndef NDP_STIM_OFFLOAD_H
#define NDP_STIM_OFFLOAD_H

#include "stim.h"

extern const struct stim_class stim_offload;

#endif

/* stim.h - the surroundings of the tap between offload controller, core and map
 * analyzer. */
#ifndef NDP_STIM_TAP_H
#define NDP_STIM_TAP_H

#include "kit/stim.h"

extern const struct stim_class tap_stim;

#endif

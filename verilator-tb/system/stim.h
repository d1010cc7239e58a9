/* stim.h - the surroundings of a machine: software on its register port. */
#ifndef NDP_STIM_SYSTEM_H
#define NDP_STIM_SYSTEM_H

#include "kit/stim.h"

extern const struct stim_class system_stim;

#endif

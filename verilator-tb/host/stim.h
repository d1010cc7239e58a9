/* stim.h - the surroundings of the host port of a machine. */
#ifndef NDP_STIM_HOST_H
#define NDP_STIM_HOST_H

#include "kit/stim.h"

extern const struct stim_class host_stim;

#endif

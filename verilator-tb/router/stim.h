/* stim.h - the surroundings of a router. */
#ifndef NDP_STIM_ROUTER_H
#define NDP_STIM_ROUTER_H

#include "kit/stim.h"

extern const struct stim_class router_stim;

#endif

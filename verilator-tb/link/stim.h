/* stim.h - the surroundings of a slow link: a router on each side. */
#ifndef NDP_STIM_LINK_H
#define NDP_STIM_LINK_H

#include "kit/stim.h"

extern const struct stim_class link_stim;

#endif

/* stim.h - the surroundings of a host's window on the memories of all nodes. */
#ifndef NDP_STIM_WINDOW_H
#define NDP_STIM_WINDOW_H

#include "kit/stim.h"

extern const struct stim_class window_stim;

#endif

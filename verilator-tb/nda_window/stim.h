/* stim.h - the surroundings of the memory-mapped packets of a host. */
#ifndef NDP_STIM_NDA_WINDOW_H
#define NDP_STIM_NDA_WINDOW_H

#include "kit/stim.h"

extern const struct stim_class nda_window_stim;

#endif

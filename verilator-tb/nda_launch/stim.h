/* stim.h - a host that launches operations, and ranks that end them. */
#ifndef NDP_STIM_NDA_LAUNCH_H
#define NDP_STIM_NDA_LAUNCH_H

#include "kit/stim.h"

extern const struct stim_class nda_launch_stim;

#endif

/* stim.h - the surroundings of a binder. */
#ifndef NDP_STIM_BINDER_H
#define NDP_STIM_BINDER_H

#include "kit/stim.h"

extern const struct stim_class binder_stim;

#endif

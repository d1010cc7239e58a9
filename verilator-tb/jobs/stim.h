/* stim.h - the surroundings of what runs blocks of other cores on a stack's core. */
#ifndef NDP_STIM_JOBS_H
#define NDP_STIM_JOBS_H

#include "kit/stim.h"

extern const struct stim_class jobs_stim;

#endif

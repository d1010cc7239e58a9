/* stim.h - the surroundings of a core behind its front end, for the bench. */
#ifndef NDP_STIM_BACKEND_H
#define NDP_STIM_BACKEND_H

#include "kit/stim.h"

extern const struct stim_class backend_stim;

#endif

/* stim.h - the surroundings of the front end. */
#ifndef NDP_STIM_FRONTEND_H
#define NDP_STIM_FRONTEND_H

#include "kit/stim.h"

extern const struct stim_class frontend_stim;

#endif

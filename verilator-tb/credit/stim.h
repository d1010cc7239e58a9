/* stim.h - the surroundings of the end of a link with credits. */
#ifndef NDP_STIM_CREDIT_H
#define NDP_STIM_CREDIT_H

#include "kit/stim.h"

extern const struct stim_class credit_stim;

#endif

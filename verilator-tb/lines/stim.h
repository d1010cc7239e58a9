/* stim.h - the surroundings of operands of chains as sectors of a memory. */
#ifndef NDP_STIM_LINES_H
#define NDP_STIM_LINES_H

#include "kit/stim.h"

extern const struct stim_class lines_stim;

#endif

/* stim.h - the surroundings of a plain core before banks: software on its
 * register port. */
#ifndef NDP_STIM_BANKED_H
#define NDP_STIM_BANKED_H

#include "kit/stim.h"

extern const struct stim_class banked_stim;

#endif

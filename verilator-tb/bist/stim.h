/* stim.h - the surroundings of stimulus and signature: software, and a block
 * under test. */
#ifndef NDP_STIM_BIST_H
#define NDP_STIM_BIST_H

#include "kit/stim.h"

extern const struct stim_class bist_stim;

#endif

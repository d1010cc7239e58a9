/* stim.h - the surroundings of the SIMT core. */
#ifndef NDP_STIM_SIMT_H
#define NDP_STIM_SIMT_H

#include "kit/stim.h"

extern const struct stim_class simt_stim;

#endif

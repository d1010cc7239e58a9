/* stim.h - the surroundings of an accelerator's state machine. */
#ifndef NDP_STIM_NDA_CONTROL_H
#define NDP_STIM_NDA_CONTROL_H

#include "kit/stim.h"

extern const struct stim_class nda_control_stim;

#endif

/* stim.h - the surroundings of the pipeline of the base die. */
#ifndef NDP_STIM_FAR_PIPE_H
#define NDP_STIM_FAR_PIPE_H

#include "kit/stim.h"

extern const struct stim_class far_pipe_stim;

#endif

/* stim.h - the surroundings of the near-bank pipelines. */
#ifndef NDP_STIM_NEAR_PIPE_H
#define NDP_STIM_NEAR_PIPE_H

#include "kit/stim.h"

extern const struct stim_class near_pipe_stim;

#endif

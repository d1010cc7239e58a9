/* stim.h - the surroundings of the local buffers of a rank's accelerator. */
#ifndef NDP_STIM_NDA_BUFFER_H
#define NDP_STIM_NDA_BUFFER_H

#include "kit/stim.h"

extern const struct stim_class nda_buffer_stim;

#endif

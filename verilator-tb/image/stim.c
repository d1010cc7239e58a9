/* stim.c - stimulus of a streaming multiprocessor with a prefetcher; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class image_stim = MACHINE_STIM;

/* stim.c - stimulus of a plain core behind its cache; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class cached_stim = MACHINE_STIM;

/* stim.c - stimulus of a machine of several cores; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class cluster_stim = MACHINE_STIM;

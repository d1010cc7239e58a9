/* stim.c - stimulus of a machine; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class system_stim = MACHINE_STIM;

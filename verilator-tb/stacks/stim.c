/* stim.c - stimulus of a machine with memory stacks; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class stacks_stim = MACHINE_STIM;

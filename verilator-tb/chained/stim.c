/* stim.c - stimulus of a machine that computes chains; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class chained_stim = MACHINE_STIM;

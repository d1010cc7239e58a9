/* stim.c - stimulus of a core with near-bank units; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class mpu_core_stim = MACHINE_STIM_FROM_RESET(1);

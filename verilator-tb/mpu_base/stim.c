/* stim.c - stimulus of a core of MPU on the base die; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class mpu_base_stim = MACHINE_STIM_FROM_RESET(1);

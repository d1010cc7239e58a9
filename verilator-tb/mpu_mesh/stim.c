/* stim.c - stimulus of cores with near-bank units on a mesh; see
 * system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class mpu_mesh_stim = MACHINE_STIM_FROM_RESET(1);

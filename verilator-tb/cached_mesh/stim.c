/* stim.c - stimulus of a machine of several cores with caches; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class cached_mesh_stim = MACHINE_STIM;

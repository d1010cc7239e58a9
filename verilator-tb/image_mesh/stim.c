/* stim.c - stimulus of streaming multiprocessors on a mesh; see system/machine.c. */
#include "stim.h"

#include "system/machine.h"

const struct stim_class image_mesh_stim = MACHINE_STIM;

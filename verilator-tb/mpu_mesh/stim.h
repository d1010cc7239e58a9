/* stim.h - the surroundings of cores with near-bank units: software on its
 * register port. */
#ifndef NDP_STIM_MPU_MESH_H
#define NDP_STIM_MPU_MESH_H

#include "kit/stim.h"

extern const struct stim_class mpu_mesh_stim;

#endif

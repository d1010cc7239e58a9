/* stim.h - the surroundings of a core with near-bank units: software on its
 * register port. */
#ifndef NDP_STIM_MPU_CORE_H
#define NDP_STIM_MPU_CORE_H

#include "kit/stim.h"

extern const struct stim_class mpu_core_stim;

#endif

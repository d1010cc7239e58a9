/* stim.h - the surroundings of a core of MPU on the base die: software on its
 * register port. */
#ifndef NDP_STIM_MPU_BASE_H
#define NDP_STIM_MPU_BASE_H

#include "kit/stim.h"

extern const struct stim_class mpu_base_stim;

#endif

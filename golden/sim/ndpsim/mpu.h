/* mpu.h - a core of MPU as a composition (system.h): the golden models of
 * `dies`, `lsu_hybrid` and `bank` together, with time and energy.
 *
 *     stream -> slots -> dies ---> far pipeline ---> lsu_hybrid, one a unit
 *                         |  wires                     |
 *                         +------> near pipeline     extension -> 16 banks
 *
 * docs/system.md says what is between the models, and what it leaves out.
 */
#ifndef NDP_NDPSIM_MPU_H
#define NDP_NDPSIM_MPU_H

#include "sim/system/system.h"

extern const struct system_preset mpu_preset;

#endif

/* device_launch_parameters.h - programs include it by name; all is in
 * cuda_runtime.h. */
#ifndef NDP_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define NDP_CUDA_DEVICE_LAUNCH_PARAMETERS_H

#include "cuda_runtime.h"

#endif

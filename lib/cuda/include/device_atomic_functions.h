/* device_atomic_functions.h - programs include it by name; all is in
 * cuda_runtime.h. */
#ifndef NDP_CUDA_DEVICE_ATOMIC_FUNCTIONS_H
#define NDP_CUDA_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif

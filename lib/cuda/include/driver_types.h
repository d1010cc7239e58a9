/* driver_types.h - programs include it by name; all is in cuda_runtime.h. */
#ifndef NDP_CUDA_DRIVER_TYPES_H
#define NDP_CUDA_DRIVER_TYPES_H

#include "cuda_runtime.h"

#endif

/* cuda.h - programs include it for the version; of the driver API there is what
 * libndp has by names of its own (docs/runtime.md). */
#ifndef NDP_CUDA_CUDA_H
#define NDP_CUDA_CUDA_H

#include "cuda_runtime_api.h"

#endif

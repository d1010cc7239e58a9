/* cuda_profiler_api.h - programs include it by name; all is in cuda_runtime.h.
 */
#ifndef NDP_CUDA_CUDA_PROFILER_API_H
#define NDP_CUDA_CUDA_PROFILER_API_H

#include "cuda_runtime.h"

#endif

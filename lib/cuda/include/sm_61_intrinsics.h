/* sm_61_intrinsics.h - programs include it by name; all is in cuda_runtime.h.
 */
#ifndef NDP_CUDA_SM_61_INTRINSICS_H
#define NDP_CUDA_SM_61_INTRINSICS_H

#include "cuda_runtime.h"

#endif

/* channel_descriptor.h - programs include it by name; all is in cuda_runtime.h.
 */
#ifndef NDP_CUDA_CHANNEL_DESCRIPTOR_H
#define NDP_CUDA_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime.h"

#endif

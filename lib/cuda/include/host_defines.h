/* host_defines.h - CUDA's keywords as attributes of clang. */
#ifndef NDP_CUDA_HOST_DEFINES_H
#define NDP_CUDA_HOST_DEFINES_H

#if defined(__CUDA__) && defined(__clang__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* an error that names itself */
#define __managed__ ndp_variables_that_are___managed___are_not_supported
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __noinline__ __attribute__((noinline))
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#endif
#define __align__(n) __attribute__((aligned(n)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __grid_constant__
#define __maxnreg__(n)
#define CUDARTAPI
#define CUDART_CB
#define __cudart_builtin__
#define __builtin_align__(n) __align__(n)
#define __device_builtin__
#ifndef __restrict__
#define __restrict__ __restrict
#endif

#endif

/* cuda_runtime.h - CUDA C++ over clang and libndpcudart, without NVIDIA's
 * toolkit.
 *
 * ndpcu includes it before everything else, as nvcc does.  Device functions are
 * those of the headers that come with clang, over ndp_device_math.h; what
 * NVIDIA's headers would add to them stands here and in ndp_device_*.h.
 */
#ifndef NDP_CUDA_RUNTIME_H
#define NDP_CUDA_RUNTIME_H

#if defined(__cplusplus) && defined(__CUDA__) && defined(__clang__)
/* before cmath: declares what is overloaded for the device */
#include <__clang_cuda_math_forward_declares.h>
#define __CUDACC__ 1
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstdio>
#include <memory> /* has __noinline__ as an attribute; here it is a keyword */
#include <stdlib.h>
#include <string.h>
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__cplusplus) && defined(__CUDA__) && defined(__clang__)

#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999 /* declarations for the host's pass, too */
#endif
typedef unsigned int cuuint32_t;
#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
#include "ndp_device_math.h"
#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>

extern "C" {
__device__ void free(void *) __attribute__((nothrow));
__device__ void *malloc(size_t) __attribute__((nothrow))
__attribute__((malloc));
}
namespace std {
__device__ static inline void free(void *p) {
    ::free(p);
}
__device__ static inline void *malloc(size_t n) {
    return ::malloc(n);
}
} // namespace std

#define NDP_BUILTIN_VECTOR(name)                                               \
    __device__ inline __cuda_builtin_##name##_t::operator dim3() const {       \
        return dim3(x, y, z);                                                  \
    }                                                                          \
    __device__ inline __cuda_builtin_##name##_t::operator uint3() const {      \
        return {x, y, z};                                                      \
    }
NDP_BUILTIN_VECTOR(threadIdx)
NDP_BUILTIN_VECTOR(blockIdx)
NDP_BUILTIN_VECTOR(blockDim)
NDP_BUILTIN_VECTOR(gridDim)
#undef NDP_BUILTIN_VECTOR

static inline __device__ float rsqrt(float a) {
    return rsqrtf(a);
}
static inline __device__ float rcbrt(float a) {
    return rcbrtf(a);
}
static inline __device__ float sinpi(float a) {
    return sinpif(a);
}
static inline __device__ float cospi(float a) {
    return cospif(a);
}
static inline __device__ float normcdf(float a) {
    return normcdff(a);
}
static inline __device__ void sincospi(float a, float *s, float *c) {
    sincospif(a, s, c);
}
static inline __device__ void sincos(float a, float *s, float *c) {
    sincosf(a, s, c);
}
static inline __device__ unsigned __isGlobal(const void *p) {
    return __nvvm_isspacep_global(p);
}
static inline __device__ unsigned __isShared(const void *p) {
    return __nvvm_isspacep_shared(p);
}
static inline __device__ unsigned __isConstant(const void *p) {
    return __nvvm_isspacep_const(p);
}
static inline __device__ unsigned __isLocal(const void *p) {
    return __nvvm_isspacep_local(p);
}

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>
#include "ndp_device_atomics.h"
#include "ndp_device_print.h"
#pragma pop_macro("__CUDA_ARCH__")

/* On the host, too, as nvcc has them. */
#define NDP_MIN_MAX(type)                                                      \
    static inline __host__ type min(type a, type b) {                          \
        return b < a ? b : a;                                                  \
    }                                                                          \
    static inline __host__ type max(type a, type b) {                          \
        return a < b ? b : a;                                                  \
    }
NDP_MIN_MAX(int)
NDP_MIN_MAX(unsigned)
NDP_MIN_MAX(long)
NDP_MIN_MAX(unsigned long)
NDP_MIN_MAX(long long)
NDP_MIN_MAX(unsigned long long)
NDP_MIN_MAX(float)
NDP_MIN_MAX(double)
#undef NDP_MIN_MAX
#define NDP_MIN_MAX(type, a_type, b_type)                                      \
    static inline __host__ type min(a_type a, b_type b) {                      \
        return min((type)a, (type)b);                                          \
    }                                                                          \
    static inline __host__ type max(a_type a, b_type b) {                      \
        return max((type)a, (type)b);                                          \
    }
NDP_MIN_MAX(unsigned, int, unsigned)
NDP_MIN_MAX(unsigned, unsigned, int)
NDP_MIN_MAX(double, float, double)
NDP_MIN_MAX(double, double, float)
#undef NDP_MIN_MAX
static inline __host__ float rsqrtf(float a) {
    return 1.0f / sqrtf(a);
}
static inline __host__ double rsqrt(double a) {
    return 1.0 / sqrt(a);
}
static inline __host__ float saturate(float a) {
    return a < 0 ? 0 : a > 1 ? 1 : a;
}

#endif

#ifdef __cplusplus

/* Pointers of any type, symbols and kernels by name. */
template <class T> static inline cudaError_t cudaMalloc(T **p, size_t n) {
    return cudaMalloc((void **)(void *)p, n);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t s) {
    return cudaMallocAsync((void **)(void *)p, n, s);
}
template <class T>
static inline cudaError_t cudaMallocHost(T **p, size_t n, unsigned flags = 0) {
    return cudaHostAlloc((void **)(void *)p, n, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T **p, size_t n, unsigned flags) {
    return cudaHostAlloc((void **)(void *)p, n, flags);
}
template <class T>
static inline cudaError_t
cudaMallocManaged(T **p, size_t n, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged((void **)(void *)p, n, flags);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t width,
                                          size_t height) {
    return cudaMallocPitch((void **)(void *)p, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T **device, void *host,
                                                   unsigned flags) {
    return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *src, size_t count,
                   size_t offset = 0,
                   cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol((const void *)&symbol, src, count, offset, kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyFromSymbol(void *dst, const T &symbol, size_t count,
                     size_t offset = 0,
                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(dst, (const void *)&symbol, count, offset,
                                kind);
}
template <class T>
static inline cudaError_t
cudaMemcpyToSymbolAsync(const T &symbol, const void *src, size_t count,
                        size_t offset, cudaMemcpyKind kind,
                        cudaStream_t stream = 0) {
    return cudaMemcpyToSymbolAsync((const void *)&symbol, src, count, offset,
                                   kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const T &symbol,
                                                    size_t count, size_t offset,
                                                    cudaMemcpyKind kind,
                                                    cudaStream_t stream = 0) {
    return cudaMemcpyFromSymbolAsync(dst, (const void *)&symbol, count, offset,
                                     kind, stream);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void **p, const T &symbol) {
    return cudaGetSymbolAddress(p, (const void *)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol) {
    return cudaGetSymbolSize(n, (const void *)&symbol);
}
static inline cudaError_t cudaMemcpyAsync(void *dst, const void *src,
                                          size_t count, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(dst, src, count, kind, 0);
}
static inline cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch,
                                            const void *src, size_t spitch,
                                            size_t width, size_t height,
                                            cudaMemcpyKind kind) {
    return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, 0);
}
static inline cudaError_t cudaMemsetAsync(void *p, int value, size_t count) {
    return cudaMemsetAsync(p, value, count, 0);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t count,
                                               int device) {
    return cudaMemPrefetchAsync(p, count, device, 0);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned flags) {
    return cudaEventCreateWithFlags(e, flags);
}
static inline cudaError_t cudaEventRecord(cudaEvent_t e) {
    return cudaEventRecord(e, 0);
}
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e) {
    return cudaStreamWaitEvent(s, e, 0);
}
static inline cudaError_t cudaDeviceEnablePeerAccess(int peer) {
    return cudaDeviceEnablePeerAccess(peer, 0);
}
template <class T>
static inline cudaError_t cudaLaunchKernel(T *func, dim3 grid, dim3 block,
                                           void **args, size_t shared = 0,
                                           cudaStream_t stream = 0) {
    return cudaLaunchKernel((const void *)func, grid, block, args, shared,
                            stream);
}
template <class T>
static inline cudaError_t
cudaLaunchCooperativeKernel(T *func, dim3 grid, dim3 block, void **args,
                            size_t shared = 0, cudaStream_t stream = 0) {
    return cudaLaunchCooperativeKernel((const void *)func, grid, block, args,
                                       shared, stream);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a,
                                                T *func) {
    return cudaFuncGetAttributes(a, (const void *)func);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute a,
                                               int value) {
    return cudaFuncSetAttribute((const void *)func, a, value);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache c) {
    return cudaFuncSetCacheConfig((const void *)func, c);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T func, int block,
                                              size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, (const void *)func, block, shared);
}
template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T func,
                                   size_t shared = 0, int limit = 0) {
    cudaFuncAttributes a;
    cudaError_t e = cudaFuncGetAttributes(&a, (const void *)func);
    if (e != cudaSuccess)
        return e;
    int threads = a.maxThreadsPerBlock, blocks = 0, cores = 1;
    if (limit && limit < threads)
        threads = limit;
    e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, (const void *)func, threads, shared);
    if (e == cudaSuccess)
        e = cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, 0);
    *grid = blocks * cores;
    *block = threads;
    return e;
}
static inline cudaError_t cudaMallocHost(void **p, size_t n, unsigned flags) {
    return cudaHostAlloc(p, n, flags);
}

#endif

#endif

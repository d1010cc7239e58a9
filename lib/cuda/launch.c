/* launch.c - kernels: launches, what they need, how many fit. */
#include "cudart.h"

#include <string.h>

enum { MOST_ARGUMENTS = 1024 };

static cudaError_t check_sizes(dim3 grid, dim3 block) {
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    int most = 0;
    ndpDeviceGetAttribute(&most, NDP_ATTRIBUTE_MAX_THREADS, cu.device);
    if (!grid.x || !grid.y || !grid.z || !threads || grid.y > 65535 ||
        grid.z > 65535)
        return cudaErrorInvalidConfiguration;
    if (threads > 1024 || block.x > 1024 || block.y > 1024 || block.z > 1024)
        return cudaErrorInvalidConfiguration;
    if (threads <= (uint64_t)most)
        return cudaSuccess;
    cu_say("a block of %u x %u x %u threads is more than the %d that %s has",
           block.x, block.y, block.z, most, cu.url);
    return cudaErrorInvalidConfiguration;
}

static int place_of(const struct cu_kernel *k) {
    int fallback = 0;
    ndpFuncGetAttribute(&fallback, NDP_FUNC_ON_FALLBACK, k->function);
    return fallback ? CU_FALLBACK : CU_DEVICE;
}

static void count(struct cu_kernel *k) {
    int place = place_of(k);
    struct cu_counts *c = &k->counts[place];
    uint64_t cycles = 0, issued = 0;
    ndpDeviceGetCounter(&cycles, cu.device, "cycles");
    ndpDeviceGetCounter(&issued, cu.device,
                        place == CU_DEVICE ? "issued" : "executed");
    c->launches++;
    c->cycles += cycles;
    c->instructions += issued;
    cu.cycles += cycles;
}

/* Run it to its end.  An error on the way is one of later calls. */
static cudaError_t run(struct cu_kernel *k, dim3 grid, dim3 block,
                       size_t shared, const ndpArgument *arguments, int n) {
    ndpDeviceClearCounters(cu.device);
    ndpResult r =
        ndpLaunchKernel(k->function, grid.x, grid.y, grid.z, block.x, block.y,
                        block.z, (unsigned)shared, arguments, (unsigned)n);
    if (r == NDP_ERROR_LAUNCH_FAILED) {
        cu.sticky = cu_error(r);
        return cudaSuccess;
    }
    if (r != NDP_SUCCESS)
        return cu_error(r);
    r = ndpCtxSynchronize(cu.device, cu.timeout);
    bool assertion = cu_print(k->module);
    if (r != NDP_SUCCESS) {
        cu.sticky = cu_error(r);
        if (assertion)
            cu.sticky = cudaErrorAssert;
        return cudaSuccess;
    }
    count(k);
    return cu_pull_managed();
}

static cudaError_t launch(const void *func, dim3 grid, dim3 block, void **args,
                          size_t shared) {
    struct cu_kernel *k;
    ndpArgument arguments[MOST_ARGUMENTS];
    int n = 0;
    cudaError_t e = check_sizes(grid, block);
    if (e == cudaSuccess)
        e = cu_find_kernel(func, &k);
    if (e == cudaSuccess && shared > UINT32_MAX / 2)
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return e;
    ndpFuncGetAttribute(&n, NDP_FUNC_PARAMS, k->function);
    if (n > MOST_ARGUMENTS)
        return cudaErrorLaunchOutOfResources;
    for (int i = 0; i < n; i++) {
        arguments[i].data = args[i];
        ndpFuncGetParamSize(&arguments[i].bytes, k->function, i);
    }
    e = cu_push_managed();
    if (e != cudaSuccess)
        return e;
    cu_record_before(k, grid, block, shared, arguments, n);
    e = run(k, grid, block, shared, arguments, n);
    cu_record_after(e == cudaSuccess && cu.sticky == cudaSuccess);
    return e;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block,
                             void **args, size_t shared, cudaStream_t stream) {
    (void)stream;
    CU_CALL(launch(func, grid, block, args, shared));
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block,
                                        void **args, size_t shared,
                                        cudaStream_t stream) {
    (void)func, (void)grid, (void)block, (void)args, (void)shared, (void)stream;
    CU_CALL(cu_unsupported("cudaLaunchCooperativeKernel"));
}

/* --- what a kernel needs -------------------------------------------------- */

static int function_value(const struct cu_kernel *k, ndpFuncAttribute a) {
    int value = 0;
    ndpFuncGetAttribute(&value, a, k->function);
    return value;
}

static int device_value(ndpAttribute a) {
    int value = 0;
    ndpDeviceGetAttribute(&value, a, cu.device);
    return value;
}

static cudaError_t attributes(struct cudaFuncAttributes *a, const void *func) {
    struct cu_kernel *k;
    cudaError_t e = cu_find_kernel(func, &k);
    if (e != cudaSuccess)
        return e;
    int shared = function_value(k, NDP_FUNC_SHARED_BYTES);
    *a = (struct cudaFuncAttributes){
        .sharedSizeBytes = (size_t)shared,
        .localSizeBytes = (size_t)function_value(k, NDP_FUNC_LOCAL_BYTES),
        .maxThreadsPerBlock = function_value(k, NDP_FUNC_MAX_THREADS),
        .numRegs = function_value(k, NDP_FUNC_REGISTERS),
        .ptxVersion = 70,
        .binaryVersion = 70,
        .maxDynamicSharedSizeBytes =
            device_value(NDP_ATTRIBUTE_SHARED_BYTES) - shared};
    return e;
}

/* As many blocks as warps, slots and shared memory of a core have room for. */
static cudaError_t occupancy(int *blocks, const void *func, int block,
                             size_t shared) {
    struct cu_kernel *k;
    cudaError_t e = cu_find_kernel(func, &k);
    int lanes = device_value(NDP_ATTRIBUTE_LANES);
    if (e == cudaSuccess && (block < 1 || !blocks))
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return e;
    int fits =
        device_value(NDP_ATTRIBUTE_WARPS) / ((block + lanes - 1) / lanes);
    int slots = device_value(NDP_ATTRIBUTE_CTAS);
    size_t each = (size_t)function_value(k, NDP_FUNC_SHARED_BYTES) + shared;
    size_t all = (size_t)device_value(NDP_ATTRIBUTE_SHARED_BYTES);
    if (fits > slots)
        fits = slots;
    if (each && (size_t)fits > all / each)
        fits = (int)(all / each);
    *blocks = fits;
    return e;
}

static cudaError_t set_attribute(const void *func, enum cudaFuncAttribute a,
                                 int value) {
    struct cu_kernel *k;
    cudaError_t e = cu_find_kernel(func, &k);
    if (e == cudaSuccess && a == cudaFuncAttributeMaxDynamicSharedMemorySize &&
        value + function_value(k, NDP_FUNC_SHARED_BYTES) >
            device_value(NDP_ATTRIBUTE_SHARED_BYTES))
        e = cudaErrorInvalidValue;
    return e;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a,
                                  const void *func) {
    CU_CALL(attributes(a, func));
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute a,
                                 int value) {
    CU_CALL(set_attribute(func, a, value));
}

cudaError_t cudaFuncSetCacheConfig(const void *func,
                                   enum cudaFuncCache config) {
    (void)func, (void)config;
    return cudaSuccess; /* a wish that no machine has use for */
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func,
                                       enum cudaSharedMemConfig config) {
    (void)func, (void)config;
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *func,
                                                          int block,
                                                          size_t shared) {
    CU_CALL(occupancy(blocks, func, block, shared));
}

/* --- nvcc's way: a kernel has a handle, which is its host function here --- */

char __cudaInitModule(void **handle) {
    (void)handle;
    return 1;
}

cudaError_t __cudaGetKernel(const void **kernel, const void *func) {
    *kernel = func;
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block,
                               void **args, size_t shared,
                               cudaStream_t stream) {
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

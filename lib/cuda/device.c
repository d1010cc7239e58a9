/* device.c - the one device that there is: what it has, and settings of it. */
#include "cudart.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static int value(ndpAttribute a) {
    int n = 0;
    ndpDeviceGetAttribute(&n, a, cu.device);
    return n;
}

static int cores(void) {
    int n = 1;
    ndpDeviceGetCores(&n, cu.device);
    return n > 0 ? n : 1;
}

static cudaError_t check_device(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

static cudaError_t properties(struct cudaDeviceProp *p, int device) {
    int lanes = value(NDP_ATTRIBUTE_LANES), warps = value(NDP_ATTRIBUTE_WARPS);
    int registers = value(NDP_ATTRIBUTE_REGISTERS) * lanes * warps;
    int shared = value(NDP_ATTRIBUTE_SHARED_BYTES);
    int threads = value(NDP_ATTRIBUTE_MAX_THREADS);
    size_t memory = 0;
    if (device != 0 || !p)
        return device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
    ndpDeviceTotalMem(&memory, cu.device);
    *p = (struct cudaDeviceProp){
        .totalGlobalMem = memory,
        .sharedMemPerBlock = (size_t)shared,
        .regsPerBlock = registers,
        .warpSize = lanes,
        .memPitch = INT_MAX,
        .maxThreadsPerBlock = threads,
        .maxThreadsDim = {threads, threads, threads < 64 ? threads : 64},
        .maxGridSize = {INT_MAX, 65535, 65535},
        .clockRate = (int)(cu.megahertz * 1000),
        .totalConstMem = 65536,
        .major = 7,
        .textureAlignment = 256,
        .texturePitchAlignment = 32,
        .multiProcessorCount = cores(),
        .canMapHostMemory = 1,
        .asyncEngineCount = 1,
        .unifiedAddressing = 1,
        .memoryClockRate = (int)(cu.megahertz * 1000),
        .memoryBusWidth = 32 * lanes,
        .maxThreadsPerMultiProcessor = lanes * warps,
        .sharedMemPerMultiprocessor = (size_t)shared,
        .regsPerMultiprocessor = registers,
        .managedMemory = 1,
        .sharedMemPerBlockOptin = (size_t)shared,
        .maxBlocksPerMultiProcessor = value(NDP_ATTRIBUTE_CTAS)};
    return cu_error(ndpDeviceGetName(p->name, sizeof p->name, cu.device));
}

static cudaError_t attribute(int *n, enum cudaDeviceAttr a, int device) {
    struct cudaDeviceProp p;
    cudaError_t e = properties(&p, device);
    if (e != cudaSuccess)
        return e;
    const struct {
        enum cudaDeviceAttr attribute;
        int value;
    } all[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, (int)p.sharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, (int)p.totalConstMem},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxPitch, (int)p.memPitch},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrClockRate, p.clockRate},
        {cudaDevAttrTextureAlignment, (int)p.textureAlignment},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrMemoryClockRate, p.memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
         (int)p.sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, p.managedMemory},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin,
         (int)p.sharedMemPerBlockOptin},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
    };
    *n = 0; /* what it has not */
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].attribute == a)
            *n = all[i].value;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
    cudaError_t e = cu_enter();
    *count = e != cudaErrorNoDevice && e != cudaErrorInvalidDevice;
    return cu_leave(e);
}

cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaSetDevice(int device) {
    CU_CALL(check_device(device));
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
    (void)flags;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    *flags = 0;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    CU_CALL(properties(p, device));
}

cudaError_t cudaDeviceGetAttribute(int *n, enum cudaDeviceAttr a, int device) {
    CU_CALL(attribute(n, a, device));
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p) {
    (void)p;
    *device = 0;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceSynchronize(void) {
    CU_CALL(cudaSuccess);
}

cudaError_t cudaThreadSynchronize(void) {
    CU_CALL(cudaSuccess);
}

cudaError_t cudaThreadExit(void) {
    return cudaDeviceReset();
}

/* Wishes that change nothing of what a program computes. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    (void)config;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    *config = cudaFuncCachePreferNone;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    (void)config;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t n) {
    (void)limit, (void)n;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceGetLimit(size_t *n, enum cudaLimit limit) {
    *n = limit == cudaLimitStackSize        ? 1024
         : limit == cudaLimitPrintfFifoSize ? 32768
                                            : 0;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = *greatest = 0;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    (void)device, (void)peer;
    *can = 0;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    (void)peer, (void)flags;
    CU_CALL(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    (void)peer;
    CU_CALL(cudaErrorInvalidDevice);
}

cudaError_t cudaDriverGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void) {
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void) {
    return cudaSuccess;
}

/* state.c - the device, who may use it, and errors. */
#include "cudart.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cu_state cu;

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local cudaError_t last;

void cu_say(const char *fmt, ...) {
    va_list args;
    fflush(stdout);
    fprintf(stderr, "ndp: ");
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    va_end(args);
    fprintf(stderr, "\n");
}

/* --- errors --------------------------------------------------------------- */

/* Why a kernel failed, by simt's causes (docs/blocks/simt.md). */
static cudaError_t of_fault(void) {
    static const cudaError_t causes[] = {
        [1] = cudaErrorIllegalInstruction, [2] = cudaErrorMisalignedAddress,
        [3] = cudaErrorIllegalAddress,     [4] = cudaErrorHardwareStackError,
        [8] = cudaErrorIllegalAddress,     [9] = cudaErrorLaunchTimeout};
    ndpFault fault;
    ndpDeviceGetFault(&fault, cu.device);
    size_t cause = (size_t)fault.cause;
    return cause < sizeof causes / sizeof *causes && causes[cause]
               ? causes[cause]
               : cudaErrorLaunchFailure;
}

cudaError_t cu_quiet(ndpResult r) {
    switch (r) {
    case NDP_SUCCESS:
        return cudaSuccess;
    case NDP_ERROR_INVALID_VALUE:
        return cudaErrorInvalidValue;
    case NDP_ERROR_OUT_OF_MEMORY:
        return cudaErrorMemoryAllocation;
    case NDP_ERROR_NO_DEVICE:
        return cudaErrorNoDevice;
    case NDP_ERROR_INVALID_DEVICE:
        return cudaErrorInvalidDevice;
    case NDP_ERROR_INVALID_IMAGE:
        return cudaErrorInvalidPtx;
    case NDP_ERROR_NO_BINARY_FOR_GPU:
        return cudaErrorNoKernelImageForDevice;
    case NDP_ERROR_FILE_NOT_FOUND:
        return cudaErrorFileNotFound;
    case NDP_ERROR_NOT_FOUND:
        return cudaErrorSymbolNotFound;
    case NDP_ERROR_NOT_READY:
        return cudaErrorNotReady;
    case NDP_ERROR_LAUNCH_OUT_OF_RESOURCES:
        return cudaErrorLaunchOutOfResources;
    case NDP_ERROR_LAUNCH_TIMEOUT:
        return cudaErrorLaunchTimeout;
    case NDP_ERROR_LAUNCH_FAILED:
        return of_fault();
    case NDP_ERROR_DEVICE_LOST:
        break;
    }
    return cudaErrorUnknown;
}

cudaError_t cu_error(ndpResult r) {
    if (r != NDP_SUCCESS)
        cu_say("%s", ndpGetErrorString(cu.device));
    return cu_quiet(r);
}

cudaError_t cu_unsupported(const char *name) {
    static ARRAY(const char *) said;
    for (int i = 0; i < said.n; i++)
        if (strcmp(said.v[i], name) == 0)
            return cudaErrorNotSupported;
    *array_push(&said) = name;
    cu_say("%s is not supported", name);
    return cudaErrorNotSupported;
}

cudaError_t cudaGetLastError(void) {
    cudaError_t e = last;
    last = cu.sticky;
    return e;
}

cudaError_t cudaPeekAtLastError(void) {
    return last;
}

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) {name, #name, text},
    NDP_CUDA_ERRORS(ERROR)
#undef ERROR
};

const char *cudaGetErrorName(cudaError_t error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].text;
    return "unrecognized error code";
}

/* --- the device ----------------------------------------------------------- */

static double number_of(const char *name, double otherwise) {
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    double value = strtod(text, &end);
    if (!*end && value > 0)
        return value;
    cu_say("%s is '%s', expected a number above 0", name, text);
    return otherwise;
}

static void print(void *ctx, const char *text, size_t n) {
    (void)ctx;
    fwrite(text, 1, n, stdout);
}

/* NDP_FALLBACK, NDP_CORES, NDP_POLICY: what the device is told at its start. */
static ndpResult set_up(void) {
    static const char *const policies[] = {"annotated", "default", "near",
                                           "far", NULL};
    const char *fallback = getenv("NDP_FALLBACK");
    const char *policy = getenv("NDP_POLICY");
    ndpResult r = NDP_SUCCESS;
    if (fallback && strcmp(fallback, "exec") == 0)
        r = ndpDeviceSetFallback(cu.device);
    else if (fallback && *fallback)
        cu_say("NDP_FALLBACK is '%s', expected exec", fallback);
    if (r == NDP_SUCCESS && getenv("NDP_CORES"))
        r = ndpDeviceSetCores(cu.device, (int)number_of("NDP_CORES", 1));
    for (int i = 0; policy && r == NDP_SUCCESS && policies[i]; i++)
        if (strcmp(policy, policies[i]) == 0)
            return ndpDeviceSetPolicy(cu.device, (ndpPolicy)i);
    if (policy && *policy)
        cu_say("NDP_POLICY is '%s', expected annotated, default, near or far",
               policy);
    return r;
}

static void at_exit(void) {
    cu_report();
    cu_free_blocks();
    ndpDeviceClose(cu.device);
    cu.device = NULL;
    cu.open_error = cudaErrorCudartUnloading;
}

static cudaError_t open_device(void) {
    static bool registered;
    const char *url = getenv("NDP_DEVICE");
    cu.url = url && *url ? url : "golden:plain";
    cu.has_cycles = strcmp(cu.url, "exec") != 0;
    cu.timeout = (unsigned)(number_of("NDP_TIMEOUT", 600) * 1000);
    cu.megahertz = number_of("NDP_MEGAHERTZ", 1000);
    ndpResult r = ndpDeviceOpen(&cu.device, cu.url);
    if (r == NDP_SUCCESS && getenv("NDP_WATCHDOG"))
        r = ndpDeviceSetWatchdog(cu.device,
                                 (uint32_t)number_of("NDP_WATCHDOG", 1e6));
    if (r == NDP_SUCCESS)
        r = ndpDeviceSetPrint(cu.device, print, NULL);
    if (r == NDP_SUCCESS)
        r = set_up();
    if (r != NDP_SUCCESS) {
        cu.open_error = cu_error(r);
        ndpDeviceClose(cu.device);
        cu.device = NULL;
        return cu.open_error;
    }
    if (!registered)
        atexit(at_exit);
    registered = true;
    return cudaSuccess;
}

cudaError_t cu_begin(void) {
    pthread_mutex_lock(&door);
    return cudaSuccess;
}

cudaError_t cu_enter(void) {
    cu_begin();
    if (cu.sticky != cudaSuccess)
        return cu.sticky;
    if (cu.open_error != cudaSuccess)
        return cu.open_error;
    return cu.device ? cudaSuccess : open_device();
}

cudaError_t cu_leave(cudaError_t e) {
    if (e != cudaSuccess && e != cudaErrorNotReady)
        last = e;
    pthread_mutex_unlock(&door);
    return e;
}

cudaError_t cudaDeviceReset(void) {
    cu_begin();
    cu_free_blocks();
    for (int i = 0; i < cu.modules.n; i++)
        cu.modules.v[i]->is_loaded = false;
    for (int i = 0; i < cu.kernels.n; i++)
        cu.kernels.v[i].function = NULL, cu.kernels.v[i].error = cudaSuccess;
    ndpDeviceClose(cu.device);
    cu.device = NULL;
    cu.sticky = cu.open_error = cudaSuccess;
    return cu_leave(cudaSuccess);
}

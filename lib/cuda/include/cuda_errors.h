/* cuda_errors.h - the runtime's errors: name, number, text of
 * cudaGetErrorString. */
#ifndef NDP_CUDA_ERRORS_H
#define NDP_CUDA_ERRORS_H

#define NDP_CUDA_ERRORS(E)                                                     \
    E(cudaSuccess, 0, "no error")                                              \
    E(cudaErrorInvalidValue, 1, "invalid argument")                            \
    E(cudaErrorMemoryAllocation, 2, "out of memory")                           \
    E(cudaErrorInitializationError, 3, "initialization error")                 \
    E(cudaErrorCudartUnloading, 4, "driver shutting down")                     \
    E(cudaErrorProfilerDisabled, 5,                                            \
      "profiler disabled while using external profiling tool")                 \
    E(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")      \
    E(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                \
    E(cudaErrorInvalidSymbol, 13, "invalid device symbol")                     \
    E(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                 \
    E(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")             \
    E(cudaErrorInvalidTexture, 18, "invalid texture reference")                \
    E(cudaErrorInvalidMemcpyDirection, 21,                                     \
      "invalid copy direction for memcpy")                                     \
    E(cudaErrorInsufficientDriver, 35,                                         \
      "CUDA driver version is insufficient for CUDA runtime version")          \
    E(cudaErrorMissingConfiguration, 52,                                       \
      "__global__ function call is not configured")                            \
    E(cudaErrorInvalidDeviceFunction, 98, "invalid device function")           \
    E(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")            \
    E(cudaErrorInvalidDevice, 101, "invalid device ordinal")                   \
    E(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")      \
    E(cudaErrorDeviceUninitialized, 201, "invalid device context")             \
    E(cudaErrorNoKernelImageForDevice, 209,                                    \
      "no kernel image is available for execution on the device")              \
    E(cudaErrorUnsupportedLimit, 215,                                          \
      "limit is not supported on this architecture")                           \
    E(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                \
    E(cudaErrorInvalidSource, 300, "device kernel image is invalid")           \
    E(cudaErrorFileNotFound, 301, "file not found")                            \
    E(cudaErrorOperatingSystem, 304,                                           \
      "OS call failed or operation not supported on this OS")                  \
    E(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")          \
    E(cudaErrorSymbolNotFound, 500, "named symbol not found")                  \
    E(cudaErrorNotReady, 600, "device not ready")                              \
    E(cudaErrorIllegalAddress, 700,                                            \
      "an illegal memory access was encountered")                              \
    E(cudaErrorLaunchOutOfResources, 701,                                      \
      "too many resources requested for launch")                               \
    E(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")  \
    E(cudaErrorPeerAccessAlreadyEnabled, 704,                                  \
      "peer access is already enabled")                                        \
    E(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")  \
    E(cudaErrorSetOnActiveProcess, 708,                                        \
      "cannot set while device is active in this process")                     \
    E(cudaErrorAssert, 710, "device-side assert triggered")                    \
    E(cudaErrorHostMemoryAlreadyRegistered, 712,                               \
      "part or all of the requested memory range is already mapped")           \
    E(cudaErrorHostMemoryNotRegistered, 713,                                   \
      "pointer does not correspond to a registered memory region")             \
    E(cudaErrorHardwareStackError, 714, "hardware stack error")                \
    E(cudaErrorIllegalInstruction, 715,                                        \
      "an illegal instruction was encountered")                                \
    E(cudaErrorMisalignedAddress, 716, "misaligned address")                   \
    E(cudaErrorInvalidAddressSpace, 717,                                       \
      "operation not supported on global/shared address space")                \
    E(cudaErrorInvalidPc, 718, "invalid program counter")                      \
    E(cudaErrorLaunchFailure, 719, "unspecified launch failure")               \
    E(cudaErrorCooperativeLaunchTooLarge, 720,                                 \
      "too many blocks in cooperative launch")                                 \
    E(cudaErrorNotPermitted, 800, "operation not permitted")                   \
    E(cudaErrorNotSupported, 801, "operation not supported")                   \
    E(cudaErrorSystemNotReady, 802, "system not yet initialized")              \
    E(cudaErrorUnknown, 999, "unknown error")                                  \
    E(cudaErrorApiFailureBase, 10000, "api failure base")

#endif

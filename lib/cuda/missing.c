/* missing.c - calls that are declared and not there. */
#include "cudart.h"

#define MISSING(name, parameters)                                              \
    cudaError_t name parameters {                                              \
        cu_begin();                                                            \
        return cu_leave(cu_unsupported(#name));                                \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"
MISSING(cudaMallocArray,
        (cudaArray_t * array, const struct cudaChannelFormatDesc *desc,
         size_t width, size_t height, unsigned flags))
MISSING(cudaFreeArray, (cudaArray_t array))
MISSING(cudaStreamBeginCapture, (cudaStream_t stream, int mode))
MISSING(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph))
MISSING(cudaGraphCreate, (cudaGraph_t * graph, unsigned flags))
MISSING(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream))
MISSING(cudaGraphDestroy, (cudaGraph_t graph))
MISSING(cudaGraphExecDestroy, (cudaGraphExec_t exec))
MISSING(cudaIpcGetMemHandle, (void *handle, void *ptr))

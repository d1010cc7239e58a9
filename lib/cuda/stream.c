/* stream.c - streams and events.  All work is done when its call returns, so
 * streams are in order by themselves; an event is a time. */
#include "cudart.h"

#include <stdlib.h>
#include <time.h>

struct CUstream_st {
    unsigned flags;
};

struct CUevent_st {
    bool recorded;
    double ms;
};

static cudaError_t make_stream(cudaStream_t *stream, unsigned flags) {
    if (!stream)
        return cudaErrorInvalidValue;
    *stream = calloc(1, sizeof **stream);
    if (!*stream)
        return cudaErrorMemoryAllocation;
    (*stream)->flags = flags;
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    CU_CALL(make_stream(stream, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    CU_CALL(make_stream(stream, flags));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority) {
    (void)priority;
    CU_CALL(make_stream(stream, flags));
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    cu_begin();
    if (stream != cudaStreamLegacy && stream != cudaStreamPerThread)
        free(stream);
    return cu_leave(cu.sticky);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    (void)stream;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    (void)stream;
    CU_CALL(cudaSuccess);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags) {
    (void)stream, (void)flags;
    CU_CALL(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

/* Outside the door: the function may call the runtime. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback, void *data,
                                  unsigned flags) {
    (void)flags;
    cudaError_t e = cu_enter();
    cu_leave(e);
    callback(stream, e, data);
    return e;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn,
                               void *data) {
    (void)stream;
    cudaError_t e = cu_enter();
    cu_leave(e);
    if (e == cudaSuccess)
        fn(data);
    return e;
}

/* --- events --------------------------------------------------------------- */

static cudaError_t make_event(cudaEvent_t *event) {
    if (!event)
        return cudaErrorInvalidValue;
    *event = calloc(1, sizeof **event);
    return *event ? cudaSuccess : cudaErrorMemoryAllocation;
}

/* Cycles of the machine at NDP_MEGAHERTZ; on exec, which has none, the time of
 * this computer. */
static cudaError_t record(cudaEvent_t event) {
    struct timespec t;
    if (!event)
        return cudaErrorInvalidResourceHandle;
    clock_gettime(CLOCK_MONOTONIC, &t);
    event->recorded = true;
    event->ms = cu.has_cycles
                    ? (double)cu.cycles / (cu.megahertz * 1000)
                    : (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
    return cudaSuccess;
}

static cudaError_t elapsed(float *ms, cudaEvent_t start, cudaEvent_t end) {
    if (!ms)
        return cudaErrorInvalidValue;
    if (!start || !end || !start->recorded || !end->recorded)
        return cudaErrorInvalidResourceHandle;
    *ms = (float)(end->ms - start->ms);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    CU_CALL(make_event(event));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    (void)flags;
    CU_CALL(make_event(event));
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    cu_begin();
    free(event);
    return cu_leave(cu.sticky);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)stream;
    CU_CALL(record(event));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    CU_CALL(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    CU_CALL(event ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start,
                                 cudaEvent_t end) {
    CU_CALL(elapsed(ms, start, end));
}

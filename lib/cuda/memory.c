/* memory.c - allocations, copies, symbols, and managed memory.
 *
 * A device pointer is the device's address, below 2^32.  Managed memory is
 * pages of this process at that same address: they go to the device before each
 * launch and come back after it.
 */
#define _DEFAULT_SOURCE /* MAP_FIXED_NOREPLACE */

#include "cudart.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PITCH = 256, PAGE = 4096, TRIES = 64 };

/* --- blocks --------------------------------------------------------------- */

static uintptr_t number(const void *p) {
    return (uintptr_t)p;
}

static void *pointer(ndpDevicePtr at) {
    return (void *)(uintptr_t)at;
}

const struct cu_block *cu_block_of(const void *p) {
    for (int i = cu.blocks.n - 1; i >= 0; i--) {
        const struct cu_block *b = &cu.blocks.v[i];
        if (number(p) >= b->at && number(p) - b->at < b->bytes)
            return b;
    }
    return NULL;
}

static void release(struct cu_block *b) {
    if (b->host)
        munmap(b->host, (b->bytes + PAGE - 1) / PAGE * PAGE);
    *b = cu.blocks.v[--cu.blocks.n];
}

void cu_free_blocks(void) {
    while (cu.blocks.n)
        release(&cu.blocks.v[cu.blocks.n - 1]);
}

static cudaError_t take(size_t bytes, void **p) {
    ndpDevicePtr at;
    if (!p)
        return cudaErrorInvalidValue;
    *p = NULL;
    if (bytes == 0)
        return cudaSuccess;
    cudaError_t e = cu_error(ndpMemAlloc(&at, cu.device, bytes));
    if (e != cudaSuccess)
        return e;
    *array_push(&cu.blocks) = (struct cu_block){at, at, bytes, NULL};
    *p = pointer(at);
    return e;
}

/* Device memory whose address this process has free, too.  What it has not is
 * given back at the end. */
static cudaError_t take_managed(size_t bytes, void **p) {
    ndpDevicePtr tried[TRIES], at;
    size_t room = (bytes + PAGE - 1) / PAGE * PAGE;
    void *host = MAP_FAILED;
    cudaError_t e = cudaSuccess;
    int n = 0;
    if (!p || bytes == 0)
        return cudaErrorInvalidValue;
    while (host == MAP_FAILED && n < TRIES) {
        e = cu_error(ndpMemAlloc(&tried[n], cu.device, room + PAGE));
        if (e != cudaSuccess)
            break;
        at = (tried[n++] + PAGE - 1) / PAGE * PAGE;
        host = mmap(pointer(at), room, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    }
    if (host != MAP_FAILED)
        *array_push(&cu.blocks) =
            (struct cu_block){at, tried[--n], bytes, host};
    else if (e == cudaSuccess)
        e = cudaErrorMemoryAllocation;
    while (n)
        ndpMemFree(cu.device, tried[--n]);
    *p = host != MAP_FAILED ? host : NULL;
    return e;
}

static cudaError_t give(void *p) {
    if (!p)
        return cudaSuccess;
    for (int i = 0; i < cu.blocks.n; i++) {
        struct cu_block *b = &cu.blocks.v[i];
        if (b->at != number(p))
            continue;
        cudaError_t e = cu_error(ndpMemFree(cu.device, b->taken));
        release(b);
        return e;
    }
    return cudaErrorInvalidValue;
}

cudaError_t cudaMalloc(void **p, size_t bytes) {
    CU_CALL(take(bytes, p));
}

cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t stream) {
    (void)stream;
    CU_CALL(take(bytes, p));
}

cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned flags) {
    (void)flags;
    CU_CALL(take_managed(bytes, p));
}

cudaError_t cudaFree(void *p) {
    CU_CALL(give(p));
}

cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
    (void)stream;
    CU_CALL(give(p));
}

static cudaError_t take_pitched(void **p, size_t *pitch, size_t width,
                                size_t rows) {
    if (!pitch)
        return cudaErrorInvalidValue;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return take(*pitch * rows, p);
}

cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width,
                            size_t height) {
    CU_CALL(take_pitched(p, pitch, width, height));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *p, struct cudaExtent extent) {
    p->xsize = extent.width;
    p->ysize = extent.height;
    CU_CALL(take_pitched(&p->ptr, &p->pitch, extent.width,
                         extent.height * extent.depth));
}

/* --- host memory ---------------------------------------------------------- */

static cudaError_t take_host(void **p, size_t bytes, unsigned flags) {
    if (flags & cudaHostAllocMapped && bytes)
        return take_managed(bytes, p);
    *p = bytes ? aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE) : NULL;
    return *p || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t give_host(void *p) {
    if (cu_block_of(p))
        return give(p);
    free(p);
    return cudaSuccess;
}

static cudaError_t device_of_host(void **device, void *host) {
    const struct cu_block *b = cu_block_of(host);
    *device = host;
    return b && b->host ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaMallocHost(void **p, size_t bytes) {
    CU_CALL(take_host(p, bytes, 0));
}

cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned flags) {
    CU_CALL(take_host(p, bytes, flags));
}

cudaError_t cudaFreeHost(void *p) {
    CU_CALL(give_host(p));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host,
                                     unsigned flags) {
    (void)flags;
    CU_CALL(device_of_host(device, host));
}

/* Pinning means nothing here; mapping cannot be had for memory that is there.
 */
cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags) {
    CU_CALL(!p || !bytes ? cudaErrorInvalidValue
            : flags & cudaHostRegisterMapped
                ? cu_unsupported("cudaHostRegister with cudaHostRegisterMapped")
                : cudaSuccess);
}

cudaError_t cudaHostUnregister(void *p) {
    CU_CALL(p ? cudaSuccess : cudaErrorInvalidValue);
}

/* --- copies --------------------------------------------------------------- */

/* Whether p is memory of the device alone, for a copy of that kind. */
static bool is_device(const void *p, bool said) {
    const struct cu_block *b = cu_block_of(p);
    if (b)
        return !b->host;
    return said || number(p) <= UINT32_MAX;
}

static cudaError_t between(void *dst, const void *src, size_t n) {
    uint8_t *bytes = malloc(n);
    if (!bytes)
        return cudaErrorMemoryAllocation;
    ndpResult r = ndpMemcpyDtoH(cu.device, bytes, (ndpDevicePtr)number(src), n);
    if (r == NDP_SUCCESS)
        r = ndpMemcpyHtoD(cu.device, (ndpDevicePtr)number(dst), bytes, n);
    free(bytes);
    return cu_error(r);
}

static cudaError_t copy(void *dst, const void *src, size_t n,
                        enum cudaMemcpyKind kind) {
    bool automatic = kind == cudaMemcpyDefault;
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (n == 0)
        return cudaSuccess;
    if (!dst || !src)
        return cudaErrorInvalidValue;
    bool to = is_device(dst, kind == cudaMemcpyHostToDevice ||
                                 kind == cudaMemcpyDeviceToDevice);
    bool from = is_device(src, kind == cudaMemcpyDeviceToHost ||
                                   kind == cudaMemcpyDeviceToDevice);
    if ((to && number(dst) > UINT32_MAX) || (from && number(src) > UINT32_MAX))
        return automatic ? cudaErrorInvalidValue
                         : cudaErrorInvalidDevicePointer;
    if (to && from)
        return between(dst, src, n);
    if (to)
        return cu_error(
            ndpMemcpyHtoD(cu.device, (ndpDevicePtr)number(dst), src, n));
    if (from)
        return cu_error(
            ndpMemcpyDtoH(cu.device, dst, (ndpDevicePtr)number(src), n));
    memmove(dst, src, n);
    return cudaSuccess;
}

static cudaError_t copy_rows(uint8_t *dst, size_t dpitch, const uint8_t *src,
                             size_t spitch, size_t width, size_t height,
                             enum cudaMemcpyKind kind) {
    cudaError_t e = cudaSuccess;
    if (width > dpitch || width > spitch)
        return cudaErrorInvalidPitchValue;
    if (width == dpitch && width == spitch)
        return copy(dst, src, width * height, kind);
    for (size_t y = 0; y < height && e == cudaSuccess; y++)
        e = copy(dst + y * dpitch, src + y * spitch, width, kind);
    return e;
}

static const uint8_t *corner(const struct cudaPitchedPtr *p,
                             struct cudaPos at) {
    return (const uint8_t *)p->ptr + (at.z * p->ysize + at.y) * p->pitch + at.x;
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *p) {
    cudaError_t e = cudaSuccess;
    if (p->srcArray || p->dstArray)
        return cu_unsupported("cudaMemcpy3D of arrays");
    const uint8_t *src = corner(&p->srcPtr, p->srcPos);
    uint8_t *dst = (uint8_t *)(uintptr_t)corner(&p->dstPtr, p->dstPos);
    for (size_t z = 0; z < p->extent.depth && e == cudaSuccess; z++)
        e = copy_rows(
            dst + z * p->dstPtr.ysize * p->dstPtr.pitch, p->dstPtr.pitch,
            src + z * p->srcPtr.ysize * p->srcPtr.pitch, p->srcPtr.pitch,
            p->extent.width, p->extent.height, p->kind);
    return e;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t n,
                       enum cudaMemcpyKind kind) {
    CU_CALL(copy(dst, src, n, kind));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n,
                            enum cudaMemcpyKind kind, cudaStream_t stream) {
    (void)stream;
    CU_CALL(copy(dst, src, n, kind));
}

cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src,
                           int src_device, size_t n) {
    (void)dst_device, (void)src_device;
    CU_CALL(copy(dst, src, n, cudaMemcpyDeviceToDevice));
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
    CU_CALL(copy_rows(dst, dpitch, src, spitch, width, height, kind));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream) {
    (void)stream;
    CU_CALL(copy_rows(dst, dpitch, src, spitch, width, height, kind));
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
    CU_CALL(copy_box(p));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p,
                              cudaStream_t stream) {
    (void)stream;
    CU_CALL(copy_box(p));
}

/* --- fills ---------------------------------------------------------------- */

static cudaError_t fill(void *p, int value, size_t n) {
    if (n == 0)
        return cudaSuccess;
    if (!p)
        return cudaErrorInvalidValue;
    if (is_device(p, true)) {
        if (number(p) > UINT32_MAX)
            return cudaErrorInvalidValue;
        return cu_error(
            ndpMemsetD8(cu.device, (ndpDevicePtr)number(p), (uint8_t)value, n));
    }
    memset(p, value, n);
    return cudaSuccess;
}

static cudaError_t fill_rows(uint8_t *p, size_t pitch, int value, size_t width,
                             size_t height) {
    cudaError_t e = cudaSuccess;
    for (size_t y = 0; y < height && e == cudaSuccess; y++)
        e = fill(p + y * pitch, value, width);
    return e;
}

cudaError_t cudaMemset(void *p, int value, size_t n) {
    CU_CALL(fill(p, value, n));
}

cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t stream) {
    (void)stream;
    CU_CALL(fill(p, value, n));
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int value, size_t width,
                         size_t height) {
    CU_CALL(fill_rows(p, pitch, value, width, height));
}

cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream) {
    (void)stream;
    CU_CALL(fill_rows(p, pitch, value, width, height));
}

/* --- symbols -------------------------------------------------------------- */

static cudaError_t symbol_at(const void *symbol, size_t n, size_t offset,
                             void **p) {
    ndpDevicePtr at;
    size_t bytes;
    cudaError_t e = cu_find_variable(symbol, &at, &bytes);
    if (e != cudaSuccess)
        return e;
    if (offset > bytes || n > bytes - offset)
        return cudaErrorInvalidValue;
    *p = pointer(at + (ndpDevicePtr)offset);
    return e;
}

static cudaError_t to_symbol(const void *symbol, const void *src, size_t n,
                             size_t offset, enum cudaMemcpyKind kind) {
    void *p;
    cudaError_t e = symbol_at(symbol, n, offset, &p);
    return e == cudaSuccess ? copy(p, src, n, kind) : e;
}

static cudaError_t from_symbol(void *dst, const void *symbol, size_t n,
                               size_t offset, enum cudaMemcpyKind kind) {
    void *p;
    cudaError_t e = symbol_at(symbol, n, offset, &p);
    return e == cudaSuccess ? copy(dst, p, n, kind) : e;
}

static cudaError_t symbol_size(size_t *bytes, const void *symbol) {
    ndpDevicePtr at;
    return cu_find_variable(symbol, &at, bytes);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t n,
                               size_t offset, enum cudaMemcpyKind kind) {
    CU_CALL(to_symbol(symbol, src, n, offset, kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src,
                                    size_t n, size_t offset,
                                    enum cudaMemcpyKind kind,
                                    cudaStream_t stream) {
    (void)stream;
    CU_CALL(to_symbol(symbol, src, n, offset, kind));
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t n,
                                 size_t offset, enum cudaMemcpyKind kind) {
    CU_CALL(from_symbol(dst, symbol, n, offset, kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t n,
                                      size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    (void)stream;
    CU_CALL(from_symbol(dst, symbol, n, offset, kind));
}

cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) {
    CU_CALL(symbol_at(symbol, 0, 0, p));
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    CU_CALL(symbol_size(bytes, symbol));
}

/* --- managed memory around launches --------------------------------------- */

cudaError_t cu_push_managed(void) {
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < cu.blocks.n && r == NDP_SUCCESS; i++) {
        const struct cu_block *b = &cu.blocks.v[i];
        if (b->host)
            r = ndpMemcpyHtoD(cu.device, b->at, b->host, b->bytes);
    }
    return cu_error(r);
}

cudaError_t cu_pull_managed(void) {
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < cu.blocks.n && r == NDP_SUCCESS; i++) {
        const struct cu_block *b = &cu.blocks.v[i];
        if (b->host)
            r = ndpMemcpyDtoH(cu.device, b->host, b->at, b->bytes);
    }
    return cu_error(r);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int device,
                                 cudaStream_t stream) {
    (void)n, (void)device, (void)stream;
    CU_CALL(cu_block_of(p) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void *p, size_t n, enum cudaMemoryAdvise advice,
                          int device) {
    (void)n, (void)advice, (void)device;
    CU_CALL(cu_block_of(p) ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t attributes_of(struct cudaPointerAttributes *a,
                                 const void *p) {
    const struct cu_block *b = cu_block_of(p);
    void *plain = (void *)(uintptr_t)p;
    *a = (struct cudaPointerAttributes){
        .type = !b        ? cudaMemoryTypeUnregistered
                : b->host ? cudaMemoryTypeManaged
                          : cudaMemoryTypeDevice,
        .device = b ? 0 : -2,
        .devicePointer = b ? plain : NULL,
        .hostPointer = !b || b->host ? plain : NULL};
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *a,
                                     const void *p) {
    CU_CALL(attributes_of(a, p));
}

static cudaError_t free_memory(size_t *left, size_t *total) {
    size_t used = 0;
    cudaError_t e = cu_error(ndpDeviceTotalMem(total, cu.device));
    for (int i = 0; i < cu.blocks.n; i++)
        used += cu.blocks.v[i].bytes;
    *left = used < *total ? *total - used : 0;
    return e;
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *total) {
    CU_CALL(free_memory(left, total));
}

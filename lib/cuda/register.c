/* register.c - what host code registers before main: fat binaries, kernels and
 * variables by the addresses of their host sides. */
#include "cudart.h"

#include "base/embed.h"
#include "fatbin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void **__cudaRegisterFatBinary(void *fatbin) {
    struct cu_module *m = xcalloc(1, sizeof *m);
    cu_begin();
    m->why = fatbin_ptx(fatbin, &m->ptx, &m->bytes, &m->owned);
    *array_push(&cu.modules) = m;
    m->handle = xcalloc(1, sizeof *m->handle);
    *m->handle = m;
    cu_leave(cudaSuccess);
    return (void **)m->handle;
}

void __cudaRegisterFatBinaryEnd(void **handle) {
    (void)handle;
}

/* At the program's end, where others may still use the device. */
void __cudaUnregisterFatBinary(void **handle) {
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp_size) {
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid;
    (void)warp_size;
    cu_begin();
    *array_push(&cu.kernels) = (struct cu_kernel){
        .host = host, .name = name, .module = *(struct cu_module **)handle};
    cu_leave(cudaSuccess);
}

void __cudaRegisterVar(void **handle, char *host, char *device,
                       const char *name, int is_extern, size_t size,
                       int constant, int global) {
    (void)device, (void)is_extern, (void)constant, (void)global;
    cu_begin();
    *array_push(&cu.variables) =
        (struct cu_variable){host, name, size, *(struct cu_module **)handle};
    cu_leave(cudaSuccess);
}

/* --- launch configuration, between <<<>>> and the kernel's stub ----------- */

struct configuration {
    dim3 grid, block;
    size_t shared;
    void *stream;
};

enum { DEPTH = 16 };
static _Thread_local struct configuration stack[DEPTH];
static _Thread_local int depth;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     void *stream) {
    if (depth == DEPTH)
        return 1;
    stack[depth++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                       void *stream) {
    if (depth == 0)
        return cudaErrorMissingConfiguration;
    const struct configuration *c = &stack[--depth];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    memcpy(stream, &c->stream, sizeof c->stream);
    return cudaSuccess;
}

/* --- on the device -------------------------------------------------------- */

/* What nvcc compiled calls a vprintf that is not in it; the executor has one. */
static void add_vprintf(struct cu_module *m) {
    static const char call[] = "vprintf_param_1", head[] = ".address_size 64";
    const struct embedded *e = embedded_stem(embedded_ptx, "vprintf");
    const char *body = strstr(e->text, head) + strlen(head);
    int only_ptx = 0;
    ndpDeviceGetAttribute(&only_ptx, NDP_ATTRIBUTE_PTX_ONLY, cu.device);
    if (only_ptx)
        return;
    size_t n = strnlen(m->ptx, m->bytes);
    char *longer = xcalloc(n + strlen(body) + 1, 1);
    memcpy(longer, m->ptx, n);
    if (!strstr(longer, call) || strstr(longer, body)) {
        free(longer);
        return;
    }
    memcpy(longer + n, body, strlen(body));
    free(m->owned);
    m->ptx = m->owned = longer;
    m->bytes = n + strlen(body);
}

cudaError_t cu_load(struct cu_module *m) {
    if (m->is_loaded)
        return m->error;
    m->is_loaded = true;
    m->print = 0;
    if (m->why) {
        cu_say("the program's device code cannot be used: %s", m->why);
        return m->error = cudaErrorNoKernelImageForDevice;
    }
    add_vprintf(m);
    m->error =
        cu_error(ndpModuleLoadData(&m->module, cu.device, m->ptx, m->bytes));
    if (m->error == cudaSuccess &&
        ndpModuleGetGlobal(&m->print, NULL, m->module, "__ndp_print_buffer") !=
            NDP_SUCCESS)
        m->print = 0;
    return m->error;
}

cudaError_t cu_find_kernel(const void *host, struct cu_kernel **kernel) {
    for (int i = 0; i < cu.kernels.n; i++) {
        struct cu_kernel *k = &cu.kernels.v[i];
        if (k->host != host)
            continue;
        *kernel = k;
        cudaError_t e = cu_load(k->module);
        if (e != cudaSuccess || k->function || k->error != cudaSuccess)
            return e != cudaSuccess ? e : k->error;
        e = cu_error(
            ndpModuleGetFunction(&k->function, k->module->module, k->name));
        if (e != cudaSuccess)
            k->function = NULL;
        return k->error = e;
    }
    return cudaErrorInvalidDeviceFunction;
}

cudaError_t cu_find_variable(const void *host, ndpDevicePtr *at,
                             size_t *bytes) {
    for (int i = 0; i < cu.variables.n; i++) {
        const struct cu_variable *v = &cu.variables.v[i];
        if (v->host != host)
            continue;
        cudaError_t e = cu_load(v->module);
        *bytes = v->bytes;
        return e != cudaSuccess ? e
                                : cu_error(ndpModuleGetGlobal(
                                      at, NULL, v->module->module, v->name));
    }
    return cudaErrorInvalidSymbol;
}

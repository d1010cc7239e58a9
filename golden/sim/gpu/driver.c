/* driver.c - the CUDA driver, opened while a program runs (driver.h). */
#include "driver.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool find_all(struct gpu *g, const char *library, struct place at,
                     struct diag *d) {
    static const struct {
        const char *name;
        size_t at;
    } functions[] = {
#define CUDA_ENTRY(name, arguments) {#name, offsetof(struct gpu_api, name)},
        CUDA_FUNCTIONS(CUDA_ENTRY)
#undef CUDA_ENTRY
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *f = dlsym(g->library, functions[i].name);
        if (!f) {
            diag_error(d, at,
                       "'%s' has no function '%s', expected a driver of "
                       "CUDA 11 or later",
                       library, functions[i].name);
            return false;
        }
        /* a function's address as C wants it, by way of its bytes */
        memcpy((char *)&g->api + functions[i].at, &f, sizeof f);
    }
    return true;
}

const char *gpu_error(const struct gpu *g, int error) {
    const char *text = NULL;
    if (g->api.cuGetErrorString(error, &text) != CUDA_OK || !text)
        text = "unknown error of the GPU's driver";
    return text;
}

static bool find_device(struct gpu *g, int ordinal, struct place at,
                        struct diag *d) {
    int n = 0, e = g->api.cuInit(0);
    if (e == CUDA_OK)
        e = g->api.cuDeviceGetCount(&n);
    if (e == CUDA_OK && ordinal >= n) {
        diag_error(d, at, "there is no GPU %d, expected less than %d", ordinal,
                   n);
        return false;
    }
    const struct {
        int attribute, *value;
    } wanted[] = {
        {CUDA_ATTRIBUTE_MAJOR, &g->major},
        {CUDA_ATTRIBUTE_MINOR, &g->minor},
        {CUDA_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, &g->pitch_align},
    };
    if (e == CUDA_OK)
        e = g->api.cuDriverGetVersion(&g->version);
    if (e == CUDA_OK)
        e = g->api.cuDeviceGet(&g->device, ordinal);
    if (e == CUDA_OK)
        e = g->api.cuDeviceGetName(g->name, sizeof g->name, g->device);
    for (size_t i = 0; e == CUDA_OK && i < sizeof wanted / sizeof *wanted; i++)
        e = g->api.cuDeviceGetAttribute(wanted[i].value, wanted[i].attribute,
                                        g->device);
    if (e == CUDA_OK)
        e = g->api.cuDevicePrimaryCtxRetain(&g->context, g->device);
    if (e == CUDA_OK)
        e = g->api.cuCtxSetCurrent(g->context);
    if (e != CUDA_OK)
        diag_error(d, at, "no GPU: %s", gpu_error(g, e));
    return e == CUDA_OK;
}

struct gpu *gpu_open(const struct gpu_options *o, struct diag *d) {
    const char *library = o->library ? o->library : "libcuda.so.1";
    struct place at = {.source = diag_source(d, "GPU", NULL, 0)};
    struct gpu *g = xcalloc(1, sizeof *g);
    g->library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!g->library)
        diag_error(d, at, "no CUDA driver: %s", dlerror());
    else if (find_all(g, library, at, d) && find_device(g, o->ordinal, at, d))
        return g;
    gpu_close(g);
    return NULL;
}

void gpu_close(struct gpu *g) {
    if (!g)
        return;
    if (g->context)
        g->api.cuDevicePrimaryCtxRelease_v2(g->device);
    if (g->library)
        dlclose(g->library);
    free(g);
}

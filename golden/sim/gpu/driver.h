/* driver.h - the CUDA driver, opened while a program runs.
 *
 * Nothing of CUDA is needed to build: names, numbers and layouts below are
 * those of its driver API, which keeps them from version to version.  Only what
 * a run description needs is here.
 *
 *     struct gpu *g = gpu_open(&options, &diag);
 *     e = g->api.cuMemAlloc_v2(&at, bytes);
 *     if (e != CUDA_OK)
 *         diag_error(&diag, place, "%s", gpu_error(g, e));
 */
#ifndef NDP_GPU_DRIVER_H
#define NDP_GPU_DRIVER_H

#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>

enum { CUDA_OK = 0 };

enum {
    CUDA_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
    CUDA_ATTRIBUTE_MAJOR = 75, /* of the compute capability */
    CUDA_ATTRIBUTE_MINOR = 76
};

/* Options of cuModuleLoadDataEx. */
enum { CUDA_JIT_LOG = 5, CUDA_JIT_LOG_BYTES = 6, CUDA_JIT_OPTIMISE = 7 };

enum cuda_resource { CUDA_LINEAR = 2, CUDA_PITCH_2D = 3 };

/* CUDA_RESOURCE_DESC: width and what follows are of CUDA_PITCH_2D, bytes of
 * CUDA_LINEAR stands in width's place. */
struct cuda_resource_desc {
    int kind;
    union {
        struct {
            uint64_t address;
            int format;
            unsigned channels;
            size_t width, height, pitch;
        } view;
        int reserved[32];
    } of;
    unsigned flags;
};

enum {
    CUDA_READ_AS_INTEGER = 1, /* flags of a texture */
    CUDA_UNIT_COORDINATES = 2
};

/* CUDA_TEXTURE_DESC */
struct cuda_texture_desc {
    int address[3];
    int filter;
    unsigned flags, anisotropy;
    int mipmap_filter;
    float mipmap_bias, mipmap_least, mipmap_most, border[4];
    int reserved[12];
};

/* X(function, arguments), all with a result of int. */
#define CUDA_FUNCTIONS(X)                                                      \
    X(cuInit, (unsigned flags))                                                \
    X(cuDriverGetVersion, (int *version))                                      \
    X(cuGetErrorString, (int error, const char **text))                        \
    X(cuDeviceGetCount, (int *n))                                              \
    X(cuDeviceGet, (int *device, int ordinal))                                 \
    X(cuDeviceGetName, (char *name, int size, int device))                     \
    X(cuDeviceGetAttribute, (int *value, int attribute, int device))           \
    X(cuDevicePrimaryCtxRetain, (void **context, int device))                  \
    X(cuDevicePrimaryCtxRelease_v2, (int device))                              \
    X(cuCtxSetCurrent, (void *context))                                        \
    X(cuCtxSynchronize, (void))                                                \
    X(cuModuleLoadDataEx, (void **module, const void *image, unsigned n,       \
                           int *options, void **values))                       \
    X(cuModuleUnload, (void *module))                                          \
    X(cuModuleGetFunction, (void **function, void *module, const char *name))  \
    X(cuModuleGetGlobal_v2,                                                    \
      (uint64_t * address, size_t * bytes, void *module, const char *name))    \
    X(cuMemAlloc_v2, (uint64_t * address, size_t bytes))                       \
    X(cuMemFree_v2, (uint64_t address))                                        \
    X(cuMemcpyHtoD_v2, (uint64_t to, const void *from, size_t bytes))          \
    X(cuMemcpyDtoH_v2, (void *to, uint64_t from, size_t bytes))                \
    X(cuTexObjectCreate,                                                       \
      (uint64_t * texture, const struct cuda_resource_desc *,                  \
       const struct cuda_texture_desc *, const void *view))                    \
    X(cuTexObjectDestroy, (uint64_t texture))                                  \
    X(cuLaunchKernel,                                                          \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,      \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,  \
       void *stream, void **params, void **extra))

struct gpu_api {
#define CUDA_MEMBER(name, arguments) int(*name) arguments;
    CUDA_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
};

struct gpu_options {
    const char *library; /* NULL: libcuda.so.1 */
    int ordinal;         /* which of the machine's GPUs */
};

struct gpu {
    struct gpu_api api;
    int device, version; /* of the driver: 1000 * major + 10 * minor */
    int major, minor;    /* compute capability */
    int pitch_align;     /* of textures in two dimensions, bytes */
    char name[128];
    void *library, *context; /* private */
};

/* NULL after an error in d: no driver, no GPU. */
struct gpu *gpu_open(const struct gpu_options *o, struct diag *d);
void gpu_close(struct gpu *g);

/* What the driver calls an error; lives as long as g. */
const char *gpu_error(const struct gpu *g, int error);

#endif

/* fake_cuda.c - a CUDA driver whose GPU is the executor: ndpgpu is tested with
 * it where there is no GPU.
 *
 * FAKE_CUDA says what is wrong with it: "flip" a bit of the last buffer after a
 * launch, "nan" a NaN in its place, "fault" a launch that faults, "refuse" code
 * that does not compile, "none" no GPU.  With FAKE_CUDA_PTX the code that came
 * is written to that file.
 */
#include "ptx/ptx.h"
#include "sim/gpu/driver.h"
#include "sim/exec/exec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, NO_DEVICE = 100, BAD_PTX = 218, BAD_ADDRESS = 700 };

static struct {
    struct arena arena;
    struct diag diag;
    struct source source;
    const struct ptx_module *module;
    struct exec *exec;
    struct {
        uint64_t at;
        size_t bytes;
        uint8_t *data;
    } buffers[MOST];
    int n;
} gpu;

#define DECLARE(name, arguments) int name arguments;
CUDA_FUNCTIONS(DECLARE)

static bool is_asked(const char *what) {
    const char *how = getenv("FAKE_CUDA");
    return how && strcmp(how, what) == 0;
}

int cuInit(unsigned flags) {
    return flags || is_asked("none") ? NO_DEVICE : CUDA_OK;
}

int cuDriverGetVersion(int *version) {
    *version = 12340;
    return CUDA_OK;
}

int cuGetErrorString(int error, const char **text) {
    *text = error == NO_DEVICE     ? "no CUDA-capable device is detected"
            : error == BAD_PTX     ? "a PTX JIT compilation failed"
            : error == BAD_ADDRESS ? "an illegal memory access was encountered"
                                   : "unknown";
    return CUDA_OK;
}

int cuDeviceGetCount(int *n) {
    *n = 1;
    return CUDA_OK;
}

int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return CUDA_OK;
}

int cuDeviceGetName(char *name, int size, int device) {
    snprintf(name, (size_t)size, "Fake %d", device);
    return CUDA_OK;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    *value = attribute == CUDA_ATTRIBUTE_MAJOR   ? 9
             : attribute == CUDA_ATTRIBUTE_MINOR ? 1
                                                 : 32;
    return device ? NO_DEVICE : CUDA_OK;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = &gpu;
    return device ? NO_DEVICE : CUDA_OK;
}

int cuDevicePrimaryCtxRelease_v2(int device) {
    return device;
}

int cuCtxSetCurrent(void *context) {
    return context == &gpu ? CUDA_OK : NO_DEVICE;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned n,
                       int *options, void **values) {
    const char *path = getenv("FAKE_CUDA_PTX");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f) {
        fputs(image, f);
        fclose(f);
    }
    if (is_asked("refuse") && n == 2 && options[0] == CUDA_JIT_LOG)
        snprintf(values[0], (size_t)(uintptr_t)values[1],
                 "ptxas fatal: refused\nand more");
    if (is_asked("refuse"))
        return BAD_PTX;
    gpu.source = (struct source){"fake", image, strlen(image)};
    gpu.module = ptx_read(&gpu.arena, &gpu.source, &gpu.diag);
    gpu.exec = gpu.module ? exec_create(gpu.module, NULL, &gpu.diag) : NULL;
    *module = gpu.exec;
    return gpu.exec ? CUDA_OK : BAD_PTX;
}

int cuModuleUnload(void *module) {
    exec_free(module);
    diag_free(&gpu.diag);
    arena_free(&gpu.arena);
    memset(&gpu, 0, sizeof gpu);
    return CUDA_OK;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    for (int i = 0; module && i < gpu.module->n_functions; i++)
        if (strcmp(gpu.module->functions[i]->name, name) == 0) {
            *function = gpu.module->functions[i];
            return CUDA_OK;
        }
    return BAD_PTX;
}

static int add(uint64_t at, size_t bytes, void *data) {
    if (gpu.n == MOST)
        return BAD_ADDRESS;
    gpu.buffers[gpu.n].at = at;
    gpu.buffers[gpu.n].bytes = bytes;
    gpu.buffers[gpu.n++].data = data;
    return CUDA_OK;
}

int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module,
                         const char *name) {
    uint64_t size;
    void *data = exec_symbol(module, name, &size, address);
    *bytes = size;
    return data ? add(*address, size, data) : BAD_PTX;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
    void *data;
    if (!exec_buffer(gpu.exec, "fake", bytes, 512, address, &data))
        return BAD_ADDRESS;
    return add(*address, bytes, data);
}

int cuMemFree_v2(uint64_t address) {
    return address ? CUDA_OK : BAD_ADDRESS;
}

static uint8_t *find(uint64_t at, size_t bytes) {
    for (int i = 0; i < gpu.n; i++)
        if (at >= gpu.buffers[i].at &&
            at + bytes <= gpu.buffers[i].at + gpu.buffers[i].bytes)
            return gpu.buffers[i].data + (at - gpu.buffers[i].at);
    return NULL;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
    uint8_t *p = find(to, bytes);
    if (p)
        memcpy(p, from, bytes);
    return p ? CUDA_OK : BAD_ADDRESS;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
    const uint8_t *p = find(from, bytes);
    if (p)
        memcpy(to, p, bytes);
    return p ? CUDA_OK : BAD_ADDRESS;
}

int cuTexObjectCreate(uint64_t *texture, const struct cuda_resource_desc *from,
                      const struct cuda_texture_desc *how, const void *view) {
    static const enum texture_address modes[] = {
        TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER};
    struct texture t = {.dims = from->kind == CUDA_PITCH_2D ? 2 : 1,
                        .channels = (int)from->of.view.channels,
                        .width = from->of.view.width,
                        .height = 1,
                        .address = from->of.view.address,
                        .unit_texels = !(how->flags & CUDA_READ_AS_INTEGER),
                        .unit_coordinates =
                            (how->flags & CUDA_UNIT_COORDINATES) != 0,
                        .filter = how->filter ? TEXTURE_LINEAR : TEXTURE_POINT};
    static const int formats[TEXEL_TYPES] = {
        [TEXEL_U8] = 0x01,  [TEXEL_I8] = 0x08,  [TEXEL_U16] = 0x02,
        [TEXEL_I16] = 0x09, [TEXEL_U32] = 0x03, [TEXEL_I32] = 0x0a,
        [TEXEL_F16] = 0x10, [TEXEL_F32] = 0x20};
    while (t.type < TEXEL_TYPES && formats[t.type] != from->of.view.format)
        t.type++;
    t.unit_texels &= t.type < TEXEL_F16;
    if (t.type == TEXEL_TYPES || view)
        return BAD_ADDRESS;
    if (t.dims == 1) {
        t.pitch = t.width;
        t.width /= texture_texel(&t);
    } else {
        t.height = from->of.view.height;
        t.pitch = from->of.view.pitch;
    }
    for (int k = 0; k < t.dims; k++)
        t.mode[k] = modes[how->address[k]];
    t.data = find(t.address, 1);
    *texture = exec_texture(gpu.exec, "fake");
    exec_texture_bind(gpu.exec, *texture, &t);
    return t.data ? CUDA_OK : BAD_ADDRESS;
}

int cuTexObjectDestroy(uint64_t texture) {
    return texture ? CUDA_OK : BAD_ADDRESS;
}

static void spoil(void) {
    uint8_t *last = gpu.buffers[gpu.n - 1].data;
    if (is_asked("flip"))
        last[4] ^= 1;
    if (is_asked("nan"))
        memset(last + 4, 0x7f, 4), last[6] = 0xff;
}

int cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y,
                   unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, void *stream,
                   void **params, void **extra) {
    const struct ptx_function *f = function;
    struct stream_event e;
    uint8_t bytes[4096] = {0};
    if (stream || extra || is_asked("fault"))
        return BAD_ADDRESS;
    for (int i = 0; i < f->n_params; i++)
        memcpy(bytes + exec_param_offset(f, i), params[i],
               (size_t)ptx_variable_size(&f->params[i]));
    struct exec_launch l = {.kernel = f,
                            .grid = {grid_x, grid_y, grid_z},
                            .block = {block_x, block_y, block_z},
                            .shared = shared,
                            .params = bytes};
    if (!exec_begin(gpu.exec, &l, &gpu.diag))
        return BAD_PTX;
    enum exec_state state;
    while ((state = exec_step(gpu.exec, &e)) == EXEC_RUNNING)
        ;
    spoil();
    return state == EXEC_FINISHED ? CUDA_OK : BAD_ADDRESS;
}

int cuCtxSynchronize(void) {
    return CUDA_OK;
}

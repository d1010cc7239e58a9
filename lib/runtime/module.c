/* module.c - images of ndpcc --assemble on a device. */
#include "runtime.h"

#include "codegen/pointers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ndpResult ndp_fits(ndpDevice d, const struct isa_image *image) {
    /* the front end of a near-bank unit has the last word */
    int most = d->shape.code_words - (d->units.n != 0);
    if (image->n_words > most)
        return ndp_fail(d, NDP_ERROR_NO_BINARY_FOR_GPU,
                        "the code has %d words, the device holds %d",
                        image->n_words, most);
    for (int i = 0; i < image->n_kernels; i++) {
        const struct isa_kernel *k = &image->kernels[i];
        if (k->registers > d->shape.registers)
            return ndp_fail(d, NDP_ERROR_NO_BINARY_FOR_GPU,
                            "kernel '%s' needs %d registers, the device has "
                            "%d: assemble it with --registers %d",
                            k->name, k->registers, d->shape.registers,
                            d->shape.registers);
    }
    return NDP_SUCCESS;
}

/* Its data with the addresses in it, to the device. */
static ndpResult place_data(struct ndp_module *m) {
    const struct isa_image *image = m->image;
    ndpResult r;
    if (image->n_data == 0)
        return NDP_SUCCESS;
    r = ndp_take_for(m->device, image->n_data, "data of a module", m, &m->data);
    if (r != NDP_SUCCESS)
        return r;
    uint8_t *bytes = arena_copy(&m->arena, image->data, image->n_data, 1);
    for (int i = 0; i < image->n_fixups; i++) {
        uint32_t word;
        memcpy(&word, bytes + image->fixups[i], 4);
        word += m->data;
        memcpy(bytes + image->fixups[i], &word, 4);
    }
    return ndpMemcpyHtoD(m->device, m->data, bytes, image->n_data);
}

static void release(struct ndp_module *m) {
    ndpDevice d = m->device;
    if (d->engine && m->ptx)
        d->engine->class->unload(d->engine, m);
    if (m->data)
        ndp_give(d, m->data);
    for (int i = 0; i < m->n_functions; i++)
        if (d->in_code == m->functions[i].image)
            d->in_code = NULL;
    arena_free(&m->arena);
    free(m);
}

static ndpResult read_image(struct ndp_module *m, const void *image,
                            size_t bytes) {
    struct diag diag = {0};
    struct source source = {"image", image, bytes};
    ndpDevice d = m->device;
    ndpResult r = NDP_SUCCESS;
    if (!isa_image_is_elf(image, bytes))
        r = ndp_fail(d, NDP_ERROR_INVALID_IMAGE,
                     "is no image, expected what ndpcc --assemble writes, or "
                     "PTX");
    else if (!d->port)
        r = ndp_fail(d, NDP_ERROR_INVALID_IMAGE,
                     "is an image for machines, the executor takes PTX");
    else if (!(m->image = isa_image_read(&m->arena, &source, &diag)))
        r = ndp_fail(d, NDP_ERROR_INVALID_IMAGE, "%s",
                     diag.count ? diag.messages[0].text : "is no image");
    diag_free(&diag);
    if (r == NDP_SUCCESS)
        r = ndp_fits(d, m->image);
    if (r != NDP_SUCCESS)
        return r;
    m->n_functions = m->image->n_kernels;
    m->functions = arena_array(&m->arena, (size_t)m->n_functions + 1,
                               sizeof *m->functions);
    for (int i = 0; i < m->n_functions; i++)
        m->functions[i] =
            (struct ndp_function){.module = m,
                                  .name = m->image->kernels[i].name,
                                  .image = m->image,
                                  .kernel = &m->image->kernels[i]};
    return r;
}

ndpResult ndpModuleLoadData(ndpModule *module, ndpDevice device,
                            const void *image, size_t bytes) {
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    struct ndp_module *m = calloc(1, sizeof *m);
    if (!m)
        return ndp_fail(device, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    m->device = device;
    r = ndp_is_ptx(image, bytes) ? ndp_read_ptx(m, image, bytes)
                                 : read_image(m, image, bytes);
    if (r == NDP_SUCCESS)
        r = place_data(m);
    if (r == NDP_SUCCESS && device->engine && m->ptx)
        r = device->engine->class->load(device->engine, m);
    if (r != NDP_SUCCESS) {
        release(m);
        return r;
    }
    m->next = device->modules;
    device->modules = m;
    *module = m;
    return NDP_SUCCESS;
}

ndpResult ndpModuleLoad(ndpModule *module, ndpDevice device, const char *path) {
    size_t bytes;
    char *image = text_read_file(path, &bytes);
    if (!image)
        return ndp_fail(device, NDP_ERROR_FILE_NOT_FOUND, "cannot read '%s'",
                        path);
    ndpResult r = ndpModuleLoadData(module, device, image, bytes);
    free(image);
    return r;
}

ndpResult ndpModuleUnload(ndpModule module) {
    ndpDevice d = module->device;
    ndpResult r = d->running ? ndp_wait(d, 0) : NDP_SUCCESS;
    struct ndp_module **link = &d->modules;
    while (*link != module)
        link = &(*link)->next;
    *link = module->next;
    d->fault.kernel = NULL;
    release(module);
    return r;
}

static const char *kernel_name(void *ctx, int n) {
    const struct ndp_module *m = ctx;
    return n < m->n_functions ? m->functions[n].name : NULL;
}

static const char *symbol_name(void *ctx, int n) {
    const struct isa_image *image = ((const struct ndp_module *)ctx)->image;
    return n < image->n_symbols ? image->symbols[n].name : NULL;
}

static ndpResult unknown(ndpModule m, const char *what, const char *name,
                         const char *(*next)(void *, int)) {
    const char *near = suggest(name, next, m);
    return ndp_fail(m->device, NDP_ERROR_NOT_FOUND,
                    "the module has no %s '%s'%s%s%s", what, name,
                    near ? ", did you mean '" : "", near ? near : "",
                    near ? "'" : "");
}

ndpResult ndpModuleGetFunction(ndpFunction *function, ndpModule module,
                               const char *name) {
    for (int i = 0; i < module->n_functions; i++)
        if (strcmp(module->functions[i].name, name) == 0) {
            *function = &module->functions[i];
            return ndp_assemble(*function);
        }
    return unknown(module, "kernel", name, kernel_name);
}

ndpResult ndpModuleGetGlobal(ndpDevicePtr *at, size_t *bytes, ndpModule module,
                             const char *name) {
    for (int i = 0; i < module->image->n_symbols; i++) {
        const struct isa_symbol *s = &module->image->symbols[i];
        if (strcmp(s->name, name) != 0)
            continue;
        *at = module->data + s->at;
        if (bytes)
            *bytes = s->bytes;
        return NDP_SUCCESS;
    }
    return unknown(module, "variable", name, symbol_name);
}

/* --- what a function is --------------------------------------------------- */

/* On the executor nothing but the PTX says so. */
static int of_ptx(const struct ndp_function *f, ndpFuncAttribute a) {
    switch (a) {
    case NDP_FUNC_REGISTERS:
        return f->ptx->n_registers;
    case NDP_FUNC_MAX_THREADS:
        return 1024;
    case NDP_FUNC_PARAMS:
        return f->ptx->n_params;
    case NDP_FUNC_ON_FALLBACK:
        return f->module->device->port != NULL;
    default:
        return 0;
    }
}

ndpResult ndpFuncGetAttribute(int *value, ndpFuncAttribute a, ndpFunction f) {
    ndpDevice d = f->module->device;
    const struct isa_kernel *k = f->kernel;
    if (!k) {
        *value = of_ptx(f, a);
        return NDP_SUCCESS;
    }
    switch (a) {
    case NDP_FUNC_REGISTERS:
        *value = k->registers;
        break;
    case NDP_FUNC_SHARED_BYTES:
        *value = k->shared;
        break;
    case NDP_FUNC_LOCAL_BYTES:
        *value = k->local;
        break;
    case NDP_FUNC_PARAMS:
        *value = k->n_params;
        break;
    case NDP_FUNC_WORDS:
        *value = k->n_words;
        break;
    case NDP_FUNC_ON_FALLBACK:
        *value = 0;
        break;
    case NDP_FUNC_MAX_THREADS:
        return ndpDeviceGetAttribute(value, NDP_ATTRIBUTE_MAX_THREADS, d);
    }
    return NDP_SUCCESS;
}

ndpResult ndpFuncGetParamSize(size_t *bytes, ndpFunction f, int n) {
    int all = f->kernel ? f->kernel->n_params : f->ptx->n_params;
    if (n < 0 || n >= all)
        return ndp_fail(f->module->device, NDP_ERROR_INVALID_VALUE,
                        "kernel '%s' has %d parameters, there is no number %d",
                        f->name, all, n);
    *bytes = f->kernel ? (size_t)f->kernel->params[n].bytes
                       : (size_t)ptx_variable_size(&f->ptx->params[n]);
    return NDP_SUCCESS;
}

int ndpFuncParamIsAddress(ndpFunction f, int n, size_t offset) {
    for (int i = 0; i < f->n_addresses; i++)
        if (f->addresses[i].param == n &&
            f->addresses[i].offset == (int64_t)offset)
            return 1;
    return 0;
}

const char *ndpModuleGlobalName(ndpModule module, int n) {
    return symbol_name(module, n);
}

/* module.c - images of ndpcc --assemble on a device. */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ndpResult fits(ndpDevice d, const struct isa_image *image) {
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
    r = ndp_take(m->device, image->n_data, "data of a module", &m->data);
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
    if (m->data)
        ndp_give(m->device, m->data);
    if (m->device->in_code == m)
        m->device->in_code = NULL;
    arena_free(&m->arena);
    free(m);
}

ndpResult ndpModuleLoadData(ndpModule *module, ndpDevice device,
                            const void *image, size_t bytes) {
    struct diag diag = {0};
    struct source source = {"image", image, bytes};
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    struct ndp_module *m = calloc(1, sizeof *m);
    if (!m)
        return ndp_fail(device, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    m->device = device;
    if (!isa_image_is_elf(image, bytes))
        r = ndp_fail(device, NDP_ERROR_INVALID_IMAGE,
                     "is no image, expected what ndpcc --assemble writes");
    else if (!(m->image = isa_image_read(&m->arena, &source, &diag)))
        r = ndp_fail(device, NDP_ERROR_INVALID_IMAGE, "%s",
                     diag.count ? diag.messages[0].text : "is no image");
    diag_free(&diag);
    if (r == NDP_SUCCESS)
        r = fits(device, m->image);
    if (r == NDP_SUCCESS)
        r = place_data(m);
    if (r != NDP_SUCCESS) {
        release(m);
        return r;
    }
    m->functions = arena_array(&m->arena, (size_t)m->image->n_kernels + 1,
                               sizeof *m->functions);
    for (int i = 0; i < m->image->n_kernels; i++)
        m->functions[i] = (struct ndp_function){m, &m->image->kernels[i], 0, 0};
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
    const struct isa_image *image = ctx;
    return n < image->n_kernels ? image->kernels[n].name : NULL;
}

static const char *symbol_name(void *ctx, int n) {
    const struct isa_image *image = ctx;
    return n < image->n_symbols ? image->symbols[n].name : NULL;
}

static ndpResult unknown(ndpModule m, const char *what, const char *name,
                         const char *(*next)(void *, int)) {
    const char *near = suggest(name, next, (void *)(uintptr_t)m->image);
    return ndp_fail(m->device, NDP_ERROR_NOT_FOUND,
                    "the module has no %s '%s'%s%s%s", what, name,
                    near ? ", did you mean '" : "", near ? near : "",
                    near ? "'" : "");
}

ndpResult ndpModuleGetFunction(ndpFunction *function, ndpModule module,
                               const char *name) {
    for (int i = 0; i < module->image->n_kernels; i++)
        if (strcmp(module->image->kernels[i].name, name) == 0) {
            *function = &module->functions[i];
            return NDP_SUCCESS;
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

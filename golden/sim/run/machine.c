/* machine.c - launches of a run description on a device (machine.h).
 *
 * Buffers live on the device from the first launch on.  What the host has
 * changed since goes there before a launch, and everything comes back after it:
 * loops look at buffers.
 */
#include "machine.h"

#include "state.h"

#include "codegen/codegen.h"
#include "papers/tom/place.h"
#include "prefetch/image_driver.h"

#include <stdlib.h>
#include <string.h>

struct place_on_device {
    ndpDevicePtr at;
    bool is_taken; /* with ndpMemAlloc */
    void *there;   /* what the device has */
};

struct job {
    struct run_machine *m;
    const struct run *run;
    struct place_on_device *places; /* by buffer; NULL: not there yet */
};

/* What to do about a kernel that a device does not hold. */
static void say_remedy(struct run *r, struct place at, ndpResult e) {
    if (e == NDP_ERROR_OUT_OF_MEMORY || e == NDP_ERROR_NO_BINARY_FOR_GPU ||
        e == NDP_ERROR_LAUNCH_OUT_OF_RESOURCES)
        diag_report(r->d, DIAG_NOTE, at,
                    "a golden machine of another size (--set KEY=VALUE) or the "
                    "executor (--device exec) may have room for it");
    if (e == NDP_ERROR_INVALID_IMAGE)
        diag_report(r->d, DIAG_NOTE, at,
                    "the executor may run it (--device exec)");
}

/* The place is that of a file for the remedy of its text. */
static bool fails(struct run *r, struct run_machine *m, struct place at,
                  ndpResult e) {
    m->result = e;
    if (e == NDP_SUCCESS)
        return false;
    diag_error(r->d, at, "%s", ndpGetErrorString(m->device));
    say_remedy(r, (struct place){.source = at.source}, e);
    return true;
}

static bool failed(struct run *r, struct job *j, struct place at, ndpResult e) {
    return e != NDP_SUCCESS && fails(r, j->m, at, e);
}

static size_t size_of(const struct run_buffer *b) {
    return (size_t)b->count * (size_t)element_size(b->type);
}

static bool place_buffers(struct run *r, struct job *j) {
    j->places = xcalloc((size_t)r->n_buffers + 1, sizeof *j->places);
    for (int i = 0; i < r->n_buffers; i++) {
        const struct run_buffer *b = &r->buffers[i];
        struct place_on_device *p = &j->places[i];
        ndpResult e = b->symbol ? ndpModuleGetGlobal(&p->at, NULL, j->m->module,
                                                     b->symbol)
                                : ndpMemAlloc(&p->at, j->m->device,
                                              size_of(b) ? size_of(b) : 1);
        if (failed(r, j, b->at, e))
            return false;
        p->is_taken = !b->symbol;
    }
    return true;
}

static bool send_buffers(struct run *r, struct job *j) {
    for (int i = 0; i < r->n_buffers; i++) {
        const struct run_buffer *b = &r->buffers[i];
        struct place_on_device *p = &j->places[i];
        if (p->there && memcmp(p->there, b->data, size_of(b)) == 0)
            continue;
        if (failed(r, j, b->at,
                   ndpMemcpyHtoD(j->m->device, p->at, b->data, size_of(b))))
            return false;
        if (!p->there)
            p->there = xcalloc(size_of(b) + 1, 1);
        memcpy(p->there, b->data, size_of(b));
    }
    return true;
}

static bool fetch_buffers(struct run *r, struct job *j) {
    for (int i = 0; i < r->n_buffers; i++) {
        struct run_buffer *b = &r->buffers[i];
        struct place_on_device *p = &j->places[i];
        if (failed(r, j, b->at,
                   ndpMemcpyDtoH(j->m->device, b->data, p->at, size_of(b))))
            return false;
        memcpy(p->there, b->data, size_of(b));
    }
    return true;
}

static uint64_t shift_of(void *ctx, int buffer) {
    const struct job *j = ctx;
    return j->places[buffer].at - j->run->buffers[buffer].address;
}

/* The executor's bytes of the parameters, with device addresses of buffers;
 * values is the copy of them that the arguments point into. */
static ndpArgument *make_arguments(struct run *r, const struct run_step *s,
                                   struct job *j, uint8_t *values) {
    const struct ptx_function *f = s->kernel;
    ndpArgument *a = xcalloc((size_t)f->n_params + 1, sizeof *a);
    memcpy(values, r->params, exec_param_offset(f, f->n_params));
    for (int i = 0; i < f->n_params; i++) {
        uint8_t *to = values + exec_param_offset(f, i);
        run_move_addresses(r, i, to, shift_of, j);
        a[i] = (ndpArgument){to, (size_t)ptx_variable_size(&f->params[i])};
    }
    return a;
}

/* Image i, where it lies on the device. */
static struct run_image image_of(const struct run *r, const struct job *j,
                                 int i) {
    struct run_image image = run_images(r)->images[i];
    int b = 0;
    while (strcmp(r->buffers[b].name, image.buffer) != 0)
        b++;
    image.address = j->places[b].at;
    return image;
}

static ndpWalk as_walk(struct prefetch_walk w) {
    return (ndpWalk){.start = (ndpDevicePtr)w.start,
                     .size = (uint32_t)w.size,
                     .pitch = (uint32_t)w.pitch,
                     .along_y = w.along_y,
                     .printed = w.printed,
                     .block_x = (uint32_t)w.block_x,
                     .block_y = (uint32_t)w.block_y,
                     .x_lo = (uint32_t)w.x_lo,
                     .x_hi = (uint32_t)w.x_hi,
                     .y_lo = (uint32_t)w.y_lo,
                     .y_hi = (uint32_t)w.y_hi};
}

/* Walks of core c over its part of the images, how many.  CTA i of a kernel with a
 * part for each CTA runs on core i, which walks over part i; with more parts than
 * cores a core's CTAs are anywhere in the image. */
static int walks_by_parts(const struct run *r, const struct job *j, int c,
                          int sharing, ndpWalk *walks) {
    const struct run_images *all = run_images(r);
    int parts = all->parts <= (uint64_t)sharing ? (int)all->parts : 1;
    int part = parts > 1 ? c : 0, n = part < parts ? all->n : 0;
    const struct image_part its = {(uint64_t)parts, (uint64_t)part,
                                   j->m->printed};
    for (int i = 0; i < n; i++) {
        struct run_image image = image_of(r, j, i);
        walks[i] = as_walk(image_driver_walk(&image, &its));
    }
    return n;
}

/* The same over what its area of the grid covers; none of one that shares no
 * launches. */
static int walks_by_area(const struct run *r, const struct job *j, int c,
                         const unsigned *grid, ndpWalk *walks) {
    ndpArea a;
    int n = 0;
    if (ndpDeviceGetArea(&a, j->m->device, c, grid[0], grid[1]) != NDP_SUCCESS)
        return 0;
    const struct image_area area = {
        {a.x_lo, a.y_lo}, {a.x_hi, a.y_hi}, a.by_column, j->m->printed};
    for (int i = 0; i < run_images(r)->n; i++) {
        struct run_image image = image_of(r, j, i);
        walks[n] = as_walk(image_driver_area_walk(&image, &area));
        n += walks[n].x_lo < walks[n].x_hi && walks[n].y_lo < walks[n].y_hi;
    }
    return n;
}

/* A device with pattern-aware prefetchers is told of the images that the
 * description names, where they lie on it. */
static bool send_images(struct run *r, const struct run_step *s,
                        const struct exec_launch *l, struct job *j) {
    const struct run_images *all = run_images(r);
    int images = 0, cores = 1;
    if (failed(r, j, s->at, ndpDeviceGetImages(&images, j->m->device)) ||
        failed(r, j, s->at, ndpDeviceGetCores(&cores, j->m->device)))
        return false;
    if (images == 0)
        return true;
    ndpWalk *walks = xcalloc(all ? (size_t)all->n + 1 : 1, sizeof *walks);
    int sharing = j->m->cores ? j->m->cores : cores;
    bool ok = true;
    for (int c = 0; ok && c < cores; c++) {
        int n = !all ? 0
                : j->m->areas && !all->divided
                    ? walks_by_area(r, j, c, l->grid, walks)
                    : walks_by_parts(r, j, c, sharing, walks);
        ok = !failed(r, j, s->at,
                     ndpDeviceSetWalksOf(j->m->device, c, walks, n));
    }
    free(walks);
    return ok;
}

typedef ndpResult launch_call(ndpFunction f, unsigned grid_x, unsigned grid_y,
                              unsigned grid_z, unsigned block_x,
                              unsigned block_y, unsigned block_z,
                              unsigned shared, const ndpArgument *arguments,
                              unsigned n);

/* A launch that the device refuses is known before buffers go there, which is
 * minutes over a serial line. */
static bool launch(struct run *r, const struct run_step *s,
                   const struct exec_launch *l, void *ctx) {
    struct job *j = ctx;
    const struct ptx_function *f = s->kernel;
    ndpFunction kernel;
    if (failed(r, j, s->at,
               ndpModuleGetFunction(&kernel, j->m->module, f->name)) ||
        (!j->places && !place_buffers(r, j)))
        return false;
    uint8_t *values = xcalloc(exec_param_offset(f, f->n_params) + 1, 1);
    ndpArgument *arguments = make_arguments(r, s, j, values);
    launch_call *const calls[] = {ndpLaunchCheck, ndpLaunchKernel};
    bool ok = true;
    for (int i = 0; ok && i < 2; i++)
        ok = (i == 0 || (send_images(r, s, l, j) && send_buffers(r, j))) &&
             !failed(r, j, s->at,
                     calls[i](kernel, l->grid[0], l->grid[1], l->grid[2],
                              l->block[0], l->block[1], l->block[2], l->shared,
                              arguments, (unsigned)f->n_params));
    free(arguments);
    free(values);
    if (!ok ||
        failed(r, j, s->at, ndpCtxSynchronize(j->m->device, j->m->timeout)) ||
        !fetch_buffers(r, j))
        return false;
    j->m->launches++;
    return true;
}

/* The executor takes no images. */
static bool load_ptx(struct run *r, struct run_machine *m) {
    struct place at = {.source = diag_source(r->d, r->ptx_path, NULL, 0)};
    return !fails(r, m, at,
                  ndpModuleLoadData(&m->module, m->device, r->ptx_source->text,
                                    r->ptx_source->len));
}

/* By way of ELF bytes, as any user of libndp gives them. */
static bool load(struct run *r, const struct isa_image *image,
                 struct run_machine *m) {
    struct place at = {.source = diag_source(r->d, r->ptx_path, NULL, 0)};
    const char *why = NULL;
    char *bytes = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&bytes, &n);
    bool ok = f && isa_image_write(image, f, &why);
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok) {
        diag_error(r->d, at, "cannot make an image: %s",
                   why ? why : "no memory");
    } else {
        ok = !fails(r, m, at,
                    ndpModuleLoadData(&m->module, m->device, bytes, n));
    }
    free(bytes);
    return ok;
}

/* The one kernel that the description launches; NULL: none or several. */
static const char *only_kernel(const struct run_step *steps, int n,
                               const char *found, bool *several) {
    for (int i = 0; i < n; i++) {
        const char *name = steps[i].kernel ? steps[i].kernel->name : NULL;
        *several |= found && name && strcmp(found, name) != 0;
        found = name ? name : found;
        found = only_kernel(steps[i].steps, steps[i].n_steps, found, several);
    }
    return found;
}

/* All kernels of the module; the one that is wanted where another one cannot
 * be made, or all do not fit. */
static const struct isa_image *generate(struct run *r, struct run_machine *m,
                                        struct arena *a) {
    struct ptx_candidate_options blocks = ptx_candidate_of_machine();
    struct code_options o = {0};
    struct diag quiet = {0};
    bool several = false;
    int words = 0, stacks = 0;
    const struct ptx_module *ptx = r->module;
    const char *only = only_kernel(r->steps, r->n_steps, NULL, &several);
    ndpDeviceGetAttribute(&o.registers, NDP_ATTRIBUTE_REGISTERS, m->device);
    ndpDeviceGetAttribute(&words, NDP_ATTRIBUTE_CODE_WORDS, m->device);
    ndpDeviceGetAttribute(&stacks, NDP_ATTRIBUTE_STACKS, m->device);
    if (stacks) {
        o.blocks = &blocks;
        ptx = ptx_place_module(a, ptx, &blocks, &quiet);
        if (!ptx || quiet.errors)
            ptx = r->module;
    }
    if (!only || several)
        return code_generate(a, ptx, NULL, &o, stacks ? &quiet : r->d);
    const struct isa_image *all = code_generate(a, ptx, NULL, &o, &quiet);
    diag_free(&quiet);
    return all && all->n_words < words ? all
                                       : code_generate(a, ptx, only, &o, r->d);
}

bool run_load(struct run *r, struct run_machine *m) {
    struct arena arena = {0};
    int ptx_only = 0;
    ndpDeviceGetAttribute(&ptx_only, NDP_ATTRIBUTE_PTX_ONLY, m->device);
    if (ptx_only)
        return load_ptx(r, m);
    const struct isa_image *image = generate(r, m, &arena);
    if (!image)
        say_remedy(
            r,
            (struct place){.source = diag_source(r->d, r->ptx_path, NULL, 0)},
            NDP_ERROR_INVALID_IMAGE);
    bool ok = image && load(r, image, m);
    arena_free(&arena);
    return ok;
}

bool run_on_machine(struct run *r, struct run_machine *machine) {
    struct job j = {.m = machine, .run = r};
    machine->result = NDP_SUCCESS;
    machine->launches = 0;
    r->device = launch;
    r->device_ctx = &j;
    run_all(r);
    for (int i = 0; j.places && i < r->n_buffers; i++) {
        if (j.places[i].is_taken)
            ndpMemFree(machine->device, j.places[i].at);
        free(j.places[i].there);
    }
    free(j.places);
    return r->state == EXEC_FINISHED;
}

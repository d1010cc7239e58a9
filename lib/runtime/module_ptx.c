/* module_ptx.c - modules of PTX text: read once, assembled for the machine
 * kernel by kernel.
 *
 * The data of the module is laid out the same whichever kernel is assembled, so
 * each kernel has an image of its own over one piece of data.
 */
#include "runtime.h"

#include "codegen/codegen.h"
#include "codegen/pointers.h"
#include "papers/tom/place.h"
#include "ptx/ptx.h"

#include <string.h>

/* Text with a .version directive; comments and blanks may come before. */
bool ndp_is_ptx(const void *image, size_t bytes) {
    static const char word[] = ".version";
    const char *text = image;
    size_t n = strnlen(text, bytes < 65536 ? bytes : 65536);
    for (size_t i = 0; i + sizeof word <= n; i++)
        if (memcmp(text + i, word, sizeof word - 1) == 0)
            return true;
    return false;
}

/* "kernel.ptx:12:5: what" of the first error. */
static const char *first_error(struct arena *a, const struct diag *d) {
    struct text t = {0};
    for (int i = 0; i < d->count; i++) {
        const struct diag_message *m = &d->messages[i];
        if (m->severity != DIAG_ERROR)
            continue;
        if (m->place.line)
            text_printf(&t, "PTX line %d: ", m->place.line);
        text_add(&t, m->text);
        break;
    }
    const char *kept = arena_strdup(a, t.len ? text_str(&t) : "is no PTX");
    text_free(&t);
    return kept;
}

static void list_functions(struct ndp_module *m) {
    const struct ptx_module *p = m->ptx;
    m->functions = arena_array(&m->arena, (size_t)p->n_functions + 1,
                               sizeof *m->functions);
    for (int i = 0; i < p->n_functions; i++) {
        const struct ptx_function *f = p->functions[i];
        if (f->is_entry && f->has_body)
            m->functions[m->n_functions++] =
                (struct ndp_function){.module = m, .name = f->name, .ptx = f};
    }
}

static const struct isa_image *assemble(struct ndp_module *m, const char *only,
                                        struct diag *d) {
    const struct ptx_candidate_options blocks = ptx_candidate_of_machine();
    const struct code_options o = {.registers = m->device->shape.registers,
                                   .blocks =
                                       m->device->stacks ? &blocks : NULL};
    return code_generate(&m->arena, m->ptx, only, &o, d);
}

ndpResult ndp_read_ptx(struct ndp_module *m, const char *text, size_t bytes) {
    struct diag d = {0};
    struct source *source = arena_alloc(&m->arena, sizeof *source);
    size_t n = strnlen(text, bytes);
    *source =
        (struct source){"module.ptx", arena_strndup(&m->arena, text, n), n};
    const struct ptx_candidate_options blocks = ptx_candidate_of_machine();
    const struct ptx_module *p = ptx_read(&m->arena, source, &d);
    if (!d.errors && m->device->stacks)
        p = ptx_place_module(&m->arena, p, &blocks, &d);
    ndpResult r = NDP_SUCCESS;
    if (d.errors)
        r = ndp_fail(m->device, NDP_ERROR_INVALID_IMAGE, "%s",
                     first_error(&m->arena, &d));
    m->ptx = p;
    /* no kernel: the data alone; the executor has places of its own for what
     * cannot be laid out */
    if (r == NDP_SUCCESS && !(m->image = assemble(m, "", &d))) {
        if (m->device->port)
            r = ndp_fail(m->device, NDP_ERROR_INVALID_IMAGE, "%s",
                         first_error(&m->arena, &d));
        else
            m->image = arena_alloc(&m->arena, sizeof *m->image);
    }
    diag_free(&d);
    if (r == NDP_SUCCESS)
        list_functions(m);
    else
        m->ptx = NULL;
    return r;
}

static ndpResult refuse(struct ndp_function *f, ndpResult r, const char *why) {
    ndpDevice d = f->module->device;
    f->refused = why;
    f->refusal = r;
    if (d->engine)
        return NDP_SUCCESS;
    return ndp_fail(d, r, "kernel '%s': %s", f->name, why);
}

ndpResult ndp_assemble(struct ndp_function *f) {
    struct ndp_module *m = f->module;
    struct diag d = {0};
    if (f->ptx && !f->addresses)
        f->addresses = pointers_of_params(&m->arena, f->ptx, &f->n_addresses);
    if (f->image || !m->device->port)
        return NDP_SUCCESS;
    if (f->refused)
        return refuse(f, f->refusal, f->refused);
    const struct isa_image *image = assemble(m, f->name, &d);
    const char *why = image ? NULL : first_error(&m->arena, &d);
    diag_free(&d);
    if (!image)
        return refuse(f, NDP_ERROR_NO_BINARY_FOR_GPU, why);
    ndpResult r = ndp_fits(m->device, image);
    if (r != NDP_SUCCESS)
        return refuse(f, r,
                      arena_strdup(&m->arena, ndpGetErrorString(m->device)));
    f->image = image;
    f->kernel = &image->kernels[0];
    return NDP_SUCCESS;
}

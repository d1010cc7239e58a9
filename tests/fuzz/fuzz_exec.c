/* fuzz_exec.c - any text as PTX: read it, and run every kernel that reads.
 *
 * Built by fuzz.sh with libFuzzer and the sanitizers.  Whatever the text says
 * must end in a message or a result, inside its limits of memory and steps.
 */
#include "sim/exec/exec.h"
#include "papers/analysis.h"
#include "sim/trace/stats.h"

#include <stdlib.h>
#include <string.h>

enum { PARAMS_MAX = 4096, STEPS = 4000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void launch(struct exec *x, const struct ptx_function *f,
                   uint64_t buffer, struct diag *d) {
    uint64_t n = exec_param_offset(f, f->n_params), params[PARAMS_MAX / 8];
    struct exec_launch l = {.kernel = f,
                            .grid = {2, 1, 1},
                            .block = {20, 2, 1},
                            .shared = 64,
                            .params = params};
    struct stats stats = {0};
    struct stream_event e;
    if (n > sizeof params)
        return;
    for (size_t i = 0; i < PARAMS_MAX / 8; i++)
        params[i] = buffer;
    if (exec_begin(x, &l, d))
        while (exec_step(x, &e) == EXEC_RUNNING)
            stats_add(&stats, &e);
    stats_free(&stats);
}

/* A view of the buffer for each texture reference, of several kinds in turn. */
static void bind(struct exec *x, const struct ptx_module *m, uint64_t address,
                 const void *buffer) {
    static const struct texture kinds[] = {
        {.dims = 1, .type = TEXEL_F32, .channels = 1, .width = 1024},
        {.dims = 2,
         .type = TEXEL_F32,
         .channels = 2,
         .width = 7,
         .filter = TEXTURE_LINEAR,
         .unit_coordinates = true,
         .mode = {TEXTURE_WRAP, TEXTURE_MIRROR}},
        {.dims = 1,
         .type = TEXEL_I8,
         .channels = 4,
         .width = 1,
         .mode = {TEXTURE_BORDER}},
        {.dims = 2,
         .type = TEXEL_I16,
         .channels = 4,
         .width = 5,
         .unit_texels = true,
         .filter = TEXTURE_LINEAR,
         .mode = {TEXTURE_BORDER}},
    };
    uint64_t handle;
    for (int i = 0, k = 0; i < m->n_variables; i++) {
        struct texture t = kinds[k % 4];
        t.height = t.dims == 2 ? 9 : 1;
        t.pitch = t.width * texture_texel(&t);
        t.address = address;
        t.data = buffer;
        if (!m->variables[i]->name ||
            !exec_texture_symbol(x, m->variables[i]->name, &handle))
            continue;
        exec_texture_bind(x, handle, &t);
        k++;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct arena arena = {0};
    struct diag d = {0};
    struct source source = {"fuzz.ptx", NULL, size};
    source.text = arena_strndup(&arena, (const char *)data, size);
    struct ptx_module *m = ptx_read(&arena, &source, &d);
    struct exec_options options = {
        .limit = STEPS, .patience = STEPS / 2, .turn = 7, .memory = 1 << 20};
    struct exec *x = d.errors ? NULL : exec_create(m, &options, &d);
    uint64_t address;
    void *buffer;
    bool ready = x && exec_buffer(x, "buffer", 4096, 256, &address, &buffer);
    if (ready) {
        for (int i = 0; i < 1024; i++) /* all kinds of numbers */
            ((uint32_t *)buffer)[i] = (uint32_t)i * 2654435761u;
        bind(x, m, address, buffer);
        for (int i = 0; i < m->n_functions && i < 8; i++)
            if (m->functions[i]->is_entry && m->functions[i]->has_body)
                launch(x, m->functions[i], address, &d);
    }
    exec_free(x);
    diag_free(&d);
    arena_free(&arena);
    return 0;
}

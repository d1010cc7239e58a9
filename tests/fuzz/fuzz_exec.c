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
    if (x && exec_buffer(x, "buffer", 4096, 256, &address, &buffer))
        for (int i = 0; i < m->n_functions && i < 8; i++)
            if (m->functions[i]->is_entry && m->functions[i]->has_body)
                launch(x, m->functions[i], address, &d);
    exec_free(x);
    diag_free(&d);
    arena_free(&arena);
    return 0;
}

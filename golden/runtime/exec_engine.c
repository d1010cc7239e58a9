/* exec_engine.c - see exec_engine.h.
 *
 * Each module has an executor of its own; what is allocated is mapped into all
 * of them, so that an address means the same to every kernel.
 */
#include "exec_engine.h"

#include "base/array.h"
#include "runtime/format.h"
#include "sim/exec/exec.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Causes as simt has them (docs/blocks/simt.md). */
enum { MISALIGNED = 2, UNMAPPED, TRAP = 7 };
enum { LOOK_EVERY = 1 << 16 }; /* instructions, at the clock */

struct piece {
    uint32_t at, bytes;
    void *data;
    const struct ndp_module *owner;
};

struct loaded {
    const struct ndp_module *module;
    struct exec *exec;
};

struct exec_engine {
    struct ndp_engine base;
    ARRAY(struct piece) pieces;
    ARRAY(struct loaded) modules;
    struct diag diag; /* of the launch */
    struct exec *running;
    const struct ndp_function *function;
    uint64_t executed; /* by modules that are gone */
};

static struct exec_engine *of(struct ndp_engine *e) {
    return (struct exec_engine *)e;
}

/* --- memory --------------------------------------------------------------- */

/* Variables are regions of their own in their module's executor. */
static void map(struct exec *x, const struct piece *p) {
    exec_map(x, p->owner ? "variables" : "an allocation", p->at, p->bytes,
             p->data);
}

static void *take(struct ndp_engine *base, uint32_t at, uint32_t bytes,
                  const struct ndp_module *owner) {
    struct exec_engine *e = of(base);
    void *data = calloc(bytes ? bytes : 1, 1);
    if (!data)
        return NULL;
    struct piece *p = array_push(&e->pieces);
    *p = (struct piece){at, bytes, data, owner};
    for (int i = 0; i < e->modules.n; i++)
        if (e->modules.v[i].module != owner)
            map(e->modules.v[i].exec, p);
    return data;
}

static void give(struct ndp_engine *base, uint32_t at) {
    struct exec_engine *e = of(base);
    for (int i = 0; i < e->pieces.n; i++) {
        if (e->pieces.v[i].at != at)
            continue;
        for (int k = 0; k < e->modules.n; k++)
            if (e->modules.v[k].module != e->pieces.v[i].owner)
                exec_unmap(e->modules.v[k].exec, at);
        free(e->pieces.v[i].data);
        e->pieces.v[i] = e->pieces.v[--e->pieces.n];
        return;
    }
}

/* --- modules -------------------------------------------------------------- */

struct placing {
    const struct exec_engine *e;
    const struct ndp_module *m;
};

static void *place(void *ctx, const char *name, uint64_t *address) {
    const struct placing *p = ctx;
    const struct isa_image *image = p->m->image;
    for (int i = 0; i < image->n_symbols; i++) {
        if (strcmp(image->symbols[i].name, name) != 0)
            continue;
        *address = p->m->data + image->symbols[i].at;
        for (int k = 0; k < p->e->pieces.n; k++)
            if (p->e->pieces.v[k].owner == p->m)
                return (uint8_t *)p->e->pieces.v[k].data + image->symbols[i].at;
    }
    return NULL;
}

static const void *lookup(void *ctx, uint64_t address, size_t width) {
    return exec_memory(ctx, address, width);
}

static void print(void *ctx, struct exec *x, uint64_t format,
                  uint64_t arguments) {
    const struct exec_engine *e = ctx;
    ndpDevice d = e->base.device;
    struct text t = {0};
    if (d->print && ndp_format(&t, format, arguments, lookup, x))
        d->print(d->print_ctx, text_str(&t), t.len);
    text_free(&t);
}

static ndpResult load(struct ndp_engine *base, struct ndp_module *m) {
    struct exec_engine *e = of(base);
    struct diag d = {0};
    struct placing p = {e, m};
    const struct exec_options o = {.place = place, .ctx = &p};
    struct exec *x = exec_create(m->ptx, &o, &d);
    ndpResult r = NDP_SUCCESS;
    if (!x)
        r = ndp_fail(base->device, NDP_ERROR_OUT_OF_MEMORY, "%s",
                     d.count ? d.messages[0].text : "no memory");
    diag_free(&d);
    if (!x)
        return r;
    exec_on_print(x, print, e);
    *array_push(&e->modules) = (struct loaded){m, x};
    for (int i = 0; i < e->pieces.n; i++)
        if (e->pieces.v[i].owner != m)
            map(x, &e->pieces.v[i]);
    return r;
}

static void unload(struct ndp_engine *base, const struct ndp_module *m) {
    struct exec_engine *e = of(base);
    for (int i = 0; i < e->modules.n; i++) {
        struct loaded *l = &e->modules.v[i];
        if (l->module != m)
            continue;
        e->executed += exec_warp_instructions(l->exec);
        if (e->running == l->exec)
            e->running = NULL;
        exec_free(l->exec);
        *l = e->modules.v[--e->modules.n];
        return;
    }
}

/* --- launches ------------------------------------------------------------- */

/* What the executor says, with its place in the PTX behind. */
static ndpResult failed(struct exec_engine *e, ndpResult r) {
    const struct diag_message *m = e->diag.messages;
    int line = e->diag.count ? m->place.line : 0;
    e->base.device->fault.line = line;
    r = ndp_fail(e->base.device, r, "%s, PTX line %d",
                 e->diag.count ? m->text : "the kernel failed", line);
    diag_free(&e->diag);
    e->diag = (struct diag){0};
    e->running = NULL;
    return r;
}

static ndpResult make_params(ndpDevice d, const struct ptx_function *f,
                             const ndpArgument *a, unsigned n, uint8_t *to) {
    if (n != (unsigned)f->n_params)
        return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                        "kernel '%s' has %d parameters, got %u arguments",
                        f->name, f->n_params, n);
    for (unsigned i = 0; i < n; i++) {
        size_t bytes = (size_t)ptx_variable_size(&f->params[i]);
        if (!a[i].data ||
            (a[i].bytes != bytes && !(bytes == 8 && a[i].bytes == 4)))
            return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                            "parameter %u of kernel '%s' has %zu bytes, got "
                            "%zu",
                            i, f->name, bytes, a[i].bytes);
        memcpy(to + exec_param_offset(f, (int)i), a[i].data, a[i].bytes);
    }
    return NDP_SUCCESS;
}

static ndpResult begin(struct ndp_engine *base, const struct ndp_function *f,
                       const uint32_t *grid, const uint32_t *block,
                       uint32_t shared, const ndpArgument *arguments,
                       unsigned n) {
    struct exec_engine *e = of(base);
    struct exec *x = NULL;
    for (int i = 0; i < e->modules.n; i++)
        if (e->modules.v[i].module == f->module)
            x = e->modules.v[i].exec;
    if (!x)
        return ndp_fail(base->device, NDP_ERROR_NO_BINARY_FOR_GPU,
                        "kernel '%s': its module was loaded before the "
                        "fallback was set",
                        f->name);
    uint8_t *params =
        xcalloc(exec_param_offset(f->ptx, f->ptx->n_params) + 1, 1);
    ndpResult r = make_params(base->device, f->ptx, arguments, n, params);
    struct exec_launch l = {.kernel = f->ptx,
                            .grid = {grid[0], grid[1], grid[2]},
                            .block = {block[0], block[1], block[2]},
                            .shared = shared,
                            .params = params};
    if (r == NDP_SUCCESS && exec_begin(x, &l, &e->diag)) {
        e->running = x;
        e->function = f;
    } else if (r == NDP_SUCCESS) {
        r = failed(e, NDP_ERROR_LAUNCH_OUT_OF_RESOURCES);
    }
    free(params);
    return r;
}

static int64_t now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until the launch ends, or its time is over (EXEC_RUNNING). */
static enum exec_state run(struct exec *x, unsigned milliseconds) {
    int64_t end = now_ms() + milliseconds;
    struct stream_event event;
    enum exec_state state;
    do {
        int left = LOOK_EVERY;
        while ((state = exec_step(x, &event)) == EXEC_RUNNING && --left)
            ;
    } while (state == EXEC_RUNNING && now_ms() < end);
    return state;
}

static ndpFault fault_of(const struct exec_engine *e) {
    static const struct {
        int cause;
        const char *what;
    } kinds[] = {
        [EXEC_FAULT_OTHER] = {0, "an instruction that cannot be executed"},
        [EXEC_FAULT_ADDRESS] = {UNMAPPED, "unmapped address"},
        [EXEC_FAULT_ALIGNMENT] = {MISALIGNED, "misaligned address"},
        [EXEC_FAULT_TRAP] = {TRAP, "trap"}};
    uint64_t address;
    enum exec_fault kind = exec_fault_of(e->running, &address);
    return (ndpFault){.cause = kinds[kind].cause,
                      .what = kinds[kind].what,
                      .address = (uint32_t)address,
                      .kernel = e->function->name};
}

static ndpResult wait_for(struct ndp_engine *base, unsigned milliseconds) {
    struct exec_engine *e = of(base);
    if (!e->running)
        return NDP_SUCCESS;
    enum exec_state state = run(e->running, milliseconds);
    if (state == EXEC_FINISHED) {
        e->running = NULL;
        return NDP_SUCCESS;
    }
    base->device->fault = fault_of(e);
    if (state == EXEC_FAULT)
        return failed(e, NDP_ERROR_LAUNCH_FAILED);
    base->device->fault.what = "no end";
    if (state == EXEC_STUCK)
        return failed(e, NDP_ERROR_LAUNCH_TIMEOUT);
    e->running = NULL;
    return ndp_fail(base->device, NDP_ERROR_LAUNCH_TIMEOUT,
                    "kernel '%s' did not end in time and was stopped",
                    e->function->name);
}

static uint64_t executed(const struct ndp_engine *base) {
    const struct exec_engine *e = (const struct exec_engine *)base;
    uint64_t n = e->executed;
    for (int i = 0; i < e->modules.n; i++)
        n += exec_warp_instructions(e->modules.v[i].exec);
    return n;
}

static void close_engine(struct ndp_engine *base) {
    struct exec_engine *e = of(base);
    for (int i = 0; i < e->modules.n; i++)
        exec_free(e->modules.v[i].exec);
    for (int i = 0; i < e->pieces.n; i++)
        free(e->pieces.v[i].data);
    array_free(&e->modules);
    array_free(&e->pieces);
    diag_free(&e->diag);
    free(e);
}

struct ndp_engine *exec_engine_new(void) {
    static const struct ndp_engine_class class = {
        take, give, load, unload, begin, wait_for, executed, close_engine};
    struct exec_engine *e = xcalloc(1, sizeof *e);
    e->base.class = &class;
    return &e->base;
}

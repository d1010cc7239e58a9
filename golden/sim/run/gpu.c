/* gpu.c - launches of a run description on a GPU (gpu.h).
 *
 * Before each launch everything goes to the GPU, and everything comes back
 * after it: loops look at buffers, textures show them, and kernels of this size
 * do not take long enough for more.
 */
#include "gpu.h"

#include "base/bits.h"
#include "base/text.h"
#include "state.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_BYTES = 4000 };

/* A texture is a copy of its own, with the pitch that the GPU wants. */
struct view {
    uint64_t at, handle;
    uint64_t pitch;
    uint8_t *bytes; /* as they go there */
};

struct job {
    struct run *r;
    struct gpu *g;
    struct run_gpu_options *o;
    void *module;
    uint64_t *buffers; /* their addresses */
    struct view *views;
};

static bool failed(struct job *j, struct place at, int e) {
    if (e != CUDA_OK)
        diag_error(j->r->d, at, "%s", gpu_error(j->g, e));
    return e != CUDA_OK;
}

static size_t size_of(const struct run_buffer *b) {
    return (size_t)b->count * (size_t)element_size(b->type);
}

/* --------------------------------------------------------------- the code */

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$' || c == '%';
}

/* How long the name of the operation is, if it stands there without a rounding
 * and works on floating-point numbers; else 0. */
static size_t unrounded(const char *at, const char *end) {
    static const char *const names[] = {"add.", "sub.", "mul."};
    static const char *const rest[] = {"f32",         "f64",     "ftz.f32",
                                       "ftz.sat.f32", "sat.f32", "f16",
                                       "f16x2",       NULL};
    bool named = false;
    for (int i = 0; i < 3; i++)
        named |= end - at > 4 && memcmp(at, names[i], 4) == 0;
    for (int i = 0; named && rest[i]; i++) {
        size_t n = strlen(rest[i]);
        if ((size_t)(end - at) > 4 + n && memcmp(at + 4, rest[i], n) == 0 &&
            !is_word(at[4 + n]))
            return 3;
    }
    return 0;
}

void gpu_spell_rounding(const char *ptx, size_t len, struct text *out) {
    const char *end = ptx + len, *from = ptx;
    for (const char *at = ptx; at < end; at++) {
        size_t n = at == ptx || !is_word(at[-1]) ? unrounded(at, end) : 0;
        if (n == 0)
            continue;
        text_addn(out, from, (size_t)(at - from) + n);
        text_add(out, ".rn");
        from = at + n;
    }
    text_addn(out, from, (size_t)(end - from));
}

static bool load(struct job *j) {
    struct run *r = j->r;
    struct place at = {.source = diag_source(r->d, r->ptx_path, NULL, 0)};
    struct text text = {0};
    char log[LOG_BYTES] = "";
    int options[] = {CUDA_JIT_LOG, CUDA_JIT_LOG_BYTES, CUDA_JIT_OPTIMISE};
    void *values[] = {log, (void *)(uintptr_t)sizeof log,
                      (void *)(uintptr_t)j->o->optimise};
    if (j->o->contract)
        text_addn(&text, r->ptx_source->text, r->ptx_source->len);
    else
        gpu_spell_rounding(r->ptx_source->text, r->ptx_source->len, &text);
    int e = j->g->api.cuModuleLoadDataEx(&j->module, text_str(&text),
                                         j->o->optimise < 0 ? 2 : 3, options,
                                         values);
    log[sizeof log - 1] = '\0';
    log[strcspn(log, "\n")] = '\0';
    if (e != CUDA_OK)
        diag_error(r->d, at, "%s%s%s", gpu_error(j->g, e), *log ? ": " : "",
                   log);
    text_free(&text);
    return e == CUDA_OK;
}

/* --------------------------------------------------------------- textures */

static uint64_t align_up(uint64_t n, int align) {
    uint64_t a = (uint64_t)(align > 1 ? align : 1);
    return (n + a - 1) / a * a;
}

static bool describe(struct job *j, const struct run_texture *t,
                     struct view *v) {
    static const int formats[TEXEL_TYPES] = {
        [TEXEL_U8] = 0x01,  [TEXEL_I8] = 0x08,  [TEXEL_U16] = 0x02,
        [TEXEL_I16] = 0x09, [TEXEL_U32] = 0x03, [TEXEL_I32] = 0x0a,
        [TEXEL_F16] = 0x10, [TEXEL_F32] = 0x20};
    static const int modes[] = {[TEXTURE_CLAMP] = 1,
                                [TEXTURE_BORDER] = 3,
                                [TEXTURE_WRAP] = 0,
                                [TEXTURE_MIRROR] = 2};
    const struct texture *x = &t->texture;
    bool whole = x->type < TEXEL_F16 && !x->unit_texels;
    struct cuda_resource_desc from = {.kind = CUDA_LINEAR};
    struct cuda_texture_desc how = {
        .filter = x->filter == TEXTURE_LINEAR,
        .flags = (whole ? (unsigned)CUDA_READ_AS_INTEGER : 0) |
                 (x->unit_coordinates ? (unsigned)CUDA_UNIT_COORDINATES : 0)};
    for (int k = 0; k < 3; k++)
        how.address[k] = modes[x->mode[k < x->dims ? k : 0]];
    from.of.view.address = v->at;
    from.of.view.format = formats[x->type];
    from.of.view.channels = (unsigned)x->channels;
    from.of.view.width = x->width * texture_texel(x);
    if (x->dims == 2) {
        from.kind = CUDA_PITCH_2D;
        from.of.view.width = x->width;
        from.of.view.height = x->height;
        from.of.view.pitch = v->pitch;
    }
    return !failed(j, t->at,
                   j->g->api.cuTexObjectCreate(&v->handle, &from, &how, NULL));
}

/* The value of its name, for arguments; the executor's handle before. */
static void rename_handle(struct run *r, const struct run_texture *t,
                          uint64_t handle) {
    for (int i = 0; i < r->names.n; i++)
        if (strcmp(r->names.v[i], t->name) == 0)
            r->scalars.v[i].i = (int64_t)handle;
}

static bool can_be_made(struct run *r, const struct run_texture *t) {
    const struct yaml_node *symbol = yaml_get(t->node, "symbol");
    if (symbol)
        diag_error(r->d, symbol->at,
                   "texture references are not run on GPUs, whose drivers have "
                   "none any more");
    else if (t->texture.dims == 1 && (t->texture.filter == TEXTURE_LINEAR ||
                                      t->texture.unit_coordinates))
        diag_error(r->d, t->at,
                   "texture '%s' of one dimension is not run on GPUs, expected "
                   "no filter and coordinates in texels: with them it is an "
                   "array there, not memory",
                   t->name);
    else
        return true;
    return false;
}

static bool place_textures(struct job *j) {
    struct run *r = j->r;
    for (int i = 0; i < r->n_textures; i++) {
        const struct run_texture *t = &r->textures[i];
        struct view *v = &j->views[i];
        if (!can_be_made(r, t))
            return false;
        v->pitch = align_up(t->texture.width * texture_texel(&t->texture),
                            j->g->pitch_align);
        v->bytes = xcalloc(v->pitch, t->texture.height);
        if (failed(j, t->at,
                   j->g->api.cuMemAlloc_v2(&v->at,
                                           v->pitch * t->texture.height)) ||
            !describe(j, t, v))
            return false;
        rename_handle(r, t, v->handle);
    }
    return true;
}

static bool send_texture(struct job *j, const struct run_texture *t,
                         const struct view *v) {
    const struct texture *x = &t->texture;
    for (uint64_t y = 0; y < x->height; y++)
        memcpy(v->bytes + y * v->pitch, x->data + y * x->pitch,
               x->width * texture_texel(x));
    return !failed(
        j, t->at,
        j->g->api.cuMemcpyHtoD_v2(v->at, v->bytes, v->pitch * x->height));
}

/* ---------------------------------------------------------------- buffers */

static bool place_buffers(struct job *j) {
    const struct run *r = j->r;
    for (int i = 0; i < r->n_buffers; i++) {
        const struct run_buffer *b = &r->buffers[i];
        size_t n = size_of(b);
        int e = b->symbol ? j->g->api.cuModuleGetGlobal_v2(&j->buffers[i], &n,
                                                           j->module, b->symbol)
                          : j->g->api.cuMemAlloc_v2(&j->buffers[i], n ? n : 1);
        if (failed(j, b->at, e))
            return false;
    }
    return true;
}

static bool send(struct job *j) {
    const struct run *r = j->r;
    for (int i = 0; i < r->n_buffers; i++) {
        const struct run_buffer *b = &r->buffers[i];
        if (size_of(b) && failed(j, b->at,
                                 j->g->api.cuMemcpyHtoD_v2(
                                     j->buffers[i], b->data, size_of(b))))
            return false;
    }
    for (int i = 0; i < r->n_textures; i++)
        if (!send_texture(j, &r->textures[i], &j->views[i]))
            return false;
    return true;
}

static bool fetch(struct job *j) {
    struct run *r = j->r;
    for (int i = 0; i < r->n_buffers; i++) {
        struct run_buffer *b = &r->buffers[i];
        if (size_of(b) && failed(j, b->at,
                                 j->g->api.cuMemcpyDtoH_v2(
                                     b->data, j->buffers[i], size_of(b))))
            return false;
    }
    return true;
}

/* --------------------------------------------------------------- launches */

static uint64_t shift_of(void *ctx, int buffer) {
    const struct job *j = ctx;
    return j->buffers[buffer] - j->r->buffers[buffer].address;
}

static bool launch(struct run *r, const struct run_step *s,
                   const struct exec_launch *l, void *ctx) {
    struct job *j = ctx;
    const struct ptx_function *f = s->kernel;
    void *function;
    if (!send(j) ||
        failed(j, s->at,
               j->g->api.cuModuleGetFunction(&function, j->module, f->name)))
        return false;
    uint8_t *values = xcalloc(exec_param_offset(f, f->n_params) + 1, 1);
    void **params = xcalloc((size_t)f->n_params + 1, sizeof *params);
    memcpy(values, r->params, exec_param_offset(f, f->n_params));
    for (int i = 0; i < f->n_params; i++) {
        params[i] = values + exec_param_offset(f, i);
        run_move_addresses(r, i, params[i], shift_of, j);
    }
    int e = j->g->api.cuLaunchKernel(
        function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
        l->block[2], l->shared, NULL, params, NULL);
    if (e == CUDA_OK)
        e = j->g->api.cuCtxSynchronize();
    free(params);
    free(values);
    if (failed(j, s->at, e)) {
        j->o->lost = true; /* a fault takes the context with it */
        return false;
    }
    if (!fetch(j))
        return false;
    j->o->launches++;
    return true;
}

static void clean_up(struct job *j) {
    const struct run *r = j->r;
    for (int i = 0; i < r->n_textures; i++) {
        if (j->views[i].handle)
            j->g->api.cuTexObjectDestroy(j->views[i].handle);
        if (j->views[i].at)
            j->g->api.cuMemFree_v2(j->views[i].at);
        free(j->views[i].bytes);
    }
    for (int i = 0; i < r->n_buffers; i++)
        if (j->buffers[i] && !r->buffers[i].symbol)
            j->g->api.cuMemFree_v2(j->buffers[i]);
    if (j->module)
        j->g->api.cuModuleUnload(j->module);
    free(j->views);
    free(j->buffers);
}

bool run_on_gpu(struct run *r, struct gpu *g, struct run_gpu_options *o) {
    struct job j = {.r = r, .g = g, .o = o};
    o->launches = 0;
    o->lost = false;
    j.buffers = xcalloc((size_t)r->n_buffers + 1, sizeof *j.buffers);
    j.views = xcalloc((size_t)r->n_textures + 1, sizeof *j.views);
    r->device = launch;
    r->device_ctx = &j;
    r->state = EXEC_FAULT;
    if (load(&j) && place_buffers(&j) && place_textures(&j))
        run_all(r);
    clean_up(&j);
    return r->state == EXEC_FINISHED;
}

/* ------------------------------------------------------------- difference */

/* Numbers as integers of the same order. */
static int64_t order_of(uint64_t bits, int size) {
    uint64_t sign = UINT64_C(1) << (8 * size - 1);
    return bits & sign ? -(int64_t)(bits & (sign - 1)) : (int64_t)bits;
}

static uint64_t distance(enum element_type t, uint64_t a, uint64_t b,
                         struct expr_value x, struct expr_value y) {
    int64_t p = x.i, q = y.i;
    if (element_is_float(t)) {
        if (x.f != x.f || y.f != y.f)
            return x.f != x.f && y.f != y.f ? 0 : UINT64_MAX;
        p = order_of(a, element_size(t));
        q = order_of(b, element_size(t));
    }
    return p > q ? (uint64_t)p - (uint64_t)q : (uint64_t)q - (uint64_t)p;
}

bool run_difference(const struct run *a, const struct run *b, int n,
                    struct run_difference *out) {
    if (n >= a->n_buffers || n >= b->n_buffers)
        return false;
    const struct run_buffer *x = &a->buffers[n], *y = &b->buffers[n];
    size_t size = (size_t)element_size(x->type);
    *out = (struct run_difference){
        .buffer = x->name,
        .type = x->type,
        .count = x->count,
        .checksum = {fnv1a(FNV1A_START, x->data, size_of(x)),
                     fnv1a(FNV1A_START, y->data, size_of(y))}};
    for (uint64_t i = 0; i < x->count; i++) {
        uint64_t p = 0, q = 0;
        memcpy(&p, (const uint8_t *)x->data + i * size, size);
        memcpy(&q, (const uint8_t *)y->data + i * size, size);
        if (p == q)
            continue;
        uint64_t far =
            distance(x->type, p, q, element_load(x->type, x->data, i),
                     element_load(x->type, y->data, i));
        if (out->differ++ == 0) {
            out->first = i;
            out->bits[0] = p;
            out->bits[1] = q;
        }
        if (far > out->farthest)
            out->farthest = far;
    }
    return true;
}

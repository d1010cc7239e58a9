/* device.c - launches of a run description on another machine (device.h).
 */
#include "device.h"

#include "state.h"

#include <stdlib.h>
#include <string.h>

/* Where things lie in the machine's memory. */
enum { SHIFT = 1 << 20 };
#define DATA_BASE UINT32_C(0xc0000000)
#define LOCAL_BASE UINT32_C(0xe0000000)

struct range {
    uint32_t base, size;
    uint8_t *data;
};

struct memory {
    struct range *ranges;
    int n;
};

static bool load(void *ctx, uint32_t address, int bytes, uint32_t *value) {
    const struct memory *m = ctx;
    for (int i = 0; i < m->n; i++) {
        uint32_t at = address - m->ranges[i].base;
        if (at < m->ranges[i].size &&
            m->ranges[i].size - at >= (uint32_t)bytes) {
            *value = 0;
            memcpy(value, m->ranges[i].data + at, (size_t)bytes);
            return true;
        }
    }
    return false;
}

static bool store(void *ctx, uint32_t address, int bytes, uint32_t value) {
    const struct memory *m = ctx;
    for (int i = 0; i < m->n; i++) {
        uint32_t at = address - m->ranges[i].base;
        if (at < m->ranges[i].size &&
            m->ranges[i].size - at >= (uint32_t)bytes) {
            memcpy(m->ranges[i].data + at, &value, (size_t)bytes);
            return true;
        }
    }
    return false;
}

static uint32_t address_of(const struct run_buffer *b) {
    return (uint32_t)b->address + SHIFT;
}

/* Buffers, variables of the module, local memory. */
static struct memory make_memory(struct run *r, const struct isa_image *c,
                                 uint8_t *local, uint32_t local_bytes) {
    struct memory m = {0};
    m.ranges =
        xcalloc((size_t)(r->n_buffers + c->n_symbols + 1), sizeof *m.ranges);
    for (int i = 0; i < r->n_buffers; i++) {
        const struct run_buffer *b = &r->buffers[i];
        if (!b->symbol)
            m.ranges[m.n++] = (struct range){
                address_of(b), (uint32_t)(b->count * element_size(b->type)),
                b->data};
    }
    for (int i = 0; i < c->n_symbols; i++) {
        uint64_t size;
        void *data = exec_symbol(r->exec, c->symbols[i].name, &size, NULL);
        if (data)
            m.ranges[m.n++] = (struct range){DATA_BASE + c->symbols[i].at,
                                             (uint32_t)size, data};
    }
    m.ranges[m.n++] = (struct range){LOCAL_BASE, local_bytes, local};
    return m;
}

/* From the executor's address of a buffer to that here. */
static uint64_t shift_of(void *ctx, int buffer) {
    const struct run *r = ctx;
    const struct run_buffer *b = &r->buffers[buffer];
    return address_of(b) - b->address;
}

/* The parameter memory: PTX's layout to words, buffers at their addresses. */
static uint32_t *make_words(struct run *r, const struct run_step *s,
                            const struct isa_kernel *k) {
    uint32_t *w = xcalloc((size_t)k->param_words, sizeof *w);
    w[ISA_WORD_DATA] = DATA_BASE;
    w[ISA_WORD_LOCAL] = LOCAL_BASE;
    w[ISA_WORD_LOCAL_BYTES] = (uint32_t)k->local;
    for (int i = 0; i < k->n_params; i++) {
        uint8_t *to = (uint8_t *)&w[k->params[i].word];
        memcpy(to, r->params + exec_param_offset(s->kernel, i),
               (size_t)k->params[i].bytes);
        run_move_addresses(r, i, to, shift_of, r);
    }
    return w;
}

static const struct isa_kernel *kernel_of(const struct isa_image *c,
                                          const struct ptx_function *f) {
    for (int i = 0; i < c->n_kernels; i++)
        if (strcmp(c->kernels[i].name, f->name) == 0)
            return &c->kernels[i];
    BUG("kernel '%s' was not assembled", f->name);
}

static bool launch(struct run *r, const struct run_step *s,
                   const struct exec_launch *l, void *ctx) {
    struct run_device *d = ctx;
    const struct isa_kernel *k = kernel_of(d->code, l->kernel);
    uint32_t threads = l->block[0] * l->block[1] * l->block[2];
    uint32_t local_bytes = (threads + 31) / 32 * 32 * (uint32_t)k->local;
    uint8_t *local = xcalloc((size_t)local_bytes + 1, 1);
    struct memory m = make_memory(r, d->code, local, local_bytes);
    uint32_t *params = make_words(r, s, k);
    struct isa_memory memory = {load, store, &m};
    struct isa_launch launch = {
        .code = d->code->words,
        .n_code = d->code->n_words,
        .entry = k->entry,
        .registers = d->registers,
        .grid = {l->grid[0], l->grid[1], l->grid[2]},
        .block = {l->block[0], l->block[1], l->block[2]},
        .shared = (uint32_t)k->shared + l->shared,
        .params = params,
        .n_params = k->param_words,
        .limit = d->limit,
    };
    bool ok = d->execute ? d->execute(d->ctx, &launch, &memory, &d->last)
                         : isa_execute(&launch, &memory, &d->last);
    d->warp_instructions += d->last.warp_instructions;
    d->thread_instructions += d->last.thread_instructions;
    free(params);
    free(m.ranges);
    free(local);
    r->launched = true;
    return ok;
}

bool run_on_device(struct run *r, struct run_device *device) {
    r->device = launch;
    r->device_ctx = device;
    run_all(r);
    return r->state == EXEC_FINISHED;
}

/* memory.c - global and constant memory as a list of ranges with gaps.
 *
 * Buffers and module variables are ranges of one address space, in ascending
 * order with guard gaps between them, so that an index that runs off is
 * noticed.  Constant variables lie in the window of constant space: their
 * address there is the distance from its base.
 */
#include "machine.h"

#include <stdlib.h>

enum { GUARD = 1 << 16, GUARD_32 = 1 << 12 };

static struct region *insert_region(struct exec *x, uint64_t base) {
    int i = x->n_regions;
    x->regions = array_room(x->regions, i, &x->cap_regions, sizeof *x->regions);
    for (; i > 0 && x->regions[i - 1].base > base; i--)
        x->regions[i] = x->regions[i - 1];
    x->n_regions++;
    if (x->cap_hints)
        memset(x->hints, 0, x->cap_hints * sizeof *x->hints);
    return &x->regions[i];
}

/* A range of size bytes at the next free place; NULL: no memory for it. */
static struct region *add_region(struct exec *x, const char *name,
                                 uint64_t size, uint64_t align, bool constant) {
    uint64_t *next = constant ? &x->next_const : &x->next_global;
    uint64_t guard =
        x->module->address_size == 32 || constant ? GUARD_32 : GUARD;
    uint64_t end = constant ? WINDOW_BASE(WINDOW_CONST) + WINDOW_SIZE
                   : x->module->address_size == 32 ? WINDOWS_BEGIN
                                                   : (uint64_t)1 << 62;
    uint64_t base = (*next + align - 1) & ~(align - 1);
    if (size > x->options.memory || x->used_memory > x->options.memory - size ||
        base > end || size + guard > end - base)
        return NULL;
    uint8_t *data = calloc(size ? size : 1, 1);
    if (!data)
        return NULL;
    struct region *r = insert_region(x, base);
    *r = (struct region){base, size, data, name, constant, false, false};
    *next = base + size + guard;
    x->used_memory += size;
    return r;
}

bool exec_buffer(struct exec *x, const char *name, uint64_t size,
                 uint64_t align, uint64_t *address, void **data) {
    const struct region *r =
        add_region(x, name, size, align < 256 ? 256 : align, false);
    if (!r)
        return false;
    *address = r->base;
    *data = r->data;
    return true;
}

void exec_map(struct exec *x, const char *name, uint64_t address, uint64_t size,
              void *data) {
    struct region *r = insert_region(x, address);
    *r = (struct region){address, size, data, name, false, false, true};
}

void exec_unmap(struct exec *x, uint64_t address) {
    for (int i = 0; i < x->n_regions; i++) {
        if (x->regions[i].base != address || !x->regions[i].mapped)
            continue;
        x->n_regions--;
        memmove(&x->regions[i], &x->regions[i + 1],
                (size_t)(x->n_regions - i) * sizeof *x->regions);
        if (x->cap_hints)
            memset(x->hints, 0, x->cap_hints * sizeof *x->hints);
        return;
    }
}

/* The range that holds width bytes from address; NULL: none. */
const struct region *region_find(const struct exec *x, uint64_t address,
                                 uint64_t width) {
    int low = 0, high = x->n_regions;
    while (low < high) {
        int mid = (low + high) / 2;
        if (x->regions[mid].base <= address)
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0)
        return NULL;
    const struct region *r = &x->regions[low - 1];
    uint64_t offset = address - r->base;
    return offset < r->size && width <= r->size - offset ? r : NULL;
}

static struct region *find_symbol(const struct exec *x, const char *name) {
    for (int i = 0; i < x->n_regions; i++)
        if (x->regions[i].symbol && strcmp(x->regions[i].name, name) == 0)
            return &x->regions[i];
    return NULL;
}

void *exec_symbol(struct exec *x, const char *name, uint64_t *size,
                  uint64_t *address) {
    const struct region *r = find_symbol(x, name);
    if (!r)
        return NULL;
    *size = r->size;
    if (address)
        *address = r->base;
    return r->data;
}

/* Address of a module variable in its own space, of a .texref its handle;
 * false: it has none. */
bool variable_address(struct exec *x, const struct ptx_variable *v,
                      uint64_t *address) {
    if (texture_handle(x, v, address))
        return true;
    const struct region *r = find_symbol(x, v->name);
    if (!r)
        return false;
    *address = r->constant ? r->base - WINDOW_BASE(WINDOW_CONST) : r->base;
    return true;
}

/* -------------------------------------------------------- initialisers */

static uint64_t number_of(const struct ptx_value *v, enum ptx_type type) {
    if (v->kind == PTX_VALUE_INT || ptx_type_kind(type) != 'f')
        return v->bits;
    f64 x =
        v->kind == PTX_VALUE_F64 ? f64_of(v->bits) : (f64)f32_of((u32)v->bits);
    return type == PTX_F64 ? f64_bits(x) : f32_bits((f32)x);
}

/* What the name of an initialiser stands for. */
static uint64_t symbol_value(struct exec *x, const struct ptx_init *init) {
    for (int i = 0; i < x->module->n_functions; i++)
        if (strcmp(x->module->functions[i]->name, init->symbol) == 0)
            return WINDOW_BASE(WINDOW_FUNCTION) + 16 * (uint64_t)i +
                   init->value.bits;
    const struct region *r = find_symbol(x, init->symbol);
    if (!r)
        return 0;
    uint64_t base = r->constant && !init->generic
                        ? r->base - WINDOW_BASE(WINDOW_CONST)
                        : r->base;
    return base + init->value.bits;
}

static void initialise(struct exec *x, const struct ptx_variable *v) {
    struct region *r = find_symbol(x, v->name);
    uint64_t bytes = ((uint64_t)ptx_type_bits(v->type) + 7) / 8;
    for (int i = 0; r && bytes && bytes <= 8 && i < v->n_init; i++) {
        const struct ptx_init *init = &v->init[i];
        uint64_t value = init->symbol ? symbol_value(x, init)
                                      : number_of(&init->value, v->type);
        if (init->mask)
            value = (value & init->mask) >> __builtin_ctzll(init->mask);
        uint64_t at = (uint64_t)init->element;
        if (at >= r->size / bytes)
            continue;
        for (uint64_t b = 0; b < bytes; b++)
            r->data[at * bytes + b] = (uint8_t)(value >> 8 * b);
    }
}

/* Where the caller wants it. */
static bool map_variable(struct exec *x, const struct ptx_variable *v,
                         uint64_t size) {
    uint64_t address;
    void *data = x->options.place
                     ? x->options.place(x->options.ctx, v->name, &address)
                     : NULL;
    if (!data)
        return false;
    struct region *r = insert_region(x, address);
    *r = (struct region){.base = address,
                         .size = size,
                         .data = data,
                         .name = v->name,
                         .constant = v->space == PTX_SPACE_CONST,
                         .symbol = true,
                         .mapped = true};
    return true;
}

static bool place_variable(struct exec *x, const struct ptx_variable *v,
                           struct diag *d) {
    uint64_t size = (uint64_t)ptx_variable_size(v);
    uint64_t align = v->align > 0 ? (uint64_t)v->align : 16;
    uint64_t handle;
    if ((v->space != PTX_SPACE_GLOBAL && v->space != PTX_SPACE_CONST) ||
        !v->name || find_symbol(x, v->name) || texture_handle(x, v, &handle))
        return true;
    if (map_variable(x, v, size))
        return true;
    if ((align & (align - 1)) || align > 1 << 20)
        align = 16;
    struct region *r = add_region(x, v->name, size, align < 16 ? 16 : align,
                                  v->space == PTX_SPACE_CONST);
    if (!r) {
        diag_error(d, (struct place){x->module->source, v->line, v->column, 1},
                   "no memory for variable '%s' of %llu bytes", v->name,
                   (unsigned long long)size);
        return false;
    }
    r->symbol = true;
    return true;
}

/* Places for the variables of the module, with their first contents. */
bool memory_init(struct exec *x, struct diag *d) {
    const struct ptx_module *m = x->module;
    x->next_const = WINDOW_BASE(WINDOW_CONST) + 256;
    x->next_global =
        m->address_size == 32 ? (uint64_t)1 << 20 : (uint64_t)1 << 32;
    for (int i = 0; i < m->n_variables; i++)
        if (!place_variable(x, m->variables[i], d))
            return false;
    for (int i = 0; i < m->n_variables; i++)
        if (m->variables[i]->name)
            initialise(x, m->variables[i]);
    return true;
}

/* -------------------------------------------------------- local memory */

/* Local memory of at least size bytes a thread. */
uint8_t *local_reserve(struct warp *w, uint64_t size) {
    if (size <= w->local_size)
        return w->local;
    uint64_t old = w->local_size, now = (size + 63) & ~(uint64_t)63;
    if (now > WINDOW_SIZE)
        return w->local; /* accesses past the end are faults */
    uint8_t *local = xcalloc(LANES, now);
    for (int i = 0; old && i < LANES; i++)
        memcpy(local + (uint64_t)i * now, w->local + (uint64_t)i * old, old);
    free(w->local);
    w->local = local;
    w->local_size = now;
    return local;
}

/* fill.c - buffers in the executor's memory, and their first contents.
 *
 * Random contents are the same on every machine: element i is a hash of seed
 * and i (the finish of splitmix64), see kernels/README.md.
 */
#include "state.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash(uint64_t seed, uint64_t i) {
    uint64_t z = seed * 0xd1b54a32d192ed03u + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static int64_t random_int(uint64_t z, int64_t low, int64_t high) {
    uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    return (int64_t)((uint64_t)low + ((z >> 32) * span >> 32));
}

static bool fill_random(struct run *r, struct run_buffer *b) {
    const struct run_fill *f = &b->fill;
    struct expr_value low, high, sum = {0};
    if (!run_eval(r, f->low, f->at, r->arrays, &low) ||
        !run_eval(r, f->high, f->at, r->arrays, &high))
        return false;
    bool real = element_is_float(b->type);
    int64_t lo = expr_int(low), hi = expr_int(high);
    if (!real && (hi < lo || (uint64_t)hi - (uint64_t)lo > UINT32_MAX)) {
        diag_error(r->d, f->at,
                   "a range from %lld to %lld, expected one that ascends, "
                   "by less than 2^32",
                   (long long)lo, (long long)hi);
        return false;
    }
    if (real && f->kind == FILL_SUM) {
        diag_error(r->d, f->at, "a running sum needs an integer type");
        return false;
    }
    double from = expr_double(low), by = expr_double(high) - from;
    for (uint64_t i = 0; i < b->count; i++) {
        uint64_t z = hash(f->seed, i);
        struct expr_value v = {.is_float = real};
        if (real)
            v.f = from + by * ((double)(z >> 11) * 0x1p-53);
        else
            v.i = random_int(z, lo, hi);
        if (f->kind == FILL_SUM) {
            element_store(b->type, b->data, i, sum);
            sum.i = (int64_t)((uint64_t)sum.i + (uint64_t)v.i);
        } else {
            element_store(b->type, b->data, i, v);
        }
    }
    return true;
}

static bool fill_expr(struct run *r, struct run_buffer *b) {
    const struct run_fill *f = &b->fill;
    struct expr_context c = {.scalars = r->scalars.v, .arrays = r->arrays};
    for (uint64_t i = 0; i < b->count; i++) {
        r->scalars.v[r->slot_i].i = (int64_t)i;
        const struct expr *e = f->kind == FILL_EXPR
                                   ? f->expr
                                   : f->values[i % (uint64_t)f->n_values];
        element_store(b->type, b->data, i, expr_eval(e, &c));
        if (c.error) {
            diag_error(r->d, f->at, "no value for element %llu of '%s': %s",
                       (unsigned long long)i, b->name, c.error);
            return false;
        }
    }
    return true;
}

/* Raw little-endian contents of a file into data. */
static bool read_raw(struct run *r, const char *path, struct place at,
                     void *data, uint64_t size) {
    size_t len;
    char *text = text_read_file(path, &len);
    if (!text) {
        diag_error(r->d, at, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    bool ok = len >= size;
    if (ok)
        memcpy(data, text, size);
    else
        diag_error(r->d, at, "'%s' has %zu bytes, expected at least %llu", path,
                   len, (unsigned long long)size);
    free(text);
    return ok;
}

static uint64_t bytes_of(const struct run_buffer *b) {
    return b->count * (uint64_t)element_size(b->type);
}

static bool fill(struct run *r, struct run_buffer *b) {
    switch (b->fill.kind) {
    case FILL_EXPR:
    case FILL_VALUES:
        return fill_expr(r, b);
    case FILL_RANDOM:
    case FILL_SUM:
        return fill_random(r, b);
    case FILL_FILE:
        return read_raw(r, b->fill.path, b->fill.at, b->data, bytes_of(b));
    default:
        return true;
    }
}

static bool apply_sets(struct run *r, struct run_buffer *b) {
    for (int i = 0; i < b->n_sets; i++) {
        struct expr_value index, value;
        if (!run_eval(r, b->sets[i].index, b->sets[i].at, r->arrays, &index) ||
            !run_eval(r, b->sets[i].value, b->sets[i].at, r->arrays, &value))
            return false;
        if (!expr_is_int(index) || expr_int(index) < 0 ||
            (uint64_t)expr_int(index) >= b->count) {
            diag_error(
                r->d, b->sets[i].at, "index %lld of '%s', expected 0 to %lld",
                (long long)expr_int(index), b->name, (long long)b->count - 1);
            return false;
        }
        element_store(b->type, b->data, (uint64_t)expr_int(index), value);
    }
    return true;
}

/* Where the buffer lies: memory of its own, or a variable of the module. */
static bool place(struct run *r, struct run_buffer *b) {
    uint64_t size = bytes_of(b), have;
    if (!b->symbol) {
        if (exec_buffer(r->exec, b->name, size, b->align, &b->address,
                        &b->data))
            return true;
        diag_error(r->d, b->at, "no memory for buffer '%s' of %llu bytes",
                   b->name, (unsigned long long)size);
        return false;
    }
    b->data = exec_symbol(r->exec, b->symbol, &have, &b->address);
    if (b->data && size <= have)
        return true;
    if (b->data)
        diag_error(r->d, b->at,
                   "buffer '%s' has %llu bytes, but variable '%s' only %llu",
                   b->name, (unsigned long long)size, b->symbol,
                   (unsigned long long)have);
    else
        diag_error(r->d, b->at, "no variable '%s' in '%s'", b->symbol,
                   r->ptx_path);
    return false;
}

/* ------------------------------------------------------- what is expected */

/* The elements to compare: from first to before the result. */
static uint64_t check_end(const struct run_buffer *b) {
    const struct run_check *c = &b->check;
    uint64_t rest = c->first < b->count ? b->count - c->first : 0;
    return c->first + (c->has_count && c->count < rest ? c->count : rest);
}

static bool expect(struct run *r, struct run_buffer *b) {
    struct expr_context c = {.scalars = r->scalars.v, .arrays = r->arrays};
    uint64_t size = (uint64_t)element_size(b->type), end = check_end(b);
    b->wanted = xcalloc(b->count ? b->count : 1, size);
    if (b->check.path) /* it need not go on behind what is compared */
        return read_raw(r, b->check.path, b->check.at, b->wanted, end * size);
    for (uint64_t i = b->check.first; i < end; i++) {
        r->scalars.v[r->slot_i].i = (int64_t)i;
        element_store(b->type, b->wanted, i, expr_eval(b->check.expect, &c));
        if (!c.error)
            continue;
        diag_error(r->d, b->check.at, "no value for element %llu of '%s': %s",
                   (unsigned long long)i, b->name, c.error);
        return false;
    }
    return true;
}

/* What is expected, while the first contents are there; the reference works on
 * a copy of them. */
static bool prepare_checks(struct run *r) {
    bool reference = false;
    for (int i = 0; i < r->n_buffers; i++) {
        struct run_buffer *b = &r->buffers[i];
        if (!b->check.wanted)
            continue;
        if (b->check.first > b->count) {
            diag_error(r->d, b->check.at,
                       "'first' is %llu, but buffer '%s' has %llu elements",
                       (unsigned long long)b->check.first, b->name,
                       (unsigned long long)b->count);
            return false;
        }
        if (b->check.expect || b->check.path) {
            if (!expect(r, b))
                return false;
        } else {
            reference = true;
        }
    }
    for (int i = 0; reference && i < r->n_buffers; i++) {
        struct run_buffer *b = &r->buffers[i];
        uint64_t size = bytes_of(b);
        b->initial = xmalloc(size ? size : 1);
        memcpy(b->initial, b->data, size);
    }
    return !reference || run_reference(r);
}

bool run_fill_buffers(struct run *r) {
    for (int i = 0; i < r->n_buffers; i++) {
        struct run_buffer *b = &r->buffers[i];
        if (!place(r, b))
            return false;
        r->arrays[i].data = b->data;
        if (!fill(r, b) || !apply_sets(r, b))
            return false;
    }
    return prepare_checks(r);
}

bool run_buffer_at(const struct run *r, int n, struct run_place *place) {
    if (n < 0 || n >= r->n_buffers)
        return false;
    const struct run_buffer *b = &r->buffers[n];
    *place = (struct run_place){b->name, b->address,
                                b->count * (uint64_t)element_size(b->type)};
    return true;
}

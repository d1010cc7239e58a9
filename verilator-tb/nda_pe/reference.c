/* reference.c - what an operation does, by plain loops over its elements. */
#include "reference.h"

#include "base/arena.h"
#include "base/diag.h"
#include "blocks/nda_pe.h"
#include "fma/oracle.h"

#include <stdlib.h>
#include <string.h>

enum { X, Y, Z, W, MOST_ROWS = 1024 };

struct run {
    const struct pe_operation *op;
    uint64_t batch;
    const uint64_t *memory;
    struct pe_expected *e;
};

/* --- arithmetic, rounded to nearest --------------------------------------- */

static uint32_t fma3(uint32_t a, uint32_t b, uint32_t c) {
    return fma_ieee(a, b, c, true, FMA_RN);
}

static uint32_t times(uint32_t a, uint32_t b) {
    return fma_ieee(a, b, 0, false, FMA_RN);
}

static uint32_t plus(uint32_t a, uint32_t b) {
    return fma_ieee(a, 0x3f800000, b, true, FMA_RN);
}

/* --- accesses ------------------------------------------------------------- */

static uint64_t word(const struct run *r, int k, uint64_t i) {
    return r->memory[(r->op->base[k] + i) % PE_WINDOW];
}

static uint32_t element(const struct run *r, int k, uint64_t i) {
    return (uint32_t)(word(r, k, i / 2) >> i % 2 * 32);
}

/* Word i of an operand is read or written; false once it may not. */
static bool access(struct run *r, int k, uint64_t i, bool write,
                   uint64_t data) {
    struct pe_expected *e = r->e;
    uint64_t address = r->op->base[k] + i;
    if (e->cause)
        return false;
    if (address > r->op->last[k]) {
        e->cause = NDA_PE_BOUND;
        e->operand = k;
        e->write = write;
        e->address = address;
        return false;
    }
    if (e->n == e->capacity) {
        e->capacity = e->capacity ? 2 * e->capacity : 1024;
        e->list = xrealloc(e->list, e->capacity * sizeof *e->list);
        if (!e->list)
            BUG("out of memory for %zu accesses", e->capacity);
    }
    e->list[e->n++] =
        (struct pe_access){.write = write, .address = address, .data = data};
    return true;
}

static void reads(struct run *r, int k, uint64_t from, uint64_t n) {
    for (uint64_t i = from; i < from + n; i++)
        if (!access(r, k, i, false, 0))
            return;
}

/* --- element by element --------------------------------------------------- */

/* Element i of the result, in the note's order of operations. */
static uint32_t result(const struct run *r, uint64_t i) {
    const uint32_t *s = r->op->scalar;
    uint32_t x = element(r, X, i), y = element(r, Y, i), z = element(r, Z, i);
    switch (r->op->op) {
    case NDA_PE_AXPBY:
        return fma3(s[1], y, times(s[0], x));
    case NDA_PE_AXPBYPCZ:
        return fma3(s[2], z, fma3(s[1], y, times(s[0], x)));
    case NDA_PE_AXPY:
        return fma3(s[0], y, x);
    case NDA_PE_XMY:
        return times(x, y);
    case NDA_PE_SCAL:
        return times(s[0], x);
    default:
        return x;
    }
}

static void vectors(struct run *r, int inputs, int output) {
    for (uint64_t at = 0; at < r->op->length; at += r->batch) {
        uint64_t rest = r->op->length - at;
        uint64_t n = rest < r->batch ? rest : r->batch;
        for (int k = 0; k < inputs; k++)
            reads(r, k, at, n);
        for (uint64_t i = at; i < at + n; i++)
            if (!access(r, output, i, true,
                        (uint64_t)result(r, 2 * i + 1) << 32 |
                            result(r, 2 * i)))
                return;
    }
}

/* --- sums ----------------------------------------------------------------- */

static void dot(struct run *r, int second) {
    uint32_t even = 0, odd = 0;
    for (uint64_t at = 0; at < r->op->length; at += r->batch) {
        uint64_t rest = r->op->length - at;
        uint64_t n = rest < r->batch ? rest : r->batch;
        for (int k = X; k <= second; k++)
            reads(r, k, at, n);
    }
    for (uint64_t i = 0; i < r->op->length; i++) {
        even = fma3(element(r, second, 2 * i), element(r, X, 2 * i), even);
        odd =
            fma3(element(r, second, 2 * i + 1), element(r, X, 2 * i + 1), odd);
    }
    if (!r->e->cause && r->op->length)
        r->e->value = plus(even, odd);
}

static void gemv(struct run *r) {
    uint64_t rows = r->op->rows, length = r->op->length;
    uint32_t y[MOST_ROWS + 1] = {0};
    for (uint64_t at = 0; at < length; at += r->batch) {
        uint64_t n = length - at < r->batch ? length - at : r->batch;
        reads(r, X, at, n);
        for (uint64_t row = 0; row < rows && !r->e->cause; row++) {
            uint32_t even = y[row], odd = 0;
            reads(r, Z, row * length + at, n);
            for (uint64_t i = at; i < at + n; i++) {
                uint64_t a = 2 * (row * length + i);
                even = fma3(element(r, Z, a), element(r, X, 2 * i), even);
                odd = fma3(element(r, Z, a + 1), element(r, X, 2 * i + 1), odd);
            }
            y[row] = plus(even, odd);
        }
    }
    for (uint64_t i = 0; i < (rows + 1) / 2; i++)
        access(r, Y, i, true,
               (uint64_t)(2 * i + 1 < rows ? y[2 * i + 1] : 0) << 32 |
                   y[2 * i]);
}

void pe_reference(const struct pe_operation *op, int batch,
                  const uint64_t *memory, struct pe_expected *e) {
    struct run r = {
        .op = op, .batch = (uint64_t)batch, .memory = memory, .e = e};
    e->n = 0;
    e->cause = NDA_PE_NONE;
    e->operand = 0;
    e->write = false;
    e->address = e->value = 0;
    if (op->op > NDA_PE_GEMV)
        e->cause = NDA_PE_OPERATION;
    else if (op->op == NDA_PE_GEMV && op->rows > 2 * r.batch)
        e->cause = NDA_PE_ROWS;
    if (e->cause || op->length == 0 || (op->op == NDA_PE_GEMV && op->rows == 0))
        return;
    switch (op->op) {
    case NDA_PE_AXPBY:
    case NDA_PE_XMY:
        vectors(&r, 2, Z);
        break;
    case NDA_PE_AXPBYPCZ:
        vectors(&r, 3, W);
        break;
    case NDA_PE_AXPY:
        vectors(&r, 2, Y);
        break;
    case NDA_PE_COPY:
        vectors(&r, 1, Y);
        break;
    case NDA_PE_SCAL:
        vectors(&r, 1, X);
        break;
    case NDA_PE_DOT:
        dot(&r, Y);
        break;
    case NDA_PE_NRM2:
        dot(&r, X);
        break;
    default:
        gemv(&r);
    }
}

void pe_expected_free(struct pe_expected *e) {
    free(e->list);
    e->list = NULL;
}

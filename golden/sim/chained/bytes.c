/* bytes.c - see state.h: a table by address, with linear probing. */
#include "state.h"

#include <string.h>

#define TAKEN ((uint64_t)1 << 40)

void bytes_open(struct bytes *b, const struct isa_memory *behind) {
    *b = (struct bytes){.size = 1024, .behind = behind};
    b->slot = xcalloc(b->size, sizeof *b->slot);
}

void bytes_close(struct bytes *b) {
    free(b->slot);
}

static uint64_t *find(const struct bytes *b, uint32_t at) {
    size_t i = at * UINT64_C(0x9e3779b97f4a7c15) >> 24;
    while ((b->slot[i % b->size] & TAKEN) &&
           (uint32_t)b->slot[i % b->size] != at)
        i++;
    return &b->slot[i % b->size];
}

static void put(struct bytes *b, uint32_t at, uint8_t value) {
    if (2 * b->n >= b->size) {
        uint64_t *old = b->slot;
        size_t size = b->size;
        b->size *= 2;
        b->slot = xcalloc(b->size, sizeof *b->slot);
        for (size_t i = 0; i < size; i++)
            if (old[i] & TAKEN)
                *find(b, (uint32_t)old[i]) = old[i];
        free(old);
    }
    uint64_t *s = find(b, at);
    b->n += !(*s & TAKEN);
    *s = TAKEN | (uint64_t)value << 32 | at;
}

bool bytes_load(const struct bytes *b, uint32_t at, int n, uint32_t *value) {
    *value = 0;
    for (int i = 0; i < n; i++) {
        uint64_t s = *find(b, at + (uint32_t)i);
        uint32_t v = (uint32_t)(s >> 32 & 255);
        if (!(s & TAKEN) &&
            !b->behind->load(b->behind->ctx, at + (uint32_t)i, 1, &v))
            return false;
        *value |= v << 8 * i;
    }
    return true;
}

void bytes_store(struct bytes *b, uint32_t at, int n, uint32_t value) {
    for (int i = 0; i < n; i++)
        put(b, at + (uint32_t)i, (uint8_t)(value >> 8 * i));
}

bool bytes_keep(struct bytes *b, uint32_t at, int n) {
    for (int i = 0; i < n; i++) {
        uint32_t v;
        if (*find(b, at + (uint32_t)i) & TAKEN)
            continue;
        if (!b->behind->load(b->behind->ctx, at + (uint32_t)i, 1, &v))
            return false;
        put(b, at + (uint32_t)i, (uint8_t)v);
    }
    return true;
}

bool bytes_settle(struct bytes *b, uint32_t *address) {
    const struct isa_memory *m = b->behind;
    bool same = true;
    for (size_t i = 0; i < b->size; i++) {
        uint32_t at = (uint32_t)b->slot[i], v = 0;
        uint32_t own = (uint32_t)(b->slot[i] >> 32 & 255);
        if (!(b->slot[i] & TAKEN))
            continue;
        if (!m->load(m->ctx, at, 1, &v) || v != own) {
            *address = same || at < *address ? at : *address;
            same = false;
        }
        m->store(m->ctx, at, 1, own);
    }
    return same;
}

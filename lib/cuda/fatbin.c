/* fatbin.c - see fatbin.h.
 *
 * ndpcu gives the PTX itself, as text.  nvcc gives a container: a header, and
 * entries of a header and data each.  Of several the PTX of the highest
 * architecture is taken; compressed data is LZ4 blocks or zstd.
 */
#include "fatbin.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <lz4.h>
#include <zstd.h>

#define WRAPPER_MAGIC 0x466243b1u
#define CONTAINER_MAGIC 0xba55ed50u

struct wrapper {
    uint32_t magic, version;
    const void *data;
    void *unused;
};

struct container {
    uint32_t magic;
    uint16_t version, header;
    uint64_t bytes; /* of the entries */
};

enum { KIND_PTX = 1, COMPRESSED_LZ4 = 0x2000, COMPRESSED_ZSTD = 0x8000 };

struct entry {
    uint16_t kind, version;
    uint32_t header;
    uint64_t bytes;
    uint32_t compressed, options;
    uint16_t minor, major;
    uint32_t architecture, name_offset, name_bytes;
    uint64_t flags, reserved, plain_bytes;
};

/* The packed bytes of an entry; false: they are broken. */
static bool unpack(const struct entry *e, const char *data, char *out) {
    size_t room = e->plain_bytes;
    if (e->compressed > e->bytes || room > INT32_MAX)
        return false;
    if (e->flags & COMPRESSED_ZSTD)
        return ZSTD_decompress(out, room, data, e->compressed) == room;
    return LZ4_decompress_safe(data, out, (int)e->compressed, (int)room) ==
           (int)room;
}

/* Why the entry cannot be read; NULL: it has been taken. */
static const char *take(const struct entry *e, const char **ptx, size_t *bytes,
                        char **owned) {
    const char *data = (const char *)e + e->header;
    free(*owned);
    *owned = NULL;
    if (!(e->flags & (COMPRESSED_LZ4 | COMPRESSED_ZSTD))) {
        *ptx = data;
        *bytes = e->bytes;
        return NULL;
    }
    *owned = xcalloc(e->plain_bytes + 1, 1);
    if (!unpack(e, data, *owned))
        return "its compressed PTX is broken";
    *ptx = *owned;
    *bytes = e->plain_bytes;
    return NULL;
}

static const char *search(const struct container *c, const char **ptx,
                          size_t *bytes, char **owned) {
    const char *at = (const char *)c + c->header, *end = at + c->bytes;
    const char *why = "it has no PTX, only code for GPUs";
    uint32_t best = 0;
    while (at + sizeof(struct entry) <= end) {
        const struct entry *e = (const struct entry *)(const void *)at;
        if (e->header < sizeof *e ||
            e->bytes > (uint64_t)(end - at) - e->header)
            return "its fat binary is broken";
        if (e->kind == KIND_PTX && e->architecture >= best) {
            best = e->architecture;
            why = take(e, ptx, bytes, owned);
        }
        at += e->header + e->bytes;
    }
    return why;
}

const char *fatbin_ptx(const void *wrapper, const char **ptx, size_t *bytes,
                       char **owned) {
    const struct wrapper *w = wrapper;
    *ptx = *owned = NULL;
    *bytes = 0;
    if (!w || w->magic != WRAPPER_MAGIC || !w->data)
        return "it is of a compiler that is not known";
    const struct container *c = w->data;
    if (c->magic == CONTAINER_MAGIC)
        return search(c, ptx, bytes, owned);
    *ptx = w->data;
    *bytes = strlen(*ptx);
    return NULL;
}

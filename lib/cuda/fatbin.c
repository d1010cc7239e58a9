/* fatbin.c - see fatbin.h.
 *
 * ndpcu gives the PTX itself, as text.  nvcc gives a container: a header, and
 * entries of a header and data each.  Of several the PTX of the highest
 * architecture is taken; compressed data is LZ4 blocks.
 */
#include "fatbin.h"

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

/* A length that goes on while its bytes are 255. */
static size_t more(const uint8_t **from, const uint8_t *end, size_t n) {
    uint8_t b = 255;
    while (b == 255 && *from < end)
        n += b = *(*from)++;
    return n;
}

/* LZ4's block format; false: it is broken. */
static int unpack(const uint8_t *from, size_t n, uint8_t *out, size_t room) {
    const uint8_t *end = from + n;
    size_t at = 0;
    while (from < end) {
        uint8_t token = *from++;
        size_t literals = token >> 4, match = token & 15;
        if (literals == 15)
            literals = more(&from, end, literals);
        if (literals > (size_t)(end - from) || literals > room - at)
            return 0;
        memcpy(out + at, from, literals);
        at += literals;
        from += literals;
        if (end - from < 2)
            break;
        size_t back = from[0] | (size_t)from[1] << 8;
        from += 2;
        if (match == 15)
            match = more(&from, end, match);
        match += 4;
        if (back == 0 || back > at || match > room - at)
            return 0;
        for (; match; match--, at++)
            out[at] = out[at - back];
    }
    return at == room;
}

/* Why the entry cannot be read; NULL: it has been taken. */
static const char *take(const struct entry *e, const char **ptx, size_t *bytes,
                        char **owned) {
    const char *data = (const char *)e + e->header;
    if (e->flags & COMPRESSED_ZSTD)
        return "its PTX is compressed by zstd, compile with nvcc "
               "--compress-mode=speed or --no-compress";
    free(*owned);
    *owned = NULL;
    if (!(e->flags & COMPRESSED_LZ4)) {
        *ptx = data;
        *bytes = e->bytes;
        return NULL;
    }
    *owned = xcalloc(e->plain_bytes + 1, 1);
    if (!unpack((const uint8_t *)data, e->compressed, (uint8_t *)*owned,
                e->plain_bytes))
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

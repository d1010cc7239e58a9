/* memory.c - who has which part of a machine's memory, and copies. */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

/* Memory is given in units of this; the first unit is never given, as the first
 * 256 bytes are not mapped, so that null pointers fault. */
static uint32_t unit_of_memory(const struct ndp_device *d) {
    uint32_t round = ndp_unit_round(d);
    return round > 256 ? round : 256;
}

enum { GUARD = 4096 };

/* What is free, all together and in one piece. */
static ndpResult no_room(ndpDevice d, uint64_t bytes, const char *what) {
    uint32_t unit = unit_of_memory(d);
    uint64_t end = (uint64_t)4 * d->shape.memory_words, from = unit;
    uint64_t all = 0, most = 0;
    for (const struct ndp_block *b = d->taken;; b = b->next) {
        uint64_t to = b ? b->at : end;
        uint64_t gap = to > from ? to - from : 0;
        all += gap;
        most = gap > most ? gap : most;
        if (!b)
            break;
        from = (uint64_t)b->at + b->bytes;
    }
    return ndp_fail(
        d, NDP_ERROR_OUT_OF_MEMORY,
        "no room for %s of %llu bytes: %llu of the %llu bytes of the "
        "device's memory are free, %llu at most in one piece",
        what, (unsigned long long)bytes, (unsigned long long)all,
        (unsigned long long)end, (unsigned long long)most);
}

/* First fit. */
ndpResult ndp_take(ndpDevice d, uint64_t bytes, const char *what,
                   uint32_t *at) {
    uint32_t unit = unit_of_memory(d);
    uint64_t end = (uint64_t)4 * d->shape.memory_words, from = unit;
    uint64_t size = (bytes + unit - 1) / unit * unit;
    struct ndp_block **link = &d->taken;
    if (d->engine && !d->port)
        size += GUARD; /* so that an index that runs off is noticed */
    while (*link && (*link)->at - from < size) {
        from = (uint64_t)(*link)->at + (*link)->bytes;
        link = &(*link)->next;
    }
    if (from + bytes > end)
        return no_room(d, bytes, what);
    struct ndp_block *b = malloc(sizeof *b);
    if (!b)
        return ndp_fail(d, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    *b = (struct ndp_block){(uint32_t)from, (uint32_t)size, (uint32_t)bytes,
                            NULL, *link};
    *link = b;
    *at = b->at;
    return NDP_SUCCESS;
}

bool ndp_give(ndpDevice d, uint32_t at) {
    for (struct ndp_block **link = &d->taken; *link; link = &(*link)->next) {
        struct ndp_block *b = *link;
        if (b->at != at)
            continue;
        *link = b->next;
        if (b->data)
            d->engine->class->give(d->engine, at);
        free(b);
        return true;
    }
    return false;
}

ndpResult ndp_take_for(ndpDevice d, uint32_t bytes, const char *what,
                       const struct ndp_module *owner, uint32_t *at) {
    ndpResult r = ndp_take(d, bytes, what, at);
    if (r != NDP_SUCCESS || !d->engine)
        return r;
    struct ndp_block *b = d->taken;
    while (b->at != *at)
        b = b->next;
    b->data = d->engine->class->take(d->engine, *at, bytes, owner);
    if (b->data)
        return r;
    ndp_give(d, *at);
    return ndp_fail(d, NDP_ERROR_OUT_OF_MEMORY, "no memory for %u bytes",
                    (unsigned)bytes);
}

ndpResult ndpMemAlloc(ndpDevicePtr *at, ndpDevice device, size_t bytes) {
    if (!device)
        return NDP_ERROR_INVALID_VALUE;
    if (!at || bytes == 0)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "expected 1 byte or more of memory");
    if (bytes > UINT32_MAX - unit_of_memory(device))
        return ndp_fail(device, NDP_ERROR_OUT_OF_MEMORY,
                        "%zu bytes are more than a device can have", bytes);
    return ndp_take_for(device, (uint32_t)bytes, "memory", NULL, at);
}

ndpResult ndpMemFree(ndpDevice device, ndpDevicePtr at) {
    ndpResult r = ndp_wait(device, 0);
    if (r == NDP_SUCCESS && at != 0 && !ndp_give(device, at))
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "0x%x was not given by ndpMemAlloc", (unsigned)at);
    return r;
}

/* Whose memory so many bytes are; NULL: nobody's, or of several. */
static const struct ndp_block *owner(ndpDevice d, uint32_t at, size_t bytes) {
    for (const struct ndp_block *b = d->taken; b; b = b->next)
        if (at >= b->at && at - b->at <= b->asked &&
            bytes <= b->asked - (at - b->at))
            return b;
    return NULL;
}

/* Before a copy: nothing runs, and all of it is memory that somebody has. */
static ndpResult check(ndpDevice d, uint32_t at, const void *host,
                       size_t bytes) {
    ndpResult r = ndp_wait(d, 0);
    if (r != NDP_SUCCESS || bytes == 0)
        return r;
    if (!host)
        return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                        "a copy of %zu bytes has no host memory", bytes);
    if (owner(d, at, bytes))
        return NDP_SUCCESS;
    return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                    "%zu bytes at 0x%x do not lie in memory of one "
                    "ndpMemAlloc",
                    bytes, (unsigned)at);
}

ndpResult ndpDeviceSetWindow(ndpDevice device, int on) {
    device->by_window = on != 0;
    return NDP_SUCCESS;
}

/* All of them through the window, or those that the port leaves to it. */
static ndpResult copy_words(ndpDevice d, bool write, uint32_t at,
                            uint32_t *words, size_t n) {
    ndpResult r = NDP_SUCCESS;
    if (d->by_window || !d->port->class->copy)
        return write ? ndp_write_words(d, at, words, n)
                     : ndp_read_words(d, at, words, n);
    bool *left = calloc(n, sizeof *left);
    if (!left)
        return ndp_fail(d, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    d->port->class->copy(d->port, write, at, words, n, left);
    for (size_t i = 0; i < n && r == NDP_SUCCESS; i++) {
        uint32_t to = at + 4 * (uint32_t)i;
        if (left[i])
            r = write ? ndp_write_words(d, to, &words[i], 1)
                      : ndp_read_words(d, to, &words[i], 1);
    }
    free(left);
    return r;
}

/* Words at, with the bytes of the first and last that stay as they are.  Those
 * behind the end of what somebody has are not asked for: nobody has written
 * them, and a simulation may not know them. */
ndpResult ndpMemcpyHtoD(ndpDevice device, ndpDevicePtr to, const void *from,
                        size_t bytes) {
    ndpResult r = check(device, to, from, bytes);
    if (r != NDP_SUCCESS || bytes == 0)
        return r;
    if (!device->port) {
        const struct ndp_block *at = owner(device, to, bytes);
        memcpy(at->data + (to - at->at), from, bytes);
        return r;
    }
    uint32_t first = to & ~3u;
    size_t n = ((to - first) + bytes + 3) / 4;
    uint32_t *words = calloc(n, 4);
    if (!words)
        return ndp_fail(device, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    if (to != first)
        r = copy_words(device, false, first, words, 1);
    const struct ndp_block *b = owner(device, to, bytes);
    bool is_end = to - b->at + bytes == b->asked;
    if (r == NDP_SUCCESS && (to + bytes) % 4 != 0 && !is_end)
        r = copy_words(device, false, first + 4 * (uint32_t)(n - 1),
                       words + n - 1, 1);
    memcpy((uint8_t *)words + (to - first), from, bytes);
    if (r == NDP_SUCCESS)
        r = copy_words(device, true, first, words, n);
    free(words);
    return r;
}

ndpResult ndpMemsetD8(ndpDevice device, ndpDevicePtr to, uint8_t value,
                      size_t bytes) {
    uint8_t *from = bytes ? malloc(bytes) : NULL;
    if (!from)
        return bytes
                   ? ndp_fail(device, NDP_ERROR_OUT_OF_MEMORY, "out of memory")
                   : NDP_SUCCESS;
    memset(from, value, bytes);
    ndpResult r = ndpMemcpyHtoD(device, to, from, bytes);
    free(from);
    return r;
}

ndpResult ndpMemcpyDtoH(ndpDevice device, void *to, ndpDevicePtr from,
                        size_t bytes) {
    ndpResult r = check(device, from, to, bytes);
    if (r != NDP_SUCCESS || bytes == 0)
        return r;
    if (!device->port) {
        const struct ndp_block *at = owner(device, from, bytes);
        memcpy(to, at->data + (from - at->at), bytes);
        return r;
    }
    uint32_t first = from & ~3u;
    size_t n = ((from - first) + bytes + 3) / 4;
    uint32_t *words = calloc(n, 4);
    if (!words)
        return ndp_fail(device, NDP_ERROR_OUT_OF_MEMORY, "out of memory");
    r = copy_words(device, false, first, words, n);
    if (r == NDP_SUCCESS)
        memcpy(to, (const uint8_t *)words + (from - first), bytes);
    free(words);
    return r;
}

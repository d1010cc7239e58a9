/* images.c - machines with caches, and of these those with a pattern-aware
 * prefetcher (docs/blocks/image.md): whether it prefetches, which images it knows,
 * and what all of them have counted.
 */
#include "runtime.h"

#include "blocks/cache.h"
#include "blocks/prefetch.h"
#include "blocks/relay.h"
#include "blocks/splice.h"
#include "blocks/stride.h"
#include "papers/image/entry.h"

#include <stdlib.h>
#include <string.h>

static const struct iface *const kinds[NDP_PREFETCH_PARTS] = {
    &cache_iface, &splice_iface, &prefetch_iface, &stride_iface};

/* The parts' regions stand behind the host port's or the relays', each of the same
 * size, a power of two.  On a machine without a cache the search would leave the
 * addresses that its register port has. */
ndpResult ndp_find_cache(ndpDevice d) {
    struct ndp_access a = {NDP_READ, REG_ID, 0};
    const struct iface *m;
    ndpResult r = ndp_machine(d, &m);
    uint32_t stride = 32;
    if (r != NDP_SUCCESS || !iface_has(m, &cache_iface) ||
        iface_has(m, &relay_iface))
        return r;
    for (; stride <= 1024 && r == NDP_SUCCESS; stride *= 2) {
        a.address = d->base + stride;
        r = ndp_accesses(d, &a, 1);
        if (a.data == iface_id(kinds[0]))
            break;
    }
    return r == NDP_SUCCESS ? ndp_find_caches(d, m, 1, d->base + stride, stride)
                            : r;
}

/* All parts of one kind, then those of the next. */
ndpResult ndp_find_caches(ndpDevice d, const struct iface *m, int n,
                          uint32_t first, uint32_t stride) {
    bool prefetches = iface_has(m, &prefetch_iface);
    int n_kinds = prefetches ? NDP_PREFETCH_PARTS : NDP_CACHE + 1;
    for (int i = 0; i < n_kinds * n; i++) {
        struct ndp_access a = {NDP_READ, first + (uint32_t)i * stride, 0};
        ndpResult r = ndp_accesses(d, &a, 1);
        if (r != NDP_SUCCESS)
            return r;
        if (a.data != iface_id(kinds[i / n]))
            return ndp_fail(d, NDP_ERROR_INVALID_DEVICE,
                            "the device has no %s behind its host port",
                            kinds[i / n]->title);
        if (i % n == 0)
            d->parts[i / n] = a.address;
    }
    d->part_step = stride;
    d->caches = n;
    d->prefetchers = prefetches ? n : 0;
    return NDP_SUCCESS;
}

/* A register of a part of an SM. */
static uint32_t part_register(const struct ndp_device *d, int sm, int part,
                              int at) {
    return d->parts[part] + (uint32_t)sm * d->part_step + (uint32_t)at;
}

static ndpResult no_prefetcher(ndpDevice d, ndpResult r) {
    return ndp_fail(d, r,
                    "the device has no pattern-aware prefetcher, as "
                    "'golden:image' has");
}

static bool has_prefetcher(const struct ndp_device *d) {
    return d->prefetchers != 0;
}

ndpResult ndpDeviceSetPrefetch(ndpDevice device, ndpPrefetch prefetch) {
    ndpResult r = ndp_wait(device, 0);
    if (r != NDP_SUCCESS)
        return r;
    if (!has_prefetcher(device))
        return no_prefetcher(device, NDP_ERROR_INVALID_VALUE);
    if ((int)prefetch < NDP_PREFETCH_PATTERN || prefetch > NDP_PREFETCH_STRIDE)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "prefetch %d, expected 0 to 2", (int)prefetch);
    device->prefetch = prefetch;
    for (int i = 0; i < device->prefetchers && r == NDP_SUCCESS; i++) {
        struct ndp_access list[] = {
            {NDP_WRITE,
             part_register(device, i, NDP_PREFETCH,
                           REG_FIRST + PREFETCH_SET_enable),
             prefetch == NDP_PREFETCH_PATTERN},
            {NDP_WRITE,
             part_register(device, i, NDP_STRIDE,
                           REG_FIRST + STRIDE_SET_enable),
             prefetch == NDP_PREFETCH_STRIDE}};
        r = ndp_accesses(device, list, 2);
    }
    return r;
}

/* --- images --------------------------------------------------------------- */

/* Of the first SM: all have the same sizes. */
static ndpResult status(ndpDevice d, int n, int *value) {
    struct ndp_access a = {
        NDP_READ,
        part_register(d, 0, NDP_SPLICE, iface_first_status(&splice_iface) + n),
        0};
    ndpResult r = ndp_accesses(d, &a, 1);
    *value = (int)a.data;
    return r;
}

ndpResult ndpDeviceGetImages(int *images, ndpDevice device) {
    *images = 0;
    if (!has_prefetcher(device) || device->prefetch != NDP_PREFETCH_PATTERN)
        return NDP_SUCCESS;
    return status(device, SPLICE_STA_images, images);
}

/* The prefetcher's sizes, as far as entries depend on them. */
static ndpResult sizes(ndpDevice d, struct config *c) {
    const struct {
        int status, *to;
    } all[] = {{SPLICE_STA_images, &c->prefetch_images},
               {SPLICE_STA_divider, &c->prefetch_divider},
               {SPLICE_STA_size_bits, &c->prefetch_size_bits},
               {SPLICE_STA_pitch_bits, &c->prefetch_pitch_bits},
               {SPLICE_STA_row_bits, &c->prefetch_row_bits}};
    ndpResult r = NDP_SUCCESS;
    config_defaults(c);
    for (size_t i = 0; i < sizeof all / sizeof *all && r == NDP_SUCCESS; i++)
        r = status(d, all[i].status, all[i].to);
    return r;
}

static ndpResult check_walks(ndpDevice d, const ndpWalk *walks, int n,
                             int images) {
    uint64_t memory = (uint64_t)4 * d->shape.memory_words;
    if (n > images)
        return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                        "%d images, the prefetcher's table holds %d", n,
                        images);
    for (int i = 0; i < n; i++)
        if ((uint64_t)walks[i].start + walks[i].size > memory)
            return ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                            "image %d is %u bytes at 0x%x, outside the %llu "
                            "bytes of memory",
                            i, (unsigned)walks[i].size,
                            (unsigned)walks[i].start,
                            (unsigned long long)memory);
    return NDP_SUCCESS;
}

static const char *entry_of(const struct design *d, const ndpWalk *w,
                            uint64_t *entry) {
    const struct prefetch_walk walk = {.start = w->start,
                                       .size = w->size,
                                       .pitch = w->pitch,
                                       .along_y = w->along_y,
                                       .printed = w->printed,
                                       .block_x = w->block_x,
                                       .block_y = w->block_y,
                                       .x_lo = w->x_lo,
                                       .x_hi = w->x_hi,
                                       .y_lo = w->y_lo,
                                       .y_hi = w->y_hi};
    return prefetch_entry(d, &walk, entry);
}

/* Entries go to index 0 and on, lowest words first. */
static ndpResult load_entry(ndpDevice d, int sm, const uint64_t *entry,
                            int bits) {
    uint32_t first =
        part_register(d, sm, NDP_SPLICE, iface_first_command(&splice_iface));
    struct ndp_access list[2 * PREFETCH_ENTRY_WORDS + 1];
    int n = 0;
    for (int at = 0; at < bits; at += 32)
        list[n++] = (struct ndp_access){NDP_WRITE, first + SPLICE_COM_word,
                                        (uint32_t)(entry[at / 64] >> at % 64)};
    list[n++] = (struct ndp_access){NDP_WRITE, first + SPLICE_COM_load, 1};
    return ndp_accesses(d, list, n);
}

/* All entries are made before the first is loaded. */
static ndpResult load_walks(ndpDevice d, int sm, const struct config *c,
                            const ndpWalk *walks, int n) {
    uint64_t entry[8][PREFETCH_ENTRY_WORDS] = {{0}};
    struct design *block = design_make(&prefetch_iface, c);
    struct ndp_access index = {
        NDP_WRITE,
        part_register(d, sm, NDP_SPLICE,
                      iface_first_command(&splice_iface) + SPLICE_COM_index),
        0};
    const char *problem = NULL;
    ndpResult r = NDP_SUCCESS;
    for (int i = 0; i < n && !problem; i++)
        if ((problem = entry_of(block, &walks[i], entry[i])))
            r = ndp_fail(d, NDP_ERROR_INVALID_VALUE,
                         "image %d cannot be held: %s", i, problem);
    if (r == NDP_SUCCESS)
        r = ndp_accesses(d, &index, 1);
    for (int i = 0; i < c->prefetch_images && r == NDP_SUCCESS; i++)
        r = load_entry(d, sm, entry[i], block->record[PREFETCH_REC_entry].bits);
    design_free(block);
    return r;
}

ndpResult ndpDeviceSetWalksOf(ndpDevice device, int sm, const ndpWalk *walks,
                              int n) {
    struct config c;
    if (!has_prefetcher(device))
        return no_prefetcher(device, NDP_ERROR_INVALID_VALUE);
    if (sm < 0 || sm >= device->prefetchers)
        return ndp_fail(device, NDP_ERROR_INVALID_VALUE,
                        "SM %d, expected 0 to %d of the device", sm,
                        device->prefetchers - 1);
    if (device->running)
        return ndp_fail(device, NDP_ERROR_NOT_READY,
                        "a launch runs, images cannot be loaded");
    ndpResult r = sizes(device, &c);
    if (r == NDP_SUCCESS)
        r = check_walks(device, walks, n, c.prefetch_images);
    return r == NDP_SUCCESS ? load_walks(device, sm, &c, walks, n) : r;
}

ndpResult ndpDeviceSetWalks(ndpDevice device, const ndpWalk *walks, int n) {
    ndpResult r = ndpDeviceSetWalksOf(device, 0, walks, n);
    for (int i = 1; i < device->prefetchers && r == NDP_SUCCESS; i++)
        r = ndpDeviceSetWalksOf(device, i, walks, n);
    return r;
}

/* --- counters ------------------------------------------------------------- */

/* The n-th of all: its part, and its number there. */
static const char *counter_at(int n, int *part, int *at) {
    static const char *const names[] = {
#define COUNTER(name, doc) "cache." #name,
#define DECL cache
#define DECL_DEF "blocks/cache.def"
#include "decl/expand.h"
#undef DECL
#undef DECL_DEF
#define COUNTER(name, doc) "splice." #name,
#define DECL splice
#define DECL_DEF "blocks/splice.def"
#include "decl/expand.h"
#undef DECL
#undef DECL_DEF
#define COUNTER(name, doc) "prefetch." #name,
#define DECL prefetch
#define DECL_DEF "blocks/prefetch.def"
#include "decl/expand.h"
#undef DECL
#undef DECL_DEF
#define COUNTER(name, doc) "stride." #name,
#define DECL stride
#define DECL_DEF "blocks/stride.def"
#include "decl/expand.h"
#undef DECL
#undef DECL_DEF
    };
    if (n < 0 || n >= (int)(sizeof names / sizeof *names))
        return NULL;
    const char *name = names[n];
    for (*part = 0; n >= kinds[*part]->n_counters; ++*part)
        n -= kinds[*part]->n_counters;
    *at = iface_first_counter(kinds[*part]) + n;
    return name;
}

const char *ndpDevicePrefetchCounterName(int n) {
    int part, at;
    return counter_at(n, &part, &at);
}

ndpResult ndpDeviceGetPrefetchCounter(uint64_t *value, ndpDevice device,
                                      const char *name) {
    const char *other;
    int part, at, n = 0;
    while ((other = counter_at(n, &part, &at)) && strcmp(other, name) != 0)
        n++;
    if (!device->caches)
        return ndp_fail(device, NDP_ERROR_NOT_FOUND, "the device has no cache");
    if (!other)
        return ndp_fail(device, NDP_ERROR_NOT_FOUND,
                        "unknown counter '%s' of a prefetcher and its cache",
                        name);
    if (part != NDP_CACHE && !has_prefetcher(device))
        return no_prefetcher(device, NDP_ERROR_NOT_FOUND);
    ndpResult r = NDP_SUCCESS;
    *value = 0;
    for (int i = 0; i < device->caches && r == NDP_SUCCESS; i++) {
        struct ndp_access a = {NDP_READ, part_register(device, i, part, at), 0};
        r = ndp_accesses(device, &a, 1);
        *value += a.data;
    }
    return r;
}

ndpResult ndp_caches_clear(ndpDevice d) {
    ndpResult r = NDP_SUCCESS;
    int n_kinds = has_prefetcher(d) ? NDP_PREFETCH_PARTS : NDP_CACHE + 1;
    for (int i = 0; i < n_kinds * d->caches; i++) {
        struct ndp_access a = {
            NDP_WRITE, part_register(d, i / n_kinds, i % n_kinds, REG_CONTROL),
            1};
        if (r == NDP_SUCCESS)
            r = ndp_accesses(d, &a, 1);
    }
    return r;
}

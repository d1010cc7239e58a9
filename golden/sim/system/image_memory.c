/* image_memory.c - the stack's memory, and the L2 before it: requests wait at
 * the port beside their packets, in a ring of the port's depth.
 */
#include "image_memory.h"

#include "base/arena.h"
#include "base/diag.h"

#include <stdlib.h>

/* Of a token: memory brings a line of the L2, by its number. */
#define FILL (UINT64_C(1) << 63)

struct image_memory {
    struct image_memory_config config;
    struct pipe *memory, *port;
    struct cache *cache;
    struct image_request *waiting; /* at the port, config.port.depth of them */
    uint32_t head, n;
    uint64_t *filled; /* who waited for the line that came last */
    uint32_t filled_n, filled_at;
};

static bool create_l2(struct image_memory *m) {
    m->port = pipe_create(&m->config.port);
    m->waiting = xcalloc(m->config.port.depth, sizeof *m->waiting);
    if (m->config.l2 == IMAGE_L2_PERFECT)
        return m->port != NULL;
    m->cache = cache_create(&m->config.cache);
    m->filled = xcalloc(m->config.cache.targets, sizeof *m->filled);
    return m->port && m->cache;
}

struct image_memory *image_memory_create(const struct image_memory_config *c) {
    struct image_memory *m = xcalloc(1, sizeof *m);
    m->config = *c;
    m->memory = pipe_create(&c->memory);
    if (m->memory && (c->l2 == IMAGE_L2_NONE || create_l2(m)))
        return m;
    image_memory_free(m);
    return NULL;
}

void image_memory_free(struct image_memory *m) {
    if (!m)
        return;
    pipe_free(m->memory);
    pipe_free(m->port);
    cache_free(m->cache);
    free(m->waiting);
    free(m->filled);
    free(m);
}

/* ----------------------------------------------------------------- sending */

static void to_memory(struct image_memory *m, uint64_t cycle,
                      const struct image_request *r, uint64_t token) {
    struct pipe_packet p = {
        .kind = r->kind, .amount = r->bytes, .token = token};
    pipe_send(m->memory, cycle, &p);
}

bool image_memory_ready(const struct image_memory *m, uint64_t cycle) {
    return pipe_ready(m->port ? m->port : m->memory, cycle);
}

void image_memory_send(struct image_memory *m, uint64_t cycle,
                       const struct image_request *r) {
    /* what arrives at the port is the request itself, whoever waits for it */
    struct pipe_packet p = {.kind = r->kind, .amount = r->bytes, .token = 0};
    if (!m->port) {
        to_memory(m, cycle, r, r->token);
        return;
    }
    pipe_send(m->port, cycle, &p);
    m->waiting[(m->head + m->n++) % m->config.port.depth] = *r;
}

/* ---------------------------------------------------------------- looking up
 */

/* The request at the port: true, it is answered. */
static bool look_up(struct image_memory *m, uint64_t cycle,
                    const struct image_request *r) {
    static const enum cache_kind kinds[] = {CACHE_LOAD, CACHE_LOAD, CACHE_STORE,
                                            CACHE_ATOMIC};
    bool load = r->kind == IMAGE_DEMAND || r->kind == IMAGE_PREFETCH;
    if (!m->cache) {
        if (!load)
            to_memory(m, cycle, r, r->token);
        return load;
    }
    switch (
        cache_access(m->cache, cycle, r->address, kinds[r->kind], r->token)) {
    case CACHE_HIT:
        return true;
    case CACHE_MERGED:
        return false;
    case CACHE_MISS:
        to_memory(m, cycle, r, FILL | r->address / CACHE_LINE);
        return false;
    case CACHE_WRITTEN:
        to_memory(m, cycle, r, r->token);
        return false;
    case CACHE_BLOCKED:
        break;
    }
    BUG("the L2 has no room for what the L1s ask for");
}

/* Requests whose time has come, up to the first that is answered. */
static bool through_port(struct image_memory *m, uint64_t cycle,
                         uint64_t *token) {
    uint64_t arrived;
    while (m->port && pipe_ready(m->memory, cycle) &&
           pipe_receive(m->port, cycle, &arrived)) {
        struct image_request r = m->waiting[m->head];
        m->head = (m->head + 1) % m->config.port.depth;
        m->n--;
        if (look_up(m, cycle, &r)) {
            *token = r.token;
            return true;
        }
    }
    return false;
}

bool image_memory_receive(struct image_memory *m, uint64_t cycle,
                          uint64_t *token) {
    while (m->filled_at == m->filled_n) {
        if (!pipe_receive(m->memory, cycle, token))
            return through_port(m, cycle, token);
        if (!(*token & FILL))
            return true;
        m->filled_n = cache_fill(m->cache, cycle, (*token & ~FILL) * CACHE_LINE,
                                 m->filled);
        m->filled_at = 0;
    }
    *token = m->filled[m->filled_at++];
    return true;
}

uint64_t image_memory_next(const struct image_memory *m) {
    uint64_t memory = pipe_next(m->memory);
    uint64_t port = m->port ? pipe_next(m->port) : UINT64_MAX;
    return memory < port ? memory : port;
}

bool image_memory_idle(const struct image_memory *m) {
    return m->n == 0;
}

/* ----------------------------------------------------------------- figures */

const struct pipe_stats *image_memory_traffic(const struct image_memory *m) {
    return pipe_statistics(m->memory);
}

const struct pipe_stats *image_memory_l2_traffic(const struct image_memory *m) {
    return m->port ? pipe_statistics(m->port) : NULL;
}

const struct cache_stats *image_memory_l2(const struct image_memory *m) {
    return m->cache ? cache_statistics(m->cache) : NULL;
}

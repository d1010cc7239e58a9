/* memory.c - a pipe with a latency and a bandwidth.
 *
 * Requests are served in order, so a ring of times of arrival is all there is:
 * each begins when it is sent or when the one before it is through, whichever
 * is later, in units of a 1024th of a cycle.
 */
#include "memory.h"

#include "base/arena.h"
#include "base/diag.h"

#include <stdlib.h>

struct answer {
    uint64_t cycle, token;
};

struct memory {
    struct memory_config config;
    struct answer *ring;
    uint32_t head, n;
    uint64_t free_at; /* units of time: when the pipe's entrance is free */
    uint64_t busy;    /* units of time */
    uint64_t bytes, requests;
};

uint64_t memory_bandwidth(double gigabytes, double megahertz) {
    return (uint64_t)(gigabytes * 1e3 / megahertz * MEMORY_UNIT + 0.5);
}

struct memory *memory_create(const struct memory_config *config) {
    if (!config->depth || !config->bandwidth)
        return NULL;
    struct memory *m = xcalloc(1, sizeof *m);
    m->config = *config;
    m->ring = xcalloc(config->depth, sizeof *m->ring);
    return m;
}

void memory_free(struct memory *m) {
    if (m)
        free(m->ring);
    free(m);
}

bool memory_ready(const struct memory *m) {
    return m->n < m->config.depth;
}

void memory_send(struct memory *m, uint64_t cycle, uint32_t bytes,
                 uint64_t token) {
    if (!memory_ready(m))
        BUG("a request more than the memory takes");
    uint64_t now = cycle * MEMORY_UNIT, rate = m->config.bandwidth;
    uint64_t time =
        ((uint64_t)bytes * MEMORY_UNIT * MEMORY_UNIT + rate - 1) / rate;
    if (m->free_at < now)
        m->free_at = now;
    m->free_at += time;
    m->busy += time;
    m->bytes += bytes;
    m->requests++;
    uint64_t through = (m->free_at + MEMORY_UNIT - 1) / MEMORY_UNIT;
    uint32_t at = (m->head + m->n++) % m->config.depth;
    m->ring[at] = (struct answer){through + m->config.latency, token};
}

bool memory_receive(struct memory *m, uint64_t cycle, uint64_t *token) {
    if (m->n == 0 || m->ring[m->head].cycle > cycle)
        return false;
    *token = m->ring[m->head].token;
    m->head = (m->head + 1) % m->config.depth;
    m->n--;
    return true;
}

uint64_t memory_next(const struct memory *m) {
    return m->n ? m->ring[m->head].cycle : UINT64_MAX;
}

uint64_t memory_bytes(const struct memory *m) {
    return m->bytes;
}

uint64_t memory_requests(const struct memory *m) {
    return m->requests;
}

uint64_t memory_busy(const struct memory *m) {
    return (m->busy + MEMORY_UNIT - 1) / MEMORY_UNIT;
}

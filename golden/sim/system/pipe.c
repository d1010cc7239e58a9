/* pipe.c - when a pipe's entrance is free, in ticks, and a ring of arrivals,
 * which grows as it must.
 */
#include "pipe.h"

#include "base/arena.h"
#include "base/diag.h"

#include <stdlib.h>

enum { FLIT_TICKS = 1 << 16, BYTE_TICKS = 1 << 10 };

struct arrival {
    uint64_t cycle, token;
};

struct pipe {
    struct pipe_config config;
    uint64_t backlog; /* ticks */
    uint64_t free_at; /* ticks */
    struct arrival *ring;
    uint32_t head, n, cap; /* cap: a power of two */
    struct pipe_stats stats;
};

struct pipe_rate pipe_flits(double gigabytes, double megahertz) {
    double time = PIPE_FLIT * FLIT_TICKS * megahertz / (gigabytes * 1e3);
    return (struct pipe_rate){.amount = 1,
                              .time = time < 1 ? 1 : (uint64_t)(time + 0.5),
                              .ticks = FLIT_TICKS};
}

struct pipe_rate pipe_bytes(double gigabytes, double megahertz) {
    double bytes = gigabytes * 1e3 / megahertz * BYTE_TICKS;
    return (struct pipe_rate){.amount = bytes < 1 ? 1 : (uint64_t)(bytes + 0.5),
                              .time = BYTE_TICKS * BYTE_TICKS,
                              .ticks = BYTE_TICKS};
}

static uint64_t ticks_of(const struct pipe *p, uint64_t amount) {
    const struct pipe_rate *r = &p->config.rate;
    return (amount * r->time + r->amount - 1) / r->amount;
}

struct pipe *pipe_create(const struct pipe_config *config) {
    if (!config->rate.amount || !config->rate.ticks)
        return NULL;
    struct pipe *p = xcalloc(1, sizeof *p);
    p->config = *config;
    p->backlog = ticks_of(p, config->backlog);
    p->cap = 64;
    p->ring = xcalloc(p->cap, sizeof *p->ring);
    return p;
}

void pipe_free(struct pipe *p) {
    if (p)
        free(p->ring);
    free(p);
}

/* ----------------------------------------------------------------- sending */

static bool has_place(const struct pipe *p) {
    return !p->config.depth || p->n < p->config.depth;
}

bool pipe_ready(const struct pipe *p, uint64_t cycle) {
    uint64_t now = cycle * p->config.rate.ticks;
    return has_place(p) &&
           (!p->config.backlog || p->free_at <= now + p->backlog);
}

static void grow(struct pipe *p) {
    struct arrival *ring = xcalloc(2 * (size_t)p->cap, sizeof *ring);
    for (uint32_t i = 0; i < p->n; i++)
        ring[i] = p->ring[(p->head + i) & (p->cap - 1)];
    free(p->ring);
    p->ring = ring;
    p->cap *= 2;
    p->head = 0;
}

void pipe_send(struct pipe *p, uint64_t cycle,
               const struct pipe_packet *packet) {
    uint64_t ticks = p->config.rate.ticks, now = cycle * ticks;
    if (!has_place(p))
        BUG("a packet more than the pipe holds");
    if (p->free_at < now)
        p->free_at = now;
    p->free_at += ticks_of(p, packet->amount);
    p->stats.amount[packet->kind] += packet->amount;
    p->stats.payload[packet->kind] += packet->payload;
    p->stats.packets++;
    if (packet->token == PIPE_NOBODY)
        return;
    if (p->n == p->cap)
        grow(p);
    uint64_t through = (p->free_at + ticks - 1) / ticks;
    p->ring[(p->head + p->n++) & (p->cap - 1)] =
        (struct arrival){through + p->config.latency, packet->token};
}

bool pipe_moves(const struct pipe *p, uint64_t cycle) {
    return p->free_at > cycle * p->config.rate.ticks;
}

/* --------------------------------------------------------------- receiving */

bool pipe_peek(const struct pipe *p, uint64_t cycle, uint64_t *token) {
    if (p->n == 0 || p->ring[p->head].cycle > cycle)
        return false;
    *token = p->ring[p->head].token;
    return true;
}

void pipe_pop(struct pipe *p) {
    p->head = (p->head + 1) & (p->cap - 1);
    p->n--;
}

bool pipe_receive(struct pipe *p, uint64_t cycle, uint64_t *token) {
    bool came = pipe_peek(p, cycle, token);
    if (came)
        pipe_pop(p);
    return came;
}

uint64_t pipe_next(const struct pipe *p) {
    return p->n ? p->ring[p->head].cycle : UINT64_MAX;
}

/* ----------------------------------------------------------------- figures */

const struct pipe_stats *pipe_statistics(const struct pipe *p) {
    return &p->stats;
}

static uint64_t sum(const uint64_t *by_kind) {
    uint64_t n = 0;
    for (int k = 0; k < PIPE_KINDS; k++)
        n += by_kind[k];
    return n;
}

uint64_t pipe_amount(const struct pipe_stats *s) {
    return sum(s->amount);
}

uint64_t pipe_payload(const struct pipe_stats *s) {
    return sum(s->payload);
}

void pipe_stats_add(struct pipe_stats *into, const struct pipe_stats *from) {
    for (int k = 0; k < PIPE_KINDS; k++) {
        into->amount[k] += from->amount[k];
        into->payload[k] += from->payload[k];
    }
    into->packets += from->packets;
}

/* tom_link.c - a link as a pipe: when its entrance is free, and a ring of
 * arrivals, which grows as it must.
 */
#include "tom_link.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct arrival {
    uint64_t cycle, token;
};

struct tom_link {
    uint64_t flit_time;
    uint32_t latency;
    uint64_t free_at; /* units of time */
    struct arrival *ring;
    uint32_t head, n, cap; /* cap: a power of two */
    struct tom_link_stats stats;
};

uint64_t tom_flit_time(double gigabytes, double megahertz) {
    double time = TOM_FLIT * TOM_UNIT * megahertz / (gigabytes * 1e3);
    return time < 1 ? 1 : (uint64_t)(time + 0.5);
}

struct tom_link *tom_link_create(uint64_t flit_time, uint32_t latency) {
    struct tom_link *l = xcalloc(1, sizeof *l);
    l->flit_time = flit_time;
    l->latency = latency;
    l->cap = 64;
    l->ring = xcalloc(l->cap, sizeof *l->ring);
    return l;
}

void tom_link_free(struct tom_link *l) {
    if (l)
        free(l->ring);
    free(l);
}

bool tom_link_ready(const struct tom_link *l, uint64_t cycle) {
    return l->free_at <= cycle * TOM_UNIT + TOM_LINK_BACKLOG * l->flit_time;
}

static void grow(struct tom_link *l) {
    struct arrival *ring = xcalloc(2 * (size_t)l->cap, sizeof *ring);
    for (uint32_t i = 0; i < l->n; i++)
        ring[i] = l->ring[(l->head + i) & (l->cap - 1)];
    free(l->ring);
    l->ring = ring;
    l->cap *= 2;
    l->head = 0;
}

void tom_link_send(struct tom_link *l, uint64_t cycle,
                   const struct tom_packet *p) {
    uint64_t now = cycle * TOM_UNIT;
    if (l->free_at < now)
        l->free_at = now;
    l->free_at += p->flits * l->flit_time;
    l->stats.flits[p->kind] += p->flits;
    l->stats.payload[p->kind] += p->payload;
    l->stats.packets++;
    if (p->token == TOM_NOBODY)
        return;
    if (l->n == l->cap)
        grow(l);
    uint64_t through = (l->free_at + TOM_UNIT - 1) / TOM_UNIT;
    l->ring[(l->head + l->n++) & (l->cap - 1)] =
        (struct arrival){through + l->latency, p->token};
}

bool tom_link_peek(const struct tom_link *l, uint64_t cycle, uint64_t *token) {
    if (l->n == 0 || l->ring[l->head].cycle > cycle)
        return false;
    *token = l->ring[l->head].token;
    return true;
}

void tom_link_pop(struct tom_link *l) {
    l->head = (l->head + 1) & (l->cap - 1);
    l->n--;
}

bool tom_link_moves(const struct tom_link *l, uint64_t cycle) {
    return l->free_at > cycle * TOM_UNIT;
}

bool tom_link_empty(const struct tom_link *l) {
    return l->n == 0;
}

const struct tom_link_stats *tom_link_statistics(const struct tom_link *l) {
    return &l->stats;
}

uint64_t tom_link_flits(const struct tom_link_stats *s) {
    uint64_t n = 0;
    for (int k = 0; k < TOM_TRAFFICS; k++)
        n += s->flits[k];
    return n;
}

uint64_t tom_link_payload(const struct tom_link_stats *s) {
    uint64_t n = 0;
    for (int k = 0; k < TOM_TRAFFICS; k++)
        n += s->payload[k];
    return n;
}

void tom_link_stats_add(struct tom_link_stats *into,
                        const struct tom_link_stats *from) {
    for (int k = 0; k < TOM_TRAFFICS; k++) {
        into->flits[k] += from->flits[k];
        into->payload[k] += from->payload[k];
    }
    into->packets += from->packets;
}

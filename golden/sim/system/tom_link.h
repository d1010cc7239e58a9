/* tom_link.h - a unidirectional link that moves flits; TOM, section 5.1.
 *
 * Packets are sent in order.  Each occupies the link for its flits, at a rate
 * that may be any fraction, and arrives latency cycles after its last one.  A
 * receiver takes arrivals in order, and may leave them where they are.
 *
 *     if (tom_link_ready(l, cycle))
 *         tom_link_send(l, cycle, &packet);
 *     while (tom_link_peek(l, cycle, &token)) ..., tom_link_pop(l);
 *
 * No clock in here: the owner gives the cycle, never less than before.
 */
#ifndef NDP_SYSTEM_TOM_LINK_H
#define NDP_SYSTEM_TOM_LINK_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TOM_FLIT = 16,         /* bytes */
    TOM_UNIT = 1 << 16,    /* a cycle has this many units of time */
    TOM_LINK_BACKLOG = 64, /* flits that wait at its entrance at most */
};

/* Nobody waits for the packet. */
#define TOM_NOBODY UINT64_MAX

/* What travels: a request and its answer count as the same kind. */
enum tom_traffic {
    TOM_LOAD,   /* addresses; lines */
    TOM_STORE,  /* addresses and data; acknowledgements */
    TOM_ATOMIC, /* addresses and data; data */
    TOM_BLOCK,  /* offloaded blocks: live-ins; live-outs and written lines */
    TOM_TRAFFICS
};

struct tom_packet {
    enum tom_traffic kind;
    uint32_t flits;
    uint32_t payload; /* bytes as the paper's formulas count them (3.1.1) */
    uint64_t token;   /* TOM_NOBODY: nothing arrives */
};

struct tom_link_stats {
    uint64_t flits[TOM_TRAFFICS];
    uint64_t payload[TOM_TRAFFICS];
    uint64_t packets;
};

struct tom_link; /* freed by tom_link_free */

/* flit_time: units of time that a flit occupies the link, at least 1. */
struct tom_link *tom_link_create(uint64_t flit_time, uint32_t latency);
void tom_link_free(struct tom_link *l);

/* Units of time a flit takes on a link of so many GB/s (1e9 bytes) at a clock
 * of so many MHz. */
uint64_t tom_flit_time(double gigabytes, double megahertz);

bool tom_link_ready(const struct tom_link *l, uint64_t cycle);

/* Send a packet, tom_link_ready or not: an overlong one waits longer. */
void tom_link_send(struct tom_link *l, uint64_t cycle,
                   const struct tom_packet *p);

bool tom_link_peek(const struct tom_link *l, uint64_t cycle, uint64_t *token);
void tom_link_pop(struct tom_link *l);

/* Whether it moves a flit in this cycle. */
bool tom_link_moves(const struct tom_link *l, uint64_t cycle);

/* Nothing on its way that somebody waits for. */
bool tom_link_empty(const struct tom_link *l);

const struct tom_link_stats *tom_link_statistics(const struct tom_link *l);

/* All kinds together. */
uint64_t tom_link_flits(const struct tom_link_stats *s);
uint64_t tom_link_payload(const struct tom_link_stats *s);

/* into += from */
void tom_link_stats_add(struct tom_link_stats *into,
                        const struct tom_link_stats *from);

#endif

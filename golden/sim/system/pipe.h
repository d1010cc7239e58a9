/* pipe.h - what moves packets at a latency and a rate: a link or a memory.
 *
 * Packets are served in the order in which they are sent.  Each occupies the
 * pipe for its amount (flits of a link, bytes of a memory), at a rate that may
 * be any fraction, and arrives `latency` cycles after its last unit.  Who
 * receives takes arrivals in order, and may leave them where they are: then
 * those behind wait, too.
 *
 *     if (pipe_ready(p, cycle))
 *         pipe_send(p, cycle, &packet);
 *     while (pipe_peek(p, cycle, &token)) ..., pipe_pop(p);
 *
 * A link is a pipe a direction; its requests and their answers take two.  A
 * memory is one pipe there and back: a packet's amount is what is read and
 * written, and what arrives is the answer.
 *
 * TOM, section 5.1: links of 80 and 40 GB/s, stacks of 160 GB/s.  IP-NDP,
 * section 4: 256 GB/s a stack.
 *
 * A golden block in its place stands behind the same four functions: ready and
 * send are its channel in (<in>_ready, <in>_valid with the packet's fields),
 * peek and pop its channel out (<out>_valid with the token, <out>_ready); its
 * owner gives it an edge a cycle after both.
 *
 * No clock in here: the owner gives the cycle with every call, never less than
 * with the call before.
 */
#ifndef NDP_SYSTEM_PIPE_H
#define NDP_SYSTEM_PIPE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PIPE_FLIT = 16, /* bytes */
    PIPE_KINDS = 4, /* of packets, which are counted apart */
};

/* Nobody waits for the packet: it takes its time, and nothing arrives. */
#define PIPE_NOBODY UINT64_MAX

/* `amount` units take `time` ticks, of which a cycle has `ticks`; what a packet
 * takes is rounded up to a tick.  time == 0: a delay and nothing else. */
struct pipe_rate {
    uint64_t amount, time;
    uint32_t ticks;
};

/* Of so many GB/s (1e9 bytes) at a clock of so many MHz, where the unit is a
 * flit (to a 65536th of a cycle a flit), and where it is a byte (to a byte in
 * 1024 cycles). */
struct pipe_rate pipe_flits(double gigabytes, double megahertz);
struct pipe_rate pipe_bytes(double gigabytes, double megahertz);

struct pipe_config {
    struct pipe_rate rate;
    uint32_t latency; /* cycles, without what the rate adds */
    uint32_t depth;   /* packets in the pipe at most; 0: any number */
    uint32_t backlog; /* units that wait at its entrance at most; 0: any */
};

struct pipe_packet {
    uint32_t kind;    /* the owner's, below PIPE_KINDS */
    uint32_t amount;  /* units */
    uint32_t payload; /* of it, by the owner's measure: only counted */
    uint64_t token;   /* the owner's, or PIPE_NOBODY */
};

struct pipe_stats { /* of what was sent so far */
    uint64_t amount[PIPE_KINDS];
    uint64_t payload[PIPE_KINDS];
    uint64_t packets;
};

struct pipe; /* freed by pipe_free */

/* NULL: a rate of no units, or without ticks. */
struct pipe *pipe_create(const struct pipe_config *config);
void pipe_free(struct pipe *p);

/* Whether it has room for another packet: below depth and backlog. */
bool pipe_ready(const struct pipe *p, uint64_t cycle);

/* Send one.  Beyond the backlog it waits longer; beyond the depth is a BUG. */
void pipe_send(struct pipe *p, uint64_t cycle,
               const struct pipe_packet *packet);

/* The oldest packet has arrived: its token.  False: none has. */
bool pipe_peek(const struct pipe *p, uint64_t cycle, uint64_t *token);
void pipe_pop(struct pipe *p);

/* Both at once. */
bool pipe_receive(struct pipe *p, uint64_t cycle, uint64_t *token);

/* Cycle of the next arrival; UINT64_MAX: nothing that arrives is in the pipe.
 */
uint64_t pipe_next(const struct pipe *p);

/* Whether it moves a unit in this cycle. */
bool pipe_moves(const struct pipe *p, uint64_t cycle);

const struct pipe_stats *pipe_statistics(const struct pipe *p);

/* All kinds together. */
uint64_t pipe_amount(const struct pipe_stats *s);
uint64_t pipe_payload(const struct pipe_stats *s);

/* into += from */
void pipe_stats_add(struct pipe_stats *into, const struct pipe_stats *from);

#endif

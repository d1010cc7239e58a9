/* memory.h - a stack's memory as a pipe: a latency and a bandwidth.
 *
 * Requests are served in the order in which they are sent.  Each occupies the
 * pipe for its bytes, at a rate that may be any fraction; its answer comes
 * latency cycles after the last of them.  IP-NDP section 4: 256 GB/s a stack.
 *
 *     if (memory_ready(m))
 *         memory_send(m, cycle, 128, token);
 *     while (memory_receive(m, cycle, &token)) ...
 *
 * No clock in here: the owner gives the cycle with every call, never less than
 * with the call before.
 */
#ifndef NDP_SYSTEM_MEMORY_H
#define NDP_SYSTEM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum {
    MEMORY_UNIT = 1024 /* a cycle has this many units of time */
};

struct memory_config {
    uint32_t latency; /* cycles, without what bandwidth adds */
    /* Bandwidth: bytes in MEMORY_UNIT cycles, so that 256 GB/s at 700 MHz is
     * 256e9 / 700e6 * 1024. */
    uint64_t bandwidth;
    uint32_t depth; /* requests in the pipe at most */
};

struct memory; /* one pipe; freed by memory_free */

/* Bandwidth for a rate in GB/s (1e9 bytes) at a clock in MHz. */
uint64_t memory_bandwidth(double gigabytes, double megahertz);

/* NULL if depth or bandwidth is 0. */
struct memory *memory_create(const struct memory_config *config);
void memory_free(struct memory *m);

/* Whether another request can be sent. */
bool memory_ready(const struct memory *m);

/* Send one; memory_ready must hold.  An answer comes for every request, for
 * a write too (its owner may ignore it). */
void memory_send(struct memory *m, uint64_t cycle, uint32_t bytes,
                 uint64_t token);

/* Take an answer that has come by now; false: none. */
bool memory_receive(struct memory *m, uint64_t cycle, uint64_t *token);

/* Cycle of the next answer; UINT64_MAX: nothing in the pipe. */
uint64_t memory_next(const struct memory *m);

uint64_t memory_bytes(const struct memory *m);    /* sent so far */
uint64_t memory_requests(const struct memory *m); /* sent so far */

/* Cycles so far in which the pipe was occupied, rounded up. */
uint64_t memory_busy(const struct memory *m);

#endif

/* host.h - what sends the host's requests: cores of a synthetic mix, or a trace
 * of requests.
 *
 * A host is stepped once a cycle of the command clock; it offers requests to a
 * port, which may have no room, and is told when a read's data are back.
 */
#ifndef NDP_CONCURRENT_HOST_H
#define NDP_CONCURRENT_HOST_H

#include "base/diag.h"

#include <stdbool.h>
#include <stdint.h>

enum { HOST_MIXES = 9 }; /* mix0 to mix8 of Chopim's Table II */

/* Where requests go. */
struct host_port {
    /* A burst; tag comes back with a read's data.  False: no room for it now.
     */
    bool (*offer)(void *ctx, uint64_t address, bool write, int tag);
    void *ctx;
};

/* What a host has done. */
struct host_work {
    double instructions; /* of a mix */
    uint64_t requests;   /* of a trace: taken */
};

struct host {
    void (*cycle)(struct host *h, uint64_t now, const struct host_port *port);
    void (*answer)(struct host *h, int tag);
    bool (*finished)(const struct host *h); /* and nothing more is expected */
    void (*work)(const struct host *h, struct host_work *w);
    void (*free)(struct host *h);
};

/* A mix of Table II: cores with a window of instructions, whose misses of the
 * last-level cache are the requests.  bytes: the memory that they use; ratio:
 * cycles of the cores for one of the memory.  What each application asks for is
 * this project's choice (cores.c). */
struct host *host_mix(int mix, uint64_t bytes, double ratio, uint64_t seed);

/* A line for people: the applications of a mix. */
const char *host_mix_names(int mix);

/* A trace of requests, in order: "LD|ST ADDRESS" (Ramulator), as fast as a
 * window of reads lets it, or "0xADDRESS READ|WRITE CYCLE" (DRAMsim3), not
 * before their cycles.  Addresses must be below bytes, or are taken modulo it
 * if wrap.  NULL after an error in d; errors further on go to d, too, and end
 * it. path and d must outlive it. */
struct host *host_trace(const char *path, uint64_t bytes, bool wrap, int window,
                        struct diag *d);

#endif

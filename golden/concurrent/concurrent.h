/* concurrent.h - host and accelerators on one memory: golden channels, what
 * sends the host's requests, the accelerators of all ranks, launches, and the
 * checker that watches every command (Chopim).
 *
 * An operation goes over vectors of which each rank has the same share.  It is
 * cut into instructions of so many bursts of a vector; each is launched by a
 * packet, a burst that the host's controller writes to the rank's control
 * registers: it waits in the queue with the host's requests.  Packets go to the
 * ranks in turn, while a rank has fewer than so many unfinished.  Operations
 * follow each other without end; blocking, the next is launched when all ranks
 * are through.
 */
#ifndef NDP_CONCURRENT_H
#define NDP_CONCURRENT_H

#include "dram/trace.h"
#include "host.h"
#include "near.h"

enum { CONCURRENT_CHANNELS = 8, CONCURRENT_RANKS = 4, CONCURRENT_GAPS = 5 };

struct concurrent_setup {
    const struct config *config; /* of a channel, a map; checked */
    struct host *host;           /* NULL: none */
    bool near;                   /* there are operations */
    enum near_op op;
    uint64_t bytes; /* of a vector in each rank */
    int blocks;     /* bursts of an instruction; 0: the whole vector */
    bool async;
    int unfinished;  /* instructions of a rank, at most */
    uint64_t cycles; /* 0: until the host's trace has ended */
    FILE *trace;     /* of commands; NULL: none */
    enum dram_format format;
    struct diag *d; /* messages about violations, the first few */
};

struct concurrent_rank {
    int channel, rank;
    uint64_t host_bursts, loads, stores, idle; /* idle: cycles in which no
                                                  burst of the host fills its
                                                  part of the data bus */
    uint64_t gap[CONCURRENT_GAPS]; /* of idle: cycles in gaps of up to 9, 99,
                                      249, 999 and more */
    uint64_t rest, rest_bursts;    /* cycles in which no request of the host is
                                      under way, from its first command to its
                                      last beat; the accelerator's bursts in
                                      them */
};

struct concurrent_result {
    uint64_t cycles;
    struct host_work host;
    uint64_t reads, writes;              /* of the host; without packets */
    uint64_t rows, conflicts, refreshes; /* of the channels' counters */
    double read_latency; /* cycles from offer to data, on average */
    int n_ranks;
    struct concurrent_rank rank[CONCURRENT_CHANNELS * CONCURRENT_RANKS];
    uint64_t packets, operations; /* launched; ended on all ranks */
    double operation_cycles;      /* from first packet to end, on average */
    uint64_t commands, violations;
};

/* False after an error in d: no room for operands, or of the host's trace. */
bool concurrent_run(const struct concurrent_setup *s,
                    struct concurrent_result *r);

#endif

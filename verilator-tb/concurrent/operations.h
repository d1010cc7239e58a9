/* operations.h - a host that launches operations on the accelerators of all
 * ranks, and hears of their ends.
 *
 * Its software writes a packet over the bus, what differs from the last one,
 * and launches it; some that must be refused, too.  When the launch takes an
 * operation, its packets are listed for each rank by plain loops over rows and
 * parts.  When a rank takes a packet it must be the next
 * one of its list, as its accelerator (nda_rank/accelerator.h), which gets all
 * that it has to do from here, will find out; what the host is told must be
 * what the ranks have ended, those of a rank in order.
 */
#ifndef NDP_STIM_CONCURRENT_OPERATIONS_H
#define NDP_STIM_CONCURRENT_OPERATIONS_H

#include "blocks/nda_launch.h"
#include "kit/master.h"
#include "nda_rank/accelerator.h"

enum { OPERATIONS_RANKS = 4, OPERATIONS_MOST = 1024, OPERATIONS_WAIT = 128 };

/* An operation of the host. */
struct host_operation {
    struct nda_launch_in op;
    uint32_t apart; /* bits of its ranks that are others in the packet */
    bool fresh;     /* with new numbers in its operands */
};

/* A packet that a rank has to get. */
struct launched {
    struct pe_operation op;
    uint64_t tag, final;
    bool fresh; /* with new numbers in its operands */
};

/* An end that the host has to be told. */
struct told_end {
    uint64_t tag, final, cause, value;
};

/* Rings; first to last, not wrapped. */
struct launched_rank {
    struct launched list[OPERATIONS_MOST];
    struct told_end told[OPERATIONS_MOST];
    unsigned first, last, told_first, told_last;
    int open; /* packets that are not ended */
};

struct operations {
    struct stim *base;
    struct nda_launch_local size;
    int batch;
    bool directed;
    struct master window; /* part of the bus */
    int slots;
    bool offers, written; /* the next one; its packet */
    struct host_operation next;
    struct host_operation waiting[OPERATIONS_WAIT]; /* launched, not taken */
    unsigned waiting_first, waiting_last;
    bool notice; /* an end waits */
    bool blocks; /* the one that was taken last */
    struct launched_rank rank[OPERATIONS_RANKS];
    uint64_t number, tag, last_event;
    uint64_t taken, refused, ends;
};

void operations_open(struct operations *o, struct stim *base,
                     const struct config *c);
void operations_reset(struct operations *o);

/* An operation of somebody's own, on operands as they are.  The one before must
 * have been launched. */
void operations_offer(struct operations *o, const struct nda_launch_in *op);

/* What software does; op and done: percent of edges on which it has another of
 * the random operations, takes an end. */
void operations_drive(struct operations *o, int op, int done);

/* A command of software on this edge, and whether an end waits after it. */
void operations_software(struct operations *o, bool notice);

/* The rank takes a packet on this edge: what its accelerator k has to do. */
const char *operations_packet(struct operations *o, int rank,
                              struct accelerator *k);

/* It has ended it. */
void operations_ended(struct operations *o, int rank,
                      const struct accelerator *k);

/* After an edge, behind those of all ranks. */
const char *operations_watch(struct operations *o,
                             const struct nda_launch_in *in,
                             const struct nda_launch_out *before,
                             const struct nda_launch_out *after);

/* Nothing is offered, open or to be told. */
bool operations_idle(const struct operations *o);

#endif

/* master.h - a Wishbone master that knows what every register must read.
 *
 * It writes what it is asked to, whole or byte by byte, reads any address, and
 * now and then begins a bus cycle without an access.  Of a system, whose bus it
 * is, it has a part for each instance with registers: a master that is used
 * like one for that block alone. */
#ifndef NDP_KIT_MASTER_H
#define NDP_KIT_MASTER_H

#include "iface/design.h"
#include "rng.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    MAX_SETTINGS = 16,
    MAX_COUNTERS = 48,
    MAX_STATUSES = 32,
    MAX_WANTED = 16
};

struct master {
    const struct design *design;
    struct rng *rng;
    struct master *next; /* part of the same bus */
    uint32_t base;       /* of its addresses */
    const char *path;    /* of its instance, for messages; NULL: the whole */
    int cyc, stb, we, adr, dat_w, sel, dat_r, ack; /* offsets in the structs */
    uint64_t counter_max;
    uint32_t reset[MAX_SETTINGS], mask[MAX_SETTINGS];

    /* What registers hold before the edge.  A counter is count, or up to early
     * less, or up to late more, where the edge of an event cannot be seen. */
    uint32_t setting[MAX_SETTINGS];
    uint64_t count[MAX_COUNTERS], early[MAX_COUNTERS], late[MAX_COUNTERS];
    /* What statuses read: the stimulus says so before master_watch. */
    uint32_t status[MAX_STATUSES];
    bool passes_over; /* nobody knows counters and statuses of this part */
    /* On this edge, from master_watch to master_settle. */
    bool clearing;
    int changed;    /* setting that is written, -1: none */
    int commanded;  /* command that is given, -1: none */
    uint32_t value; /* what it becomes; the command's data */

    struct {
        uint32_t adr, data;
    } wanted[MAX_WANTED];
    int n_wanted;
    bool active, write;
    bool meant; /* of the wanted ones */
    bool looks; /* half of the settings are read back at once */
    int look;   /* address of one; -1: none */
    uint32_t at, data, sel_now;
    uint64_t reads; /* that were checked */
    char message[160];
};

void master_open(struct master *m, const struct design *d, struct rng *rng);

/* The registers of d, an instance of m's system, at addresses from base on, are
 * part's from now on; it lives as long as m. */
void master_add(struct master *m, struct master *part, const struct design *d,
                uint32_t base);

/* The following are called on the whole, but for set, clear and idle. */
void master_reset(struct master *m);
uint64_t master_reads(const struct master *m);

/* Write a setting, or clear the counters, as soon as the bus is free. */
void master_set(struct master *m, int setting, uint32_t value);
void master_clear(struct master *m);
/* Give a command as soon as the bus is free; by itself the master gives none.
 */
void master_command(struct master *m, int command, uint32_t data);
bool master_idle(const struct master *m);

/* An access of its own starts in so many of 1000 cycles: a read of any address,
 * at times a write to one that ignores it. */
void master_drive(struct master *m, void *in, int per_mille);

/* Call first on each edge: NULL, or what is wrong with the answer. */
const char *master_watch(struct master *m, const void *in, const void *before,
                         const void *after);

/* Call last on each edge, after its events were counted. */
void master_settle(struct master *m);

#endif

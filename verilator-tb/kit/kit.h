/* kit.h - parts that the surroundings of several blocks are made of.
 *
 * Ready signals that come and go, a Wishbone master that knows what every
 * register must read, and the two rules that every channel of every block obeys
 * (docs/architecture.md): fields stand still until they are taken, and are zero
 * while there is nothing.
 */
#ifndef NDP_STIM_KIT_H
#define NDP_STIM_KIT_H

#include "iface/iface.h"
#include "rng.h"

#include <stdbool.h>
#include <stdint.h>

/* --- bits ----------------------------------------------------------------- */

/* The low bits of a word; width 0 to 64. */
static inline uint64_t low_bits(int width) {
    return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}

/* Put a field of up to 64 bits at bit *at of w, whose bits there are zero; *at
 * moves behind it. */
void bits_put(uint64_t *w, int *at, int width, uint64_t value);

/* 32-bit lane i of a wide port. */
static inline uint32_t lane_of(const uint64_t *w, int i) {
    return (uint32_t)(w[i / 2] >> (i % 2 * 32));
}

static inline void set_lane(uint64_t *w, int i, uint32_t value) {
    int shift = i % 2 * 32;
    w[i / 2] = (w[i / 2] & ~((uint64_t)0xffffffffu << shift)) | (uint64_t)value
                                                                    << shift;
}

/* --- signals that come and go --------------------------------------------- */

struct toggle {
    bool level;
    int left; /* cycles that it stays */
};

/* The level in this cycle, with high and low the longest times it stays; low 0:
 * always high, high 0: never.  Call it once a cycle. */
bool toggle_step(struct toggle *t, struct rng *r, int high, int low);

/* --- channels ------------------------------------------------------------- */

enum { MAX_CHANNELS = 24, MAX_FIELDS = 8 };

/* An output channel: <name>_valid, its fields, and <name>_ready if there is
 * one. */
struct channel {
    const struct iface_port *valid;
    int ready; /* offset in the in struct, -1: cannot be refused */
    const struct iface_port *field[MAX_FIELDS];
    int n_fields;
};

struct channels {
    struct channel list[MAX_CHANNELS];
    int n;
};

void channels_find(struct channels *c, const struct iface *i);

/* The port of the channel that breaks a rule between two edges without reset,
 * NULL if all is well; *why says which rule. */
const char *channels_watch(const struct channels *c, const void *in,
                           const void *before, const void *after,
                           const char **why);

/* --- Wishbone master ------------------------------------------------------ */

enum { MAX_SETTINGS = 16, MAX_COUNTERS = 48, MAX_WANTED = 16 };

struct master {
    const struct iface *iface;
    struct rng *rng;
    int cyc, stb, we, adr, dat_w, sel, dat_r, ack; /* offsets in the structs */
    int adr_bits;
    uint64_t counter_max;
    uint32_t reset[MAX_SETTINGS], mask[MAX_SETTINGS];

    /* What registers hold before the edge.  A counter is count, or up to early
     * less, or up to late more, where the edge of an event cannot be seen. */
    uint32_t setting[MAX_SETTINGS];
    uint64_t count[MAX_COUNTERS], early[MAX_COUNTERS], late[MAX_COUNTERS];
    /* On this edge, from master_watch to master_settle. */
    bool clearing;
    int changed; /* setting that is written, -1: none */

    struct {
        uint32_t adr, data;
    } wanted[MAX_WANTED];
    int n_wanted;
    bool active, write, meant; /* meant: of the wanted ones */
    uint32_t at, data, sel_now;
    uint64_t reads; /* that were checked */
    char message[160];
};

void master_open(struct master *m, const struct iface *i,
                 const struct config *c, struct rng *rng);
void master_reset(struct master *m);

/* Write a setting, or clear the counters, as soon as the bus is free. */
void master_set(struct master *m, int setting, uint32_t value);
void master_clear(struct master *m);
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

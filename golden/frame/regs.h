/* regs.h - the register block that every golden model carries.
 *
 * Wishbone B4 classic slave as docs/architecture.md describes it: one wait
 * state, settings, saturating counters, statuses, commands, id and
 * configuration hash.
 */
#ifndef NDP_GOLDEN_REGS_H
#define NDP_GOLDEN_REGS_H

#include "iface/design.h"

#include <stdbool.h>
#include <stdint.h>

enum { REGS_MAX_SETTINGS = 16, REGS_MAX_COUNTERS = 48, REGS_MAX_STATUSES = 32 };

struct regs {
    uint32_t setting[REGS_MAX_SETTINGS]; /* as they stand before the edge */
    uint32_t counter[REGS_MAX_COUNTERS];
    /* What statuses read: the model says so in its edge, with the values as
     * they stand before it.  Bits above a status's width are left out. */
    uint32_t status[REGS_MAX_STATUSES];
    /* The command that is given on this edge, -1: none, and its data; from
     * regs_look on. */
    int command;
    uint32_t command_data;
    /* private */
    const struct design *design; /* NULL: the target has no registers */
    uint32_t setting_mask[REGS_MAX_SETTINGS];
    uint32_t setting_reset[REGS_MAX_SETTINGS];
    uint32_t counter_max;
    size_t cyc, stb, we, adr, dat_w, sel; /* offsets in the in struct */
    size_t dat_r, ack;                    /* and in the out struct */
    bool acked;
};

/* What an access on this edge did. */
enum regs_effect { REGS_NOTHING, REGS_CLEARED, REGS_WROTE_SETTING };

/* d must outlive r. */
void regs_open(struct regs *r, const struct design *d);
void regs_reset(struct regs *r);

/* Before the model's edge: is a command given on it? */
void regs_look(struct regs *r, const void *in);

/* One edge: bit i of events counts counter i.  selected: the bus cycle is for
 * this block.  Sets the wb_* outputs.  Returns what the access did; the setting
 * that was written is in *index, its old value in *before. */
enum regs_effect regs_cycle(struct regs *r, bool selected, const void *in,
                            uint64_t events, void *out, int *index,
                            uint32_t *before);

/* With inputs that stay as they are, an edge would do nothing but count. */
bool regs_rest(const struct regs *r, const void *in);

/* As so many edges with these events do. */
void regs_count(struct regs *r, uint64_t events, uint64_t edges);

#endif

/* regs.h - the register block that every golden model carries.
 *
 * Wishbone B4 classic slave as docs/architecture.md describes it: one wait
 * state, settings, saturating counters, id and configuration hash.
 */
#ifndef NDP_GOLDEN_REGS_H
#define NDP_GOLDEN_REGS_H

#include "iface/iface.h"

#include <stdbool.h>
#include <stdint.h>

enum { REGS_MAX_SETTINGS = 16, REGS_MAX_COUNTERS = 48 };

struct regs {
    uint32_t setting[REGS_MAX_SETTINGS]; /* as they stand before the edge */
    uint32_t counter[REGS_MAX_COUNTERS];
    /* private */
    const struct iface *iface;
    uint32_t setting_mask[REGS_MAX_SETTINGS];
    uint32_t setting_reset[REGS_MAX_SETTINGS];
    uint32_t counter_max;
    uint32_t id, hash_lo, hash_hi;
    bool ack;
};

/* The wb_* inputs of a block's in struct. */
struct regs_in {
    bool cyc, stb, we;
    uint32_t adr, dat_w, sel;
};

struct regs_out {
    bool ack;
    uint32_t dat_r;
};

/* What an access on this edge did, for cover points. */
enum regs_effect { REGS_NOTHING, REGS_CLEARED, REGS_WROTE_SETTING };

void regs_init(struct regs *r, const struct iface *iface,
               const struct config *c);
void regs_reset(struct regs *r);

/* One edge: bit i of events counts counter i.  Returns what the access did;
 * the setting that was written is in *index. */
enum regs_effect regs_cycle(struct regs *r, const struct regs_in *in,
                            uint64_t events, struct regs_out *out, int *index);

#endif

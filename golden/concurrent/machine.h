/* machine.h - the commands of an accelerator that decides for itself: a machine
 * behind its rank, which sees what the host commands there and two wires that
 * hold it back (dram_channel.accelerators=told).
 *
 * It knows one bank, the last of the last group.  On each edge it gives at most
 * one command for the burst that waits, when the rules let it.
 */
#ifndef NDP_CONCURRENT_MACHINE_H
#define NDP_CONCURRENT_MACHINE_H

#include "dram/rules.h"
#include "near.h"

enum { MACHINE_SCOPES = 3, MACHINE_WINDOW = 4 };

struct machine {
    const struct dram_rule *rules;
    int group, bank;                           /* its own */
    uint64_t last[MACHINE_SCOPES][DRAM_KINDS]; /* edge + 1; 0: none yet */
    uint64_t acts[MACHINE_WINDOW];             /* of the rank, oldest first */
    bool open;
    int row;
};

/* What it sees on an edge. */
struct machine_in {
    bool host; /* the host commands its rank */
    enum dram_kind kind;
    int group, bank, row;
    bool held, writes_held;
};

/* rules must outlive it. */
void machine_init(struct machine *m, const struct dram_rule *rules,
                  const struct config *c);

/* A burst of an accelerator lies where its machine can have it. */
bool machine_owns(const struct machine *m, const struct near_burst *b);

/* An edge; b: the burst that waits, or NULL.  True: a command, in kind. */
bool machine_edge(struct machine *m, uint64_t now, const struct machine_in *in,
                  const struct near_burst *b, enum dram_kind *kind);

#endif

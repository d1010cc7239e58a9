/* machine.h - an accelerator's end beside the memory: takes the decisions of the
 * channel again, from the host's commands to its rank and what held it back
 * (dram_channel.accelerators=mirrored).
 *
 * It knows the last bank of its rank and the one before it.  On each edge it
 * issues at most one command, for the burst that is next or for the row that is
 * needed after it.
 */
#ifndef NDP_CONCURRENT_MACHINE_H
#define NDP_CONCURRENT_MACHINE_H

#include "dram/rules.h"
#include "near.h"

enum { MACHINE_SCOPES = 3, MACHINE_WINDOW = 4, MACHINE_BANKS = 2 };

struct machine_bank {
    uint64_t last[DRAM_KINDS]; /* edge + 1; 0: none yet */
    bool open;
    int row;
};

struct machine {
    const struct dram_rule *rules;
    int group, last_bank;                      /* its banks: the last ones */
    uint64_t last[MACHINE_SCOPES][DRAM_KINDS]; /* of group and rank */
    uint64_t acts[MACHINE_WINDOW];             /* of the rank, oldest first */
    struct machine_bank bank[MACHINE_BANKS];   /* the last one first */
    bool rests; /* the edge before had a column command */
};

/* What it sees on an edge. */
struct machine_in {
    bool host; /* the host commands its rank */
    enum dram_kind kind;
    int group, bank, row;
    bool held, reads_held, writes_held;
    unsigned rows_held; /* bit i: of its bank i */
};

/* rules must outlive it. */
void machine_init(struct machine *m, const struct dram_rule *rules,
                  const struct config *c);

/* A place lies in one of its banks. */
bool machine_owns(const struct machine *m, const struct dram_place *p);

/* An edge; b: the burst that is next, or NULL.  True: a command, for the place
 * and of the kind given. */
bool machine_edge(struct machine *m, uint64_t now, const struct machine_in *in,
                  const struct near_burst *b, enum dram_kind *kind,
                  const struct dram_place **place);

#endif

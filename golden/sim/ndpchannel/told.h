/* told.h - the host's controller of a channel whose accelerators command by
 * themselves: it is told what each has commanded, as the copy of their state
 * machine at the host's end says it, and keeps the rules for both.
 *
 * One bank of a rank, the last, is the accelerator's.  A command of the host's
 * is seen by the rank's accelerator on its edge, which gives none then.
 * Requests wait by age; the oldest with an open row goes first.
 */
#ifndef NDP_NDPCHANNEL_TOLD_H
#define NDP_NDPCHANNEL_TOLD_H

#include "dram/check.h"

enum { TOLD_RANKS = 4, TOLD_GROUPS = 8, TOLD_BANKS = 128, TOLD_QUEUE = 32 };

struct told_request {
    int rank, group, bank, row, column;
    bool write;
    uint64_t since;
};

/* When the last command of each kind was, cycle + 1; 0: never. */
struct told_times {
    uint64_t last[DRAM_KINDS];
};

struct told_rank {
    struct told_times all, group[TOLD_GROUPS], bank[TOLD_BANKS];
    struct told_times host; /* the host's alone */
    uint64_t acts[4];       /* the last four, oldest first */
    bool open[TOLD_BANKS];
    int row[TOLD_BANKS];
    uint64_t refresh_at;
    bool due;
};

struct told {
    const struct config *config;
    struct dram_rule rules[DRAM_RULES];
    struct told_rank rank[TOLD_RANKS];
    int n_ranks, groups, banks; /* banks of a group */
    struct told_request queue[TOLD_QUEUE];
    int n;
    struct dram_checker *checker;
    uint64_t commands, violations;
    uint64_t reads, writes, refreshes, latency_sum;
};

void told_open(struct told *t, const struct config *c);
void told_close(struct told *t);

/* False: there is no room. */
bool told_request(struct told *t, const struct told_request *r);

/* The wires to a rank's accelerator on this cycle: nothing, while a refresh is
 * due; no writes, while the oldest request is a read of that rank. */
bool told_holds_all(const struct told *t, int rank);
bool told_holds_writes(const struct told *t, int rank);

/* The host's command on this cycle, which goes out; false: none. */
bool told_command(struct told *t, uint64_t now, struct dram_command *c);

/* An accelerator's. */
void told_near(struct told *t, const struct dram_command *c);

#endif

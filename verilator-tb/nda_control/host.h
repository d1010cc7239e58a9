/* host.h - a host that shares a rank with its accelerator: it knows the rules
 * and what both have commanded, and gives commands that keep them.  All
 * commands go through the checker, which knows none of this. */
#ifndef NDP_TB_NDA_CONTROL_HOST_H
#define NDP_TB_NDA_CONTROL_HOST_H

#include "dram/check.h"
#include "kit/rng.h"
#include "kit/rows.h"

enum { RANK_PLACES = 128, RANK_GROUPS = 8 };

/* What it knows of a bank, bank group, or the rank: edge + 1. */
struct rank_times {
    uint64_t last[DRAM_KINDS];
};

struct rank_host {
    const struct config *config;
    int groups, banks; /* banks of a group */
    int own;           /* the last ones: the accelerator's */
    struct dram_checker *checker;
    char broken[300]; /* what the checker said */
    struct dram_rule rules[DRAM_RULES];
    struct rank_times bank[RANK_PLACES], group[RANK_GROUPS], rank;
    uint64_t acts[4];
    bool open[RANK_PLACES];
    uint64_t row[RANK_PLACES];
    bool refreshes; /* it is time for one */
    uint64_t commands;
};

/* How it behaves for a while. */
struct rank_tune {
    int own;  /* percent of commands to the accelerator's banks */
    int rows; /* 0: none is used, 1: one row, else several */
    const struct rows *used; /* these */
};

void rank_host_open(struct rank_host *h, const struct config *c, int groups,
                    int banks, int own);
void rank_host_restart(struct rank_host *h);
void rank_host_close(struct rank_host *h);

/* A command was given, by the host or the accelerator.  NULL, or what is wrong.
 */
const char *rank_host_take(struct rank_host *h, const struct dram_command *c);

/* A command that it may give on edge `now`; false if there is none.  own_row is
 * the row that the accelerator needs. */
bool rank_host_command(struct rank_host *h, struct rng *r,
                       const struct rank_tune *t, uint64_t now, int own_row,
                       struct dram_command *c);

#endif

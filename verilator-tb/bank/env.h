/* env.h - what the stimulus of the bank keeps, for its modes. */
#ifndef NDP_STIM_BANK_ENV_H
#define NDP_STIM_BANK_ENV_H

#include "stim.h"

#include "blocks/bank.h"
#include "checker.h"
#include "dram/check.h"

enum { MOST = 32 };

struct tune {
    int send, write;   /* percent: of edges with a request, of these writes */
    int rows, columns; /* in use */
    int step;          /* between the rows in use */
    int turns;         /* percent of requests with another row than the last */
};

struct burst {
    bool there, write;
    uint64_t id, row, column;
    int warp; /* of a replay */
};

struct bank_stim {
    struct stim base;
    struct bank_local size;
    struct config config; /* as a rank, for dram/check.c */
    struct dram_checker *checker;
    struct bank_checker own;
    char broken[300]; /* the rule that the last command broke */
    struct tune tune;
    int left;
    uint64_t script;
    struct burst offered;       /* the request on req_*, until it is taken */
    struct burst waiting[MOST]; /* by age */
    int n, passed;
    int idle, longest; /* edges without a command, at most */
    int64_t edge;      /* since reset */
    uint64_t row;
    uint64_t requests, commands[DRAM_KINDS];
};

/* The next request of a replay; false: none now. */
bool bank_replay_next(struct bank_stim *s, struct burst *b);

/* The column command of a burst goes out. */
void bank_replay_answered(struct bank_stim *s, const struct burst *b);

extern const struct stim_mode bank_replay;

#endif

/* scratch.h - shared memory of a core as an environment knows it: what each
 * warp sees of it, which bytes anybody has written, and what an access leaves,
 * a lane after the other.  Of near_pipe's environment and far_pipe's. */
#ifndef NDP_STIM_NEAR_PIPE_SCRATCH_H
#define NDP_STIM_NEAR_PIPE_SCRATCH_H

#include "kit/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCRATCH_LANES = 32 };

/* What is known of a byte. */
enum scratch_known {
    NOTHING,
    KNOWN,
    VAGUE /* it has been written, but a reset may have cut a store off */
};

/* What a warp sees; 0 rows: not written. */
struct scratch_window {
    uint64_t base, rows;
};

/* An access with the operands that its lanes have. */
struct scratch_access {
    uint64_t warp, active;
    int op;
    uint32_t at[SCRATCH_LANES], compare[SCRATCH_LANES], data[SCRATCH_LANES];
    int wrong; /* its lowest lane that is, -1: none */
    bool odd;  /* misaligned */
};

struct scratch {
    int lanes;
    uint64_t alus, words;                /* no words: there is none */
    struct scratch_window *window, next; /* by warp; written on this edge */
    uint64_t next_warp;
    bool next_there;
    uint8_t *bytes, *known;
};

void scratch_open(struct scratch *c, int lanes, int alus, int words, int warps);
void scratch_close(struct scratch *c);

/* The operation is an access to shared memory, if there is one. */
bool scratch_is(const struct scratch *c, int op);
bool scratch_stores(int op);
/* Say which lane is wrong; the rest of a is there. */
void scratch_look(const struct scratch *c, struct scratch_access *a);
/* A lane reads a byte of which that is known. */
bool scratch_reads(const struct scratch *c, const struct scratch_access *a,
                   enum scratch_known known);
/* What it leaves in memory, and in the row of its destination, NULL: it has
 * none.  Of that row all lanes may be known to the pipe (whole), but some not
 * to the environment (vague). */
void scratch_execute(struct scratch *c, const struct scratch_access *a,
                     uint32_t *row, bool *whole, bool *vague);
/* Nobody knows how far it came. */
void scratch_forget(struct scratch *c, const struct scratch_access *a);

/* A window for the warp, as c->next; scratch_moves makes it the warp's. */
void scratch_choose(struct scratch *c, struct rng *r, uint64_t warp);
void scratch_moves(struct scratch *c);
/* Addresses for the lanes of a row, if the warp has a window. */
void scratch_addresses(const struct scratch *c, struct rng *r, uint64_t warp,
                       uint32_t *lane);

#endif

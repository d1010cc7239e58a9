/* shared.h - shared memory of near-bank units: its banks, what each warp sees
 * of them, and the two accesses that it may hold.
 *
 * Written from docs/blocks/near_pipe.md, Shared memory.
 */
#ifndef NDP_GOLDEN_NEAR_PIPE_SHARED_H
#define NDP_GOLDEN_NEAR_PIPE_SHARED_H

#include <stdbool.h>
#include <stdint.h>

enum { NSM_LANES = 32 };

/* Cover points, by the model's numbers. */
struct nsm_points {
    int load, store, atomic, kept, part, conflict, same, empty, still, odd, off;
};

struct nsm_size {
    int lanes, alus, words; /* no words: there is none */
};

/* An access with all its lanes. */
struct nsm_access {
    uint64_t warp, tag, ticket, active;
    int op, unit;
    uint32_t number;        /* that its address has, too */
    uint32_t *row;          /* its destination's lanes, NULL: none */
    uint32_t at[NSM_LANES]; /* within its window */
    uint32_t data[NSM_LANES], compare[NSM_LANES];
};

/* What a check has found, for one edge. */
struct nsm_fault {
    bool valid, odd;
    uint64_t warp, tag;
    uint32_t address;
};

struct nsm_window {
    uint64_t base, rows;
};

struct nsm {
    struct nsm_size size;
    const struct nsm_points *points;
    uint64_t *covers; /* of the model */
    uint8_t *bytes;
    struct nsm_window *windows; /* by warp */

    bool busy, checked; /* the access at the banks */
    struct nsm_access access;
    uint64_t base; /* first word of its window */
    int wrong;     /* its lowest lane that is, -1: none */
    uint64_t todo; /* active lanes, not done yet */

    struct nsm_access end; /* the one whose words were read last */
    uint64_t puts;         /* lanes of it to be put into its row, */
    uint32_t put[NSM_LANES];
    bool last;  /* no others follow: with these it has ended */
    bool ended; /* its completion is not told yet */
};

/* The instruction is one of shared memory's. */
bool nsm_is(int op);

/* warps: that may have a window. */
void nsm_open(struct nsm *s, struct nsm_size size, uint64_t warps,
              const struct nsm_points *points, uint64_t *covers);
void nsm_close(struct nsm *s);
/* Bytes and windows stay. */
void nsm_reset(struct nsm *s);
void nsm_window(struct nsm *s, uint64_t warp, struct nsm_window w);

/* An edge in two parts.  taken: by unit, somebody else writes into its file;
 * told: the completion moves to 'done' on it.  After the first part, an access
 * may begin if nsm_free. */
struct nsm_fault nsm_edge(struct nsm *s, const bool *taken, bool told);
bool nsm_free(const struct nsm *s);
void nsm_begin(struct nsm *s, const struct nsm_access *a);

#endif

/* shared.h - shared memory of a core on the base die: its banks, what each warp
 * sees of them, and the one access that they carry out.
 *
 * Written from docs/blocks/far_pipe.md.
 */
#ifndef NDP_GOLDEN_FAR_PIPE_SHARED_H
#define NDP_GOLDEN_FAR_PIPE_SHARED_H

#include <stdbool.h>
#include <stdint.h>

enum { SMEM_LANES = 32 };

/* Cover points, by the model's numbers. */
struct smem_points {
    int load, store, atomic, kept, part, conflict, same, empty, still, odd, off;
};

struct smem_size {
    int lanes, alus, passes, words; /* no words: there is none */
};

/* An access as its first pass leaves, with all lanes. */
struct smem_access {
    uint64_t warp, active;
    int op;
    uint32_t at[SMEM_LANES], data[SMEM_LANES], compare[SMEM_LANES];
};

/* What a check has found, for one edge. */
struct smem_fault {
    bool valid, odd;
    uint32_t address;
};

struct smem_window {
    uint64_t base, rows;
};

struct smem {
    struct smem_size size;
    const struct smem_points *points;
    uint64_t *covers; /* of the model */
    uint8_t *bytes;
    struct smem_window *windows; /* by warp */
    bool busy, ended;
    int age; /* edges since the first pass left, that one included */
    struct smem_access access;
    struct smem_window window;
    int pass;      /* that is worked on */
    uint64_t todo; /* active lanes, not done yet */
    bool read;     /* an atomic's lane has been */
    uint64_t puts; /* lanes to be put, */
    uint32_t put[SMEM_LANES];
};

/* The instruction is one of shared memory's. */
bool smem_is(int op);

/* warps: that may have a window. */
void smem_open(struct smem *s, struct smem_size size, uint64_t warps,
               const struct smem_points *points, uint64_t *covers);
void smem_close(struct smem *s);
/* Bytes and windows stay. */
void smem_reset(struct smem *s);
void smem_window(struct smem *s, uint64_t warp, struct smem_window w);

/* The next one may begin. */
bool smem_free(const struct smem *s);
/* The access under way has passes left that leave on this edge. */
bool smem_more(const struct smem *s);
/* On the edge on which the first pass leaves, before smem_edge.  at: source
 * a, to which the word's number is still to be added, if it has one. */
void smem_begin(struct smem *s, const struct smem_access *a, uint32_t number);
/* An edge.  row: the destination's lanes, NULL: none; taken: somebody else
 * writes into that file. */
struct smem_fault smem_edge(struct smem *s, uint32_t *row, bool taken);
/* Its completion goes to 'done'. */
void smem_told(struct smem *s);

#endif

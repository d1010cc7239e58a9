/* examine.h - whether a board does with a window what the golden model does,
 * and what it did instead. */
#ifndef NDP_BIST_EXAMINE_H
#define NDP_BIST_EXAMINE_H

#include "board.h"

/* An edge that was streamed back. */
struct examined_edge {
    bool rst;
    struct flat_row stim, golden, device;
};

struct examined {
    bool right;     /* every pass; then nothing else counts */
    uint64_t pass;  /* the first that was wrong, from 0 */
    bool again;     /* the window was wrong again when it was played again; if
                       not, nothing below counts */
    uint64_t first; /* first wrong edge, from 0 */
    uint64_t from;  /* first edge that was streamed back */
    int n;
    struct examined_edge *edges;
    int wrong; /* of these edges; 0: the difference has gone */
    uint32_t expected, signature;
};

/* Play a window so many times, and look closely at it if its signature is
 * wrong: up to 4096 edges are streamed back whole, of more those around the
 * first wrong one.  False: b->why, which ends it for good. */
bool examine(struct board *b, const struct window *w, uint64_t passes,
             struct examined *e);
void examined_free(struct examined *e);

#endif

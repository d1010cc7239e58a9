/* window.h - what is played, and what a golden model makes of it. */
#ifndef NDP_BIST_WINDOW_H
#define NDP_BIST_WINDOW_H

#include "base/diag.h"
#include "flat.h"

#include <stdbool.h>

struct golden;

/* Words and how often they come; docs/blocks/bist.md, Words. */
struct window {
    struct flat_row *words; /* inputs, and reset above them; the owner's */
    int n;
    int again;       /* word after the last */
    uint64_t length; /* edges, 1 to 2^32 */
    uint32_t seed;   /* 0: no bit is free */
    struct flat_row mask;
    uint64_t from; /* edge of the recording with the first word */
};

/* --- recordings ----------------------------------------------------------- */

/* Edges of a VCD: what stood at the inputs before each rising edge of clk, and
 * rst. */
struct recording {
    struct flat_row *edges; /* reset above the inputs */
    int n;
};

/* From any VCD with clk, rst and the design's inputs, by these names, in one
 * scope: the bench's (VALUES=FILE) or a simulator's.  Unknown bits count as 0.
 * False after an error in d. */
bool recording_read(struct recording *r, const char *path, const struct flat *f,
                    struct diag *d);
void recording_free(struct recording *r);

/* The next window of a recording, of at most most words: its words are those of
 * r.  Windows begin with reset; between one that has ended and the next reset
 * edges are passed over, and one may begin in another so that fewer are.
 * *at: where to look, 0 at first.  False: there is none. */
bool recording_window(const struct recording *r, const struct flat *f, int most,
                      int *at, struct window *w);

/* --- the golden model ----------------------------------------------------- */

/* A golden block that a window is played to, edge by edge. */
struct playback {
    const struct flat *flat;
    const struct window *window;
    struct golden *block;
    void *in;
    int at;
    uint32_t x;
    bool rst;                /* of the edge just played */
    struct flat_row stim;    /* its inputs */
    struct flat_row outputs; /* after it */
};

void playback_open(struct playback *r, const struct flat *f,
                   const struct window *w);
void playback_edge(struct playback *r);
void playback_close(struct playback *r);

/* Signatures of a window's first edges: after every, 2 * every, ... of them,
 * and at the end. */
struct expectation {
    uint32_t *after;
    int n;
    uint64_t every;
    uint32_t signature;
};

/* The model is at rest in reset before the first edge. */
void expectation_make(struct expectation *e, const struct flat *f,
                      const struct window *w);
void expectation_free(struct expectation *e);

#endif

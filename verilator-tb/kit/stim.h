/* stim.h - what stands around a block, written once for each block.
 *
 * A stimulus drives the block's inputs within its contract and watches what
 * comes out.  It must depend on nothing but its options and the outputs it was
 * shown, so that one seed gives one run in every simulator.
 */
#ifndef NDP_STIM_H
#define NDP_STIM_H

#include "frame/golden.h"
#include "iface/iface.h"

#include <stdbool.h>
#include <stdint.h>

struct stim_options {
    const char *mode;   /* "random", "directed", "replay" */
    const char *kernel; /* PTX file of "replay", or NULL */
    const char *run;    /* run description of "replay", or NULL */
    const char *size;   /* of the description's sizes; NULL: its own choice */
    bool by_names;      /* candidates count each live register once */
    bool whole;         /* the run once and to its end, not over and over */
    uint64_t seed;
};

/* Report a mode that is none of the three; false.  In kit.c. */
bool stim_unknown(const char *mode, struct diag *d);

enum stim_state {
    STIM_GOING,
    STIM_OVER,  /* all that there was has been done */
    STIM_FAILED /* its input turned out to be broken: an error is in the diag */
};

struct stim_class {
    /* NULL after an error in d: unknown mode, unreadable kernel.  d outlives
     * the stimulus. */
    void *(*create)(const struct config *c, const struct stim_options *o,
                    struct diag *d);
    void (*destroy)(void *s);
    /* The next edge: set *rst and change what is to change in the block's in
     * struct, which holds the inputs of the last edge. */
    void (*drive)(void *s, bool *rst, void *in);
    /* Look at that edge: inputs and outputs as they stood before it, outputs
     * after it.  NULL, or a message (owned by s) when an end-to-end property is
     * broken: wrong data, a lost instruction. */
    const char *(*watch)(void *s, bool rst, const void *in, const void *before,
                         const void *after);
    /* After each watch: does it go on?  May be NULL: it always does. */
    enum stim_state (*state)(const void *s);
    /* "key<TAB>value" lines for the end of the run: all counts, or only those
     * that belong into a report of a few lines.  May be NULL. */
    void (*report)(void *s, bool all, struct text *t);
};

/* What the bench needs of one block. */
struct bench_block {
    const struct iface *iface;
    const struct golden_class *golden;
    const struct stim_class *stim;
};

#endif

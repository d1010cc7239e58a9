/* stim.h - what stands around a target in lock-step, written once for each.
 *
 * A stimulus drives the target's inputs within its contract and watches what
 * comes out.  It must depend on nothing but its options and the outputs it was
 * shown, so that one seed gives one run in every simulator.
 *
 * What all of them do stands in the frame (stim.c): creation and modes, resets,
 * the master at the register port, the rules of channels, messages.  A stimulus
 * is a struct that begins with struct stim, and a class:
 *
 *     struct emn_stim {
 *         struct stim base;
 *         ...
 *     };
 *
 *     const struct stim_class emn_stim = {
 *         .size = sizeof(struct emn_stim),
 *         .modes = modes,
 *         .drive = drive,
 *         .watch = watch,
 *     };
 */
#ifndef NDP_STIM_H
#define NDP_STIM_H

#include "channels.h"
#include "frame/golden.h"
#include "iface/design.h"
#include "master.h"
#include "rng.h"

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

enum stim_state {
    STIM_GOING,
    STIM_OVER,  /* all that there was has been done */
    STIM_FAILED /* its input turned out to be broken: an error is in the diag */
};

struct stim;

/* Where the traffic comes from.  Members may be NULL, but for the name. */
struct stim_mode {
    const char *name; /* "random", "directed", "replay"; "kernel": a replay of a
                       * PTX file alone */
    bool measures;    /* its counts belong into a report of a few lines */
    bool resets;      /* the frame resets now and then, see reset_every */
    bool
        is_master; /* its drive has the register port, the frame's master not */
    bool (*open)(struct stim *s);  /* false after an error in s->diag */
    void (*close)(struct stim *s); /* only if s->script is set */
    void (*step)(struct stim *s);  /* before each edge, to change something */
    void (*reset)(struct stim *s);
    enum stim_state (*state)(const struct stim *s);
    void (*report)(struct stim *s, struct text *t); /* "key<TAB>value" lines */
};

/* Members may be NULL, but for size, modes and drive. */
struct stim_class {
    size_t size;
    const struct stim_mode *const *modes; /* NULL ends */
    int first_reset; /* edges of reset that it begins with */
    /* Derive what the configuration fixes, and set reset_every and wishbone;
     * the rest of the struct is zero. */
    void (*open)(struct stim *s, const struct config *c);
    void (*close)(struct stim *s);
    /* At the begin, and on each edge of reset: forget what was under way. */
    void (*reset)(struct stim *s);
    /* The next edge: change what is to change in the block's in struct, which
     * holds the inputs of the last edge.  Also while rst is high. */
    void (*drive)(struct stim *s, void *in);
    /* Look at that edge: inputs and outputs as they stood before it, outputs
     * after it; count what its counters count (s->master.count).  NULL, or a
     * message (stim_complain) when an end-to-end property is broken: wrong
     * data, a lost instruction. */
    const char *(*watch)(struct stim *s, const void *in, const void *before,
                         const void *after);
    /* "key<TAB>value" lines for the end of the run. */
    void (*report)(struct stim *s, struct text *t);
};

struct stim {
    const struct stim_class *class;
    const struct stim_mode *mode;
    const struct stim_options *options;
    struct design *design;
    struct diag *diag; /* of a replay; outlives the stimulus */
    void *script;      /* the mode's own */
    struct rng rng;
    struct channels channels;
    struct master master; /* of a unit: not there */
    int wishbone;         /* of 1000 cycles: an access of its own starts */
    int reset_every;      /* edges between resets, about; 0: never */
    uint64_t now;         /* edges since create */
    uint64_t age;         /* edges since the last reset */
    int rst_left;         /* edges of reset still to come */
    uint64_t resets;
    char message[512];
};

/* NULL after an error in d: unknown mode, unreadable kernel. */
struct stim *stim_create(const struct stim_class *k, const struct iface *b,
                         const struct config *c, const struct stim_options *o,
                         struct diag *d);
void stim_free(struct stim *s);
void stim_drive(struct stim *s, bool *rst, void *in);
const char *stim_watch(struct stim *s, bool rst, const void *in,
                       const void *before, const void *after);
/* After each watch: does it go on? */
enum stim_state stim_state(const struct stim *s);
/* All counts, or only those that belong into a report of a few lines. */
void stim_report(struct stim *s, bool all, struct text *t);

/* Format into s->message and return it.  The first complaint about an edge
 * stays, so all may be looked for. */
const char *stim_complain(struct stim *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Be reset for so many edges, from the next one on. */
static inline void stim_reset(struct stim *s, int edges) {
    s->rst_left = edges;
}

/* What the bench needs of one target. */
struct bench_block {
    const struct iface *iface;
    const struct golden_class *golden; /* NULL: golden_find */
    const struct stim_class *stim;
};

#endif

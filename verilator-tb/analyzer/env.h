/* env.h - what the files of the memory map analyzer's stimulus
 * share.
 *
 * The environment plays the core whose candidate instances are watched, the
 * driver that loads the allocation table, and software that asks for results.
 * Beside the unit it keeps the plain meaning of docs/blocks/analyzer.md: which
 * stacks an instance has touched, scores and sums, a table that is searched
 * from its start to its end.  Every answer, report and interrupt is compared
 * with that, on the very edge on which the note says that it takes effect.
 */
#ifndef NDP_STIM_ANALYZER_ENV_H
#define NDP_STIM_ANALYZER_ENV_H

#include "base/bits.h"
#include "blocks/analyzer.h"
#include "kit/stim.h"
#include "kit/toggle.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    ANA_WARPS = 64,
    ANA_MAPS = 16,
    ANA_PLACES = 256,
    ANA_PIPE = 32 /* accesses that are searched for at a time, and more */
};

enum ana_op { OP_BEGIN, OP_ACCESS, OP_END, OP_NOTHING };

struct ana_event {
    enum ana_op op;
    int warp;
    uint64_t address;
};

/* An allocation. */
struct ana_range {
    uint64_t start, length;
    bool touched;
};

/* Stacks that an instance has touched: one bit a stack, by mapping. */
struct ana_touched {
    uint16_t stacks[ANA_MAPS];
};

/* An event between its edge and its effect. */
struct ana_flight {
    struct ana_event event;
    uint64_t at; /* edge on which it was taken */
};

/* How the surroundings behave; percentages unless said otherwise. */
struct ana_tune {
    const char *name;
    int event;    /* cycles in which an event is offered */
    int accesses; /* most of an instance */
    int stay;     /* events by the same warp as the last one */
    int wild;     /* events in no order */
    int edges;    /* addresses at the ends of ranges and beside them */
    int stride;   /* accesses at a fixed offset from the last one */
    int query;    /* cycles with a query */
    int wishbone; /* of 1000 cycles: an access */
    int warps;    /* that take part; 0: all */
    int restart;  /* of 10000 cycles: learning starts again */
};

/* All around an analyzer but the source of its events: the driver that loads
 * the allocation table, software that asks, and what the unit must know.  It
 * stands in the stimulus of the block and of systems that have one. */
struct ana_env {
    struct stim *stim;
    struct master *master;
    struct analyzer_local size;
    bool ready;       /* ev_ready as it stands */
    int wanted_query; /* -1: none */

    /* the driver */
    struct ana_range fresh[ANA_PLACES]; /* the table to be loaded */
    int n_fresh;
    int load_at;      /* next place to be written, -1: nothing to do */
    uint64_t settled; /* edge from which the table may be written */

    /* what the unit must know: ranges in their places, instances, scores */
    struct ana_range range[ANA_PLACES];
    int n_ranges; /* places that have been written, and not back */
    struct ana_touched warp[ANA_WARPS];
    uint64_t score[ANA_MAPS], sum[ANA_MAPS], instances;
    bool done;
    uint64_t irq_edge; /* after it the interrupt shows, 0: not known */
    int best;

    struct ana_flight flight[4]; /* events before they take effect */
    int n_flights;
    struct ana_touched ended; /* of the end that is scored on the next edge */
    bool has_ended;
    struct ana_flight search[ANA_PIPE];
    unsigned search_head, n_searches;

    uint64_t events[4], learned, checked, inside, outside;
    int irq_best; /* of the last interrupt */
    uint64_t final_score[ANA_MAPS], final_sum[ANA_MAPS], final_instances;
};

struct ana_stim;

/* Where events come from: random, a script, a kernel. */
struct ana_mode {
    struct stim_mode base;
    /* The next event; false: none now. */
    bool (*next)(struct ana_stim *s, struct ana_event *e);
};

struct ana_stim {
    struct stim base;
    struct ana_env env;
    struct ana_tune tune;
    bool offering;
    struct ana_event offer;
    uint64_t restarts;
};

/* --- env.c ------------------------------------------------------- */

void ana_open(struct ana_env *s, struct stim *stim, const struct design *d,
              struct master *m);
void ana_reset(struct ana_env *s);
/* All inputs but those of events; query: percent of the cycles with a query. */
void ana_drive(struct ana_env *s, struct analyzer_in *in, int query);
const char *ana_watch(struct ana_env *s, const struct analyzer_in *in,
                      const struct analyzer_out *before,
                      const struct analyzer_out *after);
void ana_report(const struct ana_env *s, struct text *t);

/* Learning is off and the driver may write the table. */
bool ana_settled(const struct ana_env *s);

static inline bool ana_enabled(const struct ana_env *s) {
    return s->master->setting[ANALYZER_SET_enable];
}

/* Start to load the n ranges of s->fresh, once ana_settled; places that are no
 * longer used are written back. */
void ana_load(struct ana_env *s, int n);
static inline bool ana_loading(const struct ana_env *s) {
    return s->load_at >= 0;
}

/* Make up n ranges in s->fresh. */
void ana_random_table(struct ana_env *s, int n);
/* An address in a range, at an end of one, or beside it. */
uint64_t ana_edge_address(struct ana_env *s);

/* --- oracle.c ----------------------------------------------- */

void ana_oracle_reset(struct ana_env *s);
const char *ana_oracle_watch(struct ana_env *s, const struct analyzer_in *in,
                             const struct analyzer_out *before,
                             const struct analyzer_out *after);
/* The range of an address, -1: none. */
int ana_find(const struct ana_env *s, uint64_t address);
int ana_stack(const struct ana_env *s, int map, uint64_t address);

/* --- modes ------------------------------------------------------- */

extern const struct ana_mode ana_random;
extern const struct ana_mode ana_directed;
extern const struct ana_mode ana_run;

#endif

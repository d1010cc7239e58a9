/* loops.h - natural loops, their nesting and trip counts.
 *
 * A loop is a header with all blocks that reach one of its latches (sources of
 * a back edge to the header) without passing the header.  Cycles that have no
 * such header (irreducible) are not loops here.
 */
#ifndef NDP_PTX_LOOPS_H
#define NDP_PTX_LOOPS_H

#include "cfg.h"
#include "dom.h"
#include "reach.h"

enum ptx_trip_kind {
    PTX_TRIP_UNKNOWN, /* data decides, or the form is not understood */
    PTX_TRIP_ENTRY,   /* from registers that stand when the loop is entered */
    PTX_TRIP_STATIC   /* count is the number of iterations */
};

/* The loop goes on while one value stands so to another. */
enum ptx_relation {
    PTX_REL_NONE,
    PTX_REL_EQ,
    PTX_REL_NE,
    PTX_REL_LT,
    PTX_REL_LE,
    PTX_REL_GT,
    PTX_REL_GE
};

struct ptx_trip {
    enum ptx_trip_kind kind;
    int64_t count; /* STATIC */
    int counter;   /* register of the induction variable, -1: unknown */
    int64_t step;  /* added to it in each iteration, */
    int step_reg;  /* times this register, which the loop does not change; -1 */
    int test;      /* pc of the setp that ends the loop, -1: unknown */
    /* If test >= 0: with the counter as it stands at the header, the loop goes
     * on while counter + plus <relation> bound, compared as type. */
    enum ptx_relation relation;
    enum ptx_type type;
    bool is_unsigned;   /* of the comparison */
    bool tests_first;   /* before the work: there may be no iteration */
    int64_t plus;       /* constant; to it comes */
    int64_t plus_times; /* so many times step_reg */
    bool start_known;   /* the counter enters the loop as the constant start */
    bool bound_known;   /* bound is a constant; else register bound_reg, */
    int bound_reg;      /* -1: a special register */
    int64_t start, bound;
};

struct ptx_loop {
    int header;
    int parent;          /* loop around it, -1: none */
    int depth;           /* 1: outermost */
    int first, n_blocks; /* blocks: ptx_loops.order[first .. first + n) */
    int n_latches;
    const int *latches;
    struct ptx_trip trip;
};

struct ptx_loops {
    int n_loops; /* outer loops stand before the loops in them */
    struct ptx_loop *loops;
    int *innermost; /* innermost loop of each block, -1: none */
    int *order;     /* blocks in loops, those of one loop side by side */
    int *position;  /* of each block in order, -1: in no loop */
};

void ptx_loops_find(struct arena *a, const struct ptx_cfg *cfg,
                    const struct ptx_dom *dom, struct ptx_loops *loops);

static inline bool ptx_loop_has(const struct ptx_loops *l, int loop,
                                int block) {
    int at = l->position[block];
    return at >= l->loops[loop].first &&
           at < l->loops[loop].first + l->loops[loop].n_blocks;
}

/* Fill in the trip counts (trip.c). */
void ptx_trips_find(const struct ptx_function *f, const struct ptx_cfg *cfg,
                    const struct ptx_dom *dom, const struct ptx_defs *defs,
                    struct ptx_loops *loops);

#endif

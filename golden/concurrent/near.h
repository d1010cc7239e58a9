/* near.h - the accelerators beside the memory's ranks, as the channel sees
 * them: the bursts of an operation, in order, and when each may come.
 *
 * The operations are those of Chopim's Table I.  A vector goes in batches of a
 * row of its rank (1 KB of each chip): all steps of an operation for a batch,
 * then for the next.  Loads follow each other; a store waits until what was
 * loaded is through the arithmetic.  (docs/blocks of the processing element has
 * the same steps.)  Nothing here knows data.
 */
#ifndef NDP_CONCURRENT_NEAR_H
#define NDP_CONCURRENT_NEAR_H

#include "dram/operands.h"

enum { NEAR_OPERANDS = 4, NEAR_QUEUE = 16, NEAR_ROWS = 128 };

#define NEAR_OP_NAMES "axpby|axpbypcz|axpy|copy|xmy|dot|nrm2|scal|gemv"

enum near_op {
    NEAR_AXPBY,
    NEAR_AXPBYPCZ,
    NEAR_AXPY,
    NEAR_COPY,
    NEAR_XMY,
    NEAR_DOT,
    NEAR_NRM2,
    NEAR_SCAL,
    NEAR_GEMV,
    NEAR_OPS
};

/* What all accelerators work on: operands in step, and times. */
struct near_job {
    const struct dram_layout *l;
    enum near_op op;
    int bursts; /* of a vector in each rank; GEMV: of a row of the matrix */
    int batch;  /* bursts */
    struct dram_operand operand[NEAR_OPERANDS];
    int n_operands;
    int after_load, after_store; /* cycles from a column command until its data
                                    are through */
};

/* Take operands for an operation, so many bytes of each vector in each rank.
 * False after an error in d; near_job_free in any case. */
bool near_job_make(struct near_job *j, const struct dram_layout *l,
                   const struct config *c, enum near_op op, uint64_t bytes,
                   struct diag *d);
void near_job_free(struct near_job *j);

struct near_burst {
    bool write, enabled; /* enabled: its column command may be issued */
    struct dram_place place;
    bool ahead; /* another row is needed after this one: */
    struct dram_place then;
};

struct near_task {
    int start, n; /* bursts of the vector */
};

/* One rank's accelerator. */
struct near {
    const struct near_job *j;
    int part; /* of a system row; -1: the rank has none, nothing is done */
    struct near_task queue[NEAR_QUEUE];
    int n_queue;
    bool busy;
    struct near_task task;
    int batch, size;         /* first burst of the batch, bursts of it */
    int step, row, k;        /* where it is */
    uint64_t not_before;     /* the cycle from which its column command may
                                be issued, or of the end */
    uint64_t finished;       /* tasks */
    struct near_burst burst; /* the next one, of busy */
    uint64_t loads, stores;
};

void near_init(struct near *n, const struct near_job *j, int channel, int rank);

/* There is room for a task. */
static inline bool near_has_room(const struct near *n) {
    return n->n_queue < NEAR_QUEUE;
}

void near_launch(struct near *n, struct near_task t, uint64_t now);

/* The burst that is next; NULL: none.  Its row may be opened at once. */
static inline const struct near_burst *near_waiting(struct near *n,
                                                    uint64_t now) {
    n->burst.enabled = now >= n->not_before;
    return n->busy && n->step >= 0 ? &n->burst : NULL;
}

/* Its column command went out on this cycle. */
void near_taken(struct near *n, uint64_t now);

/* Called each cycle: ends a task whose last data are through, and begins the
 * next. */
static inline bool near_idle(const struct near *n) {
    return !n->busy && n->n_queue == 0;
}
void near_cycle(struct near *n, uint64_t now);

const char *near_op_name(enum near_op op);
bool near_op_stores(enum near_op op);

#endif

/* near.c - the bursts of an accelerator's operations. */
#include "near.h"

#include "base/arena.h"
#include "base/bits.h"

#include <string.h>

/* Edges through arithmetic and sequencing of the processing element, between
 * the last word that lands and the first that is stored. */
enum { THROUGH = 14 };

/* Bursts of GEMV's result: a chip's 8 bytes of each hold two rows' sums. */
enum { SUMS = NEAR_ROWS / 2 };

enum { X, Y, Z, W };

struct step {
    int operand;
    bool store;
    bool rows; /* of GEMV: once for each row of the matrix */
};

struct steps {
    const char *name;
    int n, operands;
    struct step step[4];
};

#define LOAD(o)                                                                \
    { .operand = o }
#define STORE(o)                                                               \
    { .operand = o, .store = true }

static const struct steps ops[NEAR_OPS] = {
    [NEAR_AXPBY] = {"axpby", 3, 3, {LOAD(X), LOAD(Y), STORE(Z)}},
    [NEAR_AXPBYPCZ] = {"axpbypcz", 4, 4, {LOAD(X), LOAD(Y), LOAD(Z), STORE(W)}},
    [NEAR_AXPY] = {"axpy", 3, 2, {LOAD(X), LOAD(Y), STORE(Y)}},
    [NEAR_COPY] = {"copy", 2, 2, {LOAD(X), STORE(Y)}},
    [NEAR_XMY] = {"xmy", 3, 3, {LOAD(X), LOAD(Y), STORE(Z)}},
    [NEAR_DOT] = {"dot", 2, 2, {LOAD(X), LOAD(Y)}},
    [NEAR_NRM2] = {"nrm2", 1, 1, {LOAD(X)}},
    [NEAR_SCAL] = {"scal", 2, 1, {LOAD(X), STORE(X)}},
    /* y is written once, at the end: near_taken */
    [NEAR_GEMV] = {"gemv", 2, 3, {LOAD(X), {.operand = Z, .rows = true}}},
};

const char *near_op_name(enum near_op op) {
    return ops[op].name;
}

bool near_op_stores(enum near_op op) {
    const struct steps *s = &ops[op];
    return s->step[s->n - 1].store || op == NEAR_GEMV;
}

/* --- operands ------------------------------------------------------------- */

bool near_job_make(struct near_job *j, const struct dram_layout *l,
                   const struct config *c, enum near_op op, uint64_t bytes,
                   struct diag *d) {
    static const char *const names[] = {"x", "y", "z", "w"};
    struct dram_heap *h = dram_heap_create(l);
    int colour = -1;
    bool ok = true;

    *j = (struct near_job){.l = l, .op = op};
    j->bursts = (int)(bytes >> DRAM_OFFSET_BITS);
    j->batch = 1 << c->dram_column_bits;
    j->after_load = c->timing_cl + c->timing_bl + THROUGH;
    j->after_store = c->timing_cwl + c->timing_bl;
    for (int i = 0; i < ops[op].operands && ok; i++) {
        bool matrix = op == NEAR_GEMV && i == Z,
             sums = op == NEAR_GEMV && i == Y;
        uint64_t each = matrix ? bytes * NEAR_ROWS
                        : sums ? (uint64_t)SUMS << DRAM_OFFSET_BITS
                               : bytes;
        ok = dram_heap_take(
            h, matrix ? "A" : names[i], each * (uint64_t)l->parts, colour,
            l->map.reserved > 1 ? i & 1 : -1, &j->operand[i], d);
        if (ok) {
            colour = dram_layout_colour(l, j->operand[i].rows[0]);
            j->n_operands = i + 1;
        }
    }
    dram_heap_free(h);
    return ok;
}

void near_job_free(struct near_job *j) {
    for (int i = 0; i < j->n_operands; i++)
        dram_operand_free(&j->operand[i]);
    j->n_operands = 0;
}

/* --- one accelerator ------------------------------------------------------ */

void near_init(struct near *n, const struct near_job *j, int channel,
               int rank) {
    *n = (struct near){.j = j};
    n->part = dram_layout_part(j->l, j->operand[0].rows[0], channel, rank);
}

/* Burst k of the rank's share of an operand. */
static struct dram_place place_of(const struct near *n, int operand, int k) {
    const struct dram_layout *l = n->j->l;
    const struct dram_operand *o = &n->j->operand[operand];
    return dram_map_place(&l->map, dram_layout_burst(l, o->rows[k / l->bursts],
                                                     n->part, k % l->bursts));
}

/* Step of the end of GEMV; and that of a task that waits for its end. */
enum { GEMV_STORES = 2, ENDS = -1 };

/* Place of the burst that is next, and whether it is stored. */
static struct dram_place next_place(const struct near *n, bool *store) {
    const struct steps *s = &ops[n->j->op];
    if (n->j->op == NEAR_GEMV && n->step == GEMV_STORES) {
        *store = true;
        return place_of(n, Y, n->k);
    }
    const struct step *t = &s->step[n->step];
    *store = t->store;
    return place_of(n, t->operand,
                    n->batch + n->k + (t->rows ? n->row * n->j->bursts : 0));
}

static void begin_batch(struct near *n, int at) {
    int left = n->task.start + n->task.n - at;
    /* to the end of the rank's row, so that batches stay rows */
    int whole = n->j->batch - at % n->j->batch;
    n->batch = at;
    n->size = left < whole ? left : whole;
    n->step = n->row = n->k = 0;
}

static bool next_step(struct near *n);

/* Show the next burst; with the first one of a step also where the step after
 * it begins. */
static void show(struct near *n) {
    bool store;
    n->burst.place = next_place(n, &n->burst.write);
    if (n->k > 0)
        return;
    struct near then = *n;
    n->burst.ahead = next_step(&then);
    if (n->burst.ahead)
        n->burst.then = next_place(&then, &store);
}

void near_launch(struct near *n, struct near_task t, uint64_t now) {
    n->queue[n->n_queue++] = t;
    near_cycle(n, now);
}

void near_cycle(struct near *n, uint64_t now) {
    if (n->busy && n->step == ENDS && now >= n->not_before) {
        n->busy = false;
        n->finished++;
    }
    if (n->busy || n->n_queue == 0)
        return;
    n->task = n->queue[0];
    n->n_queue--;
    memmove(n->queue, n->queue + 1, (size_t)n->n_queue * sizeof n->queue[0]);
    n->busy = true;
    n->not_before = now;
    begin_batch(n, n->task.start);
    show(n);
}

/* The step's bursts are through: the next one.  False: the task is. */
static bool next_step(struct near *n) {
    const struct steps *s = &ops[n->j->op];
    bool gemv = n->j->op == NEAR_GEMV;
    n->k = 0;
    if (gemv && n->step == GEMV_STORES)
        return false;
    if (s->step[n->step].rows && ++n->row < NEAR_ROWS)
        return true;
    n->row = 0;
    if (++n->step < s->n)
        return true;
    if (n->batch + n->size < n->task.start + n->task.n) {
        begin_batch(n, n->batch + n->size);
        return true;
    }
    n->step = GEMV_STORES;
    return gemv;
}

static int size_of(const struct near *n) {
    return n->j->op == NEAR_GEMV && n->step == GEMV_STORES ? SUMS : n->size;
}

void near_taken(struct near *n, uint64_t now) {
    bool stored = n->burst.write;
    n->loads += !stored;
    n->stores += stored;
    n->not_before = now;
    if (++n->k == size_of(n) && !next_step(n)) {
        n->step = ENDS;
        n->not_before =
            now + (uint64_t)(stored ? n->j->after_store : n->j->after_load);
        return;
    }
    show(n);
    if (n->burst.write && !stored)
        n->not_before = now + (uint64_t)n->j->after_load;
}

/* reach.h - which definitions of a register reach a place.
 *
 * Answered on demand by walking backwards from the place, so that a function
 * pays for the questions that are asked and not for all there could be.
 */
#ifndef NDP_PTX_REACH_H
#define NDP_PTX_REACH_H

#include "cfg.h"

/* Where each register is written: pcs[at[r] .. at[r + 1]), ascending. */
struct ptx_defs {
    int *at;
    int *pcs;
};

void ptx_defs_find(struct arena *a, const struct ptx_function *f,
                   struct ptx_defs *defs);

/* Scratch memory of a row of questions about one function. */
struct ptx_reach {
    const struct ptx_function *f;
    const struct ptx_cfg *cfg;
    const struct ptx_defs *defs;
    int *seen; /* by block: number of the last question */
    int question;
    int *work;
    int n_work;
};

void ptx_reach_init(struct ptx_reach *q, const struct ptx_function *f,
                    const struct ptx_cfg *cfg, const struct ptx_defs *defs);
void ptx_reach_free(struct ptx_reach *q);

struct ptx_reached {
    int n;        /* definitions found, at most cap of them kept */
    bool start;   /* the place is also reached from the start of the region
                   * without a definition */
    int passed;   /* blocks */
    bool gave_up; /* too many blocks were passed: the answer is not complete */
};

/* Definitions of reg that reach the point just before pc, in no order.
 * Walking stops at the start of block stop (the start of the function for
 * stop = -1); blocks limits how many blocks are passed, 0: no limit.
 * A guarded write does not end the walk: the old value may remain. */
struct ptx_reached ptx_reaching(struct ptx_reach *q, int reg, int pc, int stop,
                                int blocks, int *pcs, int cap);

#endif

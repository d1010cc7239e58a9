/* ptx.h - the PTX front end: table of contents.
 *
 *     struct arena arena = {0};
 *     struct diag diag = {0};
 *     struct ptx_module *m = ptx_read(&arena, &source, &diag);
 *     struct ptx_analysis *a = ptx_analyse(&arena, m->functions[0]);
 *
 * ptx_read (parse.c)      text to module, ir.h
 * ptx_analyse (analyse.c) runs, in this order, on one function:
 *   cfg.h       basic blocks and edges
 *   dom.h       dominators, post-dominators
 *   loops.h     natural loops; trip.h their trip counts
 *   live.h      liveness
 *   reach.h     reaching definitions, on demand
 *   locate.h    near or far: MPU, Algorithm 1
 *   regalloc.h  physical registers by location
 * ptx_stream (stream.h)   instructions as packets of the near-bank unit
 * ptx_candidates_find (candidate.h)  code worth offloading: TOM, section 3.1
 */
#ifndef NDP_PTX_H
#define NDP_PTX_H

#include "arena.h"
#include "ptx/cfg.h"
#include "ptx/dom.h"
#include "ptx/ir.h"
#include "ptx/live.h"
#include "ptx/locate.h"
#include "ptx/loops.h"
#include "ptx/reach.h"
#include "ptx/regalloc.h"
#include "ptx/stream.h"

/* Read a module.  Errors go to d; the module is complete exactly if no error
 * was reported (d->errors), and never NULL.  Instructions whose opcode or
 * modifiers are not known are no errors: see ptx_function.unsupported.
 * source must outlive the module. */
struct ptx_module *ptx_read(struct arena *a, const struct source *source,
                            struct diag *d);

/* Results for one function with a body; they live in the arena. */
struct ptx_analysis {
    const struct ptx_function *function;
    struct ptx_cfg cfg;
    struct ptx_dom dom;  /* immediate dominators */
    struct ptx_dom pdom; /* immediate post-dominators: reconvergence */
    struct ptx_loops loops;
    struct ptx_live live;
    struct ptx_defs defs; /* where each register is written, for reach.h */
    struct ptx_locations locations;
    struct ptx_allocation allocation;
};

struct ptx_analysis *ptx_analyse(struct arena *a, const struct ptx_function *f);

#endif

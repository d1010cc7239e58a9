/* tom_plan.h - the candidates of a run's kernels, and their instances in the
 * streams of its warps; TOM, section 3.1.
 *
 * An instance is what a warp does from an op at a candidate's begin pc up to
 * its first op outside [begin, end).  A stream tells no register's value, so
 * whether a conditional candidate's condition holds is taken from what its loop
 * then does: it holds if the loop that the condition speaks of makes at least
 * the iterations that pay (ptx_candidate.trip_count).  The controller is given
 * a value on the right side of its threshold, so the comparison is its own.
 */
#ifndef NDP_SYSTEM_TOM_PLAN_H
#define NDP_SYSTEM_TOM_PLAN_H

#include "base/array.h"
#include "config/config.h"
#include "papers/analysis.h"
#include "papers/tom/candidate.h"
#include "papers/tom/entry.h"
#include "cta.h"

enum { TOM_MAX_REGS = 128 };

struct tom_candidate {
    const struct ptx_candidate *c;
    struct offload_entry_fields entry; /* of the metadata table */
    uint32_t rows_in, rows_out;        /* registers of the packets */
    /* Registers of PTX that must be there before the block may be asked for,
     * and that the acknowledgement brings. */
    uint32_t n_regs;
    uint32_t regs[TOM_MAX_REGS];
    uint32_t held, refused; /* values for which the condition is so */
};

struct tom_function {
    const struct ptx_analysis *analysis; /* NULL: no body */
    int n;                               /* candidates loaded */
    struct tom_candidate *list;
    int *at;     /* by pc: candidate that begins there, -1 */
    int dropped; /* did not fit the controller's table or registers */
};

struct tom_plan; /* freed by tom_plan_free */

/* Candidates of all functions of a module, for a controller of this
 * configuration.  m == NULL: none at all (a trace). */
struct tom_plan *tom_plan_create(const struct ptx_module *m,
                                 const struct ptx_candidate_options *o,
                                 const struct config *config);
void tom_plan_free(struct tom_plan *p);

/* Of a kernel by name; NULL: none of that name. */
const struct tom_function *tom_plan_kernel(const struct tom_plan *p,
                                           const char *kernel);

struct tom_instance {
    uint32_t begin, end; /* ops of the warp */
    uint32_t first;      /* first op with an access to memory; end: none */
    uint16_t candidate;  /* index in tom_function.list */
    bool pays;           /* no condition, or it holds */
};

struct tom_instances {
    ARRAY(struct tom_instance) list;
};

/* Instances of a warp's ops, ascending; appended to *out. */
void tom_plan_cut(const struct tom_function *f, const struct cta_reader *r,
                  const struct cta_warp *w, struct tom_instances *out);

#endif

/* place.h - conditions of two or three registers: the compiler's part.
 *
 * The controller compares one register with a constant (TOM, section 3.1.3).
 * Where the count of a loop depends on its start and its bound, as in the
 * paper's Figure 4, or on a step in a register, an instruction in front of the
 * block makes one value of them, and the condition is on that:
 *
 *     sub.s32 %ndp_trip0, %r4, %r3;                       bound - start
 *     mad.lo.s32 %ndp_trip0, %r2, -4, %ndp_trip0;         less four steps
 *
 * What comes out is PTX, which computes what it did; its candidates are found
 * as of any other (candidate.h), with the same options.
 */
#ifndef NDP_PAPERS_TOM_PLACE_H
#define NDP_PAPERS_TOM_PLACE_H

#include "base/diag.h"
#include "base/text.h"
#include "candidate.h"

/* Appends the module's text with such instructions; how many conditions it has
 * more. */
int ptx_place(const struct ptx_module *m, const struct ptx_candidate_options *o,
              struct text *out);

/* That text, read: everything is the arena's, the source d's.  Errors in d. */
struct ptx_module *ptx_place_module(struct arena *a, const struct ptx_module *m,
                                    const struct ptx_candidate_options *o,
                                    struct diag *d);

#endif

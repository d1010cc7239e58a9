/* ptx.h - the PTX reader: text to module (ir.h).
 *
 *     struct arena arena = {0};
 *     struct diag diag = {0};
 *     struct ptx_module *m = ptx_read(&arena, &source, &diag);
 *
 * parse.c tells how it works.  What is found out about a module's functions
 * stands in flow/ (graph, loops, liveness) and papers/ (papers/analysis.h).
 */
#ifndef NDP_PTX_H
#define NDP_PTX_H

#include "base/arena.h"
#include "ir.h"

/* Read a module.  Errors go to d; the module is complete exactly if no error
 * was reported (d->errors), and never NULL.  Instructions whose opcode or
 * modifiers are not known are no errors: see ptx_function.unsupported.
 * source must outlive the module. */
struct ptx_module *ptx_read(struct arena *a, const struct source *source,
                            struct diag *d);

#endif

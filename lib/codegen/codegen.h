/* codegen.h - the back end: kernels of a PTX module to words of the machines'
 * instruction set.
 *
 *     struct isa_image *c = code_generate(arena, module, &options, &diag);
 *
 * Device addresses have 32 bits: of a 64-bit value that flows only into
 * addresses the low word alone is computed, and both words of the others
 * (narrow.c).  What the machines cannot do is refused, once for each place,
 * with the line of the PTX.  docs/isa.md says how the parts of a program lie in
 * memory.
 */
#ifndef NDP_CODEGEN_H
#define NDP_CODEGEN_H

#include "base/arena.h"
#include "base/diag.h"
#include "isa/image.h"
#include "ptx/ir.h"

#include <stdbool.h>
#include <stdint.h>

struct ptx_candidate_options;

struct code_options {
    int registers; /* of the machine: 16, 32 or 64 */
    bool wide;     /* compute both words of every 64-bit value */
    /* Blocks for other cores: the candidates by these, marked where a warp asks,
     * in the image's list; warnings tell why others are none.  NULL: no list,
     * and marks where candidates begin. */
    const struct ptx_candidate_options *blocks;
};

/* All kernels of m, in the arena.  NULL after errors in d.  only: NULL, or the
 * name of the one kernel that is wanted. */
struct isa_image *code_generate(struct arena *a, const struct ptx_module *m,
                                const char *only,
                                const struct code_options *options,
                                struct diag *d);

#endif

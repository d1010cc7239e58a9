/* inline.h - a kernel with the functions that it calls in place of the calls.
 *
 * The machines have no calls (docs/isa.md): what a compiler leaves of them is
 * expanded before code is made.  Calls that stay are those of functions without
 * a body, through a register, of a function by itself, and of what would make a
 * kernel of more than PTX_INLINE_LIMIT instructions.
 */
#ifndef NDP_PTX_INLINE_H
#define NDP_PTX_INLINE_H

#include "base/arena.h"
#include "ir.h"

enum { PTX_INLINE_LIMIT = 1 << 16 };

/* f itself where nothing is to expand; else a function in the arena.
 * Parameters and results of expanded calls are registers, or .local variables
 * where a call takes them apart in more than one way or by their address. */
const struct ptx_function *ptx_inline(struct arena *a,
                                      const struct ptx_function *f);

#endif

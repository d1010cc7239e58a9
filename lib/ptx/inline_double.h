/* inline_double.h - f64 instructions as calls of integer functions; private to
 * inline*.c.
 *
 * The machines have no f64.  Loads, stores, moves and selections of one are
 * those of its 64 bits; arithmetic, comparisons and conversions call functions
 * of double.ptx, which is part of the program.
 */
#ifndef NDP_PTX_INLINE_DOUBLE_H
#define NDP_PTX_INLINE_DOUBLE_H

#include "inline_make.h"

/* The functions, read into the arena. */
const struct ptx_module *inline_double_module(struct arena *a);

bool inline_is_double(const struct ptx_form *f);

/* f, a load, store, move or selection of f64, as one of 64 bits; else f. */
const struct ptx_form *inline_double_bits(struct inline_body *b,
                                          const struct ptx_form *f);

/* Adds the body of the function of that name; arguments and result are operands
 * of the kernel. */
typedef void inline_double_call(void *ctx, const char *name,
                                struct ptx_operand *const *arguments,
                                struct ptx_operand *result);

/* What in becomes, whose operands are the kernel's.  False, and nothing added:
 * there are no functions for it. */
bool inline_double(struct inline_body *b, const struct ptx_instruction *in,
                   inline_double_call *call, void *ctx);

#endif

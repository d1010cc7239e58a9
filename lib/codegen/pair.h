/* pair.h - arithmetic on 64-bit values as pairs of words; private to lower*.c.
 *
 * high: the high word of the result is wanted.  Shifts by 64 and more leave 0,
 * or signs.
 */
#ifndef NDP_CODEGEN_PAIR_H
#define NDP_CODEGEN_PAIR_H

#include "lower.h"

/* lower_wide.c */
struct wide lower_pair_add(struct lower *l, struct wide a, struct wide b,
                           bool high);
struct wide lower_pair_sub(struct lower *l, struct wide a, struct wide b,
                           bool high);
struct wide lower_pair_mul(struct lower *l, struct wide a, struct wide b,
                           bool high);
struct wide lower_pair_shl(struct lower *l, struct wide a, mc_value n,
                           bool high);
struct wide lower_pair_shr(struct lower *l, struct wide a, mc_value n,
                           bool is_signed);
/* a < b */
mc_value lower_pair_less(struct lower *l, struct wide a, struct wide b,
                         bool is_signed);
struct wide lower_pair_sel(struct lower *l, struct wide a, struct wide b,
                           mc_value p, bool inverted, bool high);

/* seq_wide.c: the present instruction, of 64 bits: mul.hi and mad.hi, div and
 * rem, bfe, bfi. */
bool lower_pair_high(struct lower *l);
bool lower_pair_divide(struct lower *l);
bool lower_pair_extract(struct lower *l);
bool lower_pair_insert(struct lower *l);
/* The high 64 bits of a product. */
struct wide seq_multiply_high(struct lower *l, struct wide a, struct wide b,
                              bool is_signed);

#endif

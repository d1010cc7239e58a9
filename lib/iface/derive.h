/* derive.h - sizes flow down: keys of parts that a target computes.
 *
 *     DERIVE(host, warps, P(simt_warps))           in lib/blocks/system.def
 *     FOLLOW(warps, nbu, near_pipe, far_pipe)
 *
 * A target computes its own derived keys and those of all that it contains; of
 * two declarations of one key the outer one counts.  An expression may use other
 * derived keys, and sizes: they settle in any order.
 *
 * choice_resolve does all this for programs.  A test that changes a field of a
 * configuration calls iface_derive, or iface_check refuses what no longer fits.
 */
#ifndef NDP_IFACE_DERIVE_H
#define NDP_IFACE_DERIVE_H

#include "iface.h"

/* Compute the derived keys of b.  One whose value would be out of its range is
 * left as it is; iface_check reports it. */
void iface_derive(const struct iface *b, struct config *c);

/* Whether b computes p. */
bool iface_derives(const struct iface *b, const struct param *p);

/* The keys that it is computed from, none of which is derived: "'a.x' and
 * 'b.y'"; nothing for a constant.  Append to out. */
void iface_sources(const struct iface *b, const struct param *p,
                   struct text *out);

/* "computed from 'a.x'", or of a constant "fixed".  Append to out. */
void iface_describe_derived(const struct iface *b, const struct param *p,
                            struct text *out);

/* The sources, key by key; ctx is the caller's. */
void iface_each_source(const struct iface *b, const struct param *p,
                       void (*each)(void *ctx, const struct param *source),
                       void *ctx);

/* Report that b computes p, which is given another value at a place. */
void iface_refuse_derived(const struct iface *b, const struct param *p,
                          const struct config *given,
                          const struct config *computed, struct place at,
                          struct diag *d);

/* Report each derived key of b whose value in c is not the computed one; false
 * after an error. */
bool iface_check_derived(const struct iface *b, const struct config *c,
                         struct diag *d);

#endif

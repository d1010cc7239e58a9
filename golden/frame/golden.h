/* golden.h - the cycle-accurate models, behind one handle.
 *
 * A golden block steps with one function: the inputs that stood before a clock
 * edge go in, the outputs as they stand after that edge come out.  It is
 * written from docs/blocks/<block>.md and knows nothing of the RTL.
 *
 * The structs are those of blocks/<block>.h, passed as const void * here so
 * that the bench can drive any block; struct design gives sizes and ports.
 * How a model is written: model.h.
 */
#ifndef NDP_GOLDEN_H
#define NDP_GOLDEN_H

#include "iface/design.h"

#include <stdbool.h>
#include <stdint.h>

struct golden; /* one instance; owned by the caller, freed by golden_free */
struct golden_class; /* the model of one block, unit or system */

/* The model of a target by name, of the n-th one; NULL if there is none. */
const struct golden_class *golden_find(const char *name);
const struct golden_class *golden_at(int n);

const struct iface *golden_iface(const struct golden_class *k);

/* c must satisfy the iface's checks. */
struct golden *golden_create(const struct golden_class *k,
                             const struct config *c);
void golden_free(struct golden *g); /* NULL is allowed */

/* One clock edge.  rst as on the wire; in may be NULL while rst is high.  The
 * result points to the block's out struct inside g, valid until the next call.
 */
const void *golden_cycle(struct golden *g, bool rst, const void *in);

/* The same, but of a system the result holds its register port alone: whoever
 * does not look at the parts need not wait for their outputs to be put
 * together (composite.h has those of one part).  golden_cycle may follow. */
const void *golden_step(struct golden *g, bool rst, const void *in);

/* Counts of the iface's cover points since create, in their order. */
const uint64_t *golden_covers(const struct golden *g);

const struct design *golden_design(const struct golden *g);

/* What software would read of an event counter. */
uint32_t golden_counter(const struct golden *g, int counter);

#endif

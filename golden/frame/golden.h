/* golden.h - the cycle-accurate models, behind one handle.
 *
 * A golden block steps with one function: the inputs that stood before a clock
 * edge go in, the outputs as they stand after that edge come out.  It is
 * written from docs/blocks/<block>.md and knows nothing of the RTL.
 *
 * The structs are those of lib/blocks/<block>.h, passed as const void * here so
 * that the bench can drive any block; struct iface gives sizes and ports.
 */
#ifndef NDP_GOLDEN_H
#define NDP_GOLDEN_H

#include "iface/iface.h"

#include <stdbool.h>
#include <stdint.h>

struct golden; /* one instance; owned by the caller, freed by golden_free */

/* What a block's golden file provides. */
struct golden_class {
    const struct iface *iface;
    struct golden *(*create)(const struct config *c);
    void (*destroy)(struct golden *g);
    /* One clock edge.  rst as on the wire; in may be NULL while rst is high.
     * The result points to the block's out struct inside g, valid until the
     * next call. */
    const void *(*cycle)(struct golden *g, bool rst, const void *in);
    /* Counts of the iface's cover points since create, in their order. */
    const uint64_t *(*covers)(const struct golden *g);
};

/* Class of a block by name; NULL if there is no golden model of it. */
const struct golden_class *golden_find(const char *name);

/* Convenience over the class. */
struct golden *golden_create(const struct golden_class *k,
                             const struct config *c);
void golden_free(const struct golden_class *k, struct golden *g);

/* Hash of the configuration that the instance was made with. */
uint64_t golden_hash(const struct golden *g);

#endif

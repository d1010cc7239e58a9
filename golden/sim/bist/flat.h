/* flat.h - all inputs of a design as one row of bits, and all its outputs.
 *
 * In the order of the ports, the first in the lowest bits, as
 * tb/ndp_<block>_flat.v has them; what is linked inside a system is not there.
 */
#ifndef NDP_BIST_FLAT_H
#define NDP_BIST_FLAT_H

#include "iface/design.h"

#include <stdint.h>

/* What target bist can play at most (lib/blocks/bist.def), and a row of it with
 * a bit for reset. */
enum { FLAT_BITS = 928, FLAT_WORDS = FLAT_BITS / 64 + 1 };

struct flat_row {
    uint64_t w[FLAT_WORDS];
};

struct flat {
    const struct design *design;
    int in_bits, out_bits;
};

void flat_init(struct flat *f, const struct design *d);

/* A row as the struct of inputs, and the struct of outputs as a row.  Both have
 * at most FLAT_BITS bits. */
void flat_to_in(const struct flat *f, const struct flat_row *row, void *in);
void flat_from_out(const struct flat *f, const void *out, struct flat_row *row);

/* Lowest bit of a port in its row. */
int flat_place(const struct flat *f, const struct design_port *p);

/* Whether a port has a place. */
bool flat_has(const struct design_port *p);

#endif

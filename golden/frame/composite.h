/* composite.h - the golden model of a system: the models of its instances,
 * joined as iface/system.h says.
 *
 * Every output is a register or a function of registers, so instances step in
 * any order, each from the outputs as they stood before the edge. */
#ifndef NDP_GOLDEN_COMPOSITE_H
#define NDP_GOLDEN_COMPOSITE_H

#include "model.h"

struct composite {
    struct golden base;
    struct golden **part; /* by instance */
    void *in, *out;       /* of the system: completed inputs, outputs */
};

void composite_open(struct golden *g, const struct config *c);
void composite_close(struct golden *g);
const void *composite_cycle(struct golden *g, bool rst, const void *in);
const uint64_t *composite_covers(const struct golden *g);

/* An instance's model, for tests and stimuli that look inside. */
struct golden *composite_part(struct golden *g, int instance);

#define COMPOSITE_CLASS(decl)                                                  \
    {                                                                          \
        .iface = &(decl), .size = sizeof(struct composite),                    \
        .open = composite_open, .close = composite_close,                      \
        .cycle = composite_cycle, .covers = composite_covers                   \
    }

#endif

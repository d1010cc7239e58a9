/* channels.h - the rules that every channel of every block obeys
 * (docs/architecture.md), out of the declarations: valid waits for nobody,
 * fields stand still until they are taken, and are zero while there is nothing.
 */
#ifndef NDP_KIT_CHANNELS_H
#define NDP_KIT_CHANNELS_H

#include "iface/design.h"

#include <stdbool.h>

struct channel; /* an output channel */

/* Zero-initialise to start. */
struct channels {
    struct channel *list;
    int n;
};

/* Output channels of a design; of a system those of all that it is made of.
 * Names live as long as d. */
void channels_find(struct channels *c, struct design *d);
void channels_free(struct channels *c);

/* The port of the channel that breaks a rule between two edges without reset,
 * NULL if all is well; *why says which rule. */
const char *channels_watch(const struct channels *c, const void *in,
                           const void *before, const void *after,
                           const char **why);

#endif

/* golden_port.h - the golden machine as a device of libndp. */
#ifndef NDP_GOLDEN_PORT_H
#define NDP_GOLDEN_PORT_H

#include "iface/iface.h"
#include "runtime/port.h"

/* what: a preset, or the path of a configuration that ends in ".yml".  NULL:
 * why says what is wrong. */
struct ndp_port *golden_port_open(const char *what, struct text *why);

/* Whether its target is `cluster` or `chained`, of several cores that share a
 * launch, and not `system`. */
bool golden_port_shares(const struct config *c);
const struct iface *golden_port_iface(const struct config *c);

/* The machine of a configuration that iface_check has found good. */
struct ndp_port *golden_port_make(const struct config *c);

/* The configuration that what describes.  False: why says what is wrong. */
bool golden_port_config(const char *what, struct config *c, struct text *why);

/* Hash of the machine that what describes.  False: why says what is wrong. */
bool golden_port_hash(const char *what, uint64_t *hash, struct text *why);

#endif

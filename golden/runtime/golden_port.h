/* golden_port.h - the golden machine as a device of libndp. */
#ifndef NDP_GOLDEN_PORT_H
#define NDP_GOLDEN_PORT_H

#include "runtime/port.h"

/* what: a preset, or the path of a configuration that ends in ".yml".  NULL:
 * why says what is wrong. */
struct ndp_port *golden_port_open(const char *what, struct text *why);

#endif

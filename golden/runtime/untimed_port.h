/* untimed_port.h - the untimed machine (isa/run.h) as a device of libndp: what
 * the instructions of a launch do, whatever a core makes of their timing. */
#ifndef NDP_UNTIMED_PORT_H
#define NDP_UNTIMED_PORT_H

#include "runtime/port.h"

/* what: a preset, or the path of a configuration that ends in ".yml"; sizes are
 * those of its machine.  NULL: why says what is wrong. */
struct ndp_port *untimed_port_open(const char *what, struct text *why);

#endif

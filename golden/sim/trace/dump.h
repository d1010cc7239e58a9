/* dump.h - a stream as text, one line an event. */
#ifndef NDP_TRACE_DUMP_H
#define NDP_TRACE_DUMP_H

#include "stream.h"

#include <stdio.h>

/* Launches as "# launch ...", instructions as
 *     cta warp pc line active mask opcode [regs -> regs] [addresses] */
void dump_event(const struct stream_event *e, FILE *out);

#endif

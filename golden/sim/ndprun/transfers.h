/* transfers.h - what the parts of a golden machine give each other, as Chrome
 * trace events, which Perfetto and chrome://tracing open.
 *
 * A cycle is a microsecond.  Each part is a process with a track for each of
 * its channels: a slice from the edge on which something is presented to the
 * one on which it is taken.  Of a part that issues instructions and commits
 * them (`nbu`), each warp has a track of them; and of warps that leave their core
 * (`offload`) or come to one (`simt`), each has a track of how long.
 */
#ifndef NDPRUN_TRANSFERS_H
#define NDPRUN_TRANSFERS_H

#include "frame/values.h"

#include <stdbool.h>
#include <stdio.h>

struct transfers;

struct transfers *transfers_open(FILE *f, const struct design *d);
/* A cycle; unless it is shown, only words of code are taken from it. */
void transfers_column(struct transfers *t, uint64_t cycle, bool shown,
                      const struct values *now);
void transfers_close(struct transfers *t);

#endif

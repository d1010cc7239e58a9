/* report.h - runs as one page of HTML that needs nothing beside it.
 *
 * A run is a column: verdict, buffers, where its cycles went, its warps and its
 * accesses over time where the device tells what retires, its mesh where
 * traffic was counted, all counters.
 */
#ifndef NDP_NDPRUN_REPORT_H
#define NDP_NDPRUN_REPORT_H

#include "base/diag.h"
#include "sim/retire/retire.h"
#include "traffic.h"

#include <jansson.h>

struct report {
    struct text runs; /* as HTML, one after the other */
};

/* result: as ndprun --json has it.  links may be NULL.  cores: that took part.
 */
void report_add(struct report *r, const char *device, const json_t *result,
                int cores, const struct traffic_links *links);

/* What the run that was added last has retired, as libndp has written it. */
void report_add_stream(struct report *r, FILE *trace);

/* To path, with the runs of another such page, beside, after them (NULL:
 * none).  False after an error in d. */
bool report_write(const struct report *r, const char *path, const char *beside,
                  struct diag *d);

void report_free(struct report *r);

/* heat.c: accesses to global memory by address and time, as SVG.  False: there
 * are none, and nothing is appended. */
bool heat_picture(const struct retire_trace *t, const struct retire_launch *l,
                  struct text *out);

/* Append s, safe as text and in attributes. */
void report_escape(struct text *out, const char *s);

#endif

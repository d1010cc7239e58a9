/* accelsim.h - text traces of Accel-Sim's NVBit tracer as a stream.
 *
 * path is a kernelslist.g, whose traces are read one after another, or one
 * trace: grouped by blocks (.traceg) or as the tracer wrote it (.trace, each
 * line with its block and warp).  Line information and immediates may be there
 * or not.  A list of the tracer itself, kernelslist, names traces that are not
 * grouped.  Files compressed by gzip or xz are read as they are, also where a
 * list names them without '.xz' or '.gz'.  Warps come in the order of the file: a grouped trace has all of a
 * warp before the next one.
 *
 * mask and active of an event are the same: the tracer joins them.
 */
#ifndef NDP_TRACE_ACCELSIM_H
#define NDP_TRACE_ACCELSIM_H

#include "stream.h"

/* NULL after an error in d, which must outlive the stream.  An error in a trace
 * is reported with file, line and byte offset, and ends the stream. */
struct stream *accelsim_open(const char *path, struct diag *d);

/* Whether a file of that name, which begins so, is one of these. */
bool accelsim_is(const char *path, const char *head);

#endif

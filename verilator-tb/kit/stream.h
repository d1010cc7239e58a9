/* stream.h - what a kernel executes, for a replay stimulus.
 *
 * Opens a run description (docs/run.md), gives its events one by one, begins
 * again at its end unless it is to run once, and takes its errors to the bench.
 */
#ifndef NDP_STIM_STREAM_H
#define NDP_STIM_STREAM_H

#include "sim/run/run.h"
#include "stim.h"

/* run_options.reference of a replay, which looks at the stream and not at
 * results: one that checks nothing, for any name. */
void (*stim_run_reference(const char *name))(struct ref_run *);

/* Tells the bench what went wrong in a run: its messages, or that it was
 * stopped before its end.  The bench's copies need nothing of the run's. */
void stim_run_failed(struct diag *bench, const struct diag *run,
                     const char *path);

struct stim_stream;

/* NULL after an error in d, which outlives the stream. */
struct stim_stream *stim_stream_open(const struct stim_options *o,
                                     struct diag *d);
void stim_stream_close(struct stim_stream *s);

/* The next event; NULL at the end of a run that goes once, and after an error:
 * see stim_stream_state.  Valid until the next call. */
const struct stream_event *stim_stream_next(struct stim_stream *s);
enum stim_state stim_stream_state(const struct stim_stream *s);

/* The run that is open; another one after the stream has begun again. */
const struct run *stim_stream_run(const struct stim_stream *s);
uint64_t stim_stream_passes(const struct stim_stream *s);

#endif

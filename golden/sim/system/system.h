/* system.h - compositions: whole NDP systems that a kernel's stream runs on.
 *
 * `ndpsim RUN --preset NAME` hands the dynamic stream of a run (or a trace) to
 * the composition of that name, which gives it time: cores, caches, links and
 * memory around the golden blocks.  A composition is one struct of functions,
 * listed in system.c; its options come from a table like the program's own and
 * so have --help and suggestions.
 *
 *     void *settings = preset->create();
 *     preset->take(settings, "warps", "16", diag);       for each option
 *     void *result = preset->run(settings, &job);
 *     preset->page(result, stdout);
 *     preset->destroy_result(result);
 *
 * The functional executor has no notion of time; the order of instructions
 * within a warp is its order, all else is the composition's.
 */
#ifndef NDP_SYSTEM_H
#define NDP_SYSTEM_H

#include "base/options.h"
#include "sim/run/run.h"
#include "sim/trace/stream.h"

#include <jansson.h>
#include <stdio.h>

/* One file to run.  After Ctrl-C the stream ends early; a composition whose
 * cycles go on for long without the stream asks go_on from time to time, too.
 */
struct system_job {
    struct stream *stream; /* pull it to its end; do not close it */
    const struct run *run; /* NULL: the stream is a trace */
    const char *path;      /* of the file, for messages */
    struct diag *diag;
    /* Tells how far the work is, in any unit; a total of 0 is not known.
     * False: leave it and report what there is.  NULL: nobody asks. */
    bool (*go_on)(const struct system_job *job, uint64_t done, uint64_t total);
    void *ctx; /* go_on's */
};

struct system_preset {
    const char *name; /* "image" */
    const char *doc;  /* one line for --help */
    /* Its own options, ended by a NULL name; none may be named like one of
     * ndpsim's. */
    const struct option_spec *specs;
    void *(*create)(void); /* settings with their defaults; freed by free() */
    bool (*take)(void *settings, const char *name, const char *value,
                 struct diag *d);
    /* All options together, after the last one; NULL: nothing to check. */
    bool (*check)(const void *settings, struct diag *d);
    /* Whether kernels run with what makes conditions placed in them
     * (run_options.place), and for which candidates; NULL: they never do. */
    bool (*place)(const void *settings, struct ptx_candidate_options *out);
    /* NULL after an error in job->diag; a stream that ends in STREAM_ERROR has
     * been reported by its owner and still gives a result. */
    void *(*run)(const void *settings, const struct system_job *job);
    void (*destroy_result)(void *result);
    /* The report: a page, a row under a heading, members of a JSON object.
     * Rows begin after ndpsim's own columns, kernel and verdict. */
    void (*page)(const void *result, FILE *out);
    void (*heading)(FILE *out);
    void (*row)(const void *result, FILE *out);
    void (*json)(const void *result, json_t *into);
};

/* The i-th of all; NULL past the last. */
const struct system_preset *system_at(int i);

#endif

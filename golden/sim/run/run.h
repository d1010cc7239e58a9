/* run.h - a kernel with its data: a run description, brought to life.
 *
 *     struct run *r = run_open("axpy.yml", &options, &diag);
 *     struct stream *s = run_stream(r);
 *     while (stream_next(s, &event) == STREAM_EVENT)
 *         use(&event);
 *     run_verdict(r, &verdict);
 *
 * The description (kernels/README.md) says which PTX, launches and buffers; it
 * is read, the buffers are made in the executor's memory and filled, and the
 * stream executes the launches one after another while it is pulled from.
 * What it leaves in the buffers is compared with the CPU reference, with an
 * expression, or with a file.
 */
#ifndef NDP_RUN_H
#define NDP_RUN_H

#include "sim/exec/exec.h"
#include "expr.h"

struct run;
struct ref_run;
struct ptx_candidate_options;

struct run_options {
    const char *size; /* NULL: "small", or the first there is */
    const char *ptx;  /* instead of the description's; NULL */
    uint64_t align; /* of buffers, at least: a power of two; 0: as described */
    /* Run the PTX as papers/tom/place.h leaves it, for candidates by these
     * options; NULL: as it is. */
    const struct ptx_candidate_options *place;
    struct exec_options exec;
    /* CPU references by name: ref_find of kernels/ref.h, or NULL. */
    void (*(*reference)(const char *name))(struct ref_run *r);
};

/* NULL after errors in d.  d must outlive the run: the executor reports its
 * faults there.  options may be NULL. */
struct run *run_open(const char *path, const struct run_options *options,
                     struct diag *d);
void run_close(struct run *r);

/* The live stream; belongs to the run (do not close it).  STREAM_ERROR: the
 * kernel was stopped, see run_state. */
struct stream *run_stream(struct run *r);
enum exec_state run_state(const struct run *r);
const struct exec *run_exec(const struct run *r);

/* Names that a report shows. */
const char *run_name(const struct run *r); /* file name without ".yml" */
const char *run_size(const struct run *r);
const char *run_ptx(const struct run *r);
uint64_t run_ptx_hash(const struct run *r); /* FNV-1a of the PTX text */
const struct ptx_module *run_module(const struct run *r);

/* Where a buffer lies, in the order of the description. */
struct run_place {
    const char *name;
    uint64_t address, bytes;
};

/* The n-th buffer; false past the last. */
bool run_buffer_at(const struct run *r, int n, struct run_place *place);

/* How blocks walk over an image.  REPEAT: along its rows, again and again from
 * the same place. */
enum run_walk { RUN_WALK_ROW, RUN_WALK_COLUMN, RUN_WALK_TILE, RUN_WALK_REPEAT };

/* An image of the section 'prefetch'; lengths in elements. */
struct run_image {
    const char *buffer;
    uint64_t address;
    uint32_t element; /* bytes */
    uint64_t width, height, pitch;
    uint64_t block[2];
    uint64_t origin[2]; /* its place in what the grid's blocks cover together */
    enum run_walk walk;
};

struct run_images {
    uint64_t parts; /* that CTAs divide each image into; 1: none */
    bool divided;   /* the description says that they do */
    int n;
    struct run_image *images;
};

/* NULL: the description has no such section. */
const struct run_images *run_images(const struct run *r);

/* Progress: CTAs done over all launches, and how many the ones begun so far
 * have in all. */
void run_progress(const struct run *r, uint64_t *done, uint64_t *total);

enum run_result {
    RUN_RIGHT,     /* every checked buffer is as expected */
    RUN_WRONG,     /* some is not */
    RUN_UNCHECKED, /* nothing says what is expected */
    RUN_STOPPED    /* the kernel did not come to its end */
};

/* How a buffer ended. */
struct run_buffer_result {
    const char *name;
    enum element_type type;
    uint64_t address, count;
    uint64_t checksum; /* FNV-1a of the final contents */
    bool checked;
    uint64_t compared, wrong, allowed; /* elements; allowed: outliers */
    uint64_t first_wrong;              /* index, if wrong > 0 */
    struct expr_value got, wanted;     /* there */
    double worst; /* largest error over its tolerance; exact: 0 or inf */
};

struct run_verdict {
    enum run_result result;
    const char *reason; /* "finished", "limit", "fault", "no progress", "bad
                         * input" of a launch that the description gets wrong */
    int n_buffers;
    struct run_buffer_result *buffers; /* of the run */
};

/* After the stream has ended, or before if it is not to go on. */
void run_verdict(struct run *r, struct run_verdict *v);

/* Buffers to write to files, as raw little-endian contents: what --write says,
 * "y=y.bin". */
enum { RUN_MAX_SAVES = 16 };

struct run_saves {
    int n;
    struct run_save {
        const char *spec; /* from here, len bytes: the buffer */
        size_t len;
        const char *path;
    } list[RUN_MAX_SAVES];
};

/* One more; false after an error in d.  Keeps pointers into spec. */
bool run_save_take(struct run_saves *s, const char *spec, struct diag *d);
/* Whether r has all the buffers; write them as they are now.  False after an
 * error in the run's diag. */
bool run_save_check(struct run *r, const struct run_saves *s);
bool run_save(struct run *r, const struct run_saves *s);

#endif

/* ndpgpu.c - the program: the executor held against a GPU.
 *
 * Each run description is executed twice, by the executor and by a GPU of this
 * machine, and what their kernels have written is compared byte by byte.
 */
#include "ndpgpu.h"

#include "base/options.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "ref.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *size, *reference;
    struct gpu_options gpu;
    bool contract, json, quiet;
    int optimise;
    struct run_saves saves;
    const char **paths;
    int n_paths;
    struct diag *diag;
};

static const struct option_spec specs[] = {
    {"size", 's', "NAME",
     "Which of the description's sizes to run. Default: small."},
    {"device", 'd', "N", "Which GPU of this machine. Default: 0."},
    {"driver", 0, "FILE",
     "The CUDA driver's library. Default: libcuda.so.1, where the system "
     "finds it."},
    {"contract", 0, NULL,
     "Let the driver's compiler fuse a mul and an add without rounding "
     "modifiers into one fma. Default: each rounds, as on the executor and on "
     "machines."},
    {"optimise", 'O', "0-4",
     "Optimisation level of the driver's compiler. A difference at one level "
     "alone is caused by the compiler or by the kernel. Default: the driver's, "
     "4."},
    {"write", 'w', "BUFFER=FILE",
     "Write what the GPU has left in a buffer to a file, raw and "
     "little-endian; may be given for several buffers."},
    {"reference", 'r', "FILE",
     "Without a GPU: compare the executor with an earlier result of --json."},
    {"quiet", 'q', NULL, "Do not list descriptions that are equal."},
    {"json", 0, NULL, "Print the report as JSON, a line a description."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpgpu kernels/*/*.yml", "the kernel set on this machine's GPU"},
    {"ndpgpu kernels/*/*.yml --json >kernels/gpu.json", "... kept"},
    {"ndpgpu kernels/*/*.yml --reference kernels/gpu.json",
     "held against it, no GPU needed"},
    {"ndpgpu kernels/axpy/axpy.yml --contract",
     "with the fmas that the driver's compiler likes"},
    {NULL, NULL}};

static const struct options options = {
    .program = "ndpgpu",
    .usage = "FILE... [options]",
    .summary = "Run the kernels of a run description on the executor and on a "
               "GPU of this machine, and compare what they leave in memory.",
    .specs = specs,
    .positional = "run descriptions (.yml)",
    .examples = examples,
    .epilogue = "Equal: every byte. Close: not, but both are right by the "
                "description's checks. Exit status: 0 all equal or close, 1 "
                "some are different, stopped or stale, 2 "
                "bad input, or no GPU.",
};

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    uint64_t n;
    if (!name)
        s->paths[s->n_paths++] = value;
    else if (strcmp(name, "size") == 0)
        s->size = value;
    else if (strcmp(name, "driver") == 0)
        s->gpu.library = value;
    else if (strcmp(name, "reference") == 0)
        s->reference = value;
    else if (strcmp(name, "contract") == 0)
        s->contract = true;
    else if (strcmp(name, "quiet") == 0)
        s->quiet = true;
    else if (strcmp(name, "json") == 0)
        s->json = true;
    else if (strcmp(name, "write") == 0)
        return run_save_take(&s->saves, value, s->diag);
    else if (strcmp(name, "optimise") == 0 &&
             options_number(name, value, 0, 4, &n, s->diag))
        s->optimise = (int)n;
    else if (strcmp(name, "device") == 0 &&
             options_number(name, value, 0, 255, &n, s->diag))
        s->gpu.ordinal = (int)n;
    else
        return false;
    return true;
}

/* --- one file ------------------------------------------------------------- */

const char *const outcome_words[OUTCOMES] = {
    [OUTCOME_EQUAL] = "equal",         [OUTCOME_CLOSE] = "close",
    [OUTCOME_DIFFERENT] = "different", [OUTCOME_STOPPED] = "stopped",
    [OUTCOME_STALE] = "stale",         [OUTCOME_NOT_HELD] = "not held",
};

void outcome_free(struct outcome *o) {
    for (int i = 0; i < o->n; i++)
        free(o->found[i].buffer);
    free(o->found);
    free(o->name);
    free(o->size);
    *o = (struct outcome){0};
}

static struct run *open_one(const struct settings *s, const char *path) {
    struct run_options ro = {.size = s->size, .reference = ref_find};
    return run_open(path, &ro, s->diag);
}

/* NULL after an error. */
static struct run *execute(const struct settings *s, const char *path,
                           struct run_verdict *v) {
    struct run *r = open_one(s, path);
    struct stream_event e;
    if (!r)
        return NULL;
    while (stream_next(run_stream(r), &e) == STREAM_EVENT)
        ;
    run_verdict(r, v);
    if (v->result != RUN_STOPPED)
        return r;
    run_close(r);
    return NULL;
}

/* Buffers that fresh has as they were before the first launch. */
static void find_written(const struct run *done, const struct run *fresh,
                         bool *written) {
    struct run_difference d;
    for (int i = 0; run_difference(done, fresh, i, &d); i++)
        written[i] = d.differ > 0;
}

static void compare(const struct run *executed, const struct run *on_gpu,
                    const bool *written, struct outcome *o) {
    struct run_difference d;
    for (int i = 0; run_difference(executed, on_gpu, i, &d); i++)
        if (written[i] || d.differ) {
            o->found[o->n++] = (struct finding){xstrdup(d.buffer),
                                                element_name((int)d.type),
                                                d.count,
                                                d.differ,
                                                d.first,
                                                d.farthest,
                                                d.checksum[1],
                                                d.checksum[0],
                                                {d.bits[0], d.bits[1]}};
            if (d.differ)
                o->verdict = OUTCOME_DIFFERENT;
        }
}

/* Of the two that were compared: what differs may be right twice. */
static enum outcome_verdict weigh(const struct run_verdict *executor,
                                  const struct run_verdict *gpu,
                                  enum outcome_verdict so_far) {
    bool right = executor->result == RUN_RIGHT && gpu->result == RUN_RIGHT;
    return so_far == OUTCOME_DIFFERENT && right ? OUTCOME_CLOSE : so_far;
}

/* False after an error: nothing to report.  *lost: no use to go on. */
static bool run_one(const struct settings *s, const char *path, struct gpu *g,
                    const struct reference *ref, struct outcome *o,
                    bool *lost) {
    struct run_verdict executor, gpu;
    struct run *r = execute(s, path, &executor), *on_gpu = NULL;
    bool ok = r != NULL;
    if (ok) {
        o->name = xstrdup(run_name(r));
        o->size = xstrdup(run_size(r));
        o->ptx = run_ptx_hash(r);
    }
    if (ok && ref->all)
        reference_hold(ref, r, &executor, o, s->diag);
    else if (ok && (on_gpu = open_one(s, path))) {
        struct run_gpu_options go = {.contract = s->contract,
                                     .optimise = s->optimise};
        bool *written = xcalloc((size_t)executor.n_buffers + 1, 1);
        o->found = xcalloc((size_t)executor.n_buffers + 1, sizeof *o->found);
        find_written(r, on_gpu, written);
        o->verdict = OUTCOME_STOPPED;
        if (run_save_check(on_gpu, &s->saves) && run_on_gpu(on_gpu, g, &go)) {
            ok = run_save(on_gpu, &s->saves);
            o->verdict = OUTCOME_EQUAL;
            run_verdict(on_gpu, &gpu);
            compare(r, on_gpu, written, o);
            o->verdict = weigh(&executor, &gpu, o->verdict);
        }
        o->launches = go.launches;
        *lost = go.lost;
        free(written);
    }
    run_close(on_gpu);
    run_close(r);
    return ok;
}

/* --- report --------------------------------------------------------------- */

static void print_difference(const struct finding *f) {
    printf(", %" PRIu64 " differ, ", f->differ);
    if (f->farthest == UINT64_MAX)
        printf("some as NaN and number");
    else
        printf("by at most %" PRIu64, f->farthest);
    printf("; first %" PRIu64, f->first);
    if (f->bits[0] != f->bits[1]) /* a reference has none */
        printf(", 0x%" PRIx64 ", not 0x%" PRIx64, f->bits[1], f->bits[0]);
    printf("\n");
}

static void print(const struct outcome *o) {
    printf("%s (%s): %s, %" PRIu64 " launch%s\n", o->name, o->size,
           outcome_words[o->verdict], o->launches,
           o->launches == 1 ? "" : "es");
    for (int i = 0; i < o->n; i++) {
        const struct finding *f = &o->found[i];
        printf("  %-12s %-4s %8" PRIu64 " elements", f->buffer, f->type,
               f->count);
        if (f->differ == 0)
            printf(", equal\n");
        else
            print_difference(f);
    }
}

struct report {
    uint64_t count[OUTCOMES], buffers, equal_buffers, elements, differ;
};

static void add(struct report *r, const struct outcome *o) {
    r->count[o->verdict]++;
    for (int i = 0; i < o->n; i++) {
        r->buffers++;
        r->equal_buffers += o->found[i].differ == 0;
        r->elements += o->found[i].count;
        r->differ += o->found[i].differ;
    }
}

static void print_end(const struct report *r, const char *device,
                      const char *driver) {
    uint64_t n = 0;
    for (int k = 0; k < OUTCOMES; k++)
        n += r->count[k];
    printf("%" PRIu64 " descriptions against %s, driver %s:", n, device,
           driver);
    for (int k = 0; k < OUTCOMES; k++)
        printf("%s %" PRIu64 " %s", k ? "," : "", r->count[k],
               outcome_words[k]);
    printf("; of %" PRIu64 " buffers written %" PRIu64 " equal, of %" PRIu64
           " elements %" PRIu64 " differ\n",
           r->buffers, r->equal_buffers, r->elements, r->differ);
}

static void print_json(const json_t *results, const char *device,
                       const char *driver) {
    const json_t *one;
    json_t *name = json_string(device);
    size_t i;
    printf("{\"schema\": \"ndpgpu-1\", \"device\": ");
    json_dumpf(name, stdout, JSON_ENCODE_ANY);
    printf(", \"driver\": \"%s\",\n\"results\": [", driver);
    json_array_foreach(results, i, one) {
        printf("%s\n", i ? "," : "");
        json_dumpf(one, stdout, 0);
    }
    printf("\n]}\n");
    json_decref(name);
}

/* --- all of them ---------------------------------------------------------- */

static int run_all_files(const struct settings *s, struct gpu *g,
                         const struct reference *ref, const char *device,
                         const char *driver) {
    struct report report = {0};
    struct progress progress;
    json_t *results = json_array();
    bool bad = false, lost = false;
    progress_begin(&progress, "ndpgpu", (uint64_t)s->n_paths);
    for (int i = 0; i < s->n_paths && !lost; i++) {
        struct outcome o = {0};
        if (run_one(s, s->paths[i], g, ref, &o, &lost)) {
            add(&report, &o);
            if (s->json)
                json_array_append_new(results, outcome_json(&o));
            else if (!s->quiet || o.verdict != OUTCOME_EQUAL)
                print(&o);
        } else {
            bad = true;
        }
        diag_flush(s->diag, stderr);
        outcome_free(&o);
        progress_step(&progress, (uint64_t)i + 1);
    }
    progress_end(&progress);
    if (s->json)
        print_json(results, device, driver);
    else
        print_end(&report, device, driver);
    json_decref(results);
    if (bad || lost)
        return 2;
    return report.count[OUTCOME_DIFFERENT] || report.count[OUTCOME_STOPPED] ||
           report.count[OUTCOME_STALE];
}

static int run(struct settings *s) {
    struct place at = {.source = diag_source(s->diag, "command line", NULL, 0)};
    struct reference ref = {0};
    int status = 2;
    if (s->n_paths == 0) {
        diag_error(s->diag, at,
                   "no file given, expected a run description such as "
                   "'kernels/axpy/axpy.yml'");
        return 2;
    }
    if (s->saves.n && (s->n_paths > 1 || s->reference)) {
        diag_error(s->diag, at, "'--write' works with one file and a GPU");
        return 2;
    }
    if (s->reference) {
        if (reference_read(&ref, s->reference, s->diag))
            status = run_all_files(s, NULL, &ref, ref.device, ref.driver);
        reference_free(&ref);
        return status;
    }
    struct gpu *g = gpu_open(&s->gpu, s->diag);
    if (g) {
        char device[200], driver[24];
        snprintf(device, sizeof device, "%s (%d.%d)", g->name, g->major,
                 g->minor);
        snprintf(driver, sizeof driver, "%d.%d", g->version / 1000,
                 g->version % 1000 / 10);
        status = run_all_files(s, g, &ref, device, driver);
    }
    gpu_close(g);
    return status;
}

int main(int argc, char **argv) {
    struct diag diag = {0};
    struct settings s = {.diag = &diag, .optimise = -1};
    s.paths = xcalloc((size_t)argc, sizeof *s.paths);
    int status = options_parse(&options, argc, argv, take, &s, &diag);
    if (status == OPTIONS_RUN)
        status = run(&s);
    if (!outfile_flush_stdout(&diag))
        status = 2;
    diag_flush(&diag, stderr);
    diag_free(&diag);
    free(s.paths);
    return status;
}

/* ndpsim.c - the program: runs kernels, checks what they leave, tells what they
 * did.
 *
 * Everything is a stream: a run description is executed, a trace is read; both
 * are counted, and written or printed if asked for, by the same loop.
 */
#include "ndpsim.h"

#include "base/options.h"
#include "base/outfile.h"
#include "base/progress.h"
#include "papers/tom/candidate.h"
#include "ref.h"
#include "sim/trace/dump.h"
#include "sim/trace/trace.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PROGRESS_EVERY = 1 << 16 };

struct settings {
    const char *size, *ptx, *trace, *dump;
    uint64_t limit, align;
    bool json, chains;
    struct run_saves saves;
    const struct system_preset *preset; /* NULL: none */
    void *system;                       /* its settings */
    const char **paths;
    int n_paths;
    struct diag *diag;
};

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

/* -------------------------------------------------------------- options */

static const struct option_spec specs[] = {
    {"size", 's', "NAME",
     "Which of the description's sizes to run, usually "
     "small or full. Default: small."},
    {"ptx", 'p', "FILE",
     "Run the kernels of this PTX file instead of the one "
     "that the description names."},
    {"limit", 0, "N",
     "Stop a launch after N warp instructions. Default: no "
     "limit; a kernel that makes no progress is stopped "
     "anyway."},
    {"align", 0, "BYTES",
     "Alignment of buffers, a power of two, such as the pages of a GPU, "
     "2097152. Default: 256, or what the description says."},
    {"preset", 0, "NAME", "see preset_doc"},
    {"", 0, NULL, "Output:"},
    {"json", 0, NULL, "Print the report as JSON."},
    {"chains", 0, NULL,
     "Count instructions and memory requests in offload chains, by pattern."},
    {"write", 'w', "BUFFER=FILE",
     "Write what the kernel has left in a buffer to a file, raw and "
     "little-endian; may be given for several buffers."},
    {"trace", 't', "FILE",
     "Write the dynamic instruction stream to a compact trace file, which "
     "ndpsim and the benches can read."},
    {"dump", 0, "FILE",
     "Write the dynamic instruction stream as text, one line per instruction; "
     "'-' is standard output."},
    {NULL, 0, NULL, NULL}};

static const struct option_example examples[] = {
    {"ndpsim kernels/axpy/axpy.yml", "run AXPY at its small size"},
    {"ndpsim kernels/*/*.yml --size full", "the whole kernel set, a row each"},
    {"ndpsim my.yml --trace my.ndpt", "run a kernel of your own, keep its "
                                      "stream"},
    {"ndpsim my.yml --write y=y.bin", "... or what it has computed"},
    {"ndpsim my.ndpt --dump - | head", "look at a trace"},
    {"ndpsim traces/kernelslist.g", "figures of a trace from a real GPU"},
    {"ndpsim kernels/conv2d/conv2d_pattern_sync.yml --preset image "
     "--prefetch pattern",
     "cache misses and prefetches on an NDP stack"},
    {"ndpsim --preset concurrent --mix mix1 --op copy",
     "a host and accelerators in its memory's ranks"},
    {NULL, NULL}};

static const struct options common = {
    .program = "ndpsim",
    .usage = "FILE... [options]",
    .summary =
        "Run the kernels of a run description on a functional model of a GPU, "
        "warp by warp, check what they leave in memory, and report instruction "
        "mix, divergence, memory accesses, coalescing and footprint. A trace "
        "(from --trace, or of Accel-Sim's tracer) is reported in the same way.",
    .specs = specs,
    .positional = "run descriptions (.yml) or traces (.ndpt, .traceg, "
                  "kernelslist.g)",
    .examples = examples,
    .epilogue = "A run description of a dozen lines is explained in "
                "docs/run.md. Exit status: 0 all right, 1 a wrong result or a "
                "kernel that was stopped, 2 bad input.",
};

static bool take_align(struct settings *s, const char *value) {
    if (!options_number("align", value, 1, 1 << 30, &s->align, s->diag))
        return false;
    if (s->align & (s->align - 1))
        diag_error(s->diag, (struct place){0},
                   "'--align' is %s, expected a power of two", value);
    return (s->align & (s->align - 1)) == 0;
}

static bool take(void *ctx, const char *name, const char *value) {
    struct settings *s = ctx;
    if (!name)
        s->paths[s->n_paths++] = value;
    else if (strcmp(name, "size") == 0)
        s->size = value;
    else if (strcmp(name, "ptx") == 0)
        s->ptx = value;
    else if (strcmp(name, "trace") == 0)
        s->trace = value;
    else if (strcmp(name, "dump") == 0)
        s->dump = value;
    else if (strcmp(name, "json") == 0)
        s->json = true;
    else if (strcmp(name, "chains") == 0)
        s->chains = true;
    else if (strcmp(name, "write") == 0)
        return run_save_take(&s->saves, value, s->diag);
    else if (strcmp(name, "preset") == 0)
        return preset_again(s->preset, value, s->diag);
    else if (strcmp(name, "align") == 0)
        return take_align(s, value);
    else if (strcmp(name, "limit") != 0)
        return s->preset->take(s->system, name, value, s->diag);
    else
        return options_number(name, value, 1, INT64_MAX, &s->limit, s->diag);
    return true;
}

static bool check_settings(const struct settings *s) {
    const struct source *at = diag_source(s->diag, "command line", NULL, 0);
    struct place place = {.source = at};
    if (s->n_paths == 0)
        diag_error(s->diag, place,
                   "no file given, expected a run description such as "
                   "'kernels/axpy/axpy.yml'");
    if (s->n_paths > 1 && (s->trace || s->dump || s->ptx || s->saves.n))
        diag_error(s->diag, place,
                   "'--trace', '--dump', '--write' and '--ptx' work with one "
                   "file, found %d",
                   s->n_paths);
    if (s->preset && s->preset->check)
        s->preset->check(s->system, s->diag);
    return s->diag->errors == 0;
}

/* ----------------------------------------------------------------- pulling */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct sinks {
    struct trace_writer *trace;
    FILE *dump;
    struct run *run; /* for the progress line; NULL: a trace */
};

static void show_progress(struct progress *p, const struct sinks *k,
                          uint64_t events) {
    uint64_t done = events, total = 0;
    if (k->run)
        run_progress(k->run, &done, &total);
    p->total = total;
    progress_step(p, done);
}

/* A stream on its way through here: counted, kept, watched. */
struct tap {
    struct stream base;
    struct stream *in;
    struct outcome *o;
    const struct sinks *sinks;
    struct progress progress;
    uint64_t events;
    bool told; /* a composition tells how far the work is */
    enum stream_result last;
};

static enum stream_result tap_next(struct stream *s, struct stream_event *e) {
    struct tap *t = (struct tap *)(void *)s;
    const struct sinks *k = t->sinks;
    if (t->o->interrupted)
        return STREAM_END;
    t->last = stream_next(t->in, e);
    if (t->last != STREAM_EVENT)
        return t->last;
    stats_add(&t->o->stats, e);
    chains_add(t->o, e);
    if (k->trace)
        trace_write(k->trace, e);
    if (k->dump)
        dump_event(e, k->dump);
    if (++t->events % PROGRESS_EVERY == 0) {
        if (!t->told)
            show_progress(&t->progress, k, t->events);
        t->o->interrupted = interrupted != 0;
    }
    return STREAM_EVENT;
}

static const struct stream_ops tap_ops = {tap_next, NULL};

/* A composition's cycles, after the stream's end or between its events. */
static bool go_on(const struct system_job *job, uint64_t done, uint64_t total) {
    struct tap *t = job->ctx;
    t->told = true;
    t->progress.total = total;
    progress_step(&t->progress, done);
    t->o->interrupted = t->o->interrupted || interrupted;
    return !t->o->interrupted;
}

/* The whole stream, or until Ctrl-C, through the composition if there is one.
 * False: the composition cannot run it. */
static bool pull(const struct settings *s, struct stream *in, struct outcome *o,
                 const struct sinks *k, enum stream_result *end) {
    struct tap t = {.base = {&tap_ops}, .in = in, .o = o, .sinks = k};
    struct system_job job = {&t.base, k->run, o->path, s->diag, go_on, &t};
    struct stream_event e;
    double start = now();
    progress_begin(&t.progress, o->name, 0);
    o->preset = s->preset;
    if (s->preset)
        o->system = s->preset->run(s->system, &job);
    else
        while (tap_next(&t.base, &e) == STREAM_EVENT)
            ;
    o->seconds = now() - start;
    progress_end(&t.progress);
    *end = t.last;
    return !s->preset || o->system;
}

static bool open_sinks(const struct settings *s, uint64_t hash,
                       struct sinks *k) {
    if (s->trace && !(k->trace = trace_create(s->trace, hash, s->diag)))
        return false;
    if (!s->dump)
        return true;
    k->dump = strcmp(s->dump, "-") == 0 ? stdout : fopen(s->dump, "w");
    if (!k->dump)
        diag_error(s->diag, (struct place){0}, "cannot write '%s': %s", s->dump,
                   strerror(errno));
    return k->dump != NULL;
}

/* Standard output is looked at when the program ends. */
static bool close_dump(const struct settings *s, struct sinks *k) {
    if (!k->dump || k->dump == stdout)
        return true;
    errno = 0;
    bool whole = fflush(k->dump) == 0 && !ferror(k->dump);
    int why = errno;
    if (fclose(k->dump) == 0 && whole)
        return true;
    diag_error(s->diag, (struct place){0}, "cannot write '%s': %s", s->dump,
               strerror(why     ? why
                        : errno ? errno
                                : EIO));
    outfile_remove(s->dump);
    return false;
}

static bool close_sinks(const struct settings *s, bool complete,
                        struct outcome *o, struct sinks *k) {
    bool ok = true;
    if (k->trace) {
        if (complete)
            trace_end(k->trace);
        o->trace_bytes = trace_bytes(k->trace);
        ok = trace_finish(k->trace, complete, s->diag);
    }
    return close_dump(s, k) && ok;
}

/* --------------------------------------------------------------- one file */

/* Results that a later file must not pull from under an earlier one. */
static void keep_results(struct run_verdict *v, struct arena *a) {
    struct run_buffer_result *copy =
        arena_array(a, (size_t)v->n_buffers, sizeof *copy);
    for (int i = 0; i < v->n_buffers; i++) {
        copy[i] = v->buffers[i];
        copy[i].name = arena_strdup(a, copy[i].name);
    }
    v->buffers = copy;
}

/* A kernel alone does not say how large its data are. */
static bool is_ptx(const struct settings *s, const char *path) {
    const char *dot = strrchr(path, '.');
    struct place at = {.source = diag_source(s->diag, path, NULL, 0)};
    if (!dot || strcmp(dot, ".ptx") != 0)
        return false;
    diag_error(s->diag, at,
               "this is PTX, expected a run description that names it and "
               "gives sizes and data, see docs/run.md");
    return true;
}

static bool do_run(const struct settings *s, struct outcome *o,
                   struct arena *a) {
    if (is_ptx(s, o->path))
        return false;
    struct run_options ro = {.size = s->size,
                             .ptx = s->ptx,
                             .align = s->align,
                             .exec = {.limit = s->limit},
                             .reference = ref_find};
    struct ptx_candidate_options place;
    if (s->preset && s->preset->place && s->preset->place(s->system, &place))
        ro.place = &place;
    struct run *r = run_open(o->path, &ro, s->diag);
    struct sinks k = {.run = r};
    bool ok =
        r && run_save_check(r, &s->saves) && open_sinks(s, run_ptx_hash(r), &k);
    if (r && s->chains)
        chains_begin(o, r);
    if (r) {
        o->name = arena_strdup(a, run_name(r));
        o->size = arena_strdup(a, run_size(r));
        o->ptx = arena_strdup(a, run_ptx(r));
    }
    enum stream_result end = STREAM_ERROR;
    if (ok && !pull(s, run_stream(r), o, &k, &end)) {
        close_sinks(s, false, o, &k);
        ok = false;
    } else if (ok) {
        run_verdict(r, &o->verdict);
        keep_results(&o->verdict, a);
        ok = close_sinks(s, end == STREAM_END, o, &k);
        ok = run_save(r, &s->saves) && ok;
    }
    run_close(r);
    return ok;
}

static bool do_trace(const struct settings *s, struct outcome *o) {
    struct sinks k = {0};
    struct stream *stream = trace_open_any(o->path, s->diag);
    o->is_trace = true;
    o->name = o->path;
    if (s->chains)
        diag_error(s->diag, (struct place){0},
                   "'--chains' works with run descriptions, '%s' is a trace",
                   o->path);
    if (s->saves.n)
        diag_error(s->diag, (struct place){0},
                   "'--write' works with run descriptions, '%s' is a trace",
                   o->path);
    if (!stream || s->chains || s->saves.n || !open_sinks(s, 0, &k)) {
        stream_close(stream);
        return false;
    }
    enum stream_result end = STREAM_ERROR;
    bool ok = pull(s, stream, o, &k, &end);
    o->trace_ok = end == STREAM_END;
    stream_close(stream);
    return close_sinks(s, end == STREAM_END, o, &k) && ok;
}

/* All files; the exit status. */
static int do_all(struct settings *s) {
    struct outcome *all = xcalloc((size_t)s->n_paths, sizeof *all);
    struct arena arena = {0};
    bool table = s->n_paths > 1 && !s->json;
    int status = 0, n = 0;
    FILE *out = s->dump && strcmp(s->dump, "-") == 0 ? stderr : stdout;
    if (table)
        s->chains ? chains_heading(out) : report_heading(s->preset, out);
    for (int i = 0; i < s->n_paths && !interrupted; i++) {
        struct outcome *o = &all[n];
        o->path = o->name = s->paths[i];
        bool ok =
            trace_recognise(o->path) ? do_trace(s, o) : do_run(s, o, &arena);
        diag_flush(s->diag, stderr);
        if (!ok) {
            chains_end(o);
            status = 2;
            continue;
        }
        n++;
        if (status < outcome_status(o))
            status = outcome_status(o);
        if (table)
            o->chains[0] ? chains_row(o, out) : report_row(o, out);
        else if (!s->json)
            report_page(o, out);
        if (!outfile_flush_stdout(s->diag)) {
            status = 2;
            break;
        }
    }
    if (s->json)
        report_json(all, n, out);
    for (int i = 0; i < n; i++) {
        stats_free(&all[i].stats);
        chains_end(&all[i]);
        if (all[i].system)
            all[i].preset->destroy_result(all[i].system);
    }
    arena_free(&arena);
    free(all);
    return status;
}

/* The preset that the command line names, and its options among the others.
 * False after an error. */
static bool find_preset(struct settings *s, int argc, char **argv) {
    const char *name = preset_scan(argc, argv);
    if (name && !(s->preset = preset_find(name, s->diag)))
        return false;
    s->system = s->preset ? s->preset->create() : NULL;
    return true;
}

int main(int argc, char **argv) {
    struct diag diag = {0};
    struct settings s = {.diag = &diag};
    struct sigaction action = {.sa_handler = on_interrupt};
    struct options options = common;
    int status;
    if (preset_channel(argc, argv, &status))
        return status;
    s.paths = xcalloc((size_t)argc, sizeof *s.paths);
    status = find_preset(&s, argc, argv) ? OPTIONS_RUN : 2;
    char *doc = preset_doc();
    struct option_spec *all = preset_specs(specs, doc, s.preset);
    options.specs = all;
    options.elsewhere = s.preset ? NULL : preset_of_option;
    if (status == OPTIONS_RUN)
        status = options_parse(&options, argc, argv, take, &s, &diag);
    if (status == OPTIONS_RUN && !check_settings(&s))
        status = 2;
    if (status == OPTIONS_RUN) {
        action.sa_flags = (int)SA_RESETHAND; /* a second one ends at once */
        sigaction(SIGINT, &action, NULL);
        signal(SIGXFSZ, SIG_IGN); /* a file that grows too large says so */
        status = do_all(&s);
        if (!outfile_flush_stdout(&diag))
            status = 2;
    }
    diag_flush(&diag, stderr);
    diag_free(&diag);
    free(s.system);
    free(s.paths);
    free(all);
    free(doc);
    return status;
}

/* bench_exec.c - speed of the executor over the kernel set.
 *
 * Each kernel runs at its full size, or as much of it as fits into a slice of
 * processor time: executed alone, with the statistics of ndpsim, and with its
 * trace written to a file.  Figures are millions of thread instructions a
 * second on one core; filling the buffers is not counted.
 *
 *     bench_exec [runs [description ...]]      (medians of so many runs; 1)
 */
#include "ref.h"
#include "sim/run/run.h"
#include "sim/trace/stats.h"
#include "sim/trace/trace.h"
#include "tests/common/temp.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MODES = 3, MAX_RUNS = 25, CHECK_EVERY = 4096 };

static const char *const modes[MODES] = {"execute", "statistics", "trace"};
static const double slice = 0.05; /* seconds for a kernel and mode */

/* Processor time, so that a shared machine does not blur the figure. */
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct figure {
    double instructions, seconds;
};

/* One slice of a run; false if it does not open. */
static bool measure(const char *path, int mode, const char *scratch,
                    struct figure *f) {
    struct diag d = {0};
    struct run_options o = {.size = "full", .reference = ref_find};
    struct run *r = run_open(path, &o, &d);
    struct stats stats = {0};
    struct stream_event e;
    struct trace_writer *t = NULL;
    if (!r) {
        diag_flush(&d, stderr);
        diag_free(&d);
        return false;
    }
    if (mode == 2)
        t = trace_create(scratch, run_ptx_hash(r), &d);
    double start = seconds(), now = start;
    for (unsigned n = 1; now - start < slice; n++) {
        if (stream_next(run_stream(r), &e) != STREAM_EVENT)
            break;
        if (mode == 1)
            stats_add(&stats, &e);
        if (t)
            trace_write(t, &e);
        if (n % CHECK_EVERY == 0)
            now = seconds();
    }
    f->seconds = seconds() - start;
    f->instructions = (double)exec_thread_instructions(run_exec(r));
    if (t)
        trace_finish(t, false, &d);
    stats_free(&stats);
    run_close(r);
    diag_free(&d);
    return true;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *v, int n) {
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[n / 2];
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A row for one kernel; its rates are added to sum and inverse. */
static void bench(const char *path, int runs, const char *scratch,
                  double sum[MODES], double inverse[MODES], int *count) {
    double rate[MODES];
    for (int mode = 0; mode < MODES; mode++) {
        double rates[MAX_RUNS];
        for (int k = 0; k < runs; k++) {
            struct figure f;
            if (!measure(path, mode, scratch, &f))
                return;
            rates[k] = f.instructions / f.seconds * 1e-6;
        }
        rate[mode] = median(rates, runs);
    }
    printf("  %-26s", name_of(path));
    for (int mode = 0; mode < MODES; mode++) {
        printf(" %10.1f", rate[mode]);
        sum[mode] += rate[mode];
        inverse[mode] += 1 / rate[mode];
    }
    printf("\n");
    ++*count;
}

int main(int argc, char **argv) {
    int runs = argc > 1 ? atoi(argv[1]) : 1, count = 0;
    double sum[MODES] = {0}, inverse[MODES] = {0};
    char scratch[TEMP_MAX];
    temp_pattern(scratch);
    int file = mkstemp(scratch);
    glob_t found = {0};
    if (file < 0)
        return 2;
    close(file);
    runs = runs < 1 ? 1 : runs > MAX_RUNS ? MAX_RUNS : runs;
    printf("executor, full sizes, %.2f s a kernel and mode, %d run%s: million "
           "thread instructions a second\n",
           slice, runs, runs == 1 ? "" : "s");
    printf("  %-26s", "kernel");
    for (int mode = 0; mode < MODES; mode++)
        printf(" %10s", modes[mode]);
    printf("\n");
    if (argc <= 2 && glob("kernels/*/*.yml", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            bench(found.gl_pathv[i], runs, scratch, sum, inverse, &count);
    for (int i = 2; i < argc; i++)
        bench(argv[i], runs, scratch, sum, inverse, &count);
    globfree(&found);
    remove(scratch);
    if (count == 0)
        return 2;
    printf("  %-26s", "mean");
    for (int mode = 0; mode < MODES; mode++)
        printf(" %10.1f", sum[mode] / count);
    printf("\n  %-26s", "harmonic mean");
    for (int mode = 0; mode < MODES; mode++)
        printf(" %10.1f", count / inverse[mode]);
    printf("\n");
    return 0;
}

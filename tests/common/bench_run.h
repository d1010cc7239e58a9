/* bench_run.h - run the bench inside a test, with a model in the place of the
 * RTL, and catch what it prints. */
#ifndef NDP_TESTS_BENCH_RUN_H
#define NDP_TESTS_BENCH_RUN_H

#include "bench/bench.h"
#include "frame/golden.h"
#include "kit/stim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ARGS = 24 };

/* Changes what the stand-in shows after an edge; NULL: honest. */
typedef void spoil_fn(uint64_t edge, void *out, void *unknown);

struct printed {
    char *text; /* standard output and standard error; the caller frees */
    int status;
};

static int drive_bench(const struct bench_block *blocks,
                       const struct golden_class *dut, spoil_fn *spoil,
                       int argc, char **argv) {
    int status;
    struct bench *b = bench_open(blocks, argc, argv, &status);
    if (!b)
        return status;
    const struct design *d = bench_design(b);
    struct golden *g = golden_create(dut, &d->config);
    uint64_t edge = 0;
    bool rst;
    do {
        const void *in = bench_inputs(b, &rst);
        memcpy(bench_outputs(b), golden_cycle(g, rst, in), d->out_size);
        if (spoil)
            spoil(edge, bench_outputs(b), bench_unknown(b));
        edge++;
    } while (bench_step(b));
    golden_free(g);
    return bench_close(b);
}

static char *read_back(FILE *f) {
    long size = ftell(f);
    char *text = calloc(1, (size_t)size + 1);
    rewind(f);
    if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
        abort();
    return text;
}

/* words: the command line, blank separated. */
static inline struct printed run_bench(const struct bench_block *blocks,
                                       const struct golden_class *dut,
                                       spoil_fn *spoil, const char *words) {
    char *line = strdup(words), *argv[MAX_ARGS] = {"cosim"};
    int argc = 1, kept[2] = {dup(1), dup(2)};
    FILE *f = tmpfile();
    struct printed p = {0};
    for (char *w = strtok(line, " "); w && argc < MAX_ARGS; w = strtok(0, " "))
        argv[argc++] = w;
    if (!f)
        abort();
    fflush(stdout);
    dup2(fileno(f), 1);
    dup2(fileno(f), 2);
    p.status = drive_bench(blocks, dut, spoil, argc, argv);
    fflush(stdout);
    dup2(kept[0], 1);
    dup2(kept[1], 2);
    close(kept[0]);
    close(kept[1]);
    fseek(f, 0, SEEK_END);
    p.text = read_back(f);
    fclose(f);
    free(line);
    return p;
}

/* The run ends with this status and says this. */
#define expect_run(p, wanted, says)                                            \
    do {                                                                       \
        struct printed p_ = (p);                                               \
        if (p_.status != (wanted) || !strstr(p_.text, says))                   \
            fail_msg("expected status %d and '%s', got %d and:\n%s", wanted,   \
                     says, p_.status, p_.text);                                \
        free(p_.text);                                                         \
    } while (0)

#endif

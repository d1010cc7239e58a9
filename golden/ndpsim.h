/* ndpsim.h - shared by the ndpsim*.c files; private to them. */
#ifndef NDP_NDPSIM_H
#define NDP_NDPSIM_H

#include "run/run.h"
#include "trace/stats.h"

#include <stdio.h>

/* What one run or trace came to. */
struct outcome {
    const char *path, *name;
    const char *size; /* NULL: a trace */
    const char *ptx;
    bool interrupted;
    bool is_trace, trace_ok;
    struct run_verdict verdict; /* of a run */
    struct stats stats;
    double seconds;
    uint64_t trace_bytes; /* written; 0: none */
};

/* "right", "wrong", "not checked", "stopped"; of a trace "complete", "broken",
 * of either "interrupted". */
const char *outcome_word(const struct outcome *o);

/* 0 as it should be, 1 not. */
int outcome_status(const struct outcome *o);

/* A page for people; a table's heading and row; one JSON object. */
void report_page(const struct outcome *o, FILE *out);
void report_heading(FILE *out);
void report_row(const struct outcome *o, FILE *out);
void report_json(const struct outcome *o, int n, FILE *out);

#endif

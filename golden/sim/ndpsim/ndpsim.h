/* ndpsim.h - shared by the ndpsim*.c files; private to them. */
#ifndef NDP_NDPSIM_H
#define NDP_NDPSIM_H

#include "sim/run/run.h"
#include "sim/system/system.h"
#include "sim/trace/chain_share.h"
#include "sim/trace/stats.h"

#include <jansson.h>

#include <stdio.h>

/* Offload chains are counted as compiled and with f32 fma split. */
enum { CHAIN_MODES = 2 };

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
    uint64_t trace_bytes;                    /* written; 0: none */
    struct chain_share *chains[CHAIN_MODES]; /* with --chains; else NULL */
    /* Of the composition it ran on; NULL: none. */
    const struct system_preset *preset;
    void *system;
};

/* "right", "wrong", "not checked", "stopped"; of a trace "complete", "broken",
 * of either "interrupted". */
const char *outcome_word(const struct outcome *o);

/* 0 as it should be, 1 not. */
int outcome_status(const struct outcome *o);

/* A page for people; a table's heading and row; one JSON object. */
void report_page(const struct outcome *o, FILE *out);
void report_heading(const struct system_preset *p, FILE *out);
void report_row(const struct outcome *o, FILE *out);
void report_json(const struct outcome *o, int n, FILE *out);

/* chains.c: counting for --chains, and what it adds to the reports; no
 * effect without chains_begin. */
void chains_begin(struct outcome *o, const struct run *r);
void chains_add(struct outcome *o, const struct stream_event *e);
void chains_end(struct outcome *o);
void chains_page(const struct outcome *o, FILE *out);
void chains_heading(FILE *out);
void chains_row(const struct outcome *o, FILE *out);
void chains_json(const struct outcome *o, json_t *j);

/* Name after --preset on the command line; NULL: none. */
const char *preset_scan(int argc, char **argv);

/* The preset that runs no kernel, and so none of ndpsim's own: what follows it
 * is the command line of ndpchannel. */
#define CHANNEL_PRESET "concurrent"

/* If the command line names it, run it; false: it does not. */
bool preset_channel(int argc, char **argv, int *status);

/* By name; NULL after an error in d, with a suggestion. */
const struct system_preset *preset_find(const char *name, struct diag *d);

/* Another --preset after p was found by that.  False: it is a different one,
 * after an error in d. */
bool preset_again(const struct system_preset *p, const char *name,
                  struct diag *d);

/* Adds which presets have an option, in words; nothing if none has. */
void preset_of_option(const char *name, struct text *where);

/* What --help says of --preset, and the program's options with that and with
 * those of a preset (NULL: none); the caller frees both. */
char *preset_doc(void);
struct option_spec *preset_specs(const struct option_spec *own, const char *doc,
                                 const struct system_preset *p);

#endif

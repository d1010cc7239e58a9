/* options.h - the command line of a lock-step run. */
#ifndef NDP_BENCH_OPTIONS_H
#define NDP_BENCH_OPTIONS_H

#include "config/choice.h"
#include "kit/stim.h"

struct bench_options {
    const char *target; /* block to check */
    const char *sim;    /* name of the simulator, for the summary */
    const char *label;  /* where the configuration is from, for the summary */
    const char *replay; /* command that repeats the run, without its seed */
    const char *events; /* file for the event dump, or NULL */
    const char *values; /* file for a VCD of the ports, or NULL */
    const char *wave;   /* waveform file, or NULL */
    const char *result; /* file for cycle and seed of a failure, or NULL */
    uint64_t wave_from;
    uint64_t cycles; /* 0: until the stimulus has come to its end */
    struct stim_options stim;
    bool json;
    bool quiet;         /* print nothing but errors: the waveform's run */
    bool require_cover; /* a cover point that was missed is a failure */
    bool counted;       /* '--count' was given */
    bool ports;         /* print the ports for an adapter, and run nothing */
    struct config_choice choice;
    struct config config;
    const struct bench_block *block;
};

/* Strings point into argv.  False: stop with *status, all messages printed. */
bool bench_options(struct bench_options *o, const struct bench_block *blocks,
                   int argc, char **argv, int *status);

#endif

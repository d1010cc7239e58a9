/* bench_speed.h - what the speed programs of the golden models share: the
 * clock, random numbers, the line that scripts/bench.sh reads, and the counters
 * that show what the stimulus did. */
#ifndef NDP_TESTS_BENCH_SPEED_H
#define NDP_TESTS_BENCH_SPEED_H

#include "frame/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Processor time, so that a shared machine does not blur the figure. */
static inline double speed_seconds(void) {
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline long speed_cycles(int argc, char **argv) {
    return argc > 1 ? atol(argv[1]) : 20000000;
}

/* A repeatable source (xorshift64*); the state starts at anything but 0. */
static inline uint64_t speed_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717u;
}

static inline void speed_report(long cycles, double time) {
    printf("%ld cycles in %.2f s: %.2f million cycles a second\n", cycles, time,
           (double)cycles / time * 1e-6);
}

/* Every counter. */
static inline void speed_counters(const struct golden *g) {
    const struct iface *i = golden_design(g)->iface;

    for (int n = 0; n < i->n_counters; n++)
        printf("  %-16s %10u\n", i->counters[n].name,
               (unsigned)golden_counter(g, n));
}

#endif

/* impl.h - what the files of the bench share. */
#ifndef NDP_BENCH_IMPL_H
#define NDP_BENCH_IMPL_H

#include "bench.h"
#include "options.h"

#include "base/progress.h"
#include "kit/stim.h"

#include <stdio.h>

/* Edges that are remembered for the report of a difference. */
enum { BENCH_RING = 64 };

struct bench_slot {
    void *in;  /* inputs before the edge */
    void *out; /* outputs after it, from the RTL */
    bool rst;
};

/* Reading id and configuration hash over the register port; a unit, which has
 * none, is only reset. */
struct identity {
    bool has_registers;
    int adr, cyc, stb, dat_r, ack; /* byte offsets in the in and out structs */
    int word;                      /* register being read */
    bool done;
    uint32_t expected[REG_HASH_HI + 1];
    uint32_t got[REG_HASH_HI + 1];
};

enum bench_end {
    BENCH_RUNNING,
    BENCH_COMPLETE,
    BENCH_INTERRUPTED,
    BENCH_MISMATCH,
    BENCH_BROKEN,   /* the stimulus found a broken property */
    BENCH_STRANGER, /* the RTL is of another block or configuration */
    BENCH_FAILED    /* the stimulus' input turned out to be broken */
};

struct bench {
    struct bench_options opt;
    struct bench_block block;
    struct design *design;
    struct golden *golden;
    struct stim *stim;
    struct diag diag; /* errors of the stimulus */
    uint64_t cycle;   /* edges done */
    enum bench_end end;
    struct bench_slot ring[BENCH_RING];
    void *unknown;  /* X and Z bits of the outputs; NULL until asked for */
    void *expected; /* golden outputs of the edge that differed */
    uint64_t bad_cycle;
    const char *broken; /* the stimulus' message */
    bool differs;       /* bad_cycle and expected are set */
    struct identity identity;
    uint64_t digest[4]; /* of all inputs and outputs, four lanes */
    FILE *events;
    FILE *values;
    struct text scratch;
    uint64_t started; /* bench_clock */
    struct progress progress;
};

/* Slot of an edge; edge 0 is the first. */
static inline struct bench_slot *bench_slot(struct bench *b, uint64_t edge) {
    return &b->ring[edge % BENCH_RING];
}

/* identity: start, choose the inputs of an edge, look at what came back. */
void identity_open(struct bench *b);
void identity_drive(struct bench *b, bool *rst, void *in);
void identity_watch(struct bench *b, const void *after);
bool identity_answered(const struct bench *b);
bool identity_matches(const struct bench *b);

uint64_t bench_digest(const struct bench *b);
uint64_t bench_clock(void); /* milliseconds of processor time */

/* One line for each port that an adapter moves: DRIVE or SAMPLE, its name, and
 * where it lies in the in or out struct. */
void bench_ports(const struct design *d, struct text *t);

/* Print how the run ended and give the exit status. */
int bench_report(struct bench *b);

/* Events of an edge, "cycle name field=value ..." lines. */
void bench_trace(struct bench *b, uint64_t edge, struct text *t);

#endif

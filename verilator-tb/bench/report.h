/* report.h - facts about a run, for the text and the JSON report. */
#ifndef NDP_BENCH_REPORT_H
#define NDP_BENCH_REPORT_H

#include "impl.h"

/* Widest port in 64-bit words. */
enum { DIFF_WORDS = 64 };

/* An output port that differs in the first bad cycle. */
struct difference {
    const struct design_port *port;
    int width;
    const uint64_t *expected, *got, *unknown; /* unknown: NULL if 2-state */
    uint64_t bits[DIFF_WORDS];                /* that differ */
    bool any_unknown;
};

/* Does port n differ, and how?  */
bool report_differs(struct bench *b, int n, struct difference *f);

/* "ans_warp", of a system's instance "controller.ans_warp". */
void report_name(const struct bench *b, const struct difference *f,
                 struct text *t);

/* "8'h3f", a digit 'x' where one of its bits is set in x (may be NULL). */
void report_hex(struct text *t, const uint64_t *w, const uint64_t *x,
                int width);

/* "37..34, 5": bits set in w, highest first, the first few ranges. */
void report_bits(struct text *t, const uint64_t *w, int width);

/* The last events before the run stopped, oldest first, a line each. */
void report_events(struct bench *b, struct text *t);

/* Command that repeats the run; nothing when none is known. */
void report_command(const struct bench *b, struct text *t);

int report_outputs(const struct bench *b);    /* ports compared */
int report_covers_hit(const struct bench *b); /* cover points */
uint64_t report_bad_cycle(const struct bench *b);
bool report_failed(const struct bench *b);
bool report_draws(const struct bench *b); /* a waveform will be made */

void report_json(struct bench *b, int status);

#endif

/* progress.h - one line on the terminal for a job that takes long.
 *
 *     struct progress p;
 *     progress_begin(&p, "cosim nbu", cycles);
 *     for (...)
 *         progress_step(&p, done);
 *     progress_end(&p);
 *
 * Nothing is shown during the first two seconds, nor ever when standard error
 * is no terminal; at the end the line is erased.  progress_step reads the clock
 * each time: call it every few thousand cycles, not every one.
 */
#ifndef NDP_PROGRESS_H
#define NDP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
    const char *what;
    uint64_t total; /* 0: not known */
    FILE *out;      /* NULL: silent */
    int64_t start;  /* milliseconds of the monotonic clock */
    int64_t shown;  /* when the line was last drawn; 0: never */
};

/* what must live until progress_end. */
void progress_begin(struct progress *p, const char *what, uint64_t total);
void progress_step(struct progress *p, uint64_t done);
void progress_end(struct progress *p);

/* For a job that has more to say than a number: whether a line may be drawn,
 * and a text for it, which is cut off at the width of a terminal. */
bool progress_due(const struct progress *p);
void progress_say(struct progress *p, const char *text);

/* The line at a time, in milliseconds since the start, into buf. */
void progress_format(const struct progress *p, uint64_t done, int64_t elapsed,
                     char *buf, size_t size);

#endif

/* line_clock.h - the time on a serial line.
 *
 * On a board's line it is the wall's.  A simulated board (simulated.h) takes
 * seconds for what a board does in a millisecond, more on a busy machine; so it
 * tells at its pseudo-terminal how many bytes could have crossed the line by
 * now, and who waits for an answer counts these.  It tells in the terminal's
 * window size, which nothing else uses there: rows and columns are a mark, the
 * other two numbers the count.
 */
#ifndef NDP_RUNTIME_LINE_CLOCK_H
#define NDP_RUNTIME_LINE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct line_clock {
    int fd;
    uint32_t baud;
    bool simulated;
    uint32_t count;   /* that was read last */
    uint64_t bytes;   /* all together */
    int64_t moved_at; /* when it was another, by the wall */
};

/* Of an open terminal. */
void line_clock_open(struct line_clock *c, int fd, uint32_t baud);
/* Milliseconds of the line. */
int64_t line_clock_now(struct line_clock *c);
/* A simulation that has not moved for so long by the wall that it never will.
 */
bool line_clock_stands(struct line_clock *c);

/* The simulation's side: so many bytes in all, at a terminal's either end. */
void line_clock_tell(int fd, uint64_t bytes);

#endif

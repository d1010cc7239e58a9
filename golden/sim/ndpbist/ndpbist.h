/* ndpbist.h - what the files of the program share. */
#ifndef NDP_NDPBIST_H
#define NDP_NDPBIST_H

#include "sim/bist/examine.h"

#include <stdio.h>

/* Where a window is from. */
struct origin {
    const char *file; /* NULL: free inputs, and the window's seed says which */
    int number;       /* from 1 */
};

/* Say what was wrong, for a person. */
void report_wrong(const struct flat *f, const struct window *w,
                  const struct origin *o, const struct examined *e,
                  uint64_t passes, FILE *out);

/* All edges that were streamed back, a line each, columns with tabs. */
void report_edges(const struct flat *f, const struct examined *e, FILE *out);

#endif

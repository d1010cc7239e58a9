/* board.h - a block bist behind a port of libndp, and what to do with it. */
#ifndef NDP_BIST_BOARD_H
#define NDP_BIST_BOARD_H

#include "runtime/port.h"
#include "window.h"

/* How a run ended. */
struct board_end {
    bool differs;
    uint32_t left; /* passes, with the one that differs */
    uint32_t signature;
};

struct board {
    struct ndp_port *port; /* the owner's */
    struct flat flat;      /* of the block under test */
    int words;             /* that the device holds */
    struct text why;       /* what is wrong, after a false; ends for good */
};

/* Look at what is behind the port: a bist, for blocks of these widths.  False:
 * b->why. */
bool board_open(struct board *b, struct ndp_port *port, const struct flat *f);
void board_close(struct board *b); /* the port stays open */

/* Give it a window, which fits; any run is stopped. */
bool board_load(struct board *b, const struct window *w);

/* Play the first length edges so many times, up to the first signature that is
 * not expected.  1 to 2^32 of each. */
bool board_run(struct board *b, uint64_t length, uint64_t passes,
               uint32_t expected, struct board_end *end);

/* What the last edge left.  Once after each run. */
bool board_outputs(struct board *b, struct flat_row *row);

#endif

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

/* The way to the device, and to it once more when the line has failed. */
struct board_way {
    /* The port, opened anew if it was open; it stays the callee's.  NULL: give
     * up, why says what is wrong; it holds what ended the last one. */
    struct ndp_port *(*open)(void *ctx, struct text *why);
    void *ctx;
};

struct board {
    struct board_way way;
    struct ndp_port *port;
    struct flat flat; /* of the block under test */
    int words;        /* that the device holds */
    const struct window *window;
    bool is_loaded;  /* the device has it */
    struct text why; /* what is wrong, after a false; ends for good */
};

/* Look at what is there: a bist, for blocks of these widths.  False: b->why. */
bool board_open(struct board *b, const struct board_way *way,
                const struct flat *f);
void board_close(struct board *b); /* the port stays open */

/* From now on this window is played, which fits; w lives as long. */
void board_take(struct board *b, const struct window *w);

/* Play the first length edges so many times, up to the first signature that is
 * not expected.  1 to 2^32 of each.  outputs: what the last edge left; may be
 * NULL.  When the line fails it is all done again. */
bool board_run(struct board *b, uint64_t length, uint64_t passes,
               uint32_t expected, struct board_end *end,
               struct flat_row *outputs);

#endif

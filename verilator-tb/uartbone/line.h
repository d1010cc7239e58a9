/* line.h - both directions of a serial line, bit by bit: a sender with a clock
 * of its own, and a reader that knows the bridge's clock. */
#ifndef NDP_STIM_UARTBONE_LINE_H
#define NDP_STIM_UARTBONE_LINE_H

#include "kit/rng.h"

#include <stdbool.h>
#include <stdint.h>

/* Times of the sender are in parts of a clock. */
enum { CLOCK = 1 << 16 };

struct sender {
    int clocks;      /* of a bit, as the bridge counts them */
    uint64_t period; /* of a bit, as the sender has it */
    int ringing;     /* percent: the level at the begin of a bit is wrong */
    bool busy;
    bool carry;         /* it ended on the last edge: the next follows at once */
    unsigned frame;     /* levels, lowest first, of ten bits */
    uint64_t at, until; /* since it began; when it ends */
    uint64_t rest;      /* clocks of silence that must follow */
};

/* At rest, and for a bit at least: before its first edge the bench shows zeros,
 * which are a glitch. */
void sender_reset(struct sender *s, int clocks);

/* One edge: false while something is under way or a silence is due. */
bool sender_free(struct sender *s);

/* Begin on this edge, after sender_free said so.  A byte, with its stop bit or
 * with a zero in its place; a low level of so many bits, in eighths, or of so
 * many edges.  A silence of one bit at least follows all but a good byte. */
void sender_byte(struct sender *s, struct rng *r, uint8_t byte, bool stop);
void sender_break(struct sender *s, struct rng *r, int eighths);
void sender_glitch(struct sender *s, int edges);

/* The line on this edge. */
bool sender_level(const struct sender *s, struct rng *r);

/* Edges after that of its first zero until a byte's stop bit is looked at
 * behind the synchroniser. */
int sender_latency(int clocks);

struct reader {
    int clocks;
    int at; /* edges since the byte began, -1: the line is at rest */
    bool level;
    unsigned frame;
};

enum reading { READ_NOTHING, READ_BEGIN, READ_BYTE, READ_UNSTEADY, READ_STOP };

void reader_reset(struct reader *d, int clocks);

/* The line after an edge; of READ_BYTE the byte is in *byte.  A level that does
 * not stand for a whole bit is READ_UNSTEADY, a stop bit of zero READ_STOP. */
enum reading reader_step(struct reader *d, bool level, uint8_t *byte);

#endif

/* line.c - both directions of a serial line, see line.h.
 *
 * The sender's bit k is on the line for the edges e with k * period <= at(e) <
 * (k + 1) * period, where at goes up by a whole clock each edge and begins
 * anywhere in the first one.  The bridge looks at the pin on the edges
 * clocks / 2 + k * clocks after the first zero; with a period within 2 % of its
 * own that falls into bit k for k from 0 to 9 and every clocks from 4 on, and
 * never into the first eighth of one, where the line may ring.
 */
#include "line.h"

void sender_reset(struct sender *s, int clocks) {
    *s = (struct sender){.clocks = clocks,
                         .period = (uint64_t)clocks * CLOCK,
                         .rest = (uint64_t)clocks + 1};
}

bool sender_free(struct sender *s) {
    if (s->busy) {
        s->at += CLOCK;
        if (s->at < s->until)
            return false;
        s->busy = false;
        s->carry = s->rest == 0;
        s->at -= s->until;
        return s->rest == 0;
    }
    s->carry = false;
    if (s->rest == 0)
        return true;
    s->rest--;
    return false;
}

/* Where in the first clock it begins: where the last one ended, or anywhere. */
static void begin(struct sender *s, struct rng *r) {
    if (!s->carry)
        s->at = rng_below(r, CLOCK);
    s->carry = false;
    s->busy = true;
}

void sender_byte(struct sender *s, struct rng *r, uint8_t byte, bool stop) {
    begin(s, r);
    s->frame = (unsigned)byte << 1 | (unsigned)stop << 9;
    s->until = 10 * s->period;
    s->rest = stop ? 0 : (uint64_t)s->clocks + 1;
}

void sender_break(struct sender *s, struct rng *r, int eighths) {
    begin(s, r);
    s->frame = 0;
    s->until = (uint64_t)eighths * s->period / 8;
    s->rest = (uint64_t)s->clocks + 1;
}

void sender_glitch(struct sender *s, int edges) {
    s->carry = false;
    s->busy = true;
    s->at = 0;
    s->frame = 0;
    s->until = (uint64_t)edges * CLOCK;
    s->rest = (uint64_t)s->clocks + 1;
}

bool sender_level(const struct sender *s, struct rng *r) {
    if (!s->busy)
        return true;
    uint64_t bit = s->at / s->period, in_bit = s->at % s->period;
    bool level = bit < 10 && (s->frame >> bit & 1);
    bool rings = s->until == 10 * s->period && s->at >= CLOCK &&
                 in_bit < s->period / 8 && s->ringing > 0;
    return level ^ (rings && rng_percent(r, s->ringing));
}

int sender_latency(int clocks) {
    return 2 + clocks / 2 + 9 * clocks;
}

void reader_reset(struct reader *d, int clocks) {
    *d = (struct reader){.clocks = clocks, .at = -1};
}

enum reading reader_step(struct reader *d, bool level, uint8_t *byte) {
    if (d->at < 0) {
        if (level)
            return READ_NOTHING;
        d->at = 0;
        d->frame = 0;
        d->level = level;
        return READ_BEGIN;
    }
    d->at++;
    int bit = d->at / d->clocks, in_bit = d->at % d->clocks;
    if (bit == 10) {
        d->at = -1;
        *byte = (uint8_t)(d->frame >> 1);
        return level ? READ_BYTE : READ_UNSTEADY;
    }
    if (in_bit == 0) {
        d->level = level;
        d->frame |= (unsigned)level << bit;
        return bit == 9 && !level ? READ_STOP : READ_NOTHING;
    }
    return level == d->level ? READ_NOTHING : READ_UNSTEADY;
}

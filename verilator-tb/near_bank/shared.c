/* shared.c - shared memory, on whichever die it is: what program order leaves
 * in it, and when its words may be offered. */
#include "env.h"

#include "base/arena.h"
#include "base/bits.h"
#include "core.h"
#include "isa/alu.h"

#include <stdlib.h>

enum { MOST_ROWS = 8 };

void shared_open(struct near_bank_stim *s, int words, int banks) {
    uint64_t warps = (uint64_t)s->size.WARPS;
    uint64_t rows = (uint64_t)(words / banks) / warps;
    s->height = rows > MOST_ROWS ? MOST_ROWS : rows;
    s->shares = rows > 0;
    s->span = s->height * 4 * (uint64_t)banks;
    s->bytes = xcalloc(warps * s->span + 1, 1);
    s->known = xcalloc(warps * s->span + 1, sizeof *s->known);
}

void shared_close(struct near_bank_stim *s) {
    free(s->bytes);
    free(s->known);
}

bool shared_is(const struct near_bank_stim *s, int op) {
    return s->shares && isa_info(op)->timing == ISA_TIMING_shared;
}

/* --- an access ------------------------------------------------------------ */

static bool is_stored(int op) {
    return !isa_has(op, 'd') || isa_has(op, 'n');
}

static uint32_t size_of(int op) {
    switch (op) {
    case ISA_lds_u8:
    case ISA_lds_s8:
    case ISA_sts_b8:
        return 1;
    case ISA_lds_u16:
    case ISA_lds_s16:
    case ISA_sts_b16:
        return 2;
    default:
        return 4;
    }
}

static uint32_t address_of(const struct instr *i, const struct row *v,
                           int lane) {
    uint32_t at = i->has[SRC0] ? v[SRC0].lane[lane] : 0;
    return isa_has(i->word.op, 'm') ? at + i->word.value : at;
}

/* The first byte of a lane, as an index of bytes and known. */
static uint64_t place_of(const struct near_bank_stim *s, const struct instr *i,
                         const struct row *v, int lane) {
    return (uint64_t)i->warp * s->span + address_of(i, v, lane);
}

static bool is_known(const struct near_bank_stim *s, uint64_t at,
                     uint32_t size) {
    for (uint32_t b = 0; b < size; b++)
        if (!s->known[at + b])
            return false;
    return true;
}

/* Each lane is within the window, in line, and reads what has been written. */
static bool is_right(const struct near_bank_stim *s, const struct instr *i,
                     const struct row *v) {
    uint64_t lanes = values_active(s, i, v);
    uint32_t size = size_of(i->word.op);
    for (int l = 0; l < s->size.LANES; l++) {
        uint32_t at = address_of(i, v, l);
        if (!(lanes >> l & 1))
            continue;
        if (at % size != 0 || at >= s->span ||
            (isa_has(i->word.op, 'd') &&
             !is_known(s, place_of(s, i, v, l), size)))
            return false;
    }
    return true;
}

bool shared_may_offer(struct near_bank_stim *s, const struct instr *i) {
    struct row v[OPERANDS];
    if (i->warp >= s->windows)
        return false;
    for (int o = 0; o < OPERANDS; o++)
        if (i->has[o])
            v[o] = *values_at(s, s->truth, i->warp, i->reg[o]);
    return is_right(s, i, v);
}

void shared_execute(struct near_bank_stim *s, struct flight *f) {
    const struct instr *i = &f->i;
    const struct row *v = f->expected;
    int op = i->word.op;
    uint32_t size = size_of(op);
    for (int l = 0; l < s->size.LANES; l++) {
        uint32_t old = 0, b = i->has[SRC1] ? v[SRC1].lane[l] : 0;
        uint32_t next = i->has[SRC2] ? v[SRC2].lane[l] : 0;
        if (!(f->lanes >> l & 1))
            continue;
        uint64_t at = place_of(s, i, v, l);
        for (uint32_t n = 0; n < size; n++)
            old |= (uint32_t)s->bytes[at + n] << 8 * n;
        if (isa_has(op, 'n'))
            next = alu_atomic(op, old, b, next);
        for (uint32_t n = 0; is_stored(op) && n < size; n++) {
            s->bytes[at + n] = (uint8_t)(next >> 8 * n);
            s->known[at + n] = true;
        }
        bool sign = op == ISA_lds_s8 || op == ISA_lds_s16;
        f->made.lane[l] =
            sign ? (uint32_t)bits_signed(old, (int)size * 8) : old;
    }
}

/* Nobody knows how far those under way came; windows stay. */
void shared_reset(struct near_bank_stim *s) {
    for (int n = 0; n < s->size.WARPS * FLIGHTS; n++) {
        const struct flight *f = &s->flight[n / FLIGHTS][n % FLIGHTS];
        const struct instr *i = &f->i;
        if (f->state == FREE || !shared_is(s, i->word.op) ||
            !is_stored(i->word.op))
            continue;
        for (int l = 0; l < s->size.LANES; l++)
            for (uint32_t b = 0; (f->lanes >> l & 1) && b < size_of(i->word.op);
                 b++)
                s->known[place_of(s, i, f->expected, l) + b] = false;
    }
}

/* Of one word, beside each other, or anywhere; mostly of words. */
void shared_addresses(struct near_bank_stim *s, struct row *r) {
    struct rng *g = &s->base.rng;
    uint32_t span = (uint32_t)s->span, words = span / 4;
    uint32_t first = rng_below(g, words), step = rng_below(g, 3);
    bool any = rng_percent(g, 40), bytes = rng_percent(g, 20);
    for (int l = 0; l < s->size.LANES; l++) {
        uint32_t word =
            any ? rng_below(g, words) : (first + step * (uint32_t)l) % words;
        r->lane[l] = bytes ? rng_below(g, span) : 4 * word;
    }
}

/* --- windows -------------------------------------------------------------- */

bool shared_window(struct near_bank_stim *s, uint64_t *warp, uint64_t *base,
                   uint64_t *rows) {
    if (!s->shares || s->windows == s->size.WARPS)
        return false;
    *warp = (uint64_t)s->windows;
    *base = (uint64_t)s->windows * s->height;
    *rows = s->height;
    s->windows++;
    return true;
}

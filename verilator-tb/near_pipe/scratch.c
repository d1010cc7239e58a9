/* scratch.c - shared memory as an environment knows it. */
#include "scratch.h"

#include "base/arena.h"
#include "base/bits.h"
#include "isa/alu.h"
#include "isa/isa.h"

#include <stdlib.h>

void scratch_open(struct scratch *c, int lanes, int alus, int words,
                  int warps) {
    *c = (struct scratch){
        .lanes = lanes, .alus = (uint64_t)alus, .words = (uint64_t)words};
    c->window = xcalloc((size_t)warps, sizeof *c->window);
    c->bytes = xcalloc((size_t)words + 1, 4);
    c->known = xcalloc((size_t)words + 1, 4 * sizeof *c->known);
}

void scratch_close(struct scratch *c) {
    free(c->window);
    free(c->bytes);
    free(c->known);
}

/* --- accesses ------------------------------------------------------------- */

bool scratch_is(const struct scratch *c, int op) {
    return c->words > 0 && isa_info(op)->timing == ISA_TIMING_shared;
}

static uint32_t size_of(int op) {
    static const int half[] = {ISA_lds_u16, ISA_lds_s16, ISA_sts_b16};
    static const int byte[] = {ISA_lds_u8, ISA_lds_s8, ISA_sts_b8};
    for (int n = 0; n < 3; n++) {
        if (op == half[n])
            return 2;
        if (op == byte[n])
            return 1;
    }
    return 4;
}

static bool is_loaded(int op) {
    return isa_has(op, 'd');
}

bool scratch_stores(int op) {
    return !isa_has(op, 'd') || isa_has(op, 'n');
}

/* Bytes of a warp's window. */
static uint64_t span_of(const struct scratch *c, uint64_t warp) {
    return c->window[warp].rows * 4 * c->alus;
}

/* Place of the bytes at an address within the warp's window. */
static uint64_t byte_at(const struct scratch *c, uint64_t warp, uint32_t at) {
    return c->window[warp].base * 4 * c->alus + at;
}

void scratch_look(const struct scratch *c, struct scratch_access *a) {
    a->wrong = -1;
    for (int l = 0; l < c->lanes; l++) {
        bool odd = a->at[l] % size_of(a->op) != 0;
        if (!(a->active >> l & 1) || a->wrong >= 0 ||
            (!odd && a->at[l] < span_of(c, a->warp)))
            continue;
        a->wrong = l;
        a->odd = odd;
    }
}

bool scratch_reads(const struct scratch *c, const struct scratch_access *a,
                   enum scratch_known known) {
    uint32_t size = size_of(a->op);
    for (int l = 0; is_loaded(a->op) && l < c->lanes; l++)
        for (uint32_t b = 0; (a->active >> l & 1) && b < size; b++)
            if (c->known[byte_at(c, a->warp, a->at[l] + b)] == known)
                return true;
    return false;
}

/* In memory, and what the active lanes get. */
static void execute(struct scratch *c, const struct scratch_access *a,
                    bool vague, uint32_t *got) {
    int op = a->op;
    uint32_t size = size_of(op);
    bool atomic = is_loaded(op) && scratch_stores(op);
    for (int l = 0; l < c->lanes; l++) {
        if (!(a->active >> l & 1))
            continue;
        uint64_t at = byte_at(c, a->warp, a->at[l]);
        uint32_t old = 0, next = a->data[l];
        for (uint32_t b = 0; b < size; b++)
            old |= (uint32_t)c->bytes[at + b] << 8 * b;
        if (atomic)
            next = alu_atomic(op, old, a->compare[l], a->data[l]);
        for (uint32_t b = 0; scratch_stores(op) && b < size; b++) {
            c->bytes[at + b] = (uint8_t)(next >> 8 * b);
            c->known[at + b] = vague ? VAGUE : KNOWN;
        }
        bool sign = op == ISA_lds_s8 || op == ISA_lds_s16;
        got[l] = sign ? (uint32_t)bits_signed(old, (int)size * 8) : old;
    }
}

void scratch_execute(struct scratch *c, const struct scratch_access *a,
                     uint32_t *row, bool *whole, bool *vague) {
    uint32_t got[SCRATCH_LANES];
    bool of_vague = scratch_reads(c, a, VAGUE);
    execute(c, a, of_vague, got);
    if (!row)
        return;
    for (int l = 0; l < c->lanes; l++)
        if (a->active >> l & 1)
            row[l] = got[l];
    bool all = a->active == ones(c->lanes);
    *whole |= all;
    *vague = of_vague || (*vague && !all);
}

void scratch_forget(struct scratch *c, const struct scratch_access *a) {
    for (int l = 0; l < c->lanes; l++)
        for (uint32_t b = 0; (a->active >> l & 1) && b < size_of(a->op); b++) {
            uint8_t *known = &c->known[byte_at(c, a->warp, a->at[l] + b)];
            *known = *known ? VAGUE : NOTHING;
        }
}

/* --- windows and addresses ------------------------------------------------ */

/* Small ones, of which many lie over each other, at both ends of the memory,
 * and a few of any size. */
void scratch_choose(struct scratch *c, struct rng *r, uint64_t warp) {
    uint32_t all = (uint32_t)(c->words / c->alus);
    uint32_t few = all < 12 ? all : 12;
    uint64_t rows = 1 + rng_below(r, few);
    uint64_t base = rng_percent(r, 70) ? rng_below(r, few - (uint32_t)rows + 1)
                                       : all - rows;
    if (rng_percent(r, 5)) {
        rows = rng_percent(r, 50) ? all : 1 + rng_below(r, all);
        base = rng_below(r, all - (uint32_t)rows + 1);
    }
    c->next_there = true;
    c->next_warp = warp;
    c->next = (struct scratch_window){base, rows};
}

void scratch_moves(struct scratch *c) {
    if (c->next_there)
        c->window[c->next_warp] = c->next;
}

/* Of one word, beside each other, in one bank, anywhere. */
void scratch_addresses(const struct scratch *c, struct rng *r, uint64_t warp,
                       uint32_t *lane) {
    uint32_t span = (uint32_t)span_of(c, warp), alus = (uint32_t)c->alus;
    uint32_t most = 48 * alus;
    uint32_t kind = rng_below(r, 6);
    if (span == 0)
        return;
    span = span > most ? most : span;
    uint32_t first = 4 * rng_below(r, span / 4);
    uint32_t step = kind == 0 ? 0 : kind == 1 ? 4 : kind == 2 ? 4 * alus : 1;
    for (int i = 0; i < c->lanes; i++) {
        uint32_t any = rng_below(r, span);
        lane[i] = kind < 4    ? (first + step * (uint32_t)i) % span
                  : kind == 4 ? any / 4 * 4
                              : any;
    }
}

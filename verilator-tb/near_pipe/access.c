/* access.c - shared memory: which accesses may be offered, what they leave, and
 * which go wrong.  A lane is done after the other. */
#include "env.h"

#include "isa/alu.h"

bool access_is(const struct near_pipe_stim *s, int op) {
    return s->size.SHARED > 0 && isa_info(op)->timing == ISA_TIMING_shared;
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

static bool is_stored(int op) {
    return !isa_has(op, 'd') || isa_has(op, 'n');
}

/* Bytes of a warp's window. */
static uint64_t span_of(const struct near_pipe_stim *s, uint64_t warp) {
    return s->window[warp].rows * 4 * (uint64_t)s->size.ALUS;
}

/* Place of the bytes at an address within the warp's window. */
static uint64_t byte_at(const struct near_pipe_stim *s, uint64_t warp,
                        uint32_t at) {
    return s->window[warp].base * 4 * (uint64_t)s->size.ALUS + at;
}

/* Whether there is a byte of any lane of which that is known. */
static bool has_byte(const struct near_pipe_stim *s, const struct instr *i,
                     enum known known) {
    uint32_t size = size_of(i->word.op);
    for (int l = 0; l < s->size.LANES; l++)
        for (uint32_t b = 0; (i->active >> l & 1) && b < size; b++)
            if (s->known[byte_at(s, i->warp, i->at[l] + b)] == known)
                return true;
    return false;
}

bool access_prepare(struct near_pipe_stim *s) {
    struct instr *i = &s->offer;
    int op = i->word.op;
    i->wrong = -1;
    i->active = 0;
    for (int l = 0; l < s->size.LANES; l++) {
        i->at[l] = value_of(s, i, SRC0, l);
        if (isa_has(op, 'm'))
            i->at[l] += i->word.value;
        i->compare[l] = value_of(s, i, SRC1, l);
        i->data[l] = value_of(s, i, SRC2, l);
        if (!(i->mask >> l & 1) ||
            (i->has[GUARD] && holds(s, i, GUARD, l) == i->word.unless))
            continue;
        i->active |= bit(l);
        bool odd = i->at[l] % size_of(op) != 0;
        if (i->wrong >= 0 || (!odd && i->at[l] < span_of(s, i->warp)))
            continue;
        i->wrong = l;
        i->odd = odd;
    }
    if (i->wrong >= 0)
        return rng_percent(&s->base.rng, 20);
    return !is_loaded(op) || !has_byte(s, i, NOTHING);
}

/* Lane after lane, on the bytes and on what the destination gets. */
static void access_memory(struct near_pipe_stim *s, const struct instr *i,
                          bool vague, uint32_t *got) {
    int op = i->word.op;
    uint32_t size = size_of(op);
    bool atomic = is_loaded(op) && is_stored(op);
    for (int l = 0; l < s->size.LANES; l++) {
        if (!(i->active >> l & 1))
            continue;
        uint64_t at = byte_at(s, i->warp, i->at[l]);
        uint32_t old = 0, next = i->data[l];
        for (uint32_t b = 0; b < size; b++)
            old |= (uint32_t)s->bytes[at + b] << 8 * b;
        if (atomic)
            next = alu_atomic(op, old, i->compare[l], i->data[l]);
        for (uint32_t b = 0; is_stored(op) && b < size; b++) {
            s->bytes[at + b] = (uint8_t)(next >> 8 * b);
            s->known[at + b] = vague ? VAGUE : KNOWN;
        }
        bool sign = op == ISA_lds_s8 || op == ISA_lds_s16;
        got[l] = sign ? (uint32_t)bits_signed(old, (int)size * 8) : old;
    }
}

static void forget(struct near_pipe_stim *s, const struct instr *i) {
    for (int l = 0; l < s->size.LANES; l++)
        for (uint32_t b = 0; (i->active >> l & 1) && b < size_of(i->word.op);
             b++) {
            uint8_t *known = &s->known[byte_at(s, i->warp, i->at[l] + b)];
            *known = *known ? VAGUE : NOTHING;
        }
}

void access_forget(struct near_pipe_stim *s) {
    for (int u = 0; u < s->size.UNITS; u++)
        for (int n = 0; n < s->flights[u]; n++) {
            const struct instr *i = &s->flight[u][n];
            if (i->shared && i->wrong < 0 && is_stored(i->word.op))
                forget(s, i);
        }
}

void access_end(struct near_pipe_stim *s, const struct instr *i) {
    struct cell *d = cell_of(s, i->warp, i->reg[DST]);
    uint32_t got[LANES];
    s->accesses++;
    if (i->wrong >= 0) {
        if (!i->faulted)
            stim_complain(&s->base, "an access to shared memory that goes "
                                    "wrong completes without its fault");
        return;
    }
    bool vague = is_loaded(i->word.op) && has_byte(s, i, VAGUE);
    access_memory(s, i, vague, got);
    if (!i->has[DST])
        return;
    for (int l = 0; l < s->size.LANES; l++)
        if (i->active >> l & 1)
            d->lane[l] = got[l];
    d->vague |= vague;
    if (i->active == ones(s->size.LANES)) {
        d->whole = true;
        d->vague = vague;
    }
}

static bool accesses(const struct near_pipe_stim *s, uint64_t warp) {
    uint64_t u = warp % (uint64_t)s->size.UNITS;
    for (int n = 0; n < s->flights[u]; n++)
        if (s->flight[u][n].shared && s->flight[u][n].warp == warp)
            return true;
    return s->offered && s->offer.shared && s->offer.warp == warp;
}

/* A window that nobody may hear of. */
void access_drive_noise(struct near_pipe_stim *s, struct near_pipe_in *in) {
    struct rng *r = &s->base.rng;
    if (s->size.SHARED == 0)
        return;
    in->window_valid = rng_percent(r, 50);
    in->window_warp = rng_below(r, (uint32_t)s->size.WARPS);
    in->window_base = 0;
    in->window_rows = 1;
}

/* Small ones, of which many lie over each other, at both ends of the memory,
 * and a few of any size. */
void access_drive_window(struct near_pipe_stim *s, struct near_pipe_in *in) {
    struct rng *r = &s->base.rng;
    uint64_t w = rng_below(r, (uint32_t)s->size.WARPS);
    s->next_there = false;
    if (s->size.SHARED == 0 || accesses(s, w) ||
        !rng_percent(r, s->window[w].rows ? 1 : 30))
        return;
    uint32_t all = (uint32_t)(s->size.SHARED / s->size.ALUS);
    uint32_t few = all < 12 ? all : 12;
    uint64_t rows = 1 + rng_below(r, few);
    uint64_t base = rng_percent(r, 70) ? rng_below(r, few - (uint32_t)rows + 1)
                                       : all - rows;
    if (rng_percent(r, 5)) {
        rows = rng_percent(r, 50) ? all : 1 + rng_below(r, all);
        base = rng_below(r, all - (uint32_t)rows + 1);
    }
    s->next_there = true;
    s->next_warp = w;
    s->next = (struct window){base, rows};
    in->window_valid = 1;
    in->window_warp = w;
    in->window_base = base;
    in->window_rows = rows;
}

/* A row of addresses: of one word, beside each other, in one bank, anywhere. */
void access_addresses(struct near_pipe_stim *s, struct row *r) {
    struct rng *g = &s->base.rng;
    uint32_t span = (uint32_t)span_of(s, r->warp),
             alus = (uint32_t)s->size.ALUS;
    uint32_t most = 48 * alus;
    uint32_t kind = rng_below(g, 6);
    if (span == 0)
        return;
    span = span > most ? most : span;
    uint32_t first = 4 * rng_below(g, span / 4);
    uint32_t step = kind == 0 ? 0 : kind == 1 ? 4 : kind == 2 ? 4 * alus : 1;
    for (int i = 0; i < s->size.LANES; i++) {
        uint32_t any = rng_below(g, span);
        r->lane[i] = kind < 4    ? (first + step * (uint32_t)i) % span
                     : kind == 4 ? any / 4 * 4
                                 : any;
    }
}

/* oracle.c - the own banks' memory byte by byte, and what a request makes of
 * it: as a whole, when it goes down, by the arithmetic of the instruction set.
 */
#include "env.h"

#include "isa/alu.h"

#include <string.h>

void lsur_new_memory(struct lsu_remote_stim *s) {
    struct rng *r = &s->base.rng;
    memset(s->memory, 0, sizeof s->memory);
    for (int i = 0; i < SECTORS; i++) {
        struct sector *m = &s->memory[i];
        bool again = true;
        while (again) {
            m->at = rng_next(r) & ones(s->size.SECTOR_W);
            again = false;
            for (int k = 0; k < i; k++)
                again |= s->memory[k].at == m->at;
        }
        for (int b = 0; b < BYTES; b++)
            m->is[b] = (uint8_t)rng_next(r);
    }
}

uint64_t lsur_unit_of(const struct lsu_remote_stim *s, int sector) {
    uint64_t byte = s->memory[sector].at * (uint64_t)s->size.SECTOR;
    return byte % (uint64_t)s->size.CHUNK / (uint64_t)s->size.LINE %
           (uint64_t)s->size.UNITS;
}

uint32_t lsur_word(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

uint64_t lsur_whole(const struct lsu_remote_stim *s, uint64_t core,
                    uint64_t at) {
    uint64_t byte = at * (uint64_t)s->size.SECTOR;
    uint64_t chunk = byte / (uint64_t)s->size.CHUNK;
    uint64_t in = byte - chunk * (uint64_t)s->size.CHUNK;
    chunk = chunk * (uint64_t)s->size.CORES + core;
    return (chunk * (uint64_t)s->size.CHUNK + in) / (uint64_t)s->size.SECTOR;
}

bool lsur_is_direct(const struct lsu_remote_stim *s, const struct request *r) {
    if (r->op > OP_STORE)
        return false;
    for (int i = 0; i < s->size.SECTOR; i++) /* as the first of its word */
        if ((r->strobe >> i & 1) != (r->strobe >> i / 4 * 4 & 1))
            return false;
    return true;
}

static uint32_t atomic(const struct request *r, int word, uint32_t old) {
    static const int ops[] = {
        [2] = ISA_atg_add,  [3] = ISA_atg_mins, [4] = ISA_atg_maxs,
        [5] = ISA_atg_minu, [6] = ISA_atg_maxu, [7] = ISA_atg_and,
        [8] = ISA_atg_or,   [9] = ISA_atg_xor,  [10] = ISA_atg_exch,
        [11] = ISA_atg_cas,
    };
    return alu_atomic(ops[r->op], old, r->compare,
                      lsur_word(r->byte + 4 * word));
}

/* What a change makes of a word that it has a byte of. */
static uint32_t changed(struct lsu_remote_stim *s, int word) {
    const struct request *r = &s->other.r;
    uint8_t now[4];
    memcpy(now, s->memory[r->sector].is + 4 * word, sizeof now);
    if (r->op > OP_STORE) {
        s->other.old = lsur_word(now);
        return atomic(r, word, s->other.old);
    }
    for (int b = 0; b < 4; b++)
        if (r->strobe >> (4 * word + b) & 1)
            now[b] = r->byte[4 * word + b];
    return lsur_word(now);
}

struct down lsur_down_of(struct lsu_remote_stim *s, bool store) {
    const struct request *r = &s->other.r;
    bool direct = lsur_is_direct(s, r);
    struct down d = {
        .store = store,
        .unit = lsur_unit_of(s, r->sector),
        .address = s->memory[r->sector].at * (uint64_t)s->size.WORDS,
        .sector = r->sector,
    };
    for (int i = 0; i < s->size.WORDS && store; i++) {
        bool strobe = (r->strobe >> 4 * i & 15) != 0;
        d.strobe |= (uint64_t)strobe << i;
        if (direct)
            d.data[i] = lsur_word(r->byte + 4 * i);
        else if (strobe)
            d.data[i] = changed(s, i);
    }
    return d;
}

void lsur_carry_out(struct lsu_remote_stim *s, const struct down *d) {
    struct rng *r = &s->base.rng;
    struct slot *t = &s->slot[d->id];
    struct sector *m = &s->memory[d->sector];
    t->taken = true;
    t->fault = d->sector >= SECTORS - GONE || rng_percent(r, s->tune.faults);
    for (int i = 0; i < s->size.WORDS; i++) /* who does not load gets any */
        t->data[i] = t->fault || d->store ? (uint32_t)rng_next(r)
                                          : lsur_word(m->is + 4 * i);
    for (int b = 0; b < s->size.SECTOR && d->store && !t->fault; b++)
        if (d->strobe >> b / 4 & 1)
            m->is[b] = (uint8_t)(d->data[b / 4] >> b % 4 * 8);
}

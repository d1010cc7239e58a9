/* oracle.c - memory byte by byte, and what an ask has to make of it: all lanes
 * one after the other, by the arithmetic of the instruction set, without a
 * thought of sectors, or of whose they are.  Then what other cores do.
 */
#include "env.h"

#include "isa/alu.h"

#include <string.h>

uint64_t env_core_of(const struct lsu_rmw_stim *s, uint64_t byte) {
    return byte / (uint64_t)s->size.CHUNK % (uint64_t)s->size.CORES;
}

uint64_t env_unit_of(const struct lsu_rmw_stim *s, uint64_t byte) {
    uint64_t in_chunk = byte % (uint64_t)s->size.CHUNK;
    return in_chunk / (uint64_t)s->size.LINE % (uint64_t)s->size.UNITS;
}

uint64_t env_byte_of(const struct lsu_rmw_stim *s, uint64_t at) {
    uint64_t chunk = (uint64_t)s->size.CHUNK;
    uint64_t here = at * (uint64_t)s->size.SECTOR;
    return (here / chunk * (uint64_t)s->size.CORES + s->core) * chunk +
           here % chunk;
}

int env_find(const struct lsu_rmw_stim *s, uint64_t byte) {
    for (int i = 0; i < PLACES; i++)
        if (s->memory[i].whole == byte / (uint64_t)s->size.SECTOR)
            return i;
    return -1;
}

/* Of another core, and none that is used already. */
static uint64_t far_sector(struct lsu_rmw_stim *s, int n) {
    for (;;) {
        uint64_t byte = rng_next(&s->base.rng) & ones(32);
        uint64_t whole = byte / (uint64_t)s->size.SECTOR;
        bool again = env_core_of(s, byte) == s->core;
        for (int k = SECTORS; k < n; k++)
            again |= s->memory[k].whole == whole;
        if (!again)
            return whole;
    }
}

void env_new_memory(struct lsu_rmw_stim *s) {
    struct rng *r = &s->base.rng;
    uint64_t sectors = bit(s->size.SECTOR_W);
    memset(s->memory, 0, sizeof s->memory);
    for (int i = 0; i < PLACES; i++) {
        struct sector *m = &s->memory[i];
        bool again = i < SECTORS && (i >= IN_A_ROW || i == 0);
        while (again) {
            m->at = rng_next(r) % (sectors - IN_A_ROW);
            again = false;
            for (int k = 0; k < i; k++)
                again |= s->memory[k].at == m->at;
        }
        if (i > 0 && i < IN_A_ROW)
            m->at = s->memory[0].at + (uint64_t)i;
        m->whole = i < SECTORS
                       ? env_byte_of(s, m->at) / (uint64_t)s->size.SECTOR
                       : far_sector(s, i);
        for (int b = 0; b < SECTOR; b++)
            m->is[b] = m->must[b] = (uint8_t)rng_next(r);
    }
}

uint32_t env_word(const uint8_t *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

/* --- a lane --------------------------------------------------------------- */

static uint32_t load(const struct ask *a, const uint8_t *b) {
    if (a->bytes == 1)
        return a->extend ? (uint32_t)(int8_t)b[0] : b[0];
    uint32_t half = (uint32_t)b[0] | (uint32_t)b[1] << 8;
    if (a->bytes == 2)
        return a->extend ? (uint32_t)(int16_t)half : half;
    return env_word(b);
}

/* What an atomic makes of the word. */
static uint32_t becomes(int op, uint32_t old, uint32_t compare, uint32_t data) {
    static const int ops[] = {
        [LSU_RMW_ADD] = ISA_atg_add,   [LSU_RMW_MINS] = ISA_atg_mins,
        [LSU_RMW_MAXS] = ISA_atg_maxs, [LSU_RMW_MINU] = ISA_atg_minu,
        [LSU_RMW_MAXU] = ISA_atg_maxu, [LSU_RMW_AND] = ISA_atg_and,
        [LSU_RMW_OR] = ISA_atg_or,     [LSU_RMW_XOR] = ISA_atg_xor,
        [LSU_RMW_EXCH] = ISA_atg_exch, [LSU_RMW_CAS] = ISA_atg_cas,
    };
    return alu_atomic(ops[op], old, compare, data);
}

/* Whether the word becomes what the operation makes of it. */
static bool atomic(const struct ask *a, int lane, uint8_t *word) {
    uint32_t old = env_word(word), d = a->data[lane];
    uint32_t to = becomes(a->op, old, a->compare[lane], d);
    for (int i = 0; i < 4; i++)
        word[i] = (uint8_t)(to >> (8 * i));
    if (a->op == LSU_RMW_MINS ||
        a->op == LSU_RMW_MINU) /* the less of two that are equal */
        return to != old || old == d;
    if (a->op == LSU_RMW_MAXS || a->op == LSU_RMW_MAXU)
        return to != old;
    return a->op != LSU_RMW_CAS || old == a->compare[lane];
}

static void lane_acts(struct lsu_rmw_stim *s, int lane) {
    const struct ask *a = &s->now;
    struct sector *m = &s->memory[env_find(s, a->byte[lane])];
    int in = (int)(a->byte[lane] % (uint64_t)s->size.SECTOR);
    uint8_t *word = m->must + in / 4 * 4;
    m->lanes |= bit(lane);
    if (env_core_of(s, a->byte[lane]) != s->core)
        s->remote |= bit(lane);
    if (m->gone) {
        s->fault = true;
        return;
    }
    if (a->op == LSU_RMW_LOAD) {
        s->result[lane] = load(a, m->must + in);
        return;
    }
    s->result[lane] = env_word(word);
    bool changes = true;
    if (a->op == LSU_RMW_STORE)
        for (int i = 0; i < a->bytes; i++)
            m->must[in + i] = (uint8_t)(a->data[lane] >> (8 * i));
    else
        changes = atomic(a, lane, word);
    if (changes)
        m->changed |= bit(in / 4);
}

void env_foresee(struct lsu_rmw_stim *s) {
    memset(s->result, 0, sizeof s->result);
    s->fault = s->store_fault = s->row_gone = false;
    s->served = s->remote = s->sent = s->told = 0;
    for (int i = 0; i < PLACES; i++) {
        struct sector *m = &s->memory[i];
        m->gone = rng_percent(&s->base.rng, s->tune.faults);
        m->lanes = m->changed = 0;
        m->loaded = m->stored = false;
    }
    for (int i = 0; i < s->size.LANES; i++)
        if (s->now.mask >> i & 1)
            lane_acts(s, i);
}

/* --- other cores ---------------------------------------------------------- */

struct errand env_errand(const struct lsu_rmw_stim *s, int lane) {
    const struct ask *a = &s->now;
    struct errand e = {.lane = lane, .op = a->op};
    int in = (int)(a->byte[lane] % (uint64_t)s->size.SECTOR);
    int bytes = a->op == LSU_RMW_LOAD ? 0 : a->bytes;
    e.sector = env_find(s, a->byte[lane]);
    for (int i = 0; i < bytes; i++) {
        e.strobe |= bit(in + i);
        e.data[in + i] = (uint8_t)(a->data[lane] >> (8 * i));
    }
    if (a->op == LSU_RMW_CAS)
        e.compare = a->compare[lane];
    return e;
}

void env_carry_out(struct lsu_rmw_stim *s, const struct errand *e,
                   uint8_t *answer) {
    struct sector *m = &s->memory[e->sector];
    uint8_t *word = m->is;
    int in = 0;
    for (int b = 0; b < s->size.SECTOR && e->op == LSU_RMW_STORE; b++)
        if (e->strobe >> b & 1 && !m->gone)
            m->is[b] = e->data[b];
    if (e->op == LSU_RMW_LOAD)
        memcpy(answer, m->is, sizeof m->is);
    if (e->op <= LSU_RMW_STORE || m->gone)
        return;
    while (!(e->strobe >> in & 1))
        in++;
    word += in;
    memcpy(answer + in, word, 4);
    uint32_t to =
        becomes(e->op, env_word(word), e->compare, env_word(e->data + in));
    for (int i = 0; i < 4; i++)
        word[i] = (uint8_t)(to >> (8 * i));
}

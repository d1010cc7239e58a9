/* memory.c - memory of the SIMT core: a request is carried out when it is
 * taken, its answer comes later, in an order of the memory's own.  What nobody
 * wrote holds what a seed says, with special f32 values among it. */
#include "env.h"

#include "isa/alu.h"

#include <stdlib.h>
#include <string.h>

/* --- bytes ---------------------------------------------------------------- */

enum { PAGES = 1 << 20 };

void simt_memory_open(struct simt_memory *m) {
    m->page = xcalloc(PAGES, sizeof *m->page);
}

void simt_memory_forget(struct simt_memory *m, uint64_t seed) {
    for (int i = 0; i < m->there.n; i++) {
        free(m->page[m->there.v[i]]);
        m->page[m->there.v[i]] = NULL;
    }
    m->there.n = 0;
    m->seed = seed;
}

void simt_memory_close(struct simt_memory *m) {
    if (m->page)
        simt_memory_forget(m, 0);
    array_free(&m->there);
    free(m->page);
}

static uint32_t seeded(uint64_t seed, uint32_t at) {
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
        0x7fc00000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0x4f000000,
        0xcf000000, 0x4b7fffff, 0x3f000000, 0xffffffff};
    uint64_t x = rng_mix(seed ^ rng_mix(at));
    return x & 3 ? (uint32_t)(x >> 32) : special[x >> 2 & 15];
}

static uint8_t *page_of(struct simt_memory *m, uint32_t at) {
    uint32_t n = at / ENV_BLOCK;
    if (!m->page[n]) {
        m->page[n] = xcalloc(1, ENV_BLOCK);
        *array_push(&m->there) = n;
        for (uint32_t i = 0; i < ENV_BLOCK; i += 4) {
            uint32_t v = seeded(m->seed, n * ENV_BLOCK + i);
            for (uint32_t k = 0; k < 4; k++)
                m->page[n][i + k] = (uint8_t)(v >> 8 * k);
        }
    }
    return m->page[n] + at % ENV_BLOCK;
}

uint32_t simt_memory_load(struct simt_memory *m, uint32_t at, int bytes) {
    const uint8_t *p = page_of(m, at);
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v |= (uint32_t)p[i] << 8 * i;
    return v;
}

void simt_memory_store(struct simt_memory *m, uint32_t at, int bytes,
                       uint32_t value) {
    uint8_t *p = page_of(m, at);
    for (int i = 0; i < bytes; i++)
        p[i] = (uint8_t)(value >> 8 * i);
}

uint64_t simt_memory_compare(struct simt_memory *a, struct simt_memory *b,
                             uint64_t from, uint64_t to) {
    for (uint64_t at = from; at < to;) {
        uint64_t end = (at / ENV_BLOCK + 1) * ENV_BLOCK;
        end = end < to ? end : to;
        if (a->page[at / ENV_BLOCK] || b->page[at / ENV_BLOCK]) {
            const uint8_t *x = page_of(a, (uint32_t)at);
            const uint8_t *y = page_of(b, (uint32_t)at);
            for (uint64_t i = 0; i < end - at; i++)
                if (x[i] != y[i])
                    return at + i;
        }
        at = end;
    }
    return to;
}

/* The lowest byte of the pages that b has in which a differs. */
static uint64_t differs(struct simt_memory *a, struct simt_memory *b) {
    uint64_t lowest = (uint64_t)1 << 32;
    for (int i = 0; i < b->there.n; i++) {
        uint64_t from = (uint64_t)b->there.v[i] * ENV_BLOCK;
        uint64_t at = simt_memory_compare(a, b, from, from + ENV_BLOCK);
        if (at < from + ENV_BLOCK && at < lowest)
            lowest = at;
    }
    return lowest;
}

uint64_t simt_memory_differs(struct simt_memory *a, struct simt_memory *b) {
    uint64_t x = differs(a, b), y = differs(b, a);
    return x < y ? x : y;
}

/* --- requests ------------------------------------------------------------- */

static const char *legal_request(struct simt_stim *s,
                                 const struct simt_out *o) {
    uint64_t strobe = o->mem_strobe;
    if (o->mem_op > 11)
        return "request of an unknown kind";
    if (s->ids >> o->mem_id & 1)
        return "request with an id that is in use";
    if ((o->mem_op == 0) != (strobe == 0))
        return "strobe of a load, or none of a store";
    if (o->mem_op > 1) {
        int at = __builtin_ctzll(strobe);
        if (at % 4 || strobe >> at != 15)
            return "atomic that is not for one word";
    }
    if (o->mem_op != 11 && o->mem_compare)
        return "something to compare with, and no cas";
    for (int i = 0; i < s->l.SECTOR; i++)
        if (!(strobe >> i & 1) && bits_get(o->mem_data, 8 * i, 8))
            return "data without a strobe";
    return NULL;
}

static void noise(struct simt_stim *s, uint64_t *data) {
    for (int i = 0; i < s->l.SECTOR; i += 4)
        bits_or(data, 8 * i, 32, rng_next(&s->base.rng));
}

static void carry_out(struct simt_stim *s, const struct simt_out *o) {
    struct answer a = {.id = (uint32_t)o->mem_id,
                       .address = (uint32_t)(o->mem_address << s->l.SECTOR_W)};
    if (o->mem_op == 0) {
        for (int i = 0; i < s->l.SECTOR; i += 4)
            bits_set_lane(
                a.data, i / 4,
                simt_memory_load(&s->memory, a.address + (uint32_t)i, 4));
    } else {
        noise(s, a.data);
    }
    if (o->mem_op == 1)
        for (int i = 0; i < s->l.SECTOR; i++)
            if (o->mem_strobe >> i & 1)
                simt_memory_store(&s->memory, a.address + (uint32_t)i, 1,
                                  (uint32_t)bits_get(o->mem_data, 8 * i, 8));
    if (o->mem_op > 1) {
        int word = __builtin_ctzll(o->mem_strobe) / 4;
        uint32_t at = a.address + 4 * (uint32_t)word;
        uint32_t old = simt_memory_load(&s->memory, at, 4);
        int op = ISA_atg_add + (int)o->mem_op - 2;
        simt_memory_store(&s->memory, at, 4,
                          alu_atomic(op, old, (uint32_t)o->mem_compare,
                                     bits_lane(o->mem_data, word)));
        bits_set_lane(a.data, word, old);
    }
    s->ids |= bit((int)a.id);
    *array_push(&s->pending) = a;
}

const char *simt_watch_memory(struct simt_stim *s, const struct simt_in *in,
                              const struct simt_out *before,
                              const struct simt_out *after) {
    bool taken = before->mem_valid && in->mem_ready;
    bool made = after->mem_valid && (taken || !before->mem_valid);
    if (taken) {
        const char *wrong = legal_request(s, before);
        if (wrong)
            return stim_complain(&s->base, "memory: %s", wrong);
        carry_out(s, before);
    }
    if (after->count_request != made)
        return stim_complain(&s->base, "memory: 'count_request' is wrong");
    bool idle = !s->ids && !after->mem_valid;
    if (s->l.OFFERS)
        idle = idle && !before->offer_valid && !after->offer_valid &&
               !in->chain_busy;
    if (after->quiet && !idle)
        return stim_complain(&s->base,
                             "memory: quiet, with requests under way");
    if (!after->quiet && idle)
        return stim_complain(&s->base, "memory: not quiet, without a request");
    return NULL;
}

/* --- answers -------------------------------------------------------------- */

static void give_answer(struct simt_stim *s, struct simt_in *in, int n) {
    struct answer *a = &s->pending.v[n];
    in->rsp_valid = 1;
    in->rsp_id = a->id;
    memcpy(in->rsp_data, a->data, sizeof in->rsp_data);
    s->refused = (int)rng_below(&s->base.rng, 1000) < s->launch.tune.refuse &&
                 (!s->l.MOVES || s->host.core == RUNNING);
    s->refused_at = a->address;
    in->rsp_fault = s->refused;
    s->ids &= ~bit((int)a->id);
    s->pending.n--;
    memmove(a, a + 1, (size_t)(s->pending.n - n) * sizeof *a);
}

void simt_drive_memory(struct simt_stim *s, struct simt_in *in) {
    const struct tune *t = &s->launch.tune;
    struct rng *r = &s->base.rng;
    in->mem_ready = toggle_step(&s->ready, r, t->high, t->low);
    in->rsp_valid = 0;
    in->rsp_fault = 0;
    s->refused = false;
    if (!s->pending.n || !rng_percent(r, t->answer) ||
        (t->silent && s->host.core == RUNNING))
        return;
    int n = rng_percent(r, t->shuffle)
                ? (int)rng_below(r, (uint32_t)s->pending.n)
                : 0;
    give_answer(s, in, n);
}

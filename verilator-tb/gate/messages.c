/* messages.c - the packets of a gate, laid bit by bit. */
#include "messages.h"

#include "base/array.h"

#include <string.h>

static void lay_bits(struct message *m, const struct gate_local *l, int from,
                     int *at, int width, uint64_t value) {
    for (int i = 0; i < width; i++, ++*at) {
        int flit = from + *at / l->FLIT_W, place = *at % l->FLIT_W;
        m->flit[flit][place / 64] |= (value >> i & 1) << place % 64;
    }
}

void message_data(const struct gate_local *l, struct rng *r, uint64_t *data) {
    memset(data, 0, MESSAGE_DATA * sizeof *data);
    for (int i = 0; i < l->ALUS; i++)
        bits_set_lane(data, i, (uint32_t)rng_next(r));
}

void message_fill(const struct gate_local *l, struct rng *r,
                  struct message *m) {
    m->beats = l->BEATS;
    for (int i = 0; i < l->BEATS; i++)
        message_data(l, r, m->data[i]);
}

void message_lay(const struct gate_local *l, struct message *m) {
    int number = clog2(l->PLACES) > l->ENTRY_W ? clog2(l->PLACES) : l->ENTRY_W;
    int at = 0;
    m->n = m->at = 0;
    memset(m->flit, 0, sizeof m->flit);
    lay_bits(m, l, 0, &at, 1, 0);
    lay_bits(m, l, 0, &at, 3, (uint64_t)m->kind);
    lay_bits(m, l, 0, &at, l->NODE_W, m->back);
    lay_bits(m, l, 0, &at, number, m->number);
    lay_bits(m, l, 0, &at, 1, m->second);
    lay_bits(m, l, 0, &at, 3, m->type);
    lay_bits(m, l, 0, &at, l->ADDR_W, m->address);
    lay_bits(m, l, 0, &at, l->MASK_W, m->mask);
    m->n = ceil_div(at, l->FLIT_W);
    for (int i = 0; i < m->beats; i++) {
        at = 0;
        for (int k = 0; k < l->ALUS; k++)
            lay_bits(m, l, m->n, &at, 32, bits_lane(m->data[i], k));
        m->n += ceil_div(at, l->FLIT_W);
    }
}

void message_compute(const struct gate_local *l, struct rng *r,
                     struct message *m) {
    struct compute_size size = COMPUTE_SIZE(*l);
    struct compute_flits flits;
    struct compute c;
    for (int i = 0; i < COMPUTE_FIELDS; i++)
        c.field[i] = rng_next(r) & ones(size.width[i]);
    if (rng_percent(r, 50))
        c.field[COMPUTE_MASK] = ones(size.width[COMPUTE_MASK]);
    compute_lay(&size, &c, &flits);
    *m = (struct message){.kind = MESSAGE_COMPUTE, .n = flits.n};
    for (flits.at = 0; flits.at < flits.n; flits.at++)
        compute_flit(&size, &flits, m->flit[flits.at]);
}

void messages_put(struct messages *l, const struct message *m) {
    if (l->head > 32 && l->head > l->n / 2) {
        l->n -= l->head;
        memmove(l->v, l->v + l->head, (size_t)l->n * sizeof *l->v);
        l->head = 0;
    }
    l->v = array_room(l->v, l->n, &l->cap, sizeof *l->v);
    l->v[l->n++] = *m;
}

struct message *messages_oldest(const struct messages *l) {
    return l->head == l->n ? NULL : &l->v[l->head];
}

void messages_drop(struct messages *l) {
    l->head++;
}

void messages_clear(struct messages *l) {
    l->head = l->n = 0;
}

int messages_count(const struct messages *l) {
    return l->n - l->head;
}

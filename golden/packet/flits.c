/* flits.c - ComputePackets as flits; see flits.h. */
#include "packet/flits.h"

#include "base/bits.h"

#include <string.h>

struct flits_use flits_use(uint64_t pattern) {
    struct flits_use u = {.known = pattern >= 1 && pattern <= 9};

    switch (pattern) {
    case 1: /* c = f(a, b) */
        u.b = u.c = u.f = true;
        break;
    case 2: /* f(a, b) */
    case 5: /* h(a, b) */
        u.b = u.f = true;
        break;
    case 3: /* c = a */
        u.c = true;
        break;
    case 4: /* c = f(a, c) */
        u.c = u.f = true;
        break;
    case 6: /* h(a, i) */
        u.imm = u.f = true;
        break;
    case 7: /* c = f(a, i) */
        u.imm = u.c = u.f = true;
        break;
    case 8: /* f(a, g(b, i)) */
        u.imm = u.b = u.f = u.g = true;
        break;
    case 9: /* c = f(a, g(b, i)) */
        u.imm = u.b = u.c = u.f = u.g = true;
        break;
    default:
        break;
    }
    return u;
}

void flits_strip(struct flits_chain *c) {
    struct flits_use u = flits_use(c->pattern);

    if (!u.known)
        c->a = 0;
    if (!u.b)
        c->b = 0;
    if (!u.c)
        c->c = 0;
    if (!u.imm)
        c->imm = 0;
    if (!u.f)
        c->f = c->f_reversed = 0;
    if (!u.g)
        c->g = c->g_reversed = c->fused = 0;
}

/* A long value at a bit of a longer one, which is zero there. */
static void put(uint64_t *word, int at, int width, const uint64_t *value) {
    for (int i = 0; i < width; i += 64)
        bits_or(word, at + i, width - i < 64 ? width - i : 64, value[i / 64]);
}

static void get(const uint64_t *word, int at, int width, uint64_t *value) {
    for (int i = 0; i < width; i += 64)
        value[i / 64] = bits_get(word, at + i, width - i < 64 ? width - i : 64);
}

void flits_join(const struct flits_size *s, const uint64_t *packet,
                uint64_t mask, struct flits *f) {
    bool masked = mask != ones(s->lanes);

    *f = (struct flits){.n = s->head + (masked ? s->mask : 0)};
    put(f->word, 0, s->bits, packet);
    if (masked)
        put(f->word, s->head * s->flit, s->lanes, &mask);
}

void flits_part(const struct flits_size *s, const struct flits *f,
                uint64_t *packet, uint64_t *mask) {
    enum { MASKED = 1 }; /* bit of the first flit */

    get(f->word, 0, s->bits, packet);
    if (packet[0] >> MASKED & 1)
        get(f->word, s->head * s->flit, s->lanes, mask);
    else
        *mask = ones(s->lanes);
}

void flits_get(const struct flits_size *s, const struct flits *f, int n,
               uint64_t *data) {
    memset(data, 0, FLITS_DATA * sizeof *data);
    get(f->word, n * s->flit, s->flit, data);
}

void flits_set(const struct flits_size *s, struct flits *f, int n,
               const uint64_t *data) {
    put(f->word, n * s->flit, s->flit, data);
}

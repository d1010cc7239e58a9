/* work.c - chains of a core, and what must come of them; see work.h. */
#include "work.h"

#include "base/bits.h"
#include "blocks/oqueue.h"
#include "squeue/far.h"

#include <string.h>

/* L load, f operation, i with immediate, u of one operand, F multiply-add, h
 * comparison, k with immediate, S store, B store at the second load's address.
 */
static const struct {
    const char *ops;
    int pattern;
} forms[] = {
    {"LLfS", 1}, {"LLf", 2}, {"LS", 3},    {"LLfB", 4},
    {"LuS", 4},  {"LLh", 5}, {"Lk", 6},    {"LiS", 7},
    {"LLif", 8}, {"LLF", 8}, {"LLifS", 9}, {"LLFS", 9},
};
enum { N_FORMS = sizeof forms / sizeof *forms };

void work_open(struct work_memory *m, int lanes, int line, int memories,
               int address_bits) {
    m->lanes = lanes;
    m->line = line;
    m->memories = memories;
    m->address_bits = address_bits;
    m->stride = 4 * lanes > line ? 4 * lanes : line;
    m->slots = WORK_SLOTS;
    while ((uint64_t)m->slots * (uint64_t)m->stride > ones(address_bits))
        m->slots /= 2;
    uint64_t apart =
        ones(address_bits) / (uint64_t)m->slots / (uint64_t)m->stride;
    m->pitch = ((apart - 1) | 1) * (uint64_t)m->stride;
}

static uint64_t address_of(const struct work_memory *m, int slot) {
    return (uint64_t)slot * m->pitch;
}

int work_slot(const struct work_memory *m, uint64_t address) {
    uint64_t slot = address / m->pitch;
    if (address % m->pitch || slot >= (uint64_t)m->slots || !m->taken[slot])
        return -1;
    return (int)slot;
}

static uint64_t memory_of(const struct work_memory *m, int slot) {
    return address_of(m, slot) / (uint64_t)m->line % (uint64_t)m->memories;
}

static int take_slot(struct work_memory *m, struct rng *r, int like) {
    int from = (int)rng_below(r, (uint32_t)m->slots);
    for (int i = 0; i < m->slots; i++) {
        int k = (from + i) % m->slots;
        if (m->taken[k] || (like >= 0 && memory_of(m, k) != memory_of(m, like)))
            continue;
        m->taken[k] = true;
        return k;
    }
    return -1;
}

static void make_op(struct rng *r, const struct work_tune *t, char letter,
                    bool first, struct work_op *o) {
    static const uint64_t unary[] = {OQUEUE_NEG, OQUEUE_ABS, OQUEUE_NOT};
    memset(o, 0, sizeof *o);
    do
        o->code = 1 + rng_below(r, 11);
    while (o->code == OQUEUE_DIV);
    if (rng_percent(r, t->unable))
        o->code = OQUEUE_DIV;
    o->reversed = rng_below(r, 2);
    o->imm = rng_next(r) & ones(32);
    o->kind = OQUEUE_ALU;
    if (letter == 'L') {
        o->kind = OQUEUE_LOAD;
        o->hit = rng_percent(r, first ? t->hit_first : t->hit);
    } else if (letter == 'S' || letter == 'B') {
        o->kind = OQUEUE_STORE;
    } else if (letter == 'h' || letter == 'k') {
        o->kind = OQUEUE_COMPARE;
        o->code = rng_below(r, 14);
    }
    o->fused = letter == 'F';
    o->has_imm = letter == 'i' || letter == 'k' || letter == 'F';
    if (letter == 'u')
        o->code = unary[rng_below(r, 3)];
}

/* The chain as a packet says it. */
static void describe(struct work *w, int pattern) {
    uint64_t *f = w->c.field;
    int loads = 0;
    memset(&w->c, 0, sizeof w->c);
    f[COMPUTE_PATTERN] = (uint64_t)pattern;
    f[COMPUTE_MASK] = w->mask;
    for (int i = 0; i < w->n; i++) {
        const struct work_op *o = &w->op[i];
        f[COMPUTE_TYPE] = o->type;
        if (o->kind == OQUEUE_LOAD) {
            f[loads++ ? COMPUTE_B : COMPUTE_A] = o->address;
        } else if (o->kind == OQUEUE_STORE) {
            f[COMPUTE_C] = o->address;
        } else {
            if (o->has_imm)
                f[COMPUTE_IMM] = o->imm;
            f[COMPUTE_G] = o->fused ? OQUEUE_MUL : f[COMPUTE_F];
            f[COMPUTE_G_REVERSED] = o->fused ? 0 : f[COMPUTE_F_REVERSED];
            f[COMPUTE_F] = o->fused ? OQUEUE_ADD : o->code;
            f[COMPUTE_F_REVERSED] = o->reversed;
            f[COMPUTE_FUSED] |= o->fused;
        }
    }
}

static void expect(const struct work_memory *m, struct work *w) {
    const uint32_t *a = m->word[w->slot[0]];
    const uint32_t *b = w->slot[1] >= 0 ? m->word[w->slot[1]] : a;
    w->bits = 0;
    memset(w->result, 0, sizeof w->result);
    for (int i = 0; i < m->lanes; i++) {
        if (!(w->mask >> i & 1) || !far_able(&w->c))
            continue;
        w->result[i] = far_result(&w->c, a[i], b[i]);
        if (far_compares(&w->c))
            w->bits |= (uint64_t)w->result[i] << i;
    }
}

bool work_make(struct work_memory *m, const struct compute_size *s,
               struct rng *r, const struct work_tune *t, struct work *w) {
    int n = (int)rng_below(r, N_FORMS), like = -1;
    uint64_t type = rng_below(r, 7);
    w->form = forms[n].ops;
    w->n = (int)strlen(w->form);
    w->loads = 0;
    w->slot[0] = w->slot[1] = w->slot[2] = -1;
    w->mask = rng_percent(r, t->masked) ? rng_next(r) : UINT64_MAX;
    w->mask &= ones(m->lanes);
    bool same = rng_percent(r, t->same);
    for (int i = 0; i < w->n; i++) {
        struct work_op *o = &w->op[i];
        make_op(r, t, w->form[i], i == 0, o);
        o->type = type;
        if (o->kind != OQUEUE_LOAD && o->kind != OQUEUE_STORE)
            continue;
        int which = o->kind == OQUEUE_STORE ? 2 : w->loads++;
        int *slot = &w->slot[which];
        *slot = w->form[i] == 'B' ? w->slot[1]
                                  : take_slot(m, r, which == 1 ? like : -1);
        if (*slot < 0) {
            work_drop(m, w);
            return false;
        }
        if (which == 0 && same)
            like = *slot;
        o->address = address_of(m, *slot);
        o->mem = memory_of(m, *slot);
    }
    describe(w, forms[n].pattern);
    compute_strip(s, &w->c);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < m->lanes && w->slot[k] >= 0; i++)
            m->word[w->slot[k]][i] = far_element(&w->c, r);
    expect(m, w);
    return true;
}

void work_drop(struct work_memory *m, const struct work *w) {
    for (int k = 0; k < 3; k++)
        if (w->slot[k] >= 0)
            m->taken[w->slot[k]] = false;
}

bool work_stores(const struct work *w) {
    return far_stores(&w->c);
}

bool work_gives(const struct work *w) {
    return far_gives(&w->c);
}

bool work_compares(const struct work *w) {
    return far_compares(&w->c);
}

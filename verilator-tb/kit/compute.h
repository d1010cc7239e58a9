/* compute.h - ComputePackets in stimuli, laid bit by bit in the order of
 * docs/blocks/packet.md, not by the record of the declaration.
 */
#ifndef NDP_KIT_COMPUTE_H
#define NDP_KIT_COMPUTE_H

#include "base/bits.h"
#include "iface/iface.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Fields of a chain in the order of the packet, then the mask. */
enum compute_field {
    COMPUTE_PATTERN,
    COMPUTE_F,
    COMPUTE_G,
    COMPUTE_TYPE,
    COMPUTE_F_REVERSED,
    COMPUTE_G_REVERSED,
    COMPUTE_FUSED,
    COMPUTE_CORE,
    COMPUTE_WAVE,
    COMPUTE_ENTRY,
    COMPUTE_NODE,
    COMPUTE_IMM,
    COMPUTE_A,
    COMPUTE_B,
    COMPUTE_C,
    COMPUTE_MASK,
    COMPUTE_FIELDS
};

enum {
    COMPUTE_WORDS = 16, /* 17 flits of 16 bits, 2 of 256 */
    COMPUTE_DATA = 256 / 64
};

struct compute {
    uint64_t field[COMPUTE_FIELDS];
};

/* Bits of each field, and of a flit. */
struct compute_size {
    int width[COMPUTE_FIELDS], flit;
};

struct compute_flits {
    uint64_t word[COMPUTE_WORDS];
    int n, at; /* flits, and those that have passed */
};

/* Of the sizes of a target that uses the group omni. */
#define COMPUTE_SIZE(l)                                                        \
    {                                                                          \
        {4,          4,          4,          3,           1,          1,       \
         1,          (l).NODE_W, (l).WAVE_W, (l).ENTRY_W, (l).NODE_W, 32,      \
         (l).ADDR_W, (l).ADDR_W, (l).ADDR_W, (l).MASK_W},                      \
            (l).FLIT_W                                                         \
    }

/* What a field is for, by the patterns' digits. */
static inline bool compute_uses(int field, int pattern) {
#define ALL "0123456789ABCDEF"
    static const char *const patterns[COMPUTE_FIELDS] = {
        [COMPUTE_PATTERN] = ALL,
        [COMPUTE_F] = "12456789",
        [COMPUTE_G] = "89",
        [COMPUTE_TYPE] = ALL,
        [COMPUTE_F_REVERSED] = "12456789",
        [COMPUTE_G_REVERSED] = "89",
        [COMPUTE_FUSED] = "89",
        [COMPUTE_CORE] = ALL,
        [COMPUTE_WAVE] = ALL,
        [COMPUTE_ENTRY] = ALL,
        [COMPUTE_NODE] = ALL,
        [COMPUTE_IMM] = "6789",
        [COMPUTE_A] = "123456789",
        [COMPUTE_B] = "12589",
        [COMPUTE_C] = "13479",
        [COMPUTE_MASK] = ALL,
    };
    return strchr(patterns[field], ALL[pattern]) != NULL;
#undef ALL
}

/* What the pattern does not use becomes zero, and what is wider than it. */
static inline void compute_strip(const struct compute_size *s,
                                 struct compute *c) {
    for (int i = 0; i < COMPUTE_FIELDS; i++) {
        c->field[i] &= ones(s->width[i]);
        if (!compute_uses(i, (int)c->field[COMPUTE_PATTERN]))
            c->field[i] = 0;
    }
}

static inline void compute_bits(struct compute_flits *f, int *at, int width,
                                uint64_t value) {
    for (int i = 0; i < width; i++, ++*at)
        f->word[*at / 64] |= (value >> i & 1) << *at % 64;
}

static inline void compute_lay(const struct compute_size *s,
                               const struct compute *c,
                               struct compute_flits *f) {
    int lanes = s->width[COMPUTE_MASK], at = 0;
    bool masked = c->field[COMPUTE_MASK] != ones(lanes);
    memset(f, 0, sizeof *f);
    compute_bits(f, &at, 1, 1); /* the type bit */
    compute_bits(f, &at, 1, masked);
    for (int i = 0; i < COMPUTE_MASK; i++)
        compute_bits(f, &at, s->width[i], c->field[i]);
    f->n = ceil_div(at, s->flit);
    if (!masked)
        return;
    at = f->n * s->flit;
    compute_bits(f, &at, lanes, c->field[COMPUTE_MASK]);
    f->n = ceil_div(at, s->flit);
}

/* The flit at f->at. */
static inline void compute_flit(const struct compute_size *s,
                                const struct compute_flits *f, uint64_t *data) {
    memset(data, 0, COMPUTE_DATA * sizeof *data);
    for (int i = 0; i < s->flit; i++) {
        int at = f->at * s->flit + i;
        data[i / 64] |= (f->word[at / 64] >> at % 64 & 1) << i % 64;
    }
}

#endif

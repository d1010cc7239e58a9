/* chains.h - chains as a core offers them, with what must become of each word:
 * known from what the chain is meant to be, not from its words. */
#ifndef NDP_STIM_BINDER_CHAINS_H
#define NDP_STIM_BINDER_CHAINS_H

#include "blocks/binder.h"
#include "kit/rng.h"

#include <stdbool.h>
#include <stdint.h>

enum { CHAIN_MOST = 7 };

/* The instruction that the offload queue must be told. */
struct chain_op {
    uint64_t tag, kind, code, type, address, mem, reversed, fused, has_imm, imm;
};

struct chain_word {
    uint64_t code, mask, a, b, in_row, same_a, same_b; /* as offered */
    bool fits;
    struct chain_op op;
};

struct chain {
    int n; /* words; the last one may be one that does not fit */
    struct chain_word word[CHAIN_MOST];
    uint64_t mask;
    int loads, pattern; /* of Table 1, 0: none */
    uint64_t load[2], result;
};

/* A chain of any kind; misfits: percent of those with a word that fits nothing.
 */
void chain_make(struct chain *c, const struct binder_local *l, struct rng *r,
                int misfits);

#endif

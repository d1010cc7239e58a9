/* chain.h - the chain that an offload queue builds: what has been recorded of
 * it, and which pattern of Table 1 that is (docs/blocks/oqueue.md). */
#ifndef NDP_GOLDEN_OQUEUE_CHAIN_H
#define NDP_GOLDEN_OQUEUE_CHAIN_H

#include "blocks/oqueue.h"

#include <stdbool.h>

struct chain {
    int entry;
    uint64_t wave, mask;
    uint64_t address[2], mem[2], store; /* a and b, c */
    int loads, alus;
    uint64_t f, g, type;
    bool f_reversed, g_reversed, f_imm, g_imm, fused;
    uint64_t imm;
    bool compares, stores;
    bool away;   /* it stores at another memory node than that of a */
    bool misfit; /* the order is no pattern's */
};

/* The first load, into entry. */
void chain_begin(struct chain *c, int entry, const struct oqueue_in *in);

/* Any other instruction. */
void chain_add(struct chain *c, const struct oqueue_in *in);

/* 1 to 9, 0: none. */
int chain_pattern(const struct chain *c);

#endif

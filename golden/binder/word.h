/* word.h - private to golden/binder/: what a word becomes in a chain. */
#ifndef NDP_GOLDEN_BINDER_WORD_H
#define NDP_GOLDEN_BINDER_WORD_H

#include "blocks/binder.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known of the chain that is built. */
struct chain {
    uint64_t warp, first, mask;
    int words, loads, ops;
    uint64_t load[2], result; /* registers */
    bool partial;             /* the first operation has an immediate, and is no
                               * multiply-add */
    bool ended;               /* by a comparison or a store */
};

/* An offer, and what it becomes. */
struct word {
    uint64_t pc, code, mask, a, b, in_row, same_a, same_b;
    struct {
        uint64_t kind, code, type, address, reversed, fused, has_imm, imm;
    } op;
    uint64_t d;      /* its destination */
    bool difference; /* a multiply-add by -1 */
    /* why it does not fit, beside its fields: */
    bool differs, crosses;
};

/* Whether w fits behind what c has; open: c has a word.  Sets what it becomes.
 */
bool word_fits(const struct binder_local *l, const struct chain *c, bool open,
               struct word *w);

/* Put a word that fits behind the others. */
void word_record(struct chain *c, const struct word *w);

#endif

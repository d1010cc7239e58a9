/* away.h - blocks that the untimed machine runs as if elsewhere: what proves the
 * tables of ndpcc --assemble --blocks.
 *
 * Where a warp asks, a copy of it, in which nothing but the block's live-ins is
 * left, runs the block with the lanes that are active; then the live-outs come
 * back.  All else is poison: numbers that are others each time.  So a register
 * that the table lacks changes what the program computes.
 */
#ifndef NDP_GOLDEN_ISA_AWAY_H
#define NDP_GOLDEN_ISA_AWAY_H

#include "isa/image.h"
#include "isa/isa.h"

enum { AWAY_LANES = 32 };

struct isa_away {
    const struct isa_block *blocks;
    int n;
    bool always; /* whatever conditions say */
    bool forget; /* afterwards what a block may have written and does not bring
                  * back is poison, too; else it is as before the block */
    uint64_t seed;
    /* What there was: questions, blocks that went, their words. */
    uint64_t asked, went, words;
    uint64_t *went_of; /* by block, or NULL */
    /* Whether the address that the question brings is that of the block's first
     * access in the lowest active lane; or that lane has none. */
    uint64_t same, other, none;
};

/* Registers and predicates of a warp. */
struct away_state {
    uint32_t r[ISA_REGISTERS][AWAY_LANES];
    uint32_t p[8];
};

/* The block that is asked for at pc and goes; NULL: none, or it stays. */
const struct isa_block *away_goes(struct isa_away *a, int pc, uint32_t mask,
                                  const struct away_state *s);

/* A number that is another each time. */
uint32_t away_poison(struct isa_away *a);

/* What the block has of the warp where it runs. */
void away_leave(struct isa_away *a, const struct isa_block *b, uint32_t mask,
                struct away_state *there);

/* What the warp has once the block is back; writes: what it may write. */
void away_return(struct isa_away *a, const struct isa_block *b, uint32_t mask,
                 const struct isa_touch *writes, const struct away_state *there,
                 struct away_state *here);

#endif

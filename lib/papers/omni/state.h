/* state.h - shared by the chain*.c files; private to them. */
#ifndef NDP_PTX_CHAIN_STATE_H
#define NDP_PTX_CHAIN_STATE_H

#include "base/array.h"
#include "chain.h"

/* What becomes of the value that an instruction writes, besides the pc of its
 * only use. */
enum {
    CHAIN_USE_NONE = -1,   /* nobody reads it */
    CHAIN_USE_MANY = -2,   /* several do */
    CHAIN_USE_OUTSIDE = -3 /* read after the block, and not in it */
};

struct chain_candidate {
    struct ptx_chain chain;
    int last; /* pc that the text has last */
};

struct chain_finder {
    struct arena *arena;
    const struct ptx_analysis *a;
    const struct ptx_function *f;
    struct ptx_chain_options options;
    bool *walls; /* by pc: nothing moves over the text before it; NULL: none */

    /* by register, one more for the condition code */
    signed char *constant; /* the same in the whole CTA: 0 not known yet,
                            * 1 yes, -1 no */
    int *last_def;         /* pc in the block; -1: none */
    int *written, *read;   /* stamps of a set of instructions */
    int stamp;
    int *touched; /* registers with a last_def */

    /* by pc */
    int *use;           /* only use of the value, or CHAIN_USE_... */
    int *source_at;     /* of its uses in sources: pcs that define them */
    ARRAY(int) sources; /* ... within the block, or -1 */
    int *place;         /* inverse of order */
    int *order;
    int *chain_of;
    uint8_t *failed; /* enum ptx_chain_reason of a chain that did not fit */

    int *memory; /* pcs: memory instructions of a set */
    int n_memory;
    int *scratch; /* places of a range being put in order */
    uint8_t *side;

    ARRAY(struct chain_candidate) candidates;
    ARRAY(struct ptx_chain) accepted;
};

/* value.c: who reads what within block b; constants of a CTA. */
void chain_values(struct chain_finder *x, int b);
/* Definition in the block of a register that pc reads; -1: before it. */
int chain_source(const struct chain_finder *x, int pc, int reg);
bool chain_constant(struct chain_finder *x, int reg);

/* match.c: candidates that end in f, h or a store at pc; why none. */
enum ptx_chain_reason chain_match(struct chain_finder *x, int pc);
/* Whether both run for the same lanes. */
bool chain_same_guard(const struct chain_finder *x, int pc, int other);
enum ptx_chain_reason chain_load_fits(const struct ptx_instruction *in);

/* order.c: make the candidate contiguous in x->order, or tell why not. */
enum ptx_chain_reason chain_place(struct chain_finder *x,
                                  const struct ptx_chain *c);
/* Whether two accesses have the same address, by register and offset. */
bool chain_same_address(const struct chain_finder *x, int pc, int other);
const struct ptx_operand *chain_address(const struct ptx_instruction *in);
/* Whether it writes, reads the condition code (add.cc, addc). */
void chain_condition_code(const struct ptx_instruction *in, bool *def,
                          bool *use);

/* refuse.c: the reason for a load that is in no chain. */
enum ptx_chain_reason chain_refuse(struct chain_finder *x, int pc);

#endif

/* chain.h - offload chains: instruction sequences that can be computed where
 * their data lies (opportunistic computing, sections 4.1 and 4.2, Table 1).
 *
 * A chain starts with a load from global memory and ends with an ALU operation,
 * a comparison or a store.  Everything in it lies in one basic block, under one
 * guard.  The loaded registers have no other use in the thread.  Operands that
 * are not loaded are literals or hold one value for the whole CTA, so that a
 * packet carries them once.  docs/chains.md has the nine patterns, the reading
 * of Table 1, the aliasing rule and the limits.
 *
 *     struct ptx_chains c;
 *     ptx_chains_find(&arena, module->source, analysis, NULL, &c);
 *     ... c.list[i].pattern, c.tags[pc], c.order[place] ...
 *
 * Everything lives in the arena.  Found greedily: the chain of most
 * instructions first, of equal ones the one that ends first in the text;
 * chains never overlap.
 */
#ifndef NDP_PTX_CHAIN_H
#define NDP_PTX_CHAIN_H

#include "papers/analysis.h"
#include "ptx/slices.h"
#include "base/text.h"

enum { PTX_CHAIN_LONGEST = 5, PTX_CHAIN_PATTERNS = 9 };

enum ptx_chain_op {
    PTX_CHAIN_NO_OP,
#define CHAIN_OP(id, text, op, sources, floats, ints, bits) PTX_CHAIN_##id,
#include "ops.def"
    PTX_CHAIN_N_OPS
};

/* The two bits on an instruction. */
enum ptx_chain_tag {
    PTX_TAG_NONE = 0,
    PTX_TAG_FIRST = 1,
    PTX_TAG_INSIDE = 2,
    PTX_TAG_LAST = 3
};

struct ptx_chain {
    int pattern; /* 1 .. 9 */
    int n;
    int pcs[PTX_CHAIN_LONGEST]; /* in the order they are to run: loads, g, f or
                                 * h, store */
    int n_loads;            /* 1, 2: the leading ones of pcs.  Patterns 8 and 9
                             * load b (the operand of g) first, the others in
                             * the order of the operands. */
    int alu;                /* pc of f or h; -1: pattern 3 */
    int store;              /* pc; -1: none */
    enum ptx_chain_op f, g; /* NO_OP: none */
    enum ptx_modifier compare; /* h; PTX_MOD_NONE: no comparison */
    bool f_reversed;           /* f(b, a), f(i, a), f(g, a); h likewise */
    bool g_reversed;           /* g(i, b) */
    bool fused;                /* f and g are one fma or mad */
    bool split; /* the alu is fma or mad, of which the chain has the product;
                 * the sum is left to the core */
    enum ptx_type type;                  /* of f, h; of the load in pattern 3 */
    const struct ptx_operand *immediate; /* i; NULL: none */
};

/* Why a load from global or generic memory starts no chain. */
enum ptx_chain_reason {
    PTX_CHAIN_FREE, /* nothing speaks against it */
#define CHAIN_REASON(id, text) PTX_CHAIN_##id,
#include "reasons.def"
    PTX_CHAIN_N_REASONS
};

struct ptx_chain_refusal {
    int pc;
    enum ptx_chain_reason reason;
};

struct ptx_chains {
    const struct ptx_function *function;
    int n;
    struct ptx_chain *list; /* in the order of the rewritten text */
    int n_refused;
    struct ptx_chain_refusal *refused; /* ascending pc */
    uint8_t *tags;                     /* by pc: enum ptx_chain_tag */
    int *chain_of;                     /* by pc: index in list, or -1 */
    int *order; /* by place in the rewritten text: the pc that stands there;
                 * blocks keep their places */
    struct ptx_slice *slices; /* by pc; NULL: no source was given */
};

struct ptx_chain_options {
    /* Let an f32 fma whose addend stays with the core be broken into multiply
     * and add, as the paper did (section 5).  It rounds once more. */
    bool split_fma;
};

/* Chains of a function.  source is the text it was read from: nothing moves
 * over a brace or a directive there; NULL if nothing is to be rewritten.
 * o may be NULL. */
void ptx_chains_find(struct arena *arena, const struct source *source,
                     const struct ptx_analysis *a,
                     const struct ptx_chain_options *o, struct ptx_chains *out);

/* Append the module's text with the chains of its functions made contiguous
 * and marked by comments.  Only instructions that move and their places differ
 * from the source.  chains[i] belongs to function i; NULL: none. */
void ptx_chains_rewrite(const struct ptx_module *m,
                        const struct ptx_chains *const *chains,
                        struct text *out);

const char *ptx_chain_op_text(enum ptx_chain_op op);
const char *ptx_chain_reason_text(enum ptx_chain_reason reason);
const char *ptx_chain_tag_bits(int tag); /* "01" "10" "11"; "" */

/* Flits of the answer of a pattern (Table 1): 1 or 5; and its kind. */
int ptx_chain_answer_flits(int pattern);
const char *ptx_chain_answer(int pattern); /* "ack" "data" "bitmap" */

#endif

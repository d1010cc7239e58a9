/* form.h - the words of a chain as an offload queue is told them. */
#ifndef NDP_CHAINED_FORM_H
#define NDP_CHAINED_FORM_H

#include "isa/isa.h"

enum { FORM_MOST = 5 }; /* words: two loads, g, f, a store */

struct form_op {
    uint8_t kind, code, type; /* of oqueue */
    bool reversed, fused, has_imm;
    int imm_register; /* it holds the immediate, -1: imm does */
    uint32_t imm;
};

struct form {
    int n, loads;
    bool stores;
    struct form_op op[FORM_MOST]; /* one a word */
};

/* The chain that begins at code[pc], an op for each of its words.  False: none
 * does, or one that no pattern fits. */
bool form_find(const struct isa_word *code, int n_code, int pc, struct form *f);

/* Whether a tagged chain begins there, whatever fits it. */
bool form_begins(const struct isa_word *code, int pc);

#endif

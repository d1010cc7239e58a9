/* refuse.c - why a load starts no chain: the nearest miss, for people
 * who want to know what to change.
 */
#include "state.h"

enum { ADDRESS_STEPS = 8 };

static bool names(const struct ptx_operand *o, int reg) {
    if (o->reg && o->reg->index == reg)
        return true;
    for (int i = 0; i < o->n_items; i++)
        if (names(o->items[i], reg))
            return true;
    return false;
}

/* Whether the value made at pc ends up in an address, as far as each step has
 * one reader in the block; an integer of 64 bits with several counts as one. */
static bool is_address(const struct chain_finder *x, int pc) {
    for (int i = 0; i < ADDRESS_STEPS; i++) {
        const struct ptx_instruction *in = &x->f->instructions[pc];
        int use = x->use[pc];
        if (in->n_defs != 1)
            return false;
        if (use < 0)
            return x->f->registers[in->defs[0]]->kind == PTX_PAIR &&
                   in->form->opc != OPC_fp;
        const struct ptx_operand *at = chain_address(&x->f->instructions[use]);
        if (at)
            return names(at, in->defs[0]);
        pc = use;
    }
    return false;
}

static int times(const struct ptx_instruction *in, int reg) {
    int n = 0;
    for (int i = in->n_dst; i < in->n_operands; i++)
        n += names(in->operands[i], reg);
    return n;
}

enum ptx_chain_reason chain_refuse(struct chain_finder *x, int pc) {
    const struct ptx_instruction *in = &x->f->instructions[pc];
    enum ptx_chain_reason why = chain_load_fits(in);
    int use = x->use[pc];
    if (why == PTX_CHAIN_FREE && use < 0)
        why = use == CHAIN_USE_NONE   ? PTX_CHAIN_UNUSED
              : use == CHAIN_USE_MANY ? PTX_CHAIN_REUSED
                                      : PTX_CHAIN_OTHER_BLOCK;
    if (why != PTX_CHAIN_FREE)
        return why;
    const struct ptx_instruction *reader = &x->f->instructions[use];
    if (is_address(x, pc))
        return PTX_CHAIN_ADDRESS;
    if (times(reader, in->defs[0]) > 1)
        return PTX_CHAIN_REUSED;
    if (!chain_same_guard(x, pc, use))
        return PTX_CHAIN_GUARD;
    if (x->failed[pc])
        return (enum ptx_chain_reason)x->failed[pc];
    why = chain_match(x, use);
    if (why != PTX_CHAIN_FREE && why != PTX_CHAIN_OPERATION &&
        ptx_type_bits(in->form->types[0]) < 32 &&
        reader->form->op != PTX_OP_ST && reader->form->op != PTX_OP_SETP)
        return PTX_CHAIN_NOT_32;
    /* the reader fits, with other loads, and found no place with this one */
    return why ? why : PTX_CHAIN_OPERAND;
}

/* narrow.c - which high words of 64-bit registers matter.
 *
 * Addresses have 32 bits.  The low word of a sum, difference, product, left
 * shift or bitwise operation follows from the low words of its operands, so a
 * register that flows only into addresses through such operations needs no high
 * word.  The analysis goes backwards from whatever reads a high word (a
 * comparison, a right shift, a division, a store, a conversion to f32, ...)
 * until nothing changes.
 */
#include "lower.h"

static bool is_wide_type(enum ptx_type t) {
    return ptx_type_bits(t) == 64;
}

/* Instructions whose low word depends on low words alone; their high word
 * wants the high words of the sources. */
static bool is_low_exact(const struct ptx_instruction *in) {
    if (ptx_has(in->form, PTX_MOD_CC))
        return false; /* the carry is that of the high words */
    switch (in->form->op) {
    case PTX_OP_MOV: /* {a, b} apart */
        return in->operands[0]->kind != PTX_OPND_VECTOR;
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_NOT:
    case PTX_OP_NEG:
    case PTX_OP_SHL:
    case PTX_OP_SELP:
    case PTX_OP_CVTA:
        return true;
    case PTX_OP_MUL:
    case PTX_OP_MAD:
        return !ptx_has(in->form, PTX_MOD_HI);
    case PTX_OP_CVT:
        return ptx_type_kind(in->form->types[0]) != 'f';
    default:
        return false;
    }
}

static bool result_is_wide(const struct ptx_instruction *in) {
    return in->n_operands && in->operands[0]->kind == PTX_OPND_REGISTER &&
           is_wide_type(in->operands[0]->reg->type);
}

static bool mark(bool *high, const struct ptx_operand *o) {
    bool changed = false;
    for (int i = 0; i < o->n_items; i++)
        changed |= mark(high, o->items[i]);
    if (o->kind == PTX_OPND_REGISTER && is_wide_type(o->reg->type) &&
        !high[o->reg->index])
        changed = high[o->reg->index] = true;
    return changed;
}

/* What in reads high; true if that is new. */
static bool visit(bool *high, const struct ptx_instruction *in) {
    bool changed = false;
    bool wanted = !is_low_exact(in);
    if (!wanted && result_is_wide(in))
        wanted = high[in->operands[0]->reg->index];
    for (int i = in->n_dst; i < in->n_operands; i++)
        if (wanted && in->operands[i]->kind != PTX_OPND_ADDRESS)
            changed |= mark(high, in->operands[i]);
    return changed;
}

bool *narrow_find(struct arena *a, const struct ptx_function *f, bool all) {
    bool *high = arena_array(a, (size_t)f->n_registers + 1, sizeof *high);
    for (int i = 0; i < f->n_registers && all; i++)
        high[i] = is_wide_type(f->registers[i]->type);
    for (bool changed = true; changed;) {
        changed = false;
        for (int pc = f->n_instructions - 1; pc >= 0; pc--)
            changed |= visit(high, &f->instructions[pc]);
    }
    return high;
}

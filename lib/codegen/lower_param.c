/* lower_param.c - parameters, which are read by their word's number.
 *
 * A parameter has no address on the machines.  Compilers take that of a struct
 * into a register all the same; where it only serves as the base of loads, the
 * parameter behind it is found by going back over moves and sums.
 */
#include "lower.h"

enum { DEEP = 16 }; /* moves from the variable to the load */

/* Where an address points to: a parameter and a byte of it. */
struct spot {
    const struct ptx_variable *variable;
    int64_t offset;
};

static const struct ptx_instruction *only_writer(const struct ptx_function *f,
                                                 int reg) {
    const struct ptx_instruction *found = NULL;
    for (int pc = 0; pc < f->n_instructions; pc++)
        for (int i = 0; i < f->instructions[pc].n_defs; i++) {
            if (f->instructions[pc].defs[i] != reg)
                continue;
            if (found || f->instructions[pc].guard)
                return NULL;
            found = &f->instructions[pc];
        }
    return found;
}

/* A move, or a sum with a number: its source, and the number in *by. */
static const struct ptx_operand *step_of(const struct ptx_instruction *in,
                                         int64_t *by) {
    *by = 0;
    if (in->form->op == PTX_OP_MOV && in->n_operands == 2)
        return in->operands[1];
    if (in->form->op != PTX_OP_ADD || in->n_operands != 3 ||
        in->operands[2]->kind != PTX_OPND_VALUE)
        return NULL;
    *by = (int64_t)in->operands[2]->value.bits;
    return in->operands[1];
}

static bool find_spot(const struct ptx_function *f, const struct ptx_operand *o,
                      struct spot *spot) {
    int64_t by;
    spot->offset = 0;
    for (int deep = 0; o && deep < DEEP; deep++) {
        spot->offset += o->offset;
        if (o->kind == PTX_OPND_VARIABLE) {
            spot->variable = o->variable;
            return o->variable->space == PTX_SPACE_PARAM;
        }
        if (o->kind != PTX_OPND_REGISTER)
            return false;
        const struct ptx_instruction *in = only_writer(f, o->reg->index);
        o = in ? step_of(in, &by) : NULL;
        spot->offset += o ? by : 0;
    }
    return false;
}

bool lower_param_spot(const struct ptx_function *f, const struct ptx_operand *o,
                      const struct ptx_variable **v, int64_t *offset) {
    struct spot spot;
    if (!find_spot(f, o, &spot))
        return false;
    *v = spot.variable;
    *offset = spot.offset;
    return true;
}

static bool is_used(const struct ptx_instruction *in, int reg) {
    for (int i = 0; i < in->n_uses; i++)
        if (in->uses[i] == reg)
            return true;
    return false;
}

/* Whether nothing but loads of parameters goes through a register. */
static bool serves_loads(const struct ptx_function *f, int reg, int deep) {
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_instruction *in = &f->instructions[pc];
        int64_t by;
        if (!is_used(in, reg))
            continue;
        if (in->form->op == PTX_OP_LD && in->form->space == PTX_SPACE_PARAM)
            continue;
        if (deep == DEEP || !step_of(in, &by) || in->guard ||
            in->operands[0]->kind != PTX_OPND_REGISTER ||
            !serves_loads(f, in->operands[0]->reg->index, deep + 1))
            return false;
    }
    return true;
}

bool lower_param_address(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    struct spot spot;
    int64_t by;
    if (!l->has_param_address || !step_of(in, &by) || in->guard ||
        in->operands[0]->kind != PTX_OPND_REGISTER)
        return false;
    return find_spot(l->f, in->operands[0], &spot) &&
           serves_loads(l->f, in->operands[0]->reg->index, 0);
}

static mc_value param_word(struct lower *l, enum ptx_type t, uint32_t at,
                           uint32_t byte) {
    mc_value v = lower_param(l, (int)(at + byte / 4));
    if (ptx_type_bits(t) >= 32)
        return v;
    if (byte % 4)
        v = lower_opn(l, ISA_shr, v, byte % 4 * 8);
    return lower_extend(l, v, t);
}

bool lower_load_param(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_operand *o = in->operands[1], *to = in->operands[0];
    enum ptx_type t = in->form->types[0];
    int bytes = ptx_type_bits(t) / 8, n = in->form->vector;
    struct spot spot;
    if (o->kind != PTX_OPND_ADDRESS || o->n_items != 1 ||
        !find_spot(l->f, o->items[0], &spot) || bytes < 1 || bytes > 8) {
        lower_refuse(l, "only of a parameter that is named, or whose address "
                        "does nothing else");
        return true;
    }
    uint32_t at = lower_place(l, spot.variable);
    int64_t offset = o->offset + spot.offset;
    if (offset < 0 || offset + n * bytes > ptx_variable_size(spot.variable) ||
        (n > 1 && (to->kind != PTX_OPND_VECTOR || to->n_items != n))) {
        lower_refuse(l, "beyond the parameter");
        return true;
    }
    for (int i = 0; i < n; i++) {
        const struct ptx_operand *d = n > 1 ? to->items[i] : to;
        uint32_t byte = (uint32_t)(offset + i * bytes);
        struct wide w = {param_word(l, t, at, byte), MC_NONE};
        if (bytes == 8 && lower_wants_high(l, d))
            w.hi = param_word(l, t, at, byte + 4);
        lower_result(l, d, t, w);
    }
    return true;
}

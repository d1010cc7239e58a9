/* decode_mem.c - loads, stores, atomics, moves: instructions whose operands are
 * addresses or vectors.
 */
#include "decode.h"

/* ------------------------------------------------------------ addresses */

/* [base + offset] into src[0] and imm. */
static void decode_address(struct decoder *d, const struct ptx_operand *o) {
    const struct ptx_operand *base = o;
    if (o->kind == PTX_OPND_ADDRESS) {
        d->bad |= o->n_items != 1;
        if (o->n_items < 1)
            return;
        base = o->items[0];
    }
    bool reg = base->kind == PTX_OPND_REGISTER;
    bool wide = !reg || is_wide(base->reg->type);
    d->op->src[0] = decode_source(d, base, PTX_U64, wide);
    if (reg)
        d->op->imm = base->offset;
    if (!wide)
        d->op->how |= ADDRESS_NARROW;
}

/* Space of the access; a generic one that names a variable is in its space. */
static enum ptx_space space_of(struct decoder *d, const struct ptx_operand *o) {
    enum ptx_space s = d->in->form->space;
    const struct ptx_operand *base = o->n_items ? o->items[0] : o;
    if (s == PTX_SPACE_NONE && base->kind == PTX_OPND_VARIABLE)
        s = base->variable->space;
    return s;
}

static bool one_word(enum ptx_type t) {
    int bits = ptx_type_bits(t);
    return t != PTX_PRED &&
           (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

/* Slots of the elements: 64-bit ones only for 64-bit elements. */
static bool items_wide(const struct op_more *m) {
    for (int i = 0; i < m->n_items; i++)
        if (!m->items[i].sink)
            return m->items[i].wide;
    return false;
}

/* A 128-bit element is a vector of two 64-bit ones in a register of 128. */
static bool decode_quad(struct decoder *d, const struct ptx_operand *o) {
    struct op_more *m = decode_more(d);
    if (o->kind != PTX_OPND_REGISTER || o->reg->kind != PTX_QUAD)
        return false;
    m->items = arena_array(&d->x->arena, 2, sizeof *m->items);
    m->n_items = 2;
    for (uint32_t i = 0; i < 2; i++)
        m->items[i] = (struct op_item){.ref = d->func->reg_slot[o->reg->index] +
                                              i * LANES * 8,
                                       .wide = true,
                                       .size = 8};
    d->op->width = 8;
    d->op->count = 2;
    return true;
}

static void decode_data(struct decoder *d, const struct ptx_operand *o,
                        bool load) {
    const struct ptx_form *f = d->in->form;
    enum ptx_type t = f->n_types ? f->types[f->n_types - 1] : PTX_TYPE_NONE;
    d->op->width = (uint8_t)(ptx_type_bits(t) / 8);
    d->op->count = (uint8_t)f->vector;
    if (t == PTX_B128) {
        d->bad |= !decode_quad(d, o);
        return;
    }
    if (!one_word(t) || f->n_types != 1 || !decode_items(d, o, t, load)) {
        d->bad = true;
        return;
    }
    d->bad |= decode_more(d)->n_items != f->vector;
}

static void decode_load(struct decoder *d) {
    const struct ptx_instruction *in = d->in;
    const struct ptx_form *f = in->form;
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    d->op->space = (uint8_t)space_of(d, in->operands[1]);
    decode_data(d, in->operands[0], true);
    decode_address(d, in->operands[1]);
    if (d->bad)
        return;
    struct op_more *m = decode_more(d);
    bool wide = items_wide(m), sign = ptx_type_kind(t) == 's';
    d->op->dst = m->items[0].ref;
    /* A narrow element in a wide register has been taken care of by fixups,
     * which do not know that 8 and 16 bits may carry a sign. */
    d->op->fn = d->op->space == PTX_SPACE_PARAM
                    ? select_param_load(d->op, wide, sign)
                    : select_load(d->op, wide, sign);
    d->bad |= !d->op->fn;
}

static void decode_store(struct decoder *d) {
    const struct ptx_instruction *in = d->in;
    d->op->space = (uint8_t)space_of(d, in->operands[0]);
    decode_data(d, in->operands[1], false);
    decode_address(d, in->operands[0]);
    if (d->bad)
        return;
    struct op_more *m = decode_more(d);
    d->op->src[1] = m->items[0].ref;
    d->op->fn = select_store(d->op, items_wide(m));
    d->bad |= !d->op->fn;
}

/* Operands without the cache policy, which changes no result. */
static int count_operands(const struct decoder *d) {
    return d->in->n_operands - ptx_has(d->in->form, PTX_MOD_L2_CACHE_HINT);
}

/* atom d, [a], b, c and red [a], b */
static void decode_atom(struct decoder *d) {
    const struct ptx_instruction *in = d->in;
    const struct ptx_form *f = in->form;
    bool red = f->op == PTX_OP_RED;
    int at = red ? 0 : 1, n = count_operands(d);
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    bool cas = ptx_has(f, PTX_MOD_CAS);
    if (!one_word(t) || f->vector != 1 || n != at + 2 + cas) {
        d->bad = true;
        return;
    }
    d->op->space = (uint8_t)space_of(d, in->operands[at]);
    d->op->width = (uint8_t)(ptx_type_bits(t) / 8);
    d->op->count = 1;
    decode_address(d, in->operands[at]);
    d->op->src[1] = decode_source(d, in->operands[at + 1], t, is_wide(t));
    if (cas)
        d->op->src[2] = decode_source(d, in->operands[at + 2], t, is_wide(t));
    if (!red && in->operands[0]->kind != PTX_OPND_SINK)
        d->op->dst = decode_result(d, in->operands[0], t, is_wide(t));
    d->op->fn = select_atom(f, d->op);
    d->bad |= !d->op->fn;
}

bool decode_memory(struct decoder *d) {
    switch (d->in->form->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        d->bad |= count_operands(d) != 2;
        if (!d->bad)
            decode_load(d);
        return true;
    case PTX_OP_ST:
        d->bad |= count_operands(d) != 2;
        if (!d->bad)
            decode_store(d);
        return true;
    case PTX_OP_ATOM:
    case PTX_OP_RED:
        decode_atom(d);
        return true;
    default:
        return false;
    }
}

/* ----------------------------------------------------------------- moves */

/* mov.b64 {a, b}, c and mov.b64 c, {a, b}: low element first.  The elements
 * are op->more->items; the whole is src[0] or dst, of 128 bits: two rows. */
static void decode_vector_move(struct decoder *d, const struct ptx_operand *o,
                               const struct ptx_operand *whole, bool unpack) {
    static const enum ptx_type by_bytes[] = {
        [1] = PTX_B8, [2] = PTX_B16, [4] = PTX_B32, [8] = PTX_B64};
    const struct ptx_form *f = d->in->form;
    int bytes = f->n_types ? ptx_type_bits(f->types[0]) / 8 : 0;
    int each = o->n_items ? bytes / o->n_items : 0;
    if (each < 1 || each > 8 || !by_bytes[each] || each * o->n_items != bytes ||
        f->vector != 1 || !decode_items(d, o, by_bytes[each], unpack)) {
        d->bad = true;
        return;
    }
    d->op->width = (uint8_t)each;
    d->op->count = (uint8_t)bytes;
    if (bytes == 16) {
        d->bad |=
            whole->kind != PTX_OPND_REGISTER || whole->reg->kind != PTX_QUAD;
        if (d->bad)
            return;
        slot_ref at = d->func->reg_slot[whole->reg->index];
        *(unpack ? &d->op->src[0] : &d->op->dst) = at;
    } else if (unpack) {
        d->op->src[0] = decode_source(d, whole, f->types[0], bytes > 4);
    } else {
        d->op->dst = decode_result(d, whole, f->types[0], bytes > 4);
    }
    d->op->fn = unpack ? exec_unpack : exec_pack;
}

static void decode_plain_move(struct decoder *d, enum ptx_type t) {
    const struct ptx_instruction *in = d->in;
    if (t == PTX_PRED) {
        d->op->dst = decode_result(d, in->operands[0], t, false);
        d->op->src[0] = decode_predicate(d, in->operands[1], 0);
    } else if (t == PTX_B128) {
        d->bad = true;
    } else {
        d->op->dst = decode_result(d, in->operands[0], t, is_wide(t));
        d->op->src[0] = decode_source(d, in->operands[1], t, is_wide(t));
    }
    d->op->fn = select_move(in->form, d->op);
    d->bad |= !d->op->fn;
}

bool decode_move(struct decoder *d) {
    const struct ptx_instruction *in = d->in;
    if (in->form->op != PTX_OP_MOV)
        return false;
    if (in->n_operands != 2 || in->form->n_types != 1 || in->form->vector != 1)
        d->bad = true;
    else if (in->operands[0]->kind == PTX_OPND_VECTOR)
        decode_vector_move(d, in->operands[0], in->operands[1], true);
    else if (in->operands[1]->kind == PTX_OPND_VECTOR)
        decode_vector_move(d, in->operands[1], in->operands[0], false);
    else
        decode_plain_move(d, in->form->types[0]);
    return true;
}

/* lower_mem.c - loads and stores.
 *
 * Global, constant, local and generic addresses are addresses of one memory;
 * shared memory has its own.
 */
#include "lower.h"

#include "base/bits.h"

enum { SHARED_LOAD = ISA_lds_b32 - ISA_ldg_b32 };

/* The operation that loads a number of type t, or stores one. */
static int load_op(enum ptx_type t, bool shared) {
    int op = ISA_ldg_b32;
    if (ptx_type_bits(t) == 8)
        op = ptx_type_kind(t) == 's' ? ISA_ldg_s8 : ISA_ldg_u8;
    else if (ptx_type_bits(t) == 16)
        op = ptx_type_kind(t) == 's' ? ISA_ldg_s16 : ISA_ldg_u16;
    return shared ? op + SHARED_LOAD : op;
}

static int store_op(enum ptx_type t, bool shared) {
    int op = ptx_type_bits(t) == 8    ? ISA_stg_b8
             : ptx_type_bits(t) == 16 ? ISA_stg_b16
                                      : ISA_stg_b32;
    return shared ? op + SHARED_LOAD : op;
}

/* An address: a value and a number to add. */
struct address {
    mc_value base;
    uint32_t offset;
};

static struct address variable_address(struct lower *l,
                                       const struct ptx_variable *v,
                                       int64_t offset) {
    struct address a = {MC_TRUE, lower_place(l, v) + (uint32_t)offset};
    if (v->space == PTX_SPACE_SHARED)
        a.base = lower_number(l, 0);
    else if (v->space == PTX_SPACE_LOCAL)
        a.base = lower_frame(l);
    else if (v->space == PTX_SPACE_GLOBAL || v->space == PTX_SPACE_CONST)
        a.base = lower_param(l, ISA_WORD_DATA);
    else
        lower_refuse(l, "the address of a parameter");
    return a;
}

/* A machine's address is the low 32 bits of PTX's, so a number beyond them
 * would name another place. */
static bool fits(int64_t number) {
    return number >= INT32_MIN && number <= UINT32_MAX;
}

static struct address address_of(struct lower *l, const struct ptx_operand *o) {
    struct address a = {MC_TRUE, (uint32_t)o->offset};
    if (o->kind != PTX_OPND_ADDRESS || o->n_items != 1) {
        lower_refuse(l, "this address");
        return a;
    }
    const struct ptx_operand *base = o->items[0];
    if (!fits(o->offset) || !fits(base->offset) ||
        (base->kind == PTX_OPND_VALUE && !fits((int64_t)base->value.bits)))
        lower_refuse(l, "an address of more than 32 bits");
    if (base->kind == PTX_OPND_VARIABLE)
        return variable_address(l, base->variable, o->offset + base->offset);
    if (base->kind == PTX_OPND_VALUE) {
        a.base = lower_number(l, 0);
        a.offset += (uint32_t)base->value.bits;
        return a;
    }
    a.base = lower_operand(l, base, PTX_B32).lo;
    a.offset += (uint32_t)base->offset;
    return a;
}

/* An offset that does not fit is added first. */
static void fit(struct lower *l, struct address *a, uint32_t last) {
    uint32_t end = a->offset + last;
    if ((uint32_t)bits_signed(a->offset, 24) == a->offset &&
        (uint32_t)bits_signed(end, 24) == end)
        return;
    a->base = lower_opn(l, ISA_add, a->base, a->offset);
    a->offset = 0;
}

/* A memory instruction with the guard of the present one. */
static struct mc_insn *access(struct lower *l, int op, struct address a,
                              uint32_t offset) {
    struct mc_insn *i = lower_emit(l, op);
    i->a = a.base;
    i->imm = true;
    i->value = a.offset + offset;
    i->guard = l->guard;
    i->unless = l->unless;
    i->whole = true;
    return i;
}

static mc_value load_word(struct lower *l, int op, struct address a,
                          uint32_t offset) {
    mc_value d = mc_new(l->m, MC_REGISTER);
    access(l, op, a, offset)->d = d;
    return d;
}

static struct wide load(struct lower *l, enum ptx_type t, bool shared,
                        struct address a, uint32_t offset, bool high) {
    struct wide d = {load_word(l, load_op(t, shared), a, offset), MC_NONE};
    if (ptx_type_bits(t) == 64 && high)
        d.hi = load_word(l, load_op(t, shared), a, offset + 4);
    return d;
}

/* --- the space of an access ----------------------------------------------- */

/* Of a variable that is named, its own; else what the instruction says. */
static enum ptx_space space_of(struct lower *l, const struct ptx_operand *o) {
    enum ptx_space s = l->in->form->space;
    if (s == PTX_SPACE_NONE && o->kind == PTX_OPND_ADDRESS && o->n_items == 1 &&
        o->items[0]->kind == PTX_OPND_VARIABLE)
        s = o->items[0]->variable->space;
    if (s == PTX_SPACE_NONE && l->has_shared_generic)
        lower_refuse(l, "an address whose space is known only when it runs");
    return s;
}

/* --- loads and stores ----------------------------------------------------- */

enum { MAX_VECTOR = 8 };

static bool lower_load(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_operand *to = in->operands[0];
    enum ptx_type t = in->form->n_types ? in->form->types[0] : PTX_B32;
    uint32_t bytes = (uint32_t)ptx_type_bits(t) / 8;
    int n = in->form->vector;
    if (space_of(l, in->operands[1]) == PTX_SPACE_PARAM)
        return lower_load_param(l);
    if (n > MAX_VECTOR ||
        (n > 1 && (to->kind != PTX_OPND_VECTOR || to->n_items != n)))
        return false;
    bool shared = space_of(l, in->operands[1]) == PTX_SPACE_SHARED;
    struct address a = address_of(l, in->operands[1]);
    struct wide d[MAX_VECTOR];
    fit(l, &a, bytes * (uint32_t)n);
    for (int i = 0; i < n; i++) {
        const struct ptx_operand *o = n > 1 ? to->items[i] : to;
        d[i] =
            load(l, t, shared, a, bytes * (uint32_t)i, lower_wants_high(l, o));
    }
    for (int i = 0; i < n; i++)
        lower_result(l, n > 1 ? to->items[i] : to, t, d[i]);
    return true;
}

static bool lower_store(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_operand *from = in->operands[1];
    enum ptx_type t = in->form->n_types ? in->form->types[0] : PTX_B32;
    uint32_t bytes = (uint32_t)ptx_type_bits(t) / 8;
    int n = in->form->vector;
    enum ptx_space space = space_of(l, in->operands[0]);
    if (space == PTX_SPACE_PARAM || n > MAX_VECTOR ||
        (n > 1 && (from->kind != PTX_OPND_VECTOR || from->n_items != n)))
        return false;
    bool shared = space == PTX_SPACE_SHARED;
    struct address a = address_of(l, in->operands[0]);
    fit(l, &a, bytes * (uint32_t)n);
    for (int i = 0; i < n; i++) {
        struct wide v = lower_operand(l, n > 1 ? from->items[i] : from, t);
        uint32_t offset = bytes * (uint32_t)i;
        access(l, store_op(t, shared), a, offset)->c = v.lo;
        if (bytes == 8)
            access(l, store_op(t, shared), a, offset + 4)->c = v.hi;
    }
    return true;
}

bool lower_memory(struct lower *l) {
    switch (l->in->form->op) {
    case PTX_OP_LD:
    case PTX_OP_LDU:
        return l->in->n_operands == 2 && lower_load(l);
    case PTX_OP_ST:
        return l->in->n_operands == 2 && lower_store(l);
    case PTX_OP_PREFETCH:
    case PTX_OP_PREFETCHU:
        return true; /* a hint */
    default:
        return false;
    }
}

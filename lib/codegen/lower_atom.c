/* lower_atom.c - atom and red; those of 64 bits in lower_atom_long.c.
 *
 * The memory does words: add, min, max, and, or, xor, exch, cas.  The others
 * (f32 add, inc, dec) read, compute, and try to put the result in place of what
 * they read until that succeeds.
 */
#include "lower.h"

enum { SHARED_ATOMIC = ISA_ats_add - ISA_atg_add };

static int memory_op(enum ptx_modifier m, enum ptx_type t) {
    bool s = ptx_type_kind(t) == 's';
    switch (m) {
    case PTX_MOD_ADD:
        return t == PTX_F32 ? ISA_ILLEGAL : ISA_atg_add;
    case PTX_MOD_MIN:
        return s ? ISA_atg_mins : ISA_atg_minu;
    case PTX_MOD_MAX:
        return s ? ISA_atg_maxs : ISA_atg_maxu;
    case PTX_MOD_AND:
        return ISA_atg_and;
    case PTX_MOD_OR:
        return ISA_atg_or;
    case PTX_MOD_XOR:
        return ISA_atg_xor;
    case PTX_MOD_EXCH:
        return ISA_atg_exch;
    case PTX_MOD_CAS:
        return ISA_atg_cas;
    default:
        return ISA_ILLEGAL;
    }
}

/* What an instruction does, apart from where. */
struct operation {
    int op; /* of global memory; 0: a loop */
    enum ptx_modifier modifier;
    bool is_long, sign; /* of 64 bits; signed */
    struct wide v, w;   /* w: of cas */
};

/* The address with its offset added. */
static mc_value address_of(struct lower *l, const struct ptx_operand *o) {
    if (o->kind != PTX_OPND_ADDRESS || o->n_items != 1) {
        lower_refuse(l, "this address");
        return MC_TRUE;
    }
    const struct ptx_operand *base = o->items[0];
    mc_value a = lower_operand(l, base, PTX_B32).lo;
    int64_t offset = o->offset;
    if (base->kind == PTX_OPND_REGISTER)
        offset += base->offset;
    return offset ? lower_opn(l, ISA_add, a, (uint32_t)offset) : a;
}

static mc_value atomic(struct lower *l, int op, mc_value a, mc_value b,
                       mc_value c) {
    mc_value d = mc_new(l->m, MC_REGISTER);
    struct mc_insn *i = lower_emit(l, op);
    i->d = d;
    i->a = a;
    i->b = b;
    i->c = c;
    return d;
}

/* What a loop puts in place of old.  In PTX additions of f32 to global memory
 * take subnormals as zeros, those to shared memory do not. */
static mc_value next_value(struct lower *l, mc_value old, mc_value v,
                           enum ptx_modifier m, bool shared) {
    mc_value p, zero = lower_number(l, 0);
    if (m == PTX_MOD_ADD)
        return seq_f32(l, ISA_fadd, old, v, MC_NONE, !shared);
    if (m == PTX_MOD_INC) { /* old >= v ? 0 : old + 1 */
        p = lower_op2(l, ISA_setgeu, old, v);
        return lower_sel(l, zero, lower_opn(l, ISA_add, old, 1), p, false);
    }
    /* dec: old == 0 or old > v ? v : old - 1, which is one comparison */
    mc_value less = lower_opn(l, ISA_sub, old, 1);
    p = lower_op2(l, ISA_setgeu, less, v);
    return lower_sel(l, v, less, p, false);
}

static mc_value loop(struct lower *l, bool shared, mc_value a, mc_value v,
                     enum ptx_modifier m) {
    int again = mc_label(l->m);
    mc_value old = mc_new(l->m, MC_REGISTER);
    struct mc_insn *i = lower_emit(l, shared ? ISA_lds_b32 : ISA_ldg_b32);
    i->d = old;
    i->a = a;
    i->imm = true;
    lower_label(l, again);
    mc_value now = next_value(l, old, v, m, shared);
    mc_value got = atomic(l, shared ? ISA_ats_cas : ISA_atg_cas, a, old, now);
    mc_value p = lower_op2(l, ISA_setne, got, old);
    lower_move(l, old, got, MC_NONE, false);
    lower_branch(l, again, p, false);
    return old;
}

/* The operation where the address is of one space. */
static struct wide in_space(struct lower *l, const struct operation *o,
                            bool shared, mc_value a) {
    struct wide d = {MC_NONE, MC_NONE};
    bool cas = o->modifier == PTX_MOD_CAS;
    if (o->is_long)
        return lower_atom_long(l, shared, a, o->modifier, o->sign, o->v, o->w);
    if (!o->op)
        d.lo = loop(l, shared, a, o->v.lo, o->modifier);
    else
        d.lo = atomic(l, shared ? o->op + SHARED_ATOMIC : o->op, a,
                      cas ? o->v.lo : MC_NONE, cas ? o->w.lo : o->v.lo);
    return d;
}

static void keep(struct lower *l, struct wide d, struct wide v) {
    lower_move(l, d.lo, v.lo, MC_NONE, false);
    if (v.hi != MC_NONE)
        lower_move(l, d.hi, v.hi, MC_NONE, false);
}

/* Of shared memory where the generic address is, else of global memory. */
static struct wide in_either(struct lower *l, const struct operation *o,
                             mc_value a) {
    struct wide d = {mc_new(l->m, MC_REGISTER), MC_NONE};
    int elsewhere = mc_label(l->m), end = mc_label(l->m);
    if (o->is_long)
        d.hi = mc_new(l->m, MC_REGISTER);
    lower_branch(l, elsewhere, lower_is_global(l, a), true);
    keep(l, d, in_space(l, o, false, a));
    lower_branch(l, end, MC_NONE, false);
    lower_label(l, elsewhere);
    keep(l, d, in_space(l, o, true, lower_to_shared(l, a)));
    lower_label(l, end);
    return d;
}

/* False: no such operation. */
static bool operation_of(const struct ptx_form *f, struct operation *o) {
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    o->modifier = ptx_modifier_of(f, PTX_GROUP_OPERATION);
    o->is_long = ptx_type_bits(t) == 64;
    o->sign = ptx_type_kind(t) == 's';
    o->op = memory_op(o->modifier, t);
    if (ptx_type_bits(t) != 32 && !o->is_long)
        return false;
    if (o->op || o->is_long)
        return o->op && f->vector == 1;
    return f->vector == 1 &&
           ((o->modifier == PTX_MOD_ADD && t == PTX_F32) ||
            o->modifier == PTX_MOD_INC || o->modifier == PTX_MOD_DEC);
}

static bool lower_atom(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    const struct ptx_form *f = in->form;
    bool red = f->op == PTX_OP_RED;
    int at = red ? 0 : 1, n = in->n_operands, skip = -1;
    struct operation o = {.w = {MC_NONE, MC_NONE}};
    if (!operation_of(f, &o) || n != at + 2 + (o.modifier == PTX_MOD_CAS))
        return false;
    mc_value a = address_of(l, in->operands[at]);
    struct wide d;
    o.v = lower_source(l, at + 1, f->types[0]);
    if (o.modifier == PTX_MOD_CAS)
        o.w = lower_source(l, at + 2, f->types[0]);
    if (l->guard != MC_NONE) { /* around it: a loop cannot be guarded */
        skip = mc_label(l->m);
        lower_branch(l, skip, l->guard, !l->unless);
    }
    if (f->space == PTX_SPACE_NONE && l->has_shared_generic)
        d = in_either(l, &o, a);
    else
        d = in_space(l, &o, f->space == PTX_SPACE_SHARED, a);
    mc_value guard = l->guard;
    l->guard = MC_NONE;
    if (!red)
        lower_result(l, in->operands[0], f->types[0], d);
    l->guard = guard;
    if (skip >= 0)
        lower_label(l, skip);
    return true;
}

bool lower_atomic(struct lower *l) {
    enum ptx_opcode op = l->in->form->op;
    return (op == PTX_OP_ATOM || op == PTX_OP_RED) && lower_atom(l);
}

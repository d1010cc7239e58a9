/* lower_atom_long.c - atom and red of 64 bits.
 *
 * The memory changes one word at a time.  A word of the module's data is the
 * lock of all of them: the lane that has it reads, computes and writes, and
 * lets go before its warp goes round again; the words are read and written by
 * atomics, which no cache answers.  So a 64-bit atomic is one towards others of
 * 64 bits, not towards accesses of other sizes to the same words.  A launch that
 * ends by a fault may leave the lock taken: load the module again.
 */
#include "pair.h"

enum { SHARED_ATOMIC = ISA_ats_add - ISA_atg_add };

bool lower_needs_lock(const struct ptx_function *f) {
    for (int pc = 0; pc < f->n_instructions; pc++) {
        const struct ptx_form *form = f->instructions[pc].form;
        if ((form->op == PTX_OP_ATOM || form->op == PTX_OP_RED) &&
            form->n_types && ptx_type_bits(form->types[0]) == 64)
            return true;
    }
    return false;
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

static struct wide words(struct lower *l, int op, struct wide a,
                         struct wide b) {
    return (struct wide){lower_op2(l, op, a.lo, b.lo),
                         lower_op2(l, op, a.hi, b.hi)};
}

/* What is written in place of old; false: not known. */
static bool next_value(struct lower *l, enum ptx_modifier m, bool sign,
                       struct wide old, struct wide v, struct wide w,
                       struct wide *d) {
    mc_value p;
    switch (m) {
    case PTX_MOD_ADD:
        *d = lower_pair_add(l, old, v, true);
        return true;
    case PTX_MOD_MIN:
    case PTX_MOD_MAX:
        p = lower_pair_less(l, v, old, sign);
        *d = lower_pair_sel(l, v, old, p, m == PTX_MOD_MAX, true);
        return true;
    case PTX_MOD_AND:
        *d = words(l, ISA_and, old, v);
        return true;
    case PTX_MOD_OR:
        *d = words(l, ISA_or, old, v);
        return true;
    case PTX_MOD_XOR:
        *d = words(l, ISA_xor, old, v);
        return true;
    case PTX_MOD_EXCH:
        *d = v;
        return true;
    case PTX_MOD_CAS:
        p = lower_pred(l, ISA_pand, lower_op2(l, ISA_seteq, old.lo, v.lo),
                       false, lower_op2(l, ISA_seteq, old.hi, v.hi), false);
        *d = lower_pair_sel(l, w, old, p, false, true);
        return true;
    default:
        return false;
    }
}

struct wide lower_atom_long(struct lower *l, bool shared, mc_value a,
                            enum ptx_modifier m, bool sign, struct wide v,
                            struct wide w) {
    int again = mc_label(l->m), skip = mc_label(l->m);
    int space = shared ? SHARED_ATOMIC : 0;
    struct wide old = {mc_new(l->m, MC_REGISTER), mc_new(l->m, MC_REGISTER)};
    mc_value lock =
        lower_opn(l, ISA_add, lower_param(l, ISA_WORD_DATA), l->lock);
    mc_value zero = lower_number(l, 0), one = lower_number(l, 1);
    mc_value high = lower_opn(l, ISA_add, a, 4);
    lower_label(l, again);
    mc_value got = atomic(l, ISA_atg_cas, lock, zero, one);
    mc_value mine = lower_opn(l, ISA_seteq, got, 0);
    lower_branch(l, skip, mine, true);
    struct wide now = {atomic(l, ISA_atg_or + space, a, MC_NONE, zero),
                       atomic(l, ISA_atg_or + space, high, MC_NONE, zero)};
    lower_move(l, old.lo, now.lo, MC_NONE, false);
    lower_move(l, old.hi, now.hi, MC_NONE, false);
    struct wide d;
    if (!next_value(l, m, sign, old, v, w, &d)) {
        lower_refuse(l, "the machines cannot do that");
        return v;
    }
    atomic(l, ISA_atg_exch + space, a, MC_NONE, d.lo);
    atomic(l, ISA_atg_exch + space, high, MC_NONE, d.hi);
    lower_emit(l, ISA_membar);
    atomic(l, ISA_atg_exch, lock, MC_NONE, zero);
    lower_label(l, skip);
    lower_branch(l, again, mine, true);
    return old;
}

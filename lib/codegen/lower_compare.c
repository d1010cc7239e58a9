/* lower_compare.c - setp and set. */
#include "lower.h"

/* The comparison of integers as an operation of the machine. */
static int integer_op(enum ptx_modifier m, bool is_signed) {
    switch (m) {
    case PTX_MOD_EQ:
        return ISA_seteq;
    case PTX_MOD_NE:
        return ISA_setne;
    case PTX_MOD_LT:
        return is_signed ? ISA_setlts : ISA_setltu;
    case PTX_MOD_LE:
        return is_signed ? ISA_setles : ISA_setleu;
    case PTX_MOD_GT:
        return is_signed ? ISA_setgts : ISA_setgtu;
    case PTX_MOD_GE:
        return is_signed ? ISA_setges : ISA_setgeu;
    case PTX_MOD_LO:
        return ISA_setltu;
    case PTX_MOD_LS:
        return ISA_setleu;
    case PTX_MOD_HI:
        return ISA_setgtu;
    case PTX_MOD_HS:
        return ISA_setgeu;
    default:
        return ISA_ILLEGAL;
    }
}

static int float_op(enum ptx_modifier m) {
    switch (m) {
    case PTX_MOD_EQ:
        return ISA_fseteq;
    case PTX_MOD_NE:
        return ISA_fsetne;
    case PTX_MOD_LT:
        return ISA_fsetlt;
    case PTX_MOD_LE:
        return ISA_fsetle;
    case PTX_MOD_GT:
        return ISA_fsetgt;
    case PTX_MOD_GE:
        return ISA_fsetge;
    case PTX_MOD_EQU:
        return ISA_fsetequ;
    case PTX_MOD_NEU:
        return ISA_fsetneu;
    case PTX_MOD_LTU:
        return ISA_fsetltu;
    case PTX_MOD_LEU:
        return ISA_fsetleu;
    case PTX_MOD_GTU:
        return ISA_fsetgtu;
    case PTX_MOD_GEU:
        return ISA_fsetgeu;
    case PTX_MOD_NAN:
    case PTX_MOD_NUM:
        return ISA_fsetnan;
    default:
        return ISA_ILLEGAL;
    }
}

/* The predicate of a comparison of operands 1 and 2. */
static bool compared(struct lower *l, mc_value *p, bool *inverted) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = f->types[f->n_types - 1];
    enum ptx_modifier how = ptx_modifier_of(f, PTX_GROUP_COMPARE);
    *inverted = false;
    if (ptx_type_bits(t) == 64)
        return lower_compare_wide(l, p, inverted);
    int op =
        t == PTX_F32 ? float_op(how) : integer_op(how, ptx_type_kind(t) == 's');
    if (!op)
        return false;
    mc_value a = lower_extend(l, lower_source(l, 1, t).lo, t);
    mc_value b = lower_extend(l, lower_source(l, 2, t).lo, t);
    *p = lower_op2(l, op, a, b);
    *inverted = how == PTX_MOD_NUM;
    if (t == PTX_F32)
        l->m->list.v[l->m->list.n - 1].ftz = ptx_has(f, PTX_MOD_FTZ);
    return true;
}

/* (p op c), where the instruction has a third source. */
static bool combined(struct lower *l, mc_value *p, bool *inverted) {
    const struct ptx_form *f = l->in->form;
    if (l->in->n_operands != 4)
        return true;
    int op = ptx_has(f, PTX_MOD_AND)   ? ISA_pand
             : ptx_has(f, PTX_MOD_OR)  ? ISA_por
             : ptx_has(f, PTX_MOD_XOR) ? ISA_pxor
                                       : ISA_ILLEGAL;
    bool not_c;
    mc_value c = lower_pred_source(l, l->in->operands[3], &not_c);
    if (!op)
        return false;
    *p = lower_pred(l, op, *p, *inverted, c, not_c);
    *inverted = false;
    return true;
}

static bool lower_setp(struct lower *l) {
    const struct ptx_operand *o = l->in->operands[0];
    mc_value p, q = MC_NONE;
    bool not_p, not_q;
    if (!compared(l, &p, &not_p))
        return false;
    q = p;
    not_q = !not_p;
    if (!combined(l, &p, &not_p))
        return false;
    if (o->second && !combined(l, &q, &not_q))
        return false;
    /* the one that is the guard of both is written last */
    bool guards =
        o->second && o->kind == PTX_OPND_REGISTER && o->reg == l->in->guard;
    if (o->kind == PTX_OPND_REGISTER && !guards)
        lower_pred_result(l, o->reg, p, not_p);
    if (o->second)
        lower_pred_result(l, o->second, q, not_q);
    if (guards)
        lower_pred_result(l, o->reg, p, not_p);
    return true;
}

static bool lower_set(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    mc_value p;
    bool inverted;
    if (f->n_types != 2 || !compared(l, &p, &inverted) ||
        !combined(l, &p, &inverted))
        return false;
    uint32_t one = f->types[0] == PTX_F32 ? 0x3f800000 : UINT32_MAX;
    mc_value d =
        lower_sel(l, lower_number(l, one), lower_number(l, 0), p, inverted);
    lower_result(l, l->in->operands[0], f->types[0], (struct wide){d, MC_NONE});
    return true;
}

bool lower_compare(struct lower *l) {
    enum ptx_opcode op = l->in->form->op;
    if (l->in->form->n_types == 0)
        return false;
    return op == PTX_OP_SETP ? lower_setp(l) : op == PTX_OP_SET && lower_set(l);
}

/* lower_lanes.c - redux.sync and match.sync: lanes of a member mask, one after
 * another, by shuffles and votes.
 *
 * All lanes of a mask go round the loop together and leave it together; lanes
 * of another mask that are under way at the same time do no harm.
 */
#include "lower.h"

static mc_value made(struct lower *l, mc_value from) {
    mc_value d = mc_new(l->m, MC_REGISTER);
    lower_move(l, d, from, MC_NONE, false);
    return d;
}

/* The number of the lowest one in m, which has one. */
static mc_value lowest(struct lower *l, mc_value m) {
    mc_value turned = lower_op(l, ISA_brev, m, MC_NONE, MC_NONE);
    return lower_op(l, ISA_clz, turned, MC_NONE, MC_NONE);
}

static mc_value from_lane(struct lower *l, mc_value v, mc_value lane) {
    mc_value d = lower_op(l, ISA_shfl_idx, v, lane, lower_number(l, 31));
    l->m->list.v[l->m->list.n - 1].whole = true;
    return d;
}

static mc_value ballot(struct lower *l, mc_value p) {
    mc_value d = lower_op(l, ISA_vote, MC_NONE, MC_NONE, p);
    l->m->list.v[l->m->list.n - 1].whole = true;
    return d;
}

static int operation(enum ptx_modifier m, bool is_signed) {
    switch (m) {
    case PTX_MOD_ADD:
        return ISA_add;
    case PTX_MOD_MIN:
        return is_signed ? ISA_mins : ISA_minu;
    case PTX_MOD_MAX:
        return is_signed ? ISA_maxs : ISA_maxu;
    case PTX_MOD_AND:
        return ISA_and;
    case PTX_MOD_OR:
        return ISA_or;
    case PTX_MOD_XOR:
        return ISA_xor;
    default:
        return ISA_ILLEGAL;
    }
}

static bool lower_redux(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = f->types[0];
    int op = operation(ptx_modifier_of(f, PTX_GROUP_OPERATION),
                       ptx_type_kind(t) == 's');
    int again = mc_label(l->m);
    if (op == ISA_ILLEGAL || ptx_type_bits(t) != 32 || l->in->guard)
        return false;
    mc_value v = made(l, lower_source(l, 1, PTX_B32).lo);
    mc_value left = made(l, lower_source(l, 2, PTX_B32).lo);
    mc_value sum = made(l, from_lane(l, v, lowest(l, left)));
    lower_label(l, again);
    mc_value done = lower_opn(l, ISA_sub, left, 1);
    lower_move(l, left, lower_op2(l, ISA_and, left, done), MC_NONE, false);
    mc_value more = lower_opn(l, ISA_setne, left, 0);
    mc_value next = from_lane(l, v, lowest(l, left));
    lower_move(l, sum, lower_op2(l, op, sum, next), more, false);
    lower_branch(l, again, more, false);
    lower_result(l, l->in->operands[0], PTX_B32, (struct wide){sum, MC_NONE});
    return true;
}

/* Whether the value of this lane is that of another. */
static mc_value same(struct lower *l, struct wide v, bool is_wide,
                     mc_value lane) {
    mc_value p = lower_op2(l, ISA_seteq, v.lo, from_lane(l, v.lo, lane));
    if (!is_wide)
        return p;
    mc_value q = lower_op2(l, ISA_seteq, v.hi, from_lane(l, v.hi, lane));
    return lower_pred(l, ISA_pand, p, false, q, false);
}

static void match_all(struct lower *l, struct wide v, bool is_wide,
                      mc_value members) {
    const struct ptx_operand *o = l->in->operands[0];
    mc_value p = same(l, v, is_wide, lowest(l, members));
    mc_value found = lower_op2(l, ISA_and, ballot(l, p), members);
    mc_value all = lower_op2(l, ISA_seteq, found, members);
    mc_value d = lower_sel(l, members, lower_number(l, 0), all, false);
    struct ptx_operand first = *o;
    first.second = NULL;
    lower_result(l, &first, PTX_B32, (struct wide){d, MC_NONE});
    if (o->second)
        lower_pred_result(l, o->second, all, false);
}

static void match_any(struct lower *l, struct wide v, bool is_wide,
                      mc_value members) {
    int again = mc_label(l->m);
    mc_value left = made(l, members), d = made(l, lower_number(l, 0));
    lower_label(l, again);
    mc_value p = same(l, v, is_wide, lowest(l, left));
    mc_value found = lower_op2(l, ISA_and, ballot(l, p), members);
    lower_move(l, d, found, p, false);
    lower_move(l, left, lower_op2(l, ISA_andn, left, found), MC_NONE, false);
    lower_branch(l, again, lower_opn(l, ISA_setne, left, 0), false);
    lower_result(l, l->in->operands[0], PTX_B32, (struct wide){d, MC_NONE});
}

static bool lower_match(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    bool is_wide = ptx_type_bits(f->types[0]) == 64;
    if (l->in->guard || l->in->operands[0]->kind != PTX_OPND_REGISTER)
        return false;
    struct wide v = lower_source(l, 1, f->types[0]);
    v.lo = made(l, v.lo);
    if (is_wide)
        v.hi = made(l, v.hi);
    mc_value members = made(l, lower_source(l, 2, PTX_B32).lo);
    if (ptx_has(f, PTX_MOD_ALL))
        match_all(l, v, is_wide, members);
    else
        match_any(l, v, is_wide, members);
    return true;
}

bool lower_lanes(struct lower *l) {
    enum ptx_opcode op = l->in->form->op;
    return (op == PTX_OP_REDUX && lower_redux(l)) ||
           (op == PTX_OP_MATCH && lower_match(l));
}

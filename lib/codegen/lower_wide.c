/* lower_wide.c - moves, and arithmetic on 64-bit values as pairs of words.
 *
 * The high word is computed only where somebody wants it (narrow.c).
 */
#include "pair.h"

static enum ptx_type type_of(const struct lower *l) {
    const struct ptx_form *f = l->in->form;
    return f->n_types ? f->types[0] : PTX_B32;
}

static bool is_wide_type(enum ptx_type t) {
    return ptx_type_bits(t) == 64;
}

static bool wants_high(const struct lower *l) {
    return lower_wants_high(l, l->in->operands[0]);
}

static void result(struct lower *l, enum ptx_type t, mc_value lo, mc_value hi) {
    lower_result(l, l->in->operands[0], t, (struct wide){lo, hi});
}

/* --- pairs ---------------------------------------------------------------- */

struct wide lower_pair_add(struct lower *l, struct wide a, struct wide b,
                           bool high) {
    struct wide d = {lower_op2(l, ISA_add, a.lo, b.lo), MC_NONE};
    if (high)
        d.hi = lower_op(l, ISA_add3, a.hi, b.hi,
                        lower_op2(l, ISA_carry, a.lo, b.lo));
    return d;
}

struct wide lower_pair_sub(struct lower *l, struct wide a, struct wide b,
                           bool high) {
    struct wide d = {lower_op2(l, ISA_sub, a.lo, b.lo), MC_NONE};
    if (high)
        d.hi = lower_op2(l, ISA_sub, lower_op2(l, ISA_sub, a.hi, b.hi),
                         lower_op2(l, ISA_borrow, a.lo, b.lo));
    return d;
}

struct wide lower_pair_mul(struct lower *l, struct wide a, struct wide b,
                           bool high) {
    struct wide d = {lower_op2(l, ISA_mul, a.lo, b.lo), MC_NONE};
    if (high) {
        d.hi = lower_op2(l, ISA_mulhu, a.lo, b.lo);
        d.hi = lower_op(l, ISA_mad, a.lo, b.hi, d.hi);
        d.hi = lower_op(l, ISA_mad, a.hi, b.lo, d.hi);
    }
    return d;
}

/* a << n, n a value of 32 bits; what a shift by 32 and more leaves is 0. */
struct wide lower_pair_shl(struct lower *l, struct wide a, mc_value n,
                           bool high) {
    struct wide d = {lower_op2(l, ISA_shl, a.lo, n), MC_NONE};
    if (high) {
        /* the bits of lo that cross: lo >> (32 - n), or lo << (n - 32) */
        mc_value x = lower_op2(l, ISA_shr, a.lo, lower_opn(l, ISA_rsub, n, 32));
        mc_value y = lower_op2(l, ISA_shl, a.lo, lower_opn(l, ISA_sub, n, 32));
        mc_value z = lower_op2(l, ISA_shl, a.hi, n);
        d.hi = lower_op2(l, ISA_or, lower_op2(l, ISA_or, x, y), z);
    }
    return d;
}

struct wide lower_pair_shr(struct lower *l, struct wide a, mc_value n,
                           bool is_signed) {
    mc_value low = lower_op2(l, ISA_shr, a.lo, n);
    mc_value x = lower_op2(l, ISA_shl, a.hi, lower_opn(l, ISA_rsub, n, 32));
    mc_value over = lower_opn(l, ISA_sub, n, 32);
    mc_value y = lower_op2(l, is_signed ? ISA_sar : ISA_shr, a.hi, over);
    mc_value p = lower_opn(l, ISA_setgtu, n, 31);
    return (struct wide){
        lower_sel(l, y, lower_op2(l, ISA_or, low, x), p, false),
        lower_op2(l, is_signed ? ISA_sar : ISA_shr, a.hi, n)};
}

/* a < b */
mc_value lower_pair_less(struct lower *l, struct wide a, struct wide b,
                         bool is_signed) {
    mc_value low = lower_op2(l, ISA_setltu, a.lo, b.lo);
    mc_value same = lower_op2(l, ISA_seteq, a.hi, b.hi);
    mc_value high =
        lower_op2(l, is_signed ? ISA_setlts : ISA_setltu, a.hi, b.hi);
    return lower_pred(l, ISA_por, high, false,
                      lower_pred(l, ISA_pand, same, false, low, false), false);
}

struct wide lower_pair_sel(struct lower *l, struct wide a, struct wide b,
                           mc_value p, bool inverted, bool high) {
    struct wide d = {lower_sel(l, a.lo, b.lo, p, inverted), MC_NONE};
    if (high)
        d.hi = lower_sel(l, a.hi, b.hi, p, inverted);
    return d;
}

/* --- instructions --------------------------------------------------------- */

/* mul.wide and mad.wide of 32-bit sources. */
static bool lower_mul_wide(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = type_of(l);
    if (ptx_type_bits(t) != 32)
        return false;
    bool s = ptx_type_kind(t) == 's', high = wants_high(l);
    mc_value a = lower_source(l, 1, t).lo, b = lower_source(l, 2, t).lo;
    struct wide d = {lower_op2(l, ISA_mul, a, b), MC_NONE};
    if (high)
        d.hi = lower_op2(l, s ? ISA_mulhs : ISA_mulhu, a, b);
    if (f->op == PTX_OP_MAD)
        d = lower_pair_add(l, d, lower_source(l, 3, PTX_U64), high);
    result(l, PTX_U64, d.lo, d.hi);
    return true;
}

static int logic_op(enum ptx_opcode op) {
    return op == PTX_OP_AND ? ISA_and : op == PTX_OP_OR ? ISA_or : ISA_xor;
}

static bool lower_pair_logic(struct lower *l) {
    enum ptx_type t = type_of(l);
    int op = logic_op(l->in->form->op);
    bool is_not = l->in->form->op == PTX_OP_NOT;
    struct wide a = lower_source(l, 1, t), b, d = {MC_NONE, MC_NONE};
    b.lo = b.hi = lower_number(l, UINT32_MAX);
    if (!is_not)
        b = lower_source(l, 2, t);
    d.lo = lower_op2(l, op, a.lo, b.lo);
    if (wants_high(l))
        d.hi = lower_op2(l, op, a.hi, b.hi);
    result(l, t, d.lo, d.hi);
    return true;
}

static bool lower_pair_extreme(struct lower *l) {
    enum ptx_type t = type_of(l);
    bool s = ptx_type_kind(t) == 's', most = l->in->form->op == PTX_OP_MAX;
    struct wide a = lower_source(l, 1, t), b = lower_source(l, 2, t);
    mc_value less = lower_pair_less(l, a, b, s);
    struct wide d = lower_pair_sel(l, a, b, less, most, wants_high(l));
    result(l, t, d.lo, d.hi);
    return true;
}

static bool lower_pair_abs(struct lower *l) {
    struct wide a = lower_source(l, 1, PTX_S64), zero;
    zero.lo = zero.hi = lower_number(l, 0);
    struct wide n = lower_pair_sub(l, zero, a, true);
    mc_value p = lower_opn(l, ISA_setlts, a.hi, 0);
    struct wide d = lower_pair_sel(l, n, a, p, false, true);
    result(l, PTX_S64, d.lo, d.hi);
    return true;
}

/* 1 of zero, 0 of all others. */
static bool lower_pair_cnot(struct lower *l) {
    struct wide a = lower_source(l, 1, PTX_B64);
    mc_value zero = lower_number(l, 0);
    mc_value p = lower_opn(l, ISA_seteq, lower_op2(l, ISA_or, a.lo, a.hi), 0);
    result(l, PTX_B64, lower_sel(l, lower_number(l, 1), zero, p, false), zero);
    return true;
}

/* c + |a - b| */
static bool lower_pair_sad(struct lower *l) {
    enum ptx_type t = type_of(l);
    struct wide a = lower_source(l, 1, t), b = lower_source(l, 2, t);
    mc_value p = lower_pair_less(l, a, b, ptx_type_kind(t) == 's');
    struct wide more = lower_pair_sel(l, b, a, p, false, true);
    struct wide less = lower_pair_sel(l, a, b, p, false, true);
    struct wide d = lower_pair_sub(l, more, less, true);
    d = lower_pair_add(l, lower_source(l, 3, t), d, true);
    result(l, t, d.lo, d.hi);
    return true;
}

static bool lower_pair_binary(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = type_of(l);
    bool high = wants_high(l);
    struct wide a = lower_source(l, 1, t), d;
    if (f->op == PTX_OP_SHL || f->op == PTX_OP_SHR) {
        mc_value n = lower_source(l, 2, PTX_U32).lo;
        d = f->op == PTX_OP_SHL
                ? lower_pair_shl(l, a, n, high)
                : lower_pair_shr(l, a, n, ptx_type_kind(t) == 's');
    } else if (f->op == PTX_OP_NEG) {
        struct wide zero;
        zero.lo = zero.hi = lower_number(l, 0);
        d = lower_pair_sub(l, zero, a, high);
    } else {
        struct wide b = lower_source(l, 2, t);
        d = f->op == PTX_OP_ADD   ? lower_pair_add(l, a, b, high)
            : f->op == PTX_OP_SUB ? lower_pair_sub(l, a, b, high)
                                  : lower_pair_mul(l, a, b, high);
        if (f->op == PTX_OP_MAD)
            d = lower_pair_add(l, d, lower_source(l, 3, t), high);
    }
    result(l, t, d.lo, d.hi);
    return true;
}

bool lower_compare_wide(struct lower *l, mc_value *p, bool *inverted) {
    const struct ptx_form *f = l->in->form;
    enum ptx_type t = f->types[f->n_types - 1];
    bool s = ptx_type_kind(t) == 's';
    struct wide a = lower_source(l, 1, t), b = lower_source(l, 2, t);
    mc_value same;
    switch (ptx_modifier_of(f, PTX_GROUP_COMPARE)) {
    case PTX_MOD_EQ:
    case PTX_MOD_NE:
        same = lower_op2(l, ISA_seteq, a.hi, b.hi);
        *p = lower_pred(l, ISA_pand, same, false,
                        lower_op2(l, ISA_seteq, a.lo, b.lo), false);
        *inverted = ptx_has(f, PTX_MOD_NE);
        return true;
    case PTX_MOD_LT:
    case PTX_MOD_LO:
    case PTX_MOD_GE:
    case PTX_MOD_HS:
        *p = lower_pair_less(l, a, b, s);
        *inverted = ptx_has(f, PTX_MOD_GE) || ptx_has(f, PTX_MOD_HS);
        return true;
    case PTX_MOD_GT:
    case PTX_MOD_HI:
    case PTX_MOD_LE:
    case PTX_MOD_LS:
        *p = lower_pair_less(l, b, a, s);
        *inverted = ptx_has(f, PTX_MOD_LE) || ptx_has(f, PTX_MOD_LS);
        return true;
    default:
        return false;
    }
}

/* --- moves ---------------------------------------------------------------- */

/* A copy that the writes to come cannot change. */
static mc_value copied(struct lower *l, mc_value v) {
    return lower_op2(l, ISA_mov, MC_NONE, v);
}

/* mov.b64 d, {a, b}; mov.b32 d, {a, b} */
static bool lower_pack(struct lower *l) {
    enum ptx_type t = type_of(l);
    const struct ptx_operand *o = l->in->operands[1];
    mc_value x[2];
    if (o->n_items != 2 || (!is_wide_type(t) && ptx_type_bits(t) != 32))
        return false;
    for (int i = 0; i < 2; i++)
        x[i] = copied(l, lower_operand(l, o->items[i],
                                       is_wide_type(t) ? PTX_B32 : PTX_B16)
                             .lo);
    if (is_wide_type(t)) {
        result(l, t, x[0], x[1]);
        return true;
    }
    mc_value low = lower_opn(l, ISA_and, x[0], 0xffff);
    result(l, t, lower_op2(l, ISA_or, low, lower_opn(l, ISA_shl, x[1], 16)),
           MC_NONE);
    return true;
}

static bool lower_unpack(struct lower *l) {
    enum ptx_type t = type_of(l);
    const struct ptx_operand *o = l->in->operands[0];
    struct wide a = lower_source(l, 1, t), d[2];
    if (o->n_items != 2 || (!is_wide_type(t) && ptx_type_bits(t) != 32))
        return false;
    d[0] = (struct wide){copied(l, a.lo), MC_NONE};
    d[1] = (struct wide){is_wide_type(t) ? copied(l, a.hi)
                                         : lower_opn(l, ISA_shr, a.lo, 16),
                         MC_NONE};
    for (int i = 0; i < 2; i++)
        lower_result(l, o->items[i], is_wide_type(t) ? PTX_B32 : PTX_B16, d[i]);
    return true;
}

static bool lower_mov(struct lower *l) {
    const struct ptx_instruction *in = l->in;
    enum ptx_type t = type_of(l);
    if (t == PTX_PRED || in->n_operands != 2)
        return false;
    if (in->operands[0]->kind == PTX_OPND_VECTOR)
        return lower_unpack(l);
    if (in->operands[1]->kind == PTX_OPND_VECTOR)
        return lower_pack(l);
    struct wide a = lower_source(l, 1, t);
    result(l, t, a.lo, a.hi);
    return true;
}

static bool lower_selp(struct lower *l) {
    enum ptx_type t = type_of(l);
    bool inverted;
    struct wide a = lower_source(l, 1, t), b = lower_source(l, 2, t);
    mc_value p = lower_pred_source(l, l->in->operands[3], &inverted);
    struct wide d = lower_pair_sel(l, a, b, p, inverted, wants_high(l));
    result(l, t, d.lo, d.hi);
    return true;
}

/* d = c >= 0 ? a : b */
static bool lower_slct(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    if (f->n_types != 2)
        return false;
    struct wide a = lower_source(l, 1, f->types[0]);
    struct wide b = lower_source(l, 2, f->types[0]);
    mc_value c = lower_source(l, 3, f->types[1]).lo, p;
    if (f->types[1] == PTX_F32) {
        p = lower_op2(l, ISA_fsetge, c, lower_f32(l, 0));
        l->m->list.v[l->m->list.n - 1].ftz = ptx_has(f, PTX_MOD_FTZ);
    } else {
        p = lower_opn(l, ISA_setges, c, 0);
    }
    struct wide d = lower_pair_sel(l, a, b, p, false, wants_high(l));
    result(l, f->types[0], d.lo, d.hi);
    return true;
}

bool lower_wide(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    switch (f->op) {
    case PTX_OP_MOV:
        return lower_mov(l);
    case PTX_OP_SELP:
        return lower_selp(l);
    case PTX_OP_SLCT:
        return lower_slct(l);
    case PTX_OP_MUL:
    case PTX_OP_MAD:
        if (ptx_has(f, PTX_MOD_CC))
            return false;
        if (ptx_has(f, PTX_MOD_WIDE))
            return lower_mul_wide(l);
        if (is_wide_type(type_of(l)) && ptx_has(f, PTX_MOD_HI))
            return lower_pair_high(l);
        return is_wide_type(type_of(l)) && ptx_has(f, PTX_MOD_LO) &&
               lower_pair_binary(l);
    default:
        break;
    }
    if (!is_wide_type(type_of(l)) || ptx_has(f, PTX_MOD_CC) ||
        ptx_has(f, PTX_MOD_SAT))
        return false;
    switch (f->op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_NEG:
    case PTX_OP_SHL:
    case PTX_OP_SHR:
        return lower_pair_binary(l);
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_NOT:
        return lower_pair_logic(l);
    case PTX_OP_MIN:
    case PTX_OP_MAX:
        return lower_pair_extreme(l);
    case PTX_OP_ABS:
        return lower_pair_abs(l);
    case PTX_OP_CNOT:
        return lower_pair_cnot(l);
    case PTX_OP_SAD:
        return lower_pair_sad(l);
    case PTX_OP_DIV:
    case PTX_OP_REM:
        return lower_pair_divide(l);
    case PTX_OP_BFE:
        return lower_pair_extract(l);
    case PTX_OP_BFI:
        return lower_pair_insert(l);
    default:
        return false;
    }
}

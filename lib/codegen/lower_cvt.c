/* lower_cvt.c - conversions between integers and f32. */
#include "pair.h"

#include "base/bits.h"

static bool is_signed(enum ptx_type t) {
    return ptx_type_kind(t) == 's';
}

static uint8_t rounding(const struct ptx_form *f, uint8_t otherwise) {
    switch (ptx_modifier_of(f, PTX_GROUP_ROUND)) {
    case PTX_MOD_RN:
    case PTX_MOD_RNI:
        return ISA_RN;
    case PTX_MOD_RZ:
    case PTX_MOD_RZI:
        return ISA_RZ;
    case PTX_MOD_RM:
    case PTX_MOD_RMI:
        return ISA_RM;
    case PTX_MOD_RP:
    case PTX_MOD_RPI:
        return ISA_RP;
    default:
        return otherwise;
    }
}

static struct mc_insn *last(struct lower *l) {
    return &l->m->list.v[l->m->list.n - 1];
}

/* Into the range of an integer type of fewer than 32 bits. */
static mc_value clamped(struct lower *l, mc_value v, enum ptx_type to,
                        bool from_signed) {
    int bits = ptx_type_bits(to);
    if (bits >= 32)
        return v;
    uint32_t top = (uint32_t)ones(is_signed(to) ? bits - 1 : bits);
    if (!from_signed)
        return lower_opn(l, ISA_minu, v, top);
    v = lower_opn(l, ISA_mins, v, top);
    return lower_opn(l, ISA_maxs, v, is_signed(to) ? ~top : 0);
}

/* cvt.sat between words of different signs. */
static mc_value clamped_word(struct lower *l, mc_value v, enum ptx_type to,
                             enum ptx_type from) {
    if (ptx_type_bits(to) < 32)
        return clamped(l, v, to, is_signed(from));
    if (is_signed(from) && !is_signed(to))
        return lower_opn(l, ISA_maxs, v, 0);
    if (!is_signed(from) && is_signed(to))
        return lower_opn(l, ISA_minu, v, 0x7fffffff);
    return v;
}

static bool integer_to_integer(struct lower *l, enum ptx_type to,
                               enum ptx_type from) {
    bool sat = ptx_has(l->in->form, PTX_MOD_SAT);
    struct wide a = lower_source(l, 1, from), d;
    if (sat && (ptx_type_bits(to) > 32 || ptx_type_bits(from) > 32))
        return false;
    d.lo = lower_extend(l, a.lo, from);
    d.hi = a.hi;
    if (sat)
        d.lo = clamped_word(l, d.lo, to, from);
    if (ptx_type_bits(from) < 64 && lower_wants_high(l, l->in->operands[0]))
        d.hi = is_signed(from) ? lower_opn(l, ISA_sar, d.lo, 31)
                               : lower_number(l, 0);
    if (ptx_type_bits(to) < ptx_type_bits(from))
        d.lo = lower_extend(l, d.lo, to);
    if (ptx_type_bits(to) < 64)
        d.hi = MC_NONE;
    lower_result(l, l->in->operands[0], to, d);
    return true;
}

/* The words of a 64-bit number as f32, rounded once: what lies below the top 32
 * bits only matters as being there or not. */
static mc_value from_wide(struct lower *l, struct wide a, enum ptx_type from,
                          uint8_t round) {
    mc_value sign = MC_NONE;
    if (is_signed(from)) {
        sign = lower_opn(l, ISA_sar, a.hi, 31);
        mc_value lo = lower_op2(l, ISA_xor, a.lo, sign);
        mc_value hi = lower_op2(l, ISA_xor, a.hi, sign);
        mc_value one = lower_opn(l, ISA_and, sign, 1);
        a.hi = lower_op2(l, ISA_add, hi, lower_op2(l, ISA_carry, lo, one));
        a.lo = lower_op2(l, ISA_add, lo, one);
    }
    /* the top 32 bits, shifted up by n; a sticky bit for the others */
    mc_value n = lower_op(l, ISA_clz, a.hi, MC_NONE, MC_NONE);
    mc_value rest = lower_opn(l, ISA_rsub, n, 32);
    mc_value top = lower_op2(l, ISA_or, lower_op2(l, ISA_shl, a.hi, n),
                             lower_op2(l, ISA_shr, a.lo, rest));
    mc_value low = lower_op2(l, ISA_shl, a.lo, n);
    mc_value some = lower_opn(l, ISA_minu, low, 1);
    top = lower_op2(l, ISA_or, top, some);
    if (sign != MC_NONE && round >= ISA_RM) {
        /* directed: the magnitude is rounded the other way */
        return MC_NONE;
    }
    mc_value f = lower_op(l, ISA_cvtfu, top, MC_NONE, MC_NONE);
    last(l)->round = round;
    mc_value scale =
        lower_opn(l, ISA_shl, lower_opn(l, ISA_add, rest, 127), 23);
    f = lower_op2(l, ISA_fmul, f, scale);
    if (sign != MC_NONE)
        f = lower_op2(l, ISA_or, f, lower_opn(l, ISA_shl, sign, 31));
    return f;
}

static bool integer_to_f32(struct lower *l, enum ptx_type from) {
    uint8_t round = rounding(l->in->form, ISA_RN);
    mc_value d;
    if (ptx_type_bits(from) == 64) {
        d = from_wide(l, lower_source(l, 1, from), from, round);
        if (d == MC_NONE)
            return false;
    } else {
        mc_value a = lower_extend(l, lower_source(l, 1, from).lo, from);
        d = lower_op(l, is_signed(from) ? ISA_cvtfs : ISA_cvtfu, a, MC_NONE,
                     MC_NONE);
        last(l)->round = round;
    }
    if (ptx_has(l->in->form, PTX_MOD_SAT))
        d = lower_op2(l, ISA_fmin, lower_op2(l, ISA_fmax, d, lower_f32(l, 0)),
                      lower_f32(l, 1));
    lower_result(l, l->in->operands[0], PTX_F32, (struct wide){d, MC_NONE});
    return true;
}

/* Words of a whole f32 that is not negative, 2^64 and more as all ones. */
static struct wide to_wide(struct lower *l, mc_value a) {
    struct wide d;
    mc_value scaled = lower_op2(l, ISA_fmul, a, lower_f32(l, 0x1p-32f));
    d.hi = lower_op(l, ISA_cvtuf, scaled, MC_NONE, MC_NONE);
    last(l)->round = ISA_RZ;
    mc_value above = lower_op(l, ISA_frnd, scaled, MC_NONE, MC_NONE);
    last(l)->round = ISA_RZ;
    mc_value below = lower_op(l, ISA_ffma, above, lower_f32(l, -0x1p32f), a);
    d.lo = lower_op(l, ISA_cvtuf, below, MC_NONE, MC_NONE);
    last(l)->round = ISA_RZ;
    mc_value over = lower_op2(l, ISA_fsetge, a, lower_f32(l, 0x1p64f));
    d.lo = lower_sel(l, lower_number(l, UINT32_MAX), d.lo, over, false);
    return d;
}

static bool f32_to_wide(struct lower *l, mc_value a, enum ptx_type to) {
    a = lower_op(l, ISA_frnd, a, MC_NONE, MC_NONE);
    last(l)->round = rounding(l->in->form, ISA_RZ);
    last(l)->ftz = ptx_has(l->in->form, PTX_MOD_FTZ);
    mc_value zero = lower_number(l, 0);
    if (!is_signed(to)) {
        struct wide d = to_wide(l, lower_op2(l, ISA_fmax, a, zero));
        lower_result(l, l->in->operands[0], to, d);
        return true;
    }
    struct wide m = to_wide(l, lower_opn(l, ISA_and, a, 0x7fffffff));
    mc_value minus = lower_op2(l, ISA_fsetlt, a, zero);
    struct wide none = {zero, zero};
    struct wide less = lower_pair_sub(l, none, m, true);
    /* from 2^63 on the ends of the range; of a NaN 0 */
    mc_value over = lower_opn(l, ISA_setlts, m.hi, 0);
    mc_value top = lower_number(l, INT32_MAX),
             all = lower_number(l, UINT32_MAX);
    struct wide d =
        lower_pair_sel(l, (struct wide){all, top}, m, over, false, true);
    struct wide n =
        lower_pair_sel(l, (struct wide){zero, lower_number(l, 0x80000000)},
                       less, over, false, true);
    d = lower_pair_sel(l, n, d, minus, false, true);
    d = lower_pair_sel(l, none, d, lower_op2(l, ISA_fsetnan, a, a), false,
                       true);
    lower_result(l, l->in->operands[0], to, d);
    return true;
}

static bool f32_to_integer(struct lower *l, enum ptx_type to) {
    mc_value a = lower_source(l, 1, PTX_F32).lo;
    if (ptx_type_bits(to) > 32)
        return f32_to_wide(l, a, to);
    mc_value d =
        lower_op(l, is_signed(to) ? ISA_cvtsf : ISA_cvtuf, a, MC_NONE, MC_NONE);
    last(l)->round = rounding(l->in->form, ISA_RZ);
    last(l)->ftz = ptx_has(l->in->form, PTX_MOD_FTZ);
    d = clamped(l, d, to, is_signed(to));
    lower_result(l, l->in->operands[0], to, (struct wide){d, MC_NONE});
    return true;
}

static bool f32_to_f32(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    bool ftz = ptx_has(f, PTX_MOD_FTZ), sat = ptx_has(f, PTX_MOD_SAT);
    bool integral = ptx_has(f, PTX_MOD_RNI) || ptx_has(f, PTX_MOD_RZI) ||
                    ptx_has(f, PTX_MOD_RMI) || ptx_has(f, PTX_MOD_RPI);
    mc_value d = lower_source(l, 1, PTX_F32).lo;
    if (integral) {
        d = lower_op(l, ISA_frnd, d, MC_NONE, MC_NONE);
        last(l)->round = rounding(f, ISA_RN);
        last(l)->ftz = ftz;
        last(l)->sat = sat;
    } else if (sat) {
        d = seq_f32(l, ISA_fmax, d, lower_f32(l, 0), MC_NONE, ftz);
        d = lower_op2(l, ISA_fmin, d, lower_f32(l, 1));
    } else if (ftz) {
        d = seq_f32(l, ISA_fmul, d, lower_f32(l, 1), MC_NONE, true);
    }
    lower_result(l, l->in->operands[0], PTX_F32, (struct wide){d, MC_NONE});
    return true;
}

bool lower_convert(struct lower *l) {
    const struct ptx_form *f = l->in->form;
    if (f->op != PTX_OP_CVT || f->n_types != 2 || l->in->n_operands != 2 ||
        ptx_has(f, PTX_MOD_RELU))
        return false;
    enum ptx_type to = f->types[0], from = f->types[1];
    if (to == PTX_F32)
        return from == PTX_F32 ? f32_to_f32(l) : integer_to_f32(l, from);
    return from == PTX_F32 ? f32_to_integer(l, to)
                           : integer_to_integer(l, to, from);
}

/* seq_wide.c - 64-bit values: high products, division, bit fields. */
#include "pair.h"

static struct wide number(struct lower *l, uint64_t v) {
    return (struct wide){lower_number(l, (uint32_t)v),
                         lower_number(l, (uint32_t)(v >> 32))};
}

static void result(struct lower *l, struct wide d) {
    lower_result(l, l->in->operands[0], l->in->form->types[0], d);
}

static bool is_signed(const struct lower *l) {
    return ptx_type_kind(l->in->form->types[0]) == 's';
}

/* --- high products -------------------------------------------------------- */

/* v where a is negative, else 0 */
static struct wide where_negative(struct lower *l, struct wide a,
                                  struct wide v) {
    mc_value signs = lower_opn(l, ISA_sar, a.hi, 31);
    return (struct wide){lower_op2(l, ISA_and, v.lo, signs),
                         lower_op2(l, ISA_and, v.hi, signs)};
}

/* By four products of words; the carries of the words between are collected. */
struct wide seq_multiply_high(struct lower *l, struct wide a, struct wide b,
                              bool with_sign) {
    mc_value zero = lower_number(l, 0);
    struct wide low = {lower_op2(l, ISA_mulhu, a.lo, b.lo), zero};
    struct wide x = {lower_op2(l, ISA_mul, a.lo, b.hi),
                     lower_op2(l, ISA_mulhu, a.lo, b.hi)};
    struct wide y = {lower_op2(l, ISA_mul, a.hi, b.lo),
                     lower_op2(l, ISA_mulhu, a.hi, b.lo)};
    struct wide d = {lower_op2(l, ISA_mul, a.hi, b.hi),
                     lower_op2(l, ISA_mulhu, a.hi, b.hi)};
    struct wide middle =
        lower_pair_add(l, x, low, true); /* does not overflow */
    struct wide part = {middle.lo, zero};
    struct wide rest = lower_pair_add(l, y, part, true); /* nor does this */
    d = lower_pair_add(l, d, (struct wide){middle.hi, zero}, true);
    d = lower_pair_add(l, d, (struct wide){rest.hi, zero}, true);
    if (!with_sign)
        return d;
    d = lower_pair_sub(l, d, where_negative(l, a, b), true);
    return lower_pair_sub(l, d, where_negative(l, b, a), true);
}

bool lower_pair_high(struct lower *l) {
    enum ptx_type t = l->in->form->types[0];
    struct wide a = lower_source(l, 1, t), b = lower_source(l, 2, t);
    struct wide d = seq_multiply_high(l, a, b, is_signed(l));
    if (l->in->form->op == PTX_OP_MAD)
        d = lower_pair_add(l, d, lower_source(l, 3, t), true);
    result(l, d);
    return true;
}

/* --- division --------------------------------------------------------------
 */

static struct wide made(struct lower *l, struct wide from) {
    struct wide d = {mc_new(l->m, MC_REGISTER), mc_new(l->m, MC_REGISTER)};
    lower_move(l, d.lo, from.lo, MC_NONE, false);
    lower_move(l, d.hi, from.hi, MC_NONE, false);
    return d;
}

static void write(struct lower *l, struct wide to, struct wide from,
                  mc_value p) {
    lower_move(l, to.lo, from.lo, p, false);
    lower_move(l, to.hi, from.hi, p, false);
}

/* Bit by bit: the quotient comes into n as its bits leave for the rest. */
static void divide(struct lower *l, struct wide n, struct wide d,
                   struct wide rest) {
    int again = mc_label(l->m);
    mc_value left = mc_new(l->m, MC_REGISTER);
    mc_value one = lower_number(l, 1);
    lower_move(l, left, lower_number(l, 64), MC_NONE, false);
    lower_label(l, again);
    mc_value out = lower_opn(l, ISA_setlts, rest.hi, 0);
    mc_value top = lower_opn(l, ISA_shr, n.hi, 31);
    struct wide r = lower_pair_shl(l, rest, one, true);
    r.lo = lower_op2(l, ISA_or, r.lo, top);
    mc_value less = lower_pair_less(l, r, d, false);
    mc_value fits = lower_pred(l, ISA_por, out, false, less, true);
    struct wide by = lower_pair_sub(l, r, d, true);
    struct wide q = lower_pair_shl(l, n, one, true);
    write(l, rest, lower_pair_sel(l, by, r, fits, false, true), MC_NONE);
    q.lo = lower_sel(l, lower_opn(l, ISA_or, q.lo, 1), q.lo, fits, false);
    write(l, n, q, MC_NONE);
    lower_move(l, left, lower_opn(l, ISA_sub, left, 1), MC_NONE, false);
    lower_branch(l, again, lower_opn(l, ISA_setne, left, 0), false);
}

/* v, or -v where sign is negative */
static struct wide with_sign(struct lower *l, struct wide v, mc_value sign) {
    struct wide minus = lower_pair_sub(l, number(l, 0), v, true);
    mc_value p = lower_opn(l, ISA_setlts, sign, 0);
    return lower_pair_sel(l, minus, v, p, false, true);
}

bool lower_pair_divide(struct lower *l) {
    enum ptx_type t = l->in->form->types[0];
    struct wide n = lower_source(l, 1, t), d = lower_source(l, 2, t);
    mc_value guard = l->guard, sign_n = n.hi, sign_d = d.hi;
    int skip = -1;
    if (guard != MC_NONE) { /* around it: a loop cannot be guarded */
        skip = mc_label(l->m);
        lower_branch(l, skip, guard, !l->unless);
    }
    l->guard = MC_NONE;
    if (is_signed(l)) {
        n = with_sign(l, n, sign_n);
        d = with_sign(l, d, sign_d);
    }
    struct wide q = made(l, n), rest = made(l, number(l, 0));
    divide(l, q, d, rest);
    bool wants_rest = l->in->form->op == PTX_OP_REM;
    struct wide v = wants_rest ? rest : q;
    if (is_signed(l))
        v = with_sign(
            l, v, wants_rest ? sign_n : lower_op2(l, ISA_xor, sign_n, sign_d));
    result(l, v);
    l->guard = guard;
    if (skip >= 0)
        lower_label(l, skip);
    return true;
}

/* --- bit fields ------------------------------------------------------------
 */

static mc_value byte(struct lower *l, int operand) {
    return lower_opn(l, ISA_and, lower_source(l, operand, PTX_B32).lo, 255);
}

/* len ones; 64 and more: all */
static struct wide mask(struct lower *l, mc_value len) {
    struct wide one = number(l, 1);
    return lower_pair_sub(l, lower_pair_shl(l, one, len, true), one, true);
}

static struct wide logic(struct lower *l, int op, struct wide a,
                         struct wide b) {
    return (struct wide){lower_op2(l, op, a.lo, b.lo),
                         lower_op2(l, op, a.hi, b.hi)};
}

bool lower_pair_extract(struct lower *l) {
    struct wide a = lower_source(l, 1, PTX_B64), d;
    mc_value at = byte(l, 2), len = byte(l, 3);
    if (!is_signed(l)) {
        d = lower_pair_shr(l, a, at, false);
        result(l, logic(l, ISA_and, d, mask(l, len)));
        return true;
    }
    /* the field's last bit to the top, and back; nothing of no length */
    mc_value last = lower_op2(l, ISA_add, at, lower_opn(l, ISA_sub, len, 1));
    last = lower_opn(l, ISA_mins, last, 63);
    mc_value up = lower_opn(l, ISA_rsub, last, 63);
    d = lower_pair_shl(l, a, up, true);
    d = lower_pair_shr(l, d, lower_op2(l, ISA_add, up, at), true);
    mc_value none = lower_opn(l, ISA_seteq, len, 0);
    result(l, lower_pair_sel(l, number(l, 0), d, none, false, true));
    return true;
}

bool lower_pair_insert(struct lower *l) {
    struct wide a = lower_source(l, 1, PTX_B64),
                b = lower_source(l, 2, PTX_B64);
    mc_value at = byte(l, 3);
    struct wide field = lower_pair_shl(l, mask(l, byte(l, 4)), at, true);
    a = logic(l, ISA_and, lower_pair_shl(l, a, at, true), field);
    result(l, logic(l, ISA_or, logic(l, ISA_andn, b, field), a));
    return true;
}

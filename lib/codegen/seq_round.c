/* seq_round.c - quotients and roots rounded towards zero or to one side.
 *
 * q is the nearest f32.  Whether it lies above or below what it stands for is
 * the sign of q b - a, or q q - a, of which a fused multiply-add of scaled
 * operands loses nothing: then q, if it is on the wrong side, is its neighbour.
 */
#include "lower.h"

enum { BIAS = 127 };
static const uint32_t sign_bit = 0x80000000, one_bits = 0x3f800000,
                      smallest_normal = 0x00800000, infinity = 0x7f800000;

/* |x| = m 2^e, m from 1 to 2; x finite and not 0. */
static mc_value parts(struct lower *l, mc_value x, mc_value *e) {
    mc_value a = lower_opn(l, ISA_and, x, ~sign_bit);
    mc_value p = lower_opn(l, ISA_setltu, a, smallest_normal);
    mc_value up = lower_op2(l, ISA_fmul, a, lower_f32(l, 0x1p24f));
    a = lower_sel(l, up, a, p, false);
    mc_value less = lower_sel(l, lower_number(l, BIAS + 24),
                              lower_number(l, BIAS), p, false);
    *e = lower_op2(l, ISA_sub, lower_opn(l, ISA_shr, a, 23), less);
    return lower_opn(l, ISA_or, lower_opn(l, ISA_and, a, smallest_normal - 1),
                     one_bits);
}

/* 2^e of an e from -126 to 127. */
static mc_value power(struct lower *l, mc_value e) {
    return lower_opn(l, ISA_shl, lower_opn(l, ISA_add, e, BIAS), 23);
}

/* |q| 2^e, which is no subnormal. */
static mc_value scale(struct lower *l, mc_value q, mc_value e) {
    mc_value a = lower_opn(l, ISA_and, q, ~sign_bit);
    e = lower_opn(l, ISA_mins, lower_opn(l, ISA_maxs, e, -250u), 250);
    mc_value half = lower_opn(l, ISA_sar, e, 1);
    a = lower_op2(l, ISA_fmul, a, power(l, half));
    return lower_op2(l, ISA_fmul, a, power(l, lower_op2(l, ISA_sub, e, half)));
}

/* q or its neighbour; over is what |q| has too much. */
static mc_value settle(struct lower *l, mc_value q, mc_value over, int round) {
    mc_value zero = lower_number(l, 0), one = lower_number(l, 1);
    mc_value too_much = lower_op2(l, ISA_fsetgt, over, zero);
    mc_value inwards =
        lower_op2(l, ISA_sub, q, lower_sel(l, one, zero, too_much, false));
    if (round == ISA_RZ)
        return inwards;
    mc_value too_little = lower_op2(l, ISA_fsetlt, over, zero);
    mc_value outwards =
        lower_op2(l, ISA_add, q, lower_sel(l, one, zero, too_little, false));
    mc_value minus = lower_opn(l, ISA_setlts, q, 0);
    return lower_sel(l, outwards, inwards, minus, round == ISA_RP);
}

/* A number that is neither 0 nor without end. */
static mc_value is_plain(struct lower *l, mc_value x) {
    mc_value a = lower_opn(l, ISA_and, x, ~sign_bit);
    return lower_opn(l, ISA_setltu, lower_opn(l, ISA_sub, a, 1), infinity - 1);
}

static mc_value flushed(struct lower *l, mc_value a) {
    return seq_f32(l, ISA_fmul, a, lower_f32(l, 1), MC_NONE, true);
}

mc_value seq_divide_rounded(struct lower *l, mc_value a, mc_value b, bool ftz,
                            int round) {
    a = ftz ? flushed(l, a) : a;
    b = ftz ? flushed(l, b) : b;
    mc_value q = seq_divide_f32(l, a, b, false), ea, eb;
    mc_value x = parts(l, a, &ea), y = parts(l, b, &eb);
    mc_value t = scale(l, q, lower_op2(l, ISA_sub, eb, ea));
    mc_value over =
        lower_op(l, ISA_ffma, t, y, lower_opn(l, ISA_xor, x, sign_bit));
    mc_value d = settle(l, q, over, round);
    mc_value plain =
        lower_pred(l, ISA_pand, is_plain(l, a), false, is_plain(l, b), false);
    d = lower_sel(l, d, q, plain, false);
    return ftz ? flushed(l, d) : d;
}

mc_value seq_sqrt_rounded(struct lower *l, mc_value a, bool ftz, int round) {
    a = ftz ? flushed(l, a) : a;
    mc_value s = seq_sqrt(l, a, false), e;
    mc_value x = parts(l, a, &e);
    mc_value half = lower_opn(l, ISA_sar, e, 1);
    mc_value odd = lower_opn(l, ISA_and, e, 1);
    x = lower_op2(l, ISA_fmul, x, power(l, odd));
    mc_value t =
        lower_op2(l, ISA_fmul, s, power(l, lower_opn(l, ISA_rsub, half, 0)));
    mc_value over =
        lower_op(l, ISA_ffma, t, t, lower_opn(l, ISA_xor, x, sign_bit));
    mc_value d = settle(l, s, over, round);
    mc_value plain = lower_pred(l, ISA_pand, is_plain(l, a), false,
                                lower_opn(l, ISA_setges, a, 0), false);
    return lower_sel(l, d, s, plain, false);
}

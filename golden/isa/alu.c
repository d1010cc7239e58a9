/* alu.c - arithmetic of the instruction set.
 *
 * The host's IEEE-754 operations in the mode that the word asks for, and then
 * what PTX says beyond IEEE: subnormals as zeros (.ftz), the result within 0
 * and 1 (.sat), one NaN.
 */
#include "alu.h"

#include "base/diag.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

/* The compiler must not fuse a * b + c by itself. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

static float f32_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? ALU_NAN : bits;
}

/* A subnormal as a zero of its sign. */
static uint32_t flush(uint32_t bits) {
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

static bool is_nan(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* Into [0, 1]; NaN becomes 0. */
static uint32_t saturate(uint32_t bits) {
    float x = f32_of(bits);
    return x > 0 ? x < 1 ? bits : 0x3f800000 : 0;
}

/* --- f32 ------------------------------------------------------------------ */

static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                            FE_UPWARD};

/* The operands go through memory so that nothing is computed before the mode is
 * set or after it is set back. */
static float rounded(const struct isa_word *w, uint32_t a, uint32_t b,
                     uint32_t c) {
    volatile float x = f32_of(a), y = f32_of(b), z = f32_of(c), r;
    volatile int32_t s = (int32_t)a;
    volatile uint32_t u = a;
    if (w->round != ISA_RN)
        fesetround(modes[w->round]);
    switch (w->op) {
    case ISA_fadd:
        r = x + y;
        break;
    case ISA_fmul:
        r = x * y;
        break;
    case ISA_ffma:
        r = fmaf(x, y, z);
        break;
    case ISA_cvtfs:
        r = (float)s;
        break;
    default: /* cvtfu */
        r = (float)u;
        break;
    }
    if (w->round != ISA_RN)
        fesetround(FE_TONEAREST);
    return r;
}

static uint32_t arithmetic(const struct isa_word *w, uint32_t a, uint32_t b,
                           uint32_t c) {
    if (w->ftz) {
        a = flush(a);
        b = flush(b);
        c = flush(c);
    }
    uint32_t d = bits_of(rounded(w, a, b, c));
    d = w->ftz ? flush(d) : d;
    return w->sat ? saturate(d) : d;
}

/* -0 is less than +0; a NaN loses. */
static uint32_t extreme(const struct isa_word *w, uint32_t a, uint32_t b) {
    if (w->ftz) {
        a = flush(a);
        b = flush(b);
    }
    if (is_nan(a))
        return is_nan(b) ? ALU_NAN : b;
    if (is_nan(b))
        return a;
    float x = f32_of(a), y = f32_of(b);
    bool less = x < y || (x == y && a >> 31 > b >> 31);
    return less == (w->op == ISA_fmin) ? a : b;
}

/* x as an integer that is still an f32. */
static float integral(uint8_t round, float x) {
    switch (round) {
    case ISA_RN:
        return rintf(x);
    case ISA_RZ:
        return truncf(x);
    case ISA_RM:
        return floorf(x);
    default:
        return ceilf(x);
    }
}

static uint32_t to_integer(const struct isa_word *w, uint32_t a) {
    a = w->ftz ? flush(a) : a;
    float x = integral(w->round, f32_of(a));
    if (is_nan(a))
        return 0;
    if (w->op == ISA_cvtsf)
        return x < -0x1p31f   ? 0x80000000
               : x >= 0x1p31f ? 0x7fffffff
                              : (uint32_t)(int32_t)x;
    return x <= 0 ? 0 : x >= 0x1p32f ? 0xffffffff : (uint32_t)x;
}

static uint32_t to_integral(const struct isa_word *w, uint32_t a) {
    a = w->ftz ? flush(a) : a;
    uint32_t d = bits_of(integral(w->round, f32_of(a)));
    return w->sat ? saturate(d) : d;
}

static bool compare(const struct isa_word *w, uint32_t a, uint32_t b) {
    if (w->ftz) {
        a = flush(a);
        b = flush(b);
    }
    float x = f32_of(a), y = f32_of(b);
    bool nan = is_nan(a) || is_nan(b);
    switch (w->op) {
    case ISA_fseteq:
        return x == y;
    case ISA_fsetne:
        return x < y || x > y;
    case ISA_fsetlt:
        return x < y;
    case ISA_fsetle:
        return x <= y;
    case ISA_fsetgt:
        return x > y;
    case ISA_fsetge:
        return x >= y;
    case ISA_fsetnan:
        return nan;
    case ISA_fsetequ:
        return nan || x == y;
    case ISA_fsetneu:
        return nan || x != y;
    case ISA_fsetltu:
        return nan || x < y;
    case ISA_fsetleu:
        return nan || x <= y;
    case ISA_fsetgtu:
        return nan || x > y;
    case ISA_fsetgeu:
        return nan || x >= y;
    default:
        BUG("comparison 0x%02x", w->op);
    }
}

/* --- integer -------------------------------------------------------------- */

static uint32_t reversed(uint32_t a) {
    uint32_t d = 0;
    for (int i = 0; i < 32; i++)
        d |= (a >> i & 1) << (31 - i);
    return d;
}

static uint32_t signs(uint32_t a) {
    return a >> 31 ? UINT32_MAX : 0;
}

uint32_t alu_value(const struct isa_word *w, uint32_t a, uint32_t b, uint32_t c,
                   bool p) {
    int32_t sa = (int32_t)a, sb = (int32_t)b;
    switch (w->op) {
    case ISA_mov:
        return b;
    case ISA_movi:
        return w->value;
    case ISA_add:
        return a + b;
    case ISA_sub:
        return a - b;
    case ISA_rsub:
        return b - a;
    case ISA_add3:
        return a + b + c;
    case ISA_carry:
        return a + b < a;
    case ISA_borrow:
        return a < b;
    case ISA_and:
        return a & b;
    case ISA_or:
        return a | b;
    case ISA_xor:
        return a ^ b;
    case ISA_andn:
        return a & ~b;
    case ISA_shl:
        return b > 31 ? 0 : a << b;
    case ISA_shr:
        return b > 31 ? 0 : a >> b;
    case ISA_sar:
        return b > 31 ? signs(a) : a >> b | (b ? signs(a) << (32 - b) : 0);
    case ISA_sel:
        return p ? a : b;
    case ISA_mins:
        return sa < sb ? a : b;
    case ISA_maxs:
        return sa > sb ? a : b;
    case ISA_minu:
        return a < b ? a : b;
    case ISA_maxu:
        return a > b ? a : b;
    case ISA_popc:
        return (uint32_t)__builtin_popcount(a);
    case ISA_clz:
        return a ? (uint32_t)__builtin_clz(a) : 32;
    case ISA_brev:
        return reversed(a);
    case ISA_mul:
        return a * b;
    case ISA_mulhu:
        return (uint32_t)((uint64_t)a * b >> 32);
    case ISA_mulhs:
        return (uint32_t)((uint64_t)((int64_t)sa * sb) >> 32);
    case ISA_mad:
        return a * b + c;
    case ISA_fadd:
    case ISA_fmul:
    case ISA_ffma:
    case ISA_cvtfs:
    case ISA_cvtfu:
        return arithmetic(w, a, b, c);
    case ISA_fmin:
    case ISA_fmax:
        return extreme(w, a, b);
    case ISA_cvtsf:
    case ISA_cvtuf:
        return to_integer(w, a);
    case ISA_frnd:
        return to_integral(w, a);
    default:
        BUG("operation 0x%02x has no value", w->op);
    }
}

/* --- lanes beside each other ---------------------------------------------- */

enum { LANES = 32 };

/* Without a branch a lane, so that the compiler computes several at a time. */
#define EACH(value)                                                            \
    for (int i = 0; i < n; i++) {                                              \
        uint32_t x = a[i], y = b[i], z = c[i];                                 \
        (void)x, (void)y, (void)z;                                             \
        d[i] = (value)&on[i];                                                  \
    }                                                                          \
    return true

/* To nearest, with subnormals, as it is: what most kernels have. */
static bool is_plain(const struct isa_word *w) {
    return w->round == ISA_RN && !w->ftz && !w->sat;
}

static bool beside(const struct isa_word *w, int n, const uint32_t *on,
                   const uint32_t *a, const uint32_t *b, const uint32_t *c,
                   uint32_t *d) {
    switch (w->op) {
    case ISA_mov:
        EACH(y);
    case ISA_add:
        EACH(x + y);
    case ISA_sub:
        EACH(x - y);
    case ISA_add3:
        EACH(x + y + z);
    case ISA_and:
        EACH(x & y);
    case ISA_or:
        EACH(x | y);
    case ISA_xor:
        EACH(x ^ y);
    case ISA_mul:
        EACH(x * y);
    case ISA_mad:
        EACH(x * y + z);
    case ISA_fadd:
        if (!is_plain(w))
            return false;
        EACH(bits_of(f32_of(x) + f32_of(y)));
    case ISA_fmul:
        if (!is_plain(w))
            return false;
        EACH(bits_of(f32_of(x) * f32_of(y)));
    case ISA_ffma:
        if (!is_plain(w))
            return false;
        EACH(bits_of(fmaf(f32_of(x), f32_of(y), f32_of(z))));
    default:
        return false;
    }
}

void alu_values(const struct isa_word *w, int n, uint32_t active,
                const uint32_t *a, const uint32_t *b, const uint32_t *c,
                uint32_t holds, uint32_t *d) {
    static const uint32_t each[LANES] = {
#define BIT4(i) 1u << (i), 2u << (i), 4u << (i), 8u << (i)
        BIT4(0),  BIT4(4),  BIT4(8),  BIT4(12),
        BIT4(16), BIT4(20), BIT4(24), BIT4(28)};
#undef BIT4
    uint32_t on[LANES], number[LANES];
    for (int i = 0; i < n; i++)
        on[i] = active & each[i] ? UINT32_MAX : 0;
    if (!b) {
        for (int i = 0; i < n; i++)
            number[i] = w->value;
        b = number;
    }
    if (beside(w, n, on, a, b, c, d))
        return;
    for (int i = 0; i < n; i++)
        d[i] = on[i] ? alu_value(w, a[i], b[i], c[i], holds >> i & 1) : 0;
}

bool alu_test(const struct isa_word *w, uint32_t a, uint32_t b) {
    int32_t sa = (int32_t)a, sb = (int32_t)b;
    switch (w->op) {
    case ISA_pand:
        return a && b;
    case ISA_por:
        return a || b;
    case ISA_pxor:
        return !a != !b;
    case ISA_seteq:
        return a == b;
    case ISA_setne:
        return a != b;
    case ISA_setlts:
        return sa < sb;
    case ISA_setles:
        return sa <= sb;
    case ISA_setgts:
        return sa > sb;
    case ISA_setges:
        return sa >= sb;
    case ISA_setltu:
        return a < b;
    case ISA_setleu:
        return a <= b;
    case ISA_setgtu:
        return a > b;
    case ISA_setgeu:
        return a >= b;
    default:
        return compare(w, a, b);
    }
}

bool alu_is_value(int op) {
    enum isa_class c = isa_info(op)->class;
    return isa_info(op)->text &&
           (c == ISA_CLASS_int || c == ISA_CLASS_mul || c == ISA_CLASS_f32);
}

bool alu_is_test(int op) {
    enum isa_class c = isa_info(op)->class;
    return isa_info(op)->text &&
           (c == ISA_CLASS_compare || c == ISA_CLASS_pred);
}

uint32_t alu_atomic(int op, uint32_t old, uint32_t b, uint32_t c) {
    int32_t so = (int32_t)old, sc = (int32_t)c;
    switch (op) {
    case ISA_atg_add:
    case ISA_ats_add:
        return old + c;
    case ISA_atg_mins:
    case ISA_ats_mins:
        return so < sc ? old : c;
    case ISA_atg_maxs:
    case ISA_ats_maxs:
        return so > sc ? old : c;
    case ISA_atg_minu:
    case ISA_ats_minu:
        return old < c ? old : c;
    case ISA_atg_maxu:
    case ISA_ats_maxu:
        return old > c ? old : c;
    case ISA_atg_and:
    case ISA_ats_and:
        return old & c;
    case ISA_atg_or:
    case ISA_ats_or:
        return old | c;
    case ISA_atg_xor:
    case ISA_ats_xor:
        return old ^ c;
    case ISA_atg_exch:
    case ISA_ats_exch:
        return c;
    case ISA_atg_cas:
    case ISA_ats_cas:
        return old == b ? c : old;
    default:
        BUG("operation 0x%02x is no atomic", op);
    }
}

/* exec_float.c - f32 and f64 arithmetic.
 *
 * The host's IEEE-754 operations are PTX's: add, mul, fma, div and sqrt are
 * correctly rounded on both.  Directed rounding sets the host's mode around the
 * handler.  The usual forms (round to nearest, with or without .ftz) have
 * vector loops of their own; the others share one that looks at the flags.
 */
#include "exec_float.h"

#include <fenv.h>
#include <math.h>

int host_rounding(const struct ptx_form *f) {
    switch (ptx_modifier_of(f, PTX_GROUP_ROUND)) {
    case PTX_MOD_RZ:
    case PTX_MOD_RZI:
        return FE_TOWARDZERO;
    case PTX_MOD_RM:
    case PTX_MOD_RMI:
        return FE_DOWNWARD;
    case PTX_MOD_RP:
    case PTX_MOD_RPI:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

/* ------------------------------------------------------------ fast forms */

#define FAST1(name, T, expr)                                                   \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##T *a = source(w, op->src[0]);                             \
        lane_##T *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = a[i]; d[i] = expr);                                \
    }
#define FAST2(name, T, expr)                                                   \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##T *a = source(w, op->src[0]);                             \
        const lane_##T *b = source(w, op->src[1]);                             \
        lane_##T *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = a[i]; T y = b[i]; d[i] = expr);                    \
    }
#define FAST3(name, T, expr)                                                   \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##T *a = source(w, op->src[0]);                             \
        const lane_##T *b = source(w, op->src[1]);                             \
        const lane_##T *c = source(w, op->src[2]);                             \
        lane_##T *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = a[i]; T y = b[i]; T z = c[i]; d[i] = expr);        \
    }

FAST2(add, f32, canon32(x + y))
FAST2(sub, f32, canon32(x - y))
FAST2(mul, f32, canon32(x *y))
FAST2(div, f32, canon32(x / y))
FAST3(fma, f32, canon32(fmaf(x, y, z)))
FAST2(least, f32, min_f32(x, y))
FAST2(most, f32, max_f32(x, y))
FAST1(abs, f32, f32_of(f32_bits(x) & 0x7fffffffu))
FAST1(neg, f32, f32_of(f32_bits(x) ^ 0x80000000u))
FAST2(add, f64, canon64(x + y))
FAST2(sub, f64, canon64(x - y))
FAST2(mul, f64, canon64(x *y))
FAST2(div, f64, canon64(x / y))
FAST3(fma, f64, canon64(fma(x, y, z)))
FAST2(least, f64, min_f64(x, y))
FAST2(most, f64, max_f64(x, y))
FAST1(abs, f64, f64_of(f64_bits(x) & ~((u64)1 << 63)))
FAST1(neg, f64, f64_of(f64_bits(x) ^ (u64)1 << 63))
FAST2(addftz, f32, flush32(canon32(flush32(x) + flush32(y))))
FAST2(subftz, f32, flush32(canon32(flush32(x) - flush32(y))))
FAST2(mulftz, f32, flush32(canon32(flush32(x) * flush32(y))))
FAST3(fmaftz, f32, flush32(canon32(fmaf(flush32(x), flush32(y), flush32(z)))))
FAST2(minftz, f32, min_f32(flush32(x), flush32(y)))
FAST2(maxftz, f32, max_f32(flush32(x), flush32(y)))
FAST2(copysign, f32,
      f32_of((f32_bits(x) & 0x80000000u) | (f32_bits(y) & 0x7fffffffu)))
FAST2(copysign, f64,
      f64_of((f64_bits(x) & (u64)1 << 63) | (f64_bits(y) & ~((u64)1 << 63))))

/* ------------------------------------------------------------ all forms */

static f32 extreme32(const struct op *op, f32 x, f32 y) {
    u32 sign = (f32_bits(x) ^ f32_bits(y)) & 0x80000000u;
    if (op->how & FLOAT_ABS) {
        x = fabsf(x);
        y = fabsf(y);
    }
    f32 r = op->what == PTX_OP_MIN ? min_f32(x, y) : max_f32(x, y);
    if ((op->how & FLOAT_NAN) && (x != x || y != y))
        return f32_of(NAN_F32);
    return op->how & FLOAT_XORSIGN ? f32_of((f32_bits(r) & 0x7fffffffu) | sign)
                                   : r;
}

static f32 apply32(const struct op *op, f32 x, f32 y, f32 z) {
    switch (op->what) {
    case PTX_OP_ADD:
        return x + y;
    case PTX_OP_SUB:
        return x - y;
    case PTX_OP_MUL:
        return x * y;
    case PTX_OP_DIV:
        return x / y;
    case PTX_OP_FMA:
        return fmaf(x, y, z);
    case PTX_OP_ABS:
        return fabsf(x);
    case PTX_OP_NEG:
        return -x;
    case PTX_OP_RCP:
        return 1 / x;
    case PTX_OP_SQRT:
        return sqrtf(x);
    default:
        x = extreme32(op, x, y);
        return op->src[2] ? extreme32(op, x, z) : x;
    }
}

static f64 apply64(const struct op *op, f64 x, f64 y, f64 z) {
    switch (op->what) {
    case PTX_OP_ADD:
        return x + y;
    case PTX_OP_SUB:
        return x - y;
    case PTX_OP_MUL:
        return x * y;
    case PTX_OP_DIV:
        return x / y;
    case PTX_OP_FMA:
        return fma(x, y, z);
    case PTX_OP_RCP:
        return 1 / x;
    default: /* SQRT */
        return sqrt(x);
    }
}

/* The host's mode is that of op->imm while this runs: its operations stand
 * between loads and stores, which the calls to fesetround keep in place. */
static void any32(struct warp *w, const struct op *op) {
    static const lane_f32 zero[LANES];
    const lane_f32 *a = source(w, op->src[0]);
    const lane_f32 *b = op->src[1] ? source(w, op->src[1]) : zero;
    const lane_f32 *c = op->src[2] ? source(w, op->src[2]) : zero;
    lane_f32 *d = result(w, op->dst);
    bool ftz = op->how & FLOAT_FTZ;
    if (op->imm != FE_TONEAREST)
        fesetround((int)op->imm);
    EACH_LANE(i, w->mask) {
        f32 x = a[i], y = b[i], z = c[i];
        if (ftz) {
            x = flush32(x);
            y = flush32(y);
            z = flush32(z);
        }
        f32 r = canon32(apply32(op, x, y, z));
        if (op->how & FLOAT_SAT)
            r = saturate_f32(r);
        d[i] = ftz ? flush32(r) : r;
    }
    if (op->imm != FE_TONEAREST)
        fesetround(FE_TONEAREST);
}

static void any64(struct warp *w, const struct op *op) {
    static const lane_f64 zero[LANES];
    const lane_f64 *a = source(w, op->src[0]);
    const lane_f64 *b = op->src[1] ? source(w, op->src[1]) : zero;
    const lane_f64 *c = op->src[2] ? source(w, op->src[2]) : zero;
    lane_f64 *d = result(w, op->dst);
    if (op->imm != FE_TONEAREST)
        fesetround((int)op->imm);
    EACH_LANE(i, w->mask) {
        f64 r = canon64(apply64(op, a[i], b[i], c[i]));
        d[i] = op->how & FLOAT_SAT ? saturate_f64(r) : r;
    }
    if (op->imm != FE_TONEAREST)
        fesetround(FE_TONEAREST);
}

/* -------------------------------------------------------------- selection */

static exec_fn *fast32(enum ptx_opcode op) {
    switch (op) {
    case PTX_OP_ADD:
        return add_f32;
    case PTX_OP_SUB:
        return sub_f32;
    case PTX_OP_MUL:
        return mul_f32;
    case PTX_OP_DIV:
        return div_f32;
    case PTX_OP_FMA:
        return fma_f32;
    case PTX_OP_MIN:
        return least_f32;
    case PTX_OP_MAX:
        return most_f32;
    case PTX_OP_ABS:
        return abs_f32;
    case PTX_OP_NEG:
        return neg_f32;
    default:
        return NULL;
    }
}

static exec_fn *fast32_ftz(enum ptx_opcode op) {
    switch (op) {
    case PTX_OP_ADD:
        return addftz_f32;
    case PTX_OP_SUB:
        return subftz_f32;
    case PTX_OP_MUL:
        return mulftz_f32;
    case PTX_OP_FMA:
        return fmaftz_f32;
    case PTX_OP_MIN:
        return minftz_f32;
    case PTX_OP_MAX:
        return maxftz_f32;
    default:
        return NULL;
    }
}

static exec_fn *fast64(enum ptx_opcode op) {
    switch (op) {
    case PTX_OP_ADD:
        return add_f64;
    case PTX_OP_SUB:
        return sub_f64;
    case PTX_OP_MUL:
        return mul_f64;
    case PTX_OP_DIV:
        return div_f64;
    case PTX_OP_FMA:
        return fma_f64;
    case PTX_OP_MIN:
        return least_f64;
    case PTX_OP_MAX:
        return most_f64;
    case PTX_OP_ABS:
        return abs_f64;
    case PTX_OP_NEG:
        return neg_f64;
    default:
        return NULL;
    }
}

static uint8_t flags_of(const struct ptx_form *f) {
    return (uint8_t)((ptx_has(f, PTX_MOD_FTZ) ? FLOAT_FTZ : 0) |
                     (ptx_has(f, PTX_MOD_SAT) ? FLOAT_SAT : 0) |
                     (ptx_has(f, PTX_MOD_CAP_NAN) ? FLOAT_NAN : 0) |
                     (ptx_has(f, PTX_MOD_XORSIGN) ? FLOAT_XORSIGN : 0) |
                     (ptx_has(f, PTX_MOD_ABS) ? FLOAT_ABS : 0));
}

static bool is_arithmetic(enum ptx_opcode op) {
    switch (op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_MUL:
    case PTX_OP_MAD:
    case PTX_OP_DIV:
    case PTX_OP_FMA:
    case PTX_OP_MIN:
    case PTX_OP_MAX:
    case PTX_OP_ABS:
    case PTX_OP_NEG:
    case PTX_OP_RCP:
    case PTX_OP_SQRT:
        return true;
    default:
        return false;
    }
}

/* .approx and .full: the exact result is within what they allow.  An
 * approximate f64 reciprocal is another operation (exec_special.c). */
exec_fn *select_float(const struct ptx_form *f, struct op *op) {
    enum ptx_type t = f->n_types == 1 ? f->types[0] : PTX_TYPE_NONE;
    enum ptx_opcode code = f->op == PTX_OP_MAD ? PTX_OP_FMA : f->op;
    bool wide = t == PTX_F64;
    if (t != PTX_F32 && !wide)
        return NULL;
    if (code == PTX_OP_COPYSIGN)
        return wide ? copysign_f64 : copysign_f32;
    if (!is_arithmetic(code) || (wide && ptx_has(f, PTX_MOD_APPROX)))
        return NULL;
    op->imm = host_rounding(f);
    op->how = flags_of(f);
    op->what = (uint8_t)code;
    bool extreme = code == PTX_OP_MIN || code == PTX_OP_MAX;
    exec_fn *fast = NULL;
    if (op->imm == FE_TONEAREST && !(extreme && op->src[2]))
        fast = op->how == 0           ? wide ? fast64(code) : fast32(code)
                         : op->how == FLOAT_FTZ ? wide ? NULL : fast32_ftz(code)
                                                : NULL;
    if (!fast && wide && (extreme || code == PTX_OP_ABS))
        return NULL;
    return fast ? fast : wide ? any64 : any32;
}

/* exec_half.c - arithmetic and comparison of f16, bf16 and pairs of them. */
#include "half.h"

#include <math.h>

/* How an instruction sees its operands: op->width is the format, op->count 1
 * or 2 values a register. */
static bool shape_of(enum ptx_type t, struct op *op) {
    switch (t) {
    case PTX_F16:
    case PTX_F16X2:
        op->width = FORMAT_F16;
        break;
    case PTX_BF16:
    case PTX_BF16X2:
        op->width = FORMAT_BF16;
        break;
    default:
        return false;
    }
    op->count = t == PTX_F16X2 || t == PTX_BF16X2 ? 2 : 1;
    return true;
}

static f64 load(const struct op *op, u32 v, int k) {
    u32 bits = v >> 16 * k & 0xffff;
    u32 exponent = op->width == FORMAT_F16 ? 0x7c00 : 0x7f80;
    if ((op->how & FLOAT_FTZ) && !(bits & exponent))
        bits &= 0x8000;
    return short_value(bits, (enum short_format)op->width);
}

static f64 extreme(const struct op *op, f64 x, f64 y) {
    bool flip = (op->how & FLOAT_XORSIGN) && signbit(x) != signbit(y);
    bool sign = (op->how & FLOAT_XORSIGN) && flip;
    if (op->how & FLOAT_ABS) {
        x = fabs(x);
        y = fabs(y);
    }
    if ((op->how & FLOAT_NAN) && (x != x || y != y))
        return NAN;
    f64 r = op->what == PTX_OP_MIN ? min_f64(x, y) : max_f64(x, y);
    return op->how & FLOAT_XORSIGN ? copysign(r, sign ? -1.0 : 1.0) : r;
}

static f64 apply(const struct op *op, f64 x, f64 y, f64 z) {
    switch (op->what) {
    case PTX_OP_ADD:
        return fma_odd(1, x, y);
    case PTX_OP_SUB:
        return fma_odd(1, x, -y);
    case PTX_OP_MUL:
        return x * y;
    case PTX_OP_FMA:
        return fma_odd(x, y, z);
    case PTX_OP_ABS:
        return fabs(x);
    case PTX_OP_NEG:
        return -x;
    case PTX_OP_EX2:
        return exp2(x);
    case PTX_OP_TANH:
        return tanh(x);
    default:
        x = extreme(op, x, y);
        return op->src[2] ? extreme(op, x, z) : x;
    }
}

static u32 store(const struct op *op, f64 r) {
    if (op->how & FLOAT_SAT)
        r = saturate_f64(r);
    if ((op->how & FLOAT_RELU) && r < 0)
        r = 0;
    u32 bits = short_round(r, (enum short_format)op->width, ROUND_RN, false);
    u32 exponent = op->width == FORMAT_F16 ? 0x7c00 : 0x7f80;
    if ((op->how & FLOAT_FTZ) && !(bits & exponent))
        bits &= 0x8000;
    return bits;
}

static void half(struct warp *w, const struct op *op) {
    static const lane_u32 zero[LANES];
    const lane_u32 *a = source(w, op->src[0]);
    const lane_u32 *b = op->src[1] ? source(w, op->src[1]) : zero;
    const lane_u32 *c = op->src[2] ? source(w, op->src[2]) : zero;
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask) {
        u32 r = 0;
        for (int k = 0; k < op->count; k++)
            r |= store(op, apply(op, load(op, a[i], k), load(op, b[i], k),
                                 load(op, c[i], k)))
                 << 16 * k;
        d[i] = r;
    }
}

/* Sign bits alone: NaNs keep their bits. */
static void half_sign(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]);
    lane_u32 *d = result(w, op->dst);
    u32 bits = op->count == 2 ? 0x80008000u : 0x8000u;
    bool neg = op->what == PTX_OP_NEG;
    EACH_LANE(i, w->mask) d[i] = neg ? a[i] ^ bits : a[i] & ~bits;
}

/* ------------------------------------------------------------ comparison */

static bool holds(int cmp, f64 x, f64 y) {
    bool unordered = x != x || y != y;
    switch (cmp) {
    case PTX_MOD_EQ:
        return x == y;
    case PTX_MOD_NE:
        return !unordered && x != y;
    case PTX_MOD_LT:
        return x < y;
    case PTX_MOD_LE:
        return x <= y;
    case PTX_MOD_GT:
        return x > y;
    case PTX_MOD_GE:
        return x >= y;
    case PTX_MOD_EQU:
        return unordered || x == y;
    case PTX_MOD_NEU:
        return x != y;
    case PTX_MOD_LTU:
        return unordered || x < y;
    case PTX_MOD_LEU:
        return unordered || x <= y;
    case PTX_MOD_GTU:
        return unordered || x > y;
    case PTX_MOD_GEU:
        return unordered || x >= y;
    case PTX_MOD_NUM:
        return !unordered;
    default:
        return unordered;
    }
}

static u32 join(struct warp *w, const struct op *op, u32 r) {
    if (!op->src[2])
        return r;
    u32 c = predicate(w, op, 2);
    return op->imm == PTX_MOD_AND  ? r & c
           : op->imm == PTX_MOD_OR ? r | c
                                   : r ^ c;
}

/* Of a pair the second predicate is that of the upper half. */
static void half_setp(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    u32 r[2] = {0, 0};
    EACH_LANE(i, w->mask)
    for (int k = 0; k < 2 && k < op->count; k++)
        r[k] |= (u32)holds(op->what, load(op, a[i], k), load(op, b[i], k)) << i;
    set_predicate(w, op->dst, join(w, op, r[0]));
    if (op->more && op->more->dst2)
        set_predicate(w, op->more->dst2,
                      join(w, op, op->count == 2 ? r[1] : ~r[0]));
}

/* set: one or all ones where it holds, else zero. */
static void half_set(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u32 *d = result(w, op->dst);
    u32 r[2] = {0, 0};
    EACH_LANE(i, w->mask)
    for (int k = 0; k < 2 && k < op->count; k++)
        r[k] |= (u32)holds(op->what, load(op, a[i], k), load(op, b[i], k)) << i;
    for (int k = 0; k < 2; k++)
        r[k] = k < op->count ? join(w, op, r[k]) : 0;
    u32 one = (u32)op->target;
    EACH_LANE(i, w->mask)
    d[i] = (r[0] >> i & 1 ? one : 0) | (r[1] >> i & 1 ? one << 16 : 0);
}

static exec_fn *select_half_set(const struct ptx_form *f, struct op *op) {
    enum ptx_type d = f->types[0], s = f->types[1];
    bool pair = s == PTX_F16X2 || s == PTX_BF16X2;
    if (!shape_of(s, op) || (pair && d != s))
        return NULL;
    op->how = ptx_has(f, PTX_MOD_FTZ) ? FLOAT_FTZ : 0;
    op->what = (uint8_t)ptx_modifier_of(f, PTX_GROUP_COMPARE);
    op->imm = ptx_modifier_of(f, PTX_GROUP_OPERATION);
    op->target = ptx_type_kind(d) != 'f' ? ptx_type_bits(d) == 16 ? 0xffff : -1
                 : op->width == FORMAT_F16 ? 0x3c00
                                           : 0x3f80;
    return ptx_type_bits(d) == 64 || d == PTX_F32 ? NULL : half_set;
}

exec_fn *select_half(const struct ptx_form *f, struct op *op) {
    bool full = ptx_has(f, PTX_MOD_FTZ);
    if (f->op == PTX_OP_SET && f->n_types == 2)
        return select_half_set(f, op);
    if (f->n_types != 1 || !shape_of(f->types[0], op))
        return NULL;
    op->how = (uint8_t)((full ? FLOAT_FTZ : 0) |
                        (ptx_has(f, PTX_MOD_SAT) ? FLOAT_SAT : 0) |
                        (ptx_has(f, PTX_MOD_RELU) ? FLOAT_RELU : 0) |
                        (ptx_has(f, PTX_MOD_CAP_NAN) ? FLOAT_NAN : 0) |
                        (ptx_has(f, PTX_MOD_XORSIGN) ? FLOAT_XORSIGN : 0) |
                        (ptx_has(f, PTX_MOD_ABS) ? FLOAT_ABS : 0));
    op->what = (uint8_t)f->op;
    switch (f->op) {
    case PTX_OP_ABS:
    case PTX_OP_NEG:
        return full ? half : half_sign;
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_MUL:
    case PTX_OP_FMA:
    case PTX_OP_MIN:
    case PTX_OP_MAX:
    case PTX_OP_EX2:
    case PTX_OP_TANH:
        return short_rounding(f) == ROUND_RN ? half : NULL;
    case PTX_OP_SETP:
        op->what = (uint8_t)ptx_modifier_of(f, PTX_GROUP_COMPARE);
        op->imm = ptx_modifier_of(f, PTX_GROUP_OPERATION);
        return half_setp;
    default:
        return NULL;
    }
}

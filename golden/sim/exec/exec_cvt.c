/* exec_cvt.c - conversions.
 *
 * The few that compilers emit all the time have vector loops; every other pair
 * of types goes through one handler: read the source exactly (as a 64-bit
 * integer, or as a double, which holds every shorter float), convert, store.
 */
#include "half.h"

#include <fenv.h>
#include <math.h>

/* ------------------------------------------------------------ fast forms */

#define CONVERT(name, S, T, D, expr)                                           \
    HOT static void name(struct warp *w, const struct op *op) {                \
        const lane_##S *a = source(w, op->src[0]);                             \
        lane_##D *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = (T)a[i]; d[i] = (expr));                           \
    }
CONVERT(s64_of_s32, u32, s32, u64, (u64)(s64)x)
CONVERT(u64_of_u32, u32, u32, u64, x)
CONVERT(u32_of_u64, u64, u32, u32, x)
CONVERT(u32_of_u16, u32, u16, u32, x)
CONVERT(s32_of_s16, u32, s16, u32, (u32)(s32)x)
CONVERT(u32_of_u8, u32, u8, u32, x)
CONVERT(s32_of_s8, u32, s8, u32, (u32)(s32)x)
CONVERT(f32_of_s32, u32, s32, f32, (f32)x)
CONVERT(f32_of_u32, u32, u32, f32, (f32)x)
CONVERT(f64_of_f32, f32, f32, f64, canon64((f64)x))
CONVERT(f64_of_s32, u32, s32, f64, (f64)x)
CONVERT(s32_of_f32, f32, f32, u32,
        x != x              ? 0
        : x >= 2147483648.f ? 0x7fffffffu
        : x < -2147483648.f ? 0x80000000u
                            : (u32)(s32)x)

static exec_fn *fast_form(enum ptx_type d, enum ptx_type s,
                          enum ptx_modifier round) {
    static const struct {
        enum ptx_type d, s;
        enum ptx_modifier round;
        exec_fn *fn;
    } forms[] = {
        {PTX_S64, PTX_S32, PTX_MOD_NONE, s64_of_s32},
        {PTX_U64, PTX_S32, PTX_MOD_NONE, s64_of_s32},
        {PTX_U64, PTX_U32, PTX_MOD_NONE, u64_of_u32},
        {PTX_S64, PTX_U32, PTX_MOD_NONE, u64_of_u32},
        {PTX_U32, PTX_U64, PTX_MOD_NONE, u32_of_u64},
        {PTX_S32, PTX_S64, PTX_MOD_NONE, u32_of_u64},
        {PTX_U32, PTX_S64, PTX_MOD_NONE, u32_of_u64},
        {PTX_S32, PTX_U64, PTX_MOD_NONE, u32_of_u64},
        {PTX_U32, PTX_U16, PTX_MOD_NONE, u32_of_u16},
        {PTX_S32, PTX_U16, PTX_MOD_NONE, u32_of_u16},
        {PTX_S32, PTX_S16, PTX_MOD_NONE, s32_of_s16},
        {PTX_U32, PTX_S16, PTX_MOD_NONE, s32_of_s16},
        {PTX_U16, PTX_U32, PTX_MOD_NONE, u32_of_u16},
        {PTX_U32, PTX_U8, PTX_MOD_NONE, u32_of_u8},
        {PTX_S32, PTX_U8, PTX_MOD_NONE, u32_of_u8},
        {PTX_U16, PTX_U8, PTX_MOD_NONE, u32_of_u8},
        {PTX_S32, PTX_S8, PTX_MOD_NONE, s32_of_s8},
        {PTX_F32, PTX_S32, PTX_MOD_RN, f32_of_s32},
        {PTX_F32, PTX_U32, PTX_MOD_RN, f32_of_u32},
        {PTX_F64, PTX_F32, PTX_MOD_NONE, f64_of_f32},
        {PTX_F64, PTX_S32, PTX_MOD_RN, f64_of_s32},
        {PTX_S32, PTX_F32, PTX_MOD_RZI, s32_of_f32},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].d == d && forms[i].s == s && forms[i].round == round)
            return forms[i].fn;
    return NULL;
}

/* -------------------------------------------------------- any conversion */

/* Kinds of values: op->space the source's, op->width the destination's. */
enum kind {
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    BF16,
    TF32,
    F32,
    F64,
    KINDS
};

static int kind_of(enum ptx_type t) {
    switch (t) {
    case PTX_U8:
    case PTX_B8:
        return U8;
    case PTX_U16:
    case PTX_B16:
        return U16;
    case PTX_U32:
    case PTX_B32:
        return U32;
    case PTX_U64:
    case PTX_B64:
        return U64;
    case PTX_S8:
        return S8;
    case PTX_S16:
        return S16;
    case PTX_S32:
        return S32;
    case PTX_S64:
        return S64;
    case PTX_F16:
    case PTX_F16X2:
        return F16;
    case PTX_BF16:
    case PTX_BF16X2:
        return BF16;
    case PTX_TF32:
        return TF32;
    case PTX_F32:
        return F32;
    case PTX_F64:
        return F64;
    default:
        return -1;
    }
}

struct value {
    bool is_float, is_signed;
    u64 i;
    f64 f;
};

static struct value read_value(const void *slot, uint32_t lane, int kind) {
    const lane_u32 *n = slot;
    const lane_u64 *l = slot;
    switch (kind) {
    case U8:
        return (struct value){.i = (u8)n[lane]};
    case U16:
        return (struct value){.i = (u16)n[lane]};
    case U32:
        return (struct value){.i = n[lane]};
    case U64:
        return (struct value){.i = l[lane]};
    case S8:
        return (struct value){.is_signed = true, .i = (u64)(s64)(s8)n[lane]};
    case S16:
        return (struct value){.is_signed = true, .i = (u64)(s64)(s16)n[lane]};
    case S32:
        return (struct value){.is_signed = true, .i = (u64)(s64)(s32)n[lane]};
    case S64:
        return (struct value){.is_signed = true, .i = l[lane]};
    case F16:
        return (struct value){.is_float = true,
                              .f = short_value(n[lane] & 0xffff, FORMAT_F16)};
    case BF16:
        return (struct value){.is_float = true,
                              .f = short_value(n[lane] & 0xffff, FORMAT_BF16)};
    case F64:
        return (struct value){.is_float = true, .f = f64_of(l[lane])};
    default: /* F32, TF32 */
        return (struct value){.is_float = true, .f = f32_of(n[lane])};
    }
}

static const s64 lowest[] = {
    [S8] = INT8_MIN, [S16] = INT16_MIN, [S32] = INT32_MIN, [S64] = INT64_MIN};
static const u64 highest[] = {
    [U8] = UINT8_MAX,   [U16] = UINT16_MAX, [U32] = UINT32_MAX,
    [U64] = UINT64_MAX, [S8] = INT8_MAX,    [S16] = INT16_MAX,
    [S32] = INT32_MAX,  [S64] = INT64_MAX};

/* One past the highest value, in double whatever the rounding mode is. */
static const f64 past[] = {
    [U8] = 0x1p8, [U16] = 0x1p16, [U32] = 0x1p32, [U64] = 0x1p64,
    [S8] = 0x1p7, [S16] = 0x1p15, [S32] = 0x1p31, [S64] = 0x1p63};

/* A whole float, clamped to the range of kind; NaN is 0. */
static u64 int_of_float(f64 x, int kind) {
    f64 low = kind >= S8 ? -past[kind] : 0;
    if (x != x)
        return 0;
    if (x >= past[kind])
        return highest[kind];
    if (x <= low)
        return kind >= S8 ? (u64)lowest[kind] : 0;
    return kind == U64 ? (u64)x : (u64)(s64)x;
}

static u64 saturate_int(struct value v, int kind) {
    bool neg = v.is_signed && (s64)v.i < 0;
    if (kind < S8)
        return neg ? 0 : v.i > highest[kind] ? highest[kind] : v.i;
    if (neg)
        return (s64)v.i < lowest[kind] ? (u64)lowest[kind] : v.i;
    return v.i > highest[kind] ? highest[kind] : v.i;
}

enum { CVT_INTEGRAL = 64, CVT_FINITE = 128 };

static u64 to_int(const struct op *op, struct value v) {
    if (v.is_float)
        return int_of_float(nearbyint(v.f), op->width);
    return op->how & FLOAT_SAT ? saturate_int(v, op->width) : v.i;
}

/* Bits of a short, f32 or f64 result. */
static u64 to_float(const struct op *op, struct value v) {
    int kind = op->width;
    f64 x = v.f;
    if (!v.is_float) {
        bool neg = v.is_signed && (s64)v.i < 0;
        x = odd_of_u64(neg ? 0 - v.i : v.i);
        x = neg ? -x : x;
    } else if (op->how & CVT_INTEGRAL) {
        x = nearbyint(x);
    }
    if (op->how & FLOAT_SAT)
        x = saturate_f64(x);
    if ((op->how & FLOAT_RELU) && !(x > 0) && x == x)
        x = 0;
    if (kind == F64) {
        if (v.is_float)
            return f64_bits(canon64(x));
        return f64_bits(v.is_signed ? (f64)(s64)v.i : (f64)v.i);
    }
    if (kind == F32)
        return f32_bits(canon32((f32)x));
    enum short_format format = kind == F16    ? FORMAT_F16
                               : kind == BF16 ? FORMAT_BF16
                                              : FORMAT_TF32;
    u32 bits = short_round(x, format, (enum short_rounding)op->count,
                           op->how & CVT_FINITE);
    return kind == TF32 ? bits << 13 : bits;
}

static void write_value(void *slot, uint32_t lane, int kind, u64 bits) {
    if (kind == U64 || kind == S64 || kind == F64)
        ((lane_u64 *)slot)[lane] = bits;
    else
        ((lane_u32 *)slot)[lane] = kind == U8    ? (u8)bits
                                   : kind == U16 ? (u16)bits
                                   : kind == S8  ? (u32)(s32)(s8)bits
                                   : kind == S16 ? (u32)(s32)(s16)bits
                                                 : (u32)bits;
}

static bool is_float_kind(int kind) {
    return kind >= F16;
}

static u64 convert(const struct op *op, struct value v) {
    if ((op->how & FLOAT_FTZ) && op->space == F32)
        v.f = flush32((f32)v.f);
    if (!is_float_kind(op->width))
        return to_int(op, v);
    u64 bits = to_float(op, v);
    if ((op->how & FLOAT_FTZ) && op->width == F32)
        bits = f32_bits(flush32(f32_of((u32)bits)));
    return bits;
}

static void cvt(struct warp *w, const struct op *op) {
    const void *a = source(w, op->src[0]);
    void *d = result(w, op->dst);
    if (op->imm != FE_TONEAREST)
        fesetround((int)op->imm);
    EACH_LANE(i, w->mask)
    write_value(d, i, op->width, convert(op, read_value(a, i, op->space)));
    if (op->imm != FE_TONEAREST)
        fesetround(FE_TONEAREST);
}

/* Two f32 into one pair: the first goes to the upper half. */
static void cvt_pair(struct warp *w, const struct op *op) {
    const void *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u32 *d = result(w, op->dst);
    EACH_LANE(i, w->mask)
    d[i] = (u32)convert(op, read_value(a, i, F32)) << 16 |
           (u32)convert(op, read_value(b, i, F32));
}

static exec_fn *select_any(const struct ptx_form *f, struct op *op, int to,
                           int from) {
    enum ptx_modifier r = ptx_modifier_of(f, PTX_GROUP_ROUND);
    bool pair = f->types[0] == PTX_F16X2 || f->types[0] == PTX_BF16X2;
    op->space = (uint8_t)from;
    op->width = (uint8_t)to;
    op->imm = host_rounding(f);
    op->count = (uint8_t)short_rounding(f);
    op->how = (uint8_t)((ptx_has(f, PTX_MOD_FTZ) ? FLOAT_FTZ : 0) |
                        (ptx_has(f, PTX_MOD_SAT) ? FLOAT_SAT : 0) |
                        (ptx_has(f, PTX_MOD_RELU) ? FLOAT_RELU : 0) |
                        (ptx_has(f, PTX_MOD_SATFINITE) ? CVT_FINITE : 0));
    if (r >= PTX_MOD_RNI && r <= PTX_MOD_RPI && is_float_kind(to))
        op->how |= CVT_INTEGRAL;
    if (r == PTX_MOD_RS || (pair && from != F32) || f->types[1] == PTX_F16X2 ||
        f->types[1] == PTX_BF16X2)
        return NULL;
    return pair ? cvt_pair : cvt;
}

exec_fn *select_cvt(const struct ptx_form *f, struct op *op) {
    if (f->op != PTX_OP_CVT || f->n_types != 2)
        return NULL;
    int to = kind_of(f->types[0]), from = kind_of(f->types[1]);
    enum ptx_modifier round = ptx_modifier_of(f, PTX_GROUP_ROUND);
    if (to < 0 || from < 0)
        return NULL;
    exec_fn *fast = fast_form(f->types[0], f->types[1], round);
    int others = f->n_modifiers - (round != PTX_MOD_NONE);
    return fast && others == 0 ? fast : select_any(f, op, to, from);
}

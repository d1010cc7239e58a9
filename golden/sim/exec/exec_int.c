/* exec_int.c - integer arithmetic, logic and shifts, lane by lane. */
#include "exec_int.h"

/* Products twice as wide, alone and with an addend of that width.  W is the
 * wide type, S its slot. */
#define WIDENER(name, T, W, S)                                                 \
    HOT static void mul##name(struct warp *w, const struct op *op) {           \
        const lane_u32 *a = source(w, op->src[0]);                             \
        const lane_u32 *b = source(w, op->src[1]);                             \
        lane_##S *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, d[i] = (S)((W)(T)a[i] * (W)(T)b[i]));                    \
    }                                                                          \
    HOT static void mad##name(struct warp *w, const struct op *op) {           \
        const lane_u32 *a = source(w, op->src[0]);                             \
        const lane_u32 *b = source(w, op->src[1]);                             \
        const lane_##S *c = source(w, op->src[2]);                             \
        lane_##S *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, d[i] = (S)((W)(T)a[i] * (W)(T)b[i]) + c[i]);             \
    }

WIDENER(_wide_u16, u16, u32, u32)
WIDENER(_wide_s16, s16, s32, u32)
WIDENER(_wide_u32, u32, u64, u64)
WIDENER(_wide_s32, s32, s64, u64)

/* PTX leaves division by zero to the machine; here as GPUs give it. */
static inline u64 div_u(u64 x, u64 y) {
    return y ? x / y : ~(u64)0;
}
static inline u64 rem_u(u64 x, u64 y) {
    return y ? x % y : x;
}
static inline u32 div_u32(u32 x, u32 y) {
    return y ? x / y : ~0u;
}
static inline u32 rem_u32(u32 x, u32 y) {
    return y ? x % y : x;
}
static inline u64 div_s(s64 x, s64 y) {
    return y == 0 ? ~(u64)0 : y == -1 ? 0 - (u64)x : (u64)(x / y);
}
static inline u64 rem_s(s64 x, s64 y) {
    return y == 0 ? (u64)x : y == -1 ? 0 : (u64)(x % y);
}
static inline u32 div_s32(s32 x, s32 y) {
    return y == 0 ? ~0u : y == -1 ? 0 - (u32)x : (u32)(x / y);
}
static inline u32 rem_s32(s32 x, s32 y) {
    return y == 0 ? (u32)x : y == -1 ? 0 : (u32)(x % y);
}

static inline u64 high_u64(u64 x, u64 y) {
    u64 xl = (u32)x, xh = x >> 32, yl = (u32)y, yh = y >> 32;
    u64 mid = xh * yl + (xl * yl >> 32), low = xl * yh + (u32)mid;
    return xh * yh + (mid >> 32) + (low >> 32);
}

static inline u64 high_s64(s64 x, s64 y) {
    return high_u64((u64)x, (u64)y) - (x < 0 ? (u64)y : 0) -
           (y < 0 ? (u64)x : 0);
}

static inline s32 signed24(u32 x) {
    return (s32)(x << 8) >> 8;
}

static inline s64 saturate32(s64 x) {
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x;
}

EACH_WIDTH(HANDLER2, add, X + Y)
EACH_WIDTH(HANDLER2, sub, X - Y)
EACH_WIDTH(HANDLER2, mul, X *Y)
EACH_WIDTH(HANDLER3, mad, X *Y + Z)
EACH_SIGN(HANDLER3, sad, Z + (x < y ? Y - X : X - Y),
          Z + (x < y ? Y - X : X - Y))
EACH_SIGN(HANDLER2, min, x < y ? x : y, x < y ? x : y)
EACH_SIGN(HANDLER2, max, x > y ? x : y, x > y ? x : y)
EACH_SIGN(HANDLER3, min3, (x < y ? x : y) < z ? (x < y ? x : y) : z,
          (x < y ? x : y) < z ? (x < y ? x : y) : z)
EACH_SIGN(HANDLER3, max3, (x > y ? x : y) > z ? (x > y ? x : y) : z,
          (x > y ? x : y) > z ? (x > y ? x : y) : z)
EACH_SIGN(HANDLER1, abs, x, x < 0 ? 0 - X : X)
EACH_WIDTH(HANDLER1, neg, 0 - X)
EACH_WIDTH(HANDLER2, and, x &y)
EACH_WIDTH(HANDLER2, or, x | y)
EACH_WIDTH(HANDLER2, xor, x ^ y)
EACH_WIDTH(HANDLER1, not, ~x)
EACH_WIDTH(HANDLER1, cnot, x == 0)
EACH_WIDTH(SHIFTER, shl, y < 8 * sizeof x ? X << y : 0)
EACH_SIGN(SHIFTER, shr, y < 8 * sizeof x ? x >> y : 0,
          x >> (y < 8 * sizeof x ? y : 8 * sizeof x - 1))

/* Division and high products differ by width. */
HANDLER2(quot, u16, u16, u32, div_u32(x, y))
HANDLER2(quot, s16, u16, u32, div_s32(x, y))
HANDLER2(quot, u32, u32, u32, div_u32(x, y))
HANDLER2(quot, s32, u32, u32, div_s32(x, y))
HANDLER2(quot, u64, u64, u64, div_u(x, y))
HANDLER2(quot, s64, u64, u64, div_s(x, y))
HANDLER2(remd, u16, u16, u32, rem_u32(x, y))
HANDLER2(remd, s16, u16, u32, rem_s32(x, y))
HANDLER2(remd, u32, u32, u32, rem_u32(x, y))
HANDLER2(remd, s32, u32, u32, rem_s32(x, y))
HANDLER2(remd, u64, u64, u64, rem_u(x, y))
HANDLER2(remd, s64, u64, u64, rem_s(x, y))
HANDLER2(top, u16, u16, u32, (u32)x *(u32)y >> 16)
HANDLER2(top, s16, u16, u32, ((s32)x * (s32)y) >> 16)
HANDLER2(top, u32, u32, u32, (u64)x *(u64)y >> 32)
HANDLER2(top, s32, u32, u32, ((s64)x * (s64)y) >> 32)
HANDLER2(top, u64, u64, u64, high_u64(x, y))
HANDLER2(top, s64, u64, u64, high_s64(x, y))
HANDLER3(madhigh, u16, u16, u32, ((u32)x * (u32)y >> 16) + Z)
HANDLER3(madhigh, s16, u16, u32, (u32)(((s32)x * (s32)y) >> 16) + Z)
HANDLER3(madhigh, u32, u32, u32, (u32)((u64)x *(u64)y >> 32) + Z)
HANDLER3(madhigh, s32, u32, u32, (u32)(((s64)x * (s64)y) >> 32) + Z)
HANDLER3(madhigh, u64, u64, u64, high_u64(x, y) + Z)
HANDLER3(madhigh, s64, u64, u64, high_s64(x, y) + Z)

/* 24-bit products: bits 0..31 or 16..47 of 48. */
HANDLER2(low24, u32, u32, u32, (x & 0xffffffu) * (y & 0xffffffu))
HANDLER2(low24, s32, u32, u32, (s64)signed24(X) * signed24(Y))
HANDLER2(high24, u32, u32, u32, ((u64)(x & 0xffffffu) * (y & 0xffffffu)) >> 16)
HANDLER2(high24, s32, u32, u32, ((s64)signed24(X) * signed24(Y)) >> 16)
HANDLER3(madlow24, u32, u32, u32, (x & 0xffffffu) * (y & 0xffffffu) + Z)
HANDLER3(madlow24, s32, u32, u32, (u32)((s64)signed24(X) * signed24(Y)) + Z)
HANDLER3(madhigh24, u32, u32, u32,
         (u32)((u64)(x & 0xffffffu) * (y & 0xffffffu) >> 16) + Z)
HANDLER3(madhigh24, s32, u32, u32,
         (u32)(((s64)signed24(X) * signed24(Y)) >> 16) + Z)

HANDLER2(addsat, s32, u32, u32, saturate32((s64)x + y))
HANDLER2(subsat, s32, u32, u32, saturate32((s64)x - y))
HANDLER3(madhighsat, s32, u32, u32, saturate32((((s64)x * y) >> 32) + z))
HANDLER3(madhighsat24, s32, u32, u32,
         saturate32((((s64)signed24(X) * signed24(Y)) >> 16) + z))
HANDLER2(minrelu, s32, u32, u32, (x < y ? x : y) < 0 ? 0 : x < y ? x : y)
HANDLER2(maxrelu, s32, u32, u32, (x > y ? x : y) < 0 ? 0 : x > y ? x : y)

/* Two halves of 16 bits. */
#define LOW(v) ((v)&0xffffu)
#define PAIR(low, high) (LOW((u32)(low)) | (u32)(high) << 16)
#define HALF_LOW(T, v) ((T)LOW(v))
#define HALF_HIGH(T, v) ((T)((v) >> 16))
#define PICK(T, v, u, cmp, h) (h(T, v) cmp h(T, u) ? h(T, v) : h(T, u))
HANDLER2(add2, u32, u32, u32, PAIR(x + y, (x >> 16) + (y >> 16)))
HANDLER2(min2u, u32, u32, u32,
         PAIR(PICK(u16, x, y, <, HALF_LOW), PICK(u16, x, y, <, HALF_HIGH)))
HANDLER2(max2u, u32, u32, u32,
         PAIR(PICK(u16, x, y, >, HALF_LOW), PICK(u16, x, y, >, HALF_HIGH)))
HANDLER2(min2s, u32, u32, u32,
         PAIR(PICK(s16, x, y, <, HALF_LOW), PICK(s16, x, y, <, HALF_HIGH)))
HANDLER2(max2s, u32, u32, u32,
         PAIR(PICK(s16, x, y, >, HALF_LOW), PICK(s16, x, y, >, HALF_HIGH)))

static exec_fn *select_halves(const struct ptx_form *f) {
    bool sign = f->types[0] == PTX_S16X2;
    if (f->n_modifiers)
        return NULL;
    switch (f->op) {
    case PTX_OP_ADD:
        return add2_u32;
    case PTX_OP_MIN:
        return sign ? min2s_u32 : min2u_u32;
    case PTX_OP_MAX:
        return sign ? max2s_u32 : max2u_u32;
    default:
        return NULL;
    }
}

/* Logic on whole predicate words. */
static void and_pred(struct warp *w, const struct op *op) {
    set_predicate(w, op->dst, predicate(w, op, 0) & predicate(w, op, 1));
}
static void or_pred(struct warp *w, const struct op *op) {
    set_predicate(w, op->dst, predicate(w, op, 0) | predicate(w, op, 1));
}
static void xor_pred(struct warp *w, const struct op *op) {
    set_predicate(w, op->dst, predicate(w, op, 0) ^ predicate(w, op, 1));
}
static void not_pred(struct warp *w, const struct op *op) {
    set_predicate(w, op->dst, ~predicate(w, op, 0));
}

static exec_fn *select_logic(enum ptx_opcode op, bool pred, int c) {
    switch (op) {
    case PTX_OP_AND:
        return pred ? and_pred : and_table[c];
    case PTX_OP_OR:
        return pred ? or_pred : or_table[c];
    case PTX_OP_XOR:
        return pred ? xor_pred : xor_table[c];
    case PTX_OP_NOT:
        return pred ? not_pred : not_table[c];
    default:
        return NULL;
    }
}

static exec_fn *select_product(const struct ptx_form *f, int c) {
    static exec_fn *const mul_wide[] = {mul_wide_u16, mul_wide_s16,
                                        mul_wide_u32, mul_wide_s32};
    static exec_fn *const mad_wide[] = {mad_wide_u16, mad_wide_s16,
                                        mad_wide_u32, mad_wide_s32};
    static exec_fn *const high_table[] = {top_u16, top_s16, top_u32,
                                          top_s32, top_u64, top_s64};
    static exec_fn *const madhigh_table[] = {madhigh_u16, madhigh_s16,
                                             madhigh_u32, madhigh_s32,
                                             madhigh_u64, madhigh_s64};
    bool high = ptx_has(f, PTX_MOD_HI), sat = ptx_has(f, PTX_MOD_SAT);
    bool mul = f->op == PTX_OP_MUL;
    if (ptx_has(f, PTX_MOD_WIDE))
        return c > 3 || sat ? NULL : mul ? mul_wide[c] : mad_wide[c];
    if (sat)
        return !mul && high && c == 3 ? madhighsat_s32 : NULL;
    if (high)
        return mul ? high_table[c] : madhigh_table[c];
    return mul ? mul_table[c] : mad_table[c];
}

static exec_fn *select_24(const struct ptx_form *f, int c) {
    bool high = ptx_has(f, PTX_MOD_HI), sign = c == 3;
    if (c != 2 && c != 3)
        return NULL;
    if (ptx_has(f, PTX_MOD_SAT))
        return f->op == PTX_OP_MAD24 && high && sign ? madhighsat24_s32 : NULL;
    if (f->op == PTX_OP_MUL24)
        return high ? (sign ? high24_s32 : high24_u32)
                    : (sign ? low24_s32 : low24_u32);
    return high ? (sign ? madhigh24_s32 : madhigh24_u32)
                : (sign ? madlow24_s32 : madlow24_u32);
}

static exec_fn *select_sum(const struct ptx_form *f, int c) {
    if (ptx_has(f, PTX_MOD_CC))
        return NULL;
    if (ptx_has(f, PTX_MOD_SAT))
        return c != 3 ? NULL : f->op == PTX_OP_ADD ? addsat_s32 : subsat_s32;
    return f->op == PTX_OP_ADD ? add_table[c] : sub_table[c];
}

static exec_fn *select_extreme(const struct ptx_form *f, const struct op *op,
                               int c) {
    bool min = f->op == PTX_OP_MIN, three = op->src[2] != 0;
    if (ptx_has(f, PTX_MOD_RELU))
        return c != 3 || three ? NULL : min ? minrelu_s32 : maxrelu_s32;
    if (three)
        return min ? min3_table[c] : max3_table[c];
    return min ? min_table[c] : max_table[c];
}

static exec_fn *select_other(const struct ptx_form *f, int c) {
    static exec_fn *const div_table[] = {quot_u16, quot_s16, quot_u32,
                                         quot_s32, quot_u64, quot_s64};
    static exec_fn *const rem_table[] = {remd_u16, remd_s16, remd_u32,
                                         remd_s32, remd_u64, remd_s64};
    switch (f->op) {
    case PTX_OP_SAD:
        return sad_table[c];
    case PTX_OP_DIV:
        return div_table[c];
    case PTX_OP_REM:
        return rem_table[c];
    case PTX_OP_ABS:
        return abs_table[c];
    case PTX_OP_NEG:
        return neg_table[c];
    case PTX_OP_CNOT:
        return cnot_table[c];
    case PTX_OP_SHL:
        return shl_table[c];
    case PTX_OP_SHR:
        return shr_table[c];
    default:
        return NULL;
    }
}

exec_fn *select_int(const struct ptx_form *f, struct op *op) {
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    int c = int_column(t);
    if (t == PTX_U16X2 || t == PTX_S16X2)
        return select_halves(f);
    if (c < 0 && t != PTX_PRED)
        return NULL;
    exec_fn *logic = select_logic(f->op, t == PTX_PRED, c);
    if (logic || t == PTX_PRED)
        return logic;
    switch (f->op) {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
        return select_sum(f, c);
    case PTX_OP_MUL:
    case PTX_OP_MAD:
        return ptx_has(f, PTX_MOD_CC) ? NULL : select_product(f, c);
    case PTX_OP_MUL24:
    case PTX_OP_MAD24:
        return select_24(f, c);
    case PTX_OP_MIN:
    case PTX_OP_MAX:
        return select_extreme(f, op, c);
    default:
        return select_other(f, c);
    }
}

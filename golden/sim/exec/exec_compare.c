/* exec_compare.c - setp, set, selp, slct, testp.
 *
 * A comparison gives one bit a lane.  For the usual ones without a third
 * operand the 32 bits are gathered by a vector loop over a table of bits.
 */
#include "exec_float.h"

#include <math.h>

enum comparison {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    EQU,
    NEU,
    LTU,
    LEU,
    GTU,
    GEU,
    NUM,
    UNORDERED,
    COMPARISONS
};

static const u32 bit_of[LANES] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,
    1u << 7,  1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13,
    1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20,
    1u << 21, 1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27,
    1u << 28, 1u << 29, 1u << 30, 1u << 31};

typedef u32 compare_fn(const struct warp *w, const struct op *op);

/* The result of all lanes; those that are not active do not matter. */
#define COMPARE(name, T, S, expr)                                              \
    HOT static u32 name(const struct warp *w, const struct op *op) {           \
        const lane_##S *a = source(w, op->src[0]);                             \
        const lane_##S *b = source(w, op->src[1]);                             \
        u32 r = 0;                                                             \
        for (int i = 0; i < LANES; i++) {                                      \
            T x = (T)a[i], y = (T)b[i];                                        \
            r |= (expr) ? bit_of[i] : 0;                                       \
        }                                                                      \
        return r;                                                              \
    }
#define COMPARE_TYPE(T, S)                                                     \
    COMPARE(eq_##T, T, S, x == y)                                              \
    COMPARE(ne_##T, T, S, x != y)                                              \
    COMPARE(lt_##T, T, S, x < y)                                               \
    COMPARE(le_##T, T, S, x <= y)                                              \
    COMPARE(gt_##T, T, S, x > y)                                               \
    COMPARE(ge_##T, T, S, x >= y)
#define ROW(T)                                                                 \
    { eq_##T, ne_##T, lt_##T, le_##T, gt_##T, ge_##T }
/* Ordered comparisons are false for NaN, those with u are true. */
#define COMPARE_FLOAT(T, S)                                                    \
    COMPARE(eq_##T, S, S, x == y)                                              \
    COMPARE(ne_##T, S, S, x<y || x> y)                                         \
    COMPARE(lt_##T, S, S, x < y)                                               \
    COMPARE(le_##T, S, S, x <= y)                                              \
    COMPARE(gt_##T, S, S, x > y)                                               \
    COMPARE(ge_##T, S, S, x >= y)                                              \
    COMPARE(equ_##T, S, S, !(x < y || x > y))                                  \
    COMPARE(neu_##T, S, S, x != y)                                             \
    COMPARE(ltu_##T, S, S, !(x >= y))                                          \
    COMPARE(leu_##T, S, S, !(x > y))                                           \
    COMPARE(gtu_##T, S, S, !(x <= y))                                          \
    COMPARE(geu_##T, S, S, !(x < y))                                           \
    COMPARE(num_##T, S, S, x == x && y == y)                                   \
    COMPARE(nan_##T, S, S, x != x || y != y)
#define ROW_FLOAT(T)                                                           \
    {                                                                          \
        eq_##T, ne_##T, lt_##T, le_##T, gt_##T, ge_##T, equ_##T, neu_##T,      \
            ltu_##T, leu_##T, gtu_##T, geu_##T, num_##T, nan_##T               \
    }

COMPARE_TYPE(u16, u32)
COMPARE_TYPE(s16, u32)
COMPARE_TYPE(u32, u32)
COMPARE_TYPE(s32, u32)
COMPARE_TYPE(u64, u64)
COMPARE_TYPE(s64, u64)
COMPARE_FLOAT(float, f32)
COMPARE_FLOAT(double, f64)

static compare_fn *const table[][COMPARISONS] = {
    ROW(u16), ROW(s16), ROW(u32),         ROW(s32),
    ROW(u64), ROW(s64), ROW_FLOAT(float), ROW_FLOAT(double)};

static int row_of(enum ptx_type t) {
    switch (t) {
    case PTX_U16:
    case PTX_B16:
        return 0;
    case PTX_S16:
        return 1;
    case PTX_U32:
    case PTX_B32:
        return 2;
    case PTX_S32:
        return 3;
    case PTX_U64:
    case PTX_B64:
        return 4;
    case PTX_S64:
        return 5;
    case PTX_F32:
        return 6;
    case PTX_F64:
        return 7;
    default:
        return -1;
    }
}

/* lo ls hi hs are the unsigned lt le gt ge. */
static int comparison_of(const struct ptx_form *f) {
    static const enum ptx_modifier order[] = {
        PTX_MOD_EQ,  PTX_MOD_NE,  PTX_MOD_LT,  PTX_MOD_LE,  PTX_MOD_GT,
        PTX_MOD_GE,  PTX_MOD_EQU, PTX_MOD_NEU, PTX_MOD_LTU, PTX_MOD_LEU,
        PTX_MOD_GTU, PTX_MOD_GEU, PTX_MOD_NUM, PTX_MOD_NAN};
    static const enum ptx_modifier unsigned_order[] = {PTX_MOD_LO, PTX_MOD_LS,
                                                       PTX_MOD_HI, PTX_MOD_HS};
    enum ptx_modifier m = ptx_modifier_of(f, PTX_GROUP_COMPARE);
    for (int i = 0; i < COMPARISONS; i++)
        if (order[i] == m)
            return i;
    for (int i = 0; i < 4; i++)
        if (unsigned_order[i] == m)
            return LT + i;
    return -1;
}

/* ------------------------------------------------------------------ setp */

/* .ftz: the operands with subnormals as zeros, in a copy of the op's slots. */
static u32 compare_ftz(struct warp *w, const struct op *op) {
    const lane_f32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    f32 x[LANES], y[LANES];
    for (int i = 0; i < LANES; i++) {
        x[i] = flush32(a[i]);
        y[i] = flush32(b[i]);
    }
    struct warp copy = {.base = {(const uint8_t *)x, (const uint8_t *)y}};
    struct op at = {.src = {0, 1}};
    return table[6][op->what](&copy, &at);
}

/* Integer comparisons by name: one table, op->how is the row. */
static u32 compare(struct warp *w, const struct op *op) {
    if (op->how == 8)
        return compare_ftz(w, op);
    return table[op->how][op->what](w, op);
}

/* imm: 0 none, else the modifier that joins the third operand. */
static u32 join(struct warp *w, const struct op *op, u32 r) {
    if (!op->src[2])
        return r;
    u32 c = predicate(w, op, 2);
    return op->imm == PTX_MOD_AND  ? r & c
           : op->imm == PTX_MOD_OR ? r | c
                                   : r ^ c;
}

static void setp(struct warp *w, const struct op *op) {
    u32 r = compare(w, op);
    u32 first = join(w, op, r), second = join(w, op, ~r);
    set_predicate(w, op->dst, first);
    if (op->more && op->more->dst2)
        set_predicate(w, op->more->dst2, second);
}

/* One handler a comparison and type for the usual form. */
#define SETP(name)                                                             \
    static void setp_##name(struct warp *w, const struct op *op) {             \
        set_predicate(w, op->dst, name(w, op));                                \
    }
#define SETP_TYPE(T)                                                           \
    SETP(eq_##T)                                                               \
    SETP(ne_##T) SETP(lt_##T) SETP(le_##T) SETP(gt_##T) SETP(ge_##T)
#define SETP_ROW(T)                                                            \
    {                                                                          \
        setp_eq_##T, setp_ne_##T, setp_lt_##T, setp_le_##T, setp_gt_##T,       \
            setp_ge_##T                                                        \
    }
SETP_TYPE(u32)
SETP_TYPE(s32)
SETP_TYPE(u64)
SETP_TYPE(s64)
SETP_TYPE(float)

static exec_fn *const setp_table[][6] = {SETP_ROW(u32), SETP_ROW(s32),
                                         SETP_ROW(u64), SETP_ROW(s64),
                                         SETP_ROW(float)};

static exec_fn *select_setp(const struct ptx_form *f, struct op *op) {
    int cmp = comparison_of(f), row = f->n_types ? row_of(f->types[0]) : -1;
    if (cmp < 0 || row < 0 || f->n_types != 1 || !table[row][cmp])
        return NULL;
    op->what = (uint8_t)cmp;
    op->how = (uint8_t)(row == 6 && ptx_has(f, PTX_MOD_FTZ) ? 8 : row);
    op->imm = ptx_modifier_of(f, PTX_GROUP_OPERATION);
    bool plain = !op->src[2] && op->dst && op->how >= 2 && op->how <= 6;
    if (plain && cmp <= GE && !(op->more && op->more->dst2))
        return setp_table[op->how - 2][cmp];
    return setp;
}

/* ------------------------------------------------------------------- set */

/* All ones or zero for integers, 1.0 or 0.0 for f32. */
static void set(struct warp *w, const struct op *op) {
    lane_u32 *d = result(w, op->dst);
    u32 r = join(w, op, compare(w, op));
    u32 one = op->width ? f32_bits(1) : ~0u;
    EACH_LANE(i, w->mask) d[i] = r >> i & 1 ? one : 0;
}

static exec_fn *select_set(const struct ptx_form *f, struct op *op) {
    int cmp = comparison_of(f),
        row = f->n_types == 2 ? row_of(f->types[1]) : -1;
    if (cmp < 0 || row < 0 || !table[row][cmp])
        return NULL;
    if (f->types[0] != PTX_F32 && f->types[0] != PTX_U32 &&
        f->types[0] != PTX_S32)
        return NULL;
    op->what = (uint8_t)cmp;
    op->how = (uint8_t)(row == 6 && ptx_has(f, PTX_MOD_FTZ) ? 8 : row);
    op->imm = ptx_modifier_of(f, PTX_GROUP_OPERATION);
    op->width = f->types[0] == PTX_F32;
    return set;
}

/* ------------------------------------------------------------- selection */

HOT static void selp32(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u32 *d = result(w, op->dst);
    u32 p = predicate(w, op, 2);
    FOR_ACTIVE(w, d[i] = p & bit_of[i] ? a[i] : b[i]);
}

static void selp64(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u64 *d = result(w, op->dst);
    u32 p = predicate(w, op, 2);
    FOR_ACTIVE(w, d[i] = p & bit_of[i] ? a[i] : b[i]);
}

/* a if the third is not negative, else b; a NaN takes b. */
static u32 not_negative(struct warp *w, const struct op *op) {
    const lane_u32 *c = source(w, op->src[2]);
    u32 r = 0;
    EACH_LANE(i, w->mask) {
        f32 x = f32_of(c[i]);
        if (op->how & FLOAT_FTZ)
            x = flush32(x);
        r |= (u32)(op->what ? x >= 0 : (s32)c[i] >= 0) << i;
    }
    return r;
}

static void slct32(struct warp *w, const struct op *op) {
    const lane_u32 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u32 *d = result(w, op->dst);
    u32 p = not_negative(w, op);
    EACH_LANE(i, w->mask) d[i] = p >> i & 1 ? a[i] : b[i];
}

static void slct64(struct warp *w, const struct op *op) {
    const lane_u64 *a = source(w, op->src[0]), *b = source(w, op->src[1]);
    lane_u64 *d = result(w, op->dst);
    u32 p = not_negative(w, op);
    EACH_LANE(i, w->mask) d[i] = p >> i & 1 ? a[i] : b[i];
}

static exec_fn *select_slct(const struct ptx_form *f, struct op *op) {
    if (f->n_types != 2 || (f->types[1] != PTX_F32 && f->types[1] != PTX_S32))
        return NULL;
    op->what = f->types[1] == PTX_F32;
    op->how = ptx_has(f, PTX_MOD_FTZ) ? FLOAT_FTZ : 0;
    return ptx_type_bits(f->types[0]) > 32 ? slct64 : slct32;
}

/* ----------------------------------------------------------------- testp */

static bool test_class(int what, int class) {
    switch (what) {
    case PTX_MOD_FINITE:
        return class != FP_NAN && class != FP_INFINITE;
    case PTX_MOD_INFINITE:
        return class == FP_INFINITE;
    case PTX_MOD_NUMBER:
        return class != FP_NAN;
    case PTX_MOD_NOTANUMBER:
        return class == FP_NAN;
    case PTX_MOD_NORMAL: /* of PTX: zeros, too */
        return class == FP_NORMAL || class == FP_ZERO;
    default:
        return class == FP_SUBNORMAL;
    }
}

static void testp(struct warp *w, const struct op *op) {
    const lane_f32 *a = source(w, op->src[0]);
    const lane_f64 *b = source(w, op->src[0]);
    u32 r = 0;
    EACH_LANE(i, w->mask) {
        int class = op->how ? fpclassify(b[i]) : fpclassify(a[i]);
        r |= (u32)test_class((int)op->imm, class) << i;
    }
    set_predicate(w, op->dst, r);
}

exec_fn *select_compare(const struct ptx_form *f, struct op *op) {
    enum ptx_type t = f->n_types ? f->types[0] : PTX_TYPE_NONE;
    switch (f->op) {
    case PTX_OP_SETP:
        return select_setp(f, op);
    case PTX_OP_SET:
        return select_set(f, op);
    case PTX_OP_SELP:
        return ptx_type_bits(t) > 32 ? selp64 : selp32;
    case PTX_OP_SLCT:
        return select_slct(f, op);
    case PTX_OP_TESTP:
        op->imm = ptx_modifier_of(f, PTX_GROUP_COMPARE);
        op->how = t == PTX_F64;
        return t == PTX_F32 || t == PTX_F64 ? testp : NULL;
    default:
        return NULL;
    }
}

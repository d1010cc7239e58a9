/* exec_int.h - macros that make integer handlers, one for each type; private to
 * exec_int.c, exec_carry.c and exec_bits.c.
 *
 * T type of the operation, U unsigned of its width, S slot.  In an expression
 * x, y, z are the operands in T and X, Y, Z the same in S, where sums and
 * products wrap instead of overflowing.
 */
#ifndef NDP_EXEC_INT_H
#define NDP_EXEC_INT_H

#include "handlers.h"

enum { INT_COLUMNS = 6 };

/* Place of a type in the tables of handlers: u16 s16 u32 s32 u64 s64; or -1. */
static inline int int_column(enum ptx_type t) {
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
    default:
        return -1;
    }
}

#define HANDLER1(name, T, U, S, expr)                                          \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##S *a = source(w, op->src[0]);                             \
        lane_##S *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = (T)a[i]; S X = (S)x; (void)x; (void)X;             \
                   d[i] = (U)(expr));                                          \
    }
#define HANDLER2(name, T, U, S, expr)                                          \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##S *a = source(w, op->src[0]);                             \
        const lane_##S *b = source(w, op->src[1]);                             \
        lane_##S *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = (T)a[i]; T y = (T)b[i]; S X = (S)x; S Y = (S)y;    \
                   (void)x; (void)y; (void)X; (void)Y; d[i] = (U)(expr));      \
    }
#define HANDLER3(name, T, U, S, expr)                                          \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##S *a = source(w, op->src[0]);                             \
        const lane_##S *b = source(w, op->src[1]);                             \
        const lane_##S *c = source(w, op->src[2]);                             \
        lane_##S *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = (T)a[i]; T y = (T)b[i]; T z = (T)c[i]; S X = (S)x; \
                   S Y = (S)y; S Z = (S)z; (void)x; (void)y; (void)z; (void)X; \
                   (void)Y; (void)Z; d[i] = (U)(expr));                        \
    }
/* The second operand is 32 bits wide whatever the type. */
#define SHIFTER(name, T, U, S, expr)                                           \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##S *a = source(w, op->src[0]);                             \
        const lane_u32 *b = source(w, op->src[1]);                             \
        lane_##S *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = (T)a[i]; u32 y = b[i]; S X = (S)x; (void)X;        \
                   d[i] = (U)(expr));                                          \
    }
/* The result is 32 bits wide whatever the type. */
#define COUNTER(name, T, U, S, expr)                                           \
    HOT static void name##_##T(struct warp *w, const struct op *op) {          \
        const lane_##S *a = source(w, op->src[0]);                             \
        lane_u32 *d = result(w, op->dst);                                      \
        FOR_ACTIVE(w, T x = (T)a[i]; d[i] = (u32)(expr));                      \
    }

#define UNSIGNED_TYPES(KIND, name, expr)                                       \
    KIND(name, u16, u16, u32, expr)                                            \
    KIND(name, u32, u32, u32, expr)                                            \
    KIND(name, u64, u64, u64, expr)
#define SIGNED_TYPES(KIND, name, expr)                                         \
    KIND(name, s16, u16, u32, expr)                                            \
    KIND(name, s32, u32, u32, expr)                                            \
    KIND(name, s64, u64, u64, expr)

/* Handlers that differ by sign, and those that do not. */
#define EACH_SIGN(KIND, name, expr_unsigned, expr_signed)                      \
    UNSIGNED_TYPES(KIND, name, expr_unsigned)                                  \
    SIGNED_TYPES(KIND, name, expr_signed)                                      \
    static exec_fn *const name##_table[INT_COLUMNS] =                          \
        {name##_u16, name##_s16, name##_u32,                                   \
         name##_s32, name##_u64, name##_s64};
#define EACH_WIDTH(KIND, name, expr)                                           \
    UNSIGNED_TYPES(KIND, name, expr)                                           \
    static exec_fn *const name##_table[INT_COLUMNS] =                          \
        {name##_u16, name##_u16, name##_u32,                                   \
         name##_u32, name##_u64, name##_u64};

#endif

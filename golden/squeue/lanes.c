/* lanes.c - arithmetic of a service queue on one lane; see lanes.h. */
#include "lanes.h"

#include "base/bits.h"
#include "blocks/squeue.h"
#include "fma/arith.h"

#include <math.h>
#include <string.h>

#define SIGN UINT32_C(0x80000000)
#define NOT_A_NUMBER UINT32_C(0x7fffffff)

static float number(uint32_t bits) {
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool is_signed(uint64_t type) {
    return type == SQUEUE_S32 || type == SQUEUE_S16 || type == SQUEUE_S8;
}

uint32_t lanes_widen(uint64_t type, uint32_t raw) {
    switch (type) {
    case SQUEUE_S16:
        return (uint32_t)bits_signed(raw, 16);
    case SQUEUE_U16:
        return raw & 0xffff;
    case SQUEUE_S8:
        return (uint32_t)bits_signed(raw, 8);
    case SQUEUE_U8:
        return raw & 0xff;
    default:
        return raw;
    }
}

bool lanes_unary(uint64_t op) {
    return op == SQUEUE_NEG || op == SQUEUE_ABS || op == SQUEUE_NOT;
}

bool lanes_has_op(uint64_t op) {
    return op > SQUEUE_NO_OP && op <= SQUEUE_NOT && op != SQUEUE_DIV;
}

bool lanes_has_compare(uint64_t compare) {
    return compare <= SQUEUE_NAN;
}

/* --- f32 ------------------------------------------------------------------ */

static uint32_t rounded(enum fma_kind kind, uint32_t a, uint32_t b,
                        uint32_t c) {
    struct fma_op op = {.a = a, .b = b, .c = c, .kind = (uint8_t)kind};

    return fma_value(&op);
}

/* The lesser, or the greater one; -0 is less than +0. */
static uint32_t extreme(uint32_t x, uint32_t y, bool greater) {
    bool nan_x = isnan(number(x)), nan_y = isnan(number(y));

    if (nan_x && nan_y)
        return NOT_A_NUMBER;
    if (nan_x || nan_y)
        return nan_x ? y : x;
    bool x_less = number(x) < number(y) || (x == SIGN && y == 0);
    return x_less != greater ? x : y;
}

static uint32_t of_floats(uint64_t op, uint32_t x, uint32_t y) {
    switch (op) {
    case SQUEUE_ADD:
        return rounded(FMA_ADD, x, 0, y);
    case SQUEUE_SUB:
        return rounded(FMA_ADD, x, 0, y ^ SIGN);
    case SQUEUE_MUL:
        return rounded(FMA_MUL, x, y, 0);
    case SQUEUE_MIN:
        return extreme(x, y, false);
    case SQUEUE_MAX:
        return extreme(x, y, true);
    case SQUEUE_NEG:
        return x ^ SIGN;
    default: /* ABS */
        return x & ~SIGN;
    }
}

/* --- integers ------------------------------------------------------------- */

static bool less(bool with_signs, uint32_t x, uint32_t y) {
    return with_signs ? (int32_t)x < (int32_t)y : x < y;
}

static uint32_t of_integers(uint64_t op, bool with_signs, uint32_t x,
                            uint32_t y) {
    switch (op) {
    case SQUEUE_ADD:
        return x + y;
    case SQUEUE_SUB:
        return x - y;
    case SQUEUE_MUL:
        return x * y;
    case SQUEUE_MIN:
        return less(with_signs, x, y) ? x : y;
    case SQUEUE_MAX:
        return less(with_signs, x, y) ? y : x;
    case SQUEUE_NEG:
        return 0 - x;
    default: /* ABS */
        return with_signs && (int32_t)x < 0 ? 0 - x : x;
    }
}

static uint32_t of_bits(uint64_t op, bool with_signs, uint32_t x, uint32_t y) {
    switch (op) {
    case SQUEUE_AND:
        return x & y;
    case SQUEUE_OR:
        return x | y;
    case SQUEUE_XOR:
        return x ^ y;
    case SQUEUE_NOT:
        return ~x;
    case SQUEUE_SHL:
        return y < 32 ? x << y : 0;
    default: /* SHR */
        if (with_signs)
            return (uint32_t)((int64_t)(int32_t)x >> (y < 32 ? y : 32));
        return y < 32 ? x >> y : 0;
    }
}

uint32_t lanes_value(uint64_t op, uint64_t type, uint32_t x, uint32_t y) {
    switch (op) {
    case SQUEUE_AND:
    case SQUEUE_OR:
    case SQUEUE_XOR:
    case SQUEUE_NOT:
    case SQUEUE_SHL:
    case SQUEUE_SHR:
        return of_bits(op, is_signed(type), x, y);
    default:
        return type == SQUEUE_F32 ? of_floats(op, x, y)
                                  : of_integers(op, is_signed(type), x, y);
    }
}

uint32_t lanes_fused(uint64_t type, uint32_t a, uint32_t i, uint32_t b) {
    return type == SQUEUE_F32 ? rounded(FMA_FMA, a, i, b) : a * i + b;
}

/* --- comparisons ---------------------------------------------------------- */

bool lanes_truth(uint64_t compare, uint64_t type, uint32_t x, uint32_t y) {
    bool f32 = type == SQUEUE_F32;
    bool nan = f32 && (isnan(number(x)) || isnan(number(y)));
    bool lt = f32 ? number(x) < number(y) : less(is_signed(type), x, y);
    bool eq = f32 ? number(x) == number(y) : x == y;
    bool gt = !nan && !lt && !eq;

    switch (compare) {
    case SQUEUE_EQ:
        return eq;
    case SQUEUE_NE:
        return lt || gt;
    case SQUEUE_LT:
        return lt;
    case SQUEUE_LE:
        return lt || eq;
    case SQUEUE_GT:
        return gt;
    case SQUEUE_GE:
        return gt || eq;
    case SQUEUE_EQU:
        return nan || eq;
    case SQUEUE_NEU:
        return nan || !eq;
    case SQUEUE_LTU:
        return nan || lt;
    case SQUEUE_LEU:
        return nan || !gt;
    case SQUEUE_GTU:
        return nan || gt;
    case SQUEUE_GEU:
        return nan || !lt;
    case SQUEUE_NUM:
        return !nan;
    default: /* NAN */
        return nan;
    }
}

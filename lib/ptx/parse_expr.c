/* parse_expr.c - constant expressions, by precedence climbing.
 *
 * Integers are 64 bits and signed unless one side is unsigned, as the PTX ISA
 * says; floating-point numbers are f64.  Nesting is limited so that no input
 * can exhaust the stack.
 */
#include "reader.h"

#include <string.h>

static bool parse_level(struct reader *r, struct ptx_value *v, int level,
                        int depth);

static double as_double(struct ptx_value v) {
    double d;
    float f;
    uint32_t low = (uint32_t)v.bits;
    switch (v.kind) {
    case PTX_VALUE_F32:
        memcpy(&f, &low, sizeof f);
        return f;
    case PTX_VALUE_F64:
        memcpy(&d, &v.bits, sizeof d);
        return d;
    default:
        return v.is_unsigned ? (double)v.bits : (double)(int64_t)v.bits;
    }
}

static struct ptx_value from_double(double d) {
    struct ptx_value v = {PTX_VALUE_F64, 0, false};
    memcpy(&v.bits, &d, sizeof d);
    return v;
}

static struct ptx_value from_int(uint64_t bits, bool is_unsigned) {
    return (struct ptx_value){PTX_VALUE_INT, bits, is_unsigned};
}

/* Towards zero; what does not fit becomes zero. */
static uint64_t truncated(double d) {
    if (!(d > -9.2e18 && d < 9.2e18))
        return 0;
    return (uint64_t)(int64_t)d;
}

static bool is_true(struct ptx_value v) {
    return v.kind == PTX_VALUE_INT ? v.bits != 0 : as_double(v) != 0;
}

/* Binding strength of a binary operator; 0 when punct is none. */
static int strength(int punct) {
    switch (punct) {
    case PUNCT2('|', '|'):
        return 1;
    case PUNCT2('&', '&'):
        return 2;
    case '|':
        return 3;
    case '^':
        return 4;
    case '&':
        return 5;
    case PUNCT2('=', '='):
    case PUNCT2('!', '='):
        return 6;
    case '<':
    case '>':
    case PUNCT2('<', '='):
    case PUNCT2('>', '='):
        return 7;
    case PUNCT2('<', '<'):
    case PUNCT2('>', '>'):
        return 8;
    case '+':
    case '-':
        return 9;
    case '*':
    case '/':
    case '%':
        return 10;
    default:
        return 0;
    }
}

static bool compare(int punct, int order, bool *result) {
    switch (punct) {
    case PUNCT2('=', '='):
        *result = order == 0;
        return true;
    case PUNCT2('!', '='):
        *result = order != 0;
        return true;
    case '<':
        *result = order < 0;
        return true;
    case '>':
        *result = order > 0;
        return true;
    case PUNCT2('<', '='):
        *result = order <= 0;
        return true;
    case PUNCT2('>', '='):
        *result = order >= 0;
        return true;
    default:
        return false;
    }
}

static bool float_binary(struct reader *r, int punct, struct ptx_value *a,
                         struct ptx_value b) {
    double x = as_double(*a), y = as_double(b);
    bool result;
    if (compare(punct, (x > y) - (x < y), &result)) {
        *a = from_int(result, false);
        return true;
    }
    switch (punct) {
    case '+':
        *a = from_double(x + y);
        return true;
    case '-':
        *a = from_double(x - y);
        return true;
    case '*':
        *a = from_double(x * y);
        return true;
    case '/':
        *a = from_double(x / y);
        return true;
    default:
        reader_error(r, "operator needs integers, found a floating-point "
                        "number");
        return false;
    }
}

static bool divide(struct reader *r, int punct, uint64_t x, uint64_t y,
                   bool is_unsigned, uint64_t *out) {
    if (y == 0) {
        reader_error(r, "division by zero in a constant expression");
        return false;
    }
    if (is_unsigned)
        *out = punct == '/' ? x / y : x % y;
    else if (y == UINT64_MAX) /* -1: avoid the overflow of INT64_MIN / -1 */
        *out = punct == '/' ? 0 - x : 0;
    else
        *out = (uint64_t)(punct == '/' ? (int64_t)x / (int64_t)y
                                       : (int64_t)x % (int64_t)y);
    return true;
}

static uint64_t shift(int punct, uint64_t x, uint64_t y, bool is_unsigned) {
    bool negative = !is_unsigned && (int64_t)x < 0;
    if (punct == PUNCT2('<', '<'))
        return y < 64 ? x << y : 0;
    if (y > 63)
        return negative ? UINT64_MAX : 0;
    return negative ? ~(~x >> y) : x >> y;
}

static uint64_t int_logic(int punct, uint64_t x, uint64_t y) {
    switch (punct) {
    case '+':
        return x + y;
    case '-':
        return x - y;
    case '*':
        return x * y;
    case '&':
        return x & y;
    case '|':
        return x | y;
    case '^':
        return x ^ y;
    case PUNCT2('&', '&'):
        return x && y;
    case PUNCT2('|', '|'):
        return x || y;
    default:
        BUG("operator %d", punct);
    }
}

static bool int_binary(struct reader *r, int punct, struct ptx_value *a,
                       struct ptx_value b) {
    bool is_unsigned = a->is_unsigned || b.is_unsigned, result;
    uint64_t x = a->bits, y = b.bits, v;
    int64_t sx = (int64_t)x, sy = (int64_t)y;
    int order = is_unsigned ? (x > y) - (x < y) : (sx > sy) - (sx < sy);
    if (compare(punct, order, &result)) {
        *a = from_int(result, false);
        return true;
    }
    if (punct == '/' || punct == '%') {
        if (!divide(r, punct, x, y, is_unsigned, &v))
            return false;
    } else if (punct == PUNCT2('<', '<') || punct == PUNCT2('>', '>')) {
        v = shift(punct, x, y, a->is_unsigned);
    } else {
        v = int_logic(punct, x, y);
    }
    *a = from_int(v, is_unsigned);
    return true;
}

/* ( expression ) or a cast ( .s64 ) unary. */
static bool parse_group(struct reader *r, struct ptx_value *v, int depth) {
    ptx_lexer_next(&r->lex);
    if (r->lex.tok.kind == TOK_DOT) {
        bool is_unsigned = ptx_token_is(&r->lex.tok, TOK_DOT, "u64");
        ptx_lexer_next(&r->lex);
        if (!reader_expect(r, ')') || !parse_level(r, v, 11, depth + 1))
            return false;
        if (v->kind != PTX_VALUE_INT)
            *v = from_int(truncated(as_double(*v)), is_unsigned);
        v->is_unsigned = is_unsigned;
        return true;
    }
    return parse_level(r, v, 0, depth + 1) && reader_expect(r, ')');
}

static bool parse_unary(struct reader *r, struct ptx_value *v, int op,
                        int depth) {
    ptx_lexer_next(&r->lex);
    if (!parse_level(r, v, 11, depth + 1))
        return false;
    if (op == '!') {
        *v = from_int(!is_true(*v), false);
    } else if (op == '~') {
        if (v->kind == PTX_VALUE_INT)
            v->bits = ~v->bits;
    } else if (op == '-') {
        if (v->kind == PTX_VALUE_INT)
            *v = from_int(0 - v->bits, false);
        else /* the sign bit, so that 0f.. keeps its width */
            v->bits ^= v->kind == PTX_VALUE_F32 ? UINT64_C(1) << 31
                                                : UINT64_C(1) << 63;
    }
    return true;
}

static bool parse_primary(struct reader *r, struct ptx_value *v, int depth) {
    const struct token *t = &r->lex.tok;
    if (depth > READER_MAX_NESTING) {
        reader_error(r,
                     "expression is nested too deeply, expected at most %d "
                     "levels",
                     READER_MAX_NESTING);
        return false;
    }
    if (t->kind == TOK_NUMBER) {
        *v = t->value;
        ptx_lexer_next(&r->lex);
        return true;
    }
    if (ptx_token_is(t, TOK_NAME, "WARP_SZ")) {
        *v = from_int(32, false);
        ptx_lexer_next(&r->lex);
        return true;
    }
    if (ptx_lexer_is(&r->lex, '('))
        return parse_group(r, v, depth);
    if (t->kind == TOK_PUNCT && t->punct < 128 && strchr("-+~!", t->punct))
        return parse_unary(r, v, t->punct, depth);
    if (t->kind != TOK_ERROR) /* already reported */
        reader_error(r, "expected a constant");
    return false;
}

/* cond ? a : b, the lowest level. */
static bool parse_choice(struct reader *r, struct ptx_value *v, int depth) {
    struct ptx_value a, b;
    ptx_lexer_next(&r->lex);
    if (!parse_level(r, &a, 0, depth + 1) || !reader_expect(r, ':') ||
        !parse_level(r, &b, 0, depth + 1))
        return false;
    *v = is_true(*v) ? a : b;
    return true;
}

/* Operators that bind more tightly than level. */
static bool parse_level(struct reader *r, struct ptx_value *v, int level,
                        int depth) {
    if (!parse_primary(r, v, depth))
        return false;
    for (;;) {
        int punct = r->lex.tok.kind == TOK_PUNCT ? r->lex.tok.punct : 0;
        int strong = strength(punct);
        if (punct == '?' && level == 0)
            return parse_choice(r, v, depth);
        if (strong <= level)
            return true;
        struct ptx_value b;
        ptx_lexer_next(&r->lex);
        if (!parse_level(r, &b, strong, depth + 1))
            return false;
        bool real = v->kind != PTX_VALUE_INT || b.kind != PTX_VALUE_INT;
        if (!(real ? float_binary : int_binary)(r, punct, v, b))
            return false;
    }
}

bool ptx_parse_constant(struct reader *r, struct ptx_value *v) {
    return parse_level(r, v, 0, 0);
}

bool ptx_parse_int(struct reader *r, int64_t *v) {
    struct ptx_value value;
    struct token first = r->lex.tok;
    if (!ptx_parse_constant(r, &value))
        return false;
    if (value.kind != PTX_VALUE_INT) {
        diag_error(r->diag, ptx_token_place(&r->lex, &first),
                   "expected an integer, found '%.*s'",
                   SHOWN(first.s, first.len));
        return false;
    }
    *v = (int64_t)value.bits;
    return true;
}

bool ptx_parse_offset(struct reader *r, int64_t *sum) {
    while (ptx_lexer_is(&r->lex, '+') || ptx_lexer_is(&r->lex, '-')) {
        bool minus = ptx_lexer_is(&r->lex, '-');
        struct ptx_value v;
        ptx_lexer_next(&r->lex);
        struct token first = r->lex.tok;
        if (!parse_level(r, &v, strength('+'), 0))
            return false;
        if (v.kind != PTX_VALUE_INT) {
            diag_error(r->diag, ptx_token_place(&r->lex, &first),
                       "expected an integer offset, found '%.*s'",
                       SHOWN(first.s, first.len));
            return false;
        }
        uint64_t bits = minus ? 0 - v.bits : v.bits;
        *sum = (int64_t)((uint64_t)*sum + bits);
    }
    return true;
}

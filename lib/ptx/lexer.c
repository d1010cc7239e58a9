/* lexer.c - PTX text as tokens.
 *
 * One pass over the bytes with no limit on line or identifier length.  A word
 * after a dot is one token together with what follows it after '::'
 * (.mbarrier::complete_tx::bytes).  Comments, white space and the DWARF lines
 * of nvopencc (@@dwarf ...) are skipped here.
 */
#include "lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 400, SHOWN_WIDTH = 60 };

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool starts_name(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

struct place ptx_token_place(const struct lexer *x, const struct token *t) {
    int width = t->len > SHOWN_WIDTH ? SHOWN_WIDTH : (int)t->len;
    return (struct place){x->source, t->line, t->column, width};
}

bool ptx_token_is(const struct token *t, enum token_kind kind,
                  const char *word) {
    return t->kind == kind && strlen(word) == t->len &&
           memcmp(t->s, word, t->len) == 0;
}

static void new_line(struct lexer *x) {
    x->line++;
    x->line_start = x->at;
}

static void skip_line(struct lexer *x) {
    const char *nl = memchr(x->at, '\n', (size_t)(x->end - x->at));
    x->at = nl ? nl : x->end;
}

/* Column of a byte; a line of more than 2 GiB is not told apart. */
static int column_of(const struct lexer *x, const char *p) {
    ptrdiff_t n = p - x->line_start + 1;
    return n > INT32_MAX ? INT32_MAX : (int)n;
}

static void skip_comment(struct lexer *x) {
    struct place at = {x->source, x->line, column_of(x, x->at), 2};
    x->at += 2;
    while (x->end - x->at >= 2 && !(x->at[0] == '*' && x->at[1] == '/'))
        if (*x->at++ == '\n')
            new_line(x);
    if (x->end - x->at >= 2) {
        x->at += 2;
        return;
    }
    x->at = x->end;
    if (x->diag)
        diag_error(x->diag, at, "comment does not end, expected '*/'");
}

/* '@@dwarf' and the rest of its line: debug data of nvopencc. */
static bool at_dwarf(const struct lexer *x) {
    return x->end - x->at > 7 && (memcmp(x->at, "@@DWARF", 7) == 0 ||
                                  memcmp(x->at, "@@dwarf", 7) == 0);
}

static void skip_blank(struct lexer *x) {
    while (x->at < x->end) {
        char c = *x->at;
        char next = (char)(x->end - x->at > 1 ? x->at[1] : '\0');
        if (c == '\n') {
            x->at++;
            new_line(x);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' ||
                   c == '\v') {
            x->at++;
        } else if ((c == '/' && next == '/') || (c == '@' && at_dwarf(x)) ||
                   (c == '#' && x->at == x->line_start)) {
            skip_line(x);
        } else if (c == '/' && next == '*') {
            skip_comment(x);
        } else {
            return;
        }
    }
}

static void bad_token(struct lexer *x, struct token *t, const char *what) {
    t->kind = TOK_ERROR;
    if (x->diag)
        diag_error(x->diag, ptx_token_place(x, t), "%s", what);
}

/* 0f3F800000 and 0d3FF0000000000000: IEEE-754 bits, 8 or 16 digits. */
static void read_bits(struct lexer *x, struct token *t, size_t digits,
                      enum ptx_value_kind kind) {
    uint64_t bits = 0;
    size_t n = 0;
    for (const char *p = t->s + 2; n + 2 < t->len; p++, n++) {
        if (!isxdigit((unsigned char)*p))
            break;
        int c = tolower((unsigned char)*p);
        bits = bits << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    if (n != digits || t->len != digits + 2) {
        bad_token(x, t,
                  digits == 8 ? "bad number, expected 8 hexadecimal digits "
                                "after '0f'"
                              : "bad number, expected 16 hexadecimal digits "
                                "after '0d'");
        return;
    }
    t->value = (struct ptx_value){kind, bits, false};
}

static int digit_value(char c) {
    if (isdigit((unsigned char)c))
        return c - '0';
    return isalpha((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
                                     : 99;
}

static void read_integer(struct lexer *x, struct token *t) {
    const char *p = t->s, *end = t->s + t->len;
    unsigned base = 10;
    bool is_unsigned = false;
    if (end[-1] == 'U' || end[-1] == 'u') {
        is_unsigned = true;
        end--;
    }
    if (p[0] == '0' && end - p > 1) {
        int c = tolower((unsigned char)p[1]);
        base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
        p += base == 8 ? 1 : 2;
    }
    uint64_t v = 0;
    bool overflow = false;
    if (p == end) {
        bad_token(x, t, "bad number, expected digits");
        return;
    }
    for (; p < end; p++) {
        unsigned d = (unsigned)digit_value(*p);
        if (d >= base) {
            bad_token(x, t, "bad number, expected digits of its base");
            return;
        }
        if (v > (UINT64_MAX - d) / base)
            overflow = true;
        v = v * base + d;
    }
    if (overflow) {
        bad_token(x, t, "number does not fit 64 bits");
        return;
    }
    t->value = (struct ptx_value){PTX_VALUE_INT, v,
                                  is_unsigned || v > (uint64_t)INT64_MAX};
}

static void read_double(struct lexer *x, struct token *t) {
    char copy[LONGEST_NUMBER], *end;
    if (t->len >= sizeof copy) {
        bad_token(x, t, "number is too long, expected at most 399 characters");
        return;
    }
    memcpy(copy, t->s, t->len);
    copy[t->len] = '\0';
    double d = strtod(copy, &end);
    if (*end) {
        bad_token(x, t, "bad floating-point number");
        return;
    }
    t->value.kind = PTX_VALUE_F64;
    memcpy(&t->value.bits, &d, sizeof d);
}

/* Extent of a number; whether it has a fraction or an exponent. */
static bool scan_number(struct lexer *x) {
    const char *start = x->at;
    bool prefixed = x->end - start > 1 && start[0] == '0' &&
                    strchr("xXfFdDbB", start[1]) != NULL && start[1];
    bool real = false;
    while (x->at < x->end) {
        char c = *x->at;
        if ((c == '+' || c == '-') && real && !prefixed &&
            (x->at[-1] == 'e' || x->at[-1] == 'E'))
            ;
        else if (c == '.' && !prefixed && !real)
            real = true;
        else if ((c == 'e' || c == 'E') && !prefixed)
            real = true;
        else if (!is_word(c))
            break;
        x->at++;
    }
    return real;
}

static void read_number(struct lexer *x, struct token *t) {
    t->kind = TOK_NUMBER;
    bool real = scan_number(x);
    t->len = (size_t)(x->at - t->s);
    int c = t->len > 1 && t->s[0] == '0' ? tolower((unsigned char)t->s[1]) : 0;
    if (real)
        read_double(x, t);
    else if (c == 'f')
        read_bits(x, t, 8, PTX_VALUE_F32);
    else if (c == 'd')
        read_bits(x, t, 16, PTX_VALUE_F64);
    else
        read_integer(x, t);
}

static void read_string(struct lexer *x, struct token *t) {
    t->kind = TOK_STRING;
    const char *p = x->at + 1;
    while (p < x->end && *p != '"' && *p != '\n')
        p += *p == '\\' && x->end - p > 1 && p[1] != '\n' ? 2 : 1;
    t->s = x->at + 1;
    t->len = (size_t)(p - t->s);
    x->at = p;
    if (p >= x->end || *p != '"')
        bad_token(x, t, "string does not end, expected '\"'");
    else
        x->at++;
}

static void read_word(struct lexer *x, struct token *t) {
    t->kind = TOK_NAME;
    while (++x->at < x->end && is_word(*x->at))
        ;
    t->len = (size_t)(x->at - t->s);
}

/* .word, with further words after '::'. */
static void read_dot(struct lexer *x, struct token *t) {
    t->kind = TOK_DOT;
    t->s = ++x->at;
    while (x->at < x->end) {
        if (is_word(*x->at))
            x->at++;
        else if (x->end - x->at > 2 && x->at[0] == ':' && x->at[1] == ':' &&
                 is_word(x->at[2]))
            x->at += 2;
        else
            break;
    }
    t->len = (size_t)(x->at - t->s);
}

static void read_punct(struct lexer *x, struct token *t) {
    static const char pairs[][3] = {
        "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};
    t->kind = TOK_PUNCT;
    t->punct = (unsigned char)*x->at;
    t->len = 1;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (x->end - x->at > 1 && memcmp(x->at, pairs[i], 2) == 0) {
            t->punct = PUNCT2(pairs[i][0], pairs[i][1]);
            t->len = 2;
        }
    x->at += t->len;
}

static void read_unexpected(struct lexer *x, struct token *t) {
    unsigned char c = (unsigned char)*x->at;
    const char *start = x->at;
    /* One message for a whole run of such bytes. */
    while (x->at < x->end && (*x->at == *start || (*x->at & 0x80)))
        x->at++;
    t->len = (size_t)(x->at - t->s);
    t->kind = TOK_ERROR;
    if (!x->diag)
        return;
    if (isprint(c))
        diag_error(x->diag, ptx_token_place(x, t), "unexpected character '%c'",
                   c);
    else
        diag_error(x->diag, ptx_token_place(x, t),
                   "unexpected byte 0x%02x, expected PTX text", c);
}

void ptx_lexer_next(struct lexer *x) {
    skip_blank(x);
    struct token *t = &x->tok;
    x->before = t->line;
    *t = (struct token){.kind = TOK_END, .s = x->at, .line = x->line};
    t->column = column_of(x, x->at);
    if (x->at >= x->end)
        return;
    char c = *x->at;
    char next = (char)(x->end - x->at > 1 ? x->at[1] : '\0');
    if (isdigit((unsigned char)c))
        read_number(x, t);
    else if (c == '"')
        read_string(x, t);
    else if (c == '.' && is_word(next))
        read_dot(x, t);
    else if (c != '%' ? starts_name(c) : is_word(next))
        read_word(x, t);
    else if (c && strchr("+-*/%&|^~!<>?:()[]{},;=@", c))
        read_punct(x, t);
    else
        read_unexpected(x, t);
}

struct token ptx_lexer_peek(const struct lexer *x) {
    struct lexer ahead = *x;
    ahead.diag = NULL; /* the message comes when it is read in earnest */
    ptx_lexer_next(&ahead);
    return ahead.tok;
}

void ptx_lexer_init(struct lexer *x, const struct source *source,
                    struct diag *d) {
    *x = (struct lexer){.source = source, .diag = d, .line = 1};
    x->at = x->line_start = source->text;
    x->end = source->text + source->len;
    ptx_lexer_next(x);
}

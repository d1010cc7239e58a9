/* isa_text.c - words of the instruction set as text, both ways.
 *
 *     @!p0 ffma.rz.ftz r1, r2, r3, r4 {near, chain 3, mark}
 *
 * What is printed is what is read: one word, one line, and back.
 */
#include "isa.h"

#include "base/bits.h"
#include "base/diag.h"

#include <inttypes.h>
#include <string.h>

static const char *const rounds[] = {".rn", ".rz", ".rm", ".rp"};
static const char *const places[] = {"", "far", "near", "both"};

/* --- out ------------------------------------------------------------------ */

static void print_pred(int field, struct text *out) {
    text_printf(out, "%sp%d", field & ISA_INVERT ? "!" : "", field & 7);
}

static void print_second(const struct isa_word *w, char letter,
                         struct text *out) {
    if (!w->imm)
        text_printf(out, "r%d", w->b);
    else if (letter == 'f')
        text_printf(out, "0f%08" PRIX32, w->value);
    else
        text_printf(out, "%" PRId32, (int32_t)w->value);
}

static void print_operand(const struct isa_word *w, char letter,
                          const char *label, struct text *out) {
    switch (letter) {
    case 'd':
        text_printf(out, "r%d", w->d);
        break;
    case 'D':
        text_printf(out, "p%d", w->d);
        break;
    case 'a':
        text_printf(out, "r%d", w->a);
        break;
    case 'A':
        print_pred(w->a, out);
        break;
    case 'b':
    case 'i':
    case 'f':
        print_second(w, letter, out);
        break;
    case 'B':
        print_pred(w->b, out);
        break;
    case 'c':
        text_printf(out, "r%d", w->c);
        break;
    case 'C':
        print_pred(w->c, out);
        break;
    case 'm':
        if (w->value)
            text_printf(out, "[r%d%+" PRId32 "]", w->a, (int32_t)w->value);
        else
            text_printf(out, "[r%d]", w->a);
        break;
    case 'n':
        text_printf(out, "[r%d]", w->a);
        break;
    case 's':
        text_add(out, isa_special_text((int)w->value));
        break;
    case 'p':
        text_printf(out, "%" PRIu32, w->value);
        break;
    case 'w':
        text_printf(out, "0x%08" PRIx32, w->value);
        break;
    case 't':
        text_printf(out, "%s%d", label, w->target);
        if (w->join != ISA_NO_JOIN)
            text_printf(out, ", %s%d", label, w->join);
        break;
    default:
        BUG("form letter '%c'", letter);
    }
}

/* The letters that are operands come first in a form. */
static bool is_operand(char letter) {
    return letter && !strchr("RZSU", letter);
}

static void print_hints(const struct isa_word *w, struct text *out) {
    const char *gap = " {";
    if (w->place)
        text_printf(out, "%s%s", gap, places[w->place]), gap = ", ";
    if (w->chain)
        text_printf(out, "%schain %d", gap, w->chain), gap = ", ";
    if (w->mark)
        text_printf(out, "%smark", gap), gap = ", ";
    if (gap[0] == ',')
        text_addc(out, '}');
}

void isa_print(const struct isa_word *w, struct text *out) {
    isa_print_labels(w, "", out);
}

void isa_print_labels(const struct isa_word *w, const char *label,
                      struct text *out) {
    const struct isa_info *info = isa_info(w->op);
    if (w->guard != ISA_TRUE || w->unless)
        text_printf(out, "@%sp%d ", w->unless ? "!" : "", w->guard);
    text_add(out, info->text ? info->text : "illegal");
    if (w->round)
        text_add(out, rounds[w->round]);
    text_add(out, w->ftz ? ".ftz" : "");
    text_add(out, w->sat ? ".sat" : "");
    const char *gap = " ";
    for (const char *f = info->form; is_operand(*f); f++) {
        text_add(out, gap);
        print_operand(w, *f, label, out);
        gap = ", ";
    }
    print_hints(w, out);
}

/* --- in ------------------------------------------------------------------- */

struct reader {
    const char *line, *p, *end;
    isa_symbol *symbol;
    void *ctx;
    struct isa_word *w;
    struct isa_error *e;
};

static bool fail(struct reader *r, const char *from, const char *what) {
    *r->e = (struct isa_error){what, (int)(from - r->line) + 1,
                               r->p > from ? (int)(r->p - from) : 1};
    return false;
}

static void blanks(struct reader *r) {
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t'))
        r->p++;
}

/* Whether c comes next; then it is gone, and the blanks behind it. */
static bool take(struct reader *r, char c) {
    if (r->p == r->end || *r->p != c)
        return false;
    r->p++;
    blanks(r);
    return true;
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || strchr("_.$%", c);
}

/* The letters, digits and dots that come next; empty if there are none. */
static size_t take_word(struct reader *r, const char **word) {
    *word = r->p;
    while (r->p < r->end && *r->p && is_word(*r->p))
        r->p++;
    return (size_t)(r->p - *word);
}

static bool is(const char *word, size_t n, const char *text) {
    return strlen(text) == n && memcmp(word, text, n) == 0;
}

/* Decimal digits up to a limit, without a zero in front of others. */
static bool digits(const char *s, size_t n, uint32_t limit, uint32_t *value) {
    uint64_t v = 0;
    if (n == 0 || n > 10 || (n > 1 && s[0] == '0'))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        v = v * 10 + (uint64_t)(s[i] - '0');
    }
    *value = (uint32_t)v;
    return v <= limit;
}

static bool hex(const char *s, size_t n, uint32_t *value) {
    *value = 0;
    if (n == 0 || n > 8)
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *at = strchr("0123456789abcdef", s[i] | 0x20);
        if (!s[i] || !at)
            return false;
        *value = *value << 4 | (uint32_t)(at - "0123456789abcdef");
    }
    return true;
}

/* 12, 0x1f, 0f3F800000: with a sign in front as two's complement. */
static bool number(struct reader *r, uint32_t *value) {
    const char *word, *from = r->p;
    bool minus = take(r, '-');
    if (!minus)
        take(r, '+');
    size_t n = take_word(r, &word);
    bool ok = n > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'f')
                  ? hex(word + 2, n - 2, value)
                  : digits(word, n, UINT32_MAX, value);
    if (!ok)
        return fail(r, from, "expected a number");
    if (minus)
        *value = -*value;
    blanks(r);
    return true;
}

/* r12 or p3. */
static bool name(struct reader *r, char letter, uint32_t limit,
                 uint8_t *field) {
    const char *word;
    uint32_t v;
    size_t n = take_word(r, &word);
    if (n < 2 || word[0] != letter || !digits(word + 1, n - 1, limit, &v))
        return fail(r, word,
                    letter == 'r' ? "expected a register r0 to r63"
                                  : "expected a predicate p0 to p7");
    *field = (uint8_t)v;
    blanks(r);
    return true;
}

static bool pred_source(struct reader *r, uint8_t *field) {
    bool inverted = take(r, '!');
    if (!name(r, 'p', 7, field))
        return false;
    *field |= inverted ? ISA_INVERT : 0;
    return true;
}

static bool second(struct reader *r, char letter) {
    const char *from = r->p;
    if (r->p < r->end && *r->p == 'r')
        return name(r, 'r', 63, &r->w->b);
    if (r->w->ftz || r->w->sat)
        return fail(r, from,
                    "expected a register: .ftz and .sat take no "
                    "number");
    if (!number(r, &r->w->value))
        return false;
    r->w->imm = true;
    if (letter == 'f' ? r->w->value & ones(8)
                      : (uint32_t)bits_signed(r->w->value, 24) != r->w->value)
        return fail(r, from,
                    letter == 'f' ? "the low 8 bits of an f32 immediate must "
                                    "be zero"
                                  : "a number beyond 24 bits with sign");
    return true;
}

static bool address(struct reader *r, bool has_offset) {
    const char *from = r->p;
    if (!take(r, '['))
        return fail(r, from, "expected '['");
    if (!name(r, 'r', 63, &r->w->a))
        return false;
    const char *offset = r->p;
    r->w->imm = has_offset;
    if (has_offset && r->p < r->end && (*r->p == '+' || *r->p == '-')) {
        if (!number(r, &r->w->value))
            return false;
        if ((uint32_t)bits_signed(r->w->value, 24) != r->w->value)
            return fail(r, offset, "an offset beyond 24 bits with sign");
    }
    offset = r->p;
    if (!take(r, ']'))
        return fail(r, offset, "expected ']'");
    return true;
}

static bool special(struct reader *r) {
    const char *word;
    size_t n = take_word(r, &word);
    for (int i = 0; i < ISA_SPECIALS; i++) {
        if (is(word, n, isa_special_text(i))) {
            r->w->imm = true;
            r->w->value = (uint32_t)i;
            blanks(r);
            return true;
        }
    }
    return fail(r, word, "expected a special register");
}

static bool code_address(struct reader *r, uint16_t *field) {
    const char *word;
    uint32_t v;
    size_t n = take_word(r, &word);
    if (!digits(word, n, 0xffff, &v) &&
        !(n && r->symbol && r->symbol(r->ctx, word, n, &v)))
        return fail(r, word, "expected a code address");
    *field = (uint16_t)v;
    blanks(r);
    return true;
}

static bool branch(struct reader *r) {
    r->w->join = ISA_NO_JOIN;
    return code_address(r, &r->w->target) &&
           (!take(r, ',') || code_address(r, &r->w->join));
}

static bool param(struct reader *r) {
    const char *from = r->p;
    r->w->imm = true;
    if (!number(r, &r->w->value))
        return false;
    return r->w->value < ISA_PARAMS ||
           fail(r, from, "no parameter word has this number");
}

static bool operand(struct reader *r, char letter) {
    switch (letter) {
    case 'd':
        return name(r, 'r', 63, &r->w->d);
    case 'D':
        return name(r, 'p', 7, &r->w->d);
    case 'a':
        return name(r, 'r', 63, &r->w->a);
    case 'A':
        return pred_source(r, &r->w->a);
    case 'b':
        return name(r, 'r', 63, &r->w->b);
    case 'B':
        return pred_source(r, &r->w->b);
    case 'i':
    case 'f':
        return second(r, letter);
    case 'c':
        return name(r, 'r', 63, &r->w->c);
    case 'C':
        return pred_source(r, &r->w->c);
    case 'm':
    case 'n':
        return address(r, letter == 'm');
    case 's':
        return special(r);
    case 'p':
        return param(r);
    case 'w':
        return number(r, &r->w->value);
    case 't':
        return branch(r);
    default:
        BUG("form letter '%c'", letter);
    }
}

/* The longest operation that the word begins with, up to its end or a dot. */
static size_t find_op(const char *word, size_t n, uint8_t *op) {
    size_t best = 0;
    for (int i = 0; i < ISA_OPS; i++) {
        const char *text = isa_info(i)->text;
        size_t len = text ? strlen(text) : 0;
        if (len > best && len <= n && memcmp(word, text, len) == 0 &&
            (len == n || word[len] == '.')) {
            best = len;
            *op = (uint8_t)i;
        }
    }
    return best;
}

/* .rz.ftz.sat, in this order. */
static bool modifiers(struct reader *r, const char *at, const char *end) {
    struct isa_word *w = r->w;
    if (isa_has(w->op, 'R') && end - at >= 3) {
        for (uint8_t i = 0; i < 4; i++)
            if (memcmp(at, rounds[i], 3) == 0 &&
                (end - at == 3 || at[3] == '.')) {
                w->round = i;
                at += 3;
                break;
            }
    }
    w->ftz = isa_has(w->op, 'Z') && end - at >= 4 && !memcmp(at, ".ftz", 4);
    at += w->ftz ? 4 : 0;
    w->sat = isa_has(w->op, 'S') && end - at >= 4 && !memcmp(at, ".sat", 4);
    at += w->sat ? 4 : 0;
    return at == end || fail(r, at, "a modifier that the operation lacks");
}

static bool hint(struct reader *r) {
    const char *word;
    size_t n = take_word(r, &word);
    for (uint8_t i = 1; i < 4; i++)
        if (is(word, n, places[i])) {
            r->w->place = i;
            blanks(r);
            return true;
        }
    if (is(word, n, "mark")) {
        r->w->mark = true;
        blanks(r);
        return true;
    }
    if (!is(word, n, "chain"))
        return fail(r, word, "expected far, near, both, chain or mark");
    blanks(r);
    const char *from = r->p;
    uint32_t v;
    n = take_word(r, &word);
    if (!digits(word, n, 15, &v) || v == 0)
        return fail(r, from, "expected a chain from 1 to 15");
    r->w->chain = (uint8_t)v;
    blanks(r);
    return true;
}

static bool hints(struct reader *r) {
    if (!take(r, '{'))
        return true;
    do {
        if (!hint(r))
            return false;
    } while (take(r, ','));
    const char *from = r->p;
    return take(r, '}') || fail(r, from, "expected '}'");
}

static bool guard(struct reader *r) {
    if (!take(r, '@'))
        return true;
    r->w->unless = take(r, '!');
    return name(r, 'p', 7, &r->w->guard);
}

static bool operands(struct reader *r) {
    const char *form = isa_info(r->w->op)->form;
    for (const char *f = form; is_operand(*f); f++) {
        const char *from = r->p;
        if (f > form && !take(r, ','))
            return fail(r, from, "expected ','");
        if (!operand(r, *f))
            return false;
    }
    return true;
}

bool isa_parse(const char *line, size_t len, isa_symbol *symbol, void *ctx,
               struct isa_word *w, struct isa_error *e) {
    struct reader r = {line, line, line + len, symbol, ctx, w, e};
    *w = (struct isa_word){.guard = ISA_TRUE};
    blanks(&r);
    if (!guard(&r))
        return false;
    const char *word;
    size_t n = take_word(&r, &word);
    size_t known = find_op(word, n, &w->op);
    if (!known)
        return fail(&r, word, "expected an operation");
    if (!modifiers(&r, word + known, word + n))
        return false;
    blanks(&r);
    if (!operands(&r) || !hints(&r))
        return false;
    const char *from = r.p;
    if (r.p != r.end)
        return fail(&r, from, "expected the end of the line");
    uint64_t bits;
    enum isa_fault f = isa_encode(w, &bits);
    return !f || fail(&r, word, isa_fault_text(f));
}

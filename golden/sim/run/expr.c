/* expr.c - precedence climbing into a tree; recursion is bounded by the depth
 * of nesting that is allowed.
 */
#include "expr.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NESTING = 64, MAX_LENGTH = 4000 };
#define MAX_TERMS ((int64_t)1 << 31) /* of one sum */

enum node_op {
    OP_CONSTANT,
    OP_SCALAR,
    OP_ELEMENT,
    OP_CONDITION,
    OP_LOCAL, /* the variable of a sum, by how deep it lies */
    OP_SUM,   /* of c, from a to before b */
    OP_NEG,
    OP_NOT,
    OP_COMPLEMENT,
    OP_OR_ELSE,
    OP_AND_ALSO,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LT,
    OP_GT,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_DIV_UP, /* ceil(a / b) */
    OP_CEIL,
    OP_LOG2,
    OP_MIN,
    OP_MAX,
    OP_ABS,
    OP_SQRT
};

struct expr {
    enum node_op op;
    int slot;
    struct expr_value value;
    struct expr *a, *b, *c;
};

struct parser {
    struct arena *arena;
    const char *text, *p;
    struct place at;
    const struct expr_scope *scope;
    struct diag *d;
    int depth;
    bool failed;
    const char *locals[EXPR_MAX_SUMS];
    int n_locals;
};

static void fail(struct parser *s, const char *expected) {
    if (!s->failed)
        diag_error(s->d, s->at, "expected %s at '%.20s' in expression '%.60s'",
                   expected, *s->p ? s->p : "the end", s->text);
    s->failed = true;
}

static void skip_space(struct parser *s) {
    while (isspace((unsigned char)*s->p))
        s->p++;
}

static bool take(struct parser *s, const char *token) {
    size_t n = strlen(token);
    skip_space(s);
    if (strncmp(s->p, token, n) != 0)
        return false;
    s->p += n;
    return true;
}

static struct expr *node(struct parser *s, enum node_op op, struct expr *a,
                         struct expr *b) {
    struct expr *e = arena_alloc(s->arena, sizeof *e);
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

static struct expr *parse_condition(struct parser *s);

/* ------------------------------------------------------------- primaries */

static struct expr *parse_number(struct parser *s) {
    struct expr *e = node(s, OP_CONSTANT, NULL, NULL);
    bool hex = s->p[0] == '0' && (s->p[1] == 'x' || s->p[1] == 'X');
    char *end;
    errno = 0;
    uint64_t whole = strtoull(s->p, &end, hex ? 16 : 10);
    if (!hex && (*end == '.' || *end == 'e' || *end == 'E')) {
        e->value = (struct expr_value){true, 0, strtod(s->p, &end)};
    } else if (errno == ERANGE) {
        fail(s, "a number of 64 bits");
    } else {
        e->value.i = (int64_t)whole;
    }
    s->p = end;
    if (isalnum((unsigned char)*s->p) || *s->p == '_')
        fail(s, "an operator");
    return e;
}

static const struct {
    const char *name;
    enum node_op op;
    int arguments;
} functions[] = {{"ceil", OP_CEIL, 1}, {"log2", OP_LOG2, 1},
                 {"min", OP_MIN, 2},   {"max", OP_MAX, 2},
                 {"abs", OP_ABS, 1},   {"sqrt", OP_SQRT, 1}};

static struct expr *parse_function(struct parser *s, int f) {
    struct expr *a = parse_condition(s), *b = NULL;
    if (functions[f].arguments == 2) {
        if (!take(s, ","))
            fail(s, "','");
        b = parse_condition(s);
    }
    if (!take(s, ")"))
        fail(s, "')'");
    if (functions[f].op == OP_CEIL && a && a->op == OP_DIV) {
        a->op = OP_DIV_UP;
        return a;
    }
    return node(s, functions[f].op, a, b);
}

static const char *word(struct parser *s) {
    const char *start = s->p;
    while (isalnum((unsigned char)*s->p) || *s->p == '_')
        s->p++;
    return arena_strndup(s->arena, start, (size_t)(s->p - start));
}

/* sum(k, from, to, term), behind the parenthesis. */
static struct expr *parse_sum(struct parser *s) {
    struct expr *e = node(s, OP_SUM, NULL, NULL);
    skip_space(s);
    if (!isalpha((unsigned char)*s->p) && *s->p != '_') {
        fail(s, "the name of the sum's variable");
        return NULL;
    }
    const char *name = word(s);
    struct expr **parts[] = {&e->a, &e->b, &e->c};
    for (int i = 0; i < 3 && !s->failed; i++) {
        if (!take(s, ",")) {
            fail(s, "','");
            break;
        }
        if (i == 2 && s->n_locals == EXPR_MAX_SUMS) {
            fail(s, "at most 4 sums inside one another");
            break;
        }
        if (i == 2) {
            e->slot = s->n_locals;
            s->locals[s->n_locals++] = name;
        }
        *parts[i] = parse_condition(s);
        s->n_locals -= i == 2;
    }
    if (!take(s, ")"))
        fail(s, "')'");
    return e;
}

/* Suggestions for a name that is not known. */
static const char *known_name(void *ctx, int i) {
    const struct expr_scope *scope = ctx;
    if (i < scope->n_names)
        return scope->names[i];
    i -= scope->n_names;
    return i < scope->n_arrays ? scope->arrays[i].name : NULL;
}

static struct expr *unknown(struct parser *s, const char *name) {
    const char *near = suggest(name, known_name, (void *)s->scope);
    if (!s->failed && near)
        diag_error(s->d, s->at, "unknown name '%s', did you mean '%s'", name,
                   near);
    else if (!s->failed)
        diag_error(s->d, s->at,
                   "unknown name '%s', expected a size, a value or a buffer "
                   "above",
                   name);
    s->failed = true;
    return NULL;
}

static struct expr *parse_element(struct parser *s, const char *name) {
    for (int i = 0; i < s->scope->n_arrays; i++) {
        if (strcmp(s->scope->arrays[i].name, name) != 0)
            continue;
        struct expr *e = node(s, OP_ELEMENT, parse_condition(s), NULL);
        e->slot = i;
        if (!take(s, "]"))
            fail(s, "']'");
        return e;
    }
    return unknown(s, name);
}

static struct expr *parse_name(struct parser *s) {
    const char *start = s->p, *name = word(s);
    if (take(s, "(")) {
        if (strcmp(name, "sum") == 0)
            return parse_sum(s);
        for (int f = 0; f < (int)(sizeof functions / sizeof *functions); f++)
            if (strcmp(functions[f].name, name) == 0)
                return parse_function(s, f);
        s->p = start;
        fail(s, "ceil, log2, min, max, abs, sqrt or sum");
        return NULL;
    }
    if (take(s, "["))
        return parse_element(s, name);
    /* The innermost of two of one name. */
    for (int i = s->n_locals - 1; i >= 0; i--)
        if (strcmp(s->locals[i], name) == 0) {
            struct expr *e = node(s, OP_LOCAL, NULL, NULL);
            e->slot = i;
            return e;
        }
    for (int i = s->scope->n_names - 1; i >= 0; i--)
        if (strcmp(s->scope->names[i], name) == 0) {
            struct expr *e = node(s, OP_SCALAR, NULL, NULL);
            e->slot = i;
            return e;
        }
    return unknown(s, name);
}

static struct expr *parse_unary(struct parser *s) {
    struct expr *e = NULL;
    skip_space(s);
    if (++s->depth > MAX_NESTING)
        fail(s, "fewer levels of nesting");
    else if (take(s, "-"))
        e = node(s, OP_NEG, parse_unary(s), NULL);
    else if (s->p[0] == '!' && s->p[1] != '=' && take(s, "!"))
        e = node(s, OP_NOT, parse_unary(s), NULL);
    else if (take(s, "~"))
        e = node(s, OP_COMPLEMENT, parse_unary(s), NULL);
    else if (take(s, "+"))
        e = parse_unary(s);
    else if (take(s, "(")) {
        e = parse_condition(s);
        if (!take(s, ")"))
            fail(s, "')'");
    } else if (isdigit((unsigned char)*s->p) || *s->p == '.')
        e = parse_number(s);
    else if (isalpha((unsigned char)*s->p) || *s->p == '_')
        e = parse_name(s);
    else
        fail(s, "a number or a name");
    s->depth--;
    return s->failed ? NULL : e;
}

/* --------------------------------------------------------------- binaries */

static const struct {
    const char *text;
    enum node_op op;
    int level;
} binaries[] = {
    /* longer ones first */
    {"||", OP_OR_ELSE, 1}, {"&&", OP_AND_ALSO, 2}, {"==", OP_EQ, 6},
    {"!=", OP_NE, 6},      {"<=", OP_LE, 7},       {">=", OP_GE, 7},
    {"<<", OP_SHL, 8},     {">>", OP_SHR, 8},      {"|", OP_OR, 3},
    {"^", OP_XOR, 4},      {"&", OP_AND, 5},       {"<", OP_LT, 7},
    {">", OP_GT, 7},       {"+", OP_ADD, 9},       {"-", OP_SUB, 9},
    {"*", OP_MUL, 10},     {"/", OP_DIV, 10},      {"%", OP_MOD, 10}};

static struct expr *parse_binary(struct parser *s, int level) {
    struct expr *left = parse_unary(s);
    while (left && !s->failed) {
        size_t k = 0, n = sizeof binaries / sizeof *binaries;
        skip_space(s);
        while (k < n &&
               strncmp(s->p, binaries[k].text, strlen(binaries[k].text)) != 0)
            k++;
        if (k == n || binaries[k].level < level)
            return left;
        s->p += strlen(binaries[k].text);
        left = node(s, binaries[k].op, left,
                    parse_binary(s, binaries[k].level + 1));
    }
    return left;
}

static struct expr *parse_condition(struct parser *s) {
    struct expr *e = NULL;
    if (++s->depth > MAX_NESTING) {
        fail(s, "fewer levels of nesting");
    } else {
        e = parse_binary(s, 1);
        if (e && take(s, "?")) {
            e = node(s, OP_CONDITION, e, parse_condition(s));
            if (!take(s, ":"))
                fail(s, "':'");
            e->c = parse_condition(s);
        }
    }
    s->depth--;
    return s->failed ? NULL : e;
}

struct expr *expr_read(struct arena *a, const char *text, struct place at,
                       const struct expr_scope *scope, struct diag *d) {
    struct parser s = {
        .arena = a, .text = text, .p = text, .at = at, .scope = scope, .d = d};
    if (strlen(text) > MAX_LENGTH) { /* bounds the depth of the tree */
        diag_error(d, at, "expression is longer than %d characters",
                   MAX_LENGTH);
        return NULL;
    }
    struct expr *e = parse_condition(&s);
    skip_space(&s);
    if (!s.failed && *s.p)
        fail(&s, "an operator");
    return s.failed ? NULL : e;
}

/* ------------------------------------------------------------- evaluation */

double expr_double(struct expr_value v) {
    return v.is_float ? v.f : (double)v.i;
}

int64_t expr_int(struct expr_value v) {
    if (!v.is_float)
        return v.i;
    return v.f >= 9223372036854775808.0      ? INT64_MAX
           : !(v.f > -9223372036854775808.0) ? INT64_MIN
                                             : (int64_t)v.f;
}

bool expr_is_int(struct expr_value v) {
    return !v.is_float || (v.f >= -9223372036854775808.0 &&
                           v.f < 9223372036854775808.0 && v.f == floor(v.f));
}

static struct expr_value integer(int64_t i) {
    return (struct expr_value){false, i, 0};
}
static struct expr_value real(double f) {
    return (struct expr_value){true, 0, f};
}

static bool truth(struct expr_value v) {
    return v.is_float ? v.f != 0 : v.i;
}

static struct expr_value failed(struct expr_context *c, const char *why) {
    if (!c->error)
        c->error = why;
    return integer(0);
}

static struct expr_value divide(enum node_op op, int64_t x, int64_t y,
                                struct expr_context *c) {
    if (y == 0)
        return failed(c, "division by zero");
    if (y == -1)
        return integer(op == OP_MOD ? 0 : (int64_t)(0 - (uint64_t)x));
    if (op == OP_MOD)
        return integer(x % y);
    int64_t q = x / y;
    bool up = op == OP_DIV_UP && x % y != 0 && (x < 0) == (y < 0);
    return integer(q + up);
}

static struct expr_value binary_int(enum node_op op, int64_t x, int64_t y,
                                    struct expr_context *c) {
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    switch (op) {
    case OP_OR:
        return integer(x | y);
    case OP_XOR:
        return integer(x ^ y);
    case OP_AND:
        return integer(x & y);
    case OP_EQ:
        return integer(x == y);
    case OP_NE:
        return integer(x != y);
    case OP_LT:
        return integer(x < y);
    case OP_GT:
        return integer(x > y);
    case OP_LE:
        return integer(x <= y);
    case OP_GE:
        return integer(x >= y);
    case OP_SHL:
        return b > 63 ? failed(c, "shift by more than 63")
                      : integer((int64_t)(a << b));
    case OP_SHR:
        return b > 63 ? failed(c, "shift by more than 63") : integer(x >> b);
    case OP_ADD:
        return integer((int64_t)(a + b));
    case OP_SUB:
        return integer((int64_t)(a - b));
    case OP_MUL:
        return integer((int64_t)(a * b));
    case OP_MIN:
        return integer(x < y ? x : y);
    case OP_MAX:
        return integer(x > y ? x : y);
    default:
        return divide(op, x, y, c);
    }
}

static struct expr_value binary_real(enum node_op op, double x, double y,
                                     struct expr_context *c) {
    switch (op) {
    case OP_EQ:
        return integer(x == y);
    case OP_NE:
        return integer(x != y);
    case OP_LT:
        return integer(x < y);
    case OP_GT:
        return integer(x > y);
    case OP_LE:
        return integer(x <= y);
    case OP_GE:
        return integer(x >= y);
    case OP_ADD:
        return real(x + y);
    case OP_SUB:
        return real(x - y);
    case OP_MUL:
        return real(x * y);
    case OP_DIV:
        return real(x / y);
    case OP_DIV_UP:
        return real(ceil(x / y));
    case OP_MIN:
        return real(x < y ? x : y);
    case OP_MAX:
        return real(x > y ? x : y);
    default:
        return failed(c, "an integer operator on a floating-point value");
    }
}

static struct expr_value unary(enum node_op op, struct expr_value v,
                               struct expr_context *c) {
    switch (op) {
    case OP_NEG:
        return v.is_float ? real(-v.f) : integer((int64_t)(0 - (uint64_t)v.i));
    case OP_NOT:
        return integer(!truth(v));
    case OP_COMPLEMENT:
        return v.is_float
                   ? failed(c, "an integer operator on a floating-point value")
                   : integer(~v.i);
    case OP_CEIL:
        return v.is_float ? real(ceil(v.f)) : v;
    case OP_ABS:
        return v.is_float ? real(fabs(v.f))
               : v.i < 0  ? integer((int64_t)(0 - (uint64_t)v.i))
                          : v;
    case OP_SQRT:
        return real(sqrt(expr_double(v)));
    default: /* LOG2, rounded down */
        if (v.is_float ? !(v.f > 0) : v.i <= 0)
            return failed(c, "log2 of what is not positive");
        return integer(v.is_float ? (int64_t)floor(log2(v.f))
                                  : 63 - __builtin_clzll((uint64_t)v.i));
    }
}

static struct expr_value element(const struct expr *e, struct expr_context *c) {
    const struct expr_array *a = &c->arrays[e->slot];
    int64_t i = expr_int(expr_eval(e->a, c));
    if (i < 0 || (uint64_t)i >= a->count)
        return failed(c, "an index outside its buffer");
    return element_load(a->type, a->data, (uint64_t)i);
}

/* In double from the first term on that is no integer. */
static struct expr_value sum(const struct expr *e, struct expr_context *c) {
    struct expr_value from = expr_eval(e->a, c), to = expr_eval(e->b, c);
    struct expr_value total = integer(0);
    if (from.is_float || to.is_float)
        return failed(c, "a sum needs integers to go from and to");
    if (to.i > from.i && (uint64_t)to.i - (uint64_t)from.i > MAX_TERMS)
        return failed(c, "a sum of more than 2^31 terms");
    for (int64_t k = from.i; k < to.i && !c->error; k++) {
        c->locals[e->slot] = integer(k);
        struct expr_value v = expr_eval(e->c, c);
        if (v.is_float || total.is_float)
            total = real(expr_double(total) + expr_double(v));
        else
            total.i = (int64_t)((uint64_t)total.i + (uint64_t)v.i);
    }
    return total;
}

struct expr_value expr_eval(const struct expr *e, struct expr_context *c) {
    struct expr_value a, b;
    switch (e->op) {
    case OP_CONSTANT:
        return e->value;
    case OP_SCALAR:
        return c->scalars[e->slot];
    case OP_ELEMENT:
        return element(e, c);
    case OP_LOCAL:
        return c->locals[e->slot];
    case OP_SUM:
        return sum(e, c);
    case OP_CONDITION:
        return expr_eval(truth(expr_eval(e->a, c)) ? e->b : e->c, c);
    case OP_OR_ELSE:
        return integer(truth(expr_eval(e->a, c)) || truth(expr_eval(e->b, c)));
    case OP_AND_ALSO:
        return integer(truth(expr_eval(e->a, c)) && truth(expr_eval(e->b, c)));
    default:
        break;
    }
    a = expr_eval(e->a, c);
    if (!e->b)
        return unary(e->op, a, c);
    b = expr_eval(e->b, c);
    return a.is_float || b.is_float
               ? binary_real(e->op, expr_double(a), expr_double(b), c)
               : binary_int(e->op, a.i, b.i, c);
}

/* scan.c - from template text to Lua.
 *
 * One pass over the bytes.  Nothing of Lua is parsed but what it takes to find
 * the brace that ends `${...}`: strings, long brackets, comments and nested
 * braces.  A substitution may span lines; its newlines are kept in the chunk.
 */
#include "scan.h"

#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    const struct source *src;
    const char *p, *end;
    struct scan *out;
    struct diag *d;
    bool ok;
};

static struct place place_of(const struct reader *r, const char *p, int width) {
    return place_at(r->src, (size_t)(p - r->src->text), width);
}

static void fail(struct reader *r, const char *at, const char *message) {
    diag_error(r->d, place_of(r, at, 2), "%s", message);
    r->ok = false;
}

static void add_piece(struct scan *s, const char *from, const char *to) {
    if (from == to)
        return;
    if (s->n_pieces == s->cap_pieces) {
        s->cap_pieces = s->cap_pieces ? 2 * s->cap_pieces : 64;
        s->pieces =
            xrealloc(s->pieces, (size_t)s->cap_pieces * sizeof *s->pieces);
    }
    s->pieces[s->n_pieces++] = (struct scan_piece){from, (size_t)(to - from)};
    text_printf(&s->lua, " __text(%d)", s->n_pieces);
}

/* After '-' '-' or at '[': the end of a long bracket that starts at p, or NULL
 * if none does. An unclosed one ends with the template. */
static const char *long_bracket(const char *p, const char *end) {
    const char *q = p + 1;
    while (q < end && *q == '=')
        q++;
    if (*p != '[' || q >= end || *q != '[')
        return NULL;
    size_t level = (size_t)(q - p) - 1;
    for (q++; q < end; q++) {
        if (*q != ']')
            continue;
        const char *e = q + 1;
        while (e < end && *e == '=')
            e++;
        if (e < end && *e == ']' && (size_t)(e - q) - 1 == level)
            return e + 1;
    }
    return end;
}

static const char *quoted(const char *p, const char *end) {
    char quote = *p++;
    while (p < end && *p != quote && *p != '\n')
        p += *p == '\\' && p + 1 < end ? 2 : 1;
    return p < end && *p == quote ? p + 1 : p;
}

static const char *comment(const char *p, const char *end) {
    const char *after = p + 2 < end ? long_bracket(p + 2, end) : NULL;
    if (after)
        return after;
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    return nl ? nl : end;
}

/* The '}' that closes the expression at p, or NULL. */
static const char *expr_end(const char *p, const char *end) {
    int depth = 1;
    while (p < end) {
        const char *after;
        if (*p == '"' || *p == '\'') {
            p = quoted(p, end);
        } else if (*p == '-' && p + 1 < end && p[1] == '-') {
            p = comment(p, end);
        } else if (*p == '[' && (after = long_bracket(p, end))) {
            p = after;
        } else {
            depth += (*p == '{') - (*p == '}');
            if (depth == 0)
                return p;
            p++;
        }
    }
    return NULL;
}

static bool is_blank_range(const char *p, const char *end) {
    while (p < end && strchr(" \t\r\n", *p))
        p++;
    return p == end;
}

/* A substitution; r->p stands on its '$'. */
static void scan_subst(struct reader *r) {
    struct scan *s = r->out;
    const char *start = r->p, *expr = start + 2;
    const char *close = expr_end(expr, r->end);
    if (!close) {
        fail(r, start, "'${' without its '}'");
        r->p = r->end;
        return;
    }
    if (is_blank_range(expr, close))
        fail(r, start, "empty substitution, expected an expression");
    if (s->n_substs == s->cap_substs) {
        s->cap_substs = s->cap_substs ? 2 * s->cap_substs : 64;
        s->substs =
            xrealloc(s->substs, (size_t)s->cap_substs * sizeof *s->substs);
    }
    s->substs[s->n_substs++] =
        (struct scan_subst){place_of(r, start, (int)(close + 1 - start)), expr,
                            (size_t)(close - expr)};
    text_printf(&s->lua, " __at(%d) __put((", s->n_substs);
    text_addn(&s->lua, expr, (size_t)(close - expr));
    text_add(&s->lua, "))");
    r->p = close + 1;
}

static bool starts(const struct reader *r, const char *p, const char *with) {
    size_t n = strlen(with);
    return (size_t)(r->end - p) >= n && memcmp(p, with, n) == 0;
}

/* A line of text, its newline included. */
static void scan_text_line(struct reader *r) {
    struct scan *s = r->out;
    const char *from = r->p;
    while (r->p < r->end && *r->p != '\n') {
        if (starts(r, r->p, "$${")) { /* the first '$' goes out, and the '{' */
            add_piece(s, from, r->p + 1);
            from = r->p + 2;
            r->p += 3;
        } else if (starts(r, r->p, "${")) {
            add_piece(s, from, r->p);
            scan_subst(r);
            from = r->p;
        } else {
            r->p++;
        }
    }
    r->p += r->p < r->end; /* the newline */
    add_piece(s, from, r->p);
    text_addc(&s->lua, '\n');
}

static void scan_line(struct reader *r) {
    const char *p = r->p;
    while (p < r->end && (*p == ' ' || *p == '\t'))
        p++;
    if (!starts(r, p, "//%")) {
        scan_text_line(r);
        return;
    }
    p += 3;
    const char *nl = memchr(p, '\n', (size_t)(r->end - p));
    const char *stop = nl ? nl : r->end;
    text_addn(&r->out->lua, p, (size_t)(stop - p));
    text_addc(&r->out->lua, '\n');
    r->p = nl ? nl + 1 : r->end;
}

bool scan_template(const struct source *src, struct scan *s, struct diag *d) {
    struct reader r = {src, src->text, src->text + src->len, s, d, true};
    *s = (struct scan){0};
    const char *nul = memchr(src->text, '\0', src->len);
    if (nul) {
        diag_error(d, place_of(&r, nul, 1), "zero byte in a template");
        return false;
    }
    text_add(&s->lua, "local __text, __at, __put = ...;");
    while (r.p < r.end)
        scan_line(&r);
    return r.ok;
}

void scan_free(struct scan *s) {
    text_free(&s->lua);
    free(s->pieces);
    free(s->substs);
    *s = (struct scan){0};
}

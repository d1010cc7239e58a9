/* slices.c - instructions as pieces of the source, see slices.h. */
#include "slices.h"

#include "lexer.h"

#include <string.h>

/* Start of the line on which the function is declared. */
static const char *line_start(const struct source *source, int line) {
    const char *at = source->text, *end = at + source->len;
    for (int i = 1; i < line; i++) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        if (!nl)
            return end;
        at = nl + 1;
    }
    return at;
}

static void skip_statement(struct lexer *x) {
    while (x->tok.kind != TOK_END && !ptx_lexer_is(x, ';'))
        ptx_lexer_next(x);
}

static bool is_at(const struct lexer *x, const struct ptx_instruction *in) {
    return x->tok.line == in->line && x->tok.column == in->column;
}

/* .loc and what belongs to it; it has no ';', and in may follow at once. */
static void skip_loc(struct lexer *x, const struct ptx_instruction *in) {
    int line = x->tok.line;
    do
        ptx_lexer_next(x);
    while (x->tok.line == line && !is_at(x, in) &&
           (x->tok.kind == TOK_NUMBER || x->tok.kind == TOK_NAME ||
            ptx_lexer_is(x, ',') || ptx_lexer_is(x, '+')));
}

/* Over something that is not in; whether it is a wall. */
static bool skip_other(struct lexer *x, const struct ptx_instruction *in) {
    if (ptx_token_is(&x->tok, TOK_DOT, "loc")) {
        skip_loc(x, in);
        return false;
    }
    if (ptx_token_is(&x->tok, TOK_DOT, "pragma")) {
        skip_statement(x);
        return false;
    }
    bool wall = !ptx_lexer_is(x, ';');
    ptx_lexer_next(x);
    return wall;
}

/* From where the lexer stands to the end of the instruction.  A '@' in front
 * is its guard's. */
static struct ptx_slice
next_slice(struct lexer *x, const struct ptx_instruction *in, bool *wall) {
    const char *start = NULL;
    *wall = false;
    while (x->tok.kind != TOK_END && !is_at(x, in)) {
        if (start || ptx_lexer_is(x, '@')) {
            /* at a ';' it was the guard of another function's instruction */
            start = ptx_lexer_is(x, ';') ? NULL : start ? start : x->tok.s;
            ptx_lexer_next(x);
        } else if (skip_other(x, in)) {
            *wall = true;
        }
    }
    if (!start)
        start = x->tok.s;
    skip_statement(x);
    if (x->tok.kind == TOK_END)
        BUG("instruction of line %d not found in its source", in->line);
    struct ptx_slice s = {start, (size_t)(x->tok.s + 1 - start)};
    ptx_lexer_next(x);
    return s;
}

struct ptx_slice *ptx_slices(struct arena *arena, const struct source *source,
                             const struct ptx_function *f, bool *walls) {
    struct ptx_slice *s =
        arena_array(arena, (size_t)f->n_instructions, sizeof *s);
    struct lexer x;
    ptx_lexer_init(&x, source, NULL);
    x.at = x.line_start = line_start(source, f->line);
    x.line = f->line;
    ptx_lexer_next(&x);
    for (int pc = 0; pc < f->n_instructions; pc++) {
        bool wall = false;
        if (f->instructions[pc].added) /* not in the text */
            s[pc] = (struct ptx_slice){x.tok.s, 0};
        else
            s[pc] = next_slice(&x, &f->instructions[pc], &wall);
        if (f->instructions[pc].added || (pc && f->instructions[pc - 1].added))
            wall = true;
        if (walls)
            walls[pc] = wall;
    }
    return s;
}

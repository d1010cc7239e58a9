/* parse_unknown.c - directives and attributes that this reader does not know:
 * told of, listed in the module, and passed over.
 *
 * What such a word takes with it is a guess, and made so that nothing that is
 * known gets lost: a directive ends at its ';', behind a pair of braces that
 * it opens, or with its line when no bracket is open there and no comma says
 * that it goes on.
 */
#include "reader.h"

#include "base/text.h"

#include <string.h>

enum { SHOWN_PASSED = 20 }; /* warnings; the module lists all */

void reader_passed(struct reader *r, const struct token *t, const char *kind,
                   const char *near) {
    struct place at = ptx_token_place(&r->lex, t);
    if (r->passed_to && t->s <= r->passed_to)
        return;
    r->passed_to = t->s;
    char *word = arena_alloc(r->arena, t->len + 2);
    word[0] = '.';
    memcpy(word + 1, t->s, t->len);
    *array_push(&r->passed) = (struct ptx_passed){word, t->line, t->column};
    if (r->passed.n > SHOWN_PASSED)
        return;
    if (near)
        diag_warning(r->diag, at,
                     "unknown %s '.%.*s' is passed over, did you mean '.%s'",
                     kind, SHOWN(t->s, t->len), near);
    else
        diag_warning(r->diag, at, "unknown %s '.%.*s' is passed over", kind,
                     SHOWN(t->s, t->len));
}

void reader_told_passed(struct reader *r) {
    if (r->passed.n > SHOWN_PASSED)
        diag_warning(r->diag, (struct place){r->module->source, 0, 0, 0},
                     "%d more unknown directives and attributes are passed "
                     "over",
                     r->passed.n - SHOWN_PASSED);
}

static bool is_comma(const struct token *t) {
    return t->kind == TOK_PUNCT && t->punct == ',';
}

/* Over one token, and over all that a bracket encloses.  False after an
 * error: it is not closed. */
static bool skip_piece(struct reader *r) {
    int errors = r->diag->errors;
    if (ptx_lexer_is(&r->lex, '('))
        reader_skip(r, '(', ')');
    else if (ptx_lexer_is(&r->lex, '['))
        reader_skip(r, '[', ']');
    else if (ptx_lexer_is(&r->lex, '{'))
        reader_skip(r, '{', '}');
    else
        ptx_lexer_next(&r->lex);
    return r->diag->errors == errors;
}

bool reader_pass_directive(struct reader *r, const char *near, bool body) {
    struct lexer *x = &r->lex;
    struct token last = x->tok;
    reader_passed(r, &last, "directive", near);
    ptx_lexer_next(x);
    while (x->tok.kind != TOK_END && !diag_full(r->diag)) {
        bool brace = ptx_lexer_is(x, '{');
        if (reader_accept(r, ';'))
            return true;
        if (body && ptx_lexer_is(x, '}'))
            return true; /* of the function */
        if (x->tok.line > last.line && !is_comma(&last) && !is_comma(&x->tok) &&
            !(brace && !body) && !ptx_lexer_is(x, '('))
            return true;
        last = x->tok;
        if (!skip_piece(r))
            return false;
        last.line = x->before;
        if (brace)
            return true;
    }
    return true;
}

/* A parenthesis belongs to the word if it follows at once: '.func .quick (.reg
 * .u32 a) f' has a result. */
bool reader_pass_tuning(struct reader *r) {
    struct lexer *x = &r->lex;
    struct token word = x->tok;
    if (word.kind != TOK_DOT || reader_is_module_word(&word))
        return false;
    reader_passed(r, &word, "directive", NULL);
    ptx_lexer_next(x);
    if (ptx_lexer_is(x, '(') && x->tok.s == word.s + word.len)
        reader_skip(r, '(', ')');
    while (x->tok.kind == TOK_NUMBER || x->tok.kind == TOK_STRING ||
           ptx_lexer_is(x, ','))
        ptx_lexer_next(x);
    return true;
}

void reader_pass_attribute(struct reader *r, const struct token *t) {
    reader_passed(r, t, "attribute", NULL);
    if (ptx_lexer_is(&r->lex, '('))
        reader_skip(r, '(', ')');
    else if (r->lex.tok.kind == TOK_NUMBER)
        ptx_lexer_next(&r->lex);
}

void reader_pass_function(struct reader *r) {
    struct lexer *x = &r->lex;
    while (x->tok.kind != TOK_END && !diag_full(r->diag)) {
        if (ptx_lexer_is(x, '{')) {
            reader_skip(r, '{', '}');
            return;
        }
        if (reader_accept(r, ';') || ptx_token_is(&x->tok, TOK_DOT, "entry") ||
            ptx_token_is(&x->tok, TOK_DOT, "func") ||
            ptx_token_is(&x->tok, TOK_DOT, "visible"))
            return;
        ptx_lexer_next(x);
    }
}

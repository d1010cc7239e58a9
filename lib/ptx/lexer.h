/* lexer.h - PTX text as tokens; used by the reader alone. */
#ifndef NDP_PTX_LEXER_H
#define NDP_PTX_LEXER_H

#include "ir.h"

enum token_kind {
    TOK_END,
    TOK_ERROR,  /* reported by the lexer; the text is skipped */
    TOK_NAME,   /* identifier, %register, _ */
    TOK_DOT,    /* .word, also .a::b; s and len without the dot */
    TOK_NUMBER, /* value */
    TOK_STRING, /* s and len without the quotes */
    TOK_PUNCT   /* punct; two-character operators as PUNCT2 */
};

/* Operators of two characters. */
#define PUNCT2(a, b) ((a) << 8 | (b))

struct token {
    enum token_kind kind;
    const char *s; /* in the source */
    size_t len;
    int line, column;
    int punct;
    struct ptx_value value;
};

struct lexer {
    const struct source *source;
    struct diag *diag;
    const char *at, *end;
    const char *line_start;
    int line;
    int before;       /* line of the token before the current one */
    struct token tok; /* the current token */
};

/* Start on the source's first token. */
void ptx_lexer_init(struct lexer *x, const struct source *source,
                    struct diag *d);

/* Advance: x->tok becomes the next token. */
void ptx_lexer_next(struct lexer *x);

/* The token after the current one, which stays. */
struct token ptx_lexer_peek(const struct lexer *x);

static inline bool ptx_lexer_is(const struct lexer *x, int punct) {
    return x->tok.kind == TOK_PUNCT && x->tok.punct == punct;
}

/* Whether t is the given word, of kind NAME or DOT. */
bool ptx_token_is(const struct token *t, enum token_kind kind,
                  const char *word);

struct place ptx_token_place(const struct lexer *x, const struct token *t);

#endif

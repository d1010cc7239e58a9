/* parse_body.c - the body of a function: statements, labels, scopes.
 *
 * Scopes are a counter and not recursion.  A label belongs to its scope and
 * may be named before it stands; names still pending when a scope closes are
 * looked up among its labels and otherwise left to the enclosing scope.
 */
#include "reader.h"

#include <string.h>

static void open_scope(struct reader *r) {
    *array_push(&r->pending_marks) = r->pending.n;
    ptx_name_open(&r->names);
    ptx_name_open(&r->labels);
}

/* Try a pending operand on the labels of the innermost scope. */
static bool resolve_label(struct reader *r, struct ptx_operand *o) {
    struct name_entry *e = ptx_name_find(&r->labels, o->name, strlen(o->name));
    if (!e || e->depth != ptx_name_depth(&r->labels))
        return false;
    struct label_def *def = e->value;
    o->kind = PTX_OPND_LABEL;
    o->pc = def->pc;
    o->table = def->table;
    return true;
}

static void close_scope(struct reader *r) {
    int from = r->pending_marks.v[--r->pending_marks.n];
    int kept = from;
    for (int i = from; i < r->pending.n; i++)
        if (!resolve_label(r, r->pending.v[i].operand))
            r->pending.v[kept++] = r->pending.v[i];
    r->pending.n = kept;
    ptx_name_close(&r->names);
    ptx_name_close(&r->labels);
}

static struct label_def *add_label(struct reader *r, const struct token *t) {
    struct name_entry *e = ptx_name_find(&r->labels, t->s, t->len);
    if (e && e->depth == ptx_name_depth(&r->labels)) {
        const struct label_def *old = e->value;
        diag_error(r->diag, ptx_token_place(&r->lex, t),
                   "redefinition of label '%.*s', first defined in line %d",
                   SHOWN(t->s, t->len), old->line);
    }
    struct label_def *def = arena_alloc(r->arena, sizeof *def);
    *def =
        (struct label_def){reader_text(r, t), r->instructions.n, t->line, NULL};
    ptx_name_add(&r->labels, def->name, t->len, def);
    *array_push(&r->label_list) =
        (struct ptx_label){def->name, def->pc, def->line};
    return def;
}

/* .branchtargets, .calltargets, .callprototype after their label. */
static bool parse_table(struct reader *r, struct label_def *def,
                        enum ptx_table_kind kind) {
    struct ptx_table *table = arena_alloc(r->arena, sizeof *table);
    *table = (struct ptx_table){.kind = kind,
                                .name = def ? def->name : NULL,
                                .line = r->lex.tok.line,
                                .column = r->lex.tok.column};
    if (def)
        def->table = table;
    ptx_lexer_next(&r->lex);
    if (kind == PTX_CALLPROTOTYPE) {
        table->prototype = ptx_parse_prototype(r);
        return table->prototype != NULL;
    }
    return ptx_parse_operand_list(r, ';', kind == PTX_BRANCHTARGETS, false, 0,
                                  &table->targets, &table->n_targets);
}

static bool parse_number(struct reader *r) {
    int64_t n;
    return ptx_parse_int(r, &n);
}

/* .loc file line column [, function_name symbol [+ n]] [, inlined_at ...] */
void ptx_parse_loc(struct reader *r) {
    ptx_lexer_next(&r->lex);
    for (int i = 0; i < 3; i++)
        if (r->lex.tok.kind == TOK_NUMBER)
            ptx_lexer_next(&r->lex);
    while (ptx_lexer_is(&r->lex, ',')) {
        ptx_lexer_next(&r->lex);
        bool inlined = ptx_token_is(&r->lex.tok, TOK_NAME, "inlined_at");
        if (r->lex.tok.kind == TOK_NAME)
            ptx_lexer_next(&r->lex);
        if (!inlined &&
            (r->lex.tok.kind == TOK_NAME || r->lex.tok.kind == TOK_DOT))
            ptx_lexer_next(&r->lex);
        if (!inlined && reader_accept(r, '+') && !parse_number(r))
            return;
        for (int i = 0; inlined && i < 3; i++)
            if (r->lex.tok.kind == TOK_NUMBER)
                ptx_lexer_next(&r->lex);
    }
}

static bool parse_pragma(struct reader *r) {
    ptx_lexer_next(&r->lex);
    do {
        if (r->lex.tok.kind != TOK_STRING) {
            reader_error(r, "expected a string after '.pragma'");
            return false;
        }
        ptx_lexer_next(&r->lex);
    } while (reader_accept(r, ','));
    return reader_expect(r, ';');
}

static bool is_space(const struct token *t) {
    static const char *const words[] = {"param",  "local", "shared",
                                        "global", "const", "tex"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ptx_token_is(t, TOK_DOT, words[i]))
            return true;
    return false;
}

/* Known, but not in a body. */
static bool is_misplaced(const struct token *t) {
    static const char *const words[] = {"entry",  "func",         "version",
                                        "target", "address_size", "alias",
                                        "sreg",   "common"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ptx_token_is(t, TOK_DOT, words[i]))
            return true;
    return t->kind != TOK_DOT;
}

/* A directive inside a body; *def is the label just before it, or NULL. */
static bool parse_directive(struct reader *r, struct label_def *def) {
    const struct token *t = &r->lex.tok;
    if (ptx_token_is(t, TOK_DOT, "reg")) {
        ptx_lexer_next(&r->lex);
        return ptx_parse_registers(r);
    }
    if (is_space(t))
        return ptx_parse_variables(r, PTX_LINK_NONE);
    if (reader_accept_word(r, "extern") || reader_accept_word(r, "visible") ||
        reader_accept_word(r, "weak")) {
        if (is_space(&r->lex.tok))
            return ptx_parse_variables(r, PTX_LINK_EXTERN);
    } else if (ptx_token_is(t, TOK_DOT, "loc")) {
        ptx_parse_loc(r);
        return true;
    } else if (ptx_token_is(t, TOK_DOT, "file")) {
        return ptx_parse_file(r);
    } else if (ptx_token_is(t, TOK_DOT, "pragma")) {
        return parse_pragma(r);
    } else if (ptx_token_is(t, TOK_DOT, "section")) {
        return ptx_parse_section(r);
    } else if (ptx_token_is(t, TOK_DOT, "branchtargets")) {
        return parse_table(r, def, PTX_BRANCHTARGETS);
    } else if (ptx_token_is(t, TOK_DOT, "calltargets")) {
        return parse_table(r, def, PTX_CALLTARGETS);
    } else if (ptx_token_is(t, TOK_DOT, "callprototype")) {
        return parse_table(r, def, PTX_CALLPROTOTYPE);
    }
    if (!is_misplaced(t))
        return reader_pass_directive(r, NULL, true);
    reader_error(r,
                 "unexpected directive '.%.*s' in a function, expected an "
                 "instruction or '}'",
                 SHOWN(r->lex.tok.s, r->lex.tok.len));
    return false;
}

/* After an error: to the end of the statement.  A '}' that does not close a
 * vector ends it too. */
static void recover(struct reader *r) {
    struct lexer *x = &r->lex;
    int line = x->tok.line;
    while (x->tok.kind != TOK_END && !reader_accept(r, ';')) {
        if (ptx_lexer_is(x, '}')) {
            struct token next = ptx_lexer_peek(x);
            if (x->tok.line > line || next.kind != TOK_PUNCT ||
                !strchr(",;])}", next.punct))
                return;
        }
        if (ptx_token_is(&x->tok, TOK_DOT, "entry") ||
            ptx_token_is(&x->tok, TOK_DOT, "func"))
            return;
        ptx_lexer_next(x);
        if (ptx_lexer_is(x, ';')) {
            ptx_lexer_next(x);
            return;
        }
    }
}

/* One label, directive or instruction. */
static bool parse_statement(struct reader *r) {
    struct lexer *x = &r->lex;
    struct label_def *def = NULL;
    if (x->tok.kind == TOK_NAME) {
        struct token next = ptx_lexer_peek(x);
        if (next.kind == TOK_PUNCT && next.punct == ':') {
            def = add_label(r, &x->tok);
            ptx_lexer_next(x);
            ptx_lexer_next(x);
        }
    }
    if (def && x->tok.kind != TOK_DOT)
        return true;
    if (x->tok.kind == TOK_DOT)
        return parse_directive(r, def);
    if (x->tok.kind == TOK_NAME || ptx_lexer_is(x, '@'))
        return ptx_parse_instruction(r);
    if (x->tok.kind != TOK_ERROR)
        reader_error(r, "expected an instruction, a label or '}'");
    return false;
}

static bool enter(struct reader *r, int *depth) {
    if (*depth >= READER_MAX_SCOPES) {
        reader_error(r,
                     "braces are nested too deeply, expected at most %d "
                     "levels",
                     READER_MAX_SCOPES);
        return false;
    }
    ptx_lexer_next(&r->lex);
    open_scope(r);
    ++*depth;
    return true;
}

/* At '{'; reads up to and with the matching '}'.  False if what follows cannot
 * be told. */
bool ptx_parse_body(struct reader *r) {
    struct lexer *x = &r->lex;
    int depth = 0;
    struct token open = x->tok;
    bool ok = enter(r, &depth);
    while (ok && depth > 0) {
        if (x->tok.kind == TOK_END || diag_full(r->diag)) {
            if (!diag_full(r->diag))
                diag_error(r->diag, ptx_token_place(x, &x->tok),
                           "function '%.*s' does not end, expected '}' for "
                           "the '{' in line %d",
                           SHOWN(r->fn->name, strlen(r->fn->name)), open.line);
            ok = false;
        } else if (ptx_lexer_is(x, '{')) {
            ok = enter(r, &depth);
        } else if (ptx_lexer_is(x, '}')) {
            close_scope(r);
            r->fn->end_line = x->tok.line;
            ptx_lexer_next(x);
            depth--;
        } else if (!reader_accept(r, ';') && !parse_statement(r)) {
            recover(r);
            if (ptx_token_is(&x->tok, TOK_DOT, "entry") ||
                ptx_token_is(&x->tok, TOK_DOT, "func"))
                ok = false;
        }
    }
    bool complete = depth == 0 || r->lex.tok.kind == TOK_DOT;
    for (; depth > 0; depth--)
        close_scope(r);
    return complete;
}

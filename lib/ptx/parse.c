/* parse.c - a PTX module: directives of module scope.
 *
 * Recursive descent with bounded depth; statements are read one by one and
 * after an error reading goes on at the next one, so that a file shows all its
 * errors at once (up to the limit of diag.h).
 */
#include "ptx.h"
#include "reader.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------ small steps */

/* What stands here, for "found ..."; a copy in the arena. */
static const char *found(struct reader *r) {
    const struct token *t = &r->lex.tok;
    if (t->kind == TOK_END)
        return "end of file";
    size_t dot = t->kind == TOK_DOT;
    size_t len = t->len > READER_SHOWN_NAME ? READER_SHOWN_NAME : t->len;
    char *s = arena_alloc(r->arena, len + 4);
    s[0] = s[len + dot + 1] = '\'';
    memcpy(s + 1, t->s - dot, len + dot);
    return s;
}

void reader_error(struct reader *r, const char *fmt, ...) {
    struct text message = {0};
    char line[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    text_add(&message, line);
    if (strncmp(line, "expected", 8) == 0)
        text_printf(&message, ", found %s", found(r));
    diag_error(r->diag, ptx_token_place(&r->lex, &r->lex.tok), "%s",
               text_str(&message));
    text_free(&message);
}

bool reader_accept(struct reader *r, int punct) {
    if (!ptx_lexer_is(&r->lex, punct))
        return false;
    ptx_lexer_next(&r->lex);
    return true;
}

bool reader_expect(struct reader *r, int punct) {
    if (reader_accept(r, punct))
        return true;
    if (r->lex.tok.kind != TOK_ERROR) /* that is reported */
        reader_error(r, "expected '%c'", punct);
    return false;
}

bool reader_accept_word(struct reader *r, const char *word) {
    if (!ptx_token_is(&r->lex.tok, TOK_DOT, word))
        return false;
    ptx_lexer_next(&r->lex);
    return true;
}

bool reader_at_name(struct reader *r, const char *what) {
    if (r->lex.tok.kind == TOK_NAME)
        return true;
    if (r->lex.tok.kind != TOK_ERROR)
        reader_error(r, "expected %s", what);
    return false;
}

const char *reader_text(struct reader *r, const struct token *t) {
    return arena_strndup(r->arena, t->s, t->len);
}

/* At open: to the matching close. */
void reader_skip(struct reader *r, int open, int close) {
    struct token first = r->lex.tok;
    long depth = 0;
    if (!ptx_lexer_is(&r->lex, open)) {
        reader_expect(r, open);
        return;
    }
    do {
        if (ptx_lexer_is(&r->lex, open))
            depth++;
        else if (ptx_lexer_is(&r->lex, close))
            depth--;
        else if (r->lex.tok.kind == TOK_END)
            break;
        ptx_lexer_next(&r->lex);
    } while (depth > 0 && !diag_full(r->diag));
    if (depth > 0 && !diag_full(r->diag))
        diag_error(r->diag, ptx_token_place(&r->lex, &first),
                   "'%c' is not closed, expected '%c'", open, close);
}

/* ------------------------------------------------------------- directives */

static bool parse_version(struct reader *r) {
    bool again = r->seen_version;
    r->seen_version = true;
    if (r->lex.tok.kind != TOK_NUMBER) {
        reader_error(r, "expected a version number such as 7.7");
        return false;
    }
    if (again) {
        /* Modules put together in one file: each has names of its own. */
        reader_resolve(r);
        ptx_name_free(&r->names);
    }
    r->module->version = reader_text(r, &r->lex.tok);
    ptx_lexer_next(&r->lex);
    return true;
}

static bool parse_target(struct reader *r) {
    struct text t = {0};
    bool ok;
    do {
        ok = reader_at_name(r, "a target such as sm_52");
        if (!ok)
            break;
        text_add(&t, t.len ? ", " : "");
        text_addn(&t, r->lex.tok.s, r->lex.tok.len);
        ptx_lexer_next(&r->lex);
    } while (reader_accept(r, ','));
    r->module->target = arena_strdup(r->arena, text_str(&t));
    text_free(&t);
    return ok;
}

static bool parse_address_size(struct reader *r) {
    const struct token *t = &r->lex.tok;
    if (!ptx_token_is(t, TOK_NUMBER, "32") &&
        !ptx_token_is(t, TOK_NUMBER, "64")) {
        reader_error(r, "expected 32 or 64 after '.address_size'");
        return false;
    }
    r->module->address_size = t->value.bits == 32 ? 32 : 64;
    ptx_lexer_next(&r->lex);
    return true;
}

/* .file index ["folder"] "name" [, time, size] [md5 number] */
bool ptx_parse_file(struct reader *r) {
    int line = r->lex.tok.line;
    int64_t n;
    ptx_lexer_next(&r->lex);
    if (!ptx_parse_int(r, &n))
        return false;
    if (r->lex.tok.kind != TOK_STRING) {
        if (r->lex.tok.kind != TOK_ERROR)
            reader_error(r, "expected a file name in quotes");
        return false;
    }
    while (r->lex.tok.line == line &&
           (r->lex.tok.kind == TOK_STRING || r->lex.tok.kind == TOK_NUMBER ||
            ptx_token_is(&r->lex.tok, TOK_NAME, "md5") ||
            ptx_lexer_is(&r->lex, ',')))
        ptx_lexer_next(&r->lex);
    return true;
}

/* .section .name [, "flags" ...] { debug data } */
bool ptx_parse_section(struct reader *r) {
    ptx_lexer_next(&r->lex);
    while (r->lex.tok.kind == TOK_DOT || r->lex.tok.kind == TOK_NAME ||
           r->lex.tok.kind == TOK_STRING || ptx_lexer_is(&r->lex, ','))
        ptx_lexer_next(&r->lex);
    int errors = r->diag->errors;
    reader_skip(r, '{', '}');
    return r->diag->errors == errors;
}

/* .alias name, name; */
static bool parse_alias(struct reader *r) {
    struct token alias = r->lex.tok;
    if (!reader_at_name(r, "a function name"))
        return false;
    ptx_lexer_next(&r->lex);
    if (!reader_expect(r, ',') || !reader_at_name(r, "a function name"))
        return false;
    struct symbol *s = reader_symbol(r, r->lex.tok.s, r->lex.tok.len);
    if (s && !reader_symbol(r, alias.s, alias.len))
        reader_declare(r, reader_text(r, &alias), alias.len, s);
    ptx_lexer_next(&r->lex);
    return reader_expect(r, ';');
}

static bool parse_module_pragma(struct reader *r) {
    while (r->lex.tok.kind == TOK_STRING || ptx_lexer_is(&r->lex, ','))
        ptx_lexer_next(&r->lex);
    return reader_expect(r, ';');
}

static const char *const module_words[] = {
    "version", "target",  "address_size", "visible", "extern", "weak",
    "common",  "entry",   "func",         "global",  "const",  "shared",
    "local",   "param",   "tex",          "reg",     "sreg",   "file",
    "loc",     "section", "pragma",       "alias",   NULL};

static const char *module_word(void *ctx, int i) {
    (void)ctx;
    return module_words[i];
}

bool reader_is_module_word(const struct token *t) {
    for (int i = 0; module_words[i]; i++)
        if (ptx_token_is(t, TOK_DOT, module_words[i]))
            return true;
    return false;
}

/* In front of a known one in the same line it is a word about that, such as a
 * linkage; else a directive of its own. */
static bool unknown_directive(struct reader *r) {
    struct token t = r->lex.tok, next = ptx_lexer_peek(&r->lex);
    char *word = arena_strndup(r->arena, t.s, t.len);
    const char *near = t.len < 32 ? suggest(word, module_word, NULL) : NULL;
    if (next.line != t.line || !reader_is_module_word(&next))
        return reader_pass_directive(r, near, false);
    reader_passed(r, &t, "directive", near);
    ptx_lexer_next(&r->lex);
    return true;
}

static enum ptx_linkage parse_linkage(struct reader *r, enum ptx_linkage l) {
    for (;;) {
        if (reader_accept_word(r, "visible"))
            l = PTX_LINK_VISIBLE;
        else if (reader_accept_word(r, "extern"))
            l = PTX_LINK_EXTERN;
        else if (reader_accept_word(r, "weak"))
            l = PTX_LINK_WEAK;
        else if (reader_accept_word(r, "common"))
            l = PTX_LINK_COMMON;
        else
            return l;
    }
}

/* One directive of module scope. */
static bool parse_directive(struct reader *r) {
    enum ptx_linkage linkage = parse_linkage(r, PTX_LINK_NONE);
    const struct token *t = &r->lex.tok;
    while (linkage && t->kind == TOK_DOT && !reader_is_module_word(t)) {
        reader_passed(r, t, "directive", NULL); /* '.visible .quick .entry' */
        ptx_lexer_next(&r->lex);
        linkage = parse_linkage(r, linkage);
    }
    if (t->kind != TOK_DOT) {
        if (t->kind != TOK_ERROR)
            reader_error(r, "expected a directive");
        return false;
    }
    if (ptx_token_is(t, TOK_DOT, "entry") || ptx_token_is(t, TOK_DOT, "func"))
        return ptx_parse_function(r, linkage);
    if (ptx_token_is(t, TOK_DOT, "loc"))
        return ptx_parse_loc(r), true;
    if (ptx_token_is(t, TOK_DOT, "file"))
        return ptx_parse_file(r);
    if (ptx_token_is(t, TOK_DOT, "section"))
        return ptx_parse_section(r);
    if (reader_accept_word(r, "reg"))
        return ptx_parse_registers(r);
    if (reader_accept_word(r, "version"))
        return parse_version(r);
    if (reader_accept_word(r, "target"))
        return parse_target(r);
    if (reader_accept_word(r, "address_size"))
        return parse_address_size(r);
    if (reader_accept_word(r, "alias"))
        return parse_alias(r);
    if (reader_accept_word(r, "pragma"))
        return parse_module_pragma(r);
    if (reader_is_module_word(t))
        return ptx_parse_variables(r, linkage);
    return unknown_directive(r);
}

/* ------------------------------------------------------------- the module */

/* After an error: to the next directive that can open a statement. */
static void recover(struct reader *r) {
    int line = r->lex.tok.line;
    while (r->lex.tok.kind != TOK_END && !diag_full(r->diag)) {
        if (reader_is_module_word(&r->lex.tok) && r->lex.tok.line > line)
            return;
        ptx_lexer_next(&r->lex);
    }
}

static void parse_module(struct reader *r) {
    struct lexer *x = &r->lex;
    if (x->tok.kind == TOK_END) {
        reader_error(r, "expected '.version', the text is empty");
        return;
    }
    while (x->tok.kind != TOK_END && !diag_full(r->diag)) {
        if (!r->seen_version && !ptx_token_is(&x->tok, TOK_DOT, "version") &&
            x->tok.kind == TOK_DOT) {
            diag_warning(r->diag, ptx_token_place(x, &x->tok),
                         "no '.version' before the first directive");
            r->seen_version = true;
        }
        if (reader_accept(r, ';'))
            continue;
        if (!parse_directive(r))
            recover(r);
    }
    reader_resolve(r);
    reader_told_passed(r);
}

static void free_reader(struct reader *r) {
    ptx_name_free(&r->names);
    ptx_name_free(&r->forms);
    ptx_name_free(&r->labels);
    ptx_name_free(&r->uses);
    text_free(r->opcode);
    free(r->slots);
    array_free(&r->stamps);
    array_free(&r->instructions);
    array_free(&r->registers);
    array_free(&r->locals);
    array_free(&r->label_list);
    array_free(&r->unsupported);
    array_free(&r->pending);
    array_free(&r->pending_marks);
    array_free(&r->list);
    array_free(&r->indices);
    array_free(&r->init_list);
    array_free(&r->inits);
    array_free(&r->globals);
    array_free(&r->functions);
    array_free(&r->passed);
}

struct ptx_module *ptx_read(struct arena *a, const struct source *source,
                            struct diag *d) {
    struct text opcode = {0};
    struct reader r = {.arena = a, .diag = d, .opcode = &opcode};
    struct ptx_module *m = arena_alloc(a, sizeof *m);
    m->source = source;
    m->address_size = 32;
    r.module = m;
    ptx_lexer_init(&r.lex, source, d);
    parse_module(&r);
    m->n_variables = r.globals.n;
    m->variables = array_keep(&r.globals, a);
    m->n_functions = r.functions.n;
    m->functions = array_keep(&r.functions, a);
    m->n_passed = r.passed.n;
    m->passed = array_keep(&r.passed, a);
    free_reader(&r);
    return m;
}

int64_t ptx_variable_size(const struct ptx_variable *v) {
    int64_t bits = (int64_t)ptx_type_bits(v->type) * v->vector;
    return v->elements * ((bits + 7) / 8);
}

/* parse_func.c - functions: header, body, and what is settled at the end.
 */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------- header */

static int clamp(int64_t n) {
    return n < 0 ? 0 : n > INT32_MAX ? INT32_MAX : (int)n;
}

/* .maxntid 256, 1, 1 */
static bool parse_triple(struct reader *r, int *out) {
    int64_t n;
    for (int i = 0; i < 3; i++)
        out[i] = 1;
    for (int i = 0; i == 0 || reader_accept(r, ','); i++) {
        if (!ptx_parse_int(r, &n))
            return false;
        if (i < 3)
            out[i] = clamp(n);
    }
    return true;
}

static bool parse_count(struct reader *r, int *out) {
    int64_t n;
    if (!ptx_parse_int(r, &n))
        return false;
    *out = clamp(n);
    return true;
}

/* Words that take numbers this reader has no use for, or nothing. */
static bool skip_tuning(struct reader *r, const struct token *t) {
    static const char *const words[] = {
        "maxnctapersm",         "reqnctapercluster", "maxclusterrank",
        "explicitcluster",      "blocksareclusters", "abi_preserve",
        "abi_preserve_control", "minreqntid",        NULL};
    int i = 0;
    while (words[i] && !ptx_token_is(t, TOK_DOT, words[i]))
        i++;
    if (!words[i])
        return false;
    ptx_lexer_next(&r->lex);
    while (r->lex.tok.kind == TOK_NUMBER || ptx_lexer_is(&r->lex, ','))
        ptx_lexer_next(&r->lex);
    return true;
}

/* One directive between the parameters and the body: 1 read, 0 none of these,
 * -1 error. */
static int parse_tuning(struct reader *r, struct ptx_function *fn) {
    struct token t = r->lex.tok;
    int unused;
    if (reader_accept_word(r, "maxntid"))
        return parse_triple(r, fn->maxntid) ? 1 : -1;
    if (reader_accept_word(r, "reqntid"))
        return parse_triple(r, fn->reqntid) ? 1 : -1;
    if (reader_accept_word(r, "minnctapersm"))
        return parse_count(r, &fn->minnctapersm) ? 1 : -1;
    if (reader_accept_word(r, "maxnreg"))
        return parse_count(r, &fn->maxnreg) ? 1 : -1;
    if (reader_accept_word(r, "noreturn"))
        return fn->noreturn = true, 1;
    if (reader_accept_word(r, "attribute"))
        return reader_skip(r, '(', ')'), 1;
    if (reader_accept_word(r, "scratch") || reader_accept_word(r, "unroll"))
        return parse_count(r, &unused) ? 1 : -1;
    if (ptx_token_is(&t, TOK_DOT, "pragma")) {
        ptx_lexer_next(&r->lex);
        while (r->lex.tok.kind == TOK_STRING || ptx_lexer_is(&r->lex, ','))
            ptx_lexer_next(&r->lex);
        reader_accept(r, ';');
        return 1;
    }
    if (skip_tuning(r, &t))
        return 1;
    return reader_pass_tuning(r) ? 1 : 0;
}

/* ( returns ) name ( params ) with scopes as the caller left them. */
static bool parse_signature(struct reader *r, struct ptx_function *fn,
                            struct token *name, bool declared) {
    if (!fn->is_entry && reader_accept(r, '(') &&
        !ptx_parse_params(r, &fn->returns, &fn->n_returns, declared))
        return false;
    if (!reader_at_name(r, "a function name"))
        return false;
    *name = r->lex.tok;
    fn->name = reader_text(r, name);
    ptx_lexer_next(&r->lex);
    return !reader_accept(r, '(') ||
           ptx_parse_params(r, &fn->params, &fn->n_params, declared);
}

/* After .callprototype: ( returns ) _ ( params ) ; */
struct ptx_function *ptx_parse_prototype(struct reader *r) {
    struct ptx_function *fn = arena_alloc(r->arena, sizeof *fn);
    struct token name;
    int more = 1;
    fn->line = r->lex.tok.line;
    fn->column = r->lex.tok.column;
    if (!parse_signature(r, fn, &name, false))
        return NULL;
    while (more > 0)
        more = parse_tuning(r, fn);
    return more == 0 && reader_expect(r, ';') ? fn : NULL;
}

/* ------------------------------------------------------------ settling it */

/* Registers that the function returns are read by its last instruction. */
static void find_return_registers(struct reader *r, struct ptx_function *fn) {
    int n = 0;
    fn->return_registers =
        arena_array(r->arena, (size_t)fn->n_returns, sizeof(void *));
    for (int i = 0; i < fn->n_returns; i++) {
        const char *name = fn->returns[i].name;
        if (fn->returns[i].space == PTX_SPACE_REG && name)
            fn->return_registers[n++] = reader_register(r, name, strlen(name));
    }
    fn->n_return_registers = n;
}

/* Copy what was collected into the function. */
static void settle(struct reader *r, struct ptx_function *fn) {
    fn->n_instructions = r->instructions.n;
    fn->instructions = array_keep(&r->instructions, r->arena);
    fn->n_registers = r->registers.n;
    fn->registers = array_keep(&r->registers, r->arena);
    fn->n_variables = r->locals.n;
    fn->variables = array_keep(&r->locals, r->arena);
    fn->n_labels = r->label_list.n;
    fn->labels = array_keep(&r->label_list, r->arena);
    fn->n_unsupported = r->unsupported.n;
    fn->unsupported = array_keep(&r->unsupported, r->arena);
}

static void forget_function(struct reader *r) {
    ptx_name_free(&r->uses);
    free(r->slots);
    r->slots = NULL;
    r->n_slots = r->slots_used = 0;
    r->instructions.n = r->registers.n = r->locals.n = 0;
    r->label_list.n = r->unsupported.n = 0;
    r->fn = NULL;
}

/* The branch targets must be labels: what is left pending is an error unless
 * it names something of the module. */
static void check_pending(struct reader *r) {
    for (int i = 0; i < r->pending.n; i++) {
        struct ptx_operand *o = r->pending.v[i].operand;
        struct place at = {r->module->source, o->line, o->column, 1};
        size_t len = strlen(o->name);
        struct symbol *s = reader_symbol(r, o->name, len);
        at.width = len > READER_SHOWN_NAME ? READER_SHOWN_NAME : (int)len;
        if (s && s->kind == SYM_FUNCTION) {
            o->kind = PTX_OPND_FUNCTION;
            o->function = s->function;
        } else if (!r->pending.v[i].lenient) {
            diag_error(r->diag, at, "undefined %s '%.*s'",
                       r->pending.v[i].label ? "label"
                       : o->name[0] == '%'   ? "register"
                                             : "name",
                       SHOWN(o->name, len));
        }
    }
    r->pending.n = 0;
}

/* ------------------------------------------------------------ the function */

static struct ptx_function *add_function(struct reader *r,
                                         struct ptx_function *fn) {
    *array_push(&r->functions) = fn;
    return fn;
}

/* Enter fn, or take the place of an earlier prototype of that name. */
static struct symbol *enter_function(struct reader *r, struct ptx_function *fn,
                                     const struct token *name) {
    struct name_entry *e = ptx_name_find(&r->names, fn->name, name->len);
    struct symbol *old = e && e->depth == 0 ? e->value : NULL;
    if (old && old->kind == SYM_FUNCTION)
        return old;
    struct symbol *s = arena_alloc(r->arena, sizeof *s);
    s->kind = SYM_FUNCTION;
    s->line = fn->line;
    s->column = fn->column;
    s->function = add_function(r, fn);
    reader_declare(r, fn->name, name->len, s);
    return s;
}

/* Name and parameters are read in the function's own scope; the name itself
 * has to go to the module's.  So the signature is read twice. */
static bool parse_header(struct reader *r, struct ptx_function *fn,
                         struct symbol **symbol) {
    struct lexer start = r->lex;
    struct token name;
    if (!parse_signature(r, fn, &name, false))
        return false;
    *symbol = enter_function(r, fn, &name);
    r->lex = start;
    r->fn = fn;
    ptx_name_open(&r->names);
    return parse_signature(r, fn, &name, true);
}

/* The body of fn; its symbol's object keeps the address that earlier calls
 * refer to. */
static bool parse_definition(struct reader *r, struct ptx_function *fn,
                             struct symbol *s) {
    if (s->function != fn && s->function->has_body)
        diag_error(r->diag,
                   (struct place){r->module->source, fn->line, fn->column, 1},
                   "redefinition of '%.*s', first defined in line %d",
                   SHOWN(fn->name, strlen(fn->name)), s->function->line);
    fn->has_body = true;
    find_return_registers(r, fn);
    bool ok = ptx_parse_body(r);
    settle(r, fn);
    check_pending(r);
    if (s->function != fn)
        *s->function = *fn;
    return ok;
}

static bool parse_tail(struct reader *r, struct ptx_function *fn,
                       struct symbol *s) {
    int more = 1;
    while (more > 0)
        more = parse_tuning(r, fn);
    if (more < 0)
        return false;
    if (ptx_lexer_is(&r->lex, '{')) {
        return parse_definition(r, fn, s);
    }
    if (reader_accept(r, ';') || r->lex.tok.kind == TOK_END ||
        r->lex.tok.kind == TOK_DOT) /* nvopencc's prototypes have no ';' */
        return true;
    reader_error(r, "expected '{' or ';' after the header of '%.*s'",
                 SHOWN(fn->name, strlen(fn->name)));
    return false;
}

/* At .entry or .func. */
bool ptx_parse_function(struct reader *r, enum ptx_linkage linkage) {
    struct ptx_function *fn = arena_alloc(r->arena, sizeof *fn);
    struct symbol *symbol = NULL;
    int more = 1;
    fn->is_entry = ptx_token_is(&r->lex.tok, TOK_DOT, "entry");
    fn->linkage = linkage;
    fn->line = r->lex.tok.line;
    fn->column = r->lex.tok.column;
    ptx_lexer_next(&r->lex);
    while (more > 0)
        more = parse_tuning(r, fn);
    int depth = ptx_name_depth(&r->names);
    bool header = more == 0 && parse_header(r, fn, &symbol);
    bool ok = header && parse_tail(r, fn, symbol);
    if (!header) { /* one error, not one for each line of its body */
        reader_pass_function(r);
        ok = true;
    }
    while (ptx_name_depth(&r->names) > depth)
        ptx_name_close(&r->names);
    forget_function(r);
    return ok;
}

/* Names in initialisers may be declared anywhere in the module. */
void reader_resolve(struct reader *r) {
    for (int i = 0; i < r->inits.n && !diag_full(r->diag); i++) {
        const struct pending_init *p = &r->inits.v[i];
        size_t len = strlen(p->name);
        struct place at = {r->module->source, p->line, p->column, 1};
        at.width = len > READER_SHOWN_NAME ? READER_SHOWN_NAME : (int)len;
        if (!reader_symbol(r, p->name, len))
            diag_error(r->diag, at, "undefined name '%.*s' in an initialiser",
                       SHOWN(p->name, len));
    }
    r->inits.n = 0;
}

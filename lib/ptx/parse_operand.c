/* parse_operand.c - operands of instructions.
 *
 * A name is looked up as a register, a symbol, a special register, in this
 * order; what is none of these may be a label further on and is kept pending
 * until its scope closes.
 */
#include "reader.h"
#include "tables.h"

#include <string.h>

enum { MAX_OPERAND_DEPTH = 6 };

static bool defer(struct reader *r, struct ptx_operand *o, bool lenient,
                  bool label) {
    *array_push(&r->pending) = (struct pending){o, lenient, label};
    o->kind = PTX_OPND_NAME;
    return true;
}

/* A name that is a symbol: fills o, false when it is not known. */
static bool resolve_symbol(struct reader *r, struct ptx_operand *o,
                           const struct token *t) {
    struct symbol *s = reader_symbol(r, t->s, t->len);
    if (!s)
        return false;
    if (s->kind == SYM_FUNCTION) {
        o->kind = PTX_OPND_FUNCTION;
        o->function = s->function;
    } else if (s->kind == SYM_VARIABLE) {
        o->kind = PTX_OPND_VARIABLE;
        o->variable = s->variable;
    } else {
        return false;
    }
    o->name = reader_text(r, t);
    return true;
}

/* .x .y .z .w .r .g .b .a and the lane selectors of video instructions. */
static void parse_suffix(struct reader *r, struct ptx_operand *o) {
    while (r->lex.tok.kind == TOK_DOT) {
        if (!o->suffix)
            o->suffix = reader_text(r, &r->lex.tok);
        ptx_lexer_next(&r->lex);
    }
}

/* name[index]: the element's address, as the ISA defines it. */
static bool parse_index(struct reader *r, struct ptx_operand *o) {
    int64_t index;
    int64_t size =
        (int64_t)(ptx_type_bits(o->variable->type) / 8) * o->variable->vector;
    if (!ptx_parse_int(r, &index) || !reader_expect(r, ']'))
        return false;
    o->offset = (int64_t)((uint64_t)index * (uint64_t)(size ? size : 1));
    return true;
}

static bool parse_second(struct reader *r, struct ptx_operand *o) {
    struct token t = r->lex.tok;
    if (!reader_at_name(r, "the second destination"))
        return false;
    ptx_lexer_next(&r->lex);
    if (ptx_token_is(&t, TOK_NAME, "_"))
        return true;
    o->second = reader_register(r, t.s, t.len);
    if (!o->second)
        diag_error(r->diag, ptx_token_place(&r->lex, &t),
                   "undefined register '%.*s'", SHOWN(t.s, t.len));
    return o->second != NULL;
}

static bool parse_named(struct reader *r, struct ptx_operand *o, bool labels,
                        bool lenient) {
    struct token t = r->lex.tok;
    ptx_lexer_next(&r->lex);
    if (ptx_token_is(&t, TOK_NAME, "_")) {
        o->kind = PTX_OPND_SINK;
        return true;
    }
    if (labels) {
        o->name = reader_text(r, &t);
        return defer(r, o, lenient, true);
    }
    o->reg = reader_register(r, t.s, t.len);
    if (o->reg) {
        o->kind = PTX_OPND_REGISTER;
        o->name = o->reg->name;
        parse_suffix(r, o);
        return true;
    }
    if (resolve_symbol(r, o, &t)) {
        if (o->kind == PTX_OPND_VARIABLE && reader_accept(r, '['))
            return parse_index(r, o);
        return ptx_parse_offset(r, &o->offset);
    }
    o->special = ptx_special_find(t.s, t.len, &o->number);
    o->name = reader_text(r, &t);
    if (o->special) {
        o->kind = PTX_OPND_SPECIAL;
        parse_suffix(r, o);
        return true;
    }
    parse_suffix(r, o);
    return defer(r, o, lenient, false) && ptx_parse_offset(r, &o->offset);
}

static bool parse_value(struct reader *r, struct ptx_operand *o) {
    o->kind = PTX_OPND_VALUE;
    return ptx_parse_constant(r, &o->value);
}

/* [base], [base + offset], [texture, {coordinates}], ... */
static bool parse_address(struct reader *r, struct ptx_operand *o, bool lenient,
                          int depth) {
    ptx_lexer_next(&r->lex);
    o->kind = PTX_OPND_ADDRESS;
    return ptx_parse_operand_list(r, ']', false, lenient, depth + 1, &o->items,
                                  &o->n_items);
}

static bool parse_negated(struct reader *r, struct ptx_operand *o, bool labels,
                          bool lenient, int depth) {
    struct token next = ptx_lexer_peek(&r->lex);
    if (next.kind != TOK_NAME || ptx_token_is(&next, TOK_NAME, "WARP_SZ"))
        return parse_value(r, o);
    ptx_lexer_next(&r->lex);
    o->negated = true;
    return ptx_parse_operand(r, o, labels, lenient, depth + 1);
}

static bool parse_simple(struct reader *r, struct ptx_operand *o, bool labels,
                         bool lenient, int depth) {
    struct lexer *x = &r->lex;
    if (x->tok.kind == TOK_NAME && !ptx_token_is(&x->tok, TOK_NAME, "WARP_SZ"))
        return parse_named(r, o, labels, lenient);
    if (ptx_lexer_is(x, '{')) {
        ptx_lexer_next(x);
        o->kind = PTX_OPND_VECTOR;
        return ptx_parse_operand_list(r, '}', labels, lenient, depth + 1,
                                      &o->items, &o->n_items);
    }
    if (ptx_lexer_is(x, '['))
        return parse_address(r, o, lenient, depth);
    if (ptx_lexer_is(x, '!') || ptx_lexer_is(x, '-'))
        return parse_negated(r, o, labels, lenient, depth);
    if (x->tok.kind == TOK_NUMBER || x->tok.kind == TOK_NAME ||
        ptx_lexer_is(x, '(') || ptx_lexer_is(x, '~') || ptx_lexer_is(x, '+'))
        return parse_value(r, o);
    if (x->tok.kind != TOK_ERROR)
        reader_error(r, "expected an operand");
    return false;
}

bool ptx_parse_operand(struct reader *r, struct ptx_operand *o, bool labels,
                       bool lenient, int depth) {
    o->line = r->lex.tok.line;
    o->column = r->lex.tok.column;
    if (depth > MAX_OPERAND_DEPTH) {
        reader_error(r,
                     "operand is nested too deeply, expected at most %d "
                     "levels",
                     MAX_OPERAND_DEPTH);
        return false;
    }
    if (!parse_simple(r, o, labels, lenient, depth))
        return false;
    if (o->kind == PTX_OPND_REGISTER && !ptx_parse_offset(r, &o->offset))
        return false;
    return !reader_accept(r, '|') || parse_second(r, o);
}

/* Items up to and with the closing character.  Each is an object of its own,
 * so that a pending one stays where it is. */
bool ptx_parse_operand_list(struct reader *r, int close, bool labels,
                            bool lenient, int depth,
                            struct ptx_operand ***items, int *n) {
    int base = r->list.n;
    bool ok = true;
    while (ok && !ptx_lexer_is(&r->lex, close)) {
        struct ptx_operand *o = arena_alloc(r->arena, sizeof *o);
        ok = (r->list.n == base || reader_expect(r, ',')) &&
             ptx_parse_operand(r, o, labels, lenient, depth);
        *array_push(&r->list) = o;
    }
    *n = r->list.n - base;
    *items = arena_copy(r->arena, *n ? r->list.v + base : NULL, (size_t)*n,
                        sizeof(void *));
    r->list.n = base;
    return ok && reader_expect(r, close);
}

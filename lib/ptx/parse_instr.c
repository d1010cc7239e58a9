/* parse_instr.c - one instruction: guard, opcode, operands, registers.
 *
 * An opcode that is not known is read like any other; names in its operands
 * need not be known either.  It is listed as unsupported and nothing else
 * suffers.
 */
#include "reader.h"
#include "tables.h"

#include "base/text.h"

#include <string.h>

/* @p or @!p. */
static bool parse_guard(struct reader *r, struct ptx_instruction *in) {
    if (!reader_accept(r, '@'))
        return true;
    in->guard_negated = reader_accept(r, '!');
    struct token t = r->lex.tok;
    if (!reader_at_name(r, "a predicate register after '@'"))
        return false;
    ptx_lexer_next(&r->lex);
    in->guard = reader_register(r, t.s, t.len);
    if (!in->guard)
        diag_error(r->diag, ptx_token_place(&r->lex, &t),
                   "undefined register '%.*s'", SHOWN(t.s, t.len));
    else if (in->guard->type != PTX_PRED)
        diag_error(r->diag, ptx_token_place(&r->lex, &t),
                   "guard '%.*s' has type '.%s', expected '.pred'",
                   SHOWN(t.s, t.len), ptx_type_text(in->guard->type));
    return in->guard && in->guard->type == PTX_PRED;
}

/* Opcode and modifiers as one text, even if blanks stand between them. */
static const struct ptx_form *parse_opcode(struct reader *r) {
    struct lexer *x = &r->lex;
    const char *start = x->tok.s, *end = start + x->tok.len;
    bool joined = true;
    r->opcode->len = 0;
    text_addn(r->opcode, x->tok.s, x->tok.len);
    ptx_lexer_next(x);
    while (x->tok.kind == TOK_DOT) {
        const char *from = x->tok.s - 1;
        joined = joined && from == end;
        end = x->tok.s + x->tok.len;
        text_addn(r->opcode, from, x->tok.len + 1);
        bool bank = ptx_token_is(&x->tok, TOK_DOT, "const") && end < x->end &&
                    *end == '[';
        ptx_lexer_next(x);
        if (!bank)
            continue;
        /* .const[2]: a bank, as opposed to an operand */
        while (x->tok.kind != TOK_END && !ptx_lexer_is(x, ']') &&
               !ptx_lexer_is(x, ';'))
            ptx_lexer_next(x);
        text_addn(r->opcode, end, (size_t)(x->tok.s + x->tok.len - end));
        end = x->tok.s + x->tok.len;
        reader_accept(r, ']');
    }
    if (joined)
        return reader_form(r, start, (size_t)(end - start));
    return reader_form(r, text_str(r->opcode), r->opcode->len);
}

/* ---------------------------------------------------- registers it touches */

static void list_index(struct reader *r, const struct ptx_register *reg) {
    if (!reg || r->stamps.v[reg->index] == r->stamp)
        return;
    r->stamps.v[reg->index] = r->stamp;
    *array_push(&r->indices) = reg->index;
}

static void list_registers(struct reader *r, const struct ptx_operand *o) {
    list_index(r, o->reg);
    list_index(r, o->second);
    for (int i = 0; i < o->n_items; i++)
        list_registers(r, o->items[i]);
}

static void new_list(struct reader *r) {
    r->stamp++;
    r->indices.n = 0;
    while (r->stamps.n < r->registers.n)
        *array_push(&r->stamps) = 0;
}

/* Fragments of an asynchronous multiplication are accumulated in place. */
static bool reads_destination(const struct ptx_form *f) {
    return f->op == PTX_OP_WGMMA_MMA;
}

void reader_defs_uses(struct reader *r, struct ptx_instruction *in) {
    new_list(r);
    for (int i = 0; i < in->n_dst; i++)
        list_registers(r, in->operands[i]);
    in->n_defs = r->indices.n;
    in->defs = array_keep(&r->indices, r->arena);
    new_list(r);
    for (int i = reads_destination(in->form) ? 0 : in->n_dst;
         i < in->n_operands; i++)
        list_registers(r, in->operands[i]);
    in->n_sources = r->indices.n;
    list_index(r, in->guard);
    if (in->form->op == PTX_OP_RET)
        for (int i = 0; i < r->fn->n_return_registers; i++)
            list_index(r, r->fn->return_registers[i]);
    in->n_uses = r->indices.n;
    in->uses = array_keep(&r->indices, r->arena);
}

/* --------------------------------------------------------------- operands */

/* How many leading operands this instruction writes. */
static int destinations(const struct ptx_instruction *in) {
    const struct ptx_operand *first = in->n_operands ? in->operands[0] : NULL;
    if (in->form->op == PTX_OP_CALL)
        return first && first->kind == PTX_OPND_LIST && in->n_operands > 1;
    if (in->form->op == PTX_OP_UNKNOWN)
        return first && in->n_operands > 1 &&
               (first->kind == PTX_OPND_REGISTER ||
                first->kind == PTX_OPND_VECTOR);
    if (first && first->kind == PTX_OPND_ADDRESS)
        return 0; /* mbarrier.arrive [a]: no destination */
    return in->form->n_dst < in->n_operands ? in->form->n_dst : in->n_operands;
}

/* ( a, b ) of a call, as opposed to a constant in parentheses. */
static bool parse_list_operand(struct reader *r, struct ptx_operand *o) {
    o->kind = PTX_OPND_LIST;
    o->line = r->lex.tok.line;
    o->column = r->lex.tok.column;
    ptx_lexer_next(&r->lex);
    return ptx_parse_operand_list(r, ')', false, false, 1, &o->items,
                                  &o->n_items);
}

static bool parse_operands(struct reader *r, struct ptx_instruction *in) {
    int base = r->list.n;
    bool lenient = in->form->unknown != NULL, ok = true;
    while (ok && !ptx_lexer_is(&r->lex, ';')) {
        int i = r->list.n - base;
        struct ptx_operand *o = arena_alloc(r->arena, sizeof *o);
        bool label = in->form->op == PTX_OP_BRA ||
                     (in->form->op == PTX_OP_BRX && i == 1);
        ok = i == 0 || reader_expect(r, ',');
        if (!ok)
            break;
        if (in->form->op == PTX_OP_CALL && ptx_lexer_is(&r->lex, '('))
            ok = parse_list_operand(r, o);
        else
            ok = ptx_parse_operand(r, o, label, lenient, 0);
        *array_push(&r->list) = o;
    }
    in->n_operands = r->list.n - base;
    in->operands =
        arena_copy(r->arena, in->n_operands ? r->list.v + base : NULL,
                   (size_t)in->n_operands, sizeof(void *));
    r->list.n = base;
    return ok;
}

/* A modifier that is not known may change the operands; then nothing is left
 * that this opcode stands for.  A branch stays one. */
static bool make_unknown(struct reader *r, struct ptx_instruction *in) {
    if (!in->form->unknown || in->form->opc == OPC_branch)
        return false;
    struct ptx_form *f = arena_alloc(r->arena, sizeof *f);
    *f = *in->form;
    f->op = PTX_OP_UNKNOWN;
    f->opc = OPC_int;
    in->form = f;
    return true;
}

static bool check_count(struct reader *r, struct ptx_instruction *in,
                        const struct token *opcode) {
    const struct ptx_form *f = in->form;
    int n = in->n_operands;
    if ((n >= f->min && n <= f->max) || make_unknown(r, in))
        return true;
    char range[24];
    if (f->min == f->max)
        snprintf(range, sizeof range, "%d", f->min);
    else
        snprintf(range, sizeof range, "%d to %d", f->min, f->max);
    diag_error(r->diag, ptx_token_place(&r->lex, opcode),
               "'%.*s' has %d operand%s, expected %s",
               SHOWN(f->text, strlen(f->text)), n, n == 1 ? "" : "s", range);
    return false;
}

static void note_unsupported(struct reader *r, struct ptx_instruction *in) {
    *array_push(&r->unsupported) = (struct ptx_unsupported){
        in->form->text, r->instructions.n, in->line, in->column};
    in->unsupported = true;
}

/* At '@' or at the opcode; the ';' is read too. */
bool ptx_parse_instruction(struct reader *r) {
    struct ptx_instruction in = {0};
    if (!parse_guard(r, &in))
        return false;
    struct token opcode = r->lex.tok;
    if (!reader_at_name(r, "an opcode"))
        return false;
    in.line = opcode.line;
    in.column = opcode.column;
    in.form = parse_opcode(r);
    if (!parse_operands(r, &in) || !check_count(r, &in, &opcode))
        return false;
    in.n_dst = destinations(&in);
    if (!in.form->unknown && !reader_add_sums(r, &in))
        return false;
    if (in.form->unknown)
        note_unsupported(r, &in);
    reader_defs_uses(r, &in);
    *array_push(&r->instructions) = in;
    return reader_expect(r, ';');
}

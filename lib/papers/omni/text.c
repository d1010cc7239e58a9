/* text.c - the text with the chains contiguous.
 *
 * The text between two instructions (labels, blanks, comments, .loc, .pragma)
 * stays where it is; instructions change places within their block.  Where a
 * brace, a declaration or a label within a block stands in between nothing
 * moves, so that names keep their meaning.
 */
#include "state.h"
#include "ptx/lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ writing */

static const char *const tag_words[] = {"", "first", "inside", "last"};

/* The end of a mark that an earlier rewriting left at *s, or NULL. */
static const char *old_mark(const char *s, const char *end) {
    static const char lead[] = " // chain ";
    size_t n = sizeof lead - 1;
    if ((size_t)(end - s) < n || strncmp(s, lead, n) != 0)
        return NULL;
    for (s += n; s < end && isdigit((unsigned char)*s); s++)
        ;
    if (end - s < 2 || s[0] != ':' || s[1] != ' ')
        return NULL;
    for (int tag = 1; tag <= 3; tag++) {
        n = strlen(tag_words[tag]);
        if ((size_t)(end - s - 2) >= n && !strncmp(s + 2, tag_words[tag], n))
            return s + 2 + n;
    }
    return NULL;
}

/* A comment behind an instruction: to the end of the line if that is near,
 * else closed. */
static void add_comment(struct text *t, const char *rest, const char *end,
                        int chain, int tag) {
    while (rest < end && (*rest == ' ' || *rest == '\t' || *rest == '\r'))
        rest++;
    bool line = rest == end || *rest == '\n' ||
                (end - rest > 1 && rest[0] == '/' && rest[1] == '/');
    text_printf(t, line ? " // chain %d: %s" : " /* chain %d: %s */", chain,
                tag_words[tag]);
}

/* The lexer on the first token behind guard and opcode. */
static void skip_opcode(struct lexer *x) {
    if (ptx_lexer_is(x, '@')) {
        ptx_lexer_next(x);
        if (ptx_lexer_is(x, '!'))
            ptx_lexer_next(x);
        ptx_lexer_next(x);
    }
    ptx_lexer_next(x);
    while (x->tok.kind == TOK_DOT)
        ptx_lexer_next(x);
}

/* Operand i of an instruction of plain operands, as the source has it. */
static void add_operand(struct text *t, const struct ptx_slice *s, int i) {
    struct source piece = {"", s->s, s->len};
    struct lexer x;
    ptx_lexer_init(&x, &piece, NULL);
    skip_opcode(&x);
    for (; i > 0 && x.tok.kind != TOK_END; ptx_lexer_next(&x))
        i -= ptx_lexer_is(&x, ',');
    for (; x.tok.kind != TOK_END && !ptx_lexer_is(&x, ',') &&
           !ptx_lexer_is(&x, ';');
         ptx_lexer_next(&x))
        text_addn(t, x.tok.s, x.tok.len);
}

static void add_guard(struct text *t, const struct ptx_instruction *in) {
    if (in->guard)
        text_printf(t, "@%s%.*s ", in->guard_negated ? "!" : "",
                    (int)strcspn(in->guard->name, "#"), in->guard->name);
}

/* mul and add in the place of an fma or mad.  The product goes through the
 * register of the first loaded factor, which nobody reads any more. */
static void add_split(struct text *t, const struct ptx_chains *c, int pc) {
    const struct ptx_chain *chain = &c->list[c->chain_of[pc]];
    const struct ptx_instruction *in = &c->function->instructions[pc];
    const struct ptx_slice *s = &c->slices[pc];
    const char *type = ptx_type_text(chain->type);
    bool real = chain->type == PTX_F32;
    int product = chain->f_reversed ? 2 : 1;
    add_guard(t, in);
    text_printf(t, "mul.%s.%s ", real ? "rn" : "lo", type);
    add_operand(t, s, product);
    text_add(t, ", ");
    add_operand(t, s, 1);
    text_add(t, ", ");
    add_operand(t, s, 2);
    text_add(t, ";");
    text_printf(t, " // chain %d: last", c->chain_of[pc]);
    text_add(t, "\n\t");
    add_guard(t, in);
    text_printf(t, "add%s.%s ", real ? ".rn" : "", type);
    add_operand(t, s, 0);
    text_add(t, ", ");
    add_operand(t, s, product);
    text_add(t, ", ");
    add_operand(t, s, 3);
    text_add(t, ";");
}

static void write_function(const struct ptx_chains *c, const char **cursor,
                           const char *end, struct text *out) {
    const char *mark;
    for (int place = 0; place < c->function->n_instructions; place++) {
        const struct ptx_slice *hole = &c->slices[place];
        int pc = c->order[place];
        text_addn(out, *cursor, (size_t)(hole->s - *cursor));
        *cursor = hole->s + hole->len;
        while ((mark = old_mark(*cursor, end)))
            *cursor = mark;
        if (c->tags[pc] && c->list[c->chain_of[pc]].split &&
            c->list[c->chain_of[pc]].alu == pc) {
            add_split(out, c, pc);
            continue;
        }
        text_addn(out, c->slices[pc].s, c->slices[pc].len);
        if (c->tags[pc])
            add_comment(out, *cursor, end, c->chain_of[pc], c->tags[pc]);
    }
}

static int by_slice(const void *a, const void *b) {
    const struct ptx_chains *p = *(const struct ptx_chains *const *)a;
    const struct ptx_chains *q = *(const struct ptx_chains *const *)b;
    return (p->slices[0].s > q->slices[0].s) -
           (p->slices[0].s < q->slices[0].s);
}

void ptx_chains_rewrite(const struct ptx_module *m,
                        const struct ptx_chains *const *chains,
                        struct text *out) {
    const struct ptx_chains **list =
        xcalloc((size_t)m->n_functions, sizeof(void *));
    const char *cursor = m->source->text, *end = cursor + m->source->len;
    int n = 0;
    for (int i = 0; i < m->n_functions; i++)
        if (chains[i] && chains[i]->n)
            list[n++] = chains[i];
    if (n)
        qsort(list, (size_t)n, sizeof(void *), by_slice);
    for (int i = 0; i < n; i++)
        write_function(list[i], &cursor, end, out);
    text_addn(out, cursor, (size_t)(end - cursor));
    free(list);
}
